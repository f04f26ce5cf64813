//! Vertices.

use serde::{Serialize, Serializer};
use threshold_land::vector::{Vec2, Vec3};

use crate::error::EncodeError;
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The vertices of a model or structure, in file order.
///
/// Texture coordinates are stored in one shared array. Retail: `CVertexArray`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexArray {
    vertices: Vec<VertexEntry>,
    uvs: Vec<Vec2>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct VertexEntry {
    id: u16,
    uv_count: u16,
    first_uv: u32,
    position: Vec3,
    normal: Vec3,
}

/// A vertex. Retail: `CSWVertex`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Vertex<'a> {
    /// The id by which polygons refer to it; equals its index in retail's files.
    pub id: u16,
    /// In metres, in the space of the model or structure.
    pub position: Vec3,
    /// The normal, of unit length, for lighting.
    pub normal: Vec3,
    /// Texture coordinates that polygons choose from.
    pub uvs: &'a [Vec2],
}

impl VertexArray {
    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Returns the vertex at an index.
    pub fn get(&self, index: usize) -> Option<Vertex<'_>> {
        self.vertices.get(index).map(|stored| self.view(stored))
    }

    /// Returns the vertex with an id; in retail's files that is its index.
    pub fn by_id(&self, id: u16) -> Option<Vertex<'_>> {
        let custom = self.get(usize::from(id)).filter(|vertex| vertex.id == id);
        custom.or_else(|| self.iter().find(|vertex| vertex.id == id))
    }

    /// All vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Vertex<'_>> {
        self.vertices.iter().map(|stored| self.view(stored))
    }

    /// Appends a vertex.
    pub fn push(&mut self, vertex: Vertex<'_>) -> WriteResult {
        let too_many =
            |found, max| EncodeError::TooMany { what: "texture coordinates", found, max };
        let uv_count = u16::try_from(vertex.uvs.len())
            .map_err(|_| too_many(vertex.uvs.len(), usize::from(u16::MAX)))?;
        let first_uv = u32::try_from(self.uvs.len())
            .map_err(|_| too_many(self.uvs.len(), u32::MAX as usize))?;
        let Vertex { id, position, normal, uvs } = vertex;
        self.vertices.push(VertexEntry { id, uv_count, first_uv, position, normal });
        self.uvs.extend_from_slice(uvs);
        Ok(())
    }

    fn view(&self, stored: &VertexEntry) -> Vertex<'_> {
        let first = stored.first_uv as usize;
        Vertex {
            id: stored.id,
            position: stored.position,
            normal: stored.normal,
            uvs: &self.uvs[first..first + usize::from(stored.uv_count)],
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        reader.exactly("vertex type", 1)?;
        let count = reader.count("vertices", 28)?;
        let mut out = Self { vertices: Vec::with_capacity(count), uvs: Vec::new() };
        for _ in 0..count {
            let (id, uv_count) = (reader.u16()?, reader.u16()?);
            let (position, normal) = (reader.vec3()?, reader.vec3()?);
            // A record is smaller than 2^31 bytes, so the array of pairs stays below 2^28.
            let first_uv = u32::try_from(out.uvs.len()).unwrap_or(u32::MAX);
            out.vertices.push(VertexEntry { id, uv_count, first_uv, position, normal });
            for _ in 0..uv_count {
                out.uvs.push(reader.vec2()?);
            }
        }
        Ok(out)
    }

    pub(crate) fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.u32(1);
        writer.count("vertices", self.len())?;
        for (stored, vertex) in self.vertices.iter().zip(self.iter()) {
            writer.u16(vertex.id);
            writer.u16(stored.uv_count);
            writer.vec3(vertex.position);
            writer.vec3(vertex.normal);
            vertex.uvs.iter().for_each(|uv| writer.vec2(*uv));
        }
        Ok(())
    }
}

impl Serialize for VertexArray {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
