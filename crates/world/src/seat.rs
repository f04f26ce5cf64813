//! Where bodies are kept.

use threshold_land::{CellId, Position};

use crate::cells::Entry;
use crate::object::{BodyId, Object, ObjectId};
use crate::registry::NoSuchBody;
use crate::world::World;

/// Where the world keeps a body: who moves it often need not look for it by its number each time. It is that body's
/// for as long as the body is in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat(pub(crate) u32);

/// The seats of a world, apart from its cells: several threads can each move the bodies of some of them.
#[derive(Debug)]
pub struct Seats<'w> {
    objects: &'w mut [Option<Object>],
    first: u32,
}

impl World {
    /// Where a body is kept. Cost: a search by its number; [`seated`](Self::seated) has none.
    pub fn seat(&self, body: BodyId) -> Option<Seat> {
        self.place_of(body).ok().map(Seat)
    }

    /// The body of that number, if this is its seat.
    #[inline]
    pub fn seated(&self, seat: Seat, body: BodyId) -> Option<&Object> {
        self.objects.at(seat.0).filter(|object| object.id() == ObjectId::body(body))
    }

    /// All seats. A body that is moved here stays in the lists of the cells it was in: either they stay as they are
    /// ([`Object::stays_listed`]), or [`list_seated`](Self::list_seated) is called next.
    pub fn seats(&mut self) -> Seats<'_> {
        Seats { objects: self.objects.all_mut(), first: 0 }
    }

    /// Puts a body that has been moved into the cells that its sweep has found: the second half of
    /// [`move_swept`](Self::move_swept).
    pub fn list_seated(
        &mut self,
        seat: Seat,
        body: BodyId,
        cells: &[Entry],
        missed: &[CellId],
    ) -> Result<(), NoSuchBody> {
        self.seated(seat, body).ok_or(NoSuchBody(body))?;
        self.list_swept(seat.0, cells, missed);
        Ok(())
    }
}

impl<'w> Seats<'w> {
    /// Those before a seat, and those from it on.
    pub fn split(self, at: Seat) -> (Self, Self) {
        let before = (at.0.saturating_sub(self.first) as usize).min(self.objects.len());
        let (low, high) = self.objects.split_at_mut(before);
        let first = self.first.max(at.0);
        (Self { objects: low, first: self.first }, Self { objects: high, first })
    }

    /// Moves the body of that number, if this is its seat and one of these.
    #[inline]
    pub fn move_to(&mut self, seat: Seat, body: BodyId, position: Position) {
        let place = seat.0.checked_sub(self.first).map(|place| place as usize);
        let object = place.and_then(|place| self.objects.get_mut(place)?.as_mut());
        if let Some(object) = object.filter(|object| object.id() == ObjectId::body(body)) {
            object.set_position(position);
        }
    }
}
