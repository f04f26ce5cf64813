//! Sentences for stages of a sweep, completed when the stage ends.

use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_motion::probe::{Ending, GroundSearchResult, Stage};
use threshold_motion::{Insert, PUSH_ATTEMPTS};

use super::node::{Node, Rank};
use super::obstacle::footing_name;
use super::record::{
    GroundSearchRecord, Incident, IncidentKind, Section, StandingSurface, SweepRecord,
};
use super::words::{self, metres, vector};

/// What is known at the end of a stage.
pub(super) struct StageEnd<'a> {
    pub(super) ending: Ending,
    /// Number of sub-steps of the move.
    pub(super) count: u32,
    /// The current section.
    pub(super) section: Option<&'a Section>,
    /// The last ground search within the stage.
    pub(super) search: Option<&'a GroundSearchRecord>,
    /// Footing reached by a step up, and the rise to it.
    pub(super) onto: Option<&'a (StandingSurface, f32)>,
}

/// Creates the node of a stage that begins; [`end`] adds the sentence.
pub(super) fn begin(stage: &Stage) -> Node {
    let node = |kind| Node::new(kind, String::new());
    match *stage {
        Stage::SubStep { number, requested } => {
            node("sub-step").with("number", number + 1).with("wished", requested)
        }
        Stage::PushOut => node("push-out"),
        Stage::PlacementTry { number, offset } => {
            node("try").with("number", number).with("offset", offset)
        }
        Stage::Cell(cell) => node("asked").with("cell", cell).ranked(Rank::Frame),
        Stage::Test(target) => {
            node("answer").with("who", words::target(&[target])).ranked(Rank::Frame)
        }
        Stage::StepUp { normal, height, min_normal_z } => node("step-up")
            .with("normal", normal)
            .with("height", height)
            .with("steepest", min_normal_z),
        Stage::GroundSearch { height, min_normal_z } => node("look-for-ground")
            .with("height", height)
            .with("steepest", min_normal_z)
            .ranked(Rank::Detail),
        Stage::RoomCheck => node("room").ranked(Rank::Detail),
        Stage::CentreCheck => node("middle").ranked(Rank::Detail),
        Stage::Landing => node("landing"),
    }
}

/// Completes the node of a stage.
pub(super) fn end(node: &mut Node, stage: &Stage, end: &StageEnd<'_>) {
    let (text, answer) = text(stage, end);
    node.text = text;
    let mut done = std::mem::replace(node, Node::new("", ""));
    done = match end.ending {
        Ending::Success(success) => done.with("well", success),
        Ending::GroundSearch(_) => done.with_some("found", end.search.map(search_result)),
        _ => done,
    };
    if let Stage::StepUp { .. } = stage {
        done = done
            .with_some("onto", end.onto.map(|(footing, _)| footing_name(footing)))
            .with_some("rise", end.onto.map(|(_, rise)| *rise));
        let failed = end.ending == Ending::Success(false);
        done = done.with_some("failed", failed.then(|| step_failure(end.search)));
    }
    // There may be hundreds of tries without room.
    if matches!(
        (stage, end.ending),
        (Stage::PlacementTry { number: 1.., .. }, Ending::Success(false))
    ) {
        done.rank = Rank::Detail;
    }
    *node = done.with_some("answer", answer.map(words::answer));
}

/// The sentence of a stage, and the insert result if it has one.
fn text(stage: &Stage, end: &StageEnd<'_>) -> (String, Option<Insert>) {
    match (stage, end.ending) {
        (Stage::SubStep { number, .. }, Ending::Insert(answer)) => {
            (sub_step(*number, answer, end), Some(answer))
        }
        (Stage::PushOut, Ending::Insert(answer)) => (push_out(answer, end.section), Some(answer)),
        (Stage::PlacementTry { number, offset }, Ending::Success(placed)) => {
            (placement_try(*number, *offset, placed), None)
        }
        (Stage::Cell(cell), Ending::Cell(_, answer)) => {
            let name = words::sentence(&words::cell(*cell));
            (format!("{name} tested: {}.", words::answer(answer)), Some(answer))
        }
        (Stage::Test(target), Ending::Insert(answer)) => {
            let name = words::sentence(&words::target(&[*target]));
            (format!("{name}: {}.", words::answer(answer)), Some(answer))
        }
        (Stage::StepUp { height, .. }, Ending::Success(stepped)) => {
            (step_up(*height, stepped, end), None)
        }
        (Stage::GroundSearch { height, .. }, Ending::GroundSearch(_)) => {
            let depth = metres(*height);
            let found = end.search.map_or_else(String::new, search_result);
            (format!("Ground search within {depth}: {found}."), None)
        }
        (Stage::RoomCheck, Ending::Success(free)) => {
            (format!("Is there room for it? {}.", yes_no(free)), None)
        }
        (Stage::CentreCheck, Ending::Success(found)) => {
            (format!("Is there ground under its centre? {}.", yes_no(found)), None)
        }
        (Stage::Landing, Ending::Success(landed)) => {
            (format!("Can it stand on what it fell on? {}.", yes_no(landed)), None)
        }
        _ => (String::new(), None),
    }
}

fn yes_no(value: bool) -> &'static str {
    if value { "Yes" } else { "No" }
}

fn sub_step(number: u32, answer: Insert, end: &StageEnd<'_>) -> String {
    let moved = end.section.is_none_or(|section| section.moved);
    let requested = end.section.map_or(Vec3::ZERO, |section| section.requested);
    let result = match answer {
        _ if !moved => "nothing is left of it",
        Insert::Ok => "accepted",
        _ => "taken back",
    };
    format!("Sub-step {} of {}, by {}: {result}.", number + 1, end.count, vector(requested))
}

fn push_out(answer: Insert, section: Option<&Section>) -> String {
    let any = |filter: &dyn Fn(&IncidentKind) -> bool| {
        let matches = |incident: &Incident| filter(&incident.kind);
        section.is_some_and(|section| section.incidents.iter().any(matches))
    };
    let pushed = any(&|kind| matches!(kind, IncidentKind::PushedOut { .. }));
    match answer {
        Insert::Ok if pushed => "First it is pushed out of the walls it overlaps.".to_owned(),
        Insert::Ok => "First it would be pushed out of walls; it overlaps none.".to_owned(),
        _ => format!(
            "First it is pushed out of the walls it overlaps, which fails: {}.",
            push_out_reason(answer, any)
        ),
    }
}

/// Why a mover could not be pushed out of walls.
pub(super) fn push_out_reason(
    answer: Insert,
    any: impl Fn(&dyn Fn(&IncidentKind) -> bool) -> bool,
) -> String {
    if any(&|kind| matches!(kind, IncidentKind::CellExit(_))) {
        return "no cell contains the position it is pushed to".to_owned();
    }
    if any(&|kind| matches!(kind, IncidentKind::EntryDenied { .. })) {
        return "it may not enter the cell".to_owned();
    }
    if any(&|kind| matches!(kind, IncidentKind::AllWater)) {
        return "the whole landblock is water".to_owned();
    }
    match answer {
        Insert::Collided => format!("after {PUSH_ATTEMPTS} pushes it is still in solid space"),
        _ => "the place is tried twice, and the second try needs a push again".to_owned(),
    }
}

fn placement_try(number: u32, offset: Vec3, placed: bool) -> String {
    let result = if placed { "there is room" } else { "there is no room" };
    if number == 0 {
        return format!("Then the place itself is tried: {result}.");
    }
    let distance = metres(offset.length());
    match words::compass(offset) {
        Some(compass) => format!("{distance} to the {compass} (try {number}): {result}."),
        None => format!("{distance} away (try {number}): {result}."),
    }
}

fn step_up(height: f32, stepped: bool, end: &StageEnd<'_>) -> String {
    let tries = format!("A step up of at most {}", metres(height));
    match end.onto {
        Some((footing, rise)) if stepped => {
            // The sphere is set down from the height of the step, and moved up out of what it overlaps there.
            let over = if *rise > height {
                ", lifted off the edge that its sphere overlaps there"
            } else {
                ""
            };
            format!("{tries}: it rises by {} onto {}{over}.", metres(*rise), footing_name(footing))
        }
        _ if stepped => format!("{tries}: it stands on the obstacle."),
        _ => format!("{tries} fails: {}.", step_failure(end.search)),
    }
}

/// Why a step up failed.
pub(super) fn step_failure(search: Option<&GroundSearchRecord>) -> String {
    match search {
        Some(GroundSearchRecord {
            result: GroundSearchResult::NoRoom,
            blocker: Some(blocker),
            ..
        }) => {
            let name = words::surface(blocker.contact.surface, &blocker.target);
            format!("there is no room at the top because of {name}")
        }
        Some(GroundSearchRecord { result: GroundSearchResult::Nothing, .. }) => {
            "there is nothing flat enough to stand on within that height".to_owned()
        }
        Some(search) => search_result(search),
        None => "there was no search for ground".to_owned(),
    }
}

/// The result of a ground search.
pub(super) fn search_result(search: &GroundSearchRecord) -> String {
    match search.result {
        GroundSearchResult::Ground => "there is ground, with room above it".to_owned(),
        GroundSearchResult::Blocked(_) if search.no_cell => "no cell is there".to_owned(),
        GroundSearchResult::Blocked(_) => match search.too_high {
            Some(lift) => {
                format!("the ground there would lift it by {}, which is too much", metres(lift))
            }
            None => "something is in the way there".to_owned(),
        },
        GroundSearchResult::Nothing => "there is nothing flat enough to stand on".to_owned(),
        GroundSearchResult::TooSteep => "the ground there is too steep".to_owned(),
        GroundSearchResult::OnlyEdge => "there is ground, but not under its centre".to_owned(),
        GroundSearchResult::NoRoom => match &search.blocker {
            Some(blocker) => {
                let name = words::surface(blocker.contact.surface, &blocker.target);
                format!("there is ground, but {name} leaves no room on it")
            }
            None => "there is ground, but no room above it".to_owned(),
        },
    }
}

/// Cells that are free; `after`: only after an obstacle was handled.
pub(super) fn free(cells: &[CellId], after: bool) -> Node {
    let names = cells.iter().map(CellId::to_string).collect::<Vec<_>>().join(", ");
    let when = if after { "Free after that" } else { "Tested and free" };
    Node::new("free", format!("{when}: {names}.")).with("cells", cells.to_vec())
}

/// Returns whether a node or its children report a contact.
pub(super) fn has_contact(node: &Node) -> bool {
    ["met", "behind", "pushed", "camera"].contains(&node.kind)
        || node.rank != Rank::Detail && node.children.iter().any(has_contact)
}

/// The sub-steps that were no longer tried.
pub(super) fn untried(record: &SweepRecord) -> Option<Node> {
    let count = record.division?.count;
    let Stage::SubStep { number, .. } = record.sections.last()?.stage else { return None };
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
