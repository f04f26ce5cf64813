//! Where a body is shown between its ticks.

use threshold_land::{Frame, Position};
use threshold_world::World;

/// How far behind the present a body is shown, in seconds: the longest time between two ticks at 60 frames a
/// second or more. So there is always a tick on either side.
pub const DISPLAY_DELAY: f64 = 0.05;

/// How many ticks are kept: more than happen within [`DISPLAY_DELAY`].
const TICK_COUNT: usize = 4;

/// Where a body was at its last ticks, so that it can be shown between them: ticks come at most thirty times a
/// second, and pictures more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    /// From old to new.
    ticks: [(f64, Position); TICK_COUNT],
}

impl Track {
    /// It has always been here. A time that is no number is 0.
    pub fn new(now: f64, at: Position) -> Self {
        let now = if now.is_finite() { now } else { 0.0 };
        Self { ticks: [(now, at); TICK_COUNT] }
    }

    /// Notes where it is after a tick; not at a time that is no number. A time before the last begins anew, and so should a teleport: with
    /// [`new`](Self::new).
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

    /// Where to show it now: where it was [`DISPLAY_DELAY`] ago.
    pub fn shown(&self, world: &World, now: f64) -> Position {
        self.at(world, now - DISPLAY_DELAY)
    }

    /// Where it was at a time; before the ticks that are kept and after the last one, where it was then.
    ///
    /// The cell is that of the tick before or after: whichever contains it, a room before the land.
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

/// A part of the way from one position to another.
fn between(world: &World, from: &Position, to: &Position, part: f32) -> Position {
    let way = from.offset_to(to);
    let rotation = if from.frame.rotation == to.frame.rotation {
        from.frame.rotation
    } else {
        from.frame.rotation.interpolate(to.frame.rotation, part)
    };
    let ahead = Position {
        cell: from.cell,
        frame: Frame { origin: from.frame.origin + way * part, rotation },
    };
    let behind = Position {
        cell: to.cell,
        frame: Frame { origin: to.frame.origin - way * (1.0 - part), rotation },
    };
    let holds =
        |at: &Position| world.cell(at.cell).is_some_and(|cell| cell.contains(at.frame.origin));
    // The old cell first, as a mover stays where it is while it can; a room before the land.
    let rooms = [ahead, behind].into_iter().filter(|at| at.cell.is_indoor());
    rooms.chain([ahead, behind]).find(holds).unwrap_or_else(|| {
        // Its way may lead over a third land cell.
        let nearer = if part < 0.5 { ahead } else { behind };
        nearer.normalised().unwrap_or(nearer)
    })
}
