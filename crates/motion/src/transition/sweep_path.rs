//! The sweep path: where a mover was, is and tries to be.

use std::f32::consts::SQRT_2;

use threshold_geom::Polygon;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation, Space, Sphere, block_offset_between};
use threshold_world::Cell;

use crate::constants::MAX_SPHERES;
use crate::mover::MoverShape;

/// A position of the mover, with its cell and its rotated spheres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepPosition<'w> {
    pub(crate) position: Position,
    /// `None` where no resident cell contains it.
    pub(crate) cell: Option<Cell<'w>>,
    /// Sphere centres, and the lowest point of the first sphere, relative to the origin.
    pub(super) offsets: [Vec3; MAX_SPHERES],
    pub(super) low_offset: Vec3,
}

/// How a position is tried. Retail: `InsertType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InsertType {
    /// During a sweep.
    Transition,
    /// Tests for room.
    Placement,
    /// Walls and shells push the mover out; objects are not tested.
    InitialPlacement,
}

/// A polygon that the mover may stand on, in local space. Retail: `SPHEREPATH::walkable` and the
/// fields beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walkable<'w> {
    pub(crate) polygon: Polygon<'w>,
    /// The mover's first sphere on the polygon.
    pub(crate) sphere: Sphere,
    pub(crate) up: Vec3,
    pub(crate) space: &'w Space,
    pub(crate) scale: f32,
}

/// A polygon touched while moving away from it; handled when everything else is free. Retail:
/// `neg_poly_hit` and the fields beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeferredHit {
    pub(crate) step_up: bool,
    pub(crate) normal: Vec3,
}

/// State of steps and ground searches. Retail: the fields of `SPHEREPATH` from `step_up` to
/// `walk_interp`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// A step up is in progress.
    pub(crate) up: bool,
    pub(crate) up_normal: Vec3,
    /// A step down is in progress: every walkable surface lifts the mover.
    pub(crate) down: bool,
    /// Depth of the step down, in metres. Retail: `step_down_amt`.
    pub(crate) amount: f32,
    /// Remaining fraction of the step down. Retail: `walk_interp`.
    pub(crate) interpolation: f32,
    /// Minimum z of a walkable normal. Retail: `walkable_allowance`.
    pub(crate) allowance: f32,
    /// Only tests whether ground exists. Retail: `check_walkable`.
    pub(crate) checking_walkable: bool,
    /// Searches for a surface to land on along the movement. Retail: `collide`.
    pub(crate) seeking_landing: bool,
}

/// The sweep path. Retail: `SPHEREPATH`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepPath<'w> {
    pub(super) shape: &'w MoverShape,
    pub(crate) begin: Position,
    pub(crate) end: Position,
    /// Last accepted position. Retail: `curr_pos`, `curr_cell`.
    pub(crate) curr: SweepPosition<'w>,
    /// Check position. Retail: `check_pos`, `check_cell`.
    pub(crate) check: SweepPosition<'w>,
    /// Position to return to. Retail: `backup_check_pos`, `backup_cell`.
    pub(crate) backup: SweepPosition<'w>,
    /// The spheres at the check position, in the frame of its landblock. Retail: `global_sphere`.
    pub(crate) spheres: [Sphere; MAX_SPHERES],
    /// Retail: `global_low_point`.
    pub(crate) low_point: Vec3,
    /// Sphere centres at the last accepted position, in the frame of its landblock. Retail:
    /// `global_curr_center`.
    pub(crate) curr_centres: [Vec3; MAX_SPHERES],
    pub(crate) insert: InsertType,
    pub(crate) step: Step,
    pub(crate) walkable: Option<Walkable<'w>>,
    pub(crate) deferred_hit: Option<DeferredHit>,
    /// Retail: `obstruction_ethereal`.
    pub(crate) ethereal: bool,
    /// Retail: `hits_interior_cell`.
    pub(crate) hits_interior: bool,
    /// Retail: `bldg_check`.
    pub(crate) building: bool,
}

impl<'w> SweepPosition<'w> {
    pub(crate) fn new(shape: &MoverShape, position: Position, cell: Option<Cell<'w>>) -> Self {
        let (offsets, low_offset) = ([Vec3::ZERO; MAX_SPHERES], Vec3::ZERO);
        let mut placed = Self { position, cell, offsets, low_offset };
        placed.turn(shape, position.frame.rotation);
        placed
    }

    /// Sets the rotation.
    pub(crate) fn turn(&mut self, shape: &MoverShape, rotation: Rotation) {
        self.position.frame.rotation = rotation;
        let rows = rotation.rows();
        let spheres = shape.both();
        self.offsets = spheres.map(|sphere| rows.to_global(sphere.centre));
        let low = spheres[0].centre - Vec3::new(0.0, 0.0, spheres[0].radius);
        self.low_offset = rows.to_global(low);
    }

    #[inline]
    pub(crate) fn centre(&self, index: usize) -> Vec3 {
        self.position.frame.origin + self.offsets[index]
    }

    /// Returns the centre of a sphere in local space.
    #[inline]
    pub(crate) fn local_centre(&self, space: &Space, index: usize) -> Vec3 {
        space.to_local_from(self.position.cell, self.centre(index))
    }
}

impl<'w> SweepPath<'w> {
    /// Retail: `SPHEREPATH::init_path`.
    pub(crate) fn new(
        shape: &'w MoverShape,
        begin: Position,
        end: Position,
        cell: Cell<'w>,
    ) -> Self {
        let start = SweepPosition::new(shape, begin, Some(cell));
        let centres = [0, 1].map(|index| start.centre(index));
        let mut path = Self {
            shape,
            begin,
            end,
            curr: start,
            check: start,
            backup: start,
            spheres: *shape.both(),
            low_point: Vec3::ZERO,
            curr_centres: centres,
            insert: InsertType::Transition,
            step: Step {
                up: false,
                up_normal: Vec3::ZERO,
                down: false,
                amount: 0.0,
                interpolation: 1.0,
                allowance: 0.0,
                checking_walkable: false,
                seeking_landing: false,
            },
            walkable: None,
            deferred_hit: None,
            ethereal: false,
            hits_interior: false,
            building: false,
        };
        path.set_check(start);
        path
    }

    /// Returns the radius of the first sphere.
    pub(crate) fn radius(&self) -> f32 {
        self.spheres[0].radius
    }

    pub(crate) fn has_head(&self) -> bool {
        self.shape.has_head()
    }

    /// Returns a bounding sphere of the mover, in the frame of the landblock of `cell`. It contains
    /// the spheres as tested against ground, spheres and cylinders, and as rotated for trees.
    /// Conservative: widened for the rims of cylinders, which are tested as boxes.
    pub(crate) fn bounds_in(&self, cell: CellId) -> Sphere {
        let [feet, head] = self.spheres;
        let midpoint = (feet.centre + head.centre) * 0.5;
        let max_radius = feet.radius.max(head.radius) * SQRT_2;
        // The sum over the axes is at least the distance, and needs no root.
        let manhattan = |point: Vec3| (point - midpoint).abs().element_sum();
        let offsets = manhattan(self.check.centre(0)).max(manhattan(self.check.centre(1)));
        let centre = midpoint - block_offset_between(self.check.position.cell, cell);
        Sphere::new(centre, manhattan(head.centre).max(offsets) + max_radius)
    }

    /// Returns whether a centre inside solid space counts; in a doorway the shell of the building
    /// does not.
    pub(crate) fn checks_centre(&self) -> bool {
        !(self.building && self.hits_interior)
    }

    /// Returns the indices of the mover's spheres.
    pub(crate) fn indices(&self) -> std::ops::Range<usize> {
        0..self.shape.spheres().len()
    }

    /// Retail: `SPHEREPATH::set_check_pos`.
    pub(crate) fn set_check(&mut self, position: SweepPosition<'w>) {
        self.check = position;
        for (index, sphere) in self.spheres.iter_mut().enumerate() {
            sphere.centre = position.centre(index);
        }
        self.low_point = position.position.frame.origin + position.low_offset;
    }

    /// Rotates the check position. Retail oddity: the spheres follow only when the position is set
    /// again.
    pub(crate) fn turn_check(&mut self, rotation: Rotation) {
        self.check.turn(self.shape, rotation);
    }

    /// Rotates the mover at its current position.
    pub(crate) fn turn_curr(&mut self, rotation: Rotation) {
        if self.curr.position.frame.rotation != rotation {
            self.curr.turn(self.shape, rotation);
        }
    }

    /// Accepts the check position. Retail: `SetCurrentCheckPos`.
    pub(crate) fn accept(&mut self) {
        self.curr = self.check;
        self.curr_centres = [0, 1].map(|index| self.curr.centre(index));
        self.set_check(self.curr);
    }

    /// Retail: `SPHEREPATH::save_check_pos`.
    pub(crate) fn save(&mut self) {
        self.backup = self.check;
    }

    /// Retail: `SPHEREPATH::restore_check_pos`.
    pub(crate) fn restore(&mut self) {
        self.set_check(self.backup);
    }

    /// Retail: `SPHEREPATH::add_offset_to_check_pos`.
    pub(crate) fn add_offset(&mut self, offset: Vec3) {
        self.check.position.frame.origin += offset;
        for sphere in &mut self.spheres {
            sphere.centre += offset;
        }
        self.low_point += offset;
    }

    /// Moves the check position into a cell. Retail: `SPHEREPATH::adjust_check_pos`, with the
    /// offset applied indoors as well (D6).
    pub(crate) fn enter(&mut self, cell: Cell<'w>) {
        let (id, old) = (cell.id(), self.check.position.cell);
        if id == old && self.check.cell.is_some_and(|own| own.id() == id) {
            return;
        }
        self.check.cell = Some(cell);
        if id.block() != old.block() {
            self.add_offset(block_offset_between(id, old));
        }
        self.check.position.cell = id;
    }

    /// Returns the offset from the landblock of the current position to that of the check position.
    pub(crate) fn block_offset(&self) -> Vec3 {
        block_offset_between(self.curr.position.cell, self.check.position.cell)
    }

    /// Returns the movement of a sphere from the current position to the check position.
    pub(crate) fn movement(&self, index: usize) -> Vec3 {
        self.block_offset() + (self.spheres[index].centre - self.curr_centres[index])
    }

    /// Starts the search for a surface to land on. Retail: `SPHEREPATH::set_collide`.
    pub(crate) fn seek_landing(&mut self, normal: Vec3, allowance: f32) {
        self.step.seeking_landing = true;
        self.save();
        self.step.up_normal = normal;
        self.step.interpolation = 1.0;
        self.step.allowance = allowance;
    }
}
