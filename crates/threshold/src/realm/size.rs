//! The size of a body that has no collision spheres.

use threshold_geom::Bounds;
use threshold_land::Sphere;
use threshold_land::vector::Vec3;
use threshold_motion::{Mover, MoverShape, SIGHT_RADIUS};
use threshold_world::{BodySpec, Setup};

/// Gap between a line of sight and the floor below a small item, in metres.
const SIGHT_GAP: f32 = 0.02;
/// Radius of a body without any shape, in metres.
const MIN_RADIUS: f32 = 0.05;

/// Returns a body as a mover, to find a place for it. A body without collision spheres gets the size of its model.
pub(super) fn mover_to_place(spec: &BodySpec) -> Mover {
    Mover { shape: shape_to_place(&spec.setup, spec.scale), ..Mover::from_spec(spec) }
}

/// Returns the shape of a setup for finding a place.
pub(super) fn shape_to_place(setup: &Setup, scale: f32) -> MoverShape {
    let shape = MoverShape::from_setup(setup, scale);
    if setup.spheres.is_empty() {
        return MoverShape::new(&model_spheres(setup, scale), shape.step_up, shape.step_down);
    }
    shape
}

/// Returns the height of the lowest point of a shape over its origin, in metres.
pub(super) fn lowest(shape: &MoverShape) -> f32 {
    shape
        .spheres()
        .iter()
        .map(|sphere| sphere.centre.z - sphere.radius)
        .fold(f32::INFINITY, f32::min)
}

/// Returns the centre of the last sphere of a shape: the head, or the middle of an item.
pub(super) fn top(shape: &MoverShape) -> Vec3 {
    shape.spheres().last().map_or(Vec3::ZERO, |sphere| sphere.centre)
}

/// Returns the point of a shape to look from and to look at: its top, but not so low that a line of sight, which is 20 cm thick,
/// would meet the floor.
pub(super) fn sight_point(shape: &MoverShape) -> Vec3 {
    let top = top(shape);
    Vec3 { z: top.z.max(lowest(shape) + SIGHT_RADIUS + SIGHT_GAP), ..top }
}

/// Returns one or two spheres, one above the other, as wide as the boxes of the models at any heading, and as high if they are
/// higher than wide.
fn model_spheres(setup: &Setup, scale: f32) -> Vec<Sphere> {
    let Some(bounds) = model_bounds(setup, scale) else {
        return vec![Sphere::new(Vec3::Z * MIN_RADIUS, MIN_RADIUS)];
    };
    let far = |corner: Vec3| corner.truncate().length();
    let radius = bounds.corners().map(far).into_iter().fold(MIN_RADIUS, f32::max);
    let low = bounds.min.z + radius;
    let high = (bounds.max.z - radius).max(low);
    let at = |z: f32| Sphere::new(Vec3::new(0.0, 0.0, z), radius);
    if high > low { vec![at(low), at(high)] } else { vec![at(low)] }
}

/// Returns a box around the models of a setup, in the object's own axes.
fn model_bounds(setup: &Setup, scale: f32) -> Option<Bounds> {
    let boxes = setup.parts.iter().filter(|part| part.model.sphere.is_some());
    boxes
        .map(|part| {
            let placed = |corner: Vec3| part.pose.to_global(corner * part.scale) * scale;
            part.model.bounds.mapped(placed)
        })
        .reduce(|all, one| all.union(&one))
}
