//! Reads the lines of a file, plain or compressed.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use threshold_dat::open_regular;

use super::{FileError, FileProblem};
use crate::trace;

/// The lines of a file that are not blank.
pub(super) struct Lines<'a> {
    pub(super) path: &'a Path,
    from: Box<dyn BufRead>,
    number: usize,
    text: Vec<u8>,
    /// Whether `text` was read ahead and not returned yet.
    is_held: bool,
}

/// A line without blanks at either end.
pub(super) struct Line<'a> {
    /// Line number from 1.
    pub(super) number: usize,
    pub(super) text: &'a [u8],
    /// Whether the file ends where the line does.
    pub(super) is_last: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self, FileError> {
        let from = open(path).map_err(|error| FileError::io(path, error))?;
        let mut lines = Self { path, from, number: 0, text: Vec::new(), is_held: false };
        lines.is_held = lines.advance()?;
        Ok(lines)
    }

    /// Returns whether the first line is the head of a trace. Valid only before it is read.
    pub(super) fn is_trace(&self) -> bool {
        self.is_held && trace::is_head(self.text.trim_ascii())
    }

    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, FileError> {
        if !std::mem::take(&mut self.is_held) && !self.advance()? {
            return Ok(None);
        }
        let is_last = !self.text.ends_with(b"\n");
        Ok(Some(Line { number: self.number, text: self.text.trim_ascii(), is_last }))
    }

    /// Reads the next line that is not blank.
    fn advance(&mut self) -> Result<bool, FileError> {
        loop {
            self.text.clear();
            let read = (&mut self.from).take(MAX_LINE_BYTES).read_until(b'\n', &mut self.text);
            let read = read.map_err(|error| FileError::io(self.path, error))?;
            if read == 0 {
                return Ok(false);
            }
            if read as u64 == MAX_LINE_BYTES && !self.text.ends_with(b"\n") {
                return Err(FileError::at(self.path, self.number + 1, FileProblem::TooLong));
            }
            if self.number == 0 && self.text.starts_with(BYTE_ORDER_MARK) {
                self.text.drain(..BYTE_ORDER_MARK.len());
            }
            self.number += 1;
            if !self.text.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }
}

/// Maximum length of a line in bytes; the longest possible fall takes a fifth of it.
const MAX_LINE_BYTES: u64 = 1 << 30;

/// Byte-order mark that some editors write.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// First bytes of a compressed file, which need not be named `.gz`.
const COMPRESSED: &[u8] = b"\x1F\x8B";

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(open_regular(path)?);
    let called_so = path.extension().is_some_and(|extension| extension == "gz");
    Ok(if called_so || file.fill_buf()?.starts_with(COMPRESSED) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}
