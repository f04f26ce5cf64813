//! Walks through a world by themselves: where they lead, who walks them, and from where they are watched.

mod camera;
mod route;
mod steering;
mod stroll;
mod stuck;
#[cfg(test)]
mod tests;

pub(crate) use self::route::Route;
pub(crate) use self::stroll::{Frame, Happening, Stroll, WALKER};
