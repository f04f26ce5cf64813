//! Walks. Retail: `CPhysicsObj::transition`, then `SetPositionInternal`.

use threshold_land::glam::Vec3;
use threshold_motion::Outcome;
use threshold_world::UnknownBody;

use super::{NotRun, Runner, Walker};
use crate::record::Step;
use crate::scenario::Walk;

/// Returns the mover after each move.
pub(super) fn walk(
    runner: &mut Runner,
    job: &Walk,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Vec<Step>, NotRun> {
    let mut walker = runner.enter(job)?;
    let steps: Result<_, UnknownBody> =
        job.moves.iter().map(|by| step(runner, &mut walker, *by, observe)).collect();
    walker.leave(runner);
    Ok(steps?)
}

fn step(
    runner: &mut Runner,
    walker: &mut Walker,
    by: Vec3,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Step, UnknownBody> {
    let (outcome, _) = walker.advance(runner, by)?;
    observe(&outcome);
    walker.answer(runner, Some(&outcome))
}
