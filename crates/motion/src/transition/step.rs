//! Steps up and down.

use std::cmp::Ordering::{Equal, Greater};

use threshold_geom::{FLOOR_Z, LANDING_Z};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};

use super::collision_info::ContactPlane;
use super::sweep_path::InsertType;
use super::{CellQuery, Transition};
use crate::constants::{PROBE_HEIGHT, STEP_DOWN_ATTEMPTS};
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{Ending, GroundSearchResult, Stage, SweepEvent, SweepProbe};

/// A step up that failed, kept until the sub-step ends.
///
/// A wedged mover tries the same step again and again within a sub-step. A repeated try fails again
/// and leaves the same behind, so it is replayed instead.
///
/// # Why the key is enough
///
/// What a step up reads is in the key, is the same for the whole sub-step, or is written by the step
/// itself before it is read:
///
/// - The same for the whole sub-step: world, rules, mover, flags, and the last accepted position.
///   They change only where a sub-step is validated.
/// - Always the same when a step up begins ([`Transition::step_up`] asserts it): how the position is
///   tried, the stage of the step, the ethereal flag. The contact plane is cleared first.
/// - In the key ([`StepKey`]): the check position, whether a cell contains it, spheres, lowest point,
///   and whether a building is tested.
/// - Written before it is read: height and interpolation of the ground search, the deferred hit, the
///   cell array and the interior flag. A room check, which alone reads the flag, follows a search.
/// - Not read at all: the direction stepped against, the hit, the sliding normal, the last contact
///   plane, the walkable polygon.
///
/// What a failed step changes is restored by its caller, kept here, or needs no replay:
///
/// - Kept here: the contact plane if the step set one, the building flag, and the cells listed last,
///   from which array and interior flag follow.
/// - Only ever set or added to during a sub-step, so the first try has done it: touched objects, the
///   flags for environment and for the edge of what is resident.
/// - Overwritten by the slide that follows every failed step: the hit. The one slide that keeps it is
///   that along no direction; such a step is neither kept nor replayed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailedStep {
    key: StepKey,
    /// The contact plane that the step set, if any.
    plane: Option<ContactPlane>,
    building: bool,
    /// Where the step listed cells last, if it did.
    last_query: Option<CellQuery>,
}

/// The input of a step up that may differ between two tries in a sub-step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StepKey {
    cell: CellId,
    /// Whether a resident cell contains the position.
    in_cell: bool,
    building: bool,
    /// The bits of frame, spheres and lowest point: -0 is not 0, and NaN equals itself.
    bits: [u32; 18],
}

impl<P: SweepProbe> Transition<'_, P> {
    /// Steps onto an obstacle, or else slides along it.
    pub(super) fn step_up_or_slide(&mut self, normal: Vec3) -> Insert {
        if self.step_up(normal) { Insert::Ok } else { self.step_up_slide() }
    }

    /// Tries to step onto an obstacle. Nothing raises the mover first: in the search for ground the
    /// obstacle it is inside of lifts it.
    ///
    /// Retail: `CTransition::step_up`.
    fn step_up(&mut self, normal: Vec3) -> bool {
        debug_assert!(self.begins_like_every_step_up());
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
        let caches = !P::ENABLED && self.scratch.shortcuts.failed_steps && normal != Vec3::ZERO;
        let stepped = if caches {
            self.step_up_once(height, min_normal_z)
        } else {
            self.step_down(height, min_normal_z)
        };
        self.path.step.up = false;
        self.path.walkable = None;
        if !stepped {
            self.path.restore();
        }
        emit!(self, SweepEvent::StageEnded(Ending::Success(stepped)));
        stepped
    }

    /// Steps up, unless the same step has failed in this sub-step.
    fn step_up_once(&mut self, height: f32, min_normal_z: f32) -> bool {
        let key = self.step_key();
        let mut failed = self.scratch.failed.iter();
        if let Some(failed) = failed.find(|failed| failed.key == key).copied() {
            self.replay(&failed);
            return false;
        }
        let list_count = self.list_count;
        let stepped = self.step_down(height, min_normal_z);
        if !stepped {
            let plane = self.contact.plane.valid.then_some(self.contact.plane);
            let last_query = (self.list_count != list_count).then_some(self.last_query);
            let building = self.path.building;
            self.scratch.failed.push(FailedStep { key, plane, building, last_query });
        }
        stepped
    }

    /// Leaves behind what a step left behind when it failed.
    fn replay(&mut self, failed: &FailedStep) {
        self.path.building = failed.building;
        self.path.deferred_hit = None;
        if let Some(plane) = failed.plane {
            self.contact.plane = plane;
        }
        if let Some(query) = &failed.last_query {
            // Only the array is needed.
            let _ = self.list_cells_at(query);
        }
    }

    fn step_key(&self) -> StepKey {
        let Position { cell, frame } = self.path.check.position;
        let Rotation { w, x, y, z } = frame.rotation;
        let [feet, head] = self.path.spheres;
        let (origin, low) = (frame.origin, self.path.low_point);
        let numbers = [
            [origin.x, origin.y, origin.z, w, x, y],
            [z, feet.radius, feet.centre.x, feet.centre.y, feet.centre.z, head.radius],
            [head.centre.x, head.centre.y, head.centre.z, low.x, low.y, low.z],
        ];
        let mut bits = [0; 18];
        bits.iter_mut().zip(numbers.as_flattened()).for_each(|(bits, v)| *bits = v.to_bits());
        let (in_cell, building) = (self.path.check.cell.is_some(), self.path.building);
        StepKey { cell, in_cell, building, bits }
    }

    /// Returns whether the state that [`StepKey`] leaves out is what it is for every step up.
    fn begins_like_every_step_up(&self) -> bool {
        let step = &self.path.step;
        let began = step.up || step.down || step.checking_walkable || step.seeking_landing;
        self.path.insert == InsertType::Transition && !began && !self.path.ethereal
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
    fn step_up_slide(&mut self) -> Insert {
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
