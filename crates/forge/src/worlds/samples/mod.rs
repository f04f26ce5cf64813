//! Ready-made worlds for tests, examples and measurements.

mod deep;
mod dungeon;
mod halls;
mod houses;
mod stairs;
mod village;

use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CELL_LENGTH, Frame, Rotation};

use crate::tool::error::ForgeError;
use crate::tool::forge::Forge;
use crate::tool::made::MadeWorld;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::Plan;
use crate::tool::random;
use crate::tool::room::RoomSpec;

/// The landblock of outdoor worlds.
pub const TOWN: BlockId = BlockId::new(0xA9, 0xB4);
/// The landblock of the dungeons.
pub const DEPTHS: BlockId = BlockId::new(0x01, 0x02);

/// Makes two rooms of a dungeon, `0x01020100` (x 0 to 4) and `0x01020101` (x 4 to 8), both y 0 to 4 and z 0
/// to 3, with the whole wall between them open.
pub fn two_rooms() -> Result<MadeWorld, ForgeError> {
    let mut plan = Plan::new();
    let west = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]).named("west"));
    let east = plan.room(RoomSpec::cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]).named("east"));
    plan.join(west, east, Opening::whole(Face::EAST));
    let mut forge = Forge::new();
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, plan);
    forge.finish()
}

/// Makes the plan of a small house: a hall with a door in the south, a kitchen behind it with a window in the
/// east, and a store behind the kitchen.
pub fn house() -> Plan {
    let mut house = Plan::new();
    let hall = house.room(RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]).named("hall"));
    let kitchen = house.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]).named("kitchen"));
    let store = house.room(RoomSpec::cuboid([-4.0, 4.0, 0.0], [0.0, 7.0, 3.0]).named("store"));
    house.exit(hall, Opening::door(Face::SOUTH));
    house.join(hall, kitchen, Opening::door(Face::NORTH));
    house.join(kitchen, store, Opening::door(Face::NORTH).along(5.0));
    house.window(kitchen, Opening::pane(Face::EAST));
    house
}

/// Makes a [`house`] on top of a hill in `0xA9B4`: floor at (84, 84, 60.15), rooms `0xA9B40100` to
/// `0xA9B40102`. The hill is level at 60 m between (48, 48) and (120, 120) and falls 4 m a land cell around.
pub fn house_on_a_hill() -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    let hill = forge.block(TOWN);
    let beyond = |v: i32| (2 - v).max(v - 5).max(0);
    hill.heights(|x, y| 30 - 2 * beyond(x).max(beyond(y))).terrain(|_, _| 1);
    hill.building(Frame::at(Vec3::new(84.0, 84.0, 60.15)), house());
    forge.finish()
}

/// Makes a random dungeon in `0x0102`: exactly `rooms` rooms on up to five levels, chambers, corridors,
/// shafts and dead ends, with loops. The same seed makes the same dungeon.
pub fn dungeon(rooms: usize, seed: u64) -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, dungeon_plan(rooms, seed));
    forge.finish()
}

/// Makes the plan of a [`dungeon`].
pub fn dungeon_plan(rooms: usize, seed: u64) -> Plan {
    dungeon::plan(rooms, seed)
}

/// Makes a random dungeon in `0x0102` that can be walked completely: exactly `rooms` rooms on several overlapping levels,
/// with steps and ramps between them. Chambers have three to eight walls and stand at odd angles; some are halls
/// with pillars and a dais. Passages form loops. The same seed makes the same dungeon.
pub fn deep(rooms: usize, seed: u64) -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, deep_plan(rooms, seed));
    forge.finish()
}

/// Makes the plan of a [`deep`] dungeon.
pub fn deep_plan(rooms: usize, seed: u64) -> Plan {
    deep::plan(rooms, seed)
}

/// Makes random halls in `0x0102`: adjacent rooms in columns, rows and storeys, `[east, north, up]` of them. Every wall between
/// two rooms has one or two doors of several widths, every fourth ceiling a hatch. Columns, rows and storeys have several
/// sizes. Stab lists name everything ([`StabListMode::Reach`](crate::StabListMode::Reach)). The same seed makes the same halls.
pub fn halls(size: [usize; 3], seed: u64) -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, halls::halls(size, seed));
    forge.finish()
}

/// Makes rooms of 6 x 6 x 4 m in `0x0102`, `[east, north, up]` of them, with every wall between them completely open: the hardest
/// case for portal walks. From (0, 0, 0), numbered first to the east, then to the north, then up. Stab lists name
/// everything ([`StabListMode::Reach`](crate::StabListMode::Reach)).
pub fn grid(size: [usize; 3]) -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, halls::grid(size));
    forge.finish()
}

/// Makes a town on level ground at 40 m: `width` x `height` landblocks from `0xA9B4` to the east and north, with a [`house`] in the middle
/// of every land cell, 64 per landblock, facing all four directions in turn. Floors are at 40.15 m.
pub fn town(width: u8, height: u8) -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
        let block = forge.block(BlockId::new(0xA9 + x, 0xB4 + y));
        block.heights(|_, _| 20).terrain(|_, _| 1);
        for (column, row) in (0..8_u8).flat_map(|x| (0..8).map(move |y| (x, y))) {
            let middle = |number: u8| (f32::from(number) + 0.5) * CELL_LENGTH;
            let rotation = Rotation::from_heading(90.0 * f32::from((column + 2 * row) % 4));
            let origin = Vec3::new(middle(column), middle(row), 40.15);
            block.building(Frame { origin, rotation }, house());
        }
    }
    forge.finish()
}

/// Makes a random village with exactly `rooms` rooms: rolling land with roads and a pond, in as many landblocks as needed from
/// `0xA9B4` to the east and north. There are huts, halls with pillars, chapels, cottages with a cellar, houses of two
/// storeys, farms and towers, furnished with tables and crates; half of them face a road, the others have any heading. Every room
/// can be reached on foot. The same seed makes the same village.
///
/// About 3,000 landblocks lie between there and the edge of the map: enough for 60,000 rooms.
pub fn village(rooms: usize, seed: u64) -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    village_in(&mut forge, rooms, seed);
    forge.finish()
}

/// Adds a [`village`] to another world, such as a dressed one ([`Forge::dressed`]).
pub fn village_in(forge: &mut Forge, rooms: usize, seed: u64) {
    village::build(forge, rooms, seed);
}

/// Makes four landblocks of level ground at 40 m, `0xA9B3` to `0xAAB4`, and houses with doors right at the
/// borders between them:
///
/// | [`house`] | door |
/// |---|---|
/// | `0xA9B3` (156, 185.7), faces north | sill at y = 191.7, 0.3 m before the border to `0xA9B4` |
/// | `0xA9B3` (185.8, 108), faces east | sill at x = 191.8, 0.2 m before the border to `0xAAB3` |
/// | `0xA9B4` (60, 6.2), faces south | sill at y = 0.2, 0.2 m before the border to `0xA9B3` |
///
/// Floors are at 40.15 m. Rooms are numbered from `0x0100` in each landblock, three per house.
pub fn border_houses() -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    for (x, y) in [(0xA9, 0xB3), (0xA9, 0xB4), (0xAA, 0xB3), (0xAA, 0xB4)] {
        forge.block(BlockId::new(x, y)).heights(|_, _| 20).terrain(|_, _| 1);
    }
    let at = |x: f32, y: f32, heading: f32| Frame {
        origin: Vec3::new(x, y, 40.15),
        rotation: Rotation::from_heading(heading),
    };
    let south = forge.block(BlockId::new(0xA9, 0xB3));
    south.building(at(156.0, 185.7, 180.0), house());
    south.building(at(185.8, 108.0, 270.0), house());
    forge.block(TOWN).building(at(60.0, 6.2, 0.0), house());
    forge.finish()
}

/// Makes rolling country without buildings: `width` x `height` landblocks from the south-western corner of the
/// map, `0x0000`; 255 x 255 cover it.
pub fn plain(width: u8, height: u8) -> Result<MadeWorld, ForgeError> {
    let mut forge = Forge::new();
    for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
        let (first_x, first_y) = (8 * i32::from(x), 8 * i32::from(y));
        let corner = move |x: i32, y: i32| (first_x + x, first_y + y);
        let block = forge.block(BlockId::new(x, y));
        block.heights(|x, y| rolling(corner(x, y)));
        // Grass, with sand in the hollows and rock on the tops.
        block.terrain(|x, y| match rolling(corner(x, y)) {
            ..24 => 10,
            24..56 => 1,
            _ => 13,
        });
    }
    forge.finish()
}

/// Number of land cells between two random heights.
const ROLL: i32 = 6;

/// Returns the height index of a corner: random at every sixth corner, even slopes between.
fn rolling((x, y): (i32, i32)) -> i32 {
    let (column, row) = (x.div_euclid(ROLL), y.div_euclid(ROLL));
    let (east, north) = (x.rem_euclid(ROLL), y.rem_euclid(ROLL));
    let chance = |dx: i32, dy: i32| {
        let place = [column + dx, row + dy].map(|v| u64::from(v.unsigned_abs()));
        let bits = random::mixed(place[0] << 32 | place[1]) % 64;
        // Below 64.
        i32::try_from(bits).unwrap_or(0) + 8
    };
    let blend = |from: i32, to: i32, part: i32| from * (ROLL - part) + to * part;
    let south = blend(chance(0, 0), chance(1, 0), east);
    let north_side = blend(chance(0, 1), chance(1, 1), east);
    blend(south, north_side, north) / (ROLL * ROLL)
}
