//! Journeys to places, and the history of places.

use std::collections::{BTreeMap, BTreeSet};

use threshold::piece_stream::PieceStream;
use threshold_forge::NamedPlace;
use threshold_land::{BlockId, CellId, Place, Position, adjust_to_outside};
use threshold_world::{PieceId, World};

use crate::standing::{required_piece, standing_candidates};

/// Holder number of the pieces around the goal of a journey.
pub(crate) const TRAVEL_HOLD: u32 = 3;

/// Effect of a journey on the history once the player arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JourneyKind {
    /// The goal is a new place.
    New,
    /// The goal is a place of the history, by its index.
    Revisit(usize),
}

/// A journey to a place that may still have to be loaded.
#[derive(Clone, Debug)]
pub(crate) struct Journey {
    place: Place,
    piece: PieceId,
    /// Name of the place in messages.
    pub(crate) label: String,
    pub(crate) kind: JourneyKind,
}

impl Journey {
    /// Makes a journey to a place; `None` if a player cannot stand there in any world.
    pub(crate) fn to(place: Place, label: String, kind: JourneyKind) -> Option<Self> {
        let place = match place {
            // Four zeros, say: the player faces north, as the eye of a picture does.
            Place::Loc(at) if !at.frame.rotation.is_valid() => {
                Place::Loc(Position::new(at.cell, at.frame.origin))
            }
            place => place,
        };
        let piece = required_piece(&place)?;
        Some(Self { place, piece, label, kind })
    }

    /// Holds the pieces around the goal in the world, so that they are loaded.
    pub(crate) fn hold(&self, world: &mut World) {
        let cell = match self.piece {
            PieceId::Land(block) => block.cell(1),
            PieceId::Room(cell) => cell,
        };
        world.hold(TRAVEL_HOLD, cell);
    }

    /// Returns the piece that the journey waits for; `None` once the player can be placed.
    ///
    /// A point outside the room it names may be in any room of that room's stab list, so those being built are awaited too.
    pub(crate) fn awaited_piece<P>(
        &self,
        world: &World,
        stream: &PieceStream<P>,
    ) -> Option<PieceId> {
        if !world.has(self.piece) {
            return Some(self.piece);
        }
        self.pieces_beside(world).into_iter().find(|piece| stream.is_pending(*piece))
    }

    /// Returns the pieces that may contain the goal if it is a point outside the room it names.
    fn pieces_beside(&self, world: &World) -> Vec<PieceId> {
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

    /// Returns the possible positions of arrival, the best first. They face north unless the place has a heading.
    pub(crate) fn goals(&self, world: &World) -> Vec<Position> {
        standing_candidates(world, &self.place)
    }

    /// Returns the cell in which the player should arrive, if the place names one and no point.
    pub(crate) fn named_cell(&self) -> Option<CellId> {
        match self.place {
            Place::Cell(cell) => Some(cell),
            _ => None,
        }
    }
}

/// Places the player has visited, to go back and forward.
#[derive(Debug, Default)]
pub struct PlaceHistory {
    places: Vec<Position>,
    /// Index of the place the player is at.
    pub(crate) current: usize,
}

impl PlaceHistory {
    /// Records the end of a journey from `from` at `to`.
    pub(crate) fn note_arrival(&mut self, kind: JourneyKind, from: Option<Position>, to: Position) {
        match kind {
            JourneyKind::New => self.push(from, to),
            JourneyKind::Revisit(index) => {
                // The entry of the place that the player leaves is moved to where the player has walked.
                if let (Some(left), Some(from)) = (self.places.get_mut(self.current), from) {
                    *left = from;
                }
                self.current = index;
            }
        }
    }

    /// Adds a place, and drops the places after the current one.
    fn push(&mut self, from: Option<Position>, to: Position) {
        if let Some(from) = from {
            self.places.truncate(self.current);
            self.places.push(from);
        }
        self.current = self.places.len();
        self.places.push(to);
    }

    /// Returns the place before or after the one at `index`, with its own index.
    pub(crate) fn neighbour(&self, index: usize, is_forward: bool) -> Option<(usize, Position)> {
        let other = if is_forward { index + 1 } else { index.checked_sub(1)? };
        Some((other, *self.places.get(other)?))
    }

    /// Returns whether there is a place to go back to.
    pub fn has_back(&self) -> bool {
        self.current > 0
    }

    /// Returns whether there is a place to go forward to.
    pub fn has_forward(&self) -> bool {
        self.current + 1 < self.places.len()
    }
}

/// A place worth a visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Destination {
    /// Its name.
    pub label: String,
    /// Where it is.
    pub place: Place,
}

/// Most destinations of a world without names.
const MAX_DESTINATIONS: usize = 200;

/// Returns the destinations of a world: its named places, or else landblocks with rooms, or else its first piece.
///
/// A session starts at the first one. `pieces` is called only for a world without names.
pub fn destinations(
    named: &[NamedPlace],
    pieces: impl FnOnce() -> Vec<PieceId>,
) -> Vec<Destination> {
    if !named.is_empty() {
        let destination = |place: &NamedPlace| Destination {
            label: place.name.to_owned(),
            place: Place::Loc(place.position),
        };
        return named.iter().map(destination).collect();
    }
    let pieces = pieces();
    let mut found = blocks_with_rooms(&pieces);
    if found.is_empty() {
        found.extend(pieces.first().map(|piece| match piece {
            PieceId::Land(block) => Place::Block(*block),
            PieceId::Room(cell) => Place::Cell(*cell),
        }));
    }
    // The stride spreads them over the whole world.
    let stride = found.len().div_ceil(MAX_DESTINATIONS).max(1);
    let places = found.into_iter().step_by(stride);
    places.map(|place| Destination { label: place.to_string(), place }).collect()
}

/// Returns landblocks with land and rooms, then the first rooms of landblocks without land.
fn blocks_with_rooms(pieces: &[PieceId]) -> Vec<Place> {
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
    let has_land = |block: &BlockId| lands.contains(block);
    let with_land = rooms.keys().copied().filter(has_land).map(Place::Block);
    let without_land = rooms.iter().filter(|(block, _)| !has_land(block));
    with_land.chain(without_land.map(|(_, cell)| Place::Cell(*cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::vector::Vec3;

    fn at(x: f32) -> Position {
        Position::new(CellId(0xA9B4_0001), Vec3::new(x, 0.0, 0.0))
    }

    /// Goes back or forward from a place, and returns the new position.
    fn step(history: &mut PlaceHistory, from: Position, is_forward: bool) -> Option<Position> {
        let (there, to) = history.neighbour(history.current, is_forward)?;
        history.note_arrival(JourneyKind::Revisit(there), Some(from), to);
        Some(to)
    }

    #[test]
    fn going_back_and_forward_visits_the_places_in_order() {
        let mut history = PlaceHistory::default();
        history.note_arrival(JourneyKind::New, None, at(1.0));
        assert!(!history.has_back() && !history.has_forward());
        history.note_arrival(JourneyKind::New, Some(at(1.5)), at(2.0));
        history.note_arrival(JourneyKind::New, Some(at(2.5)), at(3.0));
        assert_eq!(step(&mut history, at(3.5), false), Some(at(2.5)));
        assert_eq!(step(&mut history, at(2.6), false), Some(at(1.5)));
        assert!(!history.has_back() && step(&mut history, at(0.0), false).is_none());
        assert_eq!(step(&mut history, at(1.6), true), Some(at(2.6)));
        // A new place drops the places after the current one.
        history.note_arrival(JourneyKind::New, Some(at(2.7)), at(9.0));
        assert!(!history.has_forward());
        assert_eq!(step(&mut history, at(9.5), false), Some(at(2.7)));
    }

    #[test]
    fn a_world_without_names_offers_its_landblocks_with_rooms() {
        let land = |block: u16| PieceId::Land(BlockId(block));
        let room = |cell: u32| PieceId::Room(CellId(cell));
        let listed = |pieces: &[PieceId]| -> Vec<String> {
            destinations(&[], || pieces.to_vec())
                .into_iter()
                .map(|destination| destination.label)
                .collect()
        };
        let pieces = [room(0x0101_0100), land(0x0202), room(0x0303_0101), land(0x0303)];
        assert_eq!(listed(&pieces), ["0303", "0x01010100"]);
        assert_eq!(listed(&[land(0x0202), land(0x0203)]), ["0202"]);
        assert!(listed(&[]).is_empty());
        let many: Vec<PieceId> = (0..0x1FF).map(|block| room((block << 16) + 0x100)).collect();
        assert!((100..=MAX_DESTINATIONS).contains(&listed(&many).len()));
    }
}
