//! Objects: everything in cells that can block a mover.

mod id;
mod state;

use std::sync::Arc;

use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, Space, Sphere};

use crate::cells::{ListedCell, PlacedPart};
use crate::constants::BODY_SLACK;
use crate::model::Setup;
use crate::piece::PieceId;
use crate::solid::Solid;

pub use self::id::{BodyId, ObjectId};
pub use self::state::{ObjectKind, PlayerStatus, State};

/// An object in the world. Retail: `CPhysicsObj`.
#[derive(Clone, Debug)]
pub struct Object {
    id: ObjectId,
    position: Position,
    setup: Arc<Setup>,
    scale: f32,
    state: State,
    kind: ObjectKind,
    /// Poses of its parts; empty while they are those of the setup.
    poses: Vec<Frame>,
    /// [`Setup::reach`] for the current poses.
    reach: f32,
    /// Spaces of its parts; empty if no part has a physics tree.
    spaces: Vec<Space>,
    listing: CellListSource,
    /// The cells it is registered in.
    pub(crate) cells: Vec<Registration>,
    /// The pieces that its cells depend on: when one is loaded or dropped, the cells may change.
    pub(crate) dependencies: Vec<PieceId>,
    /// The last search looked up more than the cells it found.
    pub(crate) missed: bool,
    /// Position at which its bounds were last written into the object lists.
    listed_at: Position,
    /// Its reach at that time.
    listed_reach: f32,
}

/// How the cells of an object are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellListSource {
    /// By its own shapes.
    Own,
    /// By the spheres of the sweep that placed it.
    Swept,
    /// It is lost and in no cell.
    Lost,
}

/// A cell in which an object is registered. Retail: `CShadowObj`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The cell.
    pub cell: CellId,
    /// Whether the cell is resident, so that its object list holds the object.
    pub resident: bool,
}

/// The initial values of a body.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// Its number.
    pub body: BodyId,
    /// Its models and collision shapes.
    pub setup: Arc<Setup>,
    /// Where it stands.
    pub position: Position,
    /// Its scale; 1 is the size of the setup.
    pub scale: f32,
    /// Its flags; [`State::HAS_PHYSICS_TREE`] is set by the world.
    pub state: State,
    /// How movers treat it.
    pub kind: ObjectKind,
}

impl Object {
    /// Creates a static object of a record.
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
            listing: CellListSource::Own,
            cells: Vec::new(),
            dependencies: Vec::new(),
            missed: false,
            listed_at: position,
            listed_reach: reach,
        };
        object.set_state(State::STATIC);
        object.place_parts();
        object
    }

    /// Its id.
    pub fn id(&self) -> ObjectId {
        self.id
    }

    /// Its position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Its models and collision shapes.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Its scale.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Its flags.
    pub fn state(&self) -> State {
        self.state
    }

    /// How movers treat it.
    pub fn kind(&self) -> ObjectKind {
        self.kind
    }

    /// The model or setup that it was made from.
    pub fn model(&self) -> RecordId {
        self.setup.id
    }

    /// Returns the pose of part `index` relative to the object, before scale: that of the setup,
    /// unless [`World::pose_part`](crate::World::pose_part) has set another.
    pub fn part_pose(&self, index: usize) -> Option<Frame> {
        let part = self.setup.parts.get(index)?;
        Some(self.poses.get(index).copied().unwrap_or(part.pose))
    }

    /// Returns the position of part `index`. Retail: `CPhysicsPart::pos`.
    pub fn part_position(&self, index: usize) -> Option<Position> {
        let pose = self.part_pose(index)?;
        let frame = self.position.frame.combine_scaled(&pose, Vec3::splat(self.scale));
        Some(Position { cell: self.position.cell, frame })
    }

    /// A sphere around its collision shapes in the frame of its landblock, for any heading.
    pub fn bounds(&self) -> Sphere {
        Sphere::new(self.position.frame.origin, self.reach * self.scale.abs())
    }

    /// The physics trees of its parts, in order.
    pub fn solids(&self) -> impl Iterator<Item = Solid<'_>> {
        self.solid_parts().map(|(_, solid)| solid)
    }

    /// The physics trees of its parts, each with the number of its part.
    pub fn solid_parts(&self) -> impl Iterator<Item = (usize, Solid<'_>)> {
        let parts = self.setup.parts.iter().zip(&self.spaces).enumerate();
        parts.filter_map(|(number, (part, space))| {
            let tree = part.model.physics.as_ref()?;
            Some((number, Solid { tree, space, scale: part.scale.z * self.scale }))
        })
    }

    /// Returns the scale of part `index`. Retail: `gfxobj_scale`.
    pub fn part_scale(&self, index: usize) -> Option<Vec3> {
        self.setup.parts.get(index).map(|part| part.scale * self.scale)
    }

    /// The cells it touches, in the order in which they were found.
    pub fn cells(&self) -> &[Registration] {
        &self.cells
    }

    /// Returns whether it is in a cell and all cells it touches are resident.
    ///
    /// Retail: `CPhysicsObj::is_completely_visible`.
    pub fn is_completely_visible(&self) -> bool {
        !self.cells.is_empty() && self.cells.iter().all(|registered| registered.resident)
    }

    /// The cell it is in, or `None` while it is lost. That cell may no longer be resident: a body
    /// finds out at its next update.
    pub fn cell(&self) -> Option<CellId> {
        (!self.is_lost()).then_some(self.position.cell)
    }

    /// Returns whether its last move ended where no cell contains it. See
    /// [`World::lose`](crate::World::lose).
    pub fn is_lost(&self) -> bool {
        self.listing == CellListSource::Lost
    }

    pub(crate) fn set_state(&mut self, state: State) {
        self.state = state.with(State::HAS_PHYSICS_TREE, self.setup.has_physics_tree);
    }

    /// Its bounds as written into object lists; for a body enlarged, so that small moves change no
    /// list.
    pub(crate) fn listed_bounds(&self) -> Sphere {
        let slack = if self.id.as_body().is_some() { BODY_SLACK } else { 0.0 };
        let bounds = self.bounds();
        Sphere::new(bounds.centre, bounds.radius + slack)
    }

    /// Notes that its current bounds were written into the object lists.
    pub(crate) fn note_listed(&mut self) {
        (self.listed_at, self.listed_reach) = (self.position, self.reach);
    }

    /// Returns whether at `position` it leaves the bounds in the object lists, or reaches farther
    /// than they say.
    pub(crate) fn leaves_listed_bounds(&self, position: &Position) -> bool {
        let gone = position.frame.origin - self.listed_at.frame.origin;
        // Negated, so that NaN counts as outside.
        !(gone.length_squared() <= BODY_SLACK * BODY_SLACK
            && self.reach <= self.listed_reach
            && position.cell.block() == self.listed_at.cell.block())
    }

    /// Returns whether a sweep that ends here, in these cells, changes no object list: the object
    /// is registered in these cells, none is missing, and it stays within its listed bounds.
    pub fn stays_listed(
        &self,
        position: &Position,
        cells: &[ListedCell],
        missed: &[CellId],
    ) -> bool {
        self.is_swept_into(cells, missed) && !self.leaves_listed_bounds(position)
    }

    /// Returns whether the object is registered in these cells by an earlier sweep.
    pub(crate) fn is_swept_into(&self, cells: &[ListedCell], missed: &[CellId]) -> bool {
        let whole = !self.missed && missed.is_empty();
        self.listing == CellListSource::Swept && whole && self.is_registered_in(cells)
    }

    /// Returns whether it is registered in exactly these cells.
    pub(crate) fn is_registered_in(&self, cells: &[ListedCell]) -> bool {
        let same = |(old, new): (&Registration, &ListedCell)| {
            old.cell == new.cell && old.resident == new.resident
        };
        self.cells.len() == cells.len() && self.cells.iter().zip(cells).all(same)
    }

    pub(crate) fn listing(&self) -> CellListSource {
        self.listing
    }

    pub(crate) fn set_listing(&mut self, listing: CellListSource) {
        self.listing = listing;
    }

    pub(crate) fn set_position(&mut self, position: Position) {
        self.position = position;
        self.place_parts();
    }

    /// Sets the pose of a part. The part must exist.
    pub(crate) fn set_pose(&mut self, part: usize, pose: Frame) {
        if self.poses.is_empty() {
            self.poses.extend(self.setup.parts.iter().map(|part| part.pose));
        }
        self.poses[part] = pose;
        self.reach = self.setup.collision_reach(&self.poses);
        self.place_parts();
    }

    /// Recomputes the spaces of its parts.
    fn place_parts(&mut self) {
        if self.setup.has_physics_tree {
            let mut spaces = std::mem::take(&mut self.spaces);
            spaces.clear();
            let parts = (0..self.setup.parts.len()).filter_map(|part| self.part_position(part));
            spaces.extend(parts.map(|part| Space::new(&part)));
            self.spaces = spaces;
        }
    }

    /// Fills `out` with its parts for the search for cells. Static objects are searched at natural
    /// size: retail registers scenery before it scales it.
    pub(crate) fn placed_parts(&self, out: &mut Vec<PlacedPart>) {
        let scale = if self.state.has(State::STATIC) { 1.0 } else { self.scale };
        let frame = |pose: &Frame| self.position.frame.combine_scaled(pose, Vec3::splat(scale));
        let poses = (0..).map_while(|part| self.part_pose(part));
        let parts = poses.zip(&self.setup.parts);
        out.clear();
        out.extend(parts.map(|(pose, part)| PlacedPart::new(frame(&pose), &part.model)));
    }
}
