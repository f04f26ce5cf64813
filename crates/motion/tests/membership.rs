//! Which cell a body is in: carried along by the sweep, and never looked up again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::EnvCell;
use threshold_forge::{Face, Opening, Plan, RoomSpec, samples};
use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_motion::{Event, Insert};
use threshold_testkit::{
    Trace, Walk, check_at, edit_record,
    layouts::{A, B, C, dungeon, hut, plain, row},
    outcome_cells,
    route::street_to_stairs,
};

/// The vestibule of the cottage in holt, and the land before its door, whose sill is at y = 8.
const VESTIBULE: u32 = 0xA9B4_0170;
const STREET: u32 = 0xA9B4_0031;

#[test]
fn membership_latch_a_held_still_tick_at_a_doorway_keeps_the_cell() {
    let mut walk = Walk::sample("holt");
    // At all these points the centre is in the vestibule, and a search would find that each time.
    for y in [8.0, 8.0001, 8.04, 8.3] {
        for cell in [STREET, VESTIBULE] {
            walk.put_on_ground(cell, [156.0, y, 40.155]);
            assert!(walk.is_in(CellId(VESTIBULE)) && walk.is_in(CellId(STREET)));
            for _ in 0..10 {
                let outcome = walk.step([0.0; 3]);
                assert_eq!(outcome.cell, Some(CellId(cell)), "standing at y = {y}");
                assert!(walk.events.is_empty(), "{:?}", walk.events);
            }
        }
    }
}

#[test]
fn membership_latch_the_committed_cell_is_the_swept_one() {
    let mut walk = Walk::sample("holt");
    walk.put_on_ground(STREET, [156.0, 6.0, 40.005]);
    let mut changes = 0;
    // In, through the main room, and out again, at a pace that crosses doors in the middle of sub-steps.
    let movements = (0..40).map(|_| [0.0, 0.31, 0.0]).chain((0..40).map(|_| [0.02, -0.31, 0.0]));
    for by in movements {
        let before = walk.cell();
        let mut trace = Trace::default();
        let outcome = walk.step_with(&mut trace, by);
        if let Some((_, last)) = trace.sub_step_ends().last() {
            assert_eq!(outcome.position, *last);
            assert_eq!(outcome.cell, Some(last.cell));
        }
        assert_eq!(walk.position(), outcome.position);
        let changed = Event::CellChanged { from: Some(before), to: Some(walk.cell()) };
        assert_eq!(walk.events.contains(&changed), walk.cell() != before);
        changes += usize::from(walk.cell() != before);
    }
    assert_eq!((walk.cell(), changes), (CellId(STREET), 4), "in and out of two rooms");
}

/// From the street through the house and down its stairs, slowly: never to and fro between two cells.
#[test]
fn membership_latch_from_the_street_to_the_stairs_every_cell_comes_once() {
    let mut walk = Walk::sample("holt");
    walk.put_on_ground(STREET, [156.0, 5.0, 40.005]);
    let mut seen = vec![walk.cell()];
    for place in &street_to_stairs() {
        for tick in 0..400 {
            let left = walk.position().offset_to(place).with_z(0.0);
            if left.length() < 0.02 {
                break;
            }
            // Forward, with halts and with a pull that the floor takes back.
            let (pace, pull) = [(0.06, 0.0), (0.0, 0.0), (0.06, 0.02), (0.0, 0.02)][tick % 4];
            let by = left.clamp_length_max(pace) - Vec3::Z * pull;
            let _ = walk.step(by.to_array());
            if seen.last() != Some(&walk.cell()) {
                seen.push(walk.cell());
            }
        }
    }
    let want = [STREET, VESTIBULE, 0xA9B4_0171, 0xA9B4_0172, 0xA9B4_0175];
    assert_eq!(seen.iter().map(|cell| cell.0).collect::<Vec<_>>(), want);
}

#[test]
fn a_block_does_not_change_the_cell() {
    // The wall in B is 0.5 m behind the boundary: no centre gets across.
    let wall = (1, [4.5, 0.0, 0.0], [4.8, 4.0, 3.0]);
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[wall]));
    walk.put_on_ground(A.0, [3.95, 2.0, 0.005]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [0.13, 0.0, 0.0]);
    assert!(
        trace.cell_arrays().iter().any(|(_, picked)| *picked == Some(B)),
        "8 cm over the boundary"
    );
    assert_eq!(trace.sub_step_ends()[0].0, Insert::Collided);
    assert_eq!((outcome.cell, outcome.position.cell), (Some(A), A));
    check_at(&walk, A.0, [3.95, 2.0, 0.005]);
    assert_eq!(outcome_cells(&outcome), [A, B], "listed where it is, not where it was blocked");
}

/// The check position is free and in B before the step down finds no ground.
#[test]
fn a_block_at_an_edge_does_not_change_the_cell() {
    let mut plan = Plan::new();
    let ledge = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
    let pit = plan.room(RoomSpec::cuboid([4.0, 0.0, -6.0], [8.0, 4.0, 3.0]));
    plan.join(ledge, pit, Opening::whole(Face::EAST));
    let mut walk = Walk::from_source(dungeon(plan));
    walk.put_on_ground(A.0, [3.95, 2.0, 0.005]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [0.35, 0.0, 0.0]);
    assert!(
        trace.cell_arrays().iter().any(|(_, picked)| *picked == Some(B)),
        "0.3 m over the boundary"
    );
    assert_eq!(trace.sub_step_ends()[0].0, Insert::Collided);
    assert_eq!((outcome.cell, outcome.position.cell), (Some(A), A));
    check_at(&walk, A.0, [3.95, 2.0, 0.005]);
}

#[test]
fn a_block_does_not_change_the_cell_of_a_mover_over_the_boundary() {
    let wall = (1, [4.56, 0.0, 0.0], [4.8, 4.0, 3.0]);
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[wall]));
    for cell in [A, B] {
        walk.put_on_ground(cell.0, [4.08, 2.0, 0.005]);
        assert!(walk.is_in(B) && !walk.is_in(A));
        for _ in 0..5 {
            let outcome = walk.step([0.1, 0.0, 0.0]);
            assert_eq!(outcome.cell, Some(cell));
        }
        check_at(&walk, cell.0, [4.08, 2.0, 0.005]);
    }
}

#[test]
fn interior_wins_on_the_way_in_and_on_the_way_out() {
    let mut walk = Walk::sample("holt");
    let (inside, outside) = (CellId(VESTIBULE), CellId(STREET));
    walk.put_on_ground(STREET, [156.0, 7.5, 40.005]);
    for by in [0.03, -0.03, 0.029, -0.031] {
        for _ in 0..40 {
            let _ = walk.step([0.0, by, 0.0]);
            assert!(walk.is_in(outside), "the land is under all of the house");
            let want = if walk.is_in(inside) { inside } else { outside };
            assert_eq!(walk.cell(), want, "at {:?}", walk.at());
        }
    }
}

#[test]
fn an_indoor_outdoor_straddle_is_indoors_while_the_room_contains_the_centre() {
    let mut walk = Walk::sample("holt");
    for (y, want) in [(8.01, VESTIBULE), (8.2, VESTIBULE), (7.99, STREET), (7.8, STREET)] {
        for from in [VESTIBULE, STREET] {
            walk.put_on_ground(from, [156.0, y, 40.155]);
            let outcome = walk.step([0.005, 0.0, 0.0]);
            assert_eq!(outcome.cell, Some(CellId(want)), "from {} at {y}", CellId(from));
            assert!(outcome_cells(&outcome).contains(&CellId(VESTIBULE)));
            assert!(outcome_cells(&outcome).contains(&CellId(STREET)));
        }
    }
}

#[test]
fn two_overlapping_cells_leave_a_straddle_to_the_current_cell() {
    let mut records = row(&[4.0; 2], &[]);
    edit_record(&mut records, B, |room: &mut EnvCell| room.position.origin.x -= 2.0);
    let mut walk = Walk::from_source(records);
    for from in [A, B] {
        walk.put_on_ground(from.0, [2.5, 2.0, 0.005]);
        for by in [0.3, -0.3, 0.4, -0.4] {
            assert_eq!(walk.step([by, 0.0, 0.0]).cell, Some(from));
            assert!(walk.is_in(A) && walk.is_in(B));
        }
    }
}

#[test]
fn a_straddle_of_three_cells_leaves_a_body_in_its_current_cell() {
    let mut records = row(&[4.0; 3], &[]);
    for (cell, shift) in [(B, 4.0), (C, 8.0)] {
        edit_record(&mut records, cell, |room: &mut EnvCell| room.position.origin.x -= shift);
    }
    let mut walk = Walk::from_source(records);
    for from in [A, B, C] {
        walk.put_on_ground(from.0, [2.0, 2.0, 0.005]);
        for by in [0.01, -0.01, 0.2, -0.2, 0.0] {
            let outcome = walk.step([by, by, 0.0]);
            assert_eq!(outcome.cell, Some(from));
            let listed = outcome_cells(&outcome);
            assert_eq!((listed[0], listed.len()), (from, 3), "{listed:?}");
            assert!([A, B, C].iter().all(|cell| walk.is_in(*cell)));
        }
    }
}

#[test]
fn cells_not_on_the_stab_list_are_pruned_only_if_the_rule_is_on() {
    let (mut records, [land, hall, closet]) = hut();
    // The hall sees the closet, and no stab list has a land cell or the room itself in it.
    edit_record(&mut records, hall, |room: &mut EnvCell| room.visible = vec![closet.low()]);
    let mut off = Walk::from_source(records.clone());
    off.put_on_ground(hall.0, [85.9, 84.0, 0.105]);
    let outcome = off.step([0.01, 0.0, 0.0]);
    assert_eq!(outcome_cells(&outcome), [hall, land], "no prune in an ordinary sweep");
    let mut on = Walk::from_source(records).with_rule("prune=on");
    on.put_on_ground(hall.0, [85.9, 84.0, 0.105]);
    assert_eq!(
        outcome_cells(&on.step([0.01, 0.0, 0.0])),
        [hall],
        "the land is not seen, the room stays"
    );
    on.put_on_ground(hall.0, [82.2, 84.0, 0.105]);
    assert_eq!(outcome_cells(&on.step([0.01, 0.0, 0.0])), [hall, closet], "the closet is seen");
    on.put_on_ground(land.0, [86.1, 84.0, 0.005]);
    assert_eq!(
        outcome_cells(&on.step([0.01, 0.0, 0.0])),
        [land, hall],
        "outdoors nothing is pruned"
    );
}

#[test]
fn a_pruned_cell_does_not_block_and_can_still_be_entered() {
    // A wall in B that A does not see.
    let wall = (1, [4.2, 0.0, 0.0], [4.4, 1.0, 3.0]);
    let mut records = row(&[4.0, 4.0], &[wall]);
    edit_record(&mut records, A, |room: &mut EnvCell| room.visible.clear());
    let towards = |walk: &mut Walk, y: f32| {
        walk.put_on_ground(A.0, [3.5, y, 0.005]);
        let _ = walk.step([0.3, 0.0, 0.0]);
        walk.at().x
    };
    assert_eq!(towards(&mut Walk::from_source(records.clone()), 0.5), 3.5);
    let mut pruned = Walk::from_source(records).with_rule("prune=on");
    assert!(
        towards(&mut pruned, 0.5) > 3.79,
        "the wall of a cell that is not listed does not block"
    );
    towards(&mut pruned, 3.0);
    let _ = pruned.step([0.4, 0.0, 0.0]);
    assert_eq!(pruned.cell(), B, "the pick comes before the prune");
}

/// Walks and checks that every step ends inside its cell. `want` lists the cells in order.
#[track_caller]
fn check_cells(walk: &mut Walk, count: usize, by: [f32; 3], want: &[u32]) {
    let mut seen = vec![walk.cell()];
    for _ in 0..count {
        let _ = walk.step(by);
        if seen.last() != Some(&walk.cell()) {
            seen.push(walk.cell());
        }
        assert!(walk.is_in(walk.cell()), "{} at {:?}", walk.cell(), walk.at());
    }
    assert_eq!(seen, want.iter().map(|cell| CellId(*cell)).collect::<Vec<_>>());
}

#[test]
fn an_exit_to_outdoors_gives_the_land_cell_underfoot() {
    let mut walk = Walk::sample("holt");
    walk.put_on_ground(VESTIBULE, [156.0, 9.0, 40.155]);
    check_cells(&mut walk, 20, [0.0, -0.1, 0.0], &[VESTIBULE, STREET]);
    // The inn's two doors lead into the same land cell, on two sides of it.
    walk.put_on_ground(0xA9B4_0164, [115.0, 60.0, 40.205]);
    check_cells(&mut walk, 20, [0.1, 0.0, 0.0], &[0xA9B4_0164, 0xA9B4_0023]);
    walk.put_on_ground(0xA9B4_015C, [101.0, 60.0, 40.205]);
    check_cells(&mut walk, 20, [-0.1, 0.0, 0.0], &[0xA9B4_015C, 0xA9B4_0023]);
}

#[test]
fn an_exit_to_outdoors_goes_on_into_the_next_landblock() {
    let mut walk = Walk::sample("holt");
    walk.put_on_ground(0xA9B3_0100, [156.0, 190.0, 40.155]);
    check_cells(&mut walk, 40, [0.0, 0.1, 0.0], &[0xA9B3_0100, 0xA9B3_0038, 0xA9B4_0031]);
    assert!((walk.at().y - 2.0).abs() < 0.01, "{}", walk.at());
    walk.put_on_ground(0xA9B3_0104, [190.5, 108.0, 40.155]);
    check_cells(&mut walk, 30, [0.1, 0.0, 0.0], &[0xA9B3_0104, 0xA9B3_003D, 0xAAB3_0005]);
    assert!((walk.at().x - 1.5).abs() < 0.01, "{}", walk.at());
}

#[test]
fn an_exit_to_outdoors_may_land_in_the_next_landblock_at_once() {
    // The sill is 0.3 m before the border: one sub-step passes both.
    let mut walk = Walk::from_source(samples::border_houses().unwrap());
    walk.put_on_ground(0xA9B3_0100, [156.0, 191.6, 40.155]);
    let outcome = walk.step([0.0, 0.45, 0.0]);
    assert_eq!(outcome.sub_steps, 1);
    assert_eq!(outcome.cell, Some(CellId(0xA9B4_0031)));
    assert!((walk.at().y - 0.05).abs() < 1e-4, "{}", walk.at());
}

/// Walks between two points, given in the landblock of the first, and checks the end.
#[track_caller]
fn check_golden(walk: &mut Walk, from: (u32, [f32; 2]), to: [f32; 2], want: (u32, [f32; 2])) {
    let ([x, y], [to_x, to_y]) = (from.1, to);
    walk.put_on_ground(from.0, [x, y, 0.005]);
    // At most half a metre a step.
    let part = 1.0 / 225.0;
    walk.steps(225, [(to_x - x) * part, (to_y - y) * part, 0.0]);
    let at = walk.at();
    let [want_x, want_y] = want.1;
    // Hundreds of sub-steps round hundreds of times.
    let near = (at.x - want_x).abs() < 5e-3 && (at.y - want_y).abs() < 5e-3;
    assert!(
        walk.cell() == CellId(want.0) && near,
        "{} {at} instead of {} {:?}",
        walk.cell(),
        CellId(want.0),
        want.1
    );
}

#[test]
fn landdefs_goldens_as_walks_over_the_boundary_and_back() {
    let mut walk = Walk::from_source(plain(&[0xA9B4, 0xA9B3, 0xA8B4, 0xA8B3]).finish().unwrap());
    let (north, south) = (0xA9B4_0031, 0xA9B3_0038);
    check_golden(&mut walk, (north, [150.0, 1.0]), [150.0, 0.5], (north, [150.0, 0.5]));
    check_golden(&mut walk, (north, [150.0, 0.5]), [150.0, -0.5], (south, [150.0, 191.5]));
    check_golden(&mut walk, (north, [150.0, 1.0]), [150.0, -1.0], (south, [150.0, 191.0]));
    let far = (0xA9B3_0034, [150.0, 82.35]);
    check_golden(&mut walk, (north, [150.0, 1.0]), [150.0, -109.65], far);
    check_golden(&mut walk, (south, [150.0, 191.0]), [150.0, 193.0], (north, [150.0, 1.0]));
    check_golden(&mut walk, (south, [150.0, 191.5]), [150.0, 192.5], (north, [150.0, 0.5]));
    let home = (0xA9B4_0031, [150.0, 1.0]);
    check_golden(&mut walk, (0xA9B3_0034, [150.0, 82.35]), [150.0, 193.0], home);
    // Over the corner at which four landblocks meet.
    let corner = (0xA8B3_0040, [191.5, 191.5]);
    check_golden(&mut walk, (0xA9B4_0001, [0.5, 0.5]), [-0.5, -0.5], corner);
    check_golden(&mut walk, corner, [192.5, 192.5], (0xA9B4_0001, [0.5, 0.5]));
    let west = (0xA8B4_0039, [191.0, 5.0]);
    check_golden(&mut walk, (0xA9B4_0001, [1.0, 5.0]), [-1.0, 5.0], west);
}

/// Worked example 7 of the sweep: three sub-steps over the seam.
#[test]
fn a_walk_across_a_block_seam_lists_and_picks_in_order() {
    let mut walk = Walk::from_source(plain(&[0xA9B4, 0xA9B3]).finish().unwrap());
    let (north, south) = (CellId(0xA9B4_0031), CellId(0xA9B3_0038));
    walk.put_on_ground(north.0, [150.0, 0.5, 0.005]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [0.0, -1.0, 0.0]);
    let places: Vec<_> = trace.sub_step_ends().into_iter().map(|(_, at)| at).collect();
    assert_eq!(places.iter().map(|at| at.cell).collect::<Vec<_>>(), [north, south, south]);
    for (place, y) in places.iter().zip([0.166_667, 191.833_33, 191.5]) {
        assert!((place.frame.origin.y - y).abs() < 1e-4, "{place:?}");
    }
    let listed: Vec<_> = trace.cell_arrays().into_iter().map(|(cells, _)| cells).collect();
    assert_eq!(listed[..2], [vec![north, south], vec![south, north]]);
    assert_eq!(outcome_cells(&outcome), [south], "0.5 m from the border it is no longer touched");
    assert_eq!(outcome.stance.plane_cell, south);
}
