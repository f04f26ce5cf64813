//! Furniture.

use crate::stock::material::Material::{Cloth, Iron, Leather, Linen, Plank, Timber};
use crate::stock::thing::Thing;
use crate::tool::form::{block, hull, round};
use crate::tool::model::ObjectSpec;
use crate::tool::shape::Shape;

/// Four copies of a shape, at the corners of a rectangle of these half sides.
fn four(thing: Thing, half: [f32; 2], make: impl Fn(f32, f32) -> Shape) -> Thing {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .into_iter()
        .fold(thing, |thing, (x, y): (f32, f32)| {
            thing.solid(Timber, make(x * half[0], y * half[1]))
        })
}

/// A table for six, 1.6 m long from west to east.
pub fn table() -> ObjectSpec {
    let top = Thing::new()
        .solid(Plank, block([0.0, 0.0, 0.72], [1.6, 0.85, 0.06]))
        .solid(Timber, block([0.0, 0.0, 0.63], [1.36, 0.61, 0.09]));
    ObjectSpec::Thing(four(top, [0.7, 0.33], |x, y| block([x, y, 0.0], [0.09, 0.09, 0.72])))
}

/// A round table for four, 1.2 m across.
pub fn round_table() -> ObjectSpec {
    let foot = |size: [f32; 3]| block([0.0; 3], size);
    ObjectSpec::Thing(
        Thing::new()
            .solid(Plank, Shape::regular(10, 0.6, 0.72, 0.78))
            .solid(Timber, Shape::regular(6, 0.07, 0.09, 0.72))
            .solid(Timber, foot([0.8, 0.1, 0.09]))
            .solid(Timber, foot([0.1, 0.8, 0.09])),
    )
}

/// A chair; the sitter faces north.
pub fn chair() -> ObjectSpec {
    let seat = Thing::new()
        .solid(Plank, block([0.0, 0.0, 0.42], [0.46, 0.46, 0.05]))
        .solid(Plank, block([0.0, -0.2, 0.62], [0.32, 0.03, 0.1]))
        .solid(Plank, block([0.0, -0.2, 0.82], [0.32, 0.03, 0.14]));
    ObjectSpec::Thing(four(seat, [0.19, 0.2], |x, y| {
        let height = if y < 0.0 { 1.0 } else { 0.42 };
        block([x, y, 0.0], [0.06, 0.05, height])
    }))
}

/// A bench for three, 1.6 m long from west to east.
pub fn bench() -> ObjectSpec {
    let side = |x: f32| block([x, 0.0, 0.0], [0.08, 0.3, 0.4]);
    ObjectSpec::Thing(
        Thing::new()
            .solid(Plank, block([0.0, 0.0, 0.4], [1.6, 0.36, 0.06]))
            .solid(Timber, side(-0.62))
            .solid(Timber, side(0.62))
            .solid(Timber, block([0.0, 0.0, 0.16], [1.16, 0.06, 0.1])),
    )
}

/// A bed for one, 2.1 m long, with its head in the south.
pub fn bed() -> ObjectSpec {
    ObjectSpec::Thing(
        Thing::new()
            .solid(Timber, block([0.0, -1.02, 0.0], [1.1, 0.08, 1.0]))
            .solid(Timber, block([0.0, 1.02, 0.0], [1.1, 0.08, 0.6]))
            .solid(Plank, block([0.0, 0.0, 0.2], [1.06, 1.96, 0.18]))
            .solid(Linen, block([0.0, 0.0, 0.38], [0.98, 1.92, 0.14]))
            .solid(Cloth, block([0.0, 0.22, 0.36], [1.02, 1.5, 0.19]))
            .solid(Linen, block([0.0, -0.76, 0.52], [0.7, 0.34, 0.1])),
    )
}

/// A chest with a rounded lid; its lock is in the north.
pub fn chest() -> ObjectSpec {
    let lid = |west: f32, east: f32, grown: f32| {
        let arch = [(0.25, 0.42), (0.2, 0.54), (0.09, 0.6)];
        let corner = |x: f32, (y, z): (f32, f32)| {
            let up = if z > 0.42 { z + grown } else { z };
            [[x, y + grown, up], [x, -y - grown, up]]
        };
        let at = |x: f32| arch.into_iter().flat_map(move |point| corner(x, point));
        hull(&at(west).chain(at(east)).map(Into::into).collect::<Vec<_>>())
    };
    let band = |x: f32| block([x, 0.0, 0.0], [0.06, 0.53, 0.42]);
    ObjectSpec::Thing(
        Thing::new()
            .solid(Plank, block([0.0; 3], [0.9, 0.5, 0.42]))
            .solid(Plank, lid(-0.45, 0.45, 0.0))
            .solid(Iron, band(-0.3))
            .solid(Iron, band(0.3))
            .solid(Iron, lid(-0.33, -0.27, 0.015))
            .solid(Iron, lid(0.27, 0.33, 0.015))
            .solid(Iron, block([0.0, 0.25, 0.34], [0.1, 0.04, 0.14])),
    )
}

/// Shelves with books and pots, 1.2 m wide; its back is in the south.
pub fn shelf() -> ObjectSpec {
    let board = |z: f32| block([0.0, 0.0, z], [1.16, 0.34, 0.04]);
    let side = |x: f32| block([x, 0.0, 0.0], [0.05, 0.36, 1.9]);
    let mut thing = Thing::new()
        .solid(Plank, block([0.0, -0.165, 0.05], [1.16, 0.03, 1.83]))
        .solid(Timber, side(-0.595))
        .solid(Timber, side(0.595));
    for z in [0.08, 0.55, 1.02, 1.49, 1.86] {
        thing = thing.solid(Plank, board(z));
    }
    for (material, x, z, size) in [
        (Leather, -0.36, 1.06, [0.3, 0.2, 0.26]),
        (Cloth, -0.12, 1.06, [0.14, 0.2, 0.3]),
        (Leather, 0.3, 1.53, [0.4, 0.2, 0.24]),
        (Linen, 0.3, 0.59, [0.34, 0.24, 0.16]),
    ] {
        thing = thing.solid(material, block([x, -0.02, z], size));
    }
    let pot = crate::tool::form::moved(&round(6, [0.08, 0.12], [0.0, 0.26]), [0.3, 0.0, 1.06]);
    ObjectSpec::Thing(thing.solid(Timber, pot))
}

/// A counter, 2.2 m long from west to east; guests stand in the north.
pub fn counter() -> ObjectSpec {
    let post = |x: f32| block([x, 0.27, 0.1], [0.08, 0.06, 0.88]);
    let mut thing = Thing::new()
        .solid(Timber, block([0.0, 0.03, 0.98], [2.3, 0.76, 0.07]))
        .solid(Plank, block([0.0; 3], [2.2, 0.52, 0.98]))
        .solid(Timber, block([0.0, 0.01, 0.0], [2.24, 0.58, 0.1]));
    for x in [-1.02, -0.34, 0.34, 1.02] {
        thing = thing.solid(Timber, post(x));
    }
    ObjectSpec::Thing(thing)
}

/// A wardrobe; its doors are in the north.
pub fn wardrobe() -> ObjectSpec {
    let leaf = |x: f32| block([x, 0.26, 0.2], [0.46, 0.05, 1.55]);
    let knob = |x: f32| block([x, 0.3, 0.95], [0.04, 0.06, 0.06]);
    ObjectSpec::Thing(
        Thing::new()
            .solid(Timber, block([0.0; 3], [1.12, 0.58, 0.12]))
            .solid(Plank, block([0.0, 0.0, 0.12], [1.06, 0.52, 1.75]))
            .solid(Timber, block([0.0, 0.0, 1.87], [1.16, 0.6, 0.1]))
            .solid(Timber, leaf(-0.25))
            .solid(Timber, leaf(0.25))
            .solid(Iron, knob(-0.07))
            .solid(Iron, knob(0.07)),
    )
}
