//! Textures of the sky.

use threshold_land::vector::{Vec2, Vec3};

use super::canvas::{Canvas, SIDE, Stroke, rgb};
use super::noise::{Noise, number, smooth};
use crate::tool::random::Random;

/// A texture of the sky.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SkyTexture {
    /// Blue from the zenith down to the haze; the top row is the zenith.
    Day,
    /// Grey sky.
    Grey,
    /// Nearly black night sky.
    Night,
    /// The red of dawn and dusk, near the horizon only.
    Glow,
    Stars,
    Sun,
    Moon,
    /// Cumulus clouds with gaps between them.
    Clouds,
    /// An overcast sky with thin places.
    Cover,
    Rain,
}

/// Pixels along the side of textures with few details.
const SMALL: usize = 64;
/// Pixels along the side of textures of small objects that are seen large.
const FINE: usize = 512;

impl SkyTexture {
    pub(crate) const ALL: [Self; 10] = [
        Self::Day,
        Self::Grey,
        Self::Night,
        Self::Glow,
        Self::Stars,
        Self::Sun,
        Self::Moon,
        Self::Clouds,
        Self::Cover,
        Self::Rain,
    ];

    pub(crate) fn paint(self, seed: u64) -> Canvas {
        match self {
            Self::Day => fall(rgb(0x2F_62B4), rgb(0x6C_A0DC), rgb(0xC6_DCEC)),
            Self::Grey => fall(rgb(0x7C_8894), rgb(0x98_A2AA), rgb(0xB8_BEC0)),
            Self::Night => fall(rgb(0x05_0814), rgb(0x0A_1024), rgb(0x18_2238)),
            Self::Glow => glow(),
            Self::Stars => stars(seed),
            Self::Sun => sun(),
            Self::Moon => moon(seed),
            Self::Clouds => clouds(seed),
            Self::Cover => cover(seed),
            Self::Rain => rain(seed),
        }
    }
}

/// Three colours from the zenith to the horizon.
fn fall(zenith: Vec3, middle: Vec3, horizon: Vec3) -> Canvas {
    Canvas::paint(SMALL, |at| {
        let upper = zenith.lerp(middle, smooth(0.0, 0.75, at.y));
        upper.lerp(horizon, smooth(0.5, 1.0, at.y))
    })
}

fn glow() -> Canvas {
    Canvas::cover(SMALL, |at| {
        let low = smooth(0.45, 1.0, at.y);
        let colour = rgb(0xB0_5A78).lerp(rgb(0xFF_9A48), low);
        colour.lerp(rgb(0xFF_D890), smooth(0.88, 1.0, at.y)).extend(0.9 * low)
    })
}

fn stars(seed: u64) -> Canvas {
    let mut canvas = Canvas::cover(FINE, |_| Vec3::ONE.extend(0.0));
    let mut random = Random(seed);
    for _ in 0..260 {
        let at = random.place() * number(FINE);
        let bright = random.unit() * random.unit() * random.unit();
        let colour = rgb(0xFF_F4E0).lerp(rgb(0xC0_D4FF), random.unit());
        let size = 0.8 + 1.1 * bright;
        canvas.shape(at - 2.0, at + 2.0, |place| {
            let near = smooth(size, 0.0, (place - at).length());
            (colour, near * (0.45 + 0.55 * bright))
        });
    }
    canvas
}

fn sun() -> Canvas {
    Canvas::cover(SMALL, |at| {
        let off = 2.0 * (at - 0.5).length();
        let halo = (1.0 - off).max(0.0);
        let disc = smooth(0.34, 0.28, off);
        let colour = rgb(0xFF_C860).lerp(rgb(0xFF_FAE8), smooth(0.5, 0.2, off));
        colour.extend(disc.max(0.6 * halo * halo))
    })
}

fn moon(seed: u64) -> Canvas {
    let (seas, pits) = (Noise::new([3, 3], 4, seed), Noise::new([9, 9], 2, seed ^ 1));
    Canvas::cover(SMALL, |at| {
        let off = 2.0 * (at - 0.5).length();
        let sea = smooth(0.0, 0.35, seas.at(at));
        let tone = rgb(0xE8_E6DA).lerp(rgb(0xA4_A6AC), 0.7 * sea) * (0.97 + 0.06 * pits.at(at));
        // Darker towards its rim, with a faint ring of light around it.
        let disc = smooth(0.72, 0.66, off);
        let halo = 0.2 * (1.0 - off).max(0.0);
        (tone * (1.0 - 0.25 * off * off)).extend(disc.max(halo))
    })
}

fn clouds(seed: u64) -> Canvas {
    let field = Noise::new([3, 3], 6, seed);
    Canvas::cover(SIDE, |at| {
        let (here, above) = (field.at(at), field.at(at + Vec2::new(-0.02, -0.03)));
        let thick = smooth(0.02, 0.5, here);
        let lit = (0.86 + 0.5 * (here - above)).clamp(0.6, 1.0);
        let colour = rgb(0xFF_FFFF).lerp(rgb(0xA8_B4C4), 0.55 * smooth(0.3, 0.8, here)) * lit;
        colour.extend(0.92 * thick)
    })
}

fn cover(seed: u64) -> Canvas {
    let (field, rolls) = (Noise::new([3, 3], 6, seed), Noise::new([2, 5], 3, seed ^ 1));
    Canvas::cover(SIDE, |at| {
        let tone = 0.72 + 0.16 * field.at(at) + 0.1 * rolls.at(at);
        let thick = smooth(-0.9, -0.1, field.at(at));
        (rgb(0xC4_CAD2) * tone).extend(0.6 + 0.36 * thick)
    })
}

fn rain(seed: u64) -> Canvas {
    let mut canvas = Canvas::cover(2 * SIDE, |_| rgb(0xB8_C8D8).extend(0.0));
    let mut random = Random(seed);
    for _ in 0..150 {
        let from = random.place() * number(2 * SIDE);
        let to = from + Vec2::new(2.0, random.between(26.0, 60.0));
        let tone = rgb(0xB8_C8D8) * random.between(0.85, 1.0);
        canvas.stroke(&Stroke { from, to, width: [0.2, 0.6], colour: [tone, tone] });
    }
    // Drops let most of the light through.
    canvas.pixels.iter_mut().for_each(|pixel| pixel.w *= 0.42);
    canvas
}
