//! Rows of the input: places, each with an optional target.

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde::Deserialize;
use threshold_land::Place;
use threshold_play::{PlaceNames, read_place};

/// Length above which a row is refused, in bytes: no form of two places is as long.
const MAX_ROW: usize = 4096;

/// A row of the input that is neither empty nor a comment.
pub(super) struct Row {
    /// Its number in the input, from 1.
    line: u64,
    /// The row as it was written, without spaces around it; only its beginning if it is too long.
    text: String,
    /// Why it cannot be read, if that is known.
    fault: Option<String>,
}

/// A row with its places.
pub(super) struct Question {
    /// Number of the row in the input, from 1.
    pub(super) line: u64,
    /// The row as it was written.
    row: String,
    /// The place as it was written.
    pub(super) text: String,
    pub(super) place: Place,
    pub(super) target: Option<Place>,
}

impl Question {
    /// Refuses the row.
    pub(super) fn into_bad(self, reason: String) -> BadRow {
        BadRow { line: self.line, row: self.row, reason }
    }
}

/// A row that cannot be answered.
#[derive(Debug)]
pub(super) struct BadRow {
    pub(super) line: u64,
    /// The row as it was written; only its beginning if it is too long.
    pub(super) row: String,
    pub(super) reason: String,
}

/// A row in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRow {
    place: String,
    target: Option<String>,
}

/// Reads rows one after the other.
pub(super) struct RowReader<R> {
    input: R,
    line: u64,
    /// Number of bytes read.
    position: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> RowReader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: 0, position: 0, buffer: Vec::new() }
    }

    /// Returns the number of the last line that was read.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the number of bytes read.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Returns the next rows, up to a number of them; none at the end.
    pub(super) fn batch(&mut self, max: usize) -> io::Result<Vec<Row>> {
        std::iter::from_fn(|| self.next().transpose()).take(max).collect()
    }

    /// Returns the next row; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Row>> {
        while let Some(is_whole) = self.read_line()? {
            self.line += 1;
            let line = self.line;
            let text = String::from_utf8_lossy(&self.buffer);
            let fault = match &text {
                _ if !is_whole => Some(format!("the row is longer than {MAX_ROW} bytes")),
                // Replacement characters need a copy of the text.
                Cow::Owned(_) => Some("the row is not UTF-8".to_owned()),
                Cow::Borrowed(_) => None,
            };
            let row = text.strip_prefix('\u{FEFF}').filter(|_| line == 1).unwrap_or(&text).trim();
            if fault.is_none() && (row.is_empty() || row.starts_with('#')) {
                continue;
            }
            return Ok(Some(Row { line, text: row.to_owned(), fault }));
        }
        Ok(None)
    }

    /// Reads a line; `None` at the end. Returns whether it fits: the rest of a longer one is skipped.
    fn read_line(&mut self) -> io::Result<Option<bool>> {
        self.buffer.clear();
        let (mut length, mut has_end) = (0, false);
        while !has_end {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                break;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            let kept = taken.min(MAX_ROW - self.buffer.len());
            self.buffer.extend_from_slice(&available[..kept]);
            has_end = end.is_some();
            let consumed = taken + usize::from(has_end);
            self.input.consume(consumed);
            self.position += consumed as u64;
            length += taken;
        }
        Ok((has_end || length > 0).then_some(length <= MAX_ROW))
    }
}

impl Question {
    /// Reads the places of a row.
    pub(super) fn read(row: Row, names: &PlaceNames) -> Result<Self, BadRow> {
        let Row { line, text, fault } = row;
        let read = || {
            fault.map_or(Ok(()), Err)?;
            let (place, target) = split(&text)?;
            let parse = |text: &str| read_place(text, names).map(|(place, _)| place);
            Ok((parse(&place)?, target.map(|target| parse(&target)).transpose()?, place))
        };
        match read() {
            Ok((place, target, own)) => Ok(Self { line, row: text, text: own, place, target }),
            Err(reason) => Err(BadRow { line, row: text, reason }),
        }
    }
}

/// Splits a row into a place and a target.
fn split(text: &str) -> Result<(String, Option<String>), String> {
    if text.starts_with('{') {
        let row: JsonRow = serde_json::from_str(text).map_err(|error| error.to_string())?;
        return Ok((row.place, row.target));
    }
    let mut fields = text.split('\t').map(str::trim);
    let place = fields.next().unwrap_or_default().to_owned();
    let target = fields.next().filter(|target| !target.is_empty()).map(str::to_owned);
    match fields.next() {
        Some(_) => Err("a row has a place and a target, with a tab between them".to_owned()),
        None => Ok((place, target)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Result<(u64, String, bool), String>> {
        let names = PlaceNames::default();
        let mut reader = RowReader::new(text.as_bytes());
        let mut rows = Vec::new();
        while let Some(row) = reader.next().unwrap() {
            rows.push(match Question::read(row, &names) {
                Ok(row) => Ok((row.line, row.text, row.target.is_some())),
                Err(bad) => Err(format!("{}: {}", bad.line, bad.reason)),
            });
        }
        rows
    }

    #[test]
    fn a_row_is_a_place_and_perhaps_a_target_in_text_or_json() {
        let text = "\u{FEFF}42.1N, 33.6E\r\n\n# a comment\n A9B4 \t 0xA9B40031:1,2,3\n\
            {\"place\":\"A9B4\",\"target\":null}\n{\"place\":\"A9B4\",\"target\":\"A9B5\"}";
        let found = rows(text);
        let want =
            [(1, "42.1N, 33.6E", false), (4, "A9B4", true), (5, "A9B4", false), (6, "A9B4", true)];
        assert_eq!(found, want.map(|(line, text, target)| Ok((line, text.to_owned(), target))));
    }

    #[test]
    fn a_bad_row_is_named_and_the_next_one_is_read() {
        let long = "A".repeat(100_000);
        let text = format!("{long}\nnowhere\nA9B4\ta\tb\n{{\"at\":1}}\nA9B4\nA9B4\tnowhere");
        let found = rows(&text);
        let reasons = [
            "1: the row is longer than 4096 bytes",
            "2: ",
            "3: a row has a place and a target",
            "4: unknown field",
        ];
        for (row, reason) in found.iter().zip(reasons) {
            assert!(row.as_ref().unwrap_err().starts_with(reason), "{row:?}");
        }
        assert_eq!(found[4], Ok((5, "A9B4".to_owned(), false)));
        assert!(found[5].is_err() && found.len() == 6);
    }
}
