//! The smaller houses of the village. Each faces south, its floor at 0.

use threshold_land::vector::Vec3;

use super::mason::{Mason, StairDirection, gable};
use super::stock::Stock;
use crate::stock::material::Material;
use crate::tool::form::moved;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::Plan;
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::Shape;

const PLASTERED: FaceMaterials =
    FaceMaterials::new(Material::Plaster, Material::Plank, Material::Plank);
const STONE: FaceMaterials =
    FaceMaterials::new(Material::Cobble, Material::Cobble, Material::Cobble);
const BRICKS: FaceMaterials = FaceMaterials::new(Material::Brick, Material::Plank, Material::Plank);
const BOARDS: FaceMaterials = FaceMaterials::new(Material::Plank, Material::Dirt, Material::Plank);

/// A living room, a bedroom and a pantry; steps lead down from the pantry to a cellar under the house.
pub(super) fn cottage(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(PLASTERED);
    let living = m.room("living room", [-4.0, -5.0, 0.0], [4.0, 1.0, 2.9]);
    let bedroom = m.room("bedroom", [-4.0, 1.0, 0.0], [0.0, 5.5, 2.9]);
    let pantry = m.room("pantry", [0.0, 1.0, 0.0], [4.0, 5.5, 2.9]);
    let box_of_steps = [[4.0, -1.6, -2.7], [5.5, 5.5, 2.4]];
    let steps = m.stairs("cellar steps", box_of_steps, StairDirection::North, 0.0, [1.5, 1.9]);
    m.looks = STONE;
    m.buried = true;
    let cellar = m.room("cellar", [-4.0, -4.0, -2.7], [4.0, 2.0, -0.4]);
    m.front_door(stock, living, Face::SOUTH);
    m.door(living, bedroom, [1.3, 2.2]);
    m.door(living, pantry, [1.3, 2.2]);
    m.door_at(pantry, steps, 4.6, [1.4, 2.2]);
    m.door_at(steps, cellar, -0.85, [1.4, 2.2]);
    m.windows(living, Face::WEST, &[2.4]);
    m.windows(living, Face::SOUTH, &[0.6, 6.2]);
    m.windows(bedroom, Face::WEST, &[1.6]);
    m.windows(pantry, Face::NORTH, &[1.4]);
    stock.furnish(
        &mut m.plan,
        living,
        &[
            ("table", [-2.0, -1.8, 0.0], 0.0),
            ("chair", [-2.0, -3.0, 0.0], 0.0),
            ("chair", [-2.0, -0.6, 0.0], 180.0),
            ("fireplace", [3.5, -3.4, 0.0], 270.0),
        ],
    );
    stock.furnish(
        &mut m.plan,
        bedroom,
        &[("bed", [-3.0, 4.2, 0.0], 180.0), ("chest", [-0.6, 4.9, 0.0], 180.0)],
    );
    stock.furnish(&mut m.plan, pantry, &[("shelf", [1.0, 5.1, 0.0], 180.0)]);
    stock.furnish(
        &mut m.plan,
        cellar,
        &[
            ("barrel", [-3.2, -3.2, -2.7], 0.0),
            ("barrel", [-2.1, -3.3, -2.7], 0.0),
            ("crate", [-3.1, 1.1, -2.7], 20.0),
            ("torch", [0.0, 1.98, -2.7], 180.0),
        ],
    );
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Plaster, Material::Thatch, Material::Plank));
    plan.roof(Material::Thatch, gable([-4.8, -5.8], [4.8, 6.3], [3.0, 6.2]));
    plan.roof(Material::Thatch, gable([4.0, -2.2], [6.1, 6.0], [2.6, 3.3]));
    plan.solid(Material::Cobble, Shape::cuboid([3.4, -4.0, 3.0], [4.3, -2.9, 7.0]));
    plan
}

/// A workshop that is open to the street over its whole front, and a store behind it.
pub(super) fn smithy(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(STONE);
    let hearth = (Material::Brick, [-4.4, 2.4, 0.0], [-2.2, 4.0, 1.0]);
    let flue = (Material::Brick, [-4.0, 3.2, 1.0], [-2.6, 4.0, 3.4]);
    let shop = m.room_with("smithy", [[-4.5, -4.0, 0.0], [4.5, 4.0, 3.4]], &[hearth, flue]);
    let store = m.room("store", [-4.5, 4.0, 0.0], [2.0, 7.5, 2.8]);
    m.plan.exit(shop.key, Opening::rectangle(Face::SOUTH, [0.6, 0.0], [7.8, 3.0]));
    m.door_at(shop, store, 0.6, [1.4, 2.2]);
    m.windows(store, Face::NORTH, &[2.6]);
    stock.furnish(
        &mut m.plan,
        shop,
        &[
            ("brazier", [-3.3, 3.0, 1.0], 0.0),
            ("table", [3.4, 1.0, 0.0], 270.0),
            ("barrel", [3.6, -1.2, 0.0], 0.0),
        ],
    );
    stock.furnish(
        &mut m.plan,
        store,
        &[
            ("crate", [-3.6, 6.6, 0.0], 10.0),
            ("crate", [-2.2, 6.7, 0.0], 80.0),
            ("shelf", [-4.1, 5.2, 0.0], 90.0),
        ],
    );
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Cobble, Material::Slate, Material::Timber));
    plan.roof(Material::Slate, gable([-5.2, -4.9], [5.2, 4.6], [3.6, 6.0]));
    plan.solid(Material::Brick, Shape::cuboid([-4.0, 3.2, 3.4], [-2.6, 4.2, 8.0]));
    plan
}

/// An octagon under a spire, with a porch.
pub(super) fn chapel(stock: &mut Stock<'_>) -> Plan {
    const RADIUS: f32 = 5.5;
    let looks = FaceMaterials::new(Material::Ashlar, Material::Slate, Material::Timber);
    let mut m = Mason::new(looks);
    let nave = m.plan.room(
        RoomSpec::shaped(Shape::regular(8, RADIUS, 0.0, 6.0))
            .named("nave")
            .materials(looks)
            .block_of(Material::Ashlar, Shape::cuboid([-1.8, 2.8, 0.0], [1.8, 4.6, 0.3])),
    );
    let porch = m.room("porch", [-1.6, -RADIUS - 3.0, 0.0], [1.6, -RADIUS, 3.2]);
    m.plan.join(porch.key, nave, Opening::door(Face::NORTH).size(1.8, 2.6));
    m.exit(porch, Face::SOUTH, [2.0, 2.6]);
    for wall in [1, 2, 3, 5, 6, 7] {
        let tall = Opening::pane(Face::Wall(wall)).size(1.0, 2.6).sill(1.6);
        m.plan.window(nave, tall);
    }
    stock.furnish_room(
        &mut m.plan,
        nave,
        &[
            ("altar", [0.0, 3.6, 0.3], 180.0),
            ("candle", [-1.4, 4.2, 0.3], 180.0),
            ("candle", [1.4, 4.2, 0.3], 180.0),
            ("bench", [-2.2, 0.8, 0.0], 0.0),
            ("bench", [2.2, 0.8, 0.0], 0.0),
            ("bench", [-2.2, -0.8, 0.0], 0.0),
            ("bench", [2.2, -0.8, 0.0], 0.0),
        ],
    );
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Ashlar, Material::Slate, Material::Timber));
    plan.solid(Material::Slate, Shape::spire(8, RADIUS + 0.7, [6.2, 12.5]));
    plan.roof(Material::Slate, gable([-2.3, -RADIUS - 3.6], [2.3, -RADIUS + 0.4], [3.4, 5.0]));
    plan
}

/// A dwelling and a barn at right angles, with a ramp up to the hayloft.
pub(super) fn farm(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(BRICKS);
    let kitchen = m.room("farm kitchen", [-9.0, -6.0, 0.0], [-3.0, 0.0, 2.9]);
    let chamber = m.room("farm chamber", [-9.0, 0.0, 0.0], [-3.0, 5.0, 2.9]);
    m.looks = BOARDS;
    let barn = m.room("barn", [-3.0, -1.0, 0.0], [8.0, 5.0, 5.4]);
    let ramp = [Vec3::new(1.0, 6.0, 0.0), Vec3::new(-3.0, 6.0, 2.4)];
    let corridor = m.plan.room(
        RoomSpec::corridor([6.6, 6.0, 0.0], ramp[0], [2.0, 2.6]).named("shed").materials(BOARDS),
    );
    let rise = m
        .plan
        .room(RoomSpec::corridor(ramp[0], ramp[1], [2.0, 2.6]).named("hay ramp").materials(BOARDS));
    let loft = m.room("hayloft", [-8.0, 5.0, 2.4], [-3.0, 9.0, 5.2]);
    m.front_door(stock, kitchen, Face::SOUTH);
    m.door(kitchen, chamber, [1.3, 2.2]);
    m.door_at(chamber, barn, 2.5, [1.4, 2.3]);
    m.plan.exit(barn.key, Opening::rectangle(Face::SOUTH, [5.0, 0.0], [3.4, 3.4]));
    m.plan.join(
        barn.key,
        corridor,
        Opening::polygon([[4.0, 5.0, 0.0], [6.0, 5.0, 0.0], [6.0, 5.0, 2.4], [4.0, 5.0, 2.4]]),
    );
    m.plan.join(corridor, rise, Opening::whole(Face::Wall(2)));
    m.plan.join(rise, loft.key, Opening::whole(Face::Wall(2)));
    m.windows(kitchen, Face::WEST, &[4.5]);
    m.windows(chamber, Face::NORTH, &[1.0, 3.6]);
    m.windows(loft, Face::WEST, &[1.4]);
    stock.furnish(
        &mut m.plan,
        kitchen,
        &[
            ("table", [-6.6, -2.0, 0.0], 90.0),
            ("chair", [-5.2, -2.0, 0.0], 270.0),
            ("fireplace", [-8.5, -3.4, 0.0], 90.0),
        ],
    );
    stock.furnish(
        &mut m.plan,
        chamber,
        &[("bed", [-8.0, 3.8, 0.0], 180.0), ("wardrobe", [-3.6, 4.3, 0.0], 270.0)],
    );
    stock.furnish(
        &mut m.plan,
        barn,
        &[
            ("haystack", [6.0, 3.4, 0.0], 0.0),
            ("cart", [-0.6, 3.4, 0.0], 90.0),
            ("barrel", [7.3, 0.0, 0.0], 0.0),
        ],
    );
    stock.furnish(&mut m.plan, loft, &[("haystack", [-6.7, 7.7, 2.4], 0.0)]);
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Brick, Material::Thatch, Material::Timber));
    plan.roof(Material::Thatch, gable([-9.8, -6.8], [-2.4, 5.6], [3.0, 5.8]));
    plan.roof(Material::Thatch, gable([-2.9, -1.9], [8.8, 5.3], [5.6, 8.4]));
    plan
}

/// A house of four rooms with a lean-to, for the slope above the village.
pub(super) fn hillside(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(PLASTERED);
    let hall = m.room("hall", [-3.5, -5.0, 0.0], [3.5, -1.0, 2.8]);
    let study = m.room("study", [-3.5, -1.0, 0.0], [0.0, 4.0, 2.8]);
    let kitchen = m.room("kitchen", [0.0, -1.0, 0.0], [3.5, 4.0, 2.8]);
    let room_of_steps = [[-5.1, -5.0, 0.0], [-3.5, 2.0, 5.6]];
    let steps = m.stairs("steps", room_of_steps, StairDirection::North, 3.1, [1.5, 1.5]);
    let attic = m.room("attic", [-3.5, -5.0, 3.1], [3.5, 4.0, 5.4]);
    m.front_door(stock, hall, Face::SOUTH);
    m.door(hall, study, [1.3, 2.2]);
    m.door(hall, kitchen, [1.3, 2.2]);
    m.door(study, kitchen, [1.2, 2.2]);
    m.door_at(hall, steps, -4.2, [1.4, 2.3]);
    m.door_at(steps, attic, 1.2, [1.4, 2.2]);
    m.windows(hall, Face::SOUTH, &[0.6, 5.2]);
    // High up: on the slope the ground is close to it.
    m.plan.window(kitchen.key, Opening::pane(Face::EAST).along(1.8).sill(1.6));
    m.windows(attic, Face::SOUTH, &[2.9]);
    m.windows(attic, Face::NORTH, &[2.9]);
    stock.furnish(&mut m.plan, hall, &[("bench", [3.2, -3.0, 0.0], 270.0)]);
    stock.furnish(
        &mut m.plan,
        study,
        &[("table", [-2.4, 3.0, 0.0], 0.0), ("shelf", [-3.1, 1.4, 0.0], 90.0)],
    );
    stock.furnish(&mut m.plan, kitchen, &[("fireplace", [1.8, 3.5, 0.0], 180.0)]);
    stock.furnish(
        &mut m.plan,
        attic,
        &[("bed", [2.6, 2.6, 3.1], 180.0), ("chest", [2.8, -4.3, 3.1], 270.0)],
    );
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Brick, Material::Slate, Material::Timber));
    plan.roof(Material::Slate, gable([-5.8, -5.7], [4.2, 4.7], [5.8, 8.6]));
    plan
}

/// A shop with a room behind, and a door right on the border of a landblock: 6 m south of the origin.
pub(super) fn border_house(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(BRICKS);
    let shop = m.room("shop", [-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]);
    let back = m.room("back room", [-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    m.front_door(stock, shop, Face::SOUTH);
    m.door_at(shop, back, 2.2, [1.4, 2.2]);
    m.windows(shop, Face::SOUTH, &[0.8, 6.0]);
    m.windows(back, Face::EAST, &[1.4]);
    stock.furnish(
        &mut m.plan,
        shop,
        &[
            ("counter", [-1.4, -2.0, 0.0], 180.0),
            ("shelf", [-3.6, -3.4, 0.0], 90.0),
            ("crate", [3.3, -5.2, 0.0], 0.0),
        ],
    );
    stock.furnish(&mut m.plan, back, &[("bed", [-2.9, 2.8, 0.0], 90.0)]);
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Brick, Material::Slate, Material::Timber));
    // It ends with the land cell: beyond it movers do not collide with the shell.
    plan.roof(Material::Slate, gable([-4.8, -6.05], [4.8, 4.8], [3.2, 6.0]));
    plan
}

/// A shed for boats, open towards the lake, with a loft room beside it.
pub(super) fn boathouse(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(BOARDS);
    let shed = m.room("boat shed", [-4.0, -5.0, 0.0], [4.0, 5.0, 3.6]);
    let nets = m.room("net room", [4.0, -1.0, 0.0], [7.5, 5.0, 2.8]);
    m.plan.exit(shed.key, Opening::rectangle(Face::SOUTH, [1.0, 0.0], [6.0, 3.2]));
    m.front_door(stock, shed, Face::NORTH);
    m.door_at(shed, nets, 1.5, [1.4, 2.2]);
    m.windows(nets, Face::EAST, &[2.4]);
    stock.furnish(
        &mut m.plan,
        shed,
        &[("boat", [-2.2, 0.5, 0.0], 0.0), ("barrel", [3.4, 4.3, 0.0], 0.0)],
    );
    stock.furnish(&mut m.plan, nets, &[("shelf", [7.1, 4.2, 0.0], 270.0)]);
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Plank, Material::Thatch, Material::Timber));
    plan.roof(Material::Thatch, gable([-4.9, -5.8], [4.9, 5.9], [3.8, 6.8]));
    plan.roof(Material::Thatch, gable([4.2, -1.7], [8.2, 5.7], [3.0, 4.4]));
    plan
}

/// One room of logs.
pub(super) fn hut(stock: &mut Stock<'_>) -> Plan {
    let mut m = Mason::new(FaceMaterials::new(Material::Timber, Material::Plank, Material::Timber));
    let room = m.room("hut", [-2.8, -2.6, 0.0], [2.8, 2.6, 2.6]);
    m.exit(room, Face::SOUTH, [1.4, 2.1]);
    m.windows(room, Face::EAST, &[2.0]);
    stock.furnish(
        &mut m.plan,
        room,
        &[
            ("bed", [-2.0, 1.2, 0.0], 180.0),
            ("table", [1.6, 1.6, 0.0], 0.0),
            ("candle", [1.6, 1.6, 0.8], 0.0),
        ],
    );
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Timber, Material::Thatch, Material::Timber));
    plan.roof(Material::Thatch, gable([-3.5, -3.4], [3.5, 3.4], [2.8, 5.0]));
    plan
}

/// A long hall with two rows of pillars, a colonnade before its door, side aisles' windows and an apse.
pub(super) fn great_hall(stock: &mut Stock<'_>) -> Plan {
    let looks = FaceMaterials::new(Material::Ashlar, Material::Slate, Material::Timber);
    let mut m = Mason::new(looks);
    let mut pillars = Vec::new();
    for (x, y) in
        [-2.6_f32, 2.6].into_iter().flat_map(|x| [-4.5_f32, -1.5, 1.5, 4.5].map(|y| (x, y)))
    {
        pillars.push((Material::Ashlar, [x - 0.35, y - 0.35, 0.0], [x + 0.35, y + 0.35, 5.6]));
    }
    let hall = m.room_with("great hall", [[-5.0, -6.5, 0.0], [5.0, 6.5, 5.6]], &pillars);
    let apse: [[f32; 2]; 5] = [[-3.0, 6.5], [3.0, 6.5], [2.4, 8.6], [0.0, 9.4], [-2.4, 8.6]];
    let apse = m.plan.room(
        RoomSpec::prism(apse, 0.0, 4.4)
            .named("apse")
            .materials(looks)
            .block_of(Material::Ashlar, Shape::cuboid([-1.6, 7.4, 0.0], [1.6, 8.3, 0.4])),
    );
    m.plan.exit(hall.key, Opening::door(Face::SOUTH).size(2.4, 3.0));
    m.plan.join(
        hall.key,
        apse,
        Opening::polygon([[-2.6, 6.5, 0.0], [2.6, 6.5, 0.0], [2.6, 6.5, 4.2], [-2.6, 6.5, 4.2]]),
    );
    for face in [Face::EAST, Face::WEST] {
        for along in [1.4, 4.4, 7.4, 10.4] {
            m.plan.window(hall.key, Opening::pane(face).size(1.2, 2.2).sill(1.8).along(along));
        }
    }
    stock.furnish(
        &mut m.plan,
        hall,
        &[
            ("table", [0.0, -1.0, 0.0], 90.0),
            ("table", [0.0, 1.6, 0.0], 90.0),
            ("chandelier", [0.0, 0.3, 5.5], 0.0),
        ],
    );
    stock.furnish_room(&mut m.plan, apse, &[("chair", [0.0, 7.9, 0.4], 180.0)]);
    let Mason { mut plan, .. } = m;
    plan.outside(FaceMaterials::new(Material::Ashlar, Material::Slate, Material::Timber));
    for x in [-4.4_f32, -1.9, 1.9, 4.4] {
        plan.solid(Material::Ashlar, column(x, -9.0, 4.2));
    }
    plan.solid(Material::Ashlar, Shape::cuboid([-5.2, -9.5, 4.2], [5.2, -6.4, 4.8]));
    plan.roof(Material::Slate, gable([-5.9, -7.2], [5.9, 7.2], [5.8, 9.6]));
    plan
}

/// A column of eight sides on the ground.
fn column(x: f32, y: f32, height: f32) -> Shape {
    moved(&Shape::regular(8, 0.35, -1.0, height), [x, y, 0.0])
}
