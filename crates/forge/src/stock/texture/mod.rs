//! Textures: materials, grounds and the sky as images, all from a seed.
//!
//! ```text
//!  noise (Noise, Scatter) --> painters (earth, masonry, wood, plants, stuff, heaven, mask) --> Canvas
//!                                                                                        |
//!  SurfaceTexture, RenderSurface, Palette  <-- Pictures <-- pixels (dxt, palette) <------+
//! ```

mod canvas;
mod dxt;
mod earth;
mod heaven;
mod mask;
mod masonry;
mod noise;
mod palette;
mod pixels;
mod plants;
mod soil;
mod stuff;
#[cfg(test)]
mod tests;
mod wood;

use std::collections::BTreeSet;

use threshold_dat::{
    EncodeError, Palette, PixelFormat, RecordId, RecordSet, RenderSurface, SurfaceTexture,
};

pub(crate) use heaven::SkyTexture;
pub(crate) use mask::{Mask, Reach};
pub(crate) use soil::ROAD;

use crate::stock::material::Material;
use crate::tool::random::mixed;
use canvas::{Canvas, rgb};
use soil::{Ground, PictureOf};

/// First ids of palettes, textures and images.
const PALETTES: u32 = 0x0400_0000;
const TEXTURES: u32 = 0x0500_0000;
const IMAGES: u32 = 0x0600_0000;

/// Low words of textures; those of materials equal the materials' own.
const GROUNDS: u16 = 0x0180;
const MASKS: u16 = 0x01C0;
const HEAVENS: u16 = 0x0200;

/// The subject of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Material(Material),
    Ground(u8, PictureOf),
    Mask(Mask),
    SkyTexture(SkyTexture),
}

/// Makes textures, each once.
pub(crate) struct Pictures {
    seed: u64,
    made: BTreeSet<Subject>,
}

impl Pictures {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, made: BTreeSet::new() }
    }

    /// Returns the texture of a material.
    pub(crate) fn material(
        &mut self,
        material: Material,
        records: &mut RecordSet,
    ) -> Result<RecordId, EncodeError> {
        self.texture(Subject::Material(material), records)
    }

    /// Returns the texture of a kind of ground or of the road, and its repeats over a land cell.
    pub(crate) fn ground(
        &mut self,
        kind: u8,
        records: &mut RecordSet,
    ) -> Result<(RecordId, u32), EncodeError> {
        let (look, tiling) = soil::look(kind);
        let subject = match look {
            Ground::Like(material) => Subject::Material(material),
            Ground::Own(picture) => Subject::Ground(kind, picture),
            // One step is enough: no ground of the table refers to one that refers to another.
            Ground::As(other) => match soil::look(other).0 {
                Ground::Own(picture) => Subject::Ground(other, picture),
                Ground::Like(material) => Subject::Material(material),
                Ground::As(_) => Subject::Material(Material::Dirt),
            },
        };
        Ok((self.texture(subject, records)?, tiling))
    }

    /// Returns the texture of a mask.
    pub(crate) fn mask(
        &mut self,
        mask: Mask,
        records: &mut RecordSet,
    ) -> Result<RecordId, EncodeError> {
        self.texture(Subject::Mask(mask), records)
    }

    /// Returns the texture of a sky object.
    pub(crate) fn heaven(
        &mut self,
        heaven: SkyTexture,
        records: &mut RecordSet,
    ) -> Result<RecordId, EncodeError> {
        self.texture(Subject::SkyTexture(heaven), records)
    }

    fn texture(
        &mut self,
        subject: Subject,
        records: &mut RecordSet,
    ) -> Result<RecordId, EncodeError> {
        let low = u32::from(subject.low());
        let [palette, id, image] = [PALETTES, TEXTURES, IMAGES].map(|first| RecordId(first | low));
        if !self.made.insert(subject) {
            return Ok(id);
        }
        let canvas = subject.paint(mixed(self.seed ^ u64::from(low) << 32));
        let format = subject.format();
        let encoded = pixels::encode(&canvas, format);
        let palette = encoded.colours.map(|colours| Palette { id: palette, colours });
        if let Some(palette) = &palette {
            records.put(palette.id, palette)?;
        }
        let side = u32::try_from(canvas.side).unwrap_or(0);
        let bytes = encoded.bytes;
        let palette = palette.map(|palette| palette.id);
        let surface = RenderSurface {
            id: image,
            category: 0,
            width: side,
            height: side,
            format,
            bytes,
            palette,
        };
        records.put(image, &surface)?;
        records.put(id, &SurfaceTexture { id, category: 0, kind: 2, images: vec![image] })?;
        Ok(id)
    }
}

impl Subject {
    /// Returns the low word of its records.
    fn low(self) -> u16 {
        let place = |found: Option<usize>| u16::try_from(found.unwrap_or(0)).unwrap_or(0);
        match self {
            Self::Material(material) => material.low(),
            Self::Ground(kind, _) => GROUNDS + u16::from(kind),
            Self::Mask(mask) => MASKS + place(Mask::all().position(|own| own == mask)),
            Self::SkyTexture(heaven) => {
                HEAVENS + place(SkyTexture::ALL.iter().position(|own| *own == heaven))
            }
        }
    }

    fn paint(self, seed: u64) -> Canvas {
        match self {
            Self::Material(material) => paint(material, seed),
            Self::Ground(kind, picture) => picture.paint(kind, seed),
            Self::Mask(mask) => mask.paint(seed),
            Self::SkyTexture(heaven) => heaven.paint(seed),
        }
    }

    fn format(self) -> PixelFormat {
        match self {
            Self::Material(material) => format(material),
            Self::Ground(kind, _) => soil::FORMATS[usize::from(kind) % soil::FORMATS.len()],
            Self::Mask(mask) if mask.variant == 0 => PixelFormat::A8,
            Self::Mask(_) => PixelFormat::LandscapeAlpha,
            Self::SkyTexture(heaven) => match heaven {
                SkyTexture::Night => PixelFormat::R8G8B8,
                SkyTexture::Day | SkyTexture::Grey => PixelFormat::X8R8G8B8,
                SkyTexture::Glow | SkyTexture::Sun => PixelFormat::A8R8G8B8,
                SkyTexture::Stars => PixelFormat::A8B8G8R8,
                SkyTexture::Moon | SkyTexture::Rain => PixelFormat::A4R4G4B4,
                SkyTexture::Clouds => PixelFormat::Dxt5,
                SkyTexture::Cover => PixelFormat::Dxt3,
            },
        }
    }
}

fn paint(material: Material, seed: u64) -> Canvas {
    let base = rgb(material.colour().0);
    match material {
        Material::Grass => earth::grass(base, seed),
        Material::Dirt => earth::dirt(base, seed),
        Material::Sand => earth::sand(base, seed),
        Material::Rock => earth::rock(base, 0.25, seed),
        Material::Road => earth::road(base, seed),
        Material::Water => earth::water(base, seed),
        Material::Brick => masonry::brick(base, seed),
        Material::Plank => wood::plank(base, seed),
        Material::Plaster => masonry::plaster(base, seed),
        Material::Slate => masonry::slate(base, seed),
        Material::Cobble => masonry::cobble(base, seed),
        Material::Timber => wood::timber(base, seed),
        Material::Thatch => wood::thatch(base, seed),
        Material::Bark => wood::bark(base, seed),
        Material::Leaves => plants::leaves(base, seed),
        Material::Needles => plants::needles(base, seed),
        Material::Iron => stuff::iron(base, seed),
        Material::Glass => stuff::glass(base, seed),
        Material::Cloth => stuff::cloth(base, seed),
        Material::Linen => stuff::linen(base, seed),
        Material::Leather => stuff::leather(base, seed),
        Material::Skin => stuff::skin(base, seed),
        Material::Hair => stuff::hair(base, seed),
        Material::Flame => stuff::flame(base, seed),
        Material::Ashlar => masonry::ashlar(base, seed),
        Material::Twigs => plants::twigs(base, seed),
        Material::Bough => plants::bough(base, seed),
        Material::Frond => plants::frond(base, seed),
        Material::Blades => plants::blades(base, seed),
        Material::Blossoms => plants::blossoms(base, seed),
    }
}

/// Returns the image format of a material. Made worlds use all formats, so that a program that shows them
/// has read each of them.
fn format(material: Material) -> PixelFormat {
    match material {
        Material::Grass | Material::Slate | Material::Skin => PixelFormat::R8G8B8,
        Material::Water | Material::Iron | Material::Blades => PixelFormat::A8R8G8B8,
        Material::Road => PixelFormat::X8R8G8B8,
        Material::Sand | Material::Linen => PixelFormat::R5G6B5,
        Material::Flame => PixelFormat::A4R4G4B4,
        Material::Hair | Material::Frond => PixelFormat::A1R5G5B5,
        Material::Bark => PixelFormat::X1R5G5B5,
        Material::Plank | Material::Timber | Material::Cloth | Material::Twigs => PixelFormat::P8,
        Material::Brick | Material::Thatch | Material::Leaves | Material::Blossoms => {
            PixelFormat::Index16
        }
        Material::Dirt
        | Material::Rock
        | Material::Plaster
        | Material::Cobble
        | Material::Leather
        | Material::Ashlar => PixelFormat::Dxt1,
        Material::Glass => PixelFormat::Dxt3,
        Material::Needles | Material::Bough => PixelFormat::Dxt5,
    }
}
