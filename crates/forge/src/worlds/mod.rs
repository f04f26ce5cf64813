//! Worlds that are ready made, and the text format in which worlds are written.

#[cfg(feature = "builtin")]
pub(crate) mod builtin;
pub mod samples;
pub mod text;
