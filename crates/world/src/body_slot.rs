//! Where bodies are kept.

use threshold_land::{CellId, Position};

use crate::cells::ListedCell;
use crate::object::{BodyId, Object, ObjectId};
use crate::registry::UnknownBody;
use crate::world::World;

/// Where the world keeps a body: who moves it often need not look for it by its number each time. It is that body's
/// for as long as the body is in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodySlot(pub(crate) u32);

/// The seats of a world, apart from its cells: several threads can each move the bodies of some of them.
#[derive(Debug)]
pub struct BodySlots<'w> {
    objects: &'w mut [Option<Object>],
    first: u32,
}

impl World {
    /// Where a body is kept. Cost: a search by its number; [`body_in_slot`](Self::body_in_slot) has none.
    pub fn body_slot(&self, body: BodyId) -> Option<BodySlot> {
        self.place_of(body).ok().map(BodySlot)
    }

    /// The body of that number, if this is its slot.
    #[inline]
    pub fn body_in_slot(&self, slot: BodySlot, body: BodyId) -> Option<&Object> {
        self.objects.at(slot.0).filter(|object| object.id() == ObjectId::body(body))
    }

    /// All seats. A body that is moved here stays in the lists of the cells it was in: either they stay as they are
    /// ([`Object::stays_listed`]), or [`register_in_slot`](Self::register_in_slot) is called next.
    pub fn body_slots(&mut self) -> BodySlots<'_> {
        BodySlots { objects: self.objects.all_mut(), first: 0 }
    }

    /// Puts a body that has been moved into the cells that its sweep has found: the second half of
    /// [`move_swept`](Self::move_swept).
    pub fn register_in_slot(
        &mut self,
        slot: BodySlot,
        body: BodyId,
        cells: &[ListedCell],
        missed: &[CellId],
    ) -> Result<(), UnknownBody> {
        self.body_in_slot(slot, body).ok_or(UnknownBody(body))?;
        self.list_swept(slot.0, cells, missed);
        Ok(())
    }
}

impl<'w> BodySlots<'w> {
    /// Those before a slot, and those from it on.
    pub fn split(self, at: BodySlot) -> (Self, Self) {
        let before = (at.0.saturating_sub(self.first) as usize).min(self.objects.len());
        let (low, high) = self.objects.split_at_mut(before);
        let first = self.first.max(at.0);
        (Self { objects: low, first: self.first }, Self { objects: high, first })
    }

    /// Moves the body of that number, if this is its seat and one of these.
    #[inline]
    pub fn move_to(&mut self, slot: BodySlot, body: BodyId, position: Position) {
        let place = slot.0.checked_sub(self.first).map(|place| place as usize);
        let object = place.and_then(|place| self.objects.get_mut(place)?.as_mut());
        if let Some(object) = object.filter(|object| object.id() == ObjectId::body(body)) {
            object.set_position(position);
        }
    }
}
