//! Worlds written as text, and where a text is wrong.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow};
use threshold_dat::open_regular;
use threshold_forge::MadeWorld;
use threshold_forge::text::{self, MAX_BYTES, TextError};

/// Reads a world; a mistake is named with file, line and column, as editors understand it, and shown.
pub(crate) fn read(path: &Path) -> anyhow::Result<MadeWorld> {
    let unreadable = || format!("{}: cannot be read", path.display());
    let mut bytes = Vec::new();
    // Whatever is longer than a text may be was not meant, and may have no end.
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let file = open_regular(path).with_context(unreadable)?;
    file.take(most).read_to_end(&mut bytes).with_context(unreadable)?;
    world(&bytes).map_err(|error| anyhow!("{}:{}", path.display(), shown(&bytes, &error)))
}

fn world(bytes: &[u8]) -> Result<MadeWorld, TextError> {
    match std::str::from_utf8(bytes) {
        Ok(written) => text::read(written),
        // A character may be cut where reading stopped.
        Err(_) if bytes.len() > MAX_BYTES => text::read(&String::from_utf8_lossy(bytes)),
        Err(error) => Err(not_text(&bytes[..error.valid_up_to()])),
    }
}

/// What is wrong with bytes that are text only so far.
fn not_text(before: &[u8]) -> TextError {
    let before = String::from_utf8_lossy(before);
    let line = before.split('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    TextError { line, column, message: "this is not text in UTF-8".to_owned() }
}

/// The mistake with the line that it is in, and a mark below the place.
fn shown(bytes: &[u8], error: &TextError) -> String {
    let TextError { line, column, message } = error;
    let place = format!("{line}:{column}: {message}");
    let Some(written) = bytes.split(|byte| *byte == b'\n').nth(line - 1) else { return place };
    let written = String::from_utf8_lossy(written);
    let written = written.trim_end();
    let before: String = written.chars().take(column - 1).collect();
    // Tabs stay what they are, so that the mark is below its place however wide they are.
    let gap: String = before.chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
    match written.chars().count() <= LONGEST {
        true => format!("{place}\n  {written}\n  {gap}^"),
        false => place,
    }
}

/// Lines that are shown, in characters: longer ones would not be one line on a screen.
const LONGEST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let error = world(bytes).unwrap_err();
        assert_eq!(shown(bytes, &error), expected);
    }

    #[test]
    fn a_mistake_is_shown_with_a_mark_below_it() {
        check(
            b"plan a\n\troom hall 0,0,0 to 4,4,nan\n",
            "2:25: \"nan\" is not a number (a corner x,y,z)\n  \troom hall 0,0,0 to 4,4,nan\n  \t                       ^",
        );
    }

    #[test]
    fn bytes_that_are_no_text_have_a_place() {
        check(b"plan a\n\xC3\xA4\xFF", "2:2: this is not text in UTF-8\n  \u{e4}\u{fffd}\n   ^");
    }
}
