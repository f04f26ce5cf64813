//! Shapes of rooms.

use serde::Serialize;

use super::{BspTree, Polygons, Record, RecordId, RecordKind, TreeKind, VertexArray};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// Shapes that rooms share. Retail: `CEnvironment`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Environment {
    /// Its id.
    pub id: RecordId,
    /// The shapes.
    pub structures: Vec<CellStructure>,
}

/// The shape of a room, in the room's own frame. Retail: `CCellStruct`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellStructure {
    /// What rooms call it by.
    pub id: u32,
    /// Shared by both sets of polygons.
    pub vertices: VertexArray,
    /// What is drawn, openings included.
    pub drawing: Polygons,
    /// Ids of the drawing polygons that are openings.
    pub portals: Box<[u16]>,
    /// What is inside the room.
    pub cell_tree: BspTree,
    /// What is bumped into.
    pub physics: Polygons,
    /// Over the physics polygons.
    pub physics_tree: BspTree,
    /// Over the drawing polygons.
    pub drawing_tree: Option<BspTree>,
}

impl Environment {
    /// The shape that rooms call by `id`.
    pub fn structure(&self, id: u32) -> Option<&CellStructure> {
        self.structures.iter().find(|structure| structure.id == id)
    }
}

/// Bytes a shape takes at the least: head, vertex head, and three empty parts.
const LEAST: usize = 16 + 8 + 8 + 32 + 4;

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
        Ok(Self { id, structures: reader.list("cell structures", LEAST, CellStructure::read)? })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        writer.list("cell structures", &self.structures, CellStructure::write)
    }
}
