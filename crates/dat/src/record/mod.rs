//! The records in the files, one module per kind.

mod animation;
mod any;
mod bsp;
mod degrade_info;
mod env_cell;
mod environment;
mod faults;
mod gfx_obj;
mod hex;
mod hook;
mod id;
mod image;
mod iterations;
mod kind;
mod land_block;
mod land_block_info;
mod motion_table;
mod palette;
mod polygon;
mod portal;
mod references;
pub mod region;
mod scene;
mod setup;
mod surface;
mod text;
mod vertex;

pub use animation::{Animation, FrameHook};
pub use any::{AnyRecord, OpaqueRecord};
pub use bsp::{BspLeaf, BspNode, BspSplit, BspTag, BspTree, PortalPolygon, TreeKind};
pub use degrade_info::{DegradeInfo, DegradeLevel};
pub use env_cell::{CellPortal, EnvCell, EnvCellFlags};
pub use environment::{CellStructure, Environment};
pub use gfx_obj::{BspMesh, GfxObj};
pub use hook::{AttackCone, Fade, Hook, HookAction, ParticleHook};
pub use id::{RecordId, RecordIdError};
pub use image::{PixelFormat, RenderSurface, SurfaceTexture};
pub use iterations::{ITERATIONS_ID, IterationRun, Iterations};
pub use kind::{FileKind, RecordKind};
pub use land_block::{LandBlock, TerrainWord};
pub use land_block_info::{
    BuildingInfo, BuildingPortalInfo, LandBlockInfo, Restriction, Restrictions, Stab,
};
pub use motion_table::{
    AnimationSpan, Motion, MotionLinks, MotionTable, StanceDefault, motion_key,
};
pub use palette::{Colour, Palette};
pub use polygon::{IndexedPolygon, PolygonSides, Polygons, stippling};
pub use portal::PortalFlags;
pub use references::Reference;
pub use region::RegionDesc;
pub use scene::{Scene, SceneObject};
pub use setup::{Light, Location, Placement, SetupCylinder, SetupDefaults, SetupRecord};
pub use surface::{Surface, SurfaceFill, surface_type};
pub use text::Text;
pub use vertex::{Vertex, VertexArray};

use std::fmt;

use crate::error::{ByteOffset, DatError, DatErrorKind, EncodeError};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// A kind of record that can be decoded and encoded.
pub trait Record: Sized + fmt::Debug + PartialEq {
    /// Its kind.
    const KIND: RecordKind;

    /// Reads the record `id` from its first byte.
    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self>;

    /// Writes the record in its one canonical encoding.
    fn write(&self, writer: &mut Writer) -> WriteResult;

    /// Decodes the record at the start of `bytes`. Also returns the number of bytes after its end:
    /// none in a sound file, and worth a warning otherwise.
    fn decode_prefix(id: RecordId, bytes: &[u8]) -> Result<(Self, usize)> {
        let mut reader = Reader::new(bytes);
        let record = Self::read(id, &mut reader).map_err(|error| error.in_record(id))?;
        Ok((record, reader.left()))
    }

    /// Decodes the record in `bytes`. Bytes after its end are ignored.
    fn decode(id: RecordId, bytes: &[u8]) -> Result<Self> {
        Self::decode_prefix(id, bytes).map(|(record, _)| record)
    }

    /// Decodes the record in `bytes`. Bytes after its end are an error.
    fn decode_exact(id: RecordId, bytes: &[u8]) -> Result<Self> {
        exact(id, bytes, Self::decode_prefix(id, bytes)?)
    }

    /// Encodes the record.
    fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut writer = Writer::new();
        self.write(&mut writer)?;
        Ok(writer.into_bytes())
    }
}

/// Returns the decoded record unless bytes follow its end.
fn exact<R>(id: RecordId, bytes: &[u8], (record, trailing): (R, usize)) -> Result<R> {
    if trailing == 0 {
        return Ok(record);
    }
    let at = ByteOffset::Record((bytes.len() - trailing) as u64);
    Err(DatError::new(DatErrorKind::Trailing(trailing)).at(at).in_record(id))
}

/// Checks that a record encodes to these bytes and decodes from them.
#[cfg(test)]
#[track_caller]
fn test_hex<R: Record>(record: &R, id: u32, hex: &str) {
    let digits: Vec<char> = hex.chars().filter(|c| !c.is_whitespace()).collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    let want: Vec<u8> = digits.chunks(2).map(byte).collect();
    assert_eq!(record.encode().unwrap(), want);
    assert_eq!(&R::decode_exact(RecordId(id), &want).unwrap(), record);
}
