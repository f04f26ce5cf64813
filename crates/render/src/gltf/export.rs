//! What of the world becomes which node.

use std::collections::BTreeMap;

use threshold_dat::{RecordId, Records, RegionDesc, Source};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation, block_offset_between};
use threshold_world::{Building, Land, Model, Object, ObjectId, REGION, Room, State, World};

use super::document::{Document, Stand};
use super::ground::{self, TILE};
use super::json::{Base, Extras, Material};
use super::shapes::Shapes;
use super::{Export, ExportError, ExportFault};
use crate::ground::TilePainter;
use crate::mesh::PortalPolygons;

/// Writes parts of a world.
#[derive(Debug)]
pub struct Exporter<'w> {
    world: &'w World,
    origin: BlockId,
    painter: Option<TilePainter<'w>>,
    shapes: Shapes<'w>,
    document: Document,
    blocks: BTreeMap<BlockId, usize>,
    /// Where rooms are among the nodes, and where they stand.
    rooms: BTreeMap<CellId, (usize, Frame)>,
}

/// A node to be made.
struct Place<'a> {
    parent: usize,
    name: String,
    stand: Stand,
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
    /// Nothing so far. The south-western corner of landblock `origin`, at height 0, is the origin of the file.
    pub fn new(source: &'w dyn Source, world: &'w World, origin: BlockId) -> Self {
        // Without a region there is no land, and who made the world knows why.
        let region = Records::new(source).get::<RegionDesc>(REGION).ok().flatten();
        Self {
            world,
            origin,
            painter: region.map(|region| TilePainter::new(source, region.terrain, TILE)),
            shapes: Shapes::new(source),
            document: Document::default(),
            blocks: BTreeMap::new(),
            rooms: BTreeMap::new(),
        }
    }

    /// The ground of a landblock and the shells of its buildings, where they are resident.
    pub fn land(&mut self, block: BlockId) -> Result<(), ExportError> {
        let Some(land) = self.world.land(block) else { return Ok(()) };
        let node = self.landblock(block);
        self.ground(node, land)?;
        for building in land.buildings() {
            self.building(node, building);
        }
        Ok(())
    }

    /// A room, without what is in it.
    pub fn room(&mut self, room: &Room) {
        let id = room.id();
        let parent = self.landblock(id.block());
        let frame = room.position().frame;
        if !self.stands(&frame.into(), id.into()) {
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

    /// An object with its lights: in its room if that was written before, else in its landblock. One that is hidden is not written.
    pub fn object(&mut self, object: &Object) {
        if object.state().has(State::HIDDEN) {
            return;
        }
        let Position { cell, frame } = *object.position();
        let block = self.landblock(cell.block());
        let room = self.rooms.get(&cell).map(|(node, room)| (*node, seen_from(room, &frame)));
        let (parent, frame) = room.unwrap_or((block, frame));
        let stand = Stand { frame, scale: Vec3::splat(object.scale()) };
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
        let grown = cell.is_outdoor() && object.id() >= ObjectId::scenery(cell.block(), 0);
        let kind = if grown { "scenery" } else { "object" };
        let extras = extras(cell, kind, setup.id);
        let name = setup.id.to_string();
        self.place(setup.id, Place { parent, name, stand, extras, parts, lights });
    }

    /// The whole file. `name` is that of its scene.
    pub fn finish(self, name: &str) -> Result<Export, ExportError> {
        let counts = self.document.counts();
        if counts.meshes == 0 {
            return Err(ExportError::Empty);
        }
        let mut faults = self.shapes.faults;
        let ground = self.painter.map(TilePainter::into_faults).unwrap_or_default();
        faults.extend(ground.into_iter().map(ExportFault::Ground));
        let bytes = self.document.into_bytes(name)?.ok_or(ExportError::TooLarge)?;
        Ok(Export { bytes, counts, faults })
    }

    /// The node of a landblock, which hangs on nothing.
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
        let Some(painter) = &mut self.painter else { return Ok(()) };
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
        });
        let batch = ground::batch(self.world, land);
        if let Some(mesh) = self.document.add_mesh(name, &[(material, batch)]) {
            self.document.set_mesh(node, mesh);
        }
        Ok(())
    }

    /// The shell of a building, without its openings.
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
        let (name, stand) = (format!("building {cell}"), frame.into());
        self.place(setup.id, Place { parent, name, stand, extras, parts, lights });
    }

    /// A node with a child for every part and light; one part alone is the node itself.
    fn place(&mut self, id: RecordId, place: Place<'_>) {
        let Place { parent, name, mut stand, extras, parts, lights } = place;
        let alone = match &parts[..] {
            [part] if lights.is_empty() => {
                stand.frame = stand.frame.combine_scaled(&part.pose, stand.scale);
                stand.scale *= part.scale;
                true
            }
            _ => false,
        };
        if !self.stands(&stand, id) {
            return;
        }
        let node = self.document.add_node(Some(parent), name, stand, Some(extras));
        for part in &parts {
            let Some(mesh) = part.mesh else { continue };
            let stand = Stand { frame: part.pose, scale: part.scale };
            if alone {
                self.document.set_mesh(node, mesh);
            } else if self.stands(&stand, part.model.id) {
                let name = part.model.id.to_string();
                let child = self.document.add_node(Some(node), name, stand, None);
                self.document.set_mesh(child, mesh);
            }
        }
        for (light, frame) in lights {
            let child = self.document.add_node(Some(node), "light".to_owned(), frame.into(), None);
            self.document.set_light(child, light);
        }
    }

    /// Whether it stands anywhere; where it does not, that is told.
    fn stands(&mut self, stand: &Stand, id: RecordId) -> bool {
        let stands = stand.is_finite();
        if !stands {
            self.shapes.faults.push(ExportFault::Nowhere(id));
        }
        stands
    }
}

fn extras(cell: CellId, kind: &'static str, model: RecordId) -> Extras {
    Extras { cell: cell.to_string(), kind, model: Some(model.to_string()) }
}

/// A frame of the same parent space, in the space of `frame`.
fn seen_from(frame: &Frame, other: &Frame) -> Frame {
    let Rotation { w, x, y, z } = frame.rotation;
    let rotation = Rotation::new(w, -x, -y, -z).product(other.rotation);
    let rotation = rotation.normalised().unwrap_or(rotation);
    Frame { origin: frame.to_local(other.origin), rotation }
}
