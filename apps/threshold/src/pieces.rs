//! Faults of the pieces that a command loads.

use std::io::{self, Write};

use threshold_map::Pieces;

/// Names everything that was left out on standard error.
pub(crate) fn say_faults(pieces: &Pieces) {
    for fault in &pieces.faults {
        // A closed standard error does not stop the work.
        let _ = writeln!(io::stderr(), "threshold: left out: {fault}");
    }
}
