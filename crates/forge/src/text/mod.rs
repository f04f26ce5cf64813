//! Worlds written by hand, as plain text.
//!
//! One statement stands on a line; `docs/forge.md` is the manual. What a statement makes is what the calls of the same
//! name make in code, so that a text and a program give equal worlds.
//!
//! ```
//! let world = threshold_forge::text::read(
//!     "plan cellar
//!        room stairwell  0,0,0 to 4,4,6
//!        room vault      4,0,0 to 12,8,3   walls ashlar floor cobble
//!        join stairwell vault  door east along 0.5
//!      dungeon cellar 0102 at 60,-70,0",
//! )?;
//! # let _ = world;
//! let error = threshold_forge::text::read("plan cellar\n  rom stairwell 0,0,0 to 4,4,6").unwrap_err();
//! assert_eq!(error.to_string(), "line 2, column 3: there is no statement \"rom\"; did you mean \"room\"?");
//! # Ok::<(), threshold_forge::text::TextError>(())
//! ```
//!
//! A mistake of the text points at the word that is wrong, and what [`Forge::finish`](crate::Forge::finish) refuses at the
//! statement that made it.

mod ground;
mod lexer;
mod limits;
mod matter;
mod names;
mod nearest;
mod objects;
mod origin;
mod reader;
mod rooms;
mod shapes;
mod slopes;
mod stance;
mod words;

use crate::made::MadeWorld;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TextError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Makes the world that a text describes.
pub fn read(text: &str) -> Result<MadeWorld, TextError> {
    reader::read(text)
}
