//! Faults of the pieces that a command loads.

use std::io::{self, Write};

use threshold_map::Pieces;

/// Prints a line for each fault of the loaded pieces on standard error.
pub(crate) fn print_faults(pieces: &Pieces) {
    for fault in &pieces.faults {
        // A closed standard error does not end the program.
        let _ = writeln!(io::stderr(), "threshold: left out: {fault}");
    }
}
