//! The most that a text may ask for: beyond it a world would take minutes or all memory, and was hardly meant.

/// Bytes of a text: 4 MiB.
pub(super) const TEXT: usize = 4 << 20;
/// Any number, up and down.
pub(super) const NUMBER: f32 = 1e6;
/// Corners of a floor, of a face or of an opening.
pub(super) const CORNERS: usize = 64;
/// Faces of a shape.
pub(super) const FACES: usize = 64;
/// Places of a road or of a path.
pub(super) const PLACES: usize = 256;
/// How often a statement may be repeated.
pub(super) const TIMES: usize = 1000;
/// Blocks of a room, and solids of a shell or of a thing.
pub(super) const SOLIDS: usize = 256;
/// Faces of those that overlap, each with each: they are cut along each other. Some 60 boxes that all overlap; a second or so.
pub(super) const CUTS: usize = 65_536;
/// Rooms that stand in a world, all plans together.
pub(super) const ROOMS: usize = 100_000;
/// Blocks and solids of the plans that stand in a world, all together: some ten seconds.
pub(super) const MATTER: usize = 100_000;
/// Things that stand in a world.
pub(super) const THINGS: usize = 100_000;
/// The highest land, in metres; the lowest is at 0.
pub(super) const HEIGHT: f32 = 700.0;
/// Landblocks of all lands.
pub(super) const LANDBLOCKS: usize = 1024;
/// Scenes: a corner of land cells has five bits for its scene, and 0 is none.
pub(super) const SCENES: usize = crate::tool::scene::MAX_SCENES;
