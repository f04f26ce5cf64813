//! The viewer: eye, direction, cell and lens.

use threshold_land::vector::{DVec2, DVec3, Vec3};
use threshold_land::{CellId, Position};

/// Field of view and near plane of a viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Vertical field of view in degrees. Default 60; 0.1 to 179 is valid.
    pub fov: f64,
    /// Width of the screen divided by its height. Default 16:9.
    pub aspect: f64,
    /// Distance of the near plane in metres. Default 0.1. The cell behind a portal that the near rectangle may reach through
    /// shows in the whole region. Larger: neighbours show from farther away. With 0 a doorway may flash as the eye passes.
    pub near: f64,
}

impl Default for Lens {
    fn default() -> Self {
        Self { fov: 60.0, aspect: 16.0 / 9.0, near: 0.1 }
    }
}

/// Why a viewer is not valid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// The eye or the target is not finite, or off any map.
    #[error("{0} is not a point of the map")]
    NotAPoint(DVec3),
    /// The target is at the eye.
    #[error("eye and target are both at {0}; move one of them")]
    NoDirection(DVec3),
    /// The field of view is too narrow or too wide.
    #[error("field of view is {} degrees; 0.1 to 179 is valid", short(*.0))]
    Fov(f64),
    /// The screen is too narrow or too wide.
    #[error("aspect ratio is {}; 0.01 to 100 is valid", short(*.0))]
    Aspect(f64),
    /// The near plane is behind the eye or too far away.
    #[error("near plane is at {} m; 0 to 1000 is valid", short(*.0))]
    Near(f64),
}

/// Writes a number with an exponent where it would otherwise have hundreds of digits.
fn short(number: f64) -> String {
    match number.abs() {
        size if size == 0.0 || (1e-6..1e9).contains(&size) => number.to_string(),
        _ => format!("{number:e}"),
    }
}

/// A viewer: an eye, the cell it was swept into, and a lens.
///
/// The cell is the result of the sweep that moved the eye. It is never looked up from the point: where cells overlap, only
/// the way into a cell tells them apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    pub(crate) cell: CellId,
    pub(crate) eye: DVec3,
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    pub(crate) forward: DVec3,
    /// Half the width and half the height of the view at a distance of 1.
    pub(crate) tangents: DVec2,
    pub(crate) near: f64,
}

impl Viewer {
    /// Makes a viewer in `cell` that looks from `eye` at `look`, both in the coordinate frame of the cell's landblock. Straight
    /// up or down, east is on the right.
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
        let right =
            if aside.length() > MIN_SINE_TO_VERTICAL { aside.normalize() } else { DVec3::X };
        Self::new(cell, eye, [right, right.cross(forward), forward], lens)
    }

    /// Makes a viewer at a position that looks along its local +Y with its local +Z up.
    pub fn at(position: &Position, lens: Lens) -> Result<Self, ViewerError> {
        let eye = position.frame.origin.as_dvec3();
        let rows = position.frame.rotation.rows().0;
        if !is_on_map(eye) || rows.iter().any(|row| !row.is_finite()) {
            return Err(ViewerError::NotAPoint(eye));
        }
        let [right, forward, _] = rows.map(Vec3::as_dvec3);
        // A rotation in single precision is not quite orthogonal; the axes of a screen must be.
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

    /// Returns the cell that the eye was swept into.
    pub fn cell(&self) -> CellId {
        self.cell
    }

    /// Returns the eye, in the coordinate frame of the cell's landblock.
    pub fn eye(&self) -> DVec3 {
        self.eye
    }

    /// Returns right, up and forward as unit vectors in the coordinate frame of the cell's landblock.
    pub fn axes(&self) -> [DVec3; 3] {
        [self.right, self.up, self.forward]
    }

    /// Returns half the width and half the height of the view at a distance of 1.
    pub fn tangents(&self) -> DVec2 {
        self.tangents
    }

    /// Returns the distance of the near plane in metres.
    pub fn near(&self) -> f64 {
        self.near
    }

    /// Returns where a point of the cell's landblock shows on the screen, x to the right and y up, both from -1 to 1 if it is
    /// on the screen; `None` if it is not ahead.
    pub fn project(&self, point: DVec3) -> Option<DVec2> {
        let at = point - self.eye;
        let ahead = at.dot(self.forward);
        let flat = DVec2::new(at.dot(self.right), at.dot(self.up)) / self.tangents;
        (ahead > 0.0).then(|| flat / ahead)
    }

    /// Returns the direction of a point of the screen in the coordinate frame of the landblock. Its forward part, not its
    /// length, is 1.
    pub fn direction(&self, screen: DVec2) -> DVec3 {
        let aside = screen * self.tangents;
        self.forward + self.right * aside.x + self.up * aside.y
    }
}

/// Sine of the angle to the vertical below which a direction counts as straight up or down.
const MIN_SINE_TO_VERTICAL: f64 = 1e-9;

/// Greatest coordinate of a point, in metres; the map is smaller.
const MAX_COORDINATE: f64 = 1e6;

fn is_on_map(point: DVec3) -> bool {
    // False for NaN.
    point.to_array().iter().all(|v| v.abs() <= MAX_COORDINATE)
}
