//! Geometry of convex solids: outlines, their cuts, and what encloses several of them.

pub(crate) mod convex;
pub(crate) mod outline;
pub(crate) mod union;

pub(crate) use convex::{Convex, ShapeFault, Side};
pub(crate) use outline::Outline;
