//! Ids of objects and bodies.

use std::fmt;

use threshold_land::{BlockId, CellId};

/// The id of an object, which also orders the objects of a cell.
///
/// Objects of a landblock's record come first, by landblock and index in the record, the scenery of
/// a landblock after its record; then objects of rooms, by room and index in the record; then
/// bodies by number. The order of loading plays no part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u64);

const CLASS: u32 = 60;
const INDEX: u64 = (1 << 28) - 1;
const SCENERY: u64 = 1 << 28;

impl ObjectId {
    /// The id of object `index` of a landblock's record. No record has 2^28 objects or more.
    pub const fn outdoor(block: BlockId, index: u32) -> Self {
        Self((block.0 as u64) << 32 | index as u64 & INDEX)
    }

    /// The id of scenery object `index` of a landblock.
    pub const fn scenery(block: BlockId, index: u32) -> Self {
        Self(Self::outdoor(block, index).0 | SCENERY)
    }

    /// The id of object `index` of a room's record.
    pub const fn indoor(room: CellId, index: u32) -> Self {
        Self(1 << CLASS | (room.0 as u64) << 28 | index as u64 & INDEX)
    }

    /// The id of a body.
    pub const fn body(body: BodyId) -> Self {
        Self(2 << CLASS | body.0 as u64)
    }

    /// Returns the id as a number, which is the same on every machine.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// Returns whether this is the id of scenery.
    pub const fn is_scenery(self) -> bool {
        self.0 >> CLASS == 0 && self.0 & SCENERY != 0
    }

    /// Returns the body number, if this is the id of a body.
    pub fn as_body(self) -> Option<BodyId> {
        let number = u32::try_from(self.0 & 0xFFFF_FFFF).ok()?;
        (self.0 >> CLASS == 2).then_some(BodyId(number))
    }
}

/// The number of a body: an object that the caller adds to the world. Chosen by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body 0x{:08X}", self.0)
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = self.0 & INDEX;
        match self.0 >> CLASS {
            0 => {
                let block = self.0 >> 32;
                let what = if self.0 & SCENERY == 0 { "object" } else { "scenery" };
                write!(f, "{what} {index} of landblock {block:04X}")
            }
            1 => write!(f, "object {index} of room 0x{:08X}", self.0 >> 28 & 0xFFFF_FFFF),
            _ => write!(f, "body 0x{:08X}", self.0 & 0xFFFF_FFFF),
        }
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_in_the_order_of_object_lists() {
        let (near, far) = (BlockId(0x0102), BlockId(0xA9B4));
        let ordered = [
            ObjectId::outdoor(near, 0),
            ObjectId::outdoor(near, 7),
            ObjectId::scenery(near, 0),
            ObjectId::outdoor(far, 0),
            ObjectId::scenery(far, 3),
            ObjectId::indoor(CellId(0x0102_0100), 0),
            ObjectId::indoor(CellId(0x0102_0100), 1),
            ObjectId::indoor(CellId(0xFEFE_FFFD), 0),
            ObjectId::body(BodyId(0)),
            ObjectId::body(BodyId(u32::MAX)),
        ];
        assert!(ordered.is_sorted());
        assert_eq!(
            ordered.map(ObjectId::as_body)[7..],
            [None, Some(BodyId(0)), Some(BodyId(u32::MAX))]
        );
        let scenery: Vec<usize> = (0..10).filter(|at| ordered[*at].is_scenery()).collect();
        assert_eq!(scenery, [2, 4]);
        assert_eq!(ordered[2].to_string(), "scenery 0 of landblock 0102");
        assert_eq!(ordered[7].to_string(), "object 0 of room 0xFEFEFFFD");
    }
}
