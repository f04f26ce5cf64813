//! Terrain of a landblock.

use serde::{Serialize, Serializer};
use threshold_land::BlockId;

use super::{Record, RecordId, RecordKind};
use crate::error::{ByteOffset, DatError};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// Vertices along one side of a landblock.
const SIDE: usize = 9;
/// Vertices of a landblock.
const VERTICES: usize = SIDE * SIDE;

/// The terrain of a landblock, at the 9 x 9 corners of its land cells. Retail: `CLandBlockStruct`.
#[derive(Clone, Debug, PartialEq)]
pub struct LandBlock {
    /// The landblock.
    pub block: BlockId,
    /// Not 0 if there is a [`LandBlockInfo`](super::LandBlockInfo), according to this record.
    pub has_info: u32,
    /// Terrain words; index `x * 9 + y`, x east, y north.
    pub terrain: Box<[TerrainWord; VERTICES]>,
    /// Indices into the region's table of heights; the same order.
    pub heights: Box<[u8; VERTICES]>,
}

/// Terrain type, road and scene at a corner of land cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TerrainWord(pub u16);

impl TerrainWord {
    /// The kind of road, 0 for none.
    pub fn road(self) -> u16 {
        self.0 & 3
    }

    /// Index into the region's terrain types, 0..32.
    pub fn terrain_type(self) -> u16 {
        self.0 >> 2 & 0x1F
    }

    /// Chooses among the scenes of the terrain type, 0..32.
    pub fn scene(self) -> u16 {
        self.0 >> 11
    }
}

impl LandBlock {
    /// Flat ground: terrain word and height 0 everywhere.
    pub fn flat(block: BlockId) -> Self {
        Self {
            block,
            has_info: 0,
            terrain: Box::new([TerrainWord(0); VERTICES]),
            heights: Box::new([0; VERTICES]),
        }
    }

    /// Returns the index of the corner `x` land cells east and `y` north; `None` beyond the ninth.
    pub fn vertex(x: usize, y: usize) -> Option<usize> {
        (x < SIDE && y < SIDE).then_some(x * SIDE + y)
    }
}

impl Record for LandBlock {
    const KIND: RecordKind = RecordKind::LandBlock;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        low_word(id, 0xFFFF)?;
        let mut out = Self::flat(id.cell().block());
        out.has_info = reader.u32()?;
        for (word, bits) in out.terrain.iter_mut().zip(reader.words(VERTICES)?) {
            *word = TerrainWord(bits);
        }
        out.heights.copy_from_slice(reader.bytes(VERTICES)?);
        reader.u8()?; // padding
        Ok(out)
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.u32(self.block.as_cell().0);
        writer.u32(self.has_info);
        self.terrain.iter().for_each(|word| writer.u16(word.0));
        writer.bytes(&self.heights[..]);
        writer.u8(0);
        Ok(())
    }
}

/// Checks the low word of the id of a landblock's record.
pub(crate) fn low_word(id: RecordId, low: u16) -> Result<()> {
    if id.cell().low() == low {
        return Ok(());
    }
    let expected = format!("0x....{low:04X}");
    Err(DatError::value("id of a landblock's record", expected, id.0).at(ByteOffset::Record(0)))
}

impl Serialize for LandBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("LandBlock", 5)?;
        out.serialize_field("id", &self.block.as_cell())?;
        out.serialize_field("has_info", &self.has_info)?;
        out.serialize_field("order", "x * 9 + y, x east, y north")?;
        out.serialize_field("terrain", &self.terrain[..])?;
        out.serialize_field("heights", &self.heights[..])?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_landblock_is_exactly_252_bytes() {
        let mut block = LandBlock::flat(BlockId(0xA9B4));
        block.heights[80] = 7;
        block.terrain[1] = TerrainWord(0b1111_1000_0101_0001);
        let bytes = block.encode().unwrap();
        assert_eq!(bytes.len(), 252);
        assert_eq!(LandBlock::decode_exact(RecordId(0xA9B4_FFFF), &bytes).unwrap(), block);
    }

    #[test]
    fn a_terrain_word_holds_road_type_and_scene() {
        let word = TerrainWord(0b1011_1000_0101_0001);
        assert_eq!((word.road(), word.terrain_type(), word.scene()), (1, 20, 23));
    }
}
