//! Recovery of a lost player.
//!
//! A lost body is in no cell and cannot move. The session posts a message and puts the player back to a place where it stood.

use std::collections::VecDeque;

use threshold_land::{Place, Position};
use threshold_world::{Object, PieceId};

use super::{FrameEvents, Session};
use crate::player;
use crate::travel::{Journey, JourneyKind};

/// Most remembered places: enough to reach back into other rooms, in case the nearest ones are gone.
const MAX_PLACES: usize = 8;
/// Least distance between two remembered places, in metres.
const MIN_DISTANCE: f32 = 2.0;
/// Time for which the player must stay in cells after it was put back, in seconds. Shorter, and a place that loses the player again is tried
/// without end; longer, and a good place is dropped when the player soon walks out of the world again.
const PROBATION: f64 = 1.0;

/// Places where the player stood, and the attempts to put it back there.
#[derive(Debug, Default)]
pub(super) struct RecoveryPlaces {
    /// From old to new.
    places: VecDeque<Position>,
    /// Attempts to find a place since the player was lost.
    tries: usize,
    /// Time and position of the last return, while the player is on probation there.
    returned: Option<(f64, Position)>,
}

impl RecoveryPlaces {
    /// Remembers a place where the player stands, unless it is still on probation there.
    fn note(&mut self, at: Position, now: f64) {
        if self.tries > 0 {
            let (since, _) = *self.returned.get_or_insert((now, at));
            if now - since < PROBATION {
                return;
            }
            (self.tries, self.returned) = (0, None);
        }
        match self.places.back_mut() {
            // Of places that are close together the oldest is kept: it is farther from where the player was lost.
            Some(last) if last.offset_to(&at).length() < MIN_DISTANCE => {}
            _ => self.places.push_back(at),
        }
        if self.places.len() > MAX_PLACES {
            self.places.pop_front();
        }
    }

    /// Drops the places near the last return if the player was lost again on probation. Returns whether that was so.
    fn drop_losing_place(&mut self, now: f64) -> bool {
        let returned = self.returned.take().filter(|(since, _)| now - since < PROBATION);
        let Some((_, at)) = returned else { return false };
        self.places.retain(|place| place.offset_to(&at).length() >= MIN_DISTANCE);
        true
    }
}

impl<P> Session<P> {
    /// Returns whether the player is lost: no cell contains it.
    pub fn is_lost(&self) -> bool {
        self.world.body(player::PLAYER).is_some_and(Object::is_lost)
    }

    /// Remembers where the player stands, or puts a lost player back to such a place.
    pub(super) fn regain_footing(&mut self, frame: &mut FrameEvents) {
        if !self.is_lost() {
            let stance = &self.player.body.stance;
            if let Some(at) = self.position().filter(|_| stance.contact && stance.on_walkable) {
                self.recovery.note(at, self.now);
            }
            return;
        }
        let Some(at) = self.position().filter(|_| self.journey.is_none()) else { return };
        if self.stream.is_pending(PieceId::from_cell(at.cell)) {
            // The body returns by itself once its cell is resident again.
            return;
        }
        let is_lost_again = self.recovery.drop_losing_place(self.now);
        let tries = self.recovery.tries;
        if tries == 0 {
            self.post_message("you have left the world: no cell contains you".to_owned());
            self.recovery.tries = 1;
        }
        if (tries == 0 || is_lost_again) && self.put_back(frame) {
            return;
        }
        match tries {
            0 => {}
            // The place may have to be loaded.
            1 => self.travel_back(),
            _ => self.travel_to_destination(tries - 2, is_lost_again),
        }
        self.recovery.tries = tries + 1;
    }

    /// Puts the player back to the last remembered place that is resident. Returns whether there is one.
    fn put_back(&mut self, frame: &mut FrameEvents) -> bool {
        while let Some(place) = self.recovery.places.back().copied() {
            if let Ok(at) = self.place_player(&place, frame) {
                self.recovery.returned = Some((self.now, at));
                self.post_message("you are back where you last stood".to_owned());
                return true;
            }
            if self.recovery.places.len() == 1 {
                // The only place is kept: it may be loaded later.
                return false;
            }
            self.recovery.places.pop_back();
        }
        false
    }

    fn travel_back(&mut self) {
        let Some(place) = self.recovery.places.back().copied() else { return };
        let label = "where you last stood".to_owned();
        if let Some(journey) = Journey::to(Place::Loc(place), label, JourneyKind::New) {
            self.set_out(journey);
        }
    }

    /// Travels to a destination by its number. After the last one, posts once for each loss that none is left.
    fn travel_to_destination(&mut self, number: usize, is_lost_again: bool) {
        let destinations = self.destinations();
        match destinations.get(number).cloned() {
            Some(destination) => self.travel_to(destination.place, destination.label),
            None if number == destinations.len() || is_lost_again => {
                self.post_message(
                    "no place is left to put you back to; press T to go to one".to_owned(),
                );
            }
            None => {}
        }
    }
}
