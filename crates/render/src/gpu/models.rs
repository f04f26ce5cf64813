//! Models and walls of rooms on the device.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use threshold_dat::{DatError, EnvCell, Environment, GfxObj, RecordId, Records, Source};
use threshold_land::glam::{Vec2, Vec3};
use wgpu::{Buffer, BufferUsages, util::BufferInitDescriptor, util::DeviceExt};

use super::Gpu;
use super::materials::{Blend, Material, Materials};
use super::preparer::Ready;
use crate::mesh::{Mesh, MeshVertex, PortalPolygons};

/// What a model is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ModelKey {
    /// A model as it is.
    Model(RecordId),
    /// A shell of a building, without its openings.
    Shell(RecordId),
    /// The walls of all rooms of one environment and shape that have the same surfaces.
    Walls { environment: RecordId, structure: u16, surfaces: Vec<RecordId> },
}

impl ModelKey {
    /// The walls of a room.
    pub(crate) fn of_room(room: &EnvCell) -> Self {
        Self::Walls {
            environment: room.environment_id(),
            structure: room.structure,
            surfaces: room.surface_ids().collect(),
        }
    }

    /// The record that its polygons are in.
    fn id(&self) -> RecordId {
        match self {
            Self::Model(id) | Self::Shell(id) => *id,
            Self::Walls { environment, .. } => *environment,
        }
    }

    /// Its triangles; `None` if there is no such record.
    pub(crate) fn mesh(&self, source: &dyn Source) -> Result<Option<Mesh>, String> {
        let mut records = Records::new(source);
        let mesh = match self {
            Self::Model(id) => model(&mut records, *id, PortalPolygons::Kept),
            Self::Shell(id) => model(&mut records, *id, PortalPolygons::Omitted),
            Self::Walls { environment, structure, surfaces } => {
                records.get::<Environment>(*environment).map(|shapes| {
                    let shapes = shapes?;
                    let structure = shapes.structure(u32::from(*structure))?;
                    let mut mesh = Mesh::read_walls(surfaces.clone(), structure, &mut records);
                    mesh.reach_through(structure);
                    Some(mesh)
                })
            }
        };
        mesh.map_err(|error| error.to_string())
    }
}

fn model(
    records: &mut Records<'_>,
    id: RecordId,
    openings: PortalPolygons,
) -> Result<Option<Mesh>, DatError> {
    let model: Option<GfxObj> = records.get(id)?;
    Ok(model.map(|model| Mesh::read_model(&model, openings, records)))
}

/// Corners of a model whose pictures are in one binder and that are blended in one way.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) binder: usize,
    pub(super) blend: Blend,
    pub(super) corners: Range<u32>,
}

/// A model on the device.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) corners: Buffer,
    /// What is opaque first.
    pub(super) parts: Vec<Part>,
    /// Its smallest and its largest corner.
    pub(super) bounds: [Vec3; 2],
    /// Its colour on the whole, as light.
    pub(super) mean: Vec3,
    /// Which way it faces on the whole, of unit length.
    pub(super) front: Vec2,
    surfaces: Vec<RecordId>,
}

impl Model {
    pub(super) fn triangles(&self) -> u32 {
        self.parts.iter().map(|part| part.corners.len()).sum::<usize>().try_into().unwrap_or(0) / 3
    }

    /// Whether something shows through it.
    pub(super) fn is_sheer(&self) -> bool {
        self.parts.iter().any(|part| part.blend != Blend::Opaque)
    }
}

/// All models that are in use, by number.
#[derive(Debug, Default)]
pub(super) struct Models {
    all: Vec<Option<Model>>,
    free: Vec<usize>,
    known: BTreeMap<ModelKey, Option<usize>>,
    ready: Ready<ModelKey, Result<Option<Mesh>, String>>,
    /// What could not be read or drawn, each once however often it comes and goes.
    pub(super) faults: BTreeSet<String>,
}

impl Models {
    pub(super) fn get(&self, number: usize) -> Option<&Model> {
        self.all.get(number)?.as_ref()
    }

    /// The number of a model, if it is known.
    pub(super) fn known(&self, key: &ModelKey) -> Option<usize> {
        self.known.get(key).copied().flatten()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len() - self.free.len()
    }

    /// Takes a model that was read ahead.
    pub(super) fn take(&mut self, key: ModelKey, mesh: Result<Option<Mesh>, String>) {
        if !self.known.contains_key(&key) {
            self.ready.put(key, mesh);
        }
    }

    /// The number of a model, which is read and brought to the device if it is new; `None` if there is nothing to see.
    pub(super) fn read(
        &mut self,
        gpu: &Gpu,
        source: &dyn Source,
        materials: &mut Materials,
        key: ModelKey,
    ) -> Option<usize> {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let ready = self.ready.take(&key);
        let mesh = ready.unwrap_or_else(|| key.mesh(source)).unwrap_or_else(|why| {
            self.faults.insert(why);
            None
        });
        let number = mesh.and_then(|mesh| self.bring(gpu, source, materials, (&key, &mesh)));
        self.known.insert(key, number);
        number
    }

    fn bring(
        &mut self,
        gpu: &Gpu,
        source: &dyn Source,
        materials: &mut Materials,
        (key, mesh): (&ModelKey, &Mesh),
    ) -> Option<usize> {
        let used: BTreeSet<u16> = mesh.vertices.iter().map(|corner| corner.surface).collect();
        let material = |place: &u16| {
            let id = mesh.surfaces.get(usize::from(*place))?;
            Some((*place, materials.get(gpu, source, *id)))
        };
        let known: BTreeMap<u16, Material> = used.iter().filter_map(material).collect();
        let mut draft = Draft::new(mesh, &known);
        if draft.is_damaged {
            self.faults.insert(format!("{}: corners that are no points", key.id()));
        }
        if size_of_val(&draft.words[..]) as u64 > gpu.device.limits().max_buffer_size {
            let corners = draft.words.len();
            self.faults.insert(format!("{}: {corners} corners are too many", key.id()));
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
                .filter_map(|place| mesh.surfaces.get(usize::from(*place)).copied())
                .collect(),
        };
        let number = self.free.pop().unwrap_or(self.all.len());
        if number == self.all.len() {
            self.all.push(None);
        }
        self.all[number] = Some(model);
        Some(number)
    }

    /// Gives up what was read ahead and never needed, and says of which models.
    pub(super) fn forget_ready(&mut self) -> Vec<ModelKey> {
        self.ready.forget()
    }

    /// Gives up all models but these; says which ones, and which surfaces the others have.
    pub(super) fn keep(&mut self, used: &BTreeSet<usize>) -> (Vec<ModelKey>, BTreeSet<RecordId>) {
        // Of those that there is nothing to see of that is remembered.
        let is_kept = |number: &Option<usize>| number.is_none_or(|number| used.contains(&number));
        let gone = self.known.extract_if(.., |_, number| !is_kept(number));
        let gone: Vec<ModelKey> = gone.map(|(key, _)| key).collect();
        for (number, model) in self.all.iter_mut().enumerate() {
            if model.is_some() && !used.contains(&number) {
                *model = None;
                self.free.push(number);
            }
        }
        let left = self.all.iter().flatten();
        (gone, left.flat_map(|model| model.surfaces.iter().copied()).collect())
    }
}

/// A model that is being laid out.
struct Draft {
    words: Vec<[u32; 10]>,
    parts: Vec<Part>,
    bounds: [Vec3; 2],
    /// Colours, each as often as it covers square metres; and how many those are.
    colour: Vec3,
    area: f32,
    /// Normals, likewise.
    facing: Vec3,
    /// Whether some triangles have corners that are no points, and are left out: a device may do anything with those.
    is_damaged: bool,
}

impl Draft {
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
            known.values().map(|it| (it.blend, it.binder)).collect();
        for (blend, binder) in sorts {
            // Models have some thousand corners.
            let start = u32::try_from(draft.words.len()).unwrap_or(0);
            for triangle in mesh.vertices.as_chunks::<3>().0 {
                let Some(material) = known.get(&triangle[0].surface) else { continue };
                if (material.blend, material.binder) == (blend, binder) {
                    draft.add(triangle, material);
                }
            }
            let end = u32::try_from(draft.words.len()).unwrap_or(0);
            draft.parts.push(Part { binder, blend, corners: start..end });
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
    use crate::gpu::pipelines::Layouts;

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
    fn corners_that_are_no_points_went_to_the_device() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let mut materials = Materials::new(&gpu, &Layouts::new(&gpu.device).pictures);
        let source = threshold_forge::samples::two_rooms().unwrap();
        let mut models = Models::default();
        let mut bring = |id: u32, corners: &[f32]| {
            let vertices = corners.iter().flat_map(|at| triangle(*at)).collect();
            let mesh = Mesh { vertices, surfaces: vec![RecordId(0x0800_0001)] };
            let key = ModelKey::Model(RecordId(id));
            models.take(key.clone(), Ok(Some(mesh)));
            let number = models.read(&gpu, &source, &mut materials, key);
            number.and_then(|number| models.get(number)).map(Model::triangles)
        };
        assert_eq!(bring(0x0100_0001, &[0.0, f32::NAN, f32::INFINITY]), Some(1));
        assert_eq!(bring(0x0100_0002, &[f32::NAN]), None);
        assert_eq!(bring(0x0100_0003, &[]), None);
        let faults: Vec<&String> = models.faults.iter().collect();
        assert!(
            matches!(faults[..], [a, b] if a.contains("0x01000001") && b.contains("0x01000002"))
        );
        assert!(gpu.check().is_ok());
    }
}
