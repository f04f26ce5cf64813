//! From checked plans to records.

pub(crate) mod cells;
pub(crate) mod mesh;
pub(crate) mod region;
pub(crate) mod shell;
pub(crate) mod surface;
