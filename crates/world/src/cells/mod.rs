//! Which cells something touches, in order.

mod array;
mod because;
mod parts;
mod search;

pub use array::{CellArray, Counters, Entry};
pub use because::{Because, Reason};
pub use parts::PlacedPart;
pub use search::{CellRules, CellSearch, Found, RoomOffset};
