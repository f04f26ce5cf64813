//! Facts recorded from the retail client: a debugger's log of its `find_cell_list` at a doorway, and positions that it
//! reported during play. They are the only known ground truth; all other recordings come from other reconstructions. The numbers
//! are coordinates and rates as they were published; the test worlds are built from them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::excessive_precision,
    reason = "a test stops at what it does not expect, and the numbers are as they were published"
)]

use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec, Shape};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation, Sphere};
use threshold_motion::{Jump, Stance, run_rate};
use threshold_testkit::{FEET, Walk};
use threshold_world::{CellArray, CellSearch};

/// The land before the porch. The client's rooms are 0170 (the porch) and 0171; here they are the first of their landblock.
const LAND: CellId = CellId(0xA9B4_0031);
const PORCH: CellId = CellId(0xA9B4_0100);
const BEHIND: CellId = CellId(0xA9B4_0101);

/// F1: picks of the client: the cell it was in, the cell it picked, and values of y of the mover's position; x was between
/// 155.34 and 155.37, z 94.005.
const PICKS: [(CellId, CellId, &[f32]); 4] = [
    (LAND, PORCH, &[16.0283, 16.0516, 15.9583, 16.0571]),
    (PORCH, LAND, &[16.1126, 16.1358, 16.0814, 16.1025, 16.1236]),
    (PORCH, BEHIND, &[15.1343, 15.1187, 15.1420, 15.0854, 15.1454]),
    (BEHIND, PORCH, &[15.2186, 15.1641, 15.1874, 15.2085, 15.2296]),
];
const PICKS_X: [f32; 3] = [155.34, 155.355, 155.37];
const PICKS_Z: f32 = 94.005;
/// The first of a human's spheres: its centre over the position, and its radius.
const FOOT: f32 = 0.475;
const RADIUS: f32 = 0.48;

fn picks() -> impl Iterator<Item = (CellId, CellId, f32)> {
    PICKS.iter().flat_map(|(from, to, all)| all.iter().map(|y| (*from, *to, *y)))
}

/// The porch, open over its slanted front to the land and over its back to the room behind.
fn doorway() -> Walk {
    let (west, east, back, top) = (5.54731, 7.45189, -7.65, 2.5);
    let (sill, lintel) = (-8.609, -8.34616);
    // South-west, south-east, north-east, north-west.
    let floor = [(west, sill), (east, sill), (east, back), (west, back)];
    let floor = floor.map(|(x, y)| Vec3::new(x, y, 0.0));
    let ceiling = [(west, lintel), (east, lintel), (east, back), (west, back)];
    let ceiling = ceiling.map(|(x, y)| Vec3::new(x, y, top));
    let wall = |i: usize| vec![floor[i], floor[(i + 1) % 4], ceiling[(i + 1) % 4], ceiling[i]];
    let mut faces: Vec<_> = (0..4).map(wall).collect();
    faces.extend([floor.to_vec(), ceiling.to_vec()]);
    let porch = Shape::from_faces(faces);
    let mut house = Plan::new();
    let porch = house.room(RoomSpec::shaped(porch).named("porch"));
    let behind = house.room(RoomSpec::cuboid([4.0, back, 0.0], [9.0, -2.0, top]).named("behind"));
    house.exit(porch, Opening::whole(Face::SOUTH));
    house.join(porch, behind, Opening::whole(Face::NORTH));
    let mut forge = Forge::new();
    let block = forge.block(LAND.block());
    block.heights(|_, _| 47);
    let turned = Rotation::new(0.0, 0.0, 0.0, 1.0);
    let frame = Frame { origin: Vec3::new(161.929, 7.50315, 94.0), rotation: turned };
    let cells = block.building(frame, house);
    assert_eq!((cells.of(porch), cells.of(behind)), (PORCH, BEHIND));
    Walk::from_source(forge.finish().unwrap())
}

/// Returns the cell picked for a sphere whose centre is at a height above the position.
fn pick(walk: &Walk, from: CellId, position: Vec3, height: f32) -> Option<CellId> {
    let centre = position + Vec3::Z * height;
    let spheres = [Sphere::new(centre, RADIUS)];
    let at = Position::new(from, position);
    CellSearch::new(&walk.world).spheres(&at, &spheres, &mut CellArray::new()).cell
}

#[test]
fn the_cells_picked_at_a_doorway_are_those_of_the_client() {
    let walk = doorway();
    assert_eq!(picks().count(), 19);
    for (from, to, y) in picks() {
        for x in PICKS_X {
            let at = Vec3::new(x, y, PICKS_Z);
            assert_eq!(pick(&walk, from, at, FOOT), Some(to), "from {from} at {at}");
        }
    }
}

/// The tested point is the centre of the first sphere: at the feet the slanted front lies 5 cm farther out.
#[test]
fn picks_at_the_feet_would_get_two_exits_of_the_doorway_wrong() {
    let walk = doorway();
    let wrong = |(from, to, y): &(CellId, CellId, f32)| {
        pick(&walk, *from, Vec3::new(PICKS_X[1], *y, PICKS_Z), 0.0) != Some(*to)
    };
    let wrong: Vec<_> = picks().filter(wrong).collect();
    assert_eq!(wrong, [(PORCH, LAND, 16.0814), (PORCH, LAND, 16.1025)]);
}

/// One walk through all nineteen picks, in an order in which each starts in the cell of the one before.
#[test]
fn a_mover_that_carries_its_cell_through_the_doorway_is_where_the_client_was() {
    let [(.., ins), (.., outs), (.., backs), (.., fronts)] = PICKS;
    let inner =
        backs.iter().zip(fronts).flat_map(|(back, front)| [(BEHIND, *back), (PORCH, *front)]);
    let last = outs.len() - 1;
    let outer = outs.iter().zip(ins).flat_map(|(out, back)| [(LAND, *out), (PORCH, *back)]);
    let order: Vec<(CellId, f32)> = inner.chain(outer).chain([(LAND, outs[last])]).collect();
    assert_eq!(order.len(), 19);
    for x in PICKS_X {
        let mut walk = doorway();
        walk.put_on_ground(PORCH.0, [x, 15.6, PICKS_Z]);
        for (cell, y) in &order {
            let by = y - walk.at().y;
            let _ = walk.step([0.0, by, 0.0]);
            let end = walk.at();
            assert!((end.y - y).abs() < 1e-4 && (end.z - PICKS_Z).abs() < 1e-4, "{end} for {y}");
            assert_eq!(walk.cell(), *cell, "at {end}");
        }
    }
}

/// The landblock of F2.
const SLOPES: BlockId = BlockId(0xA9B3);

/// F2: heights of the vertices of A9B3 in metres, as far as they are known; (4, 8) is a filler, all others are 94.
const VERTICES: [([i32; 2], f32); 8] = [
    ([1, 8], 90.0),
    ([2, 8], 90.0),
    ([3, 8], 92.0),
    ([3, 6], 98.0),
    ([3, 7], 96.0),
    ([4, 7], 100.0),
    ([4, 6], 102.0),
    ([4, 8], 96.0),
];

/// The low word of a cell, and a point.
type CellPoint = (u16, [f32; 3]);

/// F2: runs of a number of animation frames, of 4/30 m each, from one reported position along a heading (w and z of its
/// quaternion) to the next.
const RUNS: [(u16, CellPoint, [f32; 2], CellPoint); 8] = [
    (
        44,
        (0x0F, [29.34506, 164.15269, 94.005]),
        [-0.8460921, 0.5330367],
        (0x0F, [34.63676, 166.68561, 94.005]),
    ),
    (
        23,
        (0x0F, [34.63676, 166.68561, 94.005]),
        [-0.8460921, 0.5330367],
        (0x10, [37.40287, 168.00963, 94.0034]),
    ),
    (
        29,
        (0x10, [38.88147, 168.60408, 93.90432]),
        [-0.7541278, 0.6567277],
        (0x10, [42.71146, 169.13553, 93.81574]),
    ),
    (
        44,
        (0x17, [48.11732, 166.07826, 94.01478]),
        [-0.6569943, 0.7538955],
        (0x17, [53.88873, 165.27618, 94.49573]),
    ),
    (
        23,
        (0x17, [71.74884, 164.57309, 96.24873]),
        [-0.729745, -0.6837193],
        (0x17, [68.68871, 164.77255, 95.72906]),
    ),
    (
        43,
        (0x18, [51.37438, 168.01193, 94.28421]),
        [-0.7288395, 0.6846846],
        (0x18, [57.0629, 168.4369, 94.68742]),
    ),
    (
        15,
        (0x18, [57.85203, 168.39632, 94.75995]),
        [-0.6149635, 0.7885555],
        (0x17, [59.77217, 167.94817, 94.98602]),
    ),
    (
        16,
        (0x17, [70.26269, 165.23125, 95.94618]),
        [-0.5087811, 0.8608959],
        (0x1F, [72.06754, 164.23442, 96.33006]),
    ),
];

/// The client reported rounded positions; in metres.
const TOLERANCE: f32 = 2e-4;

fn slopes() -> Walk {
    let height = |x: i32, y: i32| {
        let known = VERTICES.iter().find(|(at, _)| *at == [x, y]);
        known.map_or(94.0, |(_, height)| *height)
    };
    let mut forge = Forge::new();
    // The table has steps of 2 m.
    forge.block(SLOPES).heights(|x, y| (height(x, y) / 2.0) as i32);
    Walk::from_source(forge.finish().unwrap())
}

/// The ground below a point of the landblock, in metres.
fn ground(walk: &Walk, at: Vec3) -> f32 {
    walk.world.land(SLOPES).unwrap().terrain().height(at.truncate()).unwrap()
}

#[test]
fn a_mover_rests_5_mm_over_the_ground_where_the_client_did() {
    let walk = slopes();
    for (_, from, _, to) in RUNS {
        for (low, at) in [from, to] {
            let rest = ground(&walk, at.into()) + FEET;
            assert!((rest - at[2]).abs() < TOLERANCE, "{low:04X} {at:?}: {rest}");
        }
    }
}

/// With the other cut all these heights of the client are missed, by up to 27 cm.
#[test]
fn the_cell_of_the_slopes_is_cut_from_south_west_to_north_east() {
    let walk = slopes();
    let terrain = walk.world.land(SLOPES).unwrap().terrain();
    // Column 2, row 6.
    let cell = 8 * 2 + 6;
    let (south_west, north_east) = (terrain.vertex(2, 6), terrain.vertex(3, 7));
    for triangle in [2 * cell, 2 * cell + 1] {
        let corners = terrain.triangle(triangle);
        assert!(corners.contains(&south_west) && corners.contains(&north_east), "{corners:?}");
    }
    // Heights by the other cut: over the triangle of the south-eastern or the north-western corner.
    let corner = |x: usize, y: usize| terrain.vertex(x, y);
    let (south_east, north_west) = (corner(3, 6), corner(2, 7));
    let mut missed: Vec<f32> = Vec::new();
    for (low, at) in RUNS.iter().flat_map(|(_, from, _, to)| [*from, *to]) {
        if low != 0x17 {
            continue;
        }
        let part = (Vec3::from(at) - south_west) / 24.0;
        let (u, v) = (part.x, part.y);
        let height = if u + v <= 1.0 {
            south_west.z + u * (south_east.z - south_west.z) + v * (north_west.z - south_west.z)
        } else {
            north_east.z
                + (1.0 - u) * (north_west.z - north_east.z)
                + (1.0 - v) * (south_east.z - north_east.z)
        };
        missed.push((height + FEET - at[2]).abs());
    }
    let max = missed.iter().copied().fold(0.0, f32::max);
    assert!(missed.len() == 6 && missed.iter().all(|by| *by > 10.0 * TOLERANCE), "{missed:?}");
    assert!((0.26..0.28).contains(&max), "{missed:?}");
}

#[test]
fn a_run_over_slopes_ends_where_the_client_was() {
    for (number, (frames, from, [w, z], to)) in RUNS.iter().enumerate() {
        let mut walk = slopes();
        let cell = SLOPES.cell(from.0);
        walk.put_in_air(cell.0, from.1);
        let ground = walk.world.land_cell(cell).unwrap().ground(Vec3::from(from.1).truncate());
        walk.body.stance = Stance::on(ground.unwrap().plane, cell);
        let rotation = Rotation::new(*w, 0.0, 0.0, *z);
        walk.world.turn(walk.body.id, rotation).unwrap();
        let by = rotation.rotate(Vec3::Y) * (f32::from(*frames) * 4.0 / 30.0);
        let outcome = walk.step(by.to_array());
        assert!(outcome.is_ok() && outcome.stance.on_walkable, "run {number}");
        let off = (walk.at() - Vec3::from(to.1)).abs().max_element();
        assert!(off < TOLERANCE, "run {number}: {} instead of {to:?}, {off} m off", walk.at());
        assert_eq!(walk.cell(), SLOPES.cell(to.0), "run {number}");
    }
}

/// F3: the extent and the vertical speed of a jump as the client sent them, to the bit.
#[test]
fn the_speed_of_a_jump_is_that_of_the_client_to_the_bit() {
    let speed = |skill| {
        let extent = f32::from_bits(0x3F02_3928);
        Jump { extent, skill, ..Jump::default() }.speed().to_bits()
    };
    assert_eq!(speed(75.0), 0x4062_EBB6);
    assert_ne!(speed(74.0), 0x4062_EBB6);
    assert_ne!(speed(76.0), 0x4062_EBB6);
}

/// F3: run rates of two skills without burden.
#[test]
fn run_rates_are_those_of_the_client_to_the_bit() {
    assert_eq!(run_rate(40.0, 1.0).to_bits(), 1.458_333_4_f32.to_bits());
    assert_eq!(run_rate(110.0, 1.0).to_bits(), 1.975_806_5_f32.to_bits());
}
