//! Polygons.

use serde::{Serialize, Serializer};

use crate::error::EncodeError;
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The polygons of a model or structure, in file order.
///
/// Vertex and texture indices are stored in two shared arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    polygons: Vec<PolygonEntry>,
    /// `None` if the list is empty: a file may hold many empty lists in few bytes.
    indices: Option<Box<Indices>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Indices {
    vertex_ids: Vec<u16>,
    uvs: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PolygonEntry {
    id: u16,
    vertices: u8,
    stippling: u8,
    sides: PolygonSides,
    front_surface: i16,
    back_surface: i16,
    first_vertex: u32,
    first_uv: u32,
}

/// The visible sides of a polygon. Retail: `CPolygon::sides_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PolygonSides(pub i32);

impl PolygonSides {
    /// Only the front is drawn.
    pub const SINGLE: Self = Self(0);
    /// The back shows the front's surface.
    pub const DOUBLE: Self = Self(1);
    /// Front and back have their own surfaces.
    pub const TWO_SURFACES: Self = Self(2);
}

/// Bits of [`IndexedPolygon::stippling`]. Retail: `CPolygon::stippling`.
pub mod stippling {
    /// The front's texture repeats.
    pub const FRONT_TILED: u8 = 0x01;
    /// The back's texture repeats.
    pub const BACK_TILED: u8 = 0x02;
    /// The front has no texture coordinates: a portal or a single colour.
    pub const NO_FRONT_UVS: u8 = 0x04;
    /// The back has no texture coordinates.
    pub(crate) const NO_BACK_UVS: u8 = 0x08;
}

/// A polygon: convex, counter-clockwise seen from the front. Retail: `CPolygon`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IndexedPolygon<'a> {
    /// The id by which trees and portals refer to it; equals its index in retail's files.
    pub id: u16,
    /// Bits of [`stippling`].
    pub stippling: u8,
    /// The visible sides.
    pub sides: PolygonSides,
    /// Index into the owner's list of surfaces, -1 for none.
    pub front_surface: i16,
    /// The same for the back; see [`shown_back_surface`](Self::shown_back_surface).
    pub back_surface: i16,
    /// Ids of the vertices.
    pub vertex_ids: &'a [u16],
    /// For each vertex the index of its texture coordinates for the front; empty without a texture.
    pub front_uvs: &'a [u8],
    /// The same for the back; only a polygon with two surfaces has its own list.
    pub back_uvs: &'a [u8],
}

impl<'a> IndexedPolygon<'a> {
    fn has_front_uvs(&self) -> bool {
        has_front_uvs(self.stippling)
    }

    fn has_back_uvs(&self) -> bool {
        has_back_uvs(self.sides, self.stippling)
    }

    /// Returns the surface shown on the back: on a double-sided polygon that of the front.
    pub fn shown_back_surface(&self) -> i16 {
        if self.sides == PolygonSides::DOUBLE { self.front_surface } else { self.back_surface }
    }

    /// Returns the texture coordinates used on the back.
    pub fn shown_back_uvs(&self) -> &'a [u8] {
        if self.sides == PolygonSides::DOUBLE { self.front_uvs } else { self.back_uvs }
    }
}

fn has_front_uvs(bits: u8) -> bool {
    bits & stippling::NO_FRONT_UVS == 0
}

fn has_back_uvs(sides: PolygonSides, bits: u8) -> bool {
    sides == PolygonSides::TWO_SURFACES && bits & stippling::NO_BACK_UVS == 0
}

impl Polygons {
    /// The number of polygons.
    pub fn len(&self) -> usize {
        self.polygons.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.polygons.is_empty()
    }

    /// Returns the polygon at an index.
    pub fn get(&self, index: usize) -> Option<IndexedPolygon<'_>> {
        self.polygons.get(index).map(|stored| self.view(stored))
    }

    /// Returns the polygon with an id; in retail's files that is its index.
    pub fn by_id(&self, id: u16) -> Option<IndexedPolygon<'_>> {
        let custom = self.get(usize::from(id)).filter(|polygon| polygon.id == id);
        custom.or_else(|| self.iter().find(|polygon| polygon.id == id))
    }

    /// All polygons.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = IndexedPolygon<'_>> {
        self.polygons.iter().map(|stored| self.view(stored))
    }

    /// Appends a polygon. The texture lists must be as long as the vertex list, or empty if sides
    /// and stippling say so.
    pub fn push(&mut self, polygon: IndexedPolygon<'_>) -> WriteResult {
        let what = "vertices of a polygon";
        let found = polygon.vertex_ids.len();
        let vertices = u8::try_from(found).map_err(|_| EncodeError::TooMany {
            what,
            found,
            max: usize::from(u8::MAX),
        })?;
        let lists = [
            ("front texture indices", polygon.front_uvs, polygon.has_front_uvs()),
            ("back texture indices", polygon.back_uvs, polygon.has_back_uvs()),
        ];
        for (what, list, present) in lists {
            let expected = if present { found } else { 0 };
            if list.len() != expected {
                return Err(EncodeError::Mismatch { what, found: list.len(), expected });
            }
        }
        let first = |len: usize| {
            u32::try_from(len).map_err(|_| EncodeError::TooMany {
                what,
                found: len,
                max: u32::MAX as usize,
            })
        };
        let indices = self.indices.get_or_insert_default();
        self.polygons.push(PolygonEntry {
            id: polygon.id,
            vertices,
            stippling: polygon.stippling,
            sides: polygon.sides,
            front_surface: polygon.front_surface,
            back_surface: polygon.back_surface,
            first_vertex: first(indices.vertex_ids.len())?,
            first_uv: first(indices.uvs.len())?,
        });
        indices.vertex_ids.extend_from_slice(polygon.vertex_ids);
        indices.uvs.extend_from_slice(polygon.front_uvs);
        indices.uvs.extend_from_slice(polygon.back_uvs);
        Ok(())
    }

    fn view(&self, stored: &PolygonEntry) -> IndexedPolygon<'_> {
        let n = usize::from(stored.vertices);
        let vertex = stored.first_vertex as usize;
        let front = stored.first_uv as usize;
        let back = front + if has_front_uvs(stored.stippling) { n } else { 0 };
        let end = back + if has_back_uvs(stored.sides, stored.stippling) { n } else { 0 };
        let (vertex_ids, uvs) = match &self.indices {
            Some(indices) => (&indices.vertex_ids[vertex..vertex + n], &indices.uvs[..end]),
            None => (&[][..], &[][..]),
        };
        IndexedPolygon {
            id: stored.id,
            stippling: stored.stippling,
            sides: stored.sides,
            front_surface: stored.front_surface,
            back_surface: stored.back_surface,
            vertex_ids,
            front_uvs: &uvs[front..back],
            back_uvs: &uvs[back..],
        }
    }

    /// Reads `count` polygons; the count has not been checked.
    pub(crate) fn read(reader: &mut Reader<'_>, count: usize) -> Result<Self> {
        reader.fits("polygons", count, 12)?;
        let mut out = Self { polygons: Vec::with_capacity(count), ..Self::default() };
        for _ in 0..count {
            out.read_one(reader)?;
        }
        Ok(out)
    }

    fn read_one(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let indices = self.indices.get_or_insert_default();
        let id = reader.u16()?;
        let vertices = reader.u8()?;
        let stored = PolygonEntry {
            id,
            vertices,
            stippling: reader.u8()?,
            sides: PolygonSides(reader.i32()?),
            front_surface: reader.i16()?,
            back_surface: reader.i16()?,
            // A record is smaller than 2^31 bytes, so neither array comes near the limit.
            first_vertex: u32::try_from(indices.vertex_ids.len()).unwrap_or(u32::MAX),
            first_uv: u32::try_from(indices.uvs.len()).unwrap_or(u32::MAX),
        };
        let n = usize::from(vertices);
        indices.vertex_ids.extend(reader.words(n)?);
        if has_front_uvs(stored.stippling) {
            indices.uvs.extend_from_slice(reader.bytes(n)?);
        }
        if has_back_uvs(stored.sides, stored.stippling) {
            indices.uvs.extend_from_slice(reader.bytes(n)?);
        }
        self.polygons.push(stored);
        Ok(())
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        for (stored, polygon) in self.polygons.iter().zip(self.iter()) {
            writer.u16(polygon.id);
            writer.u8(stored.vertices);
            writer.u8(polygon.stippling);
            writer.i32(polygon.sides.0);
            writer.i16(polygon.front_surface);
            writer.i16(polygon.back_surface);
            writer.words(polygon.vertex_ids);
            writer.bytes(polygon.front_uvs);
            writer.bytes(polygon.back_uvs);
        }
    }
}

impl Serialize for Polygons {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon<'a>(
        sides: PolygonSides,
        bits: u8,
        front: &'a [u8],
        back: &'a [u8],
    ) -> IndexedPolygon<'a> {
        IndexedPolygon {
            id: 0,
            stippling: bits,
            sides,
            front_surface: 3,
            back_surface: -1,
            vertex_ids: &[0, 1, 2],
            front_uvs: front,
            back_uvs: back,
        }
    }

    #[track_caller]
    fn check_round_trip(polygon: IndexedPolygon<'_>, size: usize) {
        let mut list = Polygons::default();
        list.push(polygon).unwrap();
        let mut writer = Writer::new();
        list.write(&mut writer);
        let bytes = writer.into_bytes();
        assert_eq!(bytes.len(), size);
        let back = Polygons::read(&mut Reader::new(&bytes), 1).unwrap();
        assert_eq!(back, list);
        assert_eq!(back.get(0), Some(polygon));
    }

    #[test]
    fn texture_lists_depend_on_sides_and_stippling() {
        check_round_trip(polygon(PolygonSides::SINGLE, 0, &[0, 1, 2], &[]), 21);
        check_round_trip(polygon(PolygonSides::SINGLE, stippling::NO_FRONT_UVS, &[], &[]), 18);
        check_round_trip(polygon(PolygonSides::TWO_SURFACES, 0, &[0, 0, 0], &[1, 1, 1]), 24);
        check_round_trip(polygon(PolygonSides::TWO_SURFACES, 12, &[], &[]), 18);
        let wrong = polygon(PolygonSides::SINGLE, 0, &[], &[]);
        assert!(Polygons::default().push(wrong).is_err());
    }

    #[test]
    fn the_back_of_a_double_sided_polygon_shows_the_front() {
        let double = polygon(PolygonSides::DOUBLE, 0, &[5, 6, 7], &[]);
        assert_eq!(double.shown_back_surface(), 3);
        assert_eq!(double.shown_back_uvs(), [5, 6, 7]);
        assert_eq!(polygon(PolygonSides::SINGLE, 0, &[5, 6, 7], &[]).shown_back_surface(), -1);
    }
}
