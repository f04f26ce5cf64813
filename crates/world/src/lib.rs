//! The cell world of Asheron's Call: land, rooms, buildings and objects, built from records.
//!
//! Every place is in a cell. Outdoors the cells are the 64 land cells of a landblock, indoors the
//! rooms of buildings and dungeons; portals join rooms to rooms and rooms to the land. This crate
//! builds that graph from records, finds the cells that a shape touches and the one that contains
//! it, keeps the objects of each cell, and decides what should be loaded and what may be dropped.
//! It reads no file, starts no thread and has no clock.
//!
//! # From records to a world
//!
//! A [`Builder`] makes pieces (the land of a landblock, or a room) from any
//! [`Source`](threshold_dat::Source): data files, or a world made in code. A [`World`] adopts them.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::vector::Vec2;
//! use threshold_land::BlockId;
//! use threshold_world::{Builder, PieceId, World};
//!
//! let builder = Builder::new(samples::house_on_a_hill()?);
//! let mut world = World::new();
//! let hill = PieceId::Land(BlockId(0xA9B4));
//! let built = builder.build(hill)?.expect("there is such a landblock");
//! assert!(built.faults.is_empty());
//! world.adopt(built.piece);
//!
//! let land = world.land(BlockId(0xA9B4)).expect("it is resident now");
//! assert_eq!(land.terrain().height(Vec2::new(84.0, 84.0)), Some(60.0));
//! assert_eq!(land.buildings().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Building needs only `&Builder` and may run on any thread. A record that is wrong is left out and
//! reported as a [`Fault`]; the rest of the piece is built.
//!
//! # Which cells does it touch, and which one is it in?
//!
//! [`CellSearch`] fills a [`CellArray`] with the cells that spheres touch. The order is part of the
//! result: the cell that the search starts from comes first, a room that contains the centre wins
//! over the land, and the first such room wins over others. So a mover keeps its cell until it has
//! really left it.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, Position, Sphere};
//! use threshold_world::{Builder, CellArray, CellSearch, PieceId, World};
//!
//! let builder = Builder::new(samples::two_rooms()?);
//! let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
//! let mut world = World::new();
//! for room in [west, east] {
//!     world.adopt(builder.build(PieceId::Room(room))?.expect("there is such a room").piece);
//! }
//!
//! // A sphere at the open wall between the rooms, which is at x = 4.
//! let at = Vec3::new(3.9, 2.0, 1.0);
//! let mut cells = CellArray::new();
//! let search = CellSearch::new(&world);
//! let found = search.spheres(&Position::new(west, at), &[Sphere::new(at, 0.48)], &mut cells);
//! assert_eq!(cells.ids().collect::<Vec<_>>(), [west, east]);
//! assert_eq!(found.cell, Some(west));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A search hashes nothing, and allocates nothing once its array has grown. A cell that is not
//! resident is listed by its id only and is not searched; [`CellArray::missed`] lists those cells,
//! and the [`Counters`] distinguish "found nothing" from "did not look".
//!
//! # Objects
//!
//! The objects of a landblock's or a room's record are loaded and dropped with it; bodies are added
//! by [`World::insert`]. Each object is in the list of every resident cell it touches
//! ([`World::objects_in`]). The lists are sorted by [`ObjectId`]: static objects by landblock or
//! room and by their index in the record, then bodies by number. The order of loading plays no
//! part. An object searches for its cells again when a piece arrives that its last search missed.
//!
//! The parts of an object have the poses of its setup until [`World::pose_part`] changes one, as it
//! does for the leaf of a door; collision shapes and cells follow. [`World::turn`] turns a whole
//! body.
//!
//! # What should be resident
//!
//! [`World::hold`] says which cell a player or camera is in. [`World::take_wanted`] then returns
//! the pieces that are missing: a room and the rooms on its stab list, and the landscape only if
//! the room sees the outdoors; a dungeon needs no terrain. The caller builds them on its own
//! threads, and calls [`World::adopt`] and [`World::drop_unheld`] between two ticks.
//! [`World::hold_at`] takes a position and holds the landscape around the land cell under it.
//!
//! | retail | here |
//! |---|---|
//! | `CellManager::ChangePosition` | [`World::hold_at`], [`World::release`] |
//! | `CEnvCell::grab_visible_cells`, `LScape::grab_visible_cells` | the pieces of a holder |
//! | `CellManager::PreFetchCells` | [`World::take_wanted`] |
//! | `keep_lscape_loaded` | [`World::set_keep_landscape_loaded`] |
//! | `LScape::update_loadpoint` | the load point of [`World::hold_at`] |
//! | `LScape::release_all` | [`World::drop_unheld`], once no holder sees the landscape |
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_world::{Builder, World};
//!
//! let builder = Builder::new(samples::dungeon(20, 7)?);
//! let mut world = World::new();
//! world.hold(1, CellId(0x0102_0100));
//! while let wanted = world.take_wanted()
//!     && !wanted.is_empty()
//! {
//!     for piece in wanted {
//!         if let Some(built) = builder.build(piece)? {
//!             world.adopt(built.piece);
//!         }
//!     }
//! }
//! assert_eq!(world.lands().count(), 0);
//! world.release(1);
//! world.drop_unheld();
//! assert_eq!(world.resident().count(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Exactness
//!
//! Single precision in retail's order of operations, as in `threshold-land` and `threshold-geom`: the same
//! records give the same answers, to the bit, on every machine. Where implementations dispute what retail
//! did, [`CellRules`] has a switch.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod block;
mod body_slot;
mod builder;
mod cells;
mod constants;
mod entry;
mod fault;
mod land;
mod limits;
mod model;
mod nearby;
mod object;
mod object_list;
mod piece;
mod pose;
mod region;
mod registry;
mod residency;
mod room;
pub mod rule;
mod scenery;
mod solid;
mod structure;
mod terrain;
mod world;

pub use body_slot::{BodySlot, BodySlots};
pub use builder::{Builder, BuiltPiece, Piece};
pub use cells::{
    CellArray, CellRules, CellSearch, CellSearchResult, Counters, ListedCell, ListingCause,
    PlacedPart, Reason, RoomOffset,
};
pub use constants::{
    LAND_CELLS, LANDSCAPE_RADIUS, MAX_LISTED_CELLS, MAX_REACH, ROAD_WIDTH, SIDE_VERTICES,
    TRIANGLES, WATER_TYPES,
};
pub use entry::{Entrant, EntryRules};
pub use fault::{Fault, Problem};
pub use land::{Building, BuildingPortal, Land, LandCell};
pub use limits::{
    MAX_COORDINATE, MAX_RADIUS, MAX_ROTATION, MAX_SCALE, MAX_STEP, MIN_SCALE, NORMAL_TOLERANCE,
    RangeError,
};
pub use model::{DEFAULT_STEP_HEIGHT, Model, Setup, SetupPart};
pub use nearby::NearObjects;
pub use object::{
    BodyId, BodySpec, Object, ObjectId, ObjectKind, PlayerStatus, Registration, State,
};
pub use piece::PieceId;
pub use pose::PoseError;
pub use region::{HeightTable, REGION};
pub use registry::UnknownBody;
pub use room::{Portal, PortalSide, Room};
pub use solid::Solid;
pub use structure::Structure;
pub use terrain::{Ground, Terrain, Water};
pub use threshold_dat::RecordId;
pub use world::{Cell, Edition, NearbyObjects, RoomSearch, World};
