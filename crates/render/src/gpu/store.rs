//! What the device knows of a world: models, and what stands in each landblock and room.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{EnvCell, RecordId, RecordKind, Records, Setup, Source};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Frame, block_offset};
use threshold_world::{Edition, Object, ObjectId, PieceId, World};
use wgpu::BindGroupLayout;

use super::Gpu;
use super::lamps::{Lamp, Lamps};
use super::materials::Materials;
use super::models::{ModelKey, Models};
use super::prepare::Memory;
use super::stage::{Draft, Stage, Stuff, TILES};
use crate::ground::{self, Masks};

#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) models: Models,
    pub(super) lands: BTreeMap<BlockId, Stage>,
    pub(super) rooms: BTreeMap<CellId, Stage>,
    /// What things in the sky are made of.
    assemblies: BTreeMap<RecordId, Vec<(usize, Frame)>>,
    lamps: Lamps,
    edition: Option<Edition>,
}

/// What a store is filled from.
pub(super) struct Supply<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) source: &'a dyn Source,
    pub(super) world: &'a World,
    pub(super) materials: &'a mut Materials,
    pub(super) masks: &'a Masks,
    pub(super) lamp_layout: &'a BindGroupLayout,
    /// Of who reads ahead.
    pub(super) memory: Option<&'a Memory>,
}

/// So many models more than are in use may be kept for when they are needed again.
const SPARE: usize = 256;

impl Store {
    /// Makes it what the world is. An unchanged world costs nothing; of one that has changed, what is made of the same is kept.
    pub(super) fn refresh(&mut self, supply: &mut Supply<'_>) {
        let edition = supply.world.edition();
        if self.edition.as_ref() == Some(edition) {
            return;
        }
        self.edition = Some(edition.clone());
        let mut old_lands = std::mem::take(&mut self.lands);
        let mut old_rooms = std::mem::take(&mut self.rooms);
        let resident: Vec<PieceId> = supply.world.resident().collect();
        for piece in resident {
            match piece {
                PieceId::Land(block) => {
                    let stuff = land_stuff(supply.world, block);
                    let old = old_lands.remove(&block).filter(|old| old.stuff == stuff);
                    let stage = old.unwrap_or_else(|| self.land(supply, block, stuff));
                    self.lands.insert(block, stage);
                }
                PieceId::Room(cell) => {
                    let objects = still(supply.world, cell).map(Object::id).collect();
                    let pieces = vec![supply.world.edition_of(piece).cloned()];
                    let stuff = Stuff { objects, pieces };
                    let old = old_rooms.remove(&cell).filter(|old| old.stuff == stuff);
                    let stage = old.or_else(|| self.room(supply, cell, stuff));
                    self.rooms.extend(stage.map(|stage| (cell, stage)));
                }
            }
        }
        self.relight(supply);
        self.forget_unused(supply);
    }

    fn land(&mut self, supply: &mut Supply<'_>, block: BlockId, stuff: Stuff) -> Stage {
        let mut draft = Draft::default();
        let world = supply.world;
        draft.lay(ground::of_land(world, block, supply.masks));
        for building in world.land(block).map(|land| land.buildings()).unwrap_or_default() {
            for part in &building.setup.parts {
                let frame = building.position.frame.combine(&part.pose);
                if let Some(model) = self.model(supply, ModelKey::Shell(part.model.id)) {
                    draft.add(&self.models, model, &frame, part.scale);
                }
            }
        }
        self.objects(supply, &stuff.objects, block, &mut draft);
        draft.set(supply.gpu, &self.models, stuff, TILES)
    }

    fn room(&mut self, supply: &mut Supply<'_>, id: CellId, stuff: Stuff) -> Option<Stage> {
        let room = supply.world.room(id)?;
        let record: EnvCell = Records::new(supply.source).get(id.into()).ok()??;
        let mut draft = Draft::default();
        let walls = self.model(supply, ModelKey::of_room(&record));
        if let Some(walls) = walls {
            draft.add(&self.models, walls, &room.position().frame, Vec3::ONE);
        }
        self.objects(supply, &stuff.objects, id.block(), &mut draft);
        let mut stage = draft.set(supply.gpu, &self.models, stuff, 1);
        stage.sees_outside = room.seen_outside();
        let colour = walls.and_then(|walls| self.models.get(walls)).map(|walls| walls.mean);
        stage.mean = colour.unwrap_or(stage.mean);
        Some(stage)
    }

    /// Objects with all their parts, in the frame of a landblock.
    fn objects(
        &mut self,
        supply: &mut Supply<'_>,
        objects: &[ObjectId],
        block: BlockId,
        draft: &mut Draft,
    ) {
        let world = supply.world;
        for object in objects.iter().filter_map(|id| world.object(*id)) {
            let offset = block_offset(block.itself(), object.position().cell);
            for (number, part) in object.setup().parts.iter().enumerate() {
                let (Some(at), Some(scale)) =
                    (object.part_position(number), object.part_scale(number))
                else {
                    continue;
                };
                let frame = Frame { origin: at.frame.origin + offset, ..at.frame };
                let Some(model) = self.model(supply, ModelKey::Model(part.model.id)) else {
                    continue;
                };
                match part.model.always_2d {
                    true => draft.add_turning(&self.models, model, &frame, scale),
                    false => draft.add(&self.models, model, &frame, scale),
                }
            }
            let lamps = self.lamps.of(supply.source, object);
            draft.lamps.extend(lamps.into_iter().map(|lamp| lamp.moved(offset)));
        }
    }

    /// A model by its key, read if it is new.
    pub(super) fn model(&mut self, supply: &mut Supply<'_>, key: ModelKey) -> Option<usize> {
        let Supply { gpu, source, materials, .. } = supply;
        self.models.read(gpu, *source, materials, key)
    }

    /// Reads what something in the sky is made of: a model, or an assembly of models.
    pub(super) fn read_assembly(&mut self, supply: &mut Supply<'_>, id: RecordId) {
        if self.assemblies.contains_key(&id) {
            return;
        }
        let is_setup = RecordKind::of(threshold_dat::FileKind::Portal, id) == RecordKind::Setup;
        let setup: Option<Setup> = match is_setup {
            true => Records::new(supply.source).get(id).ok().flatten(),
            false => None,
        };
        let parts = setup.map_or_else(
            || vec![(id, Frame::default())],
            |setup| {
                let poses = setup.static_pose().map(|pose| &pose.frames[..]).unwrap_or_default();
                let poses = poses.iter().copied().chain(std::iter::repeat(Frame::default()));
                setup.parts.iter().copied().zip(poses).collect()
            },
        );
        let mut known = Vec::new();
        for (model, frame) in parts {
            known.extend(self.model(supply, ModelKey::Model(model)).map(|number| (number, frame)));
        }
        self.assemblies.insert(id, known);
    }

    /// The parts of something in the sky, if it was read before.
    pub(super) fn assembly(&self, id: RecordId) -> &[(usize, Frame)] {
        self.assemblies.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Lets everything be lit by the lamps around it: outdoors those of the landblocks around, and in a room also those that shine
    /// through its openings.
    fn relight(&mut self, supply: &Supply<'_>) {
        let own = |stages: &BTreeMap<BlockId, Stage>| -> BTreeMap<BlockId, Vec<Lamp>> {
            stages.iter().map(|(id, stage)| (*id, stage.lamps.clone())).collect()
        };
        let outdoors = own(&self.lands);
        for (block, stage) in &mut self.lands {
            let near = around(*block).chain([*block]);
            let near = near.filter_map(|other| Some((other, outdoors.get(&other)?)));
            let moved = |(other, lamps): (BlockId, &Vec<Lamp>)| {
                let offset = block_offset(block.itself(), other.itself());
                lamps.iter().map(|lamp| lamp.moved(offset)).collect::<Vec<_>>()
            };
            let lamps: Vec<Lamp> = near.flat_map(moved).collect();
            stage.relight(supply.gpu, supply.lamp_layout, &lamps);
        }
        let indoors: BTreeMap<CellId, Vec<Lamp>> =
            self.rooms.iter().map(|(id, stage)| (*id, stage.lamps.clone())).collect();
        for (id, stage) in &mut self.rooms {
            let portals = supply.world.room(*id).map(|room| room.portals()).unwrap_or_default();
            let near: BTreeSet<CellId> =
                portals.iter().filter_map(|portal| portal.other).chain([*id]).collect();
            let lamps: Vec<Lamp> =
                near.iter().filter_map(|cell| indoors.get(cell)).flatten().copied().collect();
            stage.relight(supply.gpu, supply.lamp_layout, &lamps);
        }
    }

    /// Gives up models that have not been in use for long, and what was read ahead for nothing.
    fn forget_unused(&mut self, supply: &mut Supply<'_>) {
        let mut models = self.models.forget_ready();
        let mut surfaces = supply.materials.forget_ready();
        let used = self.used(supply.world);
        if self.models.len() >= 2 * used.len() + SPARE {
            let (gone, left) = self.models.keep(&used);
            models.extend(gone);
            surfaces.extend(supply.materials.keep(&left));
        }
        if let Some(memory) = supply.memory {
            memory.forget(&models, &surfaces);
        }
    }

    /// The models of everything that stands in the world, moves in it, or hangs in its sky.
    pub(super) fn used(&self, world: &World) -> BTreeSet<usize> {
        let stages = self.lands.values().chain(self.rooms.values());
        let bodies = world.bodies().flat_map(|body| &body.setup().parts);
        let bodies = bodies.filter_map(|part| self.models.known(&ModelKey::Model(part.model.id)));
        let sky = self.assemblies.values().flatten().map(|(model, _)| *model);
        stages.flat_map(Stage::models).chain(bodies).chain(sky).collect()
    }
}

/// What is drawn of a landblock: everything whose first land cell is in it, so that what reaches over a border is drawn once.
fn land_stuff(world: &World, block: BlockId) -> Stuff {
    let cells = (1..=64).map(|low| block.cell(low));
    let is_home = |object: &&Object| home(object).is_some_and(|cell| cell.block() == block);
    let objects = cells.flat_map(|cell| still(world, cell)).filter(is_home).map(Object::id);
    let objects: BTreeSet<ObjectId> = objects.collect();
    let lands = around(block).chain([block]).map(PieceId::Land);
    let pieces = lands.map(|piece| world.edition_of(piece).cloned()).collect();
    Stuff { objects: objects.into_iter().collect(), pieces }
}

/// The land cell that an object is drawn with: the first it is in.
pub(super) fn home(object: &Object) -> Option<CellId> {
    let lands = object.cells().iter().filter(|cell| cell.resident && cell.cell.is_outdoor());
    lands.map(|registered| registered.cell).next()
}

/// The landblocks round one.
fn around(block: BlockId) -> impl Iterator<Item = BlockId> {
    let asides = (-1..=1).flat_map(|x: i32| (-1..=1).map(move |y: i32| (x, y)));
    let there = |own: u8, aside: i32| u8::try_from(i32::from(own) + aside).ok();
    let asides = asides.filter(|aside| *aside != (0, 0));
    asides.filter_map(move |(x, y)| Some(BlockId::new(there(block.x(), x)?, there(block.y(), y)?)))
}

/// Objects of a cell that never move.
fn still(world: &World, cell: CellId) -> impl Iterator<Item = &Object> {
    world.objects_in(cell).filter(|object| object.id().as_body().is_none())
}
