//! Objects that block, and objects that let pass.

use threshold_world::{BodyId, BodySpec, ObjectId, ObjectKind, PlayerStatus, State, World};

use super::fixture::{
    AIRBORNE, ExpectedChange, Fixture, ObservedState, STANDING, TestSetup, VOID, new_void, pillar,
    place, setup,
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

/// Result of running into an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encounter {
    /// Passes without a report.
    Passes,
    /// Passes and reports it.
    Reports,
    /// Is blocked by the object.
    Collides,
    /// Is blocked, and the object counts as environment.
    Environment,
}

#[track_caller]
fn check(
    test: TestSetup,
    prepare: impl FnOnce(&mut Mover),
    (state, kind): (State, ObjectKind),
    want: Encounter,
) {
    let world = world(state, kind);
    let mut stage = Fixture::new(&world, test);
    prepare(&mut stage.mover);
    let mover = stage.mover;
    let mut t = stage.begin(place(VOID, [1.2, 0.0, 0.0]), place(VOID, [0.9, 0.0, 0.0]));
    let answer = t.find_obstacle_collisions(world.body(BODY).unwrap());
    let touched = t.contact.objects.first().copied();
    let got = match (answer, touched, t.contact.hit_environment) {
        (Insert::Ok, None, false) => Encounter::Passes,
        (Insert::Ok, Some(TouchedObject { blocking: false, .. }), false) => Encounter::Reports,
        (Insert::Ok, ..) => panic!("{touched:?}"),
        (_, Some(TouchedObject { blocking: true, .. }), false) => Encounter::Collides,
        (_, None, true) => Encounter::Environment,
        (..) => panic!("{answer:?}, {touched:?}"),
    };
    let input = || format!("{:?} {:?} meets {state:?} {kind:?}", mover.state, mover.kind);
    assert_eq!(got, want, "{}", input());
    assert!(touched.is_none_or(|touched| touched.object == ObjectId::body(BODY)), "{}", input());
    assert!(got != Encounter::Reports || !t.contact.hit.valid, "{}", input());
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
fn players_collide_with_players_they_may_fight() {
    use PlayerStatus::{Free, Killer, KillerLite, Peaceful};
    check_players(Peaceful, Peaceful, Encounter::Passes);
    check_players(Peaceful, Free, Encounter::Collides);
    check_players(Free, Free, Encounter::Collides);
    check_players(Killer, Killer, Encounter::Collides);
    check_players(KillerLite, KillerLite, Encounter::Collides);
    check_players(Killer, KillerLite, Encounter::Passes);
    check_players(Killer, Peaceful, Encounter::Passes);
    // The rules for players apply to players only.
    let kind = ObjectKind::Player(Peaceful);
    let creature = (State::default(), ObjectKind::Creature);
    check(STANDING, |mover| mover.kind = kind, creature, Encounter::Collides);
}

#[test]
fn missiles_pass_each_other_and_creatures_that_are_not_their_target() {
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
    // An ethereal thing is reported only as the target.
    let ethereal = (State::ETHEREAL, ObjectKind::Thing);
    check(AIRBORNE, aimed(other), ethereal, Encounter::Passes);
    check(AIRBORNE, aimed(None), ethereal, Encounter::Passes);
    check(AIRBORNE, aimed(own), ethereal, Encounter::Reports);
    let scenery = (State::STATIC, ObjectKind::None);
    check(AIRBORNE, aimed(other), scenery, Encounter::Environment);
    // Objects without kind are not ignored by missiles.
    check(AIRBORNE, aimed(other), (State::ETHEREAL, ObjectKind::None), Encounter::Reports);
}

#[test]
fn a_camera_passes_creatures() {
    let camera = TestSetup { flags: Flags::VIEWER | Flags::PATH_CLIPPED, ..AIRBORNE };
    check(camera, |_| {}, (State::default(), ObjectKind::Creature), Encounter::Passes);
    check(camera, |_| {}, (State::default(), ObjectKind::Thing), Encounter::Collides);
}

#[test]
fn a_mover_that_ignores_creatures_still_reports_them() {
    let test = TestSetup { flags: Flags::CONTACT | Flags::IGNORE_CREATURES, ..STANDING };
    check(test, |_| {}, (State::default(), ObjectKind::Creature), Encounter::Reports);
    check(test, |_| {}, (State::default(), ObjectKind::Thing), Encounter::Collides);
}

#[test]
fn an_ethereal_door_is_reported_and_does_not_block() {
    let door = (State::ETHEREAL, ObjectKind::Thing);
    check(STANDING, |_| {}, door, Encounter::Reports);
    check(AIRBORNE, |_| {}, door, Encounter::Reports);
    // Not reported in a step down, and not with `IGNORE_COLLISIONS`.
    check(TestSetup { down: Some(0.6), ..STANDING }, |_| {}, door, Encounter::Passes);
    let silent = (State::ETHEREAL.with(State::IGNORE_COLLISIONS, true), ObjectKind::Thing);
    check(STANDING, |_| {}, silent, Encounter::Passes);
}

#[test]
fn an_ethereal_mover_passes_all_but_static_objects() {
    let ethereal = |mover: &mut Mover| mover.state = mover.state.with(State::ETHEREAL, true);
    check(STANDING, ethereal, (State::default(), ObjectKind::Thing), Encounter::Reports);
    check(AIRBORNE, ethereal, (State::STATIC, ObjectKind::None), Encounter::Environment);
}

#[test]
fn an_ethereal_door_clears_an_earlier_hit() {
    let world = world(State::ETHEREAL, ObjectKind::Thing);
    let mut stage = Fixture::new(&world, STANDING);
    let mut t = stage.begin(place(VOID, [1.2, 0.0, 0.0]), place(VOID, [0.9, 0.0, 0.0]));
    t.contact.hit.set(threshold_land::vector::Vec3::X);
    assert_eq!(t.find_obstacle_collisions(world.body(BODY).unwrap()), Insert::Ok);
    assert!(!t.contact.hit.valid);
}

#[test]
fn a_step_down_onto_an_object_does_not_report_it() {
    let world = world(State::default(), ObjectKind::Thing);
    let mut stage = Fixture::new(&world, TestSetup { down: Some(0.6), ..AIRBORNE });
    let deep = place(VOID, [0.2, 0.0, 1.2]);
    let mut t = stage.begin(deep, deep);
    let before = ObservedState::new(&t, Insert::Ok);
    let got = t.find_obstacle_collisions(world.body(BODY).unwrap());
    before.check((&t, got), (Collided, &[] as &[ExpectedChange]), "too far down");
    assert!(t.contact.objects.is_empty());
}

#[test]
fn an_object_is_listed_once() {
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
