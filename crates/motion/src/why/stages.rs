//! What begins and ends, as sentences.

use threshold_land::CellId;
use threshold_land::glam::Vec3;

use super::account::{Chapter, Happening, Meeting, What};
use super::node::{Node, Rank};
use super::words::{self, metres, vector};
use crate::outcome::Insert;
use crate::probe::{Below, Ending, Stage};

/// What is known at the end of a stage.
pub(super) struct Ended<'a> {
    pub(super) ending: Ending,
    /// How many sub-steps there are.
    pub(super) count: u32,
    /// The sub-step or try.
    pub(super) chapter: Option<&'a Chapter>,
    /// What the last look for ground within it said.
    pub(super) below: Option<Below>,
    /// What was where it would have stood.
    pub(super) taken: Option<&'a Meeting>,
}

/// A stage at its beginning; its sentence comes with its end.
pub(super) fn begins(stage: &Stage) -> Node {
    let node = |kind| Node::new(kind, String::new());
    match *stage {
        Stage::SubStep { number, wished } => {
            node("sub-step").with("number", number + 1).with("wished", wished)
        }
        Stage::PushOut => node("push-out"),
        Stage::Try { number, offset } => node("try").with("number", number).with("offset", offset),
        Stage::Cell(cell) => node("asked").with("cell", cell).ranked(Rank::Frame),
        Stage::Asks(who) => node("answer").with("who", words::who(&[who])).ranked(Rank::Frame),
        Stage::StepUp { normal, height, steepest } => {
            node("step-up").with("normal", normal).with("height", height).with("steepest", steepest)
        }
        Stage::Below { height, steepest } => node("look-for-ground")
            .with("height", height)
            .with("steepest", steepest)
            .ranked(Rank::Detail),
        Stage::Room => node("room").ranked(Rank::Detail),
        Stage::Middle => node("middle").ranked(Rank::Detail),
        Stage::Landing => node("landing"),
    }
}

/// Completes a stage.
pub(super) fn ends(node: &mut Node, stage: &Stage, ended: &Ended<'_>) {
    let (text, facts) = match (stage, ended.ending) {
        (Stage::SubStep { number, .. }, Ending::Answer(answer)) => {
            (sub_step(*number, answer, ended), Some(answer))
        }
        (Stage::PushOut, Ending::Answer(answer)) => {
            (push_out(answer, ended.chapter).to_owned(), Some(answer))
        }
        (Stage::Try { number, offset }, Ending::Whether(placed)) => {
            (tried(*number, *offset, placed), None)
        }
        (Stage::Cell(cell), Ending::Cell(_, answer)) => {
            let name = words::sentence(&words::cell(*cell));
            (format!("{name} is asked: {}.", words::answer(answer)), Some(answer))
        }
        (Stage::Asks(who), Ending::Answer(answer)) => {
            let name = words::sentence(&words::who(&[*who]));
            (format!("{name}: {}.", words::answer(answer)), Some(answer))
        }
        (Stage::StepUp { height, .. }, Ending::Whether(stepped)) => {
            (step_up(*height, stepped, ended), None)
        }
        (Stage::Below { height, .. }, Ending::Below(found)) => {
            let look = format!("Ground is looked for within {}", metres(*height));
            (format!("{look}: {}.", below(found)), None)
        }
        (Stage::Room, Ending::Whether(free)) => {
            (format!("Is there room for it? {}.", yes(free)), None)
        }
        (Stage::Middle, Ending::Whether(found)) => {
            (format!("Is there ground under its middle? {}.", yes(found)), None)
        }
        (Stage::Landing, Ending::Whether(landed)) => {
            (format!("Can it stand on what it fell on? {}.", yes(landed)), None)
        }
        _ => (String::new(), None),
    };
    node.text = text;
    let mut done = std::mem::replace(node, Node::new("", ""));
    done = match ended.ending {
        Ending::Whether(well) => done.with("well", well),
        Ending::Below(found) => done.with("found", below(found)),
        _ => done,
    };
    // There may be hundreds of places round one without room.
    if matches!((stage, ended.ending), (Stage::Try { number: 1.., .. }, Ending::Whether(false))) {
        done.rank = Rank::Detail;
    }
    *node = done.with_some("answer", facts.map(words::answer));
}

fn yes(well: bool) -> &'static str {
    if well { "Yes" } else { "No" }
}

fn sub_step(number: u32, answer: Insert, ended: &Ended<'_>) -> String {
    let went = ended.chapter.is_none_or(|chapter| chapter.went);
    let wished = ended.chapter.map_or(Vec3::ZERO, |chapter| chapter.wished);
    let end = match answer {
        _ if !went => "nothing is left of it".to_owned(),
        Insert::Ok => "accepted".to_owned(),
        _ => "taken back".to_owned(),
    };
    format!("Sub-step {} of {}, by {}: {end}.", number + 1, ended.count, vector(wished))
}

fn push_out(answer: Insert, chapter: Option<&Chapter>) -> &'static str {
    let is_push = |happening: &Happening| matches!(happening.what, What::Pushed { .. });
    let pushed = chapter.is_some_and(|chapter| chapter.happenings.iter().any(is_push));
    match (answer, pushed) {
        (Insert::Ok, true) => "First it is pushed out of the walls it is in.",
        (Insert::Ok, false) => "First it is pushed out of walls: it is in none.",
        _ => "First it is pushed out of the walls it is in, which fails.",
    }
}

fn tried(number: u32, offset: Vec3, placed: bool) -> String {
    let free = if placed { "there is room" } else { "there is no room" };
    if number == 0 {
        return format!("Where it should be: {free}.");
    }
    let far = metres(offset.length());
    match words::compass(offset) {
        Some(compass) => format!("{far} to the {compass} (try {number}): {free}."),
        None => format!("{far} away (try {number}): {free}."),
    }
}

fn step_up(height: f32, stepped: bool, ended: &Ended<'_>) -> String {
    let tries = format!("A step up of at most {}", metres(height));
    if stepped {
        return format!("{tries}: it stands on what was in the way.");
    }
    format!("{tries} fails: {}.", step_failure(ended.below, ended.taken))
}

/// Why a step up failed.
pub(super) fn step_failure(found: Option<Below>, taken: Option<&Meeting>) -> String {
    match (found, taken) {
        (Some(Below::NoRoom), Some(taken)) => {
            let what = words::surface(taken.met.surface, &taken.who);
            format!("there is no room at the top, which {what} takes")
        }
        (Some(Below::Nothing), _) => "there is nothing to stand on within that height".to_owned(),
        (Some(found), _) => below(found),
        (None, _) => "no ground was looked for".to_owned(),
    }
}

/// What a look for ground has found.
pub(super) fn below(found: Below) -> String {
    match found {
        Below::Ground => "there is some, with room above it".to_owned(),
        Below::Blocked(_) => "something is in the way there".to_owned(),
        Below::Nothing => "there is nothing to stand on".to_owned(),
        Below::TooSteep => "what is there is too steep".to_owned(),
        Below::OnlyEdge => "there is some, but not under its middle".to_owned(),
        Below::NoRoom => "there is some, but no room above it".to_owned(),
    }
}

/// Cells that are not in the way.
pub(super) fn free(cells: &[CellId]) -> Node {
    let names = cells.iter().map(CellId::to_string).collect::<Vec<_>>().join(", ");
    Node::new("free", format!("Asked and free: {names}.")).with("cells", cells.to_vec())
}
