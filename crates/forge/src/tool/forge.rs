//! The forge: takes blocks and objects and makes a world of records.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::region::Sky;
use threshold_dat::{
    BuildingInfo, BuildingPortalInfo, Environment, GfxObj, LandBlockInfo, Record, RecordId,
    RecordSet,
};
use threshold_land::vector::Vec2;
use threshold_land::{BlockId, CellId};

use crate::stock::material::Material;
use crate::stock::texture::{Pictures, SkyTexture};
use crate::tool::block::{Block, Kind, PlacedPlan, RoomCells, land_cell};
use crate::tool::check::{self, Draft};
use crate::tool::error::{ForgeError, ForgeErrorKind, PlanSite};
use crate::tool::layout::{Layout, checked};
use crate::tool::made::MadeWorld;
use crate::tool::model::{self, Assembly, MotionRecords, ObjectRecords, ObjectSpec};
use crate::tool::plan::RoomKey;
use crate::tool::record::{calendar, cells, ground, region, shell, sky, surface, weather};
use crate::tool::scene::{self, SceneryKind};
use crate::tool::sight::Sight;

/// Makes a world from landblocks and objects.
///
/// Blocks and objects are only collected; [`finish`](Self::finish) checks them and makes the
/// records. The same calls make the same bytes.
#[derive(Clone, Debug)]
pub struct Forge {
    blocks: BTreeMap<BlockId, Block>,
    objects: Vec<(RecordId, ObjectSpec)>,
    scenes: Vec<Vec<SceneryKind>>,
    /// The seed of the pictures, for a dressed world.
    dress: Option<u64>,
}

/// First ids of the records.
const MODELS: u32 = 0x0100_0001;
const SETUPS: u32 = 0x0200_0001;
const ANIMATIONS: u32 = 0x0300_0001;
const MOTION_TABLES: u32 = 0x0900_0001;
const ENVIRONMENTS: u32 = 0x0D00_0001;

impl Default for Forge {
    fn default() -> Self {
        Self::new()
    }
}

impl Forge {
    /// Creates an empty world; it contains only the [`MOVER`](crate::MOVER).
    pub fn new() -> Self {
        let objects = vec![(model::MOVER, ObjectSpec::MOVER)];
        Self { blocks: BTreeMap::new(), objects, scenes: Vec::new(), dress: None }
    }

    /// Creates an empty world with pictures: materials and ground have textures made from the seed, there is a sky
    /// with days and nights, and the mover is a walking figure. Without this materials are plain colours, which is
    /// enough for tests and measurements.
    pub fn dressed(seed: u64) -> Self {
        let objects = vec![(model::MOVER, ObjectSpec::Figure)];
        Self { dress: Some(seed), objects, ..Self::new() }
    }

    /// Returns the landblock `id`, flat at height 0 unless it was changed.
    pub fn block(&mut self, id: BlockId) -> &mut Block {
        self.blocks.entry(id).or_insert_with(|| Block::new(id))
    }

    /// Returns a plan placed in a landblock.
    pub(crate) fn standing(&self, placed: &RoomCells) -> Option<&PlacedPlan> {
        let block = self.blocks.get(&placed.block())?;
        block.plans.iter().find(|standing| standing.placed == *placed)
    }

    /// Returns the height of the ground at a point of a landblock; `None` outside the land.
    pub(crate) fn ground(&self, block: BlockId, at: Vec2) -> Option<f32> {
        self.blocks.get(&block)?.ground(at)
    }

    /// Adds an object and returns its id: that of its setup, or of its model if it has
    /// none.
    pub fn object(&mut self, object: ObjectSpec) -> RecordId {
        let is_model = |object: &ObjectSpec| matches!(object, ObjectSpec::Solid(_));
        // Every object has a model, so a bare model takes the next one of that row.
        let next = u32::try_from(self.objects.len()).unwrap_or(u32::MAX >> 8);
        let first = if is_model(&object) { MODELS } else { SETUPS };
        let id = RecordId(first.saturating_add(next));
        self.objects.push((id, object));
        id
    }

    /// Adds a scene and returns its number for [`Block::scenes`] and [`TerrainMap::grow`](crate::TerrainMap::grow):
    /// 1 for the first. A world can have 31.
    pub fn scene(&mut self, growths: Vec<SceneryKind>) -> u8 {
        self.scenes.push(growths);
        // More scenes are refused by `finish`.
        u8::try_from(self.scenes.len()).unwrap_or(u8::MAX)
    }

    /// Checks the world and makes its records.
    pub fn finish(self) -> Result<MadeWorld, ForgeError> {
        // The first model of each object has the object's own number; all others follow.
        let models = u32::try_from(self.objects.len()).unwrap_or(u32::MAX);
        let pictures = self.dress.map(Pictures::new);
        let mut out = RecordMaker { models, pictures, ..RecordMaker::default() };
        for (number, (row, (id, object))) in (0..).zip(self.objects.iter()).enumerate() {
            // The mover comes before the objects that were added.
            let number = number.saturating_sub(1);
            out.object(row, *id, object).map_err(|error| error.in_object(number))?;
        }
        out.scenes(&self.scenes)?;
        for block in self.blocks.values() {
            out.block(block).map_err(|error| error.in_block(block.id))?;
        }
        out.region(self.scenes.len())?;
        out.surfaces()?;
        check::borders(&self.blocks)?;
        Ok(MadeWorld::new(out.records))
    }
}

/// The records made up to now.
#[derive(Default)]
struct RecordMaker {
    records: RecordSet,
    /// Ids that were assigned.
    objects: BTreeSet<RecordId>,
    /// Textures of the materials, in a dressed world.
    pictures: Option<Pictures>,
    /// Low words of the surfaces in use.
    shown: BTreeSet<u16>,
    models: u32,
    environments: u32,
    animations: u32,
    tables: u32,
    /// By their bytes without the id, so that equal ones are made once.
    known_shells: BTreeMap<Vec<u8>, RecordId>,
    known_environments: BTreeMap<Vec<u8>, RecordId>,
}

impl RecordMaker {
    /// Makes an object; `number` is its index among the objects.
    fn object(&mut self, number: u32, id: RecordId, object: &ObjectSpec) -> Result<(), ForgeError> {
        self.objects.insert(id);
        let ObjectRecords { models, setup } = model::make(object)?;
        let mut ids = Vec::with_capacity(models.len());
        for (index, model) in models.into_iter().enumerate() {
            let mut own = number;
            let row = if index == 0 { &mut own } else { &mut self.models };
            let id = next("models", MODELS, row)?;
            self.put_model(id, model)?;
            ids.push(id);
        }
        let Some(Assembly { mut setup, parts, moves }) = setup else { return Ok(()) };
        setup.id = id;
        setup.parts = parts.iter().filter_map(|part| ids.get(*part).copied()).collect();
        if let Some(moves) = moves {
            setup.defaults.motion_table = self.moves(moves)?;
        }
        self.records.put(id, &setup)?;
        Ok(())
    }

    /// Adds the animations of an object and its motion table. Returns the id of the table.
    fn moves(&mut self, moves: MotionRecords) -> Result<RecordId, ForgeError> {
        let MotionRecords { animations, mut table } = moves;
        let first = self.animations;
        for mut animation in animations {
            animation.id = next("animations", ANIMATIONS, &mut self.animations)?;
            self.records.put(animation.id, &animation)?;
        }
        let motions = table.cycles.iter_mut().chain(&mut table.modifiers);
        let links = table.links.iter_mut().flat_map(|links| &mut links.motions);
        for span in motions.chain(links).flat_map(|motion| &mut motion.animations) {
            // Until here it was the index in the list.
            span.animation = RecordId(ANIMATIONS + first + span.animation.0);
        }
        table.id = next("motion tables", MOTION_TABLES, &mut self.tables)?;
        self.records.put(table.id, &table)?;
        Ok(table.id)
    }

    /// Models have consecutive ids.
    fn add_model(&mut self, model: GfxObj) -> Result<RecordId, ForgeError> {
        let id = next("models", MODELS, &mut self.models)?;
        self.put_model(id, model)?;
        Ok(id)
    }

    fn put_model(&mut self, id: RecordId, mut model: GfxObj) -> Result<(), ForgeError> {
        model.id = id;
        let low = |surface: &RecordId| u16::try_from(surface.0 & 0xFFFF).unwrap_or(0);
        self.shown.extend(model.surfaces.iter().map(low));
        self.records.put(id, &model)?;
        Ok(())
    }

    fn scenes(&mut self, scenes: &[Vec<SceneryKind>]) -> Result<(), ForgeError> {
        if scenes.len() > scene::MAX_SCENES {
            return Err(ForgeErrorKind::TooMany("scenes").here());
        }
        for (slot, growths) in (1..).zip(scenes) {
            let unknown = growths.iter().find(|growth| !self.objects.contains(&growth.object));
            if let Some(growth) = unknown {
                return Err(ForgeErrorKind::UnknownObject(growth.object).here());
            }
            self.records.put(scene::id(slot), &scene::record(slot, growths))?;
        }
        Ok(())
    }

    /// Adds the materials in use.
    fn surfaces(&mut self) -> Result<(), ForgeError> {
        for material in Material::all().filter(|material| self.shown.contains(&material.low())) {
            let surface = match &mut self.pictures {
                None => surface::plain(material),
                Some(pictures) => {
                    let texture = pictures.material(material, &mut self.records)?;
                    surface::pictured(material, texture)
                }
            };
            self.records.put(material.surface(), &surface)?;
        }
        Ok(())
    }

    fn region(&mut self, scenes: usize) -> Result<(), ForgeError> {
        let mut region = region::region(scenes);
        if let Some(pictures) = &mut self.pictures {
            region.time = calendar::named(region.time);
            ground::dress(&mut region.terrain.textures, pictures, &mut self.records)?;
            for heaven in SkyTexture::ALL {
                let texture = pictures.heaven(heaven, &mut self.records)?;
                self.records.put(sky::surface_id(heaven), &sky::surface(heaven, texture))?;
            }
            region.sky = Some(self.sky()?);
        }
        self.records.put(region::ID, &region)?;
        Ok(())
    }

    /// After all other models, so that their ids do not depend on the sky.
    fn sky(&mut self) -> Result<Sky, ForgeError> {
        let mut models = BTreeMap::new();
        for heaven in SkyTexture::ALL {
            models.insert(heaven, self.add_model(sky::model(heaven)?)?);
        }
        Ok(weather::sky(|heaven| models.get(&heaven).copied().unwrap_or_default()))
    }

    fn block(&mut self, block: &Block) -> Result<(), ForgeError> {
        if !block.id.in_bounds() {
            return Err(ForgeErrorKind::BlockOffMap.here());
        }
        let mut ground = block.ground.record(block.id)?;
        let mut info = LandBlockInfo::empty(block.id);
        info.cells = block.check_rooms()?;
        info.objects = block.stabs(&self.objects)?;
        let drafts = drafts(block)?;
        check::plans(&drafts)?;
        for draft in &drafts {
            let building = self.plan(block.id, draft);
            info.buildings.extend(building.map_err(|error| error.in_plan(draft.site))?);
        }
        if info != LandBlockInfo::empty(block.id) {
            ground.has_info = 1;
            self.records.put(block.id.cell(0xFFFE).into(), &info)?;
        }
        self.records.put(block.id.as_cell().into(), &ground)?;
        Ok(())
    }

    /// Adds the cells of a plan, and its building if it has one.
    fn plan(
        &mut self,
        block: BlockId,
        draft: &Draft<'_>,
    ) -> Result<Option<BuildingInfo>, ForgeError> {
        let Draft { standing, layout, .. } = draft;
        let sight = Sight::of(layout, standing.plan.lists);
        let first = standing.placed.first();
        let statics = draft.statics(&self.objects)?;
        for ((number, chamber), statics) in layout.rooms.iter().enumerate().zip(statics) {
            let here = |error: ForgeError| error.in_room(standing.plan.site(RoomKey(number)));
            let shape = cells::environment(chamber);
            let (environment, materials) = shape.map_err(|error| here(error.into()))?;
            let openings = environment.structures[0].portals.clone();
            let cell = cells::Cell {
                id: block.cell(cells::low(first, number)),
                first,
                environment: self.environment(environment).map_err(here)?,
                materials,
                plan: draft.frame,
                chamber,
                openings: &openings,
                seen: &sight.of_room(number),
                statics,
            };
            let record = cell.record();
            self.shown.extend(&record.surfaces);
            self.records.put(record.id.into(), &record).map_err(|error| here(error.into()))?;
        }
        match standing.kind {
            Kind::Dungeon => Ok(None),
            Kind::Building => self.building(draft, &sight).map(Some),
        }
    }

    fn building(&mut self, draft: &Draft<'_>, sight: &Sight) -> Result<BuildingInfo, ForgeError> {
        let first = draft.standing.placed.first();
        let shell = shell::shell(&draft.layout, &draft.standing.plan)?;
        let portal = |(room, gate): &(usize, usize)| BuildingPortalInfo {
            flags: cells::BUILDING_PORTAL,
            other_cell: cells::low(first, *room),
            other_portal: u16::try_from(*gate).unwrap_or(u16::MAX),
            visible: sight
                .through_exit(*room, *gate)
                .rooms
                .iter()
                .map(|room| cells::low(first, *room))
                .collect(),
        };
        let portals = shell.portals.iter().map(portal).collect();
        let bytes = shell.model.encode()?;
        let model = match self.known_shells.get(&bytes) {
            Some(id) => *id,
            None => self.add_model(shell.model)?,
        };
        self.known_shells.insert(bytes, model);
        Ok(BuildingInfo { model, frame: draft.frame, leaves: shell.leaves, portals })
    }

    /// Returns the low word of an environment with this shape.
    fn environment(&mut self, mut environment: Environment) -> Result<u16, ForgeError> {
        let bytes = environment.encode()?;
        let id = match self.known_environments.get(&bytes) {
            Some(id) => *id,
            None => {
                let id = next("environments", ENVIRONMENTS, &mut self.environments)?;
                environment.id = id;
                self.records.put(id, &environment)?;
                self.known_environments.insert(bytes, id);
                id
            }
        };
        Ok(u16::try_from(id.0 & 0xFFFF).unwrap_or(0))
    }
}

/// The checked plans of a landblock.
fn drafts(block: &Block) -> Result<Vec<Draft<'_>>, ForgeError> {
    let mut taken = BTreeMap::new();
    let mut drafts = Vec::with_capacity(block.plans.len());
    for (number, standing) in block.plans.iter().enumerate() {
        let site = match standing.kind {
            Kind::Building => PlanSite::Building(number),
            Kind::Dungeon => PlanSite::Dungeon(number),
        };
        let draft = draft(block.id, standing, site, &mut taken);
        drafts.push(draft.map_err(|error| error.in_plan(site))?);
    }
    Ok(drafts)
}

/// `taken` are the land cells of the buildings before it.
fn draft<'a>(
    block: BlockId,
    standing: &'a PlacedPlan,
    site: PlanSite,
    taken: &mut BTreeMap<CellId, usize>,
) -> Result<Draft<'a>, ForgeError> {
    let mut own_cell = None;
    if let PlanSite::Building(number) = site {
        let cell = land_cell(block, &standing.frame)?;
        if let Some(other) = taken.insert(cell, number) {
            return Err(ForgeErrorKind::LandCellTaken { cell, other }.here());
        }
        own_cell = Some(cell);
    }
    let frame = checked(&standing.frame, "the plan's frame")?;
    let draft = Draft { standing, site, frame, layout: Layout::of(&standing.plan, site)? };
    if let Some(cell) = own_cell {
        draft.check_within(cell)?;
    }
    Ok(draft)
}

/// Returns the next id of a kind: at most 65,535, as rooms name them by their low words.
fn next(what: &'static str, first: u32, used: &mut u32) -> Result<RecordId, ForgeError> {
    let id = RecordId(first + *used);
    *used += 1;
    if *used > 0xFFFE { Err(ForgeErrorKind::TooMany(what).here()) } else { Ok(id) }
}
