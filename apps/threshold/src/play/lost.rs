//! What becomes of a player that no cell contains.
//!
//! A body that its cells lose stays where it is and moves no more. A person cannot do anything about that, so the player is told, and
//! put back to where it last stood.

use std::collections::VecDeque;

use threshold_land::{Place, Position};
use threshold_world::{Object, PieceId};

use super::player;
use super::session::{Happened, Session};
use super::travel::{Travel, Way};

/// How many places are remembered: those of the last rooms, should the nearest ones be gone.
const MAX_PLACES: usize = 8;
/// A place nearer than this to the one before takes its part, in metres.
const APART: f32 = 2.0;

/// Where the player stood, and what was done to get it back there.
#[derive(Debug, Default)]
pub(super) struct Footing {
    /// From old to new.
    places: VecDeque<Position>,
    /// How often it was tried to find a place for a player that is lost.
    tries: usize,
}

impl Footing {
    /// The player stands here.
    fn note(&mut self, at: Position) {
        self.tries = 0;
        match self.places.back_mut() {
            // The oldest of places that are close together: farther from whatever comes next.
            Some(last) if last.offset_to(&at).length() < APART => {}
            _ => self.places.push_back(at),
        }
        if self.places.len() > MAX_PLACES {
            self.places.pop_front();
        }
    }
}

impl Session {
    /// Whether no cell contains the player.
    pub(super) fn is_lost(&self) -> bool {
        self.world.body(player::PLAYER).is_some_and(Object::is_lost)
    }

    /// Notes where the player stands; puts one that is lost back to where it stood.
    pub(super) fn regain_footing(&mut self, happened: &mut Happened) {
        if !self.is_lost() {
            let stance = &self.player.body.stance;
            if let Some(at) = self.at().filter(|_| stance.contact && stance.on_walkable) {
                self.footing.note(at);
            }
            return;
        }
        let Some(at) = self.at().filter(|_| self.travel.is_none()) else { return };
        if self.stream.is_on_the_way(PieceId::of(at.cell)) {
            // It comes back by itself as soon as its cell has come.
            return;
        }
        let tries = self.footing.tries;
        self.footing.tries += 1;
        match tries {
            0 => {
                self.say("you have left the world: no room and no land contains you".to_owned());
                self.put_back(happened);
            }
            // What is needed may have to be loaded.
            1 => self.travel_back(),
            _ => self.travel_to_spot(tries - 2),
        }
    }

    /// Puts the player to the last place that is still there.
    fn put_back(&mut self, happened: &mut Happened) {
        while let Some(place) = self.footing.places.back().copied() {
            if self.put_player(&place, happened).is_ok() {
                return self.say("you are back where you last stood".to_owned());
            }
            if self.footing.places.len() == 1 {
                // Kept: it may come.
                return;
            }
            self.footing.places.pop_back();
        }
    }

    fn travel_back(&mut self) {
        let Some(place) = self.footing.places.back().copied() else { return };
        let label = "where you last stood".to_owned();
        if let Some(travel) = Travel::to(Place::Loc(place), label, Way::New) {
            self.set_out(travel);
        }
    }

    fn travel_to_spot(&mut self, number: usize) {
        let Some(spot) = self.places().get(number).cloned() else { return };
        self.go(spot.place, spot.label);
    }
}
