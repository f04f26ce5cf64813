//! Portals and surfaces of structures, which rooms refer to.

use std::collections::BTreeMap;

use threshold_dat::{
    CellStructure, DatFolder, EnvCell, Environment, FileKind, Record, RecordId, RecordKind,
};
use threshold_land::vector::Vec3;

/// The structures of all environments that can be read, by environment and number.
pub(crate) struct Shapes(BTreeMap<RecordId, BTreeMap<u32, Shape>>);

/// Portals and surfaces of a structure.
pub(super) struct Shape {
    /// Ids of the portal polygons.
    pub(super) portal_polygons: Box<[u16]>,
    /// Their centres; `None` where a corner does not exist.
    centres: Box<[Option<Vec3>]>,
    /// Number of surfaces that the polygons use.
    pub(super) surface_count: usize,
}

impl Shape {
    fn new(structure: CellStructure) -> Self {
        let indices = structure.drawing.iter().flat_map(|p| [p.front_surface, p.back_surface]);
        let max_surface = indices.filter_map(|index| usize::try_from(index).ok()).max();
        let centre = |id: &u16| {
            let polygon = structure.drawing.by_id(*id)?;
            let corner = |id: &u16| Some(structure.vertices.by_id(*id)?.position);
            let corners: Vec<Vec3> =
                polygon.vertex_ids.iter().map(corner).collect::<Option<_>>()?;
            Some(corners.iter().sum::<Vec3>() / corners.len() as f32)
        };
        Self {
            centres: structure.portals.iter().map(centre).collect(),
            surface_count: max_surface.map_or(0, |max| max + 1),
            portal_polygons: structure.portals,
        }
    }
}

impl Shapes {
    /// Reads all environments. Damaged ones are left out; their own check reports them.
    pub(crate) fn read(folder: &DatFolder) -> Self {
        let mut shapes = BTreeMap::new();
        let Some(file) = folder.file(FileKind::Portal) else { return Self(shapes) };
        let mut buffer = Vec::new();
        for entry in file.entries().filter_map(Result::ok) {
            if RecordKind::from_id(FileKind::Portal, entry.id) != RecordKind::Environment {
                continue;
            }
            let Ok(bytes) = file.read(&entry, &mut buffer) else { continue };
            if let Ok(environment) = Environment::decode(entry.id, bytes) {
                let structures = environment.structures.into_iter();
                shapes.insert(entry.id, structures.map(|s| (s.id, Shape::new(s))).collect());
            }
        }
        Self(shapes)
    }

    /// The structures of an environment, by number.
    pub(super) fn structures(&self, environment: RecordId) -> Option<&BTreeMap<u32, Shape>> {
        self.0.get(&environment)
    }

    /// Ids of the portal polygons of a structure.
    pub(crate) fn portal_polygons(&self, environment: RecordId, structure: u32) -> &[u16] {
        let shape = self.structures(environment).and_then(|shapes| shapes.get(&structure));
        shape.map_or(&[], |shape| &shape.portal_polygons)
    }

    /// The centre of a portal polygon of a room, in the room's frame.
    pub(super) fn portal_centre(&self, room: &EnvCell, polygon: u16) -> Option<Vec3> {
        let shape = self.structures(room.environment_id())?.get(&u32::from(room.structure))?;
        let index = shape.portal_polygons.iter().position(|id| *id == polygon)?;
        *shape.centres.get(index)?
    }
}
