//! For every invisible cell next to a visible one there is a reason, and the reason is true.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod graph;
mod rays;

use std::collections::BTreeMap;
use threshold_testkit::{
    Random, edit_room, random_viewer_in, room_ids, sample_records, sample_world, soak_factor,
    town_cells, viewer_at,
};

use graph::{Graph, across};
use rays::{Hole, NO_MARGIN, Rays};
use threshold_dat::EnvCell;
use threshold_land::CellId;
use threshold_land::vector::{DVec2, DVec3, Vec3};
use threshold_view::{
    PortalLog, PortalOutcome, PortalTest, PortalWalk, ViewScratch, Viewer, VisibleSet,
};
use threshold_world::{Builder, PieceId, World};

/// Returns points all over a portal, with the eye in the origin.
fn points(hole: &Hole, random: &mut Random) -> Vec<DVec3> {
    let point = |_| {
        let weights: Vec<f64> = hole.corners.iter().map(|_| random.between(0.0, 1.0)).collect();
        let sum: DVec3 = hole.corners.iter().zip(&weights).map(|(at, w)| *at * *w).sum();
        sum / weights.iter().sum::<f64>()
    };
    let middle = hole.corners.iter().sum::<DVec3>() / hole.corners.len() as f64;
    let rim = hole.corners.iter().map(|corner| middle + (*corner - middle) * 0.999);
    (0..60).map(point).chain(rim.collect::<Vec<_>>()).collect()
}

/// A visible set, and rays from the same eye.
struct View<'a> {
    world: &'a World,
    viewer: Viewer,
    seen: &'a VisibleSet,
    rays: Rays,
}

impl View<'_> {
    /// Returns where points of a portal show on the screen.
    fn on_screen(&self, points: &[DVec3]) -> Vec<DVec2> {
        let project = |at: &DVec3| self.viewer.project(self.viewer.eye() + *at);
        let on_screen = points.iter().filter_map(project);
        on_screen.filter(|at| at.abs().max_element() < 1.0 - 1e-9).collect()
    }

    /// Checks the outcomes of a portal for all regions it was tested with.
    #[track_caller]
    fn check(&self, trials: &[PortalTest], random: &mut Random) {
        let PortalTest { cell, portal, outdoors, .. } = trials[0];
        let hole = self.rays.hole(cell, usize::from(portal));
        let before = if outdoors { -hole.eye_before } else { hole.eye_before };
        let on_screen = self.on_screen(&points(hole, random));
        let has = |outcome: PortalOutcome| trials.iter().any(|trial| trial.outcome == outcome);
        let context = || format!("{trials:?} from {:?}", self.viewer);
        assert!(!has(PortalOutcome::FacesAway) || before < 0.0, "{}", context());
        assert!(
            !has(PortalOutcome::OffScreen) || on_screen.is_empty(),
            "{on_screen:?}: {}",
            context()
        );
        let regions = |at: &DVec2| {
            let cell = self.seen.cell(cell);
            cell.is_some_and(|cell| cell.regions().any(|region| region.contains(*at)))
        };
        let is_hidden =
            !outdoors && trials.iter().all(|trial| trial.outcome == PortalOutcome::OutOfRegion);
        assert!(!is_hidden || !on_screen.iter().any(regions), "{}", context());
        if let Some(to) = trials[0].leads_to {
            let (is_there, list) =
                (self.world.room(to).is_some(), self.world.room(self.seen.root()));
            let is_listed = list.is_some_and(|root| root.stabs().contains(&to));
            assert!(!has(PortalOutcome::NotResident) || !is_there, "{}", context());
            assert!(
                !has(PortalOutcome::NotListed) || self.seen.unlisted().contains(&to),
                "{}",
                context()
            );
            assert!(!has(PortalOutcome::NotListed) || !is_listed, "{}", context());
            // A room that is not visible cannot be an entry.
            assert!(
                !has(PortalOutcome::IsEntry)
                    && !has(PortalOutcome::Visible)
                    && !has(PortalOutcome::AlreadyVisible),
                "{}",
                context()
            );
        }
        if has(PortalOutcome::TooSmall) {
            for at in on_screen {
                let all = self.rays.cast(at);
                let through = |place: &usize| {
                    let through = all[*place].through;
                    through.is_some_and(|it| (it.cell, it.portal) == (cell, portal.into()))
                };
                let left =
                    (0..all.len()).find(through).map(|place| self.rays.room_left(at, &all, place));
                assert!(left.is_none_or(|left| left < 1.01e-7), "{left:?}: {}", context());
            }
        }
    }
}

/// Counts of each outcome.
fn check(world: &World, cells: &[CellId], eyes: usize) -> BTreeMap<PortalOutcome, usize> {
    let (mut random, mut scratch) = (Random(15), ViewScratch::new());
    let mut count = BTreeMap::new();
    for cell in cells.iter().cycle().take(cells.len() * eyes * soak_factor()) {
        let viewer = random_viewer_in(world, *cell, &mut random);
        let mut reasons = PortalLog::default();
        let seen = PortalWalk::new(world).run(&mut scratch, &mut reasons, &viewer);
        let rays = Rays::new(world, &viewer, NO_MARGIN);
        let view = View { world, viewer, seen, rays };
        let unseen = reasons.unseen_rooms(seen);
        for (to, trials) in &unseen {
            assert!(
                seen.cell(*to).is_none() && trials.iter().all(|trial| trial.leads_to == Some(*to))
            );
            let portal_of = |trial: &PortalTest| (trial.cell, trial.portal, trial.outdoors);
            for trials in trials.chunk_by(|a, b| portal_of(a) == portal_of(b)) {
                for trial in trials {
                    *count.entry(trial.outcome).or_default() += 1;
                }
                if trials[0].outcome != PortalOutcome::NoExitPortal {
                    view.check(trials, &mut random);
                }
            }
        }
        check_complete(world, seen, &unseen);
    }
    count
}

/// Every portal from a visible cell to an invisible one is among the reasons.
fn check_complete(world: &World, seen: &VisibleSet, unseen: &[(CellId, Vec<PortalTest>)]) {
    for cell in seen.cells() {
        for (portal, number) in world.room(cell.id()).unwrap().portals().iter().zip(0..) {
            let Some(to) = portal.other.filter(|to| seen.cell(*to).is_none()) else { continue };
            let known = unseen.iter().find(|(cell, _)| *cell == to);
            let is_this = |trial: &PortalTest| {
                (trial.cell, trial.portal, trial.outdoors) == (cell.id(), number, false)
            };
            let is_listed = known.is_some_and(|(_, trials)| trials.iter().any(is_this));
            assert!(is_listed, "portal {number} of {} to {to}", cell.id());
        }
    }
}

#[test]
fn rooms_of_the_town_are_invisible_for_true_reasons() {
    let world = sample_world("holt");
    let rooms = room_ids(&world);
    let mut count = check(&world, &rooms, 4);
    for (fate, times) in check(&world, &town_cells(&world), 2) {
        *count.entry(fate).or_default() += times;
    }
    for fate in [PortalOutcome::FacesAway, PortalOutcome::OffScreen, PortalOutcome::OutOfRegion] {
        assert!(count.get(&fate).is_some_and(|times| *times > 100), "{count:?}");
    }
}

/// Every fifth room is not resident, and stab lists name every other room that they should.
#[test]
fn rooms_of_a_dungeon_with_gaps_are_invisible_for_true_reasons() {
    let mut records = sample_records("dungeon");
    let rooms = room_ids(&sample_world("dungeon"));
    for room in &rooms {
        edit_room(&mut records, *room, |room: &mut EnvCell| {
            room.visible.retain(|low| low % 2 == 0);
        });
    }
    let builder = Builder::new(records);
    let mut world = World::new();
    for room in rooms.iter().filter(|room| room.0 % 5 != 0) {
        world.adopt(builder.build(PieceId::Room(*room)).unwrap().unwrap().piece);
    }
    let count = check(&world, &room_ids(&world), 20);
    for fate in [
        PortalOutcome::FacesAway,
        PortalOutcome::OffScreen,
        PortalOutcome::OutOfRegion,
        PortalOutcome::NotListed,
        PortalOutcome::NotResident,
    ] {
        assert!(count.get(&fate).is_some_and(|times| *times > 20), "{count:?}");
    }
}

/// A hall with a portal at x = 10 into a second room, which has a portal to a third.
#[track_caller]
fn check_fate(second: Vec<Vec3>, third: Vec<Vec3>, want: PortalOutcome) {
    let mut graph = Graph::new();
    let rooms = [0, 1, 2].map(|_| graph.room([0.0, 0.0, 0.0], [20.0, 8.0, 4.0]));
    graph.join(rooms[0], rooms[1], second).join(rooms[1], rooms[2], third);
    let world = graph.world();
    let (mut scratch, mut reasons) = (ViewScratch::new(), PortalLog::default());
    let viewer = viewer_at(graph::cell(0), [1.0, 4.0, 2.0], [20.0, 4.0, 2.0]);
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut reasons, &viewer);
    let rays = Rays::new(&world, &viewer, NO_MARGIN);
    let view = View { world: &world, viewer, seen, rays };
    let unseen = reasons.unseen_rooms(seen);
    let [(to, trials)] = &unseen[..] else { panic!("{unseen:?}") };
    view.check(trials, &mut Random(16));
    let told: Vec<_> = trials.iter().map(|it| (it.cell, it.portal, it.outcome)).collect();
    assert_eq!((*to, told), (graph::cell(2), vec![(graph::cell(1), 1, want)]));
    assert!(!want.text().is_empty());
}

#[test]
fn each_reason_is_given_where_it_applies() {
    let door = || across(0, 10.0, [3.0, 0.0], [5.0, 3.0]);
    check_fate(door(), across(0, 15.0, [4.0, 2.0], [4.003, 2.003]), PortalOutcome::TooSmall);
    check_fate(door(), across(0, 7.0, [3.0, 0.0], [5.0, 3.0]), PortalOutcome::BeforeEntry);
    // The same at the eye.
    check_fate(door(), across(0, 1.05, [3.0, 0.0], [5.0, 3.0]), PortalOutcome::BeforeEntry);
    check_fate(door(), across(0, 15.0, [6.0, 0.0], [7.0, 3.0]), PortalOutcome::OutOfRegion);
    check_fate(door(), across(0, 15.0, [60.0, 0.0], [61.0, 3.0]), PortalOutcome::OffScreen);
    let back = graph::turned(&across(0, 15.0, [3.0, 0.0], [5.0, 3.0]));
    check_fate(door(), back, PortalOutcome::FacesAway);
}
