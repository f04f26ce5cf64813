//! Going to places at once, and what is told where that fails.

use std::sync::Arc;

use threshold_land::{Place, Position};

use super::player::NotPut;
use super::session::{Happened, Session};
use super::travel::{Spot, TRAVELLER, Travel, Way};

impl Session {
    /// Places that are worth a visit: those with a name, or else landblocks with rooms from all over the world.
    pub(crate) fn places(&self) -> Arc<[Spot]> {
        Arc::clone(&self.places)
    }

    /// Goes to a place, of which that is told.
    pub(crate) fn go(&mut self, place: Place, label: String) {
        match Travel::to(place, label, Way::New) {
            Some(travel) => self.set_out(travel),
            None => {
                self.say(format!("{place}: nobody can stand there"));
                self.go_elsewhere();
            }
        }
    }

    pub(super) fn set_out(&mut self, travel: Travel) {
        travel.hold(&mut self.world);
        self.travel = Some(travel);
    }

    /// Back to where one was, or forward again. Who is on the way goes back from where that leads.
    pub(crate) fn go_back(&mut self, is_forward: bool) {
        if self.at().is_none() {
            return;
        }
        let from = match self.travel.as_ref().map(|travel| travel.way) {
            // Nothing comes after what is new, and before it is where one still is.
            Some(Way::New) if is_forward => return,
            Some(Way::New) => return self.end_travel(),
            Some(Way::Known(there)) => there,
            None => self.history.here,
        };
        let Some((to, there)) = self.history.beside(from, is_forward) else { return };
        if to == self.history.here {
            return self.end_travel();
        }
        let label = self.names.cell(there.cell, &there);
        if let Some(travel) = Travel::to(Place::Loc(there), label, Way::Known(to)) {
            self.set_out(travel);
        }
    }

    /// Whether somebody is on the way, and where to.
    pub(crate) fn travelling(&self) -> Option<&str> {
        self.travel.as_ref().map(|travel| travel.label.as_str())
    }

    /// Ends a journey once there is something to stand on, or once that is known not to come.
    pub(super) fn arrive(&mut self, happened: &mut Happened) {
        let Some(travel) = self.travel.clone() else { return };
        if let Some(piece) = travel.waits_for(&self.world, &self.stream) {
            let Some(why) = self.stream.absent(piece).map(ToOwned::to_owned) else { return };
            return self.give_up(&travel, &why);
        }
        let Some(end) = travel.end(&self.world) else {
            return self.give_up(&travel, "nobody can stand there");
        };
        let from = self.at();
        match self.put_player(&end, happened) {
            Err(not) => return self.give_up(&travel, &not.to_string()),
            Ok(at) => {
                self.history.arrive(travel.way, from, at);
                self.camera.face(&at);
            }
        }
        self.end_travel();
    }

    /// Puts the player somewhere, or near it, at once. Says where it is then.
    pub(super) fn put_player(
        &mut self,
        end: &Position,
        happened: &mut Happened,
    ) -> Result<Position, NotPut> {
        let Self { world, rules, scratch, now, .. } = self;
        let (at, events) = self.player.put(world, *rules, scratch, end, *now)?;
        happened.arrived = true;
        self.journal.begin_anew();
        // How hard it comes down out of nowhere is nothing to be told.
        events.iter().for_each(|event| self.follow_cell(event, happened));
        Ok(at)
    }

    fn give_up(&mut self, travel: &Travel, why: &str) {
        self.say(format!("{}: {why}", travel.label));
        self.end_travel();
        self.go_elsewhere();
    }

    fn end_travel(&mut self) {
        self.travel = None;
        self.world.release(TRAVELLER);
    }

    /// Who has not arrived anywhere yet would see nothing: the next place of the world is better than none.
    fn go_elsewhere(&mut self) {
        if self.at().is_some() || self.travel.is_some() {
            return;
        }
        let Some(next) = self.places().get(self.tried).cloned() else {
            return self.say("there is nowhere else to go".to_owned());
        };
        self.tried += 1;
        self.say(format!("on the way to {} instead", next.label));
        self.go(next.place, next.label);
    }
}
