//! Trees: a trunk for collisions, and crowns of solids with twigs on them.

use threshold_land::vector::{Vec2, Vec3};

use super::plants::crossed;
use crate::stock::material::Material::{Bark, Bough, Leaves, Needles, Plaster};
use crate::stock::thing::{Collision, Thing};
use crate::tool::form::{bar, cone, loft, moved, ring, round, spokes};
use crate::tool::model::ObjectSpec;
use crate::tool::shape::Shape;

/// A clump of leaves around a point: half its width, and half its height.
fn clump([width, height]: [f32; 2]) -> Shape {
    let at = |z: f32, part: f32| ring(z * height, [width * part; 2]);
    loft(6, &[at(-1.0, 0.45), at(-0.25, 1.0), at(0.45, 0.85), at(1.0, 0.3)])
}

/// A crown: clumps, each with crossed pictures of twigs that reach out of it.
fn crown(thing: Thing, clumps: &[([f32; 3], [f32; 2])]) -> Thing {
    clumps.iter().fold(thing, |thing, (at, [width, height])| {
        let at = Vec3::from(*at);
        let thing = thing.solid(Leaves, moved(&clump([*width, *height]), at));
        let foot = at - Vec3::Z * (height * 1.5);
        crossed(thing, foot, [width * 3.1, height * 3.0], 2)
    })
}

fn trunk(radius: f32, height: f32) -> Collision {
    Collision::Cylinder { radius, height }
}

/// A broad oak, 9 m high.
pub fn oak() -> ObjectSpec {
    let thing = Thing::new()
        .solid(Bark, round(7, [0.62, 0.4], [-0.3, 0.7]))
        .solid(Bark, round(7, [0.4, 0.3], [0.7, 3.6]))
        .solid(Bark, bar([0.0, 0.0, 2.6], [1.9, 0.5, 4.8], 0.26))
        .solid(Bark, bar([0.0, 0.0, 2.9], [-1.6, 0.9, 5.2], 0.24))
        .solid(Bark, bar([0.0, 0.0, 3.2], [-0.2, -1.7, 5.0], 0.24));
    let clumps = [
        ([0.0, 0.0, 6.9], [2.3, 1.9]),
        ([2.1, 0.6, 5.3], [1.8, 1.4]),
        ([-1.9, 1.1, 5.6], [1.8, 1.4]),
        ([-0.4, -2.0, 5.3], [1.9, 1.4]),
    ];
    ObjectSpec::Thing(crown(thing, &clumps).touch(trunk(0.45, 4.0)))
}

/// A tall beech, 11 m high.
pub fn beech() -> ObjectSpec {
    let thing = Thing::new()
        .solid(Bark, round(7, [0.4, 0.26], [-0.3, 4.2]))
        .solid(Bark, bar([0.0, 0.0, 3.4], [1.1, -0.4, 5.6], 0.18))
        .solid(Bark, bar([0.0, 0.0, 3.8], [-1.0, 0.5, 6.0], 0.18));
    let clumps = [
        ([0.0, 0.0, 8.7], [1.6, 1.8]),
        ([0.9, -0.5, 6.6], [1.9, 1.7]),
        ([-1.0, 0.6, 6.9], [1.8, 1.7]),
    ];
    ObjectSpec::Thing(crown(thing, &clumps).touch(trunk(0.36, 4.5)))
}

/// A slender birch with a pale trunk, 8 m high.
pub fn birch() -> ObjectSpec {
    let thing = Thing::new()
        .solid(Plaster, round(6, [0.2, 0.12], [-0.3, 4.6]))
        .solid(Bark, round(6, [0.22, 0.19], [-0.3, 0.35]))
        .solid(Plaster, bar([0.0, 0.0, 3.0], [0.7, 0.2, 4.6], 0.08))
        .solid(Plaster, bar([0.0, 0.0, 3.4], [-0.6, -0.3, 5.0], 0.08));
    let clumps = [
        ([0.0, 0.0, 6.7], [0.95, 1.5]),
        ([0.5, 0.2, 5.0], [1.0, 1.2]),
        ([-0.5, -0.2, 5.3], [0.9, 1.1]),
    ];
    ObjectSpec::Thing(crown(thing, &clumps).touch(trunk(0.22, 4.6)))
}

/// A fir, 10 m high.
pub fn fir() -> ObjectSpec {
    let mut thing = Thing::new().solid(Bark, round(6, [0.34, 0.2], [-0.3, 2.4]));
    for (radius, low, high) in
        [(2.2, 1.5, 4.6), (1.8, 3.3, 6.4), (1.35, 5.2, 8.2), (0.9, 7.0, 10.0)]
    {
        thing = thing.solid(Needles, cone(7, radius, [low, high]));
        thing = spokes(5).fold(thing, |thing, spoke| bough(thing, spoke, radius, low));
    }
    ObjectSpec::Thing(thing.touch(trunk(0.36, 4.0)))
}

/// A bough that hangs over the edge of a cone.
fn bough(thing: Thing, spoke: Vec2, radius: f32, low: f32) -> Thing {
    let side = (spoke.perp() * radius).extend(0.0);
    let out = (spoke * radius * 1.2).extend(-0.5);
    let from = (spoke * 0.1).extend(low + 0.9) - side / 2.0;
    thing.card(Bough, [from, side, out].map(Into::into))
}
