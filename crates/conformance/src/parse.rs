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

/// Maximum length of a quoted word or text of a file, in characters.
const MAX_QUOTED: usize = 80;

fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Shortens text of a file that a message quotes; it may be megabytes long.
pub(crate) fn quoted(text: &str) -> String {
    shortened(text, MAX_QUOTED)
}

/// Reads a value from a line.
pub(crate) fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, ParseError> {
    serde_json::from_slice(line).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = error.to_string();
        let what = shortened(what.strip_suffix(&place).unwrap_or(&what), MAX_DESCRIPTION);
        ParseError { column: error.column(), what }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_quotation_ends_between_two_characters() {
        let short = "\u{e4}".repeat(MAX_QUOTED);
        assert_eq!(quoted(&short), short);
        assert_eq!(quoted(&short.repeat(40_000)), format!("{short} ..."));
    }
}
