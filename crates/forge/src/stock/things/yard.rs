//! Yards and streets: wells, fences, signposts, stalls.

use threshold_land::vector::Vec3;

use crate::stock::material::Material::{
    Ashlar, Cloth, Cobble, Iron, Leaves, Linen, Plank, Slate, Timber, Water,
};
use crate::stock::thing::{Collision, Thing};
use crate::tool::form::{bar, block, hull, moved, round, spokes};
use crate::tool::model::ObjectSpec;
use crate::tool::shape::Shape;

/// A well under a roof, 2 m across.
pub fn well() -> ObjectSpec {
    let mut thing = Thing::new().solid(Water, round(8, [0.8; 2], [0.0, 0.35]));
    let rim: Vec<_> = spokes(8).collect();
    for (from, to) in rim.iter().zip(rim.iter().cycle().skip(1)) {
        let foot = [*from, *to, *to * 0.72, *from * 0.72];
        thing = thing.solid(Cobble, Shape::prism(foot, 0.0, 0.85));
    }
    for side in [-1.0, 1.0] {
        let roof = [[0.05, 2.75], [0.05, 2.85], [1.1, 2.1], [1.1, 2.2]];
        let roof = roof
            .into_iter()
            .flat_map(|[y, z]| [[-1.25, y * side, z], [1.25, y * side, z]].map(Vec3::from));
        thing = thing
            .solid(Timber, block([0.85 * side, 0.0, 0.85], [0.14, 0.14, 1.9]))
            .solid(Slate, hull(&roof.collect::<Vec<_>>()));
    }
    ObjectSpec::Thing(
        thing
            .solid(Timber, block([0.0, 0.0, 2.72], [2.5, 0.12, 0.14]))
            .solid(Timber, bar([-0.85, 0.0, 1.5], [1.05, 0.0, 1.5], 0.14))
            .solid(Iron, block([0.0, 0.0, 1.12], [0.02, 0.02, 0.34]))
            .solid(Plank, moved(&round(6, [0.13, 0.17], [0.0, 0.28]), [0.0, 0.0, 0.88])),
    )
}

/// A stretch of a fence, 3 m long from west to east: a post at each end and one between them.
pub fn fence() -> ObjectSpec {
    let rail = |z: f32| block([0.0, 0.0, z], [3.0, 0.06, 0.12]);
    let mut thing = Thing::new().solid(Plank, rail(0.35)).solid(Plank, rail(0.8));
    for x in [-1.44, 0.0, 1.44] {
        thing = thing.solid(Timber, block([x, 0.0, -0.3], [0.12, 0.12, 1.4]));
    }
    ObjectSpec::Thing(thing)
}

/// A stretch of a stone wall, 3 m long from west to east.
pub fn wall() -> ObjectSpec {
    ObjectSpec::Thing(
        Thing::new()
            .solid(Cobble, block([0.0, 0.0, -0.5], [3.0, 0.42, 1.6]))
            .solid(Ashlar, block([0.0, 0.0, 1.1], [3.0, 0.54, 0.12])),
    )
}

/// A signpost; its arms point to the east and to the west.
pub fn signpost() -> ObjectSpec {
    let arm = |side: f32, z: f32| {
        let outline = [(-0.1, -0.11), (0.55, -0.11), (0.72, 0.0), (0.55, 0.11), (-0.1, 0.11)];
        let corners = outline
            .into_iter()
            .flat_map(|(x, up)| [0.08, 0.12].map(|y| Vec3::new(x * side, y, z + up)));
        hull(&corners.collect::<Vec<_>>())
    };
    ObjectSpec::Thing(
        Thing::new()
            .solid(Timber, block([0.0, 0.0, -0.3], [0.16, 0.16, 2.7]))
            .solid(Timber, crate::tool::form::cone(4, 0.13, [2.4, 2.55]))
            .solid(Plank, arm(1.0, 2.1))
            .solid(Plank, arm(-1.0, 1.78))
            .touch(Collision::Cylinder { radius: 0.14, height: 2.5 }),
    )
}

/// A stall with a striped roof, 2.6 m wide; customers stand in the north.
pub fn market_stall() -> ObjectSpec {
    let mut thing = Thing::new()
        .solid(Plank, block([0.0, 0.3, 0.82], [2.4, 0.8, 0.08]))
        .solid(Plank, block([0.0, 0.62, 0.1], [2.3, 0.05, 0.72]));
    for x in [-1.14, 1.14] {
        thing = thing
            .solid(Timber, block([x, 0.62, 0.0], [0.1, 0.1, 2.1]))
            .solid(Timber, block([x, -0.75, 0.0], [0.1, 0.1, 2.55]));
    }
    for stripe in 0..5_u8 {
        let west = -1.35 + 0.54 * f32::from(stripe);
        let material = if stripe % 2 == 0 { Cloth } else { Linen };
        thing = thing.solid(material, awning(west, west + 0.54));
    }
    for (x, material) in [(-0.8, Leaves), (-0.1, Cloth), (0.6, Linen)] {
        let heap = moved(&round(6, [0.24, 0.08], [0.1, 0.22]), [x, 0.3, 0.9]);
        thing = thing.solid(Timber, block([x, 0.3, 0.9], [0.55, 0.5, 0.1])).solid(material, heap);
    }
    ObjectSpec::Thing(thing)
}

/// A stripe of cloth that slopes to the north and hangs over a little.
fn awning(west: f32, east: f32) -> Shape {
    let profile = [(-0.95, 2.6), (-0.95, 2.55), (0.95, 1.98), (0.95, 2.03)];
    let corners = profile.into_iter().flat_map(|(y, z)| [west, east].map(|x| Vec3::new(x, y, z)));
    hull(&corners.collect::<Vec<_>>())
}
