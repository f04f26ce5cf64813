//! Interpolation of bodies between ticks.

use threshold_land::{Frame, Position};
use threshold_world::World;

/// Delay in seconds with which bodies are displayed: the maximum time between two ticks at 60
/// frames per second or more, so that there is always a tick on either side.
pub const DISPLAY_DELAY: f64 = 0.05;

/// Number of ticks kept: more than happen within [`DISPLAY_DELAY`].
const TICK_COUNT: usize = 4;

/// The positions of a body at its last ticks, to interpolate between them: ticks come at most
/// thirty times a second, frames more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    /// Oldest first.
    ticks: [(f64, Position); TICK_COUNT],
}

impl Track {
    /// A body that has always been at `at`. A time that is not finite counts as 0.
    pub fn new(now: f64, at: Position) -> Self {
        let now = if now.is_finite() { now } else { 0.0 };
        Self { ticks: [(now, at); TICK_COUNT] }
    }

    /// Records the position after a tick; ignored if the time is not finite. An earlier time than
    /// the last starts again. After a teleport use [`new`](Self::new) instead.
    pub fn note(&mut self, now: f64, at: Position) {
        if !now.is_finite() {
            return;
        }
        if now < self.ticks[TICK_COUNT - 1].0 {
            *self = Self::new(now, at);
            return;
        }
        self.ticks.rotate_left(1);
        self.ticks[TICK_COUNT - 1] = (now, at);
    }

    /// Returns the position to display at `now`: the one [`DISPLAY_DELAY`] ago.
    pub fn shown(&self, world: &World, now: f64) -> Position {
        self.at(world, now - DISPLAY_DELAY)
    }

    /// Returns the interpolated position at a time. Outside the recorded ticks that is the first or
    /// the last position.
    ///
    /// The cell is that of the tick before or after, whichever contains the position; a room is
    /// preferred to land.
    pub fn at(&self, world: &World, time: f64) -> Position {
        let after = self.ticks.iter().position(|tick| tick.0 >= time);
        let (before, after) = match after {
            Some(0) => return self.ticks[0].1,
            Some(after) => (self.ticks[after - 1], self.ticks[after]),
            None => return self.ticks[TICK_COUNT - 1].1,
        };
        #[allow(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let part = ((time - before.0) / (after.0 - before.0)) as f32;
        between(world, &before.1, &after.1, part)
    }
}

/// Interpolates between two positions.
fn between(world: &World, from: &Position, to: &Position, part: f32) -> Position {
    let offset = from.offset_to(to);
    let rotation = if from.frame.rotation == to.frame.rotation {
        from.frame.rotation
    } else {
        from.frame.rotation.interpolate(to.frame.rotation, part)
    };
    let ahead = Position {
        cell: from.cell,
        frame: Frame { origin: from.frame.origin + offset * part, rotation },
    };
    let behind = Position {
        cell: to.cell,
        frame: Frame { origin: to.frame.origin - offset * (1.0 - part), rotation },
    };
    let contains =
        |at: &Position| world.cell(at.cell).is_some_and(|cell| cell.contains(at.frame.origin));
    // The old cell first, since a mover stays in its cell while it can; rooms before land.
    let rooms = [ahead, behind].into_iter().filter(|at| at.cell.is_indoor());
    rooms.chain([ahead, behind]).find(contains).unwrap_or_else(|| {
        // The path may cross a third land cell.
        let nearer = if part < 0.5 { ahead } else { behind };
        nearer.normalised().unwrap_or(nearer)
    })
}
