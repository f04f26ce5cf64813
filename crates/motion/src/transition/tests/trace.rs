//! Traces on terrain; each move is one sweep with its commit.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane};
use threshold_world::{BodyId, BodySpec, ObjectKind, State, World};

use super::fixture::{
    FIELD, Fixture, STANDING, check_near, check_within, flat, land, level, pillar, place, platform,
    setup,
};
use super::walker::{Step, Walker};
use crate::mover::Stance;
use crate::outcome::Insert;

const EAST: CellId = CellId(0xA9B4_0009);
const WALL: [f32; 3] = [-1.0, 0.0, 0.0];

/// Ground whose height depends only on the column of corners.
fn columns(height: impl Fn(f32) -> f32) -> World {
    land(|x, _| height(x as f32))
}

fn standing(world: World, cell: CellId, at: [f32; 3]) -> Walker {
    Walker::new(world, place(cell, at), Stance::on(level(at[2]), cell))
}

/// Checks where a move ends.
#[track_caller]
fn check(walker: &mut Walker, offset: [f32; 3], cell: CellId, at: [f32; 3]) -> Step {
    let from = walker.position();
    let step = walker.move_by(offset);
    walker.check_at(cell.0, at, &format!("{from:?} by {offset:?}"));
    step
}

/// Checks where the sub-steps of a move ended.
#[track_caller]
fn check_sub_steps(step: &Step, want: &[(CellId, [f32; 3])]) {
    let ends = step.trace.ends();
    assert_eq!(ends.len(), want.len(), "{ends:?}");
    for ((_, cell, at), (want_cell, want)) in ends.into_iter().zip(want) {
        assert_eq!(cell, *want_cell, "{at}");
        check_within(2e-5, at, *want, &cell.to_string());
    }
}

#[test]
fn a_walk_up_a_ramp_is_slowed_to_half_speed() {
    let ramp = columns(|v| 24.0 * (v - 1.0).max(0.0));
    let mut walker = standing(ramp, FIELD, [23.5, 12.0, 0.0]);
    let step = check(&mut walker, [1.0, 0.0, 0.0], EAST, [24.333_33, 12.0, 0.333_33]);
    check_sub_steps(
        &step,
        &[
            (FIELD, [23.833_33, 12.0, 0.0]),
            (EAST, [24.166_67, 12.0, 0.166_67]),
            (EAST, [24.333_33, 12.0, 0.333_33]),
        ],
    );
    let half_root = std::f32::consts::FRAC_1_SQRT_2;
    check_near(step.outcome.stance.plane.normal, [-half_root, 0.0, half_root], "the ramp");
    check(&mut walker, [1.0, 0.0, 0.0], EAST, [24.833_33, 12.0, 0.833_33]);
}

#[test]
fn a_walk_down_a_ramp_ends_on_the_flat() {
    let ramp = columns(|v| 24.0 * (v - 1.0).max(0.0));
    let half_root = std::f32::consts::FRAC_1_SQRT_2;
    let normal = Vec3::new(-half_root, 0.0, half_root);
    let at = [24.5, 12.0, 0.5];
    let stance = Stance::on(Plane::through(normal, at.into()), EAST);
    let mut walker = Walker::new(ramp, place(EAST, at), stance);
    let step = check(&mut walker, [-1.0, 0.0, 0.0], FIELD, [23.5, 12.0, 0.0]);
    check_sub_steps(
        &step,
        &[
            (EAST, [24.166_67, 12.0, 0.166_67]),
            (FIELD, [23.833_33, 12.0, 0.0]),
            (FIELD, [23.5, 12.0, 0.0]),
        ],
    );
    assert_eq!((step.outcome.stance.plane, step.outcome.stance.plane_cell), (level(0.0), FIELD));
}

#[test]
fn a_walk_into_a_steep_slope_slides_along_its_foot() {
    let cliff = columns(|v| 60.0 * (v - 1.0).max(0.0));
    let mut walker = standing(cliff, FIELD, [23.7, 10.0, 0.0]);
    let diagonal = [0.3, 0.3, 0.0];
    // On the line between two cells the last one that contains it wins.
    let step = check(&mut walker, diagonal, FIELD, [24.0, 10.3, 0.0]);
    assert!(step.outcome.hit.is_none() && !step.outcome.velocity_stopped);
    let step = check(&mut walker, diagonal, FIELD, [24.0, 10.3, 0.0]);
    assert_eq!(step.trace.ends()[0].0, Insert::Adjusted);
    check_near(step.outcome.hit.unwrap(), WALL, "the slope");
    assert!(step.outcome.velocity_stopped);
    check(&mut walker, diagonal, FIELD, [24.0, 10.6, 0.0]);
}

fn precipice() -> Walker {
    standing(columns(|v| if v <= 1.0 { 100.0 } else { 0.0 }), FIELD, [23.8, 10.0, 100.0])
}

#[test]
fn a_walk_over_a_precipice_slides_along_its_edge() {
    let mut walker = precipice();
    let diagonal = [0.3, 0.3, 0.0];
    let step = check(&mut walker, diagonal, FIELD, [23.8, 10.3, 100.0]);
    check_near(step.outcome.hit.unwrap(), WALL, "the edge");
    assert_eq!(step.trace.ends()[0].0, Insert::Ok);
    // A sliding normal lasts until the next sub-step without a hit; then the edge is hit again.
    let step = check(&mut walker, diagonal, FIELD, [23.8, 10.6, 100.0]);
    assert!(step.outcome.hit.is_none() && !step.outcome.stance.sliding);
    let step = check(&mut walker, diagonal, FIELD, [23.8, 10.9, 100.0]);
    check_near(step.outcome.hit.unwrap(), WALL, "the edge again");
}

#[test]
fn a_mover_without_edge_slide_walks_over_an_edge() {
    let mut walker = precipice().without_edge_slide();
    let diagonal = [0.3, 0.3, 0.0];
    check(&mut walker, diagonal, EAST, [24.1, 10.3, 100.0]);
    assert!(!walker.body.stance.contact && !walker.body.stance.on_walkable);
    check(&mut walker, diagonal, EAST, [24.4, 10.6, 100.0]);
}

#[test]
fn a_fall_ends_on_the_ground() {
    let start = place(FIELD, [12.0, 12.0, 0.1]);
    let mut walker = Walker::new(flat(&[0xA9B4]), start, Stance::default());
    let step = check(&mut walker, [0.0, 0.0, -0.2], FIELD, [12.0, 12.0, 0.0]);
    let outcome = &step.outcome;
    assert_eq!((outcome.hit, outcome.hit_environment), (Some(Vec3::Z), true));
    assert_eq!((outcome.stance.contact, outcome.stance.plane), (true, level(0.0)));
    assert_eq!((outcome.stance.sliding, outcome.stance.sliding_normal), (true, Vec3::ZERO));
}

fn with_cylinder(height: f32) -> World {
    let mut world = flat(&[0xA9B4]);
    world.insert(BodySpec {
        body: BodyId(1),
        setup: setup(&[], &[pillar([0.0; 3], height, 0.3)]),
        position: place(FIELD, [13.5, 12.0, 0.0]),
        scale: 1.0,
        state: State::default(),
        kind: ObjectKind::Thing,
    });
    world
}

fn beside_cylinder(height: f32, at: [f32; 3]) -> Walker {
    standing(with_cylinder(height), FIELD, at)
}

/// Ground is tested before objects; a slide afterwards clears the contact plane.
#[test]
fn a_slide_within_a_cell_clears_the_contact_plane_of_that_cell() {
    let world = with_cylinder(2.0);
    let mut stage = Fixture::new(&world, STANDING);
    let from = place(FIELD, [12.6, 11.8, 0.0]);
    let mut t = stage.begin(from, place(FIELD, [12.9, 11.9, 0.0]));
    t.contact.plane.valid = false;
    assert_eq!(t.insert_into_cell(1), Insert::Slid);
    assert!(!t.contact.plane.valid && t.contact.plane.plane.normal == Vec3::Z);
}

#[test]
fn a_mover_steps_onto_a_low_cylinder() {
    let mut walker = beside_cylinder(0.4, [12.5, 12.0, 0.0]);
    for x in [12.9, 13.3, 13.7, 14.1] {
        check(&mut walker, [0.4, 0.0, 0.0], FIELD, [x, 12.0, 0.4]);
        let stance = walker.body.stance;
        assert!(stance.contact && stance.on_walkable && stance.water, "{x}");
        check_near(stance.plane.normal, [0.0, 0.0, 1.0], &x.to_string());
    }
}

#[test]
fn a_mover_slides_around_a_high_cylinder() {
    let mut walker = beside_cylinder(2.0, [12.6, 11.8, 0.0]);
    let offset = [0.3, 0.1, 0.0];
    let step = check(&mut walker, offset, FIELD, [12.592_94, 11.831_76, 0.0]);
    // The example prints four digits.
    check_within(5e-5, step.outcome.hit.unwrap(), [-0.9762, -0.2169, 0.0], "the cylinder");
    check(&mut walker, offset, FIELD, [12.585_88, 11.863_53, 0.0]);
    check(&mut walker, offset, FIELD, [12.577_82, 11.917_54, 0.0]);
}

#[test]
fn at_the_rim_of_a_platform_a_mover_slides_along_the_edge() {
    let mut world = flat(&[0xA9B4]);
    world.insert(BodySpec {
        body: BodyId(1),
        setup: platform([4.0, 4.0, 2.0]),
        position: place(FIELD, [12.0, 12.0, 0.0]),
        scale: 1.0,
        state: State::default(),
        kind: ObjectKind::Thing,
    });
    let mut walker = standing(world, FIELD, [13.9, 12.0, 2.0]);
    let diagonal = [0.3, 0.2, 0.0];
    // The centre of the foot may be half a radius beyond the edge, at x = 14.
    check(&mut walker, diagonal, FIELD, [14.2, 12.2, 2.0]);
    let step = check(&mut walker, diagonal, FIELD, [14.2, 12.4, 2.0]);
    check_near(step.outcome.hit.unwrap(), WALL, "the edge");
    assert!(walker.body.stance.contact && walker.body.stance.on_walkable);
    // Limited by the sliding normal alone; then the edge is hit again.
    let step = check(&mut walker, diagonal, FIELD, [14.2, 12.6, 2.0]);
    assert!(step.outcome.hit.is_none());
    let step = check(&mut walker, diagonal, FIELD, [14.2, 12.8, 2.0]);
    check_near(step.outcome.hit.unwrap(), WALL, "the edge again");
}

/// Checks a walk off the top of a cylinder.
#[track_caller]
fn check_ledge(height: f32, want: [f32; 3]) -> Step {
    let mut walker = beside_cylinder(height, [14.0, 12.0, height]);
    walker.body.stance.water = true;
    check(&mut walker, [0.4, 0.0, 0.0], FIELD, want)
}

#[test]
fn a_ground_search_covers_two_halves_of_a_step_down_and_no_more() {
    for height in [0.7, 1.4] {
        let step = check_ledge(height, [14.4, 12.0, 0.0]);
        assert_eq!((step.outcome.stance.plane, step.outcome.stance.water), (level(0.0), false));
    }
    // There is no edge to slide along.
    let step = check_ledge(1.6, [14.0, 12.0, 1.6]);
    assert_eq!(step.trace.ends()[0].0, Insert::Collided);
    assert!(step.outcome.stance.contact && step.outcome.velocity_stopped);
}
