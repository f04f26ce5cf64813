//! The end of a sub-step: blocked, stuck, landed.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Sphere};
use threshold_world::{BodyId, BodySpec, Cell, ObjectKind, State};

use super::fixture::{
    AIRBORNE, FEET, FIELD, Fixture, HEAD, STANDING, TestSetup, VOID, check_near, flat, level,
    pillar, place, setup, void,
};
use super::walker::{TraceEntry, Walker};
use crate::body::{Event, Obstacle};
use crate::flags::Flags;
use crate::mover::{Stance, Stationary};
use crate::outcome::Insert;

/// A body in the air whose head is in a cylinder: every move is blocked.
fn wedged() -> Walker {
    let mut world = flat(&[0xA9B4]);
    world.insert(BodySpec {
        body: BodyId(1),
        setup: setup(&[], &[pillar([0.0; 3], 2.0, 0.5)]),
        position: place(FIELD, [12.3, 12.0, 6.0]),
        scale: 1.0,
        state: State::default(),
        kind: ObjectKind::Thing,
    });
    let mut walker = Walker::new(world, place(FIELD, [12.0, 12.0, 5.0]), Stance::default());
    walker.body.velocity = Vec3::new(0.0, 0.0, -3.0);
    walker
}

#[test]
fn a_stationary_fall_matches_the_worked_example() {
    let mut walker = wedged();
    let fall = [0.0, 0.0, -0.9];
    let flags = |fall, stop| Stationary { fall, stop, stuck: false };
    for (count, stationary, velocity) in [
        // It bounces the first time and is stopped from then on.
        (1, flags(true, false), 0.15),
        (2, flags(true, true), 0.0),
        (3, flags(false, false), 0.0),
    ] {
        let step = walker.move_by(fall);
        assert_eq!(step.outcome.stationary_fall, count);
        assert_eq!(step.trace.ends().len(), 1, "the first of two sub-steps ends the sweep");
        assert_eq!(step.trace.ends()[0].0, Insert::Collided);
        assert_eq!(walker.body.stance.stationary, stationary, "{count}");
        check_near(walker.body.velocity, [0.0, 0.0, velocity], &count.to_string());
        assert_eq!(walker.body.stance.contact, count == 3);
        walker.check_at(FIELD.0, [12.0, 12.0, 5.0], &count.to_string());
    }
    // The contact plane it gets is right under its feet.
    let stance = walker.body.stance;
    assert_eq!((stance.plane, stance.plane_cell), (level(5.0), FIELD));
    assert!(stance.on_walkable && !stance.water);
}

/// Checks the count of a sweep that began with `before` after sub-steps that moved or were blocked.
#[track_caller]
fn check_count(before: Stationary, moves: &[bool], count: u8, next: u8) {
    let mut stage = Fixture::new(void(), AIRBORNE);
    stage.mover.stance.stationary = before;
    let start = place(VOID, [0.0; 3]);
    let mut t = stage.begin(start, start);
    for moved in moves {
        t.path.add_offset(Vec3::X);
        t.validate_transition(if *moved { Insert::Ok } else { Insert::Collided });
    }
    let outcome = t.finish();
    let input = format!("{before:?}, {moves:?}");
    assert_eq!(outcome.stationary_fall, count, "{input}");
    assert_eq!(outcome.stance.stationary.count(), next, "{input}");
}

#[test]
fn a_move_ends_a_stationary_fall_but_a_later_block_keeps_the_stop_flag() {
    let none = Stationary::default();
    let fall = Stationary { fall: true, ..none };
    let stop = Stationary { fall: true, stop: true, ..none };
    let stuck = Stationary { stuck: true, ..none };
    check_count(none, &[false], 1, 1);
    check_count(fall, &[false], 2, 2);
    check_count(stop, &[false], 3, 0);
    check_count(stuck, &[false], 3, 0);
    for before in [none, fall, stop, stuck] {
        check_count(before, &[true], 0, 0);
    }
    // A count of 1 does not clear `stop`, and the next sweep starts at 2.
    check_count(none, &[true, false], 1, 1);
    check_count(stop, &[true, false], 1, 2);
}

#[test]
fn only_falling_movers_count_and_cameras_do_not() {
    let viewer = TestSetup { flags: Flags::VIEWER, ..AIRBORNE };
    for (test, state, count) in [
        (AIRBORNE, State::GRAVITY, 1),
        (AIRBORNE, State::default(), 0),
        (viewer, State::GRAVITY, 0),
    ] {
        let mut stage = Fixture::new(void(), test);
        stage.mover.state = state;
        let start = place(VOID, [0.0; 3]);
        let mut t = stage.begin(start, start);
        t.validate_transition(Insert::Collided);
        assert_eq!(t.contact.stationary, count, "{test:?}, {state:?}");
    }
}

#[test]
fn a_landing_matches_the_worked_example() {
    let start = place(FIELD, [12.0, 12.0, 0.1]);
    let mut walker = Walker::new(flat(&[0xA9B4]), start, Stance::default());
    walker.body.velocity = Vec3::new(0.0, 0.0, -5.0);
    let step = walker.move_by([0.0, 0.0, -0.2]);
    let want = [
        // Lifted by 0.1, then free.
        TraceEntry::Tested(FIELD, Insert::Adjusted),
        TraceEntry::Tested(FIELD, Insert::Ok),
        TraceEntry::Listed(vec![FIELD], Some(FIELD)),
    ];
    assert_eq!(step.trace.0[0][..3], want);
    walker.check_at(FIELD.0, [12.0, 12.0, 0.0], "landed");
    assert_eq!((step.outcome.hit, step.outcome.hit_environment), (Some(Vec3::Z), true));
    let stance = walker.body.stance;
    assert!(stance.contact && stance.on_walkable && stance.sliding);
    assert_eq!(stance.sliding_normal, Vec3::ZERO);
    assert_eq!(
        step.events[..],
        [Event::Landed { speed: 5.0 }, Event::Collided(Obstacle::Environment)],
    );
    check_near(walker.body.velocity, [0.0, 0.0, 0.25], "a twentieth of its speed is reflected");
}

/// A sub-step from cell A has tried cell B and ended with this result.
#[track_caller]
fn check_blocked(answer: Insert) {
    let world = flat(&[0xA9B3, 0xA9B4]);
    let (a, b) = (CellId(0xA9B4_0001), CellId(0xA9B3_0008));
    let mut stage = Fixture::new(&world, STANDING);
    let mut t = stage.begin(place(a, [12.0, 0.1, 0.0]), place(b, [12.0, 191.9, 0.0]));
    t.validate_transition(answer);
    let cell = |cell: Option<Cell<'_>>| cell.map(|cell| cell.id());
    let want = if answer == Insert::Ok { b } else { a };
    assert_eq!((cell(t.path.curr.cell), cell(t.path.check.cell)), (Some(want), Some(want)));
    assert_eq!(t.path.check.position, t.path.curr.position, "{answer:?}");
    assert_eq!(t.path.curr.position.cell, want, "{answer:?}");
    if answer != Insert::Ok {
        // The array is that of the position it returned to.
        assert_eq!(t.scratch.array.ids().collect::<Vec<_>>(), [a, b], "{answer:?}");
    }
    check_near(t.path.spheres[0].centre - t.path.curr_centres[0], [0.0; 3], &format!("{answer:?}"));
}

#[test]
fn a_blocked_sub_step_keeps_the_cell() {
    for answer in [Insert::Slid, Insert::Adjusted, Insert::Collided, Insert::Ok] {
        check_blocked(answer);
    }
}

/// A mover that is blocked `height` above its last contact plane.
#[track_caller]
fn check_take_back(height: f32, flags: Flags, contact: bool, count: u8) {
    let test = TestSetup { flags, ground: None, ..STANDING };
    let mut stage = Fixture::new(void(), test);
    let mut t = stage.begin(place(VOID, [0.0, 0.0, height]), place(VOID, [1.0, 0.0, height]));
    t.validate_transition(Insert::Collided);
    let input = format!("{height}, {flags:?}");
    assert_eq!((t.contact.plane.valid, t.contact.last_plane.valid), (contact, contact), "{input}");
    assert_eq!(t.contact.stationary, count, "{input}");
    assert!(t.contact.velocity_stopped && t.contact.hit.normal == Vec3::Z, "{input}");
    assert!(t.contact.sliding.valid && t.contact.sliding.normal == Vec3::ZERO, "{input}");
    assert_eq!(t.flags.has(Flags::CONTACT), contact, "{input}");
}

#[test]
fn a_mover_blocked_near_its_last_contact_plane_regains_it() {
    let walking = Flags::CONTACT | Flags::ON_WALKABLE;
    check_take_back(0.0, walking, true, 0);
    check_take_back(0.000_19, walking, true, 0);
    check_take_back(0.0003, walking, false, 1);
    // Steep ground does not end a fall.
    check_take_back(0.0, Flags::CONTACT, true, 1);
}

/// Checks the stance that a sweep leaves on ground of this steepness.
#[track_caller]
fn check_ground(z: f32, on_walkable: bool) {
    let normal = Vec3::new((1.0 - z * z).sqrt(), 0.0, z);
    let test = TestSetup { ground: Some(Plane { normal, d: 0.0 }), ..STANDING };
    let (mut stage, at) = (Fixture::new(void(), test), place(VOID, [0.0; 3]));
    let mut t = stage.begin(at, place(VOID, [1.0, 0.0, 0.0]));
    t.validate_transition(Insert::Ok);
    let flags = [Flags::CONTACT, Flags::ON_WALKABLE].map(|flag| t.flags.has(flag));
    assert_eq!(flags, [true, on_walkable], "{z}");
    let stance = t.finish().stance;
    assert_eq!([stance.contact, stance.on_walkable], [true, on_walkable], "{z}");
}

#[test]
fn ground_steeper_than_48_degrees_gives_contact_but_is_not_walkable() {
    check_ground(0.66, false);
    check_ground(0.67, true);
    check_ground(threshold_geom::FLOOR_Z, true);
}

/// A mover that hits something in the air and finds nothing to land on.
#[track_caller]
fn check_no_landing(last: Option<Plane>, hit: Option<Vec3>) {
    let mut stage = Fixture::new(void(), TestSetup { last, ..AIRBORNE });
    let mut t = stage.begin(place(VOID, [0.0; 3]), place(VOID, [1.0, 0.0, 0.0]));
    t.path.seek_landing(Vec3::Y, threshold_geom::LANDING_Z);
    t.path.add_offset(Vec3::X);
    assert_eq!(t.transitional_insert(3), Insert::Collided, "{last:?}");
    check_near(t.path.check.position.frame.origin, [1.0, 0.0, 0.0], "where it hit");
    assert!(!t.path.step.seeking_landing && !t.contact.last_plane.valid, "{last:?}");
    assert_eq!(t.contact.velocity_stopped, last.is_some(), "{last:?}");
    assert_eq!(t.contact.hit.valid.then_some(t.contact.hit.normal), hit, "{last:?}");
}

#[test]
fn a_failed_landing_forgets_the_last_contact_plane_or_reports_the_hit() {
    check_no_landing(Some(level(0.0)), None);
    check_no_landing(None, Some(Vec3::Y));
}

#[test]
fn a_turn_in_place_counts_as_a_move() {
    let turn = threshold_land::Rotation::from_heading(10.0);
    for (rotation, count) in [(None, 1), (Some(turn), 0)] {
        let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
        let mut t = stage.begin(at, at);
        if let Some(rotation) = rotation {
            t.path.turn_check(rotation);
        }
        t.validate_transition(Insert::Ok);
        assert_eq!(t.contact.stationary, count, "{rotation:?}");
    }
}

/// A camera or a missile that is stopped by the ground in its first sub-step of three.
#[test]
fn a_clipped_path_ends_at_the_first_hit() {
    let world = flat(&[0xA9B4]);
    for (flags, sub_steps) in [(Flags::NONE, 3), (Flags::PATH_CLIPPED, 1)] {
        let mut stage = Fixture::new(&world, TestSetup { flags, ..AIRBORNE });
        let (from, to) = ([12.0, 12.0, 0.1], [13.2, 12.0, -0.2]);
        let mut t = stage.begin(place(FIELD, from), place(FIELD, to));
        t.run().unwrap();
        assert_eq!(t.finish().sub_steps, sub_steps, "{flags:?}");
    }
}

/// Checks whether a walker finds ground at this depth.
#[track_caller]
fn check_step_down(spheres: &'static [Sphere], height: f32, want: bool) {
    let world = flat(&[0xA9B4]);
    let flags = Flags::CONTACT | Flags::ON_WALKABLE;
    let mut stage = Fixture::new(&world, TestSetup { spheres, flags, ground: None, ..STANDING });
    let at = place(FIELD, [12.0, 12.0, height]);
    let mut t = stage.begin(at, at);
    let found = t.transitional_insert(3) == Insert::Ok && t.contact.plane.valid;
    assert_eq!(found, want, "{height} m below {spheres:?}");
    let end = if want { 0.0 } else { height };
    check_near(t.path.check.position.frame.origin, [12.0, 12.0, end], &height.to_string());
}

#[test]
fn a_mover_of_one_sphere_searches_no_deeper_than_half_its_radius() {
    check_step_down(&[FEET, HEAD], 1.49, true);
    check_step_down(&[FEET, HEAD], 1.51, false);
    check_step_down(&[FEET], 0.23, true);
    check_step_down(&[FEET], 0.25, false);
}
