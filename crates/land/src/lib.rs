//! Ids, coordinates, frames and positions of the cell world of Asheron's Call.
//!
//! The world is one map of 255 x 255 landblocks, each 192 m square and cut into 8 x 8 land
//! cells of 24 m; the rooms of its buildings and dungeons are further cells of the same
//! landblock. Every object has a [`Position`]: a [`CellId`] and a [`Frame`]
//! local to that cell's landblock. There are no coordinates measured from the corner of the
//! map, so precision is the same everywhere, and crossing from one landblock into the next
//! is arithmetic on ids.
//!
//! This crate holds that arithmetic: pure functions on small `Copy` values, without
//! allocation, files or clocks. Retail: `LandDefs`; each item names its retail counterpart.
//!
//! # Find the land cell under a point
//!
//! ```
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, adjust_to_outside};
//!
//! // One metre south of the landblock A9B4 ...
//! let (cell, at) = adjust_to_outside(CellId(0xA9B4_0031), Vec3::new(150.0, -1.0, 94.0)).unwrap();
//! // ... is the northernmost row of A9B3.
//! assert_eq!(cell.to_string(), "0xA9B30038");
//! assert_eq!(at, Vec3::new(150.0, 191.0, 94.0));
//! ```
//!
//! # List the land cells that a sphere reaches
//!
//! ```
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, outside_cells};
//!
//! let reached = outside_cells(CellId(0xA9B4_0001), Vec3::new(0.2, 0.2, 0.0), 0.48).unwrap();
//! let names: Vec<_> = reached.iter().map(ToString::to_string).collect();
//! assert_eq!(names, ["0xA9B40001", "0xA8B40039", "0xA8B30040", "0xA9B30008"]);
//! ```
//!
//! # Parse a place
//!
//! ```
//! use threshold_land::Place;
//!
//! let place: Place = "42.1N, 33.6E".parse()?;
//! assert_eq!(place.cell().unwrap().to_string(), "0xA9B40019");
//!
//! let place: Place = "Your location is: 0xA9B40031 [150 1 94] 1 0 0 0".parse()?;
//! assert_eq!(
//!     place.to_string(),
//!     "0xA9B40031 [150.000000 1.000000 94.000000] 1.000000 0.000000 0.000000 0.000000",
//! );
//! # Ok::<(), threshold_land::PlaceError>(())
//! ```
//!
//! # Exactness
//!
//! Single precision, in the order of operations of the retail client, without fused
//! multiply-add and without the platform's trigonometry: the same input gives the same bits
//! on every machine. Points with an x or y that is NaN, infinite or off the map give `None`; nothing here panics.
//!
//! # Features
//!
//! - `serde`: ids as text (`"0xA9B40031"`), frames, positions, planes and spheres.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod compass;
mod constants;
mod cut;
mod frame;
mod id;
mod lcoord;
mod outside;
mod place;
mod plane;
mod position;
mod rotation;
#[cfg(feature = "serde")]
mod serialise;
mod space;
mod sphere;
pub mod vector;

pub use compass::Compass;
pub use constants::{
    BLOCK_CELLS, BLOCK_LENGTH, CELL_LENGTH, COMPASS_UNIT, EPSILON, MAP_BLOCKS, MAP_CELLS,
};
pub use cut::Cut;
pub use frame::Frame;
pub use id::{BlockId, CellId, CellKind};
pub use lcoord::Lcoord;
pub use outside::{
    OutsideCells, adjust_to_outside, block_offset_between, cell_index, outside_cells,
    outside_lcoord, snap_to_block_edge,
};
pub use place::{Place, PlaceError, PlaceErrorKind};
pub use plane::{BoxSide, Plane, RayTime, Side};
pub use position::Position;
pub use rotation::{Rotation, RotationMatrix};
pub use space::Space;
pub use sphere::Sphere;
