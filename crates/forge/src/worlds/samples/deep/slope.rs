//! Slopes: ramps and stairs between levels.

use threshold_land::vector::Vec2;

use super::Draft;
use super::chamber::HALF_DOOR;
use super::footprint::{Edge, Footprint, HEIGHT};
use crate::stock::material::Material;
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::Shape;

/// Horizontal length, in metres: over a storey, that is 32 degrees.
const LENGTH: f32 = 8.0;
/// Level ground before the first step, in metres: no block may be flush in a doorway.
const APPROACH: f32 = 0.6;
/// Number of steps up; the last leads onto the floor above.
const RISES: u8 = 18;
/// The ceiling is slightly higher than that of the corridors at both ends.
const ROOM: f32 = HEIGHT + 0.2;

/// A straight slope from one level to the next.
pub(super) struct Slope {
    pub(super) middle: Vec2,
    /// Unit vector from the low end to the high one.
    pub(super) ahead: Vec2,
    /// Positions of the low and the high end.
    pub(super) floors: [f32; 2],
}

impl Slope {
    /// Returns the floor between two distances from the low end, counter-clockwise from the right of the low end.
    fn part(&self, from: f32, to: f32) -> [Vec2; 4] {
        let aside = self.ahead.perp() * HALF_DOOR;
        let at = |along: f32| self.middle + self.ahead * (along - LENGTH / 2.0);
        [at(from) - aside, at(to) - aside, at(to) + aside, at(from) + aside]
    }

    /// Returns the doors at the low and at the high end.
    pub(super) fn ends(&self) -> [Edge; 2] {
        let [a, b, c, d] = self.part(0.0, LENGTH);
        [Edge([d, a]), Edge([b, c])]
    }

    fn draft(&self, room: RoomSpec) -> Draft {
        let [low, high] = self.floors;
        let floor = self.part(0.0, LENGTH).to_vec();
        let looks = FaceMaterials::new(Material::Brick, Material::Cobble, Material::Brick);
        Draft { room: room.materials(looks), space: Footprint { floor, low, high: high + ROOM } }
    }

    /// Returns a room with a sloping floor and ceiling.
    pub(super) fn ramp(&self) -> Draft {
        let half = self.ahead * (LENGTH / 2.0);
        let [low, high] = self.floors;
        let [foot, head] = [(self.middle - half).extend(low), (self.middle + half).extend(high)];
        self.draft(RoomSpec::corridor(foot, head, [2.0 * HALF_DOOR, ROOM]))
    }

    /// Returns a room with steps under one level ceiling.
    pub(super) fn steps(&self) -> Draft {
        let [low, high] = self.floors;
        let rise = (high - low) / f32::from(RISES);
        let tread = (LENGTH - APPROACH) / f32::from(RISES - 1);
        let room = RoomSpec::prism(self.part(0.0, LENGTH), low, high + ROOM);
        let room = (1..RISES).map(f32::from).fold(room, |room, step| {
            // The last step ends exactly at the wall.
            let [from, to] = [step - 1.0, step].map(|steps| (APPROACH + steps * tread).min(LENGTH));
            let block = Shape::prism(self.part(from, to), low, low + step * rise);
            room.block_of(Material::Cobble, block)
        });
        self.draft(room)
    }
}
