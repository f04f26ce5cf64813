//! Hand-written lists: text with an entry on each line.

use std::io::{self, Read};
use std::path::Path;

use threshold_dat::open_regular;

use crate::file::FileError;

/// Largest list that is read, in bytes: 64 MiB, a million entries.
const MAX_BYTES: u64 = 64 << 20;

/// Reads the text of a list, without the byte-order mark that some editors put first.
pub(crate) fn read(path: &Path) -> Result<String, FileError> {
    let mut text = read_bounded(path).map_err(|error| FileError::io(path, error))?;
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    Ok(text)
}

fn read_bounded(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        let too_long = format!("longer than the {MAX_BYTES} bytes a list may have");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_long));
    }
    Ok(text)
}

/// Returns the entries of a list with their line numbers from 1, without empty lines and comments
/// (`#`).
pub(crate) fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, entry)| !entry.is_empty() && !entry.starts_with('#'))
}
