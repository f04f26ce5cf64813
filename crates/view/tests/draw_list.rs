//! Draw lists: their order, masks, planes and budget.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::samples::{self, TOWN};
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::{DVec2, DVec3, Vec3};
use threshold_land::{CellId, Frame, block_offset_between};
use threshold_testkit::{
    Random, lookout_cells, random_viewer_in, rules_without_stab_lists, sample_world, viewer_at,
    world_from,
};
use threshold_view::{
    BoxPlacement, DrawAction, DrawBudget, DrawList, DrawSettings, PortalWalk, Region,
    RegionContent, ViewScratch, Viewer,
};
use threshold_world::World;

const SIZE: [u32; 2] = [200, 100];

/// Builds the draw list of a viewer and calls `check` with it and with the regions that it draws.
fn with_list(
    world: &World,
    viewer: &Viewer,
    budget: DrawBudget,
    check: impl FnOnce(&DrawList, &[Region<'_>]),
) {
    let (mut scratch, mut list) = (ViewScratch::new(), DrawList::new());
    let walk = PortalWalk { world, rules: rules_without_stab_lists() };
    let visible = walk.run(&mut scratch, &mut (), viewer);
    let settings = DrawSettings { budget, ..DrawSettings::new(viewer, SIZE) };
    list.build(world, viewer, visible, &settings);
    let regions: Vec<Region<'_>> = visible.regions().collect();
    check(&list, &regions);
}

/// How a list draws the regions.
#[derive(Debug, Default, PartialEq, Eq)]
struct Drawn {
    /// How often each region is drawn.
    counts: Vec<usize>,
    unmasked: usize,
    max_level: u32,
}

/// Executes the steps as a renderer does. Masks must nest, and nothing may be entered in a region that is drawn already.
#[track_caller]
fn execute(list: &DrawList, regions: &[Region<'_>]) -> Drawn {
    let mut drawn = Drawn { counts: vec![0; regions.len()], ..Drawn::default() };
    let mut entered: Vec<(usize, bool)> = Vec::new();
    for step in list.steps() {
        let (region, level) = (step.region, step.level);
        drawn.max_level = drawn.max_level.max(level);
        assert_eq!(list.region(region).content(), regions[region].content());
        match step.action {
            DrawAction::Enter => {
                assert_eq!(entered.len(), level as usize);
                assert!(entered.last().is_none_or(|(_, is_drawn)| !is_drawn));
                entered.push((region, false));
            }
            DrawAction::Draw => {
                drawn.counts[region] += 1;
                let mask = entered.last_mut().unwrap();
                assert!(!mask.1, "nothing is drawn in a mask after the region of the mask");
                mask.1 = mask.0 == region;
                drawn.unmasked += usize::from(mask.0 != region);
            }
            DrawAction::Leave => assert_eq!(entered.pop(), Some((region, true))),
        }
    }
    assert!(entered.is_empty());
    assert_eq!(drawn.unmasked, list.unmasked());
    drawn
}

#[test]
fn the_far_side_of_a_portal_is_drawn_before_its_near_side() {
    let world = world_from(samples::town(1, 1).unwrap());
    let viewer = viewer_at(CellId(0xA9B4_0100), [12.0, 9.0, 41.7], [12.5, 0.0, 41.5]);
    with_list(&world, &viewer, DrawBudget::default(), |list, regions| {
        let (mut entered, mut drawn) = (Vec::new(), Vec::new());
        for step in list.steps() {
            let region = step.region;
            match step.action {
                DrawAction::Enter => {
                    let near_side = entered.last().copied();
                    let number = near_side.map(|index: usize| regions[index].number());
                    assert_eq!(regions[region].parent(), number);
                    assert!(near_side.is_none_or(|index| !drawn.contains(&index)));
                    entered.push(region);
                }
                DrawAction::Draw => drawn.push(region),
                DrawAction::Leave => assert_eq!(entered.pop(), Some(region)),
            }
        }
        drawn.sort_unstable();
        assert_eq!(drawn, (0..regions.len()).collect::<Vec<_>>());
        assert!(regions.iter().any(|region| region.content() == RegionContent::Landscape));
    });
}

#[test]
fn every_region_is_drawn_whatever_the_budget() {
    for name in ["dungeon", "holt"] {
        let (world, mut random) = (sample_world(name), Random(5));
        let mut unmasked = 0;
        for cell in lookout_cells(&world).into_iter().step_by(3) {
            let viewer = random_viewer_in(&world, cell, &mut random);
            let mut default = Drawn::default();
            with_list(&world, &viewer, DrawBudget::default(), |list, regions| {
                default = execute(list, regions);
                assert_eq!((default.unmasked, list.omitted()), (0, 0));
                assert!(default.counts.iter().all(|count| *count > 0));
            });
            for levels in [0, 1, 2] {
                let budget = DrawBudget { levels, ..DrawBudget::default() };
                with_list(&world, &viewer, budget, |list, regions| {
                    let drawn = execute(list, regions);
                    assert_eq!(drawn.counts, default.counts, "{viewer:?}");
                    assert_eq!(drawn.max_level, default.max_level.min(levels));
                    assert_eq!(drawn.unmasked > 0, default.max_level > levels);
                    unmasked += drawn.unmasked;
                });
            }
        }
        assert!(unmasked > 100, "{name}: {unmasked}");
    }
}

/// Five houses of one room in a row to the north, each with a door in the south and in the north.
fn row_of_houses() -> World {
    let mut forge = Forge::new();
    let block = forge.block(TOWN);
    for number in 0..5_u8 {
        let mut plan = Plan::new();
        let room = plan.room(RoomSpec::cuboid([-3.0, -3.0, 0.0], [3.0, 3.0, 3.0]));
        for face in [Face::SOUTH, Face::NORTH] {
            plan.exit(room, Opening::door(face));
        }
        let y = 12.0 + 24.0 * f32::from(number);
        block.building(Frame::at(Vec3::new(84.0, y, 0.1)), plan);
    }
    world_from(forge.finish().unwrap())
}

/// Returns how often the rooms of the five houses are drawn, and how many regions are left out.
#[track_caller]
fn check_houses(budget: DrawBudget, counts: [usize; 5], omitted: usize) {
    let world = row_of_houses();
    let viewer = viewer_at(TOWN.cell(0x19), [84.0, 3.0, 1.6], [84.0, 40.0, 1.6]);
    with_list(&world, &viewer, budget, |list, regions| {
        let drawn = execute(list, regions);
        let rooms = (0..5).map(|number| RegionContent::Room(TOWN.cell(0x0100 + number)));
        let count = |room| {
            let of_room = regions.iter().zip(&drawn.counts);
            of_room.filter(|(region, _)| region.content() == room).map(|(_, count)| count).sum()
        };
        assert_eq!(rooms.map(count).collect::<Vec<usize>>(), counts, "{budget:?}");
        assert_eq!(list.omitted(), omitted, "{budget:?}");
        // The landscape is behind every house that is drawn, so no doorway is left empty.
        assert!(drawn.counts.iter().all(|count| *count > 0));
    });
}

/// A house is drawn once in the street, and again behind each row of one or two of the houses before it.
#[test]
fn houses_behind_houses_are_drawn_again_up_to_the_budget() {
    let default = DrawBudget::default();
    check_houses(default, [1, 2, 4, 7, 11], 0);
    check_houses(DrawBudget { buildings: 1, ..default }, [1; 5], 0);
    check_houses(DrawBudget { buildings: 2, ..default }, [1, 2, 3, 4, 5], 0);
    check_houses(DrawBudget { repeats: 0, ..default }, [1; 5], 10);
}

/// A portal is sealed a little behind where it is, so that a wall in its plane shows.
#[test]
fn the_seal_depth_of_a_portal_is_that_of_its_points() {
    let world = world_from(samples::two_rooms().unwrap());
    let viewer = viewer_at(CellId(0x0102_0100), [1.0, 2.0, 1.6], [3.0, 2.5, 1.2]);
    with_list(&world, &viewer, DrawBudget::default(), |list, _| {
        let portal = list.regions().find_map(|region| region.portal()).unwrap();
        for (y, z) in [(0.0, 0.0), (4.0, 0.5), (2.0, 2.5)] {
            let at = DVec3::new(4.0, y, z) - viewer.eye();
            let screen = viewer.project(at + viewer.eye()).unwrap();
            let depth = 0.1 / at.dot(viewer.axes()[2]);
            let behind = depth - portal.seal_depth(0.1).dot(screen.extend(1.0));
            assert!((1e-7..1e-5).contains(&behind), "{at}: {behind}");
            assert!(portal.onward().dot(screen.extend(1.0)) > 0.0);
            let clip = portal.clip_plane();
            let within = [-0.1, 0.1].map(|by| clip.dot((at + DVec3::X * by).extend(1.0)) >= 0.0);
            assert_eq!(within, [false, true]);
        }
    });
}

#[test]
fn boxes_lie_in_front_of_a_portal_or_beyond_it() {
    let world = world_from(samples::two_rooms().unwrap());
    let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
    let viewer = viewer_at(west, [1.0, 2.0, 1.6], [4.0, 2.0, 1.6]);
    with_list(&world, &viewer, DrawBudget::default(), |list, _| {
        let mut regions = list.regions();
        let region = regions.find(|region| region.content() == RegionContent::Room(east)).unwrap();
        #[track_caller]
        fn check(got: BoxPlacement, want: BoxPlacement) {
            assert_eq!(got, want);
        }
        let offset = block_offset_between(west, east).as_dvec3() - viewer.eye();
        let placement = |low: [f32; 3], high: [f32; 3]| {
            region.volume().placement([low.into(), high.into()], offset)
        };
        check(placement([4.5, 1.0, 1.0], [5.0, 2.0, 2.0]), BoxPlacement::Beyond);
        check(placement([3.5, 1.0, 1.0], [5.0, 2.0, 2.0]), BoxPlacement::Crossing);
        // In front of the portal, beside the region, behind the eye, and empty.
        check(placement([3.0, 1.0, 1.0], [3.5, 2.0, 2.0]), BoxPlacement::Outside);
        check(placement([4.5, 90.0, 1.0], [5.0, 95.0, 2.0]), BoxPlacement::Outside);
        check(placement([-9.0, 1.0, 1.0], [-8.0, 2.0, 2.0]), BoxPlacement::Outside);
        check(placement([5.0; 3], [4.5; 3]), BoxPlacement::Outside);
    });
}

/// Whether a point is in a convex outline that runs in either direction.
fn contains(corners: &[DVec2], at: DVec2) -> bool {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let turns: Vec<f64> = sides.map(|(from, to)| (*to - *from).perp_dot(at - *from)).collect();
    turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0)
}

#[test]
fn a_mask_is_its_region_and_an_eighth_of_a_pixel_more_at_most() {
    let slack = 0.125 * 2.0 / f64::from(SIZE[1]) + 1e-9;
    let (world, mut random) = (sample_world("holt"), Random(9));
    let (mut covered, mut near) = (0, 0);
    for cell in lookout_cells(&world).into_iter().step_by(2) {
        let viewer = random_viewer_in(&world, cell, &mut random);
        with_list(&world, &viewer, DrawBudget::default(), |list, regions| {
            for (drawn, region) in list.regions().zip(regions) {
                for corner in drawn.mask().flatten() {
                    let inside = |side: &DVec3| side.dot(corner.extend(1.0)) >= -slack;
                    assert!(region.planes().iter().all(inside), "{corner} of {viewer:?}");
                }
                // Portals at the eye have less of a mask.
                if drawn.portal().is_some_and(|portal| portal.clip_plane().w > -0.5) {
                    near += 1;
                    continue;
                }
                let [part] = drawn.mask().collect::<Vec<_>>()[..] else { panic!("{viewer:?}") };
                assert!(region.corners().iter().all(|at| contains(part, *at)), "{viewer:?}");
                covered += 1;
            }
        });
    }
    assert!(covered > 100 && near > 5, "{covered} regions, {near} at the eye");
}

/// A renderer may clip by the scissor alone where it has no mask.
#[test]
fn a_scissor_holds_the_whole_region() {
    let (world, mut random) = (sample_world("holt"), Random(2));
    for cell in lookout_cells(&world).into_iter().step_by(4) {
        let viewer = random_viewer_in(&world, cell, &mut random);
        with_list(&world, &viewer, DrawBudget::default(), |list, _| {
            for region in list.regions() {
                let [columns, rows] = region.scissor();
                assert!(columns.end <= SIZE[0] && rows.end <= SIZE[1]);
                for corner in region.mask().flatten() {
                    let size = DVec2::new(f64::from(SIZE[0]), f64::from(SIZE[1]));
                    let pixel = (DVec2::new(corner.x, -corner.y) * 0.5 + 0.5) * size;
                    let pixel = pixel.clamp(DVec2::ZERO, size);
                    let low = DVec2::new(columns.start.into(), rows.start.into());
                    let high = DVec2::new(columns.end.into(), rows.end.into());
                    assert!(pixel.cmpge(low).all() && pixel.cmple(high).all(), "{viewer:?}");
                }
            }
        });
    }
}

#[test]
fn without_masks_each_room_and_the_landscape_are_drawn_once() {
    let world = world_from(samples::town(1, 1).unwrap());
    let viewer = viewer_at(CellId(0xA9B4_0100), [12.0, 9.0, 41.7], [12.5, 0.0, 41.5]);
    let (mut scratch, mut list) = (ViewScratch::new(), DrawList::new());
    let visible = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    list.build_unmasked(&viewer, visible, &DrawSettings::new(&viewer, SIZE));
    let contents: Vec<RegionContent> =
        list.steps().iter().map(|step| list.region(step.region).content()).collect();
    for (index, content) in contents.iter().enumerate() {
        assert!(!contents[..index].contains(content));
    }
    assert!(visible.regions().all(|region| contents.contains(&region.content())));
    assert!(list.steps().iter().all(|step| (step.action, step.level) == (DrawAction::Draw, 0)));
    assert!(list.regions().all(|region| region.scissor() == [0..SIZE[0], 0..SIZE[1]]));
}
