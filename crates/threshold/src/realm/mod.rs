//! A loaded world with its bodies, doors and clock.

mod bodies;
mod doors;
mod loading;
mod near;
mod options;
mod questions;
mod refusal;
mod size;
#[cfg(test)]
mod tests;
mod tick;

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::Source;
use threshold_land::Position;
use threshold_motion::rules::SlidingNormal;
use threshold_motion::{Body, Crowd, DoorState, Event, Rules, StateHash, SweepScratch};
use threshold_view::ViewScratch;
use threshold_world::{BodyId, Builder, EntryRules, Fault, Object, PieceId, World};

pub use self::loading::HoldId;
use self::loading::{LoadMode, Loader};
pub use self::options::{BodyOptions, Spot};
pub use self::refusal::{RealmError, SpotRefusals};
use crate::realm::doors::RealmDoors;

/// A world with everything that moves in it: bodies, doors, a clock, and the pieces loaded around them.
///
/// The realm hands out the ids of bodies, so no body can replace another. Every call that is not possible is refused with a
/// [`RealmError`] that says why in words, and then nothing has changed; a body that would be in no cell is never placed.
///
/// ```
/// use threshold::{BodyOptions, CellId, Gait, Realm, Spot, Vec3, forge};
///
/// let mut realm = Realm::around(forge::builtin(forge::SEED)?);
/// let square = Spot::new(CellId(0xA9B4_0001), Vec3::new(132.0, 92.0, 40.0)).facing(0.0);
/// let walker = realm.enter(&BodyOptions::player(), square)?;
/// for event in realm.walk(walker, Gait::walk(), 4.0)? {
///     event.of(walker).into_iter().for_each(|event| println!("{event:?}"));
/// }
/// assert!(realm.at(walker)?.cell.is_indoor(), "it has walked into the inn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Loading
///
/// | constructor | pieces are loaded |
/// |---|---|
/// | [`whole`](Self::whole) | all at once, and kept: for made worlds and small sources |
/// | [`around`](Self::around) | around bodies and [holds](Self::hold), within the call that needs them |
/// | [`by_caller`](Self::by_caller) | by the caller, on threads of its own: [`take_wanted`](Self::take_wanted), [`builder`](Self::builder), [`adopt`](Self::adopt) |
/// | `background`, with the feature `background` | by a thread of the realm |
///
/// With the first two the same calls give the same bits. With the last two it matters in which tick a piece arrives.
///
/// # Time
///
/// The clock stands at 0 until the first [`tick`](Self::tick), and moves with ticks only. All bodies are moved on all cores with the
/// feature `rayon`; the result has the same bits for any number of threads.
#[derive(Debug)]
pub struct Realm {
    world: World,
    rules: Rules,
    crowd: Crowd,
    doors: RealmDoors,
    loader: Loader,
    scratch: SweepScratch,
    sight: ViewScratch,
    /// Seconds.
    now: f64,
    next_body: u32,
    /// Options of the bodies that entered.
    entrants: BTreeMap<BodyId, BodyOptions>,
    /// Bodies to place again once their cell is loaded.
    lost: Vec<BodyId>,
    events: Vec<RealmEvent>,
    /// The events were returned by a tick, and are dropped before the next one.
    is_reported: bool,
}

/// What happened in a realm.
///
/// ```
/// use threshold::{BodyOptions, CellId, Event, Realm, RealmEvent, Spot, forge};
///
/// let mut realm = Realm::whole(forge::builtin(forge::SEED)?);
/// let taproom = CellId(0xA9B4_0106);
/// let player = realm.enter(&BodyOptions::player(), Spot::new(taproom, [132.0, 106.0, 40.2]))?;
/// let mut cell = None;
/// for event in realm.tick(0.0)? {
///     match event {
///         RealmEvent::Body { body, event: Event::CellChanged { to, .. } } if *body == player => {
///             cell = *to;
///         }
///         RealmEvent::Door { door, state } => println!("{door}: {state:?}"),
///         _ => {}
///     }
/// }
/// assert_eq!(cell, Some(taproom));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RealmEvent {
    /// An event of a body.
    Body {
        /// The body.
        body: BodyId,
        /// The event.
        event: Event,
    },
    /// A door began to open or close, or has come to rest.
    Door {
        /// The door.
        door: BodyId,
        /// Its new state.
        state: DoorState,
    },
    /// A piece of the world was loaded.
    Loaded(PieceId),
    /// A piece of the world was dropped, with its doors.
    Dropped(PieceId),
}

impl RealmEvent {
    /// Returns the event of a body; `None` if this is the event of another body, a door or a piece.
    pub fn of(&self, body: BodyId) -> Option<&Event> {
        match self {
            Self::Body { body: id, event } if *id == body => Some(event),
            _ => None,
        }
    }
}

impl Realm {
    /// Loads everything of a source, and keeps it. For made worlds and small sources; use [`around`](Self::around) for a retail
    /// installation.
    pub fn whole(source: impl Source + 'static) -> Self {
        let mut realm = Self::with_loader(Arc::new(source), LoadMode::Whole);
        for piece in realm.builder().pieces() {
            realm.build(piece);
        }
        realm
    }

    /// Loads pieces around bodies and holds as they are needed, before the call that needs them returns. A call may then take
    /// milliseconds for each landblock.
    pub fn around(source: impl Source + 'static) -> Self {
        Self::with_loader(Arc::new(source), LoadMode::Around)
    }

    /// Leaves building to the caller: [`take_wanted`](Self::take_wanted) names pieces, any thread builds them with
    /// [`builder`](Self::builder), and [`adopt`](Self::adopt) takes them between two ticks.
    ///
    /// ```
    /// use threshold::{BodyOptions, CellId, Realm, Spot, Vec3, forge};
    ///
    /// let mut realm = Realm::by_caller(forge::builtin(forge::SEED)?);
    /// let shore = Spot::new(CellId(0xA8B4_0033), Vec3::new(147.0, 69.0, 36.0));
    /// assert!(realm.enter(&BodyOptions::player(), shore).is_err(), "not loaded yet");
    /// let hold = realm.hold(&shore.position())?;
    /// while let [piece, ..] = realm.take_wanted()[..] {
    ///     let built = realm.builder().build(piece); // on any thread
    ///     realm.adopt(piece, built);
    ///     if realm.is_loaded(shore.cell) {
    ///         break;
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_caller(source: impl Source + 'static) -> Self {
        Self::with_loader(Arc::new(source), LoadMode::ByCaller)
    }

    fn with_loader(source: Arc<dyn Source>, mode: LoadMode) -> Self {
        let mut rules = Rules::default();
        rules.sliding_normal = SlidingNormal::Checked;
        Self {
            world: World::new(),
            rules,
            crowd: Crowd::new(),
            doors: RealmDoors::new(&source),
            loader: Loader::new(source, mode),
            scratch: SweepScratch::new(),
            sight: ViewScratch::new(),
            now: 0.0,
            next_body: 1,
            entrants: BTreeMap::new(),
            lost: Vec::new(),
            events: Vec::new(),
            is_reported: false,
        }
    }

    /// The world, as far as it is loaded.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Rules for disputed behaviour of the retail client. One of them is not at its default: `sliding_normal=checked`, so that a
    /// walker stopped head-on by a door continues once the door has opened.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Sets the rules for disputed behaviour.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Decides which movers may enter guarded cells, such as houses; without rules all may.
    pub fn set_entry_rules(&mut self, rules: Option<Arc<dyn EntryRules>>) {
        self.world.set_entry_rules(rules);
    }

    /// Sets how many landblocks the landscape extends around a body. The default of 5 gives 11 x 11 landblocks. Too small and a
    /// player sees the edge of the landscape; memory and loading time grow with the square. A server that draws nothing does well
    /// with 1.
    pub fn set_landscape_radius(&mut self, radius: u8) {
        self.world.set_landscape_radius(radius);
        self.load_wanted();
    }

    /// The time of the last tick, in seconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// The builder, which makes pieces of the world from records. Any number of threads may share it.
    pub fn builder(&self) -> &Arc<Builder> {
        self.loader.builder()
    }

    /// The pieces, or parts of them, that were left out because a record cannot be used.
    pub fn faults(&self) -> &[Fault] {
        self.loader.faults()
    }

    /// Takes the errors of records of doors that could not be read since the last call.
    pub fn take_door_faults(&mut self) -> Vec<String> {
        self.doors.setups.take_faults()
    }

    /// The bodies that entered, sorted by id. Doors are not among them.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.crowd.bodies()
    }

    /// Returns a body that entered: velocity, stance and clock. What moves is its `actual_velocity`; `velocity` is that of jumps and
    /// falls, and zero for a walker.
    pub fn body(&self, body: BodyId) -> Result<&Body, RealmError> {
        self.crowd.get(body).ok_or_else(|| self.doors.refusal_of_body(body))
    }

    /// Returns the object of a body or door: position, shape, state and cells.
    pub fn object(&self, body: BodyId) -> Result<&Object, RealmError> {
        self.world.body(body).ok_or_else(|| match self.doors.refusal_of_body(body) {
            RealmError::IsDoor(door) => RealmError::DoorNotLoaded(door),
            other => other,
        })
    }

    /// Returns the position of a body or door.
    pub fn at(&self, body: BodyId) -> Result<Position, RealmError> {
        self.object(body).map(|object| *object.position())
    }

    /// Returns a hash of the state of all bodies and doors, clocks included: realms that are equal to the bit have equal hashes, and
    /// those that are not, different ones. What is loaded without bodies and doors plays no part.
    pub fn hash(&self) -> StateHash {
        let mut hash = self.crowd.hash(&self.world);
        self.doors.add_to(&mut hash);
        hash
    }

    /// Returns the events that the next [`tick`](Self::tick) will return first; after a tick, those that it returned.
    pub fn events(&self) -> &[RealmEvent] {
        &self.events
    }

    /// Adds an event, after dropping those that a tick has returned.
    fn note(&mut self, event: RealmEvent) {
        if std::mem::take(&mut self.is_reported) {
            self.events.clear();
        }
        self.events.push(event);
    }

    fn note_all(&mut self, body: BodyId, events: impl IntoIterator<Item = Event>) {
        events.into_iter().for_each(|event| self.note(RealmEvent::Body { body, event }));
    }
}
