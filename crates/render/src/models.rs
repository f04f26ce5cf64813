//! Vertex buffers of models and of the walls of rooms.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use slab::Slab;
use threshold_dat::{RecordId, Source};
use threshold_land::vector::{Vec2, Vec3};
use threshold_visuals::asset::MeshKey;
use threshold_visuals::material::Blend;
use threshold_visuals::mesh::{Mesh, MeshVertex};
use wgpu::{Buffer, BufferUsages, util::BufferInitDescriptor, util::DeviceExt};

use super::Gpu;
use super::materials::{Material, Materials};
use super::preparer::PreparedMap;

/// Vertices of a model with the same texture array and blending.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) texture_array: usize,
    pub(super) blend: Blend,
    pub(super) corners: Range<u32>,
}

/// A model on the device.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) corners: Buffer,
    /// Opaque parts first.
    pub(super) parts: Vec<Part>,
    /// Bounding box.
    pub(super) bounds: [Vec3; 2],
    /// Average colour, linear.
    pub(super) mean: Vec3,
    /// Average horizontal direction of its faces, of unit length.
    pub(super) front: Vec2,
    surfaces: Vec<RecordId>,
}

impl Model {
    pub(super) fn triangles(&self) -> u32 {
        self.parts.iter().map(|part| part.corners.len()).sum::<usize>().try_into().unwrap_or(0) / 3
    }

    /// Returns whether any part is blended.
    pub(super) fn is_transparent(&self) -> bool {
        self.parts.iter().any(|part| part.blend != Blend::Opaque)
    }
}

/// All models on the device, by index.
#[derive(Debug, Default)]
pub(super) struct Models {
    all: Slab<Model>,
    /// `None` for models without triangles and those that cannot be read.
    known: BTreeMap<MeshKey, Option<usize>>,
    prepared: PreparedMap<MeshKey, Result<Mesh, String>>,
    /// Messages about models that cannot be read or uploaded, each once.
    pub(super) faults: BTreeSet<String>,
}

impl Models {
    pub(super) fn get(&self, number: usize) -> Option<&Model> {
        self.all.get(number)
    }

    /// Returns the index of a model, if it was loaded.
    pub(super) fn known(&self, key: &MeshKey) -> Option<usize> {
        self.known.get(key).copied().flatten()
    }

    /// Number of models on the device.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a prepared model.
    pub(super) fn take(&mut self, key: MeshKey, mesh: Result<Mesh, String>) {
        if !self.known.contains_key(&key) {
            self.prepared.insert(key, mesh);
        }
    }

    /// Returns the index of a model; a new one is read and uploaded. `None` if it has no triangles or cannot be read.
    pub(super) fn load(
        &mut self,
        gpu: &Gpu,
        source: &dyn Source,
        materials: &mut Materials,
        key: MeshKey,
    ) -> Option<usize> {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let prepared = self.prepared.remove(&key);
        let number = match prepared.unwrap_or_else(|| key.read(source)) {
            Ok(mesh) => self.upload(gpu, source, materials, &key, &mesh),
            Err(why) => {
                self.faults.insert(why);
                None
            }
        };
        self.known.insert(key, number);
        number
    }

    fn upload(
        &mut self,
        gpu: &Gpu,
        source: &dyn Source,
        materials: &mut Materials,
        key: &MeshKey,
        mesh: &Mesh,
    ) -> Option<usize> {
        let used: BTreeSet<u16> = mesh.vertices.iter().map(|corner| corner.surface).collect();
        let material = |index: &u16| {
            let id = mesh.surfaces.get(usize::from(*index))?;
            Some((*index, materials.get(gpu, source, *id)))
        };
        let materials: BTreeMap<u16, Material> = used.iter().filter_map(material).collect();
        let mut draft = ModelBuilder::new(mesh, &materials);
        if draft.is_damaged {
            self.faults.insert(format!("{}: vertex positions are not finite", key.record_id()));
        }
        if size_of_val(&draft.words[..]) as u64 > gpu.device.limits().max_buffer_size {
            let count = draft.words.len();
            self.faults.insert(format!(
                "{}: {count} vertices exceed the limit of the device",
                key.record_id()
            ));
            return None;
        }
        if draft.words.is_empty() {
            return None;
        }
        let model = Model {
            corners: gpu.device.create_buffer_init(&BufferInitDescriptor {
                label: Some("model"),
                contents: bytemuck::cast_slice(&draft.words),
                usage: BufferUsages::VERTEX,
            }),
            parts: std::mem::take(&mut draft.parts),
            bounds: draft.bounds,
            mean: draft.colour / draft.area.max(f32::MIN_POSITIVE),
            front: draft.facing.truncate().try_normalize().unwrap_or(Vec2::NEG_Y),
            surfaces: used
                .iter()
                .filter_map(|index| mesh.surfaces.get(usize::from(*index)).copied())
                .collect(),
        };
        Some(self.all.insert(model))
    }

    /// Drops prepared models that were never used, and returns their keys.
    pub(super) fn drop_stale(&mut self) -> Vec<MeshKey> {
        self.prepared.drop_stale()
    }

    /// Drops all models but these; returns the keys of the dropped ones and the surfaces of the others.
    pub(super) fn keep(&mut self, used: &BTreeSet<usize>) -> (Vec<MeshKey>, BTreeSet<RecordId>) {
        // Models without triangles cost nothing and stay known.
        let is_kept = |number: &Option<usize>| number.is_none_or(|number| used.contains(&number));
        let gone = self.known.extract_if(.., |_, number| !is_kept(number));
        let gone: Vec<MeshKey> = gone.map(|(key, _)| key).collect();
        self.all.retain(|number, _| used.contains(&number));
        let surfaces = self.all.iter().flat_map(|(_, model)| model.surfaces.iter().copied());
        (gone, surfaces.collect())
    }
}

/// Builds the vertex data of a model.
struct ModelBuilder {
    words: Vec<[u32; 10]>,
    parts: Vec<Part>,
    bounds: [Vec3; 2],
    /// Sum of colours weighted by area, and the area in square metres.
    colour: Vec3,
    area: f32,
    /// Sum of normals weighted by area.
    facing: Vec3,
    /// Whether triangles with positions that are not finite were left out; a device may draw them anywhere.
    is_damaged: bool,
}

impl ModelBuilder {
    fn new(mesh: &Mesh, known: &BTreeMap<u16, Material>) -> Self {
        let mut draft = Self {
            words: Vec::with_capacity(mesh.vertices.len()),
            parts: Vec::new(),
            bounds: [Vec3::INFINITY, Vec3::NEG_INFINITY],
            colour: Vec3::ZERO,
            area: 0.0,
            facing: Vec3::ZERO,
            is_damaged: false,
        };
        let sorts: BTreeSet<(Blend, usize)> =
            known.values().map(|it| (it.blend, it.texture_array)).collect();
        for (blend, texture_array) in sorts {
            // Models have a few thousand vertices.
            let start = u32::try_from(draft.words.len()).unwrap_or(0);
            for triangle in mesh.vertices.as_chunks::<3>().0 {
                let Some(material) = known.get(&triangle[0].surface) else { continue };
                if (material.blend, material.texture_array) == (blend, texture_array) {
                    draft.add(triangle, material);
                }
            }
            let end = u32::try_from(draft.words.len()).unwrap_or(0);
            draft.parts.push(Part { texture_array, blend, corners: start..end });
        }
        draft
    }

    fn add(&mut self, triangle: &[MeshVertex; 3], material: &Material) {
        let [a, b, c] = triangle.map(|corner| corner.position);
        if ![a, b, c].iter().all(|at| at.is_finite()) {
            self.is_damaged = true;
            return;
        }
        let across = (b - a).cross(c - a) / 2.0;
        let area = across.length();
        if area.is_finite() {
            self.area += area;
            self.facing += across;
            self.colour += material.mean * area;
        }
        for at in [a, b, c] {
            self.bounds = [self.bounds[0].min(at), self.bounds[1].max(at)];
        }
        self.words.extend(triangle.iter().map(|corner| words(corner, material)));
    }
}

fn words(corner: &MeshVertex, material: &Material) -> [u32; 10] {
    let [px, py, pz] = corner.position.to_array().map(f32::to_bits);
    let [nx, ny, nz] = corner.normal.to_array().map(f32::to_bits);
    let [u, v] = (corner.uv * material.scale).to_array().map(f32::to_bits);
    let [look, light] = material.words;
    let look = look | u32::from(corner.tiled) << 11;
    [px, py, pz, nx, ny, nz, u, v, look, light | u32::from(corner.polygon)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipelines::Layouts;

    fn triangle(at: f32) -> [MeshVertex; 3] {
        [[at, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| MeshVertex {
            position: Vec3::new(x, y, 0.0),
            normal: Vec3::Z,
            uv: Vec2::ZERO,
            surface: 0,
            tiled: true,
            polygon: 0,
        })
    }

    #[test]
    fn vertices_that_are_not_finite_were_uploaded() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let mut materials = Materials::new(&gpu, &Layouts::new(&gpu.device).textures);
        let source = threshold_forge::samples::two_rooms().unwrap();
        let mut models = Models::default();
        let mut load = |id: u32, corners: &[f32]| {
            let vertices = corners.iter().flat_map(|at| triangle(*at)).collect();
            let mesh = Mesh { vertices, surfaces: vec![RecordId(0x0800_0001)] };
            let key = MeshKey::Model(RecordId(id));
            models.take(key.clone(), Ok(mesh));
            let number = models.load(&gpu, &source, &mut materials, key);
            number.and_then(|number| models.get(number)).map(Model::triangles)
        };
        assert_eq!(load(0x0100_0001, &[0.0, f32::NAN, f32::INFINITY]), Some(1));
        assert_eq!(load(0x0100_0002, &[f32::NAN]), None);
        assert_eq!(load(0x0100_0003, &[]), None);
        let faults: Vec<&String> = models.faults.iter().collect();
        assert!(
            matches!(faults[..], [a, b] if a.contains("0x01000001") && b.contains("0x01000002"))
        );
        assert!(gpu.check().is_ok());
    }
}
