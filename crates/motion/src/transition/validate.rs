//! The end of a sub-step, and what the next one makes of it.

use threshold_geom::is_valid_walkable;
use threshold_land::glam::Vec3;
use threshold_land::{EPSILON, Plane, block_offset_between, vector};
use threshold_world::State;

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{OffsetLimit, SweepEvent, SweepProbe};
use crate::rules::Seam;

impl<P: SweepProbe> Transition<'_, P> {
    /// Accepts the place or takes it back; a mover that is blocked keeps its cell.
    ///
    /// Retail: `CTransition::validate_transition`.
    pub(super) fn validate_transition(&mut self, answer: Insert) {
        let moved = if answer == Insert::Ok {
            let moved = !self.path.check.position.near(&self.path.curr.position);
            self.path.accept();
            moved
        } else {
            self.reject()
        };
        if self.contact.hit.valid {
            self.contact.sliding.set_horizontal(self.contact.hit.normal);
        }
        if !self.flags.has(Flags::VIEWER) && self.mover.state.has(State::GRAVITY) {
            self.count_stationary_fall(moved);
        }
        self.remember_ground();
        let (ground, hit) = (self.contact.contact_normal(), self.contact.hit_normal());
        emit!(self, SweepEvent::SubStepEnded { answer, at: &self.path.curr.position, ground, hit });
    }

    /// Back to the last accepted place. Returns whether that counts as a move: who stands on the ground does
    /// not fall.
    fn reject(&mut self) -> bool {
        let mut moved = false;
        if self.contact.last_plane.valid {
            self.contact.velocity_stopped = true;
            let last = self.contact.last_plane;
            let mut centre = self.path.curr_centres[0];
            // A plane of nowhere is in its own landblock (D7).
            if self.rules.seam == Seam::Mended && last.cell.0 != 0 {
                centre -= block_offset_between(self.path.curr.position.cell, last.cell);
            }
            if last.plane.distance(centre).abs() < self.path.radius() + EPSILON {
                self.contact.plane = last;
                moved = self.flags.has(Flags::ON_WALKABLE);
            }
        }
        if !self.contact.hit.valid {
            self.contact.hit.set(Vec3::Z);
        }
        self.path.set_check(self.path.curr);
        // Only the list is wanted.
        let _ = self.list_cells();
        moved
    }

    /// A body that falls and does not move is given something to stand on in the end.
    fn count_stationary_fall(&mut self, moved: bool) {
        self.contact.stationary = match self.contact.stationary {
            _ if moved => 0,
            0 => 1,
            1 => 2,
            _ => 3,
        };
        if self.contact.stationary > 0 {
            emit!(self, SweepEvent::StationaryFall(self.contact.stationary));
        }
        if self.contact.stationary == 3 {
            let foot = self.path.spheres[0];
            let plane = Plane { normal: Vec3::Z, d: foot.radius - foot.centre.z };
            self.contact.set_contact_plane(plane, self.path.check.position.cell, false);
            if !self.flags.has(Flags::CONTACT) {
                self.contact.hit.set(Vec3::Z);
                self.contact.hit_environment = true;
            }
        }
    }

    fn remember_ground(&mut self) {
        let floor = self.contact.plane;
        self.contact.last_plane.valid = floor.valid;
        if floor.valid {
            self.contact.last_plane = floor;
        }
        self.flags = self
            .flags
            .with(Flags::CONTACT, floor.valid)
            .with(Flags::ON_WALKABLE, floor.valid && is_valid_walkable(floor.plane.normal));
    }

    /// What is left of a sub-step on the ground and along what was run into. Pushes the mover up where it has
    /// sunk into the ground.
    ///
    /// Retail: `CTransition::adjust_offset`.
    pub(super) fn adjust_offset(&mut self, mut offset: Vec3) -> Vec3 {
        let sliding = self.contact.sliding;
        let into = offset.dot(sliding.normal);
        let slides = sliding.valid && into < 0.0;
        self.contact.sliding.valid = slides;
        let floor = self.contact.plane;
        let wished = offset;
        if !floor.valid {
            let left = if slides { offset - sliding.normal * into } else { offset };
            let along = if slides { OffsetLimit::Wall(sliding.normal) } else { OffsetLimit::Free };
            emit!(
                self,
                SweepEvent::OffsetAdjusted { requested: wished, remaining: left, limit: along }
            );
            return left;
        }
        let normal = floor.plane.normal;
        let mut along = OffsetLimit::Ground(normal);
        if slides {
            along = OffsetLimit::Crease { ground: normal, wall: sliding.normal };
            offset = match vector::normalise(normal.cross(sliding.normal)) {
                Some(along) => along * along.dot(offset),
                None => Vec3::ZERO,
            };
        } else if offset.dot(normal) <= 0.0 {
            offset -= normal * offset.dot(normal);
        } else {
            along = OffsetLimit::Slope(normal);
            offset = floor.plane.snap(offset);
        }
        emit!(
            self,
            SweepEvent::OffsetAdjusted { requested: wished, remaining: offset, limit: along }
        );
        self.push_up();
        offset
    }

    fn push_up(&mut self) {
        let floor = self.contact.plane;
        if floor.cell.0 == 0 || floor.water {
            return;
        }
        let foot = self.path.spheres[0];
        let centre = foot.centre - block_offset_between(self.path.check.position.cell, floor.cell);
        let distance = floor.plane.distance(centre);
        if distance < foot.radius - EPSILON {
            let lift = (foot.radius - distance) / floor.plane.normal.z;
            if lift.abs() < foot.radius {
                emit!(self, SweepEvent::PushedUp { height: lift });
                self.path.add_offset(Vec3::new(0.0, 0.0, lift));
            }
        }
    }
}
