//! What a query finds.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_world::ObjectId;

/// A surface or an object that a query found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The touched point, and the cell in which it was touched.
    pub position: Position,
    /// The centre of what was cast when it touched, and the cell that it was carried into. For a
    /// volume at rest, the position of the question.
    pub centre: Position,
    /// For casts and arcs how far the centre had moved, in metres. For volumes at rest the distance
    /// from the centre to the nearest point of what was found; 0 inside a solid.
    pub distance: f32,
    /// The unit normal at the touched point, towards the question. Of a polygon it is that of its
    /// plane, except where a sphere touches its edge.
    pub normal: Vec3,
    /// What was found.
    pub target: HitTarget,
    /// Whether a cast touched it from the start: it overlapped it, or began inside. For a volume at
    /// rest, whether the centre is inside a solid.
    pub initial: bool,
}

/// What was found, down to the polygon. Ordered so that results have one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum HitTarget {
    /// The ground of a land cell.
    Ground {
        /// The land cell.
        cell: CellId,
        /// The number of its triangle in the landblock: twice the index of the cell, or one more.
        triangle: u32,
    },
    /// A wall, floor or ceiling of a room.
    Room {
        /// The room.
        cell: CellId,
        /// The index of the polygon in the physics tree of its structure.
        polygon: u32,
    },
    /// The shell of a building.
    Shell {
        /// The land cell that the building belongs to.
        cell: CellId,
        /// The index of the polygon in the physics tree of its first part.
        polygon: u32,
    },
    /// An object.
    Object {
        /// The object.
        id: ObjectId,
        /// Which of its shapes.
        shape: ObjectShape,
    },
}

impl HitTarget {
    /// Returns the object, if it is one.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Object { id, .. } => Some(*id),
            _ => None,
        }
    }
}

/// A shape of an object. It collides with its physics trees; without any with its cylinders; without
/// these with its spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ObjectShape {
    /// A polygon of a part.
    Part {
        /// The number of the part.
        part: u32,
        /// The index of the polygon in the physics tree of its model.
        polygon: u32,
    },
    /// A cylinder, by its number.
    Cylinder(u32),
    /// A sphere, by its number.
    Sphere(u32),
    /// No shape at all: the object counts as a point at its origin. Only for the nearest objects and
    /// for cones.
    Origin,
}

/// A cell that a query reached and that is not resident: what is in it and behind it is unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnknownCell {
    /// The cell. If it is a room behind the door of a building whose portal is not known, the query
    /// passes near that building.
    pub cell: CellId,
    /// How far the centre had moved when it was reached, in metres; 0 for a volume at rest.
    pub distance: f32,
}

/// How far a query came, besides its hits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Extent {
    /// Where the centre ends if nothing stops it, and the cell it was carried into. For a volume at
    /// rest, the position of the question.
    pub end: Position,
    /// The nearest cell that was reached and is not resident. A hit before it is certain; where
    /// there is none, or one behind it, something unknown may be nearer.
    pub unknown: Option<UnknownCell>,
}

/// The first hit of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct FirstHit {
    /// The nearest hit; of several at the same distance always the same one.
    pub hit: Option<Hit>,
    /// How far the query came.
    pub extent: Extent,
}

impl FirstHit {
    /// Returns whether the answer cannot change when more cells are loaded: no cell that is not
    /// resident was reached before the hit.
    pub fn is_certain(&self) -> bool {
        match (self.hit, self.extent.unknown) {
            (_, None) => true,
            (Some(hit), Some(unknown)) => hit.distance < unknown.distance,
            (None, Some(_)) => false,
        }
    }
}

/// The flight along an arc, up to the first hit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct ArcFlight {
    /// What stopped it; `None` if its time ran out.
    pub hit: Option<Hit>,
    /// When it ended, in seconds after the launch.
    pub time: f32,
    /// The velocity at the end, before the hit changes it, in metres per second.
    pub velocity: Vec3,
    /// Where its centre was at the end, and the cell it was carried into.
    pub end: Position,
    /// The first cell on its way that is not resident.
    pub unknown: Option<UnknownCell>,
}
