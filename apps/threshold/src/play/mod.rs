//! Playing: somebody who walks about in a world.

pub(crate) mod camera;
pub(crate) mod day;
pub(crate) mod doors;
mod going;
pub(crate) mod intent;
pub(crate) mod journal;
mod landing;
mod lost;
pub(crate) mod player;
pub(crate) mod session;
pub(crate) mod stream;
#[cfg(test)]
mod tests;
pub(crate) mod travel;
