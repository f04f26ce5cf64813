//! Numbers of the retail client, each with its name and reason, and bounds of our own.

/// Vertices along one side of a landblock. Retail: `LandDefs::vertex_per_block_side`.
pub const SIDE_VERTICES: usize = 9;
/// Vertices of a landblock.
pub(crate) const BLOCK_VERTICES: usize = SIDE_VERTICES * SIDE_VERTICES;
/// Land cells of a landblock.
pub const LAND_CELLS: usize = 64;
/// Triangles of a landblock, two per land cell.
pub const TRIANGLES: usize = 2 * LAND_CELLS;
/// Default extent of the landscape around a holder, in landblocks: 11 x 11 of them.
/// Retail: `LScape::mid_radius`.
pub const LANDSCAPE_RADIUS: u8 = 5;
/// Width of a road, in metres. Retail: `LandDefs::road_width`; the region's copy is ignored.
pub const ROAD_WIDTH: f32 = 5.0;
/// Maximum terrain height, in metres; a greater one stops retail's loading of a region's table.
pub(crate) const MAX_TERRAIN_HEIGHT: f32 = 800.0;
/// Depth to which a mover sinks in a land cell that is all water, in metres.
pub(crate) const WATER_DEPTH: f32 = 0.9;
/// Depth to which it sinks near a water corner of a land cell that is partly water, in metres.
pub(crate) const SHALLOW_DEPTH: f32 = 0.45;
/// Depth to which it sinks near a dry corner of a land cell that is partly water, in metres.
pub(crate) const SHORE_DEPTH: f32 = 0.1;
/// Terrain types that are water. Retail: `TerrainType` 16..20.
pub const WATER_TYPES: std::ops::RangeInclusive<u16> = 16..=20;
/// Maximum number of cylinders of an object that the search for its cells uses.
/// Retail: the size of the array in `CObjCell::find_cell_list`.
pub(crate) const MAX_LISTED_CYLINDERS: usize = 10;
/// Maximum distance of a registration from the object's own land cell, in land cells along each
/// axis: two landblocks. Retail has no bound and no file comes near it; a damaged model must not be
/// registered in every cell of the map.
pub const MAX_REACH: i32 = 16;
/// Maximum number of cells in a cell array. Retail has no bound and never has more than a few; a
/// damaged sphere as large as the world must not list every room.
pub const MAX_LISTED_CELLS: usize = 4096;

/// Distance that a body may move before its bounds in object lists are updated, in metres.
pub(crate) const BODY_SLACK: f32 = 2.0;

/// Greater than any rounding error of a distance, in metres: shapes farther apart than this are not
/// tested.
pub(crate) const NEAR_MARGIN: f32 = 0.01;
