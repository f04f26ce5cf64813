//! Numbers with their reasons.

/// Distance in metres from the plane of a portal within which the eye may be on either side of it. A swept cell changes a
/// little before or after the eye crosses the plane. Smaller: a doorway flashes. Larger: rooms show beside the portal.
pub const NEAR_PORTAL: f64 = 0.02;

/// Factor by which the near rectangle is enlarged, against rounding in the renderer.
pub const NEAR_RECTANGLE_SCALE: f64 = 1.02;

/// Solid angle in steradians below which the visible part of a portal is ignored.
pub const MIN_SOLID_ANGLE: f64 = 1e-7;

/// Sides of a region. An outline with more grows a little; still correct, only larger.
pub const MAX_SIDES: usize = 16;

/// Regions of a cell. One more is merged with one of them; still correct, only larger. Retail has no such bound.
pub const MAX_REGIONS: usize = 16;

/// Visits for each cell that a walk may enter; it bounds the time of a walk.
pub const MAX_VISITS_PER_CELL: usize = 8;

/// Distance in metres in front of the entry portal that still counts as in its plane. What lies farther in front cannot be
/// seen through it.
pub const IN_PLANE: f64 = 1e-3;

/// Distance in metres within which corners of a portal are one.
pub(crate) const SAME_CORNER: f64 = 1e-5;

/// Distance within which corners of a region are one, on a screen from -1 to 1.
pub(crate) const SAME_POINT: f64 = 1e-9;

/// Distance by which a region may stick out of another and still count as inside, on a screen from -1 to 1. A pixel is about
/// a thousand times as wide.
pub(crate) const WITHIN: f64 = 1e-6;
