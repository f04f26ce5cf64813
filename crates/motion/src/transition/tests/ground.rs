//! Collisions with the ground of land cells.

use threshold_geom::FLOOR_Z;
use threshold_land::Sphere;
use threshold_land::vector::Vec3;
use threshold_world::{State, World};

use super::fixture::{
    AIRBORNE, ExpectedChange, FIELD, Fixture, ObservedState, STANDING, TestSetup, VOID, land,
    land_of, place,
};
use crate::flags::Flags;
use crate::outcome::Insert::{self, Adjusted, Collided};
use crate::rules::{Rules, SteepGround, ViewerGround};

/// A sphere around the origin of the mover: the examples give its centre.
const CENTRE: &[Sphere] = &[Sphere::new(Vec3::ZERO, 0.48)];
const ON_WALKABLE: Flags = Flags::CONTACT.with(Flags::ON_WALKABLE, true);
/// A mover with contact flags but no plane yet.
const WALKING: TestSetup =
    TestSetup { spheres: CENTRE, flags: ON_WALKABLE, ground: None, last: None, ..STANDING };
const FALLING: TestSetup = TestSetup { spheres: CENTRE, ..AIRBORNE };
const UP: [f32; 3] = [0.0, 0.0, 1.0];

#[track_caller]
fn check(
    world: &World,
    test: TestSetup,
    centre: [f32; 3],
    answer: Insert,
    wants: &[ExpectedChange],
) {
    check_by(Rules::default(), world, test, centre, (answer, wants));
}

#[track_caller]
fn check_by(
    rules: Rules,
    world: &World,
    test: TestSetup,
    centre: [f32; 3],
    (answer, wants): (Insert, &[ExpectedChange]),
) {
    let mut stage = Fixture::new(world, test);
    stage.sweeper.rules = rules;
    let mut t = stage.begin(place(FIELD, centre), place(FIELD, centre));
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.find_ground_collisions(world.land_cell(FIELD).unwrap());
    before.check((&t, got), (answer, wants), &format!("{test:?}\ncentre {centre:?}"));
    if t.contact.plane.valid {
        assert_eq!(t.contact.plane.cell, FIELD, "{test:?}\ncentre {centre:?}");
    }
}

#[test]
fn level_ground_matches_worked_examples() {
    let world = land(|_, _| 10.0);
    let contact = ExpectedChange::Stands(UP, -10.0);
    let lifted = ExpectedChange::Moved([0.0, 0.0, 0.1]);
    check(&world, WALKING, [5.0, 5.0, 10.48], Insert::Ok, &[contact]);
    check(&world, WALKING, [5.0, 5.0, 10.5], Insert::Ok, &[]);
    check(&world, WALKING, [5.0, 5.0, 10.38], Adjusted, &[contact, lifted]);
    let run_into = [contact, lifted, ExpectedChange::Hit(UP), ExpectedChange::Environment];
    check(&world, FALLING, [5.0, 5.0, 10.38], Adjusted, &run_into);
    let touched = [contact, ExpectedChange::Hit(UP), ExpectedChange::Environment];
    check(&world, FALLING, [5.0, 5.0, 10.48], Insert::Ok, &touched);
    check(
        &world,
        TestSetup { checking_walkable: true, ..WALKING },
        [5.0, 5.0, 10.38],
        Collided,
        &[],
    );
    check(
        &world,
        TestSetup { checking_walkable: true, ..WALKING },
        [5.0, 5.0, 10.5],
        Insert::Ok,
        &[],
    );
}

#[test]
fn a_step_down_ends_when_its_height_is_used_up() {
    let world = land(|_, _| 10.0);
    let down = |amount| TestSetup { down: Some(amount), ..WALKING };
    let contact = ExpectedChange::Stands(UP, -10.0);
    let wants = [contact, ExpectedChange::Moved([0.0, 0.0, 0.75]), ExpectedChange::Remaining(0.0)];
    check(&world, down(0.75), [5.0, 5.0, 9.73], Adjusted, &wants);
    check(&world, down(0.6), [5.0, 5.0, 9.73], Collided, &[contact]);
    check(&world, down(0.6), [5.0, 5.0, 9.81], Collided, &[contact]);
    // A tenth more than the step down still succeeds.
    let wants =
        [contact, ExpectedChange::Moved([0.0, 0.0, 0.65]), ExpectedChange::Remaining(-0.083_333)];
    check(&world, down(0.6), [5.0, 5.0, 9.83], Adjusted, &wants);
}

/// Ground that rises to the north from the southern border.
fn slope(rise: f32) -> World {
    land(|_, y| rise * 24.0 * y as f32)
}

#[test]
fn slopes_match_worked_examples() {
    let half_root = std::f32::consts::FRAC_1_SQRT_2;
    let contact = ExpectedChange::Stands([0.0, -half_root, half_root], 0.0);
    let wants = [contact, ExpectedChange::Moved([0.0, 0.0, 0.1])];
    check(&slope(1.0), WALKING, [5.0, 5.0, 5.38], Adjusted, &wants);
    // Sixty degrees do not stop a walk, but a fall ends there.
    let (steep, normal) = (slope(1.732_050_8), [0.0, -0.866_025_4, 0.5]);
    assert!(normal[2] < FLOOR_Z);
    check(&steep, WALKING, [5.0, 5.0, 8.98], Insert::Ok, &[]);
    let wants = [
        ExpectedChange::Stands(normal, 0.0),
        ExpectedChange::Moved([0.0, 0.0, 0.160_254]),
        ExpectedChange::Hit(normal),
        ExpectedChange::Environment,
    ];
    check(&steep, FALLING, [5.0, 5.0, 8.98], Adjusted, &wants);
}

#[test]
fn rule_steep_ground_decides_about_a_walker_below_steep_ground() {
    let mut rules = Rules::default();
    for (rule, answer) in [(SteepGround::Passes, Insert::Ok), (SteepGround::Stops, Adjusted)] {
        rules.steep_ground = rule;
        check_by(rules, &slope(1.732_050_8), WALKING, [5.0, 5.0, 8.98], (answer, &[]));
    }
}

#[test]
fn a_mover_sinks_into_water() {
    let water = |wet: fn(i32, i32) -> bool| {
        land_of(|_, _| 10.0, move |x, y| if wet(x, y) { 16 } else { 1 })
    };
    let at = [5.0, 5.0, 10.38];
    // 0.45 m at a corner of water, 0.1 m at a dry one.
    check(&water(|x, y| (x, y) == (0, 0)), WALKING, at, Insert::Ok, &[]);
    let shore = water(|x, y| (x, y) == (1, 1));
    check(&shore, WALKING, at, Insert::Ok, &[ExpectedChange::OnTop(UP, -10.0)]);
    // Only cameras and missiles may enter a landblock of water.
    let sea = water(|_, _| true);
    check(&sea, WALKING, [5.0, 5.0, 50.0], Collided, &[]);
    check(&sea, TestSetup { flags: Flags::VIEWER, ..FALLING }, [5.0, 5.0, 50.0], Insert::Ok, &[]);
    let mut stage = Fixture::new(&sea, FALLING);
    stage.mover.state = State::MISSILE;
    let at = place(FIELD, [5.0, 5.0, 50.0]);
    let got = stage.begin(at, at).find_ground_collisions(sea.land_cell(FIELD).unwrap());
    assert_eq!(got, Insert::Ok, "a missile");
}

const CAMERA: TestSetup =
    TestSetup { spheres: &[Sphere::new(Vec3::ZERO, 0.3)], flags: Flags::VIEWER, ..AIRBORNE };

/// A camera moving over level ground at 0, started indoors or outdoors.
#[track_caller]
fn check_viewer(
    ground: ViewerGround,
    indoors: bool,
    [from, to]: [[f32; 3]; 2],
    answer: Insert,
    end: [f32; 3],
) {
    let world = land(|_, _| 0.0);
    let mut stage = Fixture::new(&world, CAMERA);
    stage.sweeper.rules.viewer_ground = ground;
    let mut t = stage.begin(place(FIELD, from), place(FIELD, to));
    if indoors {
        t.path.begin.cell = VOID;
    }
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.find_ground_collisions(world.land_cell(FIELD).unwrap());
    let moved = ExpectedChange::Moved((Vec3::from(end) - Vec3::from(to)).to_array());
    let wants = [moved, ExpectedChange::Hit(UP), ExpectedChange::Environment];
    let wants = if answer == Insert::Ok { &[][..] } else { &wants[..] };
    let input = format!("{ground:?}, indoors {indoors}, {from:?} to {to:?}");
    before.check((&t, got), (answer, wants), &input);
}

#[test]
fn cameras_at_the_ground_match_worked_examples() {
    let falls = [[0.0, 0.0, 1.0], [0.2, 0.0, 0.2]];
    let sunk = [[0.0, 0.0, 0.25], [0.2, 0.0, 0.2]];
    let check = |indoors, movement, answer, end| {
        check_viewer(ViewerGround::Free, indoors, movement, answer, end);
    };
    check(false, falls, Adjusted, [0.175, 0.0, 0.3]);
    check(false, sunk, Adjusted, [-0.2, 0.0, 0.3]);
    check(true, falls, Adjusted, [0.175, 0.0, 0.3]);
    check(true, sunk, Insert::Ok, [0.2, 0.0, 0.2]);
    for indoors in [false, true] {
        check(indoors, [[0.0, 0.0, 1.0], [0.2, 0.0, 0.4]], Insert::Ok, [0.2, 0.0, 0.4]);
    }
}

#[test]
fn rule_viewer_ground_decides_about_a_camera_above_the_ground() {
    let above = [[0.0, 0.0, 0.5], [0.2, 0.0, 0.4]];
    let check = |rule, indoors, answer, end| check_viewer(rule, indoors, above, answer, end);
    check(ViewerGround::Free, false, Insert::Ok, [0.2, 0.0, 0.4]);
    check(ViewerGround::Indoors, true, Insert::Ok, [0.2, 0.0, 0.4]);
    // Moved on as far as the ground is away.
    check(ViewerGround::Indoors, false, Adjusted, [0.4, 0.0, 0.3]);
}

#[test]
fn a_camera_moving_along_the_ground_hits_it_and_is_not_moved() {
    let sunk = [[0.0, 0.0, 0.2], [0.2, 0.0, 0.2]];
    check_viewer(ViewerGround::Free, false, sunk, Adjusted, [0.2, 0.0, 0.2]);
    check_viewer(ViewerGround::Free, true, sunk, Insert::Ok, [0.2, 0.0, 0.2]);
}

/// Literal retail behaviour lets it through, because it touched the ground already.
#[test]
fn a_camera_from_a_room_does_not_pass_through_the_ground() {
    let check = |rule, movement, answer, end| check_viewer(rule, true, movement, answer, end);
    // Grazing, like a camera that the ground has stopped before.
    let touching = [[0.0, 0.0, 0.2999], [0.2, 0.0, 0.1]];
    check(ViewerGround::Free, touching, Adjusted, [0.0, 0.0, 0.2999]);
    check(ViewerGround::Indoors, touching, Insert::Ok, [0.2, 0.0, 0.1]);
    // The eye crosses the ground.
    let through = [[0.0, 0.0, 0.1], [0.2, 0.0, -0.1]];
    check(ViewerGround::Free, through, Adjusted, [-0.2, 0.0, 0.3]);
    check(ViewerGround::Indoors, through, Insert::Ok, [0.2, 0.0, -0.1]);
    // Below the ground, as in a cellar, it is free.
    check(ViewerGround::Free, [[0.0, 0.0, -1.0], [0.2, 0.0, -1.2]], Insert::Ok, [0.2, 0.0, -1.2]);
}
