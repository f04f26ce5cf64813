//! Bodies on slopes slide down, slow by friction, and stop, tick by tick by the formulas of retail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::vector::Vec3;
use threshold_motion::Event;
use threshold_testkit::{
    WALKER, WALKER_STATE, Walk,
    clock::{TICK, slope, tick},
};
use threshold_world::State;

/// Greatest distance of a resting body from the ground, in metres.
const TOLERANCE: f32 = 0.001;

/// Returns the lowest point of the feet.
fn low_point(walk: &Walk) -> Vec3 {
    walk.centre() - Vec3::Z * 0.48
}

/// Updates the body until it sleeps.
#[track_caller]
fn settle(walk: &mut Walk) {
    (0..3000).find(|_| {
        let _ = tick(walk);
        !walk.body.awake
    });
    assert!(!walk.body.awake, "still awake at {:?}: {:?}", walk.position(), walk.body);
}

/// Lowest point of a body on ground that rises to the east at 45 degrees, computed by the formulas alone.
#[derive(Clone, Copy, Debug)]
struct Slider {
    x: f64,
    z: f64,
    speed: [f64; 2],
    stands: bool,
}

impl Slider {
    /// Returns the height of the ground below.
    fn ground(self) -> f64 {
        self.x - 24.0
    }

    /// Returns the speed away from the ground.
    fn separation_speed(self) -> f64 {
        (self.speed[1] - self.speed[0]) * std::f64::consts::FRAC_1_SQRT_2
    }

    /// Adds a speed along the normal.
    fn push(&mut self, along: f64) {
        let part = along * std::f64::consts::FRAC_1_SQRT_2;
        self.speed = [self.speed[0] - part, self.speed[1] + part];
    }

    fn tick(&mut self) {
        let (dt, stood) = (f64::from(TICK), self.stands);
        let pull = if stood { 0.0 } else { -9.8 };
        let square = self.speed.iter().map(|v| v * v).sum::<f64>();
        if stood && self.separation_speed() < 0.25 {
            self.push(-self.separation_speed());
            self.speed = self.speed.map(|v| v * libm::pow(1.0 - 0.95, dt));
        }
        if square - 0.0625 < 0.0002 {
            self.speed = [0.0; 2];
        }
        let fall = if square > 0.0 { 0.5 * pull * dt * dt } else { 0.0 };
        let movement = [self.speed[0] * dt, self.speed[1] * dt + fall];
        self.speed[1] += pull * dt;
        let hit = self.advance(movement);
        let into = self.separation_speed();
        if hit && !stood && into < 0.0 {
            self.push(-1.05 * into);
        }
    }

    /// Moves in sub-steps no longer than a radius, along the ground if it stands. Returns whether it landed.
    fn advance(&mut self, [x, z]: [f64; 2]) -> bool {
        if x.abs().max(z.abs()) < 0.0002 {
            return false;
        }
        let steps = (libm::hypot(x, z) / 0.48).ceil();
        self.stands &= self.separation_speed() <= 0.0002;
        let (mut hit, mut left) = (false, steps);
        while left > 0.0 {
            left -= 1.0;
            let [x, z] = [x / steps, z / steps];
            self.x += if self.stands { (x + z) / 2.0 } else { x };
            self.z += z;
            if self.stands || self.z <= self.ground() {
                hit |= !self.stands;
                self.stands = true;
                self.z = self.ground();
            }
        }
        hit
    }
}

/// It bounces with a twentieth of its speed, slows by friction along the slope, and stops when it is slow.
#[test]
fn a_body_that_lands_on_a_slope_of_45_degrees_slides_down_as_documented() {
    for height in [50.0, 12.0, 3.0, 1.0] {
        let mut walk = Walk::from_source(slope(12).finish().unwrap());
        walk.put_in_air(0xA9B4_0029, [130.0, 12.0, 106.0 + height]);
        let z = f64::from(low_point(&walk).z);
        let mut want = Slider { x: 130.0, z, speed: [0.0; 2], stands: false };
        let (mut ticks, mut touched) = (0, 0);
        while walk.body.awake {
            let _ = tick(&mut walk);
            want.tick();
            ticks += 1;
            touched += i32::from(walk.body.stance.on_walkable);
            let (low, speed) = (low_point(&walk), walk.body.velocity);
            let off = [low.x, low.z, speed.x, speed.z].map(f64::from);
            let wanted = [want.x, want.z, want.speed[0], want.speed[1]];
            let near = off.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 2e-3);
            let stands = walk.body.stance.on_walkable;
            assert!(near && stands == want.stands, "{height}, tick {ticks}: {off:?}, {want:?}");
        }
        assert!(walk.at().x < 129.7 && touched > 20, "{height}: {ticks}, {touched}");
    }
}

/// Retail oddity: a body meets terrain with the lowest point of its feet, but is lifted when it moves on, until the
/// sphere touches the slope. Height of the lift on this slope, in metres.
const SPHERE_LIFT: f32 = 0.48 * (1.0 / 0.576_683 - 1.0) + TOLERANCE;

/// A slope of 55 degrees holds no body: a body that falls onto it slides down with the acceleration of gravity,
/// until it comes to level ground.
#[test]
fn a_body_that_lands_on_a_slope_of_55_degrees_slides_down_to_its_foot() {
    let down = Vec3::new(-24.0, 0.0, -34.0).normalize();
    for height in [0.3, 2.0, 20.0] {
        let mut walk = Walk::from_source(slope(17).finish().unwrap());
        walk.put_in_air(0xA9B4_0019, [84.0, 12.0, 85.0 + height]);
        let mut met = 0;
        loop {
            let (at, speed) = (walk.at(), walk.body.velocity);
            let events = tick(&mut walk);
            if walk.body.stance.on_walkable {
                break;
            }
            let gained = (walk.body.velocity - speed).dot(down);
            assert!((gained + 9.8 * down.z * TICK).abs() < 1e-3, "{gained} at {at}");
            let low = low_point(&walk);
            let ground = (34.0 / 24.0 * (low.x - 24.0)).max(0.0);
            assert!(
                (-TOLERANCE..height + SPHERE_LIFT).contains(&(low.z - ground)),
                "{low} over {ground}"
            );
            assert!(walk.at().x <= at.x, "uphill from {at}");
            met += usize::from(!events.is_empty());
        }
        assert!(met >= 3, "it fell past the slope: met {met} times");
        settle(&mut walk);
        let (low, normal) = (low_point(&walk), walk.body.stance.plane.normal);
        assert!(low.x < 24.0 && low.z.abs() < TOLERANCE && normal == Vec3::Z, "{low}, {normal}");
    }
}

/// Returns a sled on a slope that rises to the east, with a velocity along it, and the normal of the slope.
fn sled(rise: i32, velocity: Vec3) -> (Walk, Vec3) {
    let mut walk = Walk::from_source(slope(rise).finish().unwrap());
    walk.put_in_air(0xA9B4_0029, [130.0, 12.0, (130.0 - 24.0) / 12.0 * rise as f32 + 0.3]);
    settle(&mut walk);
    walk.world.set_state(WALKER, WALKER_STATE.with(State::SLEDDING, true)).unwrap();
    let normal = Vec3::new(-2.0 * rise as f32, 0.0, 24.0).normalize();
    walk.body.set_velocity(velocity - normal * velocity.dot(normal), walk.body.clock);
    (walk, normal)
}

/// Computes the velocity of a sled after a quantum, and its movement along the ground, from the formulas.
fn expected_slide(velocity: Vec3, normal: Vec3) -> (Vec3, Vec3) {
    let square = velocity.length_squared();
    let friction = match square {
        ..1.5625 => 1.0,
        6.25.. if normal.z < libm::cosf(10.0_f32.to_radians()) => 0.2,
        _ => 0.95,
    };
    let along = velocity - normal * velocity.dot(normal);
    let left = along * libm::powf(1.0 - friction, TICK);
    let gravity = Vec3::Z * -9.8;
    let way = left * TICK + gravity * 0.5 * TICK * TICK;
    (left + gravity * TICK, way - normal * way.dot(normal))
}

/// Sleds down slopes of 27 and 5 degrees and on level ground.
#[test]
fn a_sled_is_pulled_down_the_slope_and_faces_where_it_slides() {
    for (rise, velocity, faster) in [
        (6, Vec3::new(-4.0, 1.0, 0.0), true),
        (6, Vec3::new(0.0, 3.0, 0.0), true),
        (6, Vec3::new(2.0, 2.0, 0.0), false),
        (1, Vec3::new(-6.0, 2.0, 0.0), false),
        (0, Vec3::new(-6.0, 2.0, 0.0), false),
    ] {
        let (mut walk, normal) = sled(rise, velocity);
        let mut want = walk.body.velocity;
        let begin = want.length();
        for number in 0..45 {
            let at = walk.at();
            let way;
            (want, way) = expected_slide(want, normal);
            assert!(tick(&mut walk).iter().all(|e| matches!(e, Event::CellChanged { .. })));
            assert!(walk.body.stance.on_walkable && walk.body.awake);
            let off = (walk.body.velocity - want).length();
            assert!(off < 1e-3, "{rise}, {number}: {} instead of {want}", walk.body.velocity);
            let moved = walk.at() - at;
            assert!((moved - way).length() < 1e-3, "{rise}, {number}: by {moved}, not {way}");
            if want.truncate().length() > 0.3 {
                let facing = walk.position().frame.rotation.rotate(Vec3::Y);
                let level = want.with_z(0.0).normalize();
                assert!(facing.distance(level) < 1e-4, "{rise}, {number}: {facing}, not {level}");
            }
        }
        assert_eq!(want.length() > begin, faster, "{rise}, {velocity}: {want}");
    }
}
