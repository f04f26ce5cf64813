//! Collisions with the ground of land cells.

use threshold_geom::{SHAPE_INTERPOLATION_FLOOR, is_valid_walkable};
use threshold_land::vector::Vec3;
use threshold_land::{CELL_LENGTH, CellId, EPSILON, Plane, Position, Sphere, block_offset_between};
use threshold_world::{Cell, LandCell, Water};

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{GroundContact, GroundEffect, SweepEvent, SweepProbe};
use crate::rules::SteepGround;

/// The first sphere and the ground below it, in the frame of the land cell's landblock.
pub(super) struct GroundSample {
    pub(super) sphere: Sphere,
    pub(super) plane: Plane,
    pub(super) cell: CellId,
    water: bool,
    depth: f32,
}

impl<P: SweepProbe> Transition<'_, P> {
    /// Retail: `CLandCell::find_env_collisions`.
    pub(super) fn find_ground_collisions(&mut self, cell: LandCell<'_>) -> Insert {
        let id = cell.id();
        let entry = self.check_entry_restrictions(Cell::Land(cell));
        if entry != Insert::Ok {
            // The normal of the side through which the mover came.
            self.contact.hit.set(side_towards(&cell.position(), &self.path.curr.position));
            return entry;
        }
        let offset = block_offset_between(self.path.check.position.cell, id);
        let low = (self.path.low_point - offset).truncate();
        let Some(ground) = cell.ground(low) else { return Insert::Ok };
        let is_viewer = self.flags.has(Flags::VIEWER);
        let all_water = cell.land().terrain().block_water() == Water::Entire;
        if all_water && !is_viewer && !self.mover.is_missile() {
            emit!(self, SweepEvent::AllWater);
            return Insert::Collided;
        }
        let sphere = self.path.spheres[0];
        let sample = GroundSample {
            sphere: Sphere::new(sphere.centre - offset, sphere.radius),
            plane: ground.plane,
            cell: id,
            water: cell.water() != Water::None,
            depth: cell.water_depth(low),
        };
        if is_viewer { self.validate_viewer(&sample) } else { self.validate_walkable(&sample) }
    }

    /// Retail: `OBJECTINFO::validate_walkable`.
    fn validate_walkable(&mut self, sample: &GroundSample) -> Insert {
        let GroundSample { sphere, plane, .. } = sample;
        let foot = sphere.centre - Vec3::new(0.0, 0.0, sphere.radius);
        let distance = plane.distance(foot) + sample.depth;
        let contact = |effect| GroundContact {
            cell: sample.cell,
            plane: *plane,
            height: distance,
            depth: sample.depth,
            walkable: is_valid_walkable(plane.normal),
            centre: sphere.centre,
            effect,
            hits: false,
        };
        if distance > EPSILON {
            emit!(self, SweepEvent::GroundMet(contact(GroundEffect::Below)));
            return Insert::Ok;
        }
        let down = self.path.step.down;
        let carries =
            down || !self.flags.has(Flags::ON_WALKABLE) || is_valid_walkable(plane.normal);
        let mut answer = Insert::Ok;
        let mut effect = if carries { GroundEffect::Carries } else { GroundEffect::Steep };
        if distance >= -EPSILON {
            if carries {
                self.contact.set_contact_plane(*plane, sample.cell, sample.water);
            }
        } else {
            if self.path.step.checking_walkable {
                emit!(self, SweepEvent::GroundMet(contact(GroundEffect::Found)));
                return Insert::Collided;
            }
            if carries {
                self.contact.set_contact_plane(*plane, sample.cell, sample.water);
                let lift = distance / plane.normal.z;
                if down && !self.consume_lift(lift) {
                    emit!(self, SweepEvent::GroundMet(contact(GroundEffect::TooFarUp(-lift))));
                    return Insert::Collided;
                }
                self.path.add_offset(Vec3::new(0.0, 0.0, -lift));
                (effect, answer) = (GroundEffect::Lifts(-lift), Insert::Adjusted);
            } else if self.rules.steep_ground == SteepGround::Stops {
                (effect, answer) = (GroundEffect::SteepStops, Insert::Adjusted);
            }
        }
        let hits = !self.flags.has(Flags::CONTACT) && !down;
        if hits {
            self.contact.hit.set(plane.normal);
            self.contact.hit_environment = true;
        }
        emit!(self, SweepEvent::GroundMet(GroundContact { hits, ..contact(effect) }));
        answer
    }

    /// Subtracts a lift from the rest of the step down. Returns `false` if the rest is not enough.
    fn consume_lift(&mut self, lift: f32) -> bool {
        let step = &mut self.path.step;
        let remaining = step.interpolation + lift / step.amount;
        // NaN counts as not enough.
        let enough = remaining < step.interpolation && remaining >= SHAPE_INTERPOLATION_FLOOR;
        if enough {
            step.interpolation = remaining;
        }
        enough
    }
}

/// Returns the outward normal of the side of a land cell, given by its centre, that faces a
/// position. North and south come first; inside the cell it is the east side. Retail: the normal
/// that `CLandCell::check_entry_restrictions` leaves.
fn side_towards(centre: &Position, position: &Position) -> Vec3 {
    let Vec3 { x, y, .. } = centre.offset_to(position);
    let half = CELL_LENGTH / 2.0;
    if y < -half {
        Vec3::NEG_Y
    } else if y > half {
        Vec3::Y
    } else if x < -half {
        Vec3::NEG_X
    } else {
        Vec3::X
    }
}
