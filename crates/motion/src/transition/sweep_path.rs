//! Where a mover was, is and tries to be.

use std::f32::consts::SQRT_2;

use threshold_geom::Polygon;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Rotation, Space, Sphere, block_offset_between};
use threshold_world::Cell;

use crate::constants::MAX_SPHERES;
use crate::mover::MoverShape;

/// A position of the mover, with its cell and its spheres turned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepPosition<'w> {
    pub(crate) position: Position,
    /// `None` where no resident cell contains it.
    pub(crate) cell: Option<Cell<'w>>,
    /// The centres of the spheres, and the lowest point of the first, as seen from the origin.
    turned: [Vec3; MAX_SPHERES],
    turned_low: Vec3,
}

/// How a place is tried. Retail: `InsertType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InsertType {
    /// On the way from somewhere.
    Transition,
    /// Is there room?
    Placement,
    /// Walls and shells push the mover out, objects are not asked.
    InitialPlacement,
}

/// A polygon that the mover may stand on, in its own space. Retail: `SPHEREPATH::walkable` and the fields
/// beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walkable<'w> {
    pub(crate) polygon: Polygon<'w>,
    /// Where the mover's first sphere stands on it.
    pub(crate) sphere: Sphere,
    pub(crate) up: Vec3,
    pub(crate) space: &'w Space,
    pub(crate) scale: f32,
}

/// A polygon that was touched while moving away from it, to be answered when all else is free. Retail:
/// `neg_poly_hit` and the fields beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeferredHit {
    pub(crate) step_up: bool,
    pub(crate) normal: Vec3,
}

/// Steps, and the search for ground. Retail: the fields of `SPHEREPATH` from `step_up` to `walk_interp`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// A step up is tried.
    pub(crate) up: bool,
    pub(crate) up_normal: Vec3,
    /// Ground is looked for below: every surface lifts the mover.
    pub(crate) down: bool,
    /// How far below, in metres. Retail: `step_down_amt`.
    pub(crate) amount: f32,
    /// What is left of the way down. Retail: `walk_interp`.
    pub(crate) interpolation: f32,
    /// Steeper is not ground. Retail: `walkable_allowance`.
    pub(crate) allowance: f32,
    /// Only whether there is ground is asked. Retail: `check_walkable`.
    pub(crate) checking_walkable: bool,
    /// Something to land on is looked for, along the way. Retail: `collide`.
    pub(crate) seeking_landing: bool,
}

/// The mover's way. Retail: `SPHEREPATH`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepPath<'w> {
    shape: &'w MoverShape,
    pub(crate) begin: Position,
    pub(crate) end: Position,
    /// The last place that was accepted. Retail: `curr_pos`, `curr_cell`.
    pub(crate) curr: SweepPosition<'w>,
    /// The place that is tried. Retail: `check_pos`, `check_cell`.
    pub(crate) check: SweepPosition<'w>,
    /// A place to return to. Retail: `backup_check_pos`, `backup_cell`.
    pub(crate) backup: SweepPosition<'w>,
    /// The spheres where they are tried, in the landblock of `check`. Retail: `global_sphere`.
    pub(crate) spheres: [Sphere; MAX_SPHERES],
    /// Retail: `global_low_point`.
    pub(crate) low_point: Vec3,
    /// The centres at the last accepted place, in its landblock. Retail: `global_curr_center`.
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
        let mut stand =
            Self { position, cell, turned: [Vec3::ZERO; MAX_SPHERES], turned_low: Vec3::ZERO };
        stand.turn(shape, position.frame.rotation);
        stand
    }

    /// Gives it another rotation.
    pub(crate) fn turn(&mut self, shape: &MoverShape, rotation: Rotation) {
        self.position.frame.rotation = rotation;
        let rows = rotation.rows();
        let spheres = shape.both();
        self.turned = spheres.map(|sphere| rows.to_global(sphere.centre));
        let low = spheres[0].centre - Vec3::new(0.0, 0.0, spheres[0].radius);
        self.turned_low = rows.to_global(low);
    }

    #[inline]
    pub(crate) fn centre(&self, index: usize) -> Vec3 {
        self.position.frame.origin + self.turned[index]
    }

    /// The centre of a sphere in a local space.
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
        let stand = SweepPosition::new(shape, begin, Some(cell));
        let centres = [0, 1].map(|index| stand.centre(index));
        let mut path = Self {
            shape,
            begin,
            end,
            curr: stand,
            check: stand,
            backup: stand,
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
        path.set_check(stand);
        path
    }

    /// The radius of the first sphere.
    pub(crate) fn radius(&self) -> f32 {
        self.spheres[0].radius
    }

    pub(crate) fn has_head(&self) -> bool {
        self.shape.has_head()
    }

    /// Round the spheres, in the frame of the landblock of `cell`: where they are for the ground and for round
    /// things, and where a turn has put them for trees. With room at the rims of cylinders, which a sphere touches
    /// as a box would.
    pub(crate) fn bounds_in(&self, cell: CellId) -> Sphere {
        let [feet, head] = self.spheres;
        let middle = (feet.centre + head.centre) * 0.5;
        let widest = feet.radius.max(head.radius) * SQRT_2;
        // Along the axes it is as far or farther, and needs no root.
        let apart = |point: Vec3| (point - middle).abs().element_sum();
        let turned = apart(self.check.centre(0)).max(apart(self.check.centre(1)));
        let centre = middle - block_offset_between(self.check.position.cell, cell);
        Sphere::new(centre, apart(head.centre).max(turned) + widest)
    }

    /// Whether a centre in matter counts: in a doorway the shell of the building is not matter.
    pub(crate) fn checks_centre(&self) -> bool {
        !(self.building && self.hits_interior)
    }

    /// The indices of the spheres there are.
    pub(crate) fn indices(&self) -> std::ops::Range<usize> {
        0..self.shape.spheres().len()
    }

    /// Retail: `SPHEREPATH::set_check_pos`.
    pub(crate) fn set_check(&mut self, stand: SweepPosition<'w>) {
        self.check = stand;
        for (index, sphere) in self.spheres.iter_mut().enumerate() {
            sphere.centre = stand.centre(index);
        }
        self.low_point = stand.position.frame.origin + stand.turned_low;
    }

    /// Turns the place that is tried. Retail oddity: the spheres stay until the place is set anew.
    pub(crate) fn turn_check(&mut self, rotation: Rotation) {
        self.check.turn(self.shape, rotation);
    }

    /// Turns the mover where it is.
    pub(crate) fn turn_curr(&mut self, rotation: Rotation) {
        if self.curr.position.frame.rotation != rotation {
            self.curr.turn(self.shape, rotation);
        }
    }

    /// Accepts the place that is tried. Retail: `SetCurrentCheckPos`.
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

    /// The place that is tried is in this cell from now on. Retail: `SPHEREPATH::adjust_check_pos`, with
    /// the offset indoors as well (D6).
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

    /// From the landblock of the last accepted place to that of the one that is tried.
    pub(crate) fn block_offset(&self) -> Vec3 {
        block_offset_between(self.curr.position.cell, self.check.position.cell)
    }

    /// The way of a sphere from the last accepted place to the one that is tried.
    pub(crate) fn movement(&self, index: usize) -> Vec3 {
        self.block_offset() + (self.spheres[index].centre - self.curr_centres[index])
    }

    /// Something to land on is looked for from now on. Retail: `SPHEREPATH::set_collide`.
    pub(crate) fn seek_landing(&mut self, normal: Vec3, allowance: f32) {
        self.step.seeking_landing = true;
        self.save();
        self.step.up_normal = normal;
        self.step.interpolation = 1.0;
        self.step.allowance = allowance;
    }
}
