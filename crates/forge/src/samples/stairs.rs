//! Flights of steps.

use threshold_land::glam::Vec3;

use crate::material::Material;
use crate::opening::Opening;
use crate::room::Room;
use crate::shape::Shape;

/// The highest step, in metres: half of what a mover steps up.
const RISE: f32 = 0.3;
/// From one step to the next, in metres.
const TREAD: f32 = 0.36;

/// Steps along the y axis, from a floor up to the edge of a hole in the floor above. The hole is as large as the flight, so
/// there is head room all the way.
#[derive(Clone, Copy)]
pub(super) struct Flight {
    /// Where the lowest step begins: its western end, on the floor.
    pub(super) foot: Vec3,
    pub(super) width: f32,
    /// How far up, in metres.
    pub(super) height: f32,
    /// Whether they rise to the north, or to the south.
    pub(super) northward: bool,
}

impl Flight {
    /// Steps; from the last of them it is one more to the floor above.
    fn steps(&self) -> u8 {
        // A few storeys at the most.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "few steps")]
        let rises = (self.height / RISE).ceil() as u8;
        rises.saturating_sub(1)
    }

    /// How long it is for that height, in metres.
    pub(super) fn length(&self) -> f32 {
        f32::from(self.steps()) * TREAD
    }

    /// A room with these steps in it.
    pub(super) fn build(&self, room: Room, material: Material) -> Room {
        let rise = self.height / (f32::from(self.steps()) + 1.0);
        (1..=self.steps()).map(f32::from).fold(room, |room, step| {
            let (low, high) = self.part((step - 1.0) * TREAD, step * TREAD);
            let low = Vec3::new(self.foot.x, low, self.foot.z);
            let high = Vec3::new(self.foot.x + self.width, high, self.foot.z + step * rise);
            room.block_of(material, Shape::cuboid(low, high))
        })
    }

    /// The hole above it.
    pub(super) fn hatch(&self) -> Opening {
        let (west, east) = (self.foot.x, self.foot.x + self.width);
        let (south, north) = self.part(0.0, self.length());
        let z = self.foot.z + self.height;
        Opening::polygon([[west, south, z], [east, south, z], [east, north, z], [west, north, z]])
    }

    /// The south and north end of what lies between two distances from the foot.
    fn part(&self, from: f32, to: f32) -> (f32, f32) {
        let y = self.foot.y;
        if self.northward { (y + from, y + to) } else { (y - to, y - from) }
    }
}
