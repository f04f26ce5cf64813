//! Geometry of convex solids: outlines, cuts, and the surface of several solids together.

pub(crate) mod convex;
pub(crate) mod outline;
pub(crate) mod union;

pub(crate) use convex::{Convex, ShapeFault, Side};
pub(crate) use outline::Outline;
