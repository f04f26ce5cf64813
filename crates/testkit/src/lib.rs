//! Support for the tests and benchmarks of the workspace. Not published.
//!
//! - Worlds: the sample worlds of `tests/data` ([`sample_world`]), made worlds of several seeds ([`forged`]) and
//!   small worlds for one test ([`layouts`]), all with everything resident.
//! - Movers: a body that walks ([`Walk`], [`clock`], [`route`], [`doorway`]), a crowd ([`CrowdScene`]), the recorded
//!   events of a sweep ([`Trace`]), and all surfaces of a world for comparison ([`surfaces`]).
//! - Viewers in every cell and at every portal: [`random_viewer_in`], [`viewers_at_portals`].
//! - Damaged records, and everything that is done in a damaged world: [`damage`]; a village whose records can be
//!   damaged after it was built: [`Village`].
//!
//! Integration tests and benchmarks of every crate can use it. Unit tests of `dat`, `forge`, `world`, `motion` and
//! `view` cannot pass their own types to it: this crate is built with the crate itself, they with its test build.

#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

pub mod clock;
mod crowd;
pub mod damage;
pub mod doorway;
pub mod forged;
pub mod gate;
pub mod layouts;
mod random;
pub mod route;
pub mod surfaces;
mod trace;
mod viewers;
mod village;
mod walk;
mod worlds;

pub use crowd::CrowdScene;
pub use random::Random;
pub use trace::{Trace, TraceEvent};
pub use viewers::{
    every_third_room, lookout_cells, random_point_in, random_viewer_in, room_ids,
    rules_with_stab_lists, rules_without_stab_lists, soak_factor, town_cells, viewer_at,
    viewers_at_portals,
};
pub use village::{VILLAGE, Village};
pub use walk::{FEET, MOVER, WALKER, WALKER_STATE, Walk, check_at, outcome_cells};
pub use worlds::{
    data_path, edit_record, edit_room, load_all, sample_builder, sample_records, sample_source,
    sample_world, world_from, write_changed_world, write_damaged_world,
};
