//! Textures of wood and straw.

use core::f32::consts::TAU;

use threshold_land::vector::{Vec2, Vec3};

use super::canvas::{Canvas, SIDE, Stroke, rgb};
use super::noise::{Noise, chance, number, smooth, whole, wrapped};
use crate::tool::random::Random;

/// Fibres that run down the image.
struct Grain {
    fibres: Noise,
    bend: Noise,
    rings: Noise,
}

impl Grain {
    fn new(seed: u64) -> Self {
        Self {
            fibres: Noise::new([40, 2], 2, seed ^ 21),
            bend: Noise::new([3, 2], 2, seed ^ 22),
            rings: Noise::new([4, 1], 1, seed ^ 23),
        }
    }

    /// Returns a value from -1, dark, to 1, bright.
    fn at(&self, at: Vec2) -> f32 {
        let bent = at + Vec2::new(0.025 * self.bend.at(at), 0.0);
        let ring = libm::sinf(TAU * (5.0 * self.rings.at(bent) + 0.5 * self.bend.at(bent)));
        0.6 * self.fibres.at(bent) + 0.4 * ring
    }
}

/// Boards side by side, nailed at their ends.
pub(crate) fn plank(base: Vec3, seed: u64) -> Canvas {
    const BOARDS: usize = 8;
    let (grain, wear) = (Grain::new(seed), Noise::new([5, 5], 4, seed ^ 1));
    let width = number(SIDE) / number(BOARDS);
    Canvas::paint(SIDE, |at| {
        let x = at.x * number(BOARDS);
        let board = wrapped(whole(x), BOARDS);
        // Boards end at different heights, and the next one has another grain.
        let end = chance(board, seed ^ 2);
        let y = (at.y + end).rem_euclid(1.0);
        let moved = Vec2::new(at.x + 0.37 * chance(board, seed ^ 3), y);
        let across = width * (x - x.floor());
        let edge = across.min(width - across).min(y.min(1.0 - y) * number(SIDE));
        let tone = chance(board, seed ^ 4);
        let wood = base
            .lerp(rgb(0xA0_8054), 0.45 * tone)
            .lerp(rgb(0x6A_5440), 0.35 * wear.at(at).max(0.0));
        let lit = 0.86 + 0.2 * tone + 0.16 * grain.at(moved) + 0.1 * smooth(2.5, 1.0, across);
        let nail = |x: f32, y: f32| {
            smooth(1.5, 0.6, (Vec2::new(across, number(SIDE) * y) - Vec2::new(x, 4.0)).length())
        };
        let nails = nail(4.0, y).max(nail(width - 4.0, y));
        let face = (wood * lit).lerp(rgb(0x2C_2A28), 0.8 * nails);
        (base * 0.24).lerp(face, smooth(0.35, 1.2, edge))
    })
}

/// Hewn beams.
pub(crate) fn timber(base: Vec3, seed: u64) -> Canvas {
    let (grain, hewn) = (Grain::new(seed), Noise::new([7, 11], 3, seed ^ 1));
    let splits = Noise::new([16, 1], 2, seed ^ 2);
    Canvas::paint(SIDE, |at| {
        let bent = at + Vec2::new(0.012 * hewn.at(at), 0.0);
        let split = smooth(0.93, 1.0, splits.ridge(bent)) * smooth(-0.1, 0.4, hewn.at(at + 0.5));
        let tone = 1.0 + 0.24 * grain.at(at) + 0.13 * hewn.at(at) - 0.5 * split;
        base.lerp(rgb(0x7A_5A38), 0.25 + 0.25 * hewn.at(at)) * tone
    })
}

/// Straw in four layers.
pub(crate) fn thatch(base: Vec3, seed: u64) -> Canvas {
    const LAYERS: f32 = 4.0;
    let wear = Noise::new([5, 5], 4, seed);
    let mut canvas = Canvas::paint(SIDE, |at| base * (0.5 + 0.1 * wear.at(at)));
    let mut random = Random(seed ^ 1);
    let [bright, old] = [base.lerp(rgb(0xE0_C880), 0.5), base.lerp(rgb(0x7A_6A50), 0.6)];
    for index in 0..2600_usize {
        let place = random.place();
        let layer = (place.y * LAYERS + 0.12 * wear.at(place)).rem_euclid(1.0);
        let from = place * number(SIDE);
        let tone = old.lerp(bright, random.unit() * 0.8 + 0.2 * wear.at(place));
        // The upper part of a layer lies in the shadow of the one above.
        let lit = 0.62 + 0.42 * smooth(0.0, 0.45, layer) + random.between(-0.08, 0.08);
        let length = random.between(7.0, 15.0) * (1.15 - 0.7 * smooth(0.6, 1.0, layer));
        let lean = 0.16 * random.signed() + if index.is_multiple_of(23) { 0.5 } else { 0.0 };
        canvas.stroke(&Stroke {
            from,
            to: from + Vec2::new(lean, 1.0) * length,
            width: [1.0, 0.7],
            colour: [tone * lit * 0.8, tone * lit],
        });
    }
    canvas
}

/// Ridges that run up a trunk.
pub(crate) fn bark(base: Vec3, seed: u64) -> Canvas {
    let (bend, grain) = (Noise::new([4, 4], 3, seed), Noise::new([24, 16], 3, seed ^ 1));
    let (ridges, plates) = (Noise::new([12, 3], 2, seed ^ 2), Noise::new([7, 12], 2, seed ^ 3));
    let height = |at: Vec2| {
        let bent = at + Vec2::new(0.05, 0.03) * bend.at(at);
        let furrow = smooth(0.62, 1.0, ridges.ridge(bent));
        let across = smooth(0.8, 1.0, plates.ridge(bent));
        0.35 * grain.at(at) - 1.2 * furrow - 0.5 * across
    };
    Canvas::relief(height, |at, height, lit| {
        let mossy = 0.3 * smooth(0.25, 0.7, bend.at(at + 0.3));
        base.lerp(rgb(0x5E_6A38), mossy) * (1.2 + 0.36 * height + 0.7 * lit)
    })
}
