//! Textures of stone walls and roofs.

use threshold_land::vector::{Vec2, Vec3};

use super::canvas::{Canvas, SIDE, rgb};
use super::earth::LIGHT;
use super::noise::{Noise, Scatter, chance, number, smooth, whole, wrapped};

/// Blocks laid in rows, each row shifted by half a block.
pub(crate) struct Bond {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

/// A position in a wall of blocks.
pub(crate) struct BlockPosition {
    /// Index of the block.
    pub(crate) index: usize,
    /// Position in it, 0 to 1 from its upper left corner.
    pub(crate) part: Vec2,
    /// Pixels to its nearest edge.
    pub(crate) edge: f32,
}

impl Bond {
    pub(crate) fn at(&self, place: Vec2) -> BlockPosition {
        let y = place.y * number(self.rows);
        let row = wrapped(whole(y), self.rows);
        let shift = if row.is_multiple_of(2) { 0.0 } else { 0.5 };
        let x = place.x * number(self.columns) + shift;
        let index = row * self.columns + wrapped(whole(x), self.columns);
        let part = Vec2::new(x, y) - Vec2::new(x, y).floor();
        let size = number(SIDE) / Vec2::new(number(self.columns), number(self.rows));
        let edge = (part.min(1.0 - part) * size).min_element();
        BlockPosition { index, part, edge }
    }
}

/// Light along the upper and left edges of a block, and shadow along the others.
fn bevel(laid: &BlockPosition, depth: f32) -> f32 {
    let away = laid.part - 0.5;
    let near = smooth(depth, 0.3, laid.edge);
    0.22 * near * away.dot(LIGHT) * 2.0
}

/// Red bricks in running bond.
pub(crate) fn brick(base: Vec3, seed: u64) -> Canvas {
    let bond = Bond { columns: 8, rows: 16 };
    let (grain, wear) = (Noise::new([40, 40], 2, seed), Noise::new([5, 5], 4, seed ^ 1));
    let mortar = rgb(0xB0_A490);
    Canvas::paint(SIDE, |at| {
        let laid = bond.at(at + 0.0035 * Vec2::new(wear.at(at), grain.at(at)));
        let tone = chance(laid.index, seed ^ 2);
        let burnt = smooth(0.86, 0.94, chance(laid.index, seed ^ 3));
        let clay = base.lerp(rgb(0xB4_6A44), 0.5 * tone).lerp(rgb(0x5A_3430), 0.6 * burnt);
        let face = clay * (0.9 + 0.16 * tone + 0.13 * grain.at(at) + bevel(&laid, 2.2));
        let joint = mortar * (0.82 + 0.12 * grain.at(at));
        joint.lerp(face, smooth(0.45, 1.15, laid.edge)) * (0.96 + 0.1 * wear.at(at))
    })
}

/// Dressed blocks of stone.
pub(crate) fn ashlar(base: Vec3, seed: u64) -> Canvas {
    let bond = Bond { columns: 3, rows: 4 };
    let (grain, wear) = (Noise::new([32, 32], 3, seed), Noise::new([4, 6], 5, seed ^ 1));
    Canvas::paint(SIDE, |at| {
        let laid = bond.at(at + 0.004 * Vec2::new(wear.at(at), grain.at(at)));
        let tone = chance(laid.index, seed ^ 2);
        let stone = base.lerp(rgb(0xB8_A888), 0.35 * tone);
        let pits = smooth(0.45, 0.8, grain.at(at));
        let face = stone
            * (0.9 + 0.14 * tone + 0.1 * wear.at(at) + 0.07 * grain.at(at) - 0.16 * pits
                + bevel(&laid, 3.5));
        (base * 0.5).lerp(face, smooth(0.5, 1.6, laid.edge))
    })
}

/// Whitewash with stains and a few fine cracks, faint enough not to be seen at every repeat of a wall.
pub(crate) fn plaster(base: Vec3, seed: u64) -> Canvas {
    let (wide, trowel) = (Noise::new([3, 3], 5, seed), Noise::new([7, 16], 3, seed ^ 1));
    let runs = Noise::new([9, 2], 4, seed ^ 2);
    let (cracks, bend) = (Scatter::new(2, 0.9, seed ^ 3), Noise::new([8, 8], 3, seed ^ 4));
    Canvas::paint(SIDE, |at| {
        let stain = smooth(0.1, 0.8, 0.6 * wide.at(at) + 0.6 * runs.at(at));
        let open = smooth(0.1, 0.5, wide.at(at + 0.4));
        let crack = smooth(0.035, 0.0, cracks.at(at + 0.05 * bend.at(at)).border()) * open;
        let tone = 0.965 + 0.045 * trowel.at(at) + 0.035 * wide.at(at) - 0.13 * crack;
        base.lerp(rgb(0xA8_9672), 0.28 * stain) * tone
    })
}

/// Shingles of slate, each row over the next one below.
pub(crate) fn slate(base: Vec3, seed: u64) -> Canvas {
    let bond = Bond { columns: 8, rows: 10 };
    let (grain, cleft) = (Noise::new([24, 24], 3, seed), Noise::new([10, 30], 3, seed ^ 1));
    Canvas::paint(SIDE, |at| {
        // Shingles hang at slightly different heights.
        let hung = bond.at(at).index;
        let drop = 0.012 * chance(hung, seed ^ 2) + 0.002 * grain.at(at);
        let laid = bond.at(at + Vec2::new(0.002 * grain.at(at), drop));
        let tone = chance(laid.index, seed ^ 3);
        let stone = base.lerp(rgb(0x6A_6E6C), 0.6 * tone).lerp(rgb(0x4C_4658), 0.4 * (1.0 - tone));
        // The shingle above casts a shadow; the lower edge catches the light.
        let shadow = smooth(0.32, 0.0, laid.part.y);
        let rim = smooth(0.86, 0.97, laid.part.y);
        let size = number(SIDE) / number(bond.columns);
        let gap = smooth(0.9, 0.1, laid.part.x.min(1.0 - laid.part.x) * size);
        let lit = 0.95 + 0.1 * tone + 0.14 * cleft.at(at) + 0.08 * grain.at(at) + 0.16 * rim;
        stone * (lit - 0.5 * shadow) * (1.0 - 0.5 * gap)
    })
}

/// Rounded stones in mortar.
pub(crate) fn cobble(base: Vec3, seed: u64) -> Canvas {
    let stones = Scatter::new(8, 0.62, seed);
    let (grain, bend) = (Noise::new([28, 28], 3, seed ^ 1), Noise::new([6, 6], 2, seed ^ 2));
    Canvas::paint(SIDE, |at| {
        let near = stones.at(at + 0.008 * bend.at(at));
        let tone = chance(near.index, seed ^ 3);
        let warm = [rgb(0x8E_8674), rgb(0x7A_7C80), rgb(0x96_8A7C), base][near.index % 4];
        let stone = base.lerp(warm, 0.7) * (0.82 + 0.32 * tone);
        let dome = smooth(0.04, 0.42, near.border());
        let lit = 0.62 + 0.42 * dome + 0.3 * near.offset.dot(LIGHT) + 0.1 * grain.at(at);
        let mortar = rgb(0x5E_574C) * (0.9 + 0.15 * grain.at(at));
        mortar.lerp(stone * lit, smooth(0.05, 0.14, near.border()))
    })
}
