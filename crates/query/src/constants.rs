//! Numbers of queries, each with its reason.

/// Acceleration of a missile downwards, in metres per second squared. Retail: `PhysicsGlobals`
/// gravity, -9.8.
pub const GRAVITY: f32 = 9.8;

/// Greatest radius of a sphere, half length of a box and length of a cone, in metres. A volume of
/// that size touches 7,000 land cells.
pub const MAX_REACH: f32 = 1000.0;

/// Greatest length of a ray or cast, in metres: more than the diagonal of the map.
pub const MAX_LENGTH: f32 = 100_000.0;

/// Greatest time of flight, in seconds.
pub const MAX_FLIGHT: f32 = 600.0;

/// Greatest distance between an arc and the chords by which it is followed, in metres.
pub(crate) const SAGITTA: f64 = 0.001;

/// A hit counts in a cell if the cast is there at most this much earlier or later, and a portal is
/// passed at most this far beside its edge, in metres. Retail's tolerance.
pub(crate) const MARGIN: f64 = threshold_land::EPSILON as f64;

/// Added to bounding spheres, in metres: more than rounding.
pub(crate) const BOUNDS_MARGIN: f64 = 0.01;

/// Returns a distance or time rounded to what answers hold.
#[allow(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
pub(crate) fn rounded(value: f64) -> f32 {
    value as f32
}

/// Greatest number of cells of one query. Damaged portals could lead round in circles; what is
/// beyond counts as unknown.
pub(crate) const MAX_CELLS: usize = 16_384;
