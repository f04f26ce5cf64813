//! Crowds on a number of threads.

#![allow(dead_code, reason = "each test uses its part")]

use threshold_motion::{Body, Event, Gait, Jump, Rules, StateHash};
use threshold_testkit::{CrowdScene, Random};
use threshold_world::{BodyId, World};

/// Updates a crowd on a number of threads. Returns its state at the end, and all events.
pub(crate) fn run(
    scene: CrowdScene,
    threads: usize,
    ticks: u32,
) -> (StateHash, Vec<(BodyId, Event)>) {
    run_with_rules(scene, Rules::default(), threads, ticks)
}

/// Does the same with other rules.
pub(crate) fn run_with_rules(
    mut scene: CrowdScene,
    rules: Rules,
    threads: usize,
    ticks: u32,
) -> (StateHash, Vec<(BodyId, Event)>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut events = Vec::new();
    for tick in 0..ticks {
        let (before, now) = (f64::from(tick) / 30.0, f64::from(tick + 1) / 30.0);
        let CrowdScene { world, crowd, .. } = &mut scene;
        let more = pool.install(|| {
            crowd.resolve(world, rules, now, |body| instruct(body, world, tick, before));
            crowd.commit(world)
        });
        assert!(!more, "a tick of a thirtieth is one quantum");
        events.extend(scene.crowd.events());
    }
    (scene.hash(), events)
}

/// Changes what a body does at a tick, at random by its number and the tick alone.
pub(crate) fn instruct(body: &mut Body, world: &World, tick: u32, now: f64) {
    let mut random = Random(u64::from(body.id.0) << 32 | u64::from(tick));
    if random.below(12) == 0 {
        let turn = random.between(-180.0, 180.0) as f32;
        body.gait = Some(Gait { turn, ..Gait::run(random.between(0.5, 2.5) as f32) });
    }
    if random.below(40) == 0 {
        // Refused while the body is in the air.
        let _ = body.jump(world, &Jump::default(), now);
    }
}
