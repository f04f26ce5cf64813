//! V10: portals that touch, coincide, or are seen edge-on lose nothing, and walks through them end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod catalogue;
mod graph;
mod proof;
mod rays;

use graph::{Graph, across, cell};
use proof::{Scene, chain, check_sound};
use threshold_land::CellId;
use threshold_land::vector::{DVec3, Vec3};
use threshold_testkit::{
    Random, every_third_room, forged, random_point_in, random_viewer_in, rules_with_stab_lists,
    rules_without_stab_lists, viewer_at,
};
use threshold_view::{Lens, PortalLog, PortalWalk, ViewScratch, Viewer, VisibleSet};
use threshold_world::{PortalSide, World};

/// Walks and casts rays.
fn look<'s>(world: &World, viewer: &Viewer, scratch: &'s mut ViewScratch) -> &'s VisibleSet {
    let scene = Scene { world, rules: rules_without_stab_lists(), viewer: *viewer };
    scene.never_misses(scratch, 2000, &mut Random(6));
    scratch.visible()
}

/// A viewer with a narrow screen.
fn narrow(cell: CellId, eye: [f32; 3], look: [f32; 3]) -> Viewer {
    let lens = Lens { fov: 30.0, aspect: 1.0, ..Lens::default() };
    Viewer::looking_at(cell, Vec3::from(eye), Vec3::from(look), lens).unwrap()
}

fn cells(seen: &VisibleSet) -> Vec<CellId> {
    let mut cells: Vec<CellId> = seen.cells().map(|cell| cell.id()).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn two_portals_in_one_place_both_show_what_is_behind_them() {
    let world = catalogue::no_thickness().world();
    let viewer = narrow(cell(0), [2.0, 0.5, 1.5], [2.0, 4.0, 1.5]);
    let mut scratch = ViewScratch::new();
    let seen = look(&world, &viewer, &mut scratch);
    assert_eq!(cells(seen), [0, 3, 4, 5].map(cell));
    let corners = |room: usize| {
        let room = seen.cell(cell(room)).unwrap();
        let regions: Vec<_> = room.regions().map(|region| region.corners().to_vec()).collect();
        regions
    };
    assert_eq!(corners(3), corners(4), "both in the same place");
    assert_eq!((corners(3).len(), corners(5).len()), (1, 1), "what is behind both is seen once");
}

#[test]
fn a_room_of_no_thickness_is_passed_through() {
    let world = catalogue::no_thickness().world();
    let mut scratch = ViewScratch::new();
    // The last one is behind it: a swept cell may lag by 2 cm.
    for x in [0.5, 3.0, 3.9, 3.985, 4.0, 4.015] {
        let viewer = narrow(cell(0), [x, 2.0, 1.5], [8.0, 2.0, 1.5]);
        let seen = look(&world, &viewer, &mut scratch);
        assert_eq!(cells(seen), [0, 1, 2].map(cell), "from {x}");
        let region = seen.cell(cell(2)).unwrap().regions().next().unwrap();
        let way = chain(seen, region).into_iter().filter_map(|region| region.entry());
        let way: Vec<CellId> = way.map(|via| via.cell).collect();
        assert_eq!(way, [1, 0].map(cell), "from {x}");
    }
    // From within it, exactly in the plane of both portals.
    let viewer = viewer_at(cell(1), [4.0, 2.0, 1.5], [8.0, 2.0, 1.5]);
    let seen = look(&world, &viewer, &mut scratch);
    assert!(seen.cell(cell(2)).unwrap().regions().any(|region| region.coverage() == 1.0));
}

/// The regions of portals that share an edge leave no gap: what lies on the edge is in one of them.
#[test]
fn nothing_is_lost_on_an_edge_that_portals_share() {
    let world = catalogue::shared_edges().world();
    let (mut random, mut scratch) = (Random(7), ViewScratch::new());
    for _ in 0..200 {
        let viewer = random_viewer_in(&world, cell(0), &mut random);
        let seen = look(&world, &viewer, &mut scratch);
        check_sound(seen);
        for step in 0..=40 {
            let along = f64::from(step) * 0.1;
            for at in [DVec3::new(4.0, 2.0, along), DVec3::new(4.0, along, 2.0)] {
                let at = viewer.project(at).filter(|at| at.abs().max_element() < 0.999);
                let Some(at) = at else { continue };
                let regions = seen.cells().skip(1).flat_map(|cell| cell.regions());
                let gaps = regions.map(|region| {
                    let inside = region.planes().iter().map(|plane| plane.dot(at.extend(1.0)));
                    -inside.fold(f64::INFINITY, f64::min)
                });
                let gap = gaps.fold(f64::INFINITY, f64::min);
                assert!(gap < 1e-6, "a gap of {gap} at {at} from {viewer:?}");
            }
        }
    }
}

/// A hall with a portal in its north wall at y = 4, and a closet that reaches beyond that wall's plane.
fn beside_a_wall() -> Graph {
    let mut graph = Graph::new();
    let hall = graph.room([0.0, 0.0, 0.0], [20.0, 6.0, 3.0]);
    let beyond = graph.room([8.0, 4.0, 0.0], [12.0, 9.0, 3.0]);
    graph.join(hall, beyond, across(1, 4.0, [0.0, 8.0], [3.0, 12.0]));
    let end = graph.room([20.0, 0.0, 0.0], [24.0, 6.0, 3.0]);
    graph.join(hall, end, across(0, 20.0, [0.0, 0.0], [6.0, 3.0]));
    graph
}

#[test]
fn a_portal_seen_edge_on_shows_nothing_and_hides_nothing() {
    let world = beside_a_wall().world();
    let mut scratch = ViewScratch::new();
    // Across the portal, along it, and a little to either side: at first only what leads on is visible.
    for (y, want) in [
        (3.9, vec![0, 1, 2]),
        (3.9999, vec![0, 1, 2]),
        (4.0, vec![0, 2]),
        (4.0001, vec![0, 2]),
        (4.1, vec![0, 2]),
    ] {
        let viewer = viewer_at(cell(0), [1.0, y, 1.5], [20.0, y, 1.5]);
        let want: Vec<CellId> = want.into_iter().map(cell).collect();
        assert_eq!(cells(look(&world, &viewer, &mut scratch)), want, "from y = {y}");
    }
    // From within the portal it is passed whole, on either side.
    for y in [3.985, 4.0, 4.015] {
        let viewer = viewer_at(cell(0), [10.0, y, 1.5], [20.0, y, 1.5]);
        let seen = look(&world, &viewer, &mut scratch);
        assert_eq!(seen.cell(cell(1)).unwrap().regions().next().unwrap().coverage(), 1.0, "{y}");
    }
}

#[test]
fn a_walk_ends_between_two_rooms_that_lead_into_each_other() {
    let world = catalogue::mirrors().world();
    let mut scratch = ViewScratch::new();
    let viewer = viewer_at(cell(1), [0.5, -18.0, 1.5], [40.0, -18.0, 1.5]);
    let mut reasons = PortalLog::default();
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut reasons, &viewer);
    check_sound(seen);
    assert!(!seen.budget_hit() && seen.stats().visits < 20, "{:?}", seen.stats());
    assert_eq!(cells(look(&world, &viewer, &mut scratch)), [1, 2].map(cell));
}

/// Looks along the walls of a room from the plane of a portal or a little in front of it, so that the portal is seen
/// edge-on. Returns the number of viewers.
fn look_along(world: &World, id: CellId, random: &mut Random) -> usize {
    let (room, mut scratch, mut count) = (world.room(id).unwrap(), ViewScratch::new(), 0);
    for portal in room.portals() {
        let normal = room.space().rows.to_global(portal.plane.normal);
        let inward = if portal.side == PortalSide::Front { -normal } else { normal };
        let corner = room.to_block(room.portal_polygon(portal).vertices[0]);
        let [from, to] = [(), ()].map(|()| random_point_in(world, id, random));
        let on_wall = |at: Vec3| at - normal * normal.dot(at - corner);
        for before in [0.0, 1e-4, 0.015, 0.03] {
            let (eye, look) = (on_wall(from) + inward * before, on_wall(to) + inward * before);
            let Ok(viewer) = Viewer::looking_at(id, eye, look, Lens::default()) else { continue };
            for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
                let hits = Scene { world, rules, viewer }.never_misses(&mut scratch, 20, random);
                assert_eq!(hits.refused, 0, "{viewer:?}");
            }
            count += 1;
        }
    }
    count
}

#[test]
fn nothing_is_lost_along_the_walls_of_made_worlds() {
    let (villages, deeps) = (forged::villages(), forged::deep_dungeons());
    for made in forged::builtins().iter().chain(&villages).chain(&deeps) {
        let (world, mut random) = (made.world(), Random(made.seed));
        let along = |cell| look_along(&world, cell, &mut random);
        let count: usize = every_third_room(&world, made.seed).into_iter().map(along).sum();
        assert!(count > 50, "{}: {count}", made.name);
    }
}
