//! Rooms.

use serde::{Serialize, Serializer};
use threshold_land::{CellId, Frame};

use super::land_block_info::Stab;
use super::portal::PortalFlags;
use super::{Record, RecordId, RecordKind};
use crate::error::{ByteOffset, DatError};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// A room of a building or a dungeon. Retail: `CEnvCell`.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvCell {
    /// Its id.
    pub id: CellId,
    /// Flags as stored; writing sets those for lists that are not empty.
    pub flags: EnvCellFlags,
    /// Materials, as the low words of their ids.
    pub surfaces: Vec<u16>,
    /// Low word of the [`Environment`](super::Environment) with its shape.
    pub environment: u16,
    /// The number of the structure in the environment.
    pub structure: u16,
    /// The position of the structure, in the landblock's frame.
    pub position: Frame,
    /// Portals.
    pub portals: Vec<CellPortal>,
    /// Low words of the rooms visible from here. Retail: `stab_list`.
    pub visible: Vec<u16>,
    /// Objects, in the landblock's frame.
    pub statics: Vec<Stab>,
    /// The object that guards the room.
    pub restriction: Option<RecordId>,
}

/// Flags of a room, as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnvCellFlags(pub u32);

impl EnvCellFlags {
    const SEEN_OUTSIDE: u32 = 1;
    const STATICS: u32 = 2;
    const RESTRICTION: u32 = 8;

    /// Returns whether the landscape is visible from the room.
    pub fn seen_outside(self) -> bool {
        self.0 & Self::SEEN_OUTSIDE != 0
    }
}

/// A portal of a room. Retail: `CCellPortal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPortal {
    /// Its side, and whether it is an exit portal.
    pub flags: PortalFlags,
    /// Id of its polygon among the drawn polygons of the structure.
    pub polygon: u16,
    /// Low word of the neighbour; 0xFFFF for an exit portal.
    pub other_cell: u16,
    /// Index of the matching portal in the neighbour's list.
    pub other_portal: i16,
}

impl CellPortal {
    /// Returns the low word of the neighbour, or `None` for an exit portal, by either mark.
    pub fn neighbour(&self) -> Option<u16> {
        let outside = self.flags.leads_outside() || self.other_cell == 0xFFFF;
        (!outside).then_some(self.other_cell)
    }
}

impl EnvCell {
    /// Full ids of the materials.
    pub fn surface_ids(&self) -> impl ExactSizeIterator<Item = RecordId> + '_ {
        self.surfaces.iter().map(|low| RecordId(0x0800_0000 | u32::from(*low)))
    }

    /// Full id of the environment.
    pub fn environment_id(&self) -> RecordId {
        RecordId(0x0D00_0000 | u32::from(self.environment))
    }

    /// Full ids of the rooms visible from here.
    pub fn visible_cells(&self) -> impl ExactSizeIterator<Item = CellId> + '_ {
        self.visible.iter().map(|low| self.id.block().cell(*low))
    }

    /// Returns the neighbour behind a portal of this room, or `None` for an exit portal.
    pub fn neighbour(&self, portal: &CellPortal) -> Option<CellId> {
        portal.neighbour().map(|low| self.id.block().cell(low))
    }
}

impl Record for EnvCell {
    const KIND: RecordKind = RecordKind::EnvCell;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let flags = reader.u32()?;
        let at = reader.at();
        let again = reader.u32()?;
        if again != id.0 {
            let error = DatError::value("cell id", format!("{id}, as in the head,"), again);
            return Err(error.at(ByteOffset::Record(at as u64)));
        }
        let (surfaces, portals) = (usize::from(reader.u8()?), usize::from(reader.u8()?));
        let visible = usize::from(reader.u16()?);
        let surfaces = reader.words(surfaces)?.collect();
        let (environment, structure) = (reader.u16()?, reader.u16()?);
        let position = reader.frame()?;
        reader.fits("portals", portals, 8)?;
        Ok(Self {
            id: id.cell(),
            flags: EnvCellFlags(flags),
            surfaces,
            environment,
            structure,
            position,
            portals: reader.items(portals, CellPortal::read)?,
            visible: reader.words(visible)?.collect(),
            statics: if flags & EnvCellFlags::STATICS != 0 {
                reader.list("static objects", Stab::SIZE, Stab::read)?
            } else {
                Vec::new()
            },
            restriction: (flags & EnvCellFlags::RESTRICTION != 0)
                .then(|| reader.id())
                .transpose()?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        let mut flags = self.flags.0 & !EnvCellFlags::RESTRICTION;
        if !self.statics.is_empty() {
            flags |= EnvCellFlags::STATICS;
        }
        if self.restriction.is_some() {
            flags |= EnvCellFlags::RESTRICTION;
        }
        writer.u32(self.id.0);
        writer.u32(flags);
        writer.u32(self.id.0);
        writer.count8("surfaces", self.surfaces.len())?;
        writer.count8("portals", self.portals.len())?;
        writer.count16("visible cells", self.visible.len())?;
        writer.words(&self.surfaces);
        writer.u16(self.environment);
        writer.u16(self.structure);
        writer.frame(&self.position);
        self.portals.iter().for_each(|portal| portal.write(writer));
        writer.words(&self.visible);
        if flags & EnvCellFlags::STATICS != 0 {
            writer.list("static objects", &self.statics, Stab::write)?;
        }
        self.restriction.iter().for_each(|object| writer.id(*object));
        Ok(())
    }
}

impl CellPortal {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            flags: PortalFlags(reader.u16()?),
            polygon: reader.u16()?,
            other_cell: reader.u16()?,
            other_portal: reader.i16()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.u16(self.flags.0);
        writer.u16(self.polygon);
        writer.u16(self.other_cell);
        writer.i16(self.other_portal);
    }
}

impl Serialize for EnvCellFlags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("EnvCellFlags", 4)?;
        out.serialize_field("bits", &self.0)?;
        out.serialize_field("seen_outside", &self.seen_outside())?;
        out.serialize_field("static_objects", &(self.0 & Self::STATICS != 0))?;
        out.serialize_field("restriction", &(self.0 & Self::RESTRICTION != 0))?;
        out.end()
    }
}

/// The serialised form: full ids instead of low words.
#[derive(Serialize)]
struct SerialisedEnvCell<'a> {
    id: CellId,
    flags: EnvCellFlags,
    environment: RecordId,
    structure: u16,
    position: Frame,
    surfaces: Vec<RecordId>,
    portals: Vec<SerialisedPortal>,
    visible_cells: Vec<CellId>,
    static_objects: &'a [Stab],
    restriction_object: Option<RecordId>,
}

#[derive(Serialize)]
struct SerialisedPortal {
    flags: PortalFlags,
    polygon: u16,
    other_cell: Option<CellId>,
    other_portal: i16,
}

impl Serialize for EnvCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let portal = |portal: &CellPortal| SerialisedPortal {
            flags: portal.flags,
            polygon: portal.polygon,
            other_cell: self.neighbour(portal),
            other_portal: portal.other_portal,
        };
        SerialisedEnvCell {
            id: self.id,
            flags: self.flags,
            environment: self.environment_id(),
            structure: self.structure,
            position: self.position,
            surfaces: self.surface_ids().collect(),
            portals: self.portals.iter().map(portal).collect(),
            visible_cells: self.visible_cells().collect(),
            static_objects: &self.statics,
            restriction_object: self.restriction,
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::vector::Vec3;

    fn example() -> EnvCell {
        let portal =
            CellPortal { flags: PortalFlags(3), polygon: 1, other_cell: 0x101, other_portal: 0 };
        let exit =
            CellPortal { flags: PortalFlags(4), polygon: 2, other_cell: 0xFFFF, other_portal: -1 };
        EnvCell {
            id: CellId(0xA9B4_0100),
            flags: EnvCellFlags(11),
            surfaces: vec![1, 2, 3],
            environment: 9,
            structure: 0,
            position: Frame::at(Vec3::new(1.0, 2.0, 3.0)),
            portals: vec![portal, exit],
            visible: vec![0x101, 0x102, 0x103],
            statics: vec![Stab { model: RecordId(0x0200_0001), frame: Frame::IDENTITY }],
            restriction: Some(RecordId(0x7000_0001)),
        }
    }

    #[test]
    fn the_documented_example_takes_116_bytes() {
        let bytes = example().encode().unwrap();
        assert_eq!(bytes.len(), 116);
        assert_eq!(EnvCell::decode_exact(RecordId(0xA9B4_0100), &bytes).unwrap(), example());
    }

    #[test]
    fn either_mark_makes_an_exit_portal() {
        let [inner, exit] = [example().portals[0], example().portals[1]];
        assert_eq!(example().neighbour(&inner), Some(CellId(0xA9B4_0101)));
        assert_eq!(exit.neighbour(), None);
        let flag_alone = CellPortal { other_cell: 0x105, ..exit };
        let word_alone = CellPortal { flags: PortalFlags(1), ..exit };
        assert_eq!((flag_alone.neighbour(), word_alone.neighbour()), (None, None));
    }

    #[test]
    fn portal_side_is_set_when_its_bit_is_clear() {
        assert!(!PortalFlags(3).portal_side() && PortalFlags(1).portal_side());
    }

    #[test]
    fn a_cell_whose_two_ids_differ_is_refused() {
        let mut bytes = example().encode().unwrap();
        bytes[8] = 0xFF;
        let error = EnvCell::decode(RecordId(0xA9B4_0100), &bytes).unwrap_err();
        let want = "record 0xA9B40100: byte 0x8 of the record: cell id: 0xA9B40100, as in the head, expected, 0xA9B401FF found";
        assert_eq!(error.to_string(), want);
    }
}
