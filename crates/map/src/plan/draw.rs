//! Drawing of one level.

use threshold_land::vector::Vec2;

use super::level::Level;
use super::portal::PortalKind;
use super::room::RoomPlan;
use super::{Interior, names};
use crate::drawing::{Drawing, Item, Outline, Paint, ShapeItem};
use crate::flat::{self, Segment};
use crate::footprint;
use crate::labels::{LabelLayout, PaperRect};
use crate::sheet::{self, Chart};
use crate::style::{self, FLOOR, HIGH_FLOOR, LOW_FLOOR, MARKED_ROOM, UP};

/// Draws a level into the current group.
pub(super) fn draw_level(drawing: &mut Drawing, all: &Interior, level: &Level, chart: &Chart) {
    let mut labels = LabelLayout::default();
    let own = || level.rooms.iter().map(|index| &all.plans[*index]);
    let arriving = || level.arriving.iter().map(|index| &all.plans[*index]);
    drawing.group(None, Paint::default().faint(0.42), |drawing| {
        for plan in arriving() {
            draw_floor(drawing, all, plan, chart, None);
            draw_steps(drawing, plan, chart);
            drawing.segments(&chart.segments(&plan.walls), Paint::line(style::WALL, 1.0));
        }
    });
    for plan in own() {
        draw_floor(drawing, all, plan, chart, Some(level.height));
    }
    for plan in own() {
        draw_steps(drawing, plan, chart);
    }
    own().for_each(|plan| draw_objects(drawing, all, plan, chart));
    // Below the walls: where stairs pass above another room, its wall stays closed.
    own().for_each(|plan| draw_doorways(drawing, all, level, plan, chart));
    for plan in own() {
        drawing.segments(&chart.segments(&plan.walls), style::wall());
    }
    own().for_each(|plan| draw_exits(drawing, plan, chart));
    for up in own().chain(arriving()).filter_map(|plan| plan.up) {
        draw_arrow(drawing, chart.segment(up), &mut labels);
    }
    let mark = all.mark.filter(|(room, _)| own().any(|plan| plan.id == *room));
    let mut symbols = Vec::new();
    if let Some((_, at)) = mark {
        symbols.push(chart.at(at));
        labels.take(PaperRect::new(chart.at(at), Vec2::splat(7.0)));
    }
    for plan in own() {
        draw_holes(drawing, plan, chart, &mut symbols, &mut labels);
    }
    own().for_each(|plan| avoid_objects(all, plan, chart, &mut labels));
    names::draw(drawing, all, level, chart, &mut labels);
    if let Some((_, at)) = mark {
        sheet::mark(drawing, chart.at(at));
    }
}

/// Draws the floor of a room on its own level, with the height of that, or of stairs that arrive.
fn draw_floor(
    drawing: &mut Drawing,
    all: &Interior,
    plan: &RoomPlan,
    chart: &Chart,
    level: Option<f32>,
) {
    let above = plan.floor - level.unwrap_or(plan.floor);
    let towards = if above > 0.0 { HIGH_FLOOR } else { LOW_FLOOR };
    let marked = level.is_some() && all.mark.is_some_and(|(room, _)| room == plan.id);
    let ink =
        if marked { MARKED_ROOM } else { FLOOR.towards(towards, (above.abs() / 2.0).min(1.0)) };
    let prefix = if level.is_some() { "room" } else { "arriving" };
    drawing.items.push(Item::Shape(ShapeItem {
        outline: Outline::Areas(vec![chart.outline(&plan.outline)]),
        paint: Paint::both(ink, ink, 0.6),
        id: Some(format!("{prefix}-{:04X}", plan.id.low())),
        title: Some(describe(plan)),
    }));
}

fn describe(plan: &RoomPlan) -> String {
    if plan.top - plan.floor > 0.05 {
        format!("{}, floor {:.2} to {:.2} m", plan.id, plan.floor, plan.top)
    } else {
        format!("{}, floor {:.2} m", plan.id, plan.floor)
    }
}

/// Draws steps and slopes.
fn draw_steps(drawing: &mut Drawing, plan: &RoomPlan, chart: &Chart) {
    drawing.segments(&chart.segments(&plan.edges), style::step());
    for slope in &plan.slopes {
        let (spacing, paint) =
            if slope.steep { (0.25_f32, style::steep()) } else { (0.6, style::step()) };
        // Denser lines would merge into a grey area.
        let spacing = spacing.max(3.0 / chart.scale);
        let hatch = hatch(&slope.outline, slope.up, spacing);
        drawing.segments(&chart.segments(&hatch), paint);
    }
}

/// Returns lines across a slope.
fn hatch(outline: &[Vec2], up: Vec2, spacing: f32) -> Vec<Segment> {
    let distances = outline.iter().map(|point| up.dot(*point));
    let (low, high) = distances
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let centre = flat::centroid(outline);
    let along = |i: u16| low + (f32::from(i) + 0.5) * spacing;
    (0..1000)
        .map(along)
        .take_while(|distance| *distance < high)
        .filter_map(|distance| {
            flat::chord(outline, centre + up * (distance - up.dot(centre)), up.perp())
        })
        .collect()
}

fn draw_objects(drawing: &mut Drawing, all: &Interior, plan: &RoomPlan, chart: &Chart) {
    for object in all.objects.get(&plan.id).into_iter().flatten() {
        footprint::draw(drawing, chart, object, Vec2::ZERO, &style::object());
    }
}

fn draw_doorways(
    drawing: &mut Drawing,
    all: &Interior,
    level: &Level,
    plan: &RoomPlan,
    chart: &Chart,
) {
    for portal in &plan.portals {
        let PortalKind::Doorway(other) = portal.kind else { continue };
        let line = chart.segment(portal.segment).to_vec();
        match all.index(other) {
            // Both rooms have the portal; the one with the lower id draws it.
            Some(index) if other < plan.id && level.rooms.contains(&index) => {}
            Some(_) => drawing.line(line, style::threshold()),
            None => drawing.line(line, style::lost()),
        }
    }
}

fn draw_exits(drawing: &mut Drawing, plan: &RoomPlan, chart: &Chart) {
    for portal in &plan.portals {
        let line = chart.segment(portal.segment);
        match portal.kind {
            PortalKind::Exit => draw_exit(drawing, line),
            PortalKind::Window => draw_window(drawing, line),
            PortalKind::Doorway(_) | PortalKind::Down(_) | PortalKind::Up(_) => {}
        }
    }
}

/// Draws an exit portal.
pub(super) fn draw_exit(drawing: &mut Drawing, line: Segment) {
    drawing.line(line.to_vec(), Paint::line(style::EXIT, 4.0));
}

/// Draws a window: two thin lines in the wall.
pub(super) fn draw_window(drawing: &mut Drawing, [a, b]: Segment) {
    let offset = (b - a).normalize_or_zero().perp() * 1.5;
    let lines = [[a + offset, b + offset], [a - offset, b - offset]];
    drawing.line(vec![a, b], Paint::line(style::PAPER, 2.4));
    drawing.segments(&lines, Paint::line(style::WINDOW, 1.2));
}

/// Makes ids avoid objects, posts and counters. On stairs they cannot.
fn avoid_objects(all: &Interior, plan: &RoomPlan, chart: &Chart, labels: &mut LabelLayout) {
    for object in all.objects.get(&plan.id).into_iter().flatten() {
        labels.avoid(footprint::paper_rect(chart, object, Vec2::ZERO));
    }
    let edges = plan.edges.iter().filter(|_| plan.up.is_none());
    for edge in edges.chain(&plan.walls) {
        let rect = PaperRect::around(&chart.segment(*edge), 1.5);
        // The box around a slanted line is mostly empty.
        if rect.half.min_element() < 4.0 {
            labels.avoid(rect);
        }
    }
}

/// Draws an arrow from one point to another.
pub(super) fn draw_arrow(drawing: &mut Drawing, [from, to]: Segment, labels: &mut LabelLayout) {
    let direction = (to - from).normalize_or_zero();
    let head = 6.5_f32.min(from.distance(to) * 0.6);
    let back = to - direction * head;
    let side = direction.perp() * head * 0.42;
    drawing.line(vec![from, back], Paint::line(UP, 1.4));
    drawing.area(vec![to, back + side, back - side], Paint::fill(UP));
    labels.take(PaperRect::around(&[from, to], 2.5));
}

/// Draws portals in floors and ceilings. `symbols` are the centres of the symbols drawn before.
fn draw_holes(
    drawing: &mut Drawing,
    plan: &RoomPlan,
    chart: &Chart,
    symbols: &mut Vec<Vec2>,
    labels: &mut LabelLayout,
) {
    for portal in &plan.portals {
        let down = match portal.kind {
            PortalKind::Down(_) => true,
            PortalKind::Up(_) => false,
            _ => continue,
        };
        // A little smaller, to be visible inside the walls of a shaft.
        let centre = chart.at(portal.segment[0]);
        let inward = |corner: Vec2| corner + (centre - corner).clamp_length_max(5.0);
        let outline = chart.outline(&portal.outline).into_iter().map(inward).collect();
        let dash = if down { "4 2" } else { "1 2.6" };
        drawing.area(outline, Paint::line(style::HOLE, 1.1).dashed(dash));
        let at = free_position(centre, symbols);
        draw_hole(drawing, at, down);
        symbols.push(at);
        labels.take(PaperRect::new(at, Vec2::splat(6.0)));
    }
}

/// Returns the point nearest to `centre`, to its right or left, that is clear of other symbols. In a shaft, holes lie
/// above each other.
fn free_position(centre: Vec2, symbols: &[Vec2]) -> Vec2 {
    const MIN_DISTANCE: f32 = 12.0;
    let free = |at: &Vec2| symbols.iter().all(|other| other.distance(*at) >= MIN_DISTANCE - 0.1);
    let steps = [0.0, 1.0, -1.0, 2.0, -2.0].map(|step| centre + Vec2::X * (step * MIN_DISTANCE));
    steps.into_iter().find(free).unwrap_or(centre)
}

/// Draws the symbol of a hole: a triangle in a ring, which points down or up.
pub(super) fn draw_hole(drawing: &mut Drawing, at: Vec2, down: bool) {
    let y = if down { 1.0 } else { -1.0 };
    drawing.circle(at, 5.4, Paint::both(style::PAPER, style::HOLE, 1.0));
    let tip = |x: f32, along: f32| at + Vec2::new(x, along * y);
    let triangle = vec![tip(-3.0, -1.8), tip(3.0, -1.8), tip(0.0, 3.2)];
    drawing.area(triangle, Paint::fill(style::HOLE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_at_one_point_are_drawn_side_by_side() {
        let middle = Vec2::new(50.0, 50.0);
        let mut symbols = Vec::new();
        for want in [50.0, 62.0, 38.0, 74.0] {
            let at = free_position(middle, &symbols);
            assert_eq!(at, Vec2::new(want, 50.0));
            symbols.push(at);
        }
    }

    #[test]
    fn a_hatch_lies_across_the_slope_and_inside_it() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]].map(Vec2::from);
        let lines = hatch(&square, Vec2::X, 1.0);
        assert_eq!(lines.len(), 4);
        for (index, line) in lines.iter().enumerate() {
            assert!(line.iter().all(|point| (point.x - index as f32 - 0.5).abs() < 1e-4));
            assert!((line[0].distance(line[1]) - 2.0).abs() < 1e-4);
        }
    }
}
