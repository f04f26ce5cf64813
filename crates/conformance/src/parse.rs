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

/// Reads a value from a line.
pub(crate) fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, ParseError> {
    serde_json::from_slice(line).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = error.to_string();
        let what = what.strip_suffix(&place).unwrap_or(&what).to_owned();
        ParseError { column: error.column(), what }
    })
}
