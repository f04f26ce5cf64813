//! What counts for a query.

use threshold_world::{Object, ObjectId, ObjectKind, State};

/// What counts for a query: kinds of surfaces, and objects by kind, state and id.
///
/// The default counts everything that stops a mover: ground, rooms, shells of buildings, and objects
/// that are not ethereal.
///
/// ```
/// use threshold_query::{ObjectKinds, QueryFilter};
/// use threshold_world::{BodyId, ObjectId, State};
///
/// let own = [ObjectId::body(BodyId(7))];
/// let creatures = QueryFilter::objects(ObjectKinds::CREATURES).without(&own);
/// assert!(!creatures.ground && !creatures.rooms && !creatures.shells);
/// let falling = QueryFilter { required: State::GRAVITY, ..QueryFilter::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryFilter<'a> {
    /// Whether the ground counts.
    pub ground: bool,
    /// Whether walls, floors and ceilings of rooms count.
    pub rooms: bool,
    /// Whether shells of buildings count.
    pub shells: bool,
    /// Which kinds of objects count.
    pub kinds: ObjectKinds,
    /// Flags that an object must have, all of them.
    pub required: State,
    /// Flags of which an object may have none.
    pub forbidden: State,
    /// If present, only these objects count.
    pub only: Option<&'a [ObjectId]>,
    /// Objects that do not count, such as the one that asks. Each object near is compared with each
    /// of them.
    pub except: &'a [ObjectId],
    /// Whether polygons with one side are hit from behind, too. By default a cast passes them from
    /// behind, as movers do.
    pub both_sides: bool,
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        Self {
            ground: true,
            rooms: true,
            shells: true,
            kinds: ObjectKinds::ALL,
            required: State(0),
            forbidden: State::ETHEREAL,
            only: None,
            except: &[],
            both_sides: false,
        }
    }
}

impl<'a> QueryFilter<'a> {
    /// Ground, rooms and shells, and no objects.
    pub fn surfaces() -> Self {
        Self { kinds: ObjectKinds::NONE, ..Self::default() }
    }

    /// Objects of these kinds, and no surfaces. Ethereal ones, such as dropped items, do not count:
    /// see [`with_ethereal`](Self::with_ethereal).
    pub fn objects(kinds: ObjectKinds) -> Self {
        Self { ground: false, rooms: false, shells: false, kinds, ..Self::default() }
    }

    /// The same, with ethereal objects: dropped items, ghosts, open doors.
    #[must_use]
    pub fn with_ethereal(self) -> Self {
        Self { forbidden: State(self.forbidden.0 & !State::ETHEREAL.0), ..self }
    }

    /// The same, without these objects.
    #[must_use]
    pub fn without<'b>(self, except: &'b [ObjectId]) -> QueryFilter<'b>
    where
        'a: 'b,
    {
        QueryFilter { except, ..self }
    }

    /// Returns whether an object counts.
    pub fn accepts(&self, object: &Object) -> bool {
        let (id, state) = (object.id(), object.state());
        self.kinds.has(ObjectKinds::of(object))
            && state.has(self.required)
            && state.0 & self.forbidden.0 == 0
            && self.only.is_none_or(|only| only.contains(&id))
            && !self.except.contains(&id)
    }
}

/// Kinds of objects, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjectKinds(pub u8);

impl ObjectKinds {
    /// No kind.
    pub const NONE: Self = Self(0);
    /// Scenery: trees, rocks and the like, placed by the terrain.
    pub const SCENERY: Self = Self(1);
    /// Objects of the records of landblocks and rooms, and bodies without a kind.
    pub const STATIC: Self = Self(2);
    /// Items, doors and other inanimate bodies.
    pub const THINGS: Self = Self(4);
    /// Creatures, without players.
    pub const CREATURES: Self = Self(8);
    /// Players.
    pub const PLAYERS: Self = Self(16);
    /// All kinds.
    pub const ALL: Self = Self(31);

    /// Returns the kind of an object.
    pub fn of(object: &Object) -> Self {
        match object.kind() {
            ObjectKind::Thing => Self::THINGS,
            ObjectKind::Creature => Self::CREATURES,
            ObjectKind::Player(_) => Self::PLAYERS,
            _ if object.id().is_scenery() => Self::SCENERY,
            _ => Self::STATIC,
        }
    }

    /// Returns the kinds of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether all kinds of `other` are in the set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
