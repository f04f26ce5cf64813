//! Going to places at once, and back again.

use threshold_land::{CellId, Place, Position};
use threshold_world::{PieceId, World};

use crate::standing::{feet, piece_of};

/// Somebody who is on the way holds what is there.
pub(super) const TRAVELLER: u32 = 3;

/// A journey.
#[derive(Clone, Debug)]
pub(super) struct Travel {
    place: Place,
    piece: PieceId,
    /// What is told of it.
    pub(super) label: String,
    /// Whether it is a new place, and not one of those that somebody was at.
    pub(super) is_new: bool,
}

impl Travel {
    /// To a place; `None` if nobody can stand there, whatever the world is.
    pub(super) fn to(place: Place, label: String, is_new: bool) -> Option<Self> {
        let piece = piece_of(&place)?;
        Some(Self { place, piece, label, is_new })
    }

    /// Has what is there loaded.
    pub(super) fn hold(&self, world: &mut World) {
        let cell = match self.piece {
            PieceId::Land(block) => block.cell(1),
            PieceId::Room(cell) => cell,
        };
        world.hold(TRAVELLER, cell);
    }

    /// Whether what is there has come.
    pub(super) fn has_come(&self, world: &World) -> bool {
        world.has(self.piece)
    }

    /// Where one arrives, and which way one looks: north, if nothing else is said.
    pub(super) fn end(&self, world: &World) -> Option<Position> {
        feet(world, &self.place)
    }
}

/// The places somebody was at.
#[derive(Debug, Default)]
pub(crate) struct History {
    places: Vec<Position>,
    /// The one that it is at.
    here: usize,
}

impl History {
    /// Somebody leaves a place for another; what it could have gone forward to is forgotten.
    pub(super) fn go(&mut self, from: Option<Position>, to: Position) {
        if let Some(from) = from {
            self.places.truncate(self.here);
            self.places.push(from);
        }
        self.here = self.places.len();
        self.places.push(to);
    }

    /// One place back, and the one that is left is kept as it is by now.
    pub(super) fn back(&mut self, from: Position) -> Option<Position> {
        self.step(from, self.here.checked_sub(1)?)
    }

    /// One place forward.
    pub(super) fn forward(&mut self, from: Position) -> Option<Position> {
        self.step(from, self.here + 1)
    }

    fn step(&mut self, from: Position, to: usize) -> Option<Position> {
        let there = *self.places.get(to)?;
        if let Some(here) = self.places.get_mut(self.here) {
            *here = from;
        }
        self.here = to;
        Some(there)
    }

    pub(crate) fn has_back(&self) -> bool {
        self.here > 0
    }

    pub(crate) fn has_forward(&self) -> bool {
        self.here + 1 < self.places.len()
    }
}

/// A place by what somebody wrote: one of those with a name, or any other.
pub(crate) fn read_place(
    text: &str,
    named: &[threshold_forge::NamedPlace],
) -> Result<(Place, String), String> {
    let text = text.trim();
    if let Some(place) = named.iter().find(|place| place.name.eq_ignore_ascii_case(text)) {
        return Ok((Place::Loc(place.position), place.name.to_owned()));
    }
    match text.parse::<Place>() {
        Ok(place) => Ok((place, text.to_owned())),
        Err(error) => Err(error.to_string()),
    }
}

/// Where one begins in a world without a place of its own: in its first town, or its first landblock, or its first room.
pub(crate) fn first_place(pieces: &[PieceId]) -> Option<Place> {
    let rooms = || {
        pieces.iter().filter_map(|piece| match piece {
            PieceId::Room(cell) => Some(*cell),
            PieceId::Land(_) => None,
        })
    };
    let has_land = |cell: &CellId| pieces.contains(&PieceId::Land(cell.block()));
    let town = rooms().find(has_land).map(|cell| Place::Block(cell.block()));
    let land = pieces.iter().find_map(|piece| match piece {
        PieceId::Land(block) => Some(Place::Block(*block)),
        PieceId::Room(_) => None,
    });
    town.or(land).or_else(|| rooms().next().map(Place::Cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::glam::Vec3;

    fn at(x: f32) -> Position {
        Position::new(CellId(0xA9B4_0001), Vec3::new(x, 0.0, 0.0))
    }

    #[test]
    fn one_goes_back_to_where_one_was_and_forward_again() {
        let mut history = History::default();
        history.go(None, at(1.0));
        assert!(!history.has_back() && !history.has_forward());
        history.go(Some(at(1.5)), at(2.0));
        history.go(Some(at(2.5)), at(3.0));
        assert_eq!(history.back(at(3.5)), Some(at(2.5)));
        assert_eq!(history.back(at(2.6)), Some(at(1.5)));
        assert!(!history.has_back() && history.back(at(0.0)).is_none());
        assert_eq!(history.forward(at(1.6)), Some(at(2.6)));
        // Who goes elsewhere has nothing to go forward to.
        history.go(Some(at(2.7)), at(9.0));
        assert!(!history.has_forward());
        assert_eq!(history.back(at(9.5)), Some(at(2.7)));
    }

    #[test]
    fn places_are_read_by_name_and_in_every_other_way() {
        let named = threshold_forge::places(threshold_forge::SEED);
        let read =
            |text: &str| read_place(text, &named).map(|(place, _)| place.block().to_string());
        assert_eq!(read(" Lake Shore "), Ok("A8B4".to_owned()));
        assert_eq!(read("A9B4"), Ok("A9B4".to_owned()));
        assert_eq!(read("0xA9B40106:132,109,40"), Ok("A9B4".to_owned()));
        assert!(read("42.1N, 33.6E").is_ok());
        assert!(read("nowhere").is_err_and(|error| error.contains("nowhere")));
    }
}
