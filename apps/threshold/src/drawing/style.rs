//! The colours of every sheet, chosen to survive a printer.

use super::scene::Ink;

pub(crate) const PAPER: Ink = Ink([255; 3]);
pub(crate) const TEXT: Ink = Ink::hex(0x1F_2328);
pub(crate) const QUIET: Ink = Ink::hex(0x6B_7178);
