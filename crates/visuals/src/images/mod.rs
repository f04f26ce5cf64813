//! Images of the data files as RGBA pixels.

mod decode;
mod mips;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use threshold_dat::{
    DatError, Palette, RecordId, Records, RenderSurface, Source, Surface, SurfaceFill,
    SurfaceTexture, surface_type,
};

pub use self::decode::decode;
pub(crate) use self::mips::halved;
pub use self::mips::{MipChain, resized};

/// An image: rows from top to bottom, with red, green, blue and alpha for each pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels, at least 1.
    pub width: u32,
    /// In pixels, at least 1.
    pub height: u32,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 4]>,
}

/// Reason why an image cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageReadError {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] DatError),
    /// The record does not exist.
    #[error("missing {what} {id}")]
    Missing {
        /// Kind of the record.
        what: &'static str,
        /// Id of the record.
        id: RecordId,
    },
    /// The bytes are not an image of the given size.
    #[error("image {id}: {why}")]
    Unusable {
        /// Id of the record.
        id: RecordId,
        /// The defect.
        why: String,
    },
}

impl Image {
    /// Creates an image of one pixel.
    pub fn solid(colour: [u8; 4]) -> Self {
        Self { width: 1, height: 1, pixels: vec![colour] }
    }

    /// Returns a pixel; coordinates outside are clamped.
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        let (x, y) = (x.min(self.width - 1), y.min(self.height - 1));
        let index = u64::from(y) * u64::from(self.width) + u64::from(x);
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        self.pixels.get(index).copied().unwrap_or_default()
    }

    /// Returns all bytes in order: red, green, blue, alpha of each pixel, row by row from the top.
    pub fn as_bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Encodes the image as PNG, without alpha if it is opaque.
    pub fn to_png(&self) -> Result<Vec<u8>, image::ImageError> {
        let opaque = self.pixels.iter().all(|[.., alpha]| *alpha == u8::MAX);
        let (bytes, kind): (Vec<u8>, _) = if opaque {
            let pixels = self.pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]);
            (pixels.collect(), ExtendedColorType::Rgb8)
        } else {
            (self.as_bytes().to_vec(), ExtendedColorType::Rgba8)
        };
        let mut out = Vec::new();
        PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::Adaptive)
            .write_image(&bytes, self.width, self.height, kind)?;
        Ok(out)
    }
}

/// The image of a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceImage {
    /// Pixels.
    pub image: Image,
    /// Whether the colours come from a palette.
    pub has_palette: bool,
}

impl SurfaceImage {
    /// Alpha below which nothing is drawn of a clip map.
    pub fn cutoff(&self) -> f32 {
        if self.has_palette { 100.0 / 255.0 } else { 200.0 / 255.0 }
    }
}

/// Kind of a record of pixels, in messages.
const IMAGE: &str = "image";

/// Reads images from a source.
#[derive(Debug, Clone)]
pub struct SurfaceImages<'s> {
    records: Records<'s>,
}

impl<'s> SurfaceImages<'s> {
    /// Creates a reader of `source`.
    pub fn new(source: &'s dyn Source) -> Self {
        Self { records: Records::new(source) }
    }

    /// Reads the image of a surface.
    pub fn of_surface(&mut self, surface: &Surface) -> Result<SurfaceImage, ImageReadError> {
        let has_holes = surface.surface_type & surface_type::CLIP_MAP != 0;
        match surface.fill {
            SurfaceFill::Colour(colour) => {
                Ok(SurfaceImage { image: Image::solid(decode::colour(colour)), has_palette: false })
            }
            SurfaceFill::Image { texture, palette } => self.best(texture, palette, has_holes),
        }
    }

    /// Reads the best image of a texture that exists. `palette` replaces the image's own unless it is 0; with `holes` its
    /// first eight colours are transparent.
    pub fn of_texture(
        &mut self,
        texture: RecordId,
        palette: RecordId,
        holes: bool,
    ) -> Result<Image, ImageReadError> {
        self.best(texture, palette, holes).map(|surface| surface.image)
    }

    /// Returns the first usable image of a texture; the others are the same with less detail. Fails only if none is
    /// usable.
    fn best(
        &mut self,
        texture: RecordId,
        palette: RecordId,
        holes: bool,
    ) -> Result<SurfaceImage, ImageReadError> {
        let choice: SurfaceTexture = self.get("texture", texture)?;
        let mut first = None;
        for id in &choice.images {
            match self.image(*id, palette, holes) {
                Ok(image) => return Ok(image),
                // The best image may be in the high-resolution file, which is optional.
                Err(ImageReadError::Missing { what: IMAGE, .. }) => {}
                Err(error) => first = first.or(Some(error)),
            }
        }
        let last = choice.images.last().copied().unwrap_or(RecordId::NONE);
        Err(first.unwrap_or(ImageReadError::Missing { what: IMAGE, id: last }))
    }

    fn image(
        &mut self,
        id: RecordId,
        palette: RecordId,
        holes: bool,
    ) -> Result<SurfaceImage, ImageReadError> {
        let image: RenderSurface = self.get(IMAGE, id)?;
        let own = image.palette.unwrap_or(RecordId::NONE);
        let palette = if palette == RecordId::NONE { own } else { palette };
        let has_palette = image.format.has_palette();
        let palette: Option<Palette> = match has_palette {
            true => Some(self.get("palette", palette)?),
            false => None,
        };
        Ok(SurfaceImage { image: decode(&image, palette.as_ref(), holes)?, has_palette })
    }

    fn get<R: threshold_dat::Record>(
        &mut self,
        what: &'static str,
        id: RecordId,
    ) -> Result<R, ImageReadError> {
        self.records.get(id)?.ok_or(ImageReadError::Missing { what, id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::{FileKind, PixelFormat, RecordSet};

    const TEXTURE: RecordId = RecordId(0x0500_0001);
    const IMAGES: [RecordId; 2] = [RecordId(0x0600_0001), RecordId(0x0600_0002)];

    fn image(id: RecordId, bytes: &[u8]) -> RenderSurface {
        let (width, height, format) = (1, 1, PixelFormat::A8R8G8B8);
        let bytes = bytes.into();
        RenderSurface { id, category: 0, width, height, format, bytes, palette: None }
    }

    /// A texture with two images, of which only the second exists.
    fn set() -> RecordSet {
        let mut set = RecordSet::new();
        let images = IMAGES.to_vec();
        let texture = SurfaceTexture { id: TEXTURE, category: 0, kind: 2, images };
        set.put(TEXTURE, &texture).unwrap();
        set.put(IMAGES[1], &image(IMAGES[1], &[3, 2, 1, 255])).unwrap();
        set
    }

    fn read(set: &RecordSet) -> Result<Image, ImageReadError> {
        SurfaceImages::new(set).of_texture(TEXTURE, RecordId::NONE, false)
    }

    #[test]
    fn a_damaged_image_hid_the_good_one_after_it() {
        let good = Image::solid([1, 2, 3, 255]);
        assert_eq!(read(&set()).unwrap(), good, "the first is missing");
        let mut damaged = set();
        damaged.put_bytes(FileKind::Portal, IMAGES[0], vec![1, 2, 3]);
        assert_eq!(read(&damaged).unwrap(), good, "the first is no record");
        let mut odd = set();
        let jpeg = RenderSurface { format: PixelFormat::Jpeg, ..image(IMAGES[0], &[1, 2, 3]) };
        odd.put(IMAGES[0], &jpeg).unwrap();
        assert_eq!(read(&odd).unwrap(), good, "the first is no image");
    }

    #[test]
    fn an_error_is_returned_if_no_image_is_usable() {
        let mut set = set();
        set.put_bytes(FileKind::Portal, IMAGES[1], vec![1, 2, 3]);
        let error = read(&set).unwrap_err();
        assert!(matches!(error, ImageReadError::Record(_)), "{error}");
        let mut none = RecordSet::new();
        let images = IMAGES.to_vec();
        none.put(TEXTURE, &SurfaceTexture { id: TEXTURE, category: 0, kind: 2, images }).unwrap();
        assert_eq!(read(&none).unwrap_err().to_string(), "missing image 0x06000002");
    }
}
