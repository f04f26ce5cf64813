//! The land of the built-in world: a lake in the west, a river into it, hills, cliffs and woods, and mountains all round.

use threshold_land::glam::Vec2;
use threshold_land::{BLOCK_LENGTH, CELL_LENGTH};

use super::SOUTH_WEST;
use crate::area::Area;
use crate::random::Random;
use crate::soil::Soil;
use crate::terrain::Terrain;

/// Landblocks to the east and north; of the last column only the one with the way into the mountain is used.
const SIZE: [u8; 2] = [6, 5];
/// How high the village lies, in metres.
pub(super) const VILLAGE: f32 = 40.0;
/// How high the lake lies, in metres.
const LAKE: f32 = 36.0;
/// How much higher than water the land beside it is at the most, in metres.
const SHORE: f32 = 4.0;
/// Where the river runs through under the bridge, in metres from the south.
pub(super) const RIVER: f32 = 624.0;
/// The land cell of the house on the slope above the village, which falls evenly to the south-west in every world: corners
/// in the south-west, south-east, north-west and north-east, in metres.
pub(super) const SLOPE: ([u8; 2], [f32; 4]) = ([26, 16], [46.0, 50.0, 48.0, 52.0]);
/// How high the yard before the mountain lies, in metres.
pub(super) const YARD: f32 = 44.0;
/// How high the mountains around are at the least, in metres.
const MOUNTAINS: f32 = 100.0;

/// Roads, and the lanes from them to doors that open elsewhere. Between corners all of which are roads everything is paved:
/// the market square.
const WAYS: [&[[f32; 2]]; 8] = [
    &[[480.0, 144.0], [480.0, 768.0], [504.0, 792.0]],
    &[[480.0, 144.0], [576.0, 144.0], [600.0, 168.0], [648.0, 168.0], [648.0, 216.0]],
    &[[480.0, 480.0], [960.0, 480.0]],
    &[[480.0, 456.0], [360.0, 456.0]],
    &[[456.0, 456.0], [456.0, 480.0]],
    &[[480.0, 528.0], [408.0, 528.0]],
    &[[576.0, 480.0], [576.0, 504.0]],
    &[[528.0, 384.0], [408.0, 384.0]],
];

/// What grows, by the numbers of scenes.
pub(super) struct Growing {
    pub(super) leafy: u8,
    pub(super) firs: u8,
    pub(super) meadow: u8,
    pub(super) reeds: u8,
    pub(super) stones: u8,
}

/// All of the land; plots are levelled for buildings: the land cell, counted from the south-west, and how high.
pub(super) fn land(seed: u64, growing: &Growing, plots: &[([u8; 2], f32)]) -> Terrain {
    let [east, north] = SIZE.map(|blocks| f32::from(blocks) * BLOCK_LENGTH);
    let mut land = Terrain::new(SOUTH_WEST, SIZE, VILLAGE + 2.0);
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
    mountains(&mut land, seed, [east, north]);
    // The cliff stands right behind the land cell of the gatehouse, over the stairs.
    land.level(&Area::rectangle([900.0, 430.0], [985.0, 530.0]), YARD, 30.0);
    land.paint_where(Soil::ROCK, |_, height| height > 92.0)
        .paint_where(Soil::SNOW, |_, height| height > 124.0)
        .paint_steep(Soil::CLIFF, 18.0);
    // The village, the slope above it, the river and the lake.
    land.level(&Area::rectangle([372.0, 372.0], [588.0, 588.0]), VILLAGE, 72.0);
    water(&mut land);
    // Sand does not lie on cliffs, nor at their feet: its picture would climb them.
    land.paint_steep(Soil::CLIFF, 14.0).paint_feet(Soil::SAND, Soil::CLIFF, 8.0);
    // After the water, whose banks would pull the ground away from under a floor.
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
        .paint(&Area::rectangle([930.0, 450.0], [990.0, 510.0]), Soil::DIRT);
    grow(&mut land, growing);
    land
}

/// Mountains along the edge, some higher than others. In the west the lake ends the world.
fn mountains(land: &mut Terrain, seed: u64, [east, north]: [f32; 2]) {
    let inner = east - BLOCK_LENGTH;
    let step = 48.0;
    let mut random = Random(seed);
    let mut peak = |x: f32, y: f32| {
        let high = MOUNTAINS + random.pick(&[0.0, 12.0, 24.0, 40.0, 52.0]);
        let radius = random.pick(&[18.0, 26.0, 34.0, 44.0]);
        land.lift(&Area::disc([x, y], radius), high, 44.0);
    };
    let places =
        |length: f32| (0_u8..).map(|n| f32::from(n) * 48.0).take_while(move |at| *at <= length);
    for x in places(east) {
        peak(x, 0.0);
        peak(x, north);
    }
    for y in places(north) {
        peak(inner + step, y);
        if !(330.0..620.0).contains(&y) {
            peak(0.0, y);
        }
    }
    // Behind the gatehouse there is nothing but mountain.
    land.lift(&Area::rectangle([inner + step, 0.0], [east, north]), MOUNTAINS + 20.0, 44.0);
}

/// The river and the lake. One landblock is nothing but water: nobody swims out of the world.
fn water(land: &mut Terrain) {
    let river = [[336.0, RIVER], [696.0, RIVER], [792.0, 720.0]];
    land.level(&Area::path(river, 20.0), LAKE, 34.0);
    land.lake(&Area::disc([110.0, 480.0], 152.0), LAKE)
        .lake(&Area::disc([230.0, 430.0], 90.0), LAKE)
        .lake(&Area::disc([270.0, 560.0], 92.0), LAKE);
    land.paint(&Area::path(river, 20.0), Soil::RIVER);
    // Banks for the bridge to lie on, and level ground before its ends.
    for y in [RIVER - 1.5 * CELL_LENGTH, RIVER + 1.5 * CELL_LENGTH] {
        land.level(&Area::rectangle([455.0, y - 13.0], [505.0, y + 13.0]), VILLAGE, 1.0);
    }
    // North and south of the landblock of water somebody could wade along its edge, and out of the world: a rock stands there, no higher
    // than it must be to be too steep, with its foot above the water on the side that is seen.
    for y in [360.0, 600.0] {
        let foot = Area::rectangle([0.0, y - 1.0], [49.0, y + 1.0]);
        land.paint(&foot, Soil::CLIFF).lift(&foot, LAKE + SHORE, 1.0);
    }
    land.shelve(SHORE);
    for y in [360.0, 600.0] {
        land.lift(&Area::disc([0.0, y], 1.0), LAKE + 30.0, 1.0);
    }
}

fn grow(land: &mut Terrain, growing: &Growing) {
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
    land.grow(&Area::rectangle([900.0, 430.0], [1010.0, 530.0]), 0);
}
