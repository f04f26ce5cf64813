//! The land of the built-in world: a lake in the west, a river into it, hills, cliffs and woods, and mountains all around that
//! hide the edge.

use threshold_land::vector::Vec2;
use threshold_land::{BlockId, CELL_LENGTH};

use super::SOUTH_WEST;
use crate::stock::soil::Soil;
use crate::tool::area::Area;
use crate::tool::random::Random;
use crate::tool::terrain::TerrainMap;

/// The landblock in the south-western corner of the land. Coordinates start one landblock east of it: this column is the far shore
/// of the lake, and the mountains behind it.
const CORNER: BlockId = BlockId::new(SOUTH_WEST.x() - 1, SOUTH_WEST.y());
/// Landblocks to the east and north; the last column holds only the one with the entrance into the mountain.
const SIZE: [u8; 2] = [7, 5];
/// The outline of the land, in metres: the corners at which it turns.
const OUTLINE: [[f32; 2]; 9] = [
    [-192.0, 0.0],
    [960.0, 0.0],
    [960.0, 384.0],
    [1152.0, 384.0],
    [1152.0, 576.0],
    [960.0, 576.0],
    [960.0, 960.0],
    [-192.0, 960.0],
    [-192.0, 0.0],
];
/// Height of the village, in metres.
pub(super) const VILLAGE: f32 = 40.0;
/// Height of the lake, in metres. The land at its shore has the same height.
pub(super) const LAKE: f32 = 36.0;
/// Height of the river over the lake, and of its banks over the river, in metres: the smallest height step.
const BANKS: f32 = 2.0;
/// Position of the river under the bridge, in metres from the south.
pub(super) const RIVER: f32 = 624.0;
/// The land cell of the house on the slope above the village, which slopes evenly to the south-west for every seed: corners
/// in the south-west, south-east, north-west and north-east, in metres.
pub(super) const SLOPE: ([u8; 2], [f32; 4]) = ([26, 16], [46.0, 50.0, 48.0, 52.0]);
/// Height of the yard before the mountain, in metres.
pub(super) const YARD: f32 = 44.0;
/// Minimum height of the land along its outline, in metres: above the eyes of a mover on the highest hill, so that
/// the edge is never seen.
const RIM: f32 = 152.0;
/// Metres over which the land rises to its outline, and to the peaks on it. Part of the slope is too steep to walk.
const RISE: [f32; 2] = [84.0, 44.0];
/// Distance between peaks, in metres.
const PEAKS: f32 = 48.0;

/// Roads, and lanes from them to doors. A land cell with roads at all corners is paved:
/// the market square.
const WAYS: [&[[f32; 2]]; 9] = [
    &[[480.0, 144.0], [480.0, 600.0]],
    // From the other end of the bridge.
    &[[480.0, 648.0], [480.0, 768.0], [504.0, 792.0]],
    &[[480.0, 144.0], [576.0, 144.0], [600.0, 168.0], [648.0, 168.0], [648.0, 216.0]],
    &[[480.0, 480.0], [960.0, 480.0]],
    &[[480.0, 456.0], [360.0, 456.0]],
    &[[456.0, 456.0], [456.0, 480.0]],
    &[[480.0, 528.0], [408.0, 528.0]],
    &[[576.0, 480.0], [576.0, 504.0]],
    &[[528.0, 384.0], [408.0, 384.0]],
];

/// Scenes, by number.
pub(super) struct SceneNumbers {
    pub(super) leafy: u8,
    pub(super) firs: u8,
    pub(super) meadow: u8,
    pub(super) reeds: u8,
    pub(super) stones: u8,
}

/// Returns all of the land; plots are levelled for buildings: the land cell, counted from the south-west, and its height.
pub(super) fn land(seed: u64, growing: &SceneNumbers, plots: &[([u8; 2], f32)]) -> TerrainMap {
    let mut land = TerrainMap::new(CORNER, SIZE, VILLAGE + 2.0).counted_from(SOUTH_WEST);
    land.roll(5.0, 170.0, seed).roll(2.5, 80.0, seed ^ 0x9E37);
    // Hills to the north-east and the south-west, and a table in the south-east with cliffs on all sides but one.
    land.hill([740.0, 690.0], 150.0, 70.0)
        .hill([660.0, 790.0], 120.0, 44.0)
        .hill([840.0, 560.0], 110.0, 26.0)
        .hill([230.0, 180.0], 150.0, 40.0)
        .hill([516.0, 804.0], 110.0, 20.0)
        .hill([650.0, 360.0], 110.0, 14.0)
        .raise(&Area::disc([740.0, 190.0], 66.0), 40.0, 22.0)
        .lift(&Area::disc([800.0, 230.0], 50.0), 86.0, 22.0)
        .lift(&Area::path([[590.0, 150.0], [690.0, 180.0]], 40.0), 66.0, 90.0);
    mountains(&mut land, seed);
    // The cliff is right behind the land cell of the gatehouse, over the stairs.
    land.level(&Area::rectangle([900.0, 430.0], [985.0, 530.0]), YARD, 30.0);
    land.paint_where(Soil::ROCK, |_, height| height > 92.0)
        .paint_where(Soil::SNOW, |_, height| height > 124.0)
        .paint_steep(Soil::CLIFF, 18.0);
    // The village, the slope above it, the river and the lake.
    land.level(&Area::rectangle([372.0, 372.0], [588.0, 588.0]), VILLAGE, 72.0);
    water(&mut land);
    // No sand on cliffs and at their feet: its texture would stretch up the cliff.
    land.paint_steep(Soil::CLIFF, 14.0).paint_feet(Soil::SAND, Soil::CLIFF, 8.0);
    // After the water, because its banks would lower the ground under a floor.
    for ([x, y], height) in plots {
        let low = Vec2::new(f32::from(*x), f32::from(*y)) * CELL_LENGTH;
        land.level(&Area::rectangle(low - 1.0, low + CELL_LENGTH + 1.0), *height, CELL_LENGTH);
    }
    let (cell, heights) = SLOPE;
    for (corner, height) in [[0, 0], [1, 0], [0, 1], [1, 1]].into_iter().zip(heights) {
        let at = [0, 1].map(|axis| f32::from(cell[axis] + corner[axis]) * CELL_LENGTH);
        land.level(&Area::disc(at, 1.0), height, 1.0);
    }
    for way in WAYS {
        land.road(way);
    }
    land.paint(&Area::rectangle([445.0, 445.0], [515.0, 515.0]), Soil::DIRT)
        .paint(&Area::rectangle([930.0, 450.0], [975.0, 510.0]), Soil::DIRT);
    grow(&mut land, growing);
    land
}

/// Mountains along the whole outline, some higher than others.
fn mountains(land: &mut TerrainMap, seed: u64) {
    let [slope, steep] = RISE;
    land.lift(&Area::path(OUTLINE, 2.0), RIM, slope);
    let mut random = Random(seed);
    for pair in OUTLINE.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(Vec2::from);
        let length = from.distance(to);
        let places = (0_u8..).map(|n| f32::from(n) * PEAKS).take_while(|at| *at < length);
        for along in places {
            let high = RIM + random.pick(&[0.0, 8.0, 18.0, 32.0, 46.0]);
            let radius = random.pick(&[6.0, 14.0, 22.0, 30.0]);
            land.lift(&Area::disc(from.lerp(to, along / length), radius), high, steep);
        }
    }
    // Behind the gatehouse there is only mountain.
    land.lift(&Area::rectangle([1008.0, 384.0], [1152.0, 576.0]), RIM, steep);
}

/// The river and the lake. One landblock is all water, which no mover swims through; the road leads around it.
fn water(land: &mut TerrainMap) {
    let river = [[336.0, RIVER], [696.0, RIVER], [792.0, 720.0]];
    let upper = [[408.0, RIVER], river[1], river[2]];
    land.level(&Area::path(river, 20.0), LAKE + BANKS, 34.0);
    land.lake(&Area::disc([110.0, 480.0], 152.0), LAKE)
        .lake(&Area::disc([230.0, 430.0], 90.0), LAKE)
        .lake(&Area::disc([270.0, 560.0], 92.0), LAKE);
    land.level(&Area::path([river[0], [384.0, RIVER]], 20.0), LAKE, 1.0)
        .level(&Area::path(upper, 20.0), LAKE + BANKS, 1.0)
        .paint(&Area::path(river, 20.0), Soil::RIVER);
    // Banks for the bridge to lie on, and level ground before its ends.
    for y in [RIVER - 1.5 * CELL_LENGTH, RIVER + 1.5 * CELL_LENGTH] {
        land.level(&Area::rectangle([455.0, y - 13.0], [505.0, y + 13.0]), VILLAGE, 1.0);
    }
    land.shelve(Soil::RIVER, BANKS).shelve(Soil::WATER, 0.0);
}

fn grow(land: &mut TerrainMap, growing: &SceneNumbers) {
    let dry = Area::rectangle([372.0, 372.0], [588.0, 588.0]);
    let woods = [
        (Area::disc([250.0, 770.0], 150.0), Soil::FOREST, growing.firs),
        (Area::disc([720.0, 680.0], 130.0), Soil::FOREST, growing.firs),
        (Area::disc([250.0, 200.0], 150.0), Soil::FOREST, growing.leafy),
        (Area::disc([740.0, 380.0], 90.0), Soil::LUSH, growing.leafy),
        (Area::disc([620.0, 90.0], 110.0), Soil::LUSH, growing.leafy),
        (Area::path([[300.0, 700.0], [620.0, 700.0]], 60.0), Soil::LUSH, growing.reeds),
    ];
    land.grow(&Area::EVERYWHERE, growing.meadow);
    land.grow(&Area::disc([770.0, 210.0], 90.0), growing.stones);
    for (area, soil, scene) in &woods {
        land.paint_in(area, *soil, 88.0).grow(area, *scene);
    }
    land.grow(&dry, 0);
    // No trees on ridges.
    land.grow(&Area::path(OUTLINE, 80.0), 0);
    land.grow(&Area::rectangle([900.0, 430.0], [1010.0, 530.0]), 0);
}
