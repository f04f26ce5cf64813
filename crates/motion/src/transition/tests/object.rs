//! Which objects block which movers.

use threshold_world::{BodyId, BodySpec, ObjectId, ObjectKind, PlayerStatus, State, World};

use super::fixture::{
    AIRBORNE, Expected, Fixture, ObservedState, STANDING, TestSetup, VOID, new_void, pillar, place,
    setup,
};
use crate::flags::Flags;
use crate::mover::Mover;
use crate::outcome::Insert::{self, Collided};
use crate::outcome::TouchedObject;

const BODY: BodyId = BodyId(7);
const OTHER: ObjectId = ObjectId::body(BodyId(8));

/// The void with a cylinder in it, two metres high.
fn world(state: State, kind: ObjectKind) -> World {
    let mut world = new_void();
    world.insert(BodySpec {
        body: BODY,
        setup: setup(&[], &[pillar([0.0; 3], 2.0, 0.5)]),
        position: place(VOID, [0.0; 3]),
        scale: 1.0,
        state,
        kind,
    });
    world
}

/// What a mover makes of an object that it runs into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encounter {
    /// Does not notice it.
    Passes,
    /// Notices it.
    Notices,
    /// Is stopped.
    Collides,
    /// Is stopped by what counts as the world.
    Environment,
}

#[track_caller]
fn check(
    how: TestSetup,
    prepare: impl FnOnce(&mut Mover),
    (state, kind): (State, ObjectKind),
    want: Encounter,
) {
    let world = world(state, kind);
    let mut stage = Fixture::new(&world, how);
    prepare(&mut stage.mover);
    let mover = stage.mover;
    let mut t = stage.begin(place(VOID, [1.2, 0.0, 0.0]), place(VOID, [0.9, 0.0, 0.0]));
    let answer = t.find_obstacle_collisions(world.body(BODY).unwrap());
    let touched = t.contact.objects.first().copied();
    let got = match (answer, touched, t.contact.hit_environment) {
        (Insert::Ok, None, false) => Encounter::Passes,
        (Insert::Ok, Some(TouchedObject { blocking: false, .. }), false) => Encounter::Notices,
        (Insert::Ok, ..) => panic!("{touched:?}"),
        (_, Some(TouchedObject { blocking: true, .. }), false) => Encounter::Collides,
        (_, None, true) => Encounter::Environment,
        (..) => panic!("{answer:?}, {touched:?}"),
    };
    let input = || format!("{:?} {:?} meets {state:?} {kind:?}", mover.state, mover.kind);
    assert_eq!(got, want, "{}", input());
    assert!(touched.is_none_or(|touched| touched.object == ObjectId::body(BODY)), "{}", input());
    assert!(got != Encounter::Notices || !t.contact.hit.valid, "{}", input());
    assert!(!t.path.ethereal, "{}", input());
}

#[track_caller]
fn check_players(own: PlayerStatus, other: PlayerStatus, want: Encounter) {
    for (own, other) in [(own, other), (other, own)] {
        let kind = ObjectKind::Player(own);
        let object = (State::default(), ObjectKind::Player(other));
        check(STANDING, |mover| mover.kind = kind, object, want);
    }
}

#[test]
fn players_bump_into_whom_they_may_fight() {
    use PlayerStatus::{Free, Killer, KillerLite, Peaceful};
    check_players(Peaceful, Peaceful, Encounter::Passes);
    check_players(Peaceful, Free, Encounter::Collides);
    check_players(Free, Free, Encounter::Collides);
    check_players(Killer, Killer, Encounter::Collides);
    check_players(KillerLite, KillerLite, Encounter::Collides);
    check_players(Killer, KillerLite, Encounter::Passes);
    check_players(Killer, Peaceful, Encounter::Passes);
    // What is no player is in nobody's hands.
    let kind = ObjectKind::Player(Peaceful);
    let creature = (State::default(), ObjectKind::Creature);
    check(STANDING, |mover| mover.kind = kind, creature, Encounter::Collides);
}

#[test]
fn missiles_pass_each_other_and_what_they_are_not_aimed_at() {
    let aimed = |target: Option<ObjectId>| {
        move |mover: &mut Mover| {
            mover.state = State::MISSILE;
            mover.target = target;
        }
    };
    let (own, other) = (Some(ObjectId::body(BODY)), Some(OTHER));
    let missile = (State::MISSILE, ObjectKind::Thing);
    check(AIRBORNE, aimed(None), missile, Encounter::Passes);
    check(AIRBORNE, |_| {}, missile, Encounter::Passes);
    let creature = (State::default(), ObjectKind::Creature);
    check(AIRBORNE, aimed(other), creature, Encounter::Passes);
    check(AIRBORNE, aimed(own), creature, Encounter::Collides);
    check(AIRBORNE, aimed(None), creature, Encounter::Collides);
    // A thing that is passed through is noticed where it is the target.
    let ghost = (State::ETHEREAL, ObjectKind::Thing);
    check(AIRBORNE, aimed(other), ghost, Encounter::Passes);
    check(AIRBORNE, aimed(None), ghost, Encounter::Passes);
    check(AIRBORNE, aimed(own), ghost, Encounter::Notices);
    let scenery = (State::STATIC, ObjectKind::None);
    check(AIRBORNE, aimed(other), scenery, Encounter::Environment);
    // Nobody speaks for what is only scenery.
    check(AIRBORNE, aimed(other), (State::ETHEREAL, ObjectKind::None), Encounter::Notices);
}

#[test]
fn a_camera_sees_through_creatures() {
    let camera = TestSetup { flags: Flags::VIEWER | Flags::PATH_CLIPPED, ..AIRBORNE };
    check(camera, |_| {}, (State::default(), ObjectKind::Creature), Encounter::Passes);
    check(camera, |_| {}, (State::default(), ObjectKind::Thing), Encounter::Collides);
}

#[test]
fn who_ignores_creatures_notices_them() {
    let how = TestSetup { flags: Flags::CONTACT | Flags::IGNORE_CREATURES, ..STANDING };
    check(how, |_| {}, (State::default(), ObjectKind::Creature), Encounter::Notices);
    check(how, |_| {}, (State::default(), ObjectKind::Thing), Encounter::Collides);
}

#[test]
fn an_ethereal_door_is_noticed_and_not_in_the_way() {
    let door = (State::ETHEREAL, ObjectKind::Thing);
    check(STANDING, |_| {}, door, Encounter::Notices);
    check(AIRBORNE, |_| {}, door, Encounter::Notices);
    // Not in a step down, and not where it wants none of it.
    check(TestSetup { down: Some(0.6), ..STANDING }, |_| {}, door, Encounter::Passes);
    let silent = (State::ETHEREAL.with(State::IGNORE_COLLISIONS, true), ObjectKind::Thing);
    check(STANDING, |_| {}, silent, Encounter::Passes);
}

#[test]
fn a_ghost_passes_all_but_what_never_moves() {
    let ghost = |mover: &mut Mover| mover.state = mover.state.with(State::ETHEREAL, true);
    check(STANDING, ghost, (State::default(), ObjectKind::Thing), Encounter::Notices);
    check(AIRBORNE, ghost, (State::STATIC, ObjectKind::None), Encounter::Environment);
}

#[test]
fn what_was_run_into_before_is_forgotten_with_an_ethereal_door() {
    let world = world(State::ETHEREAL, ObjectKind::Thing);
    let mut stage = Fixture::new(&world, STANDING);
    let mut t = stage.begin(place(VOID, [1.2, 0.0, 0.0]), place(VOID, [0.9, 0.0, 0.0]));
    t.contact.hit.set(threshold_land::glam::Vec3::X);
    assert_eq!(t.find_obstacle_collisions(world.body(BODY).unwrap()), Insert::Ok);
    assert!(!t.contact.hit.valid);
}

#[test]
fn a_step_down_onto_an_object_does_not_count_as_touching_it() {
    let world = world(State::default(), ObjectKind::Thing);
    let mut stage = Fixture::new(&world, TestSetup { down: Some(0.6), ..AIRBORNE });
    let deep = place(VOID, [0.2, 0.0, 1.2]);
    let mut t = stage.begin(deep, deep);
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.find_obstacle_collisions(world.body(BODY).unwrap());
    before.check((&t, got), (Collided, &[] as &[Expected]), "too far down");
    assert!(t.contact.objects.is_empty());
}

#[test]
fn an_object_is_noted_once() {
    let world = world(State::default(), ObjectKind::Thing);
    let mut stage = Fixture::new(&world, STANDING);
    let mut t = stage.begin(place(VOID, [1.2, 0.0, 0.0]), place(VOID, [0.9, 0.0, 0.0]));
    t.contact.add_object(OTHER, false);
    for _ in 0..2 {
        let _ = t.find_obstacle_collisions(world.body(BODY).unwrap());
        t.contact.add_object(OTHER, true);
    }
    let touched = |object, blocking| TouchedObject { object, blocking };
    let want = [touched(OTHER, false), touched(ObjectId::body(BODY), true)];
    assert_eq!(t.contact.objects[..], want);
}
