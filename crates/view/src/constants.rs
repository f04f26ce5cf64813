//! Numbers with a reason.

/// Closer to the plane of an opening than this, in metres, the eye may be on either side of it: the cell a viewer is carried
/// in changes a little before or after the eye passes.
pub const NEAR_OPENING: f64 = 0.02;

/// By so much the near rectangle is taken larger than it is, against rounding in whatever draws.
pub const NEAR_RECTANGLE: f64 = 1.02;

/// What covers less of the sphere round the eye, in steradians, is not seen.
pub const LEAST_AREA: f64 = 1e-7;

/// A region has no more sides than this; what has more grows a little.
pub const MOST_SIDES: usize = 16;

/// A cell has no more regions than this; the next one is merged with one of them. Retail has no such bound.
pub const MOST_REGIONS: usize = 16;

/// A walk visits cells at most this often for each cell that it may enter.
pub const VISITS_FOR_A_CELL: usize = 8;

/// What lies before the opening that is looked through cannot be seen through it. So far before it, in metres, it still
/// counts as in its plane.
pub const IN_PLANE: f64 = 1e-3;

/// Corners of a portal closer together than this, in metres, are one.
pub(crate) const SAME_CORNER: f64 = 1e-5;

/// Corners of a region closer together than this, on a screen from -1 to 1, are one.
pub(crate) const SAME_POINT: f64 = 1e-9;

/// A region that sticks out of another by less than this, on a screen from -1 to 1, lies in it. A pixel is a thousand times
/// as wide.
pub(crate) const WITHIN: f64 = 1e-6;
