//! Moves and changes of cell of the last minute, for bug reports.

use std::collections::VecDeque;
use std::io::{self, Write};

use threshold_conformance::record::Step;
use threshold_conformance::scenario::{self, Job, Start, StepInput, WalkJob};
use threshold_conformance::trace::{Head, TraceWriter};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Body, Mover, Quantum, Rules, Stance, SweepScratch, Sweeper};
use threshold_world::World;

use crate::place_names::PlaceNames;
use crate::player::{HUMAN_SETUP, STATE};

/// Age at which entries are dropped, in seconds.
const MAX_AGE: f64 = 60.0;
/// A move shorter than this part of its request counts as stopped.
const MIN_PROGRESS: f32 = 0.8;

/// A move of one quantum, with its outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordedMove {
    time: f64,
    pub(crate) from: Position,
    /// Requested offset.
    pub(crate) offset: Vec3,
    is_ok: bool,
    to: Position,
    stance_before: Stance,
    stance_after: Stance,
    /// Normal of the surface that was hit.
    pub(crate) hit: Option<Vec3>,
    /// Whether the move starts where the previous one ended, without a jump or a journey between them.
    follows_previous: bool,
    /// Whether a course can begin with the move: its outcome is the same from a plain standing or airborne stance.
    can_begin_course: bool,
}

impl RecordedMove {
    /// Records a quantum that is about to be committed to a body; `None` if it has no move.
    fn of(world: &World, body: &Body, quantum: &Quantum, now: f64) -> Option<Self> {
        let (object, outcome) = (world.body(body.id)?, quantum.outcome.as_ref()?);
        let (from, is_ok) = (*object.position(), outcome.is_ok());
        let mut to = if is_ok { outcome.position } else { from };
        to.frame.rotation = from.frame.rotation;
        Some(Self {
            time: now,
            from,
            offset: quantum.target - from.frame.origin,
            is_ok,
            to,
            stance_before: body.stance,
            stance_after: if is_ok { outcome.stance } else { body.stance },
            hit: outcome.hit,
            follows_previous: false,
            can_begin_course: false,
        })
    }

    /// Returns whether an obstacle stopped the move.
    pub(crate) fn is_stopped(&self) -> bool {
        let requested = self.offset.truncate().length();
        let moved = self.from.offset_to(&self.to).truncate().length();
        requested > 0.01 && (!self.is_ok || moved < MIN_PROGRESS * requested)
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
        to.frame.origin += self.offset;
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
    /// Time of the change, in seconds.
    pub time: f64,
    /// The cell that was left.
    pub from: Option<CellId>,
    /// The cell that was entered.
    pub to: Option<CellId>,
    /// Position of the player after the change.
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
    /// The last stopped move, and the body before it.
    pub(crate) stopped: Option<(RecordedMove, Body)>,
    /// Explanation of the last stopped move, kept when the world is about to change.
    pub(crate) explanation: Option<Vec<String>>,
    /// Position and stance in which the next move begins if it follows from the last one.
    next: Option<(Position, Stance)>,
    scratch: SweepScratch,
}

impl Journal {
    /// Drops entries older than a minute.
    pub(crate) fn drop_old(&mut self, now: f64) {
        while self.moves.front().is_some_and(|first| now - first.time > MAX_AGE) {
            self.moves.pop_front();
        }
        while self.transits.front().is_some_and(|first| now - first.time > MAX_AGE) {
            self.transits.pop_front();
        }
    }

    /// Records a quantum that is about to be committed. `is_as_recorded` is false near doors that differ from the records.
    pub(crate) fn record(
        &mut self,
        sweeper: &Sweeper<'_>,
        body: &Body,
        quantum: &Quantum,
        is_as_recorded: bool,
        now: f64,
    ) {
        let Some(mut moved) = RecordedMove::of(sweeper.world, body, quantum, now) else { return };
        if moved.is_stopped() {
            (self.stopped, self.explanation) = (Some((moved, body.clone())), None);
        }
        let before = self.next.take();
        // A trace is replayed in the whole world, where land that is not loaded here does not stop the move.
        let is_held = quantum.outcome.as_ref().is_none_or(|outcome| outcome.held_at_edge);
        let Some(mover) = body.mover(sweeper.world).filter(|_| is_as_recorded && !is_held) else {
            return;
        };
        let scratch = &mut self.scratch;
        let mut reproduces = |stance| moved.is_reproduced(sweeper, scratch, &mover, stance);
        let continues = |(at, stance): (Position, Stance)| {
            is_same(&at, &moved.from) && stance == moved.stance_before && reproduces(stance)
        };
        let follows_previous = before.is_some_and(continues);
        let can_begin_course = moved.is_ok && reproduces(moved.course_stance());
        (moved.follows_previous, moved.can_begin_course) = (follows_previous, can_begin_course);
        if follows_previous || can_begin_course {
            self.next = Some((moved.to, moved.stance_after));
            self.moves.push_back(moved);
        }
    }

    /// Records a change of cell.
    pub(crate) fn record_transit(&mut self, transit: CellTransit) {
        self.transits.push_back(transit);
    }

    /// Forgets the last stop and ends the course, as after a teleport.
    pub(crate) fn reset(&mut self) {
        (self.next, self.stopped, self.explanation) = (None, None, None);
    }

    /// Ends the course because the world has changed: the next move does not follow from the last one.
    pub(crate) fn break_course(&mut self) {
        self.next = None;
    }

    /// Returns the changes of cell, from old to new.
    pub fn transits(&self) -> impl DoubleEndedIterator<Item = &CellTransit> {
        self.transits.iter()
    }

    /// Writes the moves as a trace for `threshold replay`, in courses of moves that follow one another. Returns the number of courses.
    pub fn write(&self, out: impl Write, world: &str, rules: &Rules) -> io::Result<usize> {
        let program = concat!("threshold ", env!("CARGO_PKG_VERSION"));
        let head = Head::new(program, world).with_rules(rules);
        let (mut writer, mut courses) = (TraceWriter::new(out, &head)?, 0);
        let mut is_open = false;
        for moved in &self.moves {
            if is_open && !moved.follows_previous {
                writer.end()?;
                is_open = false;
            }
            if !is_open && moved.can_begin_course {
                courses += 1;
                writer.begin(&format!("played {courses}"), &course(moved))?;
                is_open = true;
            }
            // A move that cannot begin a course is left out once its predecessor has been dropped.
            if is_open {
                writer.step(StepInput::Move(moved.offset), &answer(moved))?;
            }
        }
        if is_open {
            writer.end()?;
        }
        Ok(courses)
    }
}

/// Returns whether two positions are equal bit by bit, except for the heading.
fn is_same(one: &Position, other: &Position) -> bool {
    one.cell == other.cell && one.frame.origin == other.frame.origin
}

/// Returns a course that begins with a move.
fn course(moved: &RecordedMove) -> Job {
    let Position { cell, frame } = moved.from;
    Job::Walk(WalkJob {
        mover: scenario::MoverSpec { setup: HUMAN_SETUP, state: STATE, scale: 1.0, player: true },
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
