//! Direct access to bodies by slot, also from several threads.

use threshold_land::{CellId, Position};

use crate::cells::ListedCell;
use crate::object::{BodyId, Object, ObjectId};
use crate::registry::UnknownBody;
use crate::world::World;

/// The slot of a body in the world. Callers that move a body often use it instead of a search by
/// number. It stays valid while the body is in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodySlot(pub(crate) u32);

/// Exclusive access to bodies without their cells; can be split so that several threads move
/// bodies.
#[derive(Debug)]
pub struct BodySlots<'w> {
    objects: &'w mut [Option<Object>],
    first: u32,
}

impl World {
    /// Returns the slot of a body. Cost: a search by its number;
    /// [`body_in_slot`](Self::body_in_slot) needs none.
    pub fn body_slot(&self, body: BodyId) -> Option<BodySlot> {
        self.slot_of(body).ok().map(BodySlot)
    }

    /// Returns the body in a slot, if it has the given number.
    #[inline]
    pub fn body_in_slot(&self, slot: BodySlot, body: BodyId) -> Option<&Object> {
        self.objects.at(slot.0).filter(|object| object.id() == ObjectId::body(body))
    }

    /// Returns all slots. A body moved through them keeps its registration: either that is still
    /// right ([`Object::stays_listed`]), or call [`register_in_slot`](Self::register_in_slot) next.
    pub fn body_slots(&mut self) -> BodySlots<'_> {
        BodySlots { objects: self.objects.all_mut(), first: 0 }
    }

    /// Registers a moved body in the cells of its sweep: the second half of
    /// [`move_swept`](Self::move_swept).
    pub fn register_in_slot(
        &mut self,
        slot: BodySlot,
        body: BodyId,
        cells: &[ListedCell],
        missed: &[CellId],
    ) -> Result<(), UnknownBody> {
        self.body_in_slot(slot, body).ok_or(UnknownBody(body))?;
        self.register_swept(slot.0, cells, missed);
        Ok(())
    }
}

impl<'w> BodySlots<'w> {
    /// Splits into the slots before `at` and those from it on.
    pub fn split(self, at: BodySlot) -> (Self, Self) {
        let before = (at.0.saturating_sub(self.first) as usize).min(self.objects.len());
        let (low, high) = self.objects.split_at_mut(before);
        let first = self.first.max(at.0);
        (Self { objects: low, first: self.first }, Self { objects: high, first })
    }

    /// Moves the body in a slot, if it has the given number and the slot is part of this range.
    #[inline]
    pub fn move_to(&mut self, slot: BodySlot, body: BodyId, position: Position) {
        let slot = slot.0.checked_sub(self.first).map(|slot| slot as usize);
        let object = slot.and_then(|slot| self.objects.get_mut(slot)?.as_mut());
        if let Some(object) = object.filter(|object| object.id() == ObjectId::body(body)) {
            object.set_position(position);
        }
    }
}
