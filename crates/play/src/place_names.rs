//! Names of cells and places.

use std::collections::BTreeMap;

use threshold_forge::{NamedPlace, NamedRoom, places, rooms};
use threshold_land::{CellId, Position};

/// Horizontal distance within which land is called after a place, in metres.
const MAX_DISTANCE: f32 = 40.0;
/// Vertical distance within which land is called after a place, in metres.
const MAX_RISE: f32 = 4.0;

/// Names of the places and rooms of the built-in world. Other worlds have none.
#[derive(Debug, Default)]
pub struct PlaceNames {
    rooms: BTreeMap<CellId, NamedRoom>,
    places: Vec<NamedPlace>,
}

impl PlaceNames {
    /// Returns the names of the built-in world with a seed.
    pub fn of_builtin(seed: u64) -> Self {
        let rooms = rooms().into_iter().map(|room| (room.cell, room)).collect();
        Self { rooms, places: places(seed) }
    }

    /// Returns the places worth a visit.
    pub fn places(&self) -> &[NamedPlace] {
        &self.places
    }

    /// Returns the rooms, each with its name, which includes that of the building.
    pub fn rooms(&self) -> impl Iterator<Item = (CellId, String)> {
        self.rooms.values().map(|room| (room.cell, room_name(room)))
    }

    /// Returns a sentence about the place with a name.
    pub fn about(&self, name: &str) -> Option<&'static str> {
        self.places.iter().find(|place| place.name == name).map(|place| place.about)
    }

    /// Describes a cell in words for a player at `at`.
    pub fn describe(&self, cell: CellId, at: &Position) -> String {
        if let Some(room) = self.rooms.get(&cell) {
            return room_name(room);
        }
        if cell.is_indoor() {
            return "a room".to_owned();
        }
        let distance = |place: &&NamedPlace| at.offset_to(&place.position).truncate().length();
        // The entrance of a cave is not near to the land far above it.
        let is_level = |place: &&NamedPlace| at.offset_to(&place.position).z.abs() < MAX_RISE;
        let places = self.places.iter().filter(is_level);
        let nearest = places.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        match nearest.filter(|place| distance(place) < MAX_DISTANCE) {
            Some(place) => format!("land near the {}", place.name),
            None => "open land".to_owned(),
        }
    }
}

/// Returns the name of a room with that of its building.
fn room_name(NamedRoom { building, name, .. }: &NamedRoom) -> String {
    if name.starts_with(building) { name.clone() } else { format!("{building}, {name}") }
}
