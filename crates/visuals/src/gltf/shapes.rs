//! Meshes of models and rooms, each written once.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{
    EnvCell, Environment, FileKind, GfxObj, PolygonSides, Record, RecordId, RecordKind, Records,
    SetupRecord, Source, Surface,
};
use threshold_dat::{SurfaceFill, surface_type};
use threshold_land::Frame;
use threshold_world::Model;

use super::ExportFault;
use super::document::Document;
use super::json::Light;
use super::material::{MaterialKey, Materials, linear};
use super::mesh::{Batch, batches};
use crate::images::SurfaceImages;
use crate::mesh::{Mesh, PortalPolygons};

/// Meshes, materials and lights written so far, and the records they come from.
#[derive(Debug)]
pub(super) struct Shapes<'s> {
    records: Records<'s>,
    images: SurfaceImages<'s>,
    materials: Materials,
    surfaces: BTreeMap<RecordId, Surface>,
    models: BTreeMap<(RecordId, bool), Option<usize>>,
    rooms: BTreeMap<(u16, u16, Vec<u16>), Option<usize>>,
    lights: BTreeMap<RecordId, Vec<(usize, Frame)>>,
    pub(super) faults: Vec<ExportFault>,
    /// Records among the faults, so that each is named once.
    reported: BTreeSet<RecordId>,
}

impl<'s> Shapes<'s> {
    pub(super) fn new(source: &'s dyn Source) -> Self {
        Self {
            records: Records::new(source),
            images: SurfaceImages::new(source),
            materials: Materials::default(),
            surfaces: BTreeMap::new(),
            models: BTreeMap::new(),
            rooms: BTreeMap::new(),
            lights: BTreeMap::new(),
            faults: Vec::new(),
            reported: BTreeSet::new(),
        }
    }

    /// Reads a record; one that is missing or cannot be read is a fault once.
    fn read<R: Record>(&mut self, what: &'static str, id: RecordId) -> Option<R> {
        let fault = match self.records.get::<R>(id) {
            Ok(Some(record)) => return Some(record),
            Ok(None) => ExportFault::Missing { what, id },
            Err(error) => error.into(),
        };
        if self.reported.insert(id) {
            self.faults.push(fault);
        }
        None
    }

    /// Returns the mesh of a model; `None` if it has no triangles or cannot be read.
    pub(super) fn model(
        &mut self,
        model: &Model,
        portals: PortalPolygons,
        document: &mut Document,
    ) -> Option<usize> {
        let key = (model.id, portals == PortalPolygons::Kept);
        if let Some(known) = self.models.get(&key) {
            return *known;
        }
        let mesh = self.read::<GfxObj>("model", model.id).and_then(|record| {
            let mesh = Mesh::read_model(&record, portals, &mut self.records);
            let double_sided = model.always_2d && is_single_sided(&record);
            self.write(MeshDraft { id: model.id, mesh, double_sided }, document)
        });
        self.models.insert(key, mesh);
        mesh
    }

    /// Returns the mesh of a room; rooms with the same structure and surfaces share it.
    pub(super) fn room(&mut self, id: RecordId, document: &mut Document) -> Option<usize> {
        let room = self.read::<EnvCell>("room", id)?;
        let key = (room.environment, room.structure, room.surfaces.clone());
        if let Some(known) = self.rooms.get(&key) {
            return *known;
        }
        let record = self.read::<Environment>("environment", room.environment_id());
        let structure = record.as_ref().and_then(|all| all.structure(room.structure.into()));
        let mesh = structure.and_then(|structure| {
            let mesh = Mesh::read_room(&room, structure, &mut self.records);
            self.write(MeshDraft { id, mesh, double_sided: false }, document)
        });
        self.rooms.insert(key, mesh);
        mesh
    }

    fn write(&mut self, draft: MeshDraft, document: &mut Document) -> Option<usize> {
        let (batches, damaged) = batches(&draft.mesh.vertices);
        if damaged {
            self.faults.push(ExportFault::VerticesNotFinite(draft.id));
        }
        let material = |((index, tiled), batch)| {
            let surface = *draft.mesh.surfaces.get(usize::from(index))?;
            let key = MaterialKey { surface, tiled, double_sided: draft.double_sided };
            Some((self.material(key, document), batch))
        };
        let parts: Vec<(usize, Batch)> = batches.into_iter().filter_map(material).collect();
        document.add_mesh(draft.id.to_string(), &parts)
    }

    fn material(&mut self, key: MaterialKey, document: &mut Document) -> usize {
        let surface = self.surface(key.surface);
        let (index, fault) = self.materials.get(key, &surface, &mut self.images, document);
        self.faults.extend(fault.map(|error| ExportFault::Texture { surface: key.surface, error }));
        index
    }

    /// Returns a surface; one that cannot be read is grey, and a fault once.
    fn surface(&mut self, id: RecordId) -> Surface {
        if let Some(known) = self.surfaces.get(&id) {
            return *known;
        }
        let surface = self.read("surface", id).unwrap_or(GREY);
        self.surfaces.insert(id, surface);
        surface
    }

    /// Returns the lights of a setup with their frames in the object.
    pub(super) fn lights(&mut self, id: RecordId, document: &mut Document) -> Vec<(usize, Frame)> {
        if let Some(known) = self.lights.get(&id) {
            return known.clone();
        }
        // An object may also be a model without a setup, which has no lights.
        let is_setup = RecordKind::from_id(FileKind::Portal, id) == RecordKind::Setup;
        let setup = if is_setup { self.read::<SetupRecord>("setup", id) } else { None };
        let lights = setup.map(|setup| setup.lights).unwrap_or_default();
        let lights = lights.iter().filter(|light| light.frame.origin.is_finite());
        let lights: Vec<(usize, Frame)> = lights
            .map(|light| {
                let number = document.add_light(Light {
                    name: format!("{id} light {}", light.key),
                    // The cone of a record may be garbage, so all lights are point lights.
                    kind: "point",
                    color: linear(light.colour),
                    intensity: positive(light.intensity).unwrap_or(0.0),
                    range: positive(light.falloff),
                });
                (number, light.frame)
            })
            .collect();
        self.lights.insert(id, lights.clone());
        lights
    }
}

/// A mesh to be written.
struct MeshDraft {
    id: RecordId,
    mesh: Mesh,
    double_sided: bool,
}

/// Replaces a surface that cannot be read.
const GREY: Surface = Surface {
    surface_type: surface_type::SOLID,
    fill: SurfaceFill::Colour(threshold_dat::Colour(0xFF80_8080)),
    translucency: 0.0,
    luminosity: 0.0,
    diffuse: 1.0,
};

fn positive(value: f32) -> Option<f32> {
    (value.is_finite() && value > 0.0).then_some(value)
}

/// Returns whether all polygons of a model have one side.
fn is_single_sided(model: &GfxObj) -> bool {
    let mut polygons = model.drawing.iter().flat_map(|drawing| drawing.polygons.iter());
    polygons.all(|polygon| polygon.sides == PolygonSides::SINGLE)
}
