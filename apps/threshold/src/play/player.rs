//! Who walks about.

use std::sync::Arc;

use threshold_dat::{RecordId, Records, Source};
use threshold_forge::MOVER;
use threshold_land::glam::Vec3;
use threshold_land::{Frame, Position, Rotation};
use threshold_motion::{
    Body, Event, Events, Gait, Gate, Jump, Mover, Pace, Quantum, Refusal, Rules, Scratch, Search,
    Sweeper, Track,
};
use threshold_render::pose::{Acting, Command, Figure};
use threshold_world::{BodyId, BodySpec, ObjectKind, PlayerStatus, Setup, State, World};

use super::intent::Intent;

/// The body of who plays: after all others.
pub(crate) const PLAYER: BodyId = BodyId(u32::MAX - 1);
/// The human mover, in retail's files as in made worlds.
pub(crate) const HUMAN: RecordId = MOVER;
/// How high the eyes are over the feet, in metres.
pub(crate) const EYES: f32 = 1.65;
/// What falls, and slides along edges.
pub(crate) const STATE: State = State::GRAVITY.with(State::EDGE_SLIDE, true);

/// Walking backwards is slower by so much. Retail: `CMotionInterp::adjust_motion`.
const BACKWARDS: f32 = 0.65;
/// Steps aside, as multiples of the slow one: walking and running.
const ASIDE: [f32; 2] = [1.5, 3.0];
/// For how many seconds a jump is held to be as high as can be, and what a tap is of that.
const WHOLE_JUMP: f64 = 1.0;
const TAP: f32 = 0.25;

/// How well somebody runs and jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skills {
    /// As a multiple of the slowest run.
    pub(crate) run: f32,
    pub(crate) jump: f32,
}

/// Why somebody cannot be put somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotPut {
    #[error("there is neither a room nor land to be in")]
    Nowhere,
    #[error("{0}")]
    Refused(Refusal),
}

/// Who walks about.
pub(crate) struct Player {
    pub(crate) body: Body,
    setup: Arc<Setup>,
    gate: Gate,
    track: Track,
    acting: Option<Acting>,
    /// Since when a jump is held.
    held: Option<f64>,
    /// What the body was last doing, for who shows it.
    gait: Gait,
}

impl Player {
    /// Somebody who is nowhere yet.
    pub(crate) fn new(source: &dyn Source, setup: Arc<Setup>) -> Self {
        let figure = Figure::load(&mut Records::new(source), HUMAN).ok().flatten();
        Self {
            body: Body::new(PLAYER),
            setup,
            gate: Gate::new(),
            track: Track::new(0.0, Position::new(threshold_land::CellId(0), Vec3::ZERO)),
            acting: figure.map(|figure| Acting::new(Arc::new(figure), 0.0)),
            held: None,
            gait: Gait::stand(),
        }
    }

    /// Is put at a place, or near it; where it would be nowhere or in the way of something it stays where it is. Says where it is then,
    /// and what became different.
    pub(crate) fn put(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        at: &Position,
        now: f64,
    ) -> Result<(Position, Events), NotPut> {
        let spec = BodySpec {
            body: PLAYER,
            setup: Arc::clone(&self.setup),
            position: *at,
            scale: 1.0,
            state: STATE,
            kind: ObjectKind::Player(PlayerStatus::Peaceful),
        };
        // Tried before it is fact: what is put where no cell is would be lost.
        let mover = self.body.mover(world).unwrap_or_else(|| Mover::of_spec(&spec));
        let tried = Sweeper { world, rules }.place(scratch, &mut (), &mover, at, Search::Around);
        match (tried.refused, tried.cell) {
            (Some(refusal), _) => return Err(NotPut::Refused(refusal)),
            (None, None) => return Err(NotPut::Nowhere),
            _ => {}
        }
        let (outcome, events) = match self.body.teleport(world, rules, scratch, at, now) {
            Ok(done) => done,
            Err(_) => {
                self.body = Body { gait: Some(Gait::stand()), ..Body::new(PLAYER) };
                self.body.enter(world, rules, scratch, spec, Search::Around, now)
            }
        };
        self.body.velocity = Vec3::ZERO;
        self.track = Track::new(now, outcome.position);
        self.forget_jump();
        Ok((outcome.position, events))
    }

    /// A jump that is held is not jumped.
    pub(crate) fn forget_jump(&mut self) {
        self.held = None;
    }

    /// Where it is; `None` before it was put anywhere.
    pub(crate) fn at(&self, world: &World) -> Option<Position> {
        world.body(PLAYER).map(|object| *object.position())
    }

    /// Where it is shown.
    pub(crate) fn shown(&self, world: &World, now: f64) -> Position {
        self.track.shown(world, now)
    }

    /// How far a jump that is held would go, 0 to 1.
    pub(crate) fn charge(&self, now: f64) -> Option<f32> {
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        self.held.map(|since| (((now - since) / WHOLE_JUMP) as f32).clamp(TAP, 1.0))
    }

    /// Does what is wished for, if it is time to move; says what happened then. Every quantum is told of before it is fact.
    pub(crate) fn advance(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        (intent, skills, now): (&Intent, Skills, f64),
        tell: impl FnMut(&World, &Body, &Quantum),
    ) -> Vec<Event> {
        let mut events = Vec::new();
        // Who is lost comes back as soon as its cell has.
        if let Ok(Some((outcome, told))) = self.body.come_back(world, rules, scratch, now) {
            self.track = Track::new(now, outcome.position);
            events.extend(told);
        }
        self.hold_jump(world, intent, skills, now);
        if !self.gate.opens(now) {
            return events;
        }
        self.gait = gait(intent, skills);
        self.body.gait = Some(self.gait);
        let heading = Rotation::from_heading(intent.heading);
        // It is not in the world until it was put there.
        let _ = world.turn(PLAYER, heading);
        let updated = self.body.update_told(world, rules, scratch, now, tell);
        events.extend(updated.map(|updated| updated.events).unwrap_or_default());
        if let Some(at) = self.at(world) {
            // What is left of the time after a hitch it has not been moved by yet.
            self.track.note(self.body.clock, at);
        }
        if self.body.clock < now {
            // It is moved again when that has become enough: later there would be nothing to show.
            self.gate = Gate::new();
            self.gate.opens(self.body.clock);
        }
        events
    }

    fn hold_jump(&mut self, world: &World, intent: &Intent, skills: Skills, now: f64) {
        if intent.jump {
            self.held.get_or_insert(now);
            return;
        }
        if let Some(extent) = self.charge(now) {
            self.held = None;
            self.body.gait = Some(gait(intent, skills));
            let jump = Jump { extent, skill: skills.jump, burden: 1.0 };
            // Who is in the air cannot jump.
            let _ = self.body.jump(world, &jump, now);
        }
    }

    /// How its parts are held.
    pub(crate) fn pose(&mut self, now: f64, parts: &mut Vec<Frame>) {
        parts.clear();
        let (command, speed) = self.shows();
        if let Some(acting) = &mut self.acting {
            acting.change_at(command, speed, now);
            acting.pose(now, parts);
        }
    }

    /// What it is seen to do, and how fast.
    fn shows(&self) -> (Command, f32) {
        let Gait { pace, forward, sideways, .. } = self.gait;
        match () {
            () if !(self.body.stance.contact && self.body.stance.on_walkable) => {
                (Command::FALLING, 1.0)
            }
            () if forward > 0.0 && pace == Pace::Run => (Command::RUN_FORWARD, forward / 1.5),
            () if forward > 0.0 => (Command::WALK_FORWARD, 1.0),
            () if forward < 0.0 => (Command::WALK_BACKWARDS, 1.0),
            () if sideways > 0.0 => (Command::SIDE_STEP_RIGHT, 1.0),
            () if sideways < 0.0 => (Command::SIDE_STEP_LEFT, 1.0),
            () => (Command::READY, 1.0),
        }
    }
}

/// How somebody walks who wishes for something.
fn gait(intent: &Intent, skills: Skills) -> Gait {
    let [slow, fast] = ASIDE;
    let pace = if intent.run && intent.ahead > 0.0 { Pace::Run } else { Pace::Walk };
    let forward = match () {
        () if intent.ahead > 0.0 && pace == Pace::Run => skills.run,
        () if intent.ahead > 0.0 => 1.0,
        () if intent.ahead < 0.0 => -BACKWARDS,
        () => 0.0,
    };
    let aside = intent.aside.clamp(-1.0, 1.0) * if intent.run { fast } else { slow };
    Gait { pace, forward, sideways: aside, turn: 0.0, run_rate: skills.run.max(1.0) }
}
