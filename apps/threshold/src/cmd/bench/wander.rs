//! What wanderers do. Everything follows from a seed, the number of the body and the tick: it does not matter who asks first.

use threshold_land::Rotation;
use threshold_motion::{Body, Gait, Jump};
use threshold_world::World;

/// Numbers by chance, the same for the same seed on every machine. SplitMix64.
#[derive(Clone, Copy)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut chance = Self(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        chance.next();
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, but not including, 1.
    pub(super) fn part(&mut self) -> f32 {
        // 24 bits are exact in single precision.
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    pub(super) fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.part()
    }

    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    pub(super) fn heading(&mut self) -> Rotation {
        Rotation::from_heading(self.between(0.0, 360.0))
    }
}

/// Ticks after which a wanderer that does not get on turns away.
const PATIENCE: u64 = 8;

/// Slower than this, in metres a second, is not getting on.
const STUCK: f32 = 0.5;

/// How wanderers behave.
#[derive(Clone, Copy)]
pub(super) struct Wander {
    pub(super) seed: u64,
}

impl Wander {
    /// What a body does from this tick on, at this time.
    pub(super) fn decide(&self, body: &mut Body, world: &World, tick: u64, now: f64) {
        let number = u64::from(body.id.0);
        let mut habit = Chance::new(self.seed, number);
        let (period, phase) = (20 + habit.below(50), habit.below(70));
        let mut chance = Chance::new(self.seed ^ tick.rotate_left(32), number);
        if tick == 0 || (tick + phase).is_multiple_of(period) {
            body.gait = Some(mood(&mut chance));
            if chance.below(16) == 0 {
                let jump = Jump { extent: chance.part(), skill: 100.0, ..Jump::default() };
                // Who is in the air does not.
                let _ = body.jump(world, &jump, now);
            }
        } else if (tick + phase).is_multiple_of(PATIENCE) && does_not_get_on(body) {
            let side = if chance.below(2) == 0 { 1.0 } else { -1.0 };
            let turn = side * chance.between(90.0, 240.0);
            body.gait = Some(Gait { turn, ..Gait::stand() });
        }
    }
}

fn does_not_get_on(body: &Body) -> bool {
    let goes = body.gait.is_some_and(|gait| gait.forward != 0.0 || gait.sideways != 0.0);
    goes && body.actual_velocity.length_squared() < STUCK * STUCK
}

/// Mostly walking, sometimes running, now and then standing or stepping aside.
fn mood(chance: &mut Chance) -> Gait {
    let turn = if chance.below(2) == 0 { chance.between(-60.0, 60.0) } else { 0.0 };
    let gait = match chance.below(10) {
        0 => Gait::stand(),
        1 => Gait { sideways: chance.between(-1.0, 1.0), ..Gait::walk() },
        2 | 3 => Gait::run(chance.between(1.0, 2.5)),
        _ => Gait::walk(),
    };
    Gait { turn, ..gait }
}
