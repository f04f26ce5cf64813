//! Goods: barrels, boxes, carts, hay, logs, boats.

use threshold_land::vector::Vec3;

use crate::stock::material::Material::{Bark, Iron, Plank, Thatch, Timber};
use crate::stock::thing::Thing;
use crate::tool::form::{bar, block, hull, loft, ring, roll, round};
use crate::tool::model::ObjectSpec;

/// A barrel, 0.95 m high.
pub fn barrel() -> ObjectSpec {
    let staves = [ring(0.0, [0.28; 2]), ring(0.47, [0.36; 2]), ring(0.94, [0.28; 2])];
    let hoop = |low: f32| round(8, [0.334; 2], [low, low + 0.06]);
    ObjectSpec::Thing(
        Thing::new().solid(Plank, loft(8, &staves)).solid(Iron, hoop(0.17)).solid(Iron, hoop(0.71)),
    )
}

/// A box of boards, 0.8 m wide.
pub fn crate_() -> ObjectSpec {
    let mut thing = Thing::new()
        .solid(Plank, block([0.0, 0.0, 0.05], [0.74, 0.74, 0.7]))
        .solid(Timber, block([0.0; 3], [0.8, 0.8, 0.08]))
        .solid(Timber, block([0.0, 0.0, 0.72], [0.8, 0.8, 0.08]));
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        thing = thing.solid(Timber, block([0.35 * x, 0.35 * y, 0.08], [0.1, 0.1, 0.64]));
    }
    ObjectSpec::Thing(thing)
}

/// A cart with two wheels, 1.3 m wide; its shafts lie in the north.
pub fn cart() -> ObjectSpec {
    let mut thing = Thing::new()
        .solid(Plank, block([0.0, -0.3, 0.62], [1.2, 2.2, 0.08]))
        .solid(Timber, block([0.0, -0.3, 0.5], [1.5, 0.1, 0.12]))
        .solid(Plank, block([0.0, -1.37, 0.7], [1.2, 0.06, 0.45]))
        .solid(Plank, block([0.0, 0.77, 0.7], [1.2, 0.06, 0.3]));
    for side in [-1.0, 1.0] {
        thing = thing
            .solid(Plank, block([0.57 * side, -0.3, 0.7], [0.06, 2.08, 0.4]))
            .solid(Timber, roll(10, [0.72 * side, -0.3, 0.55], 0.55, 0.09))
            .solid(Iron, roll(6, [0.79 * side, -0.3, 0.55], 0.12, 0.06))
            .solid(Timber, bar([0.42 * side, 0.8, 0.64], [0.36 * side, 2.2, 0.42], 0.08));
    }
    ObjectSpec::Thing(thing)
}

/// A barrow with one wheel; its handles are in the south.
pub fn hand_cart() -> ObjectSpec {
    let tray = [[0.3, -0.35, 0.4], [0.3, 0.4, 0.4], [0.38, -0.48, 0.72], [0.38, 0.55, 0.72]];
    let tray = tray.into_iter().flat_map(|[x, y, z]| [[x, y, z], [-x, y, z]].map(Vec3::from));
    let mut thing = Thing::new()
        .solid(Plank, hull(&tray.collect::<Vec<_>>()))
        .solid(Timber, roll(8, [0.0, 0.62, 0.24], 0.24, 0.08))
        .solid(Iron, roll(6, [0.0, 0.62, 0.24], 0.04, 0.3));
    for side in [-1.0, 1.0] {
        thing = thing
            .solid(Timber, bar([0.14 * side, 0.66, 0.26], [0.3 * side, -1.1, 0.62], 0.06))
            .solid(Timber, block([0.25 * side, -0.4, 0.0], [0.06, 0.06, 0.45]));
    }
    ObjectSpec::Thing(thing)
}

/// Hay, 2.2 m high.
pub fn haystack() -> ObjectSpec {
    let hay =
        [ring(0.0, [1.15; 2]), ring(0.9, [1.3; 2]), ring(1.6, [0.85; 2]), ring(2.2, [0.15; 2])];
    let cap = round(6, [0.05; 2], [2.1, 2.5]);
    ObjectSpec::Thing(Thing::new().solid(Thatch, loft(8, &hay)).solid(Timber, cap))
}

/// Split logs in a pile, 1.1 m long from west to east.
pub fn woodpile() -> ObjectSpec {
    let mut thing = Thing::new();
    // Each row lies in the furrows of the one below.
    for (row, count) in [(0.0_f32, 5_u8), (1.0, 4), (2.0, 3), (3.0, 2)] {
        for log in 0..count {
            let north = (f32::from(log) - (f32::from(count) - 1.0) / 2.0) * 0.26;
            // Logs have uneven ends.
            let off = if (log + count) % 2 == 0 { 0.03 } else { -0.02 };
            thing = thing.solid(Bark, roll(6, [off, north, 0.113 + row * 0.226], 0.128, 1.1));
        }
    }
    for (x, y) in [(-0.4, -0.72), (0.4, -0.72), (-0.4, 0.72), (0.4, 0.72)] {
        thing = thing.solid(Timber, block([x, y, 0.0], [0.08, 0.08, 0.8]));
    }
    ObjectSpec::Thing(thing)
}

/// A rowing boat, 4.2 m long; its bow is in the north. The water line is 0.3 m over the origin.
pub fn boat() -> ObjectSpec {
    // Along the keel and along the gunwale, on the right side from stern to bow.
    let keel = [[0.3, -1.7, 0.0], [0.45, -0.4, 0.0], [0.35, 0.9, 0.02], [0.04, 1.85, 0.18]];
    let rail = [[0.5, -1.9, 0.55], [0.7, -0.4, 0.5], [0.58, 1.0, 0.56], [0.06, 2.25, 0.78]];
    let (keel, rail) = (keel.map(Vec3::from), rail.map(Vec3::from));
    let other = |at: Vec3| Vec3::new(-at.x, at.y, at.z);
    let mut thing = Thing::new();
    for (low, high) in keel.windows(2).zip(rail.windows(2)) {
        let right = [low[0], low[1], high[0], high[1]];
        let inner = |at: Vec3| at - Vec3::new(0.05_f32.min(at.x), 0.0, 0.0);
        let board: Vec<Vec3> = right.into_iter().flat_map(|at| [at, inner(at)]).collect();
        let mirrored: Vec<Vec3> = board.iter().map(|at| other(*at)).collect();
        let floor = [low[0], low[1], other(low[0]), other(low[1])];
        let floor: Vec<Vec3> = floor.into_iter().flat_map(|at| [at, at + Vec3::Z * 0.06]).collect();
        for part in [board, mirrored, floor] {
            thing = thing.solid(Plank, hull(&part));
        }
    }
    let stern = [[0.3, -1.7, 0.0], [-0.3, -1.7, 0.0], [0.5, -1.9, 0.55], [-0.5, -1.9, 0.55]];
    let stern = stern.map(Vec3::from).into_iter().flat_map(|at| [at, at + Vec3::Y * 0.06]);
    ObjectSpec::Thing(
        thing
            .solid(Plank, hull(&stern.collect::<Vec<_>>()))
            .solid(Timber, block([0.0, -0.95, 0.32], [1.12, 0.3, 0.05]))
            .solid(Timber, block([0.0, 0.35, 0.32], [1.16, 0.3, 0.05]))
            .solid(Timber, bar([0.3, -1.2, 0.41], [0.36, 0.9, 0.46], 0.05))
            .solid(Timber, bar([-0.3, -1.2, 0.41], [-0.36, 0.9, 0.46], 0.05)),
    )
}
