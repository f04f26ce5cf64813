//! The slow and obvious way to find out what is seen: a ray that goes from cell to cell through portal polygons. It shares
//! nothing with the portal walk but the cells it reads: no regions, no order, no clipping.

#![allow(dead_code, reason = "every test file uses some of it")]

use std::collections::BTreeMap;

use threshold_land::glam::{DVec2, DVec3};
use threshold_land::{CellId, CellKind, block_offset_between};
use threshold_view::Viewer;
use threshold_world::{Portal, PortalSide, Room, World};

/// A ray that passes closer to the edge of a portal than this is not followed through it: there rounding decides.
pub(crate) const MARGIN: Margin = Margin { metres: 2e-4, of_the_way: 4e-6, off_the_plane: 4e-6 };
/// A ray goes through whatever it meets.
pub(crate) const NO_MARGIN: Margin = Margin { metres: 0.0, of_the_way: 0.0, off_the_plane: 0.0 };

/// A ray meets what lies in the plane it has just gone through: openings that touch or coincide.
const TOUCH: f64 = 1e-3;
/// So many buildings a ray enters one after the other.
const MOST_BUILDINGS: usize = 3;

/// How far from the edges of an opening a ray has to stay: the largest of these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margin {
    metres: f64,
    /// In parts of the way there.
    of_the_way: f64,
    /// As far as the crossing moves when the plane does by this, in metres: far, where the ray nearly runs in the plane.
    /// Rotations of single precision are no better than that.
    off_the_plane: f64,
}

/// The opening that a ray has come through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Through {
    /// The room whose opening it is.
    pub(crate) cell: CellId,
    /// Its number in the room's list.
    pub(crate) portal: usize,
    /// Whether it came in from outdoors.
    pub(crate) outdoors: bool,
}

/// Something that a ray comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// A room; `None` is the landscape.
    pub(crate) cell: Option<CellId>,
    /// `None` where the ray began.
    pub(crate) through: Option<Through>,
    /// Where in the list is what it came from.
    pub(crate) from: Option<usize>,
    /// Buildings that it entered on the way.
    buildings: usize,
}

/// An opening, in the axes of the viewer's landblock and with the eye in the origin.
#[derive(Clone, Debug)]
pub(crate) struct Hole {
    pub(crate) other: Option<CellId>,
    back: Option<usize>,
    pub(crate) corners: Vec<DVec3>,
    /// A point of each edge, and which way is in.
    edges: Vec<(DVec3, DVec3)>,
    /// Out of its room.
    pub(crate) outward: DVec3,
    /// How far the eye is before its plane; negative beyond it.
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

    /// Where a ray of unit length from the eye goes through it, out of its room or (`side` = -1) into it.
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

    /// How far a point of its plane is from its nearest edge; negative outside.
    fn depth_within(&self, at: DVec3) -> f64 {
        let depths = self.edges.iter().map(|(from, inward)| inward.dot(at - *from));
        depths.fold(f64::INFINITY, f64::min)
    }

    /// How far the foot of the eye on its plane is from it.
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

    /// How far its nearest point is from the eye.
    pub(crate) fn distance(&self) -> f64 {
        self.eye_before.hypot(self.foot_aside())
    }

    /// Whether the eye is so near that the opening is passed whole, by the definition, looked through
    /// outwards or (`side` = -1) inwards.
    pub(crate) fn is_near(&self, viewer: &Viewer, near: f64, side: f64) -> bool {
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let corners = corners.map(|(x, y)| viewer.direction(DVec2::new(x, y)) * near * 1.02);
        let before = self.eye_before * side;
        let reaches = corners.iter().any(|at| self.outward.dot(*at) * side >= before);
        let is_at_plane = before.abs() <= 0.02 || (before >= 0.0 && reaches);
        is_at_plane && self.foot_aside() <= corners[0].length().max(0.02)
    }
}

/// A point of each edge of a polygon, and the direction in its plane that is in, whichever way it is wound.
fn edges(corners: &[DVec3], normal: DVec3) -> Vec<(DVec3, DVec3)> {
    let next = corners.iter().cycle().skip(1);
    let edges = corners.iter().zip(next).map(|(from, to)| (*from, *to - *from));
    let edges: Vec<_> = edges.filter(|(_, along)| along.length() > 1e-5).collect();
    let turn: DVec3 = edges.windows(2).map(|pair| pair[0].1.cross(pair[1].1)).sum();
    let normal = normal * normal.dot(turn).signum();
    edges.iter().map(|(from, along)| (*from, normal.cross(*along).normalize())).collect()
}

/// A ray on its way.
#[derive(Clone, Copy)]
struct Ray {
    time: f64,
    /// The opening it has come in by.
    back: Option<usize>,
    /// Its place in the list of what it came to.
    place: usize,
}

/// Follows rays from one eye.
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

    /// All openings of all rooms.
    pub(crate) fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.rooms.values().flatten()
    }

    /// Everything that the ray through a point of the screen comes to.
    pub(crate) fn cast(&self, screen: DVec2) -> Vec<Reached> {
        let direction = self.viewer.direction(screen).normalize();
        let root = self.viewer.cell();
        let cell = (root.kind() != Some(CellKind::Land)).then_some(root);
        let mut reached = vec![Reached { cell, through: None, from: None, buildings: 0 }];
        let start = Ray { time: 0.0, back: None, place: 0 };
        match cell {
            Some(cell) => self.inside(cell, direction, start, &mut reached),
            None => self.outside(direction, start, &mut reached),
        }
        reached
    }

    fn inside(&self, cell: CellId, direction: DVec3, ray: Ray, reached: &mut Vec<Reached>) {
        // One that is not resident is reached, and that is all.
        let Some(holes) = self.rooms.get(&cell) else { return };
        let buildings = reached[ray.place].buildings;
        for (portal, hole) in holes.iter().enumerate() {
            let crossing = hole.crossing(direction, 1.0, self.margin);
            let Some(time) = crossing.filter(|time| *time >= ray.time - TOUCH) else { continue };
            let through = Through { cell, portal, outdoors: false };
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

    fn outside(&self, direction: DVec3, ray: Ray, reached: &mut Vec<Reached>) {
        let buildings = reached[ray.place].buildings + 1;
        if buildings > MOST_BUILDINGS {
            return;
        }
        for (cell, portal) in self.doors.iter().copied() {
            let crossing = self.hole(cell, portal).crossing(direction, -1.0, self.margin);
            let Some(time) = crossing.filter(|time| *time >= ray.time) else { continue };
            let through = Through { cell, portal, outdoors: true };
            let place = reached.len();
            if go_through(reached, through, Some(cell), (ray.place, buildings)) {
                self.inside(cell, direction, Ray { time, back: Some(portal), place }, reached);
            }
        }
    }

    /// How much all openings on the way to something leave of the screen round a ray, in steradians.
    pub(crate) fn room_left(&self, screen: DVec2, reached: &[Reached], place: usize) -> f64 {
        let ray = self.viewer.direction(screen);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let mut cone = corners.map(|(x, y)| self.viewer.direction(DVec2::new(x, y))).to_vec();
        let mut next = Some(place);
        while let Some(Reached { through, from, .. }) = next.map(|place| reached[place]) {
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

/// Adds where an opening leads. False where the ray has gone through it before, with as many buildings left to enter: it goes
/// through an opening at one time only, so it would see nothing new, and among mirrors it would never end.
fn go_through(
    reached: &mut Vec<Reached>,
    through: Through,
    cell: Option<CellId>,
    (from, buildings): (usize, usize),
) -> bool {
    let through = Some(through);
    if reached.iter().any(|it| it.through == through && it.buildings <= buildings) {
        return false;
    }
    reached.push(Reached { cell, through, from: Some(from), buildings });
    true
}

/// What is left of a cone, given by the directions of its edges, on the inner side of a plane through the eye.
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
