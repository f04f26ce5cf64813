//! Rooms from above.

use threshold_geom::{Bounds, CellTree, FLOOR_Z, Polygon, plane_of};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, Plane};
use threshold_world::Room;

use super::portal::{self, PlanPortal, PortalKind};
use crate::flat::{self, Segment};

/// Vertical part of the normal below which a face is a wall.
const MAX_WALL_NORMAL: f32 = 0.1;
/// Height in metres below which a wall is drawn as an edge: steps, counters, ledges.
const MIN_WALL_HEIGHT: f32 = 1.2;
/// Vertical part of the normal above which a face is level.
const MIN_LEVEL_NORMAL: f32 = 0.9995;
/// Height difference in metres from which a floor is a step.
const STEP: f32 = 0.05;
/// Least height difference in metres of two portals of a staircase.
const MIN_RISE: f32 = 0.6;

/// A room from above, in the frame of its landblock.
#[derive(Clone, Debug)]
pub(super) struct RoomPlan {
    pub(super) id: CellId,
    /// Convex and counter-clockwise.
    pub(super) outline: Vec<Vec2>,
    /// Height of its lowest door, in metres.
    pub(super) floor: f32,
    /// Height of its highest door, in metres.
    pub(super) top: f32,
    pub(super) walls: Vec<Segment>,
    /// Edges of steps and low walls.
    pub(super) edges: Vec<Segment>,
    pub(super) slopes: Vec<Slope>,
    pub(super) portals: Vec<PlanPortal>,
    /// Arrow from the lower towards the upper end of stairs or of a ramp.
    pub(super) up: Option<Segment>,
}

/// A floor that is not level.
#[derive(Clone, Debug)]
pub(super) struct Slope {
    pub(super) outline: Vec<Vec2>,
    /// Direction uphill, of length 1.
    pub(super) up: Vec2,
    /// Whether it is too steep to walk on.
    pub(super) steep: bool,
}

impl RoomPlan {
    /// Returns a room from above; `None` if it has no area.
    pub(super) fn new(room: &Room) -> Option<Self> {
        let outline = outline(room);
        if outline.is_empty() {
            return None;
        }
        let portals: Vec<PlanPortal> =
            room.portals().iter().filter_map(|portal| portal::from_above(room, portal)).collect();
        let faces = Faces::new(room);
        let lowest = faces.floors.iter().map(|floor| floor.1).fold(f32::INFINITY, f32::min);
        let bottom =
            bounds(room, |corner| room.to_block(corner)).map_or(0.0, |bounds| bounds.min.z);
        let doors: Vec<f32> =
            portals.iter().filter(|portal| is_door(portal)).map(|portal| portal.sill).collect();
        let floor = doors.iter().copied().reduce(f32::min);
        let floor = floor.unwrap_or(if lowest.is_finite() { lowest } else { bottom });
        let top = doors.iter().copied().fold(floor, f32::max);
        let up = if top - floor > MIN_RISE { arrow(&outline, &faces.floors) } else { None };
        let gaps: Vec<Segment> = portals
            .iter()
            .filter(|portal| portal.outline.is_empty())
            .map(|portal| portal.segment)
            .collect();
        let (mut walls, ledges) = faces.walls_and_ledges();
        if walls.is_empty() {
            walls.extend(flat::sides(&outline));
        }
        let walls = walls.into_iter().flat_map(|wall| flat::subtract_gaps(wall, &gaps)).collect();
        let edges = faces.edges(&outline, floor, ledges);
        let slopes = faces.slopes;
        Some(Self { id: room.id(), outline, floor, top, walls, edges, slopes, portals, up })
    }
}

/// Returns whether movers pass through a portal.
fn is_door(portal: &PlanPortal) -> bool {
    matches!(portal.kind, PortalKind::Doorway(_) | PortalKind::Exit)
}

/// Physics polygons by their use to a mover.
#[derive(Debug, Default)]
struct Faces {
    walls: Vec<WallFace>,
    low: Vec<Segment>,
    /// Outline, height and area of walkable faces.
    floors: Vec<(Vec<Vec2>, f32, f32)>,
    slopes: Vec<Slope>,
}

/// A vertical face.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WallFace {
    segment: Segment,
    top: f32,
    /// Direction away from the room.
    back: Vec2,
}

impl Faces {
    fn new(room: &Room) -> Self {
        let mut faces = Self::default();
        for polygon in room.structure().physics.polygons().iter() {
            faces.add_polygon(room, &polygon);
        }
        faces
    }

    fn add_polygon(&mut self, room: &Room, polygon: &Polygon<'_>) {
        let corners: Vec<Vec3> =
            polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect();
        let Some(Plane { normal, .. }) = plane_of(&corners) else { return };
        let above: Vec<Vec2> = corners.iter().map(|corner| corner.truncate()).collect();
        if normal.z.abs() < MAX_WALL_NORMAL {
            self.add_wall(&corners, normal);
            return;
        }
        if normal.z < 0.0 {
            return;
        }
        let outline = flat::hull(above);
        let area = flat::area(&outline);
        let height = corners.iter().map(|corner| corner.z).sum::<f32>() / corners.len() as f32;
        if normal.z < MIN_LEVEL_NORMAL {
            let up = -normal.truncate().normalize_or_zero();
            let steep = normal.z < FLOOR_Z;
            self.slopes.push(Slope { outline: outline.clone(), up, steep });
            // Each corner is a sample, so that the gradient shows the rise.
            let samples = slope_samples(&outline, &corners);
            self.floors.extend(samples.into_iter().map(|(at, z)| (vec![at], z, area / 4.0)));
        } else {
            self.floors.push((outline, height, area));
        }
    }

    fn add_wall(&mut self, corners: &[Vec3], normal: Vec3) {
        let above: Vec<Vec2> = corners.iter().map(|corner| corner.truncate()).collect();
        let heights = corners.iter().map(|corner| corner.z);
        let top = heights.clone().fold(f32::NEG_INFINITY, f32::max);
        let bottom = heights.fold(f32::INFINITY, f32::min);
        let along = Vec2::new(-normal.y, normal.x);
        let Some(segment) = portal::extent_along(&above, along) else { return };
        if top - bottom < MIN_WALL_HEIGHT {
            self.low.push(segment);
        } else {
            self.walls.push(WallFace { segment, top, back: -normal.truncate() });
        }
    }

    /// Returns the walls, and separately the ledges: tall faces with a walkable floor on top.
    fn walls_and_ledges(&self) -> (Vec<Segment>, Vec<Segment>) {
        let is_ledge = |wall: &&WallFace| {
            let [a, b] = wall.segment;
            let behind = (a + b) / 2.0 + wall.back * STEP;
            let is_on_top = |(outline, height, _): &(Vec<Vec2>, f32, f32)| {
                (height - wall.top).abs() < STEP && flat::depth(outline, behind) > 0.0
            };
            self.floors.iter().any(is_on_top)
        };
        let (ledges, walls): (Vec<&WallFace>, Vec<&WallFace>) =
            self.walls.iter().partition(is_ledge);
        let unique_segments = |faces: Vec<&WallFace>| {
            let mut out: Vec<Segment> = Vec::new();
            for face in faces {
                if !out.contains(&face.segment) {
                    out.push(face.segment);
                }
            }
            out
        };
        (unique_segments(walls), unique_segments(ledges))
    }

    /// Returns edges of steps and ledges inside the room: low walls, and floors above or below `floor`.
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

/// Returns points of a slope with their heights.
fn slope_samples(outline: &[Vec2], corners: &[Vec3]) -> Vec<(Vec2, f32)> {
    let Some(plane) = plane_of(corners) else { return Vec::new() };
    let height = |at: &Vec2| plane.height(at.x, at.y).map(|z| (*at, z));
    outline.iter().filter_map(height).collect()
}

/// Returns the arrow of a staircase: through its centre, in the direction in which its floors rise.
fn arrow(outline: &[Vec2], floors: &[(Vec<Vec2>, f32, f32)]) -> Option<Segment> {
    /// Greatest length in metres.
    const MAX_LENGTH: f32 = 6.0;
    let samples: Vec<_> =
        floors.iter().map(|(outline, z, area)| (flat::centroid(outline), *z, *area)).collect();
    let up = flat::gradient(&samples)?.normalize_or_zero();
    let [low, high] = flat::chord(outline, flat::centroid(outline), up)?;
    let middle = (low + high) / 2.0;
    let half = (low.distance(high) * 0.36).min(MAX_LENGTH / 2.0);
    Some([middle - up * half, middle + up * half])
}

/// Returns the box around all polygons of a room, converted by `convert`.
fn bounds(room: &Room, convert: impl Fn(Vec3) -> Vec3) -> Option<Bounds> {
    let structure = room.structure();
    let sets = [&structure.drawing, structure.physics.polygons()];
    let corners = sets.into_iter().flat_map(|set| set.iter()).flat_map(|polygon| polygon.vertices);
    Bounds::from_points(corners.map(|corner| convert(*corner)).filter(|corner| corner.is_finite()))
}

/// Greatest number of planes of a cell tree that is cut; beyond it the hull of the polygons is drawn.
const MAX_PLANES: usize = 1024;

/// Returns the outline of a room: the space inside its cell tree, within the box around its polygons.
fn outline(room: &Room) -> Vec<Vec2> {
    let Some(bounds) = bounds(room, |corner| corner) else { return Vec::new() };
    let mut planes = room.structure().cell_tree.planes().to_vec();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        planes.push(Plane::through(axis, bounds.min));
        planes.push(Plane::through(-axis, bounds.max));
    }
    let inside = if planes.len() <= MAX_PLANES {
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
