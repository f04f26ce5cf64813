//! Steps up and down.

use std::cmp::Ordering::{Equal, Greater};

use threshold_geom::{FLOOR_Z, LANDING_Z};
use threshold_land::glam::Vec3;

use super::collision_info::{ContactPlane, HitNormal};
use super::{CellQuery, Transition};
use crate::constants::{PROBE_HEIGHT, STEP_DOWN_ATTEMPTS};
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{Ending, GroundSearchResult, Stage, SweepEvent, SweepProbe};

/// A step up that failed: what it came upon and what it left behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailedStep {
    before: StepState,
    after: StepState,
    /// Where the cells were listed last, if they were.
    listed: Option<CellQuery>,
}

/// What decides a step up, and what it changes.
#[derive(Clone, Copy, Debug)]
struct StepState {
    place: CellQuery,
    low_point: Vec3,
    building: bool,
    floor: ContactPlane,
    hit: HitNormal,
}

impl StepState {
    /// Whether a step up from here is the same question. The ground is not looked at, and of what was hit only
    /// whether anything was.
    fn asks_as(&self, other: &Self) -> bool {
        self.place == other.place
            && self.low_point == other.low_point
            && self.building == other.building
            && self.hit.valid == other.hit.valid
    }
}

impl<P: SweepProbe> Transition<'_, P> {
    /// Tries to step onto an obstacle. The mover is not raised first: the ground search lifts it
    /// out of the obstacle it overlaps.
    ///
    /// Retail: `CTransition::step_up`.
    pub(super) fn step_up(&mut self, normal: Vec3) -> bool {
        self.contact.plane.clear();
        self.path.step.up = true;
        self.path.step.up_normal = normal;
        let (min_normal_z, height) = if self.flags.has(Flags::ON_WALKABLE) {
            (FLOOR_Z, self.mover.shape.step_up)
        } else {
            (LANDING_Z, PROBE_HEIGHT)
        };
        self.path.step.allowance = min_normal_z;
        self.path.save();
        emit!(self, SweepEvent::StageBegan(Stage::StepUp { normal, height, min_normal_z }));
        let stepped = !self.replay_failed_step() && self.try_step_up(height, min_normal_z);
        self.path.step.up = false;
        self.path.walkable = None;
        if !stepped {
            self.path.restore();
        }
        emit!(self, SweepEvent::StageEnded(Ending::Success(stepped)));
        stepped
    }

    fn try_step_up(&mut self, height: f32, min_normal_z: f32) -> bool {
        let (before, list_count) = (self.state(), self.list_count);
        let stepped = self.step_down(height, min_normal_z);
        if !stepped && !P::ENABLED {
            let listed = (self.list_count != list_count).then_some(self.last_query);
            self.scratch.failed.push(FailedStep { before, after: self.state(), listed });
        }
        stepped
    }

    /// A mover that is wedged tries the same step again and again within a sub-step. Nothing has changed in
    /// between, so that it fails again; what it left behind then it leaves behind now.
    fn replay_failed_step(&mut self) -> bool {
        let now = self.state();
        let Some(tried) =
            self.scratch.failed.iter().find(|tried| tried.before.asks_as(&now)).copied()
        else {
            return false;
        };
        let FailedStep { before, after, listed } = tried;
        self.path.building = after.building;
        if before.floor != after.floor {
            self.contact.plane = after.floor;
        }
        if before.hit != after.hit {
            self.contact.hit = after.hit;
        }
        self.path.deferred_hit = None;
        if let Some(listed) = listed {
            // Only the list is wanted.
            let _ = self.list_cells_at(&listed);
        }
        true
    }

    fn state(&self) -> StepState {
        StepState {
            place: CellQuery { position: self.path.check.position, spheres: self.path.spheres },
            low_point: self.path.low_point,
            building: self.path.building,
            floor: self.contact.plane,
            hit: self.contact.hit,
        }
    }

    /// Searches for ground up to `height` below. If there is none, the check position stays where
    /// the search ended.
    ///
    /// Retail: `CTransition::step_down`.
    pub(super) fn step_down(&mut self, height: f32, min_normal_z: f32) -> bool {
        emit!(self, SweepEvent::StageBegan(Stage::GroundSearch { height, min_normal_z }));
        self.path.deferred_hit = None;
        self.path.step.down = true;
        self.path.step.amount = height;
        self.path.step.interpolation = 1.0;
        if !self.path.step.up {
            self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        }
        let answer = self.transitional_insert(STEP_DOWN_ATTEMPTS);
        self.path.step.down = false;
        let result = self.classify_ground(answer, min_normal_z);
        emit!(self, SweepEvent::StageEnded(Ending::GroundSearch(result)));
        result == GroundSearchResult::Ground
    }

    /// Classifies the result of a ground search.
    fn classify_ground(&mut self, answer: Insert, min_normal_z: f32) -> GroundSearchResult {
        let contact_plane = &self.contact.plane;
        if answer != Insert::Ok {
            return GroundSearchResult::Blocked(answer);
        }
        if !contact_plane.valid {
            return GroundSearchResult::Nothing;
        }
        // NaN counts as too steep.
        if !matches!(contact_plane.plane.normal.z.partial_cmp(&min_normal_z), Some(Equal | Greater))
        {
            return GroundSearchResult::TooSteep;
        }
        let checks_centre = self.flags.has(Flags::EDGE_SLIDE) && !self.path.step.up;
        if checks_centre && !self.check_walkable(min_normal_z) {
            return GroundSearchResult::OnlyEdge;
        }
        if self.is_free(1) { GroundSearchResult::Ground } else { GroundSearchResult::NoRoom }
    }

    /// Searches for ground down to `height`, in two halves if the mover's diameter is less. Returns
    /// the height of each search and whether ground was found.
    pub(super) fn step_down_by(&mut self, mut height: f32, min_normal_z: f32) -> (f32, bool) {
        let diameter = 2.0 * self.path.radius();
        if !self.path.has_head() && diameter < height {
            height = self.path.radius() / 2.0;
        }
        if diameter >= height {
            return (height, self.step_down(height, min_normal_z));
        }
        height /= 2.0;
        // The second half continues where the first ended.
        (height, self.step_down(height, min_normal_z) || self.step_down(height, min_normal_z))
    }

    /// Slides along an obstacle that could not be stepped onto. Retail:
    /// `SPHEREPATH::step_up_slide`.
    pub(super) fn step_up_slide(&mut self) -> Insert {
        self.contact.plane.clear();
        self.path.step.up = false;
        self.slide_sphere(0, self.path.step.up_normal)
    }

    /// Returns whether there is ground under the centre of the mover, not only under its edge.
    ///
    /// Retail: `CTransition::check_walkable`.
    pub(super) fn check_walkable(&mut self, min_normal_z: f32) -> bool {
        if !self.flags.has(Flags::ON_WALKABLE) || self.check_walkables() {
            return true;
        }
        emit!(self, SweepEvent::StageBegan(Stage::CentreCheck));
        // The backup belongs to the step (D13).
        let check = self.path.check;
        self.path.step.allowance = min_normal_z;
        self.path.step.checking_walkable = true;
        let (mut height, radius) = (self.mover.shape.step_down, self.path.radius());
        if !self.path.has_head() && height > 2.0 * radius {
            height = radius / 2.0;
        }
        if height > 2.0 * radius {
            height /= 2.0;
        }
        self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        let answer = self.transitional_insert(1);
        self.path.step.checking_walkable = false;
        self.path.set_check(check);
        emit!(self, SweepEvent::StageEnded(Ending::Success(answer != Insert::Ok)));
        answer != Insert::Ok
    }

    /// Returns whether the mover's centre is over the polygon found, or none was found.
    ///
    /// Retail: `SPHEREPATH::check_walkables`.
    fn check_walkables(&mut self) -> bool {
        let Some(walkable) = &mut self.path.walkable else { return true };
        // Retail oddity: the radius stays halved.
        walkable.sphere.radius *= 0.5;
        walkable.polygon.check_walkable(&walkable.sphere, walkable.up)
    }
}
