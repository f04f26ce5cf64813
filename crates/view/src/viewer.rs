//! Who looks, from where, and how.

use threshold_land::glam::{DVec2, DVec3, Vec3};
use threshold_land::{CellId, Position};

/// How wide a viewer sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// From the lower to the upper edge of the screen, in degrees. Default 60. Below 0.1 or above 179 nothing can be told.
    pub fov: f32,
    /// Width of the screen by its height. Default 16:9.
    pub aspect: f32,
    /// How far before the eye drawing begins, in metres. Default 0.1. An opening that this plane reaches through is passed
    /// whole; with a larger one neighbours are shown from farther away, with 0 a doorway may flash as one goes through.
    pub near: f32,
}

impl Default for Lens {
    fn default() -> Self {
        Self { fov: 60.0, aspect: 16.0 / 9.0, near: 0.1 }
    }
}

/// Why there is no such viewer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// The eye or the point that is looked at is not a point.
    #[error("{0} is not a point")]
    NotAPoint(Vec3),
    /// The viewer looks at its own eye.
    #[error("the eye is where it looks at, {0}: there is no direction")]
    NoDirection(Vec3),
    /// The field of view is too narrow or too wide.
    #[error("a field of view of {0} degrees is not between 0.1 and 179")]
    Fov(f32),
    /// The screen is too narrow or too wide.
    #[error("a screen {0} times as wide as high is not between 0.01 and 100")]
    Aspect(f32),
    /// The near plane is behind the eye, or nowhere.
    #[error("a near plane at {0} m is not between 0 and 1000")]
    Near(f32),
}

/// A viewer: an eye, the cell it was carried into, and a lens.
///
/// The cell is that of the sweep that brought the eye to where it is. Nothing looks it up from the point: where cells
/// overlap, the way there is all that tells them apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    pub(crate) cell: CellId,
    pub(crate) eye: DVec3,
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    pub(crate) forward: DVec3,
    /// Half the width and half the height of what is seen at a distance of 1.
    pub(crate) tangents: DVec2,
    pub(crate) near: f64,
}

impl Viewer {
    /// A viewer in `cell` with its eye at a point of that cell's landblock, who looks at another. Straight up or down, east
    /// is on the right.
    pub fn looking_at(
        cell: CellId,
        eye: Vec3,
        look: Vec3,
        lens: Lens,
    ) -> Result<Self, ViewerError> {
        for point in [eye, look] {
            if !point.is_finite() {
                return Err(ViewerError::NotAPoint(point));
            }
        }
        let (from, to) = (eye.as_dvec3(), look.as_dvec3());
        let forward = (to - from).try_normalize().ok_or(ViewerError::NoDirection(eye))?;
        let aside = forward.cross(DVec3::Z);
        let right = if aside.length() > UPRIGHT { aside.normalize() } else { DVec3::X };
        Self::new(cell, from, [right, right.cross(forward), forward], lens)
    }

    /// A viewer at a position, who looks along its local +Y with its local +Z up.
    pub fn at(position: &Position, lens: Lens) -> Result<Self, ViewerError> {
        let eye = position.frame.origin;
        let rows = position.frame.rotation.rows().0;
        if !eye.is_finite() || rows.iter().any(|row| !row.is_finite()) {
            return Err(ViewerError::NotAPoint(eye));
        }
        let [right, forward, _] = rows.map(Vec3::as_dvec3);
        // A rotation of single precision is a little off; the axes of a screen are square.
        let nowhere = ViewerError::NoDirection(eye);
        let forward = forward.try_normalize().ok_or(nowhere)?;
        let right = (right - forward * right.dot(forward)).try_normalize().ok_or(nowhere)?;
        Self::new(position.cell, eye.as_dvec3(), [right, right.cross(forward), forward], lens)
    }

    fn new(
        cell: CellId,
        eye: DVec3,
        [right, up, forward]: [DVec3; 3],
        lens: Lens,
    ) -> Result<Self, ViewerError> {
        let Lens { fov, aspect, near } = lens;
        if !(0.1..=179.0).contains(&fov) {
            return Err(ViewerError::Fov(fov));
        }
        if !(0.01..=100.0).contains(&aspect) {
            return Err(ViewerError::Aspect(aspect));
        }
        if !(0.0..=1000.0).contains(&near) {
            return Err(ViewerError::Near(near));
        }
        let half = libm::tan(f64::from(fov).to_radians() / 2.0);
        let tangents = DVec2::new(half * f64::from(aspect), half);
        Ok(Self { cell, eye, right, up, forward, tangents, near: f64::from(near) })
    }

    /// The cell it was carried into.
    pub fn cell(&self) -> CellId {
        self.cell
    }

    /// Its eye, in the frame of its cell's landblock.
    pub fn eye(&self) -> DVec3 {
        self.eye
    }

    /// Where a point of its cell's landblock shows on the screen, x to the right and y up, both from -1 to 1 where it is on
    /// it; `None` for what is not ahead.
    pub fn project(&self, point: DVec3) -> Option<DVec2> {
        let at = point - self.eye;
        let ahead = at.dot(self.forward);
        let flat = DVec2::new(at.dot(self.right), at.dot(self.up)) / self.tangents;
        (ahead > 0.0).then(|| flat / ahead)
    }

    /// The direction in which a point of the screen is seen, in the frame of the landblock. Not of unit length: ahead it goes 1.
    pub fn direction(&self, screen: DVec2) -> DVec3 {
        let aside = screen * self.tangents;
        self.forward + self.right * aside.x + self.up * aside.y
    }
}

/// A direction whose sine to the upright is smaller has no right and left of its own.
const UPRIGHT: f64 = 1e-9;
