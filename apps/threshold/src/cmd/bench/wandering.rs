//! Random gaits of bodies. They depend only on the seed, the body and the tick, so the order of bodies does not matter.

use threshold_motion::{Body, Gait, Jump};
use threshold_verify::SplitMix;
use threshold_world::World;

/// Returns the random numbers of a seed and a number.
pub(super) fn random_numbers(seed: u64, number: u64) -> SplitMix {
    SplitMix::new(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95))
}

/// Returns a random number below `count`.
pub(super) fn random_below(random: &mut SplitMix, count: u64) -> u64 {
    random.draw() % count
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
        let mut habit = random_numbers(self.seed, number);
        let (period, phase) = (20 + random_below(&mut habit, 50), random_below(&mut habit, 70));
        let mut random = random_numbers(self.seed ^ tick.rotate_left(32), number);
        if tick == 0 || (tick + phase).is_multiple_of(period) {
            body.gait = Some(random_gait(&mut random));
            if random_below(&mut random, 16) == 0 {
                let jump = Jump { extent: random.fraction(), skill: 100.0, ..Jump::default() };
                // Fails in the air.
                let _ = body.jump(world, &jump, now);
            }
        } else if (tick + phase).is_multiple_of(STUCK_INTERVAL) && is_stuck(body) {
            let side = if random_below(&mut random, 2) == 0 { 1.0 } else { -1.0 };
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
fn random_gait(random: &mut SplitMix) -> Gait {
    let turn = if random_below(random, 2) == 0 { random.between(-60.0, 60.0) } else { 0.0 };
    let gait = match random_below(random, 10) {
        0 => Gait::stand(),
        1 => Gait { sideways: random.between(-1.0, 1.0), ..Gait::walk() },
        2 | 3 => Gait::run(random.between(1.0, 2.5)),
        _ => Gait::walk(),
    };
    Gait { turn, ..gait }
}
