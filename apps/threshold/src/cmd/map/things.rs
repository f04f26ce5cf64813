//! Objects and buildings seen from above.

use threshold_land::Frame;
use threshold_land::glam::{Vec2, Vec3};
use threshold_world::{Building, Model, Object};

use super::sheet::Chart;
use super::style;
use crate::drawing::flat;
use crate::drawing::label::Patch;
use crate::drawing::scene::{Outline, Paint, Scene};

/// What an object takes of the ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Footprint {
    pub(super) middle: Vec2,
    /// Where a mover bumps into it.
    pub(super) solid: bool,
    pub(super) circles: Vec<(Vec2, f32)>,
    pub(super) areas: Vec<Vec<Vec2>>,
}

/// Seen from above, in the object's landblock: its physics polygons, else its cylinders, else
/// its spheres; else, for what can be walked through, the boxes of its parts.
pub(super) fn footprint(object: &Object) -> Footprint {
    let frame = object.position().frame;
    let setup = object.setup();
    let scale = object.scale();
    let circle = |at: Vec3, radius: f32| (frame.to_global(at * scale).truncate(), radius * scale);
    let (mut circles, mut areas) = (Vec::new(), Vec::new());
    if setup.has_physics_tree {
        areas = parts(object, |model| model.physics.is_some());
    } else if setup.cylinders.is_empty() {
        circles.extend(setup.spheres.iter().map(|sphere| circle(sphere.centre, sphere.radius)));
    } else {
        circles.extend(setup.cylinders.iter().map(|shape| circle(shape.low, shape.radius)));
    }
    let solid = !areas.is_empty() || !circles.is_empty();
    if !solid {
        areas = parts(object, |_| true);
    }
    Footprint { middle: frame.origin.truncate(), solid, circles, areas }
}

fn parts(object: &Object, wanted: impl Fn(&Model) -> bool) -> Vec<Vec<Vec2>> {
    let parts = object.setup().parts.iter().enumerate();
    let outline = |(index, part): (usize, &threshold_world::SetupPart)| {
        let frame = object.part_position(index)?.frame;
        let hull = hull_of(&part.model, &frame, object.part_scale(index)?);
        (wanted(&part.model) && !hull.is_empty()).then_some(hull)
    };
    parts.filter_map(outline).collect()
}

fn hull_of(model: &Model, frame: &Frame, scale: Vec3) -> Vec<Vec2> {
    let place = |point: Vec3| frame.to_global(point * scale).truncate();
    match &model.physics {
        Some(tree) => {
            let corners = tree.polygons().iter().flat_map(|polygon| polygon.vertices);
            flat::hull(corners.map(|corner| place(*corner)).collect())
        }
        None => flat::hull(model.bounds.corners().map(place).to_vec()),
    }
}

/// The roofs and floors of a building's shell, seen from above; together they are what it covers.
pub(super) fn shell(building: &Building) -> Vec<Vec<Vec2>> {
    let mut out = Vec::new();
    for part in &building.setup.parts {
        let frame = building.position.frame.combine(&part.pose);
        let before = out.len();
        for polygon in part.model.physics.iter().flat_map(|tree| tree.polygons().iter()) {
            let corners = polygon.vertices.iter();
            let corners = corners.map(|corner| frame.to_global(*corner * part.scale).truncate());
            let seen = flat::hull(corners.collect());
            if flat::area(&seen) > 0.01 && !out.contains(&seen) {
                out.push(seen);
            }
        }
        if out.len() == before {
            // Walls without a roof, or nothing to bump into.
            out.push(hull_of(&part.model, &frame, part.scale));
        }
    }
    out.retain(|outline| !outline.is_empty());
    out
}

/// What a footprint moved by `offset` metres takes of the paper.
pub(super) fn patch(chart: &Chart, thing: &Footprint, offset: Vec2) -> Patch {
    let round =
        |(at, radius): &(Vec2, f32)| [*at - Vec2::splat(*radius), *at + Vec2::splat(*radius)];
    let mut points: Vec<Vec2> = thing.circles.iter().flat_map(round).collect();
    points.extend(thing.areas.iter().flatten());
    if points.is_empty() {
        points.push(thing.middle);
    }
    let points: Vec<Vec2> = points.iter().map(|point| chart.at(*point + offset)).collect();
    Patch::round(&points, SMALLEST)
}

/// The smallest radius that is seen, in paper units.
const SMALLEST: f32 = 1.7;

/// Draws a footprint moved by `offset` metres.
pub(super) fn draw(
    scene: &mut Scene,
    chart: &Chart,
    thing: &Footprint,
    offset: Vec2,
    paint: &Paint,
) {
    let paint = if thing.solid { paint.clone() } else { style::hollow_object() };
    for (at, radius) in &thing.circles {
        let radius = (radius * chart.scale).max(SMALLEST);
        scene.circle(chart.at(*at + offset), radius, paint.clone());
    }
    let mut areas = Vec::new();
    for outline in &thing.areas {
        let moved: Vec<Vec2> = outline.iter().map(|point| *point + offset).collect();
        areas.push(chart.outline(&moved));
    }
    if !areas.is_empty() {
        scene.shape(Outline::Areas(areas), paint.clone());
    } else if thing.circles.is_empty() {
        scene.circle(chart.at(thing.middle + offset), SMALLEST, paint);
    }
}
