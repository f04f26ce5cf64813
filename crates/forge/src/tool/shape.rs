//! Shapes of rooms and of solids.

use threshold_land::vector::{Vec2, Vec3};

/// A convex solid: the inside of a room, a block that stands in one, or an object.
///
/// Nothing is checked here; [`Forge::finish`](crate::Forge::finish) refuses a shape that is not convex
/// or not closed, and names its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    faces: Vec<Vec<Vec3>>,
    boards: Option<Boards>,
}

/// Board layout of a solid: on every face that contains `from`, a board edge runs through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Boards {
    /// A corner of a board.
    pub(crate) from: Vec3,
    /// The direction boards run in; of unit length.
    pub(crate) along: Vec3,
}

/// Direction of a roof ridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ridge {
    /// From south to north.
    North,
    /// From west to east.
    East,
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
        Self::from_faces(faces)
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

    /// A saddle roof over a rectangle between two opposite corners, from its eaves up to its ridge.
    pub fn gable(
        one: impl Into<Vec2>,
        other: impl Into<Vec2>,
        [eaves, top]: [f32; 2],
        ridge: Ridge,
    ) -> Self {
        let (one, other): (Vec2, Vec2) = (one.into(), other.into());
        let (low, high) = (one.min(other), one.max(other));
        let middle = (low + high) / 2.0;
        let [sw, se] = [low.x, high.x].map(|x| Vec3::new(x, low.y, eaves));
        let [nw, ne] = [low.x, high.x].map(|x| Vec3::new(x, high.y, eaves));
        let floor = vec![nw, ne, se, sw];
        let walls = match ridge {
            Ridge::North => {
                let [from, to] = [low.y, high.y].map(|y| Vec3::new(middle.x, y, top));
                [
                    vec![sw, se, from],
                    vec![se, ne, to, from],
                    vec![ne, nw, to],
                    vec![nw, sw, from, to],
                ]
            }
            Ridge::East => {
                let [from, to] = [low.x, high.x].map(|x| Vec3::new(x, middle.y, top));
                [
                    vec![sw, se, to, from],
                    vec![se, ne, to],
                    vec![ne, nw, from, to],
                    vec![nw, sw, from],
                ]
            }
        };
        Self::from_faces(walls.into_iter().chain([floor]).collect())
    }

    /// A pointed roof over the floor of a [`regular`](Self::regular) prism, from its eaves up to its top.
    pub fn spire(corners: usize, radius: f32, [eaves, top]: [f32; 2]) -> Self {
        let below = Self::regular(corners, radius, eaves, top);
        let apex = Vec3::Z * top;
        // Every wall starts with its lower edge.
        let side = |wall: &Vec<Vec3>| wall.iter().take(2).copied().chain([apex]).collect();
        let walls = below.faces.iter().take(corners).map(side);
        Self::from_faces(walls.chain(below.faces.get(corners).cloned()).collect())
    }

    /// Creates a solid from its faces, each a convex polygon wound either way.
    pub fn from_faces(faces: Vec<Vec<Vec3>>) -> Self {
        Self { faces, boards: None }
    }

    /// Lays boards along an edge of the solid, so that a board starts at that edge on both faces. By default boards
    /// run along the longest side, also across edges.
    pub(crate) fn boarded(self, [from, to]: [Vec3; 2]) -> Self {
        let along = (to - from).try_normalize();
        Self { boards: along.map(|along| Boards { from, along }), ..self }
    }

    /// Returns the explicit board layout.
    pub(crate) fn boards(&self) -> Option<Boards> {
        self.boards
    }

    /// Returns the faces, walls first. The last two of a prism are floor and ceiling.
    pub fn faces(&self) -> &[Vec<Vec3>] {
        &self.faces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::passage::Flight;
    use crate::tool::solid::Convex;

    #[track_caller]
    fn check(shape: &Shape, faces: usize, low: [f32; 3], high: [f32; 3]) {
        assert_eq!(shape.faces().len(), faces);
        let bounds = Convex::of(shape).unwrap().bounds();
        let near = |one: Vec3, other: [f32; 3]| one.distance(other.into()) < 1e-5;
        assert!(near(bounds.0, low) && near(bounds.1, high), "{bounds:?}");
    }

    #[test]
    fn roofs_and_ramps_are_closed_and_convex() {
        let (low, high) = ([-5.0, -4.0, 3.0], [5.0, 4.0, 6.0]);
        check(&Shape::gable([-5.0, -4.0], [5.0, 4.0], [3.0, 6.0], Ridge::North), 5, low, high);
        check(&Shape::gable([5.0, 4.0], [-5.0, -4.0], [3.0, 6.0], Ridge::East), 5, low, high);
        check(&Shape::spire(4, 2.0, [3.0, 5.0]), 5, [-2.0, -2.0, 3.0], [2.0, 2.0, 5.0]);
        let ramp = Flight::new([1.0, 0.0, 0.0], [1.0, 4.0, 2.0], 3.0).ramp();
        check(&ramp, 5, [-0.5, 0.0, 0.0], [2.5, 4.0, 2.0]);
    }
}
