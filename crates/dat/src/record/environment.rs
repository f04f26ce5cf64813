//! Environments: structures of rooms.

use serde::Serialize;

use super::{BspTree, Polygons, Record, RecordId, RecordKind, TreeKind, VertexArray};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// Structures shared by rooms. Retail: `CEnvironment`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Environment {
    /// Its id.
    pub id: RecordId,
    /// The structures.
    pub structures: Vec<CellStructure>,
}

/// The shape of a room, in the room's own frame. Retail: `CCellStruct`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellStructure {
    /// The number by which rooms refer to it.
    pub id: u32,
    /// Shared by both sets of polygons.
    pub vertices: VertexArray,
    /// Drawn polygons, portals included.
    pub drawing: Polygons,
    /// Ids of the drawn polygons that are portals.
    pub portals: Box<[u16]>,
    /// Tree of the inside of the room.
    pub cell_tree: BspTree,
    /// Polygons that block movers.
    pub physics: Polygons,
    /// Tree of the physics polygons.
    pub physics_tree: BspTree,
    /// Tree of the drawn polygons.
    pub drawing_tree: Option<BspTree>,
}

impl Environment {
    /// Returns the structure with this number.
    pub fn structure(&self, id: u32) -> Option<&CellStructure> {
        self.structures.iter().find(|structure| structure.id == id)
    }
}

/// Least size of a structure in bytes: header, vertex header, and three empty parts.
const MIN_STRUCTURE_SIZE: usize = 16 + 8 + 8 + 32 + 4;

impl CellStructure {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let id = reader.u32()?;
        let drawing = reader.count("drawing polygons", 12)?;
        let physics = reader.count("physics polygons", 12)?;
        let portals = reader.count("portals", 2)?;
        let vertices = VertexArray::read(reader)?;
        let drawing = Polygons::read(reader, drawing)?;
        let portals = reader.words(portals)?.collect();
        reader.align4()?;
        let cell_tree = BspTree::read(reader, TreeKind::Cell)?;
        let physics = Polygons::read(reader, physics)?;
        let physics_tree = BspTree::read(reader, TreeKind::Physics)?;
        let drawing_tree =
            reader.bool32()?.then(|| BspTree::read(reader, TreeKind::Drawing)).transpose()?;
        reader.align4()?;
        Ok(Self { id, vertices, drawing, portals, cell_tree, physics, physics_tree, drawing_tree })
    }

    fn write(writer: &mut Writer, structure: &Self) -> WriteResult {
        writer.u32(structure.id);
        writer.count("drawing polygons", structure.drawing.len())?;
        writer.count("physics polygons", structure.physics.len())?;
        writer.count("portals", structure.portals.len())?;
        structure.vertices.write(writer)?;
        structure.drawing.write(writer);
        writer.words(&structure.portals);
        writer.align4();
        structure.cell_tree.write(writer, TreeKind::Cell)?;
        structure.physics.write(writer);
        structure.physics_tree.write(writer, TreeKind::Physics)?;
        writer.bool32(structure.drawing_tree.is_some());
        if let Some(tree) = &structure.drawing_tree {
            tree.write(writer, TreeKind::Drawing)?;
        }
        writer.align4();
        Ok(())
    }
}

impl Record for Environment {
    const KIND: RecordKind = RecordKind::Environment;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        Ok(Self {
            id,
            structures: reader.list("cell structures", MIN_STRUCTURE_SIZE, CellStructure::read)?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        writer.list("cell structures", &self.structures, CellStructure::write)
    }
}
