//! Kinds of files and of records.

use std::fmt;

use serde::{Serialize, Serializer};

use super::RecordId;

/// One of the four data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// `client_cell_1.dat`: landblocks and cells.
    Cell,
    /// `client_portal.dat`: everything that landblocks share.
    Portal,
    /// `client_highres.dat`: large images.
    HighRes,
    /// `client_local_English.dat`: texts and user interface.
    Local,
}

impl FileKind {
    /// All four, in the order in which they are searched.
    pub const ALL: [Self; 4] = [Self::Cell, Self::Portal, Self::HighRes, Self::Local];

    /// Its file name in a retail installation.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Cell => "client_cell_1.dat",
            Self::Portal => "client_portal.dat",
            Self::HighRes => "client_highres.dat",
            Self::Local => "client_local_English.dat",
        }
    }
}

/// The kind of a record. It follows from the file and the id together: a cell and a model may have
/// the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// Terrain of a landblock. Retail: `CLandBlock`.
    LandBlock,
    /// Buildings and objects of a landblock. Retail: `CLandBlockInfo`.
    LandBlockInfo,
    /// A room. Retail: `CEnvCell`.
    EnvCell,
    /// A model. Retail: `CGfxObj`.
    GfxObj,
    /// An assembly of models. Retail: `CSetup`.
    Setup,
    /// Frames of a motion. Retail: `CAnimation`.
    Animation,
    /// A palette. Retail: `Palette`.
    Palette,
    /// A texture as a choice of images. Retail: `ImgTex`.
    SurfaceTexture,
    /// An image. Retail: `RenderSurface`.
    RenderSurface,
    /// A material. Retail: `CSurface`.
    Surface,
    /// The animations of a creature. Retail: `CMotionTable`.
    MotionTable,
    /// Structures of rooms. Retail: `CEnvironment`.
    Environment,
    /// Models for different distances. Retail: `GfxObjDegradeInfo`.
    DegradeInfo,
    /// Scenery for a type of terrain. Retail: `CSceneDesc`.
    Scene,
    /// The tables of the whole map. Retail: `CRegionDesc`.
    Region,
    /// The patches of a file. Retail: `CMostlyConsecutiveIntSet`.
    Iterations,
    /// A kind that is kept as bytes, with its name.
    Opaque(&'static str),
}

impl RecordKind {
    /// Returns the kind of record `id` in a file.
    pub fn from_id(file: FileKind, id: RecordId) -> Self {
        if id == super::ITERATIONS_ID {
            return Self::Iterations;
        }
        match file {
            FileKind::Cell => match id.0 & 0xFFFF {
                0xFFFF => Self::LandBlock,
                0xFFFE => Self::LandBlockInfo,
                0x0100..=0xFFFD => Self::EnvCell,
                _ => Self::Opaque("unknown"),
            },
            FileKind::Portal | FileKind::HighRes => Self::of_portal(id),
            FileKind::Local => Self::Opaque(match id.0 >> 24 {
                0x21 => "UiLayout",
                0x23 | 0x24 => "StringTable",
                0x41 => "LanguageInfo",
                _ => "unknown",
            }),
        }
    }

    fn of_portal(id: RecordId) -> Self {
        match id.0 >> 24 {
            0x01 => Self::GfxObj,
            0x02 => Self::Setup,
            0x03 => Self::Animation,
            0x04 => Self::Palette,
            0x05 => Self::SurfaceTexture,
            0x06 | 0x07 => Self::RenderSurface,
            0x08 => Self::Surface,
            0x09 => Self::MotionTable,
            0x0D => Self::Environment,
            0x11 => Self::DegradeInfo,
            0x12 => Self::Scene,
            0x13 => Self::Region,
            prefix => Self::Opaque(opaque_portal_name(prefix)),
        }
    }

    /// Returns whether this kind is decoded; others are kept as bytes.
    pub fn is_decoded(self) -> bool {
        !matches!(self, Self::Opaque(_))
    }

    /// The files that hold this kind, in the order in which they are searched.
    pub fn files(self) -> &'static [FileKind] {
        match self {
            Self::LandBlock | Self::LandBlockInfo | Self::EnvCell => &[FileKind::Cell],
            Self::Iterations => &FileKind::ALL,
            // No id is in both; the larger image is preferred if it exists.
            _ => &[FileKind::HighRes, FileKind::Portal],
        }
    }
}

fn opaque_portal_name(prefix: u32) -> &'static str {
    match prefix {
        0x0A => "Wave",
        0x0E => "Table",
        0x0F => "PaletteSet",
        0x10 => "ClothingTable",
        0x14 => "KeyMap",
        0x15 => "RenderTexture",
        0x16..=0x18 => "Material",
        0x20 => "SoundTable",
        0x22 => "EnumMapper",
        0x25 | 0x27 => "IdMapper",
        0x26 => "ActionMap",
        0x30 => "CombatTable",
        0x31 => "String",
        0x32 => "ParticleEmitter",
        0x33 => "PhysicsScript",
        0x34 => "PhysicsScriptTable",
        0x39 => "Properties",
        0x40 => "Font",
        0x78 => "DbProperties",
        _ => "unknown",
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Opaque(name) => f.pad(name),
            known => f.pad(&format!("{known:?}")),
        }
    }
}

impl Serialize for RecordKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_and_the_id_together_name_the_kind() {
        let of = |file, id| RecordKind::from_id(file, RecordId(id));
        assert_eq!(of(FileKind::Cell, 0xA9B4_FFFF), RecordKind::LandBlock);
        assert_eq!(of(FileKind::Cell, 0xA9B4_FFFE), RecordKind::LandBlockInfo);
        assert_eq!(of(FileKind::Cell, 0x0100_0100), RecordKind::EnvCell);
        assert_eq!(of(FileKind::Portal, 0x0100_0100), RecordKind::GfxObj);
        assert_eq!(of(FileKind::Cell, 0xFFFF_0001), RecordKind::Iterations);
        assert_eq!(of(FileKind::HighRes, 0x0600_0001), RecordKind::RenderSurface);
        assert_eq!(of(FileKind::Portal, 0x0A00_0001), RecordKind::Opaque("Wave"));
    }
}
