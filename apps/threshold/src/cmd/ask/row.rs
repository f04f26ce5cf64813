//! Rows of the input: places, each with an optional target.

use std::io::{self, BufRead};

use serde::Deserialize;
use threshold_land::Place;
use threshold_play::{PlaceNames, read_place};

/// Length above which a row is refused, in bytes: no form of two places is as long.
const MAX_ROW: usize = 4096;

/// A row with its places.
pub(super) struct Question {
    /// Number of the row in the input, from 1.
    pub(super) line: u64,
    /// The place as it was written.
    pub(super) text: String,
    pub(super) place: Place,
    pub(super) target: Option<Place>,
}

/// A row that cannot be answered.
#[derive(Debug)]
pub(super) struct BadRow {
    pub(super) line: u64,
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
pub(super) struct RowReader<'a, R> {
    input: R,
    names: &'a PlaceNames,
    line: u64,
    buffer: Vec<u8>,
}

impl<'a, R: BufRead> RowReader<'a, R> {
    pub(super) fn new(input: R, names: &'a PlaceNames) -> Self {
        Self { input, names, line: 0, buffer: Vec::new() }
    }

    /// Returns the next row that is neither empty nor a comment; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<Question, BadRow>>> {
        while let Some(is_whole) = self.read_line()? {
            self.line += 1;
            let line = self.line;
            let bad = |reason: String| Err(BadRow { line, reason });
            if !is_whole {
                return Ok(Some(bad(format!("the row is longer than {MAX_ROW} bytes"))));
            }
            let Ok(text) = std::str::from_utf8(&self.buffer) else {
                return Ok(Some(bad("the row is not UTF-8".to_owned())));
            };
            let text = text.strip_prefix('\u{FEFF}').filter(|_| line == 1).unwrap_or(text).trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            return Ok(Some(self.question(text).or_else(bad)));
        }
        Ok(None)
    }

    /// Reads a line; `None` at the end. Returns whether it fits: the rest of a longer one is skipped.
    fn read_line(&mut self) -> io::Result<Option<bool>> {
        self.buffer.clear();
        let (mut read, mut is_whole) = (0, true);
        loop {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                return Ok((read > 0).then_some(is_whole));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            is_whole &= self.buffer.len() + taken <= MAX_ROW;
            if is_whole {
                self.buffer.extend_from_slice(&available[..taken]);
            }
            let consumed = taken + usize::from(end.is_some());
            self.input.consume(consumed);
            read += consumed;
            if end.is_some() {
                return Ok(Some(is_whole));
            }
        }
    }

    fn question(&self, text: &str) -> Result<Question, String> {
        let (place, target) = split(text)?;
        let parse = |text: &str| read_place(text, self.names).map(|(place, _)| place);
        let target = target.map(|target| parse(&target)).transpose()?;
        Ok(Question { line: self.line, place: parse(&place)?, target, text: place })
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
        let mut reader = RowReader::new(text.as_bytes(), &names);
        let mut rows = Vec::new();
        while let Some(row) = reader.next().unwrap() {
            rows.push(match row {
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
