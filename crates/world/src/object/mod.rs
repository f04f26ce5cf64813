//! Objects: what stands in cells and is bumped into.

use std::sync::Arc;

use threshold_dat::RecordId;
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Space, Sphere};

use crate::cells::{ListedCell, PlacedPart};
use crate::constants::BODY_SLACK;
use crate::model::Setup;
use crate::piece::PieceId;
use crate::solid::Solid;

/// Names an object, and orders the objects of a cell.
///
/// Objects of a landblock's record come first, by landblock and place in the record, a
/// landblock's scenery after its record; then objects of rooms, by room and place in the record;
/// then bodies by their number. When and in which order anything was loaded plays no part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u64);

const CLASS: u32 = 60;
const INDEX: u64 = (1 << 28) - 1;
const SCENERY: u64 = 1 << 28;

impl ObjectId {
    /// Object `index` of a landblock's record. Indices beyond 2^28 cannot come from a record.
    pub const fn outdoor(block: BlockId, index: u32) -> Self {
        Self((block.0 as u64) << 32 | index as u64 & INDEX)
    }

    /// Plant or stone `index` of a landblock.
    pub const fn scenery(block: BlockId, index: u32) -> Self {
        Self(Self::outdoor(block, index).0 | SCENERY)
    }

    /// Object `index` of a room's record.
    pub const fn indoor(room: CellId, index: u32) -> Self {
        Self(1 << CLASS | (room.0 as u64) << 28 | index as u64 & INDEX)
    }

    /// The name of a body.
    pub const fn body(body: BodyId) -> Self {
        Self(2 << CLASS | body.0 as u64)
    }

    /// As a number: the same name has the same on every machine.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The body, if it is one.
    pub fn as_body(self) -> Option<BodyId> {
        let number = u32::try_from(self.0 & 0xFFFF_FFFF).ok()?;
        (self.0 >> CLASS == 2).then_some(BodyId(number))
    }
}

/// The number of a body: whatever is put into the world besides what its records say. The caller's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

impl std::fmt::Display for BodyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "body 0x{:08X}", self.0)
    }
}

impl std::fmt::Display for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let index = self.0 & INDEX;
        match self.0 >> CLASS {
            0 => {
                let block = self.0 >> 32;
                let what = if self.0 & SCENERY == 0 { "object" } else { "scenery" };
                write!(f, "{what} {index} of landblock {block:04X}")
            }
            1 => write!(f, "object {index} of room 0x{:08X}", self.0 >> 28 & 0xFFFF_FFFF),
            _ => write!(f, "body 0x{:08X}", self.0 & 0xFFFF_FFFF),
        }
    }
}

impl std::fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// Bits that say how an object takes part in physics. Retail: `PhysicsState`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State(pub u32);

impl State {
    /// Never moves; what it stops was stopped by the environment.
    pub const STATIC: Self = Self(0x1);
    /// Others pass through it.
    pub const ETHEREAL: Self = Self(0x4);
    /// It is told of collisions.
    pub const REPORT_COLLISIONS: Self = Self(0x8);
    /// Others are not told of collisions with it.
    pub const IGNORE_COLLISIONS: Self = Self(0x10);
    /// A missile.
    pub const MISSILE: Self = Self(0x40);
    /// Its heading follows its way.
    pub const ALIGN_PATH: Self = Self(0x100);
    /// Cleared together with [`State::MISSILE`].
    pub const PATH_CLIPPED: Self = Self(0x200);
    /// It falls.
    pub const GRAVITY: Self = Self(0x400);
    /// An emitter of particles: only in its own cell.
    pub const PARTICLE_EMITTER: Self = Self(0x1000);
    /// Not shown, not moved.
    pub const HIDDEN: Self = Self(0x4000);
    /// Some part has a physics tree; kept by the world, from the parts.
    pub const HAS_PHYSICS_TREE: Self = Self(0x1_0000);
    /// It stops where others bounce.
    pub const INELASTIC: Self = Self(0x2_0000);
    /// What it stops was stopped by the environment.
    pub const REPORT_AS_ENVIRONMENT: Self = Self(0x20_0000);
    /// It slides along edges.
    pub const EDGE_SLIDE: Self = Self(0x40_0000);
    /// It slides down slopes.
    pub const SLEDDING: Self = Self(0x80_0000);
    /// It is not updated.
    pub const FROZEN: Self = Self(0x100_0000);

    /// Whether all bits of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// With the bits of `other` set or cleared.
    #[must_use]
    pub const fn with(self, other: Self, set: bool) -> Self {
        Self(if set { self.0 | other.0 } else { self.0 & !other.0 })
    }
}

/// What an object is to others. Retail asked its weenie. Whether it is a missile is a matter of its [`State`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObjectKind {
    /// Part of the scenery: there is nobody to ask. Retail: no weenie.
    #[default]
    None,
    /// A thing.
    Thing,
    /// A creature.
    Creature,
    /// A player, which is a creature too.
    Player(PlayerStatus),
}

impl ObjectKind {
    /// Whether the object counts as a creature where it is walked into.
    pub fn is_creature(self) -> bool {
        matches!(self, Self::Creature | Self::Player(_))
    }

    /// Its status, if it is a player.
    pub fn player(self) -> Option<PlayerStatus> {
        match self {
            Self::Player(status) => Some(status),
            _ => None,
        }
    }
}

/// Whom a player may fight, and so whom it bumps into. Retail: `PlayerKillerStatus`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayerStatus {
    /// Nobody: passes through other players.
    #[default]
    Peaceful,
    /// Other killers. Retail: PK.
    Killer,
    /// Others of this status. Retail: PKLite.
    KillerLite,
    /// Everybody bumps into it. Retail: "free", `IsImpenetrable`.
    Free,
}

/// An object in the world. Retail: `CPhysicsObj`.
#[derive(Clone, Debug)]
pub struct Object {
    id: ObjectId,
    position: Position,
    setup: Arc<Setup>,
    scale: f32,
    state: State,
    kind: ObjectKind,
    /// How its parts stand in it; empty for as its setup says.
    poses: Vec<Frame>,
    /// As [`Setup::reach`], of the parts as they stand.
    reach: f32,
    /// Of the parts, if any has a physics tree.
    spaces: Vec<Space>,
    listing: Listing,
    /// The cells it is registered in.
    pub(crate) cells: Vec<Registration>,
    /// The pieces that the search for them asked for: when one of them comes or goes, the cells may change.
    pub(crate) asked: Vec<PieceId>,
    /// It may have asked for more than its cells.
    pub(crate) missed: bool,
    /// Where it was when the lists of its cells were told.
    told_at: Position,
    /// How far it reached then.
    told_reach: f32,
}

/// How the cells of an object are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// By its own shapes.
    Own,
    /// By the spheres with which it swept to where it is.
    Swept,
    /// It is in none.
    Lost,
}

/// A cell that an object touches. Retail: `CShadowObj`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The cell.
    pub cell: CellId,
    /// Whether it is resident, and so has the object in its list.
    pub resident: bool,
}

/// What a body is to begin with.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// Its number.
    pub body: BodyId,
    /// What it looks like and collides with.
    pub setup: Arc<Setup>,
    /// Where it stands.
    pub position: Position,
    /// How large it is; 1 as its setup says.
    pub scale: f32,
    /// Its state; [`State::HAS_PHYSICS_TREE`] is found out.
    pub state: State,
    /// What it is to others.
    pub kind: ObjectKind,
}

impl Object {
    /// An object of the records: it never moves.
    pub(crate) fn fixed(id: ObjectId, setup: Arc<Setup>, position: Position, scale: f32) -> Self {
        Self::new(id, setup, position, scale)
    }

    pub(crate) fn body(spec: BodySpec) -> Self {
        let BodySpec { body, setup, position, scale, state, kind } = spec;
        let mut object = Self::new(ObjectId::body(body), setup, position, scale);
        object.set_state(state);
        object.kind = kind;
        object
    }

    fn new(id: ObjectId, setup: Arc<Setup>, position: Position, scale: f32) -> Self {
        let reach = setup.reach;
        let mut object = Self {
            id,
            position,
            setup,
            scale,
            state: State::default(),
            kind: ObjectKind::None,
            poses: Vec::new(),
            reach,
            spaces: Vec::new(),
            listing: Listing::Own,
            cells: Vec::new(),
            asked: Vec::new(),
            missed: false,
            told_at: position,
            told_reach: reach,
        };
        object.set_state(State::STATIC);
        object.place_parts();
        object
    }

    /// Its name.
    pub fn id(&self) -> ObjectId {
        self.id
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What it looks like and collides with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How large it is.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Its state.
    pub fn state(&self) -> State {
        self.state
    }

    /// What it is to others.
    pub fn kind(&self) -> ObjectKind {
        self.kind
    }

    /// The model or setup it was made from.
    pub fn model(&self) -> RecordId {
        self.setup.id
    }

    /// How part `index` stands in the object, before scale: as its setup says, until
    /// [`World::pose_part`](crate::World::pose_part) has said otherwise.
    pub fn part_pose(&self, index: usize) -> Option<Frame> {
        let part = self.setup.parts.get(index)?;
        Some(self.poses.get(index).copied().unwrap_or(part.pose))
    }

    /// Where part `index` stands. Retail: `CPhysicsPart::pos`.
    pub fn part_position(&self, index: usize) -> Option<Position> {
        let pose = self.part_pose(index)?;
        let frame = self.position.frame.combine_scaled(&pose, Vec3::splat(self.scale));
        Some(Position { cell: self.position.cell, frame })
    }

    /// Round what is bumped into, in the frame of its landblock, however it is turned.
    pub(crate) fn bounds(&self) -> Sphere {
        Sphere::new(self.position.frame.origin, self.reach * self.scale.abs())
    }

    /// What is bumped into of its parts, in order.
    pub fn solids(&self) -> impl Iterator<Item = Solid<'_>> {
        self.setup.parts.iter().zip(&self.spaces).filter_map(|(part, space)| {
            let tree = part.model.physics.as_ref()?;
            Some(Solid { tree, space, scale: part.scale.z * self.scale })
        })
    }

    /// The scale of part `index`. Retail: `gfxobj_scale`.
    pub fn part_scale(&self, index: usize) -> Option<Vec3> {
        self.setup.parts.get(index).map(|part| part.scale * self.scale)
    }

    /// The cells it touches, in the order in which they were found.
    pub fn cells(&self) -> &[Registration] {
        &self.cells
    }

    /// Whether it stands in a cell and all cells it touches are resident.
    ///
    /// Retail: `CPhysicsObj::is_completely_visible`.
    pub fn is_completely_visible(&self) -> bool {
        !self.cells.is_empty() && self.cells.iter().all(|registered| registered.resident)
    }

    /// The cell it is in; `None` while it is lost. That cell may have been dropped since: a body learns of it at its next update.
    pub fn cell(&self) -> Option<CellId> {
        (!self.is_lost()).then_some(self.position.cell)
    }

    /// Whether its last move ended where no cell contains it. See [`World::lose`](crate::World::lose).
    pub fn is_lost(&self) -> bool {
        self.listing == Listing::Lost
    }

    pub(crate) fn set_state(&mut self, state: State) {
        self.state = state.with(State::HAS_PHYSICS_TREE, self.setup.has_physics_tree);
    }

    /// What the lists of its cells are told: its bounds, with room to move for a body.
    pub(crate) fn told_bounds(&self) -> Sphere {
        let slack = if self.id.as_body().is_some() { BODY_SLACK } else { 0.0 };
        let bounds = self.bounds();
        Sphere::new(bounds.centre, bounds.radius + slack)
    }

    /// Notes that the lists of its cells are told where it is and how far it reaches.
    pub(crate) fn note_told(&mut self) {
        (self.told_at, self.told_reach) = (self.position, self.reach);
    }

    /// Whether it would have gone from where the lists of its cells know it, or reaches farther.
    pub(crate) fn has_left(&self, position: &Position) -> bool {
        let gone = position.frame.origin - self.told_at.frame.origin;
        // Asked this way round, what cannot be measured has left.
        !(gone.length_squared() <= BODY_SLACK * BODY_SLACK
            && self.reach <= self.told_reach
            && position.cell.block() == self.told_at.cell.block())
    }

    /// Whether a sweep that ends here, in these cells, changes no list: it is in these already, none is missing, and it is
    /// not far from where the lists know it.
    pub fn stays_listed(
        &self,
        position: &Position,
        cells: &[ListedCell],
        missed: &[CellId],
    ) -> bool {
        self.knows(cells, missed) && !self.has_left(position)
    }

    /// Whether a sweep that ends in these cells leaves it in the lists it is in. What finds its own cells knows nothing of
    /// sweeps.
    pub(crate) fn knows(&self, cells: &[ListedCell], missed: &[CellId]) -> bool {
        let whole = !self.missed && missed.is_empty();
        self.listing == Listing::Swept && whole && self.is_in(cells)
    }

    /// Whether it is listed in these cells.
    pub(crate) fn is_in(&self, cells: &[ListedCell]) -> bool {
        let same = |(old, new): (&Registration, &ListedCell)| {
            old.cell == new.cell && old.resident == new.resident
        };
        self.cells.len() == cells.len() && self.cells.iter().zip(cells).all(same)
    }

    pub(crate) fn listing(&self) -> Listing {
        self.listing
    }

    pub(crate) fn set_listing(&mut self, listing: Listing) {
        self.listing = listing;
    }

    pub(crate) fn set_position(&mut self, position: Position) {
        self.position = position;
        self.place_parts();
    }

    /// For a part that it has.
    pub(crate) fn set_pose(&mut self, part: usize, pose: Frame) {
        if self.poses.is_empty() {
            self.poses.extend(self.setup.parts.iter().map(|part| part.pose));
        }
        self.poses[part] = pose;
        self.reach = self.setup.collision_reach(&self.poses);
        self.place_parts();
    }

    /// Finds the spaces of its parts.
    fn place_parts(&mut self) {
        if self.setup.has_physics_tree {
            let mut spaces = std::mem::take(&mut self.spaces);
            spaces.clear();
            let parts = (0..self.setup.parts.len()).filter_map(|part| self.part_position(part));
            spaces.extend(parts.map(|part| Space::new(&part)));
            self.spaces = spaces;
        }
    }

    /// Its parts as the search for cells sees them. What never moves is listed at natural size:
    /// retail registers scenery before it scales it.
    pub(crate) fn placed_parts(&self, out: &mut Vec<PlacedPart>) {
        let scale = if self.state.has(State::STATIC) { 1.0 } else { self.scale };
        let frame = |pose: &Frame| self.position.frame.combine_scaled(pose, Vec3::splat(scale));
        let poses = (0..).map_while(|part| self.part_pose(part));
        let parts = poses.zip(&self.setup.parts);
        out.clear();
        out.extend(parts.map(|(pose, part)| PlacedPart::new(frame(&pose), &part.model)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_the_objects_of_a_cell_do() {
        let (near, far) = (BlockId(0x0102), BlockId(0xA9B4));
        let ordered = [
            ObjectId::outdoor(near, 0),
            ObjectId::outdoor(near, 7),
            ObjectId::scenery(near, 0),
            ObjectId::outdoor(far, 0),
            ObjectId::scenery(far, 3),
            ObjectId::indoor(CellId(0x0102_0100), 0),
            ObjectId::indoor(CellId(0x0102_0100), 1),
            ObjectId::indoor(CellId(0xFEFE_FFFD), 0),
            ObjectId::body(BodyId(0)),
            ObjectId::body(BodyId(u32::MAX)),
        ];
        assert!(ordered.is_sorted());
        assert_eq!(
            ordered.map(ObjectId::as_body)[7..],
            [None, Some(BodyId(0)), Some(BodyId(u32::MAX))]
        );
        assert_eq!(ordered[2].to_string(), "scenery 0 of landblock 0102");
        assert_eq!(ordered[7].to_string(), "object 0 of room 0xFEFEFFFD");
    }

    #[test]
    fn a_state_is_bits() {
        let state = State::STATIC.with(State::HAS_PHYSICS_TREE, true);
        assert_eq!(state.0, 0x1_0001);
        assert!(state.has(State::STATIC) && !state.has(State::GRAVITY));
        assert_eq!(state.with(State::STATIC, false), State::HAS_PHYSICS_TREE);
    }
}
