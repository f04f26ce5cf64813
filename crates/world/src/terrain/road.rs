//! Finds out whether a point is on a road.

use threshold_land::vector::Vec2;
use threshold_land::{CELL_LENGTH, cell_index};

use super::Terrain;
use crate::constants::ROAD_WIDTH;

/// Returns whether a point of the landblock is on a road.
///
/// A road joins the corners that have one: along an edge of the land cell, across its diagonal, or
/// around a single corner.
pub(super) fn on_road(terrain: &Terrain, at: Vec2) -> bool {
    let Some(cell) = cell_index(at) else { return false };
    let (cx, cy) = (cell >> 3, cell & 7);
    let road = |dx: usize, dy: usize| terrain.word(cx + dx, cy + dy).road() != 0;
    let corners = [road(0, 0), road(0, 1), road(1, 0), road(1, 1)];
    let inside = at - Vec2::new(cx as f32, cy as f32) * CELL_LENGTH;
    covers(corners, inside.x, inside.y)
}

/// `corners` are south-west, north-west, south-east, north-east; the point is relative to the
/// first.
fn covers(corners: [bool; 4], x: f32, y: f32) -> bool {
    const WIDTH: f32 = ROAD_WIDTH;
    const FAR: f32 = CELL_LENGTH - ROAD_WIDTH;
    const T: bool = true;
    const F: bool = false;
    match corners {
        [F, F, F, F] => false,
        [F, F, F, T] => 2.0 * CELL_LENGTH - x - y < WIDTH,
        [F, F, T, F] => CELL_LENGTH - x + y < WIDTH,
        [F, F, T, T] => x > FAR,
        [F, T, F, F] => CELL_LENGTH + x - y < WIDTH,
        [F, T, F, T] => y > FAR,
        [F, T, T, F] => (x + y - CELL_LENGTH).abs() < WIDTH,
        [F, T, T, T] => x > FAR || y > FAR,
        [T, F, F, F] => x + y < WIDTH,
        [T, F, F, T] => (x - y).abs() < WIDTH,
        [T, F, T, F] => y < WIDTH,
        [T, F, T, T] => x > FAR || y < WIDTH,
        [T, T, F, F] => x < WIDTH,
        [T, T, F, T] => x < WIDTH || y > FAR,
        [T, T, T, F] => x < WIDTH || y < WIDTH,
        [T, T, T, T] => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples_of_roads() {
        let check = |bits: &str, x: f32, y: f32, want: bool| {
            let corners: Vec<bool> = bits.chars().map(|bit| bit == '1').collect();
            assert_eq!(covers(corners.try_into().unwrap(), x, y), want, "{bits} {x} {y}");
        };
        for (bits, on, off) in [
            ("1100", (1.0, 12.0), (12.0, 1.0)),
            ("1010", (12.0, 1.0), (1.0, 12.0)),
            ("1001", (12.0, 12.0), (1.0, 20.0)),
            ("0110", (12.0, 12.0), (1.0, 1.0)),
            ("0001", (23.0, 23.0), (12.0, 12.0)),
            ("0010", (23.0, 1.0), (12.0, 12.0)),
            ("0100", (1.0, 23.0), (12.0, 12.0)),
            ("1000", (1.0, 1.0), (12.0, 12.0)),
            ("0011", (20.0, 12.0), (18.0, 12.0)),
            ("0101", (12.0, 20.0), (12.0, 18.0)),
            ("0111", (20.0, 1.0), (1.0, 1.0)),
            ("1011", (12.0, 1.0), (12.0, 12.0)),
            ("1101", (1.0, 1.0), (20.0, 1.0)),
            ("1110", (1.0, 20.0), (20.0, 20.0)),
        ] {
            check(bits, on.0, on.1, true);
            check(bits, off.0, off.1, false);
        }
        check("0000", 1.0, 1.0, false);
        check("1111", 12.0, 12.0, true);
    }
}
