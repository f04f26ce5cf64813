//! Conversion of surfaces to materials.

use std::collections::BTreeMap;

use threshold_dat::{Colour, RecordId, Surface, SurfaceFill, surface_type};

use super::document::Document;
use super::json::{Base, Material, TextureInfo};
use crate::day;
use crate::images::{Image, ImageReadError, SurfaceImages};

/// Key of a material: a surface may be drawn in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MaterialKey {
    pub(super) surface: RecordId,
    /// Whether its texture repeats.
    pub(super) tiled: bool,
    /// Whether back faces show, too: for billboards, which glTF cannot turn.
    pub(super) double_sided: bool,
}

/// Conversion of the alpha channel of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alpha {
    /// Alpha is ignored.
    Opaque,
    /// Alpha is kept.
    Own,
    /// Alpha is inverted.
    Inverse,
    /// Alpha becomes the brightness: glTF has no additive blending, and dark pixels of additive surfaces are invisible.
    Brightness,
}

/// Alpha mode of glTF.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Opaque,
    Mask(f32),
    Blend,
}

/// Materials and images written so far.
#[derive(Debug, Default)]
pub(super) struct Materials {
    known: BTreeMap<MaterialKey, usize>,
    images: BTreeMap<(RecordId, RecordId, bool, Alpha), Option<WrittenImage>>,
}

/// An image in the document.
#[derive(Clone, Copy, Debug)]
struct WrittenImage {
    index: usize,
    /// Alpha below which nothing is drawn of a clip map.
    cutoff: f32,
}

/// Translucency above which a surface is blended.
const MIN_TRANSLUCENCY: f32 = 0.0002;

impl Materials {
    /// Returns the index of a material, which is written if it is new. A material whose image cannot be read has none; the
    /// error is returned once.
    pub(super) fn get(
        &mut self,
        key: MaterialKey,
        surface: &Surface,
        images: &mut SurfaceImages<'_>,
        document: &mut Document,
    ) -> (usize, Option<ImageReadError>) {
        if let Some(known) = self.known.get(&key) {
            return (*known, None);
        }
        let (image, fault) = match self.image(surface, images, document) {
            Ok(image) => (image, None),
            Err(error) => (None, Some(error)),
        };
        let texture = image.map(|image| document.texture(image.index, key.tiled));
        let mode = mode(surface, image.map(|image| image.cutoff));
        let index = document.add_material(material(key, surface, texture, mode));
        self.known.insert(key, index);
        (index, fault)
    }

    /// Returns the image of a textured surface, written if it is new. An unusable image is an error only once.
    fn image(
        &mut self,
        surface: &Surface,
        images: &mut SurfaceImages<'_>,
        document: &mut Document,
    ) -> Result<Option<WrittenImage>, ImageReadError> {
        let SurfaceFill::Image { texture, palette } = surface.fill else { return Ok(None) };
        let (alpha, holes) = (alpha(surface), has(surface, surface_type::CLIP_MAP));
        let key = (texture, palette, holes, alpha);
        if let Some(known) = self.images.get(&key) {
            return Ok(*known);
        }
        self.images.insert(key, None);
        let read = images.of_surface(surface)?;
        let cutoff = read.cutoff();
        let image = with_alpha(read.image, alpha);
        let unusable = |error: image::ImageError| ImageReadError::Unusable {
            id: texture,
            why: error.to_string(),
        };
        let index = document.add_image(texture.to_string(), &image).map_err(unusable)?;
        let image = WrittenImage { index, cutoff };
        self.images.insert(key, Some(image));
        Ok(Some(image))
    }
}

fn has(surface: &Surface, bit: u32) -> bool {
    surface.surface_type & bit != 0
}

fn is_translucent(surface: &Surface) -> bool {
    has(surface, surface_type::TRANSLUCENT) || surface.translucency > MIN_TRANSLUCENCY
}

fn alpha(surface: &Surface) -> Alpha {
    if has(surface, surface_type::ADDITIVE) {
        Alpha::Brightness
    } else if has(surface, surface_type::INVERSE_ALPHA) {
        Alpha::Inverse
    } else if has(surface, surface_type::ALPHA | surface_type::CLIP_MAP) {
        Alpha::Own
    } else {
        Alpha::Opaque
    }
}

/// Returns the alpha mode; `cutoff` is that of the image, if the surface has one.
fn mode(surface: &Surface, cutoff: Option<f32>) -> Mode {
    let blends = surface_type::ALPHA | surface_type::INVERSE_ALPHA | surface_type::ADDITIVE;
    match cutoff {
        _ if has(surface, blends) || is_translucent(surface) => Mode::Blend,
        Some(cutoff) if has(surface, surface_type::CLIP_MAP) => Mode::Mask(cutoff),
        _ => Mode::Opaque,
    }
}

fn with_alpha(mut image: Image, alpha: Alpha) -> Image {
    for [r, g, b, a] in &mut image.pixels {
        *a = match alpha {
            Alpha::Opaque => u8::MAX,
            Alpha::Own => *a,
            Alpha::Inverse => u8::MAX - *a,
            Alpha::Brightness => {
                let visible = u16::from(*r.max(g).max(b)) * u16::from(*a) / 255;
                // At most 255.
                u8::try_from(visible).unwrap_or(u8::MAX)
            }
        };
    }
    image
}

fn material(
    key: MaterialKey,
    surface: &Surface,
    texture: Option<TextureInfo>,
    mode: Mode,
) -> Material {
    let MaterialKey { surface: id, tiled, double_sided } = key;
    let colour = match surface.fill {
        SurfaceFill::Colour(colour) => linear(colour),
        SurfaceFill::Image { .. } => [1.0; 3],
    };
    let clamped =
        |value: f32, other: f32| if value.is_finite() { value.clamp(0.0, 1.0) } else { other };
    let (diffuse, glow) = (clamped(surface.diffuse, 1.0), clamped(surface.luminosity, 0.0));
    let opacity =
        if is_translucent(surface) { 1.0 - clamped(surface.translucency, 0.0) } else { 1.0 };
    let [r, g, b] = colour.map(|part| part * diffuse);
    let ends = if texture.is_some() && !tiled { " ending at its edges" } else { "" };
    let sides = if double_sided { " from both sides" } else { "" };
    let (alpha_mode, alpha_cutoff) = match mode {
        Mode::Opaque => (None, None),
        Mode::Mask(cutoff) => (Some("MASK"), Some(cutoff)),
        Mode::Blend => (Some("BLEND"), None),
    };
    Material {
        name: format!("{id}{ends}{sides}"),
        base: Base::of(texture, [r, g, b, opacity]),
        emissive_texture: texture.filter(|_| glow > 0.0),
        emissive_factor: (glow > 0.0).then(|| colour.map(|part| part * glow)),
        alpha_mode,
        alpha_cutoff,
        double_sided,
        extensions: None,
    }
}

impl Base {
    /// Creates a matte base from a texture and a colour factor.
    pub(super) fn of(base_color_texture: Option<TextureInfo>, base_color_factor: [f32; 4]) -> Self {
        let (metallic_factor, roughness_factor) = (0.0, 1.0);
        Self { base_color_texture, base_color_factor, metallic_factor, roughness_factor }
    }
}

/// Converts a colour to linear RGB.
pub(super) fn linear(colour: Colour) -> [f32; 3] {
    day::linear(day::channels(colour)).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUTOFF: f32 = 0.5;

    fn surface(bits: u32, translucency: f32) -> Surface {
        let fill = match bits & (surface_type::IMAGE | surface_type::CLIP_MAP) {
            0 => SurfaceFill::Colour(Colour(0xFF80_FF00)),
            _ => SurfaceFill::Image { texture: RecordId(0x0500_0001), palette: RecordId::NONE },
        };
        Surface { surface_type: bits, fill, translucency, luminosity: 0.0, diffuse: 1.0 }
    }

    #[track_caller]
    fn check(bits: u32, translucency: f32, expected: (Mode, Alpha, f32)) {
        let surface = surface(bits, translucency);
        let mode = mode(&surface, Some(CUTOFF));
        let key = MaterialKey { surface: RecordId(0x0800_0001), tiled: true, double_sided: false };
        let [.., opacity] = material(key, &surface, None, mode).base.base_color_factor;
        assert_eq!((mode, alpha(&surface), opacity), expected, "{bits:#X} {translucency}");
    }

    #[test]
    fn alpha_modes_follow_the_flags_of_the_surface() {
        use surface_type::{ADDITIVE, ALPHA, CLIP_MAP, IMAGE, INVERSE_ALPHA, SOLID, TRANSLUCENT};
        check(SOLID, 0.0, (Mode::Opaque, Alpha::Opaque, 1.0));
        check(SOLID | TRANSLUCENT, 0.25, (Mode::Blend, Alpha::Opaque, 0.75));
        check(IMAGE, 0.0, (Mode::Opaque, Alpha::Opaque, 1.0));
        check(IMAGE, 0.5, (Mode::Blend, Alpha::Opaque, 0.5));
        check(CLIP_MAP, 0.0, (Mode::Mask(CUTOFF), Alpha::Own, 1.0));
        check(CLIP_MAP | ALPHA, 0.0, (Mode::Blend, Alpha::Own, 1.0));
        check(IMAGE | ALPHA | TRANSLUCENT, 0.25, (Mode::Blend, Alpha::Own, 0.75));
        check(IMAGE | INVERSE_ALPHA, 0.0, (Mode::Blend, Alpha::Inverse, 1.0));
        check(IMAGE | ALPHA | ADDITIVE, 0.0, (Mode::Blend, Alpha::Brightness, 1.0));
    }

    #[test]
    fn alpha_is_converted_for_each_kind_of_blending() {
        let pixel = |alpha| with_alpha(Image::solid([10, 100, 50, 51]), alpha).at(0, 0)[3];
        let all = [Alpha::Opaque, Alpha::Own, Alpha::Inverse, Alpha::Brightness].map(pixel);
        assert_eq!(all, [255, 51, 204, 20]);
    }

    #[test]
    fn factors_are_linear_and_clamped_to_0_and_1() {
        let [r, g, b] = linear(Colour(0xFF80_FF00));
        assert!((r - 0.215_86).abs() < 1e-4 && (g, b) == (1.0, 0.0), "{r} {g} {b}");
        let mut odd = surface(surface_type::SOLID, 0.0);
        (odd.diffuse, odd.luminosity, odd.translucency) = (f32::NAN, 7.0, f32::INFINITY);
        let key = MaterialKey { surface: RecordId(0x0800_0001), tiled: true, double_sided: false };
        let material = material(key, &odd, None, Mode::Blend);
        assert_eq!(material.base.base_color_factor, [r, g, b, 1.0]);
        assert_eq!(material.emissive_factor, Some([r, g, b]));
    }
}
