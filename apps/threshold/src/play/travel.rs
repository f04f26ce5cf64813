//! Going to places at once, and back again.

use std::collections::{BTreeMap, BTreeSet};

use threshold_forge::NamedPlace;
use threshold_land::{BlockId, CellId, Place, Position, adjust_to_outside};
use threshold_world::{PieceId, World};

use super::stream::Stream;
use crate::standing::{feet, piece_of};

/// Somebody who is on the way holds what is there.
pub(super) const TRAVELLER: u32 = 3;

/// What a journey makes of the places somebody was at, once it has ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It leads to a place that is not one of them.
    New,
    /// It leads to that one of them.
    Known(usize),
}

/// A journey.
#[derive(Clone, Debug)]
pub(super) struct Travel {
    place: Place,
    piece: PieceId,
    /// What is told of it.
    pub(super) label: String,
    pub(super) way: Way,
}

impl Travel {
    /// To a place; `None` if nobody can stand there, whatever the world is.
    pub(super) fn to(place: Place, label: String, way: Way) -> Option<Self> {
        let piece = piece_of(&place)?;
        Some(Self { place, piece, label, way })
    }

    /// Has what is there loaded.
    pub(super) fn hold(&self, world: &mut World) {
        let cell = match self.piece {
            PieceId::Land(block) => block.cell(1),
            PieceId::Room(cell) => cell,
        };
        world.hold(TRAVELLER, cell);
    }

    /// What has to come before it ends; `None` once that is here. Whoever names a room and a point beside it means what is seen
    /// from there, as far as it is on its way.
    pub(super) fn waits_for(&self, world: &World, stream: &Stream) -> Option<PieceId> {
        if !world.has(self.piece) {
            return Some(self.piece);
        }
        self.beside(world).into_iter().find(|piece| stream.is_on_the_way(*piece))
    }

    /// The pieces that may hold a point that the room it names does not.
    fn beside(&self, world: &World) -> Vec<PieceId> {
        let Some(at) = self.place.position() else { return Vec::new() };
        let Some(room) = world.room(at.cell) else { return Vec::new() };
        if room.contains(at.frame.origin) {
            return Vec::new();
        }
        let mut pieces: Vec<_> = room.stabs().iter().copied().map(PieceId::Room).collect();
        let outside = adjust_to_outside(at.cell, at.frame.origin).filter(|_| room.seen_outside());
        pieces.extend(outside.map(|(cell, _)| PieceId::Land(cell.block())));
        pieces
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
    pub(super) here: usize,
}

impl History {
    /// A journey has ended well.
    pub(super) fn arrive(&mut self, way: Way, from: Option<Position>, to: Position) {
        match way {
            Way::New => self.go(from, to),
            Way::Known(there) => {
                // The one that is left is kept as it is by now.
                if let (Some(here), Some(from)) = (self.places.get_mut(self.here), from) {
                    *here = from;
                }
                self.here = there;
            }
        }
    }

    /// Somebody leaves a place for another; what it could have gone forward to is forgotten.
    fn go(&mut self, from: Option<Position>, to: Position) {
        if let Some(from) = from {
            self.places.truncate(self.here);
            self.places.push(from);
        }
        self.here = self.places.len();
        self.places.push(to);
    }

    /// The place before one of them, or after it, and which it is.
    pub(super) fn beside(&self, one: usize, is_forward: bool) -> Option<(usize, Position)> {
        let other = if is_forward { one + 1 } else { one.checked_sub(1)? };
        Some((other, *self.places.get(other)?))
    }

    pub(crate) fn has_back(&self) -> bool {
        self.here > 0
    }

    pub(crate) fn has_forward(&self) -> bool {
        self.here + 1 < self.places.len()
    }
}

/// A place that is worth a visit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) label: String,
    pub(crate) place: Place,
}

/// So many places are listed of a world that has no names for them.
const SPOTS: usize = 200;

/// Places of a world: those with a name, or else landblocks with rooms, or else its first landblock; the first is where one begins.
pub(crate) fn spots(named: &[NamedPlace], pieces: impl FnOnce() -> Vec<PieceId>) -> Vec<Spot> {
    if !named.is_empty() {
        let spot = |place: &NamedPlace| Spot {
            label: place.name.to_owned(),
            place: Place::Loc(place.position),
        };
        return named.iter().map(spot).collect();
    }
    let pieces = pieces();
    let mut found = with_rooms(&pieces);
    if found.is_empty() {
        found.extend(pieces.first().map(|piece| match piece {
            PieceId::Land(block) => Place::Block(*block),
            PieceId::Room(cell) => Place::Cell(*cell),
        }));
    }
    // From all over the world.
    let every = found.len().div_ceil(SPOTS).max(1);
    let places = found.into_iter().step_by(every);
    places.map(|place| Spot { label: place.to_string(), place }).collect()
}

/// The landblocks with rooms: those with land before those without, where one is in the first room.
fn with_rooms(pieces: &[PieceId]) -> Vec<Place> {
    let (mut rooms, mut lands) = (BTreeMap::<BlockId, CellId>::new(), BTreeSet::new());
    for piece in pieces {
        match piece {
            PieceId::Land(block) => {
                lands.insert(*block);
            }
            PieceId::Room(cell) => {
                rooms.entry(cell.block()).or_insert(*cell);
            }
        }
    }
    let is_town = |block: &BlockId| lands.contains(block);
    let towns = rooms.keys().copied().filter(is_town).map(Place::Block);
    let others = rooms.iter().filter(|(block, _)| !is_town(block));
    towns.chain(others.map(|(_, cell)| Place::Cell(*cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::glam::Vec3;

    fn at(x: f32) -> Position {
        Position::new(CellId(0xA9B4_0001), Vec3::new(x, 0.0, 0.0))
    }

    /// Goes back or forward from a place, and says where that led.
    fn step(history: &mut History, from: Position, is_forward: bool) -> Option<Position> {
        let (there, to) = history.beside(history.here, is_forward)?;
        history.arrive(Way::Known(there), Some(from), to);
        Some(to)
    }

    #[test]
    fn one_goes_back_to_where_one_was_and_forward_again() {
        let mut history = History::default();
        history.arrive(Way::New, None, at(1.0));
        assert!(!history.has_back() && !history.has_forward());
        history.arrive(Way::New, Some(at(1.5)), at(2.0));
        history.arrive(Way::New, Some(at(2.5)), at(3.0));
        assert_eq!(step(&mut history, at(3.5), false), Some(at(2.5)));
        assert_eq!(step(&mut history, at(2.6), false), Some(at(1.5)));
        assert!(!history.has_back() && step(&mut history, at(0.0), false).is_none());
        assert_eq!(step(&mut history, at(1.6), true), Some(at(2.6)));
        // Who goes elsewhere has nothing to go forward to.
        history.arrive(Way::New, Some(at(2.7)), at(9.0));
        assert!(!history.has_forward());
        assert_eq!(step(&mut history, at(9.5), false), Some(at(2.7)));
    }

    #[test]
    fn a_world_without_names_offers_its_landblocks_with_rooms() {
        let land = |block: u16| PieceId::Land(BlockId(block));
        let room = |cell: u32| PieceId::Room(CellId(cell));
        let listed = |pieces: &[PieceId]| -> Vec<String> {
            spots(&[], || pieces.to_vec()).into_iter().map(|spot| spot.label).collect()
        };
        let pieces = [room(0x0101_0100), land(0x0202), room(0x0303_0101), land(0x0303)];
        assert_eq!(listed(&pieces), ["0303", "0x01010100"]);
        assert_eq!(listed(&[land(0x0202), land(0x0203)]), ["0202"]);
        assert!(listed(&[]).is_empty());
        let many: Vec<PieceId> = (0..0x1FF).map(|block| room((block << 16) + 0x100)).collect();
        assert!((100..=SPOTS).contains(&listed(&many).len()));
    }
}
