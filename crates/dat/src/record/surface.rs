//! Materials.

use serde::Serialize;

use super::{Colour, Record, RecordId, RecordKind};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// A material. The only kind of record without its id in the header. Retail: `CSurface`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Surface {
    /// How it is drawn, as bits of [`surface_type`].
    pub surface_type: u32,
    /// Colour or image; an image if `surface_type & 6` is not 0.
    pub fill: SurfaceFill,
    /// 0 opaque, 1 invisible.
    pub translucency: f32,
    /// Light that it emits.
    pub luminosity: f32,
    /// Part of the light that it reflects.
    pub diffuse: f32,
}

/// The colour or image of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceFill {
    /// A single colour.
    Colour(Colour),
    /// An image.
    Image {
        /// A [`SurfaceTexture`](super::SurfaceTexture).
        texture: RecordId,
        /// A [`Palette`](super::Palette) instead of the image's own; 0 for none.
        palette: RecordId,
    },
}

/// Bits of [`Surface::surface_type`].
pub mod surface_type {
    /// A single colour.
    pub const SOLID: u32 = 0x1;
    /// An image.
    pub const IMAGE: u32 = 0x2;
    /// An image with holes: the first eight palette entries are transparent.
    pub const CLIP_MAP: u32 = 0x4;
    /// Blended by its translucency.
    pub const TRANSLUCENT: u32 = 0x10;
    /// Blended by the alpha of the image.
    pub const ALPHA: u32 = 0x100;
    /// Blended by the inverse alpha of the image.
    pub const INVERSE_ALPHA: u32 = 0x200;
    /// Added to the colour behind it.
    pub const ADDITIVE: u32 = 0x1_0000;
}

const HAS_IMAGE: u32 = surface_type::IMAGE | surface_type::CLIP_MAP;

impl Record for Surface {
    const KIND: RecordKind = RecordKind::Surface;

    fn read(_id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        let surface_type = reader.u32()?;
        let fill = if surface_type & HAS_IMAGE != 0 {
            SurfaceFill::Image { texture: reader.id()?, palette: reader.id()? }
        } else {
            SurfaceFill::Colour(Colour(reader.u32()?))
        };
        let [translucency, luminosity, diffuse] = reader.floats()?;
        Ok(Self { surface_type, fill, translucency, luminosity, diffuse })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        match self.fill {
            SurfaceFill::Image { texture, palette } => {
                // Without a bit for an image, a reader would take the texture id for a colour.
                let bits = self.surface_type;
                writer.u32(if bits & HAS_IMAGE == 0 { bits | surface_type::IMAGE } else { bits });
                writer.id(texture);
                writer.id(palette);
            }
            SurfaceFill::Colour(colour) => {
                writer.u32(self.surface_type & !HAS_IMAGE);
                writer.u32(colour.0);
            }
        }
        writer.floats(&[self.translucency, self.luminosity, self.diffuse]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::test_hex;

    #[test]
    fn golden_solid_surface() {
        let surface = Surface {
            surface_type: surface_type::SOLID,
            fill: SurfaceFill::Colour(Colour(0xFF11_2233)),
            translucency: 0.5,
            luminosity: 0.0,
            diffuse: 1.0,
        };
        test_hex(&surface, 0x0800_0002, "01000000 332211FF 0000003F 00000000 0000803F");
    }

    #[test]
    fn golden_image_surface() {
        let surface = Surface {
            surface_type: surface_type::IMAGE,
            fill: SurfaceFill::Image { texture: RecordId(0x0500_0001), palette: RecordId::NONE },
            translucency: 0.0,
            luminosity: 0.0,
            diffuse: 1.0,
        };
        test_hex(&surface, 0x0800_0003, "02000000 01000005 00000000 00000000 00000000 0000803F");
    }
}
