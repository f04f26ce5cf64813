//! Buildings and objects of a landblock.

use serde::Serialize;
use threshold_land::{BlockId, CellId, Frame};

use super::hex::{low_word, low_words};
use super::portal::PortalFlags;
use super::{Record, RecordId, RecordKind, land_block};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The buildings and objects of a landblock. Retail: `CLandBlockInfo`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LandBlockInfo {
    /// The landblock.
    pub block: BlockId,
    /// The number of rooms of the landblock, numbered from 0x0100.
    pub cells: u32,
    /// Objects outdoors.
    pub objects: Vec<Stab>,
    /// Bits of the pack mask other than the lowest, which marks restrictions.
    pub other_mask: u16,
    /// Buildings.
    pub buildings: Vec<BuildingInfo>,
    /// Restrictions of cells: house barriers.
    pub restrictions: Option<Restrictions>,
}

/// A static object: a model or setup and its position in the landblock's frame. Retail: `Stab`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stab {
    /// A [`GfxObj`](super::GfxObj) or a [`SetupRecord`](super::SetupRecord).
    pub model: RecordId,
    /// Its position.
    pub frame: Frame,
}

/// A building: its shell and portals. Retail: `BuildInfo`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildingInfo {
    /// The shell.
    pub model: RecordId,
    /// Its position in the landblock's frame.
    pub frame: Frame,
    /// Number of leaves of the shell's drawing tree; not used.
    pub leaves: u32,
    /// Portals.
    pub portals: Vec<BuildingPortalInfo>,
}

/// A portal of a building's shell. Retail: `CBldPortal`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildingPortalInfo {
    /// Its side.
    pub flags: PortalFlags,
    /// Low word of the room behind it.
    #[serde(serialize_with = "low_word")]
    pub other_cell: u16,
    /// Index of the matching portal in that room's list.
    pub other_portal: u16,
    /// Low words of the rooms visible through it.
    #[serde(rename = "visible_cells", serialize_with = "low_words")]
    pub visible: Box<[u16]>,
}

/// Which objects guard which cells. Retail: a packed hash table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Restrictions {
    /// Number of buckets of the table in memory; kept for writing.
    pub buckets: u16,
    /// Cells and the objects that guard them.
    pub entries: Vec<Restriction>,
}

/// A guarded cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Restriction {
    /// The land cell.
    pub cell: CellId,
    /// The id of the guarding object.
    pub object: RecordId,
}

impl LandBlockInfo {
    /// A record without buildings and objects.
    pub fn empty(block: BlockId) -> Self {
        Self {
            block,
            cells: 0,
            objects: Vec::new(),
            other_mask: 0,
            buildings: Vec::new(),
            restrictions: None,
        }
    }

    /// Returns the id of this record.
    pub fn id(&self) -> RecordId {
        self.block.cell(0xFFFE).into()
    }

    /// Returns the ids of the landblock's rooms.
    pub fn cell_ids(&self) -> impl Iterator<Item = CellId> + use<> {
        let block = self.block;
        (0x0100..=0xFFFD_u16).zip(0..self.cells).map(move |(low, _)| block.cell(low))
    }
}

impl Stab {
    pub(crate) const SIZE: usize = 32;

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { model: reader.id()?, frame: reader.frame()? })
    }

    pub(crate) fn write(writer: &mut Writer, stab: &Self) -> WriteResult {
        writer.id(stab.model);
        writer.frame(&stab.frame);
        Ok(())
    }
}

impl BuildingInfo {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            model: reader.id()?,
            frame: reader.frame()?,
            leaves: reader.u32()?,
            portals: reader.list("building portals", 8, BuildingPortalInfo::read)?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.model);
        writer.frame(&self.frame);
        writer.u32(self.leaves);
        writer.list("building portals", &self.portals, |writer, portal| portal.write(writer))
    }
}

impl BuildingPortalInfo {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let flags = PortalFlags(reader.u16()?);
        let (other_cell, other_portal) = (reader.u16()?, reader.u16()?);
        let count = usize::from(reader.u16()?);
        let visible = reader.words(count)?.collect();
        reader.align4()?;
        Ok(Self { flags, other_cell, other_portal, visible })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.u16(self.flags.0);
        writer.u16(self.other_cell);
        writer.u16(self.other_portal);
        writer.count16("cells seen through a building portal", self.visible.len())?;
        writer.words(&self.visible);
        writer.align4();
        Ok(())
    }
}

impl Restrictions {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let count = usize::from(reader.u16()?);
        let buckets = reader.u16()?;
        reader.fits("restrictions", count, 8)?;
        let entries = reader.items(count, |reader| {
            Ok(Restriction { cell: CellId(reader.u32()?), object: reader.id()? })
        })?;
        Ok(Self { buckets, entries })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.count16("restrictions", self.entries.len())?;
        writer.u16(self.buckets);
        for entry in &self.entries {
            writer.u32(entry.cell.0);
            writer.id(entry.object);
        }
        Ok(())
    }
}

impl Record for LandBlockInfo {
    const KIND: RecordKind = RecordKind::LandBlockInfo;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        land_block::low_word(id, 0xFFFE)?;
        let cells = reader.u32()?;
        let objects = reader.list("objects", Stab::SIZE, Stab::read)?;
        let buildings = usize::from(reader.u16()?);
        let mask = reader.u16()?;
        reader.fits("buildings", buildings, 40)?;
        Ok(Self {
            block: id.cell().block(),
            cells,
            objects,
            other_mask: mask & !1,
            buildings: reader.items(buildings, BuildingInfo::read)?,
            restrictions: (mask & 1 != 0).then(|| Restrictions::read(reader)).transpose()?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id());
        writer.u32(self.cells);
        writer.list("objects", &self.objects, Stab::write)?;
        writer.count16("buildings", self.buildings.len())?;
        writer.u16(self.other_mask & !1 | u16::from(self.restrictions.is_some()));
        self.buildings.iter().try_for_each(|building| building.write(writer))?;
        self.restrictions.iter().try_for_each(|table| table.write(writer))
    }
}
