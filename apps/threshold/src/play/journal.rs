//! What has happened in the last minute, for whoever reports a defect.

use std::collections::VecDeque;
use std::io::{self, Write};

use threshold_conformance::record::Step;
use threshold_conformance::scenario::{self, Ask, Job, Start, Walk};
use threshold_conformance::trace::{Head, Writer};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Body, Mover, Quantum, Rules, Scratch, Stance, Sweeper};
use threshold_world::World;

use super::player::{HUMAN, STATE};
use crate::names::Names;

/// For how many seconds things are remembered.
const MINUTE: f64 = 60.0;

/// A move, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    time: f64,
    pub(crate) from: Position,
    pub(crate) by: Vec3,
    is_ok: bool,
    to: Position,
    /// How it stood before and after.
    stood: Stance,
    stands: Stance,
    /// The normal of what it bumped into.
    pub(crate) hit: Option<Vec3>,
    /// It followed from the move before: nobody jumped, or was put there.
    follows: bool,
    /// It comes to the same for who only stands there, or is in the air: a course may begin with it.
    begins: bool,
}

impl Moved {
    /// What a quantum makes of a body that is about to be moved by it; `None` where it goes nowhere.
    fn of(world: &World, body: &Body, quantum: &Quantum, now: f64) -> Option<Self> {
        let (object, outcome) = (world.body(body.id)?, quantum.outcome.as_ref()?);
        let (from, is_ok) = (*object.position(), outcome.is_ok());
        let mut to = if is_ok { outcome.position } else { from };
        to.frame.rotation = from.frame.rotation;
        Some(Self {
            time: now,
            from,
            by: quantum.wished - from.frame.origin,
            is_ok,
            to,
            stood: body.stance,
            stands: if is_ok { outcome.stance } else { body.stance },
            hit: outcome.hit,
            follows: false,
            begins: false,
        })
    }

    /// Whether something was in the way: less than most of the way was made.
    pub(crate) fn is_blocked(&self) -> bool {
        let wished = self.by.truncate().length();
        let made = self.from.offset_to(&self.to).truncate().length();
        wished > 0.01 && (!self.is_ok || made < 0.8 * wished)
    }

    /// Whether it stood on ground that it can walk on.
    fn is_standing(&self) -> bool {
        self.stood.contact && self.stood.on_walkable
    }

    /// How a course that begins with it has somebody stand.
    fn beginning(&self) -> Stance {
        if self.is_standing() { Stance::standing() } else { Stance::default() }
    }

    /// Whether it comes to the same for somebody who stands so and is moved by it, as in a trace.
    fn comes_to_the_same(
        &self,
        sweeper: &Sweeper<'_>,
        scratch: &mut Scratch,
        mover: &Mover,
        stance: Stance,
    ) -> bool {
        let mover = Mover { stance, velocity: Vec3::ZERO, ..*mover };
        let mut to = self.from;
        to.frame.origin += self.by;
        let outcome = sweeper.sweep(scratch, &mut (), &mover, &self.from, &to);
        if !outcome.is_ok() || !self.is_ok {
            return outcome.is_ok() == self.is_ok && stance == self.stands;
        }
        let is_same = is_same(&outcome.position, &self.to) && outcome.stance == self.stands;
        is_same && outcome.hit == self.hit
    }
}

/// A change of cell. `None` is no cell: outside the world, or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transit {
    pub(crate) time: f64,
    pub(crate) from: Option<CellId>,
    pub(crate) to: Option<CellId>,
    pub(crate) at: Position,
}

impl Transit {
    /// Returns both cells, and the name of the new one.
    pub(crate) fn describe(&self, names: &Names) -> String {
        let [from, to] = [self.from, self.to]
            .map(|cell| cell.map_or_else(|| "no cell".to_owned(), |cell| cell.to_string()));
        match self.to {
            Some(cell) => format!("{from} -> {to}  {}", names.cell(cell, &self.at)),
            None => format!("{from} -> {to}"),
        }
    }
}

/// What has happened.
#[derive(Default)]
pub(crate) struct Journal {
    /// Those that a trace can tell, from old to new.
    moves: VecDeque<Moved>,
    transits: VecDeque<Transit>,
    /// The last move that something was in the way of, and the body as it was then.
    pub(crate) blocked: Option<(Moved, Body)>,
    /// What was in the way of it, in words, where the world is not any more what it was.
    pub(super) explained: Option<Vec<String>>,
    /// Where and how the next move begins, if nothing comes between.
    next: Option<(Position, Stance)>,
    scratch: Scratch,
}

impl Journal {
    /// Time goes on: what is older than a minute is forgotten.
    pub(crate) fn pass(&mut self, now: f64) {
        while self.moves.front().is_some_and(|first| now - first.time > MINUTE) {
            self.moves.pop_front();
        }
        while self.transits.front().is_some_and(|first| now - first.time > MINUTE) {
            self.transits.pop_front();
        }
    }

    /// A quantum is about to become fact, in the world of the records or near something that is otherwise there.
    pub(crate) fn note(
        &mut self,
        sweeper: &Sweeper<'_>,
        (body, quantum): (&Body, &Quantum),
        is_as_recorded: bool,
        now: f64,
    ) {
        let Some(mut moved) = Moved::of(sweeper.world, body, quantum, now) else { return };
        if moved.is_blocked() {
            (self.blocked, self.explained) = (Some((moved, body.clone())), None);
        }
        let before = self.next.take();
        // Who runs a trace has all of the world at once: nothing holds anybody up that is still to come.
        let is_held = quantum.outcome.as_ref().is_none_or(|outcome| outcome.held_at_edge);
        let Some(mover) = body.mover(sweeper.world).filter(|_| is_as_recorded && !is_held) else {
            return;
        };
        let scratch = &mut self.scratch;
        let mut is_like = |stance| moved.comes_to_the_same(sweeper, scratch, &mover, stance);
        let goes_on = |(at, stance): (Position, Stance)| {
            is_same(&at, &moved.from) && stance == moved.stood && is_like(stance)
        };
        let follows = before.is_some_and(goes_on);
        let begins = moved.is_ok && is_like(moved.beginning());
        (moved.follows, moved.begins) = (follows, begins);
        if follows || begins {
            self.next = Some((moved.to, moved.stands));
            self.moves.push_back(moved);
        }
    }

    /// Somebody is in another cell now.
    pub(crate) fn note_transit(&mut self, transit: Transit) {
        self.transits.push_back(transit);
    }

    /// Somebody was put somewhere: what was before has nothing to do with what comes.
    pub(crate) fn begin_anew(&mut self) {
        (self.next, self.blocked, self.explained) = (None, None, None);
    }

    /// The world is not what it was: what comes does not follow from what was before.
    pub(crate) fn break_off(&mut self) {
        self.next = None;
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
        let mut is_open = false;
        for moved in &self.moves {
            if is_open && !moved.follows {
                writer.end()?;
                is_open = false;
            }
            if !is_open && moved.begins {
                courses += 1;
                writer.begin(&format!("played {courses}"), &course(moved))?;
                is_open = true;
            }
            // What cannot be begun with is left out, where what it follows from is forgotten.
            if is_open {
                writer.step(Ask::Move(moved.by), &answer(moved))?;
            }
        }
        if is_open {
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
        mover: scenario::Mover { setup: HUMAN, state: STATE, scale: 1.0, player: true },
        start: Start { cell, pos: frame.origin, rot: frame.rotation, contact: moved.is_standing() },
        objects: Vec::new(),
        moves: Vec::new(),
    })
}

fn answer(moved: &Moved) -> Step {
    Step {
        ok: moved.is_ok.into(),
        cell: moved.to.cell.into(),
        pos: moved.to.frame.origin.into(),
        contact: moved.stands.contact.into(),
        walkable: moved.stands.on_walkable.into(),
        hit: moved.hit.into(),
        ..Step::default()
    }
}
