//! Reads images the way a program that shows them does.

use threshold_dat::{Palette, PixelFormat, RecordId, Records, RenderSurface};

/// Red, green, blue and alpha.
pub(crate) type Pixel = [u8; 4];

/// The pixels of an image, row by row. Indices 0 to 7 are holes if it is a clip map.
pub(crate) fn decode(image: &RenderSurface, clip: bool, records: &mut Records<'_>) -> Vec<Pixel> {
    let bytes = &image.bytes[..];
    match image.format {
        PixelFormat::Dxt1 => blocks(image, 8, |_, _| 255),
        PixelFormat::Dxt3 => blocks(image, 16, |block, at| {
            (block[at / 2] >> (4 * (at % 2)) & 15) * 17
        }),
        PixelFormat::Dxt5 => blocks(image, 16, between),
        PixelFormat::P8 => {
            let palette = palette(image.palette, records);
            bytes.iter().map(|index| entry(&palette, u16::from(*index), clip)).collect()
        }
        PixelFormat::Index16 => {
            let palette = palette(image.palette, records);
            words(bytes).map(|index| entry(&palette, index, clip)).collect()
        }
        PixelFormat::R8G8B8 => bytes.chunks(3).map(|p| [p[2], p[1], p[0], 255]).collect(),
        PixelFormat::LandscapeR8G8B8 => bytes.chunks(3).map(|p| [p[0], p[1], p[2], 255]).collect(),
        PixelFormat::A8R8G8B8 => bytes.chunks(4).map(|p| [p[2], p[1], p[0], p[3]]).collect(),
        PixelFormat::X8R8G8B8 => bytes.chunks(4).map(|p| [p[2], p[1], p[0], 255]).collect(),
        PixelFormat::A8B8G8R8 => bytes.chunks(4).map(|p| [p[0], p[1], p[2], p[3]]).collect(),
        PixelFormat::R5G6B5 => words(bytes).map(|w| [bits(w >> 11, 31), bits(w >> 5, 63), bits(w, 31), 255]).collect(),
        PixelFormat::X1R5G5B5 => words(bytes).map(|w| fives(w, 255)).collect(),
        PixelFormat::A1R5G5B5 => words(bytes).map(|w| fives(w, bits(w >> 15, 1))).collect(),
        PixelFormat::A4R4G4B4 => words(bytes)
            .map(|w| [8, 4, 0, 12].map(|shift| bits(w >> shift, 15)))
            .collect(),
        PixelFormat::A8 | PixelFormat::LandscapeAlpha => bytes.iter().map(|a| [*a; 4]).collect(),
        other => panic!("{}: no picture of ours is {other:?}", image.id),
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}

fn bits(value: u16, most: u16) -> u8 {
    u8::try_from(u32::from(value & most) * 255 / u32::from(most)).unwrap()
}

fn fives(word: u16, alpha: u8) -> Pixel {
    [bits(word >> 10, 31), bits(word >> 5, 31), bits(word, 31), alpha]
}

fn palette(id: Option<RecordId>, records: &mut Records<'_>) -> Palette {
    records.get(id.unwrap()).unwrap().unwrap()
}

fn entry(palette: &Palette, index: u16, clip: bool) -> Pixel {
    let [b, g, r, a] = palette.colours[usize::from(index)].0.to_le_bytes();
    if clip && index < 8 { [0; 4] } else { [r, g, b, a] }
}

/// Decodes blocks of `size` bytes, of which the last eight are colours; `alpha` reads those before.
fn blocks(image: &RenderSurface, size: usize, alpha: impl Fn(&[u8], usize) -> u8) -> Vec<Pixel> {
    let (width, height) = (image.width as usize, image.height as usize);
    let mut out = vec![[0; 4]; width * height];
    for (number, block) in image.bytes.chunks(size).enumerate() {
        let (left, top) = (number % (width / 4) * 4, number / (width / 4) * 4);
        let colours = &block[size - 8..];
        let ends = [0, 2].map(|at| u16::from_le_bytes([colours[at], colours[at + 1]]));
        let open = |w: u16| [bits(w >> 11, 31), bits(w >> 5, 63), bits(w, 31)].map(u32::from);
        let [first, second] = ends.map(open);
        let mix = |a: u32, b: u32, of: u32| std::array::from_fn(|c| (a * first[c] + b * second[c]) / of);
        let four = ends[0] > ends[1] || size == 16;
        let choices = match four {
            true => [first, second, mix(2, 1, 3), mix(1, 2, 3)],
            false => [first, second, mix(1, 1, 2), [0; 3]],
        };
        for at in 0..16 {
            let choice = colours[4 + at / 4] >> (2 * (at % 4)) & 3;
            let [r, g, b] = choices[usize::from(choice)].map(|value| u8::try_from(value).unwrap());
            let hole = !four && choice == 3;
            let alpha = if hole { 0 } else { alpha(block, at) };
            out[(top + at / 4) * width + left + at % 4] = [r, g, b, alpha];
        }
    }
    out
}

/// The alpha of a pixel of a DXT5 block.
fn between(block: &[u8], at: usize) -> u8 {
    let [first, second] = [u32::from(block[0]), u32::from(block[1])];
    let packed = block[2..8].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let alpha = match u32::try_from(packed >> (3 * at) & 7).unwrap() {
        0 => first,
        1 => second,
        step if first > second => ((8 - step) * first + (step - 1) * second) / 7,
        6 => 0,
        7 => 255,
        step => ((6 - step) * first + (step - 1) * second) / 5,
    };
    u8::try_from(alpha).unwrap()
}
