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
/// How long the player has to keep its footing after it was put back, in seconds. Shorter, and a place that loses it again is tried
/// without end; longer, and a good place is dropped when the player soon walks out of the world again.
const PROBATION: f64 = 1.0;

/// Where the player stood, and what was done to get it back there.
#[derive(Debug, Default)]
pub(super) struct Footing {
    /// From old to new.
    places: VecDeque<Position>,
    /// How often it was tried to find a place for a player that is lost.
    tries: usize,
    /// When and where the player was put back, until it has kept its footing there.
    returned: Option<(f64, Position)>,
}

impl Footing {
    /// Notes that the player stands at a place, unless it may still be lost there again.
    fn note(&mut self, at: Position, now: f64) {
        if self.tries > 0 {
            let (since, _) = *self.returned.get_or_insert((now, at));
            if now - since < PROBATION {
                return;
            }
            (self.tries, self.returned) = (0, None);
        }
        match self.places.back_mut() {
            // The oldest of places that are close together: farther from whatever comes next.
            Some(last) if last.offset_to(&at).length() < APART => {}
            _ => self.places.push_back(at),
        }
        if self.places.len() > MAX_PLACES {
            self.places.pop_front();
        }
    }

    /// Drops the places near the one that the player was put back to, if it is lost there again. Returns whether it is.
    fn drop_losing_place(&mut self, now: f64) -> bool {
        let returned = self.returned.take().filter(|(since, _)| now - since < PROBATION);
        let Some((_, at)) = returned else { return false };
        self.places.retain(|place| place.offset_to(&at).length() >= APART);
        true
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
                self.footing.note(at, self.now);
            }
            return;
        }
        let Some(at) = self.at().filter(|_| self.travel.is_none()) else { return };
        if self.stream.is_on_the_way(PieceId::from_cell(at.cell)) {
            // It comes back by itself as soon as its cell has come.
            return;
        }
        let is_lost_again = self.footing.drop_losing_place(self.now);
        let tries = self.footing.tries;
        if tries == 0 {
            self.say("you have left the world: no room and no land contains you".to_owned());
            self.footing.tries = 1;
        }
        if (tries == 0 || is_lost_again) && self.put_back(happened) {
            return;
        }
        match tries {
            0 => {}
            // What is needed may have to be loaded.
            1 => self.travel_back(),
            _ => self.travel_to_spot(tries - 2, is_lost_again),
        }
        self.footing.tries = tries + 1;
    }

    /// Puts the player to the last place that is still there. Returns whether there is one.
    fn put_back(&mut self, happened: &mut Happened) -> bool {
        while let Some(place) = self.footing.places.back().copied() {
            if let Ok(at) = self.put_player(&place, happened) {
                self.footing.returned = Some((self.now, at));
                self.say("you are back where you last stood".to_owned());
                return true;
            }
            if self.footing.places.len() == 1 {
                // Kept: it may come.
                return false;
            }
            self.footing.places.pop_back();
        }
        false
    }

    fn travel_back(&mut self) {
        let Some(place) = self.footing.places.back().copied() else { return };
        let label = "where you last stood".to_owned();
        if let Some(travel) = Travel::to(Place::Loc(place), label, Way::New) {
            self.set_out(travel);
        }
    }

    /// Travels to a place of the world by its number. After the last one it says once for each loss that none is left.
    fn travel_to_spot(&mut self, number: usize, is_lost_again: bool) {
        let places = self.places();
        match places.get(number).cloned() {
            Some(spot) => self.go(spot.place, spot.label),
            None if number == places.len() || is_lost_again => {
                self.say("no place is left to put you back to; press T to go to one".to_owned());
            }
            None => {}
        }
    }
}
