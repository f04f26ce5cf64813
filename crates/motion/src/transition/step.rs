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
    /// Tries to step onto what is in the way. Nothing raises the mover first: in the search for ground the
    /// obstacle it is inside of lifts it.
    ///
    /// Retail: `CTransition::step_up`.
    pub(super) fn step_up(&mut self, normal: Vec3) -> bool {
        self.contact.plane.clear();
        self.path.step.up = true;
        self.path.step.up_normal = normal;
        let (steepest, height) = if self.flags.has(Flags::ON_WALKABLE) {
            (FLOOR_Z, self.mover.shape.step_up)
        } else {
            (LANDING_Z, PROBE_HEIGHT)
        };
        self.path.step.allowance = steepest;
        self.path.save();
        emit!(self, SweepEvent::StageBegan(Stage::StepUp { normal, height, steepest }));
        let stepped = !self.replay_failed_step() && self.try_step_up(height, steepest);
        self.path.step.up = false;
        self.path.walkable = None;
        if !stepped {
            self.path.restore();
        }
        emit!(self, SweepEvent::StageEnded(Ending::Success(stepped)));
        stepped
    }

    fn try_step_up(&mut self, height: f32, steepest: f32) -> bool {
        let (before, list_count) = (self.state(), self.list_count);
        let stepped = self.step_down(height, steepest);
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

    /// Looks for ground up to `height` below. Where there is none the place stays where the search ended.
    ///
    /// Retail: `CTransition::step_down`.
    pub(super) fn step_down(&mut self, height: f32, steepest: f32) -> bool {
        emit!(self, SweepEvent::StageBegan(Stage::GroundSearch { height, steepest }));
        self.path.deferred_hit = None;
        self.path.step.down = true;
        self.path.step.amount = height;
        self.path.step.interpolation = 1.0;
        if !self.path.step.up {
            self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        }
        let answer = self.transitional_insert(STEP_DOWN_ATTEMPTS);
        self.path.step.down = false;
        let below = self.judge_ground(answer, steepest);
        emit!(self, SweepEvent::StageEnded(Ending::GroundSearch(below)));
        below == GroundSearchResult::Ground
    }

    /// What the search for ground has found, after it got this answer.
    fn judge_ground(&mut self, answer: Insert, steepest: f32) -> GroundSearchResult {
        let floor = &self.contact.plane;
        if answer != Insert::Ok {
            return GroundSearchResult::Blocked(answer);
        }
        if !floor.valid {
            return GroundSearchResult::Nothing;
        }
        // Written so that NaN is too steep, too.
        if !matches!(floor.plane.normal.z.partial_cmp(&steepest), Some(Equal | Greater)) {
            return GroundSearchResult::TooSteep;
        }
        let asks_middle = self.flags.has(Flags::EDGE_SLIDE) && !self.path.step.up;
        if asks_middle && !self.check_walkable(steepest) {
            return GroundSearchResult::OnlyEdge;
        }
        if self.is_free(1) { GroundSearchResult::Ground } else { GroundSearchResult::NoRoom }
    }

    /// Looks for ground so far below, in two halves if the mover is smaller than that. Returns how far each look
    /// went, and whether there was ground.
    pub(super) fn step_down_by(&mut self, mut height: f32, steepest: f32) -> (f32, bool) {
        let diameter = 2.0 * self.path.radius();
        if !self.path.has_head() && diameter < height {
            height = self.path.radius() / 2.0;
        }
        if diameter >= height {
            return (height, self.step_down(height, steepest));
        }
        height /= 2.0;
        // The second half goes on from where the first ended.
        (height, self.step_down(height, steepest) || self.step_down(height, steepest))
    }

    /// Slides along what could not be stepped onto. Retail: `SPHEREPATH::step_up_slide`.
    pub(super) fn step_up_slide(&mut self) -> Insert {
        self.contact.plane.clear();
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
        emit!(self, SweepEvent::StageBegan(Stage::CentreCheck));
        // Not in the backup, which is that of the step (D13).
        let kept = self.path.check;
        self.path.step.allowance = steepest;
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
        self.path.set_check(kept);
        emit!(self, SweepEvent::StageEnded(Ending::Success(answer != Insert::Ok)));
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
