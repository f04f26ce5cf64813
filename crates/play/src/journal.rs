//! Moves and changes of cell of the last minute, for bug reports.

use std::collections::VecDeque;
use std::io::{self, Write};

use threshold_conformance::record::Step;
use threshold_conformance::scenario::{self, Ask, Job, Start, Walk};
use threshold_conformance::trace::{Head, Writer};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Body, Mover, Quantum, Rules, Stance, SweepScratch, Sweeper};
use threshold_world::World;

use crate::names::PlaceNames;
use crate::player::{HUMAN_SETUP, STATE};

/// How long entries are kept, in seconds.
const KEPT: f64 = 60.0;

/// A move of one quantum, with its outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordedMove {
    time: f64,
    pub(crate) from: Position,
    pub(crate) by: Vec3,
    is_ok: bool,
    to: Position,
    /// Stance before and after.
    stance_before: Stance,
    stance_after: Stance,
    /// Normal of the surface that was hit.
    pub(crate) hit: Option<Vec3>,
    /// It starts where the move before ended, without a jump or a journey between.
    follows: bool,
    /// It has the same outcome from a plain standing or airborne stance, so a course can begin with it.
    begins: bool,
}

impl RecordedMove {
    /// Records a quantum of a body that is about to be moved by it; `None` if it moves nowhere.
    fn of(world: &World, body: &Body, quantum: &Quantum, now: f64) -> Option<Self> {
        let (object, outcome) = (world.body(body.id)?, quantum.outcome.as_ref()?);
        let (from, is_ok) = (*object.position(), outcome.is_ok());
        let mut to = if is_ok { outcome.position } else { from };
        to.frame.rotation = from.frame.rotation;
        Some(Self {
            time: now,
            from,
            by: quantum.target - from.frame.origin,
            is_ok,
            to,
            stance_before: body.stance,
            stance_after: if is_ok { outcome.stance } else { body.stance },
            hit: outcome.hit,
            follows: false,
            begins: false,
        })
    }

    /// Returns whether an obstacle stopped the move: less than four fifths of the way was made.
    pub(crate) fn is_stopped(&self) -> bool {
        let wished = self.by.truncate().length();
        let made = self.from.offset_to(&self.to).truncate().length();
        wished > 0.01 && (!self.is_ok || made < 0.8 * wished)
    }

    /// Returns whether the move began on walkable ground.
    fn begins_standing(&self) -> bool {
        self.stance_before.contact && self.stance_before.on_walkable
    }

    /// Returns the stance of a course that begins with this move.
    fn course_stance(&self) -> Stance {
        if self.begins_standing() { Stance::standing() } else { Stance::default() }
    }

    /// Returns whether the move has the same outcome for a mover with this stance, as in a trace.
    fn is_reproduced(
        &self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        mover: &Mover,
        stance: Stance,
    ) -> bool {
        let mover = Mover { stance, velocity: Vec3::ZERO, ..*mover };
        let mut to = self.from;
        to.frame.origin += self.by;
        let outcome = sweeper.sweep(scratch, &mut (), &mover, &self.from, &to);
        if !outcome.is_ok() || !self.is_ok {
            return outcome.is_ok() == self.is_ok && stance == self.stance_after;
        }
        let is_equal = is_same(&outcome.position, &self.to) && outcome.stance == self.stance_after;
        is_equal && outcome.hit == self.hit
    }
}

/// A change of cell. `None` is no cell: outside the world, or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellTransit {
    /// When, in seconds.
    pub time: f64,
    /// The cell that was left.
    pub from: Option<CellId>,
    /// The cell that was entered.
    pub to: Option<CellId>,
    /// Where the player was.
    pub at: Position,
}

impl CellTransit {
    /// Returns both cells, and the name of the new one.
    pub fn describe(&self, names: &PlaceNames) -> String {
        let [from, to] = [self.from, self.to]
            .map(|cell| cell.map_or_else(|| "no cell".to_owned(), |cell| cell.to_string()));
        match self.to {
            Some(cell) => format!("{from} -> {to}  {}", names.describe(cell, &self.at)),
            None => format!("{from} -> {to}"),
        }
    }
}

/// Moves and changes of cell of the last minute.
#[derive(Debug, Default)]
pub struct Journal {
    /// Moves that a trace can reproduce, from old to new.
    moves: VecDeque<RecordedMove>,
    transits: VecDeque<CellTransit>,
    /// The last stopped move, and the body as it was then.
    pub(crate) stopped: Option<(RecordedMove, Body)>,
    /// Its explanation, kept when the world is about to change.
    pub(crate) explanation: Option<Vec<String>>,
    /// Where and how the next move begins, if it follows from the last one.
    next: Option<(Position, Stance)>,
    scratch: SweepScratch,
}

impl Journal {
    /// Drops entries older than a minute.
    pub(crate) fn drop_old(&mut self, now: f64) {
        while self.moves.front().is_some_and(|first| now - first.time > KEPT) {
            self.moves.pop_front();
        }
        while self.transits.front().is_some_and(|first| now - first.time > KEPT) {
            self.transits.pop_front();
        }
    }

    /// Records a quantum that is about to be committed. `is_as_recorded` is false near doors that differ from the records.
    pub(crate) fn record(
        &mut self,
        sweeper: &Sweeper<'_>,
        (body, quantum): (&Body, &Quantum),
        is_as_recorded: bool,
        now: f64,
    ) {
        let Some(mut moved) = RecordedMove::of(sweeper.world, body, quantum, now) else { return };
        if moved.is_stopped() {
            (self.stopped, self.explanation) = (Some((moved, body.clone())), None);
        }
        let before = self.next.take();
        // A trace runs in the whole world, where pieces that are not loaded here stop nothing.
        let is_held = quantum.outcome.as_ref().is_none_or(|outcome| outcome.held_at_edge);
        let Some(mover) = body.mover(sweeper.world).filter(|_| is_as_recorded && !is_held) else {
            return;
        };
        let scratch = &mut self.scratch;
        let mut reproduces = |stance| moved.is_reproduced(sweeper, scratch, &mover, stance);
        let continues = |(at, stance): (Position, Stance)| {
            is_same(&at, &moved.from) && stance == moved.stance_before && reproduces(stance)
        };
        let follows = before.is_some_and(continues);
        let begins = moved.is_ok && reproduces(moved.course_stance());
        (moved.follows, moved.begins) = (follows, begins);
        if follows || begins {
            self.next = Some((moved.to, moved.stance_after));
            self.moves.push_back(moved);
        }
    }

    /// Records a change of cell.
    pub(crate) fn record_transit(&mut self, transit: CellTransit) {
        self.transits.push_back(transit);
    }

    /// Forgets the last stop and ends the course: the player was put to another place.
    pub(crate) fn reset(&mut self) {
        (self.next, self.stopped, self.explanation) = (None, None, None);
    }

    /// Ends the course: the world has changed, so the next move does not follow from the last one.
    pub(crate) fn break_course(&mut self) {
        self.next = None;
    }

    /// Returns the changes of cell, from old to new.
    pub fn transits(&self) -> impl DoubleEndedIterator<Item = &CellTransit> {
        self.transits.iter()
    }

    /// Writes the moves as a trace that `threshold replay` runs, in courses of moves that follow one another. Returns the number of
    /// courses.
    pub fn write(&self, out: impl Write, world: &str, rules: &Rules) -> io::Result<usize> {
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
            // A move that cannot begin a course is left out if its predecessor is dropped already.
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

/// Returns whether two positions are the same to the bit, whatever the heading.
fn is_same(one: &Position, other: &Position) -> bool {
    one.cell == other.cell && one.frame.origin == other.frame.origin
}

/// Returns a course that begins with a move.
fn course(moved: &RecordedMove) -> Job {
    let Position { cell, frame } = moved.from;
    Job::Walk(Walk {
        mover: scenario::Mover { setup: HUMAN_SETUP, state: STATE, scale: 1.0, player: true },
        start: Start {
            cell,
            pos: frame.origin,
            rot: frame.rotation,
            contact: moved.begins_standing(),
        },
        objects: Vec::new(),
        moves: Vec::new(),
    })
}

fn answer(moved: &RecordedMove) -> Step {
    Step {
        ok: moved.is_ok.into(),
        cell: moved.to.cell.into(),
        pos: moved.to.frame.origin.into(),
        contact: moved.stance_after.contact.into(),
        walkable: moved.stance_after.on_walkable.into(),
        hit: moved.hit.into(),
        ..Step::default()
    }
}
