//! Passages through rooms: corridors, ramps, stairs, shafts.

use threshold_land::vector::Vec3;

use crate::stock::material::Material;
use crate::tool::room::RoomSpec;
use crate::tool::shape::Shape;

/// Maximum height of a step of a flight, in metres. A mover steps 0.6 m up.
pub(crate) const RISER: f32 = 0.3;

/// Offset of a step's boards against those of the step below, as a part of the board width.
const STAGGER: f32 = 0.37;

/// Steps, or a ramp, that lead up through a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// The middle of the lower edge of the first step.
    pub foot: Vec3,
    /// The middle of the upper edge of the last step.
    pub head: Vec3,
    /// Width in metres.
    pub width: f32,
    /// Material of the steps.
    pub material: Material,
}

impl Flight {
    /// Creates steps between two points.
    pub fn new(foot: impl Into<Vec3>, head: impl Into<Vec3>, width: f32) -> Self {
        Self { foot: foot.into(), head: head.into(), width, material: Material::Plank }
    }

    /// Sets the material; planks by default.
    #[must_use]
    pub fn material(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// Returns the steps from the lowest up: the fewest that are at most 0.3 m high, each solid down to the foot. None if the
    /// head is not above the foot, or is straight above it.
    pub fn steps(&self) -> Vec<Shape> {
        let rise = self.head.z - self.foot.z;
        let offset = (self.head - self.foot).with_z(0.0);
        let Some(ahead) = offset.try_normalize().filter(|_| rise > 0.0) else { return Vec::new() };
        let aside = Vec3::new(-ahead.y, ahead.x, 0.0) * (self.width / 2.0);
        // A few dozen at most; absurd heights are refused as too large when the room is made.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "up to 1000")]
        let count = (rise / RISER - 1e-3).ceil().clamp(1.0, 1000.0) as u16;
        let part = |step: u16| f32::from(step) / f32::from(count);
        let step = |number: u16| {
            let (from, to) =
                (self.foot + offset * part(number), self.foot + offset * part(number + 1));
            let floor = [from - aside, to - aside, to + aside, from + aside];
            let top = self.foot.z + rise * part(number + 1);
            let edge = [from - aside, from + aside].map(|end| end.with_z(top));
            // The boards of a step differ from those of the step below.
            let shift = (edge[1] - edge[0]) * (STAGGER * f32::from(number));
            Shape::prism(floor.map(|corner| corner.truncate()), self.foot.z, top)
                .boarded(edge.map(|end| end + shift))
        };
        (0..count).map(step).collect()
    }

    /// Returns a slope instead of steps, as a wedge that is solid down to the foot.
    pub fn ramp(&self) -> Shape {
        let ahead = (self.head - self.foot).with_z(0.0).normalize_or_zero();
        let right = Vec3::new(ahead.y, -ahead.x, 0.0) * (self.width / 2.0);
        let [near_left, near_right] = [self.foot - right, self.foot + right];
        let [top_left, top_right] = [self.head - right, self.head + right];
        let [far_left, far_right] = [top_left, top_right].map(|top| top.with_z(self.foot.z));
        Shape::from_faces(vec![
            vec![near_right, far_right, top_right],
            vec![far_right, far_left, top_left, top_right],
            vec![far_left, near_left, top_left],
            vec![near_right, near_left, far_left, far_right],
            vec![near_right, top_right, top_left, near_left],
        ])
    }
}

impl RoomSpec {
    /// A straight corridor from the middle of one end of its floor to that of the other, upright at both ends: a
    /// ramp if the ends differ in height. Its walls are, in order, the start, the right-hand side,
    /// the end, the left-hand side.
    pub fn corridor(from: impl Into<Vec3>, to: impl Into<Vec3>, [width, height]: [f32; 2]) -> Self {
        let (from, to): (Vec3, Vec3) = (from.into(), to.into());
        let ahead = (to - from).with_z(0.0).normalize_or_zero();
        let right = Vec3::new(ahead.y, -ahead.x, 0.0) * (width / 2.0);
        let up = Vec3::Z * height;
        let floor = [from - right, from + right, to + right, to - right];
        let wall = |index: usize| {
            let (a, b) = (floor[index], floor[(index + 1) % 4]);
            vec![a, b, b + up, a + up]
        };
        let mut faces: Vec<Vec<Vec3>> = (0..4).map(wall).collect();
        faces.push(floor.iter().rev().copied().collect());
        faces.push(floor.map(|corner| corner + up).to_vec());
        Self::shaped(Shape::from_faces(faces))
    }

    /// A square shaft, `side` metres wide, from one height up to another.
    pub fn shaft(middle: impl Into<Vec3>, side: f32, height: f32) -> Self {
        let (middle, half): (Vec3, Vec3) = (middle.into(), Vec3::new(side, side, 0.0) / 2.0);
        Self::cuboid(middle - half, middle + half + Vec3::Z * height)
    }

    /// Adds a flight of steps.
    #[must_use]
    pub fn stairs(self, flight: Flight) -> Self {
        flight.steps().into_iter().fold(self, |room, step| room.block_of(flight.material, step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_fill_the_flight_and_none_is_too_high() {
        let steps = Flight::new([0.0, 0.0, 1.0], [0.0, 4.0, 3.0], 1.5).steps();
        assert_eq!(steps.len(), 7);
        let top = |shape: &Shape| {
            let corners = shape.faces().iter().flatten();
            corners.map(|corner| corner.z).fold(f32::NEG_INFINITY, f32::max)
        };
        let tops: Vec<f32> = steps.iter().map(top).collect();
        assert!((tops[0] - 1.0 - 2.0 / 7.0).abs() < 1e-5);
        assert!((tops[6] - 3.0).abs() < 1e-5);
        assert!(tops.windows(2).all(|pair| pair[1] - pair[0] < RISER + 1e-4));
        assert_eq!(Flight::new([0.0; 3], [0.0, 0.0, 3.0], 1.0).steps(), []);
        assert_eq!(Flight::new([0.0; 3], [3.0, 0.0, 0.0], 1.0).steps(), []);
    }
}
