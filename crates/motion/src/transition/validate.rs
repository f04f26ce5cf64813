//! The end of a sub-step, and the offset of the next one.

use threshold_geom::is_valid_walkable;
use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Plane, block_offset_between, vector};
use threshold_world::State;

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{OffsetLimit, SweepEvent, SweepProbe};
use crate::rules::Seam;

impl<P: SweepProbe> Transition<'_, P> {
    /// Accepts the check position or takes it back; a blocked mover keeps its cell.
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
        self.update_last_plane();
        let (ground, hit) = (self.contact.contact_normal(), self.contact.hit_normal());
        emit!(self, SweepEvent::SubStepEnded { answer, at: &self.path.curr.position, ground, hit });
    }

    /// Returns to the current position. The result is whether that counts as a move: a mover that
    /// stands on the ground does not fall.
    fn reject(&mut self) -> bool {
        let mut moved = false;
        if self.contact.last_plane.valid {
            self.contact.velocity_stopped = true;
            let last = self.contact.last_plane;
            let mut centre = self.path.curr_centres[0];
            // A plane without a cell is in its own landblock (D7).
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
        // Only the cell array is needed.
        let _ = self.list_cells();
        moved
    }

    /// Counts sweeps in which a falling body does not move. At the third it gets a contact plane
    /// below its feet.
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

    fn update_last_plane(&mut self) {
        let contact_plane = self.contact.plane;
        self.contact.last_plane.valid = contact_plane.valid;
        if contact_plane.valid {
            self.contact.last_plane = contact_plane;
        }
        self.flags = self.flags.with(Flags::CONTACT, contact_plane.valid).with(
            Flags::ON_WALKABLE,
            contact_plane.valid && is_valid_walkable(contact_plane.plane.normal),
        );
    }

    /// Limits the offset of a sub-step to the contact plane and the sliding normal, and pushes the
    /// mover up if it has sunk into its contact plane.
    ///
    /// Retail: `CTransition::adjust_offset`.
    pub(super) fn adjust_offset(&mut self, mut offset: Vec3) -> Vec3 {
        let sliding = self.contact.sliding;
        let into = offset.dot(sliding.normal);
        let slides = sliding.valid && into < 0.0;
        self.contact.sliding.valid = slides;
        let contact_plane = self.contact.plane;
        let requested = offset;
        if !contact_plane.valid {
            let remaining = if slides { offset - sliding.normal * into } else { offset };
            let limit = if slides { OffsetLimit::Wall(sliding.normal) } else { OffsetLimit::Free };
            emit!(self, SweepEvent::OffsetAdjusted { requested, remaining, limit });
            return remaining;
        }
        let normal = contact_plane.plane.normal;
        let mut limit = OffsetLimit::Ground(normal);
        if slides {
            limit = OffsetLimit::Crease { ground: normal, wall: sliding.normal };
            offset = match vector::normalise(normal.cross(sliding.normal)) {
                Some(along) => along * along.dot(offset),
                None => Vec3::ZERO,
            };
        } else if offset.dot(normal) <= 0.0 {
            offset -= normal * offset.dot(normal);
        } else {
            limit = OffsetLimit::Slope(normal);
            offset = contact_plane.plane.snap(offset);
        }
        emit!(self, SweepEvent::OffsetAdjusted { requested, remaining: offset, limit });
        self.push_up();
        offset
    }

    fn push_up(&mut self) {
        let contact_plane = self.contact.plane;
        if contact_plane.cell.0 == 0 || contact_plane.water {
            return;
        }
        let foot = self.path.spheres[0];
        let centre =
            foot.centre - block_offset_between(self.path.check.position.cell, contact_plane.cell);
        let distance = contact_plane.plane.distance(centre);
        if distance < foot.radius - EPSILON {
            let lift = (foot.radius - distance) / contact_plane.plane.normal.z;
            if lift.abs() < foot.radius {
                emit!(self, SweepEvent::PushedUp { height: lift });
                self.path.add_offset(Vec3::new(0.0, 0.0, lift));
            }
        }
    }
}
