//! Images as indices into a palette.

use threshold_dat::Colour;

/// Entries of a palette, as in retail.
pub(crate) const ENTRIES: usize = 2048;

/// Entries of holes on clip-mapped surfaces; no other pixel uses them.
pub(crate) const HOLES: usize = 8;

/// Colours of an image, and the index for each pixel.
pub(crate) struct IndexedImage {
    pub(crate) colours: Vec<Colour>,
    pub(crate) indices: Vec<u16>,
}

/// Steps into which the range of each channel is divided at first.
const MAX_STEPS: usize = 24;

/// Reduces an image to `max` colours besides the holes.
pub(crate) fn index(pixels: &[[u8; 4]], max: usize) -> IndexedImage {
    let solid = || pixels.iter().filter(|pixel| pixel[3] >= 128);
    let mut range = [[255_u8, 0]; 3];
    for pixel in solid() {
        for (own, value) in range.iter_mut().zip(pixel) {
            *own = [own[0].min(*value), own[1].max(*value)];
        }
    }
    let mut boxes = Boxes::default();
    for steps in (2..=MAX_STEPS).rev() {
        boxes = Boxes::new(range, steps);
        solid().for_each(|pixel| boxes.add(pixel));
        if boxes.used.len() <= max {
            break;
        }
    }
    let mut colours = vec![Colour(0xFF00_0000); HOLES];
    colours.extend(boxes.used.iter().map(ColourSum::colour));
    colours.resize(ENTRIES, Colour(0xFF00_0000));
    let index = |pixel: &[u8; 4]| if pixel[3] < 128 { 0 } else { boxes.index(pixel) };
    IndexedImage { colours, indices: pixels.iter().map(index).collect() }
}

/// The colours of an image in equal boxes.
#[derive(Default)]
struct Boxes {
    range: [[u8; 2]; 3],
    steps: usize,
    /// For each box its index among the used ones, from 1; 0 for none.
    places: Vec<u16>,
    used: Vec<ColourSum>,
}

/// The sum of the colours in a box.
#[derive(Clone, Copy, Default)]
struct ColourSum {
    sum: [u32; 3],
    count: u32,
}

impl Boxes {
    fn new(range: [[u8; 2]; 3], steps: usize) -> Self {
        Self { range, steps, places: vec![0; steps * steps * steps], used: Vec::new() }
    }

    fn place(&self, pixel: &[u8; 4]) -> usize {
        let part = |[low, high]: [u8; 2], value: u8| {
            let (own, all) = (value.saturating_sub(low), high.saturating_sub(low));
            usize::from(own) * self.steps / (usize::from(all) + 1)
        };
        let [r, g, b, _] = *pixel;
        let [x, y, z] = [part(self.range[0], r), part(self.range[1], g), part(self.range[2], b)];
        (x * self.steps + y) * self.steps + z
    }

    fn add(&mut self, pixel: &[u8; 4]) {
        let place = self.place(pixel);
        if self.places[place] == 0 {
            self.used.push(ColourSum::default());
            // At most 24 to the third.
            self.places[place] = u16::try_from(self.used.len()).unwrap_or(u16::MAX);
        }
        let used = &mut self.used[usize::from(self.places[place]) - 1];
        used.count += 1;
        for (sum, value) in used.sum.iter_mut().zip(pixel) {
            *sum += u32::from(*value);
        }
    }

    /// Returns the index in the palette, after the holes.
    fn index(&self, pixel: &[u8; 4]) -> u16 {
        self.places[self.place(pixel)] + 7
    }
}

impl ColourSum {
    fn colour(&self) -> Colour {
        let [r, g, b] = self.sum.map(|sum| (sum + self.count / 2) / self.count.max(1));
        Colour(0xFF00_0000 | r << 16 | g << 8 | b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_as_they_are_and_holes_have_index_0() {
        let pixels = [[10, 20, 30, 255], [200, 100, 50, 255], [0, 0, 0, 0], [10, 20, 30, 255]];
        let indexed = index(&pixels, 248);
        assert_eq!(indexed.indices, [8, 9, 0, 8]);
        assert_eq!(indexed.colours[8..10], [Colour(0xFF0A_141E), Colour(0xFFC8_6432)]);
        assert_eq!(indexed.colours.len(), ENTRIES);
    }

    #[test]
    fn many_colours_become_as_many_as_fit() {
        let pixels: Vec<[u8; 4]> =
            (0..=255).flat_map(|r| (0..=255).map(move |g| [r, g, r / 2 + g / 2, 255])).collect();
        let indexed = index(&pixels, 248);
        let max = indexed.indices.iter().max().unwrap();
        assert!((100..256).contains(max), "{max}");
    }
}
