//! Parses one line of JSON.

use serde::de::DeserializeOwned;

/// A line of JSON that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {what}")]
pub struct ParseError {
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
}

/// Maximum length of a description, in characters; it may quote a value of megabytes.
const MAX_DESCRIPTION: usize = 300;

fn shortened(what: &str) -> String {
    match what.char_indices().nth(MAX_DESCRIPTION) {
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
