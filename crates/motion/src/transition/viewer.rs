//! Cameras and the ground.
//!
//! Retail asks for the plane of the ground under a camera, and for nothing else. That lets it through the ground where it
//! touches it by a hair as it comes out of a door, throws it as far as a plane takes that it meets beside an edge of the
//! land, and lets it through ridges. Here the ground is what stops it, unless the rules ask for the letter.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, EPSILON, Plane, adjust_to_outside, block_offset_between};
use threshold_world::Cell;

use super::Transition;
use super::ground::GroundSample;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{CameraContact, SweepEvent, SweepProbe};
use crate::rules::{ViewerGround, ViewerSeam};

/// A camera that is stopped by the ground is as near to it, in metres.
const TOUCH_DISTANCE: f32 = 0.01;

/// What touches the ground to within this, in metres, counts as above it: rounding must not let it through.
const GROUND_TOLERANCE: f32 = 0.001;

/// A triangle of the land, and its plane.
type LandTriangle = ([Vec3; 3], Plane);

impl<P: SweepProbe> Transition<'_, P> {
    /// Retail: the camera's half of `OBJECTINFO::validate_walkable`.
    pub(super) fn validate_viewer(&mut self, under: &GroundSample) -> Insert {
        let GroundSample { sphere, plane, .. } = under;
        let from_indoors = self.path.begin.cell.is_indoor();
        let free = self.rules.viewer_ground == ViewerGround::Free;
        let height = plane.distance(sphere.centre);
        let distance = height - sphere.radius;
        let way = self.viewer_way(under);
        if free && let Some(normal) = self.ridge_between(under, way) {
            emit!(self, SweepEvent::CameraMet(CameraContact::Ridge { cell: under.cell, normal }));
            self.meet_ground(normal);
            return Insert::Collided;
        }
        if distance > -EPSILON && (from_indoors || free) {
            return Insert::Ok;
        }
        let approach = way.dot(plane.normal);
        // Along the ground there is no time at which it is met.
        let part = if approach.abs() < EPSILON { 0.0 } else { distance / approach };
        // From a room the ground is met only where it is crossed: by the sphere, from where it counted as above it, or by
        // the eye.
        let slack = if free { GROUND_TOLERANCE } else { 0.0 };
        let met = part > 0.0 && distance - approach >= -slack;
        let goes_under = free && height < 0.0 && height - approach >= 0.0;
        let beside = free && height >= 0.0 && self.is_beside_ground(under);
        if from_indoors && !met && !goes_under || free && part < 0.0 || beside {
            return Insert::Ok;
        }
        // No farther back than where it counted as above the ground.
        let part = if free && met { part.min(1.0) } else { part };
        let back = way * -part;
        let behind = (part - 1.0) * way.length();
        self.meet_ground(plane.normal);
        let short = free && part > 0.0 && !(behind <= sphere.radius && self.is_ground(under, back));
        let (cell, normal, to) = (under.cell, plane.normal, (!short).then_some(back));
        emit!(
            self,
            SweepEvent::CameraMet(CameraContact::Ground { cell, normal, height, back: to })
        );
        if short {
            return Insert::Collided;
        }
        self.path.add_offset(back);
        Insert::Adjusted
    }

    /// The ground is in the way.
    fn meet_ground(&mut self, normal: Vec3) {
        self.contact.hit.set(normal);
        self.contact.hit_environment = true;
    }

    /// A camera that leaves its room for the land, and would be below it, stays. What a room has below the ground is not
    /// seen from there.
    pub(super) fn comes_out_underground(&mut self, cell: Cell<'_>) -> bool {
        let Cell::Land(land) = cell else { return false };
        let concerned = self.flags.has(Flags::VIEWER)
            && self.rules.viewer_ground == ViewerGround::Free
            && self.path.curr.position.cell.is_indoor();
        if !concerned {
            return false;
        }
        let offset = block_offset_between(self.path.check.position.cell, land.id());
        let eye = self.path.spheres[0].centre - offset;
        let ground = land.ground(eye.truncate()).filter(|ground| ground.plane.distance(eye) < 0.0);
        if let Some(ground) = &ground {
            let (cell, normal) = (land.id(), ground.plane.normal);
            let height = ground.plane.distance(eye);
            emit!(self, SweepEvent::CameraMet(CameraContact::Underground { cell, normal, height }));
            self.meet_ground(normal);
        }
        ground.is_some()
    }

    /// From its last place to the one that is tried.
    fn viewer_way(&self, under: &GroundSample) -> Vec3 {
        let way = under.sphere.centre - self.path.curr_centres[0];
        match self.rules.viewer_seam {
            ViewerSeam::Mended => {
                way + block_offset_between(self.path.curr.position.cell, under.cell)
            }
            ViewerSeam::Literal => way,
        }
    }

    /// Whether a camera that goes back to where it touches the plane of the ground touches ground there: beside an edge
    /// of the land a plane is met where nothing is. Where there is no land it cannot be told.
    fn is_ground(&self, under: &GroundSample, back: Vec3) -> bool {
        let GroundSample { sphere, plane, .. } = under;
        let touched = sphere.centre + back - plane.normal * sphere.radius;
        let ground = self.ground_at(under.cell, touched);
        ground.is_none_or(|(ground, at)| ground.distance(at).abs() < TOUCH_DISTANCE)
    }

    /// Whether a camera above the ground comes near its plane only beside it, and touches no ground there.
    fn is_beside_ground(&self, under: &GroundSample) -> bool {
        let reach = under.sphere.radius - EPSILON;
        let clear = |(triangle, _): LandTriangle| apart(&triangle, under.sphere.centre) >= reach;
        self.triangles_near(under, under.sphere.radius).all(clear)
    }

    /// The normal of the ground that the eye has gone through on a way that ends above ground: a ridge. Only where the
    /// ground below changes can there be one.
    fn ridge_between(&self, under: &GroundSample, way: Vec3) -> Option<Vec3> {
        let to = under.sphere.centre;
        let from = to - way;
        let (ground, at) = self.ground_at(under.cell, from)?;
        if ground == under.plane || ground.distance(at) < 0.0 {
            return None;
        }
        self.triangles_near(under, way.length()).find_map(|(triangle, plane)| {
            let (before, after) = (plane.distance(from), plane.distance(to));
            let crosses = before >= 0.0 && after < 0.0;
            let at = from + way * (before / (before - after));
            (crosses && is_inside(&triangle, plane.normal, at)).then_some(plane.normal)
        })
    }

    /// The ground under a point of the landblock of a cell, and the point in the landblock of that ground.
    fn ground_at(&self, cell: CellId, point: Vec3) -> Option<(Plane, Vec3)> {
        let (cell, at) = adjust_to_outside(cell, point)?;
        Some((self.world.land_cell(cell)?.ground(at.truncate())?.plane, at))
    }

    /// The triangles of the land cells within a distance of the sphere's centre, in the frame of its landblock. No
    /// farther than half a cell, so that there are four at most.
    fn triangles_near(
        &self,
        under: &GroundSample,
        reach: f32,
    ) -> impl Iterator<Item = LandTriangle> {
        let (world, own, centre) = (self.world, under.cell, under.sphere.centre);
        let corners = [(-reach, -reach), (reach, -reach), (-reach, reach), (reach, reach)];
        let cells = corners.map(|(x, y)| {
            adjust_to_outside(own, centre + Vec3::new(x, y, 0.0)).map(|(cell, _)| cell)
        });
        let once =
            move |index: usize| cells[index].filter(|cell| !cells[..index].contains(&Some(*cell)));
        let lands = (0..4).filter_map(once).filter_map(move |cell| world.land_cell(cell));
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

/// Whether a point of its plane is in a triangle.
fn is_inside(triangle: &[Vec3; 3], normal: Vec3, at: Vec3) -> bool {
    edges(triangle).all(|(a, b)| normal.dot((b - a).cross(at - a)) >= 0.0)
}

/// How far a point is from a triangle.
fn apart(triangle: &[Vec3; 3], point: Vec3) -> f32 {
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
