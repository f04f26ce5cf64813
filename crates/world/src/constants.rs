//! Retail's numbers, each with its name and reason.

/// Vertices along one side of a landblock. Retail: `LandDefs::vertex_per_block_side`.
pub const SIDE_VERTICES: usize = 9;
/// Vertices of a landblock.
pub const BLOCK_VERTICES: usize = SIDE_VERTICES * SIDE_VERTICES;
/// Land cells of a landblock.
pub const LAND_CELLS: usize = 64;
/// Triangles of a landblock, two a land cell.
pub const TRIANGLES: usize = 2 * LAND_CELLS;
/// How far the landscape reaches round a position, in landblocks: 11 x 11 of them.
/// Retail: `LScape::mid_radius`.
pub const LANDSCAPE_RADIUS: u8 = 5;
/// How wide a road is, in metres. Retail: `LandDefs::road_width`; the region's copy is ignored.
pub const ROAD_WIDTH: f32 = 5.0;
/// Terrain heights above this stop the loading of a region's table, in metres.
pub const HIGHEST: f32 = 800.0;
/// How deep a mover sinks in a cell that is all water, in metres.
pub const WATER_DEPTH: f32 = 0.9;
/// How deep it sinks by a corner that is water, in a cell that is partly water.
pub const SHALLOW_DEPTH: f32 = 0.45;
/// How deep it sinks by a corner that is not, in a cell that is partly water.
pub const SHORE_DEPTH: f32 = 0.1;
/// Terrain types that are water. Retail: `TerrainType` 16..20.
pub const WATER_TYPES: std::ops::RangeInclusive<u16> = 16..=20;
/// How many cylinders of an object count when its cells are looked for.
/// Retail: the size of the array in `CObjCell::find_cell_list`.
pub const MAX_LISTED_CYLINDERS: usize = 10;
/// How many land cells from its own an object is registered in, in each direction: two
/// landblocks. Retail has no bound; nothing in its files comes near, and a damaged model
/// must not be put into every cell of the map.
pub const MAX_REACH: i32 = 16;
/// How many cells one list holds. Retail has no bound and never has more than a few; a damaged sphere as large
/// as the world must not make a list of every room.
pub const MAX_LISTED_CELLS: usize = 4096;

/// How far a body goes before the lists it is in are told, in metres.
pub(crate) const BODY_SLACK: f32 = 2.0;

/// More than rounding can bring two things together, in metres: what is apart by more is not looked at.
pub(crate) const NEAR_MARGIN: f32 = 0.01;
