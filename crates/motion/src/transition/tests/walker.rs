//! A body that is moved in single sweeps, with a trace of each.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_world::{BodyId, BodySpec, ObjectKind, State, World};

use super::fixture::{FEET, HEAD, check_within, setup};
use crate::body::{Body, Events, commit};
use crate::mover::Stance;
use crate::outcome::{Insert, Outcome};
use crate::probe::{Ending, SweepEvent, SweepProbe};
use crate::sweep::{SweepScratch, Sweeper};

/// One entry of a trace.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TraceEntry {
    Tested(CellId, Insert),
    Listed(Vec<CellId>, Option<CellId>),
    Ended(Insert, CellId, Vec3),
}

/// The entries of each sub-step.
#[derive(Debug, Default)]
pub(super) struct Trace(pub(super) Vec<Vec<TraceEntry>>);

impl Trace {
    fn push(&mut self, entry: TraceEntry) {
        if let Some(last) = self.0.last_mut() {
            last.push(entry);
        }
    }

    /// Returns how the sub-steps ended.
    pub(super) fn ends(&self) -> Vec<(Insert, CellId, Vec3)> {
        let end = |entry: &TraceEntry| match entry {
            TraceEntry::Ended(answer, cell, at) => Some((*answer, *cell, *at)),
            _ => None,
        };
        self.0.iter().flatten().filter_map(end).collect()
    }
}

impl SweepProbe for Trace {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        match event {
            SweepEvent::SubStepMoved { .. } => self.0.push(Vec::new()),
            SweepEvent::StageEnded(Ending::Cell(cell, answer)) => {
                self.push(TraceEntry::Tested(cell, answer))
            }
            SweepEvent::CellsListed { cells, picked, .. } => {
                self.push(TraceEntry::Listed(
                    cells.iter().map(|entry| entry.cell).collect(),
                    picked,
                ));
            }
            SweepEvent::SubStepEnded { answer, at, .. } => {
                self.push(TraceEntry::Ended(answer, at.cell, at.frame.origin));
            }
            _ => {}
        }
    }
}

/// A body of two spheres that steps 0.6 m up and 1.5 m down, with gravity and edge slide.
pub(super) struct Walker {
    pub(super) world: World,
    pub(super) body: Body,
}

/// A committed sweep.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) outcome: Outcome,
    pub(super) trace: Trace,
    pub(super) events: Events,
}

const BODY: BodyId = BodyId(100);

impl Walker {
    pub(super) fn new(mut world: World, position: Position, stance: Stance) -> Self {
        world.insert(BodySpec {
            body: BODY,
            setup: setup(&[FEET, HEAD], &[]),
            position,
            scale: 1.0,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::None,
        });
        Self { world, body: Body { stance, ..Body::new(BODY) } }
    }

    /// Without edge slide: walks over edges.
    pub(super) fn without_edge_slide(mut self) -> Self {
        self.world.set_state(BODY, State::GRAVITY).unwrap();
        self
    }

    pub(super) fn position(&self) -> Position {
        *self.world.body(BODY).unwrap().position()
    }

    /// Sweeps by an offset and commits.
    pub(super) fn move_by(&mut self, offset: [f32; 3]) -> Step {
        let (from, mut trace) = (self.position(), Trace::default());
        let mut to = from;
        to.frame.origin += Vec3::from(offset);
        let mover = self.body.mover(&self.world).unwrap();
        let sweeper = Sweeper::new(&self.world);
        let outcome = sweeper.sweep(&mut SweepScratch::new(), &mut trace, &mover, &from, &to);
        let events = commit(&mut self.world, &mut self.body, &outcome).unwrap();
        Step { outcome, trace, events }
    }

    /// Compares its position with the expectation of an example.
    #[track_caller]
    pub(super) fn check_at(&self, cell: u32, at: [f32; 3], input: &str) {
        let position = self.position();
        assert_eq!(position.cell, CellId(cell), "{input}: {:?}", position.frame.origin);
        check_within(2e-5, position.frame.origin, at, input);
    }
}
