//! Explains why a move ended where it did.
//!
//! The functions here repeat a move, a placement or a cell search with a probe, and describe it in sentences: the request, the
//! result, what stopped the mover and where, why it is in this cell, which disputed rules would have changed the outcome, and
//! everything that happened, sub-step by sub-step. Neither the world nor the outcome changes.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_motion::{Mover, Sweeper};
//! use threshold_why as why;
//! use threshold_world::{Builder, World};
//!
//! let builder = Builder::new(samples::two_rooms()?);
//! let mut world = World::new();
//! for piece in builder.pieces() {
//!     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! }
//! // A camera that moves back into the west wall.
//! let from = Position::new(CellId(0x0102_0100), Vec3::new(2.0, 2.0, 1.5));
//! let mut to = from;
//! to.frame.origin.x = -2.0;
//! let (outcome, why) = why::camera(&Sweeper::new(&world), &Mover::viewer(0.25), &from, &to);
//! assert_eq!(outcome.position.frame.origin.x, 0.25);
//! let stopped = why.stopped().expect("the wall stops it");
//! assert!(stopped.text.starts_with("Stopped by a wall: polygon"), "{}", stopped.text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cell_arrays;
mod node;
mod obstacle;
mod placement;
mod quantum;
mod record;
mod recorder;
mod rules;
mod sentences;
mod stages;
mod summary;
pub mod words;

use threshold_land::{CellId, Position, Sphere};
use threshold_motion::probe::SweepProbe;
use threshold_motion::{Mover, Outcome, Rules, Search, SweepScratch, Sweeper};
use threshold_world::{CellArray, CellSearch, CellSearchResult};

use self::record::CellArrayRecord;
use self::recorder::Recorder;
use self::rules::EndState;
use self::summary::{Request, Summary, without_sliding_normal};

pub use node::{Fact, Node, Rank, Value};
pub use quantum::{quantum, velocity_after};

/// Explanation of a move, a placement or a cell search.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// A few sentences: the request, the result, what stopped the mover, and where it is.
    pub summary: Vec<Node>,
    /// The disputed rules that would have changed the outcome.
    pub rules: Vec<Node>,
    /// What happened, in order.
    pub steps: Vec<Node>,
}

impl Explanation {
    /// Creates an explanation from its parts.
    pub fn new(summary: Vec<Node>, rules: Vec<Node>, steps: Vec<Node>) -> Self {
        Self { summary, rules, steps }
    }

    /// Returns the obstacle that stopped the mover or turned it aside.
    pub fn stopped(&self) -> Option<&Node> {
        self.summary.iter().find(|node| node.kind == "stopped")
    }
}

/// Sweeps a mover and explains the outcome.
pub fn sweep(
    sweeper: &Sweeper<'_>,
    mover: &Mover,
    from: &Position,
    to: &Position,
) -> (Outcome, Explanation) {
    explain(sweeper, mover, Request::Move { from, to })
}

/// Sweeps a camera and explains the outcome.
pub fn camera(
    sweeper: &Sweeper<'_>,
    camera: &Mover,
    from: &Position,
    to: &Position,
) -> (Outcome, Explanation) {
    explain(sweeper, camera, Request::Camera { from, to })
}

/// Places a mover and explains the outcome.
pub fn place(
    sweeper: &Sweeper<'_>,
    mover: &Mover,
    at: &Position,
    search: Search,
) -> (Outcome, Explanation) {
    let (outcome, mut explanation) = explain(sweeper, mover, Request::Place { at, search });
    // After the request and the result.
    if let Some(start) = placement::start_cell(sweeper.world, mover, at) {
        explanation.summary.insert(2, start);
    }
    (outcome, explanation)
}

/// Searches the cells that spheres touch and explains why each is in the cell array and which one contains the first sphere's
/// centre. Takes the arguments of [`CellSearch::spheres`].
pub fn cells(
    sweeper: &Sweeper<'_>,
    position: &Position,
    spheres: &[Sphere],
) -> (CellSearchResult, Vec<CellId>, Explanation) {
    let search = |rules: Rules| {
        let mut array = CellArray::new();
        array.keep_reasons(true);
        let search = CellSearch { world: sweeper.world, rules: rules.cells() };
        let found = search.spheres(position, spheres, &mut array);
        (found, array)
    };
    let end = |found: &CellSearchResult, array: &CellArray| EndState {
        refused: None,
        at: None,
        cell: found.cell,
        stands: None,
        hit: None,
        cells: array.ids().collect(),
    };
    let (found, array) = search(sweeper.rules);
    let centre = spheres.first().map_or(position.frame.origin, |sphere| sphere.centre);
    let radius = spheres.first().map_or(0.0, |sphere| sphere.radius);
    let spheres = spheres.len();
    let record =
        CellArrayRecord::new(array.entries(), array.reasons(), found.cell, centre, spheres);
    let rules = rules::decisive(&sweeper.rules, &end(&found, &array), |rules| {
        let (found, array) = search(rules);
        end(&found, &array)
    });
    let text = format!(
        "Wanted: the cells that a sphere of radius {} at {} touches, starting from {}.",
        words::metres(radius),
        words::vector(centre),
        words::cell(position.cell)
    );
    let wanted = Node::new("wanted", text)
        .with("at", centre)
        .with("radius", radius)
        .with("cell", position.cell);
    // The reasons are children of the last node only.
    let result = Node { children: Vec::new(), ..cell_arrays::node(&record) };
    let summary = vec![wanted, result, cell_arrays::why_picked(&record)];
    (found, array.ids().collect(), Explanation::new(summary, rules, Vec::new()))
}

/// Runs a request with a recorder and describes it.
fn explain(sweeper: &Sweeper<'_>, mover: &Mover, request: Request<'_>) -> (Outcome, Explanation) {
    let from = match request {
        Request::Move { from, .. } | Request::Camera { from, .. } => from.cell,
        Request::Place { at, .. } => at.cell,
    };
    let mut recorder = Recorder::new(mover, from);
    let outcome = run(sweeper, &mut recorder, mover, request);
    let (steps, record) = recorder.finish();
    let without_normal = without_sliding_normal(sweeper, mover, &outcome)
        .map(|sweeper| run(&sweeper, &mut (), mover, request));
    let without_normal = without_normal.as_ref();
    let summary = Summary { request, mover, outcome: &outcome, record: &record, without_normal };
    let mut summary = summary.nodes();
    placement::name_objects(sweeper.world, &record, &mut summary);
    let rules = rules::decisive(&sweeper.rules, &EndState::of(&outcome), |rules| {
        EndState::of(&run(&Sweeper { rules, ..*sweeper }, &mut (), mover, request))
    });
    (outcome, Explanation::new(summary, rules, steps))
}

fn run<P: SweepProbe>(
    sweeper: &Sweeper<'_>,
    probe: &mut P,
    mover: &Mover,
    request: Request<'_>,
) -> Outcome {
    let scratch = &mut SweepScratch::new();
    match request {
        Request::Move { from, to } => sweeper.sweep(scratch, probe, mover, from, to),
        Request::Camera { from, to } => sweeper.sweep_camera(scratch, probe, mover, from, to),
        Request::Place { at, search } => sweeper.place(scratch, probe, mover, at, search),
    }
}

#[cfg(test)]
mod tests;
