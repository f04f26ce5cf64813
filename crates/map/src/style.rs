//! Colours and line widths of maps. They stay distinct on a printer.

use crate::drawing::{Ink, Paint};
pub(super) use crate::palette::{PAPER, QUIET, TEXT};

pub(super) const GRID: Ink = Ink::hex(0xC9_CED3);
/// The marked place.
pub(super) const MARK: Ink = Ink::hex(0xD4_1F2C);
pub(super) const MARKED_ROOM: Ink = Ink::hex(0xFF_EDB8);

pub(super) const FLOOR: Ink = Ink::hex(0xEF_F1F3);
/// A floor above or below the others of its level.
pub(super) const HIGH_FLOOR: Ink = Ink::hex(0xFB_FAF5);
pub(super) const LOW_FLOOR: Ink = Ink::hex(0xD9_DEE4);
pub(super) const WALL: Ink = Ink::hex(0x24_2A31);
pub(super) const STEP: Ink = Ink::hex(0x8A_9199);
pub(super) const THRESHOLD: Ink = Ink::hex(0x8A_9199);
pub(super) const UP: Ink = Ink::hex(0x23_5F9E);
pub(super) const STEEP: Ink = Ink::hex(0xB8_4A2A);
pub(super) const HOLE: Ink = Ink::hex(0x6A_3FA0);
pub(super) const EXIT: Ink = Ink::hex(0x1E_8A45);
pub(super) const WINDOW: Ink = Ink::hex(0x2B_9CC4);
pub(super) const LOST: Ink = Ink::hex(0xC2_2F7B);

pub(super) const ROAD: Ink = Ink::hex(0xF3_E3B8);
pub(super) const ROAD_EDGE: Ink = Ink::hex(0xA8_8C52);
pub(super) const SHORE: Ink = Ink::hex(0x2F_5F8C);
pub(super) const CONTOUR: Ink = Ink::hex(0x7A_5A36);
pub(super) const BUILDING: Ink = Ink::hex(0xB4_6A55);
pub(super) const BUILDING_EDGE: Ink = Ink::hex(0x55_2A1E);
pub(super) const DOOR: Ink = Ink::hex(0xFF_D84A);
pub(super) const OBJECT: Ink = Ink::hex(0x4B_4F8F);
pub(super) const PLANT: Ink = Ink::hex(0x2F_6B2B);
pub(super) const NOTHING: Ink = Ink::hex(0xF1_F1F0);

pub(super) fn wall() -> Paint {
    Paint::line(WALL, 2.2)
}

pub(super) fn threshold() -> Paint {
    Paint::line(THRESHOLD, 1.1).dashed("2.5 2.5")
}

pub(super) fn lost() -> Paint {
    Paint::line(LOST, 1.8).dashed("1 3")
}

pub(super) fn step() -> Paint {
    Paint::line(STEP, 0.6)
}

pub(super) fn steep() -> Paint {
    Paint::line(STEEP, 0.7)
}

pub(super) fn object() -> Paint {
    Paint::both(OBJECT.towards(PAPER, 0.45), OBJECT, 0.7)
}

/// An object that does not block movers.
pub(super) fn hollow_object() -> Paint {
    Paint::line(OBJECT, 0.7).dashed("1.2 1.6")
}

pub(super) fn plant() -> Paint {
    Paint::both(PLANT.towards(PAPER, 0.45), PLANT, 0.6)
}

/// Returns the colour of a kind of ground for which the region has none.
pub(super) fn terrain(kind: u16) -> Ink {
    Ink::hex(match kind {
        1 | 3 | 9 => 0x6E_8F4A,
        2 | 15 => 0xE9_EEF2,
        4 => 0x6F_7A4E,
        5 | 7 | 8 => 0x94_7A56,
        6 => 0x4A_4650,
        10..=12 => 0xCF_BC80,
        16 | 17 => 0x4F_82B4,
        18 | 19 => 0x42_78AE,
        20 => 0x33_649A,
        _ => 0x8C_857A,
    })
}
