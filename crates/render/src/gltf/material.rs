//! Surfaces as materials.

use std::collections::BTreeMap;

use threshold_dat::{Colour, RecordId, Surface, SurfaceFill, surface_type};

use super::document::Document;
use super::json::{Base, Material, TextureInfo};
use crate::images::{Image, ImageReadError, SurfaceImages};

/// What is one material: a surface may be shown in more ways than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    pub(super) surface: RecordId,
    /// Whether its picture repeats.
    pub(super) tiled: bool,
    /// Whether it also shows from behind: for what would turn to the viewer.
    pub(super) double_sided: bool,
}

/// What becomes of a picture's alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alpha {
    /// There is none.
    Opaque,
    /// It is what it is.
    Own,
    Inverse,
    /// What is added to what is behind: the format cannot say that, but the darker, the less of it is seen.
    Brightness,
}

/// How what is behind shows through.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Opaque,
    Mask(f32),
    Blend,
}

/// The materials so far.
#[derive(Debug, Default)]
pub(super) struct Materials {
    known: BTreeMap<Look, usize>,
    images: BTreeMap<(RecordId, RecordId, bool, Alpha), Option<WrittenImage>>,
}

/// A picture that has been written.
#[derive(Clone, Copy, Debug)]
struct WrittenImage {
    place: usize,
    /// Below this alpha nothing is drawn of it if it has holes.
    cutoff: f32,
}

/// A surface is seen through from this translucency on.
const CLEAR: f32 = 0.0002;

impl Materials {
    /// The material of a look, written if it is new. What is wrong with its picture is told, and the picture left out.
    pub(super) fn get(
        &mut self,
        look: Look,
        surface: &Surface,
        pictures: &mut SurfaceImages<'_>,
        document: &mut Document,
    ) -> (usize, Option<ImageReadError>) {
        if let Some(known) = self.known.get(&look) {
            return (*known, None);
        }
        let (image, fault) = match self.image(surface, pictures, document) {
            Ok(image) => (image, None),
            Err(error) => (None, Some(error)),
        };
        let texture = image.map(|image| document.texture(image.place, look.tiled));
        let mode = mode(surface, image.map(|image| image.cutoff));
        let place = document.add_material(material(look, surface, texture, mode));
        self.known.insert(look, place);
        (place, fault)
    }

    /// The picture of a surface that has one. One that cannot be used is told of once.
    fn image(
        &mut self,
        surface: &Surface,
        pictures: &mut SurfaceImages<'_>,
        document: &mut Document,
    ) -> Result<Option<WrittenImage>, ImageReadError> {
        let SurfaceFill::Image { texture, palette } = surface.fill else { return Ok(None) };
        let (alpha, holes) = (alpha(surface), has(surface, surface_type::CLIP_MAP));
        let key = (texture, palette, holes, alpha);
        if let Some(known) = self.images.get(&key) {
            return Ok(*known);
        }
        self.images.insert(key, None);
        let shown = pictures.shown(surface)?;
        let cutoff = shown.cutoff();
        let picture = changed(shown.picture, alpha);
        let unusable = |error: image::ImageError| ImageReadError::Unusable {
            id: texture,
            why: error.to_string(),
        };
        let place = document.add_image(texture.to_string(), &picture).map_err(unusable)?;
        let image = WrittenImage { place, cutoff };
        self.images.insert(key, Some(image));
        Ok(Some(image))
    }
}

fn has(surface: &Surface, bit: u32) -> bool {
    surface.surface_type & bit != 0
}

fn is_translucent(surface: &Surface) -> bool {
    has(surface, surface_type::TRANSLUCENT) || surface.translucency > CLEAR
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

/// `cutoff` is that of its picture, if it has one.
fn mode(surface: &Surface, cutoff: Option<f32>) -> Mode {
    let blends = surface_type::ALPHA | surface_type::INVERSE_ALPHA | surface_type::ADDITIVE;
    match cutoff {
        _ if has(surface, blends) || is_translucent(surface) => Mode::Blend,
        Some(cutoff) if has(surface, surface_type::CLIP_MAP) => Mode::Mask(cutoff),
        _ => Mode::Opaque,
    }
}

fn changed(mut picture: Image, alpha: Alpha) -> Image {
    for [r, g, b, a] in &mut picture.pixels {
        *a = match alpha {
            Alpha::Opaque => u8::MAX,
            Alpha::Own => *a,
            Alpha::Inverse => u8::MAX - *a,
            Alpha::Brightness => {
                let seen = u16::from(*r.max(g).max(b)) * u16::from(*a) / 255;
                // At most 255.
                u8::try_from(seen).unwrap_or(u8::MAX)
            }
        };
    }
    picture
}

fn material(look: Look, surface: &Surface, texture: Option<TextureInfo>, mode: Mode) -> Material {
    let Look { surface: id, tiled, double_sided } = look;
    let colour = match surface.fill {
        SurfaceFill::Colour(colour) => linear(colour),
        SurfaceFill::Image { .. } => [1.0; 3],
    };
    let share =
        |value: f32, other: f32| if value.is_finite() { value.clamp(0.0, 1.0) } else { other };
    let (diffuse, glow) = (share(surface.diffuse, 1.0), share(surface.luminosity, 0.0));
    let opacity =
        if is_translucent(surface) { 1.0 - share(surface.translucency, 0.0) } else { 1.0 };
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
    }
}

impl Base {
    /// A picture in a colour, without gloss.
    pub(super) fn of(base_color_texture: Option<TextureInfo>, base_color_factor: [f32; 4]) -> Self {
        let (metallic_factor, roughness_factor) = (0.0, 1.0);
        Self { base_color_texture, base_color_factor, metallic_factor, roughness_factor }
    }
}

/// A colour in the linear numbers that factors are in.
pub(super) fn linear(colour: Colour) -> [f32; 3] {
    let [b, g, r, _] = colour.0.to_le_bytes();
    [r, g, b].map(|part| {
        let part = f32::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { libm::powf((part + 0.055) / 1.055, 2.4) }
    })
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
        let look = Look { surface: RecordId(0x0800_0001), tiled: true, double_sided: false };
        let [.., opacity] = material(look, &surface, None, mode).base.base_color_factor;
        assert_eq!((mode, alpha(&surface), opacity), expected, "{bits:#X} {translucency}");
    }

    #[test]
    fn what_is_behind_shows_through_as_the_surface_says() {
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
    fn alpha_is_what_the_surface_makes_of_it() {
        let pixel = |alpha| changed(Image::plain([10, 100, 50, 51]), alpha).at(0, 0)[3];
        let all = [Alpha::Opaque, Alpha::Own, Alpha::Inverse, Alpha::Brightness].map(pixel);
        assert_eq!(all, [255, 51, 204, 20]);
    }

    #[test]
    fn factors_are_linear_and_between_0_and_1_whatever_the_record_says() {
        let [r, g, b] = linear(Colour(0xFF80_FF00));
        assert!((r - 0.215_86).abs() < 1e-4 && (g, b) == (1.0, 0.0), "{r} {g} {b}");
        let mut odd = surface(surface_type::SOLID, 0.0);
        (odd.diffuse, odd.luminosity, odd.translucency) = (f32::NAN, 7.0, f32::INFINITY);
        let look = Look { surface: RecordId(0x0800_0001), tiled: true, double_sided: false };
        let material = material(look, &odd, None, Mode::Blend);
        assert_eq!(material.base.base_color_factor, [r, g, b, 1.0]);
        assert_eq!(material.emissive_factor, Some([r, g, b]));
    }
}
