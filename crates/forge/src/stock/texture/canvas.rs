//! Images during painting.

use threshold_land::vector::{Vec2, Vec3, Vec4};

use super::noise::{number, smooth, whole};

/// Pixels along the side of most images.
pub(crate) const SIDE: usize = 128;

/// A square image that repeats: painting over an edge continues at the opposite side.
#[derive(Clone)]
pub(crate) struct Canvas {
    pub(crate) side: usize,
    /// Red, green, blue and coverage, 0 to 1; row 0 is the top.
    pub(crate) pixels: Vec<Vec4>,
}

/// A line with a width and a colour at each end. Positions and widths in pixels.
#[derive(Clone, Copy)]
pub(crate) struct Stroke {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    /// At both ends.
    pub(crate) width: [f32; 2],
    /// At both ends.
    pub(crate) colour: [Vec3; 2],
}

/// Converts `0xRRGGBB` to a colour for calculations.
pub(crate) fn rgb(colour: u32) -> Vec3 {
    let [b, g, r, _] = colour.to_le_bytes().map(f32::from);
    Vec3::new(r, g, b) / 255.0
}

impl Canvas {
    /// Paints every pixel by its position, in repeats.
    pub(crate) fn paint(side: usize, mut colour: impl FnMut(Vec2) -> Vec3) -> Self {
        Self::cover(side, |place| colour(place).extend(1.0))
    }

    /// Paints every pixel, which need not cover the background.
    pub(crate) fn cover(side: usize, mut colour: impl FnMut(Vec2) -> Vec4) -> Self {
        let middle = |index: usize| (number(index) + 0.5) / number(side);
        let place = |index: usize| Vec2::new(middle(index % side), middle(index / side));
        Self { side, pixels: (0..side * side).map(|index| colour(place(index))).collect() }
    }

    /// Blends in `other` by `share`, 0 to 1 by position.
    #[must_use]
    pub(crate) fn mix(self, other: &Self, share: impl Fn(Vec2) -> f32) -> Self {
        let mut pixels = self.pixels.iter().zip(&other.pixels);
        Self::cover(self.side, |place| match pixels.next() {
            Some((own, other)) => own.lerp(*other, share(place)),
            None => Vec4::ZERO,
        })
    }

    /// Returns a pixel; the image repeats in all directions.
    fn pixel(&mut self, x: i32, y: i32) -> &mut Vec4 {
        // Sides are powers of two, so the low bits are the position.
        let place = |value: i32| value.cast_unsigned() as usize & (self.side - 1);
        let index = place(y) * self.side + place(x);
        &mut self.pixels[index]
    }

    fn blend(&mut self, x: i32, y: i32, colour: Vec3, share: f32) {
        let pixel = self.pixel(x, y);
        let cover = pixel.w.max(share);
        *pixel = pixel.truncate().lerp(colour, share).extend(cover);
    }

    /// Paints between two corners: `colour` gives the colour and its coverage, by position in pixels.
    pub(crate) fn shape(&mut self, low: Vec2, high: Vec2, colour: impl Fn(Vec2) -> (Vec3, f32)) {
        for y in whole(low.y)..=whole(high.y) {
            for x in whole(low.x)..=whole(high.x) {
                // Far below 2^24, so that the number is exact.
                #[allow(clippy::cast_precision_loss, reason = "a place in a picture")]
                let middle = Vec2::new(x as f32, y as f32) + 0.5;
                let (colour, share) = colour(middle);
                if share > 0.0 {
                    self.blend(x, y, colour, share);
                }
            }
        }
    }

    pub(crate) fn stroke(&mut self, stroke: &Stroke) {
        let Stroke { from, to, width, colour } = *stroke;
        let reach = Vec2::splat(0.5 * width[0].max(width[1]) + 0.5);
        let offset = to - from;
        self.shape(from.min(to) - reach, from.max(to) + reach, |at| {
            let part =
                ((at - from).dot(offset) / offset.length_squared().max(0.01)).clamp(0.0, 1.0);
            let half = 0.5 * (width[0] + (width[1] - width[0]) * part);
            let off = (at - from - offset * part).length();
            (colour[0].lerp(colour[1], part), (half + 0.5 - off).clamp(0.0, 1.0))
        });
    }

    /// Paints a leaf from its stalk to its tip, with a central rib. `round` is its width as a part of its length.
    pub(crate) fn leaf(&mut self, stalk: Vec2, tip: Vec2, round: f32, colour: Vec3) {
        let offset = tip - stalk;
        let length = offset.length().max(0.01);
        let along = offset / length;
        let reach = Vec2::splat(0.5 * length * round + 1.0);
        self.shape(stalk.min(tip) - reach, stalk.max(tip) + reach, |at| {
            let part = (at - stalk).dot(along) / length;
            let side = (at - stalk).dot(along.perp());
            // Widest a third of the way up.
            let wide = 4.0 * part * (1.0 - part) * (1.25 - 0.5 * part);
            let half = 0.5 * length * round * wide;
            let rib = 0.72 + 0.28 * smooth(0.0, 0.8, side.abs());
            let sheen = if side > 0.0 { 1.08 } else { 0.9 };
            let share = if (0.0..1.0).contains(&part) { half + 0.5 - side.abs() } else { 0.0 };
            (colour * rib * sheen, share.clamp(0.0, 1.0))
        });
    }

    /// Paints a relief: `height` by position, then the colour by position, height, and the light that falls
    /// on it from the upper left, 0 where it is flat.
    pub(crate) fn relief(
        height: impl Fn(Vec2) -> f32,
        mut colour: impl FnMut(Vec2, f32, f32) -> Vec3,
    ) -> Self {
        let heights = Self::paint(SIDE, |at| Vec3::splat(height(at)));
        let mut index = 0_usize..;
        Self::paint(SIDE, |at| {
            let index = index.next().unwrap_or(0);
            let own = heights.pixels[index].x;
            let up = (index + SIDE * (SIDE - 1)) % (SIDE * SIDE);
            let left = index - index % SIDE + (index + SIDE - 1) % SIDE;
            let lit = own - 0.5 * (heights.pixels[up].x + heights.pixels[left].x);
            colour(at, own, lit.clamp(-0.6, 0.6))
        })
    }

    /// Returns red, green, blue and alpha of every pixel.
    pub(crate) fn bytes(&self) -> Vec<[u8; 4]> {
        // Clamped to what a byte holds.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let byte = |value: f32| (255.0 * value.clamp(0.0, 1.0) + 0.5) as u8;
        self.pixels.iter().map(|pixel| pixel.to_array().map(byte)).collect()
    }
}
