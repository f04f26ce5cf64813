//! Reference for images: for each pixel a ray that moves from cell to cell through portals until it meets a surface. It
//! shares nothing with the portal walk or the renderer but the records: no regions, no masks, no order, no depth.

use std::collections::BTreeMap;

use threshold_dat::Source;
use threshold_land::vector::{DVec2, DVec3};
use threshold_land::{BlockId, CellId, CellKind, block_offset_between};
use threshold_view::Viewer;
use threshold_world::{Portal, PortalSide, Room, World};

use super::CLEAR;
use super::geometry::{Geometry, Stock};

/// Number of buildings that a ray enters in a row.
const MAX_BUILDINGS: usize = 3;
/// Number of portals that a ray passes; among mirrors it would never end.
const MAX_PORTALS: usize = 60;
/// Tolerance in metres for portals in the plane that a ray has just passed: portals that touch or coincide.
const TOUCH: f64 = 1e-3;
/// Distance in metres by which the swept cell may lag behind the eye.
const LAG: f64 = 0.02;

/// Returns the distance along a ray, in metres, within which depth cannot tell two surfaces apart.
fn alike(time: f64) -> f64 {
    1e-4 + 2e-5 * time
}

/// Surfaces that a ray hits: several where they coincide.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RayResult {
    pub(crate) colours: Vec<[u8; 3]>,
    /// A surface that has holes, is translucent or is too near is in the way: any colour may show.
    pub(crate) is_unknown: bool,
    /// Whether it is outdoors.
    pub(crate) is_landscape: bool,
}

impl RayResult {
    pub(crate) fn allows(&self, colour: [u8; 3]) -> bool {
        self.is_unknown || self.colours.contains(&colour)
    }
}

/// A portal in the frame of a landblock.
struct Hole {
    other: Option<CellId>,
    back: Option<usize>,
    at: DVec3,
    outward: DVec3,
    /// A point of each edge, and its inward direction.
    edges: Vec<(DVec3, DVec3)>,
}

impl Hole {
    fn new(room: &Room, portal: &Portal) -> Self {
        let space = room.space();
        let rows = space.rows.0.map(|row| row.as_dvec3());
        let turn = |at: DVec3| rows[0] * at.x + rows[1] * at.y + rows[2] * at.z;
        let place = |at: DVec3| turn(at) + space.origin.as_dvec3();
        let vertices = room.portal_polygon(portal).vertices;
        let corners: Vec<DVec3> = vertices.iter().map(|at| place(at.as_dvec3())).collect();
        let sign = if portal.side == PortalSide::Front { 1.0 } else { -1.0 };
        let normal = turn(portal.plane.normal.as_dvec3());
        let next = corners.iter().cycle().skip(1);
        let edges = corners.iter().zip(next).map(|(from, to)| (*from, *to - *from));
        let edges: Vec<_> = edges.filter(|(_, along)| along.length() > 1e-5).collect();
        let wound: DVec3 = edges.windows(2).map(|pair| pair[0].1.cross(pair[1].1)).sum();
        let up = normal * normal.dot(wound).signum();
        Self {
            other: portal.other,
            back: portal.other_portal.map(usize::from),
            at: place(portal.plane.normal.as_dvec3() * -f64::from(portal.plane.d)),
            outward: normal * sign,
            edges: edges.iter().map(|(from, along)| (*from, up.cross(*along))).collect(),
        }
    }

    /// Returns the distance at which a ray passes it, out of its room or (`side` = -1) into it.
    fn crossing(&self, from: DVec3, ray: DVec3, side: f64) -> Option<f64> {
        let approach = self.outward.dot(ray) * side;
        if approach <= 1e-9 {
            return None;
        }
        let before = self.outward.dot(self.at - from) * side;
        let time = before / approach;
        let at = from + ray * time;
        let is_within = self.edges.iter().all(|(from, inward)| inward.dot(at - *from) >= 0.0);
        (before >= -LAG && is_within).then_some(time.max(0.0))
    }
}

/// State of a ray.
#[derive(Clone, Copy)]
struct Ray {
    along: DVec3,
    time: f64,
    /// The portal it entered through.
    back: Option<usize>,
    buildings: usize,
    openings: usize,
}

/// Casts rays.
pub(crate) struct Slow {
    pub(crate) geometry: Geometry,
    holes: BTreeMap<CellId, Vec<Hole>>,
    doors: Vec<(CellId, usize)>,
}

impl Slow {
    pub(crate) fn new(world: &World, source: &dyn Source) -> Self {
        let geometry = Geometry::new(world, source);
        let rooms = geometry.rooms.keys().filter_map(|cell| world.room(*cell));
        let holes: BTreeMap<_, Vec<Hole>> = rooms
            .map(|room| (room.id(), room.portals().iter().map(|it| Hole::new(room, it)).collect()))
            .collect();
        let buildings = world.lands().flat_map(|land| land.buildings());
        let doors = buildings.flat_map(|building| &building.portals);
        let doors = doors.filter_map(|door| Some((door.other, usize::from(door.other_portal?))));
        let is_exit = |(cell, portal): &(CellId, usize)| {
            let hole = holes.get(cell).and_then(|holes| holes.get(*portal));
            hole.is_some_and(|hole| hole.other.is_none())
        };
        let doors = doors.filter(is_exit).collect();
        Self { geometry, holes, doors }
    }

    /// Returns the surfaces that show at a point of the screen.
    pub(crate) fn cast(&self, viewer: &Viewer, screen: DVec2) -> RayResult {
        self.cast_beside(viewer, DVec3::ZERO, screen)
    }

    /// Returns the surfaces that show at a point of the screen of a viewer whose eye is moved.
    pub(crate) fn cast_beside(&self, viewer: &Viewer, aside: DVec3, screen: DVec2) -> RayResult {
        let eye = viewer.eye() + aside;
        let gaze = Gaze { slow: self, viewer, eye, near: viewer.near().max(0.02) };
        let along = viewer.direction(screen);
        let ray = Ray { along, time: 0.0, back: None, buildings: 0, openings: 0 };
        let mut result = RayResult::default();
        match viewer.cell().kind() {
            Some(CellKind::Land) => gaze.outside(ray, &mut result),
            _ => gaze.inside(viewer.cell(), ray, &mut result),
        }
        result
    }
}

impl Slow {
    /// Whether the eye is within `lag` of the plane of a portal that is a line on the screen, and `holds` is true of that
    /// line. On such a line anything may show that is on either side of it.
    pub(crate) fn is_in_plane(
        &self,
        viewer: &Viewer,
        lag: f64,
        holds: impl Fn(DVec3) -> bool,
    ) -> bool {
        let [right, up, ahead] = viewer.axes();
        let wide = viewer.tangents();
        let mut holes =
            self.holes.iter().flat_map(|(cell, holes)| holes.iter().map(move |it| (cell, it)));
        holes.any(|(cell, hole)| {
            let offset = block_offset_between(viewer.cell(), *cell).as_dvec3();
            let before = hole.outward.dot(hole.at + offset - viewer.eye());
            let way = hole.outward;
            let line = DVec3::new(way.dot(right) * wide.x, way.dot(up) * wide.y, way.dot(ahead));
            before.abs() < lag && holds(line)
        })
    }

    /// Whether an eye in a room has free space around it and is not in solid space.
    pub(crate) fn is_free(&self, viewer: &Viewer) -> bool {
        let Some(stock) = self.geometry.rooms.get(&viewer.cell()) else { return false };
        let parts = [-1.0, -0.4, 0.3, 1.0];
        let ways = parts.into_iter().flat_map(|x| parts.map(|y| (x, y)));
        let mut ways = ways.flat_map(|(x, y)| parts.map(|z| DVec3::new(x, y, z).normalize()));
        ways.all(|way| stock.first(viewer.eye(), way).is_none_or(|(far, front)| front && far > 0.4))
    }
}

/// An eye with its reference.
struct Gaze<'s> {
    slow: &'s Slow,
    viewer: &'s Viewer,
    eye: DVec3,
    near: f64,
}

/// The nearest surfaces on a ray: distances, and possible colours.
#[derive(Default)]
struct Nearest {
    hits: Vec<(f64, [u8; 3])>,
    /// The nearest surface that may be seen through.
    sheer: Option<f64>,
}

impl Nearest {
    fn time(&self) -> f64 {
        self.hits.iter().map(|hit| hit.0).fold(f64::INFINITY, f64::min)
    }
}

impl Gaze<'_> {
    /// Returns the eye in the frame of a landblock.
    fn eye(&self, block: BlockId) -> DVec3 {
        self.eye - block_offset_between(self.viewer.cell(), block.as_cell()).as_dvec3()
    }

    fn meet(&self, stock: &Stock, from: DVec3, ray: Ray, nearest: &mut Nearest) {
        let begin = (ray.time - alike(ray.time)).max(0.0);
        for group in stock.groups.iter().filter(|group| group.may_meet(from, ray.along)) {
            for triangle in &group.triangles {
                let Some(time) = triangle.meets(from, ray.along) else { continue };
                match () {
                    () if time < begin => {}
                    // The near plane cuts nearer surfaces open: anything may show.
                    () if triangle.is_plain && time >= self.near => {
                        nearest.hits.push((time, triangle.colour))
                    }
                    () => {
                        nearest.sheer =
                            Some(nearest.sheer.map_or(time, |sheer: f64| sheer.min(time)));
                    }
                }
            }
        }
    }

    fn inside(&self, cell: CellId, ray: Ray, result: &mut RayResult) {
        let stock = self.slow.geometry.rooms.get(&cell);
        let (Some(stock), true) = (stock, ray.openings < MAX_PORTALS) else {
            return result.colours.push(CLEAR);
        };
        let from = self.eye(cell.block());
        let mut nearest = Nearest::default();
        self.meet(stock, from, ray, &mut nearest);
        let holes = self.slow.holes[&cell].iter().enumerate();
        let holes = holes.filter(|(number, _)| ray.back != Some(*number));
        let crossings = holes.filter_map(|(_, hole)| {
            let time = hole.crossing(from, ray.along, 1.0)?;
            (time >= ray.time - TOUCH).then_some((time, hole))
        });
        let crossings: Vec<(f64, &Hole)> = crossings.collect();
        let first = crossings.iter().map(|it| it.0).fold(f64::INFINITY, f64::min);
        settle(&nearest, first, result);
        if result.is_unknown || nearest.time() < first - alike(first) {
            return;
        }
        for (time, hole) in crossings.into_iter().filter(|it| it.0 <= first + alike(first)) {
            let openings = ray.openings + 1;
            let on = Ray { time, back: hole.back, openings, ..ray };
            match hole.other {
                Some(other) => self.inside(other, on, result),
                None => self.outside(on, result),
            }
        }
    }

    fn outside(&self, ray: Ray, result: &mut RayResult) {
        let mut nearest = Nearest::default();
        for (block, stock) in &self.slow.geometry.lands {
            self.meet(stock, self.eye(*block), ray, &mut nearest);
        }
        let open = ray.buildings < MAX_BUILDINGS;
        let doors = self.slow.doors.iter().filter(|_| open).filter_map(|(cell, portal)| {
            let hole = &self.slow.holes[cell][*portal];
            let time = hole.crossing(self.eye(cell.block()), ray.along, -1.0)?;
            (time >= ray.time).then_some((time, *cell, *portal))
        });
        let doors: Vec<_> = doors.collect();
        let first = doors.iter().map(|it| it.0).fold(f64::INFINITY, f64::min);
        settle(&nearest, first, result);
        if result.is_unknown || nearest.time() < first - alike(first) || first == f64::INFINITY {
            result.is_landscape = true;
            return;
        }
        for (time, cell, portal) in doors.into_iter().filter(|it| it.0 <= first + alike(first)) {
            let (buildings, openings) = (ray.buildings + 1, ray.openings + 1);
            self.inside(cell, Ray { time, back: Some(portal), buildings, openings, ..ray }, result);
        }
    }
}

/// Takes the nearest surface, unless a portal is nearer.
fn settle(nearest: &Nearest, opening: f64, result: &mut RayResult) {
    let time = nearest.time();
    let before = time.min(opening);
    if nearest.sheer.is_some_and(|sheer| sheer <= before + alike(before)) {
        result.is_unknown = true;
    }
    if time == f64::INFINITY && opening == f64::INFINITY {
        result.colours.push(CLEAR);
    }
    if time.is_finite() && time <= opening + alike(time) {
        let alike = nearest.hits.iter().filter(|hit| hit.0 <= time + alike(time));
        result.colours.extend(alike.map(|hit| hit.1));
    }
}
