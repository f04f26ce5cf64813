//! Textures and images.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Record, RecordId, RecordKind};
use crate::error::{ByteOffset, DatError, EncodeError};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// A texture: a choice of images, best first. Retail: `ImgTex`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SurfaceTexture {
    /// Its id.
    pub id: RecordId,
    /// 0 in retail's files.
    pub category: u32,
    /// 2 in retail's files.
    pub kind: u8,
    /// Ids of [`RenderSurface`]s: the first may exist only in the file of large images, the last
    /// always exists.
    pub images: Vec<RecordId>,
}

/// An image, row 0 at the top. Retail: `RenderSurface`.
#[derive(Clone, PartialEq, Eq)]
pub struct RenderSurface {
    /// Its id.
    pub id: RecordId,
    /// For grouping in tools; 0 or more.
    pub category: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The pixel format.
    pub format: PixelFormat,
    /// The pixels, as stored.
    pub bytes: Box<[u8]>,
    /// The palette of an indexed image.
    pub palette: Option<RecordId>,
}

/// The pixel format of an image. Retail: `PixelFormatID`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the layouts, highest bits first")]
pub enum PixelFormat {
    R8G8B8,
    A8R8G8B8,
    X8R8G8B8,
    R5G6B5,
    X1R5G5B5,
    A1R5G5B5,
    A4R4G4B4,
    X4R4G4B4,
    A8,
    A8B8G8R8,
    X8B8G8R8,
    P8,
    Index16,
    CustomR8G8B8A8,
    CustomA8B8G8R8,
    CustomB8G8R8,
    LandscapeR8G8B8,
    LandscapeAlpha,
    Jpeg,
    Dxt1,
    Dxt2,
    Dxt3,
    Dxt4,
    Dxt5,
}

/// Format, stored number and bits per pixel; 0 bits if the size does not follow from the number of
/// pixels.
const FORMATS: [(PixelFormat, u32, u64); 24] = [
    (PixelFormat::R8G8B8, 20, 24),
    (PixelFormat::A8R8G8B8, 21, 32),
    (PixelFormat::X8R8G8B8, 22, 32),
    (PixelFormat::R5G6B5, 23, 16),
    (PixelFormat::X1R5G5B5, 24, 16),
    (PixelFormat::A1R5G5B5, 25, 16),
    (PixelFormat::A4R4G4B4, 26, 16),
    (PixelFormat::X4R4G4B4, 30, 16),
    (PixelFormat::A8, 28, 8),
    (PixelFormat::A8B8G8R8, 32, 32),
    (PixelFormat::X8B8G8R8, 33, 32),
    (PixelFormat::P8, 41, 8),
    (PixelFormat::Index16, 101, 16),
    (PixelFormat::CustomR8G8B8A8, 240, 32),
    (PixelFormat::CustomA8B8G8R8, 241, 32),
    (PixelFormat::CustomB8G8R8, 242, 24),
    (PixelFormat::LandscapeR8G8B8, 243, 24),
    (PixelFormat::LandscapeAlpha, 244, 8),
    (PixelFormat::Jpeg, 500, 0),
    (PixelFormat::Dxt1, u32::from_le_bytes(*b"DXT1"), 4),
    (PixelFormat::Dxt2, u32::from_le_bytes(*b"DXT2"), 8),
    (PixelFormat::Dxt3, u32::from_le_bytes(*b"DXT3"), 8),
    (PixelFormat::Dxt4, u32::from_le_bytes(*b"DXT4"), 8),
    (PixelFormat::Dxt5, u32::from_le_bytes(*b"DXT5"), 8),
];

impl PixelFormat {
    /// Returns the format with a stored number, or `None` if the number is unknown.
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        FORMATS.iter().find(|row| row.1 == number).map(|row| row.0)
    }

    /// Returns the stored number.
    pub fn number(self) -> u32 {
        FORMATS.iter().find(|row| row.0 == self).map_or(0, |row| row.1)
    }

    /// Returns the bytes of an image of this size; `None` for JPEG, which stores its own size, and
    /// for sizes beyond any file.
    pub fn byte_count(self, width: u32, height: u32) -> Option<u64> {
        let bits =
            FORMATS.iter().find(|row| row.0 == self).map(|row| row.2).filter(|bits| *bits != 0)?;
        let pixels = u64::from(width).checked_mul(u64::from(height))?;
        Some(pixels.checked_mul(bits)? / 8)
    }

    /// Returns whether pixels are indices into a palette.
    pub fn has_palette(self) -> bool {
        matches!(self, Self::P8 | Self::Index16)
    }
}

impl Record for SurfaceTexture {
    const KIND: RecordKind = RecordKind::SurfaceTexture;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let (category, kind) = (reader.u32()?, reader.u8()?);
        Ok(Self { id, category, kind, images: reader.list("images", 4, Reader::id)? })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        writer.u32(self.category);
        writer.u8(self.kind);
        writer.list("images", &self.images, |writer, id| {
            writer.id(*id);
            Ok(())
        })
    }
}

impl Record for RenderSurface {
    const KIND: RecordKind = RecordKind::RenderSurface;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let category = reader.u32()?;
        let (width, height) = (side(reader, "width")?, side(reader, "height")?);
        let at = reader.at() as u64;
        let number = reader.u32()?;
        let format = PixelFormat::from_number(number).ok_or_else(|| {
            DatError::value("pixel format", "a known format", number).at(ByteOffset::Record(at))
        })?;
        let at = reader.at() as u64;
        let bytes = reader.u32()?;
        if format != PixelFormat::Jpeg && format.byte_count(width, height) != Some(u64::from(bytes))
        {
            let want = format.byte_count(width, height).unwrap_or(u64::MAX);
            let expected = format!("{want} for {width} x {height} pixels of {format:?}");
            return Err(DatError::value("byte count", expected, bytes).at(ByteOffset::Record(at)));
        }
        let bytes = reader.bytes(bytes as usize)?.into();
        let palette = format.has_palette().then(|| reader.id()).transpose()?;
        Ok(Self { id, category, width, height, format, bytes, palette })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        let expected = self.format.byte_count(self.width, self.height);
        let expected =
            expected.and_then(|count| usize::try_from(count).ok()).unwrap_or(self.bytes.len());
        if self.bytes.len() != expected {
            return Err(EncodeError::Mismatch {
                what: "pixel bytes",
                found: self.bytes.len(),
                expected,
            });
        }
        writer.id(self.id);
        writer.u32(self.category);
        for (what, side) in [("pixels of width", self.width), ("pixels of height", self.height)] {
            let max = i32::MAX as usize;
            let side = i32::try_from(side).map_err(|_| EncodeError::TooMany {
                what,
                found: side as usize,
                max,
            })?;
            writer.i32(side);
        }
        writer.u32(self.format.number());
        writer.count("pixel bytes", self.bytes.len())?;
        writer.bytes(&self.bytes);
        if self.format.has_palette() {
            writer.id(self.palette.unwrap_or_default());
        }
        Ok(())
    }
}

fn side(reader: &mut Reader<'_>, what: &'static str) -> Result<u32> {
    let at = reader.at() as u64;
    let bits = reader.u32()?;
    if i32::try_from(bits).is_ok() {
        return Ok(bits);
    }
    Err(DatError::value(what, "0 or more", bits).at(ByteOffset::Record(at)))
}

impl fmt::Debug for RenderSurface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenderSurface")
            .field("id", &self.id)
            .field("category", &self.category)
            .field("size", &(self.width, self.height))
            .field("format", &self.format)
            .field("bytes", &self.bytes)
            .field("palette", &self.palette)
            .finish()
    }
}

impl Serialize for RenderSurface {
    /// Serialises everything except the pixels, which belong in an image file.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("RenderSurface", 7)?;
        out.serialize_field("id", &self.id)?;
        out.serialize_field("category", &self.category)?;
        out.serialize_field("width", &self.width)?;
        out.serialize_field("height", &self.height)?;
        out.serialize_field("format", &self.format)?;
        out.serialize_field("byte_count", &self.bytes.len())?;
        out.serialize_field("palette", &self.palette)?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::test_hex;

    #[test]
    fn golden_surface_texture() {
        let texture = SurfaceTexture {
            id: RecordId(0x0500_0001),
            category: 0,
            kind: 2,
            images: vec![RecordId(0x0600_0001), RecordId(0x0600_0002)],
        };
        test_hex(&texture, 0x0500_0001, "01000005 00000000 02 02000000 01000006 02000006");
    }

    fn image(format: PixelFormat, side: u32, bytes: usize) -> RenderSurface {
        RenderSurface {
            id: RecordId(0x0600_0001),
            category: 0,
            width: side,
            height: side,
            format,
            bytes: vec![7; bytes].into(),
            palette: format.has_palette().then_some(RecordId(0x0400_0001)),
        }
    }

    #[test]
    fn golden_sizes_of_images() {
        let head = "01000006 00000000 02000000 02000000 15000000 10000000";
        let small = image(PixelFormat::A8R8G8B8, 2, 16);
        test_hex(&small, 0x0600_0001, &format!("{head} {}", "07".repeat(16)));
        assert_eq!(small.encode().unwrap().len(), 40);
        assert_eq!(image(PixelFormat::Index16, 4, 32).encode().unwrap().len(), 60);
    }

    #[test]
    fn every_format_is_read_as_written() {
        for (format, number, _) in FORMATS {
            assert_eq!((format.number(), PixelFormat::from_number(number)), (number, Some(format)));
            let bytes = format.byte_count(8, 8).unwrap_or(5);
            let image = image(format, 8, usize::try_from(bytes).unwrap());
            let encoded = image.encode().unwrap();
            assert_eq!(RenderSurface::decode_exact(image.id, &encoded).unwrap(), image);
        }
    }

    #[test]
    fn an_image_with_too_few_bytes_or_an_unknown_format_is_refused() {
        assert!(image(PixelFormat::A8R8G8B8, 2, 15).encode().is_err());
        let mut bytes = image(PixelFormat::A8R8G8B8, 2, 16).encode().unwrap();
        bytes[8] = 3;
        let error = RenderSurface::decode(RecordId(0x0600_0001), &bytes).unwrap_err();
        assert!(
            error.to_string().contains("24 for 3 x 2 pixels of A8R8G8B8 expected, 0x10 found"),
            "{error}"
        );
        bytes[16] = 99;
        let error = RenderSurface::decode(RecordId(0x0600_0001), &bytes).unwrap_err();
        assert!(error.to_string().contains("pixel format"), "{error}");
    }
}
