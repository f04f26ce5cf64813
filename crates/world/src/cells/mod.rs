//! Which cells a shape touches, in order.

mod array;
mod cause;
mod parts;
mod search;

pub use array::{CellArray, Counters, ListedCell};
pub use cause::{ListingCause, Reason};
pub use parts::PlacedPart;
pub use search::{CellRules, CellSearch, CellSearchResult, RoomOffset};
