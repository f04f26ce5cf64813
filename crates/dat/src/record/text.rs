//! Texts in the files.

use std::fmt;

use serde::{Serialize, Serializer};

/// A text as stored: bytes in Windows-1252.
///
/// Printing drops one trailing NUL, as the retail client does on reading.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(Box<[u8]>);

impl Text {
    /// Creates a text from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The bytes as stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Encodes a text, or returns `None` if Windows-1252 lacks one of its characters.
    pub fn new(text: &str) -> Option<Self> {
        let bytes: Option<Vec<u8>> = text.chars().map(encode).collect();
        bytes.map(|bytes| Self(bytes.into()))
    }
}

/// Windows-1252 from 0x80 to 0x9F; the five undefined bytes are control characters.
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

fn decode(byte: u8) -> char {
    match byte {
        0x80..=0x9F => UPPER[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn encode(character: char) -> Option<u8> {
    (0..=u8::MAX).find(|byte| decode(*byte) == character)
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.strip_suffix(&[0]).unwrap_or(&self.0);
        shown.iter().try_for_each(|byte| fmt::Write::write_char(f, decode(*byte)))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_windows_1252_and_printed_without_one_final_nul() {
        assert_eq!(Text::from_bytes(b"caf\xE9 \x80\0").to_string(), "café €");
        assert_eq!(Text::from_bytes(b"\0").to_string(), "");
        assert_eq!(Text::new("café €"), Some(Text::from_bytes(b"caf\xE9 \x80")));
        assert_eq!(Text::new("日"), None);
        for byte in 0..=u8::MAX {
            assert_eq!(encode(decode(byte)), Some(byte));
        }
    }
}
