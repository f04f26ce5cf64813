//! The numbers of the map and the one tolerance, each with its retail name.

/// The tolerance of every comparison that has no number of its own, in metres
/// where it is a length. Its bits are `0x3951B717`.
///
/// Retail: `F_EPSILON`.
pub const EPSILON: f32 = 0.0002;

/// Side of a land cell, in metres. Retail: `LandDefs::square_length`.
pub const CELL_LENGTH: f32 = 24.0;

/// Side of a landblock, in metres. Retail: `LandDefs::block_length`.
pub const BLOCK_LENGTH: f32 = 192.0;

/// Land cells along one side of a landblock. Retail: `LandDefs::lblock_side`.
pub const BLOCK_CELLS: i32 = 8;

/// Landblocks along one side of the map. Retail: `LandDefs::num_blocks_per_side`.
pub const MAP_BLOCKS: i32 = 255;

/// Land cells along one side of the map, `0x7F8`. Retail: `LandDefs::land_length`.
pub const MAP_CELLS: i32 = MAP_BLOCKS * BLOCK_CELLS;

/// How far the squared length of a rotation may be from 1 in a frame that retail
/// loads: five times [`EPSILON`]. Retail: `Frame::IsValid`.
pub(crate) const ROTATION_TOLERANCE: f32 = 0.001;

/// Metres in one unit of the compass: a tenth of it is a land cell.
pub const COMPASS_UNIT: f64 = 240.0;

/// Compass coordinate of the map's south and west edges, negated.
pub(crate) const COMPASS_EDGE: f64 = 101.95;
