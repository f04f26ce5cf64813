//! Draws a walk over a landblock border as an SVG picture: from A9B4 into A9B3, with the cells and
//! the position of each step.
//!
//! `cargo run -p threshold-land --example crossing > crossing.svg`

use threshold_land::vector::Vec3;
use threshold_land::{
    BLOCK_LENGTH, CELL_LENGTH, CellId, Position, adjust_to_outside, block_offset_between,
    outside_cells,
};

const NORTHERN: CellId = CellId(0xA9B4_FFFF);
/// Pixels per metre.
const SCALE: f32 = 5.0;
/// The southern and northern edges of the picture in the frame of A9B4, in metres.
const SOUTH: f32 = -48.0;
const NORTH: f32 = 48.0;
const RADIUS: f32 = 2.0;

fn main() {
    let (width, height) = (BLOCK_LENGTH * SCALE, (NORTH - SOUTH) * SCALE);
    println!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="monospace">"##
    );
    let walk = walk();
    draw_cells(&walk);
    draw_walk(&walk);
    println!("</svg>");
}

/// Returns the positions of a walk from the north-west to the south-east.
fn walk() -> Vec<Position> {
    let start = Position::new(CellId(0xA9B4_0002), Vec3::new(13.0, 38.0, 0.0));
    let next = |here: &Position| {
        let there = here.frame.origin + Vec3::new(9.0, -4.2, 0.0);
        adjust_to_outside(here.cell, there).map(|(cell, at)| Position::new(cell, at))
    };
    std::iter::successors(Some(start), next).take(19).collect()
}

/// Converts a point of the frame of A9B4 to pixels.
fn to_pixels(at: Vec3) -> (f32, f32) {
    (at.x * SCALE, (NORTH - at.y) * SCALE)
}

fn draw_cells(walk: &[Position]) {
    let side = CELL_LENGTH * SCALE;
    let reached = |cell: CellId| {
        let touches = |at: &Position| outside_cells(at.cell, at.frame.origin, RADIUS);
        walk.iter().filter_map(touches).any(|cells| cells.contains(&cell))
    };
    for column in 0..8 {
        for row in -2..2 {
            let middle = Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0) * CELL_LENGTH;
            let Some((cell, _)) = adjust_to_outside(NORTHERN, middle) else { continue };
            let (x, y) = to_pixels(middle);
            let fill = match (cell.block() == NORTHERN.block(), reached(cell)) {
                (true, true) => "#d3e2b6",
                (true, false) => "#edf2e2",
                (false, true) => "#b9d2e3",
                (false, false) => "#e4edf3",
            };
            let (left, top) = (x - side / 2.0, y - side / 2.0);
            println!(
                r##"<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="{fill}" stroke="#b9b29c"/>"##
            );
            let (x, y) = (left + 6.0, top + 17.0);
            println!(r##"<text x="{x}" y="{y}" font-size="13" fill="#6d6753">{cell}</text>"##);
        }
    }
    let (_, border) = to_pixels(Vec3::ZERO);
    println!(
        r##"<path d="M0 {border}H{}" stroke="#7a3b2e" stroke-width="3"/>"##,
        BLOCK_LENGTH * SCALE
    );
}

fn draw_walk(walk: &[Position]) {
    for (step, here) in walk.iter().enumerate() {
        let (x, y) = to_pixels(here.frame.origin + block_offset_between(NORTHERN, here.cell));
        let radius = RADIUS * SCALE;
        println!(
            r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="#2f4858" fill-opacity="0.35"/><circle cx="{x}" cy="{y}" r="3" fill="#2f4858"/>"##
        );
        if step % 3 == 1 {
            let at = here.frame.origin;
            println!(
                r##"<text x="{}" y="{}" font-size="13" fill="#2f4858">({:.0}, {:.1})</text>"##,
                x - 62.0,
                y + 25.0,
                at.x,
                at.y
            );
        }
    }
}
