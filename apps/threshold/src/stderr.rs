//! Messages on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use crate::formatting::printable;

/// Prints a message. Control characters, which files and arguments may contain, are escaped.
pub(crate) fn print_message(message: impl Display) {
    // Standard error may be closed. The program goes on, and the exit code reports a failure, too.
    let _ = writeln!(io::stderr(), "threshold: {}", printable(&message.to_string()));
}
