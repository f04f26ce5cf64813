//! Why a cell is in a cell array.

use threshold_land::CellId;

/// The rule that added a cell to a cell array. Spheres and portals are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListingCause {
    /// It is the room that the search starts from.
    Start,
    /// It is a land cell that a sphere reaches.
    Reached {
        /// The index of the sphere.
        sphere: usize,
    },
    /// It is the room behind a portal of a listed room, and a sphere reaches into it.
    Portal {
        /// The room of the portal.
        room: CellId,
        /// The index of the portal.
        portal: usize,
        /// The index of the sphere.
        sphere: usize,
    },
    /// It is a land cell that a sphere reaches, and a sphere touches the plane of an exit portal.
    Exit {
        /// The room of the portal.
        room: CellId,
        /// The index of the first such portal.
        portal: usize,
        /// The sphere that reaches the land.
        sphere: usize,
    },
    /// It is a room behind a portal of a building on a listed land cell, and a sphere reaches into
    /// it.
    Building {
        /// The land cell of the building.
        land: CellId,
        /// The index of the sphere.
        sphere: usize,
    },
    /// It is the room behind a portal with a plane that a sphere reaches, and is not resident.
    Unloaded {
        /// The room of the portal.
        room: CellId,
        /// The index of the portal.
        portal: usize,
    },
    /// It was added without a rule: by [`CellArray::add`](super::CellArray::add), or for boxes of
    /// parts.
    Added,
}

/// Why a cell is in a cell array, and whether it contains the centre of the first sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// The rule that added it.
    pub cause: ListingCause,
    /// Whether it contains the centre; `None` if not tested, as for cells after the first room that
    /// does.
    pub contains: Option<bool>,
    /// For a tested room: distance of the centre from the nearest wall, in metres; negative
    /// outside.
    pub depth: Option<f32>,
}

impl Reason {
    /// A reason without a containment test.
    pub(super) fn new(cause: ListingCause) -> Self {
        Self { cause, contains: None, depth: None }
    }
}
