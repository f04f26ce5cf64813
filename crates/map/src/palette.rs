//! Colours that all drawings share. They stay distinct on a printer.

use crate::drawing::Ink;

/// Background.
pub const PAPER: Ink = Ink([255; 3]);
/// Text and frames.
pub const TEXT: Ink = Ink::hex(0x1F_2328);
/// Text of less importance.
pub const QUIET: Ink = Ink::hex(0x6B_7178);
