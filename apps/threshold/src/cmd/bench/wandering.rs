//! Random gaits of bodies. They depend only on the seed, the body and the tick, so the order of bodies does not matter.

use threshold_land::Rotation;
use threshold_motion::{Body, Gait, Jump};
use threshold_world::World;

/// Random numbers, the same for the same seed on every machine. The generator is SplitMix64.
#[derive(Clone, Copy)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut random = Self(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    pub(super) fn fraction(&mut self) -> f32 {
        // 24 bits are exact in single precision.
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    pub(super) fn between(&mut self, min: f32, max: f32) -> f32 {
        min + (max - min) * self.fraction()
    }

    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    pub(super) fn rotation(&mut self) -> Rotation {
        Rotation::from_heading(self.between(0.0, 360.0))
    }
}

/// Ticks between two checks whether a body is stuck.
const STUCK_INTERVAL: u64 = 8;

/// Speed below which a moving body counts as stuck, in metres per second.
const STUCK_SPEED: f32 = 0.5;

/// The behaviour of bodies.
#[derive(Clone, Copy)]
pub(super) struct WanderBehaviour {
    pub(super) seed: u64,
}

impl WanderBehaviour {
    /// Sets the gait of a body at the start of a tick.
    pub(super) fn decide(&self, body: &mut Body, world: &World, tick: u64, now: f64) {
        let number = u64::from(body.id.0);
        let mut habit = Random::new(self.seed, number);
        let (period, phase) = (20 + habit.below(50), habit.below(70));
        let mut random = Random::new(self.seed ^ tick.rotate_left(32), number);
        if tick == 0 || (tick + phase).is_multiple_of(period) {
            body.gait = Some(random_gait(&mut random));
            if random.below(16) == 0 {
                let jump = Jump { extent: random.fraction(), skill: 100.0, ..Jump::default() };
                // Fails in the air.
                let _ = body.jump(world, &jump, now);
            }
        } else if (tick + phase).is_multiple_of(STUCK_INTERVAL) && is_stuck(body) {
            let side = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let turn = side * random.between(90.0, 240.0);
            body.gait = Some(Gait { turn, ..Gait::stand() });
        }
    }
}

fn is_stuck(body: &Body) -> bool {
    let is_moving = body.gait.is_some_and(|gait| gait.forward != 0.0 || gait.sideways != 0.0);
    is_moving && body.actual_velocity.length_squared() < STUCK_SPEED * STUCK_SPEED
}

/// Returns a random gait: mostly walking, sometimes running, standing or sidestepping.
fn random_gait(random: &mut Random) -> Gait {
    let turn = if random.below(2) == 0 { random.between(-60.0, 60.0) } else { 0.0 };
    let gait = match random.below(10) {
        0 => Gait::stand(),
        1 => Gait { sideways: random.between(-1.0, 1.0), ..Gait::walk() },
        2 | 3 => Gait::run(random.between(1.0, 2.5)),
        _ => Gait::walk(),
    };
    Gait { turn, ..gait }
}
