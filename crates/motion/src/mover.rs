//! What moves.

use smallvec::SmallVec;
use threshold_geom::is_valid_walkable;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, EPSILON, Plane, Sphere};
use threshold_world::{BodyId, BodySpec, Object, ObjectId, ObjectKind, Setup, State};

use crate::constants::{DUMMY_SPHERE, MAX_SPHERES};
use crate::flags::Flags;

/// The shape with which something moves: one sphere at the feet or two, and how high it steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoverShape {
    spheres: [Sphere; MAX_SPHERES],
    count: usize,
    /// How high it steps up, in metres.
    pub step_up: f32,
    /// How far it steps down, in metres.
    pub step_down: f32,
}

/// A mover, as a sweep sees it: everything about it that decides where a move ends.
///
/// Retail: `OBJECTINFO`, and what `CPhysicsObj::get_object_info` hands to a transition.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// Its own body in the world, which is not in its way.
    pub body: Option<BodyId>,
    /// With what it moves.
    pub shape: MoverShape,
    /// Its physics state; gravity, missiles, ethereal things and edge slides are told by it.
    pub state: State,
    /// What it is to others.
    pub kind: ObjectKind,
    /// What it stands on and slides along.
    pub stance: Stance,
    /// In metres a second: who rises from the ground has left it.
    pub velocity: Vec3,
    /// What a missile is aimed at.
    pub target: Option<ObjectId>,
    /// Another object that is not in its way, as what is looked at does not hide itself.
    pub passes: Option<ObjectId>,
    /// What holds besides what state and stance say, as for a camera. Whether it stands on something is for the
    /// stance alone to say.
    pub flags: Flags,
    /// It is nowhere: every sweep is refused.
    pub lost: bool,
}

/// What a mover stands on and slides along: what one sweep leaves to the next.
///
/// A plane or normal beside a flag that is off is still read here and there, as in retail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// It stands on [`plane`](Self::plane). Retail: `CONTACT`.
    pub contact: bool,
    /// What it stands on is not too steep. Retail: `ON_WALKABLE`.
    pub on_walkable: bool,
    /// What it stands on, or last stood on, in the frame of the landblock of `plane_cell`.
    pub plane: Plane,
    /// Where that is; 0 for nowhere.
    pub plane_cell: CellId,
    /// The plane is water or a round or capped top, which never pushes the mover up. Retail:
    /// `WATER_CONTACT`.
    pub water: bool,
    /// It has run into something whose [`normal`](Self::sliding_normal) it slides along. Retail: `SLIDING`.
    pub sliding: bool,
    /// Level and of unit length, or zero.
    pub sliding_normal: Vec3,
    /// For how many moves it has been falling without moving.
    pub stationary: Stationary,
}

/// Marks of a body that falls and does not move. Bits and not a count: a first mark does not take away the
/// second. Retail: `STATIONARY_FALL`, `STATIONARY_STOP` and `STATIONARY_STUCK`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stationary {
    /// It did not move.
    pub fall: bool,
    /// It did not move twice; its velocity was taken away.
    pub stop: bool,
    /// It is held where it is.
    pub stuck: bool,
}

impl Default for Stance {
    /// In the air; nothing is known.
    fn default() -> Self {
        Self {
            contact: false,
            on_walkable: false,
            plane: Plane { normal: Vec3::ZERO, d: 0.0 },
            plane_cell: CellId(0),
            water: false,
            sliding: false,
            sliding_normal: Vec3::ZERO,
            stationary: Stationary::default(),
        }
    }
}

impl Stance {
    /// StandResult on a plane in the frame of the landblock of `cell`.
    pub fn on(plane: Plane, cell: CellId) -> Self {
        let on_walkable = is_valid_walkable(plane.normal);
        Self { contact: true, on_walkable, plane, plane_cell: cell, ..Self::default() }
    }

    /// Whether its plane and its normal are made of finite numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let Self { plane, sliding_normal, .. } = self;
        plane.normal.is_finite() && plane.d.is_finite() && sliding_normal.is_finite()
    }

    /// StandResult on nobody knows what: the zero plane, handed over as if it were one.
    pub fn standing() -> Self {
        Self { contact: true, on_walkable: true, ..Self::default() }
    }
}

impl Stationary {
    /// Where the count of a sweep begins.
    pub(crate) fn count(self) -> u8 {
        match self {
            Self { stuck: true, .. } => 3,
            Self { stop: true, .. } => 2,
            Self { fall: true, .. } => 1,
            _ => 0,
        }
    }
}

impl MoverShape {
    /// The shape of a setup, scaled. What has no sphere gets a small one at its feet. The step heights of a bare model,
    /// which has no setup, are not scaled.
    ///
    /// Retail: `SPHEREPATH::init_sphere`.
    pub fn of(setup: &Setup, scale: f32) -> Self {
        let scaled = |s: &Sphere| Sphere::new(s.centre * scale, s.radius * scale);
        let spheres: SmallVec<[_; MAX_SPHERES]> =
            setup.spheres.iter().take(MAX_SPHERES).map(scaled).collect();
        let steps = if setup.is_bare_model() { 1.0 } else { scale };
        Self::new(&spheres, setup.step_up * steps, setup.step_down * steps)
    }

    /// The first two of these spheres, in the mover's own space; without any a small one at its feet.
    pub fn new(spheres: &[Sphere], step_up: f32, step_down: f32) -> Self {
        let first = spheres.first().copied().unwrap_or(DUMMY_SPHERE);
        let second = spheres.get(1).copied().unwrap_or(first);
        let count = spheres.len().clamp(1, MAX_SPHERES);
        Self { spheres: [first, second], count, step_up, step_down }
    }

    /// One or two; the first is at the feet.
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres[..self.count]
    }

    /// Whether it is made of finite numbers, and no radius is negative.
    pub(crate) fn is_usable(&self) -> bool {
        let steps = self.step_up.is_finite() && self.step_down.is_finite();
        steps && self.spheres.iter().all(is_usable)
    }

    pub(crate) fn has_head(&self) -> bool {
        self.count > 1
    }

    pub(crate) fn both(&self) -> &[Sphere; MAX_SPHERES] {
        &self.spheres
    }
}

/// Whether a sphere is made of numbers, and not of negative size.
pub(crate) fn is_usable(sphere: &Sphere) -> bool {
    sphere.centre.is_finite() && sphere.radius.is_finite() && sphere.radius >= 0.0
}

impl Mover {
    /// Something of this shape that is nothing special, in the air.
    pub fn new(shape: MoverShape) -> Self {
        Self {
            body: None,
            shape,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::None,
            stance: Stance::default(),
            velocity: Vec3::ZERO,
            target: None,
            passes: None,
            flags: Flags::NONE,
            lost: false,
        }
    }

    /// What an object of the world is as a mover.
    pub fn of(object: &Object) -> Self {
        let setup = object.setup();
        Self {
            body: object.id().as_body(),
            state: object.state(),
            kind: object.kind(),
            flags: Flags::NONE.with(Flags::FREE_ROTATE, setup.free_heading),
            lost: object.is_lost(),
            ..Self::new(MoverShape::of(setup, object.scale()))
        }
    }

    /// A camera: a sphere round its eye, which is where its position is. Nothing pulls at it, it turns at once, and it
    /// ends at the first thing it meets; creatures and missiles are not there for it.
    ///
    /// Retail: `init_object` with 0x5C and `viewer_sphere`, whose radius is [`VIEWER_RADIUS`](crate::VIEWER_RADIUS).
    pub fn viewer(radius: f32) -> Self {
        let shape = MoverShape::new(&[Sphere::new(Vec3::ZERO, radius)], 0.0, 0.0);
        Self { state: State::default(), flags: Flags::CAMERA, ..Self::new(shape) }
    }

    /// What a body will be as a mover once it is in the world.
    pub fn of_spec(spec: &BodySpec) -> Self {
        let BodySpec { body, setup, scale, state, kind, .. } = spec;
        Self {
            body: Some(*body),
            state: *state,
            kind: *kind,
            flags: Flags::NONE.with(Flags::FREE_ROTATE, setup.free_heading),
            ..Self::new(MoverShape::of(setup, *scale))
        }
    }

    /// Whether it stands on something that it is not rising from. Retail: `CPhysicsObj::check_contact`.
    pub(crate) fn stands(&self) -> bool {
        self.stance.contact && self.velocity.dot(self.stance.plane.normal) <= EPSILON
    }

    /// What a sweep starts with. Retail: `CPhysicsObj::get_object_info`.
    pub(crate) fn object_info(&self) -> Flags {
        let when = |flag: Flags, holds: bool| Flags::NONE.with(flag, holds);
        let of_state = when(Flags::EDGE_SLIDE, self.state.has(State::EDGE_SLIDE))
            | when(Flags::PATH_CLIPPED, self.is_missile());
        (self.flags | of_state)
            .with(Flags::CONTACT, self.stands())
            .with(Flags::ON_WALKABLE, self.stands() && self.stance.on_walkable)
    }

    pub(crate) fn is_missile(&self) -> bool {
        self.state.has(State::MISSILE)
    }

    /// Whether it passes another object, of this state, without noticing it, being a missile. Retail:
    /// `OBJECTINFO::missile_ignore`.
    pub(crate) fn ignores(&self, other: &Object, state: State) -> bool {
        if state.has(State::MISSILE) {
            return true;
        }
        if !self.is_missile() || self.target == Some(other.id()) {
            return false;
        }
        let aimed_past = self.target.is_some() && other.kind().is_creature();
        other.kind() != ObjectKind::None && (state.has(State::ETHEREAL) || aimed_past)
    }
}
