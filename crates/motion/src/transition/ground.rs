//! The ground of land cells.

use threshold_geom::{SHAPE_INTERPOLATION_FLOOR, is_valid_walkable};
use threshold_land::glam::Vec3;
use threshold_land::{CELL_LENGTH, CellId, EPSILON, Plane, Position, Sphere, block_offset_between};
use threshold_world::{Cell, LandCell, Water};

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{GroundContact, GroundEffect, SweepEvent, SweepProbe};
use crate::rules::SteepGround;

/// The ground under a sphere, in the frame of its cell's landblock.
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
            // Where it came from the cell lies behind one of its sides.
            self.contact.hit.set(side_towards(&cell.position(), &self.path.curr.position));
            return entry;
        }
        let offset = block_offset_between(self.path.check.position.cell, id);
        let low = (self.path.low_point - offset).truncate();
        let Some(ground) = cell.ground(low) else { return Insert::Ok };
        let viewer = self.flags.has(Flags::VIEWER);
        let sea = cell.land().terrain().block_water() == Water::Entire;
        if sea && !viewer && !self.mover.is_missile() {
            emit!(self, SweepEvent::AllWater);
            return Insert::Collided;
        }
        let sphere = self.path.spheres[0];
        let under = GroundSample {
            sphere: Sphere::new(sphere.centre - offset, sphere.radius),
            plane: ground.plane,
            cell: id,
            water: cell.water() != Water::None,
            depth: cell.water_depth(low),
        };
        if viewer { self.validate_viewer(&under) } else { self.validate_walkable(&under) }
    }

    /// Retail: `OBJECTINFO::validate_walkable`.
    fn validate_walkable(&mut self, under: &GroundSample) -> Insert {
        let GroundSample { sphere, plane, .. } = under;
        let foot = sphere.centre - Vec3::new(0.0, 0.0, sphere.radius);
        let distance = plane.distance(foot) + under.depth;
        let met = |effect| GroundContact {
            cell: under.cell,
            plane: *plane,
            height: distance,
            depth: under.depth,
            walkable: is_valid_walkable(plane.normal),
            centre: sphere.centre,
            effect,
            hits: false,
        };
        if distance > EPSILON {
            emit!(self, SweepEvent::GroundMet(met(GroundEffect::Below)));
            return Insert::Ok;
        }
        let down = self.path.step.down;
        let sticks = down || !self.flags.has(Flags::ON_WALKABLE) || is_valid_walkable(plane.normal);
        let mut answer = Insert::Ok;
        let mut does = if sticks { GroundEffect::Carries } else { GroundEffect::Steep };
        if distance >= -EPSILON {
            if sticks {
                self.contact.set_contact_plane(*plane, under.cell, under.water);
            }
        } else {
            if self.path.step.checking_walkable {
                emit!(self, SweepEvent::GroundMet(met(GroundEffect::Found)));
                return Insert::Collided;
            }
            if sticks {
                self.contact.set_contact_plane(*plane, under.cell, under.water);
                let lift = distance / plane.normal.z;
                if down && !self.lift(lift) {
                    emit!(self, SweepEvent::GroundMet(met(GroundEffect::TooFarUp(-lift))));
                    return Insert::Collided;
                }
                self.path.add_offset(Vec3::new(0.0, 0.0, -lift));
                (does, answer) = (GroundEffect::Lifts(-lift), Insert::Adjusted);
            } else if self.rules.steep_ground == SteepGround::Stops {
                (does, answer) = (GroundEffect::SteepStops, Insert::Adjusted);
            }
        }
        let hits = !self.flags.has(Flags::CONTACT) && !down;
        if hits {
            self.contact.hit.set(plane.normal);
            self.contact.hit_environment = true;
        }
        emit!(self, SweepEvent::GroundMet(GroundContact { hits, ..met(does) }));
        answer
    }

    /// Takes a lift out of what is left of the way down; false where that is not enough.
    fn lift(&mut self, lift: f32) -> bool {
        let step = &mut self.path.step;
        let left = step.interpolation + lift / step.amount;
        // Written so that NaN is refused, too.
        let enough = left < step.interpolation && left >= SHAPE_INTERPOLATION_FLOOR;
        if enough {
            step.interpolation = left;
        }
        enough
    }
}

/// The outward normal of the side of a land cell, given by its middle, that faces a place. North and south come first; inside the
/// cell it is the east side. Retail: the normal that `CLandCell::check_entry_restrictions` leaves.
fn side_towards(middle: &Position, place: &Position) -> Vec3 {
    let Vec3 { x, y, .. } = middle.offset_to(place);
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
