//! Steps up and down.

use threshold_geom::{FLOOR_Z, LANDING_Z};
use threshold_land::glam::Vec3;
use threshold_land::{Position, Sphere};

use super::Transition;
use super::contact::{Direction, Floor};
use crate::constants::{MAX_SPHERES, PROBE_HEIGHT, STEP_DOWN_ATTEMPTS};
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::Probe;

/// A step up that failed: where it was tried, and what it came upon and left behind (before and after).
#[derive(Clone, Copy, Debug)]
pub(super) struct FailedStep {
    at: Position,
    building: [bool; 2],
    floor: [Floor; 2],
    hit: [Direction; 2],
    /// Where the cells were listed last.
    listed: (Position, [Sphere; MAX_SPHERES]),
}

impl<P: Probe> Transition<'_, P> {
    /// Tries to step onto what is in the way. Nothing raises the mover first: in the search for ground the
    /// obstacle it is inside of lifts it.
    ///
    /// Retail: `CTransition::step_up`.
    pub(super) fn step_up(&mut self, normal: Vec3) -> bool {
        self.contact.floor.clear();
        self.path.step.up = true;
        self.path.step.up_normal = normal;
        let (steepest, height) = if self.flags.has(Flags::ON_WALKABLE) {
            (FLOOR_Z, self.mover.shape.step_up)
        } else {
            (LANDING_Z, PROBE_HEIGHT)
        };
        self.path.step.allowance = steepest;
        self.path.save();
        let stepped = !self.has_failed_here() && self.try_step_up(height, steepest);
        self.path.step.up = false;
        self.path.walkable = None;
        if !stepped {
            self.path.restore();
        }
        stepped
    }

    fn try_step_up(&mut self, height: f32, steepest: f32) -> bool {
        let mut tried = FailedStep {
            at: self.path.check.position,
            building: [self.path.building; 2],
            floor: [self.contact.floor; 2],
            hit: [self.contact.hit; 2],
            listed: (self.path.check.position, self.path.spheres),
        };
        let stepped = self.step_down(height, steepest);
        if !stepped {
            tried.building[1] = self.path.building;
            tried.floor[1] = self.contact.floor;
            tried.hit[1] = self.contact.hit;
            tried.listed = self.listed;
            self.failed.push(tried);
        }
        stepped
    }

    /// A mover that is wedged tries the same step again and again within a sub-step. Nothing has changed in
    /// between, so that it fails again; what it left behind then it leaves behind now.
    fn has_failed_here(&mut self) -> bool {
        let (at, building) = (self.path.check.position, self.path.building);
        let hit = self.contact.hit.valid;
        let same = |tried: &&FailedStep| {
            tried.at == at && tried.building[0] == building && tried.hit[0].valid == hit
        };
        // Who watches wants to see it.
        let Some(tried) = self.failed.iter().find(same).filter(|_| !P::WATCHES) else {
            return false;
        };
        self.path.building = tried.building[1];
        if tried.floor[0] != tried.floor[1] {
            self.contact.floor = tried.floor[1];
        }
        if tried.hit[0] != tried.hit[1] {
            self.contact.hit = tried.hit[1];
        }
        self.path.behind = None;
        let (position, spheres) = tried.listed;
        let _ = self.list_cells_at(&position, &spheres);
        true
    }

    /// Looks for ground up to `height` below. Where there is none the place stays where the search ended.
    ///
    /// Retail: `CTransition::step_down`.
    pub(super) fn step_down(&mut self, height: f32, steepest: f32) -> bool {
        self.path.behind = None;
        self.path.step.down = true;
        self.path.step.amount = height;
        self.path.step.interpolation = 1.0;
        if !self.path.step.up {
            self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        }
        let answer = self.transitional_insert(STEP_DOWN_ATTEMPTS);
        self.path.step.down = false;
        let floor = &self.contact.floor;
        answer == Insert::Ok
            && floor.valid
            && floor.plane.normal.z >= steepest
            && (!self.flags.has(Flags::EDGE_SLIDE)
                || self.path.step.up
                || self.check_walkable(steepest))
            && self.is_free(1)
    }

    /// Slides along what could not be stepped onto. Retail: `SPHEREPATH::step_up_slide`.
    pub(super) fn step_up_slide(&mut self) -> Insert {
        self.contact.floor.clear();
        self.path.step.up = false;
        self.slide_sphere(0, self.path.step.up_normal)
    }

    /// Whether there is ground under the mover, and not only under its edge.
    ///
    /// Retail: `CTransition::check_walkable`.
    pub(super) fn check_walkable(&mut self, steepest: f32) -> bool {
        if !self.flags.has(Flags::ON_WALKABLE) || self.check_walkables() {
            return true;
        }
        // Not in the backup, which is that of the step (D13).
        let kept = self.path.check;
        self.path.step.allowance = steepest;
        self.path.step.checks_ground = true;
        let (mut height, radius) = (self.mover.shape.step_down, self.path.radius());
        if !self.path.has_head() && height > 2.0 * radius {
            height = radius / 2.0;
        }
        if height > 2.0 * radius {
            height /= 2.0;
        }
        self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        let answer = self.transitional_insert(1);
        self.path.step.checks_ground = false;
        self.path.set_check(kept);
        answer != Insert::Ok
    }

    /// Whether the mover's middle is on the polygon it has found, if it has found one.
    ///
    /// Retail: `SPHEREPATH::check_walkables`.
    fn check_walkables(&mut self) -> bool {
        let Some(walkable) = &mut self.path.walkable else { return true };
        // Retail oddity: it stays halved.
        walkable.sphere.radius *= 0.5;
        walkable.polygon.check_walkable(&walkable.sphere, walkable.up)
    }
}
