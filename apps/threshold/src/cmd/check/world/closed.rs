//! Whether the shape of a room is closed: every ray from inside must meet a polygon.
//!
//! Rays go from a few points of the room in directions spread over the sphere, and closely past every
//! edge of every polygon: where a polygon is missing, its neighbours have edges with nothing beyond.

use std::collections::BTreeSet;

use threshold_geom::{Bounds, CellTree, Polygon, PolygonSet, Sides, plane_of};
use threshold_land::glam::Vec3;
use threshold_world::Structure;

use super::Severity;
use super::outline::middle;

/// How far polygons may leave a crack between them, on either side, in metres.
const SLACK: f32 = 3e-3;
/// How far beside an edge a ray passes, in metres: smaller holes are not looked for.
const BESIDE: f32 = 0.02;
/// Rays along an edge are no farther from each other, in metres, unless the edge is very long.
const STEP: f32 = 0.5;
const MOST_STEPS: usize = 24;
/// How far a ray that meets nothing is turned each way before it counts; its direction has length 1.
const TURN: f32 = 5e-4;
/// How far inside the room rays begin, in metres: the first of these that leaves a point.
const CLEARANCES: [f32; 4] = [0.05, 5e-3, 1e-4, -1e-4];
/// How far before a polygon rays past its edges begin, in metres: the first of these that is inside.
const BEFORE: [f32; 4] = [0.3, -0.3, 0.02, -0.02];
/// Points that all other rays begin at.
const POINTS: usize = 4;
/// Points that are thought of.
const CANDIDATES: usize = 64;
/// How many triangles are asked at most for a shape, more or less: a damaged one can have millions.
const EFFORT: usize = 40_000_000;

/// What is known of the space in a shape. In the shape's own frame.
pub(super) struct Space {
    /// Points in the room, not in the matter that stands in it; none where the cell tree leaves none.
    pub(super) points: Vec<Vec3>,
    /// A hole, where there is one.
    pub(super) leak: Option<Leak>,
    /// What else is wrong with the shape.
    pub(super) flaws: Vec<Flaw>,
}

/// Something that is wrong with a shape.
pub(super) struct Flaw {
    pub(super) severity: Severity,
    pub(super) at: Vec3,
    pub(super) message: String,
}

/// A ray that leaves the room without meeting a polygon.
#[derive(Clone, Copy)]
pub(super) struct Leak {
    pub(super) from: Vec3,
    /// Of length 1.
    pub(super) towards: Vec3,
    /// Where it leaves the space of the cell.
    pub(super) at: Vec3,
    /// How many rays leave, of how many.
    pub(super) rays: (usize, usize),
}

impl Space {
    /// `openings` are the ids of the polygons that are openings.
    pub(super) fn of(structure: &Structure, openings: &[u16]) -> Self {
        let openings: BTreeSet<u16> = openings.iter().copied().collect();
        let openings: BTreeSet<u32> =
            openings.iter().filter_map(|id| structure.drawing_index(*id)).collect();
        let faces = Faces::new(&structure.drawing, &openings);
        let points = faces.points_inside(&structure.drawing, &structure.cell_tree);
        let leak = faces.leak(&structure.drawing, &structure.cell_tree, &points);
        let mut flaws = super::tree::flaws(structure, &faces, &openings, &points);
        flaws.extend(super::facing::flaws(structure, &faces, &points));
        Self { points, leak, flaws }
    }
}

/// The polygons as triangles: a warped polygon then still meets its neighbours edge to edge.
pub(super) struct Faces(Vec<Triangle>);

pub(super) struct Triangle {
    /// Index of its polygon.
    pub(super) polygon: u32,
    corners: [Vec3; 3],
    pub(super) normal: Vec3,
    /// Towards the inside, one an edge, of length 1.
    inward: [Vec3; 3],
    /// Seen from behind, one is in matter.
    pub(super) one_sided: bool,
}

impl Triangle {
    fn new(polygon: u32, corners: [Vec3; 3], one_sided: bool) -> Option<Self> {
        let normal = plane_of(&corners)?.normal;
        let [a, b, c] = corners;
        let inward = [b - a, c - b, a - c].map(|edge| normal.cross(edge).normalize_or_zero());
        Some(Self { polygon, corners, normal, inward, one_sided })
    }

    /// Whether a ray that meets it meets the back, which is not there to be met.
    pub(super) fn shows_back(&self, towards: Vec3) -> bool {
        self.one_sided && self.normal.dot(towards) > 0.0
    }

    /// How far along a ray it is met, from either side.
    fn met(&self, from: Vec3, towards: Vec3) -> Option<f32> {
        let approach = self.normal.dot(towards);
        if approach.abs() < 1e-6 {
            return None;
        }
        let time = (self.corners[0] - from).dot(self.normal) / approach;
        if time < 0.0 {
            return None;
        }
        let at = from + towards * time;
        let inside = |(corner, inward): (&Vec3, &Vec3)| (at - *corner).dot(*inward) >= -SLACK;
        self.corners.iter().zip(&self.inward).all(inside).then_some(time)
    }
}

impl Faces {
    pub(super) fn new(drawing: &PolygonSet, openings: &BTreeSet<u32>) -> Self {
        let mut triangles = Vec::new();
        for (index, polygon) in (0_u32..).zip(drawing.iter()) {
            let one_sided = polygon.sides == Sides::Single && !openings.contains(&index);
            let Some((first, rest)) = polygon.vertices.split_first() else { continue };
            let fan = rest.iter().zip(rest.iter().skip(1));
            triangles
                .extend(fan.filter_map(|(b, c)| Triangle::new(index, [*first, *b, *c], one_sided)));
        }
        Self(triangles)
    }

    /// How many rays may be cast.
    pub(super) fn affordable(&self, least: usize) -> usize {
        (EFFORT / self.0.len().max(1)).max(least)
    }

    /// What a ray meets, and how far along it.
    pub(super) fn met(&self, from: Vec3, towards: Vec3) -> impl Iterator<Item = (f32, &Triangle)> {
        self.0.iter().filter_map(move |face| Some((face.met(from, towards)?, face)))
    }

    fn escapes(&self, from: Vec3, towards: Vec3) -> bool {
        !self.0.iter().any(|triangle| triangle.met(from, towards).is_some())
    }

    /// How many rays from a point first meet the back of something.
    fn backs_seen(&self, from: Vec3) -> usize {
        let directions = spread(1);
        let back = |towards: &&Vec3| {
            let first = self.met(from, **towards).min_by(|a, b| a.0.total_cmp(&b.0));
            first.is_some_and(|(_, face)| face.shows_back(**towards))
        };
        directions.iter().filter(back).count()
    }

    /// Points of the room far from each other, and not in matter.
    fn points_inside(&self, drawing: &PolygonSet, tree: &CellTree) -> Vec<Vec3> {
        let most = (self.affordable(0) / 26).clamp(2, CANDIDATES);
        let candidates = candidates(drawing);
        let near_enough = |clearance: f32| {
            let inside = candidates.iter().filter(|point| clearance_of(tree, **point) >= clearance);
            let inside: Vec<Vec3> = inside.copied().collect();
            (!inside.is_empty()).then_some(inside)
        };
        let Some(inside) = CLEARANCES.into_iter().find_map(near_enough) else { return Vec::new() };
        let step = inside.len().div_ceil(most);
        let inside: Vec<(usize, Vec3)> =
            inside.into_iter().step_by(step).map(|point| (self.backs_seen(point), point)).collect();
        let least = inside.iter().map(|(backs, _)| *backs).min();
        let free = inside.into_iter().filter(|(backs, _)| Some(*backs) == least);
        scattered(free.map(|(_, point)| point).collect(), tree)
    }

    /// Rays past the edges of each polygon from a point before itself: furniture may hide its corner
    /// of the room from everywhere else.
    fn rays_from_polygons(
        &self,
        drawing: &PolygonSet,
        tree: &CellTree,
        most: usize,
    ) -> Vec<(Vec3, Vec3)> {
        let mut rays = Vec::new();
        // Looking for the points costs 26 rays each, and openings face either way.
        if drawing.len() * BEFORE.len() * 26 > most {
            return rays;
        }
        for polygon in drawing.iter() {
            let before = |distance: f32| middle(polygon.vertices) + polygon.plane.normal * distance;
            let free = |point: &Vec3| {
                clearance_of(tree, *point) >= CLEARANCES[1] && self.backs_seen(*point) == 0
            };
            let Some(from) = BEFORE.map(before).into_iter().find(free) else { continue };
            let aimed = beside(&polygon).into_iter();
            let aimed = aimed.filter_map(|target| (target - from).try_normalize());
            rays.extend(aimed.map(|towards| (from, towards)));
        }
        rays
    }

    fn leak(&self, drawing: &PolygonSet, tree: &CellTree, points: &[Vec3]) -> Option<Leak> {
        let most = self.affordable(26);
        let targets = beside_edges(drawing, most);
        let mut rays = self.rays_from_polygons(drawing, tree, most);
        for from in points {
            rays.extend(spread(2).into_iter().map(|towards| (*from, towards)));
            let aimed = targets.iter().filter_map(|target| (*target - *from).try_normalize());
            rays.extend(aimed.map(|towards| (*from, towards)));
        }
        let step = rays.len().div_ceil(most).max(1);
        let rays: Vec<(Vec3, Vec3)> = rays.into_iter().step_by(step).collect();
        let leaks = |(from, towards): &&(Vec3, Vec3)| {
            turned(*towards).into_iter().all(|towards| self.escapes(*from, towards))
        };
        let escaped: Vec<&(Vec3, Vec3)> = rays.iter().filter(leaks).collect();
        let (from, towards) = **escaped.first()?;
        let at = leaves(tree, from, towards).unwrap_or(from);
        Some(Leak { from, towards, at, rays: (escaped.len(), rays.len()) })
    }
}

/// Whether the planes of a cell leave that much room round a point.
pub(super) fn clearance_of(tree: &CellTree, point: Vec3) -> f32 {
    // What is no number is nowhere.
    if !point.is_finite() {
        return f32::NEG_INFINITY;
    }
    tree.planes().iter().map(|plane| plane.distance(point)).fold(f32::INFINITY, f32::min)
}

/// Where a ray from inside leaves the space of a cell.
fn leaves(tree: &CellTree, from: Vec3, towards: Vec3) -> Option<Vec3> {
    let time = |plane: &threshold_land::Plane| {
        let approach = plane.normal.dot(towards);
        (approach < 0.0).then(|| plane.distance(from).max(0.0) / -approach)
    };
    let time = tree.planes().iter().filter_map(time).fold(f32::INFINITY, f32::min);
    Some(from + towards * time).filter(|at| at.is_finite())
}

/// The direction and four others closely round it.
fn turned(towards: Vec3) -> [Vec3; 5] {
    let (side, up) = towards.any_orthonormal_pair();
    [Vec3::ZERO, side, up, -side, -up].map(|turn| towards + turn * TURN)
}

/// Directions to the points of a grid from its middle, `half` steps each way, each once: 26 or 98.
fn spread(half: i8) -> Vec<Vec3> {
    let mut out = Vec::new();
    let axis = || -half..=half;
    for (x, y, z) in axis().flat_map(|x| axis().flat_map(move |y| axis().map(move |z| (x, y, z)))) {
        // Twice as far is the same direction.
        if x % 2 != 0 || y % 2 != 0 || z % 2 != 0 {
            out.push(Vec3::new(f32::from(x), f32::from(y), f32::from(z)).normalize_or_zero());
        }
    }
    out
}

/// Points that are likely inside: the middle, and points before the polygons.
fn candidates(drawing: &PolygonSet) -> Vec<Vec3> {
    let corners = || drawing.iter().flat_map(|polygon| polygon.vertices).copied();
    let count = corners().count();
    let mean = corners().sum::<Vec3>() / count.max(1) as f32;
    let mut out = vec![mean];
    out.extend(Bounds::from_points(corners()).map(|bounds| (bounds.min + bounds.max) * 0.5));
    for polygon in drawing.iter() {
        let centre = middle(polygon.vertices);
        let normal = polygon.plane.normal;
        out.extend([1.0, 0.3, 0.02].map(|distance| centre + normal * distance));
        out.push(centre.lerp(mean, 0.3));
    }
    out
}

/// A few of the points: the one with most room round it, then each as far as can be from the others.
fn scattered(mut points: Vec<Vec3>, tree: &CellTree) -> Vec<Vec3> {
    let room = |point: &Vec3| clearance_of(tree, *point);
    let Some(first) = points.iter().copied().max_by(|a, b| room(a).total_cmp(&room(b))) else {
        return points;
    };
    let mut chosen = vec![first];
    while chosen.len() < POINTS {
        let alone = |point: &Vec3| {
            chosen.iter().map(|other| point.distance(*other)).fold(f32::INFINITY, f32::min)
        };
        points.retain(|point| alone(point) > 0.1);
        let next = points.iter().copied().max_by(|a, b| alone(a).total_cmp(&alone(b)));
        let Some(next) = next else { break };
        chosen.push(next);
    }
    chosen
}

/// Points closely beside the edges of all polygons, in their planes; not many more than `most`.
fn beside_edges(drawing: &PolygonSet, most: usize) -> Vec<Vec3> {
    let mut out = Vec::new();
    for polygon in drawing.iter() {
        out.extend(beside(&polygon));
        if out.len() > most {
            break;
        }
    }
    out
}

/// Points closely beside the edges of a polygon.
fn beside(polygon: &Polygon<'_>) -> Vec<Vec3> {
    let mut out = Vec::new();
    let Some(mut from) = polygon.vertices.last().copied() else { return out };
    for to in polygon.vertices {
        let along = *to - from;
        let outward = along.cross(polygon.plane.normal).normalize_or_zero() * BESIDE;
        let steps = steps(along.length());
        let part = |step: usize| (2 * step + 1) as f32 / (2 * steps) as f32;
        out.extend((0..steps).map(|step| from + along * part(step) + outward));
        from = *to;
    }
    out
}

fn steps(length: f32) -> usize {
    (2..MOST_STEPS).find(|steps| length <= STEP * *steps as f32).unwrap_or(MOST_STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_spread_over_the_sphere_and_differ() {
        for (half, count) in [(1, 26), (2, 98)] {
            let directions = spread(half);
            assert_eq!(directions.len(), count);
            assert!(directions.iter().sum::<Vec3>().length() < 1e-4);
            for (index, one) in directions.iter().enumerate() {
                assert!((one.length() - 1.0).abs() < 1e-5);
                assert!(directions[..index].iter().all(|other| one.distance(*other) > 0.1));
            }
        }
    }

    #[test]
    fn the_slack_closes_cracks_but_not_gaps() {
        let triangle = Triangle::new(0, [Vec3::ZERO, Vec3::X, Vec3::Y], false).unwrap();
        let met = |x: f32, y: f32| triangle.met(Vec3::new(x, y, 1.0), Vec3::NEG_Z).is_some();
        assert!(met(0.3, 0.3) && met(-0.002, 0.5) && met(0.501, 0.501));
        assert!(!met(-0.004, 0.5) && !met(0.51, 0.51));
        assert!(triangle.met(Vec3::new(0.2, 0.2, -1.0), Vec3::Z).is_some(), "from behind too");
        assert!(triangle.met(Vec3::new(0.2, 0.2, -1.0), Vec3::NEG_Z).is_none());
        assert!(triangle.met(Vec3::NAN, Vec3::Z).is_none());
    }

    #[test]
    fn long_edges_get_more_rays() {
        assert_eq!([0.1, 1.0, 1.2, 9.9, 1e9, f32::NAN].map(steps), [2, 2, 3, 20, 24, 24]);
    }
}
