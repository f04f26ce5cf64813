//! Turns plans, solids and terrain into the records of a world, and refuses what is broken.

pub(crate) mod area;
pub(crate) mod block;
pub(crate) mod check;
pub(crate) mod error;
pub(crate) mod forge;
pub(crate) mod form;
pub(crate) mod ground;
pub(crate) mod layout;
pub(crate) mod made;
pub(crate) mod model;
pub(crate) mod opening;
pub(crate) mod passage;
pub(crate) mod plan;
pub(crate) mod random;
pub(crate) mod record;
pub(crate) mod room;
pub(crate) mod scene;
pub(crate) mod shape;
pub(crate) mod sight;
pub(crate) mod solid;
pub(crate) mod terrain;
pub(crate) mod tree;
