//! Makes worlds in code: terrain, houses, dungeons and objects, as records of the data files of
//! Asheron's Call.
//!
//! ```text
//!  Block::heights ---------------+
//!  Plan: rooms and openings -----+--> Forge::finish --> MadeWorld (a Source) --> RecordSet::to_dat
//!  Object -----------------------+         |
//!                                          +--> ForgeError: kind and location
//! ```
//!
//! A made world is a [`Source`](threshold_dat::Source), like a folder of data files; the engine treats both
//! alike. The same calls make the same bytes on every machine.
//!
//! # A house on a hill
//!
//! ```
//! use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
//! use threshold_land::{BlockId, Frame, vector::Vec3};
//!
//! let mut house = Plan::new();
//! let hall = house.room(RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]));
//! let kitchen = house.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
//! house.exit(hall, Opening::door(Face::SOUTH)).join(hall, kitchen, Opening::door(Face::NORTH));
//! house.window(kitchen, Opening::pane(Face::EAST));
//! let mut forge = Forge::new();
//! let hill = forge.block(BlockId::new(0xA9, 0xB4));
//! hill.heights(|x, y| 30 - (x - 4).abs().max((y - 4).abs()).max(1));
//! let cells = hill.building(Frame::at(Vec3::new(84.0, 84.0, 58.15)), house);
//! let world = forge.finish()?;
//!
//! assert_eq!(cells.of(kitchen).to_string(), "0xA9B40101");
//! # use threshold_dat::{EnvCell, Records};
//! let room: Option<EnvCell> = Records::new(&world).get(cells.of(kitchen).into())?;
//! assert!(room.unwrap().flags.seen_outside());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rooms
//!
//! A [`RoomSpec`] is a convex [`Shape`]: a box, a prism over a convex floor, or any convex set of faces. It may
//! have a frame of its own, with any rotation. It can contain solid blocks: pillars, benches, steps.
//! Faces are named by [`Face`]; the walls of a box are south, east, north and west.
//!
//! An [`Opening`] is a convex polygon in a face: a door or a pane of the usual size, a rectangle, a whole
//! face, or corners in the frame of the plan. [`Plan::join`] opens two rooms to each other,
//! [`Plan::exit`] leads outdoors, and a [`Plan::window`] lets only sight through.
//!
//! ```
//! use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec, Shape};
//! use threshold_land::{BlockId, Frame, Rotation, vector::Vec3};
//!
//! let mut depths = Plan::new();
//! // An octagon with a pillar, and a corridor that leaves it to the south-east.
//! let pillar = Shape::cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 4.0]);
//! let hub = depths.room(RoomSpec::shaped(Shape::regular(8, 5.0, 0.0, 4.0)).named("hub").block(pillar));
//! let turned = Frame { origin: Vec3::ZERO, rotation: Rotation::from_heading(-45.0) };
//! let corridor = depths.room(RoomSpec::cuboid([-1.0, -12.0, 0.0], [1.0, -5.0, 2.5]).at(turned));
//! depths.join(corridor, hub, Opening::whole(Face::NORTH));
//! // A shaft down from the middle of the corridor's floor.
//! let shaft = depths.room(RoomSpec::cuboid([-1.0, -10.0, -6.0], [1.0, -8.0, 0.0]).at(turned));
//! depths.join(shaft, corridor, Opening::whole(Face::Ceiling));
//!
//! let mut forge = Forge::new();
//! forge.block(BlockId::new(0x01, 0x02)).dungeon(Frame::at(Vec3::new(60.0, -70.0, 0.0)), depths);
//! let world = forge.finish()?;
//! # Ok::<(), threshold_forge::ForgeError>(())
//! ```
//!
//! # From plan to records
//!
//! - Rooms are numbered from 0x0100 in their landblock, without gaps, in the order they were added;
//!   [`RoomCells`] says which room is which cell. Rooms of the same shape share an environment.
//! - Portal polygons are the last drawing polygons, in the order the openings were added. Both sides of an
//!   opening are the same polygon: it faces into the room it was given for, and so out of the other.
//! - The cell tree is the chain of inward planes. Physics polygons face into free space and sit in the
//!   solid leaves behind them; the space behind an opening is an empty leaf, and so is a room with its floor right on a
//!   ceiling with a hatch. Drawing trees hold each polygon once, and openings in `PORT` nodes.
//! - A building gets a shell: the union of its rooms with 0.3 m of wall and roof around them and 1.5 m of
//!   foundation below, solid inside. Walls with a door or window stay where they are, so that the
//!   opening of the room is that of the shell.
//! - Stab lists hold the rooms in a straight line of sight through openings, with a small margin so that none
//!   is missing; `seen_outside` is set if such a line leads outdoors.
//! - Every world has a region with retail's table of heights ([`height`]) and 32 kinds of ground, a few plain
//!   surfaces, and the [`MOVER`].
//!
//! # Errors
//!
//! [`Forge::finish`] refuses invalid worlds. A [`ForgeError`] names the landblock, the plan, the room,
//! and the opening or the object.
//!
//! - Rooms must be convex, apart from all other rooms of the landblock, within 10 km of its origin, and not
//!   filled by their blocks.
//! - Openings must lie in a wall of both rooms, clear of each other and of blocks, and be no smaller than
//!   1 cm.
//! - Objects must come from [`Forge::object`] of the same forge, and lie in their room or landblock.
//! - Buildings must lie in one land cell, with nothing before their doors.
//! - Adjacent landblocks must have the same heights along their border.
//!
//! ```
//! use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
//! use threshold_land::{BlockId, Frame};
//!
//! let mut plan = Plan::new();
//! let hall = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]).named("hall"));
//! let den = plan.room(RoomSpec::cuboid([4.5, 0.0, 0.0], [8.0, 4.0, 3.0]).named("den"));
//! plan.join(hall, den, Opening::door(Face::EAST));
//! let mut forge = Forge::new();
//! forge.block(BlockId::new(0x01, 0x02)).dungeon(Frame::IDENTITY, plan);
//! assert_eq!(
//!     forge.finish().unwrap_err().to_string(),
//!     "landblock 0102, dungeon 0, room 0 \"hall\" and room 1 \"den\", opening 0: the rooms do not meet \
//!      in this opening: the opening lies in no wall; the nearest is 0.500 m away",
//! );
//! ```
//!
//! # Sample worlds
//!
//! [`samples`] has small worlds for tests and measurements: two rooms, a house on a hill, houses at
//! borders, random dungeons, rolling plains; and large ones: halls of a thousand rooms, open grids, towns.
//!
//! ```
//! use threshold_dat::FileKind;
//!
//! let world = threshold_forge::samples::dungeon(50, 7)?;
//! let bytes = world.records().to_dat(FileKind::Cell)?;
//! assert_eq!(&bytes[0x140..0x142], b"BT");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # World texts
//!
//! [`text`] reads worlds written as plain text; `docs/forge.md` is the manual of the format.
//!
//! # Cost
//!
//! A dungeon takes about 0.15 ms per room. More expensive are:
//!
//! - Lines of sight: all chains of openings are followed from every room. In a hall of rooms that are
//!   open to each other on all sides a room takes 1 ms with 6 x 6 rooms, 3 ms with 10 x 10 and 25 ms with
//!   14 x 14. After 100,000 openings the search stops and lists everything that can be reached;
//!   [`Plan::lists`] can select that from the start.
//! - Overlapping blocks: they are cut along each other's faces. Sixty blocks of seven sides in one room take up
//!   to a quarter of a second.
//! - Room overlap: each room is checked against all others of its landblock in the same range from west to east.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod stock;
mod tool;
mod worlds;

pub use stock::door::DOOR_SWING;
pub use stock::material::Material;
pub use stock::soil::Soil;
pub use stock::thing::{Collision, Thing};
pub use stock::things;
pub use tool::area::Area;
pub use tool::block::{Block, RoomCells};
pub use tool::error::{ForgeError, ForgeErrorKind, PlanSite, RoomSite, Site};
pub use tool::forge::Forge;
pub use tool::made::MadeWorld;
pub use tool::model::{MOVER, ObjectSpec};
pub use tool::opening::{Face, Opening};
pub use tool::passage::Flight;
pub use tool::plan::{Plan, RoomKey, StabListMode};
pub use tool::record::region::height;
pub use tool::room::{FaceMaterials, RoomSpec};
pub use tool::scene::SceneryKind;
pub use tool::shape::{Ridge, Shape};
pub use tool::terrain::TerrainMap;
#[cfg(feature = "builtin")]
pub use worlds::builtin::{NamedPlace, NamedRoom, SEED, TourLeg, builtin, places, rooms, tour};
pub use worlds::{samples, text};
