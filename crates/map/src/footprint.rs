//! Objects and buildings from above.

use threshold_land::Frame;
use threshold_land::vector::{Vec2, Vec3};
use threshold_world::{Building, Model, Object};

use crate::drawing::{Drawing, Outline, Paint};
use crate::flat;
use crate::labels::PaperRect;
use crate::sheet::Chart;
use crate::style;

/// The area of an object on the ground, in the frame of its landblock.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Footprint {
    pub(super) centre: Vec2,
    /// Whether it blocks movers.
    pub(super) solid: bool,
    pub(super) circles: Vec<(Vec2, f32)>,
    pub(super) areas: Vec<Vec<Vec2>>,
}

/// Returns the footprint of an object: its physics polygons, else cylinders, else spheres.
///
/// An object that does not block movers has the boxes of its parts.
pub(super) fn of_object(object: &Object) -> Footprint {
    let frame = object.position().frame;
    let setup = object.setup();
    let scale = object.scale();
    let circle = |at: Vec3, radius: f32| (frame.to_global(at * scale).truncate(), radius * scale);
    let (mut circles, mut areas) = (Vec::new(), Vec::new());
    if setup.has_physics_tree {
        areas = part_outlines(object, |model| model.physics.is_some());
    } else if setup.cylinders.is_empty() {
        circles.extend(setup.spheres.iter().map(|sphere| circle(sphere.centre, sphere.radius)));
    } else {
        circles.extend(setup.cylinders.iter().map(|shape| circle(shape.low, shape.radius)));
    }
    let solid = !areas.is_empty() || !circles.is_empty();
    if !solid {
        areas = part_outlines(object, |_| true);
    }
    Footprint { centre: frame.origin.truncate(), solid, circles, areas }
}

fn part_outlines(object: &Object, is_wanted: impl Fn(&Model) -> bool) -> Vec<Vec<Vec2>> {
    let parts = object.setup().parts.iter().enumerate();
    let outline = |(index, part): (usize, &threshold_world::SetupPart)| {
        let frame = object.part_position(index)?.frame;
        let hull = hull_of(&part.model, &frame, object.part_scale(index)?);
        (is_wanted(&part.model) && !hull.is_empty()).then_some(hull)
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

/// Returns the roofs and floors of a building's shell, which together cover its area.
pub(super) fn shell_outlines(building: &Building) -> Vec<Vec<Vec2>> {
    let mut out = Vec::new();
    for part in &building.setup.parts {
        let frame = building.position.frame.combine(&part.pose);
        let before = out.len();
        for polygon in part.model.physics.iter().flat_map(|tree| tree.polygons().iter()) {
            let corners = polygon.vertices.iter();
            let corners = corners.map(|corner| frame.to_global(*corner * part.scale).truncate());
            let outline = flat::hull(corners.collect());
            if flat::area(&outline) > 0.01 && !out.contains(&outline) {
                out.push(outline);
            }
        }
        if out.len() == before {
            // Walls without a roof, or no physics polygons.
            out.push(hull_of(&part.model, &frame, part.scale));
        }
    }
    out.retain(|outline| !outline.is_empty());
    out
}

/// Returns the rectangle on paper of a footprint moved by `offset` metres.
pub(super) fn paper_rect(chart: &Chart, footprint: &Footprint, offset: Vec2) -> PaperRect {
    let box_corners =
        |(at, radius): &(Vec2, f32)| [*at - Vec2::splat(*radius), *at + Vec2::splat(*radius)];
    let mut points: Vec<Vec2> = footprint.circles.iter().flat_map(box_corners).collect();
    points.extend(footprint.areas.iter().flatten());
    if points.is_empty() {
        points.push(footprint.centre);
    }
    let points: Vec<Vec2> = points.iter().map(|point| chart.at(*point + offset)).collect();
    PaperRect::around(&points, MIN_RADIUS)
}

/// Least radius that is visible, in paper units.
const MIN_RADIUS: f32 = 1.7;

/// Draws a footprint moved by `offset` metres.
pub(super) fn draw(
    drawing: &mut Drawing,
    chart: &Chart,
    footprint: &Footprint,
    offset: Vec2,
    paint: &Paint,
) {
    let paint = if footprint.solid { paint.clone() } else { style::hollow_object() };
    for (at, radius) in &footprint.circles {
        let radius = (radius * chart.scale).max(MIN_RADIUS);
        drawing.circle(chart.at(*at + offset), radius, paint.clone());
    }
    let mut areas = Vec::new();
    for outline in &footprint.areas {
        let moved: Vec<Vec2> = outline.iter().map(|point| *point + offset).collect();
        areas.push(chart.outline(&moved));
    }
    if !areas.is_empty() {
        drawing.shape(Outline::Areas(areas), paint.clone());
    } else if footprint.circles.is_empty() {
        drawing.circle(chart.at(footprint.centre + offset), MIN_RADIUS, paint);
    }
}
