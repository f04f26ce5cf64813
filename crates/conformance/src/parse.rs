//! One line of JSON.

use serde::de::DeserializeOwned;

/// A line that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {what}")]
pub struct ParseError {
    /// Where in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
}

/// Longest description of what is wrong, in characters: a value it quotes may be megabytes long.
const MAX_WORDS: usize = 300;

fn shortened(what: &str) -> String {
    match what.char_indices().nth(MAX_WORDS) {
        Some((end, _)) => format!("{} ...", &what[..end]),
        None => what.to_owned(),
    }
}

/// Reads a value from a line.
pub(crate) fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, ParseError> {
    serde_json::from_slice(line).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = error.to_string();
        let what = shortened(what.strip_suffix(&place).unwrap_or(&what));
        ParseError { column: error.column(), what }
    })
}
