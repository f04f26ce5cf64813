//! Compass coordinates, as players say them: `42.1N, 33.6E`.

use std::fmt;

use crate::vector::Vec3;

use crate::constants::{BLOCK_LENGTH, COMPASS_EDGE, COMPASS_UNIT, MAP_BLOCKS};
use crate::id::{BlockId, CellId, CellKind};
use crate::outside::adjust_to_outside;
use crate::position::Position;

/// A point of the landscape in compass coordinates, always on the map.
///
/// One unit is 240 m; `0.0N, 0.0E` lies 101.95 units from the map's south-west corner.
/// Outdoors only: a room has no compass coordinates.
///
/// Printed with the fewest digits that read back the same, or with the precision of the
/// format string: `{:.1}` prints as the retail client does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compass {
    north: f64,
    east: f64,
}

impl Compass {
    /// Makes a compass point; `None` for NaN and off the map.
    pub fn new(north: f64, east: f64) -> Option<Self> {
        let compass = Self { north, east };
        compass.locate().map(|_| compass)
    }

    /// Returns the compass coordinates of an outdoor position; `None` indoors and off the map.
    pub fn from_position(position: &Position) -> Option<Self> {
        if position.cell.kind()? == CellKind::Env {
            return None;
        }
        let (cell, at) = adjust_to_outside(position.cell, position.frame.origin)?;
        let (x, y) = Position::map_metres(cell, at);
        let units = |metres: f64| metres / COMPASS_UNIT - COMPASS_EDGE;
        Self::new(units(y), units(x))
    }

    /// Returns the units north of the origin, negative to the south.
    pub fn north(self) -> f64 {
        self.north
    }

    /// Returns the units east of the origin, negative to the west.
    pub fn east(self) -> f64 {
        self.east
    }

    /// Returns the land cell, and the point in the frame of its landblock with a z of 0.
    pub fn place(self) -> (CellId, Vec3) {
        // The constructor has checked that there is one.
        self.locate().unwrap_or((BlockId(0).cell(1), Vec3::ZERO))
    }

    fn locate(self) -> Option<(CellId, Vec3)> {
        let (x, east) = block_and_rest(self.east)?;
        let (y, north) = block_and_rest(self.north)?;
        // Rounding to single precision may reach the next landblock; `adjust_to_outside` moves it there.
        adjust_to_outside(BlockId::new(x, y).as_cell(), Vec3::new(east, north, 0.0))
    }
}

/// Returns the landblock column or row of a compass coordinate, and the metres into it.
fn block_and_rest(units: f64) -> Option<(u8, f32)> {
    let metres = (units + COMPASS_EDGE) * COMPASS_UNIT;
    let block = (metres / f64::from(BLOCK_LENGTH)).floor();
    if !(0.0..f64::from(MAP_BLOCKS)).contains(&block) {
        return None;
    }
    let rest = metres - block * f64::from(BLOCK_LENGTH);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0..255 and 0..=192"
    )]
    Some((block as u8, rest as f32))
}

impl fmt::Display for Compass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        axis(f, self.north, 'N', 'S')?;
        f.write_str(", ")?;
        axis(f, self.east, 'E', 'W')
    }
}

fn axis(f: &mut fmt::Formatter<'_>, value: f64, plus: char, minus: char) -> fmt::Result {
    let letter = if value.is_sign_negative() { minus } else { plus };
    let value = value.abs();
    match f.precision() {
        Some(digits) => write!(f, "{value:.digits$}{letter}"),
        None if value.fract() == 0.0 => write!(f, "{value:.1}{letter}"),
        None => write!(f, "{value}{letter}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(north: f64, east: f64, cell: u32, at: [f32; 2]) {
        let (got, point) = Compass::new(north, east).unwrap().place();
        assert_eq!(got, CellId(cell), "{north} {east} lies at {point}");
        let near = (point.x - at[0]).abs() < 0.001 && (point.y - at[1]).abs() < 0.001;
        assert!(near, "{point} instead of {at:?}");
    }

    #[test]
    fn compass_points_lie_where_the_formula_puts_them() {
        // (42.1 + 101.95) x 240 = 34572 = 180 x 192 + 12; (33.6 + 101.95) x 240 = 32532 = 169 x 192 + 84.
        check(42.1, 33.6, 0xA9B4_0019, [84.0, 12.0]);
        // (0 + 101.95) x 240 = 24468 = 127 x 192 + 84.
        check(0.0, 0.0, 0x7F7F_001C, [84.0, 84.0]);
        check(-101.95, -101.95, 0x0000_0001, [0.0, 0.0]);
        check(0.05, 0.0, 0x7F7F_001D, [84.0, 96.0]);
    }

    #[test]
    fn compass_points_off_the_map_are_refused() {
        for v in [102.05, 102.050_000_001, -101.951, 1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(Compass::new(v, 0.0), None, "{v}");
            assert_eq!(Compass::new(0.0, v), None, "{v}");
        }
        assert!(Compass::new(102.0499, 102.0499).is_some());
        // A hair inside the north edge in double precision, on it in single precision.
        assert_eq!(Compass::new(102.05 - 1e-12, 0.0), None);
    }

    #[test]
    fn a_position_and_its_compass_point_agree() {
        let at = Vec3::new(84.25, 12.5, 40.0);
        let compass = Compass::from_position(&Position::new(CellId(0xA9B4_0019), at)).unwrap();
        let (cell, back) = compass.place();
        assert_eq!(cell, CellId(0xA9B4_0019));
        assert!((back - at.with_z(0.0)).length() < 1e-4, "{back}");
        assert_eq!(format!("{compass:.1}"), "42.1N, 33.6E");
        assert_eq!(Compass::from_position(&Position::new(CellId(0xA9B4_FFFF), at)), Some(compass));
        assert_eq!(Compass::from_position(&Position::new(CellId(0xA9B4_0164), at)), None);
    }

    #[test]
    fn south_and_west_are_negative() {
        let compass = Compass::new(-0.5, -33.0).unwrap();
        assert_eq!(compass.to_string(), "0.5S, 33.0W");
    }
}
