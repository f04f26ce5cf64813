//! Fires and lamps.

use crate::stock::material::Material::{Ashlar, Bark, Brick, Flame, Iron, Linen, Timber};
use crate::stock::thing::{Collision, Thing};
use crate::tool::form::{bar, block, cone, hull, moved, roll, round, spokes};
use crate::tool::model::ObjectSpec;
use crate::tool::shape::Shape;

/// The colour of a fire's light.
const FIRE: u32 = 0xFFFF_B060;
/// The colour of a lamp's light.
const LAMP: u32 = 0xFFFF_D890;

/// A flame at a point, with a width and a height.
fn flame(at: [f32; 3], width: f32, height: f32) -> Shape {
    let half = width / 2.0;
    let belly = height * 0.3;
    let around = spokes(4).map(|spoke| (spoke * half).extend(belly));
    let ends = [[0.0; 3], [0.0, 0.0, height]].map(Into::into);
    moved(&hull(&around.chain(ends).collect::<Vec<_>>()), at)
}

/// A hearth with a fire and a chimney breast, 1.7 m wide and 2.6 m high; its back, in the south, goes against a wall.
pub fn fireplace() -> ObjectSpec {
    let jamb = |x: f32| block([x, 0.02, 0.08], [0.35, 0.66, 1.1]);
    let log = |x: f32, y: f32, z: f32| roll(6, [x, y, z], 0.06, 0.55);
    ObjectSpec::Thing(
        Thing::new()
            .solid(Ashlar, block([0.0, 0.1, 0.0], [1.7, 0.9, 0.08]))
            .solid(Brick, block([0.0, -0.23, 0.08], [1.0, 0.16, 1.1]))
            .solid(Ashlar, jamb(-0.67))
            .solid(Ashlar, jamb(0.67))
            .solid(Ashlar, block([0.0, 0.02, 1.18], [1.69, 0.66, 0.24]))
            .solid(Timber, block([0.0, 0.05, 1.42], [1.9, 0.78, 0.09]))
            .solid(Ashlar, chimney())
            .solid(Bark, log(0.0, -0.06, 0.14))
            .solid(Bark, log(0.03, 0.1, 0.14))
            .solid(Bark, log(-0.02, 0.02, 0.25))
            .solid(Flame, flame([-0.15, 0.02, 0.28], 0.24, 0.45))
            .solid(Flame, flame([0.12, 0.02, 0.28], 0.28, 0.6))
            .lamp([0.0, 0.3, 0.6], FIRE, 9.0),
    )
}

/// The breast over the mantel, narrower above.
fn chimney() -> Shape {
    let corners = [([0.7, 0.24], 1.51), ([0.42, 0.02], 2.6)].into_iter().flat_map(|([x, y], z)| {
        [[-x, -0.31, z], [x, -0.31, z], [x, y, z], [-x, y, z]].map(Into::into)
    });
    hull(&corners.collect::<Vec<_>>())
}

/// A candle in a dish.
pub fn candle() -> ObjectSpec {
    ObjectSpec::Thing(
        Thing::new()
            .solid(Iron, round(8, [0.05, 0.08], [0.0, 0.02]))
            .solid(Linen, round(6, [0.022, 0.02], [0.02, 0.16]))
            .solid(Flame, flame([0.0, 0.0, 0.165], 0.03, 0.07))
            .lamp([0.0, 0.0, 0.25], LAMP, 4.0)
            .touch(Collision::Nothing),
    )
}

/// A torch that leans out of a wall at the height of a head. The origin is at the foot of the wall, which is in the south.
pub fn torch() -> ObjectSpec {
    ObjectSpec::Thing(
        Thing::new()
            .solid(Iron, block([0.0, 0.02, 1.5], [0.12, 0.04, 0.26]))
            .solid(Iron, bar([0.0, 0.02, 1.58], [0.0, 0.16, 1.62], 0.04))
            .solid(Timber, bar([0.0, 0.09, 1.46], [0.0, 0.24, 1.86], 0.05))
            .solid(Iron, bar([0.0, 0.222, 1.81], [0.0, 0.252, 1.89], 0.09))
            .solid(Flame, flame([0.0, 0.255, 1.87], 0.13, 0.3))
            .lamp([0.0, 0.35, 2.05], FIRE, 7.0)
            .touch(Collision::Nothing),
    )
}

/// Eight candles on a wheel that hangs 0.9 m below the origin, its hook.
pub fn chandelier() -> ObjectSpec {
    let mut thing = Thing::new()
        .solid(Iron, block([0.0, 0.0, -0.55], [0.03, 0.03, 0.55]))
        .solid(Timber, moved(&round(8, [0.09, 0.06], [0.0, 0.3]), [0.0, 0.0, -0.88]));
    for spoke in spokes(8) {
        let (from, to) = ((spoke * 0.06).extend(-0.8), (spoke * 0.55).extend(-0.8));
        let at = (spoke * 0.55).extend(-0.82);
        thing = thing
            .solid(Iron, bar(from, to, 0.03))
            .solid(Linen, block(at, [0.045, 0.045, 0.14]))
            .solid(Flame, flame((at + threshold_land::vector::Vec3::Z * 0.145).into(), 0.04, 0.09));
    }
    ObjectSpec::Thing(thing.lamp([0.0, 0.0, -0.9], LAMP, 12.0).touch(Collision::Nothing))
}

/// A lantern on a post, 3 m high.
pub fn lamp_post() -> ObjectSpec {
    let mut thing = Thing::new()
        .solid(Ashlar, round(8, [0.2, 0.15], [0.0, 0.25]))
        .solid(Iron, round(6, [0.07, 0.05], [0.25, 2.45]))
        .solid(Iron, round(6, [0.05, 0.16], [2.45, 2.55]))
        .solid(Flame, round(6, [0.1, 0.13], [2.55, 2.85]))
        .solid(Iron, cone(6, 0.2, [2.85, 3.05]));
    for spoke in spokes(6) {
        let (from, to) = ((spoke * 0.115).extend(2.54), (spoke * 0.15).extend(2.86));
        thing = thing.solid(Iron, bar(from, to, 0.022));
    }
    let touch = Collision::Cylinder { radius: 0.18, height: 3.05 };
    ObjectSpec::Thing(thing.lamp([0.0, 0.0, 2.6], LAMP, 14.0).touch(touch))
}

/// A bowl of embers on three legs.
pub fn brazier() -> ObjectSpec {
    let mut thing = Thing::new()
        .solid(Iron, round(8, [0.18, 0.38], [0.55, 0.8]))
        .solid(Flame, round(8, [0.3, 0.14], [0.79, 0.9]))
        .solid(Flame, flame([-0.08, 0.03, 0.84], 0.2, 0.4))
        .solid(Flame, flame([0.1, -0.05, 0.84], 0.18, 0.3));
    for spoke in spokes(3) {
        thing =
            thing.solid(Iron, bar((spoke * 0.34).extend(0.0), (spoke * 0.2).extend(0.62), 0.05));
    }
    let touch = Collision::Cylinder { radius: 0.38, height: 0.9 };
    ObjectSpec::Thing(thing.lamp([0.0, 0.0, 1.2], FIRE, 9.0).touch(touch))
}
