//! Materials with their textures, kinds of ground, things, doors and the walking figure.

pub(crate) mod door;
pub(crate) mod figure;
pub(crate) mod material;
pub(crate) mod soil;
pub(crate) mod texture;
pub(crate) mod thing;
pub mod things;
