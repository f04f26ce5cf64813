//! Summary of a sweep: the request, the result, what stopped the mover, and where it is.

mod location;
mod obstacles;
mod result;

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::rules::SlidingNormal;
use threshold_motion::{Mover, Outcome, Refusal, Search, Sweeper};

use super::node::Node;
use super::record::SweepRecord;

/// The request being explained.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request<'a> {
    Move { from: &'a Position, to: &'a Position },
    Camera { from: &'a Position, to: &'a Position },
    Place { at: &'a Position, search: Search },
}

impl Request<'_> {
    /// The start, and the offset to the target.
    fn start_and_offset(&self) -> (&Position, Vec3) {
        match self {
            Self::Move { from, to } | Self::Camera { from, to } => (from, from.offset_to(to)),
            Self::Place { at, .. } => (at, Vec3::ZERO),
        }
    }

    fn is_placement(&self) -> bool {
        matches!(self, Self::Place { .. })
    }
}

/// Everything that the summary of a sweep is made from.
#[derive(Clone, Copy)]
pub(super) struct Summary<'a> {
    pub(super) request: Request<'a>,
    pub(super) mover: &'a Mover,
    pub(super) outcome: &'a Outcome,
    pub(super) record: &'a SweepRecord,
    /// Outcome of the same move without the sliding normal, if that normal refused it.
    pub(super) without_normal: Option<&'a Outcome>,
}

/// Returns a sweeper that repeats the move without the sliding normal, if that normal may be the reason for the refusal.
pub(super) fn without_sliding_normal<'w>(
    sweeper: &Sweeper<'w>,
    mover: &Mover,
    outcome: &Outcome,
) -> Option<Sweeper<'w>> {
    let mut rules = sweeper.rules;
    rules.sliding_normal = SlidingNormal::Checked;
    let applies = outcome.refused == Some(Refusal::NothingLeft) && mover.stance.sliding;
    (applies && rules != sweeper.rules).then_some(Sweeper { rules, ..*sweeper })
}

impl Summary<'_> {
    pub(super) fn nodes(&self) -> Vec<Node> {
        let mut nodes = vec![self.wanted(), self.result()];
        nodes.extend(self.stopped());
        nodes.extend(self.rings());
        // A failed placement has no cell.
        let has_cell =
            !self.request.is_placement() || self.outcome.is_ok() && self.outcome.cell.is_some();
        if has_cell && !matches!(self.request, Request::Camera { .. }) {
            nodes.push(self.stands());
        }
        if has_cell {
            nodes.extend(self.cell());
            nodes.extend(self.crossing());
        }
        nodes
    }
}
