//! What has happened in the last minute, for whoever reports a defect.

use std::collections::VecDeque;
use std::io::{self, Write};

use threshold_conformance::record::Step;
use threshold_conformance::scenario::{Ask, Job, Mover, Start, Walk};
use threshold_conformance::trace::{Head, Writer};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Body, Quantum, Rules};
use threshold_world::World;

use super::player::{HUMAN, STATE};

/// For how many seconds things are remembered.
const MINUTE: f64 = 60.0;

/// A move, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    time: f64,
    pub(crate) from: Position,
    /// Whether it stood on ground that it can walk on.
    stood: bool,
    pub(crate) by: Vec3,
    is_ok: bool,
    to: Position,
    contact: bool,
    walkable: bool,
    /// The normal of what it bumped into.
    pub(crate) hit: Option<Vec3>,
    /// It did not follow from the move before: somebody jumped, or was put there.
    is_new: bool,
}

impl Moved {
    /// Whether something was in the way: less than most of the way was made.
    pub(crate) fn is_blocked(&self) -> bool {
        let wished = self.by.truncate().length();
        let made = self.from.offset_to(&self.to).truncate().length();
        wished > 0.01 && (!self.is_ok || made < 0.8 * wished)
    }
}

/// A change of cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transit {
    pub(crate) time: f64,
    pub(crate) from: CellId,
    pub(crate) to: CellId,
    pub(crate) at: Position,
}

/// What has happened.
#[derive(Default)]
pub(crate) struct Journal {
    moves: VecDeque<Moved>,
    transits: VecDeque<Transit>,
    /// The last move that something was in the way of, and the body as it was then.
    pub(crate) blocked: Option<(Moved, Body)>,
    /// Where and how the next move begins, if nothing comes between.
    next: Option<(Position, bool)>,
}

impl Journal {
    /// A quantum is about to become fact.
    pub(crate) fn note(&mut self, world: &World, body: &Body, quantum: &Quantum, now: f64) {
        let Some(object) = world.body(body.id) else { return };
        let Some(outcome) = &quantum.outcome else { return };
        let from = *object.position();
        let stood = body.stance.contact && body.stance.on_walkable;
        let stays = !outcome.is_ok();
        let stance = if stays { &body.stance } else { &outcome.stance };
        let mut to = if stays { from } else { outcome.position };
        to.frame.rotation = from.frame.rotation;
        let moved = Moved {
            time: now,
            from,
            stood,
            by: quantum.wished - from.frame.origin,
            is_ok: !stays,
            to,
            contact: stance.contact,
            walkable: stance.on_walkable,
            hit: outcome.hit,
            is_new: !self.next.is_some_and(|(at, stands)| is_same(&at, &from) && stands == stood),
        };
        self.next = Some((to, stance.contact && stance.on_walkable));
        if moved.is_blocked() {
            self.blocked = Some((moved, body.clone()));
        }
        self.moves.push_back(moved);
        while self.moves.front().is_some_and(|first| now - first.time > MINUTE) {
            self.moves.pop_front();
        }
    }

    /// Somebody is in another cell now.
    pub(crate) fn note_transit(&mut self, transit: Transit) {
        self.transits.push_back(transit);
        while self.transits.front().is_some_and(|first| transit.time - first.time > MINUTE) {
            self.transits.pop_front();
        }
    }

    /// Somebody was put somewhere: what was before has nothing to do with what comes.
    pub(crate) fn begin_anew(&mut self) {
        (self.next, self.blocked) = (None, None);
    }

    /// Changes of cell, from old to new.
    pub(crate) fn transits(&self) -> impl DoubleEndedIterator<Item = &Transit> {
        self.transits.iter()
    }

    /// Writes the moves as a trace that `threshold replay` runs, in courses of moves that follow one another; says how many
    /// courses there are.
    pub(crate) fn write(&self, out: impl Write, world: &str, rules: &Rules) -> io::Result<usize> {
        let by = concat!("threshold ", env!("CARGO_PKG_VERSION"));
        let head = Head::new(by, world).with_rules(rules);
        let (mut writer, mut courses) = (Writer::new(out, &head)?, 0);
        for (number, moved) in self.moves.iter().enumerate() {
            if number == 0 || moved.is_new {
                if courses > 0 {
                    writer.end()?;
                }
                courses += 1;
                writer.begin(&format!("played {courses}"), &course(moved))?;
            }
            writer.step(Ask::Move(moved.by), &answer(moved))?;
        }
        if courses > 0 {
            writer.end()?;
        }
        Ok(courses)
    }
}

/// Whether two positions are the same place to the bit, whichever way somebody faces.
fn is_same(one: &Position, other: &Position) -> bool {
    one.cell == other.cell && one.frame.origin == other.frame.origin
}

/// A course that begins with a move.
fn course(moved: &Moved) -> Job {
    let Position { cell, frame } = moved.from;
    Job::Walk(Walk {
        mover: Mover { setup: HUMAN, state: STATE, scale: 1.0, player: true },
        start: Start { cell, pos: frame.origin, rot: frame.rotation, contact: moved.stood },
        objects: Vec::new(),
        moves: Vec::new(),
    })
}

fn answer(moved: &Moved) -> Step {
    Step {
        ok: moved.is_ok.into(),
        cell: moved.to.cell.into(),
        pos: moved.to.frame.origin.into(),
        contact: moved.contact.into(),
        walkable: moved.walkable.into(),
        hit: moved.hit.into(),
        ..Step::default()
    }
}
