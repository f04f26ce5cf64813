//! Faults of the pieces that a command loads.

use threshold_map::Pieces;

use crate::stderr::print_message;

/// Prints a line for each fault of the loaded pieces on standard error.
pub(crate) fn print_faults(pieces: &Pieces) {
    for fault in &pieces.faults {
        print_message(format_args!("left out: {fault}"));
    }
}
