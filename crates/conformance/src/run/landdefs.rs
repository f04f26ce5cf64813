//! Calls of coordinate functions. Retail: `LandDefs`.

use threshold_land::glam::Vec3;
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
    let (asked, says) = words_of(call);
    let step = answer(call);
    let wanted = Node::new("wanted", format!("Wanted: {asked}."));
    let text = match step.is_ok() {
        true => says_of(&step, says),
        false => format!("no: {}", why_not(call)),
    };
    let at = place(&step);
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

/// Returns a description of a call, and the text of a plain success.
fn words_of(call: &Call) -> (String, &'static str) {
    let point = |at: Vec3| words::vector(at);
    match *call {
        Call::AdjustToOutside(cell, at) => (
            format!("the land cell under {}, in the frame of the landblock of {cell}", point(at)),
            "there is one",
        ),
        Call::GetOutsideLcoord(cell, at) => (
            format!(
                "where on the map the land cell under {} of the landblock of {cell} is",
                point(at)
            ),
            "it is on the map",
        ),
        Call::BlockidToLcoord(cell) => (
            format!("where on the map the first land cell of the landblock of {cell} is"),
            "it is on the map",
        ),
        Call::GidToLcoord(cell) => (format!("where on the map {cell} is"), "it is on the map"),
        Call::InboundValidCellid(cell) => {
            (format!("whether {cell} is the id of a cell on the map"), "it is")
        }
        Call::LcoordToGid(x, y) => {
            (format!("the id of the land cell at {x}, {y} of the map"), "there is one")
        }
        Call::InBounds(x, y) => (format!("whether there is a land cell at {x}, {y}"), "there is"),
        Call::GetBlockOffset(from, to) => {
            (format!("how far the landblock of {to} is from that of {from}"), "it is so far")
        }
    }
}

/// Explains why a call has no result.
fn why_not(call: &Call) -> String {
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
        Call::LcoordToGid(..) | Call::InBounds(..) => "that is off the map".to_owned(),
        _ => "there is none".to_owned(),
    }
}

/// Describes the computation of a position.
fn place(step: &Step) -> Option<Vec3> {
    #[allow(clippy::cast_possible_truncation, reason = "they were single once")]
    step.pos.value().map(|at| Vec3::from(at.map(|v| v as f32)))
}

/// Describes the result of a call.
fn says_of(step: &Step, yes: &str) -> String {
    let mut text = yes.to_owned();
    if let Some(cell) = step.cell.value() {
        text.push_str(&format!(": {cell}"));
    }
    if let Some([x, y]) = step.lcoord.value() {
        text.push_str(&format!(": {x} to the east and {y} to the north, in land cells"));
    }
    if let Some(at) = place(step) {
        let at = words::vector(at);
        text.push_str(&if yes == "it is so far" {
            format!(": {at}")
        } else {
            format!(", at {at}")
        });
    }
    text
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
