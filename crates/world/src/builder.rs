//! Builds pieces of the world from records.

mod shapes;

use std::collections::BTreeSet;
use std::sync::Arc;

use threshold_dat::{
    self as dat, EnvCell, FileKind, LandBlock, LandBlockInfo, RecordId, RecordKind, Records,
    Source, Stab,
};
use threshold_land::{BlockId, CellId, Position, adjust_to_outside, cell_index};

use self::shapes::Shapes;
use crate::constants::{LAND_CELLS, SIDE_VERTICES};
use crate::fault::{Fault, Problem};
use crate::land::{Building, Land, NO_BUILDING};
use crate::limits::{
    Item, MAX_COORDINATE, MAX_ROTATION, MAX_SCALE, MIN_SCALE, RangeError, check, check_size,
    is_usable_point,
};
use crate::model::Setup;
use crate::object::{Object, ObjectId};
use crate::piece::PieceId;
use crate::region::RegionTables;
use crate::room::Room;
use crate::scenery::{SceneryPlacement, is_within_block, scene_index};
use crate::terrain::Terrain;

/// Builds pieces of the world from the records of a source.
///
/// Any number of threads may share one: building only reads, apart from the shared store of shapes.
/// A piece that is partly wrong is built without the wrong part, with a [`Fault`] that names it.
#[derive(Debug)]
pub struct Builder {
    source: SharedSource,
    shapes: Shapes,
}

/// Keeps the source out of debug output.
struct SharedSource(Arc<dyn Source>);

impl std::fmt::Debug for SharedSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Source")
    }
}

/// A piece of the world, ready for [`World::adopt`](crate::World::adopt).
#[derive(Clone, Debug)]
pub enum Piece {
    /// The land of a landblock.
    Land(Box<Land>),
    /// A room.
    Room(Box<Room>),
}

impl Piece {
    /// Returns its id.
    pub fn id(&self) -> PieceId {
        match self {
            Self::Land(land) => PieceId::Land(land.block()),
            Self::Room(room) => PieceId::Room(room.id()),
        }
    }

    /// The objects of its record and, outdoors, its scenery.
    pub fn objects(&self) -> &[Object] {
        match self {
            Self::Land(land) => &land.objects,
            Self::Room(room) => &room.objects,
        }
    }

    /// Removes and returns the objects that `wanted` selects: an object that moves must be a body
    /// instead.
    pub fn take_objects(&mut self, mut wanted: impl FnMut(&Object) -> bool) -> Vec<Object> {
        let objects = match self {
            Self::Land(land) => &mut land.objects,
            Self::Room(room) => &mut room.objects,
        };
        objects.extract_if(.., |object| wanted(object)).collect()
    }
}

/// A piece, and the faults found while building it.
#[derive(Clone, Debug)]
pub struct BuiltPiece {
    /// The piece.
    pub piece: Piece,
    /// Parts that were left out.
    pub faults: Vec<Fault>,
}

impl Builder {
    /// Creates a builder that reads from `source`.
    pub fn new(source: impl Source + 'static) -> Self {
        Self::shared(Arc::new(source))
    }

    /// Creates a builder that reads from a shared source.
    pub fn shared(source: Arc<dyn Source>) -> Self {
        Self { source: SharedSource(source), shapes: Shapes::default() }
    }

    /// The source it reads from.
    pub fn source(&self) -> &Arc<dyn Source> {
        &self.source.0
    }

    /// The ids of all pieces of the source, by landblock, rooms before the land. Use it to load a
    /// whole world.
    pub fn pieces(&self) -> Vec<PieceId> {
        let piece = |id: RecordId| match RecordKind::from_id(FileKind::Cell, id) {
            RecordKind::LandBlock => Some(PieceId::Land(id.cell().block())),
            RecordKind::EnvCell => Some(PieceId::Room(id.cell())),
            _ => None,
        };
        let ids = self.source.0.ids(FileKind::Cell);
        ids.into_iter().filter_map(piece).filter(|piece| piece.is_on_map()).collect()
    }

    fn records(&self) -> Records<'_> {
        Records::new(&*self.source.0)
    }

    /// Builds a piece. Returns `None` if the source has no such piece or the id is off the map, and
    /// a fault if nothing of it can be used.
    ///
    /// A room reads its own record, its environment and the models of its objects, and nothing of
    /// the landscape.
    pub fn build(&self, id: PieceId) -> Result<Option<BuiltPiece>, Fault> {
        if !id.is_on_map() {
            return Ok(None);
        }
        let mut problems = Vec::new();
        let piece = match id {
            PieceId::Land(block) => {
                self.land(block, &mut problems).map(|land| land.map(Box::new).map(Piece::Land))
            }
            PieceId::Room(cell) => {
                self.room(cell, &mut problems).map(|room| room.map(Box::new).map(Piece::Room))
            }
        };
        // Objects that share a wrong shape report it once.
        let mut reported = BTreeSet::new();
        let faults = problems.into_iter().filter(|problem| reported.insert(problem.to_string()));
        let locate = |problem| Fault { piece: id, problem };
        let faults = faults.map(locate).collect();
        piece.map(|piece| piece.map(|piece| BuiltPiece { piece, faults })).map_err(locate)
    }

    /// Builds the shapes of a model or setup. Unlike the objects of a piece, it fails if any part
    /// of it is wrong.
    pub fn setup(&self, id: RecordId) -> Result<Arc<Setup>, Problem> {
        let (setup, mut problems) = self.shapes.setup(&mut self.records(), id)?;
        problems.pop().map_or(Ok(setup), Err)
    }

    /// Drops cached shapes that no piece uses any more, and cached failures. Call it whenever
    /// pieces were dropped; shapes are otherwise kept for the life of the builder.
    pub fn forget_unused_shapes(&self) {
        self.shapes.forget_unused();
    }

    /// Bytes of the cached shapes.
    pub fn shapes_size(&self) -> usize {
        self.shapes.size()
    }

    fn land(&self, block: BlockId, faults: &mut Vec<Problem>) -> Result<Option<Land>, Problem> {
        let records = &mut self.records();
        let Some(record) = records.get::<LandBlock>(block.as_cell().into())? else {
            return Ok(None);
        };
        let region = &*self.shapes.region(records)?;
        let mut land = Land {
            block,
            terrain: Terrain::new(&record, &region.heights).ok_or(Problem::NoGround)?,
            buildings: Vec::new(),
            building_at: [NO_BUILDING; LAND_CELLS],
            visible_rooms: Box::default(),
            restrictions: Box::default(),
            objects: Vec::new(),
        };
        if record.has_info != 0 {
            let id = block.cell(0xFFFE).into();
            match records.get::<LandBlockInfo>(id) {
                Ok(Some(info)) => self.add_buildings_and_objects(records, &mut land, info, faults),
                Ok(None) => faults.push(Problem::Missing { what: "landblock info", record: id }),
                Err(error) => faults.push(error.into()),
            }
        }
        self.add_scenery(records, region, &mut land, faults);
        Ok(Some(land))
    }

    /// Adds the buildings and objects of the record to the land.
    fn add_buildings_and_objects(
        &self,
        records: &mut Records<'_>,
        land: &mut Land,
        info: LandBlockInfo,
        faults: &mut Vec<Problem>,
    ) {
        let mut buildings = Vec::with_capacity(info.buildings.len().min(LAND_CELLS));
        for (number, building) in info.buildings.iter().enumerate() {
            match self.building(records, land, number, building, faults) {
                Ok((index, building)) => {
                    // At most one per cell, so the index is below 64.
                    land.building_at[index] = u8::try_from(buildings.len()).unwrap_or(u8::MAX);
                    buildings.push(building);
                }
                Err(problem) => faults.push(problem),
            }
        }
        land.set_buildings(buildings);
        let own = |number| ObjectId::outdoor(land.block, number);
        let outdoors = |number: usize, stab: &Stab| {
            let outside = Problem::Outside { what: "object", number, record: stab.model };
            let (cell, _) = land_cell_under(land.block, stab.frame.origin).ok_or(outside)?;
            Ok(Position { cell, frame: stab.frame })
        };
        land.objects = self.objects(records, &info.objects, own, outdoors, faults);
        if let Some(mut restrictions) = info.restrictions {
            // The sort is stable: the first entry of a cell stays the one that counts.
            restrictions.entries.sort_by_key(|entry| entry.cell);
            land.restrictions = restrictions.entries.into();
        }
    }

    /// Builds a building and returns it with the index of its land cell.
    fn building(
        &self,
        records: &mut Records<'_>,
        land: &Land,
        number: usize,
        record: &dat::BuildingInfo,
        faults: &mut Vec<Problem>,
    ) -> Result<(usize, Building), Problem> {
        let outside = Problem::Outside { what: "building", number, record: record.model };
        let (cell, index) = land_cell_under(land.block, record.frame.origin).ok_or(outside)?;
        if land.building_at[index] != NO_BUILDING {
            return Err(Problem::SecondBuilding { number, cell });
        }
        let (setup, problems) = self.shapes.setup(records, record.model)?;
        faults.extend(problems);
        Ok((index, Building::new(record, Position { cell, frame: record.frame }, setup)))
    }

    /// Builds the static objects of a record; one that is wrong is left out.
    fn objects(
        &self,
        records: &mut Records<'_>,
        stabs: &[Stab],
        name: impl Fn(u32) -> ObjectId,
        place: impl Fn(usize, &Stab) -> Result<Position, Problem>,
        faults: &mut Vec<Problem>,
    ) -> Vec<Object> {
        let mut objects = Vec::with_capacity(stabs.len());
        for (index, (number, stab)) in (0_u32..).zip(stabs.iter().enumerate()) {
            let made = place(number, stab)
                .and_then(|position| Ok((position, self.shapes.setup(records, stab.model)?)));
            match made {
                Ok((position, (setup, problems))) => {
                    faults.extend(problems);
                    objects.push(Object::fixed(name(index), setup, position, 1.0));
                }
                Err(problem) => faults.push(problem),
            }
        }
        objects
    }

    /// Adds scenery to the land, after buildings and objects are placed.
    fn add_scenery(
        &self,
        records: &mut Records<'_>,
        region: &RegionTables,
        land: &mut Land,
        faults: &mut Vec<Problem>,
    ) {
        let mut grown = 0;
        for vertex in 0..SIDE_VERTICES * SIDE_VERTICES {
            let (x, y) = (vertex / SIDE_VERTICES, vertex % SIDE_VERTICES);
            let word = land.terrain.word(x, y);
            let scenes = region.scenes(word.terrain_type(), word.scene());
            #[allow(clippy::cast_possible_truncation, reason = "at most 8")]
            let vertex = (x as u32, y as u32);
            let Some(index) = scene_index(land.block, vertex, scenes.len()) else { continue };
            let scene = match self.shapes.scene(records, scenes[index]) {
                Ok(scene) => scene,
                Err(problem) => {
                    faults.push(problem);
                    continue;
                }
            };
            for (k, object) in (0_u32..).zip(&scene.objects) {
                let Some(placement) = SceneryPlacement::new(land.block, vertex, k, object) else {
                    continue;
                };
                let id = ObjectId::scenery(land.block, grown);
                let item = Item::portal(scenes[index], "object of the scene", k as usize);
                match self.scenery_object(records, land, &placement, id, item, faults) {
                    Ok(Some(object)) => {
                        land.objects.push(object);
                        grown += 1;
                    }
                    Ok(None) => {}
                    Err(problem) => faults.push(problem),
                }
            }
        }
    }

    /// Builds a scenery object on its ground, or returns `None` where roads, buildings, slopes or
    /// the border of the landblock forbid it.
    fn scenery_object(
        &self,
        records: &mut Records<'_>,
        land: &Land,
        placement: &SceneryPlacement<'_>,
        id: ObjectId,
        item: Item,
        faults: &mut Vec<Problem>,
    ) -> Result<Option<Object>, Problem> {
        let free = |index: &usize| {
            !land.terrain.on_road(placement.at) && land.building_at[*index] == NO_BUILDING
        };
        let Some(index) = cell_index(placement.at).filter(free) else { return Ok(None) };
        let ground = land.terrain.ground(index, placement.at);
        let frame = ground.and_then(|ground| placement.frame(&ground.plane));
        let (Some(frame), Some(scale)) = (frame, placement.scale()) else { return Ok(None) };
        let (setup, problems) = self.shapes.setup(records, placement.object.object)?;
        check_scenery(placement.object, &setup, scale).map_err(|range| item.problem(range))?;
        if !is_within_block(&setup, &frame) {
            return Ok(None);
        }
        faults.extend(problems);
        #[allow(clippy::cast_possible_truncation, reason = "below 64")]
        let cell = land.block.cell(index as u16 + 1);
        Ok(Some(Object::fixed(id, setup, Position { cell, frame }, scale)))
    }

    fn room(&self, cell: CellId, faults: &mut Vec<Problem>) -> Result<Option<Room>, Problem> {
        let records = &mut self.records();
        let Some(record) = records.get::<EnvCell>(cell.into())? else { return Ok(None) };
        let structure = u32::from(record.structure);
        let structure = self.shapes.structure(records, record.environment_id(), structure)?;
        let own = |index| ObjectId::indoor(cell, index);
        let indoors = |number: usize, stab: &Stab| {
            // Objects of a room are not restricted to its landblock; outdoors such a place is off
            // the map.
            let outside = Problem::Outside { what: "object", number, record: stab.model };
            let usable = is_usable_point(stab.frame.origin).then_some(stab.frame);
            usable.map(|frame| Position { cell, frame }).ok_or(outside)
        };
        let objects = self.objects(records, &record.statics, own, indoors, faults);
        Room::new(&record, structure, objects).map(Some)
    }
}

/// Checks the numbers from which the frame and the scale of a scenery object are computed. Its
/// position is checked separately.
fn check_scenery(object: &dat::SceneObject, setup: &Setup, scale: f32) -> Result<(), RangeError> {
    check_size("rotation", object.max_rotation, MAX_ROTATION)?;
    check_size("scale", scale, MAX_SCALE)?;
    match setup.has_physics_tree {
        true => check("size of the scale", scale.abs(), MIN_SCALE..=MAX_SCALE),
        false => Ok(()),
    }
}

/// Returns the land cell of the landblock under a point and its index, or `None` outside the
/// landblock.
fn land_cell_under(block: BlockId, at: threshold_land::vector::Vec3) -> Option<(CellId, usize)> {
    let (cell, _) = adjust_to_outside(block.as_cell(), at)?;
    (cell.block() == block && at.z.abs() <= MAX_COORDINATE)
        .then(|| (cell, usize::from(cell.low()) - 1))
}
