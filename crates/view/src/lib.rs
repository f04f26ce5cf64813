//! What is seen in the cell world of Asheron's Call.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod constants;
mod looker;
mod merge;
mod opening;
mod outdoors;
mod outline;
pub mod probe;
pub mod rules;
mod seen;
mod table;
mod viewer;
mod walk;

pub use constants::*;
pub use looker::Looker;
pub use probe::{Fate, Probe, Reasons, Told, Trial};
pub use rules::{RULES, Rules, StabList};
pub use seen::{Region, Seal, Seen, Stats, Target, Via, VisibleCell};
pub use viewer::{Lens, Viewer, ViewerError};
pub use walk::Scratch;
