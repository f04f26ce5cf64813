//! Device resources of the resident world: models, and a stage for each landblock and room.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{EnvCell, RecordId, Source};
use threshold_land::{BlockId, CellId, Frame, block_offset_between};
use threshold_visuals::asset::{MeshKey, read_or_fault};
use threshold_visuals::drawn::{MeshInstance, drawn_objects, neighbours, sky_parts};
use threshold_visuals::ground::{self, TerrainMasks};
use threshold_visuals::light::{Lights, SetupLamps, WorldLights};
use threshold_world::{Edition, Object, ObjectId, PieceId, World};
use wgpu::BindGroupLayout;

use super::Gpu;
use super::materials::Materials;
use super::models::Models;
use super::preparer::PreparedKeys;
use super::stage::{Stage, StageBuilder, StageInputs, TILES};

/// All resources of the resident world.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) models: Models,
    pub(super) lands: BTreeMap<BlockId, Stage>,
    pub(super) rooms: BTreeMap<CellId, Stage>,
    /// Models and frames of celestial objects.
    assemblies: BTreeMap<RecordId, Vec<(usize, Frame)>>,
    lamps: SetupLamps,
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
                    let objects = drawn_objects(supply.world, piece).map(Object::id).collect();
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
        for shell in world.land(block).into_iter().flat_map(MeshInstance::of_buildings) {
            self.add(supply, shell, &mut builder);
        }
        self.objects(supply, &inputs.objects, block, &mut builder);
        builder.build(supply.gpu, &self.models, inputs, TILES)
    }

    fn room(&mut self, supply: &mut Supply<'_>, id: CellId, inputs: StageInputs) -> Option<Stage> {
        let room = supply.world.room(id)?;
        let record: EnvCell = read_or_fault(supply.source, "room", id.into(), &mut self.faults)?;
        let mut builder = StageBuilder::default();
        let walls = self.add(supply, MeshInstance::of_walls(room, &record), &mut builder);
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
            for part in MeshInstance::of_object(object, block) {
                self.add(supply, part, builder);
            }
            let offset = block_offset_between(block.as_cell(), object.position().cell);
            let lamps = self.lamps.of_object(supply.source, object, &mut self.faults);
            builder.lamps.extend(lamps.into_iter().map(|lamp| lamp.moved(offset)));
        }
    }

    /// Adds an instance of a model; returns the model.
    fn add(
        &mut self,
        supply: &mut Supply<'_>,
        instance: MeshInstance,
        builder: &mut StageBuilder,
    ) -> Option<usize> {
        let model = self.model(supply, instance.key.clone())?;
        builder.add(&self.models, model, &instance);
        Some(model)
    }

    /// Returns a model, which is loaded if it is new.
    pub(super) fn model(&mut self, supply: &mut Supply<'_>, key: MeshKey) -> Option<usize> {
        let Supply { gpu, source, materials, .. } = supply;
        self.models.load(gpu, *source, materials, key)
    }

    /// Loads a celestial object: a model, or a setup with its parts.
    pub(super) fn read_assembly(&mut self, supply: &mut Supply<'_>, id: RecordId) {
        if self.assemblies.contains_key(&id) {
            return;
        }
        let mut known = Vec::new();
        for (key, frame) in sky_parts(supply.source, id, &mut self.faults) {
            known.extend(self.model(supply, key).map(|number| (number, frame)));
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
        let lights = self.lights(world);
        for (block, stage) in &mut self.lands {
            stage.relight(gpu, lamp_layout, &lights.of_land(*block));
        }
        let none = Lights::default();
        for (cell, stage) in &mut self.rooms {
            stage.relight(gpu, lamp_layout, lights.of_room(*cell).unwrap_or(&none));
        }
    }

    /// Returns the lights that reach the land of each landblock, and each room.
    fn lights(&self, world: &World) -> WorldLights {
        let outdoors = self.lands.iter().map(|(id, stage)| (PieceId::Land(*id), &stage.lamps[..]));
        let indoors = self.rooms.iter().map(|(id, stage)| (PieceId::Room(*id), &stage.lamps[..]));
        WorldLights::spread(world, outdoors.chain(indoors))
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
        let bodies = bodies.filter_map(|part| self.models.known(&MeshKey::Model(part.model.id)));
        let sky = self.assemblies.values().flatten().map(|(model, _)| *model);
        stages.flat_map(Stage::models).chain(bodies).chain(sky).collect()
    }
}

/// Returns the inputs of a landblock.
fn land_inputs(world: &World, block: BlockId) -> StageInputs {
    let objects = drawn_objects(world, PieceId::Land(block)).map(Object::id).collect();
    let lands = neighbours(block).chain([block]).map(PieceId::Land);
    let pieces = lands.map(|piece| world.edition_of(piece).cloned()).collect();
    StageInputs { objects, pieces }
}

#[cfg(test)]
mod tests {
    use super::super::Renderer;
    use super::*;
    use std::sync::Arc;
    use threshold_dat::RecordSet;
    use threshold_land::vector::Vec3;
    use threshold_testkit::Village;
    use threshold_visuals::light::Lamp;
    use threshold_world::{Builder, Portal, Room};

    /// Lights of a world, by the place that they reach.
    struct LampMap<'a> {
        store: &'a Store,
        lights: WorldLights,
    }

    impl LampMap<'_> {
        /// Lamps of the tile of a point; `None` if the landblock is not resident.
        fn on_land(&self, block: BlockId, at: Vec3) -> Option<Vec<Lamp>> {
            let stage = self.store.lands.get(&block)?;
            Some(self.lights.of_land(block).lamps_near(stage.tiles[stage.tile_at(at)]))
        }

        fn in_room(&self, cell: CellId) -> Option<Vec<Lamp>> {
            let stage = self.store.rooms.get(&cell)?;
            let lights = self.lights.of_room(cell);
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
        let map = LampMap { store, lights: store.lights(&world) };
        let (mut indoors, mut outdoors) = (0, 0);
        for room in world.resident().filter_map(|piece| match piece {
            PieceId::Room(cell) => world.room(cell),
            PieceId::Land(_) => None,
        }) {
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
