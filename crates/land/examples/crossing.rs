//! Draws the walk of the LandDefs study as an SVG picture: from A9B4 over the landblock border
//! into A9B3 and back, with the cell that each step is in.
//!
//! `cargo run -p threshold-land --example crossing > crossing.svg`

use threshold_land::glam::Vec3;
use threshold_land::{
    BLOCK_LENGTH, CELL_LENGTH, CellId, Position, adjust_to_outside, block_offset,
};

const ORIGIN: CellId = CellId(0xA9B4_FFFF);
/// Pixels a metre.
const SCALE: f32 = 5.0;
/// What the picture shows, in metres of A9B4: x 96..192, y -120..72.
const WEST: f32 = 96.0;
const NORTH: f32 = 72.0;
const SIZE: (f32, f32) = (96.0, 192.0);

fn main() {
    let (width, height) = (SIZE.0 * SCALE, SIZE.1 * SCALE);
    println!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="monospace">"##
    );
    println!(r##"<rect width="{width}" height="{height}" fill="#fbf7ee"/>"##);
    draw_cells();
    draw_walk();
    println!("</svg>");
}

/// A point of A9B4's frame on the paper.
fn paper(at: Vec3) -> (f32, f32) {
    ((at.x - WEST) * SCALE, (NORTH - at.y) * SCALE)
}

fn draw_cells() {
    let side = CELL_LENGTH * SCALE;
    for column in 4..8 {
        for row in -5..3 {
            let middle = Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0) * CELL_LENGTH;
            let Some((cell, _)) = adjust_to_outside(ORIGIN, middle) else {
                continue;
            };
            let (x, y) = paper(middle);
            let fill = if cell.block() == ORIGIN.block() { "#e7efd9" } else { "#d9e6ef" };
            let (left, top) = (x - side / 2.0, y - side / 2.0);
            println!(
                r##"<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="{fill}" stroke="#b9b29c"/>"##
            );
            let label = top + 16.0;
            println!(
                r##"<text x="{x}" y="{label}" font-size="13" fill="#6d6753" text-anchor="middle">{cell}</text>"##
            );
        }
    }
    let (_, border) = paper(Vec3::ZERO);
    println!(
        r##"<path d="M0 {border}H{}" stroke="#7a3b2e" stroke-width="3"/>"##,
        BLOCK_LENGTH * SCALE
    );
}

fn draw_walk() {
    let mut here = Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, 60.0, 0.0));
    for step in 0..=34 {
        let next = here.frame.origin + Vec3::new(-0.9, -5.0, 0.0);
        let home = here.frame.origin + block_offset(ORIGIN, here.cell);
        let (x, y) = paper(home);
        println!(r##"<circle cx="{x}" cy="{y}" r="5" fill="#2f4858"/>"##);
        if step % 4 == 1 {
            let at = here.frame.origin;
            println!(
                r##"<text x="{}" y="{}" font-size="12" fill="#2f4858">({:.1}, {:.1})</text>"##,
                x + 9.0,
                y + 4.0,
                at.x,
                at.y
            );
        }
        let Some((cell, at)) = adjust_to_outside(here.cell, next) else {
            return;
        };
        here = Position::new(cell, at);
    }
}
