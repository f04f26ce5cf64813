use threshold_forge::{MOVER, samples};
use threshold_land::{CellId, Plane, Position};
use threshold_world::{BodySpec, Builder, ObjectKind, PieceId};

use super::commit::MISSILE_FLAGS;
use super::*;
use crate::outcome::{Refusal, TouchedObject};
use crate::sweep::{SweepScratch, Sweeper};

const WEST: CellId = CellId(0x0102_0100);
const EAST: CellId = CellId(0x0102_0101);
const BODY: BodyId = BodyId(3);
const OTHER: BodyId = BodyId(4);

/// Two rooms, and a body in each.
fn world(state: State, other: State) -> World {
    let builder = Builder::new(samples::two_rooms().unwrap());
    let mut world = World::new();
    for room in [WEST, EAST] {
        world.adopt(builder.build(PieceId::Room(room)).unwrap().unwrap().piece);
    }
    for (body, x, state) in [(BODY, 2.0, state), (OTHER, 6.0, other)] {
        world.insert(BodySpec {
            body,
            setup: builder.setup(MOVER).unwrap(),
            position: Position::new(if x < 4.0 { WEST } else { EAST }, Vec3::new(x, 2.0, 0.0)),
            scale: 1.0,
            state,
            kind: ObjectKind::Thing,
        });
    }
    world
}

/// The outcome of a sweep without movement or collision.
fn outcome(world: &World) -> Outcome {
    let body = Body::new(BODY);
    let (mover, at) = (body.mover(world).unwrap(), *world.body(BODY).unwrap().position());
    Sweeper::new(world).sweep(&mut SweepScratch::new(), &mut (), &mover, &at, &at)
}

fn ground(z: f32) -> Stance {
    let normal = Vec3::new((1.0 - z * z).sqrt(), 0.0, z);
    Stance::on(Plane { normal, d: 0.0 }, WEST)
}

/// A body that meets a surface.
#[derive(Clone, Copy, Debug)]
struct Impact {
    velocity: [f32; 3],
    elasticity: f32,
    state: State,
    /// Whether it stood on walkable ground before and after.
    walks: [bool; 2],
}

const FALLING: Impact = Impact {
    velocity: [0.0, 0.0, -5.0],
    elasticity: DEFAULT_ELASTICITY,
    state: State::GRAVITY,
    walks: [false, true],
};

#[track_caller]
fn check_bounce(impact: Impact, normal: [f32; 3], want: [f32; 3]) {
    let world = world(impact.state, State::default());
    let [before, after] =
        impact.walks.map(|walks| if walks { ground(1.0) } else { Stance::default() });
    let outcome = Outcome { hit: Some(normal.into()), stance: after, ..outcome(&world) };
    let mut body = Body {
        velocity: impact.velocity.into(),
        elasticity: impact.elasticity,
        stance: after,
        ..Body::new(BODY)
    };
    body.bounce(&outcome, &before, impact.state);
    let error = (body.velocity - Vec3::from(want)).abs().max_element();
    assert!(error <= 1e-5, "{impact:?} on {normal:?}: {} instead of {want:?}", body.velocity);
}

#[test]
fn bounces_match_worked_examples() {
    let (up, wall) = ([0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]);
    check_bounce(FALLING, up, [0.0, 0.0, 0.25]);
    let in_the_air = Impact { walks: [false; 2], ..FALLING };
    let at_wall = Impact { velocity: [4.0, 0.0, -3.0], ..in_the_air };
    check_bounce(at_wall, wall, [-0.2, 0.0, -3.0]);
    let springy = Impact { velocity: [4.0, 3.0, 0.0], elasticity: 0.1, ..in_the_air };
    check_bounce(springy, [-0.6, -0.8, 0.0], [0.832, -1.224, 0.0]);
    let leaving = Impact { velocity: [-4.0, 0.0, 0.0], ..in_the_air };
    check_bounce(leaving, wall, [-4.0, 0.0, 0.0]);
    let walking = Impact { walks: [true; 2], ..at_wall };
    check_bounce(walking, wall, [4.0, 0.0, -3.0]);
    let sled = Impact { state: State::SLEDDING, ..walking };
    check_bounce(sled, wall, [-0.2, 0.0, -3.0]);
    let lead = Impact { state: State::INELASTIC, ..at_wall };
    check_bounce(lead, wall, [0.0; 3]);
}

#[test]
fn a_body_that_falls_without_moving_twice_is_stopped_and_does_not_bounce() {
    let world = world(State::GRAVITY, State::default());
    for (count, want) in [(0, 0.25), (1, 0.25), (2, 0.0), (3, 0.0)] {
        let mut body = Body { velocity: Vec3::NEG_Z * 5.0, ..Body::new(BODY) };
        let outcome = Outcome { hit: Some(Vec3::Z), stationary_fall: count, ..outcome(&world) };
        body.bounce(&outcome, &Stance::default(), State::GRAVITY);
        assert_eq!(body.velocity, Vec3::Z * want, "{count}");
    }
}

/// Commits an outcome with this stance and returns the events.
fn stand(world: &mut World, body: &mut Body, stance: Stance) -> Events {
    let outcome = Outcome { stance, ..outcome(world) };
    let events = commit(world, body, &outcome).unwrap();
    assert_eq!(body.stance, stance);
    events
}

#[test]
fn landing_and_leaving_ground_are_reported_once() {
    let (mut world, mut body) = (world(State::GRAVITY, State::default()), Body::new(BODY));
    assert!(stand(&mut world, &mut body, ground(0.66)).is_empty());
    assert!(body.stance.contact && !body.stance.on_walkable);
    let landed = [Event::Landed { speed: 0.0 }, Event::Collided(Obstacle::Environment)];
    assert_eq!(stand(&mut world, &mut body, ground(0.67))[..], landed);
    assert!(body.stance.contact && body.stance.on_walkable);
    assert!(stand(&mut world, &mut body, ground(0.67)).is_empty());
    assert_eq!(stand(&mut world, &mut body, Stance::default())[..], [Event::LeftGround]);
    assert!(stand(&mut world, &mut body, Stance::default()).is_empty(), "only once");
}

#[test]
fn a_commit_moves_the_body_to_the_end_of_the_sweep() {
    let (mut world, mut body) = (world(State::GRAVITY, State::default()), Body::new(BODY));
    let position = Position::new(EAST, Vec3::new(5.0, 2.0, 0.0));
    let outcome = Outcome { position, cell: Some(EAST), ..outcome(&world) };
    let events = commit(&mut world, &mut body, &outcome).unwrap();
    assert_eq!(events[..], [Event::CellChanged { from: Some(WEST), to: Some(EAST) }]);
    assert_eq!(*world.body(BODY).unwrap().position(), position);
}

#[test]
fn a_refused_sweep_changes_nothing_but_can_stop_the_body() {
    let mut world = world(State::GRAVITY, State::default());
    let mut body = Body { velocity: Vec3::X, stance: ground(1.0), ..Body::new(BODY) };
    let (before, at) = (body.stance, *world.body(BODY).unwrap().position());
    for (velocity_stopped, want) in [(false, Vec3::X), (true, Vec3::ZERO)] {
        let refused = Some(Refusal::NothingLeft);
        let outcome = Outcome { refused, velocity_stopped, ..outcome(&world) };
        assert!(commit(&mut world, &mut body, &outcome).unwrap().is_empty());
        assert_eq!((body.velocity, body.stance), (want, before));
        assert_eq!(*world.body(BODY).unwrap().position(), at);
    }
}

#[test]
fn a_body_that_no_cell_contains_is_lost_where_it_is() {
    let (mut world, mut body) = (world(State::GRAVITY, State::default()), Body::new(BODY));
    let position = Position::new(WEST, Vec3::new(-9.0, 2.0, 0.0));
    let outcome = Outcome { position, cell: None, ..outcome(&world) };
    let events = commit(&mut world, &mut body, &outcome).unwrap();
    assert_eq!(
        events[..],
        [Event::CellChanged { from: Some(WEST), to: None }, Event::Lost { from: WEST }]
    );
    let object = world.body(BODY).unwrap();
    assert!(object.is_lost() && *object.position() == position);
    assert!(body.mover(&world).unwrap().lost);
    world.remove(BODY).unwrap();
    assert_eq!(commit(&mut world, &mut body, &outcome), Err(UnknownBody(BODY)));
}

/// Checks the state of a missile after it has touched an object of this state.
#[track_caller]
fn check_missile(other: State, environment: bool, want: State) {
    let flight = MISSILE_FLAGS.with(State::GRAVITY, true);
    let (mut world, mut body) = (world(flight, other), Body::new(BODY));
    let object = ObjectId::body(OTHER);
    let mut outcome = Outcome { hit_environment: environment, ..outcome(&world) };
    if !environment {
        outcome.objects.push(TouchedObject { object, blocking: true });
    }
    let events = commit(&mut world, &mut body, &outcome).unwrap();
    let obstacle = if environment { Obstacle::Environment } else { Obstacle::Object(object) };
    let reported: &[Event] = match other.has(State::IGNORE_COLLISIONS) {
        true => &[],
        false => &[Event::Collided(obstacle)],
    };
    assert_eq!(&events[..], reported, "{other:?}");
    assert_eq!(world.body(BODY).unwrap().state(), want, "{other:?}");
}

#[test]
fn a_missile_loses_its_flags_when_a_hit_is_reported() {
    check_missile(State::default(), false, State::GRAVITY);
    check_missile(State::default(), true, State::GRAVITY);
    let flight = MISSILE_FLAGS.with(State::GRAVITY, true);
    check_missile(State::IGNORE_COLLISIONS, false, flight);
}

#[test]
fn contact_with_walls_is_reported_once() {
    let (mut world, mut body) = (world(State::GRAVITY, State::default()), Body::new(BODY));
    let reported = |events: Events| events.contains(&Event::Collided(Obstacle::Environment));
    for (environment, want) in
        [(true, true), (true, false), (false, false), (false, false), (true, true)]
    {
        let outcome = Outcome { hit_environment: environment, ..outcome(&world) };
        let events = commit(&mut world, &mut body, &outcome).unwrap();
        assert_eq!((reported(events), body.colliding_with_environment), (want, environment));
    }
}

#[test]
fn a_hidden_body_is_not_reported_until_it_is_shown_again() {
    let reported = State::REPORT_COLLISIONS;
    let mut world = world(State::GRAVITY, reported);
    let (mut body, mut other) = (Body::new(BODY), Body::new(OTHER));
    let object = ObjectId::body(OTHER);
    let mut touch = |world: &mut World| {
        let mut outcome = outcome(world);
        outcome.objects.push(TouchedObject { object, blocking: true });
        commit(world, &mut body, &outcome).unwrap().to_vec()
    };
    other.collisions.record(ObjectId::body(BODY), 0.0, false);
    let parted = other.set_hidden(&mut world, true).unwrap();
    assert_eq!(parted[..], [Event::Parted(ObjectId::body(BODY))]);
    let hidden = State::HIDDEN.with(State::IGNORE_COLLISIONS, true);
    assert_eq!(world.body(OTHER).unwrap().state(), hidden);
    assert!(touch(&mut world).is_empty());
    assert!(other.set_hidden(&mut world, true).unwrap().is_empty(), "it is hidden already");
    assert!(other.set_hidden(&mut world, false).unwrap().is_empty());
    assert_eq!(world.body(OTHER).unwrap().state(), reported);
    assert_eq!(touch(&mut world), [Event::Collided(Obstacle::Object(object))]);
    assert!(touch(&mut world).is_empty(), "once");
}

#[test]
fn the_impact_speed_is_taken_before_the_sweep_stops_the_body() {
    let (mut world, mut body) = (world(State::GRAVITY, State::default()), Body::new(BODY));
    body.velocity = Vec3::NEG_Z * 5.0;
    let outcome = Outcome { stance: ground(1.0), velocity_stopped: true, ..outcome(&world) };
    let events = commit(&mut world, &mut body, &outcome).unwrap();
    assert_eq!(events[0], Event::Landed { speed: 5.0 });
    assert_eq!(body.velocity, Vec3::ZERO);
}

/// Retail tests twice per commit, the first time with the old stance.
#[test]
fn ground_stops_a_spin_even_where_it_has_just_become_too_steep() {
    let spin_after = |before: Stance, after: Stance| {
        let mut world = world(State::GRAVITY, State::default());
        let mut body = Body { spin: Vec3::Z, stance: before, ..Body::new(BODY) };
        let outcome = Outcome { stance: after, ..outcome(&world) };
        commit(&mut world, &mut body, &outcome).unwrap();
        body.spin
    };
    assert_eq!(spin_after(ground(1.0), ground(0.5)), Vec3::ZERO);
    assert_eq!(spin_after(Stance::default(), ground(1.0)), Vec3::ZERO);
    assert_eq!(spin_after(Stance::default(), ground(0.5)), Vec3::Z);
    assert_eq!(spin_after(ground(1.0), Stance::default()), Vec3::Z);
}

#[test]
fn an_obstacle_to_the_placement_of_a_missile_is_reported() {
    for refusal in [Refusal::NoRoom, Refusal::MovedAway] {
        let flight = MISSILE_FLAGS.with(State::GRAVITY, true);
        let (mut world, mut body) = (world(flight, State::default()), Body::new(BODY));
        let at = *world.body(BODY).unwrap().position();
        let outcome = Outcome { refused: Some(refusal), hit_environment: true, ..outcome(&world) };
        let events = commit(&mut world, &mut body, &outcome).unwrap();
        assert_eq!(events[..], [Event::Collided(Obstacle::Environment)], "{refusal:?}");
        let object = world.body(BODY).unwrap();
        assert_eq!((object.state(), *object.position()), (State::GRAVITY, at), "{refusal:?}");
    }
}
