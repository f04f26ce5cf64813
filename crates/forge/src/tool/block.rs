//! Landblocks: terrain, buildings, dungeons and objects.

use std::collections::BTreeSet;

use threshold_dat::{RecordId, Stab};
use threshold_land::vector::Vec2;
use threshold_land::{BLOCK_LENGTH, BlockId, CellId, Frame, outside_lcoord};

use crate::tool::error::{ForgeError, ForgeErrorKind};
use crate::tool::ground::Ground;
use crate::tool::layout::checked;
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::record::cells;

/// A landblock under construction. Retail: `CLandBlock`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub(crate) id: BlockId,
    pub(crate) ground: Ground,
    pub(crate) plans: Vec<PlacedPlan>,
    objects: Vec<Stab>,
    rooms: usize,
}

/// A plan placed in a landblock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacedPlan {
    pub(crate) plan: Plan,
    pub(crate) frame: Frame,
    pub(crate) kind: Kind,
    pub(crate) placed: RoomCells,
}

/// The kind of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Building,
    Dungeon,
}

/// The cells that the rooms of a plan became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomCells {
    block: BlockId,
    first: u16,
}

impl RoomCells {
    /// Returns the cell of a room of the plan. Retail: `objcell_id`.
    pub fn of(&self, room: RoomKey) -> CellId {
        self.block.cell(cells::low(self.first, room.0))
    }

    pub(crate) fn block(self) -> BlockId {
        self.block
    }

    pub(crate) fn first(self) -> u16 {
        self.first
    }
}

impl Block {
    pub(crate) fn new(id: BlockId) -> Self {
        Self { id, ground: Ground::FLAT, plans: Vec::new(), objects: Vec::new(), rooms: 0 }
    }

    /// Returns the id of the landblock.
    pub fn id(&self) -> BlockId {
        self.id
    }

    /// Sets the heights at the corners of land cells, `x` to the east and `y` to the north, each 0 to 8: indices
    /// 0 to 255 into the table of heights, see [`height`](crate::height). The corners of a side are also
    /// belong to the next landblock as well, which needs the same heights if it is made.
    ///
    /// Retail: `CLandBlockStruct::height`.
    pub fn heights(&mut self, height: impl FnMut(i32, i32) -> i32) -> &mut Self {
        fill(&mut self.ground.heights, height);
        self
    }

    /// Sets the kinds of ground, 0 to 31; 16 to 20 are water. Retail: `LandDefs::TerrainType`.
    pub fn terrain(&mut self, kind: impl FnMut(i32, i32) -> i32) -> &mut Self {
        fill(&mut self.ground.kinds, kind);
        self
    }

    /// Sets the roads: 0 for none, up to 3.
    pub fn roads(&mut self, road: impl FnMut(i32, i32) -> i32) -> &mut Self {
        fill(&mut self.ground.roads, road);
        self
    }

    /// Sets the scenes at the corners: 0 for none, or a number from [`Forge::scene`].
    ///
    /// [`Forge::scene`]: crate::Forge::scene
    pub fn scenes(&mut self, scene: impl FnMut(i32, i32) -> i32) -> &mut Self {
        fill(&mut self.ground.scenes, scene);
        self
    }

    /// Returns the height of the ground at a point of the landblock in metres, for the current heights; `None`
    /// outside the landblock, and where the heights are out of range.
    pub fn ground(&self, at: impl Into<Vec2>) -> Option<f32> {
        self.ground.at(self.id, at.into())
    }

    /// Adds a building. It belongs to the land cell under its origin, which can have only one.
    ///
    /// Retail: `BuildInfo`, `CBuildingObj`.
    pub fn building(&mut self, frame: Frame, plan: Plan) -> RoomCells {
        self.stand(frame, plan, Kind::Building)
    }

    /// Adds a dungeon: rooms without a shell and without exits. They may lie anywhere, also
    /// outside the square of the landblock, but no farther than 10 km, and not where rooms of another plan
    /// of the landblock are.
    pub fn dungeon(&mut self, frame: Frame, plan: Plan) -> RoomCells {
        self.stand(frame, plan, Kind::Dungeon)
    }

    /// Adds an object outdoors: the [`MOVER`](crate::MOVER), or one from [`Forge::object`]. Its
    /// origin must lie in the landblock. Retail: `Stab`.
    ///
    /// [`Forge::object`]: crate::Forge::object
    pub fn put(&mut self, model: RecordId, frame: Frame) -> &mut Self {
        self.objects.push(Stab { model, frame });
        self
    }

    fn stand(&mut self, frame: Frame, plan: Plan, kind: Kind) -> RoomCells {
        let first = cells::low(cells::FIRST, self.rooms);
        let placed = RoomCells { block: self.id, first };
        self.rooms += plan.len();
        self.plans.push(PlacedPlan { plan, frame, kind, placed });
        placed
    }

    /// The highest room number is 0xFFFD.
    pub(crate) fn check_rooms(&self) -> Result<u32, ForgeErrorKind> {
        match u32::try_from(self.rooms) {
            Ok(rooms) if rooms <= 0xFFFE - u32::from(cells::FIRST) => Ok(rooms),
            _ => Err(ForgeErrorKind::TooManyRooms(self.rooms)),
        }
    }

    /// Objects outdoors.
    pub(crate) fn stabs(&self, known: &BTreeSet<RecordId>) -> Result<Vec<Stab>, ForgeError> {
        let check = |stab: &Stab| {
            let frame = checked(&stab.frame, "an object")?;
            match stab.model {
                unknown if !known.contains(&unknown) => Err(ForgeErrorKind::UnknownObject(unknown)),
                _ if !is_inside(frame.origin.truncate()) => Err(ForgeErrorKind::ObjectOutsideBlock),
                model => Ok(Stab { model, frame }),
            }
        };
        let stab = |(number, stab): (usize, &Stab)| {
            check(stab).map_err(|kind| kind.here().in_object(number))
        };
        self.objects.iter().enumerate().map(stab).collect()
    }
}

fn fill(values: &mut [i32], mut value: impl FnMut(i32, i32) -> i32) {
    let corners = (0..9).flat_map(|x| (0..9).map(move |y| (x, y)));
    values.iter_mut().zip(corners).for_each(|(slot, (x, y))| *slot = value(x, y));
}

/// Returns whether a point is in the square of its landblock.
fn is_inside(at: Vec2) -> bool {
    let side = 0.0..BLOCK_LENGTH;
    side.contains(&at.x) && side.contains(&at.y)
}

/// The land cell that a building belongs to.
pub(crate) fn land_cell(block: BlockId, frame: &Frame) -> Result<CellId, ForgeErrorKind> {
    let at = frame.origin.truncate();
    let cell = outside_lcoord(block.as_cell(), at).map(|coordinates| coordinates.cell());
    match cell {
        Some(cell) if is_inside(at) => Ok(cell),
        _ => Err(ForgeErrorKind::BuildingOutsideBlock),
    }
}
