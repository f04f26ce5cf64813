//! Who looks, from where, and how.

use threshold_land::glam::{DVec2, DVec3, Vec3};
use threshold_land::{CellId, Position};

/// How wide a viewer sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// From the lower to the upper edge of the screen, in degrees. Default 60. Below 0.1 or above 179 nothing can be told.
    pub fov: f64,
    /// Width of the screen by its height. Default 16:9.
    pub aspect: f64,
    /// How far before the eye drawing begins, in metres. Default 0.1. An opening that this plane reaches through is passed
    /// whole; with a larger one neighbours are shown from farther away, with 0 a doorway may flash as one goes through.
    pub near: f64,
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
    /// The eye or the point that is looked at is not a point, or on no map.
    #[error("{0} is not a point of the map")]
    NotAPoint(DVec3),
    /// The viewer looks at its own eye.
    #[error("the eye is where it looks at, {0}: there is no direction")]
    NoDirection(DVec3),
    /// The field of view is too narrow or too wide.
    #[error("a field of view of {0} degrees is not between 0.1 and 179")]
    Fov(f64),
    /// The screen is too narrow or too wide.
    #[error("a screen {0} times as wide as high is not between 0.01 and 100")]
    Aspect(f64),
    /// The near plane is behind the eye, or nowhere.
    #[error("a near plane at {0} m is not between 0 and 1000")]
    Near(f64),
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
        eye: impl Into<DVec3>,
        look: impl Into<DVec3>,
        lens: Lens,
    ) -> Result<Self, ViewerError> {
        let (eye, look) = (eye.into(), look.into());
        for point in [eye, look] {
            if !is_on_map(point) {
                return Err(ViewerError::NotAPoint(point));
            }
        }
        let forward = (look - eye).try_normalize().ok_or(ViewerError::NoDirection(eye))?;
        let aside = forward.cross(DVec3::Z);
        let right = if aside.length() > UPRIGHT { aside.normalize() } else { DVec3::X };
        Self::new(cell, eye, [right, right.cross(forward), forward], lens)
    }

    /// A viewer at a position, who looks along its local +Y with its local +Z up.
    pub fn at(position: &Position, lens: Lens) -> Result<Self, ViewerError> {
        let eye = position.frame.origin.as_dvec3();
        let rows = position.frame.rotation.rows().0;
        if !is_on_map(eye) || rows.iter().any(|row| !row.is_finite()) {
            return Err(ViewerError::NotAPoint(eye));
        }
        let [right, forward, _] = rows.map(Vec3::as_dvec3);
        // A rotation of single precision is a little off; the axes of a screen are square.
        let nowhere = ViewerError::NoDirection(eye);
        let forward = forward.try_normalize().ok_or(nowhere)?;
        let right = (right - forward * right.dot(forward)).try_normalize().ok_or(nowhere)?;
        Self::new(position.cell, eye, [right, right.cross(forward), forward], lens)
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
        let half = libm::tan(fov.to_radians() / 2.0);
        let tangents = DVec2::new(half * aspect, half);
        Ok(Self { cell, eye, right, up, forward, tangents, near })
    }

    /// The cell it was carried into.
    pub fn cell(&self) -> CellId {
        self.cell
    }

    /// Its eye, in the frame of its cell's landblock.
    pub fn eye(&self) -> DVec3 {
        self.eye
    }

    /// What is right, up and ahead for it: unit vectors in the frame of its cell's landblock.
    pub fn axes(&self) -> [DVec3; 3] {
        [self.right, self.up, self.forward]
    }

    /// Half the width and half the height of what it sees at a distance of 1.
    pub fn tangents(&self) -> DVec2 {
        self.tangents
    }

    /// How far before the eye drawing begins, in metres.
    pub fn near(&self) -> f64 {
        self.near
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

/// No map reaches farther than this, in metres.
const FARTHEST: f64 = 1e6;

fn is_on_map(point: DVec3) -> bool {
    // Not a number is not.
    point.to_array().iter().all(|v| v.abs() <= FARTHEST)
}
