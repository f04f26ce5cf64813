//! Journeys of a session: departure, arrival, and failure.

use std::sync::Arc;

use threshold_land::{Place, Position};
use threshold_motion::MoveContext;

use super::{FrameEvents, Session};
use crate::player::PlacementError;
use crate::standing::{is_far_outside, known_obstacle};
use crate::travel::{Destination, Journey, JourneyKind, TRAVEL_HOLD};

impl<P> Session<P> {
    /// Returns the places worth a visit: those with a name, or else landblocks with rooms from all over the world.
    pub fn destinations(&self) -> Arc<[Destination]> {
        Arc::clone(&self.destinations)
    }

    /// Sets out for a place. `label` names it in messages.
    ///
    /// The player arrives in a later frame, once the place is loaded.
    pub fn travel_to(&mut self, place: Place, label: String) {
        match Journey::to(place, label, JourneyKind::New) {
            Some(journey) => self.set_out(journey),
            None => {
                self.post_message(format!("{place}: there is no room to stand"));
                self.try_next_destination();
            }
        }
    }

    pub(super) fn set_out(&mut self, journey: Journey) {
        journey.hold(&mut self.world);
        self.journey = Some(journey);
    }

    /// Travels back to the previous place. During a journey along the history, to the place before its goal.
    pub fn go_back(&mut self) {
        self.step_in_history(false);
    }

    /// Travels forward again to the next place.
    pub fn go_forward(&mut self) {
        self.step_in_history(true);
    }

    fn step_in_history(&mut self, is_forward: bool) {
        if self.position().is_none() {
            return;
        }
        let from = match self.journey.as_ref().map(|journey| journey.kind) {
            // No place follows a new one. The place before it is where the player still is.
            Some(JourneyKind::New) if is_forward => return,
            Some(JourneyKind::New) => return self.end_journey(),
            Some(JourneyKind::Revisit(index)) => index,
            None => self.history.current,
        };
        let Some((to, at)) = self.history.neighbour(from, is_forward) else { return };
        if to == self.history.current {
            return self.end_journey();
        }
        let label = self.names.describe(at.cell, &at);
        if let Some(journey) = Journey::to(Place::Loc(at), label, JourneyKind::Revisit(to)) {
            self.set_out(journey);
        }
    }

    /// Returns the name of the place the player is travelling to; `None` without a journey.
    pub fn journey_label(&self) -> Option<&str> {
        self.journey.as_ref().map(|journey| journey.label.as_str())
    }

    /// Ends a journey once the player can be placed, or once it is known that it never can.
    pub(super) fn finish_journey(&mut self, frame: &mut FrameEvents) {
        let Some(journey) = self.journey.clone() else { return };
        if let Some(piece) = journey.awaited_piece(&self.world, &self.stream) {
            let Some(reason) = self.stream.absence_reason(piece).map(ToOwned::to_owned) else {
                return;
            };
            return self.give_up(&journey, &reason);
        }
        let from = self.position();
        let goal = self.choose_goal(&journey);
        let arrived = goal
            .and_then(|goal| self.place_player(&goal, frame).map_err(|error| error.to_string()));
        match arrived {
            Err(reason) => return self.give_up(&journey, &reason),
            Ok(at) => {
                self.history.note_arrival(journey.kind, from, at);
                self.camera.face(&at);
            }
        }
        self.end_journey();
    }

    /// Returns the first goal of a journey with room for the player, in the named cell if possible, or why there is none.
    fn choose_goal(&mut self, journey: &Journey) -> Result<Position, String> {
        let goals = journey.goals(&self.world);
        let Self { world, rules, scratch, player, .. } = self;
        let context = &mut MoveContext::new(world, *rules, scratch);
        let (mut elsewhere, mut reason) = (None, None);
        for goal in goals {
            if is_far_outside(context.world, &goal) {
                reason.get_or_insert_with(|| "the point is not in that room".to_owned());
                continue;
            }
            match player.try_place(context, &goal) {
                Ok(cell) if journey.named_cell().is_none_or(|named| named == cell) => {
                    return Ok(goal);
                }
                Ok(_) => elsewhere = elsewhere.or(Some(goal)),
                Err(error) => {
                    reason.get_or_insert_with(|| match known_obstacle(context.world, &goal) {
                        Some(obstacle) => obstacle.to_owned(),
                        None => error.to_string(),
                    });
                }
            }
        }
        let no_goal = || reason.unwrap_or_else(|| "there is no room to stand".to_owned());
        elsewhere.ok_or_else(no_goal)
    }

    /// Places the player at a position or near it. Returns its new position.
    pub(super) fn place_player(
        &mut self,
        goal: &Position,
        frame: &mut FrameEvents,
    ) -> Result<Position, PlacementError> {
        let Self { world, rules, scratch, now, .. } = self;
        let context = &mut MoveContext::new(world, *rules, scratch);
        let (at, events) = self.player.place(context, goal, *now)?;
        frame.arrived = true;
        self.journal.reset();
        // The impact of an arrival is meaningless: only changes of cell are followed.
        events.iter().for_each(|event| self.follow_cell(event, frame));
        Ok(at)
    }

    fn give_up(&mut self, journey: &Journey, reason: &str) {
        self.post_message(format!("{}: {reason}", journey.label));
        self.end_journey();
        self.try_next_destination();
    }

    fn end_journey(&mut self) {
        self.journey = None;
        self.world.release(TRAVEL_HOLD);
    }

    /// Before the first arrival there is nothing to draw, so the next destination is tried.
    fn try_next_destination(&mut self) {
        if self.position().is_some() || self.journey.is_some() {
            return;
        }
        let Some(next) = self.destinations.get(self.tried).cloned() else {
            return self.post_message("there is no other place to start at".to_owned());
        };
        self.tried += 1;
        self.post_message(format!("starting at {} instead", next.label));
        self.travel_to(next.place, next.label);
    }
}
