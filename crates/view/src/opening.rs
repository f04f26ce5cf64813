//! Openings, as an eye sees them.

use std::ops::Range;

use threshold_geom::Polygon;
use threshold_land::block_offset_between;
use threshold_land::glam::{DVec2, DVec3, Vec3};
use threshold_world::{Portal, PortalSide, Room};

use crate::constants::{IN_PLANE, LEAST_AREA, NEAR_OPENING, NEAR_RECTANGLE, SAME_CORNER};
use crate::outline::{Cut, Outline, SCREEN};
use crate::viewer::Viewer;

/// An eye with all that is needed of it again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    viewer: Viewer,
    /// From the eye to the near rectangle, as it is taken.
    near: f64,
    /// From the eye to a corner of that.
    corner: f64,
    /// Solid angle by area of the screen in its middle, where it is greatest, and in its corners.
    solid: [f64; 2],
}

/// A side of a plane, in coordinates of the eye; distances are in metres, positive on that side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beyond {
    normal: DVec3,
    eye: f64,
}

impl Beyond {
    pub(crate) fn distance(&self, at: DVec3) -> f64 {
        self.normal.dot(at) + self.eye
    }

    /// Whether the eye itself is on that side.
    pub(crate) fn has_eye(&self) -> bool {
        self.eye > 0.0
    }
}

/// A room in coordinates of the eye.
struct Pose {
    /// The eye in the room's frame.
    eye: DVec3,
    /// Right, up and forward in the room's frame.
    axes: [DVec3; 3],
}

/// From where an opening of a room is looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Out of the room.
    Inside,
    /// Into the room.
    Outside,
}

/// An opening, as an eye sees it.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub(crate) view: OpeningView,
    /// Whether the eye is so close that it is passed whole.
    pub(crate) is_near: bool,
    /// What lies beyond it.
    pub(crate) beyond: Beyond,
    /// Its corners in coordinates of the eye, counter-clockwise on the screen; none if it faces away.
    corners: Range<usize>,
    /// What shows of it on the screen.
    shape: Range<usize>,
    pub(crate) bounds: Bounds,
    /// The last region of the landscape that was found through it.
    pub(crate) landscape: Option<u32>,
}

/// Whether an opening can be looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpeningView {
    /// The eye is on the far side of it.
    FacesAway,
    /// Nothing of it is on the screen.
    OffScreen,
    /// Too little of it is.
    TooSmall,
    /// Some of it is.
    Shows,
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

/// All openings that were looked at in one view, with what belongs to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Openings {
    all: Vec<Opening>,
    corners: Vec<DVec3>,
    shapes: Outline,
    working: Outline,
    spare: Outline,
}

impl Eye {
    pub(crate) fn new(viewer: &Viewer) -> Self {
        let near = NEAR_RECTANGLE * viewer.near;
        let corner = 1.0 + viewer.tangents.length_squared();
        let middle = viewer.tangents.x * viewer.tangents.y;
        let solid = [middle, middle / (corner * corner.sqrt())];
        Self { viewer: *viewer, near, corner: near * corner.sqrt(), solid }
    }

    fn pose(&self, room: &Room) -> Pose {
        let (space, viewer) = (room.space(), &self.viewer);
        let rows = space.rows.0.map(|row| row.as_dvec3());
        let turn = |v: DVec3| DVec3::new(rows[0].dot(v), rows[1].dot(v), rows[2].dot(v));
        let shift = block_offset_between(space.cell, viewer.cell).as_dvec3();
        let eye = turn(viewer.eye + shift - space.origin.as_dvec3());
        Pose { eye, axes: [viewer.right, viewer.up, viewer.forward].map(turn) }
    }

    /// Whether an outline on the screen covers enough of the sphere round the eye. Its corners are where they show.
    pub(crate) fn is_large_enough(&self, outline: &Outline) -> bool {
        let area = outline.area();
        let [most, least] = self.solid;
        area * most >= LEAST_AREA
            && (area * least >= LEAST_AREA || self.solid_angle(outline) >= LEAST_AREA)
    }

    /// The sum over the triangles of a fan: the tangent of half of each is a quotient of products.
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

    /// The distance from the eye to the nearest point of an opening.
    pub(crate) fn distance_to(&self, room: &Room, portal: &Portal) -> f32 {
        let eye = self.pose(room).eye.as_vec3();
        room.portal_polygon(portal).nearest_point(eye).distance(eye)
    }
}

impl Pose {
    /// A point of the room in coordinates of the eye.
    fn place(&self, tangents: DVec2, at: DVec3) -> DVec3 {
        let at = at - self.eye;
        let [right, up, forward] = self.axes;
        DVec3::new(right.dot(at) / tangents.x, up.dot(at) / tangents.y, forward.dot(at))
    }
}

impl Openings {
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.corners.clear();
        self.shapes.clear();
    }

    pub(crate) fn get(&self, index: usize) -> &Opening {
        &self.all[index]
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> &mut Opening {
        &mut self.all[index]
    }

    /// What shows of an opening: corners where they show, and half-planes.
    pub(crate) fn shape(&self, index: usize) -> (&[DVec3], &[DVec3]) {
        let range = self.all[index].shape.clone();
        (&self.shapes.corners[range.clone()], &self.shapes.planes[range])
    }

    /// Adds all openings of a room, looked through from inside, and says which they are.
    pub(crate) fn add_all(&mut self, eye: &Eye, room: &Room) -> Range<usize> {
        let (start, pose) = (self.all.len(), eye.pose(room));
        for portal in room.portals() {
            self.add(eye, &pose, room, portal, From::Inside);
        }
        start..self.all.len()
    }

    /// Adds an opening of a room, looked through from outside.
    pub(crate) fn add_door(&mut self, eye: &Eye, room: &Room, portal: &Portal) -> usize {
        self.add(eye, &eye.pose(room), room, portal, From::Outside);
        self.all.len() - 1
    }

    /// Forgets the last one.
    pub(crate) fn take_back(&mut self) {
        if let Some(last) = self.all.pop() {
            self.corners.truncate(last.corners.start);
            self.shapes.corners.truncate(last.shape.start);
            self.shapes.planes.truncate(last.shape.start);
        }
    }

    fn add(&mut self, eye: &Eye, pose: &Pose, room: &Room, portal: &Portal, from: From) {
        let (normal, d) = (portal.plane.normal.as_dvec3(), f64::from(portal.plane.d));
        // Into the direction one looks.
        let onward = match (portal.side, from) {
            (PortalSide::Front, From::Inside) | (PortalSide::Behind, From::Outside) => 1.0,
            (PortalSide::Behind, From::Inside) | (PortalSide::Front, From::Outside) => -1.0,
        };
        let front = normal.dot(pose.eye) + d;
        let beyond = Beyond { normal: pose.scale(eye, normal * onward), eye: front * onward };
        let polygon = room.portal_polygon(portal);
        let is_near = eye.is_near(&beyond, || pose.distance_aside(&polygon, front));
        let (corners, shape) = (self.corners.len(), self.shapes.corners.len());
        let mut opening = Opening {
            view: OpeningView::FacesAway,
            is_near,
            beyond,
            corners: corners..corners,
            shape: shape..shape,
            bounds: Bounds::SCREEN,
            landscape: None,
        };
        if !beyond.has_eye() || is_near {
            self.add_corners(eye, pose, &polygon, front);
            opening.corners.end = self.corners.len();
            opening.view = self.project(eye, opening.corners.clone(), None);
            if opening.view == OpeningView::Shows {
                opening.bounds = Bounds::of(&self.working.corners);
                self.shapes.corners.extend_from_slice(&self.working.corners);
                self.shapes.planes.extend_from_slice(&self.working.planes);
                opening.shape.end = self.shapes.corners.len();
            }
        }
        self.all.push(opening);
    }

    /// Adds the corners of a polygon, brought into its plane, in the order in which they run counter-clockwise on the screen.
    fn add_corners(&mut self, eye: &Eye, pose: &Pose, polygon: &Polygon<'_>, front: f64) {
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
                self.corners.push(pose.place(eye.viewer.tangents, at));
                last = at;
            }
        }
        if front < 0.0 {
            self.corners[start..].reverse();
        }
    }

    /// Makes what shows of an opening, and of that only what lies `beyond`, if that is asked for, in the working outline.
    fn project(
        &mut self,
        eye: &Eye,
        corners: Range<usize>,
        beyond: Option<&Beyond>,
    ) -> OpeningView {
        let Self { corners: all, working, spare, .. } = self;
        let corners = &all[corners];
        working.clear();
        for (index, corner) in corners.iter().enumerate() {
            let next = corners[if index + 1 == corners.len() { 0 } else { index + 1 }];
            working.push(*corner, corner.cross(next));
        }
        if let Some(beyond) = beyond {
            let left = working.cut(DVec3::ZERO, |at| beyond.distance(at) + IN_PLANE, spare);
            match left {
                Cut::All => {}
                Cut::Nothing => return OpeningView::OffScreen,
                Cut::Part => {
                    std::mem::swap(working, spare);
                    working.mend_planes();
                }
            }
        }
        if working.corners.len() < 3 {
            return OpeningView::TooSmall;
        }
        if !working.cut_by(&SCREEN, spare) {
            return OpeningView::OffScreen;
        }
        match working.project() && working.tidy() && eye.is_large_enough(working) {
            true => OpeningView::Shows,
            false => OpeningView::TooSmall,
        }
    }

    /// The least and the greatest distance of an opening's corners beyond a plane.
    pub(crate) fn reach(&self, index: usize, beyond: &Beyond) -> (f64, f64) {
        let corners = &self.corners[self.all[index].corners.clone()];
        let distances = corners.iter().map(|at| beyond.distance(*at));
        distances
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), d| (low.min(d), high.max(d)))
    }

    /// What shows of the part of an opening beyond a plane.
    pub(crate) fn part_beyond(
        &mut self,
        eye: &Eye,
        index: usize,
        beyond: &Beyond,
    ) -> (OpeningView, (&[DVec3], &[DVec3])) {
        let corners = self.all[index].corners.clone();
        let view = self.project(eye, corners, Some(beyond));
        (view, (&self.working.corners, &self.working.planes))
    }
}

impl Pose {
    /// A direction of the room as the normal of a plane in coordinates of the eye, so that distances stay metres.
    fn scale(&self, eye: &Eye, normal: DVec3) -> DVec3 {
        let [right, up, forward] = self.axes.map(|axis| axis.dot(normal));
        let tangents = eye.viewer.tangents;
        DVec3::new(right * tangents.x, up * tangents.y, forward)
    }

    /// How far the foot of the eye on the plane of a polygon is from the polygon.
    fn distance_aside(&self, polygon: &Polygon<'_>, front: f64) -> f64 {
        let foot = (self.eye - polygon.plane.normal.as_dvec3() * front).as_vec3();
        f64::from(polygon.nearest_point(foot).distance(foot))
    }
}

impl Eye {
    /// The near-portal rule: whether an opening is so close that it is passed whole.
    fn is_near(&self, beyond: &Beyond, aside: impl FnOnce() -> f64) -> bool {
        let Beyond { normal, eye } = *beyond;
        // The corner of the near rectangle that is farthest beyond.
        let rectangle = eye + self.near * (normal.z + normal.x.abs() + normal.y.abs());
        let is_at_plane = eye.abs() <= NEAR_OPENING || (eye <= 0.0 && rectangle >= 0.0);
        is_at_plane && aside() <= self.corner.max(NEAR_OPENING)
    }
}

#[cfg(test)]
mod tests {
    use threshold_land::CellId;

    use super::*;
    use crate::viewer::Lens;

    /// A square of the screen, so large that it covers `part` of what has to be covered, if the screen were round the eye.
    fn check(middle: f64, part: f64, want: bool) {
        let lens = Lens { fov: 90.0, aspect: 1.0, ..Lens::default() };
        let viewer = Viewer::looking_at(CellId(0), DVec3::ZERO, DVec3::Y, lens)
            .unwrap_or_else(|e| panic!("{e}"));
        let half = (part * LEAST_AREA).sqrt() / 2.0;
        let mut square = Outline::default();
        for (x, y) in [(-half, -half), (half, -half), (half, half), (-half, half)] {
            square.corners.push(DVec3::new(middle + x, middle + y, 1.0));
        }
        square.close();
        assert_eq!(Eye::new(&viewer).is_large_enough(&square), want, "{part} at {middle}");
    }

    /// In the corner of the screen the same area covers less of the sphere, by the cube of its distance.
    #[test]
    fn what_is_too_small_is_so_on_the_sphere_and_not_on_the_screen() {
        check(0.0, 0.99, false);
        check(0.0, 1.01, true);
        let corner = 0.99;
        let farther = libm::pow(1.0 + 2.0 * corner * corner, 1.5);
        check(corner, 0.98 * farther, false);
        check(corner, 1.02 * farther, true);
    }
}
