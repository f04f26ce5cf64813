//! Export of land, rooms and objects as nodes.

use std::collections::BTreeMap;

use threshold_dat::{RecordId, Records, RegionDesc, Source};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation, block_offset_between};
use threshold_world::{Building, Land, Model, Object, ObjectId, REGION, Room, State, World};

use super::document::{Document, NodeTransform};
use super::ground::{self, TILE};
use super::json::{Base, Extras, Material};
use super::shapes::Shapes;
use super::{Export, ExportError, ExportFault};
use crate::ground::TilePainter;
use crate::mesh::PortalPolygons;

/// Exports parts of a world.
#[derive(Debug)]
pub struct Exporter<'w> {
    world: &'w World,
    origin: BlockId,
    painter: Option<TilePainter<'w>>,
    /// Why there is no painter; a fault as soon as land is exported.
    region_fault: Option<ExportFault>,
    shapes: Shapes<'w>,
    document: Document,
    blocks: BTreeMap<BlockId, usize>,
    /// Node and frame of each room.
    rooms: BTreeMap<CellId, (usize, Frame)>,
}

/// A node to be added, with its parts and lights.
struct NodeDraft<'a> {
    parent: usize,
    name: String,
    transform: NodeTransform,
    extras: Extras,
    parts: Vec<Part<'a>>,
    lights: Vec<(usize, Frame)>,
}

/// A part of an object.
struct Part<'a> {
    model: &'a Model,
    mesh: Option<usize>,
    pose: Frame,
    scale: Vec3,
}

impl<'w> Exporter<'w> {
    /// Creates an empty export. The south-western corner of landblock `origin` at height 0 is the origin of the file.
    pub fn new(source: &'w dyn Source, world: &'w World, origin: BlockId) -> Self {
        // Without a region there is no land to export.
        let (region, fault) = match Records::new(source).get::<RegionDesc>(REGION) {
            Ok(region) => (region, None),
            Err(error) => (None, Some(error.into())),
        };

        Self {
            world,
            origin,
            painter: region.map(|region| TilePainter::new(source, region.terrain, TILE)),
            region_fault: fault,
            shapes: Shapes::new(source),
            document: Document::default(),
            blocks: BTreeMap::new(),
            rooms: BTreeMap::new(),
        }
    }

    /// Adds the terrain of a landblock and the shells of its buildings, if it is resident.
    pub fn land(&mut self, block: BlockId) -> Result<(), ExportError> {
        let Some(land) = self.world.land(block) else { return Ok(()) };
        let node = self.landblock(block);
        self.ground(node, land)?;
        for building in land.buildings() {
            self.building(node, building);
        }
        Ok(())
    }

    /// Adds a room without its objects.
    pub fn room(&mut self, room: &Room) {
        let id = room.id();
        let parent = self.landblock(id.block());
        let frame = room.position().frame;
        if !self.is_finite(&frame.into(), id.into()) {
            return;
        }
        let extras = Extras { cell: id.to_string(), kind: "room", model: None };
        let name = format!("room {id}");
        let node = self.document.add_node(Some(parent), name, frame.into(), Some(extras));
        if let Some(mesh) = self.shapes.room(id.into(), &mut self.document) {
            self.document.set_mesh(node, mesh);
        }
        self.rooms.insert(id, (node, frame));
    }

    /// Adds an object with its lights, below its room if that was added before, else below its landblock. Hidden objects
    /// are left out.
    pub fn object(&mut self, object: &Object) {
        if object.state().has(State::HIDDEN) {
            return;
        }
        let Position { cell, frame } = *object.position();
        let block = self.landblock(cell.block());
        let room = self.rooms.get(&cell).map(|(node, room)| (*node, relative_to(room, &frame)));
        let (parent, frame) = room.unwrap_or((block, frame));
        let transform = NodeTransform { frame, scale: Vec3::splat(object.scale()) };
        let setup = object.setup();
        let models = setup.parts.iter().enumerate();
        let parts = models.map(|(index, part)| Part {
            model: &part.model,
            mesh: self.shapes.model(&part.model, PortalPolygons::Kept, &mut self.document),
            pose: object.part_pose(index).unwrap_or(part.pose),
            scale: part.scale,
        });
        let parts = parts.collect();
        let lights = self.shapes.lights(setup.id, &mut self.document);
        let is_scenery = cell.is_outdoor() && object.id() >= ObjectId::scenery(cell.block(), 0);
        let kind = if is_scenery { "scenery" } else { "object" };
        let extras = extras(cell, kind, setup.id);
        let name = setup.id.to_string();
        self.add(setup.id, NodeDraft { parent, name, transform, extras, parts, lights });
    }

    /// Builds the file. `name` is the name of its scene.
    pub fn finish(self, name: &str) -> Result<Export, ExportError> {
        let counts = self.document.counts();
        if counts.meshes == 0 {
            return Err(ExportError::Empty);
        }
        let mut faults = self.shapes.faults;
        let terrain = self.painter.map(TilePainter::into_faults).unwrap_or_default();
        faults.extend(terrain.into_iter().map(ExportFault::Terrain));
        let bytes = self.document.into_bytes(name)?.ok_or(ExportError::TooLarge)?;
        Ok(Export { bytes, counts, faults })
    }

    /// Returns the node of a landblock, a root of the scene.
    fn landblock(&mut self, block: BlockId) -> usize {
        if let Some(known) = self.blocks.get(&block) {
            return *known;
        }
        let cell = block.as_cell();
        let frame = Frame::at(block_offset_between(self.origin.as_cell(), cell));
        let extras = Extras { cell: cell.to_string(), kind: "landblock", model: None };
        let name = format!("landblock {cell}");
        let node = self.document.add_node(None, name, frame.into(), Some(extras));
        self.blocks.insert(block, node);
        node
    }

    fn ground(&mut self, node: usize, land: &Land) -> Result<(), ExportError> {
        let Some(painter) = &mut self.painter else {
            self.shapes.faults.extend(self.region_fault.take());
            return Ok(());
        };
        let name = format!("ground {}", land.block());
        let image = self.document.add_image(name.clone(), &painter.block(land.terrain()))?;
        let texture = self.document.texture(image, false);
        let material = self.document.add_material(Material {
            name: name.clone(),
            base: Base::of(Some(texture), [1.0; 4]),
            emissive_texture: None,
            emissive_factor: None,
            alpha_mode: None,
            alpha_cutoff: None,
            double_sided: false,
            extensions: None,
        });
        let batch = ground::batch(self.world, land);
        if let Some(mesh) = self.document.add_mesh(name, &[(material, batch)]) {
            self.document.set_mesh(node, mesh);
        }
        Ok(())
    }

    /// Adds the shell of a building without its portals.
    fn building(&mut self, parent: usize, building: &Building) {
        let Position { cell, frame } = building.position;
        let setup = &building.setup;
        let parts = setup.parts.iter().map(|part| Part {
            model: &part.model,
            mesh: self.shapes.model(&part.model, PortalPolygons::Omitted, &mut self.document),
            pose: part.pose,
            scale: part.scale,
        });
        let parts = parts.collect();
        let lights = self.shapes.lights(setup.id, &mut self.document);
        let extras = extras(cell, "building", setup.id);
        let (name, transform) = (format!("building {cell}"), frame.into());
        self.add(setup.id, NodeDraft { parent, name, transform, extras, parts, lights });
    }

    /// Adds a node with a child for each part and light. A single part without lights is merged into the node.
    fn add(&mut self, id: RecordId, draft: NodeDraft<'_>) {
        let NodeDraft { parent, name, mut transform, extras, parts, lights } = draft;
        let is_merged = match &parts[..] {
            [part] if lights.is_empty() => {
                transform.frame = transform.frame.combine_scaled(&part.pose, transform.scale);
                transform.scale *= part.scale;
                true
            }
            _ => false,
        };
        if !self.is_finite(&transform, id) {
            return;
        }
        let node = self.document.add_node(Some(parent), name, transform, Some(extras));
        for part in &parts {
            let Some(mesh) = part.mesh else { continue };
            let transform = NodeTransform { frame: part.pose, scale: part.scale };
            if is_merged {
                self.document.set_mesh(node, mesh);
            } else if self.is_finite(&transform, part.model.id) {
                let name = part.model.id.to_string();
                let child = self.document.add_node(Some(node), name, transform, None);
                self.document.set_mesh(child, mesh);
            }
        }
        for (light, frame) in lights {
            let child = self.document.add_node(Some(node), "light".to_owned(), frame.into(), None);
            self.document.set_light(child, light);
        }
    }

    /// Returns whether a transform is finite; otherwise adds a fault.
    fn is_finite(&mut self, transform: &NodeTransform, id: RecordId) -> bool {
        let is_finite = transform.is_finite();
        if !is_finite {
            self.shapes.faults.push(ExportFault::PositionNotFinite(id));
        }
        is_finite
    }
}

fn extras(cell: CellId, kind: &'static str, model: RecordId) -> Extras {
    Extras { cell: cell.to_string(), kind, model: Some(model.to_string()) }
}

/// Converts `other` into the space of `frame`; both have the same parent.
fn relative_to(frame: &Frame, other: &Frame) -> Frame {
    let Rotation { w, x, y, z } = frame.rotation;
    let rotation = Rotation::new(w, -x, -y, -z).product(other.rotation);
    let rotation = rotation.normalised().unwrap_or(rotation);
    Frame { origin: frame.to_local(other.origin), rotation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::RecordSet;
    use threshold_testkit::{VILLAGE, Village};

    fn exported(world: &World, records: &RecordSet) -> Export {
        let mut exporter = Exporter::new(records, world, VILLAGE);
        exporter.land(VILLAGE).unwrap();
        world.rooms(VILLAGE).for_each(|room| exporter.room(room));
        world.objects().for_each(|object| exporter.object(object));
        exporter.finish("village").unwrap()
    }

    #[test]
    fn a_record_that_cannot_be_read_was_left_out_without_a_message() {
        let village = Village::new();
        let whole = exported(&village.world, &village.records);
        assert!(whole.faults.is_empty(), "{:?}", whole.faults);
        for (file, id) in village.ids() {
            for records in [village.with_damaged(file, id), village.without(file, id)] {
                let export = exported(&village.world, &records);
                let faults: Vec<String> = export.faults.iter().map(ToString::to_string).collect();
                assert_eq!(faults.len(), 1, "{id}: {faults:?}");
                assert!(faults[0].contains(&id.to_string()), "{id}: {faults:?}");
                assert!(export.counts.triangles > whole.counts.triangles / 2, "{id}");
                assert!(export.counts.nodes + 40 > whole.counts.nodes, "{id}");
            }
        }
    }
}
