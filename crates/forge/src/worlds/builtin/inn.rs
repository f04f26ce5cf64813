//! The inn: a building with every kind of detail.

use super::mason::{Chamber, Mason, StairDirection, gable};
use super::stock::{Stock, standing};
use crate::stock::material::Material;
use crate::tool::model::ObjectSpec;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::Plan;
use crate::tool::room::FaceMaterials;
use crate::tool::shape::Shape;

/// Height of the upper floor.
const UPPER: f32 = 3.9;
/// Height of the upper ceiling.
const TOP: f32 = 6.6;

/// Width and height of the door between the screens.
const DOOR: [f32; 2] = [1.4, 2.3];

/// A vestibule, a taproom, kitchen and store with a second door, stairs, and four rooms along a passage upstairs.
///
/// The vestibule is open over both of its ends. The wall between it and the taproom are two screens and a lintel that stand in the
/// taproom, with the door of the inn between them: a mover in the vestibule collides with walls of the next room.
pub(super) fn inn(stock: &mut Stock<'_>) -> Plan {
    let looks = FaceMaterials::new(Material::Plaster, Material::Plank, Material::Timber);
    let mut m = Mason::new(looks);
    let rooms = add_rooms(&mut m);
    add_openings(&mut m, stock, &rooms);
    furnish(&mut m, stock, &rooms);
    let door = stock.forge.object(ObjectSpec::Door { size: DOOR, material: Material::Plank });
    let Mason { mut plan, .. } = m;
    plan.put(rooms.taproom.key, door, standing([0.0, -6.85, 0.0], 0.0));
    plan.outside(FaceMaterials::new(Material::Plaster, Material::Slate, Material::Timber));
    plan.roof(Material::Slate, gable([-7.9, -7.9], [7.7, 8.3], [6.8, 10.8]));
    plan.roof(Material::Slate, gable([-2.1, -9.6], [2.1, -6.9], [3.2, 4.4]));
    plan.solid(Material::Brick, Shape::cuboid([-7.7, -3.0, -1.0], [-6.7, -1.8, 10.6]));
    plan
}

struct Rooms {
    vestibule: Chamber,
    taproom: Chamber,
    kitchen: Chamber,
    store: Chamber,
    stairs: Chamber,
    passage: Chamber,
    /// The southern rooms upstairs, from west to east.
    south: Vec<Chamber>,
    north: Chamber,
}

fn add_rooms(m: &mut Mason) -> Rooms {
    let vestibule = m.room("vestibule", [-1.5, -9.0, 0.0], [1.5, -7.0, 3.0]);
    let beam =
        |x: f32, y: f32| (Material::Timber, [x - 0.2, y - 0.2, 0.0], [x + 0.2, y + 0.2, 3.6]);
    let taproom = m.room_with(
        "taproom",
        [[-7.0, -7.0, 0.0], [5.0, 3.0, 3.6]],
        &[
            (Material::Timber, [-1.5, -6.95, 0.0], [-0.7, -6.75, 3.0]),
            (Material::Timber, [0.7, -6.95, 0.0], [1.5, -6.75, 3.0]),
            (Material::Timber, [-0.7, -6.95, DOOR[1]], [0.7, -6.75, 3.0]),
            (Material::Plank, [-7.0, -0.6, 0.0], [-2.4, 0.0, 1.1]),
            beam(-3.0, -3.5),
            beam(2.0, -3.5),
        ],
    );
    let kitchen = m.room_with(
        "kitchen",
        [[-7.0, 3.0, 0.0], [0.0, 7.5, 3.6]],
        &[(Material::Brick, [-6.9, 6.4, 0.0], [-4.9, 7.5, 1.0])],
    );
    let store = m.room("inn store", [0.0, 3.0, 0.0], [5.0, 7.5, 3.6]);
    let box_of_stairs = [[5.0, -7.0, 0.0], [6.8, 3.0, TOP]];
    let stairs = m.stairs("inn stairs", box_of_stairs, StairDirection::North, UPPER, [1.8, 2.4]);
    let passage = m.room("upper passage", [-7.0, 0.8, UPPER], [5.0, 2.8, TOP]);
    let south = [("west room", -7.0, -3.0), ("middle room", -3.0, 1.0), ("east room", 1.0, 5.0)]
        .into_iter()
        .map(|(name, west, east)| m.room(name, [west, -7.0, UPPER], [east, 0.8, TOP]))
        .collect();
    let north = m.room("north room", [-7.0, 2.8, UPPER], [5.0, 7.5, TOP]);
    Rooms { vestibule, taproom, kitchen, store, stairs, passage, south, north }
}

fn add_openings(m: &mut Mason, stock: &mut Stock<'_>, rooms: &Rooms) {
    let Rooms { vestibule, taproom, kitchen, store, stairs, passage, ref south, north } = *rooms;
    m.plan.exit(vestibule.key, Opening::whole(Face::SOUTH));
    m.plan.join(vestibule.key, taproom.key, Opening::whole(Face::NORTH));
    m.door_at(taproom, kitchen, -1.2, [1.4, 2.2]);
    m.door(kitchen, store, [1.3, 2.2]);
    m.front_door(stock, kitchen, Face::NORTH);
    m.door_at(taproom, stairs, -6.1, [1.5, 2.4]);
    m.door_at(stairs, passage, 1.8, [1.5, 2.2]);
    for room in south {
        m.door(passage, *room, [1.2, 2.2]);
        m.windows(*room, Face::SOUTH, &[1.4]);
    }
    m.door_at(passage, north, -1.0, [1.2, 2.2]);
    m.windows(north, Face::NORTH, &[2.0, 8.6]);
    m.windows(south[0], Face::WEST, &[5.2]);
    m.windows(taproom, Face::SOUTH, &[2.0, 8.8]);
    m.windows(taproom, Face::WEST, &[0.6, 7.6]);
    m.plan.window(stairs.key, Opening::pane(Face::EAST).along(7.8).sill(UPPER + 0.9));
}

fn furnish(m: &mut Mason, stock: &mut Stock<'_>, rooms: &Rooms) {
    stock.furnish(
        &mut m.plan,
        rooms.taproom,
        &[
            ("round-table", [-4.6, -4.6, 0.0], 0.0),
            ("chair", [-5.6, -4.6, 0.0], 90.0),
            ("chair", [-3.8, -5.4, 0.0], 300.0),
            ("round-table", [3.4, -1.6, 0.0], 0.0),
            ("chair", [3.4, -2.6, 0.0], 0.0),
            ("fireplace", [-6.5, -2.4, 0.0], 90.0),
            ("barrel", [-6.4, 2.4, 0.0], 0.0),
            ("barrel", [-5.4, 2.4, 0.0], 0.0),
            ("chandelier", [-0.6, -3.4, 3.5], 0.0),
        ],
    );
    stock.furnish(
        &mut m.plan,
        rooms.store,
        &[("crate", [4.2, 6.7, 0.0], 12.0), ("shelf", [2.4, 7.1, 0.0], 180.0)],
    );
    stock.furnish(&mut m.plan, rooms.kitchen, &[("table", [-3.4, 4.6, 0.0], 90.0)]);
    for (room, x) in rooms.south.iter().zip([-6.0, -2.0, 2.0]) {
        stock.furnish(
            &mut m.plan,
            *room,
            &[("bed", [x, -5.6, UPPER], 0.0), ("chest", [x + 2.2, -0.1, UPPER], 180.0)],
        );
    }
    stock.furnish(
        &mut m.plan,
        rooms.north,
        &[("table", [3.0, 5.0, UPPER], 0.0), ("wardrobe", [-6.4, 5.0, UPPER], 90.0)],
    );
}
