//! Collisions with cylinders.

use threshold_geom::{Cylinder, LANDING_Z};
use threshold_land::Rotation;
use threshold_land::vector::Vec3;

use super::fixture::{
    AIRBORNE, ExpectedChange, FEET, Fixture, ObservedState, STANDING, TestSetup, VOID, check_near,
    pillar, place, void,
};
use crate::flags::Flags;
use crate::outcome::Insert::{self, Adjusted, Collided, Slid};

const C: Cylinder = Cylinder { low: Vec3::ZERO, radius: 0.5, height: 2.0 };
const LOW: Cylinder = Cylinder { low: Vec3::ZERO, radius: 0.5, height: 0.3 };
const CLIPPED: TestSetup = TestSetup { spheres: &[FEET], flags: Flags::PATH_CLIPPED, ..AIRBORNE };
const PERFECT: TestSetup = TestSetup { spheres: &[FEET], flags: CLIP, ..AIRBORNE };
const CLIP: Flags = Flags::PERFECT_CLIP.with(Flags::PATH_CLIPPED, true);
const LANDING: TestSetup = TestSetup { seeking_landing: true, ..AIRBORNE };
const UP: [f32; 3] = [0.0, 0.0, 1.0];
const EAST: [f32; 3] = [1.0, 0.0, 0.0];
/// A quarter turn to the left about the vertical axis.
const QUARTER: Rotation = Rotation::new(HALF_ROOT, 0.0, 0.0, HALF_ROOT);
const HALF_ROOT: f32 = std::f32::consts::FRAC_1_SQRT_2;

#[track_caller]
fn check(
    test: TestSetup,
    shape: &Cylinder,
    [from, to]: [[f32; 3]; 2],
    answer: Insert,
    wants: &[ExpectedChange],
) {
    let mut stage = Fixture::new(void(), test);
    let mut t = stage.begin(place(VOID, from), place(VOID, to));
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.collide_with_cylinder(shape, &Rotation::IDENTITY.rows());
    let input = format!("{test:?}\n{shape:?}, {from:?} to {to:?}");
    before.check((&t, got), (answer, wants), &input);
}

#[test]
fn a_standing_mover_slides_around_a_cylinder_too_high_to_step_onto() {
    check(STANDING, &C, [[1.2, 0.0, 0.0], [0.9, 0.0, 0.0]], Collided, &[ExpectedChange::Hit(EAST)]);
    let moved = ExpectedChange::Moved([0.376_471, -0.094_118, 0.0]);
    let hit = ExpectedChange::Hit([0.970_143, -0.242_536, 0.0]);
    check(STANDING, &C, [[1.2, -0.3, 0.0], [0.9, 0.1, 0.0]], Slid, &[moved, hit]);
    // Only the head collides.
    let wants = [ExpectedChange::Moved([0.6, 0.0, 0.0]), ExpectedChange::Hit(EAST)];
    check(STANDING, &C, [[1.5, 0.0, -1.0], [0.9, 0.2, -1.0]], Slid, &wants);
}

/// `normal` is that of the attempted step up; `None` without an attempt.
#[track_caller]
fn check_step_up(step_up: f32, shape: &Cylinder, rotation: Rotation, normal: Option<[f32; 3]>) {
    let mut stage = Fixture::new(void(), TestSetup { step_up, ..STANDING });
    let mut t = stage.begin(place(VOID, [1.2, 0.0, 0.0]), place(VOID, [0.9, 0.0, 0.0]));
    let _ = t.collide_with_cylinder(shape, &rotation.rows());
    let input = format!("steps {step_up} m, {shape:?}, {rotation:?}");
    check_near(t.path.step.up_normal, normal.unwrap_or_default(), &input);
}

#[test]
fn a_step_up_onto_a_rotated_object_uses_a_rotated_normal() {
    check_step_up(0.6, &LOW, Rotation::IDENTITY, Some(EAST));
    check_step_up(0.6, &LOW, QUARTER, Some([0.0, 1.0, 0.0]));
}

#[test]
fn a_cylinder_can_be_stepped_onto_up_to_the_step_height() {
    for height in [0.4, 1.0] {
        let shape = pillar([0.0; 3], height, 0.5);
        check_step_up(height + 1e-4, &shape, Rotation::IDENTITY, Some(EAST));
        check_step_up(height - 1e-4, &shape, Rotation::IDENTITY, None);
    }
}

#[test]
fn a_step_up_that_fails_ends_in_a_slide() {
    // The slide uses the rotated normal: nothing is left of this move.
    for (rotation, answer, hit) in
        [(Rotation::IDENTITY, Collided, EAST), (QUARTER, Slid, [0.0, 1.0, 0.0])]
    {
        let mut stage = Fixture::new(void(), STANDING);
        let mut t = stage.begin(place(VOID, [1.2, 0.0, 0.0]), place(VOID, [0.9, 0.0, 0.0]));
        let before = ObservedState::new(&t, Insert::Ok);
        let got = t.collide_with_cylinder(&LOW, &rotation.rows());
        let wants = [
            ExpectedChange::StepUp(hit),
            ExpectedChange::Hit(hit),
            ExpectedChange::NoGround,
            ExpectedChange::Allowance(LANDING_Z),
        ];
        before.check((&t, got), (answer, &wants), &format!("{rotation:?}"));
    }
}

#[test]
fn a_falling_mover_lands_on_the_top_of_a_cylinder_or_beside_it() {
    let movement = [[0.3, 0.0, 2.3], [0.2, 0.0, 1.8]];
    check(AIRBORNE, &C, movement, Adjusted, &[ExpectedChange::Lands(UP)]);
    let wants = [
        ExpectedChange::Moved([0.04, 0.0, 0.2]),
        ExpectedChange::OnTop(UP, -2.0),
        ExpectedChange::Remaining(0.6),
    ];
    check(LANDING, &C, movement, Adjusted, &wants);
    let beside = [[1.3, 0.0, 2.3], [0.9, 0.0, 1.9]];
    check(AIRBORNE, &C, beside, Adjusted, &[ExpectedChange::Lands(EAST)]);
    check(LANDING, &C, beside, Insert::Ok, &[]);
}

#[test]
fn a_ground_search_lifts_the_mover_onto_a_cylinder() {
    let stepping = TestSetup { down: Some(0.6), ..AIRBORNE };
    let wants = [
        ExpectedChange::Moved([0.0, 0.0, 0.4]),
        ExpectedChange::OnTop(UP, -2.0),
        ExpectedChange::Remaining(0.333_333),
    ];
    check(stepping, &C, [[0.2, 0.0, 1.6]; 2], Adjusted, &wants);
    check(stepping, &C, [[0.2, 0.0, 1.2]; 2], Collided, &[]);
    check(stepping, &C, [[2.0, 0.0, 1.6]; 2], Insert::Ok, &[]);
}

#[test]
fn a_clipped_path_ends_before_a_cylinder() {
    let movement = [[2.0, 0.0, 0.5], [0.7, 0.0, 0.5]];
    check(CLIPPED, &C, movement, Collided, &[ExpectedChange::Hit(EAST)]);
}

#[test]
fn a_perfect_clip_ends_at_the_side_or_at_a_cap() {
    #[track_caller]
    fn clip(from: [f32; 3], to: [f32; 3], moved: [f32; 3], hit: [f32; 3]) {
        check(
            PERFECT,
            &C,
            [from, to],
            Adjusted,
            &[ExpectedChange::Moved(moved), ExpectedChange::Hit(hit)],
        );
    }
    clip([2.0, 0.0, 0.5], [0.7, 0.0, 0.5], [0.28, 0.0, 0.0], EAST);
    clip([0.2, 0.0, 2.6], [0.1, 0.0, 1.8], [0.025, 0.0, 0.2], UP);
    clip([0.1, 0.0, -2.0], [0.1, 0.0, -0.9], [0.0, 0.0, -0.06], [0.0, 0.0, -1.0]);
    // The normal is not definite: above the cap, and beside it.
    clip([1.2, 0.0, 2.6], [0.3, 0.0, 1.7], [0.3, 0.0, 0.3], UP);
    clip([1.6, 0.0, 2.6], [0.9, 0.0, 1.2], [0.08, 0.0, 0.16], EAST);
    let hit = [0.963_331, 0.268_316, 0.0];
    clip([1.6, 1.2, 2.6], [0.9, 0.2, 1.2], [0.044_065, 0.062_949, 0.088_129], hit);
}

#[test]
fn a_placement_only_tests_for_overlap() {
    let placed = TestSetup { placement: true, ..AIRBORNE };
    check(placed, &C, [[0.9, 0.0, 0.0]; 2], Collided, &[]);
    check(placed, &C, [[1.0, 0.0, 0.0]; 2], Insert::Ok, &[]);
}
