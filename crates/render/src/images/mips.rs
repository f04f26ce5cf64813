//! SurfaceImages of one size, as a graphics card wants them: in layers, each with its smaller copies.

use std::borrow::Cow;

use super::Image;

/// A picture with its smaller copies, each half as wide and high as the one before, down to one pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MipChain {
    /// The largest first.
    pub levels: Vec<Image>,
}

impl MipChain {
    /// A picture brought to `size` x `size` pixels, with all smaller copies. `size` is a power of two.
    pub fn new(picture: &Image, size: u32) -> Self {
        let mut levels = vec![resized(picture, size)];
        while let Some(last) = levels.last()
            && last.width > 1
        {
            levels.push(halved(last));
        }
        Self { levels }
    }
}

/// The same picture in another size, square. Smaller ones are means, larger ones are blended.
pub fn resized(picture: &Image, size: u32) -> Image {
    let mut picture = Cow::Borrowed(picture);
    while picture.width >= 2 * size && picture.height >= 2 * size {
        picture = Cow::Owned(halved(&picture));
    }
    if (picture.width, picture.height) == (size, size) {
        return picture.into_owned();
    }
    let across =
        |place: u32, side: u32| (f64::from(place) + 0.5) * f64::from(side) / f64::from(size) - 0.5;
    let rows = 0..size;
    let pixels = rows.flat_map(|y| (0..size).map(move |x| (x, y)));
    let pixels =
        pixels.map(|(x, y)| blended(&picture, across(x, picture.width), across(y, picture.height)));
    Image { width: size, height: size, pixels: pixels.collect() }
}

/// The colour between pixels; beyond the edge the picture begins again.
fn blended(picture: &Image, x: f64, y: f64) -> [u8; 4] {
    let (left, top) = (x.floor(), y.floor());
    let (right_part, lower_part) = (x - left, y - top);
    let side = |place: f64, side: u32| {
        // A side has at most a few thousand pixels.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "below the side"
        )]
        let place = place.rem_euclid(f64::from(side)) as u32;
        place
    };
    let mut sum = [0.0_f64; 4];
    let mut weight = 0.0;
    for (dx, part_x) in [(0.0, 1.0 - right_part), (1.0, right_part)] {
        for (dy, part_y) in [(0.0, 1.0 - lower_part), (1.0, lower_part)] {
            let pixel = picture.at(side(left + dx, picture.width), side(top + dy, picture.height));
            add(&mut sum, &mut weight, pixel, part_x * part_y);
        }
    }
    mean(sum, weight)
}

/// Half as wide and high.
pub fn halved(picture: &Image) -> Image {
    let (width, height) = ((picture.width / 2).max(1), (picture.height / 2).max(1));
    let pixel = |x: u32, y: u32| {
        let mut sum = [0.0; 4];
        let mut weight = 0.0;
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            add(&mut sum, &mut weight, picture.at(2 * x + dx, 2 * y + dy), 0.25);
        }
        mean(sum, weight)
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Image { width, height, pixels: pixels.map(|(x, y)| pixel(x, y)).collect() }
}

/// Colours count as much as they can be seen: what is transparent has none.
fn add(sum: &mut [f64; 4], weight: &mut f64, [r, g, b, a]: [u8; 4], share: f64) {
    let seen = share * (f64::from(a) + 1e-3);
    for (own, value) in sum.iter_mut().zip([r, g, b]) {
        *own += f64::from(value) * seen;
    }
    *weight += seen;
    sum[3] += f64::from(a) * share;
}

fn mean([r, g, b, a]: [f64; 4], weight: f64) -> [u8; 4] {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = |value: f64| value.round().clamp(0.0, 255.0) as u8;
    [byte(r / weight), byte(g / weight), byte(b / weight), byte(a)]
}
