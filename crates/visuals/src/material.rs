//! Materials of surfaces: how a renderer blends and lights them, with the image they show.

use threshold_dat::{RecordId, Records, Source, Surface, surface_type};
use threshold_land::vector::Vec3;

use crate::day::linear;
use crate::images::{Image, SurfaceImage, SurfaceImages};

/// Blending of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blend {
    /// No blending; it may have holes.
    Opaque,
    /// Alpha blending.
    Alpha,
    /// Additive blending.
    Additive,
}

/// Use of the alpha channel of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaUse {
    /// Ignored.
    Ignored,
    /// As opacity.
    Opacity,
    /// As transparency.
    Transparency,
}

/// A surface as plain data: everything that a renderer needs of it.
///
/// Retail: `CSurface`.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceMaterial {
    /// Its image; one pixel for a surface of a single colour.
    pub surface: SurfaceImage,
    /// Its flags and factors.
    pub shading: SurfaceShading,
}

/// Flags and factors of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceShading {
    /// Blending. Blended surfaces are drawn after opaque ones, far to near.
    pub blend: Blend,
    /// Use of the alpha channel while blending.
    pub alpha: AlphaUse,
    /// Whether pixels with an alpha below [`SurfaceImage::cutoff`] are holes: a clip map.
    pub has_holes: bool,
    /// 0 to 1; multiplies the alpha.
    pub opacity: f32,
    /// Emitted light as a part of its own colour; 0 to 1 in sound records.
    pub luminosity: f32,
    /// Reflected light as a part of its own colour; 0 to 1 in sound records.
    pub diffuse: f32,
}

impl SurfaceShading {
    /// An opaque surface that reflects its own colour.
    pub const PLAIN: Self = Self {
        blend: Blend::Opaque,
        alpha: AlphaUse::Ignored,
        has_holes: false,
        opacity: 1.0,
        luminosity: 0.0,
        diffuse: 1.0,
    };

    /// Returns the flags and factors of a surface record.
    pub fn of(surface: &Surface) -> Self {
        let has = |bit: u32| surface.surface_type & bit != 0;
        let opacity = 1.0 - surface.translucency.clamp(0.0, 1.0);
        let blend = match () {
            () if has(surface_type::ADDITIVE) => Blend::Additive,
            () if has(surface_type::ALPHA | surface_type::INVERSE_ALPHA) => Blend::Alpha,
            () if has(surface_type::TRANSLUCENT) || opacity < 1.0 => Blend::Alpha,
            () => Blend::Opaque,
        };
        let alpha = match () {
            () if has(surface_type::INVERSE_ALPHA) => AlphaUse::Transparency,
            () if has(surface_type::ALPHA) => AlphaUse::Opacity,
            () => AlphaUse::Ignored,
        };
        let (luminosity, diffuse) = (surface.luminosity, surface.diffuse);
        let has_holes = has(surface_type::CLIP_MAP);
        Self { blend, alpha, has_holes, opacity, luminosity, diffuse }
    }
}

impl SurfaceMaterial {
    /// Reads a surface with its image; the error is a message that names the record.
    pub fn read(source: &dyn Source, id: RecordId) -> Result<Self, String> {
        let missing = || format!("missing surface {id}");
        let record = Records::new(source).get::<Surface>(id);
        let record = record.map_err(|error| error.to_string())?.ok_or_else(missing)?;
        let surface =
            SurfaceImages::new(source).of_surface(&record).map_err(|error| error.to_string())?;
        Ok(Self { surface, shading: SurfaceShading::of(&record) })
    }

    /// Replaces a surface that cannot be read.
    pub fn placeholder() -> Self {
        let image = Image::solid([200, 60, 200, 255]);
        Self { surface: SurfaceImage { image, has_palette: false }, shading: SurfaceShading::PLAIN }
    }
}

/// Converts a pixel (sRGB) to linear light, without its alpha.
pub fn linear_colour([r, g, b, _]: [u8; 4]) -> Vec3 {
    linear(Vec3::from([r, g, b].map(|part| f32::from(part) / 255.0)))
}
