//! Cameras. Retail: the sweep of `SmartBox::update_viewer`.

use threshold_land::Position;
use threshold_motion::{Mover, Outcome, Sweeper};

use super::answer::answer;
use super::{NotRun, Runner};
use crate::record::Step;
use crate::scenario::ViewerJob;

/// Runs one camera sweep. Its mover is not in the world.
pub(super) fn viewer(
    runner: &mut Runner,
    job: &ViewerJob,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Vec<Step>, NotRun> {
    runner.require(job.from.cell)?;
    let from = Position::new(job.from.cell, job.from.pos);
    let to = Position::new(job.from.cell, job.to);
    let camera = Mover::viewer(job.radius);
    let sweeper = Sweeper { world: &runner.world, rules: runner.rules };
    let outcome = sweeper.sweep_camera(&mut runner.scratch, &mut (), &camera, &from, &to);
    observe(&outcome);
    Ok(vec![answer(&outcome.position, &outcome.stance, Some(&outcome))])
}
