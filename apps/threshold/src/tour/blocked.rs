//! The error of a blocked walk, with the obstacle.

use std::fmt;

use threshold_land::Position;
use threshold_motion::{Body, Sweeper};
use threshold_why as why;

use super::route::level;

/// Lengths of the test moves, in metres, of which the first stopped one is explained. Narrow obstacles stop only longer moves.
const PROBE_LENGTHS: [f32; 4] = [0.1, 0.2, 0.4, 0.8];

/// The error of a walk that stopped before the end of a leg.
#[derive(Debug)]
pub(crate) struct BlockedWalk {
    /// Description of the leg.
    pub(super) leg: String,
    /// Position of the walker, if it is in the world.
    pub(super) at: Option<Position>,
    /// Description of the obstacle.
    pub(super) reason: String,
}

impl fmt::Display for BlockedWalk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the walk stopped short of {}", self.leg)?;
        if let Some(at) = &self.at {
            write!(f, ", at {} in {}", at.frame.origin, at.cell)?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for BlockedWalk {}

/// Describes the obstacle between a body and a position.
pub(super) fn describe_obstacle(sweeper: &Sweeper<'_>, body: &Body, to: &Position) -> String {
    let world = sweeper.world;
    let Some((mut mover, object)) = body.mover(world).zip(world.body(body.id)) else {
        return "the walker is no longer in the world".to_owned();
    };
    let from = *object.position();
    // With the sliding normal of the last move, the explanation would only say that no motion is left.
    mover.stance.sliding = false;
    let ahead = level(&from, to).normalize_or_zero();
    let tries = PROBE_LENGTHS.map(|stride| {
        let mut to = from;
        to.frame.origin += ahead * stride;
        why::sweep(sweeper, &mover, &from, &to).1
    });
    let [first, ..] = &tries;
    let why = tries.iter().find(|why| why.stopped().is_some()).unwrap_or(first);
    let text: Vec<&str> = why.summary.iter().skip(1).map(|node| node.text.as_str()).collect();
    text.join(" ")
}
