//! A body that is moved step by step, and everything a sweep says on the way.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_world::{BodyId, BodySpec, ObjectKind, State, World};

use super::fixture::{FEET, HEAD, check_within, setup};
use crate::body::{Body, Events, commit};
use crate::mover::Stance;
use crate::outcome::{Insert, Outcome};
use crate::probe::{Ending, SweepEvent, SweepProbe};
use crate::sweep::{SweepScratch, Sweeper};

/// What a sweep says on the way.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TraceEntry {
    Asked(CellId, Insert),
    Listed(Vec<CellId>, Option<CellId>),
    Ended(Insert, CellId, Vec3),
}

/// Everything that was said, sub-step by sub-step.
#[derive(Debug, Default)]
pub(super) struct Trace(pub(super) Vec<Vec<TraceEntry>>);

impl Trace {
    fn say(&mut self, said: TraceEntry) {
        if let Some(last) = self.0.last_mut() {
            last.push(said);
        }
    }

    /// How the sub-steps ended.
    pub(super) fn ends(&self) -> Vec<(Insert, CellId, Vec3)> {
        let end = |said: &TraceEntry| match said {
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
                self.say(TraceEntry::Asked(cell, answer))
            }
            SweepEvent::CellsListed { cells, picked, .. } => {
                self.say(TraceEntry::Listed(
                    cells.iter().map(|entry| entry.cell).collect(),
                    picked,
                ));
            }
            SweepEvent::SubStepEnded { answer, at, .. } => {
                self.say(TraceEntry::Ended(answer, at.cell, at.frame.origin));
            }
            _ => {}
        }
    }
}

/// A body of two spheres that steps 0.6 m up and 1.5 m down, falls, and slides along edges.
pub(super) struct Walker {
    pub(super) world: World,
    pub(super) body: Body,
}

/// One move and what became of it.
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

    /// Walks over edges.
    pub(super) fn reckless(mut self) -> Self {
        self.world.set_state(BODY, State::GRAVITY).unwrap();
        self
    }

    pub(super) fn position(&self) -> Position {
        *self.world.body(BODY).unwrap().position()
    }

    /// Moves, and makes it fact.
    pub(super) fn go(&mut self, offset: [f32; 3]) -> Step {
        let (from, mut trace) = (self.position(), Trace::default());
        let mut to = from;
        to.frame.origin += Vec3::from(offset);
        let mover = self.body.mover(&self.world).unwrap();
        let sweeper = Sweeper::new(&self.world);
        let outcome = sweeper.sweep(&mut SweepScratch::new(), &mut trace, &mover, &from, &to);
        let events = commit(&mut self.world, &mut self.body, &outcome).unwrap();
        Step { outcome, trace, events }
    }

    /// Holds where it is to what an example says.
    #[track_caller]
    pub(super) fn check_at(&self, cell: u32, at: [f32; 3], input: &str) {
        let position = self.position();
        assert_eq!(position.cell, CellId(cell), "{input}: {:?}", position.frame.origin);
        check_within(2e-5, position.frame.origin, at, input);
    }
}
