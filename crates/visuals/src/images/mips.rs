//! Scaled images and mip levels.

use std::borrow::Cow;

use super::Image;

/// An image with its mip levels, each half as wide and high as the one before, down to one pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MipChain {
    /// Largest first.
    pub levels: Vec<Image>,
}

impl MipChain {
    /// Scales an image to `size` x `size` pixels and computes all mip levels. `size` must be a power of two.
    pub fn new(image: &Image, size: u32) -> Self {
        let mut levels = vec![resized(image, size)];
        while let Some(last) = levels.last()
            && last.width > 1
        {
            levels.push(halved(last));
        }
        Self { levels }
    }
}

/// Scales an image to a square of `size` pixels: smaller by averaging, larger by bilinear filtering.
pub fn resized(image: &Image, size: u32) -> Image {
    let mut image = Cow::Borrowed(image);
    while image.width >= 2 * size && image.height >= 2 * size {
        image = Cow::Owned(halved(&image));
    }
    if (image.width, image.height) == (size, size) {
        return image.into_owned();
    }
    let across =
        |place: u32, side: u32| (f64::from(place) + 0.5) * f64::from(side) / f64::from(size) - 0.5;
    let rows = 0..size;
    let pixels = rows.flat_map(|y| (0..size).map(move |x| (x, y)));
    let pixels =
        pixels.map(|(x, y)| sample(&image, across(x, image.width), across(y, image.height)));
    Image { width: size, height: size, pixels: pixels.collect() }
}

/// Samples an image bilinearly; it repeats beyond its edges.
fn sample(image: &Image, x: f64, y: f64) -> [u8; 4] {
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
            let pixel = image.at(side(left + dx, image.width), side(top + dy, image.height));
            add(&mut sum, &mut weight, pixel, part_x * part_y);
        }
    }
    mean(sum, weight)
}

/// Returns an image of half the width and height.
pub(crate) fn halved(image: &Image) -> Image {
    let (width, height) = ((image.width / 2).max(1), (image.height / 2).max(1));
    let pixel = |x: u32, y: u32| {
        let mut sum = [0.0; 4];
        let mut weight = 0.0;
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            add(&mut sum, &mut weight, image.at(2 * x + dx, 2 * y + dy), 0.25);
        }
        mean(sum, weight)
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Image { width, height, pixels: pixels.map(|(x, y)| pixel(x, y)).collect() }
}

/// Adds a pixel, with its colour weighted by its alpha so that transparent pixels do not bleed.
fn add(sum: &mut [f64; 4], weight: &mut f64, [r, g, b, a]: [u8; 4], share: f64) {
    let visible = share * (f64::from(a) + 1e-3);
    for (own, value) in sum.iter_mut().zip([r, g, b]) {
        *own += f64::from(value) * visible;
    }
    *weight += visible;
    sum[3] += f64::from(a) * share;
}

fn mean([r, g, b, a]: [f64; 4], weight: f64) -> [u8; 4] {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = |value: f64| value.round().clamp(0.0, 255.0) as u8;
    [byte(r / weight), byte(g / weight), byte(b / weight), byte(a)]
}
