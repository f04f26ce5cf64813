//! Placements. Retail: `CPhysicsObj::enter_world`, with placement and slide.

use threshold_land::Position;
use threshold_motion::{Body, MoveContext, Outcome, Search};
use threshold_world::BodySpec;

use super::answer::answer;
use super::mover::MOVER;
use super::{NotRun, Runner};
use crate::record::Step;
use crate::scenario::PlaceJob;

/// Places a new mover at each candidate.
pub(super) fn place(
    runner: &mut Runner,
    job: &PlaceJob,
    observe: &mut dyn FnMut(&Outcome),
) -> Result<Vec<Step>, NotRun> {
    let places = job.candidates.iter().map(|point| Position::new(point.cell, point.pos));
    let movers: Vec<BodySpec> =
        places.map(|at| runner.mover(&job.mover, at)).collect::<Result<_, NotRun>>()?;
    let objects = runner.put(&job.objects)?;
    let steps = movers.into_iter().map(|mover| put(runner, mover, observe)).collect();
    runner.take_out(objects);
    Ok(steps)
}

/// Places a mover and removes it again.
pub(super) fn put(runner: &mut Runner, mover: BodySpec, observe: &mut dyn FnMut(&Outcome)) -> Step {
    // A refused mover over the land is in the frame of the land cell below. Retail: `store_position`.
    let stored = mover.position.normalised().unwrap_or(mover.position);
    let mut body = Body::new(MOVER);
    let Runner { world, rules, scratch, .. } = runner;
    let (outcome, _) =
        body.enter(&mut MoveContext::new(world, *rules, scratch), mover, Search::Around, 0.0);
    observe(&outcome);
    // A refused mover was never inserted.
    let at = world.body(MOVER).map_or(stored, |object| *object.position());
    let _ = world.remove(MOVER);
    // A mover that no cell contains is inserted as lost; in the records it failed.
    let ok = outcome.is_ok() && outcome.cell.is_some();
    Step { ok: ok.into(), ..answer(&at, &body.stance, Some(&outcome)) }
}
