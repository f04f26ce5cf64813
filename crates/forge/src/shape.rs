//! Shapes of rooms and of solids.

use threshold_land::glam::{Vec2, Vec3};

/// A convex solid: the inside of a room, a block that stands in one, or an object.
///
/// Nothing is checked here; [`Forge::finish`](crate::Forge::finish) refuses a shape that is not convex
/// or not closed, and says where it was used.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    faces: Vec<Vec<Vec3>>,
}

impl Shape {
    /// A box between two opposite corners. Its walls are, in order, south, east, north and west.
    pub fn cuboid(low: impl Into<Vec3>, high: impl Into<Vec3>) -> Self {
        let (low, high): (Vec3, Vec3) = (low.into(), high.into());
        let floor = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
        Self::prism(floor.map(Vec2::from), low.z, high.z)
    }

    /// The space over a convex floor, given counter-clockwise seen from above, between two heights.
    /// Wall `i` stands on the edge from corner `i` to the next one.
    pub fn prism(floor: impl IntoIterator<Item = impl Into<Vec2>>, low: f32, high: f32) -> Self {
        let floor: Vec<Vec2> = floor.into_iter().map(Into::into).collect();
        let next = floor.iter().cycle().skip(1);
        let wall = |(from, to): (&Vec2, &Vec2)| {
            vec![from.extend(low), to.extend(low), to.extend(high), from.extend(high)]
        };
        let mut faces: Vec<Vec<Vec3>> = floor.iter().zip(next).map(wall).collect();
        faces.push(floor.iter().rev().map(|corner| corner.extend(low)).collect());
        faces.push(floor.iter().map(|corner| corner.extend(high)).collect());
        Self { faces }
    }

    /// A regular prism: `corners` walls at distance `radius` from the upright axis through the origin.
    /// The middle of wall 0 is due south.
    pub fn regular(corners: usize, radius: f32, low: f32, high: f32) -> Self {
        // Far below 2^24 corners: the counts are exact.
        #[allow(clippy::cast_precision_loss, reason = "few corners")]
        let at = |index: usize| (index as f32 - 0.5) / corners as f32 * std::f32::consts::TAU;
        let reach = radius / libm::cosf(at(1));
        let corner = |index: usize| {
            let angle = at(index);
            Vec2::new(reach * libm::sinf(angle), -reach * libm::cosf(angle))
        };
        Self::prism((0..corners).map(corner), low, high)
    }

    /// A solid by its faces, each a convex polygon wound either way.
    pub fn from_faces(faces: Vec<Vec<Vec3>>) -> Self {
        Self { faces }
    }

    /// The faces, walls first. Of a prism the last two are floor and ceiling.
    pub fn faces(&self) -> &[Vec<Vec3>] {
        &self.faces
    }
}
