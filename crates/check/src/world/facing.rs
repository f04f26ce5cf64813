//! The check that polygons face their room: a wall wound backwards is neither visible from inside nor stops a mover.

use std::collections::BTreeSet;

use threshold_geom::{CellTree, Polygon, PolygonSet, Sides};
use threshold_land::Plane;
use threshold_land::vector::Vec3;
use threshold_world::Structure;

use super::Severity;
use super::cell_tree::SAME;
use super::closed::{Flaw, Triangles};
use super::outline::centre;

/// Number of rays that must meet the back of a polygon first. With fewer, a ray past an edge would count.
const MIN_RAYS: usize = 3;
/// Greatest distance in metres between the hits of two polygons that count as one, back to back.
const BACK_TO_BACK: f32 = 5e-3;
/// Greatest number of corners of a polygon that rays are aimed at.
const MAX_CORNERS: usize = 8;

/// Returns flaws for polygons that are seen from behind from `points`, which are in the room.
pub(super) fn flaws(structure: &Structure, triangles: &Triangles, points: &[Vec3]) -> Vec<Flaw> {
    let (drawing, tree) = (&structure.drawing, &structure.cell_tree);
    let drawn = BackTest { set: drawing, triangles, points };
    let physics = structure.physics.polygons();
    let solid = Triangles::new(physics, &BTreeSet::new());
    let solid = BackTest { set: physics, triangles: &solid, points };
    let is_boundary = |polygon: &Polygon<'_>| faces_out(polygon, tree);
    let flaw = |severity, centres: Vec<Vec3>, what: &str| {
        let (at, count) = (*centres.first()?, centres.len());
        let message = format!("{what}; {count} polygons in all");
        Some(Flaw { severity, at, message })
    };
    let wall = "a wall faces away from the room: it is seen from behind";
    // Leaves and cloth often have one side only.
    let within = "a polygon within the room is seen from behind";
    let physics_wall =
        "what stops movers faces away from the room: they walk through it from inside";
    [
        flaw(Severity::Error, drawn.showing_backs(is_boundary), wall),
        flaw(Severity::Note, drawn.showing_backs(|polygon| !is_boundary(polygon)), within),
        flaw(Severity::Error, solid.showing_backs(is_boundary), physics_wall),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns whether a polygon lies in a plane of the cell tree and faces out of the cell.
fn faces_out(polygon: &Polygon<'_>, tree: &CellTree) -> bool {
    let in_plane = |plane: &Plane| {
        plane.normal.dot(polygon.plane.normal) < -0.9
            && polygon.vertices.iter().all(|corner| plane.distance(*corner).abs() <= SAME)
    };
    tree.planes().iter().any(in_plane)
}

/// Looks at polygons from points and finds those that show their backs first.
struct BackTest<'a> {
    set: &'a PolygonSet,
    /// Triangles of `set`.
    triangles: &'a Triangles,
    points: &'a [Vec3],
}

impl BackTest<'_> {
    /// Returns the centres of the `wanted` polygons that show their backs.
    fn showing_backs(&self, wanted: impl Fn(&Polygon<'_>) -> bool) -> Vec<Vec3> {
        let mut rays_left = self.triangles.ray_budget(26);
        let mut out = Vec::new();
        for (index, polygon) in (0_u32..).zip(self.set.iter()) {
            if polygon.sides != Sides::Single || self.set.is_degenerate(index) {
                continue;
            }
            let behind = |point: &&Vec3| polygon.plane.distance(**point) < -BACK_TO_BACK;
            let from: Vec<Vec3> = self.points.iter().filter(behind).copied().collect();
            if from.is_empty() || !wanted(&polygon) {
                continue;
            }
            let centre = centre(polygon.vertices);
            let corners = polygon.vertices.iter().take(MAX_CORNERS);
            let targets = corners.map(|corner| corner.lerp(centre, 0.5)).chain([centre]);
            let rays = targets.flat_map(|target| from.iter().map(move |from| (*from, target)));
            let rays: Vec<(Vec3, Vec3)> = rays.collect();
            rays_left = match rays_left.checked_sub(rays.len()) {
                Some(rest) => rest,
                None => break,
            };
            let backs = rays.iter().filter(|(from, to)| self.meets_back(*from, *to, index));
            if backs.take(MIN_RAYS).count() == MIN_RAYS {
                out.push(centre);
            }
        }
        out
    }

    /// Returns whether a ray meets the back of a polygon before anything else.
    fn meets_back(&self, from: Vec3, target: Vec3, polygon: u32) -> bool {
        let Some(direction) = (target - from).try_normalize() else { return false };
        let first = self
            .triangles
            .hits(from, direction)
            .map(|(time, _)| time)
            .fold(f32::INFINITY, f32::min);
        let mut first_hits = self
            .triangles
            .hits(from, direction)
            .filter(|(time, _)| *time <= first + BACK_TO_BACK)
            .peekable();
        first_hits.peek().is_some()
            && first_hits
                .all(|(_, triangle)| triangle.polygon == polygon && triangle.shows_back(direction))
    }
}
