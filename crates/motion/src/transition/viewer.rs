//! Collisions of cameras with the ground.
//!
//! Retail tests only the plane of the ground below a camera. A camera that grazes the ground as it
//! leaves a door then passes through it, one that meets a plane beyond the edge of its triangle is
//! moved far away, and ridges do not stop it. Here the ground itself stops it, unless the rules ask
//! for literal retail behaviour.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, EPSILON, Plane, adjust_to_outside, block_offset_between};
use threshold_world::Cell;

use super::Transition;
use super::ground::GroundSample;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{CameraContact, SweepEvent, SweepProbe};
use crate::rules::{ViewerGround, ViewerSeam};

/// Maximum distance in metres between a stopped camera and the ground it touches.
const TOUCH_DISTANCE: f32 = 0.01;

/// Tolerance in metres within which a camera still counts as above the ground; rounding must not
/// let it through.
const GROUND_TOLERANCE: f32 = 0.001;

/// A terrain triangle and its plane.
type LandTriangle = ([Vec3; 3], Plane);

impl<P: SweepProbe> Transition<'_, P> {
    /// Retail: the camera's half of `OBJECTINFO::validate_walkable`.
    pub(super) fn validate_viewer(&mut self, sample: &GroundSample) -> Insert {
        let GroundSample { sphere, plane, .. } = sample;
        let from_indoors = self.path.begin.cell.is_indoor();
        let free = self.rules.viewer_ground == ViewerGround::Free;
        let height = plane.distance(sphere.centre);
        let distance = height - sphere.radius;
        let movement = self.viewer_movement(sample);
        if free && let Some(normal) = self.ridge_between(sample, movement) {
            emit!(self, SweepEvent::CameraMet(CameraContact::Ridge { cell: sample.cell, normal }));
            self.record_ground_hit(normal);
            return Insert::Collided;
        }
        if distance > -EPSILON && (from_indoors || free) {
            return Insert::Ok;
        }
        let approach = movement.dot(plane.normal);
        // A movement along the ground never meets it.
        let part = if approach.abs() < EPSILON { 0.0 } else { distance / approach };
        // A camera from a room meets the ground only where the sphere crosses it from above, within
        // the tolerance, or where the eye does.
        let slack = if free { GROUND_TOLERANCE } else { 0.0 };
        let is_met = part > 0.0 && distance - approach >= -slack;
        let goes_under = free && height < 0.0 && height - approach >= 0.0;
        let beyond_edge = free && height >= 0.0 && self.is_beyond_ground_edge(sample);
        if from_indoors && !is_met && !goes_under || free && part < 0.0 || beyond_edge {
            return Insert::Ok;
        }
        // No farther back than where it counted as above the ground.
        let part = if free && is_met { part.min(1.0) } else { part };
        let back = movement * -part;
        let overshoot = (part - 1.0) * movement.length();
        self.record_ground_hit(plane.normal);
        let stops_short =
            free && part > 0.0 && !(overshoot <= sphere.radius && self.is_ground(sample, back));
        let (cell, normal, back_offset) =
            (sample.cell, plane.normal, (!stops_short).then_some(back));
        emit!(
            self,
            SweepEvent::CameraMet(CameraContact::Ground {
                cell,
                normal,
                height,
                back: back_offset
            })
        );
        if stops_short {
            return Insert::Collided;
        }
        self.path.add_offset(back);
        Insert::Adjusted
    }

    /// Records a hit of the ground.
    fn record_ground_hit(&mut self, normal: Vec3) {
        self.contact.hit.set(normal);
        self.contact.hit_environment = true;
    }

    /// Returns whether a camera that leaves its room would be below the land; it then stays in the
    /// room. Rooms below the ground are not visible from there.
    pub(super) fn comes_out_underground(&mut self, cell: Cell<'_>) -> bool {
        let Cell::Land(land) = cell else { return false };
        let applies = self.flags.has(Flags::VIEWER)
            && self.rules.viewer_ground == ViewerGround::Free
            && self.path.curr.position.cell.is_indoor();
        if !applies {
            return false;
        }
        let offset = block_offset_between(self.path.check.position.cell, land.id());
        let eye = self.path.spheres[0].centre - offset;
        let ground = land.ground(eye.truncate()).filter(|ground| ground.plane.distance(eye) < 0.0);
        if let Some(ground) = &ground {
            let (cell, normal) = (land.id(), ground.plane.normal);
            let height = ground.plane.distance(eye);
            emit!(self, SweepEvent::CameraMet(CameraContact::Underground { cell, normal, height }));
            self.record_ground_hit(normal);
        }
        ground.is_some()
    }

    /// Returns the camera's movement from its current position to the check position.
    fn viewer_movement(&self, sample: &GroundSample) -> Vec3 {
        let movement = sample.sphere.centre - self.path.curr_centres[0];
        match self.rules.viewer_seam {
            ViewerSeam::Mended => {
                movement + block_offset_between(self.path.curr.position.cell, sample.cell)
            }
            ViewerSeam::Literal => movement,
        }
    }

    /// Returns whether a camera that is moved back to the ground plane touches ground there: beyond
    /// the edge of a triangle its plane is not ground. `true` where there is no resident land.
    fn is_ground(&self, sample: &GroundSample, back: Vec3) -> bool {
        let GroundSample { sphere, plane, .. } = sample;
        let touched = sphere.centre + back - plane.normal * sphere.radius;
        let ground = self.ground_at(sample.cell, touched);
        ground.is_none_or(|(ground, at)| ground.distance(at).abs() < TOUCH_DISTANCE)
    }

    /// Returns whether a camera above the ground is near its plane only beyond the edge of the
    /// triangle, and touches no ground.
    fn is_beyond_ground_edge(&self, sample: &GroundSample) -> bool {
        let reach = sample.sphere.radius - EPSILON;
        let clear = |(triangle, _): LandTriangle| {
            triangle_distance(&triangle, sample.sphere.centre) >= reach
        };
        self.triangles_near(sample, sample.sphere.radius).all(clear)
    }

    /// Returns the normal of a ridge that the eye passed through on a path that ends above ground.
    /// A ridge is possible only where the ground below changes.
    fn ridge_between(&self, sample: &GroundSample, movement: Vec3) -> Option<Vec3> {
        let to = sample.sphere.centre;
        let from = to - movement;
        let (ground, at) = self.ground_at(sample.cell, from)?;
        if ground == sample.plane || ground.distance(at) < 0.0 {
            return None;
        }
        self.triangles_near(sample, movement.length()).find_map(|(triangle, plane)| {
            let (before, after) = (plane.distance(from), plane.distance(to));
            let crosses = before >= 0.0 && after < 0.0;
            let at = from + movement * (before / (before - after));
            (crosses && is_inside(&triangle, plane.normal, at)).then_some(plane.normal)
        })
    }

    /// Returns the ground plane below a point in the landblock frame of `cell`, and the point in
    /// the frame of that ground.
    fn ground_at(&self, cell: CellId, point: Vec3) -> Option<(Plane, Vec3)> {
        let (cell, at) = adjust_to_outside(cell, point)?;
        Some((self.world.land_cell(cell)?.ground(at.truncate())?.plane, at))
    }

    /// Returns the terrain triangles within `reach` of the sphere's centre, in its landblock frame.
    /// `reach` is at most half a cell, so there are at most four cells.
    fn triangles_near(
        &self,
        sample: &GroundSample,
        reach: f32,
    ) -> impl Iterator<Item = LandTriangle> {
        let (world, own, centre) = (self.world, sample.cell, sample.sphere.centre);
        let corners = [(-reach, -reach), (reach, -reach), (-reach, reach), (reach, reach)];
        let cells = corners.map(|(x, y)| {
            adjust_to_outside(own, centre + Vec3::new(x, y, 0.0)).map(|(cell, _)| cell)
        });
        let unique =
            move |index: usize| cells[index].filter(|cell| !cells[..index].contains(&Some(*cell)));
        let lands = (0..4).filter_map(unique).filter_map(move |cell| world.land_cell(cell));
        lands.flat_map(move |cell| {
            let (terrain, offset) = (cell.land().terrain(), block_offset_between(own, cell.id()));
            [0, 1].map(|half| {
                let number = 2 * cell.index() + half;
                let Plane { normal, d } = terrain.plane(number);
                let plane = Plane { normal, d: d - normal.dot(offset) };
                (terrain.triangle(number).map(|corner| corner + offset), plane)
            })
        })
    }
}

/// Returns whether a point in the triangle's plane is inside it.
fn is_inside(triangle: &[Vec3; 3], normal: Vec3, at: Vec3) -> bool {
    edges(triangle).all(|(a, b)| normal.dot((b - a).cross(at - a)) >= 0.0)
}

/// Returns the distance of a point from a triangle.
fn triangle_distance(triangle: &[Vec3; 3], point: Vec3) -> f32 {
    let [a, b, c] = *triangle;
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let height = normal.dot(point - a);
    if is_inside(triangle, normal, point - normal * height) {
        return height.abs();
    }
    let to_edge = |(a, b): (Vec3, Vec3)| {
        let along = b - a;
        let part = ((point - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (a + along * part - point).length()
    };
    edges(triangle).map(to_edge).fold(f32::INFINITY, f32::min)
}

fn edges([a, b, c]: &[Vec3; 3]) -> impl Iterator<Item = (Vec3, Vec3)> {
    [(*a, *b), (*b, *c), (*c, *a)].into_iter()
}
