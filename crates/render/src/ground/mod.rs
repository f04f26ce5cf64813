//! The ground of a landblock.

mod layers;
mod mesh;
mod tile;

pub use self::layers::{Layers, Masks, Overlay, ROAD, key};
pub use self::mesh::{GroundVertex, SUNK, of_land};
pub use self::tile::Painter;
