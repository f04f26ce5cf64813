//! From checked plans to records.

pub(crate) mod calendar;
pub(crate) mod cells;
pub(crate) mod ground;
pub(crate) mod mesh;
pub(crate) mod region;
pub(crate) mod shell;
pub(crate) mod sky;
pub(crate) mod surface;
pub(crate) mod weather;
