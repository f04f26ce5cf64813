//! Frame and grid of a landscape, and landblocks without land.

use threshold_land::vector::Vec2;
use threshold_land::{BLOCK_CELLS, BLOCK_LENGTH, CELL_LENGTH, COMPASS_UNIT};

use super::LandscapeInput;
use crate::drawing::{Anchor, Drawing, Outline, Paint, TextItem};
use crate::labels;
use crate::legend::LegendEntry;
use crate::style::{NOTHING, QUIET, TEXT};

/// Space for the compass coordinates left of the map.
pub(super) const RULER: f32 = 40.0;

fn square(input: &LandscapeInput<'_>, corner: Vec2, side: f32) -> Vec<Vec2> {
    [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]
        .map(|(x, y)| input.chart.at(corner + Vec2::new(x, y)))
        .to_vec()
}

/// Draws landblocks without land.
pub(super) fn draw_missing_blocks(
    drawing: &mut Drawing,
    input: &LandscapeInput<'_>,
    legend: &mut Vec<LegendEntry>,
) {
    let missing = |block: &_| input.pieces.world.land(*block).is_none();
    let squares: Vec<Vec<Vec2>> = input
        .view
        .blocks()
        .filter(missing)
        .map(|block| square(input, input.view.offset(block), BLOCK_LENGTH))
        .collect();
    if !squares.is_empty() {
        drawing.shape(Outline::Areas(squares), Paint::fill(NOTHING));
        legend.push(LegendEntry::area("no land", Paint::fill(NOTHING)));
    }
}

/// Draws the borders of land cells faintly, and those of landblocks.
pub(super) fn draw_grid(drawing: &mut Drawing, input: &LandscapeInput<'_>) {
    let view = input.view;
    let size = view.size();
    let across = |x: f32| [Vec2::new(x, 0.0), Vec2::new(x, size.y)];
    let along = |y: f32| [Vec2::new(0.0, y), Vec2::new(size.x, y)];
    let lines = |count: u16, step: f32, of: &dyn Fn(f32) -> [Vec2; 2]| {
        (1..count).map(|i| input.chart.segment(of(f32::from(i) * step))).collect::<Vec<_>>()
    };
    let cells = u16::try_from(BLOCK_CELLS).unwrap_or(8);
    let (columns, rows) = (u16::from(view.columns), u16::from(view.rows));
    if input.chart.scale * CELL_LENGTH >= 9.0 {
        let mut fine = lines(columns * cells, CELL_LENGTH, &across);
        fine.extend(lines(rows * cells, CELL_LENGTH, &along));
        drawing.group(Some("cells".into()), Paint::default().faint(0.16), |drawing| {
            drawing.segments(&fine, Paint::line(TEXT, 0.5));
        });
    }
    let mut borders = lines(columns, BLOCK_LENGTH, &across);
    borders.extend(lines(rows, BLOCK_LENGTH, &along));
    drawing.group(Some("borders".into()), Paint::default().faint(0.6), |drawing| {
        drawing.segments(&borders, Paint::line(TEXT, 0.9).dashed("7 4"));
    });
}

/// Draws the frame with compass coordinates, and the ids of landblocks and land cells.
pub(super) fn draw(drawing: &mut Drawing, input: &LandscapeInput<'_>) {
    let size = input.view.size();
    let corners = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
    let outline = corners.map(|corner| input.chart.at(corner)).to_vec();
    drawing.area(outline, Paint::line(TEXT, 1.3));
    if input.view.ids {
        draw_cell_ids(drawing, input);
    }
    draw_block_ids(drawing, input);
    drawing.group(Some("compass".into()), Paint::default(), |drawing| draw_compass(drawing, input));
}

fn draw_block_ids(drawing: &mut Drawing, input: &LandscapeInput<'_>) {
    let side = BLOCK_LENGTH * input.chart.scale;
    let text_size = (side / 14.0).clamp(6.0, 12.0);
    if side < 30.0 {
        return;
    }
    for block in input.view.blocks() {
        let corner = input.view.offset(block) + Vec2::new(0.0, BLOCK_LENGTH);
        let at = input.chart.at(corner) + Vec2::new(text_size * 0.45, text_size * 1.15);
        drawing.text(TextItem::new(block.to_string(), at, text_size, TEXT).mono().haloed());
    }
}

/// Draws the low word of each land cell in its south-west corner, if there is space.
fn draw_cell_ids(drawing: &mut Drawing, input: &LandscapeInput<'_>) {
    let size = (CELL_LENGTH * input.chart.scale / 7.0).min(7.5);
    if size < 4.5 {
        return;
    }
    drawing.group(Some("cell-ids".into()), Paint::default(), |drawing| {
        for land in &input.lands {
            for cell in (0..64).filter_map(|index| land.cell(index)) {
                let (x, y) = ((cell.index() >> 3) as f32, (cell.index() & 7) as f32);
                let corner = input.offset(land) + Vec2::new(x, y) * CELL_LENGTH;
                let at = input.chart.at(corner) + Vec2::new(2.0, -2.5);
                let text = format!("{:04X}", cell.id().low());
                drawing.text(TextItem::new(text, at, size, QUIET.lit(0.75)).mono());
            }
        }
    });
}

fn draw_compass(drawing: &mut Drawing, input: &LandscapeInput<'_>) {
    let Some(corner) = input.view.compass(Vec2::ZERO) else { return };
    let size = input.view.size();
    let unit = COMPASS_UNIT * f64::from(input.chart.scale);
    let steps = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
    let step = steps.into_iter().find(|step| step * unit >= 46.0).unwrap_or(50.0);
    for (metres, value) in ticks(corner.east(), size.x, step) {
        let at = input.chart.at(Vec2::new(metres, 0.0));
        drawing.line(vec![at, at + Vec2::new(0.0, 5.0)], Paint::line(TEXT, 0.9));
        let text = coordinate(value, 'E', 'W');
        let text = TextItem::new(text, at + Vec2::new(0.0, 16.0), 9.0, TEXT);
        drawing.text(text.mono().anchored(Anchor::Middle));
    }
    for (metres, value) in ticks(corner.north(), size.y, step) {
        let at = input.chart.at(Vec2::new(0.0, metres));
        drawing.line(vec![at, at - Vec2::new(5.0, 0.0)], Paint::line(TEXT, 0.9));
        let text = coordinate(value, 'N', 'S');
        let down = labels::extent(&text, 9.0).y / 2.0;
        let text = TextItem::new(text, at + Vec2::new(-7.0, down), 9.0, TEXT);
        drawing.text(text.mono().anchored(Anchor::End));
    }
}

/// Returns the multiples of `step` within `size` metres of an edge: distance from the edge and coordinate.
fn ticks(edge: f64, size: f32, step: f64) -> Vec<(f32, f64)> {
    let first = (edge / step).ceil();
    let value = |index: u16| (first + f64::from(index)) * step;
    #[allow(clippy::cast_possible_truncation, reason = "f32 is exact enough for paper")]
    let metres = |value: f64| ((value - edge) * COMPASS_UNIT) as f32;
    (0..=u16::MAX)
        .map(|index| (metres(value(index)), value(index)))
        .take_while(|(metres, _)| *metres <= size)
        .collect()
}

/// Writes a coordinate with its letter.
fn coordinate(value: f64, plus: char, minus: char) -> String {
    let letter = if value < -1e-9 { minus } else { plus };
    format!("{:.1}{letter}", value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_landblock_has_eight_ticks_of_a_tenth() {
        // The west edge of column A9: 169 x 192 / 240 - 101.95.
        let all = ticks(33.25, 192.0, 0.1);
        let names: Vec<_> = all.iter().map(|(_, value)| coordinate(*value, 'E', 'W')).collect();
        assert_eq!(names, ["33.3E", "33.4E", "33.5E", "33.6E", "33.7E", "33.8E", "33.9E", "34.0E"]);
        assert!((all[0].0 - 12.0).abs() < 1e-3, "{all:?}");
        assert_eq!(coordinate(-0.5, 'N', 'S'), "0.5S");
    }
}
