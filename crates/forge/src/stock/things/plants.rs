//! Low plants and stones.

use threshold_land::vector::{Vec2, Vec3};

use crate::stock::material::Material::{Blades, Blossoms, Frond, Leaves, Rock, Twigs};
use crate::stock::thing::{Collision, Thing};
use crate::tool::form::{hull, loft, ring, spokes};
use crate::tool::model::ObjectSpec;

/// Upright pictures that cross in a point, with a width and a height.
pub(super) fn crossed(thing: Thing, foot: Vec3, [width, height]: [f32; 2], count: usize) -> Thing {
    // The second half of the spokes lies in the same planes.
    spokes(2 * count).take(count).fold(thing, |thing, spoke| {
        let right = (spoke * width).extend(0.0);
        let corner = foot - right / 2.0;
        thing.card(Twigs, [corner, right, Vec3::Z * height].map(Into::into))
    })
}

/// A boulder, 1.5 m high.
pub fn boulder() -> ObjectSpec {
    // Irregular: a heel in the west and a slope in the east.
    let corners = [
        [-1.0, -0.5, -0.3],
        [-0.4, -1.0, -0.3],
        [0.7, -0.9, -0.3],
        [1.2, 0.1, -0.3],
        [0.6, 0.9, -0.3],
        [-0.6, 0.8, -0.3],
        [-1.1, -0.4, 0.5],
        [-0.5, -1.05, 0.6],
        [0.6, -0.95, 0.35],
        [1.15, 0.05, 0.4],
        [0.65, 0.8, 0.6],
        [-0.7, 0.75, 0.8],
        [-0.65, -0.35, 1.35],
        [-0.1, -0.6, 1.2],
        [0.45, -0.1, 1.15],
        [0.15, 0.4, 1.4],
        [-0.4, 0.35, 1.5],
    ];
    ObjectSpec::Thing(Thing::new().solid(Rock, hull(&corners.map(Vec3::from))))
}

/// A bush, 1.2 m high.
pub fn bush() -> ObjectSpec {
    let heap = |size: f32, [x, y]: [f32; 2]| {
        let rings = [
            ring(0.0, [0.42 * size; 2]).off(x, y),
            ring(0.4 * size, [0.62 * size; 2]).off(x, y),
            ring(0.92 * size, [0.3 * size; 2]).off(x, y),
        ];
        loft(6, &rings)
    };
    let thing = Thing::new()
        .solid(Leaves, heap(1.0, [0.0, 0.0]))
        .solid(Leaves, heap(0.7, [0.45, 0.25]))
        .solid(Leaves, heap(0.6, [-0.4, 0.3]));
    let thing = crossed(thing, Vec3::Z * -0.15, [2.1, 1.45], 3);
    ObjectSpec::Thing(thing.touch(Collision::Nothing))
}

/// A fern, 0.6 m high.
pub fn fern() -> ObjectSpec {
    let frond = |thing: Thing, spoke: Vec2| {
        let (side, out) = ((spoke.perp() * 0.5).extend(0.0), (spoke * 0.6).extend(0.5));
        let corner = (spoke * 0.04).extend(0.0) - side / 2.0;
        thing.card(Frond, [corner, side, out].map(Into::into))
    };
    ObjectSpec::Thing(spokes(7).fold(Thing::new(), frond).touch(Collision::Nothing))
}

/// Reeds, 1.6 m high.
pub fn reeds() -> ObjectSpec {
    let mut thing = Thing::new();
    for (index, spoke) in spokes(5).enumerate() {
        // Not all of the same height.
        let height = if index % 2 == 0 { 1.6 } else { 1.25 };
        let foot = (spoke * 0.25).extend(-0.2);
        let right = (spoke.perp() * 1.1).extend(0.0);
        let up = (spoke * 0.12).extend(height);
        thing = thing.card(Blades, [foot - right / 2.0, right, up].map(Into::into));
    }
    ObjectSpec::Thing(thing.touch(Collision::Nothing))
}

/// A patch of flowers, 1.2 m across.
pub fn flowers() -> ObjectSpec {
    let mut thing = Thing::new();
    for (index, spoke) in spokes(6).enumerate() {
        let (far, height) = if index % 2 == 0 { (0.3, 0.42) } else { (0.08, 0.5) };
        let foot = (spoke * far).extend(0.0);
        let right = (spoke.perp() * 0.6).extend(0.0);
        let up = (spoke * 0.1).extend(height);
        thing = thing.card(Blossoms, [foot - right / 2.0, right, up].map(Into::into));
    }
    ObjectSpec::Thing(thing.touch(Collision::Nothing))
}
