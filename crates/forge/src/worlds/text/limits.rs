//! Limits of a world text: beyond them a world would take minutes or all memory, most likely by mistake.

/// Bytes of a text: 4 MiB.
pub(super) const TEXT: usize = 4 << 20;
/// Absolute value of a number.
pub(super) const NUMBER: f32 = 1e6;
/// Corners of a floor, of a face or of an opening.
pub(super) const CORNERS: usize = 64;
/// Faces of a shape.
pub(super) const FACES: usize = 64;
/// Points of a road or of a path.
pub(super) const PLACES: usize = 256;
/// Copies made by one statement.
pub(super) const TIMES: usize = 1000;
/// Blocks of a room, and solids of a shell or of a thing.
pub(super) const SOLIDS: usize = 256;
/// Pairs of faces of solids that overlap and are cut along each other: some 60 boxes that all overlap; about a second.
pub(super) const CUTS: usize = 65_536;
/// Rooms of a world, all plans together.
pub(super) const ROOMS: usize = 100_000;
/// Blocks and solids of a world, all plans together: about ten seconds.
pub(super) const ALL_SOLIDS: usize = 100_000;
/// Things of a world.
pub(super) const THINGS: usize = 100_000;
/// The highest land, in metres; the lowest is at 0.
pub(super) const HEIGHT: f32 = 700.0;
/// Landblocks of all lands.
pub(super) const LANDBLOCKS: usize = 1024;
/// Scenes: a corner of land cells has five bits for its scene, and 0 is none.
pub(super) const SCENES: usize = crate::tool::scene::MAX_SCENES;
