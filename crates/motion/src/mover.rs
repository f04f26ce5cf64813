//! Movers: shape, state and stance.

use smallvec::SmallVec;
use threshold_geom::is_valid_walkable;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, EPSILON, Plane, Sphere};
use threshold_world::{BodyId, BodySpec, Object, ObjectId, ObjectKind, Setup, State};

use crate::constants::{DUMMY_SPHERE, MAX_SPHERES};
use crate::flags::Flags;

/// Shape of a mover: one sphere at the feet, or a second one at the head, and the step heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoverShape {
    spheres: [Sphere; MAX_SPHERES],
    count: usize,
    /// Maximum height of a step up, in metres.
    pub step_up: f32,
    /// Maximum depth of a step down, in metres.
    pub step_down: f32,
}

/// A mover: everything about it that decides where a sweep ends.
///
/// Retail: `OBJECTINFO`, and what `CPhysicsObj::get_object_info` hands to a transition.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// Its body in the world, which never blocks it.
    pub body: Option<BodyId>,
    /// Its collision shape.
    pub shape: MoverShape,
    /// Physics state: gravity, missile, ethereal, edge slide and so on.
    pub state: State,
    /// Kind of object it is to other movers.
    pub kind: ObjectKind,
    /// Contact plane and sliding normal from the last sweep.
    pub stance: Stance,
    /// Velocity in metres per second. A mover that rises from its contact plane has left it.
    pub velocity: Vec3,
    /// Target of a missile.
    pub target: Option<ObjectId>,
    /// An object that never blocks it, such as the target of a line of sight.
    pub ignored_object: Option<ObjectId>,
    /// Flags in addition to those derived from state and stance, as for a camera. `CONTACT` and
    /// `ON_WALKABLE` always come from the stance.
    pub flags: Flags,
    /// It is in no resident cell: every sweep is refused.
    pub lost: bool,
}

/// Contact plane and sliding normal: what one sweep leaves to the next.
///
/// Retail reads some planes and normals although their flag is off, so both values are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// It has a contact plane. Retail: `CONTACT`.
    pub contact: bool,
    /// The contact plane is walkable. Retail: `ON_WALKABLE`.
    pub on_walkable: bool,
    /// Contact plane, or the last one, in the frame of the landblock of `plane_cell`.
    pub plane: Plane,
    /// Cell of the contact plane; 0 for none.
    pub plane_cell: CellId,
    /// The plane is water, or the top of a sphere or cylinder; neither pushes the mover up. Retail:
    /// `WATER_CONTACT`.
    pub water: bool,
    /// It slides along a surface with this [`normal`](Self::sliding_normal). Retail: `SLIDING`.
    pub sliding: bool,
    /// Horizontal unit normal, or zero.
    pub sliding_normal: Vec3,
    /// How many sweeps in a row it has fallen without moving.
    pub stationary: Stationary,
}

/// Flags of a body that falls without moving. Flags and not a count: setting `fall` does not clear
/// `stop`. Retail: `STATIONARY_FALL`, `STATIONARY_STOP` and `STATIONARY_STUCK`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stationary {
    /// It did not move once.
    pub fall: bool,
    /// It did not move twice; its velocity was zeroed.
    pub stop: bool,
    /// It is stuck where it is.
    pub stuck: bool,
}

impl Default for Stance {
    /// In the air, without contact plane or sliding normal.
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
    /// Standing on a plane, given in the frame of the landblock of `cell`.
    pub fn on(plane: Plane, cell: CellId) -> Self {
        let on_walkable = is_valid_walkable(plane.normal);
        Self { contact: true, on_walkable, plane, plane_cell: cell, ..Self::default() }
    }

    /// Returns whether plane and sliding normal are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let Self { plane, sliding_normal, .. } = self;
        plane.normal.is_finite() && plane.d.is_finite() && sliding_normal.is_finite()
    }

    /// Standing on an unknown surface: contact with the zero plane.
    pub fn standing() -> Self {
        Self { contact: true, on_walkable: true, ..Self::default() }
    }
}

impl Stationary {
    /// Returns the count that a sweep starts with.
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
    /// The scaled shape of a setup. A setup without spheres gets a small one at the feet. The step
    /// heights of a bare model, which has no setup record, are not scaled.
    ///
    /// Retail: `SPHEREPATH::init_sphere`.
    pub fn from_setup(setup: &Setup, scale: f32) -> Self {
        let scaled = |s: &Sphere| Sphere::new(s.centre * scale, s.radius * scale);
        let spheres: SmallVec<[_; MAX_SPHERES]> =
            setup.spheres.iter().take(MAX_SPHERES).map(scaled).collect();
        let step_scale = if setup.is_bare_model() { 1.0 } else { scale };
        Self::new(&spheres, setup.step_up * step_scale, setup.step_down * step_scale)
    }

    /// A shape of the first two spheres, in the mover's own space. Without spheres it gets a small
    /// one at the feet.
    pub fn new(spheres: &[Sphere], step_up: f32, step_down: f32) -> Self {
        let first = spheres.first().copied().unwrap_or(DUMMY_SPHERE);
        let second = spheres.get(1).copied().unwrap_or(first);
        let count = spheres.len().clamp(1, MAX_SPHERES);
        Self { spheres: [first, second], count, step_up, step_down }
    }

    /// Its one or two spheres; the first is at the feet.
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres[..self.count]
    }

    /// Returns whether all numbers are finite and no radius is negative.
    pub(crate) fn is_usable(&self) -> bool {
        let finite_steps = self.step_up.is_finite() && self.step_down.is_finite();
        finite_steps && self.spheres.iter().all(is_usable)
    }

    pub(crate) fn has_head(&self) -> bool {
        self.count > 1
    }

    pub(crate) fn both(&self) -> &[Sphere; MAX_SPHERES] {
        &self.spheres
    }
}

/// Returns whether a sphere is finite and its radius not negative.
pub(crate) fn is_usable(sphere: &Sphere) -> bool {
    sphere.centre.is_finite() && sphere.radius.is_finite() && sphere.radius >= 0.0
}

impl Mover {
    /// A mover in the air with gravity and edge slide, of no special kind.
    pub fn new(shape: MoverShape) -> Self {
        Self {
            body: None,
            shape,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::None,
            stance: Stance::default(),
            velocity: Vec3::ZERO,
            target: None,
            ignored_object: None,
            flags: Flags::NONE,
            lost: false,
        }
    }

    /// An object of the world as a mover, without stance and velocity.
    pub fn from_object(object: &Object) -> Self {
        let setup = object.setup();
        Self {
            body: object.id().as_body(),
            state: object.state(),
            kind: object.kind(),
            flags: Flags::NONE.with(Flags::FREE_ROTATE, setup.free_heading),
            lost: object.is_lost(),
            ..Self::new(MoverShape::from_setup(setup, object.scale()))
        }
    }

    /// A camera: a sphere around the eye, which is its position. It has no gravity, turns at once,
    /// stops at the first hit, and ignores creatures and missiles.
    ///
    /// Retail: `init_object` with 0x5C and `viewer_sphere`, whose radius is
    /// [`VIEWER_RADIUS`](crate::VIEWER_RADIUS).
    pub fn viewer(radius: f32) -> Self {
        let shape = MoverShape::new(&[Sphere::new(Vec3::ZERO, radius)], 0.0, 0.0);
        Self { state: State::default(), flags: Flags::CAMERA, ..Self::new(shape) }
    }

    /// A body that is not in the world yet, as a mover.
    pub fn from_spec(spec: &BodySpec) -> Self {
        let BodySpec { body, setup, scale, state, kind, .. } = spec;
        Self {
            body: Some(*body),
            state: *state,
            kind: *kind,
            flags: Flags::NONE.with(Flags::FREE_ROTATE, setup.free_heading),
            ..Self::new(MoverShape::from_setup(setup, *scale))
        }
    }

    /// Returns whether it has a contact plane and is not rising from it. Retail:
    /// `CPhysicsObj::check_contact`.
    pub(crate) fn has_contact(&self) -> bool {
        self.stance.contact && self.velocity.dot(self.stance.plane.normal) <= EPSILON
    }

    /// Returns the flags that a sweep starts with. Retail: `CPhysicsObj::get_object_info`.
    pub(crate) fn sweep_flags(&self) -> Flags {
        let flag_if = |flag: Flags, set: bool| Flags::NONE.with(flag, set);
        let from_state = flag_if(Flags::EDGE_SLIDE, self.state.has(State::EDGE_SLIDE))
            | flag_if(Flags::PATH_CLIPPED, self.is_missile());
        (self.flags | from_state)
            .with(Flags::CONTACT, self.has_contact())
            .with(Flags::ON_WALKABLE, self.has_contact() && self.stance.on_walkable)
    }

    pub(crate) fn is_missile(&self) -> bool {
        self.state.has(State::MISSILE)
    }

    /// Returns whether one of the two is a missile that does not hit the other, which has this
    /// state. Retail: `OBJECTINFO::missile_ignore`.
    pub(crate) fn ignores(&self, other: &Object, state: State) -> bool {
        if state.has(State::MISSILE) {
            return true;
        }
        if !self.is_missile() || self.target == Some(other.id()) {
            return false;
        }
        let aimed_elsewhere = self.target.is_some() && other.kind().is_creature();
        other.kind() != ObjectKind::None && (state.has(State::ETHEREAL) || aimed_elsewhere)
    }
}
