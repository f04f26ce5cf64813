//! What begins and ends, as sentences.

use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_motion::probe::{Ending, GroundSearchResult, Stage};
use threshold_motion::{Insert, PUSH_ATTEMPTS};

use super::account::{Account, Chapter, Floor, Happening, Look, What};
use super::node::{Node, Rank};
use super::obstacle::floor_name;
use super::words::{self, metres, vector};

/// What is known at the end of a stage.
pub(super) struct Ended<'a> {
    pub(super) ending: Ending,
    /// How many sub-steps there are.
    pub(super) count: u32,
    /// The sub-step or try.
    pub(super) chapter: Option<&'a Chapter>,
    /// What the last look for ground within it said.
    pub(super) look: Option<&'a Look>,
    /// What a step up came to stand on, and how far up.
    pub(super) onto: Option<&'a (Floor, f32)>,
}

/// A stage at its beginning; its sentence comes with its end.
pub(super) fn begins(stage: &Stage) -> Node {
    let node = |kind| Node::new(kind, String::new());
    match *stage {
        Stage::SubStep { number, requested: wished } => {
            node("sub-step").with("number", number + 1).with("wished", wished)
        }
        Stage::PushOut => node("push-out"),
        Stage::PlacementTry { number, offset } => {
            node("try").with("number", number).with("offset", offset)
        }
        Stage::Cell(cell) => node("asked").with("cell", cell).ranked(Rank::Frame),
        Stage::Test(who) => node("answer").with("who", words::who(&[who])).ranked(Rank::Frame),
        Stage::StepUp { normal, height, steepest } => {
            node("step-up").with("normal", normal).with("height", height).with("steepest", steepest)
        }
        Stage::GroundSearch { height, steepest } => node("look-for-ground")
            .with("height", height)
            .with("steepest", steepest)
            .ranked(Rank::Detail),
        Stage::RoomCheck => node("room").ranked(Rank::Detail),
        Stage::CentreCheck => node("middle").ranked(Rank::Detail),
        Stage::Landing => node("landing"),
    }
}

/// Completes a stage.
pub(super) fn ends(node: &mut Node, stage: &Stage, ended: &Ended<'_>) {
    let (text, facts) = match (stage, ended.ending) {
        (Stage::SubStep { number, .. }, Ending::Insert(answer)) => {
            (sub_step(*number, answer, ended), Some(answer))
        }
        (Stage::PushOut, Ending::Insert(answer)) => (push_out(answer, ended.chapter), Some(answer)),
        (Stage::PlacementTry { number, offset }, Ending::Success(placed)) => {
            (tried(*number, *offset, placed), None)
        }
        (Stage::Cell(cell), Ending::Cell(_, answer)) => {
            let name = words::sentence(&words::cell(*cell));
            (format!("{name} is asked: {}.", words::answer(answer)), Some(answer))
        }
        (Stage::Test(who), Ending::Insert(answer)) => {
            let name = words::sentence(&words::who(&[*who]));
            (format!("{name}: {}.", words::answer(answer)), Some(answer))
        }
        (Stage::StepUp { height, .. }, Ending::Success(stepped)) => {
            (step_up(*height, stepped, ended), None)
        }
        (Stage::GroundSearch { height, .. }, Ending::GroundSearch(_)) => {
            let within = metres(*height);
            let found = ended.look.map_or_else(String::new, below);
            (format!("Ground is looked for within {within}: {found}."), None)
        }
        (Stage::RoomCheck, Ending::Success(free)) => {
            (format!("Is there room for it? {}.", yes(free)), None)
        }
        (Stage::CentreCheck, Ending::Success(found)) => {
            (format!("Is there ground under its middle? {}.", yes(found)), None)
        }
        (Stage::Landing, Ending::Success(landed)) => {
            (format!("Can it stand on what it fell on? {}.", yes(landed)), None)
        }
        _ => (String::new(), None),
    };
    node.text = text;
    let mut done = std::mem::replace(node, Node::new("", ""));
    done = match ended.ending {
        Ending::Success(well) => done.with("well", well),
        Ending::GroundSearch(_) => done.with_some("found", ended.look.map(below)),
        _ => done,
    };
    if let Stage::StepUp { .. } = stage {
        done = done
            .with_some("onto", ended.onto.map(|(floor, _)| floor_name(floor)))
            .with_some("rise", ended.onto.map(|(_, rise)| *rise));
        let failed = ended.ending == Ending::Success(false);
        done = done.with_some("failed", failed.then(|| step_failure(ended.look)));
    }
    // There may be hundreds of places round one without room.
    if matches!(
        (stage, ended.ending),
        (Stage::PlacementTry { number: 1.., .. }, Ending::Success(false))
    ) {
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

fn push_out(answer: Insert, chapter: Option<&Chapter>) -> String {
    let any = |is: &dyn Fn(&What) -> bool| {
        let is = |happening: &Happening| is(&happening.what);
        chapter.is_some_and(|chapter| chapter.happenings.iter().any(is))
    };
    let pushed = any(&|what| matches!(what, What::Pushed { .. }));
    match answer {
        Insert::Ok if pushed => "First it is pushed out of the walls it is in.".to_owned(),
        Insert::Ok => "First it is pushed out of walls: it is in none.".to_owned(),
        _ => format!(
            "First it is pushed out of the walls it is in, which fails: {}.",
            stuck(answer, any)
        ),
    }
}

/// Why something could not be pushed out of walls.
pub(super) fn stuck(answer: Insert, any: impl Fn(&dyn Fn(&What) -> bool) -> bool) -> String {
    if any(&|what| matches!(what, What::Leaves(_))) {
        return "no cell contains it where it is pushed to".to_owned();
    }
    if any(&|what| matches!(what, What::Restricted { .. })) {
        return "it may not enter the cell".to_owned();
    }
    if any(&|what| matches!(what, What::Sea)) {
        return "the whole landblock is sea".to_owned();
    }
    match answer {
        Insert::Collided => format!("after {PUSH_ATTEMPTS} pushes it is still in matter"),
        _ => "the place is tried twice, and the second time it has to be pushed again".to_owned(),
    }
}

fn tried(number: u32, offset: Vec3, placed: bool) -> String {
    let free = if placed { "there is room" } else { "there is no room" };
    if number == 0 {
        return format!("Then the place itself is tried: {free}.");
    }
    let far = metres(offset.length());
    match words::compass(offset) {
        Some(compass) => format!("{far} to the {compass} (try {number}): {free}."),
        None => format!("{far} away (try {number}): {free}."),
    }
}

fn step_up(height: f32, stepped: bool, ended: &Ended<'_>) -> String {
    let tries = format!("A step up of at most {}", metres(height));
    match ended.onto {
        Some((floor, rise)) if stepped => {
            format!("{tries}: it goes up by {} onto {}.", metres(*rise), floor_name(floor))
        }
        _ if stepped => format!("{tries}: it stands on what was in the way."),
        _ => format!("{tries} fails: {}.", step_failure(ended.look)),
    }
}

/// Why a step up failed.
pub(super) fn step_failure(look: Option<&Look>) -> String {
    match look {
        Some(Look { found: GroundSearchResult::NoRoom, taken: Some(taken), .. }) => {
            let what = words::surface(taken.met.surface, &taken.who);
            format!("there is no room at the top, which {what} takes")
        }
        Some(Look { found: GroundSearchResult::Nothing, .. }) => {
            "there is nothing flat enough to stand on within that height".to_owned()
        }
        Some(look) => below(look),
        None => "no ground was looked for".to_owned(),
    }
}

/// What a look for ground has found.
pub(super) fn below(look: &Look) -> String {
    match look.found {
        GroundSearchResult::Ground => "there is some, with room above it".to_owned(),
        GroundSearchResult::Blocked(_) if look.nowhere => "no cell is there".to_owned(),
        GroundSearchResult::Blocked(_) => match look.too_high {
            Some(by) => {
                format!("the ground there would lift it by {}, which is too much", metres(by))
            }
            None => "something is in the way there".to_owned(),
        },
        GroundSearchResult::Nothing => "there is nothing flat enough to stand on".to_owned(),
        GroundSearchResult::TooSteep => "what is there is too steep".to_owned(),
        GroundSearchResult::OnlyEdge => "there is some, but not under its middle".to_owned(),
        GroundSearchResult::NoRoom => match &look.taken {
            Some(taken) => {
                let what = words::surface(taken.met.surface, &taken.who);
                format!("there is some, but {what} leaves no room on it")
            }
            None => "there is some, but no room above it".to_owned(),
        },
    }
}

/// Cells that are not in the way, at once or after something was.
pub(super) fn free(cells: &[CellId], after: bool) -> Node {
    let names = cells.iter().map(CellId::to_string).collect::<Vec<_>>().join(", ");
    let when = if after { "After that, free" } else { "Asked and free" };
    Node::new("free", format!("{when}: {names}.")).with("cells", cells.to_vec())
}

/// Whether something was met in it.
pub(super) fn is_in_the_way(node: &Node) -> bool {
    ["met", "behind", "pushed", "camera"].contains(&node.kind)
        || node.rank != Rank::Detail && node.children.iter().any(is_in_the_way)
}

/// Sub-steps that were not tried any more.
pub(super) fn untried(account: &Account) -> Option<Node> {
    let (_, _, count) = account.cut?;
    let Stage::SubStep { number, .. } = account.chapters.last()?.stage else { return None };
    let next = number + 2;
    let text = match next.cmp(&count) {
        std::cmp::Ordering::Less => {
            format!("The move ends here: sub-steps {next} to {count} are not tried.")
        }
        std::cmp::Ordering::Equal => {
            format!("The move ends here: sub-step {count} is not tried.")
        }
        std::cmp::Ordering::Greater => return None,
    };
    Some(Node::new("untried", text).with("from", next).with("to", count))
}
