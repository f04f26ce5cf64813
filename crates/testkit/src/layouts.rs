//! Small worlds laid out for one test: rooms in a row, a hut, level ground.

use threshold_dat::RecordSet;
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec, Shape};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame};

/// The landblock of the dungeons.
pub const DEPTHS: BlockId = BlockId(0x0102);
/// The first room of a dungeon.
pub const A: CellId = CellId(0x0102_0100);
/// The second room of a dungeon.
pub const B: CellId = CellId(0x0102_0101);
/// The third room of a dungeon.
pub const C: CellId = CellId(0x0102_0102);

/// Makes rooms in a row to the east from x = 0, of these lengths, 4 m wide and 3 m high.
///
/// Each is open to the next over its whole wall. A block names the index of its room and two opposite corners.
pub fn row(lengths: &[f32], blocks: &[(usize, [f32; 3], [f32; 3])]) -> RecordSet {
    let mut plan = Plan::new();
    let mut west = 0.0;
    let mut keys = Vec::new();
    for (number, length) in lengths.iter().enumerate() {
        let mut room = RoomSpec::cuboid([west, 0.0, 0.0], [west + length, 4.0, 3.0]);
        for (_, low, high) in blocks.iter().filter(|(at, ..)| *at == number) {
            room = room.block(Shape::cuboid(*low, *high));
        }
        keys.push(plan.room(room));
        west += length;
    }
    for pair in keys.windows(2) {
        plan.join(pair[0], pair[1], Opening::whole(Face::EAST));
    }
    dungeon(plan)
}

/// Makes the records of a plan, as a dungeon of [`DEPTHS`].
pub fn dungeon(plan: Plan) -> RecordSet {
    let mut forge = Forge::new();
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, plan);
    forge.finish().unwrap().into_records()
}

/// Starts a world with level ground at height 0 in these landblocks.
pub fn plain(blocks: &[u16]) -> Forge {
    let mut forge = Forge::new();
    for block in blocks {
        forge.block(BlockId(*block));
    }
    forge
}

/// Makes a hut on level ground of `0xA9B4`, and returns its land cell, hall and closet.
///
/// The east wall of the hall is open to the land at x = 86; the closet lies in the west behind an open wall at x = 82.
pub fn hut() -> (RecordSet, [CellId; 3]) {
    let mut plan = Plan::new();
    let hall = plan.room(RoomSpec::cuboid([-2.0, -2.0, 0.1], [2.0, 2.0, 3.1]));
    let closet = plan.room(RoomSpec::cuboid([-4.0, -2.0, 0.1], [-2.0, 2.0, 3.1]));
    plan.exit(hall, Opening::whole(Face::EAST));
    plan.join(hall, closet, Opening::whole(Face::WEST));
    let mut forge = Forge::new();
    let cells = forge.block(BlockId(0xA9B4)).building(Frame::at(Vec3::new(84.0, 84.0, 0.0)), plan);
    let cells = [CellId(0xA9B4_001C), cells.of(hall), cells.of(closet)];
    (forge.finish().unwrap().into_records(), cells)
}

/// Makes a solid, 3 m long to the north, with a top that rises from `low` to `high`.
pub fn ramp([west, east]: [f32; 2], south: f32, [low, high]: [f32; 2]) -> ObjectSpec {
    let north = south + 3.0;
    let corners = [(west, south), (east, south), (east, north), (west, north)];
    let base = corners.map(|(x, y)| Vec3::new(x, y, 0.0));
    let top = corners.map(|(x, y)| Vec3::new(x, y, if y == south { low } else { high }));
    let side = |i: usize| vec![base[i], base[(i + 1) % 4], top[(i + 1) % 4], top[i]];
    let mut faces: Vec<_> = (0..4).map(side).collect();
    faces.extend([base.to_vec(), top.to_vec()]);
    ObjectSpec::Solid(Shape::from_faces(faces))
}
