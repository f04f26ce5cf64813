//! The eye of a picture: what the device is told of it, and what it cannot see.

use threshold_land::glam::{DVec3, Vec3};
use threshold_land::{CellId, Plane, block_offset};
use threshold_view::{Region, Viewer};

/// A viewer, as the device sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    cell: CellId,
    at: DVec3,
    axes: [DVec3; 3],
    tangents: [f64; 2],
    near: f64,
}

/// How near drawing begins at the least, in metres: nearer the depth of nothing can be told.
const NEAREST: f64 = 0.02;

/// How much farther away than it is an opening lies, in metres and in parts of its distance: in single precision a wall in the
/// plane of its own opening is no nearer to where it should be.
const SUNK: f64 = 2e-4;
const SUNK_PART: f64 = 1e-5;

impl Eye {
    pub(super) fn new(viewer: &Viewer) -> Self {
        Self {
            cell: viewer.cell(),
            at: viewer.eye(),
            axes: viewer.axes(),
            tangents: viewer.tangents().to_array(),
            near: viewer.near().max(NEAREST),
        }
    }

    /// From the eye to the origin of a cell's landblock. Near the eye this is as exact at the edge of the map as in its middle.
    pub(super) fn offset(&self, cell: CellId) -> Vec3 {
        (block_offset(self.cell, cell).as_dvec3() - self.at).as_vec3()
    }

    /// From points relative to the eye to the screen, in columns. Depth is the near plane by the distance: 1 there, 0 far away.
    pub(super) fn matrix(&self) -> [[f32; 4]; 4] {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        let column = |axis: usize| {
            let part = |v: DVec3| v.to_array()[axis];
            narrow([part(right) / wide, part(up) / high, 0.0, part(ahead)])
        };
        [column(0), column(1), column(2), narrow([0.0, 0.0, self.near, 0.0])]
    }

    /// Right, up and ahead, as long as half the screen is wide and high at a distance of 1.
    pub(super) fn look(&self) -> [[f32; 4]; 3] {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        [right * wide, up * high, ahead].map(|axis| narrow(axis.extend(0.0).to_array()))
    }

    /// The depth of a plane, as an affine function of the screen: `a x + b y + c`. The plane is in the frame of the landblock of
    /// a cell. It lies a little farther away than it is, so that what is drawn in it shows. An eye that is beyond it, not on
    /// the side its normal points to, is taken to be right at it: all that lies onward is seen through it.
    pub(super) fn depth_of(&self, plane: Plane, cell: CellId) -> [f32; 3] {
        let distance = self.before(plane, cell).max(0.0);
        // Along the ray of a point of the screen the plane is met at 1 / distance = -(normal . ray) / distance.
        let depth = self.onward(plane) * self.near / (distance * (1.0 + SUNK_PART) + SUNK);
        depth.as_vec3().to_array()
    }

    /// How far the eye is before a plane in the frame of the landblock of a cell.
    fn before(&self, plane: Plane, cell: CellId) -> f64 {
        let to_block = block_offset(self.cell, cell).as_dvec3();
        f64::from(plane.d) + plane.normal.as_dvec3().dot(self.at - to_block)
    }

    /// Where on the screen one looks through a plane, against its normal: where this, times (x, y, 1), is positive.
    pub(super) fn onward(&self, plane: Plane) -> DVec3 {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        let normal = plane.normal.as_dvec3();
        -DVec3::new(normal.dot(right) * wide, normal.dot(up) * high, normal.dot(ahead))
    }

    /// Whether a box in the frame of a landblock lies wholly outside a region.
    pub(super) fn misses(&self, region: &Region<'_>, offset: Vec3, [low, high]: [Vec3; 2]) -> bool {
        let [right, up, ahead] = self.axes;
        let [wide, tall] = self.tangents;
        let offset = offset.as_dvec3();
        let corners: [DVec3; 8] = std::array::from_fn(|number| {
            let pick =
                |bit: usize, low: f32, high: f32| if number >> bit & 1 == 0 { low } else { high };
            let at =
                Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z));
            let at = at.as_dvec3() + offset;
            DVec3::new(at.dot(right) / wide, at.dot(up) / tall, at.dot(ahead))
        });
        let behind = corners.iter().all(|corner| corner.z < 0.0);
        let outside = |plane: &DVec3| corners.iter().all(|corner| plane.dot(*corner) < 0.0);
        behind || region.planes().iter().any(outside)
    }
}

/// As the device takes it.
#[allow(clippy::cast_possible_truncation, reason = "single precision is what the device has")]
fn narrow(wide: [f64; 4]) -> [f32; 4] {
    wide.map(|v| v as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_view::Lens;

    fn eye(cell: u32) -> Eye {
        let (at, look) = (DVec3::new(95.0, 100.0, 41.0), DVec3::new(110.0, 108.0, 39.0));
        Eye::new(&Viewer::looking_at(CellId(cell), at, look, Lens::default()).unwrap())
    }

    /// Screen and depth of a point relative to the eye.
    fn shown(eye: &Eye, at: Vec3) -> [f32; 3] {
        let columns = eye.matrix();
        let at = at.extend(1.0).to_array();
        let [x, y, z, w]: [f32; 4] =
            std::array::from_fn(|row| (0..4).map(|column| columns[column][row] * at[column]).sum());
        [x / w, y / w, z / w]
    }

    #[test]
    fn the_depth_of_a_plane_is_that_of_its_points() {
        let eye = eye(0xA9B4_0025);
        // It faces the eye, and lies a hair farther away than it is.
        let (normal, d) = (Vec3::new(-0.8, -0.6, 0.0), 150.0);
        let cell = CellId(0xA9B4_0106);
        let [a, b, c] = eye.depth_of(Plane { normal, d }, cell);
        for point in [Vec3::new(105.0, 110.0, 40.0), Vec3::new(109.5, 104.0, 38.0)] {
            assert!((normal.dot(point) + d).abs() < 1e-3);
            let [x, y, depth] = shown(&eye, point + eye.offset(cell));
            let behind = depth - (a * x + b * y + c);
            assert!((0.0..1e-6).contains(&behind), "{point}: {behind}");
        }
    }

    #[test]
    fn depth_is_1_at_the_near_plane_and_0_far_away() {
        let eye = eye(0xA9B4_0025);
        let ahead = eye.axes[2].as_vec3();
        assert!((shown(&eye, ahead * 0.1)[2] - 1.0).abs() < 1e-5);
        assert!(shown(&eye, ahead * 1e6)[2] < 1e-6);
    }

    #[test]
    fn the_edge_of_the_map_is_as_steady_as_its_middle() {
        let steps = [0x7F7F_0025, 0xFDFD_0025].map(|cell| {
            let eye = eye(cell);
            eye.offset(CellId(cell + 0x0100_0000))
        });
        assert_eq!(steps[0], steps[1]);
    }
}
