//! Walks. Retail: `CPhysicsObj::transition`, then `SetPositionInternal`.

use threshold_land::vector::Vec3;
use threshold_motion::Outcome;
use threshold_world::UnknownBody;

use super::{NotRun, Runner, ScenarioMover};
use crate::record::Step;
use crate::scenario::WalkJob;

/// Returns the mover after each move.
pub(super) fn walk(
    runner: &mut Runner,
    job: &WalkJob,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Vec<Step>, NotRun> {
    let mut mover = runner.enter(job)?;
    let steps: Result<_, UnknownBody> =
        job.moves.iter().map(|by| step(runner, &mut mover, *by, observe)).collect();
    mover.leave(runner);
    Ok(steps?)
}

fn step(
    runner: &mut Runner,
    mover: &mut ScenarioMover,
    by: Vec3,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Step, UnknownBody> {
    let (outcome, _) = mover.advance(runner, by)?;
    observe(&outcome);
    mover.answer(runner, Some(&outcome))
}
