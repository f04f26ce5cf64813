//! Planes of portals and volumes of regions, relative to the eye.

use threshold_land::vector::{DVec3, DVec4, Vec3};
use threshold_land::{CellId, Plane, block_offset_between};
use threshold_world::{Portal, PortalSide, Room, World};

use crate::region::{EntryPortal, Region};
use crate::viewer::Viewer;

/// Distance in metres in front of a portal at which content still shows. Rooms reach through their portals by less, and
/// rounding is far below.
pub const CLIP_SLACK: f64 = 0.025;

/// Distance in metres by which a portal is sealed behind its plane, and the part of its distance that is added. In single
/// precision, a wall in the plane of its own portal is off by less.
const SEAL_OFFSET: f64 = 2e-4;
const SEAL_OFFSET_PART: f64 = 1e-5;

/// Factor by which the near distance is enlarged, against rounding in the renderer.
const NEAR_SCALE: f64 = 1.05;

/// Distance in metres in front of a plane that still counts as beyond it.
const PLANE_TOLERANCE: f32 = 1e-3;

/// A viewer with the near distance of the renderer.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawEye {
    cell: CellId,
    eye: DVec3,
    axes: [DVec3; 3],
    tangents: [f64; 2],
    near: f64,
}

/// The plane of the only entry portal of a region, facing the near side.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryPlane {
    /// In the frame of the landblock of `cell`.
    pub(super) plane: Plane,
    pub(super) cell: CellId,
}

/// The plane of an entry portal, relative to the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PortalPlane {
    /// Normal in eye coordinates, away from the near side.
    onward: DVec3,
    /// The same in the frame of the viewer's landblock.
    normal: DVec3,
    /// Distance of the eye in front of the plane, at least 0.
    distance: f64,
}

/// The part of space that shows in a region: a cone with its apex in the eye, cut at the entry portal.
#[derive(Clone, Copy, Debug)]
pub struct RegionVolume<'a> {
    /// Normals of planes through the eye, pointing inwards.
    sides: &'a [DVec3],
    portal: Option<PortalPlane>,
}

/// Where a box lies in relation to the volume of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxPlacement {
    /// It does not show.
    Outside,
    /// It reaches in front of the entry portal, where it must be clipped.
    Crossing,
    /// It is wholly beyond the entry portal, and may show.
    Beyond,
}

impl DrawEye {
    pub(super) fn new(viewer: &Viewer, near: f64) -> Self {
        let (tangents, axes) = (viewer.tangents().to_array(), viewer.axes());
        Self { cell: viewer.cell(), eye: viewer.eye(), axes, tangents, near }
    }

    /// Returns the vector from the eye to the origin of a cell's landblock.
    pub(super) fn offset(&self, cell: CellId) -> DVec3 {
        block_offset_between(self.cell, cell).as_dvec3() - self.eye
    }

    /// Returns the distance of the eye in front of a plane in the frame of a cell's landblock.
    pub(super) fn distance_before(&self, plane: Plane, cell: CellId) -> f64 {
        let to_block = block_offset_between(self.cell, cell).as_dvec3();
        f64::from(plane.d) + plane.normal.as_dvec3().dot(self.eye - to_block)
    }

    /// Returns the half-plane of the screen in which rays pass through a plane, against its normal.
    pub(super) fn onward(&self, plane: Plane) -> DVec3 {
        let [right, up, forward] = self.axes;
        let [wide, high] = self.tangents;
        let normal = plane.normal.as_dvec3();
        -DVec3::new(normal.dot(right) * wide, normal.dot(up) * high, normal.dot(forward))
    }

    pub(super) fn portal_plane(&self, plane: Plane, cell: CellId) -> PortalPlane {
        let distance = self.distance_before(plane, cell).max(0.0);
        let normal = -plane.normal.as_dvec3();
        PortalPlane { onward: self.onward(plane), normal, distance }
    }

    /// Returns the distance in metres within which content may be cut by the near plane: that of the corners of the near
    /// rectangle.
    pub(super) fn near_reach(&self) -> f64 {
        let [wide, high] = self.tangents;
        NEAR_SCALE * self.near * DVec3::new(wide, high, 1.0).length()
    }

    /// Returns the half-plane of the screen in which the near plane cuts a plane at this distance from the eye.
    pub(super) fn cut_by_near(&self, plane: Plane, distance: f64) -> DVec3 {
        self.onward(plane) - DVec3::Z * (distance / (NEAR_SCALE * self.near))
    }

    /// Calls `add` with the half-planes of the screen of an outline in space, relative to the eye, whose edges are moved
    /// outwards by `growth` metres.
    pub(super) fn outline_sides(
        &self,
        outline: &[DVec3],
        normal: DVec3,
        growth: f64,
        mut add: impl FnMut(DVec3),
    ) {
        let [right, up, forward] = self.axes;
        let [wide, high] = self.tangents;
        #[allow(clippy::cast_precision_loss, reason = "a few corners")]
        let middle = outline.iter().sum::<DVec3>() / outline.len().max(1) as f64;
        for (from, to) in outline.iter().zip(outline.iter().cycle().skip(1)) {
            let Some(out) = normal.cross(*to - *from).try_normalize() else { continue };
            let out = out * (*from - middle).dot(out).signum() * growth;
            let Some(across) = (*from + out).cross(*to - *from).try_normalize() else { continue };
            let inward = across * across.dot(middle).signum();
            add(DVec3::new(inward.dot(right) * wide, inward.dot(up) * high, inward.dot(forward)));
        }
    }

    /// Returns the sides of the volume of the whole screen.
    pub(super) fn screen_sides(&self) -> [DVec3; 5] {
        let [right, up, forward] = self.axes;
        let [wide, high] = self.tangents;
        let [left, right, low, high] = [right / wide, -right / wide, up / high, -up / high];
        [left, right, low, high, DVec3::ZERO].map(|side| forward + side)
    }

    /// Returns the sides of the volume of a region.
    pub(super) fn region_sides<'a>(
        &self,
        region: &Region<'a>,
    ) -> impl Iterator<Item = DVec3> + use<'a> {
        let [right, up, forward] = self.axes;
        let [wide, high] = self.tangents;
        let side =
            move |side: &DVec3| right / wide * side.x + up / high * side.y + forward * side.z;
        region.planes().iter().map(side).chain([forward])
    }
}

impl PortalPlane {
    /// Returns the depth to write when the portal is sealed, as coefficients `(a, b, c)`: at a point `(x, y)` of the screen it
    /// is `a x + b y + c`, clamped to 0 and `near`.
    ///
    /// Depth is `near` divided by the forward distance: 1 at the distance `near`, 0 far away. With a `near` of 1 it is the
    /// inverse of the forward distance. The plane is moved away from the eye by a fraction of a millimetre, so that walls in
    /// it show. An eye beyond the plane counts as in the plane.
    pub fn seal_depth(&self, near: f64) -> DVec3 {
        // The ray of a point of the screen meets the plane at 1 / distance = (normal . ray) / distance of the eye.
        self.onward * near / (self.distance * (1.0 + SEAL_OFFSET_PART) + SEAL_OFFSET)
    }

    /// Returns the half-plane `(a, b, c)` of the screen in which rays from the eye pass through the plane.
    pub fn onward(&self) -> DVec3 {
        self.onward
    }

    /// Returns the clip plane `(normal, d)`: a point shows if `normal . point + d >= 0`. Points are relative to the eye, with
    /// the axes of the viewer's landblock. The plane is [`CLIP_SLACK`] in front of the portal.
    pub fn clip_plane(&self) -> DVec4 {
        self.normal.extend(-self.distance + CLIP_SLACK)
    }
}

impl<'a> RegionVolume<'a> {
    pub(super) fn new(sides: &'a [DVec3], portal: Option<PortalPlane>) -> Self {
        Self { sides, portal }
    }

    /// Returns where a box lies that is given by its lowest and highest corner and moved by `offset` relative to the eye. An
    /// inverted box is empty, and outside. Conservative at the corners of the region: a box outside may count as inside.
    pub fn placement(&self, [low, high]: [Vec3; 2], offset: DVec3) -> BoxPlacement {
        let middle = ((low + high) / 2.0).as_dvec3() + offset;
        let half = ((high - low) / 2.0).as_dvec3();
        let is_outside = |side: &DVec3| side.dot(middle) + side.abs().dot(half) < 0.0;
        if half.min_element() < 0.0 || self.sides.iter().any(is_outside) {
            return BoxPlacement::Outside;
        }
        let Some(PortalPlane { normal, distance, .. }) = self.portal else {
            return BoxPlacement::Beyond;
        };
        let (beyond, reach) = (normal.dot(middle) - distance + CLIP_SLACK, normal.abs().dot(half));
        match () {
            () if beyond + reach < 0.0 => BoxPlacement::Outside,
            () if beyond < reach => BoxPlacement::Crossing,
            () => BoxPlacement::Beyond,
        }
    }
}

/// Returns an entry portal and its room.
pub(super) fn entry_portal<'w>(
    world: &'w World,
    entry: &EntryPortal,
) -> Option<(&'w Room, &'w Portal)> {
    let room = world.room(entry.cell)?;
    Some((room, room.portals().get(usize::from(entry.portal))?))
}

impl EntryPlane {
    /// Returns the plane of the entry portal of a region, or `None` if it does not have exactly one.
    pub(super) fn of(world: &World, region: &Region<'_>) -> Option<Self> {
        let mut entries = region.entries();
        let (Some(entry), None) = (entries.next(), entries.next()) else { return None };
        let (room, portal) = entry_portal(world, &entry)?;
        let frame = room.position().frame;
        let normal = frame.rotation.rotate(portal.plane.normal);
        let d = portal.plane.d - normal.dot(frame.origin);
        let sign = if (portal.side == PortalSide::Front) == entry.outdoors { 1.0 } else { -1.0 };
        Some(Self { plane: Plane { normal: normal * sign, d: d * sign }, cell: entry.cell })
    }

    /// Returns whether the entry portal of a region lies wholly beyond the plane.
    pub(super) fn is_before(&self, world: &World, region: &Region<'_>) -> bool {
        let portal = region.entry().and_then(|entry| entry_portal(world, &entry));
        let Some((room, portal)) = portal else { return false };
        let offset = block_offset_between(self.cell, room.id());
        let corners = room.portal_polygon(portal).vertices.iter();
        let before = |corner: &Vec3| self.plane.distance(room.to_block(*corner) + offset);
        corners.map(before).fold(f32::NEG_INFINITY, f32::max) < PLANE_TOLERANCE
    }
}
