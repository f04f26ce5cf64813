//! The player's body.

use std::sync::Arc;

use threshold_dat::RecordId;
use threshold_forge::MOVER;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation};
use threshold_motion::{
    Body, Event, Events, Gait, Gate, Jump, MoveContext, Mover, Pace, Quantum, Refusal, Search,
    Sweeper, Track,
};
use threshold_pose::{Animator, Figure, MotionCommand};
use threshold_world::{BodyId, BodySpec, ObjectKind, PlayerStatus, Setup, State, World};

use crate::intent::Intent;

/// Id of the player's body: after all others.
pub const PLAYER: BodyId = BodyId(u32::MAX - 1);
/// Setup of the human player, in retail's files as in made worlds.
pub const HUMAN_SETUP: RecordId = MOVER;
/// Height of the eyes over the feet, in metres.
pub(crate) const EYE_HEIGHT: f32 = 1.65;
/// Physics state of the player: it falls, and slides along edges.
pub(crate) const STATE: State = State::GRAVITY.with(State::EDGE_SLIDE, true);

/// Speed of walking backwards, as a multiple of walking. Retail: `CMotionInterp::adjust_motion`.
const BACKWARDS: f32 = 0.65;
/// Speeds of sidestepping, as multiples of the slowest: walking and running.
const SIDESTEP_SPEEDS: [f32; 2] = [1.5, 3.0];
/// Time for which the jump key is held for a full jump, in seconds, and the charge of a tap, as a part of a full jump.
const FULL_CHARGE: f64 = 1.0;
const MIN_CHARGE: f32 = 0.25;

/// How fast the player runs and how high it jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerSkills {
    /// Run rate, as a multiple of the slowest run.
    pub run: f32,
    /// Jump skill.
    pub jump: f32,
}

/// Reason why the player cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlacementError {
    #[error("neither a room nor land contains this place")]
    NoCell,
    #[error("{0}")]
    Refused(Refusal),
}

/// The player: a body and its animated figure.
#[derive(Debug)]
pub struct Player {
    /// The body, which moves in quanta.
    pub body: Body,
    setup: Arc<Setup>,
    gate: Gate,
    track: Track,
    animator: Option<Animator>,
    /// Time at which the jump key went down.
    jump_held_since: Option<f64>,
    /// The last gait, which the figure shows.
    gait: Gait,
}

/// Input of the player for one frame.
#[derive(Clone, Copy)]
pub(crate) struct PlayerInput<'a> {
    pub(crate) intent: &'a Intent,
    pub(crate) skills: PlayerSkills,
    /// Time of the frame, in seconds.
    pub(crate) now: f64,
}

impl Player {
    /// Makes a player that is in no world yet. Without a figure its body is not animated.
    pub(crate) fn new(setup: Arc<Setup>, figure: Option<Figure>) -> Self {
        Self {
            body: Body::new(PLAYER),
            setup,
            gate: Gate::new(),
            track: Track::new(0.0, Position::new(CellId(0), Vec3::ZERO)),
            animator: figure.map(|figure| Animator::new(Arc::new(figure), 0.0)),
            jump_held_since: None,
            gait: Gait::stand(),
        }
    }

    /// Returns the cell in which the player would be after a placement at a position or near it. Moves nothing.
    pub(crate) fn try_place(
        &self,
        context: &mut MoveContext<'_>,
        at: &Position,
    ) -> Result<CellId, PlacementError> {
        let mover = self.body.mover(context.world);
        let mover = mover.unwrap_or_else(|| Mover::from_spec(&self.spec(at)));
        let sweeper = Sweeper { world: context.world, rules: context.rules };
        let tried = sweeper.place(context.scratch, &mut (), &mover, at, Search::Around);
        match tried.refused {
            Some(refusal) => Err(PlacementError::Refused(refusal)),
            None => tried.cell.ok_or(PlacementError::NoCell),
        }
    }

    /// Places the player at a position or near it, and returns its new position. On an error the player stays where it is.
    pub(crate) fn place(
        &mut self,
        context: &mut MoveContext<'_>,
        at: &Position,
        now: f64,
    ) -> Result<(Position, Events), PlacementError> {
        // Tested before the body moves, because a body placed outside all cells would be lost.
        self.try_place(context, at)?;
        let (outcome, events) = match self.body.teleport(context, at, now) {
            Ok(placed) => placed,
            Err(_) => {
                let spec = self.spec(at);
                self.body = Body { gait: Some(Gait::stand()), ..Body::new(PLAYER) };
                self.body.enter(context, spec, Search::Around, now)
            }
        };
        self.body.velocity = Vec3::ZERO;
        self.track = Track::new(now, outcome.position);
        self.cancel_jump();
        Ok((outcome.position, events))
    }

    /// Describes the player's body at a position.
    fn spec(&self, at: &Position) -> BodySpec {
        BodySpec {
            body: PLAYER,
            setup: Arc::clone(&self.setup),
            position: *at,
            scale: 1.0,
            state: STATE,
            kind: ObjectKind::Player(PlayerStatus::Peaceful),
        }
    }

    /// Drops a held jump.
    pub(crate) fn cancel_jump(&mut self) {
        self.jump_held_since = None;
    }

    /// Returns the position of the body; `None` before it is placed.
    pub fn position(&self, world: &World) -> Option<Position> {
        world.body(PLAYER).map(|object| *object.position())
    }

    /// Returns the position at which the body is drawn, between its last two moves.
    pub fn shown_position(&self, world: &World, now: f64) -> Position {
        self.track.shown(world, now)
    }

    /// Returns the charge of a held jump, 0 to 1; `None` while the key is up.
    pub fn jump_charge(&self, now: f64) -> Option<f32> {
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        self.jump_held_since
            .map(|since| (((now - since) / FULL_CHARGE) as f32).clamp(MIN_CHARGE, 1.0))
    }

    /// Moves the body if a quantum is due, and returns the events. `record` receives each quantum before it is committed.
    pub(crate) fn advance(
        &mut self,
        context: &mut MoveContext<'_>,
        input: PlayerInput<'_>,
        record: impl FnMut(&World, &Body, &Quantum),
    ) -> Vec<Event> {
        let PlayerInput { intent, skills, now } = input;
        let mut events = Vec::new();
        // A lost body returns as soon as its cell is resident again. Fails before the body is placed.
        if let Ok(Some((outcome, returned))) = self.body.recover(context, now) {
            self.track = Track::new(now, outcome.position);
            events.extend(returned);
        }
        self.charge_jump(context.world, input);
        if !self.gate.opens(now) {
            return events;
        }
        self.gait = gait(intent, skills);
        self.body.gait = Some(self.gait);
        let heading = Rotation::from_heading(intent.heading);
        // Fails before the body is placed, when there is nothing to turn.
        let _ = context.world.turn(PLAYER, heading);
        // Fails, too, before the body is placed.
        let updated = self.body.update_with(context, now, record);
        events.extend(updated.map(|updated| updated.events).unwrap_or_default());
        if let Some(at) = self.position(context.world) {
            self.track.note(self.body.clock, at);
        }
        if self.body.clock < now {
            // After a long frame, the rest of its time counts towards the next quantum. Without this the figure would stop until then.
            self.gate = Gate::new();
            self.gate.opens(self.body.clock);
        }
        events
    }

    /// Charges a jump while the key is held, and jumps when it is released.
    fn charge_jump(&mut self, world: &World, PlayerInput { intent, skills, now }: PlayerInput<'_>) {
        if intent.jump {
            self.jump_held_since.get_or_insert(now);
            return;
        }
        if let Some(extent) = self.jump_charge(now) {
            self.jump_held_since = None;
            self.body.gait = Some(gait(intent, skills));
            let jump = Jump { extent, skill: skills.jump, burden: 1.0 };
            // Fails in the air: the jump is dropped.
            let _ = self.body.jump(world, &jump, now);
        }
    }

    /// Fills in the frames of the figure's parts.
    pub fn pose(&mut self, now: f64, parts: &mut Vec<Frame>) {
        parts.clear();
        let (command, speed) = self.shown_motion();
        if let Some(animator) = &mut self.animator {
            animator.change_at(command, speed, now);
            animator.pose(now, parts);
        }
    }

    /// Returns the motion that the figure shows, and its speed.
    fn shown_motion(&self) -> (MotionCommand, f32) {
        let Gait { pace, forward, sideways, .. } = self.gait;
        match () {
            () if !(self.body.stance.contact && self.body.stance.on_walkable) => {
                (MotionCommand::FALLING, 1.0)
            }
            () if forward > 0.0 && pace == Pace::Run => (MotionCommand::RUN_FORWARD, forward / 1.5),
            () if forward > 0.0 => (MotionCommand::WALK_FORWARD, 1.0),
            () if forward < 0.0 => (MotionCommand::WALK_BACKWARDS, 1.0),
            () if sideways > 0.0 => (MotionCommand::SIDE_STEP_RIGHT, 1.0),
            () if sideways < 0.0 => (MotionCommand::SIDE_STEP_LEFT, 1.0),
            () => (MotionCommand::READY, 1.0),
        }
    }
}

/// Returns the gait for an intent.
fn gait(intent: &Intent, skills: PlayerSkills) -> Gait {
    let [slow, fast] = SIDESTEP_SPEEDS;
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
