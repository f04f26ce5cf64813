//! Images of the data files as plain pixels.

mod pixels;
mod sheet;

use threshold_dat::{
    DatError, Palette, RecordId, Records, RenderSurface, Source, Surface, SurfaceFill,
    SurfaceTexture, surface_type,
};

pub use self::pixels::decode;
pub use self::sheet::{Sheet, halved, resized};

/// An image: rows from top to bottom, red, green, blue and alpha of each pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// In pixels, at least 1.
    pub width: u32,
    /// In pixels, at least 1.
    pub height: u32,
    /// As many as both say.
    pub pixels: Vec<[u8; 4]>,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// A record cannot be read.
    #[error(transparent)]
    Record(#[from] DatError),
    /// No such record.
    #[error("there is no {what} {id}")]
    Missing {
        /// What it should be.
        what: &'static str,
        /// Its id.
        id: RecordId,
    },
    /// The bytes are not those of an image of that size.
    #[error("image {id}: {why}")]
    Unusable {
        /// Its id.
        id: RecordId,
        /// What is wrong.
        why: String,
    },
}

impl Picture {
    /// One colour.
    pub fn plain(colour: [u8; 4]) -> Self {
        Self { width: 1, height: 1, pixels: vec![colour] }
    }

    /// The pixel at a place, the nearest one if it lies outside.
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        let (x, y) = (x.min(self.width - 1), y.min(self.height - 1));
        let index = u64::from(y) * u64::from(self.width) + u64::from(x);
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        self.pixels.get(index).copied().unwrap_or_default()
    }
}

/// Reads pictures from a source.
#[derive(Debug, Clone)]
pub struct Pictures<'s> {
    records: Records<'s>,
}

impl<'s> Pictures<'s> {
    /// Reads from `source`.
    pub fn new(source: &'s dyn Source) -> Self {
        Self { records: Records::new(source) }
    }

    /// What a surface shows.
    pub fn of_surface(&mut self, surface: &Surface) -> Result<Picture, PictureError> {
        match surface.fill {
            SurfaceFill::Colour(colour) => Ok(Picture::plain(pixels::colour(colour))),
            SurfaceFill::Image { texture, palette } => {
                let holes = surface.surface_type & surface_type::CLIP_MAP != 0;
                self.of_texture(texture, palette, holes)
            }
        }
    }

    /// The best image of a texture that is there. `palette` is used instead of the image's own unless it is 0; with `holes` its
    /// first eight colours are transparent.
    pub fn of_texture(
        &mut self,
        texture: RecordId,
        palette: RecordId,
        holes: bool,
    ) -> Result<Picture, PictureError> {
        let image = self.image(texture)?;
        let own = image.palette.unwrap_or(RecordId::NONE);
        let palette = if palette == RecordId::NONE { own } else { palette };
        let palette: Option<Palette> = match image.format.has_palette() {
            true => Some(self.get("palette", palette)?),
            false => None,
        };
        decode(&image, palette.as_ref(), holes)
    }

    /// The best image of a texture that is there, as it is stored.
    pub fn image(&mut self, texture: RecordId) -> Result<RenderSurface, PictureError> {
        let choice: SurfaceTexture = self.get("texture", texture)?;
        let mut image = None;
        for id in &choice.images {
            image = self.records.get::<RenderSurface>(*id)?;
            if image.is_some() {
                break;
            }
        }
        let last = choice.images.last().copied().unwrap_or(RecordId::NONE);
        image.ok_or(PictureError::Missing { what: "image", id: last })
    }

    fn get<R: threshold_dat::Record>(
        &mut self,
        what: &'static str,
        id: RecordId,
    ) -> Result<R, PictureError> {
        self.records.get(id)?.ok_or(PictureError::Missing { what, id })
    }
}
