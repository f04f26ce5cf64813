//! What other renderers take from a viewer: matrices, planes and the frustum.

use threshold_land::vector::{DVec3, DVec4};

use crate::MIN_NEAR;
use crate::region::Region;
use crate::viewer::Viewer;

/// A matrix of four columns. It multiplies column vectors: `matrix[3]` is the translation.
pub type Matrix = [[f64; 4]; 4];

/// How a projection maps distance to depth. The default is that of this workspace: from 1 at the near plane to 0 far
/// away, without a far plane. It keeps its precision far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthMapping {
    /// Range of depth.
    pub range: DepthRange,
    /// Whether the near plane has the greatest depth instead of the least.
    pub is_reversed: bool,
    /// Distance of the far plane in metres; `None` draws everything. Nearer: distant land is cut off. Farther: without
    /// reversed depth, surfaces far away flicker.
    pub far: Option<f64>,
}

/// Range of depth of a graphics interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthRange {
    /// From 0 to 1: wgpu, Direct3D, Metal, Vulkan.
    ZeroToOne,
    /// From -1 to 1: OpenGL and WebGL.
    MinusOneToOne,
}

impl Default for DepthMapping {
    fn default() -> Self {
        Self { range: DepthRange::ZeroToOne, is_reversed: true, far: None }
    }
}

/// The part of space that a viewer sees, as planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    planes: [DVec4; 5],
}

impl Viewer {
    /// Returns the distance of the near plane of a projection: that of the viewer, but at least [`MIN_NEAR`], because a
    /// depth buffer cannot begin at the eye.
    pub fn projection_near(&self) -> f64 {
        self.near.max(MIN_NEAR)
    }

    /// Returns the matrix from points of the viewer's landblock to the eye: x to the right, y up, z backwards.
    pub fn view_matrix(&self) -> Matrix {
        let rows = [self.right, self.up, -self.forward];
        let column = |axis: usize| {
            let [x, y, z] = rows.map(|row| row.to_array()[axis]);
            [x, y, z, 0.0]
        };
        let [x, y, z] = rows.map(|row| -row.dot(self.eye));
        [column(0), column(1), column(2), [x, y, z, 1.0]]
    }

    /// Returns the matrix from the eye to clip space: x to the right and y up. Vulkan's y points down: negate `matrix[1]`.
    ///
    /// A far plane that is not beyond the near plane counts as none.
    pub fn projection_matrix(&self, depth: &DepthMapping) -> Matrix {
        let near = self.projection_near();
        // Depth as `part + over / distance`, from 0 at the near plane to 1.
        let (mut part, mut over) = match depth.far {
            Some(far) if far > near => (far / (far - near), -far * near / (far - near)),
            _ => (1.0, -near),
        };
        if depth.is_reversed {
            (part, over) = (1.0 - part, -over);
        }
        if depth.range == DepthRange::MinusOneToOne {
            (part, over) = (2.0 * part - 1.0, 2.0 * over);
        }
        [
            [1.0 / self.tangents.x, 0.0, 0.0, 0.0],
            [0.0, 1.0 / self.tangents.y, 0.0, 0.0],
            [0.0, 0.0, -part, -1.0],
            [0.0, 0.0, over, 0.0],
        ]
    }

    /// Returns the frustum, in the coordinate frame of the viewer's landblock.
    pub fn frustum(&self) -> Frustum {
        let (aside, upward) = (self.right / self.tangents.x, self.up / self.tangents.y);
        let sides = [aside, -aside, upward, -upward].map(|side| self.plane(side + self.forward));
        let [left, right, bottom, top] = sides;
        let ahead = self.forward.extend(-self.forward.dot(self.eye) - self.near);
        Frustum { planes: [left, right, bottom, top, ahead] }
    }

    /// Returns the clip planes of a region, in the coordinate frame of the viewer's landblock: its sides, then the plane
    /// through the eye at right angles to the view. A point `p` may show in the region if `plane.xyz . p + plane.w >= 0`
    /// for all of them.
    ///
    /// The region must come from the visible set of this viewer.
    pub fn region_planes<'a>(&self, region: &Region<'a>) -> impl Iterator<Item = DVec4> + use<'a> {
        let viewer = *self;
        let side = move |side: &DVec3| {
            let across = viewer.right / viewer.tangents.x * side.x;
            let upward = viewer.up / viewer.tangents.y * side.y;
            viewer.plane(across + upward + viewer.forward * side.z)
        };
        region.planes().iter().map(side).chain([self.plane(self.forward)])
    }

    /// Returns the plane through the eye with a normal of any length, at unit length.
    fn plane(&self, normal: DVec3) -> DVec4 {
        let normal = normal.normalize_or_zero();
        normal.extend(-normal.dot(self.eye))
    }
}

impl Frustum {
    /// Returns the planes: left, right, bottom, top, near. A point `p` is inside if `plane.xyz . p + plane.w >= 0` for
    /// all of them; the normals have unit length.
    pub fn planes(&self) -> &[DVec4; 5] {
        &self.planes
    }

    /// Returns whether a point is inside.
    pub fn contains(&self, point: impl Into<DVec3>) -> bool {
        let point = point.into();
        self.planes.iter().all(|plane| distance(plane, point) >= 0.0)
    }

    /// Returns whether a sphere may show. Conservative at the edges: a sphere outside may count as inside.
    pub fn touches_sphere(&self, centre: impl Into<DVec3>, radius: f64) -> bool {
        let centre = centre.into();
        self.planes.iter().all(|plane| distance(plane, centre) >= -radius)
    }

    /// Returns whether a box along the axes may show. Conservative at the edges: a box outside may count as inside. An
    /// inverted box is outside.
    pub fn touches_box(&self, low: impl Into<DVec3>, high: impl Into<DVec3>) -> bool {
        let (low, high) = (low.into(), high.into());
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let reach = |plane: &DVec4| plane.truncate().abs().dot(half);
        half.min_element() >= 0.0
            && self.planes.iter().all(|plane| distance(plane, middle) >= -reach(plane))
    }
}

fn distance(plane: &DVec4, point: DVec3) -> f64 {
    plane.truncate().dot(point) + plane.w
}

#[cfg(test)]
mod tests;
