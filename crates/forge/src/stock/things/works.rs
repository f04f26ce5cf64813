//! Masonry and carpentry.

use threshold_land::vector::Vec3;

use crate::stock::material::Material::{self, Ashlar, Cloth, Dirt, Linen, Plank, Timber};
use crate::stock::thing::Thing;
use crate::tool::form::{bar, block, hull, moved, round};
use crate::tool::model::ObjectSpec;
use crate::tool::shape::Shape;

/// The leaf for [`Opening::door`](crate::Opening::door); see [`ObjectSpec::Door`].
pub fn door() -> ObjectSpec {
    ObjectSpec::Door { size: [1.8, 2.3], material: Material::Plank }
}

/// A stone pillar with a height in metres.
pub fn pillar(height: f32) -> ObjectSpec {
    let (low, high) = (height * 0.1, height * 0.9);
    ObjectSpec::Thing(
        Thing::new()
            .solid(Ashlar, block([0.0; 3], [0.9, 0.9, low]))
            .solid(Ashlar, round(10, [0.38, 0.32], [low, high]))
            .solid(Ashlar, hull(&capital(high, height))),
    )
}

/// A block that widens upwards.
fn capital(low: f32, high: f32) -> Vec<Vec3> {
    let square = |half: f32, z: f32| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y): (f32, f32)| Vec3::new(x * half, y * half, z))
    };
    let middle = low + (high - low) * 0.6;
    [square(0.32, low), square(0.46, middle), square(0.46, high)].concat()
}

/// Stone stairs that rise to the north: the number of steps, the height and depth of each, and the width of all, in metres. The
/// origin is in the middle of the lowest edge.
pub fn stairs(steps: u8, [rise, run]: [f32; 2], width: f32) -> ObjectSpec {
    let end = f32::from(steps) * run;
    let mut thing = Thing::new();
    for step in 0..steps {
        let (start, low) = (f32::from(step) * run, f32::from(step) * rise);
        let half = width / 2.0;
        thing = thing.solid(Ashlar, Shape::cuboid([-half, start, low], [half, end, low + rise]));
    }
    ObjectSpec::Thing(thing)
}

/// A bridge of planks from south to north: its length and width, in metres. It is level with the ground at both ends and
/// rises a little in between. Its posts reach 3 m down.
pub fn bridge(length: f32, width: f32) -> ObjectSpec {
    let (half, crown) = (length / 2.0, length * 0.05);
    let profile = [(-half, 0.0), (-half / 3.0, crown), (half / 3.0, crown), (half, 0.0)];
    let mut thing = Thing::new();
    for pair in profile.windows(2) {
        thing = thing.solid(Plank, deck(pair[0], pair[1], width));
    }
    for side in [-1.0, 1.0] {
        // Posts stand beside the planks and rails hang before them, slightly apart: touching solids would be cut.
        let (beside, before) = (side * (width / 2.0 + 0.09), side * (width / 2.0 - 0.05));
        for (y, z) in profile {
            let foot = if y.abs() < half { -3.0 } else { -1.0 };
            let post = block([beside, y * 0.98, foot], [0.16, 0.16, z + 1.1 - foot]);
            thing = thing.solid(Timber, post);
        }
        for pair in profile.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|(y, z)| Vec3::new(before, y * 0.98, z));
            for height in [0.5, 1.0] {
                let up = Vec3::Z * height;
                thing = thing.solid(Timber, bar(from + up, to + up, 0.08));
            }
        }
    }
    ObjectSpec::Thing(thing)
}

/// Planks 0.25 m thick, with a top that slopes from one height to another.
fn deck((south, low): (f32, f32), (north, high): (f32, f32), width: f32) -> Shape {
    let half = width / 2.0;
    let ends = [(south, low), (north, high)].into_iter().flat_map(|(y, z)| {
        [(-half, z), (half, z), (half, z - 0.25), (-half, z - 0.25)]
            .map(|(x, z)| Vec3::new(x, y, z))
    });
    hull(&ends.collect::<Vec<_>>())
}

/// A stretch of a jetty, 2 m wide and 4 m long from south to north. The origin is on its planks; its posts reach 3 m down.
pub fn jetty() -> ObjectSpec {
    let mut thing = Thing::new().solid(Plank, block([0.0, 0.0, -0.12], [2.0, 4.0, 0.12]));
    for y in [-1.6, 1.6] {
        thing = thing.solid(Timber, block([0.0, y, -0.3], [1.9, 0.14, 0.17]));
        for x in [-1.09, 1.09] {
            thing = thing.solid(Timber, block([x, y, -3.0], [0.16, 0.16, 3.25]));
        }
    }
    ObjectSpec::Thing(thing)
}

/// An altar under a cloth.
pub fn altar() -> ObjectSpec {
    ObjectSpec::Thing(
        Thing::new()
            .solid(Ashlar, block([0.0; 3], [2.4, 1.6, 0.18]))
            .solid(Ashlar, block([0.0, 0.0, 0.18], [1.5, 0.7, 0.72]))
            .solid(Ashlar, block([0.0, 0.0, 0.9], [1.8, 0.9, 0.12]))
            .solid(Cloth, block([0.0, 0.0, 0.72], [0.8, 0.93, 0.32]))
            .solid(Linen, block([0.0, 0.0, 0.68], [0.5, 0.95, 0.365])),
    )
}

/// A tombstone that looks to the north, over its mound.
pub fn tombstone() -> ObjectSpec {
    let arch = [(0.32, 0.0), (0.32, 0.75), (0.2, 0.95), (0.0, 1.02)];
    let stone = arch.into_iter().flat_map(|(x, z)| {
        [[x, -0.07, z], [-x, -0.07, z], [x, 0.07, z], [-x, 0.07, z]].map(Vec3::from)
    });
    let mut stone: Vec<Vec3> = stone.collect();
    stone.dedup();
    let mound = [[0.5, 0.05, 0.0], [0.5, 1.9, 0.0], [0.3, 0.2, 0.16], [0.3, 1.75, 0.16]];
    let mound = mound.into_iter().flat_map(|[x, y, z]| [[x, y, z], [-x, y, z]].map(Vec3::from));
    let stone = moved(&hull(&stone), [0.0, 0.0, 0.1]);
    ObjectSpec::Thing(
        Thing::new()
            .solid(Ashlar, stone)
            .solid(Ashlar, block([0.0; 3], [0.84, 0.34, 0.14]))
            .solid(Dirt, hull(&mound.collect::<Vec<_>>())),
    )
}
