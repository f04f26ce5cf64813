//! Moving everything through time.

use threshold_motion::{Event, Gait, MoveContext};
use threshold_world::BodyId;

use super::{Realm, RealmError, RealmEvent};

/// Ticks per second of [`Realm::walk`].
const TICK_RATE: f64 = 30.0;
/// Longest time that doors turn in one tick, in seconds: after a pause they do not jump.
const MAX_DOOR_STEP: f64 = 2.0;
/// Largest time of a tick, in seconds: three hundred years. Later, a clock no longer tells milliseconds apart.
const MAX_TIME: f64 = 1e10;
/// Longest time of one [`Realm::walk`], in seconds: a day.
const MAX_WALK_TIME: f64 = 86_400.0;

impl Realm {
    /// Moves all bodies and doors to a time, in seconds, and returns what happened since the last tick, in order: first the events of
    /// calls between the ticks, then pieces that were loaded, doors, bodies quantum by quantum by id, and pieces that were
    /// dropped.
    ///
    /// The time may start anywhere, but must not go back. A pause of more than two seconds is dropped, as in retail, which does not
    /// catch up: bodies stay where they are, and doors turn for two seconds.
    pub fn tick(&mut self, now: f64) -> Result<&[RealmEvent], RealmError> {
        if !now.is_finite() {
            return Err(super::bodies::not_finite("time", now));
        }
        if now.abs() > MAX_TIME {
            let range = -MAX_TIME..=MAX_TIME;
            return Err(RealmError::OutOfRange { what: "time", value: now, range });
        }
        if now < self.now {
            return Err(RealmError::Backwards { now: self.now, to: now });
        }
        let dt = (now - self.now).min(MAX_DOOR_STEP);
        self.now = now;
        // An empty tick, too, ends what the last one returned.
        if std::mem::take(&mut self.is_reported) {
            self.events.clear();
        }
        #[cfg(feature = "background")]
        self.exchange_pieces();
        self.load_wanted();
        #[allow(clippy::cast_possible_truncation, reason = "up to two seconds")]
        self.turn_doors(dt as f32);
        self.recover_lost();
        self.move_bodies();
        self.load_wanted();
        self.drop_unheld();
        self.is_reported = true;
        Ok(&self.events)
    }

    /// Sets the gait of a body, ticks thirty times a second for `seconds`, up to a day, and returns all events. For programs without
    /// a clock of their own; with [`Gait::stand`] the body waits, or falls.
    pub fn walk(
        &mut self,
        body: BodyId,
        gait: Gait,
        seconds: f64,
    ) -> Result<Vec<RealmEvent>, RealmError> {
        if !(0.0..=MAX_WALK_TIME).contains(&seconds) {
            let range = 0.0..=MAX_WALK_TIME;
            return Err(RealmError::OutOfRange { what: "duration", value: seconds, range });
        }
        self.set_gait(body, gait)?;
        let (start, mut events, mut ticks) = (self.now, Vec::new(), 0.0);
        while ticks < seconds * TICK_RATE {
            ticks += 1.0;
            // Counted from the start, so that rounding does not add up.
            events.extend_from_slice(self.tick(start + (ticks / TICK_RATE).min(seconds))?);
        }
        Ok(events)
    }

    fn turn_doors(&mut self, dt: f32) {
        let context = &mut MoveContext::new(&mut self.world, self.rules, &mut self.scratch);
        let changes = self.doors.advance(context, dt);
        changes.into_iter().for_each(|(door, state)| self.note(RealmEvent::Door { door, state }));
    }

    /// Places lost bodies again whose cell is loaded.
    fn recover_lost(&mut self) {
        for body in std::mem::take(&mut self.lost) {
            let Some(found) = self.crowd.get_mut(body) else { continue };
            let context = &mut MoveContext::new(&mut self.world, self.rules, &mut self.scratch);
            let recovered = found.recover(context, self.now);
            if let Ok(Some((_, events))) = recovered {
                self.note_all(body, events);
            }
            if self.world.body(body).is_some_and(threshold_world::Object::is_lost) {
                self.lost.push(body);
            }
        }
    }

    fn move_bodies(&mut self) {
        let Self { crowd, world, rules, entrants, lost, events, now, loader, .. } = self;
        for (body, event) in crowd.update(world, *rules, *now) {
            match event {
                // Without a new cell, the pieces around the last one stay held.
                Event::CellChanged { to: Some(_), .. } => {
                    let holds = entrants.get(body).is_some_and(|options| options.holds_world);
                    let at = world.body(*body).map(|object| *object.position());
                    if let Some(at) = at.filter(|_| holds && !loader.is_whole()) {
                        world.hold_at(body.0, &at);
                    }
                }
                Event::Lost { .. } => lost.push(*body),
                _ => {}
            }
            events.push(RealmEvent::Body { body: *body, event: *event });
        }
    }
}
