//! Arrangement of the panels of a floor plan.

use threshold_land::vector::Vec2;

use super::level::Level;
use super::room::RoomPlan;
use crate::drawing::{Anchor, Drawing, Paint, TextItem};
use crate::legend::{HEAD_HEIGHT, LegendEntry, MARGIN, MIN_WIDTH};
use crate::sheet::{self, Chart};
use crate::style::{GRID, QUIET, TEXT};

/// Scales that are tried in this order, in paper units per metre.
const SCALES: [f32; 20] = [
    32.0, 28.0, 24.0, 20.0, 16.0, 14.0, 12.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0,
    1.5, 1.0, 0.5,
];
/// Greatest area of all panels together.
const MAX_AREA: f32 = 2.0e6;
/// Greatest width or height of a panel.
const MAX_SIDE: f32 = 1500.0;
/// White space around the rooms of a panel.
const PADDING: f32 = 26.0;
/// Height of the heading above a panel.
const TITLE: f32 = 24.0;
/// Space for coordinates, left of a panel and below it.
const RULER: f32 = 24.0;
/// Space between panels.
const GAP: f32 = 22.0;

/// The area of a level on paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    /// Upper left corner of the frame.
    pub(super) corner: Vec2,
    pub(super) size: Vec2,
    pub(super) chart: Chart,
}

/// Size and panels of a floor plan, with a panel for each level.
#[derive(Clone, Debug)]
pub(super) struct PlanLayout {
    pub(super) size: Vec2,
    pub(super) scale: f32,
    pub(super) panels: Vec<Panel>,
}

impl PlanLayout {
    pub(super) fn new(plans: &[RoomPlan], levels: &[Level], legend: &[LegendEntry]) -> Self {
        let boxes: Vec<[Vec2; 2]> = levels.iter().map(|level| extent(plans, level)).collect();
        let sizes = |scale: f32| -> Vec<Vec2> {
            boxes.iter().map(|[low, high]| (*high - *low) * scale + 2.0 * PADDING).collect()
        };
        let fits = |scale: &f32| {
            let sizes = sizes(*scale);
            let area: f32 = sizes.iter().map(|size| size.x * size.y).sum();
            area <= MAX_AREA && sizes.iter().all(|size| size.max_element() <= MAX_SIDE)
        };
        let scale = SCALES.into_iter().find(fits).unwrap_or(0.25);
        let sizes = sizes(scale);
        let (places, used) = arrange(&sizes);
        let width = (used.x + 2.0 * MARGIN).max(MIN_WIDTH);
        let aside = (width - used.x) / 2.0;
        let panels = places.iter().zip(&sizes).zip(&boxes).map(|((place, size), [low, _])| {
            let place = *place + Vec2::new(aside, HEAD_HEIGHT);
            let corner = place + Vec2::new(PADDING, size.y - PADDING);
            Panel { corner: place, size: *size, chart: Chart { origin: *low, corner, scale } }
        });
        let height = HEAD_HEIGHT + used.y + sheet::foot_height(width, legend) + MARGIN;
        Self { size: Vec2::new(width, height), scale, panels: panels.collect() }
    }
}

/// Returns the box around the rooms of a level, in metres.
fn extent(plans: &[RoomPlan], level: &Level) -> [Vec2; 2] {
    let shown = level.rooms.iter().chain(&level.arriving);
    let points = || shown.clone().flat_map(|index| &plans[*index].outline).copied();
    [points().fold(Vec2::INFINITY, Vec2::min), points().fold(Vec2::NEG_INFINITY, Vec2::max)]
}

/// Arranges panels in rows, in order; also returns the size of all.
///
/// Tries all sensible widths and prefers little white space and a shape like a screen.
fn arrange(sizes: &[Vec2]) -> (Vec<Vec2>, Vec2) {
    let max_width = sizes.iter().map(|size| size.x + RULER).fold(0.0, f32::max);
    let row = |panels: &[Vec2]| panels.iter().map(|size| size.x + RULER + GAP).sum::<f32>() - GAP;
    let runs = (0..sizes.len()).flat_map(|from| (from..sizes.len()).map(move |to| (from, to)));
    let limits = runs.map(|(from, to)| row(&sizes[from..=to]).max(max_width));
    let cost = |(_, used): &(Vec<Vec2>, Vec2)| {
        // Screens are wide.
        let elongation = (used.x / used.y).max(1.2 * used.y / used.x);
        used.x * used.y * elongation
    };
    let tries = limits.map(|limit| arrange_within(sizes, limit));
    tries.min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or_default()
}

/// Arranges panels in rows of limited width.
fn arrange_within(sizes: &[Vec2], limit: f32) -> (Vec<Vec2>, Vec2) {
    let (mut at, mut row, mut used) = (Vec2::ZERO, 0.0_f32, Vec2::ZERO);
    let mut places = Vec::new();
    for size in sizes {
        let outer = *size + Vec2::new(RULER, RULER + TITLE);
        if at.x > 0.0 && at.x + outer.x > limit + 0.5 {
            at = Vec2::new(0.0, at.y + row + GAP);
            row = 0.0;
        }
        places.push(at + Vec2::new(RULER, TITLE));
        row = row.max(outer.y);
        used = used.max(at + outer);
        at.x += outer.x + GAP;
    }
    (places, used)
}

/// Draws the heading of a panel.
pub(super) fn draw_heading(drawing: &mut Drawing, panel: &Panel, text: &str) {
    let at = panel.corner + Vec2::new(0.0, -7.0);
    // A narrow panel has small letters, so that headings do not overlap.
    let letters = text.chars().count() as f32;
    let size = ((panel.size.x + GAP) / (letters * 0.52)).clamp(8.0, 13.0);
    drawing.text(TextItem::new(text, at, size, TEXT));
}

/// Returns the distance of the lines of the grid in metres.
fn grid_step(scale: f32) -> f32 {
    let steps = [1.0_f32, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
    steps.into_iter().find(|step| step * scale >= 55.0).unwrap_or(500.0)
}

/// Draws a faint grid with the coordinates of its lines.
pub(super) fn draw_grid(drawing: &mut Drawing, panel: &Panel) {
    let Panel { corner: place, size, chart } = *panel;
    let step = grid_step(chart.scale);
    let low = chart.origin - Vec2::splat(PADDING / chart.scale);
    let high = low + size / chart.scale;
    let corner = place + size;
    let (mut lines, mut texts) = (Vec::new(), Vec::new());
    for value in multiples(low.x, high.x, step) {
        let x = chart.at(Vec2::new(value, 0.0)).x;
        lines.push([Vec2::new(x, place.y), Vec2::new(x, corner.y)]);
        let at = Vec2::new(x, corner.y + 11.0);
        texts.push(TextItem::new(super::metres(value), at, 8.0, QUIET).anchored(Anchor::Middle));
    }
    for value in multiples(low.y, high.y, step) {
        let y = chart.at(Vec2::new(0.0, value)).y;
        lines.push([Vec2::new(place.x, y), Vec2::new(corner.x, y)]);
        let at = Vec2::new(place.x - 4.0, y + 3.0);
        texts.push(TextItem::new(super::metres(value), at, 8.0, QUIET).anchored(Anchor::End));
    }
    drawing.segments(&lines, Paint::line(GRID, 0.45));
    let frame = vec![place, Vec2::new(corner.x, place.y), corner, Vec2::new(place.x, corner.y)];
    drawing.area(frame, Paint::line(GRID, 1.0));
    texts.into_iter().for_each(|text| drawing.text(text));
}

/// Returns the multiples of a step between two numbers.
fn multiples(low: f32, high: f32, step: f32) -> Vec<f32> {
    let first = (low / step).ceil();
    (0..1000_u16)
        .map(|index| (first + f32::from(index)) * step)
        .take_while(|value| *value <= high)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_do_not_overlap() {
        let sizes = [(300.0, 200.0), (200.0, 400.0), (500.0, 100.0), (80.0, 80.0)];
        let sizes = sizes.map(Vec2::from);
        let (places, used) = arrange(&sizes);
        for (i, a) in places.iter().enumerate() {
            assert!((*a + sizes[i]).cmple(used).all());
            for (j, b) in places.iter().enumerate().skip(i + 1) {
                let separate = a.x + sizes[i].x < b.x || b.x + sizes[j].x < a.x;
                let separate = separate || a.y + sizes[i].y < b.y || b.y + sizes[j].y < a.y;
                assert!(separate, "{a} {b}");
            }
        }
    }

    #[test]
    fn the_grid_has_round_numbers() {
        assert_eq!(multiples(-12.0, 21.0, 10.0), [-10.0, 0.0, 10.0, 20.0]);
        assert_eq!([grid_step(32.0), grid_step(8.0), grid_step(2.0)], [2.0, 10.0, 50.0]);
    }
}
