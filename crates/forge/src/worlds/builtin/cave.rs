//! The cave behind the gatehouse: grottoes and irregular chambers, none of them aligned with the map.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{Frame, Rotation};

use super::depths::{DRESSED, ROCK};
use super::mason::{Chamber, Mason};
use super::stock::{Stock, standing};
use crate::stock::material::Material;
use crate::stock::thing::{Collision, Thing};
use crate::tool::form::moved;
use crate::tool::model::ObjectSpec;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::Shape;

/// A chamber of the cave.
struct Grotto {
    key: RoomKey,
    low: f32,
    high: f32,
}

/// Adds a grotto over a floor.
fn grotto(plan: &mut Plan, name: &str, floor: &[[f32; 2]], [low, high]: [f32; 2]) -> Grotto {
    let room =
        RoomSpec::prism(floor.iter().copied(), low, high).named(name).materials(ROCK).buried();
    Grotto { key: plan.room(room), low, high }
}

/// Opens the whole wall between two grottoes that share an edge of their floors.
fn breach(plan: &mut Plan, one: &Grotto, other: &Grotto, [from, to]: [[f32; 2]; 2]) {
    let (low, high) = (one.low.max(other.low), one.high.min(other.high));
    let at = |place: [f32; 2], z: f32| Vec2::from(place).extend(z);
    let outline = [at(from, low), at(to, low), at(to, high), at(from, high)];
    plan.join(one.key, other.key, Opening::polygon(outline));
}

/// The cave: a ring of grottoes, a high one with a pool, and a passage to chambers at odd angles. Returns the last one before
/// the halls.
pub(super) fn cave(m: &mut Mason, stock: &mut Stock<'_>, stairs: Chamber) -> RoomKey {
    let plan = &mut m.plan;
    let Grottoes { entry, south, north, east, throat, pool, gallery } = add_grottoes(plan);
    let mouth = [[16.0, -1.5, -6.0], [16.0, 1.5, -6.0], [16.0, 1.5, -3.0], [16.0, -1.5, -3.0]];
    plan.join(stairs.key, entry.key, Opening::polygon(mouth));
    breach(plan, &entry, &south, [[22.0, -4.0], [26.0, 0.0]]);
    breach(plan, &entry, &north, [[26.0, 0.0], [22.0, 5.0]]);
    breach(plan, &south, &east, [[33.0, -4.0], [26.0, 0.0]]);
    breach(plan, &north, &east, [[26.0, 0.0], [33.0, 2.0]]);
    breach(plan, &east, &throat, [[33.0, -4.0], [36.0, -1.0]]);
    breach(plan, &throat, &pool, [[38.0, -9.0], [43.0, -6.0]]);
    breach(plan, &north, &gallery, [[31.0, 8.0], [24.0, 9.0]]);
    askew(plan, stock, pool.key);
    stock.furnish_room(plan, entry.key, &[("torch", [19.0, 3.95, -6.0], 198.0)]);
    stock.furnish_room(plan, gallery.key, &[("torch", [24.02, 13.0, -6.7], 90.0)]);
    stock.furnish_room(plan, pool.key, &[("brazier", [48.6, -12.0, -7.6], 0.0)]);
    let water = stock.forge.object(ObjectSpec::Thing(pool_water()));
    plan.put(pool.key, water, standing(Vec2::from(POOL).extend(-7.6), 0.0));
    gallery.key
}

struct Grottoes {
    entry: Grotto,
    south: Grotto,
    north: Grotto,
    east: Grotto,
    throat: Grotto,
    pool: Grotto,
    gallery: Grotto,
}

fn add_grottoes(plan: &mut Plan) -> Grottoes {
    let entry = grotto(
        plan,
        "entry cave",
        &[[16.0, -3.0], [22.0, -4.0], [26.0, 0.0], [22.0, 5.0], [16.0, 3.0]],
        [-6.0, -1.6],
    );
    let south = grotto(
        plan,
        "south grotto",
        &[[22.0, -4.0], [28.0, -8.0], [33.0, -4.0], [26.0, 0.0]],
        [-6.4, -2.2],
    );
    let north = grotto(
        plan,
        "north grotto",
        &[[26.0, 0.0], [33.0, 2.0], [31.0, 8.0], [24.0, 9.0], [22.0, 5.0]],
        [-6.4, -1.4],
    );
    let east = grotto(
        plan,
        "east grotto",
        &[[26.0, 0.0], [33.0, -4.0], [36.0, -1.0], [33.0, 2.0]],
        [-6.8, -3.0],
    );
    let throat = grotto(
        plan,
        "throat",
        &[[33.0, -4.0], [38.0, -9.0], [43.0, -6.0], [36.0, -1.0]],
        [-7.2, -4.2],
    );
    let pool = Grotto { key: plan.room(pool_cave()), low: -7.6, high: 0.4 };
    let gallery = grotto(
        plan,
        "north gallery",
        &[[24.0, 9.0], [31.0, 8.0], [32.0, 16.0], [24.0, 16.0]],
        [-6.7, -2.0],
    );
    Grottoes { entry, south, north, east, throat, pool, gallery }
}

/// The high cave with the pool and three stalagmites.
fn pool_cave() -> RoomSpec {
    let floor = [[38.0, -9.0], [40.0, -18.0], [48.0, -20.0], [52.0, -12.0], [43.0, -6.0]];
    let cave = RoomSpec::prism(floor, -7.6, 0.4)
        .named("pool cave")
        .materials(FaceMaterials::new(Material::Rock, Material::Sand, Material::Rock))
        .buried()
        .block_of(Material::Rock, stalagmite([41.0, -14.6], 0.6, -7.6, -5.2))
        .block_of(Material::Rock, stalagmite([46.5, -14.0], 0.9, -7.6, -3.4))
        .block_of(Material::Rock, stalagmite([44.0, -16.6], 0.5, -7.6, -6.0));
    pool_rim().into_iter().fold(cave, |cave, stone| cave.block_of(Material::Rock, stone))
}

/// Centre of the pool.
const POOL: [f32; 2] = [44.6, -14.6];
/// Its shore, relative to the centre, in metres.
const SHORE: [[f32; 2]; 8] = [
    [-0.8, -3.0],
    [1.5, -3.2],
    [3.2, -1.6],
    [3.6, 0.6],
    [2.2, 2.4],
    [-0.4, 2.7],
    [-2.6, 1.4],
    [-3.0, -1.0],
];
/// Depth of the water over the floor, in metres.
const DEPTH: f32 = 0.16;
/// Heights of the stones around it, in turn, and their distance from the centre as a multiple of the shore's.
const STONES: [f32; 3] = [0.3, 0.22, 0.26];
const OUTER: f32 = 1.16;

/// The water of the pool. It blocks no mover: movers wade through it on the floor of the cave.
fn pool_water() -> Thing {
    Thing::new().solid(Material::Water, Shape::prism(SHORE, 0.0, DEPTH)).touch(Collision::Nothing)
}

/// Flat stones around the pool, low enough to step over.
fn pool_rim() -> Vec<Shape> {
    let next = SHORE.iter().cycle().skip(1);
    let stone = |((from, to), height): ((&[f32; 2], &[f32; 2]), f32)| {
        let [from, to] = [*from, *to].map(Vec2::from);
        let corners = [from, from * OUTER, to * OUTER, to].map(|at| at + Vec2::from(POOL));
        Shape::prism(corners, -7.6, height - 7.6)
    };
    SHORE.iter().zip(next).zip(STONES.into_iter().cycle()).map(stone).collect()
}

/// A stump of rock with five sides.
fn stalagmite(at: [f32; 2], radius: f32, low: f32, high: f32) -> Shape {
    moved(&Shape::regular(5, radius, low, high), Vec2::from(at).extend(0.0))
}

/// Chambers around an octagon behind the pool, none of them aligned with the map.
fn askew(plan: &mut Plan, stock: &mut Stock<'_>, pool: RoomKey) {
    const LOW: f32 = -7.6;
    const TUNNEL: [f32; 2] = [2.2, 2.6];
    // Perpendicular to the wall of the pool cave from (48, -20) to (52, -12).
    let from = Vec3::new(50.0, -16.0, LOW);
    let ahead = Vec3::new(8.0, -4.0, 0.0).normalize_or_zero();
    let hub_radius = 4.5;
    let mouth = from + ahead * 9.0;
    let middle = mouth + ahead * hub_radius;
    let heading = libm::atan2f(ahead.x, ahead.y).to_degrees();
    let looks = DRESSED;
    let tunnel = plan.room(
        RoomSpec::corridor(from, mouth, TUNNEL).named("crooked tunnel").materials(ROCK).buried(),
    );
    let hub = plan.room(
        RoomSpec::shaped(Shape::regular(8, hub_radius, 0.0, 5.0))
            .at(Frame { origin: middle, rotation: Rotation::from_heading(heading) })
            .named("octagon")
            .materials(looks)
            .buried(),
    );
    plan.join(tunnel, pool, Opening::whole(Face::Wall(0)));
    plan.join(tunnel, hub, Opening::whole(Face::Wall(2)));
    for (turn, corners, radius, name) in
        [(-90.0, 3, 2.6, "triangle"), (0.0, 6, 3.4, "hexagon"), (90.0, 5, 3.0, "pentagon")]
    {
        let rotation = Rotation::from_heading(heading + turn);
        let direction = rotation.rotate(Vec3::Y);
        let [start, end] = [hub_radius, hub_radius + 5.0].map(|far| middle + direction * far);
        let passage = plan.room(
            RoomSpec::corridor(start, end, TUNNEL)
                .named(&format!("direction to the {name}"))
                .materials(looks)
                .buried(),
        );
        let room = RoomSpec::shaped(Shape::regular(corners, radius, 0.0, 3.4))
            .at(Frame { origin: end + direction * radius, rotation })
            .named(name)
            .materials(looks)
            .buried();
        let room = plan.room(room);
        plan.join(passage, hub, Opening::whole(Face::Wall(0)));
        plan.join(passage, room, Opening::whole(Face::Wall(2)));
        let spot = (end + direction * (radius + 0.6)).to_array();
        stock.furnish_room(plan, room, &[("altar", spot, heading + turn + 180.0)]);
    }
}
