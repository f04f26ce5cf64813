//! The check that a structure is closed: every ray from inside must meet a polygon.
//!
//! Rays start at a few inner points. They go in directions spread over the sphere, and closely past every edge of
//! every polygon: next to a missing polygon, the edges of its neighbours have nothing behind them.

use std::collections::BTreeSet;

use threshold_geom::{Bounds, CellTree, Polygon, PolygonSet, Sides, plane_of};
use threshold_land::vector::Vec3;
use threshold_world::Structure;

use super::outline::centre;
use super::{Severity, cell_tree, facing};

/// Greatest half width in metres of a crack between polygons that is ignored.
const CRACK: f32 = 3e-3;
/// Distance in metres between an edge and the rays past it. Smaller holes are not found.
const EDGE_OFFSET: f32 = 0.02;
/// Greatest distance in metres between the rays along an edge, for edges of up to `MAX_STEPS` steps.
const STEP: f32 = 0.5;
/// Greatest number of rays along an edge.
const MAX_STEPS: usize = 24;
/// Deflection of the four rays around a ray that meets nothing; all must miss, so that no ray slips along an edge.
const DEFLECTION: f32 = 5e-4;
/// Distances in metres of inner points from the planes of the cell tree: the first that leaves a point is used.
const CLEARANCES: [f32; 4] = [0.05, 5e-3, 1e-4, -1e-4];
/// Distances in metres from a polygon at which rays past its edges start: the first that is inside is used.
const START_DISTANCES: [f32; 4] = [0.3, -0.3, 0.02, -0.02];
/// Greatest number of inner points.
const MAX_POINTS: usize = 4;
/// Greatest number of candidates for inner points.
const MAX_CANDIDATES: usize = 64;
/// Approximate limit of ray-triangle tests for one structure; a damaged one can have millions of triangles.
const MAX_TESTS: usize = 40_000_000;

/// The result of checking a structure, in the frame of the structure.
pub(super) struct ShapeReport {
    /// Points inside the room and outside of solid objects; empty if the cell tree contains none.
    pub(super) inner_points: Vec<Vec3>,
    /// A hole, if there is one.
    pub(super) leak: Option<Leak>,
    /// All other flaws.
    pub(super) flaws: Vec<Flaw>,
}

/// A flaw of a structure.
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
    pub(super) direction: Vec3,
    /// The point where it leaves the cell tree.
    pub(super) at: Vec3,
    /// Number of rays that leave the room, of those that were cast.
    pub(super) escaped: usize,
    pub(super) cast: usize,
}

impl ShapeReport {
    /// Checks a structure; `portal_ids` are the ids of its portal polygons.
    pub(super) fn new(structure: &Structure, portal_ids: &[u16]) -> Self {
        let portals: BTreeSet<u32> =
            portal_ids.iter().filter_map(|id| structure.drawing_index(*id)).collect();
        let triangles = Triangles::new(&structure.drawing, &portals);
        let points = triangles.inner_points(&structure.drawing, &structure.cell_tree);
        let leak = triangles.leak(&structure.drawing, &structure.cell_tree, &points);
        let mut flaws = cell_tree::flaws(structure, &triangles, &portals, &points);
        flaws.extend(facing::flaws(structure, &triangles, &points));
        Self { inner_points: points, leak, flaws }
    }
}

/// Polygons as triangles, so that a warped polygon still meets its neighbours edge to edge.
pub(super) struct Triangles(Vec<Triangle>);

pub(super) struct Triangle {
    /// Index of its polygon.
    pub(super) polygon: u32,
    corners: [Vec3; 3],
    pub(super) normal: Vec3,
    /// Of each edge, direction the inside, of length 1.
    edge_normals: [Vec3; 3],
    /// Whether the space behind is solid.
    pub(super) one_sided: bool,
}

impl Triangle {
    fn new(polygon: u32, corners: [Vec3; 3], one_sided: bool) -> Option<Self> {
        let normal = plane_of(&corners)?.normal;
        let [a, b, c] = corners;
        let edge_normals = [b - a, c - b, a - c].map(|edge| normal.cross(edge).normalize_or_zero());
        Some(Self { polygon, corners, normal, edge_normals, one_sided })
    }

    /// Returns whether a ray that meets the triangle comes from the back of a one-sided polygon.
    pub(super) fn shows_back(&self, direction: Vec3) -> bool {
        self.one_sided && self.normal.dot(direction) > 0.0
    }

    /// Returns the distance along a ray at which it meets the triangle, from either side.
    fn hit(&self, from: Vec3, direction: Vec3) -> Option<f32> {
        let approach = self.normal.dot(direction);
        if approach.abs() < 1e-6 {
            return None;
        }
        let time = (self.corners[0] - from).dot(self.normal) / approach;
        if time < 0.0 {
            return None;
        }
        let at = from + direction * time;
        let inside = |(corner, normal): (&Vec3, &Vec3)| (at - *corner).dot(*normal) >= -CRACK;
        self.corners.iter().zip(&self.edge_normals).all(inside).then_some(time)
    }
}

impl Triangles {
    pub(super) fn new(drawing: &PolygonSet, portals: &BTreeSet<u32>) -> Self {
        let mut triangles = Vec::new();
        for (index, polygon) in (0_u32..).zip(drawing.iter()) {
            let one_sided = polygon.sides == Sides::Single && !portals.contains(&index);
            let Some((first, rest)) = polygon.vertices.split_first() else { continue };
            let fan = rest.iter().zip(rest.iter().skip(1));
            triangles
                .extend(fan.filter_map(|(b, c)| Triangle::new(index, [*first, *b, *c], one_sided)));
        }
        Self(triangles)
    }

    /// Returns how many rays may be cast, `min` or more.
    pub(super) fn ray_budget(&self, min: usize) -> usize {
        (MAX_TESTS / self.0.len().max(1)).max(min)
    }

    /// Returns the triangles that a ray meets, each with its distance along the ray.
    pub(super) fn hits(
        &self,
        from: Vec3,
        direction: Vec3,
    ) -> impl Iterator<Item = (f32, &Triangle)> {
        self.0.iter().filter_map(move |triangle| Some((triangle.hit(from, direction)?, triangle)))
    }

    fn escapes(&self, from: Vec3, direction: Vec3) -> bool {
        !self.0.iter().any(|triangle| triangle.hit(from, direction).is_some())
    }

    /// Returns the number of rays from a point that meet the back of a polygon first.
    fn visible_backs(&self, from: Vec3) -> usize {
        let directions = spread(1);
        let back = |direction: &&Vec3| {
            let first = self.hits(from, **direction).min_by(|a, b| a.0.total_cmp(&b.0));
            first.is_some_and(|(_, triangle)| triangle.shows_back(**direction))
        };
        directions.iter().filter(back).count()
    }

    /// Returns inner points that are far from each other and not inside solid objects.
    fn inner_points(&self, drawing: &PolygonSet, tree: &CellTree) -> Vec<Vec3> {
        let max_candidates = (self.ray_budget(0) / 26).clamp(2, MAX_CANDIDATES);
        let candidates = candidates(drawing);
        let inside_by = |clearance: f32| {
            let inside = candidates.iter().filter(|point| clearance_of(tree, **point) >= clearance);
            let inside: Vec<Vec3> = inside.copied().collect();
            (!inside.is_empty()).then_some(inside)
        };
        let Some(inside) = CLEARANCES.into_iter().find_map(inside_by) else { return Vec::new() };
        let step = inside.len().div_ceil(max_candidates);
        let inside: Vec<(usize, Vec3)> = inside
            .into_iter()
            .step_by(step)
            .map(|point| (self.visible_backs(point), point))
            .collect();
        let min_backs = inside.iter().map(|(backs, _)| *backs).min();
        let free = inside.into_iter().filter(|(backs, _)| Some(*backs) == min_backs);
        scattered(free.map(|(_, point)| point).collect(), tree)
    }

    /// Returns rays past the edges of each polygon from a point in front of it.
    ///
    /// Furniture can hide a polygon from all inner points.
    fn rays_from_polygons(
        &self,
        drawing: &PolygonSet,
        tree: &CellTree,
        max_rays: usize,
    ) -> Vec<(Vec3, Vec3)> {
        let mut rays = Vec::new();
        // Each start point costs 26 rays; portals face either way.
        if drawing.len() * START_DISTANCES.len() * 26 > max_rays {
            return rays;
        }
        for polygon in drawing.iter() {
            let before = |distance: f32| centre(polygon.vertices) + polygon.plane.normal * distance;
            let free = |point: &Vec3| {
                clearance_of(tree, *point) >= CLEARANCES[1] && self.visible_backs(*point) == 0
            };
            let Some(from) = START_DISTANCES.map(before).into_iter().find(free) else { continue };
            let aimed = points_beside(&polygon).into_iter();
            let aimed = aimed.filter_map(|target| (target - from).try_normalize());
            rays.extend(aimed.map(|direction| (from, direction)));
        }
        rays
    }

    fn leak(&self, drawing: &PolygonSet, tree: &CellTree, points: &[Vec3]) -> Option<Leak> {
        let max_rays = self.ray_budget(26);
        let targets = points_beside_edges(drawing, max_rays);
        let mut rays = self.rays_from_polygons(drawing, tree, max_rays);
        for from in points {
            rays.extend(spread(2).into_iter().map(|direction| (*from, direction)));
            let aimed = targets.iter().filter_map(|target| (*target - *from).try_normalize());
            rays.extend(aimed.map(|direction| (*from, direction)));
        }
        let step = rays.len().div_ceil(max_rays).max(1);
        let rays: Vec<(Vec3, Vec3)> = rays.into_iter().step_by(step).collect();
        let leaks = |(from, direction): &&(Vec3, Vec3)| {
            deflected(*direction).into_iter().all(|direction| self.escapes(*from, direction))
        };
        let escaped: Vec<&(Vec3, Vec3)> = rays.iter().filter(leaks).collect();
        let (from, direction) = **escaped.first()?;
        let at = exit_point(tree, from, direction).unwrap_or(from);
        Some(Leak { from, direction, at, escaped: escaped.len(), cast: rays.len() })
    }
}

/// Returns the distance of a point from the nearest plane of a cell tree, negative outside.
pub(super) fn clearance_of(tree: &CellTree, point: Vec3) -> f32 {
    // A point that is not finite counts as outside.
    if !point.is_finite() {
        return f32::NEG_INFINITY;
    }
    tree.planes().iter().map(|plane| plane.distance(point)).fold(f32::INFINITY, f32::min)
}

/// Returns the point where a ray from inside leaves a cell tree.
fn exit_point(tree: &CellTree, from: Vec3, direction: Vec3) -> Option<Vec3> {
    let time = |plane: &threshold_land::Plane| {
        let approach = plane.normal.dot(direction);
        (approach < 0.0).then(|| plane.distance(from).max(0.0) / -approach)
    };
    let time = tree.planes().iter().filter_map(time).fold(f32::INFINITY, f32::min);
    Some(from + direction * time).filter(|at| at.is_finite())
}

/// Returns the direction and four others closely around it.
fn deflected(direction: Vec3) -> [Vec3; 5] {
    let (side, up) = direction.any_orthonormal_pair();
    [Vec3::ZERO, side, up, -side, -up].map(|offset| direction + offset * DEFLECTION)
}

/// Returns the directions from the centre of a grid to its points, `half` steps each way, each once: 26 or 98.
fn spread(half: i8) -> Vec<Vec3> {
    let mut out = Vec::new();
    let axis = || -half..=half;
    for (x, y, z) in axis().flat_map(|x| axis().flat_map(move |y| axis().map(move |z| (x, y, z)))) {
        // A point twice as far has the same direction.
        if x % 2 != 0 || y % 2 != 0 || z % 2 != 0 {
            out.push(Vec3::new(f32::from(x), f32::from(y), f32::from(z)).normalize_or_zero());
        }
    }
    out
}

/// Returns points that are likely inside: the centre, and points in front of the polygons.
fn candidates(drawing: &PolygonSet) -> Vec<Vec3> {
    let corners = || drawing.iter().flat_map(|polygon| polygon.vertices).copied();
    let count = corners().count();
    let mean = corners().sum::<Vec3>() / count.max(1) as f32;
    let mut out = vec![mean];
    out.extend(Bounds::from_points(corners()).map(|bounds| (bounds.min + bounds.max) * 0.5));
    for polygon in drawing.iter() {
        let centre = centre(polygon.vertices);
        let normal = polygon.plane.normal;
        out.extend([1.0, 0.3, 0.02].map(|distance| centre + normal * distance));
        out.push(centre.lerp(mean, 0.3));
    }
    out
}

/// Returns a few of the points: the one with the greatest clearance, then each as far as possible from the others.
fn scattered(mut points: Vec<Vec3>, tree: &CellTree) -> Vec<Vec3> {
    let clearance = |point: &Vec3| clearance_of(tree, *point);
    let Some(first) = points.iter().copied().max_by(|a, b| clearance(a).total_cmp(&clearance(b)))
    else {
        return points;
    };
    let mut chosen = vec![first];
    while chosen.len() < MAX_POINTS {
        let isolation = |point: &Vec3| {
            chosen.iter().map(|other| point.distance(*other)).fold(f32::INFINITY, f32::min)
        };
        points.retain(|point| isolation(point) > 0.1);
        let next = points.iter().copied().max_by(|a, b| isolation(a).total_cmp(&isolation(b)));
        let Some(next) = next else { break };
        chosen.push(next);
    }
    chosen
}

/// Returns points closely beside the edges of all polygons, in their planes; stops soon after `max_points`.
fn points_beside_edges(drawing: &PolygonSet, max_points: usize) -> Vec<Vec3> {
    let mut out = Vec::new();
    for polygon in drawing.iter() {
        out.extend(points_beside(&polygon));
        if out.len() > max_points {
            break;
        }
    }
    out
}

/// Returns points closely beside the edges of a polygon.
fn points_beside(polygon: &Polygon<'_>) -> Vec<Vec3> {
    let mut out = Vec::new();
    let Some(mut from) = polygon.vertices.last().copied() else { return out };
    for to in polygon.vertices {
        let along = *to - from;
        let outward = along.cross(polygon.plane.normal).normalize_or_zero() * EDGE_OFFSET;
        let steps = steps(along.length());
        let part = |step: usize| (2 * step + 1) as f32 / (2 * steps) as f32;
        out.extend((0..steps).map(|step| from + along * part(step) + outward));
        from = *to;
    }
    out
}

fn steps(length: f32) -> usize {
    (2..MAX_STEPS).find(|steps| length <= STEP * *steps as f32).unwrap_or(MAX_STEPS)
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
    fn cracks_are_ignored_and_gaps_are_not() {
        let triangle = Triangle::new(0, [Vec3::ZERO, Vec3::X, Vec3::Y], false).unwrap();
        let is_hit = |x: f32, y: f32| triangle.hit(Vec3::new(x, y, 1.0), Vec3::NEG_Z).is_some();
        assert!(is_hit(0.3, 0.3) && is_hit(-0.002, 0.5) && is_hit(0.501, 0.501));
        assert!(!is_hit(-0.004, 0.5) && !is_hit(0.51, 0.51));
        assert!(triangle.hit(Vec3::new(0.2, 0.2, -1.0), Vec3::Z).is_some(), "from behind too");
        assert!(triangle.hit(Vec3::new(0.2, 0.2, -1.0), Vec3::NEG_Z).is_none());
        assert!(triangle.hit(Vec3::NAN, Vec3::Z).is_none());
    }

    #[test]
    fn long_edges_get_more_rays() {
        assert_eq!([0.1, 1.0, 1.2, 9.9, 1e9, f32::NAN].map(steps), [2, 2, 3, 20, 24, 24]);
    }
}
