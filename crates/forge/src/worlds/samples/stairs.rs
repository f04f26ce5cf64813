//! Flights of steps.

use threshold_land::vector::Vec3;

use crate::stock::material::Material;
use crate::tool::opening::Opening;
use crate::tool::passage::{self, RISER};
use crate::tool::room::RoomSpec;

/// Depth of a step, in metres.
const TREAD: f32 = 0.36;

/// Steps along the y axis, from a floor up to the edge of a hole in the floor above. The hole has the size of the flight, so
/// that there is enough headroom.
#[derive(Clone, Copy)]
pub(super) struct Flight {
    /// Western end of the lowest step, on the floor.
    pub(super) foot: Vec3,
    pub(super) width: f32,
    /// Rise, in metres.
    pub(super) height: f32,
    /// Whether they rise to the north; otherwise to the south.
    pub(super) northward: bool,
}

impl Flight {
    /// Returns the number of steps; from the last one it is one more to the floor above.
    fn steps(&self) -> u8 {
        // A few storeys at the most.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "few steps")]
        let rises = (self.height / RISER).ceil() as u8;
        rises.saturating_sub(1)
    }

    /// Returns the length for that rise, in metres.
    pub(super) fn length(&self) -> f32 {
        f32::from(self.steps()) * TREAD
    }

    /// Adds these steps to a room.
    pub(super) fn build(&self, room: RoomSpec, material: Material) -> RoomSpec {
        let rises = f32::from(self.steps()) + 1.0;
        let ahead = if self.northward { self.length() } else { -self.length() };
        let foot = self.foot + Vec3::X * (self.width / 2.0);
        let head = foot + Vec3::new(0.0, ahead, self.height * (rises - 1.0) / rises);
        room.stairs(passage::Flight::new(foot, head, self.width).material(material))
    }

    /// Returns the hole above.
    pub(super) fn hatch(&self) -> Opening {
        let (west, east) = (self.foot.x, self.foot.x + self.width);
        let (y, length) = (self.foot.y, self.length());
        let (south, north) = if self.northward { (y, y + length) } else { (y - length, y) };
        let z = self.foot.z + self.height;
        Opening::polygon([[west, south, z], [east, south, z], [east, north, z], [west, north, z]])
    }
}
