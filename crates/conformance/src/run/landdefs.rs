//! Calls of coordinate functions. Retail: `LandDefs`.

use threshold_land::{Lcoord, adjust_to_outside, block_offset, outside_lcoord};

use crate::record::Step;
use crate::scenario::{Call, Landdefs};

/// The answer to each call.
pub(super) fn landdefs(job: &Landdefs) -> Vec<Step> {
    job.calls.iter().map(answer).collect()
}

fn answer(call: &Call) -> Step {
    match *call {
        Call::AdjustToOutside(cell, at) => found(adjust_to_outside(cell, at), |(cell, at)| Step {
            cell: cell.into(),
            pos: at.into(),
            ..Step::default()
        }),
        Call::GetOutsideLcoord(cell, at) => lcoord(outside_lcoord(cell, at.truncate())),
        Call::BlockidToLcoord(cell) => lcoord(cell.block_lcoord()),
        Call::GidToLcoord(cell) => lcoord(cell.lcoord()),
        Call::InboundValidCellid(cell) => whether(cell.is_valid()),
        Call::LcoordToGid(x, y) => found(Lcoord::new(x, y), |lcoord| Step {
            cell: lcoord.cell().into(),
            ..Step::default()
        }),
        Call::InBounds(x, y) => whether(Lcoord::new(x, y).is_some()),
        Call::GetBlockOffset(from, to) => {
            Step { pos: block_offset(from, to).into(), ..whether(true) }
        }
    }
}

fn whether(ok: bool) -> Step {
    Step { ok: ok.into(), ..Step::default() }
}

/// A step with an answer, or one that says that there is none.
fn found<T>(answer: Option<T>, step: impl FnOnce(T) -> Step) -> Step {
    answer.map_or(whether(false), |answer| Step { ok: true.into(), ..step(answer) })
}

fn lcoord(answer: Option<Lcoord>) -> Step {
    found(answer, |lcoord| Step { lcoord: [lcoord.x(), lcoord.y()].into(), ..Step::default() })
}
