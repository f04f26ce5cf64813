//! Pictures to print: shapes and texts on paper, as SVG or as pixels.

pub(crate) mod file;
pub(crate) mod flat;
pub(crate) mod label;
pub(crate) mod legend;
pub(crate) mod raster;
pub(crate) mod scene;
pub(crate) mod style;
mod svg;
