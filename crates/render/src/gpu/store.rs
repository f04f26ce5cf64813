//! What the device knows of a world: models, and what stands in each landblock and room.

use std::collections::BTreeMap;
use std::ops::Range;

use threshold_dat::{EnvCell, Environment, GfxObj, RecordId, Records, Source};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Frame};
use threshold_world::{Edition, Object, ObjectId, Room, World};
use wgpu::{Buffer, BufferUsages, util::BufferInitDescriptor, util::DeviceExt};

use super::Gpu;
use super::lamps::{Lamp, Lamps};
use super::materials::{Blend, Materials};
use crate::ground::{self, Masks};
use crate::mesh::{Mesh, Openings, Vertex};

/// A model on the device: what is opaque, then what is blended, then what is added.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) corners: Buffer,
    pub(super) opaque: Range<u32>,
    pub(super) blended: Range<u32>,
    pub(super) added: Range<u32>,
}

impl Model {
    /// Its corners that are blended in a way.
    pub(super) fn part(&self, blend: Blend) -> Range<u32> {
        match blend {
            Blend::Opaque => self.opaque.clone(),
            Blend::Alpha => self.blended.clone(),
            Blend::Additive => self.added.clone(),
        }
    }
}

/// Models of one kind that stand in a place.
#[derive(Debug)]
pub(super) struct Group {
    /// By its place in the list of models.
    pub(super) model: usize,
    pub(super) stances: Range<u32>,
}

/// Everything that is drawn of a landblock or a room.
#[derive(Debug)]
pub(super) struct Stage {
    /// The ground, and how many corners it has.
    pub(super) ground: Option<(Buffer, u32)>,
    pub(super) stances: Option<Buffer>,
    pub(super) groups: Vec<Group>,
    pub(super) lamps: Vec<Lamp>,
    /// Its smallest and its largest corner, in the frame of the landblock.
    pub(super) bounds: [Vec3; 2],
    /// Whether it sees the landscape.
    pub(super) sees_outside: bool,
    /// Triangles in it.
    pub(super) triangles: u64,
}

/// The walls of a room.
#[derive(Clone, Copy, Debug)]
struct Walls {
    /// `None` if there is nothing to see.
    model: Option<usize>,
    /// In the frame of the landblock.
    bounds: [Vec3; 2],
}

/// A model by its record, and whether its openings are left out.
type ModelKey = (RecordId, bool);

/// Three rows of a stance: turned, scaled and moved.
type Rows = [[f32; 4]; 3];

#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) models: Vec<Model>,
    known: BTreeMap<ModelKey, Option<usize>>,
    /// The walls of rooms, which come and go more often than they change.
    walls: BTreeMap<CellId, Option<Walls>>,
    pub(super) lands: BTreeMap<BlockId, Stage>,
    pub(super) rooms: BTreeMap<CellId, Stage>,
    lamps: Lamps,
    edition: Option<Edition>,
    pub(super) faults: Vec<String>,
}

/// What a store is filled from.
pub(super) struct Supply<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) source: &'a dyn Source,
    pub(super) world: &'a World,
    pub(super) materials: &'a mut Materials,
    pub(super) masks: &'a Masks,
}

/// What stands somewhere, before it is on the device.
#[derive(Default)]
struct Drafted {
    by_model: BTreeMap<usize, Vec<Rows>>,
    lamps: Vec<Lamp>,
}

impl Store {
    /// Makes it what the world is. An unchanged world costs nothing.
    pub(super) fn refresh(&mut self, supply: &mut Supply<'_>) {
        let edition = supply.world.edition();
        if self.edition.as_ref() == Some(edition) {
            return;
        }
        self.edition = Some(edition.clone());
        (self.lands, self.rooms) = (BTreeMap::new(), BTreeMap::new());
        let blocks: Vec<BlockId> = supply.world.lands().map(|land| land.block()).collect();
        for block in blocks {
            let stage = self.land(supply, block);
            self.lands.insert(block, stage);
        }
        let resident: Vec<CellId> = supply
            .world
            .resident()
            .filter_map(|piece| match piece {
                threshold_world::PieceId::Room(room) => Some(room),
                threshold_world::PieceId::Land(_) => None,
            })
            .collect();
        for room in resident {
            if let Some(stage) = self.room(supply, room) {
                self.rooms.insert(room, stage);
            }
        }
        self.share_lamps(supply.world);
    }

    fn land(&mut self, supply: &mut Supply<'_>, block: BlockId) -> Stage {
        let mut drafted = Drafted::default();
        let corners = ground::of_land(supply.world, block, supply.masks);
        if let Some(land) = supply.world.land(block) {
            for building in land.buildings() {
                for part in &building.setup.parts {
                    let frame = building.position.frame.combine(&part.pose);
                    let model = self.model(supply, part.model.id, Openings::LeftOut);
                    drafted.add(model, &frame, part.scale);
                }
            }
        }
        let mut objects: Vec<ObjectId> = Vec::new();
        for low in 1..=64 {
            objects.extend(still(supply.world, block.cell(low)));
        }
        objects.sort_unstable();
        objects.dedup();
        self.objects(supply, &objects, block, &mut drafted);
        let words: Vec<[u32; 12]> = corners.iter().map(ground_words).collect();
        let positions = corners.iter().map(|corner| corner.position);
        let mut stage = self.stage(supply.gpu, drafted, bounds(positions, [10.0, 200.0]));
        if !words.is_empty() {
            let count = u32::try_from(words.len()).unwrap_or(0);
            stage.ground = Some((buffer(supply.gpu, bytemuck::cast_slice(&words)), count));
            stage.triangles += u64::from(count / 3);
        }
        stage
    }

    fn room(&mut self, supply: &mut Supply<'_>, id: CellId) -> Option<Stage> {
        let room = supply.world.room(id)?;
        let walls = match self.walls.get(&id) {
            Some(known) => *known,
            None => {
                let walls = self.walls(supply, room);
                self.walls.insert(id, walls);
                walls
            }
        };
        let Walls { model, bounds } = walls?;
        let mut drafted = Drafted::default();
        drafted.add(model, &room.position().frame, Vec3::ONE);
        let objects: Vec<ObjectId> = still(supply.world, id).collect();
        self.objects(supply, &objects, id.block(), &mut drafted);
        let mut stage = self.stage(supply.gpu, drafted, bounds);
        stage.sees_outside = room.seen_outside();
        Some(stage)
    }

    /// The walls of a room, read and put on the device.
    fn walls(&mut self, supply: &mut Supply<'_>, room: &Room) -> Option<Walls> {
        let mut records = Records::new(supply.source);
        let record: EnvCell = records.get(room.id().into()).ok()??;
        let environment: Environment = records.get(record.environment_id()).ok()??;
        let structure = environment.structure(u32::from(record.structure))?;
        let corners = structure.vertices.iter().map(|vertex| room.to_block(vertex.position));
        let bounds = bounds(corners, [0.0, 0.0]);
        Some(Walls { model: self.add(supply, &Mesh::of_room(&record, structure)), bounds })
    }

    /// Objects with all their parts, in the frame of a landblock.
    fn objects(
        &mut self,
        supply: &mut Supply<'_>,
        objects: &[ObjectId],
        block: BlockId,
        drafted: &mut Drafted,
    ) {
        let world = supply.world;
        for object in objects.iter().filter_map(|id| world.object(*id)) {
            let offset = threshold_land::block_offset(block.itself(), object.position().cell);
            for (number, part) in object.setup().parts.iter().enumerate() {
                let (Some(at), Some(scale)) =
                    (object.part_position(number), object.part_scale(number))
                else {
                    continue;
                };
                let frame = Frame { origin: at.frame.origin + offset, ..at.frame };
                let model = self.model(supply, part.model.id, Openings::Drawn);
                drafted.add(model, &frame, scale);
            }
            let lamps = self.lamps.of(supply.source, object);
            drafted.lamps.extend(lamps.into_iter().map(|lamp| lamp.moved(offset)));
        }
    }

    /// The model of a record, if it was read before.
    pub(super) fn known_model(&self, id: RecordId) -> Option<&Model> {
        let number = self.known.get(&(id, false)).copied().flatten()?;
        self.models.get(number)
    }

    /// Reads the model of a record.
    pub(super) fn read_model(&mut self, supply: &mut Supply<'_>, id: RecordId) {
        self.model(supply, id, Openings::Drawn);
    }

    /// The model of a record, which is read if it is new.
    fn model(
        &mut self,
        supply: &mut Supply<'_>,
        id: RecordId,
        openings: Openings,
    ) -> Option<usize> {
        let key = (id, openings == Openings::LeftOut);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let model = match Records::new(supply.source).get::<GfxObj>(id) {
            Ok(Some(record)) => self.add(supply, &Mesh::of_model(&record, openings)),
            Ok(None) => None,
            Err(error) => {
                self.faults.push(error.to_string());
                None
            }
        };
        self.known.insert(key, model);
        model
    }

    /// Puts a mesh on the device; `None` if there is nothing to see.
    fn add(&mut self, supply: &mut Supply<'_>, mesh: &Mesh) -> Option<usize> {
        if mesh.vertices.is_empty() {
            return None;
        }
        let Supply { materials, source, gpu, .. } = supply;
        let known: Vec<_> = mesh.surfaces.iter().map(|id| materials.get(*source, *id)).collect();
        let mut words: Vec<[u32; 10]> = Vec::with_capacity(mesh.vertices.len());
        let ranges = [Blend::Opaque, Blend::Alpha, Blend::Additive].map(|blend| {
            let start = words.len();
            for triangle in mesh.vertices.as_chunks::<3>().0 {
                let Some(material) = known.get(usize::from(triangle[0].surface)) else { continue };
                if material.blend == blend {
                    words.extend(triangle.iter().map(|corner| model_words(corner, material.index)));
                }
            }
            // Models have some thousand corners.
            u32::try_from(start).unwrap_or(0)..u32::try_from(words.len()).unwrap_or(0)
        });
        let [opaque, blended, added] = ranges;
        let corners = buffer(gpu, bytemuck::cast_slice(&words));
        self.models.push(Model { corners, opaque, blended, added });
        Some(self.models.len() - 1)
    }

    fn stage(&self, gpu: &Gpu, drafted: Drafted, bounds: [Vec3; 2]) -> Stage {
        let (mut all, mut groups, mut triangles) = (Vec::new(), Vec::new(), 0);
        for (model, stances) in drafted.by_model {
            // Some thousand objects a landblock.
            let start = u32::try_from(all.len()).unwrap_or(0);
            let count = u32::try_from(stances.len()).unwrap_or(0);
            let corners = self.models.get(model).map_or(0, |model| model.added.end);
            triangles += u64::from(corners / 3) * u64::from(count);
            all.extend(stances);
            groups.push(Group { model, stances: start..start + count });
        }
        let stances = (!all.is_empty()).then(|| buffer(gpu, bytemuck::cast_slice(&all)));
        let lamps = drafted.lamps;
        Stage { ground: None, stances, groups, lamps, bounds, sees_outside: true, triangles }
    }

    /// A lamp also shines through openings: rooms have those of their neighbours too.
    fn share_lamps(&mut self, world: &World) {
        let own: BTreeMap<CellId, Vec<Lamp>> =
            self.rooms.iter().map(|(id, stage)| (*id, stage.lamps.clone())).collect();
        for (id, stage) in &mut self.rooms {
            let portals = world.room(*id).map(|room| room.portals()).unwrap_or_default();
            for next in portals.iter().filter_map(|portal| portal.other) {
                stage.lamps.extend(own.get(&next).into_iter().flatten().copied());
            }
            let [low, high] = stage.bounds;
            stage.lamps.retain(|lamp| lamp.reaches(low, high));
        }
    }
}

impl Drafted {
    fn add(&mut self, model: Option<usize>, frame: &Frame, scale: Vec3) {
        if let Some(model) = model {
            self.by_model.entry(model).or_default().push(rows(frame, scale));
        }
    }
}

/// Objects of a cell that never move.
fn still(world: &World, cell: CellId) -> impl Iterator<Item = ObjectId> {
    world.objects_in(cell).map(Object::id).filter(|id| id.as_body().is_none())
}

/// A frame and a scale as three rows.
pub(super) fn rows(frame: &Frame, scale: Vec3) -> Rows {
    let [x, y, z] = frame.rotation.rows().0;
    let (x, y, z, at) = (x * scale.x, y * scale.y, z * scale.z, frame.origin);
    [[x.x, y.x, z.x, at.x], [x.y, y.y, z.y, at.y], [x.z, y.z, z.z, at.z]]
}

fn model_words(corner: &Vertex, material: u32) -> [u32; 10] {
    let [px, py, pz] = corner.position.to_array().map(f32::to_bits);
    let [nx, ny, nz] = corner.normal.to_array().map(f32::to_bits);
    let [u, v] = corner.uv.to_array().map(f32::to_bits);
    let material = material | u32::from(corner.tiled) << 31;
    [px, py, pz, nx, ny, nz, u, v, material, u32::from(corner.polygon)]
}

fn ground_words(corner: &ground::GroundVertex) -> [u32; 12] {
    let [px, py, pz] = corner.position.to_array().map(f32::to_bits);
    let [nx, ny, nz] = corner.normal.to_array().map(f32::to_bits);
    let [u, v] = corner.uv.to_array().map(f32::to_bits);
    let [kinds, masks, roads] = corner.packed();
    [px, py, pz, nx, ny, nz, u, v, kinds, masks, roads, u32::from(corner.triangle)]
}

/// A box round points, wider to the sides and higher by so much.
fn bounds(points: impl Iterator<Item = Vec3>, [aside, above]: [f32; 2]) -> [Vec3; 2] {
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = points.fold(none, |(low, high), at| (low.min(at), high.max(at)));
    [low - Vec3::new(aside, aside, 1.0), high + Vec3::new(aside, aside, above)]
}

pub(super) fn buffer(gpu: &Gpu, contents: &[u8]) -> Buffer {
    gpu.device.create_buffer_init(&BufferInitDescriptor {
        label: None,
        contents,
        usage: BufferUsages::VERTEX,
    })
}
