//! Bodies through time: walking, jumping and landing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::ObjectSpec;
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation};
use threshold_motion::{
    Event, Events, Gait, Gate, Jump, JumpRefusal, MoveContext, Obstacle, Refusal, SweepScratch,
    Sweeper,
};
use threshold_testkit::{
    FEET, WALKER, WALKER_STATE, Walk,
    clock::{BLOCK, TICK, check_near, face, level, set_state, tick, update},
    layouts::{A, plain, row},
};
use threshold_world::{BodySpec, ObjectKind, State, UnknownBody};

const LAND: u32 = 0xA9B4_0001;

/// Runs frames at a rate for a number of seconds; the gate decides when physics runs.
fn frames(walk: &mut Walk, rate: u32, seconds: u32) -> Vec<Event> {
    let (mut gate, begin) = (Gate::new(), walk.body.clock);
    let mut events = Vec::new();
    for frame in 0..=rate * seconds {
        let now = begin + f64::from(frame) / f64::from(rate);
        if gate.opens(now) {
            events.extend(update(walk, now).events);
        }
    }
    events
}

/// Returns a vector of a length in metres along a heading.
fn ahead(heading: f32, metres: f32) -> Vec3 {
    let angle = heading.to_radians();
    Vec3::new(libm::sinf(angle), libm::cosf(angle), 0.0) * metres
}

#[test]
fn a_walking_body_covers_the_distance_of_its_gait() {
    let gaits = [
        (Gait::walk(), 3.12),
        (Gait::run(1.0), 4.0),
        (Gait::run(2.85), 11.4),
        (Gait { forward: -0.65, ..Gait::walk() }, -2.028),
    ];
    for (gait, speed) in gaits {
        for (rate, heading) in [(60, 0.0), (144, 90.0), (60, 215.0), (144, 33.0)] {
            let mut walk = level();
            walk.put_on_ground(LAND + 36, [110.0, 110.0, FEET]).body.gait = Some(gait);
            face(&mut walk, heading);
            let events = frames(&mut walk, rate, 5);
            let only_moved = events.iter().all(|event| matches!(event, Event::CellChanged { .. }));
            assert!(only_moved && walk.body.stance.on_walkable, "{events:?}");
            // The last frames of a second may wait for the next tick.
            let elapsed = walk.body.clock as f32;
            assert!((5.0 - elapsed).abs() < 0.034, "{elapsed} s at {rate} Hz");
            let want = Vec3::new(110.0, 110.0, FEET) + ahead(heading, speed * elapsed);
            check_near(walk.at(), want, 2e-3, &format!("{gait:?} to {heading} at {rate} Hz"));
            check_near(walk.body.actual_velocity, ahead(heading, speed), 1e-2, "actual velocity");
        }
    }
}

#[test]
fn a_sideways_gait_moves_the_body_sideways() {
    let mut walk = level();
    walk.put_on_ground(LAND + 36, [110.0, 110.0, FEET]);
    walk.body.gait = Some(Gait { sideways: 1.0, ..Gait::stand() });
    face(&mut walk, 90.0);
    frames(&mut walk, 60, 4);
    check_near(walk.at(), Vec3::new(110.0, 105.0, FEET), 2e-3, "to the right of east is south");
}

/// Runs in circles for twenty minutes.
#[test]
fn a_turning_body_stays_upright_and_its_rotation_normalised() {
    let mut walk = level();
    walk.put_on_ground(LAND + 36, [110.0, 110.0, FEET]);
    walk.body.gait = Some(Gait { turn: 90.0, ..Gait::run(2.0) });
    for number in 0..30 * 60 * 20 {
        let _ = tick(&mut walk);
        let rotation = walk.position().frame.rotation;
        let off = (rotation.dot(rotation) - 1.0).abs();
        assert!(off < 1e-6 && rotation.x == 0.0 && rotation.y == 0.0, "{number}: {rotation:?}");
    }
    // Twenty minutes are three hundred rounds.
    let heading = walk.position().frame.heading();
    assert!(heading.min(360.0 - heading) < 0.5, "{heading}");
    check_near(walk.at(), Vec3::new(110.0, 110.0, FEET), 0.5, "where it began");
    // To the right.
    let (before, _) = (walk.position().frame.heading(), tick(&mut walk));
    let turned = (walk.position().frame.heading() - before + 360.0) % 360.0;
    assert!((turned - 3.0).abs() < 1e-2, "{turned}");
}

/// A platform of 4 by 4 by 4 m, round (12, 12).
fn platform() -> Walk {
    let mut forge = plain(&[]);
    let id = forge.object(ObjectSpec::cuboid([4.0, 4.0, 4.0]));
    forge.block(BLOCK).put(id, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    Walk::from_source(forge.finish().unwrap())
}

#[test]
fn a_body_that_walks_off_an_edge_keeps_its_walking_speed() {
    for (gait, heading) in [
        (Gait::walk(), 90.0),
        (Gait::run(2.5), 0.0),
        (Gait::run(1.5), 200.0),
        (Gait { sideways: -1.0, ..Gait::walk() }, 305.0),
    ] {
        let mut walk = platform();
        walk.put_on_ground(LAND, [12.0, 12.0, 4.0 + FEET]).body.gait = Some(gait);
        set_state(&mut walk, WALKER_STATE.with(State::EDGE_SLIDE, false));
        face(&mut walk, heading);
        let mut events = tick(&mut walk);
        while events.is_empty() {
            assert_eq!(walk.body.velocity, Vec3::ZERO);
            events = tick(&mut walk);
        }
        assert_eq!(events[..], [Event::LeftGround]);
        let rows = walk.position().frame.rotation.rows();
        let want = rows.to_global(gait.velocity());
        assert_eq!(walk.body.velocity, want, "{gait:?}");
        let (at, _) = (walk.at(), tick(&mut walk));
        // From then on it falls, and its gait has no effect.
        let moved = want * TICK - Vec3::Z * 9.8 * 0.5 * TICK * TICK;
        check_near(walk.at() - at, moved, 1e-5, "first tick of the fall");
        check_near(walk.body.velocity, want - Vec3::Z * 9.8 * TICK, 1e-6, "falls");
    }
}

/// O15: a standing body that is pushed over an edge keeps the speed of the push.
#[test]
fn a_body_pushed_off_an_edge_keeps_its_speed() {
    let mut walk = platform();
    walk.put_on_ground(LAND, [13.9, 12.0, 4.0 + FEET]).body.gait = Some(Gait::stand());
    set_state(&mut walk, WALKER_STATE.with(State::EDGE_SLIDE, false));
    walk.body.set_velocity(Vec3::X * 6.0, 0.0);
    let mut events = tick(&mut walk);
    while events.is_empty() {
        events = tick(&mut walk);
    }
    assert_eq!(events[..], [Event::LeftGround]);
    assert!(walk.body.velocity.x > 3.0, "{}", walk.body.velocity);
}

#[test]
fn edge_sliding_movers_do_not_walk_off_edges() {
    let mut walk = platform();
    walk.put_on_ground(LAND, [12.0, 12.0, 4.0 + FEET]).body.gait = Some(Gait::walk());
    face(&mut walk, 70.0);
    for _ in 0..300 {
        assert!(!tick(&mut walk).contains(&Event::LeftGround));
    }
    assert!(walk.body.stance.on_walkable && walk.at().z > 3.99, "{}", walk.at());
}

/// Computes a jump on level ground from the formulas alone: height, distance, ticks, and speed of the
/// landing.
fn expected_jump(level: f64, up: f64) -> [f64; 4] {
    let (dt, mut z, mut speed) = (1.0 / 30.0, 0.0, [level, up]);
    let (mut top, mut ticks) = (0.0, 0.0);
    let mut far = 0.0;
    while ticks < 1.0 || z > 0.0002 {
        if speed[0] * speed[0] + speed[1] * speed[1] < 0.0627 {
            speed = [0.0; 2];
        }
        z += speed[1] * dt - 4.9 * dt * dt;
        far += speed[0] * dt;
        speed[1] -= 9.8 * dt;
        ticks += 1.0;
        top = f64::max(top, z);
    }
    [top, far, ticks, -speed[1]]
}

#[track_caller]
fn check_jump(gait: Gait, jump: Jump, heading: f32) {
    let mut walk = level();
    let start = Vec3::new(110.0, 110.0, FEET);
    walk.put_on_ground(LAND + 36, start.to_array()).body.gait = Some(gait);
    face(&mut walk, heading);
    let (extent, skill) = (f64::from(jump.extent), f64::from(jump.skill));
    let height = ((skill / (skill + 1300.0) * 22.2 + 0.05) * extent).max(0.35);
    let want = expected_jump(f64::from(gait.velocity().y), (19.6 * height).sqrt());
    let events = walk.body.jump(&walk.world, &jump, walk.body.clock).unwrap();
    assert_eq!(events[..], [Event::LeftGround]);
    let (mut top, mut ticks, mut impact) = (0.0, 0.0, None);
    while impact.is_none() {
        let events = tick(&mut walk);
        let landed = |event: &Event| match event {
            Event::Landed { speed } => Some(f64::from(*speed)),
            _ => None,
        };
        impact = events.iter().find_map(landed);
        (top, ticks) = (f64::max(top, f64::from(walk.at().z - FEET)), ticks + 1.0);
        assert_eq!(walk.body.stance.contact, impact.is_some(), "{ticks}: {:?}", walk.body.stance);
    }
    let way = walk.at() - start;
    let got = [top, f64::from(way.length()), ticks, impact.unwrap()];
    let near = got.iter().zip(want).all(|(a, b)| (a - b).abs() < 2e-3);
    assert!(near, "{gait:?}, {jump:?}: {got:?} instead of {want:?}");
    check_near(way, ahead(heading, way.length()), 2e-3, "straight on, and level");
}

#[test]
fn jump_height_and_distance_follow_gait_and_skill() {
    let skilled = |skill: f32| Jump { skill, ..Jump::default() };
    for (gait, skill, heading) in [
        (Gait::stand(), 58.1, 0.0),
        (Gait::walk(), 0.0, 90.0),
        (Gait::run(1.0), 100.0, 45.0),
        (Gait::run(2.5), 300.0, 300.0),
        (Gait::run(3.0), 100.0, 190.0),
    ] {
        check_jump(gait, skilled(skill), heading);
        check_jump(gait, Jump { extent: 0.4, ..skilled(skill) }, heading);
    }
    assert_eq!(expected_jump(0.0, 4.427_189)[2], 27.0, "as in the worked example");
}

#[test]
fn only_a_standing_creature_with_gravity_can_jump() {
    let jump = Jump { skill: 100.0, ..Jump::default() };
    let put = |kind: ObjectKind, state: State| {
        let mut walk = level();
        walk.put(BodySpec { kind, state, ..walk.spec(LAND, [12.0, 12.0, 1.0]) });
        walk
    };
    let thing = put(ObjectKind::Thing, WALKER_STATE).body.jump(&level().world, &jump, 0.0);
    assert_eq!(thing, Err(JumpRefusal::UnknownBody(UnknownBody(WALKER))), "in another world");
    for (kind, state, want) in [
        (ObjectKind::Thing, WALKER_STATE, JumpRefusal::Thing(WALKER)),
        (
            ObjectKind::Creature,
            WALKER_STATE.with(State::GRAVITY, false),
            JumpRefusal::NoGravity(WALKER),
        ),
        (ObjectKind::Creature, WALKER_STATE, JumpRefusal::NotStanding(WALKER)),
    ] {
        let mut walk = put(kind, state);
        assert_eq!(walk.body.jump(&walk.world, &jump, walk.body.clock), Err(want));
        assert_eq!(walk.body.velocity, Vec3::ZERO);
    }
    // Not twice, and not on ground that is too steep.
    let mut walk = level();
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]);
    assert!(walk.body.jump(&walk.world, &jump, walk.body.clock).is_ok());
    check_near(walk.body.velocity, Vec3::Z * 5.662_155, 1e-5, "up");
    assert_eq!(
        walk.body.jump(&walk.world, &jump, walk.body.clock),
        Err(JumpRefusal::NotStanding(WALKER))
    );
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]).body.stance.on_walkable = false;
    assert_eq!(
        walk.body.jump(&walk.world, &jump, walk.body.clock),
        Err(JumpRefusal::NotStanding(WALKER))
    );
    // An object without a kind has no skill: it jumps at a fixed speed.
    let mut walk = put(ObjectKind::None, WALKER_STATE);
    walk.body.stance = threshold_motion::Stance::standing();
    assert!(walk.body.jump(&walk.world, &jump, walk.body.clock).is_ok());
    assert_eq!(walk.body.velocity, Vec3::Z * 10.0);
}

/// Lets a body hit the ground at a speed. Returns it after two ticks, with the events of the second.
fn impact(speed: f32, state: State) -> (Walk, Events) {
    let mut walk = level();
    walk.put_in_air(LAND, [12.0, 12.0, FEET + 0.05]);
    set_state(&mut walk, state);
    walk.body.velocity = Vec3::Z * (9.8 * TICK - speed);
    let events = tick(&mut walk);
    let Some(Event::Landed { speed: reported }) = events.first() else { panic!("{events:?}") };
    assert!((reported - speed).abs() < 1e-4, "{reported} instead of {speed}");
    let events = tick(&mut walk);
    (walk, events)
}

#[test]
fn an_impact_of_up_to_5_metres_a_second_settles_at_once() {
    for speed in [2.0, 4.0, 4.99] {
        let (mut walk, events) = impact(speed, WALKER_STATE);
        assert!(events.is_empty() && walk.body.velocity == Vec3::ZERO, "{speed}: {events:?}");
        check_near(walk.at(), Vec3::new(12.0, 12.0, FEET), 1e-5, "on the ground");
        let _ = tick(&mut walk);
        assert!(!walk.body.awake, "and sleeps");
    }
    for speed in [5.05, 8.0, 30.0] {
        let (walk, events) = impact(speed, WALKER_STATE);
        assert_eq!(events[..], [Event::LeftGround], "{speed}: it bounces");
        check_near(walk.body.velocity, Vec3::Z * speed * 0.05, 1e-4, "a twentieth comes back");
        assert!(walk.at().z > FEET + 0.005, "{}", walk.at());
    }
}

#[test]
fn an_inelastic_body_stops_at_any_obstacle() {
    for speed in [4.0, 20.0] {
        let (walk, events) = impact(speed, WALKER_STATE.with(State::INELASTIC, true));
        assert!(events.is_empty() && walk.body.velocity == Vec3::ZERO, "{speed}");
    }
    let mut walk = Walk::from_source(row(&[4.0], &[]));
    walk.put_in_air(A.0, [3.3, 2.0, 1.0]);
    set_state(&mut walk, State::INELASTIC);
    walk.body.velocity = Vec3::new(20.0, 5.0, 0.0);
    assert_eq!(tick(&mut walk)[..], [Event::Collided(Obstacle::Environment)]);
    assert_eq!(walk.body.velocity, Vec3::ZERO, "at a wall, too");
}

/// Ground is too steep from about 48 degrees on: 26 m in 24 m hold, 28 m do not.
#[test]
fn steep_ground_is_touched_but_holds_no_body() {
    for (rise, holds) in [(13, true), (14, false)] {
        let mut forge = plain(&[]);
        forge.block(BLOCK).heights(|x, _| rise * x);
        let mut walk = Walk::from_source(forge.finish().unwrap());
        walk.put_in_air(LAND, [12.0, 12.0, rise as f32 + FEET + 0.1]);
        let mut events = Events::new();
        while !walk.body.stance.contact {
            events = tick(&mut walk);
        }
        let pull = walk.body.acceleration(WALKER_STATE);
        assert_eq!(walk.body.stance.on_walkable, holds, "{:?}", walk.body.stance);
        assert_eq!(pull, if holds { Vec3::ZERO } else { Vec3::Z * -9.8 });
        let landed = events.iter().any(|event| matches!(event, Event::Landed { .. }));
        assert_eq!((landed, events.len()), (holds, if holds { 2 } else { 1 }), "{events:?}");
    }
}

#[test]
fn ground_stops_a_spinning_body() {
    let mut walk = level();
    walk.put_in_air(LAND, [12.0, 12.0, 1.0]).body.spin = Vec3::Z * 2.0;
    let mut turned = 0;
    while !walk.body.stance.contact {
        let before = walk.position().frame.rotation;
        let _ = tick(&mut walk);
        turned += u32::from(walk.position().frame.rotation != before);
        assert_eq!(walk.body.spin == Vec3::ZERO, walk.body.stance.contact);
    }
    assert!(turned > 10, "{turned}");
    // A sled spins on.
    walk.put_in_air(LAND, [12.0, 12.0, 0.1]).body.spin = Vec3::Z * 2.0;
    set_state(&mut walk, WALKER_STATE.with(State::SLEDDING, true));
    while !walk.body.stance.contact {
        let _ = tick(&mut walk);
    }
    assert_eq!(walk.body.spin, Vec3::Z * 2.0);
}

/// An invalid rotation could put the spheres anywhere, even behind the wall.
#[test]
fn numbers_that_are_not_finite_do_not_move_a_body() {
    let mut walk = Walk::from_source(row(&[4.0], &[]));
    walk.put_on_ground(A.0, [2.0, 2.0, 0.005]);
    let before = walk.position();
    let non_finite = [f32::NAN, f32::INFINITY];
    for odd in non_finite {
        walk.body.gait = Some(Gait { turn: odd, ..Gait::walk() });
        let events = tick(&mut walk);
        assert!(events.is_empty() && walk.position() == before, "turned by {odd}");
        walk.body.gait = Some(Gait::walk());
        let events = walk
            .body
            .step(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), odd)
            .unwrap();
        assert!(events.is_empty() && walk.position().near(&before), "for {odd} seconds");
        walk.body.set_velocity(Vec3::splat(odd), 0.0);
        walk.body.set_elasticity(odd);
        assert!(walk.body.velocity == Vec3::ZERO && walk.body.elasticity <= 0.1);
    }
    for rotation in [Rotation::new(2.0, 2.0, 2.0, 2.0), Rotation::new(f32::NAN, 0.0, 0.0, 0.0)] {
        let mover = walk.body.mover(&walk.world).unwrap();
        let mut to = before;
        to.frame.rotation = rotation;
        let sweeper = Sweeper::new(&walk.world);
        let outcome = sweeper.sweep(&mut SweepScratch::new(), &mut (), &mover, &before, &to);
        assert_eq!(outcome.refused, Some(Refusal::NotFinite), "{rotation:?}");
    }
    walk.body
        .step(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), -1.0)
        .unwrap();
    assert!(walk.position().near(&before), "time does not go backwards");
}
