//! Numbers serialised in hexadecimal.

use serde::Serializer;

/// A low word as `0x0164`.
pub(crate) fn low_word<S: Serializer>(low: &u16, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("0x{low:04X}"))
}

/// Low words as `0x0164`.
pub(crate) fn low_words<S: Serializer>(lows: &[u16], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(lows.iter().map(|low| format!("0x{low:04X}")))
}

/// A key or command as `0x8000003D`.
pub(crate) fn word<S: Serializer>(word: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("0x{word:08X}"))
}
