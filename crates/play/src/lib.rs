//! A player session in a cell world, without a window.
//!
//! A [`Session`] is a player, a camera and the part of a world around them. It has neither windows nor keys: the host turns input into an
//! [`Intent`] and calls three functions each frame.
//!
//! ```text
//!  input --> Intent --> Session::advance        loads and drops pieces, turns doors, moves the player
//!                       Session::update_camera  moves the camera --> Viewpoint
//!                       Session::root_eye       the eye in the root cell of the portal walk
//! ```
//!
//! Pieces of the world are built on a thread of the session. A renderer can read textures and meshes on that thread, too: the closure given
//! to [`Session::new`] is called for each piece, and [`Session::take_prepared`] returns its results.
//!
//! ```
//! use std::sync::Arc;
//! use threshold_dat::Source;
//! use threshold_play::{Intent, PlaceNames, Session, SessionOptions};
//!
//! let source: Arc<dyn Source> = Arc::new(threshold_forge::builtin(threshold_forge::SEED)?);
//! let options = SessionOptions {
//!     world_name: "builtin".to_owned(),
//!     names: PlaceNames::of_builtin(threshold_forge::SEED),
//!     start: Some("inn door"),
//!     landscape_radius: 1,
//! };
//! let mut session = Session::new(&source, options, |_| ())?;
//! let mut now = 0.0;
//! while session.journey_label().is_some() {
//!     now += 1.0 / 60.0;
//!     session.advance(now, &Intent::default());
//!     std::thread::yield_now();
//! }
//! assert!(session.position().is_some_and(|at| at.cell.is_outdoor()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod camera;
mod day;
mod doors;
mod intent;
mod journal;
mod place_names;
mod place_search;
mod player;
mod session;
pub mod standing;
#[cfg(test)]
mod tests;
mod travel;

pub use camera::{Camera, CameraMode, CameraTarget, Viewpoint};
pub use day::DayClock;
pub use doors::DoorAction;
pub use intent::Intent;
pub use journal::{CellTransit, Journal};
pub use place_names::PlaceNames;
pub use place_search::{matching_names, read_place};
pub use player::{HUMAN_SETUP, PLAYER, Player, PlayerSkills};
pub use session::{FrameEvents, Session, SessionError, SessionOptions};
pub use travel::{Destination, PlaceHistory, destinations};
