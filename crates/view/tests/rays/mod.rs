//! Reference for portal walks: a ray that moves from cell to cell through portal polygons. It shares nothing with the
//! portal walk but the cells it reads: no regions, no order, no clipping.

#![allow(dead_code, reason = "every test file uses some of it")]

use std::collections::BTreeMap;

use threshold_land::vector::{DVec2, DVec3};
use threshold_land::{CellId, CellKind, block_offset_between};
use threshold_view::Viewer;
use threshold_world::{Portal, PortalSide, Room, World};

/// A ray that passes closer to the edge of a portal does not pass through, because rounding decides there.
pub(crate) const MARGIN: Margin = Margin { metres: 2e-4, of_the_way: 4e-6, off_the_plane: 4e-6 };
/// Margin of a ray that passes through every portal it meets.
pub(crate) const NO_MARGIN: Margin = Margin { metres: 0.0, of_the_way: 0.0, off_the_plane: 0.0 };

/// Tolerance in metres for portals in the plane that a ray has just passed: portals that touch or coincide.
const TOUCH: f64 = 1e-3;
/// Number of buildings that a ray enters in a row.
const MAX_BUILDINGS: usize = 3;

/// Distance that a ray must keep from the edges of a portal: the greatest of these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margin {
    metres: f64,
    /// As a part of the distance to the portal.
    of_the_way: f64,
    /// Distance by which the crossing moves when the plane moves by this, in metres: large where the ray is nearly in the
    /// plane. Rotations in single precision are not more exact.
    off_the_plane: f64,
}

/// The portal that a ray entered through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EntryPortalId {
    /// The room that has the portal.
    pub(crate) cell: CellId,
    /// Its number in the room's list.
    pub(crate) portal: usize,
    /// Whether it was passed from outdoors.
    pub(crate) outdoors: bool,
}

/// A cell that a ray reaches, and the way it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RayVisit {
    /// A room; `None` is the landscape.
    pub(crate) cell: Option<CellId>,
    /// Portal that it came through; `None` at the start of the ray.
    pub(crate) through: Option<EntryPortalId>,
    /// Index of the place before it.
    pub(crate) from: Option<usize>,
    /// Buildings entered on the way.
    buildings: usize,
}

/// A portal, in the axes of the viewer's landblock with the eye in the origin.
#[derive(Clone, Debug)]
pub(crate) struct Hole {
    pub(crate) other: Option<CellId>,
    back: Option<usize>,
    pub(crate) corners: Vec<DVec3>,
    /// A point of each edge, and its inward direction.
    edges: Vec<(DVec3, DVec3)>,
    /// Normal out of the room.
    pub(crate) outward: DVec3,
    /// Distance of the eye in front of its plane; negative behind it.
    pub(crate) eye_before: f64,
}

impl Hole {
    fn new(viewer: &Viewer, room: &Room, portal: &Portal) -> Self {
        let space = room.space();
        let rows = space.rows.0.map(|row| row.as_dvec3());
        let turn = |local: DVec3| rows[0] * local.x + rows[1] * local.y + rows[2] * local.z;
        let shift = block_offset_between(viewer.cell(), space.cell).as_dvec3();
        let place = |local: DVec3| turn(local) + space.origin.as_dvec3() + shift - viewer.eye();
        let sign = if portal.side == PortalSide::Front { 1.0 } else { -1.0 };
        let normal = portal.plane.normal.as_dvec3();
        let outward = turn(normal) * sign;
        let vertices = room.portal_polygon(portal).vertices;
        let corners: Vec<DVec3> = vertices.iter().map(|at| place(at.as_dvec3())).collect();
        Self {
            other: portal.other,
            back: portal.other_portal.map(usize::from),
            edges: edges(&corners, outward),
            corners,
            outward,
            eye_before: outward.dot(place(normal * -f64::from(portal.plane.d))),
        }
    }

    /// Returns the distance at which a ray of unit length from the eye passes it, out of its room or (`side` = -1) into it.
    fn crossing(&self, ray: DVec3, side: f64, margin: Margin) -> Option<f64> {
        let approach = self.outward.dot(ray);
        if approach * side <= 1e-9 {
            return None;
        }
        let time = self.eye_before / approach;
        let slides = margin.off_the_plane / approach.abs();
        let clear = margin.metres.max(margin.of_the_way * time).max(slides);
        let at = ray * time;
        (time >= 0.0 && self.depth_within(at) > clear).then_some(time)
    }

    /// Returns the distance of a point of its plane from the nearest edge; negative outside.
    fn depth_within(&self, at: DVec3) -> f64 {
        let depths = self.edges.iter().map(|(from, inward)| inward.dot(at - *from));
        depths.fold(f64::INFINITY, f64::min)
    }

    /// Returns the distance from it of the eye projected into its plane.
    fn foot_aside(&self) -> f64 {
        let foot = self.outward * self.eye_before;
        if self.depth_within(foot) >= 0.0 {
            return 0.0;
        }
        let next = self.corners.iter().cycle().skip(1);
        let to_edge = self.corners.iter().zip(next).map(|(from, to)| {
            let along = *to - *from;
            let part = (foot - *from).dot(along) / along.length_squared().max(1e-30);
            foot.distance(*from + along * part.clamp(0.0, 1.0))
        });
        to_edge.fold(f64::INFINITY, f64::min)
    }

    /// Returns the distance of its nearest point from the eye.
    pub(crate) fn distance(&self) -> f64 {
        self.eye_before.hypot(self.foot_aside())
    }

    /// Whether it is passed whole by the definition, looking outwards or (`side` = -1) inwards.
    pub(crate) fn is_near(&self, viewer: &Viewer, near: f64, side: f64) -> bool {
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let corners = corners.map(|(x, y)| viewer.direction(DVec2::new(x, y)) * near * 1.02);
        let before = self.eye_before * side;
        let reaches = corners.iter().any(|at| self.outward.dot(*at) * side >= before);
        let is_at_plane = before.abs() <= 0.02 || (before >= 0.0 && reaches);
        is_at_plane && self.foot_aside() <= corners[0].length().max(0.02)
    }
}

/// Returns a point of each edge of a polygon, and the inward direction in its plane, for either winding.
fn edges(corners: &[DVec3], normal: DVec3) -> Vec<(DVec3, DVec3)> {
    let next = corners.iter().cycle().skip(1);
    let edges = corners.iter().zip(next).map(|(from, to)| (*from, *to - *from));
    let edges: Vec<_> = edges.filter(|(_, along)| along.length() > 1e-5).collect();
    let turn: DVec3 = edges.windows(2).map(|pair| pair[0].1.cross(pair[1].1)).sum();
    let normal = normal * normal.dot(turn).signum();
    edges.iter().map(|(from, along)| (*from, normal.cross(*along).normalize())).collect()
}

/// State of a ray.
#[derive(Clone, Copy)]
struct Ray {
    time: f64,
    /// The portal it entered through.
    back: Option<usize>,
    /// Index of its last place.
    place: usize,
}

/// Casts rays from one eye.
pub(crate) struct Rays {
    viewer: Viewer,
    rooms: BTreeMap<CellId, Vec<Hole>>,
    doors: Vec<(CellId, usize)>,
    margin: Margin,
}

impl Rays {
    pub(crate) fn new(world: &World, viewer: &Viewer, margin: Margin) -> Self {
        let rooms = world.resident().filter_map(|piece| match piece {
            threshold_world::PieceId::Room(cell) => world.room(cell),
            threshold_world::PieceId::Land(_) => None,
        });
        let holes = |room: &Room| {
            let holes = room.portals().iter().map(|portal| Hole::new(viewer, room, portal));
            (room.id(), holes.collect())
        };
        let rooms: BTreeMap<_, Vec<Hole>> = rooms.map(holes).collect();
        let buildings = world.lands().flat_map(|land| land.buildings());
        let doors = buildings.flat_map(|building| &building.portals);
        let doors = doors.filter_map(|door| Some((door.other, usize::from(door.other_portal?))));
        let is_exit = |(cell, portal): &(CellId, usize)| {
            let hole = rooms.get(cell).and_then(|holes| holes.get(*portal));
            hole.is_some_and(|hole| hole.other.is_none())
        };
        let doors = doors.filter(is_exit).collect();
        Self { viewer: *viewer, rooms, doors, margin }
    }

    pub(crate) fn hole(&self, cell: CellId, portal: usize) -> &Hole {
        &self.rooms[&cell][portal]
    }

    /// Portals of all rooms.
    pub(crate) fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.rooms.values().flatten()
    }

    /// Returns every place that the ray through a point of the screen reaches.
    pub(crate) fn cast(&self, screen: DVec2) -> Vec<RayVisit> {
        let direction = self.viewer.direction(screen).normalize();
        let root = self.viewer.cell();
        let cell = (root.kind() != Some(CellKind::Land)).then_some(root);
        let mut reached = vec![RayVisit { cell, through: None, from: None, buildings: 0 }];
        let start = Ray { time: 0.0, back: None, place: 0 };
        match cell {
            Some(cell) => self.inside(cell, direction, start, &mut reached),
            None => self.outside(direction, start, &mut reached),
        }
        reached
    }

    fn inside(&self, cell: CellId, direction: DVec3, ray: Ray, reached: &mut Vec<RayVisit>) {
        // A room that is not resident is reached but not left.
        let Some(holes) = self.rooms.get(&cell) else { return };
        let buildings = reached[ray.place].buildings;
        for (portal, hole) in holes.iter().enumerate() {
            let crossing = hole.crossing(direction, 1.0, self.margin);
            let Some(time) = crossing.filter(|time| *time >= ray.time - TOUCH) else { continue };
            let through = EntryPortalId { cell, portal, outdoors: false };
            let place = reached.len();
            if ray.back == Some(portal)
                || !go_through(reached, through, hole.other, (ray.place, buildings))
            {
                continue;
            }
            let on = Ray { time, back: hole.back, place };
            match hole.other {
                Some(other) => self.inside(other, direction, on, reached),
                None => self.outside(direction, on, reached),
            }
        }
    }

    fn outside(&self, direction: DVec3, ray: Ray, reached: &mut Vec<RayVisit>) {
        let buildings = reached[ray.place].buildings + 1;
        if buildings > MAX_BUILDINGS {
            return;
        }
        for (cell, portal) in self.doors.iter().copied() {
            let crossing = self.hole(cell, portal).crossing(direction, -1.0, self.margin);
            let Some(time) = crossing.filter(|time| *time >= ray.time) else { continue };
            let through = EntryPortalId { cell, portal, outdoors: true };
            let place = reached.len();
            if go_through(reached, through, Some(cell), (ray.place, buildings)) {
                self.inside(cell, direction, Ray { time, back: Some(portal), place }, reached);
            }
        }
    }

    /// Returns the solid angle, in steradians, that all portals on the way to a place leave around a ray.
    pub(crate) fn room_left(&self, screen: DVec2, reached: &[RayVisit], place: usize) -> f64 {
        let ray = self.viewer.direction(screen);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let mut cone = corners.map(|(x, y)| self.viewer.direction(DVec2::new(x, y))).to_vec();
        let mut next = Some(place);
        while let Some(RayVisit { through, from, .. }) = next.map(|place| reached[place]) {
            let hole = through.map(|through| self.hole(through.cell, through.portal));
            let corners = hole.map_or(&[][..], |hole| &hole.corners);
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let side = a.cross(*b);
                cone = cut(&cone, side * side.dot(ray).signum());
            }
            next = from;
        }
        solid_angle(&cone)
    }
}

/// Adds the place behind a portal. Returns false if the ray passed the portal before with the same number of buildings
/// left: it passes a portal at one distance only, so it would find nothing new, and among mirrors it would never end.
fn go_through(
    reached: &mut Vec<RayVisit>,
    through: EntryPortalId,
    cell: Option<CellId>,
    (from, buildings): (usize, usize),
) -> bool {
    let through = Some(through);
    if reached.iter().any(|it| it.through == through && it.buildings <= buildings) {
        return false;
    }
    reached.push(RayVisit { cell, through, from: Some(from), buildings });
    true
}

/// Returns the part of a cone, given by the directions of its edges, on the inner side of a plane through the eye.
fn cut(cone: &[DVec3], inward: DVec3) -> Vec<DVec3> {
    let mut left = Vec::new();
    for (from, to) in cone.iter().zip(cone.iter().cycle().skip(1)) {
        let (here, there) = (inward.dot(*from), inward.dot(*to));
        if here >= 0.0 {
            left.push(*from);
        }
        if (here >= 0.0) != (there >= 0.0) {
            left.push(*from + (*to - *from) * (here / (here - there)));
        }
    }
    left
}

fn solid_angle(cone: &[DVec3]) -> f64 {
    let Some(first) = cone.first().map(|edge| edge.normalize()) else { return 0.0 };
    let triangles = cone.windows(2).map(|pair| {
        let (b, c) = (pair[0].normalize(), pair[1].normalize());
        let cosines = 1.0 + first.dot(b) + b.dot(c) + c.dot(first);
        2.0 * libm::atan2(first.dot(b.cross(c)), cosines)
    });
    triangles.sum::<f64>().abs()
}
