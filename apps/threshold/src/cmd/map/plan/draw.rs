//! One level on paper.

use threshold_land::glam::Vec2;

use super::level::Level;
use super::opening::Kind;
use super::room::Plan;
use super::{Interior, names};
use crate::cmd::map::sheet::{self, Chart};
use crate::cmd::map::style::{self, FLOOR, HIGH_FLOOR, LOW_FLOOR, MARKED_ROOM, UP};
use crate::cmd::map::things;
use crate::drawing::flat::{self, Segment};
use crate::drawing::label::{Labels, Patch};
use crate::drawing::scene::{Item, Outline, Paint, Scene, Shape};

/// Draws a level; the caller has opened a group for it.
pub(super) fn level(scene: &mut Scene, all: &Interior, level: &Level, chart: &Chart) {
    let mut labels = Labels::default();
    let own = || level.rooms.iter().map(|index| &all.plans[*index]);
    let arriving = || level.arriving.iter().map(|index| &all.plans[*index]);
    scene.group(None, Paint::default().faint(0.42), |scene| {
        for plan in arriving() {
            floor(scene, all, plan, chart, None);
            inner(scene, plan, chart);
            scene.segments(&chart.segments(&plan.walls), Paint::line(style::WALL, 1.0));
        }
    });
    for plan in own() {
        floor(scene, all, plan, chart, Some(level.height));
    }
    for plan in own() {
        inner(scene, plan, chart);
    }
    own().for_each(|plan| objects(scene, all, plan, chart));
    // Below the walls: where stairs pass over another room, its wall is closed.
    own().for_each(|plan| doorways(scene, all, level, plan, chart));
    for plan in own() {
        scene.segments(&chart.segments(&plan.walls), style::wall());
    }
    own().for_each(|plan| exits(scene, plan, chart));
    for up in own().chain(arriving()).filter_map(|plan| plan.up) {
        arrow(scene, chart.segment(up), &mut labels);
    }
    let mark = all.mark.filter(|(room, _)| own().any(|plan| plan.id == *room));
    let mut symbols = Vec::new();
    if let Some((_, at)) = mark {
        symbols.push(chart.at(at));
        labels.take(Patch::new(chart.at(at), Vec2::splat(7.0)));
    }
    for plan in own() {
        holes(scene, plan, chart, &mut symbols, &mut labels);
    }
    own().for_each(|plan| avoid_things(all, plan, chart, &mut labels));
    names::draw(scene, all, level, chart, &mut labels);
    if let Some((_, at)) = mark {
        sheet::mark(scene, chart.at(at));
    }
}

/// The floor of a room: of one on its own level, whose height is given, or of one that arrives.
fn floor(scene: &mut Scene, all: &Interior, plan: &Plan, chart: &Chart, level: Option<f32>) {
    let above = plan.floor - level.unwrap_or(plan.floor);
    let towards = if above > 0.0 { HIGH_FLOOR } else { LOW_FLOOR };
    let marked = level.is_some() && all.mark.is_some_and(|(room, _)| room == plan.id);
    let ink =
        if marked { MARKED_ROOM } else { FLOOR.towards(towards, (above.abs() / 2.0).min(1.0)) };
    let way = if level.is_some() { "room" } else { "arriving" };
    scene.items.push(Item::Shape(Shape {
        outline: Outline::Areas(vec![chart.outline(&plan.outline)]),
        paint: Paint::both(ink, ink, 0.6),
        id: Some(format!("{way}-{:04X}", plan.id.low())),
        title: Some(described(plan)),
    }));
}

fn described(plan: &Plan) -> String {
    if plan.top - plan.floor > 0.05 {
        format!("{}, floor {:.2} to {:.2} m", plan.id, plan.floor, plan.top)
    } else {
        format!("{}, floor {:.2} m", plan.id, plan.floor)
    }
}

/// Steps and slopes.
fn inner(scene: &mut Scene, plan: &Plan, chart: &Chart) {
    scene.segments(&chart.segments(&plan.edges), style::step());
    for slope in &plan.slopes {
        let (spacing, paint) =
            if slope.steep { (0.25_f32, style::steep()) } else { (0.6, style::step()) };
        // Never so dense that it is a grey area.
        let spacing = spacing.max(3.0 / chart.scale);
        let hatch = hatch(&slope.outline, slope.up, spacing);
        scene.segments(&chart.segments(&hatch), paint);
    }
}

/// Lines across a slope.
fn hatch(outline: &[Vec2], up: Vec2, spacing: f32) -> Vec<Segment> {
    let places = outline.iter().map(|point| up.dot(*point));
    let (low, high) =
        places.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let middle = flat::middle(outline);
    let along = |i: u16| low + (f32::from(i) + 0.5) * spacing;
    (0..1000)
        .map(along)
        .take_while(|place| *place < high)
        .filter_map(|place| flat::chord(outline, middle + up * (place - up.dot(middle)), up.perp()))
        .collect()
}

fn objects(scene: &mut Scene, all: &Interior, plan: &Plan, chart: &Chart) {
    for thing in all.objects.get(&plan.id).into_iter().flatten() {
        things::draw(scene, chart, thing, Vec2::ZERO, &style::object());
    }
}

fn doorways(scene: &mut Scene, all: &Interior, level: &Level, plan: &Plan, chart: &Chart) {
    for opening in &plan.openings {
        let Kind::Doorway(other) = opening.kind else { continue };
        let line = chart.segment(opening.segment).to_vec();
        match all.index(other) {
            // Both sides have it; one draws it.
            Some(index) if other < plan.id && level.rooms.contains(&index) => {}
            Some(_) => scene.line(line, style::threshold()),
            None => scene.line(line, style::lost()),
        }
    }
}

fn exits(scene: &mut Scene, plan: &Plan, chart: &Chart) {
    for opening in &plan.openings {
        let line = chart.segment(opening.segment);
        match opening.kind {
            Kind::Exit => exit(scene, line),
            Kind::Window => window(scene, line),
            Kind::Doorway(_) | Kind::Down(_) | Kind::Up(_) => {}
        }
    }
}

/// A door outdoors.
pub(super) fn exit(scene: &mut Scene, line: Segment) {
    scene.line(line.to_vec(), Paint::line(style::EXIT, 4.0));
}

/// Two thin lines in the wall.
pub(super) fn window(scene: &mut Scene, [a, b]: Segment) {
    let aside = (b - a).normalize_or_zero().perp() * 1.5;
    let lines = [[a + aside, b + aside], [a - aside, b - aside]];
    scene.line(vec![a, b], Paint::line(style::PAPER, 2.4));
    scene.segments(&lines, Paint::line(style::WINDOW, 1.2));
}

/// Ids keep off objects, posts and counters where they can; on stairs they cannot.
fn avoid_things(all: &Interior, plan: &Plan, chart: &Chart, labels: &mut Labels) {
    for thing in all.objects.get(&plan.id).into_iter().flatten() {
        labels.avoid(things::patch(chart, thing, Vec2::ZERO));
    }
    let edges = plan.edges.iter().filter(|_| plan.up.is_none());
    for edge in edges.chain(&plan.walls) {
        let patch = Patch::round(&chart.segment(*edge), 1.5);
        // The box round a slanted line is mostly empty.
        if patch.half.min_element() < 4.0 {
            labels.avoid(patch);
        }
    }
}

/// An arrow from one point to another.
pub(super) fn arrow(scene: &mut Scene, [from, to]: Segment, labels: &mut Labels) {
    let way = (to - from).normalize_or_zero();
    let head = 6.5_f32.min(from.distance(to) * 0.6);
    let back = to - way * head;
    let aside = way.perp() * head * 0.42;
    scene.line(vec![from, back], Paint::line(UP, 1.4));
    scene.area(vec![to, back + aside, back - aside], Paint::fill(UP));
    labels.take(Patch::round(&[from, to], 2.5));
}

/// `symbols` are the middles of those that are drawn already.
fn holes(
    scene: &mut Scene,
    plan: &Plan,
    chart: &Chart,
    symbols: &mut Vec<Vec2>,
    labels: &mut Labels,
) {
    for opening in &plan.openings {
        let down = match opening.kind {
            Kind::Down(_) => true,
            Kind::Up(_) => false,
            _ => continue,
        };
        // A little smaller, to be seen inside the walls of a shaft.
        let middle = chart.at(opening.segment[0]);
        let inward = |corner: Vec2| corner + (middle - corner).clamp_length_max(5.0);
        let outline = chart.outline(&opening.outline).into_iter().map(inward).collect();
        let dash = if down { "4 2" } else { "1 2.6" };
        scene.area(outline, Paint::line(style::HOLE, 1.1).dashed(dash));
        let at = beside(middle, symbols);
        hole(scene, at, down);
        symbols.push(at);
        labels.take(Patch::new(at, Vec2::splat(6.0)));
    }
}

/// The place nearest to `middle`, to its right or left, that keeps clear of other symbols: a shaft has a hole
/// above the other.
fn beside(middle: Vec2, symbols: &[Vec2]) -> Vec2 {
    const APART: f32 = 12.0;
    let free = |at: &Vec2| symbols.iter().all(|other| other.distance(*at) >= APART - 0.1);
    let steps = [0.0, 1.0, -1.0, 2.0, -2.0].map(|step| middle + Vec2::X * (step * APART));
    steps.into_iter().find(free).unwrap_or(middle)
}

/// A triangle in a ring: down or up through a hole.
pub(super) fn hole(scene: &mut Scene, at: Vec2, down: bool) {
    let y = if down { 1.0 } else { -1.0 };
    scene.circle(at, 5.4, Paint::both(style::PAPER, style::HOLE, 1.0));
    let tip = |x: f32, along: f32| at + Vec2::new(x, along * y);
    let triangle = vec![tip(-3.0, -1.8), tip(3.0, -1.8), tip(0.0, 3.2)];
    scene.area(triangle, Paint::fill(style::HOLE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_in_one_place_stand_side_by_side() {
        let middle = Vec2::new(50.0, 50.0);
        let mut symbols = Vec::new();
        for want in [50.0, 62.0, 38.0, 74.0] {
            let at = beside(middle, &symbols);
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
