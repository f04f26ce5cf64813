//! The world: what is resident, found by id.

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::RecordId;
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Sphere, block_offset_between};

use crate::block::{Block, Member, land_index};
use crate::cells::CellRules;
use crate::constants::NEAR_MARGIN;
use crate::entry::Gate;
use crate::land::{Land, LandCell};
use crate::object::{Object, ObjectId, ObjectKind};
use crate::piece::PieceId;
use crate::registry::Objects;
use crate::residency::Residency;
use crate::room::Room;

/// What is resident of the world: cells by id in constant time, and the objects in them.
///
/// Nothing in here reads a file, starts a thread or knows the time. See
/// [`hold`](Self::hold) for how pieces come and go.
#[derive(Debug)]
pub struct World {
    /// By the landblock's id.
    pub(crate) blocks: Box<[Option<Box<Block>>]>,
    /// Landblocks with buildings, by id.
    pub(crate) blocks_with_buildings: Vec<BlockId>,
    pub(crate) objects: Objects,
    pub(crate) residency: Residency,
    pub(crate) edition: Edition,
    /// When each piece came.
    pub(crate) adopted_at: BTreeMap<PieceId, Edition>,
    rules: CellRules,
    pub(crate) gate: Gate,
}

/// Which cells are resident, as a mark that is compared and says nothing else. See [`World::edition`].
#[derive(Clone, Debug, Default)]
pub struct Edition(Arc<()>);

impl PartialEq for Edition {
    fn eq(&self, other: &Self) -> bool {
        // Whoever keeps a mark keeps it from being made again.
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A cell of either kind. Retail: `CObjCell`.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'w> {
    /// A piece of ground.
    Land(LandCell<'w>),
    /// A room.
    Room(&'w Room),
}

/// Which rooms besides itself a room looks into for a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomSearch {
    /// Those it can see.
    Visible,
    /// Those behind its portals.
    Neighbours,
}

impl Cell<'_> {
    /// Its id.
    pub fn id(&self) -> CellId {
        match self {
            Self::Land(cell) => cell.id(),
            Self::Room(room) => room.id(),
        }
    }

    /// Whether a point of its landblock is in it. Retail: `CObjCell::point_in_cell`.
    pub fn contains(&self, point: Vec3) -> bool {
        match self {
            Self::Land(cell) => cell.contains(point),
            Self::Room(room) => room.contains(point),
        }
    }

    /// The object that guards it, if any. See [`EntryRules`](crate::EntryRules). Retail: `restriction_obj`.
    pub fn restriction(&self) -> Option<RecordId> {
        match self {
            Self::Land(cell) => cell.restriction(),
            Self::Room(room) => room.restriction(),
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// Nothing is resident.
    pub fn new() -> Self {
        Self::with_rules(CellRules::default())
    }

    /// Nothing is resident, and disputed questions about cells are answered by these rules.
    pub fn with_rules(rules: CellRules) -> Self {
        let blocks = (0..=u16::MAX).map(|_| None).collect();
        let (objects, residency) = (Objects::default(), Residency::default());
        Self {
            blocks,
            blocks_with_buildings: Vec::new(),
            objects,
            residency,
            edition: Edition::default(),
            adopted_at: BTreeMap::new(),
            rules,
            gate: Gate::default(),
        }
    }

    /// How disputed questions about cells are answered.
    pub fn rules(&self) -> CellRules {
        self.rules
    }

    #[inline]
    fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks[usize::from(id.0)].as_deref()
    }

    /// The land of a landblock.
    #[inline]
    pub fn land(&self, block: BlockId) -> Option<&Land> {
        self.block(block)?.land()
    }

    /// A land cell of a resident landblock. Retail: `LScape::get_landcell`.
    #[inline]
    pub fn land_cell(&self, id: CellId) -> Option<LandCell<'_>> {
        let index = land_index(id)?;
        self.land(id.block())?.cell(index)
    }

    /// A resident room. Retail: `CEnvCell::GetVisible`.
    #[inline]
    pub fn room(&self, id: CellId) -> Option<&Room> {
        self.block(id.block())?.room(id)
    }

    /// A resident cell of either kind; three array look-ups. `None` where it is not resident, or not
    /// a cell.
    ///
    /// Retail: `CObjCell::GetVisible`.
    #[inline]
    pub fn cell(&self, id: CellId) -> Option<Cell<'_>> {
        if id.is_outdoor() {
            self.land_cell(id).map(Cell::Land)
        } else {
            self.room(id).map(Cell::Room)
        }
    }

    /// Whether a cell is resident.
    pub fn is_resident(&self, id: CellId) -> bool {
        self.cell(id).is_some()
    }

    /// The room `from`, or else the first of its [`RoomSearch`] that contains a point of its landblock: how a
    /// point whose room is known roughly finds it again.
    ///
    /// Retail: `CEnvCell::find_visible_child_cell`.
    pub fn find_visible_child_cell(
        &self,
        from: CellId,
        point: Vec3,
        among: RoomSearch,
    ) -> Option<CellId> {
        let room = self.room(from)?;
        let contains = |id: &CellId| self.room(*id).is_some_and(|room| room.contains(point));
        if contains(&from) {
            return Some(from);
        }
        match among {
            RoomSearch::Visible => room.stabs().iter().copied().find(contains),
            RoomSearch::Neighbours => {
                room.portals().iter().filter_map(|portal| portal.other).find(contains)
            }
        }
    }

    /// The objects of a cell, in the order in which they answer: those that never move by landblock
    /// or room and place in its record, then bodies by number.
    ///
    /// Retail: `CObjCell::shadow_object_list`; there in the order of loading.
    pub fn objects_in(&self, cell: CellId) -> impl DoubleEndedIterator<Item = &Object> {
        self.members(cell).iter().filter_map(|member| self.objects.at(member.place))
    }

    /// Whether a cell has no object but perhaps this one.
    #[inline]
    pub fn is_alone(&self, cell: CellId, object: Option<ObjectId>) -> bool {
        self.members(cell).iter().all(|member| Some(member.id) == object)
    }

    /// The objects of a cell, to be looked at one after another by somebody who moves on the way.
    #[inline]
    pub fn objects_near(&self, cell: CellId) -> NearbyObjects<'_> {
        NearbyObjects { world: self, cell, left: self.members(cell).iter() }
    }

    /// A member of a cell that may reach into a sphere.
    #[inline]
    fn reaches(&self, cell: CellId, member: &Member, near: &Sphere) -> Option<&Object> {
        if is_apart(&member.bounds, near) {
            return None;
        }
        let object = self.objects.at(member.place)?;
        let Sphere { centre, radius } = object.bounds();
        let offset = block_offset_between(cell, object.position().cell);
        (!is_apart(&Sphere::new(centre + offset, radius), near)).then_some(object)
    }

    #[inline]
    fn members(&self, cell: CellId) -> &[Member] {
        self.block(cell.block()).and_then(|block| block.list(cell)).unwrap_or_default()
    }

    /// A mark that another takes the place of when cells come or go. Whoever keeps an answer about cells keeps
    /// the mark with it.
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    /// The mark of a resident piece: another takes its place when the piece goes and comes again, or is adopted anew. Whoever keeps
    /// something that was made of a piece keeps the mark with it.
    pub fn edition_of(&self, piece: PieceId) -> Option<&Edition> {
        self.adopted_at.get(&piece)
    }

    /// An object by its name.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id)
    }

    /// All objects, by name.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter()
    }

    /// All resident landblocks with land, by id.
    pub fn lands(&self) -> impl Iterator<Item = &Land> {
        self.blocks.iter().flatten().filter_map(|block| block.land())
    }

    /// All resident landblocks with buildings, by id; the others are not looked at.
    pub fn blocks_with_buildings(&self) -> impl Iterator<Item = &Land> {
        self.blocks_with_buildings.iter().filter_map(|block| self.land(*block))
    }

    /// How many rooms of a landblock are resident.
    pub fn room_count(&self, block: BlockId) -> usize {
        self.block(block).map_or(0, Block::room_count)
    }

    /// All resident rooms of a landblock, by id.
    pub fn rooms(&self, block: BlockId) -> impl Iterator<Item = &Room> {
        self.block(block).into_iter().flat_map(Block::rooms)
    }

    /// How many pieces are resident.
    pub fn piece_count(&self) -> usize {
        self.adopted_at.len()
    }

    /// Everything that is resident, by landblock, the land before the rooms.
    pub fn resident(&self) -> impl Iterator<Item = PieceId> {
        self.blocks.iter().flatten().flat_map(|block| {
            let land = block.land().into_iter().map(|land| PieceId::Land(land.block()));
            land.chain(block.rooms().map(|room| PieceId::Room(room.id())))
        })
    }
}

/// The objects of a cell that have not been looked at yet. See [`World::objects_near`].
#[derive(Clone, Debug)]
pub struct NearbyObjects<'w> {
    world: &'w World,
    cell: CellId,
    left: std::slice::Iter<'w, Member>,
}

impl<'w> NearbyObjects<'w> {
    /// The next that is of a kind that matters and may have something to bump into within a sphere, which is in the frame
    /// of the cell's landblock.
    #[inline]
    pub fn next(
        &mut self,
        matters: impl Fn(ObjectKind) -> bool,
        near: &Sphere,
    ) -> Option<&'w Object> {
        let (world, cell) = (self.world, self.cell);
        let mut members = self.left.by_ref().filter(|member| matters(member.kind));
        members.find_map(|member| world.reaches(cell, member, near))
    }

    /// The same from the end.
    #[inline]
    pub fn next_back(
        &mut self,
        matters: impl Fn(ObjectKind) -> bool,
        near: &Sphere,
    ) -> Option<&'w Object> {
        let (world, cell) = (self.world, self.cell);
        let mut members = self.left.by_ref().rev().filter(|member| matters(member.kind));
        members.find_map(|member| world.reaches(cell, member, near))
    }
}

/// Whether two things are so far apart that rounding cannot bring them together. What cannot be measured is not.
#[inline]
pub(crate) fn is_apart(a: &Sphere, b: &Sphere) -> bool {
    let reach = a.radius + b.radius + NEAR_MARGIN;
    (a.centre - b.centre).length_squared() > reach * reach
}
