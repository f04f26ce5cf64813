//! The built-in world.

mod cave;
mod depths;
mod houses;
mod inn;
mod land;
mod mason;
mod names;
mod places;
mod stock;
mod tour;
mod tower;

use threshold_dat::RecordId;
use threshold_land::vector::Vec2;
use threshold_land::{BLOCK_LENGTH, BlockId, CELL_LENGTH};

use self::land::{LAKE, RIVER, SLOPE, SceneNumbers, VILLAGE, YARD};
pub use self::names::{NamedRoom, rooms};
pub use self::places::{NamedPlace, places};
use self::stock::{Stock, standing};
pub use self::tour::{TourLeg, tour};
use crate::stock::material::Material;
use crate::stock::thing::Thing;
use crate::tool::block::RoomCells;
use crate::tool::error::ForgeError;
use crate::tool::forge::Forge;
use crate::tool::made::MadeWorld;
use crate::tool::model::ObjectSpec;
use crate::tool::plan::Plan;
use crate::tool::scene::SceneryKind;
use crate::tool::shape::Shape;

/// The seed of the built-in world.
pub const SEED: u64 = 1;

/// The landblock with the origin of coordinates at its south-western corner. West of it lie the far shore of the lake and mountains.
const SOUTH_WEST: BlockId = BlockId::new(0xA7, 0xB2);
/// The landblock with the entrance into the mountain, east of the others.
const MOUNTAIN: BlockId = BlockId::new(0xAC, 0xB4);

/// A function that makes a building's plan.
type Build = fn(&mut Stock<'_>) -> Plan;

/// A building: its land cell, counted from the south-west of the world; its position in it, in metres from the
/// south-western corner; and its direction.
struct Site {
    /// Its unique name.
    name: &'static str,
    cell: [u8; 2],
    at: [f32; 2],
    /// Heading of the house: its door faces the other way.
    heading: f32,
    ground: Ground,
    build: Build,
}

/// Ground under a building.
#[derive(Clone, Copy)]
enum Ground {
    /// Levelled at a height.
    Level(f32),
    /// Unchanged: the floor lies over the ground at the door, which is at this point of the plan.
    Door([f32; 2]),
}

/// Height of floors over the ground, in metres.
const STEP: f32 = 0.15;
/// Half the width of a threshold, and the depth inside where the ground still matters, in metres: a mover there also touches
/// the outdoors.
const THRESHOLD: [f32; 2] = [0.9, 0.6];

#[rustfmt::skip]
const SITES: [Site; 20] = [
    Site::new("cottage", [17, 17], [12.0, 12.0], 0.0, Ground::Level(VILLAGE), houses::cottage),
    Site::new("inn", [21, 20], [12.0, 14.5], 0.0, Ground::Level(VILLAGE), inn::inn),
    Site::new("great hall", [18, 20], [12.0, 11.5], 0.0, Ground::Level(VILLAGE), houses::great_hall),
    Site::new("smithy", [20, 18], [12.0, 12.0], 90.0, Ground::Level(VILLAGE), houses::smithy),
    Site::new("chapel", [22, 18], [12.0, 13.0], 180.0, Ground::Level(VILLAGE), houses::chapel),
    Site::new("farm", [17, 22], [12.0, 12.0], 0.0, Ground::Level(VILLAGE), houses::farm),
    Site::new("house on the slope", SLOPE.0, [12.0, 12.0], 53.0, Ground::Door([0.0, -5.0]), houses::hillside),
    Site::new("southern shop", [22, 15], [12.0, 17.9], 180.0, Ground::Level(VILLAGE), houses::border_house),
    Site::new("eastern shop", [23, 21], [17.9, 12.0], 270.0, Ground::Level(VILLAGE), houses::border_house),
    Site::new("boathouse", [14, 18], [13.0, 10.0], 90.0, Ground::Level(LAKE), houses::boathouse),
    Site::new("northern brick house", [19, 23], [12.0, 12.0], 270.0, Ground::Level(VILLAGE), houses::hillside),
    Site::new("northern cottage", [20, 22], [11.0, 12.0], 90.0, Ground::Level(VILLAGE), houses::cottage),
    Site::new("eastern cottage", [24, 18], [12.0, 12.0], 145.0, Ground::Level(VILLAGE), houses::cottage),
    Site::new("southern brick house", [20, 16], [12.0, 12.0], 90.0, Ground::Level(VILLAGE), houses::hillside),
    Site::new("southern cottage", [18, 15], [12.0, 10.5], 161.0, Ground::Level(VILLAGE), houses::cottage),
    Site::new("hut by the river", [20, 27], [12.0, 12.0], 90.0, Ground::Level(VILLAGE), houses::hut),
    Site::new("tower", [21, 33], [12.0, 13.0], 90.0, Ground::Level(60.0), tower::tower),
    Site::new("hut in the woods", [10, 31], [12.0, 12.0], 128.0, Ground::Level(46.0), houses::hut),
    Site::new("hut on the table hill", [27, 9], [12.0, 12.0], 200.0, Ground::Level(66.0), houses::hut),
    Site::new("depths", [40, 19], [17.0, 12.0], 0.0, Ground::Level(YARD), depths::depths),
];

/// The built-in world: a village by a lake with a river, hills and woods around, and a dungeon under the mountain in the
/// east. Everything can be reached on foot.
///
/// The seed decides the textures, the roll of the land and the vegetation; the houses are the same for every seed.
pub fn builtin(seed: u64) -> Result<MadeWorld, ForgeError> {
    built(seed).0.finish()
}

/// The world before it is finished, and the cells of its sites' rooms.
fn built(seed: u64) -> (Forge, Vec<RoomCells>) {
    let mut forge = Forge::dressed(seed);
    let mut stock = Stock::new(&mut forge);
    let growing = growing(&mut stock);
    let plans: Vec<Plan> = SITES.iter().map(|site| (site.build)(&mut stock)).collect();
    let level = |site: &Site| match site.ground {
        Ground::Level(height) => Some((site.cell, height)),
        Ground::Door(_) => None,
    };
    let plots: Vec<([u8; 2], f32)> = SITES.iter().filter_map(level).collect();
    let land = land::land(seed, &growing, &plots);
    for block in land.blocks().filter(|block| block.x() < MOUNTAIN.x() || *block == MOUNTAIN) {
        stock.forge.land_of(&land, block);
    }
    let stood = SITES.iter().zip(plans).map(|(site, plan)| site.stand(stock.forge, plan));
    let cells = stood.collect();
    outdoors(&mut stock);
    (forge, cells)
}

impl Site {
    const fn new(
        name: &'static str,
        cell: [u8; 2],
        at: [f32; 2],
        heading: f32,
        ground: Ground,
        build: Build,
    ) -> Self {
        Self { name, cell, at, heading, ground, build }
    }

    /// Adds the building.
    fn stand(&self, forge: &mut Forge, plan: Plan) -> RoomCells {
        let corner = Vec2::new(f32::from(self.cell[0]), f32::from(self.cell[1])) * CELL_LENGTH;
        let (block, at) = place(corner + Vec2::from(self.at));
        let block = forge.block(block);
        let turned = standing(at.extend(0.0), self.heading);
        let ground = match self.ground {
            Ground::Level(height) => height,
            Ground::Door(door) => {
                let [side, inside] = THRESHOLD;
                let around = [[-side, 0.0], [side, 0.0], [-side, inside], [side, inside]];
                let heights = around.map(|off| {
                    let at = turned.to_global((Vec2::from(door) + Vec2::from(off)).extend(0.0));
                    block.ground(at.truncate()).unwrap_or(VILLAGE)
                });
                heights.into_iter().fold(f32::MIN, f32::max)
            }
        };
        block.building(standing(at.extend(ground + STEP), self.heading), plan)
    }
}

/// Returns the landblock of a point of the world, and the point in it.
fn place(at: Vec2) -> (BlockId, Vec2) {
    let block = (at / BLOCK_LENGTH).floor();
    // Within the world: a few landblocks from its corner.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 5")]
    let [x, y] = block.to_array().map(|v| v as u8);
    let id = BlockId::new(SOUTH_WEST.x() + x, SOUTH_WEST.y() + y);
    (id, at - block * BLOCK_LENGTH)
}

/// The scenes.
fn growing(stock: &mut Stock<'_>) -> SceneNumbers {
    let mut growth = |name: &'static str, share: f32, scale: [f32; 2]| SceneryKind {
        object: stock.get(name),
        share,
        spread: [20.0, 20.0],
        scale,
        steepest: 0.7,
    };
    let leafy = vec![
        growth("oak", 0.7, [0.8, 1.4]),
        growth("beech", 0.6, [0.8, 1.3]),
        growth("oak", 0.5, [0.6, 1.1]),
        growth("birch", 0.5, [0.7, 1.2]),
        growth("beech", 0.4, [0.6, 1.0]),
        growth("bush", 0.5, [0.7, 1.3]),
        growth("fern", 0.6, [0.7, 1.2]),
    ];
    let firs = vec![
        growth("fir", 0.8, [0.8, 1.5]),
        growth("fir", 0.7, [0.7, 1.2]),
        growth("fir", 0.7, [0.6, 1.0]),
        growth("fir", 0.6, [0.9, 1.6]),
        growth("fir", 0.5, [0.5, 0.9]),
        growth("fern", 0.5, [0.7, 1.2]),
        growth("boulder", 0.1, [0.5, 1.0]),
    ];
    let meadow = vec![
        growth("flowers", 0.3, [0.8, 1.3]),
        growth("bush", 0.1, [0.7, 1.2]),
        growth("oak", 0.06, [1.0, 1.5]),
    ];
    let reeds = vec![growth("reeds", 0.8, [0.8, 1.3]), growth("birch", 0.3, [0.8, 1.2])];
    let stones = vec![growth("boulder", 0.35, [0.5, 1.4]), growth("bush", 0.3, [0.6, 1.0])];
    SceneNumbers {
        leafy: stock.forge.scene(leafy),
        firs: stock.forge.scene(firs),
        meadow: stock.forge.scene(meadow),
        reeds: stock.forge.scene(reeds),
        stones: stock.forge.scene(stones),
    }
}

/// The bridge: length, width, and height of its deck over the banks, in metres. The banks are a land cell away from
/// the middle of the river; the deck slightly overlaps them.
const BRIDGE: [f32; 3] = [2.0 * CELL_LENGTH + 4.0, 5.0, 0.3];
/// Thickness of its deck, in metres.
const DECK: f32 = 0.45;

/// Things on the land: name, position in the world and heading.
const OUTDOORS: [(&str, [f32; 2], f32); 29] = [
    ("well", [470.0, 470.0], 0.0),
    ("market-stall", [462.0, 492.0], 180.0),
    ("market-stall", [470.0, 496.0], 180.0),
    ("market-stall", [496.0, 466.0], 270.0),
    ("lamp-post", [486.0, 474.0], 0.0),
    ("lamp-post", [486.0, 508.0], 0.0),
    ("lamp-post", [474.0, 440.0], 0.0),
    ("lamp-post", [540.0, 486.0], 0.0),
    ("lamp-post", [420.0, 450.0], 0.0),
    ("signpost", [473.0, 394.0], 0.0),
    ("signpost", [474.0, 588.0], 0.0),
    ("cart", [500.0, 492.0], 60.0),
    ("barrel", [524.4, 494.6], 0.0),
    ("barrel", [525.5, 495.0], 0.0),
    ("haystack", [400.0, 526.0], 0.0),
    ("haystack", [394.0, 520.0], 0.0),
    ("woodpile", [425.6, 416.6], 90.0),
    ("fence", [402.0, 404.0], 0.0),
    ("fence", [406.0, 404.0], 0.0),
    ("fence", [402.0, 408.0], 90.0),
    ("tombstone", [556.0, 452.0], 0.0),
    ("tombstone", [558.5, 452.0], 0.0),
    ("tombstone", [561.0, 452.0], 0.0),
    ("tombstone", [556.0, 448.0], 0.0),
    ("boat", [330.0, 452.0], 80.0),
    ("boat", [328.0, 462.0], 100.0),
    ("lamp-post", [968.0, 474.0], 0.0),
    ("lamp-post", [968.0, 462.0], 0.0),
    ("boulder", [980.0, 500.0], 40.0),
];

/// Sections of the jetty before the boathouse, and the height of its planks over the water, in metres.
const JETTY: [[f32; 2]; 3] = [[326.0, 441.0], [322.0, 441.0], [318.0, 441.0]];
const PLANKS: f32 = 0.4;

fn outdoors(stock: &mut Stock<'_>) {
    for (name, at, heading) in OUTDOORS {
        let thing = stock.get(name);
        put(stock.forge, thing, at, heading);
    }
    let jetty = stock.get("jetty");
    for at in JETTY {
        let (block, at) = place(at.into());
        stock.forge.block(block).put(jetty, standing(at.extend(LAKE + PLANKS), 90.0));
    }
    let bridge = stock.forge.object(ObjectSpec::Thing(bridge()));
    let (block, at) = place(Vec2::new(480.0, RIVER));
    stock.forge.block(block).put(bridge, standing(at.extend(VILLAGE), 0.0));
}

/// Puts a thing on the ground.
fn put(forge: &mut Forge, thing: RecordId, at: [f32; 2], heading: f32) {
    let (block, at) = place(at.into());
    let block = forge.block(block);
    let ground = block.ground(at).unwrap_or(VILLAGE);
    block.put(thing, standing(at.extend(ground), heading));
}

/// A bridge of planks on stone piers, with the ground of its ends at 0.
fn bridge() -> Thing {
    let [length, width, deck] = BRIDGE;
    let (half, side) = (length / 2.0, width / 2.0);
    let mut thing = Thing::new()
        .solid(Material::Plank, Shape::cuboid([-side, -half, deck - DECK], [side, half, deck]));
    for x in [-side, side - 0.2] {
        let rail = Shape::cuboid([x, -half + 1.0, deck], [x + 0.2, half - 1.0, deck + 1.0]);
        thing = thing.solid(Material::Timber, rail);
    }
    for y in [-14.0_f32, 0.0, 14.0] {
        let pier = Shape::cuboid([-side + 0.3, y - 0.8, -6.0], [side - 0.3, y + 0.8, deck - DECK]);
        thing = thing.solid(Material::Cobble, pier);
    }
    thing
}
