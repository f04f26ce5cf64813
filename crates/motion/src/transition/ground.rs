//! The ground of land cells.

use threshold_geom::{SHAPE_INTERPOLATION_FLOOR, is_valid_walkable};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, EPSILON, Plane, Sphere, adjust_to_outside, block_offset};
use threshold_world::{LandCell, Water};

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::Probe;
use crate::rules::{SteepGround, ViewerGround, ViewerSeam};

/// A camera that is stopped by the ground is as near to it, in metres.
const VIEWER_TOUCH: f32 = 0.01;

/// The ground under a sphere, in the frame of its cell's landblock.
struct Under {
    sphere: Sphere,
    plane: Plane,
    cell: CellId,
    water: bool,
    depth: f32,
}

impl<P: Probe> Transition<'_, P> {
    /// Retail: `CLandCell::find_env_collisions`.
    pub(super) fn find_ground_collisions(&mut self, cell: LandCell<'_>) -> Insert {
        let id = cell.id();
        let offset = block_offset(self.path.check.position.cell, id);
        let low = (self.path.low_point - offset).truncate();
        let Some(ground) = cell.ground(low) else { return Insert::Ok };
        let viewer = self.flags.has(Flags::VIEWER);
        let sea = cell.land().terrain().block_water() == Water::Entire;
        if sea && !viewer && !self.mover.is_missile() {
            return Insert::Collided;
        }
        let sphere = self.path.spheres[0];
        let under = Under {
            sphere: Sphere::new(sphere.centre - offset, sphere.radius),
            plane: ground.plane,
            cell: id,
            water: cell.water() != Water::None,
            depth: cell.water_depth(low),
        };
        if viewer { self.validate_viewer(&under) } else { self.validate_walkable(&under) }
    }

    /// Retail: the camera's half of `OBJECTINFO::validate_walkable`. Where it lets a camera through the ground, or throws
    /// it far, this one stops it, unless the rules ask for the letter.
    fn validate_viewer(&mut self, under: &Under) -> Insert {
        let Under { sphere, plane, .. } = under;
        let from_indoors = self.path.begin.cell.is_indoor();
        let free = self.rules.viewer_ground == ViewerGround::Free;
        let height = plane.distance(sphere.centre);
        let distance = height - sphere.radius;
        if distance > -EPSILON && (from_indoors || free) {
            return Insert::Ok;
        }
        let mut way = sphere.centre - self.path.curr_centres[0];
        if self.rules.viewer_seam == ViewerSeam::Mended {
            way += block_offset(self.path.curr.position.cell, under.cell);
        }
        let approach = way.dot(plane.normal);
        // Along the ground there is no time at which it is met.
        let part = if approach.abs() < EPSILON { 0.0 } else { distance / approach };
        // From a room the ground is met only where it is crossed: by the sphere, from where it counted as above it, or by
        // the eye.
        let slack = if free { EPSILON } else { 0.0 };
        let met = part > 0.0 && distance - approach >= -slack;
        let goes_under = free && height < 0.0 && height - approach >= 0.0;
        let beside = free && height >= 0.0 && self.is_beside_ground(under, height);
        if from_indoors && !met && !goes_under || free && part < 0.0 || beside {
            return Insert::Ok;
        }
        self.contact.hit.set(plane.normal);
        self.contact.environment = true;
        let back = way * -part;
        let behind = (part - 1.0) * way.length();
        if free && part > 0.0 && !(behind <= sphere.radius && self.meets_ground(under, back)) {
            return Insert::Collided;
        }
        self.path.add_offset(back);
        Insert::Adjusted
    }

    /// Whether a camera that goes back to where it touches the plane of the ground touches ground there: beside an edge
    /// of the land a plane is met where nothing is.
    fn meets_ground(&self, under: &Under, back: Vec3) -> bool {
        let Under { sphere, plane, .. } = under;
        let touched = sphere.centre + back - plane.normal * sphere.radius;
        let ground = self.ground_at(under.cell, touched);
        ground.is_none_or(|(ground, at)| ground.distance(at).abs() < VIEWER_TOUCH)
    }

    /// Whether a camera above the ground comes near its plane only beside it, and does not touch what is there instead.
    fn is_beside_ground(&self, under: &Under, height: f32) -> bool {
        let Under { sphere, plane, .. } = under;
        let up = plane.normal * height;
        self.ground_at(under.cell, sphere.centre - up).is_some_and(|(ground, at)| {
            ground.distance(at).abs() >= VIEWER_TOUCH && ground.distance(at + up) >= sphere.radius
        })
    }

    /// The ground under a point of the landblock of a cell, and the point in the landblock of that ground.
    fn ground_at(&self, cell: CellId, point: Vec3) -> Option<(Plane, Vec3)> {
        let (cell, at) = adjust_to_outside(cell, point)?;
        Some((self.world.land_cell(cell)?.ground(at.truncate())?.plane, at))
    }

    /// Retail: `OBJECTINFO::validate_walkable`.
    fn validate_walkable(&mut self, under: &Under) -> Insert {
        let Under { sphere, plane, .. } = under;
        let foot = sphere.centre - Vec3::new(0.0, 0.0, sphere.radius);
        let distance = plane.distance(foot) + under.depth;
        if distance > EPSILON {
            return Insert::Ok;
        }
        let down = self.path.step.down;
        let sticks = down || !self.flags.has(Flags::ON_WALKABLE) || is_valid_walkable(plane.normal);
        let mut answer = Insert::Ok;
        if distance >= -EPSILON {
            if sticks {
                self.contact.stand_on(*plane, under.cell, under.water);
            }
        } else {
            if self.path.step.checks_ground {
                return Insert::Collided;
            }
            if sticks {
                self.contact.stand_on(*plane, under.cell, under.water);
                let lift = distance / plane.normal.z;
                if down && !self.lift(lift) {
                    return Insert::Collided;
                }
                self.path.add_offset(Vec3::new(0.0, 0.0, -lift));
                answer = Insert::Adjusted;
            } else if self.rules.steep_ground == SteepGround::Stops {
                answer = Insert::Adjusted;
            }
        }
        if !self.flags.has(Flags::CONTACT) && !down {
            self.contact.hit.set(plane.normal);
            self.contact.environment = true;
        }
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
