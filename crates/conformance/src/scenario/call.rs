//! Calls of coordinate functions, as lists: the retail name, then the arguments.

use std::fmt;

use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use threshold_land::CellId;
use threshold_land::vector::Vec3;

/// A call of a coordinate function, written as a list: `["in_bounds", 3, -1]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Call {
    /// The land cell under a point, and the point in its landblock. Retail: `adjust_to_outside`.
    AdjustToOutside(CellId, Vec3),
    /// The map coordinates of the land cell under a point. Retail: `get_outside_lcoord`.
    GetOutsideLcoord(CellId, Vec3),
    /// The first land cell of a landblock. Retail: `blockid_to_lcoord`.
    BlockidToLcoord(CellId),
    /// The map coordinates of the land cell with an id. Retail: `gid_to_lcoord`.
    GidToLcoord(CellId),
    /// Whether an id is that of a cell on the map. Retail: `inbound_valid_cellid`.
    InboundValidCellid(CellId),
    /// The id of a land cell of the map. Retail: `lcoord_to_gid`.
    LcoordToGid(i32, i32),
    /// Whether map coordinates are on the map. Retail: `in_bounds`.
    InBounds(i32, i32),
    /// Offset from one landblock to another. Retail: `get_block_offset`.
    GetBlockOffset(CellId, CellId),
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::AdjustToOutside(cell, at) => {
                ("adjust_to_outside", cell, at).serialize(serializer)
            }
            Self::GetOutsideLcoord(cell, at) => {
                ("get_outside_lcoord", cell, at).serialize(serializer)
            }
            Self::BlockidToLcoord(cell) => ("blockid_to_lcoord", cell).serialize(serializer),
            Self::GidToLcoord(cell) => ("gid_to_lcoord", cell).serialize(serializer),
            Self::InboundValidCellid(cell) => ("inbound_valid_cellid", cell).serialize(serializer),
            Self::LcoordToGid(x, y) => ("lcoord_to_gid", x, y).serialize(serializer),
            Self::InBounds(x, y) => ("in_bounds", x, y).serialize(serializer),
            Self::GetBlockOffset(from, to) => ("get_block_offset", from, to).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Call {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(CallVisitor)
    }
}

struct CallVisitor;

impl<'de> Visitor<'de> for CallVisitor {
    type Value = Call;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a call such as [\"in_bounds\",3,-1]: the name and its arguments")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Call, A::Error> {
        let mut list = Arguments { list, taken: 0 };
        let name: String = list.next()?;
        let call = match name.as_str() {
            "adjust_to_outside" => Call::AdjustToOutside(list.next()?, list.next()?),
            "get_outside_lcoord" => Call::GetOutsideLcoord(list.next()?, list.next()?),
            "blockid_to_lcoord" => Call::BlockidToLcoord(list.next()?),
            "gid_to_lcoord" => Call::GidToLcoord(list.next()?),
            "inbound_valid_cellid" => Call::InboundValidCellid(list.next()?),
            "lcoord_to_gid" => Call::LcoordToGid(list.next()?, list.next()?),
            "in_bounds" => Call::InBounds(list.next()?, list.next()?),
            "get_block_offset" => Call::GetBlockOffset(list.next()?, list.next()?),
            other => return Err(A::Error::custom(format_args!("unknown call {other:?}"))),
        };
        list.end(&name)?;
        Ok(call)
    }
}

/// Reads the items of a call; none may be missing or left over.
struct Arguments<A> {
    list: A,
    taken: usize,
}

impl<'de, A: SeqAccess<'de>> Arguments<A> {
    fn next<T: Deserialize<'de>>(&mut self) -> Result<T, A::Error> {
        let item = self.list.next_element()?;
        let item = item.ok_or_else(|| A::Error::invalid_length(self.taken, &CallVisitor))?;
        self.taken += 1;
        Ok(item)
    }

    fn end(mut self, name: &str) -> Result<(), A::Error> {
        match self.list.next_element::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom(format_args!("{name} has too many arguments"))),
        }
    }
}
