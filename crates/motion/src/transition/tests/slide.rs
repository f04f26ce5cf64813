//! Slides along walls, around obstacles and along cliffs.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Sphere};

use super::super::insert::NextAttempt;
use super::fixture::{
    AIRBORNE, ExpectedChange, FEET, Fixture, ObservedState, STANDING, TestSetup, VOID, level,
    place, void,
};
use crate::flags::Flags;
use crate::outcome::Insert::{self, Adjusted, Collided, Slid};
use crate::rules::OpposedSlide;

/// A sphere around the origin of the mover.
const POINT: &[Sphere] = &[Sphere::new(Vec3::ZERO, 0.48)];
const ON_FLOOR: TestSetup = TestSetup { spheres: POINT, ..STANDING };
const ORIGIN: [f32; 3] = [0.0; 3];
const FLOOR: [f32; 3] = [0.0, 0.0, 1.0];
const WALL: [f32; 3] = [-1.0, 0.0, 0.0];

#[track_caller]
fn check(normal: [f32; 3], [from, to]: [[f32; 3]; 2], answer: Insert, wants: &[ExpectedChange]) {
    let mut stage = Fixture::new(void(), ON_FLOOR);
    let mut t = stage.begin(place(VOID, from), place(VOID, to));
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.slide_sphere(0, normal.into());
    before.check((&t, got), (answer, wants), &format!("normal {normal:?}, {from:?} to {to:?}"));
}

#[test]
fn slides_along_a_wall_match_worked_examples() {
    let movement = |x, y| [ORIGIN, [x, y, 0.0]];
    check(
        WALL,
        movement(0.1, 0.1),
        Slid,
        &[ExpectedChange::Moved([-0.1, 0.0, 0.0]), ExpectedChange::Hit(WALL)],
    );
    // Less than 1.42 cm of a slide is a stop.
    check(
        WALL,
        movement(0.1, 0.0142),
        Slid,
        &[ExpectedChange::Moved([-0.1, 0.0, 0.0]), ExpectedChange::Hit(WALL)],
    );
    check(WALL, movement(0.1, 0.0141), Collided, &[ExpectedChange::Hit(WALL)]);
    let overhang = [-0.8, 0.0, -0.6];
    check(
        overhang,
        movement(0.1, 0.2),
        Slid,
        &[ExpectedChange::Moved([-0.1, 0.0, 0.0]), ExpectedChange::Hit(overhang)],
    );
    let sinking = [ORIGIN, [0.1, 0.0, -0.05]];
    check(
        FLOOR,
        sinking,
        Slid,
        &[ExpectedChange::Moved([0.0, 0.0, 0.05]), ExpectedChange::Hit(FLOOR)],
    );
    let back = [-1.0, 0.0, 0.0];
    check([0.0, 0.0, -1.0], movement(0.1, 0.0), Insert::Ok, &[ExpectedChange::Hit(back)]);
}

#[test]
fn shared_slide_matches_worked_examples() {
    let diagonal = [ORIGIN, [0.3, 0.2, 0.0]];
    check(
        WALL,
        diagonal,
        Slid,
        &[ExpectedChange::Moved([-0.3, 0.0, 0.0]), ExpectedChange::Hit(WALL)],
    );
    check(WALL, [ORIGIN, [0.3, 0.0, 0.0]], Collided, &[ExpectedChange::Hit(WALL)]);
    check(ORIGIN, diagonal, Adjusted, &[ExpectedChange::Moved([-0.15, -0.1, 0.0])]);
    let sinking = [[0.0, 0.0, 0.1], [0.3, 0.2, -0.1]];
    check(
        FLOOR,
        sinking,
        Slid,
        &[ExpectedChange::Moved([0.0, 0.0, 0.2]), ExpectedChange::Hit(FLOOR)],
    );
    let rising = [ORIGIN, [0.3, 0.0, 0.4]];
    check([0.0, 0.0, -1.0], rising, Insert::Ok, &[ExpectedChange::Hit([-0.6, 0.0, -0.8])]);
    let slope = [-0.8, 0.0, 0.6];
    check(
        slope,
        diagonal,
        Slid,
        &[ExpectedChange::Moved([-0.3, 0.0, 0.0]), ExpectedChange::Hit(slope)],
    );
}

#[test]
fn a_slide_continues_across_a_landblock_border() {
    let (from, to) = (CellId(0xA9B4_0039), CellId(0xAAB4_0001));
    let mut stage = Fixture::new(void(), ON_FLOOR);
    let mut t = stage.begin(place(from, [191.8, 10.0, 0.0]), place(to, [0.1, 10.2, 0.0]));
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.slide_sphere(0, WALL.into());
    let wants = [ExpectedChange::Moved([-0.3, 0.0, 0.0]), ExpectedChange::Hit(WALL)];
    // Near 192 m single precision has steps of 1.5e-5.
    before.check_within(2e-5, (&t, got), (Slid, &wants), "from A9B4 to AAB4");
}

#[test]
fn a_slide_uses_the_last_contact_plane_even_if_invalid() {
    for (last, moved) in [
        (Some(level(0.0)), [-0.3, 0.0, -0.1]),
        (Some(Plane { normal: Vec3::Y, d: 0.0 }), [-0.3, -0.2, 0.0]),
        // No plane is known: only the part into the wall is removed.
        (None, [-0.3, 0.0, 0.0]),
    ] {
        let mut stage = Fixture::new(void(), TestSetup { spheres: POINT, last, ..AIRBORNE });
        let mut t = stage.begin(place(VOID, ORIGIN), place(VOID, [0.3, 0.2, 0.1]));
        t.contact.last_plane.valid = false;
        let before = ObservedState::new(&t, Insert::Ok);
        let got = t.slide_sphere(0, WALL.into());
        let wants = [ExpectedChange::Moved(moved), ExpectedChange::Hit(WALL)];
        before.check((&t, got), (Slid, &wants), &format!("last {last:?}"));
    }
}

#[test]
fn rule_opposed_slide_decides_about_surfaces_against_the_ground() {
    for (rule, answer) in [(OpposedSlide::Passes, Insert::Ok), (OpposedSlide::Stops, Collided)] {
        let mut stage = Fixture::new(void(), ON_FLOOR);
        stage.sweeper.rules.opposed_slide = rule;
        let mut t = stage.begin(place(VOID, ORIGIN), place(VOID, [0.3, 0.0, 0.4]));
        let before = ObservedState::new(&t, Insert::Ok);
        let got = t.slide_sphere(0, Vec3::NEG_Z);
        let wants = [ExpectedChange::Hit([-0.6, 0.0, -0.8])];
        before.check((&t, got), (answer, &wants), &format!("{rule:?}"));
    }
}

/// Slides around a sphere of half a metre that lies on the origin.
#[track_caller]
fn check_skid(
    test: TestSetup,
    [from, to]: [[f32; 3]; 2],
    answer: Insert,
    wants: &[ExpectedChange],
) {
    let (obstacle, mut stage) = (Vec3::new(0.0, 0.0, 0.5), Fixture::new(void(), test));
    let mut t = stage.begin(place(VOID, from), place(VOID, to));
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.slide_skid(obstacle, t.path.spheres[0].centre - obstacle, 0);
    before.check((&t, got), (answer, wants), &format!("{test:?}, {from:?} to {to:?}"));
}

#[test]
fn slides_around_obstacles_match_worked_examples() {
    let on_floor = TestSetup { spheres: &[FEET], ..STANDING };
    let above = [[0.0, 0.0, 1.6], [0.2, 0.0, 1.2]];
    check_skid(
        on_floor,
        above,
        Slid,
        &[ExpectedChange::Moved([0.0, 0.0, 0.4]), ExpectedChange::Hit(FLOOR)],
    );
    let below = [[0.0, 0.0, -0.9], [0.2, 0.0, -0.5]];
    check_skid(on_floor, below, Collided, &[ExpectedChange::Hit([0.0, 0.0, -1.0])]);
    let beside = [[1.2, -0.3, 0.0], [0.9, 0.1, 0.0]];
    let moved = ExpectedChange::Moved([0.376_372, -0.094_093, -0.006_273]);
    let hit = ExpectedChange::Hit([0.970_016, -0.242_504, -0.016_167]);
    check_skid(TestSetup { spheres: &[FEET], ..AIRBORNE }, beside, Slid, &[moved, hit]);
}

#[test]
fn a_slide_from_the_centre_of_an_obstacle_is_a_stop() {
    let mut stage = Fixture::new(void(), ON_FLOOR);
    let mut t = stage.begin(place(VOID, ORIGIN), place(VOID, [0.3, 0.2, 0.0]));
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.slide_by_centres(Vec3::ZERO, 0);
    before.check((&t, got), (Collided, &[]), "by centres");
    let got = t.slide_skid(Vec3::ZERO, Vec3::X, 0);
    before.check((&t, got), (Collided, &[]), "skid");
}

/// Level ground up to a face with this normal; the mover has moved by (0.2, 0.1, 0).
#[track_caller]
fn check_cliff(face: [f32; 3], offset: [f32; 3], hit: [f32; 3]) {
    let test =
        TestSetup { flags: Flags::CONTACT | Flags::ON_WALKABLE | Flags::EDGE_SLIDE, ..STANDING };
    let mut stage = Fixture::new(void(), test);
    let mut t = stage.begin(place(VOID, ORIGIN), place(VOID, [0.2, 0.1, 0.0]));
    t.path.save();
    let before = ObservedState::new(&t, Insert::Ok);
    // The ground search has found the face and left the mover elsewhere.
    t.contact.set_contact_plane(Plane { normal: face.into(), d: 0.0 }, VOID, false);
    t.path.add_offset(Vec3::new(0.0, 0.0, -0.75));
    let got = match t.edge_slide(0.75, threshold_geom::FLOOR_Z) {
        NextAttempt::Retry(answer) => answer,
        NextAttempt::Done(answer) => panic!("{face:?}: done with {answer:?}"),
    };
    let wants = [ExpectedChange::Moved(offset), ExpectedChange::Hit(hit), ExpectedChange::NoGround];
    before.check((&t, got), (Adjusted, &wants), &format!("{face:?}"));
}

#[test]
fn cliff_slides_match_worked_examples() {
    // The mover backs away from the drop; into the rise it is pushed as far again (D16).
    check_cliff([0.866_025_4, 0.0, 0.5], [-0.2, 0.0, 0.0], WALL);
    check_cliff([-0.866_025_4, 0.0, 0.5], [0.2, 0.0, 0.0], WALL);
}

#[test]
fn a_cliff_without_a_direction_changes_nothing() {
    let test =
        TestSetup { flags: Flags::CONTACT | Flags::ON_WALKABLE | Flags::EDGE_SLIDE, ..STANDING };
    let mut stage = Fixture::new(void(), TestSetup { last: None, ..test });
    let mut t = stage.begin(place(VOID, ORIGIN), place(VOID, [0.2, 0.1, 0.0]));
    t.path.save();
    t.contact.set_contact_plane(Plane { normal: Vec3::X, d: 0.0 }, VOID, false);
    assert!(matches!(t.edge_slide(0.75, threshold_geom::FLOOR_Z), NextAttempt::Retry(Insert::Ok)));
    assert!(!t.contact.hit.valid && !t.contact.plane.valid);
}
