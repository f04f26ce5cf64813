//! Why a cell is on a list.

use threshold_land::CellId;

/// The rule that put a cell on a list. Spheres, portals and openings are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListingCause {
    /// It is the room one comes from.
    Start,
    /// A sphere reaches this land.
    Reached {
        /// Which sphere.
        sphere: usize,
    },
    /// It is the room behind a portal of a room on the list, and a sphere reaches into it.
    Portal {
        /// The room that has the portal.
        room: CellId,
        /// The portal.
        portal: usize,
        /// Which sphere.
        sphere: usize,
    },
    /// It is land that a sphere reaches, and some sphere is at the plane of a portal that leads outside.
    Exit {
        /// The room that has the portal.
        room: CellId,
        /// The portal; the first, where there are several.
        portal: usize,
        /// The sphere that reaches the land.
        sphere: usize,
    },
    /// It is a room behind an opening of the building on a land cell of the list, and a sphere reaches into it.
    Building {
        /// The land cell of the building.
        land: CellId,
        /// Which sphere.
        sphere: usize,
    },
    /// It is not resident: the room behind a portal whose plane a sphere reaches.
    Unloaded {
        /// The room that has the portal.
        room: CellId,
        /// The portal.
        portal: usize,
    },
    /// It was put there without a reason: by hand, or for the boxes of parts.
    Added,
}

/// Why a cell is on a list, and whether it contains the centre of the first sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// The rule that put it there.
    pub cause: ListingCause,
    /// Whether it contains the centre; `None` where nobody looked, as behind the first room that does.
    pub contains: Option<bool>,
    /// Of a room that was looked at: how far the centre is in front of the wall it is least in front of, in metres. It is
    /// outside by as much where that is negative.
    pub depth: Option<f32>,
}

impl Reason {
    /// Nobody has looked whether it contains anything.
    pub(super) fn new(cause: ListingCause) -> Self {
        Self { cause, contains: None, depth: None }
    }
}
