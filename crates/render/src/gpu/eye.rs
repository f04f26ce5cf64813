//! The eye of a picture: what the device is told of it, and what it cannot see.

use threshold_land::glam::{DVec3, Vec3};
use threshold_land::{CellId, Plane, block_offset_between};
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

/// What begins to be drawn is taken to be a little farther away, against rounding.
const NEAR_SLACK: f64 = 1.05;

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

    /// From the eye to the origin of a cell's landblock, as exact at the edge of the map as in its middle.
    pub(super) fn offset(&self, cell: CellId) -> DVec3 {
        block_offset_between(self.cell, cell).as_dvec3() - self.at
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
    pub(super) fn before(&self, plane: Plane, cell: CellId) -> f64 {
        let to_block = block_offset_between(self.cell, cell).as_dvec3();
        f64::from(plane.d) + plane.normal.as_dvec3().dot(self.at - to_block)
    }

    /// Where on the screen one looks through a plane, against its normal: where this, times (x, y, 1), is positive.
    pub(super) fn onward(&self, plane: Plane) -> DVec3 {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        let normal = plane.normal.as_dvec3();
        -DVec3::new(normal.dot(right) * wide, normal.dot(up) * high, normal.dot(ahead))
    }

    /// How far away what is not drawn may be, in metres: to the corners of where drawing begins.
    pub(super) fn reach(&self) -> f64 {
        let [wide, high] = self.tangents;
        NEAR_SLACK * self.near * DVec3::new(wide, high, 1.0).length()
    }

    /// Where on the screen a plane so far before the eye is nearer than drawing begins: where this, times (x, y, 1), is positive.
    pub(super) fn too_near(&self, plane: Plane, before: f64) -> DVec3 {
        self.onward(plane) - DVec3::Z * (before / (NEAR_SLACK * self.near))
    }

    /// The sides of the screen of an outline in space, relative to the eye, whose edges lie so much farther out: inside is positive.
    pub(super) fn sides(&self, outline: &[DVec3], normal: DVec3, growth: f64) -> Vec<DVec3> {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        #[allow(clippy::cast_precision_loss, reason = "a handful of corners")]
        let middle = outline.iter().sum::<DVec3>() / outline.len().max(1) as f64;
        let next = outline.iter().cycle().skip(1);
        let side = |(from, to): (&DVec3, &DVec3)| {
            let out = normal.cross(*to - *from).try_normalize()?;
            let out = out * (*from - middle).dot(out).signum() * growth;
            let across = (*from + out).cross(*to - *from).try_normalize()?;
            let inward = across * across.dot(middle).signum();
            Some(DVec3::new(inward.dot(right) * wide, inward.dot(up) * high, inward.dot(ahead)))
        };
        outline.iter().zip(next).filter_map(side).collect()
    }

    /// What can be seen at all.
    pub(super) fn whole(&self) -> Cone {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        let sides = [right / wide, -right / wide, up / high, -up / high];
        let sides = sides.into_iter().map(|side| ahead + side).chain([ahead]).collect();
        Cone { sides, opening: None }
    }

    /// What can be seen in a region that came through an opening whose plane this is.
    pub(super) fn cone(&self, region: &Region<'_>, opening: Option<(Plane, CellId)>) -> Cone {
        let [right, up, ahead] = self.axes;
        let [wide, high] = self.tangents;
        let side = |side: &DVec3| right / wide * side.x + up / high * side.y + ahead * side.z;
        let mut sides: Vec<DVec3> = region.planes().iter().map(side).collect();
        sides.push(ahead);
        let opening = opening
            .map(|(plane, cell)| (-plane.normal.as_dvec3(), -self.before(plane, cell).max(0.0)));
        Cone { sides, opening }
    }
}

/// What can be seen in a region, relative to the eye.
#[derive(Clone, Debug)]
pub(super) struct Cone {
    /// Normals of planes through the eye, pointing inwards.
    sides: Vec<DVec3>,
    /// The plane of the opening it came through: what is beyond it is positive.
    opening: Option<(DVec3, f64)>,
}

/// How something lies to what can be seen in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lies {
    /// Where it cannot be seen.
    Outside,
    /// Partly before the opening, where it must not be seen.
    Across,
    /// Beyond the opening.
    Beyond,
}

impl Cone {
    /// How a box lies, so far away from the eye; as much before the opening counts as beyond.
    pub(super) fn lies(&self, [low, high]: [Vec3; 2], offset: DVec3, slack: f64) -> Lies {
        let middle = ((low + high) / 2.0).as_dvec3() + offset;
        let half = ((high - low) / 2.0).as_dvec3();
        let is_out = |side: &DVec3| side.dot(middle) + side.abs().dot(half) < 0.0;
        // A box round nothing is inside out.
        if half.min_element() < 0.0 || self.sides.iter().any(is_out) {
            return Lies::Outside;
        }
        let Some((normal, d)) = self.opening else { return Lies::Beyond };
        let (far, reach) = (normal.dot(middle) + d + slack, normal.abs().dot(half));
        match () {
            () if far + reach < 0.0 => Lies::Outside,
            () if far < reach => Lies::Across,
            () => Lies::Beyond,
        }
    }

    /// Whether it came through an opening, before which nothing shows.
    pub(super) fn has_opening(&self) -> bool {
        self.opening.is_some()
    }

    /// The plane of the opening as the device takes it: what is positive shows.
    pub(super) fn opening(&self, slack: f64) -> [f32; 4] {
        let (normal, d) = self.opening.unwrap_or((DVec3::ZERO, 1.0));
        narrow(normal.extend(d + slack).to_array())
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
            let [x, y, depth] = shown(&eye, point + eye.offset(cell).as_vec3());
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

    #[test]
    fn boxes_lie_in_a_region_before_its_opening_or_beyond_it() {
        use threshold_view::{PortalWalk, ViewScratch};
        use threshold_world::{Builder, World};

        // Two rooms side by side, with the wall between them open at x = 4; what is seen of the eastern one from the western.
        let builder = Builder::new(threshold_forge::samples::two_rooms().unwrap());
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
        let (at, look) = (DVec3::new(1.0, 2.0, 1.6), DVec3::new(4.0, 2.0, 1.6));
        let viewer = Viewer::looking_at(west, at, look, Lens::default()).unwrap();
        let mut scratch = ViewScratch::new();
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let region = seen.cell(east).and_then(|cell| cell.regions().next()).unwrap();
        let eye = Eye::new(&viewer);
        let plane = Plane { normal: Vec3::NEG_X, d: 4.0 };
        let cone = eye.cone(&region, Some((plane, west)));
        let lies = |low: [f32; 3], high: [f32; 3]| {
            cone.lies([low.into(), high.into()], eye.offset(west), 0.0)
        };
        assert_eq!(lies([4.5, 1.0, 1.0], [5.0, 2.0, 2.0]), Lies::Beyond);
        assert_eq!(lies([3.5, 1.0, 1.0], [5.0, 2.0, 2.0]), Lies::Across);
        assert_eq!(lies([3.0, 1.0, 1.0], [3.5, 2.0, 2.0]), Lies::Outside, "before the opening");
        assert_eq!(lies([4.5, 90.0, 1.0], [5.0, 95.0, 2.0]), Lies::Outside, "beside the region");
        assert_eq!(lies([-9.0, 1.0, 1.0], [-8.0, 2.0, 2.0]), Lies::Outside, "behind the eye");
        assert_eq!(lies([5.0; 3], [4.5; 3]), Lies::Outside, "nothing");
    }
}
