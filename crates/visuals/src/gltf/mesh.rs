//! Conversion of triangles: y up, grouped by material, with an index buffer.

use std::collections::BTreeMap;

use threshold_land::Rotation;
use threshold_land::vector::{Vec2, Vec3};

use crate::mesh::MeshVertex;

/// A vertex of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) position: [f32; 3],
    pub(super) normal: [f32; 3],
    pub(super) uv: [f32; 2],
}

/// Converts a vector from z up to y up.
pub(super) fn y_up(v: Vec3) -> [f32; 3] {
    // Adding 0 turns -0 into 0; vertices are compared bit by bit.
    [v.x + 0.0, v.z + 0.0, 0.0 - v.y]
}

/// Converts a rotation to a unit quaternion in y up, with the scalar part last.
pub(super) fn y_up_rotation(rotation: Rotation) -> [f32; 4] {
    let Rotation { w, x, y, z } = rotation.normalised().unwrap_or(Rotation::IDENTITY);
    [x + 0.0, z + 0.0, 0.0 - y, w]
}

impl Corner {
    /// Converts a vertex. `face` is the normal of its triangle; it replaces a degenerate normal.
    pub(super) fn new(position: Vec3, normal: Vec3, uv: Vec2, face: Vec3) -> Self {
        let normal = normal.try_normalize().unwrap_or(face);
        let uv = if uv.is_finite() { uv } else { Vec2::ZERO };
        Self { position: y_up(position), normal: y_up(normal), uv: [uv.x + 0.0, uv.y + 0.0] }
    }

    fn bits(&self) -> [u32; 8] {
        let ([x, y, z], [a, b, c], [u, v]) = (self.position, self.normal, self.uv);
        [x, y, z, a, b, c, u, v].map(f32::to_bits)
    }
}

/// Triangles of one material.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) corners: Vec<Corner>,
    pub(super) indices: Vec<u32>,
    places: BTreeMap<[u32; 8], u32>,
}

impl Batch {
    pub(super) fn add(&mut self, corner: Corner) {
        // A record cannot hold 2^32 vertices.
        let next = u32::try_from(self.corners.len()).unwrap_or(u32::MAX);
        let place = *self.places.entry(corner.bits()).or_insert(next);
        if place == next {
            self.corners.push(corner);
        }
        self.indices.push(place);
    }
}

/// Key of a batch: index of the surface, and whether its texture repeats.
pub(super) type BatchKey = (u16, bool);

/// Groups triangles by material; the flag tells whether triangles with positions that are not finite were left out.
pub(super) fn batches(vertices: &[MeshVertex]) -> (BTreeMap<BatchKey, Batch>, bool) {
    let mut batches: BTreeMap<BatchKey, Batch> = BTreeMap::new();
    let mut damaged = false;
    for triangle in vertices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|vertex| vertex.position);
        if ![a, b, c].iter().all(|point| point.is_finite()) {
            damaged = true;
            continue;
        }
        let face = (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Z);
        let batch = batches.entry((triangle[0].surface, triangle[0].tiled)).or_default();
        for vertex in triangle {
            batch.add(Corner::new(vertex.position, vertex.normal, vertex.uv, face));
        }
    }
    (batches, damaged)
}
