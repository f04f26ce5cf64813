//! Encodes images as bytes.

use threshold_dat::{Colour, PixelFormat};

use super::canvas::Canvas;
use super::dxt::{self, Alpha};
use super::palette::{self, HOLES};

/// An image as an image record holds it.
pub(crate) struct EncodedImage {
    pub(crate) bytes: Box<[u8]>,
    /// The palette, if pixels are indices.
    pub(crate) colours: Option<Vec<Colour>>,
}

/// Encodes an image. Formats not used by made worlds come out as [`PixelFormat::A8`].
pub(crate) fn encode(canvas: &Canvas, format: PixelFormat) -> EncodedImage {
    let pixels = canvas.bytes();
    let plain = |bytes: Vec<u8>| EncodedImage { bytes: bytes.into(), colours: None };
    let dxt = |alpha| plain(dxt::encode(&pixels, canvas.side, alpha));
    match format {
        PixelFormat::P8 => {
            indexed(&pixels, 256 - HOLES, |index| u8::try_from(index).into_iter().collect())
        }
        PixelFormat::Index16 => {
            indexed(&pixels, palette::ENTRIES - HOLES, |index| index.to_le_bytes().to_vec())
        }
        PixelFormat::Dxt1 => dxt(Alpha::None),
        PixelFormat::Dxt3 => dxt(Alpha::Steps),
        PixelFormat::Dxt5 => dxt(Alpha::Between),
        _ => plain(pixels.iter().flat_map(|pixel| direct(*pixel, format)).collect()),
    }
}

fn indexed(pixels: &[[u8; 4]], max: usize, bytes: impl Fn(u16) -> Vec<u8>) -> EncodedImage {
    let indexed = palette::index(pixels, max);
    let bytes = indexed.indices.iter().flat_map(|index| bytes(*index)).collect();
    EncodedImage { bytes, colours: Some(indexed.colours) }
}

/// Encodes one pixel of an uncompressed format.
fn direct([r, g, b, a]: [u8; 4], format: PixelFormat) -> Vec<u8> {
    let bits = |value: u8, max: u16| (u16::from(value) * max + 127) / 255;
    let fives = |a: u16| a << 15 | bits(r, 31) << 10 | bits(g, 31) << 5 | bits(b, 31);
    match format {
        PixelFormat::R8G8B8 => vec![b, g, r],
        PixelFormat::LandscapeR8G8B8 => vec![r, g, b],
        PixelFormat::A8R8G8B8 => vec![b, g, r, a],
        PixelFormat::X8R8G8B8 => vec![b, g, r, 0],
        PixelFormat::A8B8G8R8 => vec![r, g, b, a],
        PixelFormat::R5G6B5 => {
            (bits(r, 31) << 11 | bits(g, 63) << 5 | bits(b, 31)).to_le_bytes().to_vec()
        }
        PixelFormat::X1R5G5B5 => fives(0).to_le_bytes().to_vec(),
        PixelFormat::A1R5G5B5 => fives(bits(a, 1)).to_le_bytes().to_vec(),
        PixelFormat::A4R4G4B4 => {
            let nibbles = bits(a, 15) << 12 | bits(r, 15) << 8 | bits(g, 15) << 4 | bits(b, 15);
            nibbles.to_le_bytes().to_vec()
        }
        _ => vec![a],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: PixelFormat, want: &[u8]) {
        assert_eq!(direct([0xFF, 0x80, 0x00, 0xFF], format), want, "{format:?}");
    }

    #[test]
    fn orange_in_every_format() {
        check(PixelFormat::R8G8B8, &[0x00, 0x80, 0xFF]);
        check(PixelFormat::LandscapeR8G8B8, &[0xFF, 0x80, 0x00]);
        check(PixelFormat::A8R8G8B8, &[0x00, 0x80, 0xFF, 0xFF]);
        check(PixelFormat::X8R8G8B8, &[0x00, 0x80, 0xFF, 0x00]);
        check(PixelFormat::A8B8G8R8, &[0xFF, 0x80, 0x00, 0xFF]);
        check(PixelFormat::R5G6B5, &0xFC00_u16.to_le_bytes());
        check(PixelFormat::X1R5G5B5, &0x7E00_u16.to_le_bytes());
        check(PixelFormat::A1R5G5B5, &0xFE00_u16.to_le_bytes());
        check(PixelFormat::A4R4G4B4, &0xFF80_u16.to_le_bytes());
        check(PixelFormat::LandscapeAlpha, &[0xFF]);
    }
}
