//! Models.

use serde::Serialize;
use threshold_land::vector::Vec3;

use super::{BspTree, Polygons, Record, RecordId, RecordKind, TreeKind, VertexArray};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// A model: vertices, and polygons for collision and for drawing. Retail: `CGfxObj`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GfxObj {
    /// Its id.
    pub id: RecordId,
    /// Flags other than those for the parts below; 0 in retail's files.
    pub other_flags: u32,
    /// The materials of the polygons.
    pub surfaces: Vec<RecordId>,
    /// Shared by both sets of polygons.
    pub vertices: VertexArray,
    /// Physics polygons and tree.
    pub physics: Option<BspMesh>,
    /// Centre by which translucent parts are sorted.
    pub sort_centre: Vec3,
    /// Drawn polygons and tree.
    pub drawing: Option<BspMesh>,
    /// The [`DegradeInfo`](super::DegradeInfo) with models for larger distances.
    pub degrade: Option<RecordId>,
}

/// Polygons with their tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BspMesh {
    /// The polygons.
    pub polygons: Polygons,
    /// The tree.
    pub tree: BspTree,
}

const PHYSICS: u32 = 1;
const DRAWING: u32 = 2;
const DEGRADE: u32 = 8;

impl BspMesh {
    fn read(reader: &mut Reader<'_>, kind: TreeKind) -> Result<Self> {
        let count = reader.short_count("polygons", 12)?;
        let polygons = Polygons::read(reader, count)?;
        Ok(Self { polygons, tree: BspTree::read(reader, kind)? })
    }

    fn write(&self, writer: &mut Writer, kind: TreeKind) -> WriteResult {
        writer.cuint("polygons", self.polygons.len())?;
        self.polygons.write(writer);
        self.tree.write(writer, kind)
    }
}

impl Record for GfxObj {
    const KIND: RecordKind = RecordKind::GfxObj;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let flags = reader.u32()?;
        let surfaces = reader.short_count("surfaces", 4)?;
        let surfaces = reader.items(surfaces, Reader::id)?;
        let vertices = VertexArray::read(reader)?;
        let mesh = |reader: &mut Reader<'_>, bit, kind| {
            (flags & bit != 0).then(|| BspMesh::read(reader, kind)).transpose()
        };
        Ok(Self {
            id,
            other_flags: flags & !(PHYSICS | DRAWING | DEGRADE),
            surfaces,
            vertices,
            physics: mesh(reader, PHYSICS, TreeKind::Physics)?,
            sort_centre: reader.vec3()?,
            drawing: mesh(reader, DRAWING, TreeKind::Drawing)?,
            degrade: (flags & DEGRADE != 0).then(|| reader.id()).transpose()?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        let bit = |present: bool, bit: u32| if present { bit } else { 0 };
        writer.id(self.id);
        writer.u32(
            self.other_flags
                | bit(self.physics.is_some(), PHYSICS)
                | bit(self.drawing.is_some(), DRAWING)
                | bit(self.degrade.is_some(), DEGRADE),
        );
        writer.cuint("surfaces", self.surfaces.len())?;
        self.surfaces.iter().for_each(|id| writer.id(*id));
        self.vertices.write(writer)?;
        if let Some(physics) = &self.physics {
            physics.write(writer, TreeKind::Physics)?;
        }
        writer.vec3(self.sort_centre);
        if let Some(drawing) = &self.drawing {
            drawing.write(writer, TreeKind::Drawing)?;
        }
        if let Some(degrade) = self.degrade {
            writer.id(degrade);
        }
        Ok(())
    }
}
