//! Models and rooms as meshes, each written once.

use std::collections::BTreeMap;

use threshold_dat::{
    EnvCell, Environment, GfxObj, PolygonSides, RecordId, Records, SetupRecord, Source, Surface,
};
use threshold_dat::{SurfaceFill, surface_type};
use threshold_land::Frame;
use threshold_world::Model;

use super::ExportFault;
use super::document::Document;
use super::json::Light;
use super::material::{Look, Materials, linear};
use super::mesh::{Batch, batches};
use crate::images::SurfaceImages;
use crate::mesh::{Mesh, PortalPolygons};

/// What has been written, and what it is written from.
#[derive(Debug)]
pub(super) struct Shapes<'s> {
    records: Records<'s>,
    pictures: SurfaceImages<'s>,
    materials: Materials,
    surfaces: BTreeMap<RecordId, Surface>,
    models: BTreeMap<(RecordId, bool), Option<usize>>,
    rooms: BTreeMap<(u16, u16, Vec<u16>), Option<usize>>,
    lights: BTreeMap<RecordId, Vec<(usize, Frame)>>,
    pub(super) faults: Vec<ExportFault>,
}

impl<'s> Shapes<'s> {
    pub(super) fn new(source: &'s dyn Source) -> Self {
        Self {
            records: Records::new(source),
            pictures: SurfaceImages::new(source),
            materials: Materials::default(),
            surfaces: BTreeMap::new(),
            models: BTreeMap::new(),
            rooms: BTreeMap::new(),
            lights: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// The mesh of a model; `None` where nothing of it can be seen. A record that cannot be read is not told of: who made the world of
    /// it has done so.
    pub(super) fn model(
        &mut self,
        model: &Model,
        openings: PortalPolygons,
        document: &mut Document,
    ) -> Option<usize> {
        let key = (model.id, openings == PortalPolygons::Kept);
        if let Some(known) = self.models.get(&key) {
            return *known;
        }
        let record = self.records.get::<GfxObj>(model.id).ok().flatten();
        let mesh = record.and_then(|record| {
            let mesh = Mesh::read_model(&record, openings, &mut self.records);
            let double_sided = model.always_2d && is_single_sided(&record);
            self.write(Shape { id: model.id, mesh, double_sided }, document)
        });
        self.models.insert(key, mesh);
        mesh
    }

    /// The mesh of a room; rooms of one shape and with the same surfaces share it.
    pub(super) fn room(&mut self, id: RecordId, document: &mut Document) -> Option<usize> {
        let room = self.records.get::<EnvCell>(id).ok().flatten()?;
        let key = (room.environment, room.structure, room.surfaces.clone());
        if let Some(known) = self.rooms.get(&key) {
            return *known;
        }
        let record = self.records.get::<Environment>(room.environment_id()).ok().flatten();
        let structure = record.as_ref().and_then(|all| all.structure(room.structure.into()));
        let mesh = structure.and_then(|structure| {
            let mesh = Mesh::read_room(&room, structure, &mut self.records);
            self.write(Shape { id, mesh, double_sided: false }, document)
        });
        self.rooms.insert(key, mesh);
        mesh
    }

    fn write(&mut self, shape: Shape, document: &mut Document) -> Option<usize> {
        let (batches, damaged) = batches(&shape.mesh.vertices);
        if damaged {
            self.faults.push(ExportFault::NotAPoint(shape.id));
        }
        let material = |((place, tiled), batch)| {
            let surface = *shape.mesh.surfaces.get(usize::from(place))?;
            let look = Look { surface, tiled, double_sided: shape.double_sided };
            Some((self.material(look, document), batch))
        };
        let parts: Vec<(usize, Batch)> = batches.into_iter().filter_map(material).collect();
        document.add_mesh(shape.id.to_string(), &parts)
    }

    fn material(&mut self, look: Look, document: &mut Document) -> usize {
        let surface = self.surface(look.surface);
        let (place, fault) = self.materials.get(look, &surface, &mut self.pictures, document);
        self.faults
            .extend(fault.map(|error| ExportFault::Texture { surface: look.surface, error }));
        place
    }

    /// A surface that cannot be read is told of once, and grey.
    fn surface(&mut self, id: RecordId) -> Surface {
        if let Some(known) = self.surfaces.get(&id) {
            return *known;
        }
        let read = match self.records.get::<Surface>(id) {
            Ok(Some(surface)) => Ok(surface),
            Ok(None) => Err(ExportFault::Missing(id)),
            Err(error) => Err(error.into()),
        };
        let surface = read.unwrap_or_else(|fault| {
            self.faults.push(fault);
            GREY
        });
        self.surfaces.insert(id, surface);
        surface
    }

    /// The lights of a setup, and where they are in the object.
    pub(super) fn lights(&mut self, id: RecordId, document: &mut Document) -> Vec<(usize, Frame)> {
        if let Some(known) = self.lights.get(&id) {
            return known.clone();
        }
        let setup = self.records.get::<SetupRecord>(id).ok().flatten();
        let lights = setup.map(|setup| setup.lights).unwrap_or_default();
        let lights = lights.iter().filter(|light| light.frame.origin.is_finite());
        let lights: Vec<(usize, Frame)> = lights
            .map(|light| {
                let number = document.add_light(Light {
                    name: format!("{id} light {}", light.key),
                    // The cone may be garbage: all of them shine to all sides.
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

/// A mesh to write.
struct Shape {
    id: RecordId,
    mesh: Mesh,
    double_sided: bool,
}

/// Stands for a surface that cannot be read.
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

/// Whether nothing of a model shows from behind by itself.
fn is_single_sided(model: &GfxObj) -> bool {
    let mut polygons = model.drawing.iter().flat_map(|drawing| drawing.polygons.iter());
    polygons.all(|polygon| polygon.sides == PolygonSides::SINGLE)
}
