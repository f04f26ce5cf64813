//! Where the panels of a sheet lie.

use threshold_land::glam::Vec2;

use super::level::Level;
use super::room::Plan;
use crate::cmd::map::sheet::{self, Chart};
use crate::cmd::map::style::{GRID, QUIET, TEXT};
use crate::drawing::legend::{Entry, HEAD, MARGIN, NARROWEST};
use crate::drawing::scene::{Anchor, Paint, Scene, Text};

/// Paper units a metre that are tried, the largest first.
const SCALES: [f32; 20] = [
    32.0, 28.0, 24.0, 20.0, 16.0, 14.0, 12.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0,
    1.5, 1.0, 0.5,
];
/// What all panels together may take of the paper.
const MOST: f32 = 2.0e6;
/// What one may take, in width or height.
const LONGEST: f32 = 1500.0;
/// White round the rooms of a panel.
const AIR: f32 = 26.0;
/// Above a panel, for its heading.
const TITLE: f32 = 24.0;
/// Left of a panel and below it, for coordinates.
const RULER: f32 = 24.0;
/// Between panels.
const GAP: f32 = 22.0;

/// The place of a level on the sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    /// Left and top of what is framed.
    pub(super) place: Vec2,
    pub(super) size: Vec2,
    pub(super) chart: Chart,
}

/// A sheet with a panel a level.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) size: Vec2,
    pub(super) scale: f32,
    pub(super) panels: Vec<Panel>,
}

impl Sheet {
    pub(super) fn of(plans: &[Plan], levels: &[Level], legend: &[Entry]) -> Self {
        let boxes: Vec<[Vec2; 2]> = levels.iter().map(|level| extent(plans, level)).collect();
        let sizes = |scale: f32| -> Vec<Vec2> {
            boxes.iter().map(|[low, high]| (*high - *low) * scale + 2.0 * AIR).collect()
        };
        let fits = |scale: &f32| {
            let sizes = sizes(*scale);
            let area: f32 = sizes.iter().map(|size| size.x * size.y).sum();
            area <= MOST && sizes.iter().all(|size| size.max_element() <= LONGEST)
        };
        let scale = SCALES.into_iter().find(fits).unwrap_or(0.25);
        let sizes = sizes(scale);
        let (places, used) = shelve(&sizes);
        let width = (used.x + 2.0 * MARGIN).max(NARROWEST);
        let aside = (width - used.x) / 2.0;
        let panels = places.iter().zip(&sizes).zip(&boxes).map(|((place, size), [low, _])| {
            let place = *place + Vec2::new(aside, HEAD);
            let corner = place + Vec2::new(AIR, size.y - AIR);
            Panel { place, size: *size, chart: Chart { origin: *low, corner, scale } }
        });
        let height = HEAD + used.y + sheet::foot_height(width, legend) + MARGIN;
        Self { size: Vec2::new(width, height), scale, panels: panels.collect() }
    }
}

/// The box round all that a level shows, in metres.
fn extent(plans: &[Plan], level: &Level) -> [Vec2; 2] {
    let shown = level.rooms.iter().chain(&level.arriving);
    let points = || shown.clone().flat_map(|index| &plans[*index].outline).copied();
    [points().fold(Vec2::INFINITY, Vec2::min), points().fold(Vec2::NEG_INFINITY, Vec2::max)]
}

/// Puts panels into rows, in order, so that little paper is left white and the sheet is no strip,
/// and says how much room they take.
fn shelve(sizes: &[Vec2]) -> (Vec<Vec2>, Vec2) {
    let widest = sizes.iter().map(|size| size.x + RULER).fold(0.0, f32::max);
    let row = |panels: &[Vec2]| panels.iter().map(|size| size.x + RULER + GAP).sum::<f32>() - GAP;
    let runs = (0..sizes.len()).flat_map(|from| (from..sizes.len()).map(move |to| (from, to)));
    let limits = runs.map(|(from, to)| row(&sizes[from..=to]).max(widest));
    let badness = |(_, used): &(Vec<Vec2>, Vec2)| {
        // Screens are wide.
        let strip = (used.x / used.y).max(1.2 * used.y / used.x);
        used.x * used.y * strip
    };
    let tries = limits.map(|limit| shelves(sizes, limit));
    tries.min_by(|a, b| badness(a).total_cmp(&badness(b))).unwrap_or_default()
}

fn shelves(sizes: &[Vec2], limit: f32) -> (Vec<Vec2>, Vec2) {
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

pub(super) fn heading(scene: &mut Scene, panel: &Panel, text: &str) {
    let at = panel.place + Vec2::new(0.0, -7.0);
    // A narrow panel has narrow letters, so that headings do not run into one another.
    let letters = text.chars().count() as f32;
    let size = ((panel.size.x + GAP) / (letters * 0.52)).clamp(8.0, 13.0);
    scene.text(Text::new(text, at, size, TEXT));
}

/// Metres between the lines of the grid.
fn step(scale: f32) -> f32 {
    let steps = [1.0_f32, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
    steps.into_iter().find(|step| step * scale >= 55.0).unwrap_or(500.0)
}

/// A faint grid with the coordinates of its lines.
pub(super) fn grid(scene: &mut Scene, panel: &Panel) {
    let Panel { place, size, chart } = *panel;
    let step = step(chart.scale);
    let low = chart.origin - Vec2::splat(AIR / chart.scale);
    let high = low + size / chart.scale;
    let corner = place + size;
    let (mut lines, mut texts) = (Vec::new(), Vec::new());
    for value in multiples(low.x, high.x, step) {
        let x = chart.at(Vec2::new(value, 0.0)).x;
        lines.push([Vec2::new(x, place.y), Vec2::new(x, corner.y)]);
        let at = Vec2::new(x, corner.y + 11.0);
        texts.push(Text::new(super::metres(value), at, 8.0, QUIET).anchored(Anchor::Middle));
    }
    for value in multiples(low.y, high.y, step) {
        let y = chart.at(Vec2::new(0.0, value)).y;
        lines.push([Vec2::new(place.x, y), Vec2::new(corner.x, y)]);
        let at = Vec2::new(place.x - 4.0, y + 3.0);
        texts.push(Text::new(super::metres(value), at, 8.0, QUIET).anchored(Anchor::End));
    }
    scene.segments(&lines, Paint::line(GRID, 0.45));
    let frame = vec![place, Vec2::new(corner.x, place.y), corner, Vec2::new(place.x, corner.y)];
    scene.area(frame, Paint::line(GRID, 1.0));
    texts.into_iter().for_each(|text| scene.text(text));
}

/// The multiples of a step between two numbers.
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
    fn panels_in_rows_do_not_touch() {
        let sizes = [(300.0, 200.0), (200.0, 400.0), (500.0, 100.0), (80.0, 80.0)];
        let sizes = sizes.map(Vec2::from);
        let (places, used) = shelve(&sizes);
        for (i, a) in places.iter().enumerate() {
            assert!((*a + sizes[i]).cmple(used).all());
            for (j, b) in places.iter().enumerate().skip(i + 1) {
                let apart = a.x + sizes[i].x < b.x || b.x + sizes[j].x < a.x;
                let apart = apart || a.y + sizes[i].y < b.y || b.y + sizes[j].y < a.y;
                assert!(apart, "{a} {b}");
            }
        }
    }

    #[test]
    fn the_grid_has_round_numbers() {
        assert_eq!(multiples(-12.0, 21.0, 10.0), [-10.0, 0.0, 10.0, 20.0]);
        assert_eq!([step(32.0), step(8.0), step(2.0)], [2.0, 10.0, 50.0]);
    }
}
