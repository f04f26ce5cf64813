//! Doors of a realm.

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::Source;
use threshold_motion::{Door, DoorState, MoveContext, StateHash};
use threshold_world::{BodyId, ObjectId, Piece, PieceId, World};

use super::{Realm, RealmError, RealmEvent};
use crate::doors::DoorSetups;

/// First id of a door; those of bodies and holds are below.
const FIRST_DOOR: u32 = 0xD000_0000;

/// A door whose piece is loaded.
#[derive(Debug)]
struct LoadedDoor {
    object: ObjectId,
    piece: PieceId,
    door: Door,
}

/// A door of the records, remembered while its piece is not loaded.
#[derive(Clone, Copy, Debug)]
struct KnownDoor {
    body: BodyId,
    is_open: bool,
}

/// The doors of a realm: each door of a loaded piece is a body.
#[derive(Debug)]
pub(super) struct RealmDoors {
    pub(super) setups: DoorSetups,
    loaded: Vec<LoadedDoor>,
    known: BTreeMap<ObjectId, KnownDoor>,
}

impl RealmDoors {
    pub(super) fn new(source: &Arc<dyn Source>) -> Self {
        let setups = DoorSetups::new(source);
        Self { setups, loaded: Vec::new(), known: BTreeMap::new() }
    }

    /// Adopts a piece into the world; its doors become bodies.
    pub(super) fn adopt(&mut self, context: &mut MoveContext<'_>, mut piece: Piece) {
        let id = piece.id();
        self.remove_doors_of(context.world, &[id]);
        let setups = &mut self.setups;
        let objects = piece.take_objects(|object| setups.is_door(object.setup().id));
        context.world.adopt(piece);
        for object in objects {
            let known = self.known_door(object.id());
            let Some(mut door) = self.setups.insert_door(context, &object, known.body) else {
                continue;
            };
            if !known.is_open {
                door.close();
            }
            self.loaded.push(LoadedDoor { object: object.id(), piece: id, door });
        }
    }

    /// Returns the id of a door and whether it is open. In the records doors stand open.
    fn known_door(&mut self, object: ObjectId) -> KnownDoor {
        // As many doors as ids do not fit in memory.
        let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX >> 4);
        let new = KnownDoor { body: BodyId(FIRST_DOOR + number), is_open: true };
        *self.known.entry(object).or_insert(new)
    }

    /// Removes the doors of pieces that were dropped, and remembers whether they are open.
    pub(super) fn remove_doors_of(&mut self, world: &mut World, dropped: &[PieceId]) {
        let known = &mut self.known;
        self.loaded.retain(|it| {
            let stays = !dropped.contains(&it.piece);
            if !stays {
                let is_open = matches!(it.door.state(), DoorState::Open | DoorState::Opening);
                known.entry(it.object).and_modify(|door| door.is_open = is_open);
                // Cannot fail: nothing else removes the body.
                let _ = world.remove(it.door.body());
            }
            stays
        });
    }

    /// Turns the leaves, and returns the doors that came to rest.
    pub(super) fn advance(
        &mut self,
        context: &mut MoveContext<'_>,
        dt: f32,
    ) -> Vec<(BodyId, DoorState)> {
        let mut changes = Vec::new();
        for it in &mut self.loaded {
            let before = it.door.state();
            if matches!(before, DoorState::Open | DoorState::Closed) {
                continue;
            }
            // Cannot fail: the body exists as long as the door is listed.
            let state = it.door.update(context, dt).unwrap_or(before);
            if state != before {
                changes.push((it.door.body(), state));
            }
        }
        changes
    }

    fn find(&self, door: BodyId) -> Result<&Door, RealmError> {
        let found = self.loaded.iter().map(|it| &it.door).find(|it| it.body() == door);
        found.ok_or_else(|| self.refusal(door))
    }

    fn find_mut(&mut self, door: BodyId) -> Result<&mut Door, RealmError> {
        let refusal = self.refusal(door);
        let found = self.loaded.iter_mut().map(|it| &mut it.door).find(|it| it.body() == door);
        found.ok_or(refusal)
    }

    /// Returns why an id is not that of a loaded door.
    fn refusal(&self, door: BodyId) -> RealmError {
        let is_known = self.known.values().any(|known| known.body == door);
        if is_known { RealmError::DoorNotLoaded(door) } else { RealmError::NotADoor(door) }
    }

    /// Returns why an id is not that of a body that entered.
    pub(super) fn refusal_of_body(&self, body: BodyId) -> RealmError {
        match self.refusal(body) {
            RealmError::NotADoor(_) => RealmError::UnknownBody(body),
            _ => RealmError::IsDoor(body),
        }
    }

    /// Adds the doors to a hash: which are loaded, and how far each is open.
    pub(super) fn add_to(&self, hash: &mut StateHash) {
        for door in self.loaded.iter().map(|it| &it.door) {
            hash.word(door.body().0);
            hash.word(door.openness().to_bits());
            hash.word(door.state() as u32);
        }
    }
}

impl Realm {
    /// The doors of loaded pieces, with their states. A door keeps its id and its state while its piece is not loaded.
    ///
    /// In the records doors are static objects that stand open; the realm makes bodies of them.
    pub fn doors(&self) -> impl Iterator<Item = (BodyId, DoorState)> {
        self.doors.loaded.iter().map(|it| (it.door.body(), it.door.state()))
    }

    /// Returns the state of a door.
    pub fn door_state(&self, door: BodyId) -> Result<DoorState, RealmError> {
        self.doors.find(door).map(Door::state)
    }

    /// Returns the door in front of a body, or beside it: within 2.8 m, and not behind it unless it is very near. Looks at every
    /// loaded object, so call it when a player uses a door, not in every frame.
    pub fn door_near(&mut self, body: BodyId) -> Result<Option<BodyId>, RealmError> {
        let at = *self.object(body)?.position();
        let ahead = at.frame.rotation.rotate(threshold_land::vector::Vec3::Y);
        let nearest = self.doors.setups.nearest(&self.world, &at, ahead);
        Ok(nearest.and_then(ObjectId::as_body))
    }

    /// Opens a door: movers pass from now on, while its leaves turn.
    pub fn open_door(&mut self, door: BodyId) -> Result<(), RealmError> {
        let found = self.doors.find_mut(door)?;
        let before = found.state();
        let context = &mut MoveContext::new(&mut self.world, self.rules, &mut self.scratch);
        found.open(context).map_err(|_| RealmError::UnknownBody(door))?;
        let state = found.state();
        self.note_door(door, before, state);
        Ok(())
    }

    /// Closes a door. It is solid again once its leaves are shut and no mover stands between them.
    pub fn close_door(&mut self, door: BodyId) -> Result<(), RealmError> {
        let found = self.doors.find_mut(door)?;
        let before = found.state();
        found.close();
        let state = found.state();
        self.note_door(door, before, state);
        Ok(())
    }

    fn note_door(&mut self, door: BodyId, before: DoorState, state: DoorState) {
        if before != state {
            self.note(RealmEvent::Door { door, state });
        }
    }
}
