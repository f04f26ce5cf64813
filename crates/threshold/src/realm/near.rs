//! Places near a point: for dropped items and for spawns.

use threshold_land::Position;
use threshold_land::vector::Vec2;
use threshold_motion::{
    Mover, Outcome, SIGHT_RADIUS, Search, Sight, SightExclusions, Stance, Sweeper, TouchedObject,
};
use threshold_world::{BodyId, BodySpec};

use super::bodies::FoundPlace;
use super::refusal::SpotRefusals;
use super::size::{lowest, mover_to_place, sight_point};
use super::{BodyOptions, Realm, RealmError, Spot};

/// Largest distance of a dropped item from the feet of its dropper, in metres. Too small and nothing can be dropped in a corner; too
/// large and the item lies out of reach.
const DROP_REACH: f32 = 2.0;
/// Distance between two rings of places, in metres.
const RING_STEP: f32 = 0.3;
/// Places on a ring. The first is straight ahead, the others follow to the right and to the left in turn.
const RING_PLACES: u8 = 12;
/// Height over the feet of a point from which a place must be visible, in metres, where no body looks.
const SIGHT_HEIGHT: f32 = 1.2;
/// Height over the feet from which ground is looked for, and depth below them down to which, in metres.
const MAX_RISE: f32 = 1.0;
const MAX_DROP: f32 = 2.5;
/// Largest distance of [`Realm::spawn_near`], in metres: a few thousand places are tried.
const MAX_REACH: f32 = 50.0;
/// Length of one sweep of a fall, in radii of the mover, and at least, in metres. Too long and the sweep of a small mover is refused;
/// too short and a fall takes many sweeps.
const FALL_RADII: f32 = 20.0;
const MIN_FALL: f32 = 0.02;
/// Gap that is left between two bodies, in metres.
const GAP: f32 = 0.05;

/// A point with a place wanted near it.
#[derive(Clone, Copy)]
struct Around {
    /// The point on the ground, with the heading of the first place.
    feet: Position,
    /// Point from which the place must be visible.
    eye: Position,
    /// Distance of the first ring, in metres; 0 tries the point itself.
    first: f32,
    reach: f32,
    exclusions: SightExclusions,
}

/// Reason why a place is not good.
enum SpotRefusal {
    Hidden,
    NoRoom,
    NoGround,
    NotLoaded,
}

impl Realm {
    /// Puts a new body on the ground near another body, and returns its id: straight ahead if possible, within two metres, visible to
    /// the other body, and with the item's own size neither in a wall nor in another object. An item without collision spheres has
    /// the size of its model.
    ///
    /// Refused with the number of places tried and why each was bad.
    pub fn drop_near(&mut self, body: BodyId, item: &BodyOptions) -> Result<BodyId, RealmError> {
        self.body(body)?;
        let object = self.object(body)?;
        if object.is_lost() {
            return Err(RealmError::Lost(body));
        }
        let (feet, shape) = (*object.position(), Mover::from_object(object).shape);
        let mut eye = feet;
        eye.frame.origin += sight_point(&shape);
        let first = shape.spheres().iter().map(|sphere| sphere.radius).fold(0.0, f32::max);
        let exclusions = SightExclusions { viewer: Some(body), target: None };
        self.put_near(item, Around { feet, eye, first, reach: DROP_REACH, exclusions })
    }

    /// Puts a new body on the ground at a spot or within `reach` metres of it, visible from it, and with its own size neither in a wall
    /// nor in another object. The spot need not have room itself, but it must be in its cell. The reach is at most 50 metres.
    pub fn spawn_near(
        &mut self,
        options: &BodyOptions,
        spot: impl Into<Spot>,
        reach: f32,
    ) -> Result<BodyId, RealmError> {
        if !(0.0..=MAX_REACH).contains(&reach) {
            let range = 0.0..=f64::from(MAX_REACH);
            return Err(RealmError::OutOfRange { what: "reach", value: reach.into(), range });
        }
        let spec = self.spec(BodyId(self.next_body), options, &spot.into())?;
        let feet = spec.position;
        let mut eye = feet;
        eye.frame.origin.z += SIGHT_HEIGHT;
        let exclusions = SightExclusions::default();
        self.put_near(options, Around { feet, eye, first: 0.0, reach, exclusions })
    }

    fn put_near(&mut self, options: &BodyOptions, around: Around) -> Result<BodyId, RealmError> {
        let id = BodyId(self.next_body);
        let spec = self.spec(id, options, &Spot::from(around.feet))?;
        self.with_land(id, options, around.feet, |realm| {
            realm.check_cell(&around.feet)?;
            let found = realm.find_near(&spec, &around)?;
            Ok(realm.insert(found, options))
        })
    }

    fn find_near(&mut self, spec: &BodySpec, around: &Around) -> Result<FoundPlace, RealmError> {
        // Tested as a solid, so that even an item that blocks nothing does not lie in another one.
        let mover = Mover { body: None, ..Mover::new(mover_to_place(spec).shape) };
        let radius = mover.shape.spheres().iter().map(|sphere| sphere.radius).fold(0.0, f32::max);
        let first = if around.first > 0.0 { around.first + radius + GAP } else { 0.0 };
        let mut refusals = SpotRefusals::default();
        for offset in ring_places(first, around.reach) {
            match self.try_near(&mover, around, offset) {
                Ok(outcome) => {
                    let position = outcome.position;
                    let spec = BodySpec { position, ..spec.clone() };
                    if let Ok(found) = self.settled(spec, outcome) {
                        return Ok(found);
                    }
                    refusals.no_room += 1;
                }
                Err(SpotRefusal::Hidden) => refusals.hidden += 1,
                Err(SpotRefusal::NoRoom) => refusals.no_room += 1,
                Err(SpotRefusal::NoGround) => refusals.no_ground += 1,
                Err(SpotRefusal::NotLoaded) => refusals.not_loaded += 1,
            }
        }
        Err(RealmError::NoSpot { near: around.feet, reach: around.reach, refusals })
    }

    /// Tests one place: visible at its height, with ground below, with room, and visible there.
    fn try_near(
        &mut self,
        mover: &Mover,
        around: &Around,
        offset: Vec2,
    ) -> Result<Outcome, SpotRefusal> {
        let Around { feet, eye, .. } = around;
        let offset = feet.frame.rotation.rotate(offset.extend(0.0));
        // Over the place, at the height of the eye: the sweep there carries the cell along.
        let mut over = *eye;
        over.frame.origin += offset;
        let over = self.swept_to(eye, &over, around)?;
        let mut start = over;
        start.frame.origin.z = feet.frame.origin.z + MAX_RISE - lowest(&mover.shape);
        start.frame.rotation = feet.frame.rotation;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let placed = sweeper.place(&mut self.scratch, &mut (), mover, &start, Search::Here);
        let cell = match (placed.refused, placed.cell) {
            (Some(_), _) => return Err(SpotRefusal::NoRoom),
            (None, None) => return Err(SpotRefusal::NotLoaded),
            (None, Some(cell)) => cell,
        };
        let start = Position { cell, ..placed.position };
        let fallen = self.fall(mover, start);
        let is_on_body = fallen.objects.iter().any(is_solid_body);
        if !fallen.is_ok() || !fallen.stance.on_walkable || is_on_body {
            return Err(if is_on_body { SpotRefusal::NoRoom } else { SpotRefusal::NoGround });
        }
        let landed =
            Position { cell: fallen.cell.ok_or(SpotRefusal::NotLoaded)?, ..fallen.position };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let mut settled = sweeper.place(&mut self.scratch, &mut (), mover, &landed, Search::Here);
        if !settled.is_ok() || settled.cell.is_none() {
            return Err(SpotRefusal::NoRoom);
        }
        let moved = around.feet.offset_to(&settled.position).truncate().length();
        if moved > around.reach || !settled.stance.on_walkable {
            return Err(SpotRefusal::NoGround);
        }
        let mut middle = settled.position;
        middle.frame.origin += sight_point(&mover.shape);
        self.swept_to(eye, &middle, around)?;
        settled.stance = Stance { sliding: false, ..settled.stance };
        Ok(settled)
    }

    /// Lets a mover fall from a position until it lands or meets something, in sweeps that are short enough for its size: one sweep
    /// has a limited number of sub-steps of about its radius.
    fn fall(&mut self, mover: &Mover, start: Position) -> Outcome {
        let radius = mover.shape.spheres()[0].radius;
        let longest = (radius * FALL_RADII).max(MIN_FALL);
        let mut left = MAX_RISE + MAX_DROP;
        let mut from = start;
        loop {
            let mut end = from;
            end.frame.origin.z -= left.min(longest);
            left -= longest;
            let sweeper = Sweeper { world: &self.world, rules: self.rules };
            let fallen = sweeper.sweep(&mut self.scratch, &mut (), mover, &from, &end);
            let is_free = fallen.is_ok() && !fallen.stance.contact && fallen.hit.is_none();
            match fallen.cell {
                Some(cell) if is_free && left > 0.0 => {
                    from = Position { cell, ..fallen.position };
                }
                _ => return fallen,
            }
        }
    }

    /// Returns the end of a clear line of sight, in the cell where it ends.
    fn swept_to(
        &mut self,
        eye: &Position,
        to: &Position,
        around: &Around,
    ) -> Result<Position, SpotRefusal> {
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        match sweeper.line_of_sight(&mut self.scratch, eye, to, around.exclusions) {
            Sight::Clear => {}
            Sight::Unknown(_) => return Err(SpotRefusal::NotLoaded),
            _ => return Err(SpotRefusal::Hidden),
        }
        let viewer = Mover { body: around.exclusions.viewer, ..Mover::viewer(SIGHT_RADIUS) };
        let outcome = sweeper.sweep_camera(&mut self.scratch, &mut (), &viewer, eye, to);
        let cell = outcome.cell.ok_or(SpotRefusal::NotLoaded)?;
        Ok(Position { cell, ..outcome.position })
    }

    /// Returns the body at the place found. One with collision spheres is tested once more as what it is.
    fn settled(&mut self, spec: BodySpec, outcome: Outcome) -> Result<FoundPlace, RealmError> {
        if !spec.setup.spheres.is_empty() {
            return self.find_place(spec, Search::Here);
        }
        let cell = outcome.cell.ok_or(RealmError::Nowhere(spec.position))?;
        Ok(FoundPlace { spec, outcome, cell })
    }
}

fn is_solid_body(touched: &TouchedObject) -> bool {
    touched.blocking && touched.object.as_body().is_some()
}

/// Returns offsets from a point, x to the right and y ahead: ring after ring, from the one ahead to the one behind.
fn ring_places(first: f32, reach: f32) -> impl Iterator<Item = Vec2> {
    let centre = (first == 0.0).then_some(Vec2::ZERO);
    // What is too large for the first ring is tried on the last one, to be refused with a reason.
    let start = if first == 0.0 { RING_STEP } else { first.min(reach) };
    let rings = std::iter::successors(Some(start), |ring| Some(ring + RING_STEP));
    let rings = rings.take_while(move |ring| *ring <= reach);
    let places = rings.flat_map(|ring| {
        (0..RING_PLACES).map(move |place| {
            let turn = f32::from(place.div_ceil(2)) * 360.0 / f32::from(RING_PLACES);
            let turn = if place % 2 == 0 { -turn } else { turn }.to_radians();
            Vec2::new(libm::sinf(turn), libm::cosf(turn)) * ring
        })
    });
    centre.into_iter().chain(places)
}
