//! The eye of a frame: transforms for the device.

use threshold_land::vector::DVec3;
use threshold_land::{CellId, block_offset_between};
use threshold_view::{MIN_NEAR, Viewer};

/// A viewer with the near distance of the device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    cell: CellId,
    at: DVec3,
    axes: [DVec3; 3],
    tangents: [f64; 2],
    near: f64,
}

impl Eye {
    pub(super) fn new(viewer: &Viewer) -> Self {
        Self {
            cell: viewer.cell(),
            at: viewer.eye(),
            axes: viewer.axes(),
            tangents: viewer.tangents().to_array(),
            near: viewer.near().max(MIN_NEAR),
        }
    }

    /// Returns the distance at which drawing begins, in metres.
    pub(super) fn near(&self) -> f64 {
        self.near
    }

    /// Returns the vector from the eye to the origin of a cell's landblock, as exact at the edge of the map as in its
    /// middle.
    pub(super) fn offset(&self, cell: CellId) -> DVec3 {
        block_offset_between(self.cell, cell).as_dvec3() - self.at
    }

    /// Returns the columns of the matrix from points relative to the eye to the screen. Depth is the near distance divided
    /// by the forward distance: 1 at the near plane, 0 far away.
    pub(super) fn matrix(&self) -> [[f32; 4]; 4] {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        let column = |axis: usize| {
            let part = |v: DVec3| v.to_array()[axis];
            narrow([part(right) / wide, part(up) / high, 0.0, part(ahead)])
        };
        [column(0), column(1), column(2), narrow([0.0, 0.0, self.near, 0.0])]
    }

    /// Returns right, up and forward, scaled to half the width and height of the screen at a distance of 1.
    pub(super) fn look(&self) -> [[f32; 4]; 3] {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        [right * wide, up * high, ahead].map(|axis| narrow(axis.extend(0.0).to_array()))
    }
}

/// Converts to the single precision of the device.
#[allow(clippy::cast_possible_truncation, reason = "single precision is what the device has")]
fn narrow(wide: [f64; 4]) -> [f32; 4] {
    wide.map(|v| v as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::vector::Vec3;
    use threshold_view::Lens;

    fn eye(cell: u32) -> Eye {
        let (at, look) = (DVec3::new(95.0, 100.0, 41.0), DVec3::new(110.0, 108.0, 39.0));
        Eye::new(&Viewer::looking_at(CellId(cell), at, look, Lens::default()).unwrap())
    }

    /// Returns screen and depth of a point relative to the eye.
    fn shown(eye: &Eye, at: Vec3) -> [f32; 3] {
        let columns = eye.matrix();
        let at = at.extend(1.0).to_array();
        let [x, y, z, w]: [f32; 4] =
            std::array::from_fn(|row| (0..4).map(|column| columns[column][row] * at[column]).sum());
        [x / w, y / w, z / w]
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
