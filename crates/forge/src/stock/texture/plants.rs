//! Textures of plants, with holes.

use core::f32::consts::TAU;

use threshold_land::vector::{Vec2, Vec3, Vec4};

use super::canvas::{Canvas, SIDE, Stroke, rgb};
use super::noise::{Noise, number, smooth};
use crate::tool::random::Random;

/// Margin of textures that are shown once, in pixels.
const RIM: f32 = 2.5;
/// The last painted row, in pixels: the ground line of plants.
const GROUND: f32 = 125.5;
const _: () = assert!(SIDE == 128, "pictures of plants are laid out by hand");

/// Creates an empty image in a colour that does not show at the rims of painted parts.
fn clear(colour: Vec3) -> Canvas {
    Canvas::cover(SIDE, |_| colour.extend(0.0))
}

/// Clamps a position away from the edges, where painting would continue at the opposite side.
fn kept(place: Vec2) -> Vec2 {
    place.clamp(Vec2::splat(RIM), Vec2::splat(number(SIDE) - RIM))
}

/// Makes coverage binary: full or none.
fn cut_out(mut canvas: Canvas) -> Canvas {
    for pixel in &mut canvas.pixels {
        *pixel = Vec4::new(pixel.x, pixel.y, pixel.z, if pixel.w > 0.45 { 1.0 } else { 0.0 });
    }
    canvas
}

/// Paints leaves: `grow` gives the stalk of each and its approximate direction. Leaves painted last are on top, and in
/// the light.
fn strew(
    canvas: &mut Canvas,
    base: Vec3,
    count: usize,
    random: &mut Random,
    grow: impl Fn(&mut Random) -> [Vec2; 2],
) {
    for index in 0..count {
        let depth = number(index) / number(count);
        let [stalk, away] = grow(random);
        let direction = away + Vec2::new(1.1 * random.signed(), 1.1 * random.signed() + 0.35);
        let tip = stalk + direction.normalize_or(Vec2::Y) * random.between(7.0, 12.0);
        let sun = base.lerp(rgb(0x9C_B83C), 0.55 * random.unit());
        let tone = sun * (0.5 + 0.5 * depth + 0.14 * random.signed());
        canvas.leaf(stalk, tip, random.between(0.45, 0.65), tone);
    }
}

fn branch(canvas: &mut Canvas, from: Vec2, to: Vec2) {
    let wood = rgb(0x4A_3824);
    canvas.stroke(&Stroke { from, to, width: [2.2, 0.8], colour: [wood, wood * 0.8] });
}

/// Twigs of a leafy tree, side by side, seamless.
pub(crate) fn leaves(base: Vec3, seed: u64) -> Canvas {
    let mut canvas = clear(base * 0.7);
    let mut random = Random(seed);
    for _ in 0..12 {
        let from = random.place() * number(SIDE);
        branch(&mut canvas, from, from + 36.0 * Vec2::new(random.signed(), random.signed()));
    }
    let grow = |random: &mut Random| [random.place() * number(SIDE), Vec2::ZERO];
    strew(&mut canvas, base, 720, &mut random, grow);
    cut_out(canvas)
}

/// A bunch of leafy twigs, ragged all round.
pub(crate) fn twigs(base: Vec3, seed: u64) -> Canvas {
    let mut canvas = clear(base * 0.7);
    let mut random = Random(seed);
    let middle = Vec2::splat(0.5 * number(SIDE));
    for _ in 0..12 {
        let to = middle.lerp(random.place() * number(SIDE), 0.7);
        branch(&mut canvas, middle.lerp(to, random.between(0.0, 0.3)), to);
    }
    // Its radius in every direction.
    let reach = Noise::new([7, 1], 2, seed ^ 1);
    strew(&mut canvas, base, 760, &mut random, |random| {
        let (turn, far) = (random.unit(), random.unit().sqrt());
        let spoke = Vec2::new(libm::cosf(turn * TAU), libm::sinf(turn * TAU));
        let max = 44.0 + 7.0 * reach.at(Vec2::new(turn, 0.5));
        [middle + spoke * far * max, spoke]
    });
    cut_out(canvas)
}

/// A twig with needles on both sides.
fn twig(canvas: &mut Canvas, [from, to]: [Vec2; 2], length: f32, tone: Vec3, random: &mut Random) {
    let wood = rgb(0x4E_3C28);
    canvas.stroke(&Stroke { from, to, width: [1.6, 0.8], colour: [wood, wood * 0.9] });
    let direction = (to - from).normalize_or(Vec2::X);
    for step in 0..30_u8 {
        let part = f32::from(step) / 30.0;
        let side = if step % 2 == 0 { 1.0 } else { -1.0 };
        let lean = (direction * 0.75 + direction.perp() * side).normalize_or(Vec2::Y);
        let root = from.lerp(to, part);
        let tip = root + lean * length * (1.0 - 0.5 * part) * random.between(0.8, 1.1);
        let colour = [tone * 0.75, tone * random.between(0.95, 1.3)];
        canvas.stroke(&Stroke { from: root, to: tip, width: [1.8, 1.1], colour });
    }
}

fn needle_tone(base: Vec3, depth: f32, random: &mut Random) -> Vec3 {
    base.lerp(rgb(0x6A_9A5C), 0.4 * random.unit()) * (0.55 + 0.5 * depth)
}

/// Twigs of a fir, side by side, seamless.
pub(crate) fn needles(base: Vec3, seed: u64) -> Canvas {
    const TWIGS: usize = 150;
    let mut canvas = clear(base * 0.7);
    let mut random = Random(seed);
    for index in 0..TWIGS {
        let from = random.place() * number(SIDE);
        let direction =
            Vec2::new(random.signed(), random.between(-0.25, 0.9)).normalize_or(Vec2::X);
        let to = from + direction * random.between(22.0, 40.0);
        let tone = needle_tone(base, number(index) / number(TWIGS), &mut random);
        twig(&mut canvas, [from, to], 9.0, tone, &mut random);
    }
    cut_out(canvas)
}

/// Returns a point on the stem of a bough or a frond, from its root at the ground to its tip.
fn stem(part: f32) -> Vec2 {
    Vec2::new(64.0 + 2.5 * libm::sinf(part * 4.0), GROUND - part * 121.0)
}

/// Returns pairs along a stem, from the root to the tip: the position, and the reach to either side.
fn pairs(count: u8, longest: f32) -> impl Iterator<Item = (f32, Vec2)> {
    (0..count).flat_map(move |step| {
        let part = f32::from(step + 1) / f32::from(count + 1);
        // Widest at a quarter of the length.
        let length = longest * smooth(-0.15, 0.25, part) * (1.04 - part);
        [-1.0, 1.0].map(|side| (part, Vec2::new(side, -0.55).normalize() * length))
    })
}

/// A bough of a fir, from the trunk below to its tip above.
pub(crate) fn bough(base: Vec3, seed: u64) -> Canvas {
    let mut canvas = clear(base * 0.7);
    let mut random = Random(seed);
    for (part, direction) in pairs(17, 56.0) {
        let from = stem(part);
        let to =
            kept(from + direction * random.between(0.85, 1.1) + Vec2::Y * 3.0 * random.signed());
        let tone = needle_tone(base, 0.4 + 0.6 * part, &mut random);
        twig(&mut canvas, [from, to], 7.0, tone, &mut random);
    }
    let tone = needle_tone(base, 1.0, &mut random);
    twig(&mut canvas, [stem(0.0), stem(0.97)], 9.0, tone, &mut random);
    cut_out(canvas)
}

/// A frond of a fern, from its root below to its tip above.
pub(crate) fn frond(base: Vec3, seed: u64) -> Canvas {
    let mut canvas = clear(base * 0.7);
    let mut random = Random(seed);
    for (part, direction) in pairs(19, 62.0) {
        let from = stem(part);
        let to = kept(from + direction * random.between(0.92, 1.06));
        let tone = base.lerp(rgb(0x9C_B850), 0.4 * random.unit()) * (0.72 + 0.4 * part);
        // Lower down there is room for wider leaves.
        canvas.leaf(from, to, 0.26 + 0.2 * part, tone);
    }
    let colour = [base * 0.6, base];
    canvas.stroke(&Stroke { from: stem(0.0), to: stem(0.98), width: [3.0, 1.0], colour });
    cut_out(canvas)
}

/// Tall blades, and the brown heads of reeds between them.
pub(crate) fn blades(base: Vec3, seed: u64) -> Canvas {
    const BLADES: usize = 64;
    let mut canvas = clear(base * 0.7);
    let mut random = Random(seed);
    for index in 0..BLADES {
        let depth = number(index) / number(BLADES);
        let from = Vec2::new(random.between(16.0, 112.0), GROUND);
        let height = random.between(45.0, 118.0);
        let lean = 0.16 * random.signed();
        let bend = from + Vec2::new(lean, -0.7) * height;
        let to = kept(bend + Vec2::new(2.2 * lean, -0.3) * height);
        let tone = base.lerp(rgb(0xA8_A860), 0.45 * random.unit()) * (0.6 + 0.45 * depth);
        let mut stroke = |from, to, width, colour| {
            canvas.stroke(&Stroke { from, to, width, colour });
        };
        if index % 9 == 4 {
            let head = Vec2::new(from.x + lean * 40.0, random.between(10.0, 34.0));
            let brown = rgb(0x5C_3A20);
            stroke(from, head, [1.6, 1.4], [tone * 0.6, tone * 0.9]);
            stroke(head, head + Vec2::Y * 16.0, [4.6, 4.6], [brown * 1.2, brown * 0.85]);
        } else {
            stroke(from, bend, [3.2, 2.4], [tone * 0.55, tone * 0.9]);
            stroke(bend, to, [2.4, 0.8], [tone * 0.9, tone * 1.15]);
        }
    }
    cut_out(canvas)
}

/// Flowers of several colours on their stalks.
pub(crate) fn blossoms(base: Vec3, seed: u64) -> Canvas {
    const FLOWERS: usize = 15;
    const PETALS: [u32; 4] = [0xC8_3C34, 0xEE_E8D8, 0xE8_BC40, 0x8C_6CC0];
    let mut canvas = clear(base * 0.7);
    let mut random = Random(seed);
    for index in 0..FLOWERS {
        let place = (number(index) + 0.5) / number(FLOWERS);
        let head = Vec2::new(10.0 + 108.0 * place, random.between(12.0, 74.0));
        let from = Vec2::new(64.0 + 0.72 * (head.x - 64.0), GROUND);
        let green = base * random.between(0.75, 1.15);
        canvas.stroke(&Stroke { from, to: head, width: [2.2, 1.3], colour: [green * 0.6, green] });
        for (part, side) in [(0.15, -1.0), (0.3, 1.0), (0.45, -1.0)] {
            let stalk = from.lerp(head, part);
            let tip = kept(stalk + Vec2::new(side * 13.0, -10.0 + 5.0 * random.signed()));
            canvas.leaf(stalk, tip, 0.42, green * random.between(0.8, 1.1));
        }
        let petals = rgb(PETALS[(index * 3 + 1) % PETALS.len()]) * random.between(0.88, 1.0);
        for petal in 0..6_u8 {
            let turn = (f32::from(petal) + random.unit() * 0.4) / 6.0 * TAU;
            let spoke = Vec2::new(libm::cosf(turn), 0.8 * libm::sinf(turn));
            canvas.leaf(head + spoke, kept(head + spoke * 7.5), 0.85, petals);
        }
        let (from, to) = (head, head + Vec2::X * 0.2);
        let heart = rgb(0xD8_9A28);
        canvas.stroke(&Stroke { from, to, width: [3.4, 3.4], colour: [heart, heart] });
    }
    cut_out(canvas)
}
