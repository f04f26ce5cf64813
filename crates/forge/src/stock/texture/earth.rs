//! Textures of the ground.

use core::f32::consts::TAU;

use threshold_land::vector::{Vec2, Vec3};

use super::canvas::{Canvas, SIDE, Stroke, rgb};
use super::noise::{Noise, Scatter, chance, number, smooth};
use crate::tool::random::Random;

/// Direction of the light in textures: from above, on the left.
pub(crate) const LIGHT: Vec2 = Vec2::new(-0.6, -0.8);

/// Meadow: blades over darker ground, in tufts.
pub(crate) fn grass(base: Vec3, seed: u64) -> Canvas {
    let (ground, tufts) = (Noise::new([6, 6], 4, seed), Noise::new([5, 5], 2, seed ^ 1));
    let soil = base.lerp(rgb(0x4A_3E26), 0.35);
    let mut canvas = Canvas::paint(SIDE, |at| soil * (0.66 + 0.14 * ground.at(at)));
    let mut random = Random(seed ^ 2);
    let [fresh, dry] = [base * 1.2, base.lerp(rgb(0xC0_B060), 0.5) * 1.12];
    for _ in 0..1500 {
        let place = random.place();
        let tuft = tufts.at(place);
        let length = random.between(5.0, 11.0) * (1.0 + 0.4 * tuft);
        let lean = random.signed() * 0.55 + 0.25 * tuft;
        let from = place * number(SIDE);
        let tip = fresh.lerp(dry, random.unit() * random.unit() + 0.25 * tuft.max(0.0));
        let tip = tip * random.between(0.75, 1.1) * (1.0 + 0.06 * tuft);
        canvas.stroke(&Stroke {
            from,
            to: from + Vec2::new(lean, -1.0) * length,
            width: [1.5, 0.4],
            colour: [tip * 0.6, tip],
        });
    }
    canvas
}

/// Trodden earth with pebbles.
pub(crate) fn dirt(base: Vec3, seed: u64) -> Canvas {
    let (clods, grain) = (Noise::new([8, 8], 3, seed), Noise::new([48, 48], 2, seed ^ 1));
    let warm = base.lerp(rgb(0x6A_4A2C), 0.4);
    let ground = Canvas::paint(SIDE, |at| {
        let clod = clods.at(at);
        // Wide bumps are faint: over a whole yard they would show as a pattern.
        base.lerp(warm, 0.5 - 0.3 * clod) * (0.95 + 0.07 * clod + 0.13 * grain.at(at))
    });
    pebbles(ground, [11, 30], base.lerp(rgb(0x9A_948A), 0.6), seed ^ 2)
}

/// Scatters stones: `count` grid positions across, with a percentage of them used.
fn pebbles(mut ground: Canvas, [count, share]: [usize; 2], stone: Vec3, seed: u64) -> Canvas {
    let scatter = Scatter::new(count, 0.7, seed);
    let mut pixels = ground.pixels.iter_mut();
    Canvas::paint(ground.side, |at| {
        let below = pixels.next().map_or(Vec3::ZERO, |pixel| pixel.truncate());
        let near = scatter.at(at);
        let size = 0.12 + 0.22 * chance(near.index, seed ^ 7);
        if chance(near.index, seed) > number(share) / 100.0 {
            return below;
        }
        let squeezed = near.offset * Vec2::new(0.85, 1.2);
        let edge = squeezed.length() / size;
        let lit = 0.95 + 0.35 * (near.offset / size).dot(LIGHT);
        let tone = stone * (0.8 + 0.35 * chance(near.index, seed ^ 9)) * lit;
        // A shadow on the side away from the light.
        let shade = smooth(1.5, 1.0, (squeezed + LIGHT * 0.25 * size).length() / size);
        tone.lerp(below * (1.0 - 0.4 * shade), smooth(0.88, 1.08, edge))
    })
}

/// A beach with ripples.
pub(crate) fn sand(base: Vec3, seed: u64) -> Canvas {
    let (bend, swell) = (Noise::new([3, 3], 2, seed), Noise::new([4, 4], 3, seed ^ 1));
    let grain = Noise::new([64, 64], 1, seed ^ 2);
    Canvas::paint(SIDE, |at| {
        let wave = libm::sinf(TAU * (7.0 * at.y + at.x + 0.8 * bend.at(at)));
        // Ripples have a long windward side and a short leeward side.
        let ripple = wave * (0.75 + 0.25 * wave) * smooth(-0.7, 0.5, swell.at(at));
        let tone = 0.97 + 0.055 * ripple + 0.05 * swell.at(at) + 0.07 * grain.at(at);
        base.lerp(rgb(0xB0_9058), 0.12 - 0.12 * ripple) * tone
    })
}

/// Natural rock. `layers` is the strength of its layers, 0 to 1.
pub(crate) fn rock(base: Vec3, layers: f32, seed: u64) -> Canvas {
    let (body, bend) = (Noise::new([4, 4], 5, seed), Noise::new([3, 3], 3, seed ^ 1));
    let strata = Noise::new([2, 11], 3, seed ^ 2);
    let (facets, fine) = (Scatter::new(5, 1.0, seed ^ 3), Noise::new([9, 9], 3, seed ^ 4));
    let height = |at: Vec2| {
        let bent = at + Vec2::new(0.1, 0.07) * Vec2::new(bend.at(at), bend.at(second_sample(at)));
        let near = facets.at(bent + 0.04 * fine.at(at));
        // Facets lean in different directions and break off from each other.
        let lean = Vec2::new(chance(near.index, seed ^ 5), chance(near.index, seed ^ 6)) - 0.5;
        let crack = smooth(0.09, 0.0, near.border()) * smooth(-0.25, 0.3, bend.at(at + 0.3));
        let facet = 2.2 * lean.dot(near.offset) + 0.5 * chance(near.index, seed ^ 7);
        let layer = layers * (strata.at(bent) - 0.3 * body.at(at));
        0.8 * body.at(at) + (1.0 - 0.6 * layers) * facet + layer - 0.6 * crack
    };
    Canvas::relief(height, |at, height, lit| {
        let tone = 0.9 + 0.13 * height + 0.75 * lit + 0.07 * fine.at(at);
        base.lerp(rgb(0x8A_7A5A), 0.18 + 0.18 * bend.at(at)) * tone
    })
}

/// Returns another position of the same image, so that one noise serves for two.
fn second_sample(at: Vec2) -> Vec2 {
    Vec2::new(at.y + 0.37, at.x + 0.71)
}

/// Gravel, worn down to its bed where most traffic went. It has no direction: the land does not rotate textures, and roads run
/// in all directions.
pub(crate) fn road(base: Vec3, seed: u64) -> Canvas {
    let (clods, wear) = (Noise::new([5, 5], 4, seed), Noise::new([4, 4], 3, seed ^ 1));
    let grain = Noise::new([40, 40], 2, seed ^ 2);
    let worn = |at: Vec2| smooth(-0.1, 0.35, wear.at(at));
    let bed = Canvas::paint(SIDE, |at| {
        let tone = 0.88 + 0.12 * clods.at(at) + 0.1 * grain.at(at) - 0.05 * worn(at);
        base * tone
    });
    let stone = base.lerp(rgb(0xB4_AEA0), 0.55);
    let coarse = pebbles(bed.clone(), [13, 70], stone, seed ^ 3);
    let gravel = pebbles(coarse, [21, 60], stone * 0.92, seed ^ 4);
    gravel.mix(&bed, |at| 0.7 * worn(at))
}

/// A lake with ripples.
pub(crate) fn water(base: Vec3, seed: u64) -> Canvas {
    let (wide, bend) = (Noise::new([2, 3], 3, seed), Noise::new([3, 3], 2, seed ^ 1));
    let (swell, chop) = (Noise::new([4, 9], 2, seed ^ 2), Noise::new([9, 20], 2, seed ^ 3));
    let height = |at: Vec2| {
        let bent = at + 0.07 * Vec2::new(bend.at(at), bend.at(second_sample(at)));
        let crest = swell.ridge(bent);
        crest * crest + 0.3 * chop.at(bent)
    };
    let sky = base.lerp(rgb(0x9C_CBE0), 0.6);
    Canvas::relief(height, |at, height, lit| {
        let deep = base * (0.9 + 0.12 * wide.at(at) - 0.25 * lit);
        deep.lerp(sky, 0.3 * height.clamp(0.0, 1.2) * height.max(0.0) + 0.5 * lit.max(0.0))
    })
}

/// Snow in soft drifts, with sparkles.
pub(crate) fn snow(base: Vec3, seed: u64) -> Canvas {
    let (drifts, grain) = (Noise::new([3, 4], 4, seed), Noise::new([64, 64], 1, seed ^ 1));
    Canvas::relief(
        |at| drifts.at(at),
        |at, height, lit| {
            let shade = 0.95 + 0.8 * lit.clamp(-0.2, 0.12) + 0.02 * grain.at(at);
            base.lerp(rgb(0xC0_D2EA), 0.35 - 0.35 * height) * shade
        },
    )
}

/// Ice with white cracks.
pub(crate) fn ice(base: Vec3, seed: u64) -> Canvas {
    let (clouds, bend) = (Noise::new([4, 4], 4, seed), Noise::new([6, 6], 3, seed ^ 1));
    let cracks = Scatter::new(3, 0.95, seed ^ 2);
    let veins = Scatter::new(7, 0.95, seed ^ 3);
    Canvas::paint(SIDE, |at| {
        let bent = at + 0.025 * bend.at(at);
        let line = smooth(0.05, 0.0, cracks.at(bent).border());
        let vein = smooth(0.06, 0.0, veins.at(bent).border());
        let body = base * (0.9 + 0.1 * clouds.at(at));
        body.lerp(Vec3::splat(0.97), (0.75 * line).max(0.3 * vein) + 0.1 * clouds.at(at).max(0.0))
    })
}

/// Crusted rock with fire in its cracks.
pub(crate) fn lava(base: Vec3, seed: u64) -> Canvas {
    let crust = rock(base, 0.1, seed);
    let (cracks, bend) = (Scatter::new(4, 0.9, seed ^ 5), Noise::new([6, 6], 3, seed ^ 6));
    let heat = Noise::new([4, 4], 2, seed ^ 7);
    let glow = Canvas::paint(SIDE, |at| {
        let near = cracks.at(at + 0.04 * bend.at(at)).border();
        rgb(0xA0_2008).lerp(rgb(0xFF_C040), smooth(0.09, 0.0, near))
    });
    crust.mix(&glow, |at| {
        let near = cracks.at(at + 0.04 * bend.at(at)).border();
        smooth(0.16, 0.02, near) * smooth(-0.7, 0.1, heat.at(at))
    })
}

/// Floor of a forest: earth under fallen leaves and twigs.
pub(crate) fn litter(base: Vec3, seed: u64) -> Canvas {
    let mut canvas = dirt(base * 0.85, seed);
    let mut random = Random(seed ^ 11);
    let tones = [0x6B_5A2E, 0x7A_5224, 0x4E_5A2A, 0x8A_6C30, 0x54_4022].map(rgb);
    for index in 0..340 {
        let from = random.place() * number(SIDE);
        let direction = Vec2::new(random.signed(), random.signed());
        let tone = random.pick(&tones) * random.between(0.7, 1.15);
        if index % 9 == 0 {
            let (to, width) = (from + direction * 14.0, [1.4, 0.7]);
            canvas.stroke(&Stroke { from, to, width, colour: [tone * 0.55, tone * 0.7] });
        } else {
            canvas.leaf(
                from,
                from + direction.normalize_or(Vec2::X) * random.between(5.0, 9.0),
                0.6,
                tone,
            );
        }
    }
    canvas
}

/// Moss in cushions.
pub(crate) fn moss(base: Vec3, seed: u64) -> Canvas {
    let (cushions, grain) = (Scatter::new(9, 0.9, seed), Noise::new([32, 32], 3, seed ^ 1));
    let wide = Noise::new([3, 3], 3, seed ^ 2);
    Canvas::paint(SIDE, |at| {
        let near = cushions.at(at + 0.02 * grain.at(at));
        let round = 1.0 - near.first;
        let lit = 0.62 + 0.35 * round + 0.16 * near.offset.dot(LIGHT) + 0.16 * grain.at(at);
        base.lerp(rgb(0x8C_A040), 0.2 + 0.2 * wide.at(at)) * lit
    })
}

/// Two grounds in patches of each other: small ones, to hide the repeats.
pub(crate) fn patches(first: Canvas, second: &Canvas, share: f32, seed: u64) -> Canvas {
    let field = Noise::new([6, 6], 4, seed);
    first.mix(second, |at| smooth(-0.16, 0.16, field.at(at) + 2.0 * share - 1.0))
}

/// Sand with stones.
pub(crate) fn strewn(base: Vec3, seed: u64) -> Canvas {
    let stone = base.lerp(rgb(0x8A_7E6C), 0.7);
    pebbles(pebbles(sand(base, seed), [5, 45], stone, seed ^ 3), [12, 25], stone, seed ^ 4)
}
