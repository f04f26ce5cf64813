//! The pictures of kinds of ground.

use threshold_dat::PixelFormat;
use threshold_land::vector::Vec3;

use super::canvas::{Canvas, rgb};
use super::earth;
use crate::stock::material::Material;
use crate::tool::record::region::GROUND;

/// Appearance of a kind of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ground {
    /// Same as a material.
    Like(Material),
    /// Same as another kind of ground.
    As(u8),
    /// A texture of its own.
    Own(PictureOf),
}

/// Subject of a ground texture; the colour is that of the kind of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PictureOf {
    Grass,
    Marsh,
    Dirt,
    DirtAndGrass,
    GrassAndDirt,
    RockAndGrass,
    Sand,
    StrewnSand,
    Rock,
    Strata,
    Snow,
    Ice,
    Water,
    Litter,
    Moss,
    Lava,
}

/// Index of the road among the kinds of ground. Retail: `LandDefs::RoadCode`, as a type of terrain.
pub(crate) const ROAD: u8 = 32;

/// By kind of ground, the road last: its appearance, and the repeats of its texture over a land cell.
pub(crate) const LOOKS: [(Ground, u32); 33] = [
    (Ground::Like(Material::Rock), 4),
    (Ground::Like(Material::Grass), 7),
    (Ground::Own(PictureOf::Ice), 3),
    (Ground::Own(PictureOf::Grass), 7),
    (Ground::Own(PictureOf::Marsh), 4),
    (Ground::Own(PictureOf::Dirt), 5),
    (Ground::Own(PictureOf::Rock), 4),
    (Ground::Like(Material::Dirt), 6),
    (Ground::Own(PictureOf::DirtAndGrass), 4),
    (Ground::Own(PictureOf::GrassAndDirt), 4),
    (Ground::Like(Material::Sand), 6),
    (Ground::Own(PictureOf::Sand), 6),
    (Ground::Own(PictureOf::StrewnSand), 5),
    (Ground::Own(PictureOf::Strata), 3),
    (Ground::Own(PictureOf::RockAndGrass), 4),
    (Ground::Own(PictureOf::Snow), 3),
    (Ground::Like(Material::Water), 4),
    (Ground::Like(Material::Water), 3),
    (Ground::Like(Material::Water), 3),
    (Ground::Like(Material::Water), 3),
    (Ground::Own(PictureOf::Water), 2),
    (Ground::Own(PictureOf::Litter), 6),
    (Ground::Like(Material::Water), 5),
    (Ground::Own(PictureOf::Moss), 4),
    (Ground::As(5), 5),
    (Ground::Own(PictureOf::Lava), 3),
    (Ground::As(25), 4),
    (Ground::As(2), 3),
    (Ground::Own(PictureOf::Moss), 5),
    (Ground::As(28), 4),
    (Ground::As(14), 5),
    (Ground::As(8), 5),
    (Ground::Like(Material::Road), 6),
];

/// Image formats of ground textures, in turn.
pub(crate) const FORMATS: [PixelFormat; 4] =
    [PixelFormat::Dxt1, PixelFormat::LandscapeR8G8B8, PixelFormat::R5G6B5, PixelFormat::Index16];

/// Returns the appearance of a kind of ground; the first for one outside of the table.
pub(crate) fn look(kind: u8) -> (Ground, u32) {
    LOOKS.get(usize::from(kind)).copied().unwrap_or(LOOKS[0])
}

impl PictureOf {
    /// Paints its texture for a kind of ground.
    pub(crate) fn paint(self, kind: u8, seed: u64) -> Canvas {
        let base = GROUND.get(usize::from(kind)).map_or(Vec3::ONE, |(_, colour)| rgb(*colour));
        let [green, brown] = [Material::Grass, Material::Dirt].map(|of| rgb(of.colour().0));
        let patches =
            |first, second: Canvas, share| earth::patches(first, &second, share, seed ^ 99);
        match self {
            Self::Grass => earth::grass(base, seed),
            Self::Dirt => earth::dirt(base, seed),
            Self::Marsh => {
                patches(earth::grass(base, seed), earth::dirt(rgb(0x3A_3A2C), seed ^ 50), 0.42)
            }
            Self::DirtAndGrass => {
                patches(earth::dirt(base, seed), earth::grass(green, seed ^ 50), 0.36)
            }
            Self::GrassAndDirt => {
                patches(earth::grass(base, seed), earth::dirt(brown, seed ^ 50), 0.36)
            }
            Self::RockAndGrass => {
                patches(earth::rock(base, 0.2, seed), earth::grass(green, seed ^ 50), 0.34)
            }
            Self::Sand => earth::sand(base, seed),
            Self::StrewnSand => earth::strewn(base, seed),
            Self::Rock => earth::rock(base, 0.2, seed),
            Self::Strata => earth::rock(base, 1.0, seed),
            Self::Snow => earth::snow(base, seed),
            Self::Ice => earth::ice(base, seed),
            Self::Water => earth::water(base, seed),
            Self::Litter => earth::litter(base, seed),
            Self::Moss => earth::moss(base, seed),
            Self::Lava => earth::lava(base, seed),
        }
    }
}
