//! The resident part of the world: cells and objects by id.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Sphere, block_offset_between};

use crate::block::{Block, land_index};
use crate::cells::CellRules;
use crate::constants::NEAR_MARGIN;
use crate::entry::Gate;
use crate::land::{Land, LandCell};
use crate::object::{Object, ObjectId, ObjectKind};
use crate::object_list::{Member, ObjectList, is_beyond};
use crate::piece::PieceId;
use crate::registry::Objects;
use crate::residency::Residency;
use crate::room::Room;

/// The resident cells, found by id in constant time, and the objects in them.
///
/// It reads no file, starts no thread and has no clock. [`hold`](Self::hold) says how pieces are
/// loaded and dropped.
#[derive(Debug)]
pub struct World {
    /// Indexed by landblock id.
    pub(crate) blocks: Box<[Option<Box<Block>>]>,
    /// The landblocks of `blocks` that are not empty; a walk over all slots would visit 65,536.
    pub(crate) resident_blocks: BTreeSet<BlockId>,
    /// Resident landblocks with buildings, sorted by id.
    pub(crate) blocks_with_buildings: Vec<BlockId>,
    pub(crate) objects: Objects,
    /// Cells with long object lists that have changed.
    pub(crate) ungrouped_cells: Vec<CellId>,
    pub(crate) residency: Residency,
    pub(crate) edition: Edition,
    /// The edition of each resident piece.
    pub(crate) adopted_at: BTreeMap<PieceId, Edition>,
    rules: CellRules,
    pub(crate) gate: Gate,
}

/// A mark that changes whenever the resident cells change; it can only be compared. See
/// [`World::edition`].
#[derive(Clone, Debug, Default)]
pub struct Edition(Arc<()>);

impl PartialEq for Edition {
    fn eq(&self, other: &Self) -> bool {
        // A mark that is still held cannot be allocated again, so equal pointers mean the same
        // edition.
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A cell of either kind. Retail: `CObjCell`.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'w> {
    /// A land cell.
    Land(LandCell<'w>),
    /// A room.
    Room(&'w Room),
}

/// Which rooms [`World::find_visible_child_cell`] tries besides the room itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomSearch {
    /// Rooms on its stab list.
    Visible,
    /// Rooms behind its portals.
    Neighbours,
}

impl Cell<'_> {
    /// Returns its id.
    pub fn id(&self) -> CellId {
        match self {
            Self::Land(cell) => cell.id(),
            Self::Room(room) => room.id(),
        }
    }

    /// Returns whether it contains a point, given in the frame of its landblock. Retail:
    /// `CObjCell::point_in_cell`.
    pub fn contains(&self, point: Vec3) -> bool {
        match self {
            Self::Land(cell) => cell.contains(point),
            Self::Room(room) => room.contains(point),
        }
    }

    /// The object that guards the cell, if any. See [`EntryRules`](crate::EntryRules). Retail:
    /// `restriction_obj`.
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
    /// A world without resident pieces.
    pub fn new() -> Self {
        Self::with_rules(CellRules::default())
    }

    /// A world without resident pieces that follows the given cell rules.
    pub fn with_rules(rules: CellRules) -> Self {
        let blocks = (0..=u16::MAX).map(|_| None).collect();
        let (objects, residency) = (Objects::default(), Residency::default());
        Self {
            blocks,
            resident_blocks: BTreeSet::new(),
            blocks_with_buildings: Vec::new(),
            objects,
            ungrouped_cells: Vec::new(),
            residency,
            edition: Edition::default(),
            adopted_at: BTreeMap::new(),
            rules,
            gate: Gate::default(),
        }
    }

    /// The rules for disputed questions about cells.
    pub fn rules(&self) -> CellRules {
        self.rules
    }

    #[inline]
    fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks[usize::from(id.0)].as_deref()
    }

    /// Returns the land of a resident landblock.
    #[inline]
    pub fn land(&self, block: BlockId) -> Option<&Land> {
        self.block(block)?.land()
    }

    /// Returns a land cell of a resident landblock. Retail: `LScape::get_landcell`.
    #[inline]
    pub fn land_cell(&self, id: CellId) -> Option<LandCell<'_>> {
        let index = land_index(id)?;
        self.land(id.block())?.cell(index)
    }

    /// Returns a resident room. Retail: `CEnvCell::GetVisible`.
    #[inline]
    pub fn room(&self, id: CellId) -> Option<&Room> {
        self.block(id.block())?.room(id)
    }

    /// Returns a resident cell of either kind, or `None` if the id is not resident or not a cell.
    /// Cost: three array look-ups.
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

    /// Returns whether a cell is resident.
    pub fn is_resident(&self, id: CellId) -> bool {
        self.cell(id).is_some()
    }

    /// Returns the room `from` if it contains a point of its landblock, or else the first room of
    /// `among` that does. This finds the room of a point that has moved a little.
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

    /// The objects of a cell in the order in which sweeps test them: static objects by landblock or
    /// room and by their index in the record, then bodies by number.
    ///
    /// Retail: `CObjCell::shadow_object_list`, which is in the order of loading.
    pub fn objects_in(&self, cell: CellId) -> impl DoubleEndedIterator<Item = &Object> {
        self.members(cell).iter().filter_map(|member| self.objects.at(member.slot))
    }

    /// Returns whether a cell holds no object other than `object`.
    #[inline]
    pub fn is_alone(&self, cell: CellId, object: Option<ObjectId>) -> bool {
        self.members(cell).iter().all(|member| Some(member.id) == object)
    }

    /// The objects of a cell, filtered one by one for a mover that may change its sphere between them.
    #[inline]
    pub fn objects_near(&self, cell: CellId) -> NearbyObjects<'_> {
        NearbyObjects { world: self, cell, left: self.members(cell).iter() }
    }

    /// Returns the object of a list entry if its bounds overlap a sphere.
    #[inline]
    pub(crate) fn reaches(&self, cell: CellId, member: &Member, near: &Sphere) -> Option<&Object> {
        if is_apart(&member.bounds, near) {
            return None;
        }
        let object = self.objects.at(member.slot)?;
        let Sphere { centre, radius } = object.bounds();
        let offset = block_offset_between(cell, object.position().cell);
        (!is_apart(&Sphere::new(centre + offset, radius), near)).then_some(object)
    }

    /// Returns whether the object of a list entry may overlap an upright cylinder around a sphere.
    pub(crate) fn may_reach(&self, cell: CellId, member: &Member, around: &Sphere) -> bool {
        self.objects.at(member.slot).is_some_and(|object| {
            let Sphere { centre, radius } = object.bounds();
            let offset =
                centre + block_offset_between(cell, object.position().cell) - around.centre;
            // Twice, as rounding may bridge the first.
            let reach = radius + around.radius + 2.0 * NEAR_MARGIN;
            !is_beyond(offset.truncate(), reach)
        })
    }

    #[inline]
    pub(crate) fn members(&self, cell: CellId) -> &[Member] {
        self.object_list(cell).map(ObjectList::members).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn object_list(&self, cell: CellId) -> Option<&ObjectList> {
        self.block(cell.block())?.list(cell)
    }

    /// The edition of the resident cells; it changes when cells are loaded or dropped. A cache
    /// keeps the edition next to its answers and compares it.
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    /// The edition of a resident piece; it changes when the piece is adopted again. A cache that
    /// was built from one piece compares this one.
    pub fn edition_of(&self, piece: PieceId) -> Option<&Edition> {
        self.adopted_at.get(&piece)
    }

    /// Returns an object by its id.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id)
    }

    /// All objects, sorted by id.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter()
    }

    /// The land of all resident landblocks, sorted by id.
    pub fn lands(&self) -> impl Iterator<Item = &Land> {
        self.resident_blocks.iter().filter_map(|block| self.land(*block))
    }

    /// The land of all resident landblocks with buildings, sorted by id. Cost: skips all others.
    pub fn blocks_with_buildings(&self) -> impl Iterator<Item = &Land> {
        self.blocks_with_buildings.iter().filter_map(|block| self.land(*block))
    }

    /// The number of resident rooms of a landblock.
    pub fn room_count(&self, block: BlockId) -> usize {
        self.block(block).map_or(0, Block::room_count)
    }

    /// The resident rooms of a landblock, sorted by id.
    pub fn rooms(&self, block: BlockId) -> impl Iterator<Item = &Room> {
        self.block(block).into_iter().flat_map(Block::rooms)
    }

    /// The number of resident pieces.
    pub fn piece_count(&self) -> usize {
        self.adopted_at.len()
    }

    /// All resident pieces, by landblock, the land before its rooms.
    pub fn resident(&self) -> impl Iterator<Item = PieceId> {
        self.resident_blocks.iter().filter_map(|block| self.block(*block)).flat_map(|block| {
            let land = block.land().into_iter().map(|land| PieceId::Land(land.block()));
            land.chain(block.rooms().map(|room| PieceId::Room(room.id())))
        })
    }
}

/// Iterates over the objects of a cell near a sphere. See [`World::objects_near`].
#[derive(Clone, Debug)]
pub struct NearbyObjects<'w> {
    world: &'w World,
    cell: CellId,
    left: std::slice::Iter<'w, Member>,
}

impl<'w> NearbyObjects<'w> {
    /// Returns the next object with a kind that passes `matters` and bounds that overlap `near`, a
    /// sphere in the frame of the cell's landblock.
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

    /// Returns the previous such object from the end of the list.
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

/// Returns whether two spheres are farther apart than rounding can bridge. With NaN they are not.
#[inline]
pub(crate) fn is_apart(a: &Sphere, b: &Sphere) -> bool {
    let reach = a.radius + b.radius + NEAR_MARGIN;
    (a.centre - b.centre).length_squared() > reach * reach
}
