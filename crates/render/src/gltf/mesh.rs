//! Triangles of the world as triangles of a file: y up, sorted by material, each corner once.

use std::collections::BTreeMap;

use threshold_land::Rotation;
use threshold_land::glam::{Vec2, Vec3};

use crate::mesh::MeshVertex;

/// A corner as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) position: [f32; 3],
    pub(super) normal: [f32; 3],
    pub(super) uv: [f32; 2],
}

/// From z up to y up.
pub(super) fn turned(v: Vec3) -> [f32; 3] {
    // Adding 0 makes 0 of -0, which would be another number where corners are compared.
    [v.x + 0.0, v.z + 0.0, 0.0 - v.y]
}

/// The same for a rotation, of unit length, with the scalar part last.
pub(super) fn turned_rotation(rotation: Rotation) -> [f32; 4] {
    let Rotation { w, x, y, z } = rotation.normalised().unwrap_or(Rotation::IDENTITY);
    [x + 0.0, z + 0.0, 0.0 - y, w]
}

impl Corner {
    /// `face` is the normal of its triangle, which stands in for one that is none.
    pub(super) fn new(position: Vec3, normal: Vec3, uv: Vec2, face: Vec3) -> Self {
        let normal = normal.try_normalize().unwrap_or(face);
        let uv = if uv.is_finite() { uv } else { Vec2::ZERO };
        Self { position: turned(position), normal: turned(normal), uv: [uv.x + 0.0, uv.y + 0.0] }
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
        // A record cannot hold as many corners as there are numbers.
        let next = u32::try_from(self.corners.len()).unwrap_or(u32::MAX);
        let place = *self.places.entry(corner.bits()).or_insert(next);
        if place == next {
            self.corners.push(corner);
        }
        self.indices.push(place);
    }
}

/// What of a mesh has one material: its surface by place, and whether its picture repeats.
pub(super) type Part = (u16, bool);

/// The triangles by material; and whether some have corners that are no points and are left out.
pub(super) fn batches(vertices: &[MeshVertex]) -> (BTreeMap<Part, Batch>, bool) {
    let mut batches: BTreeMap<Part, Batch> = BTreeMap::new();
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
