//! Terrain of a landblock: texture layers, mesh, and painted tiles.

mod layers;
mod mesh;
mod textures;
mod tile;

pub use self::layers::{ROAD, TerrainLayers, TerrainMasks, TerrainOverlay, palette_code};
pub use self::mesh::{DRAW_OFFSET, GroundVertex, terrain_vertices};
pub use self::textures::{TerrainImage, TerrainTextures};
pub use self::tile::TilePainter;
