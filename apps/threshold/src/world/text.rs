//! Worlds written as text, with errors that show the wrong line.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow};
use threshold_dat::open_regular;
use threshold_forge::MadeWorld;
use threshold_forge::text::{self, MAX_BYTES, TextError};

/// Reads a world. An error has file, line and column in the form that editors understand, and shows the line.
pub(crate) fn read(path: &Path) -> anyhow::Result<MadeWorld> {
    let unreadable = || format!("{}: cannot be read", path.display());
    let mut bytes = Vec::new();
    // One byte more than allowed is enough to detect a text that is too long, and the file may be endless.
    let max_bytes = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let file = open_regular(path).with_context(unreadable)?;
    file.take(max_bytes).read_to_end(&mut bytes).with_context(unreadable)?;
    parse(&bytes).map_err(|error| anyhow!("{}:{}", path.display(), format_error(&bytes, &error)))
}

fn parse(bytes: &[u8]) -> Result<MadeWorld, TextError> {
    match std::str::from_utf8(bytes) {
        Ok(written) => text::read(written),
        // Reading may have stopped within a character.
        Err(_) if bytes.len() > MAX_BYTES => text::read(&String::from_utf8_lossy(bytes)),
        Err(error) => Err(encoding_error(&bytes[..error.valid_up_to()])),
    }
}

/// Returns the error for bytes that are not UTF-8. `before` are the valid bytes before the first wrong one.
fn encoding_error(before: &[u8]) -> TextError {
    let before = String::from_utf8_lossy(before);
    let line = before.split('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    TextError { line, column, message: "not UTF-8".to_owned() }
}

/// Formats an error with its line, and a mark below the column.
fn format_error(bytes: &[u8], error: &TextError) -> String {
    let TextError { line, column, message } = error;
    let place = format!("{line}:{column}: {message}");
    let Some(written) = bytes.split(|byte| *byte == b'\n').nth(line - 1) else { return place };
    let written = String::from_utf8_lossy(written);
    let written = written.trim_end();
    let before: String = written.chars().take(column - 1).collect();
    // Tabs are kept, so that the mark is at its column for any tab width.
    let gap: String = before.chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
    match written.chars().count() <= MAX_SHOWN {
        true => format!("{place}\n  {written}\n  {gap}^"),
        false => place,
    }
}

/// Longest line that is shown, in characters. A longer one would wrap, and the mark would be at the wrong place.
const MAX_SHOWN: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let error = parse(bytes).unwrap_err();
        assert_eq!(format_error(bytes, &error), expected);
    }

    #[test]
    fn an_error_is_shown_with_a_mark_below_its_column() {
        check(
            b"plan a\n\troom hall 0,0,0 to 4,4,nan\n",
            "2:25: \"nan\" is not a number (a corner x,y,z)\n  \troom hall 0,0,0 to 4,4,nan\n  \t                       ^",
        );
    }

    #[test]
    fn an_encoding_error_has_line_and_column() {
        check(b"plan a\n\xC3\xA4\xFF", "2:2: not UTF-8\n  \u{e4}\u{fffd}\n   ^");
    }
}
