//! The cell world of Asheron's Call: cells, movement, collision and visibility.
//!
//! This crate re-exports the crates of the engine as modules: [`land`] (positions), [`geom`] (collision queries), [`dat`] (data files),
//! [`forge`] (made worlds), [`world`] (cells and objects), [`motion`] (movement), [`query`] (rays, casts and overlaps), [`why`] (explanations) and [`view`]
//! (visibility). A [`Realm`] combines them: a world with its bodies, doors and clock, and the land loaded around them. It is what
//! a server or a client needs in one value; none of the crates needs it.
//!
//! # Find a cell
//!
//! A position is a cell and a point in the frame of its landblock. A mover carries its cell along; the cell is never derived from the
//! point alone, because rooms may overlap. [`Realm::cell_at`] tests a point against a known cell and the cells next to
//! it; outdoors any land cell of the landblock will do as the known cell.
//!
//! ```
//! use threshold::{CellId, Realm, Vec3, forge};
//!
//! let realm = Realm::whole(forge::builtin(forge::SEED)?);
//! let (taproom, vestibule) = (CellId(0xA9B4_0106), CellId(0xA9B4_0105)); // of the inn
//! assert_eq!(realm.cell_at(taproom, Vec3::new(134.5, 109.0, 41.9)), Some(taproom));
//! assert_eq!(realm.cell_at(taproom, Vec3::new(132.0, 102.9, 41.0)), Some(vestibule));
//! let any = CellId(0xA9B4_0001);
//! assert_eq!(realm.cell_at(any, Vec3::new(132.0, 92.0, 41.0)), Some(CellId(0xA9B4_002C)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Walk
//!
//! A walker leaves a house of two rooms. The walk returns events, among them every change of the cell, that into the kitchen
//! included. A server or a client calls [`Realm::tick`] instead, with a clock of its own.
//!
//! ```
//! use threshold::forge::{Face, Forge, Opening, Plan, RoomSpec};
//! use threshold::{BlockId, BodyOptions, Event, Frame, Gait, Realm, Spot, Vec3};
//!
//! let mut house = Plan::new();
//! let kitchen = house.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
//! let hall = house.room(RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]));
//! house.join(kitchen, hall, Opening::door(Face::SOUTH)).exit(hall, Opening::door(Face::SOUTH));
//! let mut forge = Forge::new();
//! let meadow = forge.block(BlockId::new(0xA9, 0xB4));
//! meadow.heights(|_, _| 20); // in steps of two metres
//! let cells = meadow.building(Frame::at(Vec3::new(84.0, 84.0, 40.15)), house);
//!
//! let mut realm = Realm::whole(forge.finish()?);
//! let start = Spot::new(cells.of(kitchen), [84.0, 86.0, 40.15]).facing(180.0);
//! let walker = realm.enter(&BodyOptions::player(), start)?;
//! let mut passed = Vec::new();
//! for event in realm.walk(walker, Gait::walk(), 4.0)? {
//!     if let Some(Event::CellChanged { to: Some(to), .. }) = event.of(walker) {
//!         passed.push(*to);
//!     }
//! }
//! assert_eq!(passed[..2], [cells.of(kitchen), cells.of(hall)]);
//! assert!(passed[2].is_outdoor());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Look
//!
//! The result of a portal walk lists the visible rooms, each with its regions of the screen, and the regions of the landscape.
//!
//! ```
//! use threshold::{CellId, Realm, Vec3, forge};
//!
//! let mut realm = Realm::whole(forge::builtin(forge::SEED)?);
//! let (taproom, eye) = (CellId(0xA9B4_0106), Vec3::new(132.0, 109.0, 41.7));
//! let seen = realm.look(taproom, eye, Vec3::new(132.0, 100.0, 41.4))?;
//! for cell in seen.cells() {
//!     println!("{} in {} regions", cell.id(), cell.regions().len());
//! }
//! assert!(seen.landscape().len() > 0, "through the door");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Load data files
//!
//! An installation of the retail client has tens of thousands of landblocks: [`Realm::around`] loads only those near bodies.
//!
//! ```no_run
//! use threshold::dat::DatFolder;
//! use threshold::{BodyOptions, CellId, Gait, Realm, Spot};
//!
//! let folder = DatFolder::open("the folder with client_cell_1.dat and client_portal.dat".as_ref())?;
//! let mut realm = Realm::around(folder);
//! let start = Spot::new(CellId(0xA9B4_0031), [150.0, 20.0, 94.0]);
//! let walker = realm.enter(&BodyOptions::player(), start)?;
//! realm.walk(walker, Gait::run(2.0), 60.0)?;
//! println!("{} after {} faults", realm.at(walker)?, realm.faults().len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod doors;
#[cfg(feature = "background")]
pub mod piece_stream;
mod realm;

pub use realm::{BodyOptions, HoldId, Realm, RealmError, RealmEvent, Spot, SpotRefusals};

pub use threshold_dat as dat;
pub use threshold_forge as forge;
pub use threshold_geom as geom;
pub use threshold_land as land;
pub use threshold_motion as motion;
pub use threshold_pose as pose;
pub use threshold_query as query;
pub use threshold_view as view;
pub use threshold_why as why;
pub use threshold_world as world;

pub use threshold_land::vector::{Vec2, Vec3};
pub use threshold_land::{BlockId, CellId, Frame, Place, Position, Rotation};
pub use threshold_motion::{DoorState, Event, Gait, Jump, Rules, Sight};
pub use threshold_view::{Lens, Viewer, VisibleSet};
pub use threshold_world::{BodyId, PieceId, World};
