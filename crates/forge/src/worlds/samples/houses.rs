//! Random houses of several kinds. All of them lie within 10.6 m of their origin, so that they fit into a land cell at any
//! heading, and have their front door in the south.

use threshold_dat::RecordId;
use threshold_land::Frame;
use threshold_land::vector::{Vec2, Vec3};

use super::stairs::Flight;
use crate::stock::material::Material;
use crate::stock::things;
use crate::tool::forge::Forge;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::random::Random;
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::{Ridge, Shape};

/// Furniture of a village.
#[derive(Clone, Copy)]
pub(super) struct Props {
    pub(super) table: RecordId,
    pub(super) crate_: RecordId,
}

impl Props {
    pub(super) fn make(forge: &mut Forge) -> Self {
        Self { table: forge.object(things::table()), crate_: forge.object(things::crate_()) }
    }
}

/// A kind of house: its function, and its minimum and maximum number of rooms.
type Kind = (fn(&mut House<'_>, usize), usize, usize);

const KINDS: [Kind; 7] = [
    (hut, 1, 1),
    (long_hall, 1, 2),
    (chapel, 1, 3),
    (cottage, 2, 4),
    (two_storeys, 2, 5),
    (farm, 2, 3),
    (tower, 2, 4),
];

/// Makes a house with at most `max` rooms, and at least one.
pub(super) fn any(random: &mut Random, props: Props, max: usize) -> Plan {
    let fitting: Vec<Kind> = KINDS.into_iter().filter(|(_, fewest, _)| *fewest <= max).collect();
    let (build, fewest, largest) = random.pick(&fitting);
    let rooms = fewest + random.below(largest.min(max) - fewest + 1);
    let walls =
        random.pick(&[Material::Plaster, Material::Brick, Material::Ashlar, Material::Cobble]);
    let roof = random.pick(&[Material::Slate, Material::Thatch, Material::Plank]);
    let floor = random.pick(&[Material::Plank, Material::Cobble, Material::Timber]);
    let inner = random.pick(&[Material::Plaster, Material::Plank, Material::Brick]);
    let mut plan = Plan::new();
    plan.outside(FaceMaterials::new(walls, roof, Material::Timber));
    let looks = FaceMaterials::new(inner, floor, Material::Plank);
    let mut house = House { plan, random, props, looks, roof };
    build(&mut house, rooms);
    house.plan
}

/// A house under construction.
struct House<'a> {
    plan: Plan,
    random: &'a mut Random,
    props: Props,
    looks: FaceMaterials,
    roof: Material,
}

impl House<'_> {
    fn add(&mut self, room: RoomSpec) -> RoomKey {
        self.plan.room(room.materials(self.looks))
    }

    fn cuboid(&mut self, low: [f32; 3], high: [f32; 3]) -> RoomKey {
        self.add(RoomSpec::cuboid(low, high))
    }

    /// Adds a doorway between two points in plan, 2.3 m high.
    fn door(&mut self, room: RoomKey, other: RoomKey, [from, to]: [[f32; 2]; 2], floor: f32) {
        self.plan.join(room, other, doorway(from, to, floor));
    }

    /// A saddle roof over a rectangle, with its ridge along the y axis.
    fn gable(&mut self, low: [f32; 2], high: [f32; 2], eaves: f32) {
        let rise = self.random.pick(&[1.5, 2.0, 2.8]);
        let overhang = Vec2::splat(0.5);
        let (low, high) = (Vec2::from(low) - overhang, Vec2::from(high) + overhang);
        self.plan.roof(self.roof, Shape::gable(low, high, [eaves, eaves + rise], Ridge::North));
    }

    /// Adds a pointed roof over eight walls.
    fn spire(&mut self, radius: f32, eaves: f32, rise: f32) {
        self.plan.solid(self.roof, Shape::spire(8, radius + 0.6, [eaves, eaves + rise]));
    }

    fn put(&mut self, room: RoomKey, model: RecordId, at: [f32; 3]) {
        self.plan.put(room, model, Frame::at(at.into()));
    }

    fn window(&mut self, room: RoomKey, face: Face) {
        if self.random.below(3) > 0 {
            self.plan.window(room, Opening::pane(face).size(1.0, 1.0));
        }
    }
}

fn doorway([x, y]: [f32; 2], [to_x, to_y]: [f32; 2], floor: f32) -> Opening {
    let top = floor + 2.3;
    Opening::polygon([[x, y, floor], [to_x, to_y, floor], [to_x, to_y, top], [x, y, top]])
}

/// Minimum height of furnished rooms, in metres. A walking mover does not step over an edge: from a crate it jumps
/// down, and needs headroom for that.
const LOW: f32 = 3.1;

fn hut(house: &mut House<'_>, _: usize) {
    let (x, y) = (house.random.pick(&[2.5, 3.0, 3.5]), house.random.pick(&[2.5, 3.0, 4.0]));
    let height = house.random.pick(&[LOW, 3.3, 3.6]);
    let room = house.cuboid([-x, -y, 0.0], [x, y, height]);
    house.plan.exit(room, Opening::door(Face::SOUTH).size(1.4, 2.2));
    house.window(room, Face::EAST);
    house.window(room, Face::NORTH);
    house.put(room, house.props.table, [1.0 - x, y - 0.8, 0.0]);
    house.gable([-x, -y], [x, y], height);
}

/// A hall with two rows of pillars, and a chamber behind it.
fn long_hall(house: &mut House<'_>, rooms: usize) {
    let height = house.random.pick(&[3.6, 4.2, 4.8]);
    let mut hall = RoomSpec::cuboid([-4.0, -9.0, 0.0], [4.0, 5.0, height]);
    for (x, y) in [-6.5, -3.5, -0.5, 2.5].into_iter().flat_map(|y| [(-2.2, y), (2.2, y)]) {
        let pillar = Shape::cuboid([x - 0.25, y - 0.25, 0.0], [x + 0.25, y + 0.25, height]);
        hall = hall.block_of(Material::Timber, pillar);
    }
    let hall = house.add(hall);
    house.plan.exit(hall, Opening::door(Face::SOUTH).size(2.2, 2.6));
    house.window(hall, Face::WEST);
    house.window(hall, Face::EAST);
    let mut end = 5.0;
    if rooms > 1 {
        end = 9.0;
        let chamber = house.cuboid([-4.0, 5.0, 0.0], [4.0, end, height]);
        house.door(hall, chamber, [[-0.8, 5.0], [0.8, 5.0]], 0.0);
        house.window(chamber, Face::NORTH);
        house.put(chamber, house.props.table, [-3.0, 8.2, 0.0]);
    }
    house.gable([-4.0, -9.0], [4.0, end], height);
}

/// Eight walls with an altar and pews; a porch before it, and a vestry in the east.
fn chapel(house: &mut House<'_>, rooms: usize) {
    let mut nave = RoomSpec::shaped(Shape::regular(8, 4.5, 0.0, 5.5));
    let altar = Shape::cuboid([-0.8, 2.6, 0.0], [0.8, 3.4, 1.0]);
    nave = nave.block_of(Material::Ashlar, altar);
    for (x, y) in [-1.5, 0.0].into_iter().flat_map(|y| [(-2.0, y), (2.0, y)]) {
        let pew = Shape::cuboid([x - 0.9, y - 0.2, 0.0], [x + 0.9, y + 0.2, 0.45]);
        nave = nave.block_of(Material::Plank, pew);
    }
    let nave = house.add(nave);
    house.window(nave, Face::Wall(4));
    house.window(nave, Face::Wall(6));
    if rooms > 1 {
        let porch = house.cuboid([-1.4, -7.5, 0.0], [1.4, -4.5, 2.8]);
        house.door(porch, nave, [[-0.8, -4.5], [0.8, -4.5]], 0.0);
        house.plan.exit(porch, Opening::door(Face::SOUTH));
    } else {
        house.plan.exit(nave, Opening::door(Face::Wall(0)).size(1.8, 2.4));
    }
    if rooms > 2 {
        let vestry = house.cuboid([4.5, -1.5, 0.0], [7.5, 1.5, LOW]);
        house.door(nave, vestry, [[4.5, -0.7], [4.5, 0.7]], 0.0);
        house.put(vestry, house.props.crate_, [6.9, -0.9, 0.0]);
    }
    house.spire(4.5, 5.6, 4.0);
}

/// A hall with a cellar under it that steps lead down to; a chamber in the north, and a pantry.
fn cottage(house: &mut House<'_>, rooms: usize) {
    let hall = house.cuboid([-4.0, -5.0, 0.0], [4.0, 1.0, LOW]);
    let flight =
        Flight { foot: Vec3::new(2.2, -3.6, -LOW), width: 1.8, height: LOW, northward: true };
    let cellar = RoomSpec::cuboid([-2.0, -5.0, -LOW], [4.0, 1.0, 0.0]).buried();
    let looks = FaceMaterials::all(Material::Cobble);
    let cellar = house.plan.room(flight.build(cellar, Material::Cobble).materials(looks));
    house.plan.join(cellar, hall, flight.hatch());
    house.put(cellar, house.props.crate_, [-1.4, 0.4, -LOW]);
    house.plan.exit(hall, Opening::door(Face::SOUTH).size(1.6, 2.2));
    // None in the east, beside the steps: a window reaches out to the land, which covers the cellar.
    house.window(hall, Face::WEST);
    house.put(hall, house.props.table, [-3.0, 0.2, 0.0]);
    let mut end = 1.0;
    if rooms > 2 {
        end = 5.0;
        let chamber = house.cuboid([-4.0, 1.0, 0.0], [1.0, end, LOW]);
        house.door(hall, chamber, [[-1.6, 1.0], [0.0, 1.0]], 0.0);
        house.window(chamber, Face::NORTH);
        if rooms > 3 {
            let pantry = house.cuboid([1.0, 1.0, 0.0], [4.0, end, LOW]);
            house.door(chamber, pantry, [[1.0, 2.0], [1.0, 3.4]], 0.0);
            house.put(pantry, house.props.crate_, [3.4, 4.4, 0.0]);
        }
    }
    house.gable([-4.0, -5.0], [4.0, end], LOW + 0.1);
}

/// A hall with steps to a room above it; a kitchen, a store, and a second room upstairs.
fn two_storeys(house: &mut House<'_>, rooms: usize) {
    const UP: f32 = LOW;
    const TOP: f32 = 2.0 * LOW;
    let flight =
        Flight { foot: Vec3::new(-5.0, -2.2, 0.0), width: 1.8, height: UP, northward: true };
    let hall = RoomSpec::cuboid([-5.0, -4.0, 0.0], [1.0, 4.0, UP]);
    let hall = house.add(flight.build(hall, Material::Plank));
    let upper = house.cuboid([-5.0, -4.0, UP], [1.0, 4.0, TOP]);
    house.plan.join(hall, upper, flight.hatch());
    house.plan.exit(hall, Opening::door(Face::SOUTH).size(1.6, 2.2));
    house.window(hall, Face::NORTH);
    house.window(upper, Face::SOUTH);
    house.window(upper, Face::WEST);
    house.put(upper, house.props.table, [0.0, -3.4, UP]);
    let mut east = 1.0;
    if rooms > 2 {
        east = 5.0;
        let kitchen = house.cuboid([1.0, -4.0, 0.0], [east, 1.0, UP]);
        house.door(hall, kitchen, [[1.0, -2.0], [1.0, -0.4]], 0.0);
        house.window(kitchen, Face::SOUTH);
        house.put(kitchen, house.props.table, [4.0, -3.2, 0.0]);
        if rooms > 3 {
            let store = house.cuboid([1.0, 1.0, 0.0], [east, 4.0, UP]);
            house.door(kitchen, store, [[2.0, 1.0], [3.4, 1.0]], 0.0);
            house.put(store, house.props.crate_, [1.6, 3.4, 0.0]);
        }
        if rooms > 4 {
            let chamber = house.cuboid([1.0, -4.0, UP], [east, 4.0, TOP]);
            house.door(upper, chamber, [[1.0, 1.0], [1.0, 2.6]], UP);
            house.window(chamber, Face::EAST);
        } else {
            house.gable([1.2, -4.0], [east, if rooms > 3 { 4.0 } else { 1.0 }], UP + 0.1);
        }
    }
    let roof_end = if rooms > 4 { east } else { 1.0 };
    house.gable([-5.0, -4.0], [roof_end, 4.0], TOP + 0.1);
}

/// Two wings at a right angle with a door each, and a shed.
fn farm(house: &mut House<'_>, rooms: usize) {
    let height = house.random.pick(&[LOW, 3.3]);
    let hall = house.cuboid([-7.0, -6.0, 0.0], [3.0, -1.0, height]);
    let wing = house.cuboid([-7.0, -1.0, 0.0], [-2.0, 7.0, height]);
    house.plan.exit(hall, Opening::door(Face::SOUTH).size(1.6, 2.2));
    house.plan.exit(wing, Opening::door(Face::EAST).size(2.0, 2.4));
    house.door(hall, wing, [[-5.4, -1.0], [-3.8, -1.0]], 0.0);
    house.window(wing, Face::NORTH);
    house.window(wing, Face::WEST);
    house.put(hall, house.props.table, [-6.0, -5.3, 0.0]);
    house.put(wing, house.props.crate_, [-6.4, 6.4, 0.0]);
    if rooms > 2 {
        let shed = house.cuboid([3.0, -6.0, 0.0], [7.0, -2.0, LOW]);
        house.door(hall, shed, [[3.0, -4.6], [3.0, -3.2]], 0.0);
        house.put(shed, house.props.crate_, [6.3, -5.3, 0.0]);
    } else {
        house.window(hall, Face::EAST);
    }
    house.gable([-7.0, -1.0], [-2.0, 7.0], height + 0.1);
}

/// Eight walls, one room per storey, and steps from each to the next, on alternating sides.
fn tower(house: &mut House<'_>, storeys: usize) {
    const STOREY: f32 = 3.2;
    let mut below: Option<(RoomKey, Flight)> = None;
    let mut floor = 0.0;
    for storey in 0..storeys {
        let mut room = RoomSpec::shaped(Shape::regular(8, 3.8, floor, floor + STOREY));
        let northward = storey % 2 == 0;
        let [x, y] = if northward { [1.0, -1.8] } else { [-2.6, 1.8] };
        let foot = Vec3::new(x, y, floor);
        let flight = Flight { foot, width: 1.6, height: STOREY, northward };
        let is_last = storey + 1 == storeys;
        if !is_last {
            room = flight.build(room, Material::Ashlar);
        }
        let key = house.add(room);
        match below.replace((key, flight)) {
            Some((lower, steps)) => {
                house.plan.join(lower, key, steps.hatch());
                house.window(key, Face::Wall(0));
                house.window(key, Face::Wall(4));
            }
            None => {
                house.plan.exit(key, Opening::door(Face::Wall(0)).size(1.5, 2.2));
            }
        }
        floor += STOREY;
    }
    house.spire(3.8, floor + 0.1, 3.5);
}
