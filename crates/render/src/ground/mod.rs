//! The ground of a landblock.

mod layers;
mod mesh;
mod tile;

pub use self::layers::{ROAD, TerrainLayers, TerrainMasks, TerrainOverlay, key};
pub use self::mesh::{GroundVertex, SUNK, of_land};
pub use self::tile::TilePainter;
