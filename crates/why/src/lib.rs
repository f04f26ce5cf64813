//! Why a move ended where it did.
//!
//! The functions here make a move, a placement or a search again, watch it, and put it into words: what was wanted, what
//! came of it, what stopped the mover and where, why it is in this cell and no other, which disputed rules would have changed
//! that, and everything that happened, sub-step by sub-step. Nothing changes: neither the world nor the answer.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::glam::Vec3;
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
//! // A camera that moves back against the west wall.
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

mod account;
mod lists;
mod node;
mod obstacle;
mod quantum;
mod recorder;
mod rules;
mod seat;
mod sentences;
mod stages;
mod summary;
pub mod words;

use threshold_land::{CellId, Position, Sphere};
use threshold_motion::probe::SweepProbe;
use threshold_motion::{Mover, Outcome, Rules, Search, SweepScratch, Sweeper};
use threshold_world::{CellArray, CellSearch, CellSearchResult};

use self::account::Listing;
use self::recorder::Recorder;
use self::rules::End;
use self::summary::{Summary, Wish, without_sliding};

pub use node::{Fact, Node, Rank, Value};
pub use quantum::{quantum, velocity_after};

/// Why something ended as it did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// In a few sentences: what was wanted, what came of it, what stopped it, where it is.
    pub summary: Vec<Node>,
    /// Which disputed rules would have changed that.
    pub rules: Vec<Node>,
    /// What happened, in order.
    pub steps: Vec<Node>,
}

impl Explanation {
    /// From its parts.
    pub fn new(summary: Vec<Node>, rules: Vec<Node>, steps: Vec<Node>) -> Self {
        Self { summary, rules, steps }
    }

    /// What stopped the mover or turned it aside.
    pub fn stopped(&self) -> Option<&Node> {
        self.summary.iter().find(|node| node.kind == "stopped")
    }
}

/// A sweep, and why it ended there.
pub fn sweep(
    sweeper: &Sweeper<'_>,
    mover: &Mover,
    from: &Position,
    to: &Position,
) -> (Outcome, Explanation) {
    explain(sweeper, mover, Wish::Move { from, to })
}

/// The sweep of a camera, and why it ended there.
pub fn camera(
    sweeper: &Sweeper<'_>,
    camera: &Mover,
    from: &Position,
    to: &Position,
) -> (Outcome, Explanation) {
    explain(sweeper, camera, Wish::View { from, to })
}

/// A placement, and why it ended there.
pub fn place(
    sweeper: &Sweeper<'_>,
    mover: &Mover,
    at: &Position,
    search: Search,
) -> (Outcome, Explanation) {
    let (outcome, mut explanation) = explain(sweeper, mover, Wish::Put { at, search });
    // Behind what was wanted and what came of it.
    if let Some(seat) = seat::node(sweeper.world, mover, at) {
        explanation.summary.insert(2, seat);
    }
    (outcome, explanation)
}

/// Which cell contains the first of some spheres, the cells that they touch, and why each of them is on the list and one is
/// picked. Takes the same as [`CellSearch::spheres`].
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
    let end = |found: &CellSearchResult, array: &CellArray| End {
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
    let listing = Listing::new(array.entries(), array.reasons(), found.cell, (centre, spheres));
    let rules = rules::decisive(&sweeper.rules, &end(&found, &array), |rules| {
        let (found, array) = search(rules);
        end(&found, &array)
    });
    let text = format!(
        "Wanted: the cells that a sphere of radius {} at {} touches, coming from {}.",
        words::metres(radius),
        words::vector(centre),
        words::cell(position.cell)
    );
    let wanted = Node::new("wanted", text)
        .with("at", centre)
        .with("radius", radius)
        .with("cell", position.cell);
    // The list with its reasons is part of why this one is picked, and said once.
    let result = Node { children: Vec::new(), ..lists::node(&listing) };
    let summary = vec![wanted, result, lists::why_picked(&listing)];
    (found, array.ids().collect(), Explanation::new(summary, rules, Vec::new()))
}

/// Makes it, watches it, and puts it into words.
fn explain(sweeper: &Sweeper<'_>, mover: &Mover, wish: Wish<'_>) -> (Outcome, Explanation) {
    let from = match wish {
        Wish::Move { from, .. } | Wish::View { from, .. } => from.cell,
        Wish::Put { at, .. } => at.cell,
    };
    let mut recorder = Recorder::new(mover, from);
    let outcome = run(sweeper, &mut recorder, mover, wish);
    let (steps, account) = recorder.finish();
    let unslid = without_sliding(sweeper, mover, &outcome)
        .map(|sweeper| run(&sweeper, &mut (), mover, wish));
    let unslid = unslid.as_ref();
    let mut summary = Summary { wish, mover, outcome: &outcome, account: &account, unslid }.nodes();
    seat::name_objects(sweeper.world, &account, &mut summary);
    let rules = rules::decisive(&sweeper.rules, &End::of(&outcome), |rules| {
        End::of(&run(&Sweeper { rules, ..*sweeper }, &mut (), mover, wish))
    });
    (outcome, Explanation::new(summary, rules, steps))
}

fn run<P: SweepProbe>(
    sweeper: &Sweeper<'_>,
    probe: &mut P,
    mover: &Mover,
    wish: Wish<'_>,
) -> Outcome {
    let scratch = &mut SweepScratch::new();
    match wish {
        Wish::Move { from, to } => sweeper.sweep(scratch, probe, mover, from, to),
        Wish::View { from, to } => sweeper.sweep_camera(scratch, probe, mover, from, to),
        Wish::Put { at, search } => sweeper.place(scratch, probe, mover, at, search),
    }
}

#[cfg(test)]
mod tests;
