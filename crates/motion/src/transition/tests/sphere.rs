//! Collisions with spheres.

use threshold_land::Sphere;
use threshold_land::vector::Vec3;

use super::fixture::{
    AIRBORNE, ExpectedChange, FEET, Fixture, ObservedState, STANDING, TestSetup, VOID, ball,
    check_near, place, void,
};
use crate::flags::Flags;
use crate::outcome::Insert::{self, Adjusted, Collided, Slid};

/// The sphere of most examples; it lies on the origin.
const A: Sphere = Sphere::new(Vec3::new(0.0, 0.0, 0.5), 0.5);
const CLIPPED: TestSetup = TestSetup { spheres: &[FEET], flags: Flags::PATH_CLIPPED, ..AIRBORNE };
const PERFECT: TestSetup = TestSetup { spheres: &[FEET], flags: CLIP, ..AIRBORNE };
const CLIP: Flags = Flags::PERFECT_CLIP.with(Flags::PATH_CLIPPED, true);
const LANDING: TestSetup = TestSetup { seeking_landing: true, ..AIRBORNE };
const LANDING_ALONE: TestSetup = TestSetup { seeking_landing: true, spheres: &[FEET], ..AIRBORNE };
const STEPPING: TestSetup = TestSetup { down: Some(0.6), ..AIRBORNE };

#[derive(Clone, Copy, Debug)]
struct Obstacle {
    sphere: Sphere,
    creature: bool,
}

const fn thing(sphere: Sphere) -> Obstacle {
    Obstacle { sphere, creature: false }
}

#[track_caller]
fn check(
    test: TestSetup,
    obstacle: Obstacle,
    [from, to]: [[f32; 3]; 2],
    answer: Insert,
    wants: &[ExpectedChange],
) {
    let mut stage = Fixture::new(void(), test);
    let mut t = stage.begin(place(VOID, from), place(VOID, to));
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.collide_with_sphere(&obstacle.sphere, obstacle.creature);
    let input = format!("{test:?}\n{obstacle:?}, {from:?} to {to:?}");
    before.check((&t, got), (answer, wants), &input);
    if let Some(ExpectedChange::OnTop(..)) =
        wants.iter().find(|want| matches!(want, ExpectedChange::OnTop(..)))
    {
        assert_eq!(t.contact.plane.cell, VOID, "{input}");
    }
}

#[test]
fn a_standing_mover_slides_around_a_sphere_too_high_to_step_onto() {
    let hit = ExpectedChange::Hit([0.999_861, 0.0, -0.016_664]);
    check(STANDING, thing(A), [[1.2, 0.0, 0.0], [0.9, 0.0, 0.0]], Collided, &[hit]);
    let moved = ExpectedChange::Moved([0.376_471, -0.094_118, 0.0]);
    let hit = ExpectedChange::Hit([0.970_016, -0.242_504, -0.016_167]);
    check(STANDING, thing(A), [[1.2, -0.3, 0.0], [0.9, 0.1, 0.0]], Slid, &[moved, hit]);
    // Only the head collides.
    let overhead = thing(ball([0.8, 0.0, 1.35], 0.3));
    let wants = [ExpectedChange::Moved([-0.3, 0.0, 0.0]), ExpectedChange::Hit([-1.0, 0.0, 0.0])];
    check(STANDING, overhead, [[-0.2, 0.0, 0.0], [0.1, 0.1, 0.0]], Slid, &wants);
}

#[test]
fn a_standing_mover_steps_onto_a_low_sphere_or_else_slides() {
    let low = thing(ball([0.0; 3], 0.3));
    let mut stage = Fixture::new(void(), STANDING);
    let mut t = stage.begin(place(VOID, [0.9, 0.0, 0.0]), place(VOID, [0.55, 0.0, 0.0]));
    let _ = t.collide_with_sphere(&low.sphere, low.creature);
    check_near(t.path.step.up_normal, [0.9, 0.0, 0.48], "not of unit length");
    let wants = [
        ExpectedChange::StepUp([0.9, -0.2, 0.48]),
        ExpectedChange::Moved([0.397_059, -0.088_235, 0.0]),
        ExpectedChange::Hit([0.865_865, -0.192_415, 0.461_795]),
        ExpectedChange::NoGround,
        // The allowance of a step up from ground that is not walkable.
        ExpectedChange::Allowance(threshold_geom::LANDING_Z),
    ];
    check(STANDING, low, [[0.9, -0.2, 0.0], [0.55, 0.1, 0.0]], Slid, &wants);
}

#[test]
fn a_falling_mover_lands_on_a_sphere_unless_it_is_a_creature() {
    let movement = [[0.3, 0.0, 1.2], [0.1, 0.0, 0.8]];
    check(
        AIRBORNE,
        thing(A),
        movement,
        Adjusted,
        &[ExpectedChange::Lands([0.246_399, 0.0, 0.969_169])],
    );
    let wants = [
        ExpectedChange::Moved([0.090_639, 0.0, 0.181_279]),
        ExpectedChange::OnTop([0.194_530, 0.0, 0.980_897], -0.795_001),
        ExpectedChange::Remaining(0.546_803),
    ];
    check(LANDING, thing(A), movement, Adjusted, &wants);
    check(LANDING, Obstacle { sphere: A, creature: true }, movement, Insert::Ok, &[]);
    let wants = [
        ExpectedChange::Moved([0.0, 0.0, 0.1]),
        ExpectedChange::OnTop([0.0, 0.0, 1.0], -0.9),
        ExpectedChange::Remaining(0.75),
    ];
    check(LANDING_ALONE, thing(A), [[0.0, 0.0, 1.3], [0.0, 0.0, 0.9]], Adjusted, &wants);
    // The resting position is too steep; a movement of length 0 leads nowhere.
    check(LANDING_ALONE, thing(A), [[1.2, 0.0, 0.2], [0.8, 0.0, 0.0]], Insert::Ok, &[]);
    check(LANDING, thing(A), [[0.0, 0.0, 0.9], [0.005, 0.0, 0.9]], Collided, &[]);
    // Retail oddity: too deep for a movement this long. Shorter ones, and sub-steps are never
    // longer, may end as deep.
    check(LANDING, thing(A), [[0.0, 0.0, 5.0], [0.0, 0.0, 0.7]], Collided, &[]);
    let wants = [
        ExpectedChange::Moved([0.0, 0.0, 0.3]),
        ExpectedChange::OnTop([0.0, 0.0, 1.0], -0.7),
        ExpectedChange::Remaining(0.0),
    ];
    check(LANDING, thing(A), [[0.0, 0.0, 1.0], [0.0, 0.0, 0.7]], Adjusted, &wants);
}

#[test]
fn the_head_of_a_falling_mover_is_stopped() {
    let overhead = thing(ball([0.8, 0.0, 0.35], 0.3));
    let movement = [[-0.2, 0.0, -1.0], [0.1, 0.1, -1.0]];
    check(AIRBORNE, overhead, movement, Collided, &[ExpectedChange::Hit([-1.0, 0.0, 0.0])]);
}

#[test]
fn a_clipped_path_ends_before_a_sphere_and_a_perfect_clip_at_it() {
    let movement = [[2.0, 0.0, 0.0], [0.6, 0.0, 0.0]];
    check(
        CLIPPED,
        thing(A),
        movement,
        Collided,
        &[ExpectedChange::Hit([0.999_950, 0.0, -0.010_000])],
    );
    let wants = [
        ExpectedChange::Moved([0.379_796, 0.0, 0.0]),
        ExpectedChange::Hit([0.999_792, 0.0, -0.020_408]),
    ];
    check(PERFECT, thing(A), movement, Adjusted, &wants);
    let diagonal = [[2.0, 0.0, 0.0], [0.6, 0.5, 0.0]];
    let wants = [
        ExpectedChange::Moved([0.297_140, -0.106_121, 0.0]),
        ExpectedChange::Hit([0.915_449, 0.401_917, -0.020_408]),
    ];
    check(PERFECT, thing(A), diagonal, Adjusted, &wants);
}

#[test]
fn a_ground_search_lifts_the_mover_onto_a_sphere() {
    let at = |at: [f32; 3]| [at, at];
    let wants = [
        ExpectedChange::Moved([0.0, 0.0, 0.229_375]),
        ExpectedChange::OnTop([0.204_082, 0.0, 0.978_954], -0.989_477),
        ExpectedChange::Remaining(0.617_709),
    ];
    check(STEPPING, thing(A), at([0.2, 0.0, 0.75]), Adjusted, &wants);
    check(STEPPING, thing(A), at([0.8, 0.0, 0.1]), Insert::Ok, &[]); // rests too steep
    check(STEPPING, thing(A), at([0.2, 0.0, 0.2]), Collided, &[]); // too far up
    // A creature is not ground.
    let creature = Obstacle { sphere: A, creature: true };
    check(STEPPING, creature, at([0.2, 0.0, 0.75]), Insert::Ok, &[]);
}

#[test]
fn placement_and_walkable_checks_only_test_for_overlap() {
    let placed = TestSetup { placement: true, ..AIRBORNE };
    let checking = TestSetup { checking_walkable: true, ..STANDING };
    for test in [placed, checking] {
        check(test, thing(A), [[0.9, 0.0, 0.0]; 2], Collided, &[]);
        check(test, thing(A), [[1.0, 0.0, 0.0]; 2], Insert::Ok, &[]);
    }
}
