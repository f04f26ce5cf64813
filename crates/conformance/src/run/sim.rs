//! Falls of thrown movers. Retail: `CPhysicsObj::UpdateObjectInternal`.

use threshold_motion::Outcome;
use threshold_world::UnknownBody;

use super::{NotRun, Runner, ScenarioMover};
use crate::record::Step;
use crate::scenario::SimJob;

/// Returns the mover after each update.
pub(super) fn sim(
    runner: &mut Runner,
    job: &SimJob,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Vec<Step>, NotRun> {
    let mut mover = runner.throw(job)?;
    let steps: Result<_, UnknownBody> =
        (0..job.ticks).map(|_| tick(runner, &mut mover, job.dt, observe)).collect();
    mover.leave(runner);
    Ok(steps?)
}

fn tick(
    runner: &mut Runner,
    mover: &mut ScenarioMover,
    dt: f32,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Step, UnknownBody> {
    let outcome = mover.update(runner, dt)?;
    outcome.iter().for_each(observe);
    let step = mover.answer(runner, outcome.as_ref())?;
    Ok(Step { vel: mover.velocity().into(), ..step })
}
