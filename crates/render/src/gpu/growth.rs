//! Regions of the screen as they are drawn.

use threshold_land::glam::{DVec2, DVec3};

/// A part of a pixel by which regions are larger than they are: where an opening ends and a wall begins, rounding would leave
/// pixels to neither. The wall is drawn over it.
const GROWTH: f64 = 1.0 / 16.0;

/// The corners of a region, a little farther apart.
pub(super) fn grown(corners: &[DVec2], [width, height]: [u32; 2]) -> Vec<DVec2> {
    let half = DVec2::new(f64::from(width), f64::from(height)) / 2.0;
    let count = corners.len();
    let ahead = |from: usize, to: usize| (corners[to] - corners[from]) * half;
    let turn: f64 = (2..count).map(|last| ahead(0, last - 1).perp_dot(ahead(0, last))).sum();
    let outward = |from: usize, to: usize| {
        ahead(from, to).try_normalize().map_or(DVec2::ZERO, |along| -along.perp() * turn.signum())
    };
    let moved = |number: usize| {
        let (before, after) = ((number + count - 1) % count, (number + 1) % count);
        let (one, other) = (outward(before, number), outward(number, after));
        // Both sides are moved by as much; where they meet at a point, not much farther than that.
        let aside = (one + other) / (1.0 + one.dot(other)).max(0.5);
        corners[number] + aside * GROWTH / half
    };
    (0..count).map(moved).collect()
}

/// What is left of a region where (x, y, 1) is on the inner side of a plane. An opening right at the eye is passed whole: what
/// one sees in other directions is not seen through it.
pub(super) fn cut(corners: &[DVec2], plane: DVec3) -> Vec<DVec2> {
    let mut left = Vec::with_capacity(corners.len() + 1);
    for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (here, there) = (plane.dot(from.extend(1.0)), plane.dot(to.extend(1.0)));
        if here >= 0.0 {
            left.push(*from);
        }
        if (here >= 0.0) != (there >= 0.0) {
            left.push(from.lerp(*to, here / (here - there)));
        }
    }
    left
}
