//! Decoding of the pixel formats.

use bcdec_rs::{bc1, bc2, bc3};
use threshold_dat::{Colour, Palette, PixelFormat, RenderSurface};

use super::{Image, ImageReadError};

/// First colours of a palette that are transparent on a clip map.
const HOLES: usize = 8;

/// Number of colours of retail's palettes. A palette of 256 stands for one that repeats each colour eight times.
const FULL_PALETTE: usize = 2048;

/// Longest side of an image, in pixels; no device takes larger textures.
const MAX_SIDE: u32 = 16_384;

/// Converts a colour to a pixel.
pub(super) fn colour(colour: Colour) -> [u8; 4] {
    let [b, g, r, a] = colour.0.to_le_bytes();
    [r, g, b, a]
}

/// Decodes the pixels of an image. An indexed image needs a palette; with `holes` its first eight colours are
/// transparent, which is a property of the surface and not of the image.
pub fn decode(
    image: &RenderSurface,
    palette: Option<&Palette>,
    holes: bool,
) -> Result<Image, ImageReadError> {
    let unusable = |why: &str| ImageReadError::Unusable { id: image.id, why: why.to_owned() };
    if image.format == PixelFormat::Jpeg {
        return jpeg(image).map_err(|error| unusable(&error.to_string()));
    }
    let (width, height) = (image.width, image.height);
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return Err(unusable(&format!(
            "{width} x {height} pixels found, 1 to {MAX_SIDE} a side expected"
        )));
    }
    let bytes = &image.bytes[..];
    let expected = image.format.byte_count(width, height);
    if expected != u64::try_from(bytes.len()).ok() {
        let (found, expected) =
            (bytes.len(), expected.map_or("too many".to_owned(), |count| count.to_string()));
        let size = format!("{width} x {height} pixels");
        return Err(unusable(&format!("{found} bytes found for {size}, {expected} expected")));
    }
    let lookup = Lookup::new(palette, holes);
    let pixels = match image.format {
        PixelFormat::Dxt1 => blocks(image, 8, bc1),
        PixelFormat::Dxt2 | PixelFormat::Dxt3 => blocks(image, 16, bc2),
        PixelFormat::Dxt4 | PixelFormat::Dxt5 => blocks(image, 16, bc3),
        PixelFormat::P8 => bytes.iter().map(|index| lookup.get(usize::from(*index))).collect(),
        PixelFormat::Index16 => words(bytes).map(|word| lookup.get(usize::from(word))).collect(),
        format => plain(format, bytes),
    };
    let pixels = match image.format {
        PixelFormat::Dxt2 | PixelFormat::Dxt4 => pixels.into_iter().map(unmultiplied).collect(),
        _ => pixels,
    };
    Ok(Image { width, height, pixels })
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair))
}

/// Decodes formats that are neither indexed nor compressed.
fn plain(format: PixelFormat, bytes: &[u8]) -> Vec<[u8; 4]> {
    let threes = |order: fn([u8; 3]) -> [u8; 4]| {
        bytes.as_chunks::<3>().0.iter().map(|pixel| order(*pixel)).collect()
    };
    let fours = |order: fn([u8; 4]) -> [u8; 4]| {
        bytes.as_chunks::<4>().0.iter().map(|pixel| order(*pixel)).collect()
    };
    let twos = |order: fn(u16) -> [u8; 4]| words(bytes).map(order).collect();
    match format {
        PixelFormat::R8G8B8 | PixelFormat::CustomB8G8R8 => threes(|[b, g, r]| [r, g, b, 255]),
        PixelFormat::LandscapeR8G8B8 => threes(|[r, g, b]| [r, g, b, 255]),
        PixelFormat::A8R8G8B8 => fours(|[b, g, r, a]| [r, g, b, a]),
        PixelFormat::X8R8G8B8 => fours(|[b, g, r, _]| [r, g, b, 255]),
        PixelFormat::A8B8G8R8 | PixelFormat::CustomR8G8B8A8 => fours(|pixel| pixel),
        PixelFormat::X8B8G8R8 => fours(|[r, g, b, _]| [r, g, b, 255]),
        PixelFormat::CustomA8B8G8R8 => fours(|[a, b, g, r]| [r, g, b, a]),
        PixelFormat::R5G6B5 => twos(|v| [part(v, 11, 5), part(v, 5, 6), part(v, 0, 5), 255]),
        PixelFormat::X1R5G5B5 => twos(|v| [part(v, 10, 5), part(v, 5, 5), part(v, 0, 5), 255]),
        PixelFormat::A1R5G5B5 => {
            twos(|v| [part(v, 10, 5), part(v, 5, 5), part(v, 0, 5), part(v, 15, 1)])
        }
        PixelFormat::A4R4G4B4 => {
            twos(|v| [part(v, 8, 4), part(v, 4, 4), part(v, 0, 4), part(v, 12, 4)])
        }
        PixelFormat::X4R4G4B4 => twos(|v| [part(v, 8, 4), part(v, 4, 4), part(v, 0, 4), 255]),
        // Masks: white with the value as alpha. The caller has handled all other formats.
        _ => bytes.iter().map(|value| [255, 255, 255, *value]).collect(),
    }
}

/// Extracts a bit field of a pixel and scales it to a byte.
fn part(value: u16, from: u16, bits: u16) -> u8 {
    let max = (1 << bits) - 1;
    let value = u32::from(value >> from & max) * 255 / u32::from(max);
    // At most 255.
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// The colours of an indexed image.
struct Lookup {
    colours: Vec<[u8; 4]>,
}

impl Lookup {
    fn new(palette: Option<&Palette>, holes: bool) -> Self {
        let colours = palette.map_or(&[][..], |palette| &palette.colours);
        // A palette of 256 colours stands for a full one in which each colour is repeated.
        let times = if colours.len() == 256 { FULL_PALETTE / 256 } else { 1 };
        let colours = colours.iter().flat_map(|one| std::iter::repeat_n(colour(*one), times));
        let mut colours: Vec<[u8; 4]> = colours.collect();
        if holes {
            colours.iter_mut().take(HOLES).for_each(|colour| *colour = [0; 4]);
        }
        Self { colours }
    }

    /// Returns a colour; an index beyond the palette is black.
    fn get(&self, index: usize) -> [u8; 4] {
        self.colours.get(index).copied().unwrap_or([0, 0, 0, 255])
    }
}

/// Decodes block compression, in blocks of 4 x 4 pixels.
fn blocks(image: &RenderSurface, size: usize, decode: fn(&[u8], &mut [u8], usize)) -> Vec<[u8; 4]> {
    // At most `MAX_SIDE`.
    let [width, height] = [image.width, image.height].map(|side| side as usize);
    let mut pixels = vec![[0; 4]; width * height];
    let columns = width.div_ceil(4);
    for (number, block) in image.bytes.chunks_exact(size).enumerate() {
        let mut decoded = [0; 64];
        decode(block, &mut decoded, 16);
        let (left, top) = (number % columns * 4, number / columns * 4);
        for (place, pixel) in decoded.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (left + place % 4, top + place / 4);
            if x < width && y < height {
                pixels[y * width + x] = *pixel;
            }
        }
    }
    pixels
}

/// Converts a pixel with premultiplied alpha to straight alpha.
fn unmultiplied([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let divide = |value: u8| {
        let value = (u32::from(value) * 255).checked_div(u32::from(a)).unwrap_or(0);
        u8::try_from(value).unwrap_or(u8::MAX)
    };
    [divide(r), divide(g), divide(b), a]
}

/// Longest side of a JPEG image, in pixels, and the memory its decoder may use, in bytes: a few bytes can describe a
/// huge image.
const MAX_JPEG_SIDE: u32 = 4096;
const MAX_JPEG_MEMORY: u64 = 64 << 20;

fn jpeg(image: &RenderSurface) -> image::ImageResult<Image> {
    let bytes = std::io::Cursor::new(&image.bytes[..]);
    let mut reader = image::ImageReader::with_format(bytes, image::ImageFormat::Jpeg);
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_JPEG_SIDE), Some(MAX_JPEG_SIDE));
    limits.max_alloc = Some(MAX_JPEG_MEMORY);
    reader.limits(limits);
    let pixels = reader.decode()?.into_rgba8();
    let (width, height) = pixels.dimensions();
    Ok(Image { width, height, pixels: pixels.pixels().map(|pixel| pixel.0).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::RecordId;

    #[track_caller]
    fn check(format: PixelFormat, [width, height]: [u32; 2], bytes: &[u8], expected: &[[u8; 4]]) {
        let image = image(format, [width, height], bytes);
        let palette = Palette {
            id: RecordId(0x0400_0001),
            colours: (0..256).map(|n| Colour(0xFF00_0000 | n << 16 | 7)).collect(),
        };
        let decoded = decode(&image, Some(&palette), false).unwrap();
        assert_eq!((decoded.width, decoded.height), (width, height));
        assert_eq!(decoded.pixels[..expected.len()], *expected, "{format:?}");
    }

    fn image(format: PixelFormat, [width, height]: [u32; 2], bytes: &[u8]) -> RenderSurface {
        RenderSurface {
            id: RecordId(0x0600_0001),
            category: 0,
            width,
            height,
            format,
            bytes: bytes.into(),
            palette: None,
        }
    }

    #[test]
    fn every_pixel_format_is_decoded() {
        let one = [1, 1];
        check(PixelFormat::R8G8B8, one, &[1, 2, 3], &[[3, 2, 1, 255]]);
        check(PixelFormat::A8R8G8B8, one, &[1, 2, 3, 4], &[[3, 2, 1, 4]]);
        check(PixelFormat::X8R8G8B8, one, &[1, 2, 3, 4], &[[3, 2, 1, 255]]);
        check(PixelFormat::R5G6B5, one, &[0xE0, 0xFF], &[[255, 255, 0, 255]]);
        check(PixelFormat::R5G6B5, one, &[0x01, 0x08], &[[8, 0, 8, 255]]);
        check(PixelFormat::X1R5G5B5, one, &[0x1F, 0x00], &[[0, 0, 255, 255]]);
        check(PixelFormat::A1R5G5B5, one, &[0x00, 0x7C], &[[255, 0, 0, 0]]);
        check(PixelFormat::A4R4G4B4, one, &[0x34, 0x12], &[[34, 51, 68, 17]]);
        check(PixelFormat::X4R4G4B4, one, &[0x34, 0x12], &[[34, 51, 68, 255]]);
        check(PixelFormat::A8, one, &[9], &[[255, 255, 255, 9]]);
        check(PixelFormat::A8B8G8R8, one, &[1, 2, 3, 4], &[[1, 2, 3, 4]]);
        check(PixelFormat::X8B8G8R8, one, &[1, 2, 3, 4], &[[1, 2, 3, 255]]);
        check(PixelFormat::CustomR8G8B8A8, one, &[1, 2, 3, 4], &[[1, 2, 3, 4]]);
        check(PixelFormat::CustomA8B8G8R8, one, &[1, 2, 3, 4], &[[4, 3, 2, 1]]);
        check(PixelFormat::CustomB8G8R8, one, &[1, 2, 3], &[[3, 2, 1, 255]]);
        check(PixelFormat::LandscapeR8G8B8, one, &[1, 2, 3], &[[1, 2, 3, 255]]);
        check(PixelFormat::LandscapeAlpha, one, &[200], &[[255, 255, 255, 200]]);
        // A palette of 256 has each colour eight times.
        check(PixelFormat::P8, [2, 1], &[16, 255], &[[2, 0, 7, 255], [31, 0, 7, 255]]);
        check(PixelFormat::Index16, one, &[0xF8, 0x07], &[[255, 0, 7, 255]]);
    }

    #[test]
    fn blocks_are_decoded_with_their_alpha() {
        // Two colours, red and blue, alternating by row.
        let dxt1 = [0x00, 0xF8, 0x1F, 0x00, 0b00_00_00_00, 0b01_01_01_01, 0, 0];
        check(PixelFormat::Dxt1, [4, 4], &dxt1, &[[255, 0, 0, 255]; 4]);
        let decoded = decode(&image(PixelFormat::Dxt1, [4, 4], &dxt1), None, false).unwrap();
        assert_eq!(decoded.at(0, 1), [0, 0, 255, 255]);
        // The first colour is the smaller one, so the fourth is transparent.
        let hole = [0x1F, 0x00, 0x00, 0xF8, 0xFF, 0, 0, 0];
        let decoded = decode(&image(PixelFormat::Dxt1, [4, 4], &hole), None, false).unwrap();
        assert_eq!(decoded.at(0, 0)[3], 0);
        let dxt3 = [[0x77; 8], dxt1].concat();
        check(PixelFormat::Dxt3, [4, 4], &dxt3, &[[255, 0, 0, 119]; 4]);
        check(PixelFormat::Dxt2, [4, 4], &dxt3, &[[255, 0, 0, 119]; 4]);
        let dxt5 = [[128, 0, 0, 0, 0, 0, 0, 0], dxt1].concat();
        check(PixelFormat::Dxt5, [4, 4], &dxt5, &[[255, 0, 0, 128]; 4]);
    }

    #[test]
    fn the_first_eight_colours_of_a_clip_map_are_transparent() {
        let colours = vec![Colour(0xFF11_2233); FULL_PALETTE];
        let palette = Palette { id: RecordId(0x0400_0001), colours };
        let image = image(PixelFormat::P8, [2, 1], &[7, 8]);
        let decoded = decode(&image, Some(&palette), true).unwrap();
        assert_eq!(decoded.pixels, [[0, 0, 0, 0], [0x11, 0x22, 0x33, 255]]);
    }

    #[test]
    fn bytes_that_are_no_image_are_an_error() {
        for (format, size, bytes) in [
            (PixelFormat::A8, [2, 2], &[0; 3][..]),
            (PixelFormat::A8, [0, 1], &[]),
            (PixelFormat::A8, [u32::MAX, 1], &[0; 4]),
            (PixelFormat::Jpeg, [1, 1], &[1, 2, 3]),
        ] {
            let error = decode(&image(format, size, bytes), None, false).unwrap_err();
            assert!(error.to_string().contains("0x06000001"), "{error}");
        }
    }

    #[test]
    fn a_small_jpeg_file_was_decoded_to_any_size() {
        let jpeg = |width: u32| {
            let mut bytes = Vec::new();
            let encoder = image::codecs::jpeg::JpegEncoder::new(&mut bytes);
            image::GrayImage::new(width, 1).write_with_encoder(encoder).unwrap();
            decode(&image(PixelFormat::Jpeg, [0, 0], &bytes), None, false)
        };
        assert_eq!(jpeg(MAX_JPEG_SIDE).unwrap().width, MAX_JPEG_SIDE);
        assert!(matches!(jpeg(MAX_JPEG_SIDE + 1), Err(ImageReadError::Unusable { .. })));
    }
}
