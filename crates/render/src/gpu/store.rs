//! What the device knows of a world: models, and what stands in each landblock and room.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{EnvCell, RecordId, RecordKind, Records, SetupRecord, Source};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Frame, block_offset_between};
use threshold_world::{Edition, Object, ObjectId, PieceId, Room, World};
use wgpu::BindGroupLayout;

use super::Gpu;
use super::lamps::{Lamp, Lamps, Lights};
use super::light_flood::{Place, Source as LightSource, Spread, around};
use super::materials::Materials;
use super::models::{ModelKey, Models};
use super::preparer::PreparedKeys;
use super::skylight::skylights;
use super::stage::{Draft, Stage, StageInputs, TILES};
use crate::ground::{self, TerrainMasks};

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
    pub(super) masks: &'a TerrainMasks,
    pub(super) lamp_layout: &'a BindGroupLayout,
    /// Of who reads ahead.
    pub(super) memory: Option<&'a PreparedKeys>,
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
                    let stuff = StageInputs { objects, pieces };
                    let old = old_rooms.remove(&cell).filter(|old| old.stuff == stuff);
                    let stage = old.or_else(|| self.room(supply, cell, stuff));
                    self.rooms.extend(stage.map(|stage| (cell, stage)));
                }
            }
        }
        self.relight(supply);
        self.forget_unused(supply);
    }

    fn land(&mut self, supply: &mut Supply<'_>, block: BlockId, stuff: StageInputs) -> Stage {
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

    fn room(&mut self, supply: &mut Supply<'_>, id: CellId, stuff: StageInputs) -> Option<Stage> {
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
            let offset = block_offset_between(block.as_cell(), object.position().cell);
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
        let is_setup =
            RecordKind::from_id(threshold_dat::FileKind::Portal, id) == RecordKind::Setup;
        let setup: Option<SetupRecord> = match is_setup {
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

    /// Lets everything be lit by the lamps whose light comes to it, and rooms by the openings that daylight comes in through.
    fn relight(&mut self, supply: &Supply<'_>) {
        let Supply { gpu, world, lamp_layout, .. } = *supply;
        let spread = Spread::new(world);
        let (lands, mut rooms) = self.lamplight(&spread);
        for (cell, skylight) in skylights(world, &spread) {
            rooms.entry(cell).or_default().skylights.push(skylight);
        }
        for (block, stage) in &mut self.lands {
            let mut lights = Lights::default();
            for other in around(*block).chain([*block]) {
                let offset = block_offset_between(block.as_cell(), other.as_cell());
                let lamps = lands.get(&other).into_iter().flatten();
                lights.lamps.extend(lamps.map(|lamp| lamp.moved(offset)));
            }
            stage.relight(gpu, lamp_layout, &lights);
        }
        for (cell, stage) in &mut self.rooms {
            stage.relight(gpu, lamp_layout, &rooms.remove(cell).unwrap_or_default());
        }
    }

    /// The lamps that shine on the land of each landblock, and into each room.
    fn lamplight(
        &self,
        spread: &Spread<'_>,
    ) -> (BTreeMap<BlockId, Vec<Lamp>>, BTreeMap<CellId, Lights>) {
        let (mut lands, mut rooms) = (BTreeMap::new(), BTreeMap::<CellId, Lights>::new());
        let own = |stage: &Stage| stage.lamps.clone();
        let outdoors = self.lands.iter().map(|(id, stage)| (*id, Place::Outdoors, own(stage)));
        let indoors =
            self.rooms.iter().map(|(id, stage)| (id.block(), Place::Room(*id), own(stage)));
        for (block, start, lamps) in outdoors.chain(indoors) {
            for lamp in lamps {
                let source = LightSource { block, at: lamp.at, reach: lamp.reach };
                // Where the day does not come to, its lamps do not either: they change with it.
                let admits = |room: &Room| !lamp.is_outdoors || room.seen_outside();
                for place in spread.places(source, start, admits) {
                    match place {
                        Place::Outdoors => lands.entry(block).or_insert_with(Vec::new).push(lamp),
                        Place::Room(cell) => {
                            let offset = block_offset_between(cell, block.as_cell());
                            rooms.entry(cell).or_default().lamps.push(lamp.moved(offset));
                        }
                    }
                }
            }
        }
        (lands, rooms)
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
fn land_stuff(world: &World, block: BlockId) -> StageInputs {
    let cells = (1..=64).map(|low| block.cell(low));
    let is_home = |object: &&Object| home(object).is_some_and(|cell| cell.block() == block);
    let objects = cells.flat_map(|cell| still(world, cell)).filter(is_home).map(Object::id);
    let objects: BTreeSet<ObjectId> = objects.collect();
    let lands = around(block).chain([block]).map(PieceId::Land);
    let pieces = lands.map(|piece| world.edition_of(piece).cloned()).collect();
    StageInputs { objects: objects.into_iter().collect(), pieces }
}

/// The land cell that an object is drawn with: the first it is in.
pub(super) fn home(object: &Object) -> Option<CellId> {
    let lands = object.cells().iter().filter(|cell| cell.resident && cell.cell.is_outdoor());
    lands.map(|registered| registered.cell).next()
}

/// Objects of a cell that never move.
fn still(world: &World, cell: CellId) -> impl Iterator<Item = &Object> {
    world.objects_in(cell).filter(|object| object.id().as_body().is_none())
}

#[cfg(test)]
mod tests {
    use super::super::Renderer;
    use super::super::light_flood::rooms;
    use super::*;
    use std::sync::Arc;
    use threshold_world::Builder;

    /// Every lamp that shines on a point of an opening is among those of both sides.
    #[test]
    fn a_lamp_near_a_border_lit_one_side_only() {
        let source = Arc::new(threshold_forge::builtin(threshold_forge::SEED).unwrap());
        let builder = Builder::shared(source.clone());
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let mut renderer = Renderer::headless(Arc::new(gpu), source, 1);
        renderer.refresh(&world);
        let store = &renderer.store;
        let (lands, lit) = store.lamplight(&Spread::new(&world));
        let on_land = |block: BlockId, at: Vec3| {
            let lamps = around(block).chain([block]).flat_map(|other| {
                let offset = block_offset_between(block.as_cell(), other.as_cell());
                let lamps = lands.get(&other).into_iter().flatten();
                lamps.map(move |lamp| lamp.moved(offset)).collect::<Vec<_>>()
            });
            let stage = store.lands.get(&block)?;
            let lights = Lights { lamps: lamps.collect(), skylights: Vec::new() };
            Some(lights.lamps_near(stage.tiles[stage.tile_at(at)]))
        };
        let in_room = |cell: CellId| {
            let stage = store.rooms.get(&cell)?;
            Some(lit.get(&cell).map(|lights| lights.lamps_near(stage.bounds)).unwrap_or_default())
        };
        let (mut indoors, mut outdoors) = (0, 0);
        for room in rooms(&world) {
            for portal in room.portals() {
                let at = room.to_block(
                    room.portal_polygon(portal).vertices.iter().sum::<Vec3>() / {
                        #[allow(clippy::cast_precision_loss, reason = "a handful of corners")]
                        let count = room.portal_polygon(portal).vertices.len() as f32;
                        count
                    },
                );
                let here = in_room(room.id());
                let there = match portal.other {
                    Some(other) => in_room(other),
                    None => on_land(room.id().block(), at),
                };
                let (Some(here), Some(there)) = (here, there) else { continue };
                let is_open = |cell: CellId| world.room(cell).is_none_or(Room::seen_outside);
                let is_open = is_open(room.id()) && portal.other.is_none_or(is_open);
                let shines = |lamp: &&Lamp| {
                    (is_open || !lamp.is_outdoors) && lamp.at.distance(at) < lamp.reach
                };
                let places = |lamps: &[Lamp]| {
                    let mut all: Vec<Vec3> =
                        lamps.iter().filter(shines).map(|lamp| lamp.at).collect();
                    all.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
                    all
                };
                let (here, there) = (places(&here), places(&there));
                assert_eq!(here, there, "{} to {:?} at {at}", room.id(), portal.other);
                match portal.other {
                    Some(_) => indoors += here.len(),
                    None => outdoors += here.len(),
                }
            }
        }
        println!("{indoors} lamps at openings between rooms, {outdoors} at ways out");
        assert!(indoors > 50 && outdoors > 20, "{indoors} {outdoors}");
    }
}
