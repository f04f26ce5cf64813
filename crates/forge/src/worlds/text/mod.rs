//! Reads worlds written as plain text.
//!
//! A line holds one statement; `docs/forge.md` is the manual. A statement does the same as the function of that
//! name, so a text and a program give equal worlds.
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
//! assert_eq!(error.to_string(), "line 2, column 3: unknown statement \"rom\"; did you mean \"room\"?");
//! # Ok::<(), threshold_forge::text::TextError>(())
//! ```
//!
//! A mistake in the text is located at the wrong word, and an error of [`Forge::finish`](crate::Forge::finish) at the
//! statement that caused it.

mod ground;
mod lexer;
mod limits;

mod names;
mod nearest;
mod objects;
mod origin;
mod pose;
mod reader;
mod rooms;
mod shapes;
mod slopes;
mod solids;
mod words;

use crate::tool::made::MadeWorld;

/// A mistake in a text, with its location.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The message.
    pub message: String,
}

/// Maximum size of a text: 4 MiB.
pub const MAX_BYTES: usize = limits::TEXT;

/// Reads a text and makes its world.
pub fn read(text: &str) -> Result<MadeWorld, TextError> {
    reader::read(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stock::material::Material;
    use crate::stock::soil::Soil;

    const MANUAL: &str = include_str!("../../../../../docs/forge.md");

    #[test]
    fn every_example_of_the_manual_can_be_read() {
        let mut blocks = MANUAL.split("```text\n").skip(1).peekable();
        assert!(blocks.peek().is_some());
        for block in blocks {
            let example = block.split("```").next().unwrap();
            if let Err(error) = read(example) {
                panic!("{error}\n{example}");
            }
        }
    }

    #[test]
    fn the_mistakes_of_the_manual_give_its_messages() {
        let house = MANUAL.split("```text\n").nth(1).and_then(|block| block.split("```").next());
        for (right, wrong) in [("door north", "door nort"), ("-4,0,0 to", "-4,0.5,0 to")] {
            let error = read(&house.unwrap().replace(right, wrong)).unwrap_err();
            let TextError { line, column, message } = error;
            let output = format!("\nthreshold: house.txt:{line}:{column}: {message}\n");
            assert!(MANUAL.contains(&output), "{output} is missing in docs/forge.md");
        }
    }

    /// All but two of them were missing from the format.
    #[test]
    fn every_thing_of_the_stock_can_be_put() {
        for name in crate::stock::things::names() {
            let text = format!("landblock A9B4\n  put {name} at 20,20\n  put \"{name}\" at 40,20");
            let mut forge = crate::Forge::new();
            let thing = forge.object(crate::stock::things::by_name(name).unwrap());
            let block = forge.block("A9B4".parse().unwrap());
            for x in [20.0, 40.0] {
                block.put(thing, threshold_land::Frame::at([x, 20.0, 0.0].into()));
            }
            assert!(read(&text).unwrap() == forge.finish().unwrap(), "{name}");
        }
    }

    #[test]
    fn every_word_is_in_the_manual() {
        let statements = reader::statements().map(|word| format!("\n| `{word} "));
        let materials = Material::all().map(|material| format!("`{}`", material.name()));
        let soils = (0..32).filter_map(|kind| Soil(kind).name()).chain(ground::soil_names());
        let things = objects::known_names().into_iter();
        let words = things.chain(soils).map(|word| format!("`{word}"));
        for word in statements.chain(materials).chain(words) {
            assert!(MANUAL.contains(&word), "{word} is missing in docs/forge.md");
        }
    }
}
