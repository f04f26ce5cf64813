//! What can be asked.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};

use crate::constants::{GRAVITY, MAX_FLIGHT, MAX_LENGTH, MAX_REACH};

/// A line from a point. Rotations of positions play no part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, and the cell it starts in.
    pub from: Position,
    /// Its direction, of any length.
    pub direction: Vec3,
    /// Its length in metres.
    pub length: f32,
}

impl Ray {
    /// Creates a ray of a length in metres. The direction may have any length.
    pub fn new(from: Position, direction: impl Into<Vec3>, length: f32) -> Self {
        Self { from, direction: direction.into(), length }
    }

    /// Creates a ray from one point to another; of `to` only the landblock of its cell counts.
    pub fn between(from: Position, to: &Position) -> Self {
        let direction = from.offset_to(to);
        Self { from, direction, length: direction.length() }
    }

    /// Casts a sphere along the ray.
    pub fn with_radius(self, radius: f32) -> SphereCast {
        SphereCast { path: self, radius }
    }
}

/// A sphere that moves along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereCast {
    /// The path of its centre.
    pub path: Ray,
    /// Its radius in metres.
    pub radius: f32,
}

/// A sphere at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereOverlap {
    /// Its centre, and the cell that the centre is in.
    pub at: Position,
    /// Its radius in metres.
    pub radius: f32,
}

/// A box at rest, turned as its position is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxOverlap {
    /// Its centre and rotation, and the cell that the centre is in.
    pub at: Position,
    /// Half its length along each of its axes, in metres.
    pub half: Vec3,
}

/// The objects nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestObjects {
    /// The point, and the cell that it is in.
    pub at: Position,
    /// The greatest distance, in metres.
    pub radius: f32,
    /// The greatest number of objects.
    pub count: usize,
}

/// The objects in a cone with a rounded end: all points within a distance and an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Its tip, and the cell that the tip is in.
    pub from: Position,
    /// The direction of its axis, of any length.
    pub direction: Vec3,
    /// How far it reaches, in metres.
    pub length: f32,
    /// The angle between its axis and its side in degrees, 0 to 90.
    pub half_angle: f32,
}

/// The flight of a missile: a point or a sphere that is launched and falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Where it is launched, and the cell it is launched in.
    pub from: Position,
    /// The velocity at the launch, in metres per second. Not limited, unlike that of a body.
    pub velocity: Vec3,
    /// Acceleration downwards, in metres per second squared; 0 flies straight on.
    pub gravity: f32,
    /// Its radius in metres; 0 for a point.
    pub radius: f32,
    /// How long it flies at most, in seconds.
    pub time: f32,
}

impl Launch {
    /// Creates the arc of a point with retail's gravity that flies for at most ten seconds.
    pub fn new(from: Position, velocity: impl Into<Vec3>) -> Self {
        Self { from, velocity: velocity.into(), gravity: GRAVITY, radius: 0.0, time: 10.0 }
    }
}

/// A question of any kind, for batches.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Question {
    /// See [`SceneQuery::ray`](crate::SceneQuery::ray).
    Ray(Ray),
    /// See [`SceneQuery::sphere_cast`](crate::SceneQuery::sphere_cast).
    SphereCast(SphereCast),
    /// See [`SceneQuery::sphere_overlaps`](crate::SceneQuery::sphere_overlaps).
    SphereOverlap(SphereOverlap),
    /// See [`SceneQuery::box_overlaps`](crate::SceneQuery::box_overlaps).
    BoxOverlap(BoxOverlap),
    /// See [`SceneQuery::nearest`](crate::SceneQuery::nearest).
    Nearest(NearestObjects),
    /// See [`SceneQuery::cone`](crate::SceneQuery::cone).
    Cone(Cone),
    /// See [`SceneQuery::arc`](crate::SceneQuery::arc).
    Arc(Launch),
}

macro_rules! from_kinds {
    ($($kind:ident $name:ident;)+) => {$(
        impl From<$name> for Question {
            fn from(question: $name) -> Self {
                Self::$kind(question)
            }
        }
    )+};
}

from_kinds! {
    Ray Ray;
    SphereCast SphereCast;
    SphereOverlap SphereOverlap;
    BoxOverlap BoxOverlap;
    Nearest NearestObjects;
    Cone Cone;
    Arc Launch;
}

/// Why a question was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A number is NaN or infinite.
    #[error("the {0} is not finite")]
    NotFinite(&'static str),
    /// A number is negative or too large.
    #[error("the {what} is {value}, and must be from 0 to {max}")]
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f32,
        /// The greatest value.
        max: f32,
    },
    /// A direction is zero, but the length is not.
    #[error("the direction is zero")]
    NoDirection,
    /// The rotation of a box cannot be normalised.
    #[error("the rotation of the box is not valid")]
    InvalidRotation,
    /// The id is not that of a cell on the map.
    #[error("{0} is not a cell")]
    NoSuchCell(CellId),
    /// The position is in a land cell but not on the map.
    #[error("the position in {0} is not on the map")]
    OffTheMap(CellId),
}

fn check_size(what: &'static str, value: f32, max: f32) -> Result<(), QueryError> {
    if !value.is_finite() {
        Err(QueryError::NotFinite(what))
    } else if (0.0..=max).contains(&value) {
        Ok(())
    } else {
        Err(QueryError::OutOfRange { what, value, max })
    }
}

fn check_vector(what: &'static str, vector: Vec3) -> Result<(), QueryError> {
    if vector.is_finite() { Ok(()) } else { Err(QueryError::NotFinite(what)) }
}

/// Checks a position. Returns it in the land cell below it if it is outdoors.
pub(crate) fn check_position(at: &Position) -> Result<Position, QueryError> {
    check_vector("position", at.frame.origin)?;
    let is_cell = at.cell.is_valid() && at.cell != at.cell.block().as_cell();
    if !is_cell {
        return Err(QueryError::NoSuchCell(at.cell));
    }
    if at.cell.is_indoor() {
        return Ok(*at);
    }
    let (cell, origin) = threshold_land::adjust_to_outside(at.cell, at.frame.origin)
        .ok_or(QueryError::OffTheMap(at.cell))?;
    let mut there = *at;
    (there.cell, there.frame.origin) = (cell, origin);
    Ok(there)
}

impl Ray {
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        check_vector("direction", self.direction)?;
        check_size("length", self.length, MAX_LENGTH)?;
        let is_zero = self.direction == Vec3::ZERO && self.length > 0.0;
        if is_zero { Err(QueryError::NoDirection) } else { Ok(()) }
    }
}

impl SphereCast {
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        self.path.check()?;
        check_size("radius", self.radius, MAX_REACH)
    }
}

impl SphereOverlap {
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        check_size("radius", self.radius, MAX_REACH)
    }
}

impl BoxOverlap {
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        self.half
            .to_array()
            .into_iter()
            .try_for_each(|half| check_size("half length", half, MAX_REACH))?;
        let rotation = self.at.frame.rotation;
        if rotation.is_valid() { Ok(()) } else { Err(QueryError::InvalidRotation) }
    }
}

impl NearestObjects {
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        check_size("radius", self.radius, MAX_REACH)
    }
}

impl Cone {
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        check_vector("direction", self.direction)?;
        check_size("length", self.length, MAX_REACH)?;
        check_size("half angle", self.half_angle, 90.0)?;
        if self.direction == Vec3::ZERO { Err(QueryError::NoDirection) } else { Ok(()) }
    }
}

impl Launch {
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        check_vector("velocity", self.velocity)?;
        check_size("gravity", self.gravity, MAX_REACH)?;
        check_size("radius", self.radius, MAX_REACH)?;
        check_size("time", self.time, MAX_FLIGHT)
    }
}
