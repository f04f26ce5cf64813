//! Calls of coordinate functions. Retail: `LandDefs`.

use threshold_land::vector::Vec3;
use threshold_land::{Lcoord, adjust_to_outside, block_offset_between, outside_lcoord};
use threshold_why::{Explanation, Node, words};

use crate::record::Step;
use crate::scenario::{Call, LanddefsJob};

/// Returns the result of each call.
pub(super) fn landdefs(job: &LanddefsJob) -> Vec<Step> {
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
            Step { pos: block_offset_between(from, to).into(), ..whether(true) }
        }
    }
}

/// Explains a call and its result.
pub(super) fn explain(call: &Call) -> (Step, Explanation) {
    let step = answer(call);
    let wanted = Node::new("wanted", format!("Wanted: {}.", request_text(call)));
    let text = match step.is_ok() {
        true => result_text(&step),
        false => format!("no: {}", failure_text(call)),
    };
    let at = position(&step);
    let [east, north] =
        step.lcoord.value().map_or([None; 2], |at| at.map(|v| u32::try_from(v).ok()));
    let result = Node::new("result", format!("{}.", words::sentence(&text)))
        .with("ok", step.is_ok())
        .with_some("cell", step.cell.value().copied())
        .with_some("at", at)
        .with_some("east", east)
        .with_some("north", north);
    let rule = "No rule decided: this is arithmetic.";
    let rules = vec![Node::new("no-rule", rule).with("tried", 0_u64)];
    (step, Explanation::new(vec![wanted, result], rules, Vec::new()))
}

/// Describes what a call computes.
fn request_text(call: &Call) -> String {
    match *call {
        Call::AdjustToOutside(cell, at) => {
            let at = words::vector(at);
            format!("the land cell under {at}, in the frame of the landblock of {cell}")
        }
        Call::GetOutsideLcoord(cell, at) => {
            let at = words::vector(at);
            format!(
                "the map coordinates of the land cell under {at}, in the frame of the landblock of {cell}"
            )
        }
        Call::BlockidToLcoord(cell) => {
            format!("the map coordinates of the first land cell of the landblock of {cell}")
        }
        Call::GidToLcoord(cell) => format!("the map coordinates of {cell}"),
        Call::InboundValidCellid(cell) => {
            format!("whether {cell} is the id of a cell on the map")
        }
        Call::LcoordToGid(x, y) => format!("the id of the land cell at map coordinates {x}, {y}"),
        Call::InBounds(x, y) => format!("whether map coordinates {x}, {y} are on the map"),
        Call::GetBlockOffset(from, to) => {
            format!("the offset from the landblock of {from} to that of {to}")
        }
    }
}

/// Explains why a call has no result.
fn failure_text(call: &Call) -> String {
    match *call {
        Call::AdjustToOutside(cell, _)
        | Call::GetOutsideLcoord(cell, _)
        | Call::BlockidToLcoord(cell)
        | Call::GidToLcoord(cell)
        | Call::InboundValidCellid(cell)
            if !cell.is_valid() =>
        {
            format!("{cell} is not the id of a cell on the map")
        }
        Call::AdjustToOutside(..) | Call::GetOutsideLcoord(..) => {
            "the point is off the map".to_owned()
        }
        Call::GidToLcoord(cell) if cell.is_indoor() => format!("{cell} is a room"),
        Call::LcoordToGid(..) | Call::InBounds(..) => "the coordinates are off the map".to_owned(),
        _ => "there is none".to_owned(),
    }
}

/// Returns the position of a step in single precision.
fn position(step: &Step) -> Option<Vec3> {
    #[allow(clippy::cast_possible_truncation, reason = "written from single precision")]
    step.pos.value().map(|at| Vec3::from(at.map(|v| v as f32)))
}

/// Describes the result of a call.
fn result_text(step: &Step) -> String {
    let at = position(step).map(words::vector);
    match (step.cell.value(), step.lcoord.value(), at) {
        (Some(cell), _, Some(at)) => format!("{cell}, at {at}"),
        (Some(cell), _, None) => cell.to_string(),
        (None, Some([x, y]), _) => format!("{x} to the east and {y} to the north, in land cells"),
        (None, None, Some(at)) => at,
        (None, None, None) => "yes".to_owned(),
    }
}

fn whether(ok: bool) -> Step {
    Step { ok: ok.into(), ..Step::default() }
}

/// Makes a step of a result; without one, a failed step.
fn found<T>(answer: Option<T>, step: impl FnOnce(T) -> Step) -> Step {
    answer.map_or(whether(false), |answer| Step { ok: true.into(), ..step(answer) })
}

fn lcoord(answer: Option<Lcoord>) -> Step {
    found(answer, |lcoord| Step { lcoord: [lcoord.x(), lcoord.y()].into(), ..Step::default() })
}
