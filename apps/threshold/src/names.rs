//! What people call cells.

use std::collections::BTreeMap;

use threshold_forge::{NamedPlace, NamedRoom, places, rooms};
use threshold_land::{CellId, Position};

/// Land so far from a place, in metres, is near it, and where it is no higher or lower than this.
const NEAR: f32 = 40.0;
const HIGH: f32 = 4.0;

/// What people call the cells of the built-in world. Those of other worlds have no names.
#[derive(Default)]
pub(crate) struct Names {
    rooms: BTreeMap<CellId, NamedRoom>,
    places: Vec<NamedPlace>,
}

impl Names {
    pub(crate) fn of(seed: u64) -> Self {
        let rooms = rooms().into_iter().map(|room| (room.cell, room)).collect();
        Self { rooms, places: places(seed) }
    }

    /// Places that are worth a visit.
    pub(crate) fn places(&self) -> &[NamedPlace] {
        &self.places
    }

    /// The rooms, by the names of their building and their own.
    pub(crate) fn rooms(&self) -> impl Iterator<Item = (CellId, String)> {
        self.rooms.values().map(|room| (room.cell, called(room)))
    }

    /// What is to be said of a place with this name.
    pub(crate) fn about(&self, name: &str) -> Option<&'static str> {
        self.places.iter().find(|place| place.name == name).map(|place| place.about)
    }

    /// A cell in words, for somebody who is there.
    pub(crate) fn cell(&self, cell: CellId, at: &Position) -> String {
        if let Some(room) = self.rooms.get(&cell) {
            return called(room);
        }
        if cell.is_indoor() {
            return "a room".to_owned();
        }
        let far = |place: &&NamedPlace| at.offset_to(&place.position).truncate().length();
        // What is far below is not near.
        let level = |place: &&NamedPlace| at.offset_to(&place.position).z.abs() < HIGH;
        let places = self.places.iter().filter(level);
        let nearest = places.min_by(|a, b| far(a).total_cmp(&far(b)));
        match nearest.filter(|place| far(place) < NEAR) {
            Some(place) => format!("land near the {}", place.name),
            None => "open land".to_owned(),
        }
    }
}

/// A room by the names of its building and its own.
fn called(NamedRoom { building, name, .. }: &NamedRoom) -> String {
    if name.starts_with(building) { name.clone() } else { format!("{building}, {name}") }
}
