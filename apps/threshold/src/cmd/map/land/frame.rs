//! The frame of a landscape, its grid, and what is not there.

use threshold_land::glam::Vec2;
use threshold_land::{BLOCK_CELLS, BLOCK_LENGTH, CELL_LENGTH, COMPASS_UNIT};

use super::Atlas;
use crate::cmd::map::style::{NOTHING, QUIET, TEXT};
use crate::drawing::label;
use crate::drawing::legend::Entry;
use crate::drawing::scene::{Anchor, Outline, Paint, Scene, Text};

/// Room for the compass coordinates, left of the map and below it.
pub(super) const RULER: f32 = 40.0;

fn square(atlas: &Atlas<'_>, corner: Vec2, side: f32) -> Vec<Vec2> {
    [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]
        .map(|(x, y)| atlas.chart.at(corner + Vec2::new(x, y)))
        .to_vec()
}

/// Landblocks without land.
pub(super) fn absent(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) {
    let missing = |block: &_| atlas.pieces.world.land(*block).is_none();
    let squares: Vec<Vec<Vec2>> = atlas
        .view
        .blocks()
        .filter(missing)
        .map(|block| square(atlas, atlas.view.offset(block), BLOCK_LENGTH))
        .collect();
    if !squares.is_empty() {
        scene.shape(Outline::Areas(squares), Paint::fill(NOTHING));
        legend.push(Entry::area("no land", Paint::fill(NOTHING)));
    }
}

/// The faint lines of cells and the firmer ones of landblocks.
pub(super) fn grid(scene: &mut Scene, atlas: &Atlas<'_>) {
    let view = atlas.view;
    let size = view.size();
    let across = |x: f32| [Vec2::new(x, 0.0), Vec2::new(x, size.y)];
    let along = |y: f32| [Vec2::new(0.0, y), Vec2::new(size.x, y)];
    let lines = |count: u16, step: f32, of: &dyn Fn(f32) -> [Vec2; 2]| {
        (1..count).map(|i| atlas.chart.segment(of(f32::from(i) * step))).collect::<Vec<_>>()
    };
    let cells = u16::try_from(BLOCK_CELLS).unwrap_or(8);
    let (columns, rows) = (u16::from(view.columns), u16::from(view.rows));
    if atlas.chart.scale * CELL_LENGTH >= 9.0 {
        let mut fine = lines(columns * cells, CELL_LENGTH, &across);
        fine.extend(lines(rows * cells, CELL_LENGTH, &along));
        scene.group(Some("cells".into()), Paint::default().faint(0.16), |scene| {
            scene.segments(&fine, Paint::line(TEXT, 0.5));
        });
    }
    let mut borders = lines(columns, BLOCK_LENGTH, &across);
    borders.extend(lines(rows, BLOCK_LENGTH, &along));
    scene.group(Some("borders".into()), Paint::default().faint(0.6), |scene| {
        scene.segments(&borders, Paint::line(TEXT, 0.9).dashed("7 4"));
    });
}

/// The frame with compass coordinates, and ids of landblocks and, if asked for, of land cells.
pub(super) fn draw(scene: &mut Scene, atlas: &Atlas<'_>) {
    let size = atlas.view.size();
    let corners = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
    let outline = corners.map(|corner| atlas.chart.at(corner)).to_vec();
    scene.area(outline, Paint::line(TEXT, 1.3));
    if atlas.view.ids {
        cell_ids(scene, atlas);
    }
    block_ids(scene, atlas);
    scene.group(Some("compass".into()), Paint::default(), |scene| compass(scene, atlas));
}

fn block_ids(scene: &mut Scene, atlas: &Atlas<'_>) {
    let side = BLOCK_LENGTH * atlas.chart.scale;
    let text_size = (side / 14.0).clamp(6.0, 12.0);
    if side < 30.0 {
        return;
    }
    for block in atlas.view.blocks() {
        let corner = atlas.view.offset(block) + Vec2::new(0.0, BLOCK_LENGTH);
        let at = atlas.chart.at(corner) + Vec2::new(text_size * 0.45, text_size * 1.15);
        scene.text(Text::new(block.to_string(), at, text_size, TEXT).mono().haloed());
    }
}

/// The low word of each land cell, in its south-west corner, where it has room.
fn cell_ids(scene: &mut Scene, atlas: &Atlas<'_>) {
    let size = (CELL_LENGTH * atlas.chart.scale / 7.0).min(7.5);
    if size < 4.5 {
        return;
    }
    scene.group(Some("cell-ids".into()), Paint::default(), |scene| {
        for land in &atlas.lands {
            for cell in (0..64).filter_map(|index| land.cell(index)) {
                let (x, y) = ((cell.index() >> 3) as f32, (cell.index() & 7) as f32);
                let corner = atlas.offset(land) + Vec2::new(x, y) * CELL_LENGTH;
                let at = atlas.chart.at(corner) + Vec2::new(2.0, -2.5);
                let text = format!("{:04X}", cell.id().low());
                scene.text(Text::new(text, at, size, QUIET.lit(0.75)).mono());
            }
        }
    });
}

fn compass(scene: &mut Scene, atlas: &Atlas<'_>) {
    let Some(corner) = atlas.view.compass(Vec2::ZERO) else { return };
    let size = atlas.view.size();
    let unit = COMPASS_UNIT * f64::from(atlas.chart.scale);
    let steps = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
    let step = steps.into_iter().find(|step| step * unit >= 46.0).unwrap_or(50.0);
    for (metres, value) in ticks(corner.east(), size.x, step) {
        let at = atlas.chart.at(Vec2::new(metres, 0.0));
        scene.line(vec![at, at + Vec2::new(0.0, 5.0)], Paint::line(TEXT, 0.9));
        let text = named(value, 'E', 'W');
        let text = Text::new(text, at + Vec2::new(0.0, 16.0), 9.0, TEXT);
        scene.text(text.mono().anchored(Anchor::Middle));
    }
    for (metres, value) in ticks(corner.north(), size.y, step) {
        let at = atlas.chart.at(Vec2::new(0.0, metres));
        scene.line(vec![at, at - Vec2::new(5.0, 0.0)], Paint::line(TEXT, 0.9));
        let text = named(value, 'N', 'S');
        let down = label::extent(&text, 9.0).y / 2.0;
        let text = Text::new(text, at + Vec2::new(-7.0, down), 9.0, TEXT);
        scene.text(text.mono().anchored(Anchor::End));
    }
}

/// Metres from the edge and coordinate of every multiple of `step` within `size` metres.
fn ticks(edge: f64, size: f32, step: f64) -> Vec<(f32, f64)> {
    let first = (edge / step).ceil();
    let value = |index: u16| (first + f64::from(index)) * step;
    #[allow(clippy::cast_possible_truncation, reason = "paper needs no more")]
    let metres = |value: f64| ((value - edge) * COMPASS_UNIT) as f32;
    (0..=u16::MAX)
        .map(|index| (metres(value(index)), value(index)))
        .take_while(|(metres, _)| *metres <= size)
        .collect()
}

fn named(value: f64, plus: char, minus: char) -> String {
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
        let names: Vec<_> = all.iter().map(|(_, value)| named(*value, 'E', 'W')).collect();
        assert_eq!(names, ["33.3E", "33.4E", "33.5E", "33.6E", "33.7E", "33.8E", "33.9E", "34.0E"]);
        assert!((all[0].0 - 12.0).abs() < 1e-3, "{all:?}");
        assert_eq!(named(-0.5, 'N', 'S'), "0.5S");
    }
}
