//! Missiles and collisions: what a body runs into, and the events it gets.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::RecordId;
use threshold_forge::ObjectSpec;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame, Rotation};
use threshold_motion::{Event, Gait, MoveContext, Obstacle, Search};
use threshold_testkit::{FEET, MOVER, WALKER, Walk, layouts::plain};
use threshold_world::{BodyId, BodySpec, ObjectId, ObjectKind, State};

const BLOCK: BlockId = BlockId(0xA9B4);
const LAND: u32 = 0xA9B4_0001;
const TICK: f32 = 1.0 / 30.0;
/// A ball of 10 cm.
const ARROW: RecordId = RecordId(0x0200_0002);
/// State bits that only a missile has.
const FLIGHT: State = State(0x340);
const OTHER: BodyId = BodyId(5);
/// A third body.
const THIRD: BodyId = BodyId(6);

/// Level ground with a wall along x = 20.
fn range() -> Walk {
    let mut forge = plain(&[]);
    assert_eq!(forge.object(ObjectSpec::Ball { radius: 0.1 }), ARROW);
    let wall = forge.object(ObjectSpec::cuboid([1.0, 20.0, 5.0]));
    forge.block(BLOCK).put(wall, Frame::at(Vec3::new(20.5, 12.0, 0.0)));
    Walk::from_source(forge.finish().unwrap())
}

/// Shoots an arrow.
fn shoot(walk: &mut Walk, at: [f32; 3], velocity: Vec3) {
    let spec = walk.spec(LAND, at);
    let setup = walk.builder.setup(ARROW).unwrap();
    let state = FLIGHT.with(State::REPORT_COLLISIONS, true);
    walk.put(BodySpec { setup, state, kind: ObjectKind::Thing, ..spec });
    walk.body.set_velocity(velocity, 0.0);
}

fn tick(walk: &mut Walk) -> Vec<Event> {
    walk.body
        .step(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), TICK)
        .unwrap()
        .to_vec()
}

fn state(walk: &Walk) -> State {
    walk.world.body(WALKER).unwrap().state()
}

#[track_caller]
fn check_facing(walk: &Walk, direction: Vec3) {
    let rows = walk.position().frame.rotation.rows();
    let ahead = rows.to_global(Vec3::Y);
    assert!(ahead.distance(direction.normalize()) < 1e-3, "{ahead} instead of {direction}");
    assert!(rows.to_global(Vec3::X).z.abs() < 1e-4, "upright");
}

#[test]
fn a_missile_without_gravity_flies_straight_and_points_ahead() {
    for velocity in [[4.0, 1.5, 1.0], [-2.0, 3.0, -1.0], [0.0, -4.0, 0.5], [0.0, 0.0, 6.0]] {
        let (mut walk, velocity) = (range(), Vec3::from(velocity));
        shoot(&mut walk, [12.0, 12.0, 10.0], velocity);
        for number in 1_u8..60 {
            assert_eq!(tick(&mut walk), []);
            let want = Vec3::new(12.0, 12.0, 10.0) + velocity * TICK * f32::from(number);
            assert!(walk.at().distance(want) < 1e-3, "{} instead of {want}", walk.at());
            assert_eq!(walk.body.velocity, velocity);
            check_facing(&walk, velocity);
        }
        assert!(state(&walk).has(FLIGHT));
    }
}

#[test]
fn an_arrow_that_falls_tips_over() {
    let mut walk = range();
    shoot(&mut walk, [2.0, 12.0, 1.0], Vec3::new(6.0, 2.0, 5.0));
    walk.world.set_state(WALKER, state(&walk).with(State::GRAVITY, true)).unwrap();
    for _ in 0..30 {
        let at = walk.at();
        assert_eq!(tick(&mut walk), []);
        check_facing(&walk, walk.at() - at);
    }
    assert!(walk.body.velocity.z < -4.0);
}

#[test]
fn a_missile_that_hits_a_wall_is_no_longer_a_missile() {
    let mut walk = range();
    shoot(&mut walk, [15.0, 12.0, 2.0], Vec3::new(12.0, 3.0, 0.0));
    let mut events = Vec::new();
    while events.is_empty() {
        assert!(state(&walk).has(FLIGHT));
        events = tick(&mut walk);
    }
    assert_eq!(events, [Event::Collided(Obstacle::Environment)]);
    assert_eq!(state(&walk), State::REPORT_COLLISIONS, "and nothing else has changed");
    assert!((19.3..=19.901).contains(&walk.at().x), "{}", walk.at());
    let bounced = Vec3::new(-0.6, 3.0, 0.0);
    assert!(walk.body.velocity.distance(bounced) < 1e-3, "{}", walk.body.velocity);
    // It no longer turns with its movement.
    let rotation = walk.position().frame.rotation;
    for _ in 0..10 {
        let _ = tick(&mut walk);
    }
    assert_eq!(walk.position().frame.rotation, rotation);
}

/// What becomes of an arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// It hits the object.
    Hits,
    /// It reports the object and flies on.
    Passes,
    /// It does not report the object.
    Ignores,
}

/// Shoots at an object in front of a wall.
#[track_caller]
fn check_aimed(target: Option<BodyId>, kind: ObjectKind, other: State, want: Fate) {
    let mut walk = range();
    let setup = walk.builder.setup(MOVER).unwrap();
    let spec = walk.spec(LAND, [14.0, 12.0, FEET]);
    walk.world.insert(BodySpec { body: OTHER, setup, kind, state: other, ..spec });
    shoot(&mut walk, [11.0, 12.0, 0.6], Vec3::X * 12.0);
    walk.body.target = target.map(ObjectId::body);
    let mut events = Vec::new();
    for _ in 0..9 {
        events.extend(tick(&mut walk));
    }
    let wall = Event::Collided(Obstacle::Environment);
    let expected = match want {
        Fate::Hits if other.has(State::STATIC) => vec![wall],
        Fate::Hits => vec![Event::Collided(Obstacle::Object(ObjectId::body(OTHER)))],
        Fate::Passes => vec![Event::Passed(ObjectId::body(OTHER))],
        Fate::Ignores => vec![],
    };
    events.retain(|event| !matches!(event, Event::Parted(_)));
    let case = format!("{target:?} at {kind:?} {other:?}");
    assert_eq!(events, expected, "{case}");
    assert_eq!(state(&walk).has(FLIGHT), want == Fate::Ignores, "{case}");
    assert_eq!(walk.at().x > 14.5, want != Fate::Hits, "{case}: {}", walk.at());
}

#[test]
fn an_arrow_passes_creatures_that_are_not_its_target() {
    use Fate::{Hits, Ignores, Passes};
    let (creature, thing, solid) = (ObjectKind::Creature, ObjectKind::Thing, State::default());
    check_aimed(None, creature, solid, Hits);
    check_aimed(None, thing, solid, Hits);
    check_aimed(Some(OTHER), creature, solid, Hits);
    check_aimed(Some(THIRD), creature, solid, Ignores);
    check_aimed(Some(THIRD), thing, solid, Hits);
    check_aimed(Some(THIRD), ObjectKind::None, solid, Hits);
    check_aimed(Some(THIRD), ObjectKind::Player(Default::default()), solid, Ignores);
    // Ethereal objects.
    check_aimed(None, thing, State::ETHEREAL, Ignores);
    check_aimed(Some(THIRD), thing, State::ETHEREAL, Ignores);
    check_aimed(Some(OTHER), creature, State::ETHEREAL, Passes);
    check_aimed(None, ObjectKind::None, State::ETHEREAL, Passes);
    // Other missiles, and static objects.
    check_aimed(None, thing, State::MISSILE, Ignores);
    check_aimed(Some(OTHER), thing, State::MISSILE, Ignores);
    check_aimed(Some(THIRD), thing, State::STATIC, Hits);
}

/// Returns a mover that walks east towards a standing one.
fn encounter(other: State) -> Walk {
    let mut walk = range();
    walk.add_creature(OTHER.0, MOVER.0, (LAND, [14.0, 12.0, FEET]));
    walk.world.set_state(OTHER, other).unwrap();
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]).body.gait = Some(Gait::walk());
    walk.world.turn(WALKER, Rotation::from_heading(90.0)).unwrap();
    walk
}

/// O14.
#[test]
fn a_collision_is_reported_once_and_again_after_a_second_apart() {
    let (mut walk, other) = (encounter(State::default()), ObjectId::body(OTHER));
    let met = Event::Collided(Obstacle::Object(other));
    let events: Vec<Event> = (0..120).flat_map(|_| tick(&mut walk)).collect();
    assert_eq!(events, [met], "once in four seconds");
    assert_eq!(walk.body.collisions.objects().collect::<Vec<_>>(), [other]);
    // Back, for less than a second, and there again.
    let go = |walk: &mut Walk, heading: f32, ticks: usize| {
        walk.world.turn(WALKER, Rotation::from_heading(heading)).unwrap();
        (0..ticks).flat_map(|_| tick(walk)).collect::<Vec<Event>>()
    };
    let mut walk = encounter(State::default());
    assert_eq!(go(&mut walk, 90.0, 12), [met]);
    assert_eq!(go(&mut walk, 270.0, 10), []);
    assert_eq!(go(&mut walk, 90.0, 15), []);
    // For longer.
    let left = walk.body.clock;
    walk.world.turn(WALKER, Rotation::from_heading(270.0)).unwrap();
    let mut parted = Vec::new();
    while parted.is_empty() {
        parted = tick(&mut walk);
    }
    assert_eq!(parted, [Event::Parted(other)]);
    let since = walk.body.clock - left;
    assert!((0.8..1.1).contains(&since), "after {since} s");
    assert_eq!(walk.body.collisions.objects().count(), 0);
    assert_eq!(go(&mut walk, 90.0, 60), [met], "and again");
}

#[test]
fn an_overlap_is_reported_when_it_begins_and_when_it_ends() {
    let (mut walk, other) = (encounter(State::ETHEREAL), ObjectId::body(OTHER));
    let mut events = Vec::new();
    for _ in 0..50 {
        let new = tick(&mut walk);
        events.extend(new.into_iter().map(|event| (event, walk.at().x)));
    }
    let [(Event::Passed(first), enters), (Event::Parted(last), leaves)] = events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((first, last), (other, other));
    // Their spheres touch within 0.96 m, and a tick is 0.1 m.
    assert!((enters - 13.04).abs() < 0.11 && (leaves - 14.96).abs() < 0.22, "{events:?}");
}

/// It is aimed past its archer, which stands where it starts.
#[test]
fn an_aimed_arrow_enters_the_world_where_its_archer_stands() {
    for (target, search, ok) in [
        (Some(ObjectId::body(OTHER)), Search::Here, true),
        (Some(ObjectId::body(THIRD)), Search::Here, false),
        (None, Search::Here, false),
    ] {
        let mut walk = range();
        let archer = walk.spec(LAND, [12.0, 12.0, FEET]);
        let kind = ObjectKind::Creature;
        walk.world.insert(BodySpec { body: THIRD, kind, ..archer });
        let spec = walk.spec(LAND, [12.0, 12.0, 1.0]);
        let setup = walk.builder.setup(ARROW).unwrap();
        let spec = BodySpec { setup, state: FLIGHT, kind: ObjectKind::Thing, ..spec };
        walk.body.target = target;
        walk.body.stance.contact = true;
        let Walk { world, rules, scratch, body, .. } = &mut walk;
        let (outcome, _) =
            body.enter(&mut MoveContext::new(world, *rules, scratch), spec, search, 3.0);
        assert_eq!(outcome.is_ok(), ok, "{target:?}: {outcome:?}");
        // A refused body is unchanged.
        assert_eq!((body.stance.contact, body.clock), (!ok, if ok { 3.0 } else { 0.0 }));
    }
}
