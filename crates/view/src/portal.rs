//! Portals as the eye sees them: projected, clipped by the screen, and near or not.

use std::ops::Range;

use threshold_geom::Polygon;
use threshold_land::block_offset_between;
use threshold_land::vector::{DVec2, DVec3, Vec3};
use threshold_world::{Portal, PortalSide, Room};

use crate::constants::{IN_PLANE, MIN_SOLID_ANGLE, NEAR_PORTAL, NEAR_RECTANGLE_SCALE, SAME_CORNER};
use crate::outline::{ClipResult, Outline, OutlineSlice, SCREEN};
use crate::viewer::Viewer;

/// A viewer with the values that every portal test needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    viewer: Viewer,
    /// Distance from the eye to the enlarged near rectangle.
    near: f64,
    /// Distance from the eye to a corner of that rectangle.
    corner: f64,
    /// Solid angle per area of the screen in its middle, where it is greatest, and in its corners, where it is least.
    solid: [f64; 2],
}

/// The half-space beyond a portal, in eye coordinates. Distances are in metres, positive inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfSpace {
    normal: DVec3,
    eye: f64,
}

impl HalfSpace {
    pub(crate) fn distance(&self, at: DVec3) -> f64 {
        self.normal.dot(at) + self.eye
    }

    /// Whether the eye is inside.
    pub(crate) fn has_eye(&self) -> bool {
        self.eye > 0.0
    }
}

/// The eye in the coordinate frame of a room.
struct EyePose {
    /// Position of the eye.
    eye: DVec3,
    /// Right, up and forward.
    axes: [DVec3; 3],
}

/// Direction in which the viewer looks through a portal of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookDirection {
    /// From inside, out of the room.
    Inside,
    /// From outside, into the room.
    Outside,
}

/// A portal as the eye sees it.
#[derive(Clone, Debug)]
pub(crate) struct ProjectedPortal {
    pub(crate) visibility: PortalVisibility,
    /// Whether the near-portal rule applies: what is behind it shows in the whole region.
    pub(crate) is_near: bool,
    /// Half-space behind the portal.
    pub(crate) beyond: HalfSpace,
    /// Range of its corners in eye coordinates, counter-clockwise on the screen; empty if it faces away.
    corners: Range<usize>,
    /// Range of its outline on the screen.
    shape: Range<usize>,
    pub(crate) bounds: Bounds,
    /// The last landscape region found through it.
    pub(crate) landscape: Option<u32>,
}

/// Whether a portal can be looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortalVisibility {
    /// The eye is behind it.
    FacesAway,
    /// No part of it is on the screen.
    OffScreen,
    /// The part on the screen is too small.
    TooSmall,
    /// Some of it is on the screen.
    Visible,
}

/// A rectangle of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    low: DVec2,
    high: DVec2,
}

impl Bounds {
    pub(crate) const SCREEN: Self = Self { low: DVec2::NEG_ONE, high: DVec2::ONE };

    pub(crate) fn of(corners: &[DVec3]) -> Self {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in corners {
            low = low.min(corner.truncate());
            high = high.max(corner.truncate());
        }
        Self { low, high }
    }

    pub(crate) fn is_apart(&self, other: &Self) -> bool {
        self.low.cmpgt(other.high).any() || other.low.cmpgt(self.high).any()
    }
}

/// All portals projected in one walk, with their corners and outlines.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProjectedPortals {
    all: Vec<ProjectedPortal>,
    corners: Vec<DVec3>,
    shapes: Outline,
    working: Outline,
    spare: Outline,
}

impl Eye {
    pub(crate) fn new(viewer: &Viewer) -> Self {
        let near = NEAR_RECTANGLE_SCALE * viewer.near;
        let corner = 1.0 + viewer.tangents.length_squared();
        let middle = viewer.tangents.x * viewer.tangents.y;
        let solid = [middle, middle / (corner * corner.sqrt())];
        Self { viewer: *viewer, near, corner: near * corner.sqrt(), solid }
    }

    fn pose(&self, room: &Room) -> EyePose {
        let (space, viewer) = (room.space(), &self.viewer);
        let rows = space.rows.0.map(|row| row.as_dvec3());
        let turn = |v: DVec3| DVec3::new(rows[0].dot(v), rows[1].dot(v), rows[2].dot(v));
        let shift = block_offset_between(space.cell, viewer.cell).as_dvec3();
        let eye = turn(viewer.eye + shift - space.origin.as_dvec3());
        EyePose { eye, axes: [viewer.right, viewer.up, viewer.forward].map(turn) }
    }

    /// Whether an outline on the screen covers at least [`MIN_SOLID_ANGLE`]. Its corners must be projected.
    pub(crate) fn is_large_enough(&self, outline: &Outline) -> bool {
        let area = outline.area();
        let [most, least] = self.solid;
        area * most >= MIN_SOLID_ANGLE
            && (area * least >= MIN_SOLID_ANGLE || self.solid_angle(outline) >= MIN_SOLID_ANGLE)
    }

    /// The sum over the triangles of a fan, by the formula of Van Oosterom and Strackee.
    fn solid_angle(&self, outline: &Outline) -> f64 {
        let ray = |corner: &DVec3| {
            let aside = corner.truncate() * self.viewer.tangents;
            aside.extend(1.0).normalize()
        };
        let Some((first, rest)) = outline.corners.split_first() else { return 0.0 };
        let a = ray(first);
        let triangles = rest.iter().zip(rest.get(1..).unwrap_or_default());
        let angles = triangles.map(|(b, c)| {
            let (b, c) = (ray(b), ray(c));
            2.0 * libm::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a))
        });
        angles.sum()
    }

    /// Returns the distance from the eye to the nearest point of a portal.
    pub(crate) fn distance_to(&self, room: &Room, portal: &Portal) -> f32 {
        let eye = self.pose(room).eye.as_vec3();
        room.portal_polygon(portal).nearest_point(eye).distance(eye)
    }
}

impl EyePose {
    /// Returns a point of the room in eye coordinates.
    fn to_eye(&self, tangents: DVec2, at: DVec3) -> DVec3 {
        let at = at - self.eye;
        let [right, up, forward] = self.axes;
        DVec3::new(right.dot(at) / tangents.x, up.dot(at) / tangents.y, forward.dot(at))
    }
}

impl ProjectedPortals {
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.corners.clear();
        self.shapes.clear();
    }

    pub(crate) fn get(&self, index: usize) -> &ProjectedPortal {
        &self.all[index]
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> &mut ProjectedPortal {
        &mut self.all[index]
    }

    /// Returns the outline of a portal on the screen: projected corners, and half-planes.
    pub(crate) fn outline(&self, index: usize) -> OutlineSlice<'_> {
        let range = self.all[index].shape.clone();
        OutlineSlice {
            corners: &self.shapes.corners[range.clone()],
            planes: &self.shapes.planes[range],
        }
    }

    /// Adds all portals of a room, seen from inside, and returns their indices.
    pub(crate) fn add_all(&mut self, eye: &Eye, room: &Room) -> Range<usize> {
        let (start, pose) = (self.all.len(), eye.pose(room));
        for portal in room.portals() {
            self.add(eye, &pose, room, portal, LookDirection::Inside);
        }
        start..self.all.len()
    }

    /// Adds a portal of a room, seen from outside.
    pub(crate) fn add_from_outside(&mut self, eye: &Eye, room: &Room, portal: &Portal) -> usize {
        self.add(eye, &eye.pose(room), room, portal, LookDirection::Outside);
        self.all.len() - 1
    }

    /// Removes the portal that was added last.
    pub(crate) fn remove_last(&mut self) {
        if let Some(last) = self.all.pop() {
            self.corners.truncate(last.corners.start);
            self.shapes.corners.truncate(last.shape.start);
            self.shapes.planes.truncate(last.shape.start);
        }
    }

    fn add(
        &mut self,
        eye: &Eye,
        pose: &EyePose,
        room: &Room,
        portal: &Portal,
        direction: LookDirection,
    ) {
        let (normal, d) = (portal.plane.normal.as_dvec3(), f64::from(portal.plane.d));
        // The sign that turns the normal into the direction of looking.
        let onward = match (portal.side, direction) {
            (PortalSide::Front, LookDirection::Inside)
            | (PortalSide::Behind, LookDirection::Outside) => 1.0,
            (PortalSide::Behind, LookDirection::Inside)
            | (PortalSide::Front, LookDirection::Outside) => -1.0,
        };
        let front = normal.dot(pose.eye) + d;
        let beyond =
            HalfSpace { normal: pose.normal_to_eye(eye, normal * onward), eye: front * onward };
        let polygon = room.portal_polygon(portal);
        let is_near = eye.is_near(&beyond, || pose.distance_aside(&polygon, front));
        let (corners, shape) = (self.corners.len(), self.shapes.corners.len());
        let mut projected = ProjectedPortal {
            visibility: PortalVisibility::FacesAway,
            is_near,
            beyond,
            corners: corners..corners,
            shape: shape..shape,
            bounds: Bounds::SCREEN,
            landscape: None,
        };
        if !beyond.has_eye() || is_near {
            self.add_corners(eye, pose, &polygon, front);
            projected.corners.end = self.corners.len();
            projected.visibility = self.project(eye, projected.corners.clone(), None);
            if projected.visibility == PortalVisibility::Visible {
                projected.bounds = Bounds::of(&self.working.corners);
                self.shapes.corners.extend_from_slice(&self.working.corners);
                self.shapes.planes.extend_from_slice(&self.working.planes);
                projected.shape.end = self.shapes.corners.len();
            }
        }
        self.all.push(projected);
    }

    /// Adds the corners of a polygon, moved into its plane, counter-clockwise on the screen.
    fn add_corners(&mut self, eye: &Eye, pose: &EyePose, polygon: &Polygon<'_>, front: f64) {
        let start = self.corners.len();
        let (normal, d) = (polygon.plane.normal.as_dvec3(), f64::from(polygon.plane.d));
        let in_plane = |vertex: &Vec3| {
            let at = vertex.as_dvec3();
            at - normal * (normal.dot(at) + d)
        };
        let mut last = polygon.vertices.last().map_or(DVec3::NAN, in_plane);
        for at in polygon.vertices.iter().map(in_plane) {
            let is_same = last.distance_squared(at) < SAME_CORNER * SAME_CORNER;
            if !is_same {
                self.corners.push(pose.to_eye(eye.viewer.tangents, at));
                last = at;
            }
        }
        if front < 0.0 {
            self.corners[start..].reverse();
        }
    }

    /// Projects a portal, or only its part `beyond` a plane, into the working outline.
    fn project(
        &mut self,
        eye: &Eye,
        corners: Range<usize>,
        beyond: Option<&HalfSpace>,
    ) -> PortalVisibility {
        let Self { corners: all, working, spare, .. } = self;
        let corners = &all[corners];
        working.clear();
        for (index, corner) in corners.iter().enumerate() {
            let next = corners[if index + 1 == corners.len() { 0 } else { index + 1 }];
            working.push(*corner, corner.cross(next));
        }
        if let Some(beyond) = beyond {
            let left = working.clip(DVec3::ZERO, |at| beyond.distance(at) + IN_PLANE, spare);
            match left {
                ClipResult::Whole => {}
                ClipResult::Nothing => return PortalVisibility::OffScreen,
                ClipResult::Part => {
                    std::mem::swap(working, spare);
                    working.add_missing_planes();
                }
            }
        }
        if working.corners.len() < 3 {
            return PortalVisibility::TooSmall;
        }
        if !working.clip_by(&SCREEN, spare) {
            return PortalVisibility::OffScreen;
        }
        match working.project() && working.tidy() && eye.is_large_enough(working) {
            true => PortalVisibility::Visible,
            false => PortalVisibility::TooSmall,
        }
    }

    /// Returns the least and the greatest distance of the corners of a portal beyond a plane.
    pub(crate) fn distances(&self, index: usize, beyond: &HalfSpace) -> (f64, f64) {
        let corners = &self.corners[self.all[index].corners.clone()];
        let distances = corners.iter().map(|at| beyond.distance(*at));
        distances
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), d| (low.min(d), high.max(d)))
    }

    /// Returns the outline on the screen of the part of a portal beyond a plane.
    pub(crate) fn part_beyond(
        &mut self,
        eye: &Eye,
        index: usize,
        beyond: &HalfSpace,
    ) -> (PortalVisibility, OutlineSlice<'_>) {
        let corners = self.all[index].corners.clone();
        let visibility = self.project(eye, corners, Some(beyond));
        (visibility, self.working.as_slice())
    }
}

impl EyePose {
    /// Returns a normal of the room in eye coordinates, scaled so that distances stay in metres.
    fn normal_to_eye(&self, eye: &Eye, normal: DVec3) -> DVec3 {
        let [right, up, forward] = self.axes.map(|axis| axis.dot(normal));
        let tangents = eye.viewer.tangents;
        DVec3::new(right * tangents.x, up * tangents.y, forward)
    }

    /// Returns the distance from a polygon of the eye, projected into the plane of the polygon.
    fn distance_aside(&self, polygon: &Polygon<'_>, front: f64) -> f64 {
        let foot = (self.eye - polygon.plane.normal.as_dvec3() * front).as_vec3();
        f64::from(polygon.nearest_point(foot).distance(foot))
    }
}

impl Eye {
    /// The near-portal rule: whether the near rectangle may reach through the portal.
    fn is_near(&self, beyond: &HalfSpace, aside: impl FnOnce() -> f64) -> bool {
        let HalfSpace { normal, eye } = *beyond;
        // The corner of the near rectangle that is farthest beyond the plane.
        let rectangle = eye + self.near * (normal.z + normal.x.abs() + normal.y.abs());
        let is_at_plane = eye.abs() <= NEAR_PORTAL || (eye <= 0.0 && rectangle >= 0.0);
        is_at_plane && aside() <= self.corner.max(NEAR_PORTAL)
    }
}

#[cfg(test)]
mod tests {
    use threshold_land::CellId;

    use super::*;
    use crate::viewer::Lens;

    /// Checks a square of the screen that covers `part` of the least solid angle if it is in the middle.
    #[track_caller]
    fn check(middle: f64, part: f64, want: bool) {
        let lens = Lens { fov: 90.0, aspect: 1.0, ..Lens::default() };
        let viewer = Viewer::looking_at(CellId(0), DVec3::ZERO, DVec3::Y, lens)
            .unwrap_or_else(|e| panic!("{e}"));
        let half = (part * MIN_SOLID_ANGLE).sqrt() / 2.0;
        let mut square = Outline::default();
        for (x, y) in [(-half, -half), (half, -half), (half, half), (-half, half)] {
            square.corners.push(DVec3::new(middle + x, middle + y, 1.0));
        }
        square.close();
        assert_eq!(Eye::new(&viewer).is_large_enough(&square), want, "{part} at {middle}");
    }

    /// In the corner of the screen the same area has a smaller solid angle, by the cube of its distance.
    #[test]
    fn size_is_judged_by_solid_angle_and_not_by_area_of_the_screen() {
        check(0.0, 0.99, false);
        check(0.0, 1.01, true);
        let corner = 0.99;
        let farther = libm::pow(1.0 + 2.0 * corner * corner, 1.5);
        check(corner, 0.98 * farther, false);
        check(corner, 1.02 * farther, true);
    }
}
