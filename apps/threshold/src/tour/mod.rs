//! The walk of a tour: its route, the walker, and the camera that follows it.

mod blocked;
mod camera;
mod route;
mod steering;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use self::route::Route;
pub(crate) use self::walk::{TourEvent, TourFrame, TourWalk, WALKER};
