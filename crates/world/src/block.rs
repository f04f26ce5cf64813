//! The resident pieces of one landblock.

use threshold_land::{CellId, CellKind};

use crate::builder::Piece;
use crate::constants::LAND_CELLS;
use crate::land::Land;
use crate::object::Object;
use crate::object_list::ObjectList;
use crate::piece::PieceId;
use crate::room::Room;

/// The low word of the first room of a landblock.
const FIRST_ROOM: u16 = 0x0100;

/// Rooms are stored in pages, so that a room with a high number costs one page and not a slot for
/// every lower number.
const PAGE: usize = 64;

/// The resident pieces of one landblock.
#[derive(Debug, Default)]
pub(crate) struct Block {
    land: Option<Box<Land>>,
    /// Object lists by land cell, allocated when the first object is listed.
    land_objects: Option<Box<[ObjectList; LAND_CELLS]>>,
    /// By the low word of the room's id, from 0x0100.
    pages: Vec<Option<Box<[RoomSlot; PAGE]>>>,
    rooms: usize,
}

#[derive(Debug, Default)]
struct RoomSlot {
    room: Option<Box<Room>>,
    objects: ObjectList,
}

/// Returns the index of a land cell in its landblock.
#[inline]
pub(crate) fn land_index(id: CellId) -> Option<usize> {
    (id.kind() == Some(CellKind::Land)).then(|| usize::from(id.low()) - 1)
}

/// Returns the page of a room in its landblock, and its index in the page.
#[inline]
fn room_index(id: CellId) -> Option<(usize, usize)> {
    let index = usize::from(id.low().checked_sub(FIRST_ROOM)?);
    Some((index / PAGE, index % PAGE))
}

impl Block {
    #[inline]
    pub(crate) fn land(&self) -> Option<&Land> {
        self.land.as_deref()
    }

    #[inline]
    fn slot(&self, id: CellId) -> Option<&RoomSlot> {
        let (page, index) = room_index(id)?;
        Some(&self.pages.get(page)?.as_ref()?[index])
    }

    fn slot_mut(&mut self, id: CellId) -> Option<&mut RoomSlot> {
        let (page, index) = room_index(id)?;
        Some(&mut self.pages.get_mut(page)?.as_mut()?[index])
    }

    #[inline]
    pub(crate) fn room(&self, id: CellId) -> Option<&Room> {
        self.slot(id)?.room.as_deref()
    }

    /// All rooms, sorted by id.
    pub(crate) fn rooms(&self) -> impl Iterator<Item = &Room> {
        let slots = self.pages.iter().flatten().flat_map(|page| page.iter());
        slots.filter_map(|slot| slot.room.as_deref())
    }

    /// Returns the object list of a cell.
    pub(crate) fn list(&self, cell: CellId) -> Option<&ObjectList> {
        if let Some(index) = land_index(cell) {
            return self.land_objects.as_ref().map(|lists| &lists[index]);
        }
        self.slot(cell).map(|slot| &slot.objects)
    }

    /// Returns the object list of a resident cell.
    pub(crate) fn list_mut(&mut self, cell: CellId) -> Option<&mut ObjectList> {
        if let Some(index) = land_index(cell) {
            let empty = || Box::new(std::array::from_fn(|_| ObjectList::default()));
            self.land.as_ref()?;
            return Some(&mut self.land_objects.get_or_insert_with(empty)[index]);
        }
        self.slot_mut(cell).filter(|slot| slot.room.is_some()).map(|slot| &mut slot.objects)
    }

    /// Stores a piece and returns the objects that came with it.
    pub(crate) fn put(&mut self, piece: Piece) -> Vec<Object> {
        match piece {
            Piece::Land(mut land) => {
                let objects = std::mem::take(&mut land.objects);
                self.land = Some(land);
                objects
            }
            Piece::Room(mut room) => {
                let objects = std::mem::take(&mut room.objects);
                let Some((page, index)) = room_index(room.id()) else { return Vec::new() };
                if self.pages.len() <= page {
                    self.pages.resize_with(page + 1, || None);
                }
                let empty = || Box::new(std::array::from_fn(|_| RoomSlot::default()));
                let slot = &mut self.pages[page].get_or_insert_with(empty)[index];
                self.rooms += usize::from(slot.room.is_none());
                slot.room = Some(room);
                objects
            }
        }
    }

    /// Removes a piece and the object lists of its cells. Returns false if it was not resident.
    pub(crate) fn take(&mut self, id: PieceId) -> bool {
        match id {
            PieceId::Land(_) => {
                self.land_objects = None;
                self.land.take().is_some()
            }
            PieceId::Room(cell) => {
                let taken = self.slot_mut(cell).map(std::mem::take).and_then(|slot| slot.room);
                self.rooms -= usize::from(taken.is_some());
                taken.is_some()
            }
        }
    }

    pub(crate) fn room_count(&self) -> usize {
        self.rooms
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.land.is_none() && self.rooms == 0
    }
}
