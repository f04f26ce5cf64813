//! Whether what bounds a room faces it: a wall wound backwards is not seen from inside, and does not
//! stop who walks against it.

use std::collections::BTreeSet;

use threshold_geom::{CellTree, Polygon, PolygonSet, Sides};
use threshold_land::Plane;
use threshold_land::glam::Vec3;
use threshold_world::Structure;

use super::Severity;
use super::closed::{Faces, Flaw};
use super::outline::middle;
use super::tree::SAME;

/// How many rays must meet the back of a polygon first: one may slip past an edge.
const RAYS: usize = 3;
/// How far apart two polygons are met that count as one, back to back, in metres.
const TOGETHER: f32 = 5e-3;
/// Corners of a polygon that rays are aimed at.
const CORNERS: usize = 8;

/// The polygons that are seen from behind from `points`, which are in the room.
pub(super) fn flaws(structure: &Structure, faces: &Faces, points: &[Vec3]) -> Vec<Flaw> {
    let (drawing, tree) = (&structure.drawing, &structure.cell_tree);
    let looks = Looks { set: drawing, faces, points };
    let bumps = structure.physics.polygons();
    let solid = Faces::new(bumps, &BTreeSet::new());
    let feels = Looks { set: bumps, faces: &solid, points };
    let bounding = |polygon: &Polygon<'_>| faces_out(polygon, tree);
    let flaw = |severity, wrong: Vec<Vec3>, what: &str| {
        let (at, count) = (*wrong.first()?, wrong.len());
        let message = format!("{what}; {count} polygons in all");
        Some(Flaw { severity, at, message })
    };
    let wall = "a wall faces away from the room: it is seen from behind";
    // Not every leaf and rag has a back.
    let within = "a polygon within the room is seen from behind";
    let solid = "what stops movers faces away from the room: they walk through it from inside";
    [
        flaw(Severity::Error, looks.showing_backs(bounding), wall),
        flaw(Severity::Note, looks.showing_backs(|polygon| !bounding(polygon)), within),
        flaw(Severity::Error, feels.showing_backs(bounding), solid),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether a polygon lies in a plane of the cell and faces out of it.
fn faces_out(polygon: &Polygon<'_>, tree: &CellTree) -> bool {
    let in_plane = |plane: &Plane| {
        plane.normal.dot(polygon.plane.normal) < -0.9
            && polygon.vertices.iter().all(|corner| plane.distance(*corner).abs() <= SAME)
    };
    tree.planes().iter().any(in_plane)
}

/// Polygons, and where they are looked at from.
struct Looks<'a> {
    set: &'a PolygonSet,
    /// Of the same polygons.
    faces: &'a Faces,
    points: &'a [Vec3],
}

impl Looks<'_> {
    /// The middles of those of the `wanted` polygons that show their backs.
    fn showing_backs(&self, wanted: impl Fn(&Polygon<'_>) -> bool) -> Vec<Vec3> {
        let mut left = self.faces.affordable(26);
        let mut out = Vec::new();
        for (index, polygon) in (0_u32..).zip(self.set.iter()) {
            if polygon.sides != Sides::Single || self.set.is_degenerate(index) {
                continue;
            }
            let behind = |point: &&Vec3| polygon.plane.distance(**point) < -TOGETHER;
            let from: Vec<Vec3> = self.points.iter().filter(behind).copied().collect();
            if from.is_empty() || !wanted(&polygon) {
                continue;
            }
            let centre = middle(polygon.vertices);
            let corners = polygon.vertices.iter().take(CORNERS);
            let targets = corners.map(|corner| corner.lerp(centre, 0.5)).chain([centre]);
            let rays = targets.flat_map(|target| from.iter().map(move |from| (*from, target)));
            let rays: Vec<(Vec3, Vec3)> = rays.collect();
            left = match left.checked_sub(rays.len()) {
                Some(left) => left,
                None => break,
            };
            let backs = rays.iter().filter(|(from, to)| self.meets_back(*from, *to, index));
            if backs.take(RAYS).count() == RAYS {
                out.push(centre);
            }
        }
        out
    }

    /// Whether the first that a ray meets is the back of a polygon, and nothing before it.
    fn meets_back(&self, from: Vec3, target: Vec3, polygon: u32) -> bool {
        let Some(towards) = (target - from).try_normalize() else { return false };
        let first =
            self.faces.met(from, towards).map(|(time, _)| time).fold(f32::INFINITY, f32::min);
        let mut together =
            self.faces.met(from, towards).filter(|(time, _)| *time <= first + TOGETHER).peekable();
        together.peek().is_some()
            && together.all(|(_, face)| face.polygon == polygon && face.shows_back(towards))
    }
}
