//! Doors that open and close.
//!
//! In the records of a world, doors are objects that never move. When the player uses one, its room or landblock is built again, and all
//! doors of that piece become bodies. When the piece is dropped, its doors are static objects again.

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::{RecordId, Records, Source};
use threshold_land::glam::Vec3;
use threshold_land::{Frame, Position};
use threshold_motion::{Door, DoorState, Hinge, MoveContext, Rules, SweepScratch};
use threshold_render::pose::{Animator, Figure, Interpolation, MotionCommand};
use threshold_world::{
    BodyId, BodySpec, Object, ObjectId, ObjectKind, Piece, PieceId, State, World,
};

use crate::player::EYE_HEIGHT;

/// First body id of a door; all are below the player's.
const FIRST_BODY: u32 = 0xD000_0000;
/// Farthest door that can be used, in metres, and the largest angle to the view, as its cosine.
const MAX_REACH: f32 = 2.8;
const MIN_COSINE: f32 = 0.2;
/// A body within this distance of the reach of a leaf may touch it, in metres: its own height, and a step.
const TOUCH_DISTANCE: f32 = 2.5;

/// How a door swings.
#[derive(Clone, Copy, Debug)]
struct Swing {
    closed: Frame,
    /// Angle when open, in degrees to the right seen from above.
    degrees: f32,
    seconds: f32,
}

impl Swing {
    /// Makes an open door of a body; `None` if it has no part that turns.
    fn open_door(
        &self,
        world: &mut World,
        rules: Rules,
        scratch: &mut SweepScratch,
        body: BodyId,
    ) -> Option<Door> {
        world.pose_part(body, 0, self.closed).ok()?;
        let hinge = Hinge { part: 0, swing: self.degrees };
        let mut door = Door::new(world, body, &[hinge], self.seconds).ok()?;
        door.open(&mut MoveContext::new(world, rules, scratch)).ok()?;
        door.update(&mut MoveContext::new(world, rules, scratch), self.seconds).ok()?;
        Some(door)
    }
}

/// A door that is a body.
struct DoorBody {
    /// The object it is in the records.
    object: ObjectId,
    piece: PieceId,
    door: Door,
}

/// A door that becomes a body when its piece has been built again.
struct PendingDoor {
    object: ObjectId,
    piece: PieceId,
    /// Whether it closes then.
    is_closing: bool,
}

/// The doors of a session.
pub(crate) struct Doors {
    source: Arc<dyn Source>,
    /// Setups that were read: how they swing, or `None` for those that are no doors.
    swings: BTreeMap<RecordId, Option<Swing>>,
    bodies: Vec<DoorBody>,
    pending: Vec<PendingDoor>,
    next_body: u32,
}

/// What using a door did.
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
            bodies: Vec::new(),
            pending: Vec::new(),
            next_body: FIRST_BODY,
        }
    }

    /// Makes a new piece part of the world, without the doors that are bodies already. Returns whether doors of it became bodies; they
    /// stand open, as in the records.
    pub(crate) fn adopt(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut SweepScratch,
        mut piece: Piece,
    ) -> bool {
        let id = piece.id();
        if !self.bodies.is_empty() {
            piece.take_objects(|object| self.bodies.iter().any(|door| door.object == object.id()));
        }
        let is_pending = self.pending.iter().any(|pending| pending.piece == id);
        let mut doors = Vec::new();
        if is_pending {
            doors = piece.take_objects(|object| self.swing(object.setup().id).is_some());
        }
        world.adopt(piece);
        for object in doors {
            self.add_body(world, rules, scratch, (&object, id));
        }
        self.pending.retain(|pending| pending.piece != id);
        is_pending
    }

    /// Forgets pending doors whose piece is not being built.
    pub(crate) fn retain_pending(&mut self, is_built: impl Fn(PieceId) -> bool) {
        self.pending.retain(|pending| is_built(pending.piece));
    }

    /// Returns whether a position is near a door that is a body: in the records that door is open and solid, whatever it does here.
    pub(crate) fn is_near(&self, world: &World, at: &Position) -> bool {
        let mut bodies = self.bodies.iter().filter_map(|it| world.body(it.door.body()));
        bodies.any(|object| {
            let leaf = object.setup().reach * object.scale().abs();
            object.position().offset_to(at).length() < leaf + TOUCH_DISTANCE
        })
    }

    /// Returns whether a leaf turns, or waits for a body in its way.
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
                // It is there: nothing else removes it.
                let _ = world.remove(it.door.body());
            }
            stays
        });
    }

    /// Turns the leaves for `dt` seconds.
    pub(crate) fn advance(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut SweepScratch,
        dt: f32,
    ) {
        for it in &mut self.bodies {
            // Its body is there as long as it is listed.
            let _ = it.door.update(&mut MoveContext::new(world, rules, scratch), dt);
        }
    }

    /// Opens or closes the nearest door in front of a position, in a direction. A door that is not a body yet becomes one when `rebuild`
    /// has built its piece again.
    pub(crate) fn use_nearest(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut SweepScratch,
        (from, ahead): (&Position, Vec3),
        rebuild: impl FnOnce(PieceId) -> bool,
    ) -> DoorAction {
        let Some((object, body)) = self.nearest(world, from, ahead) else {
            return DoorAction::NoDoor;
        };
        let Some(body) = body else { return self.request_body(world, object, rebuild) };
        let Some(it) = self.bodies.iter_mut().find(|it| it.door.body() == body) else {
            return DoorAction::NoDoor;
        };
        match it.door.state() {
            DoorState::Open | DoorState::Opening => {
                it.door.close();
                DoorAction::Closes
            }
            _ => match it.door.open(&mut MoveContext::new(world, rules, scratch)) {
                Ok(()) => DoorAction::Opens,
                Err(_) => DoorAction::NoDoor,
            },
        }
    }

    /// Returns the nearest door within reach, with its body if it has one.
    fn nearest(
        &mut self,
        world: &World,
        from: &Position,
        ahead: Vec3,
    ) -> Option<(ObjectId, Option<BodyId>)> {
        let mut head = *from;
        head.frame.origin += Vec3::Z * EYE_HEIGHT * 0.6;
        let mut found: Option<(f32, ObjectId, Option<BodyId>)> = None;
        for object in world.objects() {
            let way = head.offset_to(object.position());
            let distance = way.truncate().length();
            if distance > MAX_REACH || way.z.abs() > 2.5 || self.swing(object.setup().id).is_none()
            {
                continue;
            }
            let level = ahead.truncate().normalize_or_zero();
            let is_in_front =
                distance < 0.8 || way.truncate().normalize_or_zero().dot(level) > MIN_COSINE;
            if is_in_front && found.is_none_or(|(nearest, ..)| distance < nearest) {
                found = Some((distance, object.id(), object.id().as_body()));
            }
        }
        found.map(|(_, object, body)| (object, body))
    }

    /// Requests that a static door becomes a body. It stands open, as all static doors do, and closes as soon as it is a body.
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

    /// Makes a body of a static door, and closes it if the player wanted that.
    fn add_body(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut SweepScratch,
        (object, piece): (&Object, PieceId),
    ) {
        let Some(swing) = self.swing(object.setup().id) else { return };
        let (id, body) = (object.id(), BodyId(self.next_body));
        self.next_body += 1;
        world.insert(BodySpec {
            body,
            setup: Arc::new(object.setup().clone()),
            position: *object.position(),
            scale: object.scale(),
            state: State::default(),
            kind: ObjectKind::Thing,
        });
        let Some(mut door) = swing.open_door(world, rules, scratch, body) else {
            // Nothing else would ever remove it. It was inserted just now.
            let _ = world.remove(body);
            return;
        };
        if self.pending.iter().any(|pending| pending.object == id && pending.is_closing) {
            door.close();
        }
        self.bodies.push(DoorBody { object: id, piece, door });
    }

    /// Returns how a setup swings, if it is a door: one part with an open and a closed pose.
    fn swing(&mut self, setup: RecordId) -> Option<Swing> {
        let source = &*self.source;
        *self.swings.entry(setup).or_insert_with(|| read_swing(source, setup))
    }
}

fn read_swing(source: &dyn Source, setup: RecordId) -> Option<Swing> {
    let figure = Figure::load(&mut Records::new(source), setup).ok()??;
    if figure.parts() != 1 || !figure.knows(MotionCommand::ON) || !figure.knows(MotionCommand::OFF)
    {
        return None;
    }
    let pose = |command: MotionCommand| {
        let mut parts = Vec::new();
        figure.pose(command.shown(1.0), 0.0, Interpolation::Smooth, &mut parts);
        parts.first().copied()
    };
    let (closed, open) = (pose(MotionCommand::OFF)?, pose(MotionCommand::ON)?);
    let turn = (open.heading() - closed.heading() + 540.0).rem_euclid(360.0) - 180.0;
    let mut acting = Animator::starting_in(Arc::new(figure), MotionCommand::OFF, 0.0);
    acting.change(MotionCommand::ON, 0.0);
    #[allow(clippy::cast_possible_truncation, reason = "a second or two")]
    let seconds = acting.arrival() as f32;
    Some(Swing { closed, degrees: turn, seconds })
}
