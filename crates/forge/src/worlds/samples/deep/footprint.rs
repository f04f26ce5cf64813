//! Footprints of rooms in the horizontal plane.

use threshold_land::vector::Vec2;

use super::Draft;
use crate::stock::material::Material;
use crate::tool::room::{FaceMaterials, RoomSpec};

/// Height of a corridor, in metres.
pub(super) const HEIGHT: f32 = 2.6;
/// Minimum width of a corridor, in metres.
const NARROWEST: f32 = 1.4;
/// Tolerance for adjacent rooms, in metres.
const SLACK: f32 = 5e-4;

/// The floor of a room, counter-clockwise, and its height range.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    pub(super) floor: Vec<Vec2>,
    pub(super) low: f32,
    pub(super) high: f32,
}

/// A door in a wall, in the horizontal plane: counter-clockwise around the room that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge(pub(super) [Vec2; 2]);

impl Edge {
    /// Direction out of the room.
    pub(super) fn outward(self) -> Vec2 {
        -(self.0[1] - self.0[0]).normalize_or_zero().perp()
    }

    /// Returns the door moved outwards by a distance in metres.
    pub(super) fn moved(self, metres: f32) -> Self {
        Self(self.0.map(|corner| corner + self.outward() * metres))
    }

    pub(super) fn reversed(self) -> Self {
        Self([self.0[1], self.0[0]])
    }

    /// Returns the distance of a point in front of the door, on the outer side.
    fn before(self, at: Vec2) -> f32 {
        (at - self.0[0]).dot(self.outward())
    }
}

impl Footprint {
    fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        let next = self.floor.iter().cycle().skip(1);
        self.floor.iter().zip(next).map(|(from, to)| Edge([*from, *to]))
    }

    /// Returns whether the two footprints overlap.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let apart = |one: &Self, other: &Self| {
            let beyond = |edge: Edge| other.floor.iter().all(|at| edge.before(*at) > -SLACK);
            one.edges().any(beyond)
        };
        let level = self.low < other.high && other.low < self.high;
        level && !apart(self, other) && !apart(other, self)
    }
}

/// A level corridor between two doors; `None` where they do not face each other well enough. Its second wall is the one with
/// the far door, its fourth that with the near one.
pub(super) fn corridor(near: Edge, far: Edge, floor: f32) -> Option<Draft> {
    let ([a, b], [c, d]) = (near.0, far.0);
    let corners = [a, d, c, b];
    let space = Footprint { floor: corners.to_vec(), low: floor, high: floor + HEIGHT };
    let turns = |at: usize| {
        let [from, to, next] = [0, 1, 2].map(|step| corners[(at + step) % 4]);
        (to - from).perp_dot(next - to)
    };
    let sides = [Edge([a, d]), Edge([c, b])];
    // From one side to the corners of the other.
    let widths =
        [-sides[0].before(c), -sides[0].before(b), -sides[1].before(a), -sides[1].before(d)];
    let is_wide = widths.iter().all(|width| *width > NARROWEST);
    if !is_wide || !(0..4).all(|at| turns(at) > 0.1) {
        return None;
    }
    let looks = FaceMaterials::new(Material::Brick, Material::Cobble, Material::Brick);
    Some(Draft { room: RoomSpec::prism(corners, floor, floor + HEIGHT).materials(looks), space })
}
