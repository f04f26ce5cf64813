//! Random villages.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BLOCK_LENGTH, BlockId, CELL_LENGTH, Frame, Rotation};

use super::TOWN;
use super::houses::{self, Props};
use crate::stock::soil::Soil;
use crate::tool::area::Area;
use crate::tool::forge::Forge;
use crate::tool::plan::Plan;
use crate::tool::random::Random;
use crate::tool::terrain::TerrainMap;

/// Plots along the side of a landblock: every other land cell, so that no two share a corner and each can have its own height.
const PLOTS: usize = 4;
/// Average number of houses per landblock; the other plots stay empty.
const HOUSES: usize = 11;
/// Positions of a landblock's roads, in metres from its west and from its south.
const ROAD: f32 = 3.0 * CELL_LENGTH;
/// Maximum distance of a house from the middle of its plot, in metres.
const ASIDE: f32 = 1.0;
/// Height of floors over the ground, in metres.
const SILL: f32 = 0.15;
/// Height of the land, in metres, and its roll.
const LAND: f32 = 60.0;
const ROLL: f32 = 7.0;
/// Radius of a pond, in metres: the corners of its plot are in the water.
const POND: f32 = 20.0;

/// A land cell for one house.
#[derive(Clone, Copy)]
struct Plot {
    /// In plots of the whole village, to the east and north.
    at: [usize; 2],
}

impl Plot {
    /// Returns the centre, in metres from the south-western corner of the village.
    fn middle(self) -> Vec2 {
        // A few hundred plots: exact.
        #[allow(clippy::cast_precision_loss, reason = "small numbers")]
        let at = Vec2::from(self.at.map(|plot| plot as f32));
        (at * 2.0 + 0.5) * CELL_LENGTH
    }

    fn area(self) -> Area {
        let half = Vec2::splat(CELL_LENGTH / 2.0);
        Area::rectangle(self.middle() - half, self.middle() + half)
    }

    /// Returns its landblock; one off the map is refused when the world is made.
    fn block(self) -> BlockId {
        let [x, y] = self.at.map(|plot| u8::try_from(plot / PLOTS).unwrap_or(u8::MAX));
        BlockId::new(TOWN.x().saturating_add(x), TOWN.y().saturating_add(y))
    }

    /// Returns the heading of a house with its door, in its south, towards the nearer of the two roads.
    fn facing_road(self) -> f32 {
        let [x, y] = (self.in_block() - ROAD).to_array();
        match (x.abs() <= y.abs(), x < 0.0, y < 0.0) {
            (true, true, _) => 270.0,
            (true, false, _) => 90.0,
            (false, _, true) => 180.0,
            (false, _, false) => 0.0,
        }
    }

    /// Returns the centre in the frame of its landblock.
    fn in_block(self) -> Vec2 {
        self.middle().rem_euclid(Vec2::splat(BLOCK_LENGTH))
    }
}

/// Adds a village with exactly this number of rooms.
pub(super) fn build(forge: &mut Forge, rooms: usize, seed: u64) {
    let mut random = Random(seed);
    let props = Props::make(forge);
    let mut plans: Vec<Plan> = Vec::new();
    let mut left = rooms;
    while left > 0 {
        let plan = houses::any(&mut random, props, left);
        left -= plan.len();
        plans.push(plan);
    }
    let size = size(plans.len());
    let mut plots = shuffled(size, &mut random);
    let pond = plots.pop();
    let land = land(size, pond, &plots[..plans.len()], seed);
    forge.land(&land);
    for (plot, plan) in plots.into_iter().zip(plans) {
        stand(forge, &land, plot, plan, &mut random, props);
    }
}

/// Returns the number of landblocks to the east and to the north: enough for all houses and the pond, and nearly a square.
fn size(houses: usize) -> [usize; 2] {
    let blocks = (houses / HOUSES + 1).max(1);
    let east = blocks.isqrt().max(1);
    [east, blocks.div_ceil(east)]
}

/// Returns all plots in random order.
fn shuffled([east, north]: [usize; 2], random: &mut Random) -> Vec<Plot> {
    let rows = 0..north * PLOTS;
    let mut plots: Vec<Plot> =
        rows.flat_map(|y| (0..east * PLOTS).map(move |x| Plot { at: [x, y] })).collect();
    for last in (1..plots.len()).rev() {
        plots.swap(last, random.below(last + 1));
    }
    plots
}

/// Makes rolling land with a pond, roads from end to end, and a level plot for every house.
fn land(size: [usize; 2], pond: Option<Plot>, plots: &[Plot], seed: u64) -> TerrainMap {
    let mut land =
        TerrainMap::new(TOWN, size.map(|blocks| u8::try_from(blocks).unwrap_or(u8::MAX)), LAND);
    land.roll(ROLL, 170.0, seed).roll(1.5, 70.0, seed.wrapping_add(1));
    if let Some(pond) = pond {
        let water = land.height_near(pond.middle()) - 2.0;
        land.lake(&Area::disc(pond.middle(), POND), water);
    }
    for plot in plots {
        let height = land.height_near(plot.middle());
        land.level(&plot.area(), height, 1.0).paint(&plot.area(), Soil::PATCHY);
    }
    // Between the second and the third plot of every landblock, in both directions.
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let ends = size.map(|blocks| blocks as f32 * BLOCK_LENGTH);
    for (axis, blocks) in size.into_iter().enumerate() {
        for block in 0..blocks {
            #[allow(clippy::cast_precision_loss, reason = "small numbers")]
            let across = block as f32 * BLOCK_LENGTH + ROAD;
            let mut places = [[across, 0.0], [across, ends[1 - axis]]];
            if axis == 1 {
                places.iter_mut().for_each(|place| place.reverse());
            }
            land.road(&places);
        }
    }
    land
}

/// Builds a house on its plot, with its door towards a road or at any heading, and a crate behind it.
fn stand(
    forge: &mut Forge,
    land: &TerrainMap,
    plot: Plot,
    plan: Plan,
    random: &mut Random,
    props: Props,
) {
    let corner = plot.middle() - Vec2::splat(CELL_LENGTH / 2.0);
    let ground = land.height_near(corner);
    let heading = match random.below(2) {
        0 => plot.facing_road(),
        _ => f32::from(u16::try_from(random.below(360)).unwrap_or(0)) + 0.25,
    };
    let aside = Vec2::new(random.pick(&[-ASIDE, 0.0, ASIDE]), random.pick(&[-ASIDE, 0.0, ASIDE]));
    let rotation = Rotation::from_heading(heading);
    let at = plot.in_block() + aside;
    let block = forge.block(plot.block());
    block.building(Frame { origin: at.extend(ground + SILL), rotation }, plan);
    if random.below(3) == 0 {
        // Maximum extent of a house to the north.
        let behind = Frame { origin: at.extend(ground), rotation }.to_global(Vec3::Y * 10.7);
        let crate_ = Frame { origin: behind, rotation: Rotation::from_heading(heading + 20.0) };
        block.put(props.crate_, crate_);
    }
}
