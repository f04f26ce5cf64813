//! A room seen from above.

use threshold_geom::{Bounds, CellTree, FLOOR_Z, Polygon, plane_of};
use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{CellId, Plane};
use threshold_world::Room;

use super::opening::{self, Kind, Opening};
use crate::drawing::flat::{self, Segment};

/// Faces this upright are walls.
const WALL: f32 = 0.1;
/// Walls lower than this are looked over and stepped on: steps, counters, ledges.
const LOW_WALL: f32 = 1.2;
/// Faces closer to level than this are.
const LEVEL: f32 = 0.9995;
/// A floor this far from that of its room is a step.
const STEP: f32 = 0.05;
/// What two openings of a staircase differ by in height, at least.
const RISE: f32 = 0.6;

/// A room seen from above, in the landblock's frame.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) id: CellId,
    /// All of it, convex and counter-clockwise.
    pub(super) outline: Vec<Vec2>,
    /// Height of its lowest way in.
    pub(super) floor: f32,
    /// Height of its highest way in.
    pub(super) top: f32,
    pub(super) walls: Vec<Segment>,
    /// Edges of steps and other low things.
    pub(super) edges: Vec<Segment>,
    pub(super) slopes: Vec<Slope>,
    pub(super) openings: Vec<Opening>,
    /// From the lower end of a staircase or ramp towards the upper.
    pub(super) up: Option<Segment>,
}

/// A floor that is not level.
#[derive(Clone, Debug)]
pub(super) struct Slope {
    pub(super) outline: Vec<Vec2>,
    /// Uphill, of unit length.
    pub(super) up: Vec2,
    /// Too steep to walk on.
    pub(super) steep: bool,
}

impl Plan {
    /// `None` for a room that encloses nothing.
    pub(super) fn of(room: &Room) -> Option<Self> {
        let outline = outline(room);
        if outline.is_empty() {
            return None;
        }
        let openings: Vec<Opening> =
            room.portals().iter().filter_map(|portal| opening::seen(room, portal)).collect();
        let faces = Faces::of(room);
        let lowest = faces.floors.iter().map(|floor| floor.1).fold(f32::INFINITY, f32::min);
        let bottom =
            bounds(room, |corner| room.to_block(corner)).map_or(0.0, |bounds| bounds.min.z);
        let ways: Vec<f32> =
            openings.iter().filter(|one| is_way(one)).map(|one| one.sill).collect();
        let floor = ways.iter().copied().reduce(f32::min);
        let floor = floor.unwrap_or(if lowest.is_finite() { lowest } else { bottom });
        let top = ways.iter().copied().fold(floor, f32::max);
        let up = if top - floor > RISE { arrow(&outline, &faces.floors) } else { None };
        let gaps: Vec<Segment> = openings
            .iter()
            .filter(|opening| opening.outline.is_empty())
            .map(|opening| opening.segment)
            .collect();
        let (mut walls, ledges) = faces.walls_and_ledges();
        if walls.is_empty() {
            walls.extend(flat::sides(&outline));
        }
        let walls = walls.into_iter().flat_map(|wall| flat::without(wall, &gaps)).collect();
        let edges = faces.edges(&outline, floor, ledges);
        let slopes = faces.slopes;
        Some(Self { id: room.id(), outline, floor, top, walls, edges, slopes, openings, up })
    }
}

/// Whether an opening is walked through.
fn is_way(opening: &Opening) -> bool {
    matches!(opening.kind, Kind::Doorway(_) | Kind::Exit)
}

/// The physics polygons by what they are to a walker.
#[derive(Debug, Default)]
struct Faces {
    walls: Vec<Upright>,
    low: Vec<Segment>,
    /// Outline, height and area of what can be stood on.
    floors: Vec<(Vec<Vec2>, f32, f32)>,
    slopes: Vec<Slope>,
}

/// A face that stands upright.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Upright {
    segment: Segment,
    top: f32,
    /// Into what it closes off.
    back: Vec2,
}

impl Faces {
    fn of(room: &Room) -> Self {
        let mut faces = Self::default();
        for polygon in room.structure().physics.polygons().iter() {
            faces.sort_in(room, &polygon);
        }
        faces
    }

    fn sort_in(&mut self, room: &Room, polygon: &Polygon<'_>) {
        let corners: Vec<Vec3> =
            polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect();
        let Some(Plane { normal, .. }) = plane_of(&corners) else { return };
        let above: Vec<Vec2> = corners.iter().map(|corner| corner.truncate()).collect();
        if normal.z.abs() < WALL {
            self.stand(&corners, normal);
            return;
        }
        if normal.z < 0.0 {
            return;
        }
        let outline = flat::hull(above);
        let area = flat::area(&outline);
        let height = corners.iter().map(|corner| corner.z).sum::<f32>() / corners.len() as f32;
        if normal.z < LEVEL {
            let up = -normal.truncate().normalize_or_zero();
            let steep = normal.z < FLOOR_Z;
            self.slopes.push(Slope { outline: outline.clone(), up, steep });
            // A slope is as many samples as it takes to see it rise.
            let halves = sloping(&outline, &corners);
            self.floors.extend(halves.into_iter().map(|(at, z)| (vec![at], z, area / 4.0)));
        } else {
            self.floors.push((outline, height, area));
        }
    }

    fn stand(&mut self, corners: &[Vec3], normal: Vec3) {
        let above: Vec<Vec2> = corners.iter().map(|corner| corner.truncate()).collect();
        let heights = corners.iter().map(|corner| corner.z);
        let top = heights.clone().fold(f32::NEG_INFINITY, f32::max);
        let bottom = heights.fold(f32::INFINITY, f32::min);
        let along = Vec2::new(-normal.y, normal.x);
        let Some(segment) = opening::spread(&above, along) else { return };
        if top - bottom < LOW_WALL {
            self.low.push(segment);
        } else {
            self.walls.push(Upright { segment, top, back: -normal.truncate() });
        }
    }

    /// Tall faces that close the way, and those that end in a floor: one stands above them.
    fn walls_and_ledges(&self) -> (Vec<Segment>, Vec<Segment>) {
        let is_ledge = |wall: &&Upright| {
            let [a, b] = wall.segment;
            let behind = (a + b) / 2.0 + wall.back * STEP;
            let carries = |(outline, height, _): &(Vec<Vec2>, f32, f32)| {
                (height - wall.top).abs() < STEP && flat::depth(outline, behind) > 0.0
            };
            self.floors.iter().any(carries)
        };
        let (ledges, walls): (Vec<&Upright>, Vec<&Upright>) = self.walls.iter().partition(is_ledge);
        let seen = |faces: Vec<&Upright>| {
            let mut out: Vec<Segment> = Vec::new();
            for face in faces {
                if !out.contains(&face.segment) {
                    out.push(face.segment);
                }
            }
            out
        };
        (seen(walls), seen(ledges))
    }

    /// Edges of steps and ledges inside the room: low faces, and floors above or below `floor`.
    fn edges(&self, outline: &[Vec2], floor: f32, ledges: Vec<Segment>) -> Vec<Segment> {
        let raised = self.floors.iter().filter(|(_, z, _)| (z - floor).abs() > STEP);
        let raised = raised.flat_map(|(outline, _, _)| flat::sides(outline));
        let mut edges: Vec<Segment> = Vec::new();
        for [a, b] in ledges.into_iter().chain(self.low.iter().copied()).chain(raised) {
            let inside = flat::depth(outline, (a + b) / 2.0) > STEP;
            if inside && a != b && !edges.contains(&[a, b]) && !edges.contains(&[b, a]) {
                edges.push([a, b]);
            }
        }
        edges
    }
}

/// Points of a slope, with their heights.
fn sloping(outline: &[Vec2], corners: &[Vec3]) -> Vec<(Vec2, f32)> {
    let Some(plane) = plane_of(corners) else { return Vec::new() };
    let height = |at: &Vec2| plane.height(at.x, at.y).map(|z| (*at, z));
    outline.iter().filter_map(height).collect()
}

/// The arrow of a staircase: through its middle, the way its floors rise.
fn arrow(outline: &[Vec2], floors: &[(Vec<Vec2>, f32, f32)]) -> Option<Segment> {
    /// Longer arrows say no more, in metres.
    const LONGEST: f32 = 6.0;
    let samples: Vec<_> =
        floors.iter().map(|(outline, z, area)| (flat::middle(outline), *z, *area)).collect();
    let up = flat::gradient(&samples)?.normalize_or_zero();
    let [low, high] = flat::chord(outline, flat::middle(outline), up)?;
    let middle = (low + high) / 2.0;
    let half = (low.distance(high) * 0.36).min(LONGEST / 2.0);
    Some([middle - up * half, middle + up * half])
}

/// Round all polygons of a room, in its own frame or where `place` puts them.
fn bounds(room: &Room, place: impl Fn(Vec3) -> Vec3) -> Option<Bounds> {
    let structure = room.structure();
    let sets = [&structure.drawing, structure.physics.polygons()];
    let corners = sets.into_iter().flat_map(|set| set.iter()).flat_map(|polygon| polygon.vertices);
    Bounds::from_points(corners.map(|corner| place(*corner)).filter(|corner| corner.is_finite()))
}

/// A room with more planes than this is drawn as the hull of its polygons.
const MOST_PLANES: usize = 1024;

/// The room from above: the space inside its cell tree, within the box round its polygons.
fn outline(room: &Room) -> Vec<Vec2> {
    let Some(bounds) = bounds(room, |corner| corner) else { return Vec::new() };
    let mut planes = room.structure().cell_tree.planes().to_vec();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        planes.push(Plane::through(axis, bounds.min));
        planes.push(Plane::through(-axis, bounds.max));
    }
    let inside = if planes.len() <= MOST_PLANES {
        let middle = (bounds.min + bounds.max) * 0.5;
        CellTree::new(planes).faces(middle, bounds.max.distance(middle).max(1.0) * 2.0)
    } else {
        Vec::new()
    };
    let above = |corner: Vec3| room.to_block(corner).truncate();
    let hull = flat::hull(inside.into_iter().flatten().map(above).collect());
    if !hull.is_empty() {
        return hull;
    }
    let polygons = room.structure().drawing.iter();
    flat::hull(polygons.flat_map(|polygon| polygon.vertices).map(|corner| above(*corner)).collect())
}
