//! Seamless noise. Positions are in repeats of the image: 0 to 1 is all of it.

use threshold_land::vector::Vec2;

use crate::tool::random::Random;

/// Returns the whole part of a coordinate of an image, rounded down.
pub(crate) fn whole(value: f32) -> i32 {
    // Images are a few hundred pixels wide, and details reach little beyond their edges. `floor` would be a
    // call on many targets, and images use this most.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "below 2^24")]
    let (towards_zero, back) = (value as i32, value as i32 as f32);
    towards_zero - i32::from(back > value)
}

/// Splits a position on an endless row of `count` cells into its wrapped cell and the fraction.
fn cell(place: f32, count: usize) -> (usize, f32) {
    // Less a whole number of repeats it is the same position of the image.
    #[allow(clippy::cast_precision_loss, reason = "below 2^24")]
    let scaled = (place - whole(place) as f32) * number(count);
    let index = usize::try_from(whole(scaled)).unwrap_or(0).min(count - 1);
    (index, scaled - number(index))
}

/// Converts a small count to a float.
pub(crate) fn number(count: usize) -> f32 {
    // No count in an image exceeds this.
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

/// Wraps `value` into `0..count`.
pub(crate) fn wrapped(value: i32, count: usize) -> usize {
    let count = i32::try_from(count).unwrap_or(i32::MAX).max(1);
    usize::try_from(value.rem_euclid(count)).unwrap_or(0)
}

/// Returns 0 below `from`, 1 above `to`, smooth between.
pub(crate) fn smooth(from: f32, to: f32, value: f32) -> f32 {
    let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

impl Random {
    /// Returns a number from 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        // 16 bits are more than an image shows.
        f32::from(u16::try_from(self.next() >> 48).unwrap_or(0)) / 65535.0
    }

    /// Returns a number from -1 to 1.
    pub(crate) fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns a random position in the image.
    pub(crate) fn place(&mut self) -> Vec2 {
        Vec2::new(self.unit(), self.unit())
    }
}

/// Values at the corners of a grid, smooth between them.
struct Lattice {
    cells: [usize; 2],
    /// Row by row. The first column follows the last one again, and so does the first row.
    values: Vec<f32>,
}

impl Lattice {
    fn new(cells: [usize; 2], random: &mut Random) -> Self {
        let [across, down] = cells;
        let own: Vec<f32> = (0..across * down).map(|_| random.signed()).collect();
        let row = |y: usize| (0..=across).map(move |x| y % down * across + x % across);
        let values = (0..=down).flat_map(row).map(|index| own[index]).collect();
        Self { cells, values }
    }

    fn at(&self, place: Vec2) -> f32 {
        let [across, down] = self.cells;
        let ((x, u), (y, v)) = (cell(place.x, across), cell(place.y, down));
        let [u, v] = [u, v].map(|part| part * part * (3.0 - 2.0 * part));
        let first = y * (across + 1) + x;
        let row = |first: usize| {
            let (a, b) = (self.values[first], self.values[first + 1]);
            a + (b - a) * u
        };
        let (top, bottom) = (row(first), row(first + across + 1));
        top + (bottom - top) * v
    }
}

/// Bumps of several sizes, each half as wide and half as high as the ones before.
pub(crate) struct Noise(Vec<Lattice>);

impl Noise {
    /// Creates bumps, with a number of the widest ones across and down.
    pub(crate) fn new(cells: [usize; 2], sizes: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        let lattice = |size| Lattice::new(cells.map(|count| count << size), &mut random);
        Self((0..sizes).map(lattice).collect())
    }

    /// Returns a value from -1 to 1, rarely near either.
    pub(crate) fn at(&self, place: Vec2) -> f32 {
        let (mut sum, mut height, mut most) = (0.0, 1.0, 0.0);
        for lattice in &self.0 {
            sum += height * lattice.at(place);
            most += height;
            height *= 0.5;
        }
        // The sum of several octaves rarely reaches its bounds.
        (1.4 * sum / most).clamp(-1.0, 1.0)
    }

    /// Returns 1 along winding lines, falling off to 0 away from them.
    pub(crate) fn ridge(&self, place: Vec2) -> f32 {
        1.0 - self.at(place).abs()
    }
}

/// Points scattered one to a cell of a square grid, and their Voronoi patches.
pub(crate) struct Scatter {
    count: usize,
    /// Row by row, with a rim of one cell that repeats the opposite side: the index of the point, and its offset from the corner
    /// of its cell.
    points: Vec<(usize, Vec2)>,
}

/// The nearest point to a position; distances in cells of the grid.
#[derive(Clone, Copy)]
pub(crate) struct NearestPoint {
    /// Index of the nearest point.
    pub(crate) index: usize,
    /// Offset from it to the position.
    pub(crate) offset: Vec2,
    /// Distance to it.
    pub(crate) first: f32,
    /// Distance to the second nearest.
    pub(crate) second: f32,
}

impl NearestPoint {
    /// Returns the approximate distance to the border of the patch.
    pub(crate) fn border(&self) -> f32 {
        self.second - self.first
    }
}

impl Scatter {
    /// Creates `count` squared points; `loose` is their maximum distance from the middle of their cells, 0 to 1.
    pub(crate) fn new(count: usize, loose: f32, seed: u64) -> Self {
        let mut random = Random(seed);
        let point = |_| Vec2::splat(0.5) + loose * (random.place() - 0.5);
        let own: Vec<Vec2> = (0..count * count).map(point).collect();
        let around = |place: usize| (place + count - 1) % count;
        let row = |y: usize| (0..count + 2).map(move |x| around(y) * count + around(x));
        let points = (0..count + 2).flat_map(row).map(|index| (index, own[index])).collect();
        Self { count, points }
    }

    pub(crate) fn at(&self, place: Vec2) -> NearestPoint {
        let ((x, u), (y, v)) = (cell(place.x, self.count), cell(place.y, self.count));
        let mut near = NearestPoint { index: 0, offset: Vec2::ZERO, first: 9.0, second: 9.0 };
        for dy in 0..3_u8 {
            let first = (y + usize::from(dy)) * (self.count + 2) + x;
            for (dx, (index, point)) in (0_u8..).zip(&self.points[first..first + 3]) {
                let corner = Vec2::new(f32::from(dx), f32::from(dy)) - 1.0;
                let offset = Vec2::new(u, v) - corner - *point;
                let squared = offset.length_squared();
                if squared < near.first {
                    near =
                        NearestPoint { index: *index, offset, first: squared, second: near.first };
                } else if squared < near.second {
                    near.second = squared;
                }
            }
        }
        NearestPoint { first: near.first.sqrt(), second: near.second.sqrt(), ..near }
    }
}

/// Returns a number for each index, 0 to 1.
pub(crate) fn chance(index: usize, seed: u64) -> f32 {
    Random(seed ^ (index as u64) << 20).unit()
}
