//! Maps of the cell world, as drawings for print.
//!
//! A map shows the landscape around a place, or the floor plan of all rooms that are joined to a room. It is a
//! [`Drawing`](drawing::Drawing), written as SVG or PNG.
//!
//! | to | use |
//! |---|---|
//! | draw the map of a place, or of a whole small world | [`draw_place`], [`draw_whole`] |
//! | load pieces one by one and keep what had to be left out | [`Pieces`] |
//! | draw something else in the same style | [`drawing`], [`legend`], [`labels`], [`palette`] |
//! | write a drawing | [`svg::to_svg`]; with the feature `png`, `raster::to_png` |
//!
//! ```
//! use threshold_land::Place;
//! use threshold_map::{MapOptions, Pieces, draw_place, svg};
//!
//! let mut pieces = Pieces::new(threshold_forge::builtin(threshold_forge::SEED)?);
//! let inn: Place = "0xA9B40105".parse()?;
//! let map = draw_place(&mut pieces, &inn, &MapOptions::default())?;
//! assert_eq!(map.summary, "10 rooms on 2 levels");
//! let text = svg::to_svg(&map.drawing);
//! assert!(text.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same world gives the same bytes on every machine: nothing is hashed, and PNG files use letters that are part of
//! the crate. Damaged pieces are left out and listed in [`Pieces::faults`].
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod drawing;
mod error;
pub mod extent;
pub mod flat;
mod footprint;
pub mod labels;
mod landscape;
pub mod legend;
pub mod palette;
mod pieces;
mod plan;
#[cfg(feature = "png")]
pub mod raster;
mod select;
mod sheet;
mod style;
pub mod svg;
mod text;

pub use error::MapError;
pub use pieces::Pieces;
pub use select::{DrawnMap, MapOptions, draw_place, draw_whole};
