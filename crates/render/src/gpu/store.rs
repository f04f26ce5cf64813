//! Device resources of the resident world: models, and a stage for each landblock and room.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{EnvCell, Record, RecordId, RecordKind, Records, SetupRecord, Source};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, block_offset_between};
use threshold_world::{Edition, Object, ObjectId, PieceId, Room, World};
use wgpu::BindGroupLayout;

use super::Gpu;
use super::lamps::{Lamp, Lamps, Lights};
use super::light_flood::{LightSource, Place, Spread, around};
use super::materials::Materials;
use super::models::{ModelKey, Models, required};
use super::preparer::PreparedKeys;
use super::skylight::skylights;
use super::stage::{Stage, StageBuilder, StageInputs, TILES};
use crate::ground::{self, TerrainMasks};

/// All resources of the resident world.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) models: Models,
    pub(super) lands: BTreeMap<BlockId, Stage>,
    pub(super) rooms: BTreeMap<CellId, Stage>,
    /// Models and frames of celestial objects.
    assemblies: BTreeMap<RecordId, Vec<(usize, Frame)>>,
    lamps: Lamps,
    edition: Option<Edition>,
    /// Messages about records that are missing or cannot be read, each once.
    pub(super) faults: BTreeSet<String>,
}

/// Sources from which a store is filled.
pub(super) struct Supply<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) source: &'a dyn Source,
    pub(super) world: &'a World,
    pub(super) materials: &'a mut Materials,
    pub(super) masks: &'a TerrainMasks,
    pub(super) lamp_layout: &'a BindGroupLayout,
    /// Keys of the preparer, if the host uses one.
    pub(super) prepared_keys: Option<&'a PreparedKeys>,
}

/// Number of unused models that are kept in case they are needed again.
const SPARE_MODELS: usize = 256;

impl Store {
    /// Updates all stages to the world. An unchanged world costs nothing; stages with unchanged inputs are kept.
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
                    let inputs = land_inputs(supply.world, block);
                    let old = old_lands.remove(&block).filter(|old| old.inputs == inputs);
                    let stage = old.unwrap_or_else(|| self.land(supply, block, inputs));
                    self.lands.insert(block, stage);
                }
                PieceId::Room(cell) => {
                    let objects = static_objects(supply.world, cell).map(Object::id).collect();
                    let pieces = vec![supply.world.edition_of(piece).cloned()];
                    let inputs = StageInputs { objects, pieces };
                    let old = old_rooms.remove(&cell).filter(|old| old.inputs == inputs);
                    let stage = old.or_else(|| self.room(supply, cell, inputs));
                    self.rooms.extend(stage.map(|stage| (cell, stage)));
                }
            }
        }
        self.relight(supply);
        self.drop_unused(supply);
    }

    fn land(&mut self, supply: &mut Supply<'_>, block: BlockId, inputs: StageInputs) -> Stage {
        let mut builder = StageBuilder::default();
        let world = supply.world;
        builder.set_terrain(ground::terrain_vertices(world, block, supply.masks));
        for building in world.land(block).map(|land| land.buildings()).unwrap_or_default() {
            for part in &building.setup.parts {
                let frame = building.position.frame.combine(&part.pose);
                if let Some(model) = self.model(supply, ModelKey::Shell(part.model.id)) {
                    builder.add(&self.models, model, &frame, part.scale);
                }
            }
        }
        self.objects(supply, &inputs.objects, block, &mut builder);
        builder.build(supply.gpu, &self.models, inputs, TILES)
    }

    fn room(&mut self, supply: &mut Supply<'_>, id: CellId, inputs: StageInputs) -> Option<Stage> {
        let room = supply.world.room(id)?;
        let record: EnvCell = read_or_fault(supply.source, "room", id.into(), &mut self.faults)?;
        let mut builder = StageBuilder::default();
        let walls = self.model(supply, ModelKey::of_room(&record));
        if let Some(walls) = walls {
            builder.add(&self.models, walls, &room.position().frame, Vec3::ONE);
        }
        self.objects(supply, &inputs.objects, id.block(), &mut builder);
        let mut stage = builder.build(supply.gpu, &self.models, inputs, 1);
        stage.sees_outside = room.seen_outside();
        let colour = walls.and_then(|walls| self.models.get(walls)).map(|walls| walls.mean);
        stage.mean = colour.unwrap_or(stage.mean);
        Some(stage)
    }

    /// Adds all parts and lamps of objects, in the frame of a landblock.
    fn objects(
        &mut self,
        supply: &mut Supply<'_>,
        objects: &[ObjectId],
        block: BlockId,
        builder: &mut StageBuilder,
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
                    true => builder.add_billboard(&self.models, model, &frame, scale),
                    false => builder.add(&self.models, model, &frame, scale),
                }
            }
            let lamps = self.lamps.of(supply.source, object, &mut self.faults);
            builder.lamps.extend(lamps.into_iter().map(|lamp| lamp.moved(offset)));
        }
    }

    /// Returns a model, which is loaded if it is new.
    pub(super) fn model(&mut self, supply: &mut Supply<'_>, key: ModelKey) -> Option<usize> {
        let Supply { gpu, source, materials, .. } = supply;
        self.models.load(gpu, *source, materials, key)
    }

    /// Loads a celestial object: a model, or a setup with its parts.
    pub(super) fn read_assembly(&mut self, supply: &mut Supply<'_>, id: RecordId) {
        if self.assemblies.contains_key(&id) {
            return;
        }
        let is_setup =
            RecordKind::from_id(threshold_dat::FileKind::Portal, id) == RecordKind::Setup;
        let setup: Option<SetupRecord> = match is_setup {
            true => read_or_fault(supply.source, "setup", id, &mut self.faults),
            false => None,
        };
        if is_setup && setup.is_none() {
            self.assemblies.insert(id, Vec::new());
            return;
        }
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

    /// Returns the parts of a celestial object, if it was loaded before.
    pub(super) fn assembly(&self, id: RecordId) -> &[(usize, Frame)] {
        self.assemblies.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Updates the lamps of all stages, and the skylights of rooms.
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

    /// Returns the lamps that reach the land of each landblock, and each room.
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
                // Outdoor lamps change with the day, so they do not light rooms without daylight.
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

    /// Drops unused models and surfaces once there are many, and stale prepared assets.
    fn drop_unused(&mut self, supply: &mut Supply<'_>) {
        let mut models = self.models.drop_stale();
        let mut surfaces = supply.materials.drop_stale();
        let used = self.used(supply.world);
        if self.models.len() >= 2 * used.len() + SPARE_MODELS {
            let (gone, left) = self.models.keep(&used);
            models.extend(gone);
            surfaces.extend(supply.materials.keep(&left));
        }
        if let Some(keys) = supply.prepared_keys {
            keys.remove(&models, &surfaces);
        }
    }

    /// Returns the models of all stages, bodies and celestial objects.
    pub(super) fn used(&self, world: &World) -> BTreeSet<usize> {
        let stages = self.lands.values().chain(self.rooms.values());
        let bodies = world.bodies().flat_map(|body| &body.setup().parts);
        let bodies = bodies.filter_map(|part| self.models.known(&ModelKey::Model(part.model.id)));
        let sky = self.assemblies.values().flatten().map(|(model, _)| *model);
        stages.flat_map(Stage::models).chain(bodies).chain(sky).collect()
    }
}

/// Reads a record that something resident needs. One that is missing or cannot be read is a fault.
pub(super) fn read_or_fault<R: Record>(
    source: &dyn Source,
    what: &str,
    id: RecordId,
    faults: &mut BTreeSet<String>,
) -> Option<R> {
    match required(&mut Records::new(source), what, id) {
        Ok(record) => Some(record),
        Err(fault) => {
            faults.insert(fault);
            None
        }
    }
}

/// Returns the inputs of a landblock: all objects whose first land cell is in it, so that an object across a border is
/// drawn once.
fn land_inputs(world: &World, block: BlockId) -> StageInputs {
    let cells = (1..=64).map(|low| block.cell(low));
    let is_home = |object: &&Object| home(object).is_some_and(|cell| cell.block() == block);
    let objects =
        cells.flat_map(|cell| static_objects(world, cell)).filter(is_home).map(Object::id);
    let objects: BTreeSet<ObjectId> = objects.collect();
    let lands = around(block).chain([block]).map(PieceId::Land);
    let pieces = lands.map(|piece| world.edition_of(piece).cloned()).collect();
    StageInputs { objects: objects.into_iter().collect(), pieces }
}

/// Returns the first land cell of an object; it is drawn with that landblock.
pub(super) fn home(object: &Object) -> Option<CellId> {
    let lands = object.cells().iter().filter(|cell| cell.resident && cell.cell.is_outdoor());
    lands.map(|registered| registered.cell).next()
}

/// Returns the objects of a cell that are not bodies.
fn static_objects(world: &World, cell: CellId) -> impl Iterator<Item = &Object> {
    world.objects_in(cell).filter(|object| object.id().as_body().is_none())
}

#[cfg(test)]
mod tests {
    use super::super::Renderer;
    use super::super::light_flood::rooms;
    use super::*;
    use crate::damage_tests::Village;
    use std::sync::Arc;
    use threshold_dat::RecordSet;
    use threshold_world::{Builder, Portal};

    /// Lamps of a world, by the place that they reach.
    struct LampMap<'a> {
        store: &'a Store,
        lands: BTreeMap<BlockId, Vec<Lamp>>,
        rooms: BTreeMap<CellId, Lights>,
    }

    impl LampMap<'_> {
        /// Lamps of the tile of a point; `None` if the landblock is not resident.
        fn on_land(&self, block: BlockId, at: Vec3) -> Option<Vec<Lamp>> {
            let lamps = around(block).chain([block]).flat_map(|other| {
                let offset = block_offset_between(block.as_cell(), other.as_cell());
                let lamps = self.lands.get(&other).into_iter().flatten();
                lamps.map(move |lamp| lamp.moved(offset))
            });
            let stage = self.store.lands.get(&block)?;
            let lights = Lights { lamps: lamps.collect(), skylights: Vec::new() };
            Some(lights.lamps_near(stage.tiles[stage.tile_at(at)]))
        }

        fn in_room(&self, cell: CellId) -> Option<Vec<Lamp>> {
            let stage = self.store.rooms.get(&cell)?;
            let lights = self.rooms.get(&cell);
            Some(lights.map(|lights| lights.lamps_near(stage.bounds)).unwrap_or_default())
        }
    }

    fn centre_of(room: &Room, portal: &Portal) -> Vec3 {
        let corners = room.portal_polygon(portal).vertices;
        #[allow(clippy::cast_precision_loss, reason = "a handful of corners")]
        let count = corners.len() as f32;
        room.to_block(corners.iter().sum::<Vec3>() / count)
    }

    /// Every lamp that reaches a point of a portal must light the cells on both sides.
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
        assert_eq!(renderer.faults().next(), None);
        let store = &renderer.store;
        let (lands, lit_rooms) = store.lamplight(&Spread::new(&world));
        let map = LampMap { store, lands, rooms: lit_rooms };
        let (mut indoors, mut outdoors) = (0, 0);
        for room in rooms(&world) {
            for portal in room.portals() {
                let at = centre_of(room, portal);
                let here = map.in_room(room.id());
                let there = match portal.other {
                    Some(other) => map.in_room(other),
                    None => map.on_land(room.id().block(), at),
                };
                let (Some(here), Some(there)) = (here, there) else { continue };
                let is_open = |cell: CellId| world.room(cell).is_none_or(Room::seen_outside);
                let is_open = is_open(room.id()) && portal.other.is_none_or(is_open);
                let reaches = |lamp: &&Lamp| {
                    (is_open || !lamp.is_outdoors) && lamp.at.distance(at) < lamp.reach
                };
                let positions = |lamps: &[Lamp]| {
                    let mut all: Vec<Vec3> =
                        lamps.iter().filter(reaches).map(|lamp| lamp.at).collect();
                    all.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
                    all
                };
                let (here, there) = (positions(&here), positions(&there));
                assert_eq!(here, there, "{} to {:?} at {at}", room.id(), portal.other);
                match portal.other {
                    Some(_) => indoors += here.len(),
                    None => outdoors += here.len(),
                }
            }
        }
        println!("{indoors} lamps at portals between rooms, {outdoors} at exit portals");
        assert!(indoors > 50 && outdoors > 20, "{indoors} {outdoors}");
    }

    /// Draws records that differ from those of the world; returns faults and triangles.
    fn refreshed(world: &World, records: RecordSet) -> (Vec<String>, u64) {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let mut renderer = Renderer::headless(Arc::new(gpu), Arc::new(records), 1);
        renderer.refresh(world);
        renderer.refresh(world);
        (renderer.faults().map(str::to_owned).collect(), renderer.triangles())
    }

    #[test]
    fn a_record_that_cannot_be_read_was_left_out_without_a_message() {
        let village = Village::new();
        let (faults, whole) = refreshed(&village.world, village.records.clone());
        assert_eq!(faults, [""; 0]);
        for (file, id) in village.ids() {
            for records in [village.with_damaged(file, id), village.without(file, id)] {
                let (faults, triangles) = refreshed(&village.world, records);
                assert_eq!(faults.len(), 1, "{id}: {faults:?}");
                assert!(faults[0].contains(&id.to_string()), "{id}: {faults:?}");
                assert!(triangles > whole / 2 && triangles <= whole, "{id}: {triangles}");
            }
        }
    }
}
