//! Doors that open and close.
//!
//! In the records of a world, doors are static objects that stand open. When the player uses one, its room or landblock is built again, and
//! all doors of that piece become bodies. When the piece is dropped, its doors are static objects again.

use std::sync::Arc;

use threshold::doors::DoorSetups;
use threshold_dat::Source;
use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Door, DoorState, MoveContext};
use threshold_world::{BodyId, Object, ObjectId, Piece, PieceId, World};

/// First body id of a door; all are below the player's.
const FIRST_BODY: u32 = 0xD000_0000;
/// A body within this distance of the reach of a leaf may touch it, in metres: the height of the body, and a step.
const TOUCH_DISTANCE: f32 = 2.5;

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
    setups: DoorSetups,
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
            setups: DoorSetups::new(source),
            bodies: Vec::new(),
            pending: Vec::new(),
            next_body: FIRST_BODY,
        }
    }

    /// Takes the errors of records that could not be read since the last call.
    pub(crate) fn take_faults(&mut self) -> Vec<String> {
        self.setups.take_faults()
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
            let setups = &mut self.setups;
            doors = piece.take_objects(|object| setups.is_door(object.setup().id));
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
        let Some(object) = self.setups.nearest(context.world, from, ahead) else {
            return DoorAction::NoDoor;
        };
        let Some(body) = object.as_body() else {
            return self.request_body(context.world, object, rebuild);
        };
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
        let (id, body) = (object.id(), BodyId(self.next_body));
        self.next_body += 1;
        let Some(mut door) = self.setups.insert_door(context, object, body) else { return };
        if self.pending.iter().any(|pending| pending.object == id && pending.is_closing) {
            door.close();
        }
        self.bodies.push(DoorBody { object: id, piece, door });
    }
}
