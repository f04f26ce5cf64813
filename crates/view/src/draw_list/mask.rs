//! Masks: regions as they are marked on the target.

use std::ops::Range;

use threshold_geom::clip_outline;
use threshold_land::Side;
use threshold_land::vector::{DVec2, DVec3};
use threshold_world::{Portal, World};

use crate::draw_list::volume::{DrawEye, EntryPlane, entry_portal};
use crate::region::Region;

/// Part of a pixel by which masks are larger than their regions. Between a portal and its wall, rounding would leave pixels
/// in neither. The wall is drawn over the rim.
const GROWTH: f64 = 1.0 / 16.0;

/// Distance in metres below which the eye is in the plane of a portal.
const IN_PORTAL: f64 = 1e-3;

/// Distance in metres within which two portals lie in one plane.
const SAME_PLANE: f32 = 1e-3;

/// Cosine of the angle within which two planes are parallel.
const PARALLEL: f32 = 0.9999;

/// Buffers for making masks.
#[derive(Clone, Debug, Default)]
pub(super) struct MaskBuilder {
    /// The part of a region onward of its portal.
    onward: Vec<DVec2>,
    /// The part of that where the near plane cuts the plane of the portal.
    near: Vec<DVec2>,
    outline: Vec<DVec2>,
    spare: Vec<DVec2>,
    corners: Vec<DVec3>,
}

/// Receives the parts of masks.
pub(super) struct MaskTarget<'a> {
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
    /// Corners of all parts.
    pub(super) corners: &'a mut Vec<DVec2>,
    /// For each part the range of its corners.
    pub(super) parts: &'a mut Vec<Range<usize>>,
}

impl MaskBuilder {
    /// Adds the mask of a region.
    ///
    /// If the near rectangle may reach through a portal, the walk takes it to show its cell in the whole region, as the near
    /// plane may cut the walls beside it open. Where it does not, only the portal shows what is behind it: the mask is the
    /// portal and others in its plane that lead to the same cell, and a rim around them where the near plane cuts that plane.
    pub(super) fn add(
        &mut self,
        world: &World,
        eye: &DrawEye,
        region: &Region<'_>,
        plane: Option<EntryPlane>,
        mut target: MaskTarget<'_>,
    ) {
        let Some(EntryPlane { plane, .. }) = plane else {
            return target.add_part(region.corners());
        };
        cut(region.corners(), eye.onward(plane), &mut self.onward);
        let entry = region.entry().and_then(|entry| entry_portal(world, &entry));
        let Some((room, portal)) = entry else { return target.add_part(&self.onward) };
        let distance = eye.distance_before(plane, room.id());
        let reach = eye.near_reach();
        if !(IN_PORTAL..reach).contains(&distance) {
            return target.add_part(&self.onward);
        }
        let offset = eye.offset(room.id());
        cut(&self.onward, eye.cut_by_near(plane, distance), &mut self.near);
        let is_beside = |other: &&Portal| {
            let turn = portal.plane.normal.dot(other.plane.normal);
            let is_level = turn > PARALLEL && (portal.plane.d - other.plane.d).abs() < SAME_PLANE;
            other.other == portal.other && is_level
        };
        let Self { onward, near, outline, spare, corners } = self;
        for portal in room.portals().iter().filter(is_beside) {
            let polygon = room.portal_polygon(portal).vertices.iter();
            corners.clear();
            corners.extend(polygon.map(|at| room.to_block(*at).as_dvec3() + offset));
            for (start, growth) in [(&*onward, 0.0), (&*near, reach)] {
                outline.clone_from(start);
                eye.outline_sides(corners, plane.normal.as_dvec3(), growth, |side| {
                    cut(outline, side, spare);
                    std::mem::swap(outline, spare);
                });
                target.add_part(outline);
            }
        }
    }
}

/// Writes the part of an outline where `plane . (x, y, 1)` is not negative. A plane that is zero cuts nothing: the eye is in a
/// portal, which is passed whole.
fn cut(corners: &[DVec2], plane: DVec3, left: &mut Vec<DVec2>) {
    left.clear();
    clip_outline(
        corners,
        |corner| plane.dot(corner.extend(1.0)),
        |distance| if distance >= 0.0 { Side::Positive } else { Side::Negative },
        |[(from, here), (to, there)]| from.lerp(to, here / (here - there)),
        |corner, _| left.push(corner),
    );
}

impl MaskTarget<'_> {
    /// Adds a convex part of a mask, grown by [`GROWTH`].
    pub(super) fn add_part(&mut self, corners: &[DVec2]) {
        // Clipping may have left nothing.
        if corners.len() < 3 {
            return;
        }
        let start = self.corners.len();
        grow(corners, self.size, self.corners);
        self.parts.push(start..self.corners.len());
    }
}

/// Appends the corners of an outline with its sides moved outwards by [`GROWTH`].
fn grow(corners: &[DVec2], [width, height]: [u32; 2], grown: &mut Vec<DVec2>) {
    let half = DVec2::new(f64::from(width), f64::from(height)) / 2.0;
    let count = corners.len();
    let along = |from: usize, to: usize| (corners[to] - corners[from]) * half;
    let turn: f64 = (2..count).map(|last| along(0, last - 1).perp_dot(along(0, last))).sum();
    let outward = |from: usize, to: usize| {
        along(from, to).try_normalize().map_or(DVec2::ZERO, |side| -side.perp() * turn.signum())
    };
    grown.extend((0..count).map(|index| {
        let (before, after) = ((index + count - 1) % count, (index + 1) % count);
        let (one, other) = (outward(before, index), outward(index, after));
        // Both sides move equally far; a sharp corner moves not much farther.
        let aside = (one + other) / (1.0 + one.dot(other)).max(0.5);
        corners[index] + aside * GROWTH / half
    }));
}
