//! Textures of metal, glass, cloth, skin and hair.

use core::f32::consts::TAU;

use threshold_land::vector::{Vec2, Vec3};

use super::canvas::{Canvas, SIDE, Stroke, rgb};
use super::earth::LIGHT;
use super::noise::{Noise, Scatter, number, smooth, whole};
use crate::tool::random::Random;

/// Pixels along the side of textures with few details.
const SMALL: usize = 64;

/// Wrought iron: hammer marks and some rust.
pub(crate) fn iron(base: Vec3, seed: u64) -> Canvas {
    let (dents, rust) = (Scatter::new(9, 0.8, seed), Noise::new([5, 5], 5, seed ^ 1));
    let grain = Noise::new([32, 32], 2, seed ^ 2);
    Canvas::paint(SIDE, |at| {
        let near = dents.at(at);
        let hollow = smooth(0.75, 0.1, near.first);
        let lit = 1.0 - 0.45 * hollow * near.offset.dot(LIGHT) + 0.1 * grain.at(at);
        let steel = base * lit * (1.05 + 0.1 * rust.at(at + 0.5));
        steel.lerp(rgb(0x6A_3E22), 0.6 * smooth(0.2, 0.7, rust.at(at) + 0.2 * grain.at(at)))
    })
}

/// Leaded panes, as diamonds.
pub(crate) fn glass(base: Vec3, seed: u64) -> Canvas {
    const ROWS: f32 = 8.0;
    let bubbles = Noise::new([20, 20], 2, seed);
    Canvas::cover(SIDE, |at| {
        let turned = Vec2::new(at.x + at.y, at.x - at.y) * ROWS;
        let part = turned - turned.floor();
        let edge = part.min(1.0 - part).min_element() * number(SIDE) / ROWS;
        // Wrapped, as the panes over the edge are those of the opposite side.
        let (row, column) = (whole(turned.x), whole(turned.y));
        let [x, y] = [row + column, row - column].map(|sum| sum.rem_euclid(16));
        let pane = u64::from(x.unsigned_abs()) << 8 | u64::from(y.unsigned_abs());
        let tone = Random(seed ^ pane << 16).unit();
        let sheen = 0.16 * smooth(0.35, 0.0, (part.x - part.y).abs());
        let clear = base * (0.82 + 0.16 * tone + sheen + 0.04 * bubbles.at(at));
        let clear = clear.lerp(rgb(0xC8_D89C), 0.3 * smooth(0.8, 0.95, tone));
        let lead = rgb(0x4C_4E54) * (0.8 + 0.5 * smooth(0.9, 0.2, edge));
        let cover = smooth(1.5, 0.9, edge);
        clear.lerp(lead, cover).extend(0.45 + 0.12 * tone + (0.55 - 0.12 * tone) * cover)
    })
}

/// A weave of threads, over and under.
fn weave(base: Vec3, threads: f32, seed: u64) -> Canvas {
    let (folds, slubs) = (Noise::new([3, 2], 3, seed), Noise::new([4, 40], 2, seed ^ 1));
    let slubs_down = Noise::new([40, 4], 2, seed ^ 2);
    Canvas::paint(SIDE, |at| {
        let scaled = at * threads;
        let part = scaled - scaled.floor() - 0.5;
        let over = (whole(scaled.x) + whole(scaled.y)).rem_euclid(2) == 0;
        let (round, slub) = if over { (part.y, slubs.at(at)) } else { (part.x, slubs_down.at(at)) };
        let end = if over { part.x } else { part.y };
        let lit = 1.02 - 0.9 * round * round - 0.5 * end * end + if over { 0.05 } else { -0.04 };
        base * (lit + 0.12 * slub + 0.07 * folds.at(at))
    })
}

/// Woven cloth, with a stripe of gold.
pub(crate) fn cloth(base: Vec3, seed: u64) -> Canvas {
    let plain = weave(base * 1.16, 64.0, seed);
    let gold = weave(rgb(0xC0_9440), 64.0, seed);
    plain.mix(&gold, |at| {
        let off = ((4.0 * at.y).rem_euclid(1.0) - 0.5).abs();
        if off < 0.06 || (0.1..0.125).contains(&off) { 0.75 } else { 0.0 }
    })
}

/// Pale linen.
pub(crate) fn linen(base: Vec3, seed: u64) -> Canvas {
    weave(base * 1.12, 64.0, seed)
}

/// Creased hide.
pub(crate) fn leather(base: Vec3, seed: u64) -> Canvas {
    let (creases, bend) = (Scatter::new(24, 0.95, seed), Noise::new([12, 12], 2, seed ^ 1));
    let (wear, grain) = (Noise::new([4, 4], 4, seed ^ 2), Noise::new([48, 48], 1, seed ^ 3));
    Canvas::paint(SIDE, |at| {
        let near = creases.at(at + 0.012 * bend.at(at));
        let crease = smooth(0.22, 0.0, near.border());
        let tone = 1.04 + 0.16 * wear.at(at) - 0.16 * crease + 0.06 * grain.at(at);
        base.lerp(rgb(0x9A_6C40), 0.25 * smooth(0.0, 1.0, wear.at(at))) * tone
    })
}

/// Skin of a face.
pub(crate) fn skin(base: Vec3, seed: u64) -> Canvas {
    let (blush, pores) = (Noise::new([3, 3], 3, seed), Noise::new([24, 24], 2, seed ^ 1));
    Canvas::paint(SMALL, |at| {
        let tone = 0.99 + 0.03 * blush.at(at) + 0.03 * pores.at(at);
        base.lerp(rgb(0xD0_8A70), 0.18 + 0.18 * blush.at(at)) * tone
    })
}

/// Hair that hangs down.
pub(crate) fn hair(base: Vec3, seed: u64) -> Canvas {
    let mut canvas = Canvas::paint(SMALL, |_| base * 0.7);
    let mut random = Random(seed);
    for _ in 0..420 {
        let from = random.place() * number(SMALL);
        let lean = 0.14 * random.signed();
        let to = from + Vec2::new(lean, 1.0) * random.between(12.0, 26.0);
        let tone = base.lerp(rgb(0x8A_6640), 0.5 * random.unit()) * random.between(0.75, 1.25);
        canvas.stroke(&Stroke { from, to, width: [0.9, 0.7], colour: [tone, tone * 0.85] });
    }
    canvas
}

/// Flames.
pub(crate) fn flame(base: Vec3, seed: u64) -> Canvas {
    let (bend, tongues) = (Noise::new([4, 3], 2, seed), Noise::new([7, 3], 3, seed ^ 1));
    Canvas::paint(SMALL, |at| {
        let bent = at + Vec2::new(0.1 * bend.at(at) + 0.02 * libm::sinf(TAU * at.y), 0.0);
        let heat = 0.5 + 0.5 * tongues.at(bent);
        let red = rgb(0xE0_5A10).lerp(base, smooth(0.1, 0.5, heat));
        red.lerp(rgb(0xFF_F6D0), smooth(0.5, 0.95, heat))
    })
}
