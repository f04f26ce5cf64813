//! Bodies of a realm: entering, moving and leaving.

use threshold_geom::Containment;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation, Sphere, adjust_to_outside};
use threshold_motion::{
    Body, Gait, Jump, MoveContext, Mover, Outcome, Refusal, Search, SightExclusions, Sweeper,
};
use threshold_world::{BodyId, BodySpec, Cell, Object, Water};

use super::size::{mover_to_place, sight_point};
use super::{BodyOptions, Realm, RealmError, RealmEvent, Spot};
use crate::realm::loading::HOLD_IDS;

/// Distance outside a room up to which a point counts as in it, in metres.
const ROOM_MARGIN: f32 = 0.5;

/// Largest multiple of a pace of a gait, and largest turn rate, in degrees per second.
const MAX_RATE: f32 = 15.0;
const MAX_TURN: f32 = 3600.0;
/// Largest part of an impulse, in metres per second.
const MAX_IMPULSE: f32 = 1000.0;
/// Largest distance between a spot and the place of a body that enters there, in metres.
const MAX_SHIFT: f32 = 4.0;
/// Distance from a spot within which a place counts as the spot, in metres.
const SAME_SPOT: f32 = 0.25;
/// Depth below the ground down to which a spot on land may lie, in metres: a place written with a rough height.
const MAX_BURIED: f32 = 2.0;

/// A body with a place that has been found for it.
pub(super) struct FoundPlace {
    pub(super) spec: BodySpec,
    pub(super) outcome: Outcome,
    pub(super) cell: CellId,
}

impl Realm {
    /// Places a body at a spot or near it, and returns its id: pushed out of walls, and onto the ground if that is within a step;
    /// from higher up it falls with the next ticks. Where the spot is taken, the body gets a place that is visible from it, at most
    /// four metres away; [`spawn_near`](Self::spawn_near) lets the caller choose how far.
    ///
    /// Outdoors the cell may be any land cell of the landblock ([`BlockId::cell`](threshold_land::BlockId::cell)`(1)`), and the
    /// point must not be below the ground; a room must contain the point.
    pub fn enter(
        &mut self,
        options: &BodyOptions,
        spot: impl Into<Spot>,
    ) -> Result<BodyId, RealmError> {
        let spot = spot.into();
        let id = BodyId(self.next_body);
        let spec = self.spec(id, options, &spot)?;
        self.with_land(id, options, spec.position, |realm| {
            let found = realm.find_place(spec, Search::Around)?;
            Ok(realm.insert(found, options))
        })
    }

    /// Moves a body to another spot or near it, as [`enter`](Self::enter) does. It keeps its velocity and loses its contacts.
    pub fn teleport(
        &mut self,
        body: BodyId,
        spot: impl Into<Spot>,
    ) -> Result<Position, RealmError> {
        let spot = spot.into();
        self.body(body)?;
        let before = *self.object(body)?.position();
        let options = self.entrants.get(&body).ok_or(RealmError::UnknownBody(body))?.clone();
        let spec = self.spec(body, &options, &spot)?;
        let placed = self.with_land(body, &options, spec.position, |realm| {
            let found = realm.find_place(spec, Search::Around)?;
            realm.move_to(body, found)
        });
        if placed.is_err() && options.holds_world {
            self.hold_around(body, &before);
            self.load_wanted();
        }
        placed
    }

    /// Removes a body from the realm and returns its last state.
    pub fn leave(&mut self, body: BodyId) -> Result<(Body, Object), RealmError> {
        self.body(body)?;
        let mut left = self.crowd.remove(body).ok_or(RealmError::UnknownBody(body))?;
        self.entrants.remove(&body);
        self.lost.retain(|lost| *lost != body);
        self.world.release(body.0);
        let gone = left.leave(&mut self.world).map_err(|_| RealmError::UnknownBody(body));
        let (object, events) = gone?;
        self.note_all(body, events);
        Ok((left, object))
    }

    /// Sets how a body moves by itself, from the next tick on. Its speed grows with the scale of the body. Multiples of a pace are at
    /// most 15: beyond, a quantum would be too long for one sweep, and the body would stand still.
    pub fn set_gait(&mut self, body: BodyId, gait: Gait) -> Result<(), RealmError> {
        let Gait { forward, sideways, turn, run_rate, .. } = gait;
        for (what, value, most) in [
            ("speed", forward, MAX_RATE),
            ("speed", sideways, MAX_RATE),
            ("turn rate", turn, MAX_TURN),
            ("run rate", run_rate, MAX_RATE),
        ] {
            check_finite(what, value)?;
            if value.abs() > most {
                let range = -f64::from(most)..=f64::from(most);
                return Err(RealmError::OutOfRange { what, value: value.into(), range });
            }
        }
        let now = self.now;
        let body = self.body_mut(body)?;
        body.gait = Some(gait);
        body.wake(now);
        Ok(())
    }

    /// Turns a body to a heading, in degrees to the right of north.
    pub fn face(&mut self, body: BodyId, heading: f32) -> Result<(), RealmError> {
        check_finite("heading", heading)?;
        self.body(body)?;
        let turned = self.world.turn(body, Rotation::from_heading(heading));
        turned.map_err(|_| RealmError::UnknownBody(body))
    }

    /// Turns a body towards a position; one straight above or below it changes nothing.
    pub fn face_towards(&mut self, body: BodyId, to: &Position) -> Result<(), RealmError> {
        if !to.frame.origin.is_finite() {
            return Err(not_finite("place", to.frame.origin));
        }
        self.body(body)?;
        let offset = self.object(body)?.position().offset_to(to);
        let Some(rotation) = Rotation::facing(offset.truncate().extend(0.0)) else { return Ok(()) };
        self.world.turn(body, rotation).map_err(|_| RealmError::UnknownBody(body))
    }

    /// Jumps: only a standing body can.
    pub fn jump(&mut self, body: BodyId, jump: &Jump) -> Result<(), RealmError> {
        for (what, value) in
            [("extent", jump.extent), ("jump skill", jump.skill), ("burden", jump.burden)]
        {
            check_finite(what, value)?;
        }
        let now = self.now;
        self.body(body)?;
        let found = self.crowd.get_mut(body).ok_or(RealmError::UnknownBody(body))?;
        let events = found.jump(&self.world, jump, now)?;
        self.note_all(body, events);
        Ok(())
    }

    /// Adds to the velocity of a body, in metres per second along the axes of its landblock. On the ground, only an impulse with an
    /// upward part lasts: the gait and friction take the rest, as in retail. The velocity of a body is at most 50 m/s.
    pub fn impulse(&mut self, body: BodyId, impulse: Vec3) -> Result<(), RealmError> {
        if !impulse.is_finite() {
            return Err(not_finite("impulse", impulse));
        }
        if impulse.abs().max_element() > MAX_IMPULSE {
            let (value, most) = (f64::from(impulse.abs().max_element()), f64::from(MAX_IMPULSE));
            return Err(RealmError::OutOfRange { what: "impulse", value, range: -most..=most });
        }
        let now = self.now;
        let body = self.body_mut(body)?;
        body.set_velocity(body.velocity + impulse, now);
        if impulse.z > 0.0 {
            body.stance.on_walkable = false;
        }
        Ok(())
    }

    fn body_mut(&mut self, body: BodyId) -> Result<&mut Body, RealmError> {
        self.body(body)?;
        self.crowd.get_mut(body).ok_or(RealmError::UnknownBody(body))
    }

    /// Describes a body of these options at a spot.
    pub(super) fn spec(
        &mut self,
        body: BodyId,
        options: &BodyOptions,
        spot: &Spot,
    ) -> Result<BodySpec, RealmError> {
        if !spot.at.is_finite() {
            return Err(not_finite("point", spot.at));
        }
        check_finite("heading", spot.heading)?;
        let BodyOptions { setup, scale, state, kind, .. } = *options;
        if !(scale.is_finite() && scale > 0.0) {
            return Err(RealmError::Scale(scale));
        }
        let position = on_land_cell(spot.position())?;
        let loaded = self.builder().setup(setup);
        let setup = loaded.map_err(|problem| RealmError::Setup { setup, problem })?;
        Ok(BodySpec { body, setup, position, scale, state, kind })
    }

    /// Holds the land around a position for a body while `place` runs, and goes on holding it if that succeeds.
    pub(super) fn with_land<T>(
        &mut self,
        body: BodyId,
        options: &BodyOptions,
        at: Position,
        place: impl FnOnce(&mut Self) -> Result<T, RealmError>,
    ) -> Result<T, RealmError> {
        self.hold_around(body, &at);
        self.load_wanted();
        let placed = place(self);
        if placed.is_err() || !options.holds_world {
            self.world.release(body.0);
        }
        placed
    }

    /// Finds a place for a body at its position or near it. Changes nothing.
    pub(super) fn find_place(
        &mut self,
        spec: BodySpec,
        search: Search,
    ) -> Result<FoundPlace, RealmError> {
        let at = spec.position;
        self.check_cell(&at)?;
        let mover = mover_to_place(&spec);
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let outcome = sweeper.place(&mut self.scratch, &mut (), &mover, &at, search);
        if let Some(why) = outcome.refused {
            return Err(RealmError::Refused { at, why });
        }
        // Without a cell the body would be in the world, but lost.
        let cell = outcome.cell.ok_or(RealmError::Nowhere(at))?;
        if !self.is_at_spot(&mover, &at, &outcome) {
            return Err(RealmError::Refused { at, why: Refusal::NoRoom });
        }
        Ok(FoundPlace { spec, outcome, cell })
    }

    /// Returns whether a place found is the spot itself, or near and visible from it. The search goes ring by ring and would put a body
    /// behind a wall or a closed door.
    fn is_at_spot(&mut self, mover: &Mover, spot: &Position, outcome: &Outcome) -> bool {
        let shift = spot.offset_to(&outcome.position);
        if shift.truncate().length() <= SAME_SPOT {
            return true;
        }
        let head = sight_point(&mover.shape);
        let [mut eye, mut seen] = [*spot, outcome.position];
        eye.frame.origin += head;
        seen.frame.origin += head;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let exclusions = SightExclusions { viewer: mover.body, target: None };
        let sight = sweeper.line_of_sight(&mut self.scratch, &eye, &seen, exclusions);
        shift.length() <= MAX_SHIFT && sight.is_clear()
    }

    /// Checks that a position names a loaded cell that can hold a body there.
    pub(super) fn check_cell(&self, position: &Position) -> Result<(), RealmError> {
        let (cell, at) = (position.cell, position.frame.origin);
        match self.world.cell(cell) {
            None if self.is_missing(cell) => Err(RealmError::NoSuchCell(cell)),
            None => Err(RealmError::NotLoaded(cell)),
            // On the floor, a point is at the border of its room.
            Some(Cell::Room(room)) => match room.sphere_inside(&Sphere::new(at, ROOM_MARGIN)) {
                Containment::Outside => Err(RealmError::OutsideRoom { room: cell, at }),
                _ => Ok(()),
            },
            Some(Cell::Land(land)) => match land.land().terrain().block_water() {
                Water::Entire => Err(RealmError::Sea(cell.block())),
                _ => match land.land().terrain().height(at.truncate()) {
                    Some(ground) if at.z < ground - MAX_BURIED => {
                        Err(RealmError::BelowGround { at: *position, ground })
                    }
                    _ => Ok(()),
                },
            },
        }
    }

    /// Inserts a body at the place found for it.
    pub(super) fn insert(&mut self, found: FoundPlace, options: &BodyOptions) -> BodyId {
        let FoundPlace { spec, outcome, .. } = found;
        let id = spec.body;
        let mut body = Body { gait: options.gait, ..Body::new(id) };
        if spec.setup.spheres.is_empty() {
            self.insert_resting(&mut body, spec, &outcome);
        } else {
            let context = &mut MoveContext::new(&mut self.world, self.rules, &mut self.scratch);
            let (_, events) = body.enter(context, spec, Search::Around, self.now);
            self.note_all(id, events);
        }
        self.crowd.insert(body);
        self.entrants.insert(id, options.clone());
        self.advance_next_body();
        id
    }

    /// Moves on to an id that no body has. Ids come again only after three thousand million bodies.
    fn advance_next_body(&mut self) {
        loop {
            self.next_body = (self.next_body + 1) % HOLD_IDS.start;
            if !self.entrants.contains_key(&BodyId(self.next_body)) {
                return;
            }
        }
    }

    /// Inserts a body without collision spheres. Sweeps do not move it, so it rests where the search with the size of its model has
    /// put it.
    fn insert_resting(&mut self, body: &mut Body, spec: BodySpec, outcome: &Outcome) {
        let (id, position) = (spec.body, outcome.position);
        self.world.insert_at(BodySpec { position, ..spec }, &outcome.cells, &outcome.missed);
        body.stance = outcome.stance;
        body.clock = self.now;
        body.awake = false;
        let event = threshold_motion::Event::CellChanged { from: None, to: outcome.cell };
        self.note(RealmEvent::Body { body: id, event });
    }

    /// Moves a body to the place found for it.
    fn move_to(&mut self, body: BodyId, found: FoundPlace) -> Result<Position, RealmError> {
        let FoundPlace { spec, outcome, cell, .. } = found;
        let moved = self.crowd.get_mut(body).ok_or(RealmError::UnknownBody(body))?;
        self.lost.retain(|lost| *lost != body);
        if spec.setup.spheres.is_empty() {
            let from = self.world.body(body).and_then(Object::cell);
            let to = Some(cell);
            moved.stance = outcome.stance;
            let at = outcome.position;
            let swept = self.world.move_swept(body, at, &outcome.cells, &outcome.missed);
            swept.map_err(|_| RealmError::UnknownBody(body))?;
            if from != to {
                let event = threshold_motion::Event::CellChanged { from, to };
                self.note(RealmEvent::Body { body, event });
            }
            return Ok(at);
        }
        let context = &mut MoveContext::new(&mut self.world, self.rules, &mut self.scratch);
        let placed = moved.teleport(context, &spec.position, self.now);
        let (outcome, events) = placed.map_err(|_| RealmError::UnknownBody(body))?;
        self.note_all(body, events);
        Ok(outcome.position)
    }
}

/// Returns an outdoor position with the land cell under it.
pub(super) fn on_land_cell(position: Position) -> Result<Position, RealmError> {
    if !position.cell.is_outdoor() {
        return Ok(position);
    }
    let outdoors = adjust_to_outside(position.cell, position.frame.origin);
    let (cell, origin) = outdoors.ok_or(RealmError::Nowhere(position))?;
    let mut position = Position { cell, ..position };
    position.frame.origin = origin;
    Ok(position)
}

pub(super) fn check_finite(what: &'static str, value: f32) -> Result<(), RealmError> {
    if value.is_finite() { Ok(()) } else { Err(not_finite(what, value)) }
}

pub(super) fn not_finite(what: &'static str, value: impl std::fmt::Display) -> RealmError {
    RealmError::NotFinite { what, value: value.to_string() }
}
