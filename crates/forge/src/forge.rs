//! The forge: blocks and objects in, a world of records out.

use std::collections::BTreeMap;

use threshold_dat::{
    Building, BuildingPortal, Environment, GfxObj, LandBlockInfo, Record, RecordId, RecordSet, Stab,
};
use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{BlockId, CELL_LENGTH, CellId, Frame};

use crate::block::{Block, Kind, Standing, land_cell};
use crate::error::{ErrorKind, ForgeError, PlanSite};
use crate::layout::{Layout, checked};
use crate::made::MadeWorld;
use crate::model::{self, Object};
use crate::opening;
use crate::plan::{Plan, RoomKey};
use crate::record::{cells, region, shell, surface};
use crate::sight::Sight;

/// Makes a world.
///
/// Blocks and objects are only collected; [`finish`](Self::finish) checks everything and makes the
/// records. The same calls make the same bytes.
#[derive(Clone, Debug)]
pub struct Forge {
    blocks: BTreeMap<BlockId, Block>,
    objects: Vec<(RecordId, Object)>,
}

/// Where the ids of models, setups and environments begin.
const MODELS: u32 = 0x0100_0001;
const SETUPS: u32 = 0x0200_0001;
const ENVIRONMENTS: u32 = 0x0D00_0001;

impl Default for Forge {
    fn default() -> Self {
        Self::new()
    }
}

impl Forge {
    /// An empty world; only the [`MOVER`](crate::MOVER) is in it.
    pub fn new() -> Self {
        Self { blocks: BTreeMap::new(), objects: vec![(model::MOVER, Object::MOVER)] }
    }

    /// The landblock `id`, flat at height 0 unless it was changed.
    pub fn block(&mut self, id: BlockId) -> &mut Block {
        self.blocks.entry(id).or_insert_with(|| Block::new(id))
    }

    /// Makes an object and hands out the id to put it by: that of its setup, or of its model if it has
    /// none.
    pub fn object(&mut self, object: Object) -> RecordId {
        let is_model = |object: &Object| matches!(object, Object::Solid(_));
        // Every object has a model, so a bare model takes the next one of that row.
        let next = u32::try_from(self.objects.len()).unwrap_or(u32::MAX >> 8);
        let first = if is_model(&object) { MODELS } else { SETUPS };
        let id = RecordId(first.saturating_add(next));
        self.objects.push((id, object));
        id
    }

    /// Checks the world and makes its records.
    pub fn finish(self) -> Result<MadeWorld, ForgeError> {
        let mut out = Smith::default();
        out.records.put(region::ID, &region::region())?;
        for (id, surface) in surface::surfaces() {
            out.records.put(id, &surface)?;
        }
        for (id, object) in &self.objects {
            out.object(*id, object)?;
        }
        for block in self.blocks.values() {
            out.block(block).map_err(|error| error.in_block(block.id))?;
        }
        Ok(MadeWorld::new(out.records))
    }
}

/// The records made so far.
#[derive(Default)]
struct Smith {
    records: RecordSet,
    models: u32,
    environments: u32,
    /// By their bytes without an id, so that equal ones are made once.
    known_shells: BTreeMap<Vec<u8>, RecordId>,
    known_environments: BTreeMap<Vec<u8>, RecordId>,
}

impl Smith {
    fn object(&mut self, id: RecordId, object: &Object) -> Result<(), ForgeError> {
        let made = model::make(object)?;
        let model = self.add_model(made.model)?;
        if let Some(mut setup) = made.setup {
            (setup.id, setup.parts) = (id, vec![model]);
            self.records.put(id, &setup)?;
        }
        Ok(())
    }

    /// Models are numbered one by one.
    fn add_model(&mut self, mut model: GfxObj) -> Result<RecordId, ForgeError> {
        let id = next("models", MODELS, &mut self.models)?;
        model.id = id;
        self.records.put(id, &model)?;
        Ok(id)
    }

    fn block(&mut self, block: &Block) -> Result<(), ForgeError> {
        if !block.id.in_bounds() {
            return Err(ErrorKind::BlockOffMap.here());
        }
        let mut ground = block.ground.record(block.id)?;
        let mut info = LandBlockInfo::empty(block.id);
        info.cells = block.check_rooms()?;
        info.objects = block.stabs()?;
        let mut taken = BTreeMap::new();
        for (number, standing) in block.plans.iter().enumerate() {
            let site = match standing.kind {
                Kind::Building => PlanSite::Building(number),
                Kind::Dungeon => PlanSite::Dungeon(number),
            };
            let here = |error: ForgeError| error.in_plan(site);
            if standing.kind == Kind::Building {
                let cell =
                    land_cell(block.id, &standing.frame).map_err(|kind| here(kind.here()))?;
                if let Some(other) = taken.insert(cell, number) {
                    return Err(here(ErrorKind::LandCellTaken { cell, other }.here()));
                }
            }
            let building = self.plan(block.id, standing, site).map_err(here)?;
            info.buildings.extend(building);
        }
        if info != LandBlockInfo::empty(block.id) {
            ground.has_info = 1;
            self.records.put(block.id.cell(0xFFFE).into(), &info)?;
        }
        self.records.put(block.id.itself().into(), &ground)?;
        Ok(())
    }

    /// The cells of a plan, and its building if it is one.
    fn plan(
        &mut self,
        block: BlockId,
        standing: &Standing,
        site: PlanSite,
    ) -> Result<Option<Building>, ForgeError> {
        let frame = checked(&standing.frame, "the plan's frame")?;
        let layout = Layout::of(&standing.plan, site)?;
        if standing.kind == Kind::Building {
            check_within(land_cell(block, &frame)?, &frame, &layout, &standing.plan)?;
        }
        let sight = Sight::of(&layout);
        let first = standing.placed.first();
        for (number, chamber) in layout.rooms.iter().enumerate() {
            let environment = cells::environment(chamber)?;
            let openings = environment.structures[0].portals.clone();
            let cell = cells::Cell {
                id: block.cell(cells::low(first, number)),
                first,
                environment: self.environment(environment)?,
                plan: frame,
                chamber,
                openings: &openings,
                seen: &sight.of_room(number),
                statics: statics(standing, number)?,
            };
            let record = cell.record();
            self.records.put(record.id.into(), &record)?;
        }
        match standing.kind {
            Kind::Dungeon => Ok(None),
            Kind::Building => self.building(standing, &layout, &sight).map(Some),
        }
    }

    fn building(
        &mut self,
        standing: &Standing,
        layout: &Layout,
        sight: &Sight,
    ) -> Result<Building, ForgeError> {
        let first = standing.placed.first();
        let shell = shell::shell(layout, &standing.plan)?;
        let portal = |(room, gate): &(usize, usize)| BuildingPortal {
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
        let frame = checked(&standing.frame, "the plan's frame")?;
        Ok(Building { model, frame, leaves: shell.leaves, portals })
    }

    /// The low word of an environment with this shape.
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

/// Refuses a building that leaves its land cell.
fn check_within(
    cell: CellId,
    frame: &Frame,
    layout: &Layout,
    plan: &Plan,
) -> Result<(), ForgeError> {
    let index = cell.low() - 1;
    let low = Vec2::new(f32::from(index >> 3), f32::from(index & 7)) * CELL_LENGTH;
    let beyond = |corner: Vec3| {
        let at = frame.to_global(corner).truncate();
        (low - at).max(at - low - CELL_LENGTH).max_element()
    };
    for (number, chamber) in layout.rooms.iter().enumerate() {
        let corners = chamber.space.corners().map(|corner| chamber.frame.to_global(corner));
        let by = corners.map(beyond).fold(0.0, f32::max);
        if by > opening::FIT {
            let error = ErrorKind::LeavesLandCell { cell, by }.here();
            return Err(error.in_room(plan.site(RoomKey(number))));
        }
    }
    Ok(())
}

/// The next id of a row: 65,535 at the most, as rooms name them by their low words.
fn next(what: &'static str, first: u32, used: &mut u32) -> Result<RecordId, ForgeError> {
    let id = RecordId(first + *used);
    *used += 1;
    if *used > 0xFFFE { Err(ErrorKind::TooMany(what).here()) } else { Ok(id) }
}

/// The objects of a room, in the landblock's frame.
fn statics(standing: &Standing, room: usize) -> Result<Vec<Stab>, ForgeError> {
    let plan = &standing.plan;
    let frame = checked(&standing.frame, "the plan's frame")?;
    if let Some(lost) = plan.objects.iter().find(|placed| placed.room.0 >= plan.len()) {
        return Err(ErrorKind::NoSuchRoom.here().in_room(plan.site(lost.room)));
    }
    let own = plan.objects.iter().filter(|placed| placed.room.0 == room);
    own.map(|placed| {
        let local = checked(&placed.frame, "an object");
        let local = local.map_err(|kind| kind.here().in_room(plan.site(placed.room)))?;
        Ok(Stab { model: placed.model, frame: frame.combine(&local) })
    })
    .collect()
}
