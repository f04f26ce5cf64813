//! The text form of places.
//!
//! | form | example |
//! |---|---|
//! | compass | `42.1N, 33.6E` |
//! | loc | `0xA9B40031 [150.000000 1.000000 94.000000] 1.000000 0.000000 0.000000 0.000000` |
//! | block | `A9B4` |
//! | cell | `0xA9B40164` |
//! | point | `0xA9B40164:84.5,131.2,40` |
//!
//! A loc may begin with `Your location is: `, as the retail client prints it.

use std::fmt;
use std::str::FromStr;

use crate::vector::Vec3;

use crate::compass::Compass;
use crate::frame::Frame;
use crate::id::{BlockId, CellId};
use crate::position::Position;
use crate::rotation::Rotation;

/// A place as text: a position, cell, landblock or compass point.
///
/// Parsed with [`str::parse`], written with [`Display`](fmt::Display); the written text parses
/// to the same value. Every place lies on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Compass coordinates; outdoors only.
    Compass(Compass),
    /// A whole position with its values unchanged; [`Position::normalised`] is a separate step.
    Loc(Position),
    /// A landblock.
    Block(BlockId),
    /// A cell.
    Cell(CellId),
    /// A point in the frame of the cell's landblock.
    Point(CellId, Vec3),
}

impl Place {
    /// Returns the landblock of the place.
    pub fn block(&self) -> BlockId {
        match self {
            Self::Compass(compass) => compass.place().0.block(),
            Self::Loc(position) => position.cell.block(),
            Self::Block(block) => *block,
            Self::Cell(cell) | Self::Point(cell, _) => cell.block(),
        }
    }

    /// Returns the cell; `None` for a landblock.
    pub fn cell(&self) -> Option<CellId> {
        match self {
            Self::Compass(compass) => Some(compass.place().0),
            Self::Loc(position) => Some(position.cell),
            Self::Block(_) => None,
            Self::Cell(cell) | Self::Point(cell, _) => Some(*cell),
        }
    }

    /// Returns the position, with a z of 0 for a compass point; `None` for a cell or landblock.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Compass(compass) => {
                let (cell, at) = compass.place();
                Some(Position::new(cell, at))
            }
            Self::Loc(position) => Some(*position),
            Self::Point(cell, at) => Some(Position::new(*cell, *at)),
            Self::Block(_) | Self::Cell(_) => None,
        }
    }
}

/// A text that is not a place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("\"{text}\": {kind}")]
pub struct PlaceError {
    /// The text.
    pub text: String,
    /// The reason.
    pub kind: PlaceErrorKind,
}

/// Why a text is not a place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceErrorKind {
    /// The text has none of the five forms.
    #[error(
        "not a place; write a compass point (42.1N, 33.6E), a loc (0xA9B40031 [x y z] w x y z), \
         a block (A9B4), a cell (0xA9B40164) or a point (0xA9B40164:x,y,z)"
    )]
    Form,
    /// A word is not a finite number.
    #[error("\"{0}\" is not a finite number")]
    Number(String),
    /// A number beyond single precision.
    #[error("\"{0}\" is too large; numbers go up to 3.4e38")]
    TooLarge(String),
    /// Too few or too many numbers.
    #[error("{what} has {want} numbers, not {found}")]
    Count {
        /// The part of the text.
        what: &'static str,
        /// The required count.
        want: usize,
        /// The actual count.
        found: usize,
    },
    /// A cell id with an invalid low word.
    #[error("{0} names no cell: its low word is none of 0001-0040, 0100-FFFD and FFFF")]
    Cell(CellId),
    /// A landblock in row or column FF.
    #[error("landblock {0} lies off the map: columns and rows run 00 to FE")]
    Block(BlockId),
    /// A compass point beyond the edges of the map.
    #[error("off the map, which runs from 101.95S, 101.95W to 102.05N, 102.05E")]
    OffMap,
}

use PlaceErrorKind as Kind;

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        parse(text.trim()).map_err(|kind| PlaceError { text: text.to_owned(), kind })
    }
}

impl FromStr for CellId {
    type Err = PlaceError;

    /// Parses eight hexadecimal digits, with or without `0x`. The id is not checked.
    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let id = hex_digits(text).filter(|digits| digits.len() == 8);
        let id = id.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        id.map(Self).ok_or_else(|| PlaceError { text: text.to_owned(), kind: Kind::Form })
    }
}

impl FromStr for BlockId {
    type Err = PlaceError;

    /// Parses four hexadecimal digits, with or without `0x`. The id is not checked.
    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let id = hex_digits(text).filter(|digits| digits.len() == 4);
        let id = id.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        id.map(Self).ok_or_else(|| PlaceError { text: text.to_owned(), kind: Kind::Form })
    }
}

/// Returns the digits after an optional `0x`; `None` if there are other characters.
fn hex_digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(digits)
}

fn parse(text: &str) -> Result<Place, Kind> {
    let text = text.strip_prefix("Your location is:").map_or(text, str::trim_start);
    if let Some((cell, rest)) = text.split_once('[') {
        return loc(cell, rest);
    }
    if let Some((cell, point)) = text.split_once(':') {
        let [x, y, z] = numbers("a point", point.split(','))?;
        return Ok(Place::Point(valid_cell(cell)?, Vec3::new(x, y, z)));
    }
    if let Ok(block) = text.parse::<BlockId>() {
        return if block.in_bounds() { Ok(Place::Block(block)) } else { Err(Kind::Block(block)) };
    }
    if text.parse::<CellId>().is_ok() {
        return valid_cell(text).map(Place::Cell);
    }
    compass(text)
}

fn valid_cell(text: &str) -> Result<CellId, Kind> {
    let cell: CellId = text.trim().parse().map_err(|_| Kind::Form)?;
    if cell.is_valid() {
        Ok(cell)
    } else if cell.block().in_bounds() {
        Err(Kind::Cell(cell))
    } else {
        Err(Kind::Block(cell.block()))
    }
}

fn loc(cell: &str, rest: &str) -> Result<Place, Kind> {
    let (origin, rotation) = rest.split_once(']').ok_or(Kind::Form)?;
    let cell = valid_cell(cell)?;
    let [x, y, z] = numbers("the point of a loc", origin.split_whitespace())?;
    let [w, i, j, k] = numbers("the rotation of a loc", rotation.split_whitespace())?;
    let frame = Frame { origin: Vec3::new(x, y, z), rotation: Rotation::new(w, i, j, k) };
    Ok(Place::Loc(Position { cell, frame }))
}

fn numbers<'a, const N: usize>(
    what: &'static str,
    words: impl Iterator<Item = &'a str>,
) -> Result<[f32; N], Kind> {
    let mut found = 0;
    let mut out = [0.0; N];
    for word in words {
        let value = number(word.trim())?;
        if let Some(slot) = out.get_mut(found) {
            *slot = value;
        }
        found += 1;
    }
    if found == N { Ok(out) } else { Err(Kind::Count { what, want: N, found }) }
}

/// Parses a finite number; Rust would also accept `inf` and `nan`.
fn number(word: &str) -> Result<f32, Kind> {
    match word.parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) if value.is_infinite() && word.contains(|c: char| c.is_ascii_digit()) => {
            Err(Kind::TooLarge(word.to_owned()))
        }
        _ => Err(Kind::Number(word.to_owned())),
    }
}

fn compass(text: &str) -> Result<Place, Kind> {
    let (north, east) =
        text.split_once(',').or_else(|| text.split_once(char::is_whitespace)).ok_or(Kind::Form)?;
    let north = compass_axis(north.trim(), 'N', 'S')?;
    let east = compass_axis(east.trim(), 'E', 'W')?;
    Compass::new(north, east).map(Place::Compass).ok_or(Kind::OffMap)
}

fn compass_axis(word: &str, plus: char, minus: char) -> Result<f64, Kind> {
    let letter = word.chars().next_back().ok_or(Kind::Form)?;
    let sign = match letter.to_ascii_uppercase() {
        l if l == plus => 1.0,
        l if l == minus => -1.0,
        _ => return Err(Kind::Form),
    };
    let digits = word.strip_suffix(letter).unwrap_or(word).trim_end();
    // No sign: the letter has that role.
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return Err(Kind::Number(digits.to_owned()));
    }
    let value: f64 = digits.parse().map_err(|_| Kind::Number(digits.to_owned()))?;
    Ok(sign * value)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compass(compass) => compass.fmt(f),
            Self::Loc(position) => position.fmt(f),
            Self::Block(block) => block.fmt(f),
            Self::Cell(cell) => cell.fmt(f),
            Self::Point(cell, at) => write!(f, "{cell}:{},{},{}", at.x, at.y, at.z),
        }
    }
}

/// Writes the loc form: six decimals as in the retail client, more where the same value needs them.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frame { origin, rotation } = self.frame;
        write!(
            f,
            "{} [{} {} {}] {} {} {} {}",
            self.cell,
            SixDecimals(origin.x),
            SixDecimals(origin.y),
            SixDecimals(origin.z),
            SixDecimals(rotation.w),
            SixDecimals(rotation.x),
            SixDecimals(rotation.y),
            SixDecimals(rotation.z),
        )
    }
}

struct SixDecimals(f32);

impl fmt::Display for SixDecimals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = self.0.to_string();
        let decimals = short.split_once('.').map_or(0, |(_, digits)| digits.len());
        if decimals >= 6 { f.write_str(&short) } else { write!(f, "{:.6}", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, printed: &str) -> Place {
        let place: Place = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(place.to_string(), printed);
        assert_eq!(printed.parse(), Ok(place), "printed text reads back");
        place
    }

    #[test]
    fn every_form_parses_and_prints() {
        check("42.1N, 33.6E", "42.1N, 33.6E");
        check("42.1n 33.6e", "42.1N, 33.6E");
        check("0S,12.25W", "0.0S, 12.25W");
        check("A9B4", "A9B4");
        check("0xa9b4", "A9B4");
        check("0xA9B40164", "0xA9B40164");
        check("a9b4ffff", "0xA9B4FFFF");
        check("0xA9B40164:84.5,131.2,40", "0xA9B40164:84.5,131.2,40");
        check("0xA9B40164: 84.5, -131.2, 1e2", "0xA9B40164:84.5,-131.2,100");
        let loc = "0xA9B40031 [150.000000 1.000000 94.000000] 1.000000 0.000000 0.000000 0.000000";
        check(loc, loc);
        check(&format!("Your location is: {loc}"), loc);
    }

    #[test]
    fn a_loc_keeps_its_values() {
        let text =
            "0xA9B40031 [150.000000 -1.000000 94.000000] 2.000000 0.000000 0.000000 0.000000";
        let Place::Loc(position) = check(text, text) else { panic!("not a loc") };
        assert_eq!(position.cell, CellId(0xA9B4_0031));
        assert_eq!(position.frame.origin.y, -1.0);
        assert_eq!(position.frame.rotation.w, 2.0);
        let normalised = position.normalised().unwrap();
        assert_eq!(normalised.cell, CellId(0xA9B3_0038));
        assert_eq!(normalised.frame.rotation, Rotation::IDENTITY);
    }

    #[test]
    fn a_loc_prints_more_digits_where_six_lose_precision() {
        let position = Position {
            cell: CellId(0xA9B4_0031),
            frame: Frame {
                origin: Vec3::new(0.1, 1.0e-7, 82.35),
                rotation: Rotation::new(0.707_106_77, 0.0, 0.0, -0.707_106_77),
            },
        };
        let text = position.to_string();
        assert_eq!(
            text,
            "0xA9B40031 [0.100000 0.0000001 82.349998] 0.70710677 0.000000 0.000000 -0.70710677"
        );
        assert_eq!(text.parse(), Ok(Place::Loc(position)));
    }

    #[track_caller]
    fn refused(text: &str, reason: &str) {
        let error = text.parse::<Place>().expect_err(text).to_string();
        assert!(error.contains(reason), "{error}");
    }

    #[test]
    fn each_error_names_its_reason() {
        refused("", "not a place");
        refused("Holtburg", "not a place");
        refused("42.1N", "not a place");
        refused("42.1N, 33.6N", "not a place");
        refused("nanN, 1E", "\"nan\" is not a finite number");
        refused("-1N, 1E", "\"-1\" is not a finite number");
        refused("42.1NN, 33.6E", "\"42.1N\" is not a finite number");
        refused("1.2.3N, 1E", "\"1.2.3\" is not a finite number");
        refused("102.05N, 0E", "off the map");
        refused("FFA0", "landblock FFA0 lies off the map");
        refused("0xFF000001", "landblock FF00 lies off the map");
        refused("0xA9B40041", "0xA9B40041 names no cell");
        refused("0xA9B40164:1,2", "has 3 numbers, not 2");
        refused("0xA9B40164:1,2,inf", "\"inf\" is not a finite number");
        refused("0xA9B40164:1,2,1e39", "\"1e39\" is too large");
        refused("0xA9B40031 [1 2 3] 1 0 0", "has 4 numbers, not 3");
        refused("0xA9B40031 [1 2 3", "not a place");
    }

    #[test]
    fn places_have_a_cell_and_position() {
        let place: Place = "42.1N, 33.6E".parse().unwrap();
        assert_eq!(place.cell(), Some(CellId(0xA9B4_0019)));
        assert_eq!(place.block(), BlockId(0xA9B4));
        let place: Place = "A9B4".parse().unwrap();
        assert_eq!((place.cell(), place.position()), (None, None));
        let place: Place = "0xA9B40164:1,2,3".parse().unwrap();
        let want = Position::new(CellId(0xA9B4_0164), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(place.position(), Some(want));
    }
}
