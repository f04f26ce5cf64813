//! A set of polygons in a few arrays.

use threshold_land::Plane;
use threshold_land::vector::Vec3;

use super::{Polygon, Sides, plane_of};

/// The plane of a polygon without area.
const NO_PLANE: Plane = Plane { normal: Vec3::ZERO, d: 0.0 };

/// Polygons by index, with planes, outlines and vertices in one array each.
///
/// The polygons of a room or of a part of an object. Retail: `CPolygon *` arrays of
/// `CCellStruct` and `CGfxObj`.
#[derive(Clone, Debug, Default)]
pub struct PolygonSet {
    /// First, because most queries need nothing else.
    planes: Vec<Plane>,
    outlines: Vec<Outline>,
    vertices: Vec<Vec3>,
}

/// The corners of a polygon.
#[derive(Clone, Copy, Debug)]
struct Outline {
    start: usize,
    end: usize,
    sides: Sides,
}

impl PolygonSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty set with room for `polygons` polygons and `vertices` corners in all.
    pub fn with_capacity(polygons: usize, vertices: usize) -> Self {
        Self {
            planes: Vec::with_capacity(polygons),
            outlines: Vec::with_capacity(polygons),
            vertices: Vec::with_capacity(vertices),
        }
    }

    /// Appends a polygon and returns its index.
    ///
    /// A polygon without area keeps its index, so that later ones keep theirs, but gets the zero
    /// plane. [`is_degenerate`](Self::is_degenerate) reports it, and no tree tests it.
    pub fn push(&mut self, vertices: impl IntoIterator<Item = Vec3>, sides: Sides) -> u32 {
        let index = self.planes.len();
        let start = self.vertices.len();
        self.vertices.extend(vertices);
        let end = self.vertices.len();
        self.planes.push(plane_of(&self.vertices[start..end]).unwrap_or(NO_PLANE));
        self.outlines.push(Outline { start, end, sides });
        // A larger number would not fit in memory; trees refuse the index as out of range.
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    /// The number of polygons.
    pub fn len(&self) -> usize {
        self.planes.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// Returns a polygon by its index.
    ///
    /// # Panics
    ///
    /// If there is no such polygon. Trees check their indices when they are built.
    #[inline]
    pub fn get(&self, i: u32) -> Polygon<'_> {
        self.at(i as usize)
    }

    /// Returns whether the polygon has no area, and so no plane.
    ///
    /// # Panics
    ///
    /// If there is no such polygon.
    pub fn is_degenerate(&self, i: u32) -> bool {
        self.planes[i as usize] == NO_PLANE
    }

    /// All polygons in order, including those without area.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Polygon<'_>> {
        (0..self.planes.len()).map(|i| self.at(i))
    }

    /// Bytes allocated on the heap.
    pub fn heap_size(&self) -> usize {
        self.planes.capacity() * size_of::<Plane>()
            + self.outlines.capacity() * size_of::<Outline>()
            + self.vertices.capacity() * size_of::<Vec3>()
    }

    /// Frees capacity that is not used.
    pub(crate) fn shrink(&mut self) {
        self.planes.shrink_to_fit();
        self.outlines.shrink_to_fit();
        self.vertices.shrink_to_fit();
    }

    #[inline]
    fn at(&self, i: usize) -> Polygon<'_> {
        let Outline { start, end, sides } = self.outlines[i];
        Polygon { vertices: &self.vertices[start..end], plane: self.planes[i], sides }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{RAMP, SQUARE};
    use super::*;

    #[test]
    fn polygons_without_area_keep_the_indices_of_others() {
        let mut set = PolygonSet::with_capacity(3, 11);
        assert!(set.is_empty());
        assert_eq!(set.push(SQUARE, Sides::Single), 0);
        assert_eq!(set.push([Vec3::ONE; 3], Sides::Double), 1);
        assert_eq!(set.push(RAMP, Sides::TwoSurfaces), 2);
        assert_eq!((set.len(), set.iter().len()), (3, 3));
        assert_eq!([0, 1, 2].map(|i| set.is_degenerate(i)), [false, true, false]);
        assert_eq!(set.get(0).vertices, SQUARE);
        assert_eq!(set.get(1).plane, NO_PLANE);
        assert_eq!(set.get(2).vertices, RAMP);
        assert_eq!(set.get(2).sides, Sides::TwoSurfaces);
        assert_eq!(Some(set.get(2).plane), plane_of(&RAMP));
    }

    #[test]
    fn heap_size_is_the_size_of_the_arrays() {
        let mut set = PolygonSet::new();
        assert_eq!(set.heap_size(), 0);
        set.push(SQUARE, Sides::Single);
        set.shrink();
        let outline = 2 * size_of::<usize>() + size_of::<usize>();
        assert_eq!(set.heap_size(), 16 + outline + 4 * 12);
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn an_index_out_of_range_panics() {
        let _ = PolygonSet::new().get(0);
    }
}
