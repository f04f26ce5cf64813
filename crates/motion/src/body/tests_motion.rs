//! Worked examples of a body's motion in one quantum, without obstacles.

use threshold_land::{CellId, Frame, Plane};

use super::physics::Motion;
use super::*;

const TICK: f32 = 1.0 / 30.0;
const HALF_TICK: f32 = 1.0 / 60.0;
/// Factor of the friction of one tick.
const FRICTION_FACTOR: f32 = 0.904_966;

/// A body without a world, at the origin.
fn body(velocity: [f32; 3]) -> Body {
    Body { velocity: velocity.into(), ..Body::new(BodyId(1)) }
}

/// A body standing on a plane with this normal.
fn on(normal: [f32; 3], velocity: [f32; 3]) -> Body {
    let plane = Plane { normal: normal.into(), d: 0.0 };
    Body { stance: Stance::on(plane, CellId(0x0102_0100)), ..body(velocity) }
}

fn motion_of(body: &Body, state: State, dt: f32) -> Motion {
    body.motion(&Frame::IDENTITY, 1.0, state, dt)
}

/// Advances body and frame by one quantum.
fn tick(body: &mut Body, frame: &mut Frame, state: State, dt: f32) {
    let motion = body.motion(frame, 1.0, state, dt);
    (body.velocity, body.awake, *frame) = (motion.velocity, motion.awake, motion.frame);
}

#[track_caller]
fn check_near(got: Vec3, want: [f32; 3], tolerance: f32) {
    let error = (got - Vec3::from(want)).abs().max_element();
    assert!(error <= tolerance, "{got} instead of {want:?}");
}

#[test]
fn a_fall_from_rest_matches_the_worked_example() {
    let (mut body, mut frame) = (body([0.0; 3]), Frame::IDENTITY);
    let table = [
        (0.0, -0.326_667),
        (-0.016_333, -0.653_333),
        (-0.043_556, -0.98),
        (-0.081_667, -1.306_667),
        (-0.130_667, -1.633_333),
        (-0.190_556, -1.96),
    ];
    for (z, speed) in table {
        tick(&mut body, &mut frame, State::GRAVITY, TICK);
        check_near(frame.origin, [0.0, 0.0, z], 1e-5);
        check_near(body.velocity, [0.0, 0.0, speed], 1e-5);
    }
    assert!(body.awake);
}

/// The reason for the gate: at 60 ticks a second a released body creeps down at 8 cm a second.
#[test]
fn a_body_released_in_too_short_quanta_creeps() {
    let (mut body, mut frame) = (body([0.0; 3]), Frame::IDENTITY);
    tick(&mut body, &mut frame, State::GRAVITY, HALF_TICK);
    assert_eq!(frame.origin, Vec3::ZERO);
    for number in 1_u8..=60 {
        tick(&mut body, &mut frame, State::GRAVITY, HALF_TICK);
        check_near(body.velocity, [0.0, 0.0, -0.163_333], 1e-5);
        check_near(frame.origin, [0.0, 0.0, -0.001_361_1 * f32::from(number)], 1e-5);
    }
}

/// Gravity must add more than the minimum speed in one quantum.
#[test]
fn a_fall_needs_quanta_of_more_than_a_fortieth_of_a_second() {
    for (dt, falls) in [(0.025_54, false), (0.025_57, true)] {
        let (mut body, mut frame) = (body([0.0; 3]), Frame::IDENTITY);
        (0..30).for_each(|_| tick(&mut body, &mut frame, State::GRAVITY, dt));
        assert_eq!(body.velocity.z < -1.0, falls, "{dt}: {}", body.velocity);
    }
}

#[test]
fn a_jump_matches_the_worked_example() {
    let speed = jump_speed(1.0);
    assert!((speed - 4.427_189).abs() < 1e-5, "{speed}");
    let (mut body, mut frame) = (body([0.0, 0.0, speed]), Frame::IDENTITY);
    let mut heights = Vec::new();
    while frame.origin.z >= 0.0 {
        tick(&mut body, &mut frame, State::GRAVITY, TICK);
        heights.push(frame.origin.z);
    }
    let top = heights.iter().copied().fold(0.0, f32::max);
    assert!((top - 0.998_337).abs() < 1e-5, "{top}");
    assert!((heights[12] - top).abs() < 1e-6, "after tick 13: {heights:?}");
    assert_eq!(heights.len(), 27);
    check_near(frame.origin, [0.0, 0.0, -0.068_774], 1e-5);
    check_near(body.velocity, [0.0, 0.0, -4.573_333], 1e-5);
}

#[track_caller]
fn check_jump(jump: Jump, height: f32, speed: f32) {
    let (got_height, got_speed) = (jump.height(), jump.speed());
    assert!(
        (got_height - height).abs() < 1e-5 && (got_speed - speed).abs() < 1e-5,
        "{jump:?}: {got_height}, {got_speed}"
    );
}

#[test]
fn jump_height_follows_skill_extent_and_burden() {
    let skilled = |skill: f32| Jump { skill, ..Jump::default() };
    check_jump(skilled(0.0), 0.35, 2.619_16);
    check_jump(skilled(100.0), 1.635_714, 5.662_155);
    check_jump(skilled(300.0), 4.2125, 9.086_528);
    check_jump(Jump { extent: 0.5, ..skilled(300.0) }, 2.106_25, 6.425_146);
    check_jump(Jump { burden: 0.5, ..skilled(300.0) }, 2.106_25, 6.425_146);
    check_jump(Jump { extent: 0.5, burden: 0.5, ..skilled(300.0) }, 1.053_125, 4.543_264);
    // Never below the minimum.
    for minimal in [
        Jump { extent: 0.0, ..skilled(300.0) },
        Jump { burden: 0.0, ..skilled(300.0) },
        Jump { extent: 0.2, ..skilled(100.0) },
        Jump { extent: f32::NAN, ..skilled(100.0) },
        skilled(-5000.0),
    ] {
        check_jump(minimal, 0.35, 2.619_16);
    }
    // Never above the full height.
    check_jump(Jump { extent: 3.0, ..skilled(300.0) }, 4.2125, 9.086_528);
}

#[track_caller]
fn check_friction(body: &Body, state: State, dt: f32, want: [f32; 3]) {
    let got = motion_of(body, state, dt);
    check_near(got.velocity, want, 2e-5);
    check_near(got.frame.origin, (Vec3::from(want) * dt).to_array(), 2e-6);
}

#[test]
fn friction_matches_worked_examples() {
    let (up, state) = ([0.0, 0.0, 1.0], State::GRAVITY);
    check_friction(&on(up, [1.0, 0.0, 0.0]), state, TICK, [0.904_966, 0.0, 0.0]);
    check_friction(&on(up, [1.0, 0.0, 0.0]), state, 0.2, [0.549_280, 0.0, 0.0]);
    // Velocity into the ground is projected along it.
    let (east, west) = ([-0.5, 0.0, 0.866_025], [0.5, 0.0, 0.866_025]);
    let along = [2.25 * FRICTION_FACTOR, 0.0, 1.299_038 * FRICTION_FACTOR];
    check_friction(&on(east, [3.0, 0.0, 0.0]), state, TICK, along);
    // Velocity away from the ground is unchanged.
    check_friction(&on(west, [3.0, 0.0, 0.0]), state, TICK, [3.0, 0.0, 0.0]);
    check_friction(&on(up, [3.0, 0.0, 0.25]), state, TICK, [3.0, 0.0, 0.25]);
    check_friction(&on(up, [3.0, 0.0, 0.24]), state, TICK, [3.0 * FRICTION_FACTOR, 0.0, 0.0]);
    // No friction on steep ground and in the air.
    let steep = Body { velocity: Vec3::X, ..on([0.8, 0.0, 0.6], [0.0; 3]) };
    check_friction(&steep, State::default(), TICK, [1.0, 0.0, 0.0]);
    check_friction(&body([1.0, 0.0, 0.0]), State::default(), TICK, [1.0, 0.0, 0.0]);
}

#[test]
fn a_slide_on_flat_ground_stops_after_26_ticks() {
    let (mut body, mut frame) = (on([0.0, 0.0, 1.0], [3.0, 0.0, 0.0]), Frame::IDENTITY);
    for number in 1..=30 {
        tick(&mut body, &mut frame, State::GRAVITY, TICK);
        assert_eq!(body.velocity == Vec3::ZERO, number >= 26, "{number}: {}", body.velocity);
    }
    check_near(frame.origin, [0.873_812, 0.0, 0.0], 1e-5);
    assert!(!body.awake, "and sleeps");
}

/// O5: little friction downhill, the usual one on flat ground, and full friction once it is slow.
#[test]
fn friction_of_a_sled_depends_on_speed_and_slope() {
    let slope = |degrees: f32| {
        let angle = degrees.to_radians();
        [libm::sinf(angle), 0.0, libm::cosf(angle)]
    };
    let fast = 0.992_589;
    let table = [
        (11.0, 2.51, fast),
        (30.0, 5.0, fast),
        (9.0, 5.0, FRICTION_FACTOR),
        (0.0, 5.0, FRICTION_FACTOR),
        (30.0, 2.49, FRICTION_FACTOR),
        (30.0, 1.26, FRICTION_FACTOR),
        (30.0, 1.24, 0.0),
        (0.0, 1.24, 0.0),
    ];
    for (degrees, speed, left) in table {
        // Horizontal, along the slope.
        let sled = on(slope(degrees), [0.0, speed, 0.0]);
        check_friction(&sled, State::SLEDDING, TICK, [0.0, speed * left, 0.0]);
    }
}

#[test]
fn on_the_ground_gravity_acts_only_on_a_sled() {
    let stands = on([0.0, 0.0, 1.0], [0.0; 3]);
    let both = State::GRAVITY.with(State::SLEDDING, true);
    assert_eq!(motion_of(&stands, State::GRAVITY, TICK).velocity, Vec3::ZERO);
    check_near(motion_of(&stands, both, TICK).velocity, [0.0, 0.0, -0.326_667], 1e-6);
    // It applies on steep ground, and without a contact plane.
    let steep = on([0.8, 0.0, 0.6], [0.0; 3]);
    let mut left = stands.clone();
    left.stance.contact = false;
    for body in [steep, left] {
        check_near(motion_of(&body, State::GRAVITY, TICK).velocity, [0.0, 0.0, -0.326_667], 1e-6);
        assert_eq!(motion_of(&body, State::default(), TICK).velocity, Vec3::ZERO);
    }
}

#[test]
fn velocity_is_limited_to_50_metres_a_second() {
    let mut fast = body([0.0; 3]);
    fast.set_velocity(Vec3::new(0.0, 64.0, 48.0), 0.0);
    check_near(fast.velocity, [0.0, 40.0, 30.0], 1e-4);
    fast.set_velocity(Vec3::new(0.0, 30.0, -40.0), 0.0);
    assert_eq!(fast.velocity, Vec3::new(0.0, 30.0, -40.0));
    // A velocity written to the field is clamped when the body moves.
    let motion = motion_of(&body([80.0, 0.0, 0.0]), State::default(), TICK);
    check_near(motion.velocity, [50.0, 0.0, 0.0], 1e-4);
    check_near(motion.frame.origin, [50.0 * TICK, 0.0, 0.0], 1e-5);
    // Gravity is added after the clamp.
    let motion = motion_of(&body([0.0, 0.0, -80.0]), State::GRAVITY, TICK);
    check_near(motion.velocity, [0.0, 0.0, -50.326_667], 1e-4);
    check_near(motion.frame.origin, [0.0, 0.0, -50.0 * TICK - 0.005_444], 1e-5);
}

#[test]
fn a_body_slower_than_a_quarter_of_a_metre_a_second_stops() {
    for (speed, left) in [(0.25, 0.0), (0.2503, 0.0), (0.251, 0.251), (-0.25, 0.0)] {
        let motion = motion_of(&body([speed, 0.0, 0.0]), State::default(), TICK);
        check_near(motion.velocity, [left, 0.0, 0.0], 1e-6);
        check_near(motion.frame.origin, [left * TICK, 0.0, 0.0], 1e-6);
    }
    // Gravity still moves it in the air.
    let motion = motion_of(&body([0.2, 0.0, 0.1]), State::GRAVITY, TICK);
    check_near(motion.velocity, [0.0, 0.0, -0.326_667], 1e-6);
    check_near(motion.frame.origin, [0.0, 0.0, -0.005_444], 1e-6);
}

/// 0.26 m/s is above the minimum speed, though friction reduces it to less.
#[test]
fn the_speed_before_friction_decides_whether_a_body_stops() {
    let slow = on([0.0, 0.0, 1.0], [0.26, 0.0, 0.0]);
    let motion = motion_of(&slow, State::GRAVITY, TICK);
    check_near(motion.velocity, [0.26 * FRICTION_FACTOR, 0.0, 0.0], 1e-6);
    check_near(motion.frame.origin, [0.26 * FRICTION_FACTOR * TICK, 0.0, 0.0], 1e-6);
    assert!(motion.awake);
    let slow = Body { velocity: motion.velocity, ..slow };
    let motion = motion_of(&slow, State::GRAVITY, TICK);
    assert_eq!((motion.velocity, motion.frame.origin), (Vec3::ZERO, Vec3::ZERO));
    assert!(motion.awake, "it falls asleep one quantum later");
    let still = Body { velocity: motion.velocity, ..slow };
    assert!(!motion_of(&still, State::GRAVITY, TICK).awake);
}

#[test]
fn a_body_at_rest_stays_awake_with_a_gait_or_off_walkable_ground() {
    let stands = on([0.0, 0.0, 1.0], [0.0; 3]);
    assert!(!motion_of(&stands, State::GRAVITY, TICK).awake);
    let walks = Body { gait: Some(Gait::stand()), ..stands };
    assert!(motion_of(&walks, State::GRAVITY, TICK).awake);
    assert!(motion_of(&body([0.0; 3]), State::default(), TICK).awake, "in the air");
    assert!(motion_of(&on([0.8, 0.0, 0.6], [0.0; 3]), State::default(), TICK).awake, "on a cliff");
}

#[test]
fn a_step_scales_with_the_body() {
    let facing = |heading: f32| Frame {
        origin: Vec3::new(5.0, 6.0, 7.0),
        rotation: Rotation::from_heading(heading),
    };
    let ground = on([0.0, 0.0, 1.0], [0.0; 3]);
    let walks = Body { gait: Some(Gait::walk()), ..ground.clone() };
    for (heading, scale, want) in [
        (0.0, 1.0, [0.0, 0.104, 0.0]),
        (90.0, 1.0, [0.104, 0.0, 0.0]),
        (180.0, 2.0, [0.0, -0.208, 0.0]),
        (270.0, 0.5, [-0.052, 0.0, 0.0]),
    ] {
        let from = facing(heading);
        let motion = walks.motion(&from, scale, State::GRAVITY, TICK);
        check_near(motion.frame.origin - from.origin, want, 2e-6);
        assert!(motion.frame.rotation.near(from.rotation), "{motion:?}");
    }
    // The velocity is not scaled.
    let slides = Body { velocity: Vec3::X, ..ground };
    let motion = slides.motion(&Frame::IDENTITY, 2.0, State::GRAVITY, TICK);
    check_near(motion.frame.origin, [FRICTION_FACTOR * TICK, 0.0, 0.0], 1e-6);
    // In the air a gait turns the body but does not move it.
    let gait = Gait { turn: 90.0, ..Gait::walk() };
    let flies = Body { gait: Some(gait), ..body([0.0; 3]) };
    let motion = flies.motion(&Frame::IDENTITY, 1.0, State::default(), 0.2);
    assert_eq!(motion.frame.origin, Vec3::ZERO);
    assert!((motion.frame.heading() - 18.0).abs() < 1e-3, "{}", motion.frame.heading());
}

#[test]
fn a_hidden_body_does_not_move() {
    let gait = Some(Gait { turn: 90.0, ..Gait::walk() });
    let spin = Vec3::Z;
    let hidden = Body { gait, spin, ..on([0.0, 0.0, 1.0], [3.0, 0.0, 0.0]) };
    let state = State::GRAVITY.with(State::HIDDEN, true);
    let want = Motion { frame: Frame::IDENTITY, velocity: hidden.velocity, awake: true };
    assert_eq!(motion_of(&hidden, state, TICK), want);
    let falls = body([0.0; 3]);
    assert_eq!(motion_of(&falls, state, TICK).velocity, Vec3::ZERO);
}

/// O24.
#[test]
fn a_spin_uses_the_axes_of_the_landblock() {
    let quarter = std::f32::consts::FRAC_PI_2;
    // Heading east, rotated about the landblock's x axis.
    let spins = Body { spin: Vec3::X * quarter * 5.0, ..body([0.0; 3]) };
    let from = Frame { origin: Vec3::ONE, rotation: Rotation::from_heading(90.0) };
    let motion = spins.motion(&from, 1.0, State::default(), 0.2);
    assert_eq!(motion.frame.origin, Vec3::ONE);
    let rows = motion.frame.rotation.rows();
    check_near(rows.to_global(Vec3::Y), [1.0, 0.0, 0.0], 1e-5);
    check_near(rows.to_global(Vec3::X), [0.0, 0.0, -1.0], 1e-5);
    check_near(rows.to_global(Vec3::Z), [0.0, -1.0, 0.0], 1e-5);
    // A negligible spin is ignored.
    let spins = Body { spin: Vec3::Z * 0.0009, ..body([0.0; 3]) };
    assert_eq!(spins.motion(&from, 1.0, State::default(), 0.2).frame, from);
}

#[test]
fn a_spin_leaves_the_rotation_normalised() {
    let spins = Body { spin: Vec3::new(3.0, -2.0, 7.0), ..body([0.0; 3]) };
    let mut frame = Frame::IDENTITY;
    for _ in 0..100_000 {
        frame = spins.motion(&frame, 1.0, State::default(), TICK).frame;
    }
    let length = frame.rotation.dot(frame.rotation);
    assert!((length - 1.0).abs() < 1e-5, "{length}");
}
