//! Under the mountain: a gatehouse, a cave, and a dungeon on three levels below it.
//!
//! Everything is connected: the stairs behind the gatehouse lead down into the cave, the cave into the great hall, and from
//! there passages lead in all directions. All of it is one plan, with the threshold of the gatehouse at the origin; x runs into the mountain.

use threshold_land::vector::Vec3;

use super::cave::cave;
use super::mason::{Chamber, Mason, StairDirection};
use super::stock::Stock;
use super::tower::SpiralStairs;
use crate::stock::material::Material;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::Shape;

pub(super) const ROCK: FaceMaterials = FaceMaterials::all(Material::Rock);
pub(super) const DRESSED: FaceMaterials =
    FaceMaterials::new(Material::Ashlar, Material::Slate, Material::Ashlar);
const MASONRY: FaceMaterials =
    FaceMaterials::new(Material::Cobble, Material::Cobble, Material::Cobble);
const BRICKS: FaceMaterials =
    FaceMaterials::new(Material::Brick, Material::Cobble, Material::Brick);

/// Floors of the three levels: halls, crypt, and the cavern at the bottom.
const HALLS: f32 = -7.0;
const CRYPT: f32 = -15.0;
const CAVERN: f32 = -24.0;

/// A narrow door of a cell.
const NARROW: [f32; 2] = [1.3, 2.1];
/// A wide door.
const WIDE: [f32; 2] = [2.4, 2.8];

/// The gatehouse and everything below it.
pub(super) fn depths(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(DRESSED);
    let gatehouse = m.room("gatehouse", [-4.0, -3.5, 0.0], [4.0, 3.5, 4.0]);
    m.exit(gatehouse, Face::WEST, [2.4, 3.0]);
    m.buried = true;
    m.looks = MASONRY;
    let flight = [[4.0, -1.5, -6.0], [16.0, 1.5, 2.8]];
    let stairs = m.stairs("mine stairs", flight, StairDirection::West, 0.0, [1.5, 1.5]);
    m.door(gatehouse, stairs, [2.4, 2.6]);
    let cave = cave(&mut m, stock, stairs);
    let hall = halls(&mut m, stock, cave);
    let crypt = crypt(&mut m, stock, &hall);
    bottom(&mut m, stock, &hall, &crypt);
    wound(&mut m, &hall, &crypt);
    stock.furnish(
        &mut m.plan,
        gatehouse,
        &[
            ("torch", [3.98, -2.2, 0.0], 270.0),
            ("torch", [3.98, 2.2, 0.0], 270.0),
            ("crate", [-3.2, -2.7, 0.0], 15.0),
        ],
    );
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Ashlar, Material::Slate, Material::Ashlar));
    for y in [-2.6_f32, 2.6] {
        let low = [-4.8, y - 0.6, -1.5];
        plan.solid(Material::Ashlar, Shape::cuboid(low, [-3.8, y + 0.6, 5.4]));
    }
    plan.solid(Material::Ashlar, Shape::cuboid([-4.8, -3.8, 4.1], [4.3, 3.8, 5.0]));
    // Over the top of the stairs, up to the cliff.
    plan.solid(Material::Cobble, Shape::cuboid([3.9, -1.9, -1.5], [6.9, 1.9, 3.2]));
    plan
}

/// Rooms that other parts join to.
struct Halls {
    chapel: Chamber,
    crossing: Chamber,
    guard: Chamber,
}

/// The great hall with its side chapels and gallery, the cells of the prison, library and armoury.
fn halls(m: &mut Mason, stock: &mut Stock<'_>, cave: RoomKey) -> Halls {
    m.looks = DRESSED;
    let gate = m.room("gate", [24.0, 16.0, HALLS], [32.0, 22.0, -2.6]);
    let outline = [[26.0, 16.0, -6.7], [30.0, 16.0, -6.7], [30.0, 16.0, -3.2], [26.0, 16.0, -3.2]];
    m.plan.join(gate.key, cave, Opening::polygon(outline));
    let blocks = great_hall_blocks();
    let hall = m.room_with("great hall below", [[16.0, 22.0, HALLS], [40.0, 58.0, 4.0]], &blocks);
    m.door(gate, hall, [4.0, 4.0]);
    let chapels: Vec<Chamber> = (0_u8..4)
        .map(|number| {
            let south = 22.0 + 9.0 * f32::from(number);
            m.room("side chapel", [9.0, south, HALLS], [16.0, south + 9.0, -3.6])
        })
        .collect();
    let gallery: Vec<Chamber> = (0_u8..3)
        .map(|number| {
            let south = 22.0 + 12.0 * f32::from(number);
            m.room("gallery", [9.0, south, 0.0], [16.0, south + 12.0, 3.6])
        })
        .collect();
    for chapel in &chapels {
        m.door(*chapel, hall, WIDE);
        let [low, _] = chapel.corners();
        stock.furnish(&mut m.plan, *chapel, &[("altar", [10.0, low.y + 6.5, HALLS], 90.0)]);
    }
    chapels.windows(2).for_each(|pair| m.door(pair[0], pair[1], NARROW));
    gallery.windows(2).for_each(|pair| m.open(pair[0], pair[1]));
    add_arches(m, &gallery, hall);
    let passage = m.room("north passage", [26.5, 58.0, HALLS], [29.5, 72.0, -4.0]);
    let crossing = m.room("crossing", [20.0, 72.0, HALLS], [36.0, 80.0, -3.0]);
    let anteroom = m.room("anteroom", [12.0, 72.0, HALLS], [20.0, 76.0, -3.4]);
    let flight = [[9.0, 58.0, HALLS], [12.0, 76.0, 3.6]];
    let stairs = m.stairs("gallery stairs", flight, StairDirection::South, 0.0, [3.4, 2.0]);
    m.door(hall, passage, WIDE);
    m.door(passage, crossing, WIDE);
    m.door(crossing, anteroom, WIDE);
    m.door_at(anteroom, stairs, 74.4, [2.4, 2.6]);
    m.door(stairs, gallery[2], [2.0, 2.6]);
    let guard = prison(m, stock, hall);
    library(m, stock, hall, guard);
    stock.furnish(
        &mut m.plan,
        hall,
        &[
            ("brazier", [24.0, 26.0, HALLS], 0.0),
            ("brazier", [32.0, 26.0, HALLS], 0.0),
            ("brazier", [24.0, 50.0, HALLS], 0.0),
            ("brazier", [32.0, 50.0, HALLS], 0.0),
            ("altar", [28.0, 56.0, HALLS + 0.6], 180.0),
        ],
    );
    stock.furnish(&mut m.plan, crossing, &[("torch", [20.02, 78.5, HALLS], 90.0)]);
    Halls { chapel: chapels[2], crossing, guard }
}

/// Two rows of pillars, and the steps to the altar.
fn great_hall_blocks() -> Vec<(Material, [f32; 3], [f32; 3])> {
    let mut blocks = Vec::new();
    for (x, y) in [21.0_f32, 35.0]
        .into_iter()
        .flat_map(|x| (0_u8..6).map(move |n| (x, 26.0 + 5.2 * f32::from(n))))
    {
        blocks.push((Material::Ashlar, [x - 0.7, y - 0.7, HALLS], [x + 0.7, y + 0.7, 4.0]));
    }
    blocks.push((Material::Slate, [24.0, 54.0, HALLS], [32.0, 55.5, HALLS + 0.3]));
    blocks.push((Material::Slate, [24.0, 55.5, HALLS], [32.0, 56.5, HALLS + 0.6]));
    blocks
}

/// Two arches from each part of the gallery to the great hall.
fn add_arches(m: &mut Mason, gallery: &[Chamber], hall: Chamber) {
    for part in gallery {
        let [low, high] = part.corners();
        for from in [low.y + 1.0, high.y - 5.0] {
            let at = |y: f32, z: f32| [16.0, y, z];
            let arch = [at(from, 0.9), at(from + 4.0, 0.9), at(from + 4.0, 3.0), at(from, 3.0)];
            m.plan.join(part.key, hall.key, Opening::polygon(arch));
        }
    }
}

/// A passage with seven cells on either side, and the guard room at its end.
fn prison(m: &mut Mason, stock: &mut Stock<'_>, hall: Chamber) -> Chamber {
    m.looks = BRICKS;
    let mut last = m.room("prison gate", [40.0, 28.8, HALLS], [46.0, 31.2, -4.2]);
    m.open(hall, last);
    for number in 0_u8..7 {
        let west = 46.0 + 5.0 * f32::from(number);
        let (middle, east) = (west + 2.5, west + 5.0);
        let part = m.room("prison passage", [west, 28.8, HALLS], [east, 31.2, -4.2]);
        m.open(last, part);
        for (south, north) in [(24.8, 28.8), (31.2, 35.2)] {
            let cell = m.room("cell", [west, south, HALLS], [east, north, -4.4]);
            m.door(part, cell, NARROW);
            let bed = if south < 30.0 { south + 1.0 } else { north - 1.0 };
            stock.furnish(&mut m.plan, cell, &[("bench", [middle - 1.6, bed, HALLS], 0.0)]);
        }
        last = part;
    }
    let guard = m.room("guard room", [81.0, 25.0, HALLS], [89.0, 35.0, -3.4]);
    m.open(last, guard);
    stock.furnish(
        &mut m.plan,
        guard,
        &[("table", [83.0, 33.0, HALLS], 0.0), ("chair", [83.0, 31.8, HALLS], 0.0)],
    );
    guard
}

/// The library and the armoury, which close a ring with the guard room.
fn library(m: &mut Mason, stock: &mut Stock<'_>, hall: Chamber, guard: Chamber) {
    m.looks = FaceMaterials::new(Material::Ashlar, Material::Plank, Material::Timber);
    let mut shelves = Vec::new();
    for y in [46.2_f32, 53.8] {
        for x in [54.5_f32, 58.5, 62.5] {
            shelves.push((
                Material::Timber,
                [x - 1.4, y - 0.4, HALLS],
                [x + 1.4, y + 0.4, HALLS + 2.4],
            ));
        }
    }
    let west = m.room("library passage", [40.0, 48.8, HALLS], [52.0, 51.2, -4.2]);
    let library = m.room_with("library", [[52.0, 44.0, HALLS], [66.0, 56.0, -2.4]], &shelves);
    let east = m.room("armoury passage", [66.0, 48.8, HALLS], [81.0, 51.2, -4.2]);
    let armoury = m.room("armoury", [81.0, 44.0, HALLS], [89.0, 56.0, -3.4]);
    let link = m.room("guards' passage", [83.8, 35.0, HALLS], [86.2, 44.0, -4.4]);
    m.open(hall, west);
    m.open(west, library);
    m.open(library, east);
    m.open(east, armoury);
    m.open(guard, link);
    m.open(link, armoury);
    stock.furnish(
        &mut m.plan,
        library,
        &[("table", [59.0, 50.0, HALLS], 90.0), ("candle", [59.0, 50.0, HALLS + 0.8], 0.0)],
    );
    stock.furnish(
        &mut m.plan,
        armoury,
        &[
            ("shelf", [88.6, 50.0, HALLS], 270.0),
            ("crate", [82.0, 55.0, HALLS], 8.0),
            ("chest", [88.0, 46.0, HALLS], 270.0),
        ],
    );
}

/// Rooms that other parts join to.
struct Crypt {
    ossuary: Chamber,
    /// The passage above the way up from the bottom.
    middle: Chamber,
}

/// The crypt under the halls: niches along a passage, an ossuary under the great hall, a shaft down from the guard room and
/// stairs up to the crossing.
fn crypt(m: &mut Mason, stock: &mut Stock<'_>, halls: &Halls) -> Crypt {
    m.looks = MASONRY;
    let end = m.room("crypt end", [81.0, 25.0, CRYPT], [89.0, 35.0, -11.0]);
    let shaft = m.room("shaft", [84.0, 28.4, -11.0], [86.0, 30.4, HALLS]);
    m.open(shaft, halls.guard);
    m.open(shaft, end);
    let mut pillars = Vec::new();
    for (x, y) in [23.0_f32, 28.0, 33.0]
        .into_iter()
        .flat_map(|x| [30.0_f32, 37.0, 44.0, 51.0].map(|y| (x, y)))
    {
        pillars.push((Material::Cobble, [x - 0.5, y - 0.5, CRYPT], [x + 0.5, y + 0.5, -10.5]));
    }
    let ossuary = m.room_with("ossuary", [[18.0, 24.0, CRYPT], [38.0, 58.0, -10.5]], &pillars);
    let mut last = m.room("crypt passage", [38.0, 28.8, CRYPT], [46.0, 31.2, -12.2]);
    m.open(ossuary, last);
    let mut middle = last;
    for number in 0_u8..5 {
        let west = 46.0 + 7.0 * f32::from(number);
        let part = m.room("crypt passage", [west, 28.8, CRYPT], [west + 7.0, 31.2, -12.2]);
        m.open(last, part);
        for (south, north) in [(26.6, 28.8), (31.2, 33.4)] {
            if number == 1 && south > 30.0 {
                middle = part;
                continue;
            }
            let niche = m.room("niche", [west + 1.5, south, CRYPT], [west + 5.5, north, -12.4]);
            m.door(part, niche, [1.6, 2.2]);
        }
        last = part;
    }
    m.open(last, end);
    let flight = [[32.0, 58.0, CRYPT], [35.0, 72.0, -4.0]];
    let stairs = m.stairs("crypt stairs", flight, StairDirection::North, HALLS, [1.8, 1.8]);
    m.door(ossuary, stairs, WIDE);
    m.door(stairs, halls.crossing, [2.0, 2.6]);
    stock.furnish(
        &mut m.plan,
        ossuary,
        &[
            ("torch", [18.02, 40.0, CRYPT], 90.0),
            ("tombstone", [20.0, 56.8, CRYPT], 180.0),
            ("tombstone", [24.0, 56.8, CRYPT], 180.0),
        ],
    );
    Crypt { ossuary, middle }
}

/// The well and the cavern it ends in, the ramp out of it, and a chasm with a bridge.
fn bottom(m: &mut Mason, stock: &mut Stock<'_>, halls: &Halls, crypt: &Crypt) {
    m.looks = ROCK;
    let well = m.room("well", [22.0, 77.0, -20.0], [24.0, 79.0, HALLS]);
    let cavern = m.room("cavern", [18.0, 68.0, CAVERN], [36.0, 84.0, -20.0]);
    m.open(well, halls.crossing);
    m.open(well, cavern);
    let ramp = RoomSpec::corridor([36.0, 76.0, CAVERN], [56.0, 76.0, CRYPT], [2.4, 3.0]);
    let ramp = m.plan.room(ramp.named("long ramp").materials(ROCK).buried());
    let landing = m.room("ramp head", [56.0, 73.0, CRYPT], [62.0, 79.0, -11.4]);
    m.plan.join(ramp, cavern.key, Opening::whole(Face::Wall(0)));
    m.plan.join(ramp, landing.key, Opening::whole(Face::Wall(2)));
    let mut last = crypt.middle;
    for south in [31.2_f32, 45.2, 59.2] {
        let north = (south + 14.0).min(73.0);
        let part = m.room("rough passage", [57.0, south, CRYPT], [59.4, north, -12.4]);
        m.open(last, part);
        last = part;
    }
    m.open(last, landing);
    chasm(m, stock, halls, landing);
    stock.furnish(&mut m.plan, cavern, &[("boulder", [32.0, 81.0, CAVERN], 0.0)]);
}

/// A chasm between the crossing and the treasury: its upper half has no floor, only a bridge.
fn chasm(m: &mut Mason, stock: &mut Stock<'_>, halls: &Halls, landing: Chamber) {
    const EDGE: f32 = -6.8;
    m.looks = ROCK;
    let lower = m.room("chasm", [66.0, 68.0, CRYPT], [80.0, 84.0, EDGE]);
    // The deck keeps a gap to the opening in the floor.
    let deck = (Material::Plank, [66.03, 74.8, EDGE + 0.1], [79.97, 77.2, EDGE + 0.4]);
    let upper = m.room_with("chasm bridge", [[66.0, 68.0, EDGE], [80.0, 84.0, -0.6]], &[deck]);
    m.open(lower, upper);
    let foot = m.room("chasm foot", [62.0, 74.8, CRYPT], [66.0, 77.2, -12.2]);
    m.open(landing, foot);
    m.open(foot, lower);
    m.looks = MASONRY;
    let mut last = halls.crossing;
    for west in [36.0_f32, 51.0] {
        let part = m.room("chasm passage", [west, 74.8, EDGE], [west + 15.0, 77.2, -4.0]);
        m.open(last, part);
        last = part;
    }
    m.door_at(last, upper, 76.0, [2.0, 2.7]);
    let treasury = m.room("treasury", [80.0, 71.0, EDGE], [90.0, 81.0, -2.4]);
    m.door_at(upper, treasury, 76.0, [2.0, 2.7]);
    stock.furnish(
        &mut m.plan,
        treasury,
        &[
            ("chest", [88.6, 74.0, EDGE], 270.0),
            ("chest", [88.6, 76.0, EDGE], 270.0),
            ("chest", [88.6, 78.0, EDGE], 270.0),
            ("torch", [85.0, 80.98, EDGE], 180.0),
        ],
    );
}

/// A stair that winds from the ossuary up to a side chapel of the great hall.
fn wound(m: &mut Mason, halls: &Halls, crypt: &Crypt) {
    const OUTER: f32 = 3.6;
    const FOOT: f32 = -17.2;
    m.looks = MASONRY;
    let winding = SpiralStairs {
        foot: Vec3::new(4.0, 44.5, FOOT),
        radii: [0.8, OUTER],
        wedges: 19,
        level_end: true,
        ceilings: [-3.6; 8],
        looks: DRESSED,
    };
    let wedges = winding.build(&mut m.plan);
    let south = m.room("winding foot", [2.8, 34.0, FOOT], [5.2, 44.5 - OUTER, -14.6]);
    let turn = m.room("winding turn", [2.8, 31.6, FOOT], [5.2, 34.0, -14.6]);
    let ramp = RoomSpec::corridor([18.0, 32.8, CRYPT], [5.2, 32.8, FOOT], [2.4, 2.6]);
    let ramp = m.plan.room(ramp.named("bone ramp").materials(MASONRY).buried());
    m.plan.join(ramp, crypt.ossuary.key, Opening::whole(Face::Wall(0)));
    m.plan.join(ramp, turn.key, Opening::whole(Face::Wall(2)));
    m.open(turn, south);
    m.plan.join(south.key, wedges[0], Opening::whole(Face::NORTH));
    let head = m.room("winding head", [4.0 + OUTER, 43.4, HALLS], [9.0, 45.6, -4.4]);
    m.plan.join(head.key, wedges[18], Opening::whole(Face::WEST));
    m.open(head, halls.chapel);
}
