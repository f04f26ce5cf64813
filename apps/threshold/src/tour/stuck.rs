//! Why a walk did not go on.

use std::fmt;

use threshold_land::Position;
use threshold_motion::{Body, Sweeper};
use threshold_why as why;

use super::route::level;

/// How far ahead is asked what is in the way, in metres: less than a stride, and up to some. Whoever stands on something narrow
/// is stopped at its edge.
const STRIDES: [f32; 4] = [0.1, 0.2, 0.4, 0.8];

/// A walk that did not get where it leads.
#[derive(Debug)]
pub(crate) struct Stuck {
    /// The piece of the walk that was not walked to its end.
    pub(super) piece: String,
    /// Where the walker is, if it is anywhere.
    pub(super) at: Option<Position>,
    /// What stopped it.
    pub(super) why: String,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the walk stopped short of {}", self.piece)?;
        if let Some(at) = &self.at {
            write!(f, ", at {} in {}", at.frame.origin, at.cell)?;
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for Stuck {}

/// What is in somebody's way to a place, in words.
pub(super) fn in_the_way(sweeper: &Sweeper<'_>, body: &Body, to: &Position) -> String {
    let world = sweeper.world;
    let Some((mut mover, object)) = body.mover(world).zip(world.body(body.id)) else {
        return "it is not in the world any more".to_owned();
    };
    let from = *object.position();
    // As if it had just come there: who goes on against a wall is only told that nothing is left of its way.
    mover.stance.sliding = false;
    let ahead = level(&from, to).normalize_or_zero();
    let tries = STRIDES.map(|stride| {
        let mut to = from;
        to.frame.origin += ahead * stride;
        why::sweep(sweeper, &mover, &from, &to).1
    });
    let [first, ..] = &tries;
    let why = tries.iter().find(|why| why.stopped().is_some()).unwrap_or(first);
    let text: Vec<&str> = why.summary.iter().skip(1).map(|node| node.text.as_str()).collect();
    text.join(" ")
}
