//! Doors that open and close.
//!
//! In the records of a world, doors are static objects that stand open. When the player uses one, its room or landblock is built again, and
//! all doors of that piece become bodies. When the piece is dropped, its doors are static objects again.

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::{RecordId, Records, Source};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Position};
use threshold_motion::{Door, DoorState, Hinge, MoveContext};
use threshold_pose::{Animator, Figure, Interpolation, MotionCommand};
use threshold_world::{
    BodyId, BodySpec, Object, ObjectId, ObjectKind, Piece, PieceId, PoseError, State, World,
};

use crate::player::EYE_HEIGHT;

/// First body id of a door; all are below the player's.
const FIRST_BODY: u32 = 0xD000_0000;
/// Largest horizontal distance of a door that can be used, in metres.
const MAX_REACH: f32 = 2.8;
/// Largest vertical distance of a door that can be used, in metres.
const MAX_RISE: f32 = 2.5;
/// Horizontal distance within which a door can be used in any direction, in metres.
const NEAR_REACH: f32 = 0.8;
/// Cosine of the largest angle between the view and a door that can be used.
const MIN_COSINE: f32 = 0.2;
/// A body within this distance of the reach of a leaf may touch it, in metres: the height of the body, and a step.
const TOUCH_DISTANCE: f32 = 2.5;

/// How a door swings.
#[derive(Clone, Copy, Debug)]
struct Swing {
    /// Pose of the leaf when closed.
    closed: Frame,
    /// Angle when open, in degrees to the right seen from above.
    degrees: f32,
    seconds: f32,
}

impl Swing {
    /// Makes an open door of a body; fails if the body has no part that turns, or its pose is not valid.
    fn open_door(&self, context: &mut MoveContext<'_>, body: BodyId) -> Result<Door, PoseError> {
        context.world.pose_part(body, 0, self.closed)?;
        let hinge = Hinge { part: 0, swing: self.degrees };
        let mut door = Door::new(context.world, body, &[hinge], self.seconds)?;
        door.open(context)?;
        door.update(context, self.seconds)?;
        Ok(door)
    }
}

/// A door that is a body.
struct DoorBody {
    /// Static object of the door in the records.
    object: ObjectId,
    piece: PieceId,
    door: Door,
}

/// A door that becomes a body once its piece has been built again.
struct PendingDoor {
    object: ObjectId,
    piece: PieceId,
    /// Whether the door closes as soon as it is a body.
    is_closing: bool,
}

/// The doors of a session.
pub(crate) struct Doors {
    source: Arc<dyn Source>,
    /// Swing of each setup read so far; `None` for setups that are not doors.
    swings: BTreeMap<RecordId, Option<Swing>>,
    /// Errors of records that cannot be read or used, not yet reported.
    faults: Vec<String>,
    bodies: Vec<DoorBody>,
    pending: Vec<PendingDoor>,
    next_body: u32,
}

/// Result of using a door.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorAction {
    /// No door is within reach.
    NoDoor,
    /// The door opens.
    Opens,
    /// The door closes.
    Closes,
}

impl Doors {
    pub(crate) fn new(source: &Arc<dyn Source>) -> Self {
        Self {
            source: Arc::clone(source),
            swings: BTreeMap::new(),
            faults: Vec::new(),
            bodies: Vec::new(),
            pending: Vec::new(),
            next_body: FIRST_BODY,
        }
    }

    /// Takes the errors of records that could not be read since the last call.
    pub(crate) fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// Adopts a built piece into the world, without its doors that are bodies already. Returns whether pending doors of the piece became
    /// bodies; these start open, as in the records.
    pub(crate) fn adopt(&mut self, context: &mut MoveContext<'_>, mut piece: Piece) -> bool {
        let id = piece.id();
        if !self.bodies.is_empty() {
            piece.take_objects(|object| self.bodies.iter().any(|door| door.object == object.id()));
        }
        let is_pending = self.pending.iter().any(|pending| pending.piece == id);
        let mut doors = Vec::new();
        if is_pending {
            doors = piece.take_objects(|object| self.swing(object.setup().id).is_some());
        }
        context.world.adopt(piece);
        for object in doors {
            self.add_body(context, &object, id);
        }
        self.pending.retain(|pending| pending.piece != id);
        is_pending
    }

    /// Drops pending doors of pieces that are not being built.
    pub(crate) fn retain_pending(&mut self, is_built: impl Fn(PieceId) -> bool) {
        self.pending.retain(|pending| is_built(pending.piece));
    }

    /// Returns whether a position is near a door that is a body. In the records that door is open and solid, even while it is closed here.
    pub(crate) fn is_near(&self, world: &World, at: &Position) -> bool {
        let mut bodies = self.bodies.iter().filter_map(|it| world.body(it.door.body()));
        bodies.any(|object| {
            let leaf = object.setup().reach * object.scale().abs();
            object.position().offset_to(at).length() < leaf + TOUCH_DISTANCE
        })
    }

    /// Returns whether any leaf is turning, or blocked by a body.
    pub(crate) fn is_moving(&self) -> bool {
        let rests = |state| matches!(state, DoorState::Open | DoorState::Closed);
        self.bodies.iter().any(|it| !rests(it.door.state()))
    }

    /// Returns the bodies that are doors.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().map(|it| it.door.body())
    }

    /// Removes the doors of pieces that were dropped.
    pub(crate) fn remove_doors_of(&mut self, world: &mut World, dropped: &[PieceId]) {
        self.retain_pending(|piece| !dropped.contains(&piece));
        self.bodies.retain(|it| {
            let stays = !dropped.contains(&it.piece);
            if !stays {
                // Cannot fail: nothing else removes the body.
                let _ = world.remove(it.door.body());
            }
            stays
        });
    }

    /// Turns the leaves for `dt` seconds.
    pub(crate) fn advance(&mut self, context: &mut MoveContext<'_>, dt: f32) {
        for it in &mut self.bodies {
            // Cannot fail: the body exists as long as the door is listed.
            let _ = it.door.update(context, dt);
        }
    }

    /// Opens or closes the nearest door in a direction from a position. A door that is not a body yet becomes one once `rebuild` has built
    /// its piece again.
    pub(crate) fn use_nearest(
        &mut self,
        context: &mut MoveContext<'_>,
        from: &Position,
        ahead: Vec3,
        rebuild: impl FnOnce(PieceId) -> bool,
    ) -> DoorAction {
        let Some((object, body)) = self.nearest(context.world, from, ahead) else {
            return DoorAction::NoDoor;
        };
        let Some(body) = body else { return self.request_body(context.world, object, rebuild) };
        let Some(it) = self.bodies.iter_mut().find(|it| it.door.body() == body) else {
            return DoorAction::NoDoor;
        };
        match it.door.state() {
            DoorState::Open | DoorState::Opening => {
                it.door.close();
                DoorAction::Closes
            }
            _ => match it.door.open(context) {
                Ok(()) => DoorAction::Opens,
                // The body has left the world, and the door with it.
                Err(_) => DoorAction::NoDoor,
            },
        }
    }

    /// Returns the nearest door within reach, with its body if there is one.
    fn nearest(
        &mut self,
        world: &World,
        from: &Position,
        ahead: Vec3,
    ) -> Option<(ObjectId, Option<BodyId>)> {
        let mut head = *from;
        head.frame.origin += Vec3::Z * EYE_HEIGHT * 0.6;
        let mut found: Option<(f32, ObjectId, Option<BodyId>)> = None;
        let level_ahead = ahead.truncate().normalize_or_zero();
        for object in world.objects() {
            let offset = head.offset_to(object.position());
            let (level, distance) = (offset.truncate(), offset.truncate().length());
            let is_far = distance > MAX_REACH || offset.z.abs() > MAX_RISE;
            if is_far || self.swing(object.setup().id).is_none() {
                continue;
            }
            let cosine = level.normalize_or_zero().dot(level_ahead);
            let is_in_front = distance < NEAR_REACH || cosine > MIN_COSINE;
            if is_in_front && found.is_none_or(|(nearest, ..)| distance < nearest) {
                found = Some((distance, object.id(), object.id().as_body()));
            }
        }
        found.map(|(_, object, body)| (object, body))
    }

    /// Requests that a static door becomes a body. Like all static doors it is open, and it closes as soon as it is a body.
    fn request_body(
        &mut self,
        world: &World,
        id: ObjectId,
        rebuild: impl FnOnce(PieceId) -> bool,
    ) -> DoorAction {
        if let Some(pending) = self.pending.iter_mut().find(|pending| pending.object == id) {
            pending.is_closing = !pending.is_closing;
            return if pending.is_closing { DoorAction::Closes } else { DoorAction::Opens };
        }
        let Some(object) = world.object(id) else { return DoorAction::NoDoor };
        let piece = PieceId::from_cell(object.position().cell);
        if !rebuild(piece) {
            return DoorAction::NoDoor;
        }
        self.pending.push(PendingDoor { object: id, piece, is_closing: true });
        DoorAction::Closes
    }

    /// Makes a body of a static door, and closes it if the player has requested that. A door that cannot turn is
    /// left out, with a fault.
    fn add_body(&mut self, context: &mut MoveContext<'_>, object: &Object, piece: PieceId) {
        let Some(swing) = self.swing(object.setup().id) else { return };
        let (id, body) = (object.id(), BodyId(self.next_body));
        self.next_body += 1;
        context.world.insert(BodySpec {
            body,
            setup: Arc::new(object.setup().clone()),
            position: *object.position(),
            scale: object.scale(),
            state: State::default(),
            kind: ObjectKind::Thing,
        });
        let mut door = match swing.open_door(context, body) {
            Ok(door) => door,
            Err(error) => {
                self.faults.push(format!("{}: {error}", object.setup().id));
                // Cannot fail: the body was inserted just now.
                let _ = context.world.remove(body);
                return;
            }
        };
        if self.pending.iter().any(|pending| pending.object == id && pending.is_closing) {
            door.close();
        }
        self.bodies.push(DoorBody { object: id, piece, door });
    }

    /// Returns how a setup swings, if it is a door. A setup that cannot be read is not a door, and its error is kept for
    /// [`take_faults`](Self::take_faults).
    fn swing(&mut self, setup: RecordId) -> Option<Swing> {
        let Self { source, swings, faults, .. } = self;
        let read = || {
            let figure = Figure::load(&mut Records::new(&**source), setup);
            let figure = figure.unwrap_or_else(|error| {
                faults.push(error.to_string());
                None
            });
            let figure = figure?;
            faults.extend(figure.faults().iter().map(ToString::to_string));
            swing_of(figure)
        };
        *swings.entry(setup).or_insert_with(read)
    }
}

/// Returns how a figure swings, if it is a door: one part with an open and a closed pose.
fn swing_of(figure: Figure) -> Option<Swing> {
    if figure.parts() != 1
        || !figure.has_motion(MotionCommand::ON)
        || !figure.has_motion(MotionCommand::OFF)
    {
        return None;
    }
    let pose = |command: MotionCommand| {
        let mut parts = Vec::new();
        figure.pose(command, 1.0, 0.0, Interpolation::Smooth, &mut parts);
        parts.first().copied()
    };
    let (closed, open) = (pose(MotionCommand::OFF)?, pose(MotionCommand::ON)?);
    let turn = (open.heading() - closed.heading() + 540.0).rem_euclid(360.0) - 180.0;
    let mut animator = Animator::starting_in(Arc::new(figure), MotionCommand::OFF, 0.0);
    animator.change(MotionCommand::ON, 0.0);
    #[allow(clippy::cast_possible_truncation, reason = "a second or two")]
    let seconds = animator.arrival() as f32;
    Some(Swing { closed, degrees: turn, seconds })
}
