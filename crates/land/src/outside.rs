//! Outdoor membership: which land cell is under a point, and which ones a sphere reaches.
//!
//! Everything is computed in the grid of the whole map, so a landblock border is no special case.

use crate::vector::{Vec2, Vec3};

use crate::constants::{BLOCK_CELLS, BLOCK_LENGTH, CELL_LENGTH, EPSILON, MAP_CELLS};
use crate::id::CellId;
use crate::lcoord::Lcoord;

/// Returns the land cell under `at`, a point in the frame of the landblock of `cell`.
///
/// `at` may lie outside that landblock; the result is then a cell of a neighbour. `cell`
/// may be indoors. `None` for a low word that retail refuses, for a point off the map, and
/// for NaN. Only the sum is checked: a block of row or column `0xFF`
/// is off the map, but a point in its frame may lie on it.
///
/// Retail: `LandDefs::get_outside_lcoord`.
pub fn outside_lcoord(cell: CellId, at: Vec2) -> Option<Lcoord> {
    cell.kind()?;
    let (x, y) = cell.block_origin();
    Lcoord::new(x + whole_cells(at.x)?, y + whole_cells(at.y)?)
}

/// Returns the number of whole cells up to a coordinate; `None` beyond the width of the map.
fn whole_cells(coordinate: f32) -> Option<i32> {
    let step = (coordinate / CELL_LENGTH).floor();
    // A cast would turn NaN, infinities and far-away points into cells.
    if step.is_nan() || step.abs() > MAP_CELLS as f32 {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "whole and within the map's width")]
    Some(step as i32)
}

/// Returns the index `8 * x + y` of the land cell under a point of a landblock, one less than the low word of its id;
/// `None` outside the landblock. A point on a border belongs to the cell in the east or north.
pub fn cell_index(at: Vec2) -> Option<usize> {
    let axis = |v: f32| {
        let step = (v / CELL_LENGTH).floor();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 7")]
        (0.0..BLOCK_CELLS as f32).contains(&step).then_some(step as usize)
    };
    Some(8 * axis(at.x)? + axis(at.y)?)
}

/// Moves `at` onto the landblock's edge when it is within [`EPSILON`] of it.
///
/// [`adjust_to_outside`] does this first; retail keeps the snapped point even if it then fails.
pub fn snap_to_block_edge(mut at: Vec3) -> Vec3 {
    if at.x.abs() < EPSILON {
        at.x = 0.0;
    }
    if at.y.abs() < EPSILON {
        at.y = 0.0;
    }
    at
}

/// Returns the land cell under `at`, and the same point in the frame of that cell's landblock.
///
/// `at` is in the frame of the landblock of `cell`, which may be indoors; z is untouched.
/// `None` off the map, for a refused low word and where x or y is not a finite number (retail
/// sets the id to 0 and returns false). z is not checked.
///
/// Retail: `LandDefs::adjust_to_outside`.
pub fn adjust_to_outside(cell: CellId, at: Vec3) -> Option<(CellId, Vec3)> {
    let mut at = snap_to_block_edge(at);
    let there = outside_lcoord(cell, at.truncate())?;
    at.x -= (at.x / BLOCK_LENGTH).floor() * BLOCK_LENGTH;
    at.y -= (at.y / BLOCK_LENGTH).floor() * BLOCK_LENGTH;
    Some((there.cell(), at))
}

/// Returns the vector from the origin of the landblock of the cell `from` to that of the cell `to`.
///
/// To convert a point: `in_to = in_from - block_offset_between(from, to)`, and
/// `in_from = in_to + block_offset_between(from, to)`. Exact everywhere on the map.
///
/// Retail: `LandDefs::get_block_offset`.
#[inline]
pub fn block_offset_between(from: CellId, to: CellId) -> Vec3 {
    if from.block() == to.block() {
        return Vec3::ZERO;
    }
    let (from_x, from_y) = from.block_origin();
    let (to_x, to_y) = to.block_origin();
    Vec3::new((to_x - from_x) as f32 * CELL_LENGTH, (to_y - from_y) as f32 * CELL_LENGTH, 0.0)
}

/// The land cells that a sphere reaches: the one under its centre and up to eight neighbours,
/// in retail's order. Dereferences to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideCells {
    cells: [CellId; 9],
    len: u8,
}

impl OutsideCells {
    fn add(&mut self, place: Option<Lcoord>) {
        if let Some(place) = place {
            self.cells[usize::from(self.len)] = place.cell();
            self.len += 1;
        }
    }
}

impl std::ops::Deref for OutsideCells {
    type Target = [CellId];

    fn deref(&self) -> &[CellId] {
        &self.cells[..usize::from(self.len)]
    }
}

/// Lists the land cells that a sphere reaches; `centre` is in the frame of the landblock of `cell`.
///
/// The comparisons are strict: a sphere tangent to a cell border does not reach across.
/// The reach is one cell, whatever the radius. `None` where [`adjust_to_outside`] gives
/// `None`; retail then skips the remaining spheres of the mover.
///
/// Retail: the body of `CLandCell::add_all_outside_cells` for one sphere, with
/// `CLandCell::check_add_cell_boundary`.
pub fn outside_cells(cell: CellId, centre: Vec3, radius: f32) -> Option<OutsideCells> {
    let (id, at) = adjust_to_outside(cell, centre)?;
    let here = id.lcoord()?;
    let mut reached = OutsideCells { cells: [CellId(0); 9], len: 0 };
    reached.add(Some(here));

    let (x, y) = (at.x % CELL_LENGTH, at.y % CELL_LENGTH);
    let (low, high) = (radius, CELL_LENGTH - radius);
    let mut column = |dx: i32, own: bool| {
        if !own {
            reached.add(here.step(dx, 0));
        }
        if y > high {
            reached.add(here.step(dx, 1));
        }
        if y < low {
            reached.add(here.step(dx, -1));
        }
    };
    if x > high {
        column(1, false);
    }
    if x < low {
        column(-1, false);
    }
    column(0, true);
    Some(reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_adjust(cell: u32, at: [f32; 2], want: Option<(u32, [f32; 2])>) {
        let got = adjust_to_outside(CellId(cell), Vec3::new(at[0], at[1], 7.0));
        let got = got.map(|(cell, at)| {
            assert_eq!(at.z, 7.0, "z is untouched");
            (cell, [at.x, at.y])
        });
        match (got, want) {
            (Some((cell, at)), Some((want_cell, want_at))) => {
                assert_eq!(cell, CellId(want_cell));
                let near = (0..2).all(|i| (at[i] - want_at[i]).abs() < 1e-4);
                assert!(near, "{at:?} instead of {want_at:?}");
            }
            (got, want) => assert_eq!(got.is_some(), want.is_some(), "{:?} {at:?}", CellId(cell)),
        }
    }

    #[test]
    fn worked_examples_of_adjust_to_outside() {
        check_adjust(0xA9B4_0031, [150.0, -1.0], Some((0xA9B3_0038, [150.0, 191.0])));
        check_adjust(0xA9B4_0031, [150.0, -109.65], Some((0xA9B3_0034, [150.0, 82.35])));
        check_adjust(0xA9B3_0038, [150.0, 193.0], Some((0xA9B4_0031, [150.0, 1.0])));
        check_adjust(0xA9B4_0164, [84.5, 131.2], Some((0xA9B4_001E, [84.5, 131.2])));
        check_adjust(0xA9B4_0001, [-0.0001, 5.0], Some((0xA9B4_0001, [0.0, 5.0])));
        check_adjust(0xA9B4_0001, [-0.0003, 5.0], Some((0xA8B4_0039, [191.9997, 5.0])));
        check_adjust(0xA9B4_FFFF, [191.9999, 192.0], Some((0xA9B5_0039, [191.9999, 0.0])));
        check_adjust(0xA9B4_0001, [-400.0, -200.0], Some((0xA6B2_0040, [176.0, 184.0])));
        check_adjust(0x0001_0001, [-1.0, 5.0], None);
        check_adjust(0xFEFE_0040, [191.0, 193.0], None);
        check_adjust(0xA9B4_0041, [1.0, 1.0], None);
        check_adjust(0xA9B4_0000, [1.0, 1.0], None);
    }

    #[test]
    fn the_snap_is_strict_and_writes_a_plain_zero() {
        let (_, at) =
            adjust_to_outside(CellId(0xA9B4_0001), Vec3::new(-0.000_199_9, 5.0, 0.0)).unwrap();
        assert_eq!(at.x.to_bits(), 0);
        let (cell, _) =
            adjust_to_outside(CellId(0xA9B4_0001), Vec3::new(-EPSILON, 5.0, 0.0)).unwrap();
        assert_eq!(cell, CellId(0xA8B4_0039), "a distance of exactly EPSILON does not snap");
    }

    #[test]
    fn a_point_has_a_cell_only_within_its_landblock() {
        let index = |x: f32, y: f32| cell_index(Vec2::new(x, y));
        assert_eq!(index(24.0, 12.0), Some(8), "on the line: the eastern one");
        assert_eq!(index(191.99, 191.99), Some(63));
        assert_eq!(index(0.0, 0.0), Some(0));
        for outside in [192.0, -0.1, f32::NAN, f32::INFINITY] {
            assert_eq!((index(outside, 5.0), index(5.0, outside)), (None, None), "{outside}");
        }
    }

    #[test]
    fn a_block_beyond_the_map_may_lead_back_onto_it() {
        let lcoord =
            |cell, at: [f32; 2]| outside_lcoord(CellId(cell), at.into()).map(|l| (l.x(), l.y()));
        assert_eq!(lcoord(0xFF00_0001, [-0.5, 12.0]), Some((2039, 0)));
        assert_eq!(lcoord(0xFF00_0001, [0.5, 12.0]), None);
    }

    #[test]
    fn nan_infinities_and_far_points_have_no_cell() {
        let far = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 3e9, -3e9, 5e4];
        for v in far {
            for at in [[v, 1.0], [1.0, v], [v, v]] {
                assert_eq!(outside_lcoord(CellId(0xA9B4_0031), at.into()), None, "{at:?}");
                assert_eq!(
                    outside_cells(CellId(0xA9B4_0031), Vec2::from(at).extend(0.0), 0.48),
                    None
                );
                check_adjust(0xA9B4_0031, at, None);
            }
        }
    }

    #[test]
    fn worked_examples_of_block_offsets() {
        let offset = |a, b| block_offset_between(CellId(a), CellId(b));
        assert_eq!(offset(0xA9B4_0031, 0xA9B3_0038), Vec3::new(0.0, -192.0, 0.0));
        assert_eq!(offset(0xA9B4_0001, 0xAAB5_0001), Vec3::new(192.0, 192.0, 0.0));
        assert_eq!(offset(0xA9B4_0031, 0xA9B4_0164), Vec3::ZERO);
        assert_eq!(offset(0x0000_0001, 0xFEFE_0001), Vec3::new(48768.0, 48768.0, 0.0));
    }

    #[track_caller]
    fn check_reach(cell: u32, at: [f32; 2], radius: f32, want: &[u32]) {
        let got = outside_cells(CellId(cell), Vec2::from(at).extend(0.0), radius).unwrap();
        let want: Vec<_> = want.iter().copied().map(CellId).collect();
        assert_eq!(&got[..], &want[..], "{:?} at {at:?}, radius {radius}", CellId(cell));
    }

    #[test]
    fn worked_examples_of_the_neighbour_rule() {
        let r = 0.48;
        check_reach(0xA9B4_0031, [150.0, 0.3], r, &[0xA9B4_0031, 0xA9B3_0038]);
        check_reach(
            0xA9B4_0001,
            [0.2, 0.2],
            r,
            &[0xA9B4_0001, 0xA8B4_0039, 0xA8B3_0040, 0xA9B3_0008],
        );
        check_reach(
            0xA9B4_0001,
            [23.8, 23.9],
            r,
            &[0xA9B4_0001, 0xA9B4_0009, 0xA9B4_000A, 0xA9B4_0002],
        );
        check_reach(0xA9B4_0001, [23.53, 10.0], r, &[0xA9B4_0001, 0xA9B4_0009]);
        check_reach(0xA9B4_0164, [-0.1, 100.0], r, &[0xA8B4_003D, 0xA9B4_0005]);
        check_reach(0x0000_0001, [0.1, 0.1], r, &[0x0000_0001]);
        check_reach(0xA9B4_0001, [24.0, 12.0], r, &[0xA9B4_0009, 0xA9B4_0001]);
        let all = [
            0xA9B4_0001,
            0xA9B4_0009,
            0xA9B4_000A,
            0xA9B3_0010,
            0xA8B4_0039,
            0xA8B4_003A,
            0xA8B3_0040,
            0xA9B4_0002,
            0xA9B3_0008,
        ];
        check_reach(0xA9B4_0001, [12.0, 12.0], 13.0, &all);
        check_reach(0xA9B4_0001, [12.0, 12.0], 1e9, &all);
    }

    #[test]
    fn a_tangent_sphere_does_not_reach_the_neighbour() {
        check_reach(0xA9B4_0001, [23.52, 10.0], 0.48, &[0xA9B4_0001]);
        check_reach(0xA9B4_0001, [0.48, 10.0], 0.48, &[0xA9B4_0001]);
        check_reach(0xA9B4_0001, [0.5, 10.0], 0.5, &[0xA9B4_0001]);
        check_reach(0xA9B4_0001, [23.5, 10.0], 0.5, &[0xA9B4_0001]);
        check_reach(0xA9B4_0001, [10.0, 0.5], 0.5, &[0xA9B4_0001]);
        check_reach(0xA9B4_0001, [10.0, 23.5], 0.5, &[0xA9B4_0001]);
        // Tangent on one side and across on the other: no corner either.
        check_reach(0xA9B4_0001, [23.6, 0.5], 0.5, &[0xA9B4_0001, 0xA9B4_0009]);
    }
}
