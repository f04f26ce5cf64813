//! Whether the cell tree of a shape is the space that its polygons enclose.

use std::collections::BTreeSet;

use threshold_geom::{Bounds, CellTree};
use threshold_land::Plane;
use threshold_land::glam::Vec3;
use threshold_world::Structure;

use super::Severity;
use super::closed::{Faces, Flaw, clearance_of};
use super::outline::middle;

/// How far planes and polygons may be apart without a word, in metres.
pub(super) const SAME: f32 = 0.02;
/// How far before movers and eyes are led astray.
const WRONG: f32 = 0.05;
/// The corners farthest outside that are looked at: a damaged shape can have thousands.
const MOST_CORNERS: usize = 256;
/// Cutting the faces of a cell costs its planes squared.
const MOST_PLANES: usize = 1024;
/// How many times as far as its polygons a cell may reach from their middle.
const FAR: f32 = 8.0;

/// What is wrong with a cell tree that holds `points`.
pub(super) fn flaws(
    structure: &Structure,
    faces: &Faces,
    openings: &BTreeSet<u32>,
    points: &[Vec3],
) -> Vec<Flaw> {
    let corners = || structure.drawing.iter().flat_map(|polygon| polygon.vertices).copied();
    let corners: Vec<Vec3> = corners().filter(|corner| corner.is_finite()).collect();
    let (Some(bounds), false) = (Bounds::from_points(corners.iter().copied()), points.is_empty())
    else {
        return Vec::new();
    };
    // Far from the origin of its shape, a distance is as fine as the numbers are.
    let rounding = 8.0 * f32::EPSILON * bounds.min.abs().max(bounds.max.abs()).max_element();
    let judge = |distance: f32| match distance - rounding {
        d if d > WRONG => Some(Severity::Error),
        d if d > SAME => Some(Severity::Note),
        _ => None,
    };
    let small = small(structure, faces, openings, points, &judge);
    let large = large(structure.cell_tree.planes(), &corners, bounds, &judge);
    small.into_iter().chain(large).collect()
}

/// A corner of a polygon that the cell tree leaves outside.
struct Outside {
    corner: Vec3,
    depth: f32,
    /// The middle of its polygon.
    middle: Vec3,
    opening: bool,
}

/// The cell tree leaves out a part of the room: who stands there is in no cell.
fn small(
    structure: &Structure,
    faces: &Faces,
    openings: &BTreeSet<u32>,
    points: &[Vec3],
    judge: &dyn Fn(f32) -> Option<Severity>,
) -> Option<Flaw> {
    let mut outside = Vec::new();
    for (index, polygon) in (0_u32..).zip(structure.drawing.iter()) {
        let (middle, opening) = (middle(polygon.vertices), openings.contains(&index));
        for corner in polygon.vertices.iter().copied().filter(|corner| corner.is_finite()) {
            let depth = -clearance_of(&structure.cell_tree, corner);
            if judge(depth).is_some() {
                outside.push(Outside { corner, depth, middle, opening });
            }
        }
    }
    // An opening tells more than the walls that share its corner.
    outside.sort_by(|a, b| b.depth.total_cmp(&a.depth).then(b.opening.cmp(&a.opening)));
    let counts = |it: &&Outside| {
        it.opening || (is_bumped_into(structure, it.corner) && is_seen(faces, points, it))
    };
    let Outside { corner, depth, opening, .. } = outside.iter().take(MOST_CORNERS).find(counts)?;
    let what = if *opening { "an opening" } else { "a wall" };
    Some(Flaw {
        severity: judge(*depth)?,
        at: *corner,
        message: format!("a corner of {what} is {depth:.3} m outside the cell tree"),
    })
}

/// What is only drawn may stick out of the cell: nobody gets there.
fn is_bumped_into(structure: &Structure, corner: Vec3) -> bool {
    let mut corners = structure.physics.polygons().iter().flat_map(|polygon| polygon.vertices);
    corners.any(|other| other.distance(corner) <= SAME)
}

/// What stands in a room may reach into its walls, where nobody sees it.
fn is_seen(faces: &Faces, points: &[Vec3], corner: &Outside) -> bool {
    let target = corner.corner.lerp(corner.middle, 0.01);
    points.iter().any(|from| {
        let distance = from.distance(target);
        let Some(towards) = (target - *from).try_normalize() else { return true };
        !faces.met(*from, towards).any(|(time, _)| time < distance - SAME)
    })
}

/// The cell tree holds more than the room: who has left it is still in it.
fn large(
    planes: &[Plane],
    corners: &[Vec3],
    bounds: Bounds,
    judge: &dyn Fn(f32) -> Option<Severity>,
) -> Option<Flaw> {
    if planes.len() > MOST_PLANES || !planes.iter().all(is_usable) {
        return None;
    }
    let (middle, size) = ((bounds.min + bounds.max) * 0.5, radius(bounds) * FAR);
    let faces = CellTree::new(planes).faces(middle, size);
    if let Some(far) = far_corner(&faces, middle, size) {
        let along = |corner: &Vec3| (*corner - middle).dot(far);
        let last = corners.iter().copied().max_by(|a, b| along(a).total_cmp(&along(b)))?;
        let message = "the cell tree is open here: no plane of it is near".to_owned();
        return Some(Flaw { severity: Severity::Error, at: last, message });
    }
    let nearest = |plane: &Plane| {
        let distances = corners.iter().map(|corner| (plane.distance(*corner), *corner));
        distances.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let beyond = planes.iter().enumerate().filter_map(|(index, plane)| {
        let (distance, corner) = nearest(plane)?;
        let distance = distance / plane.normal.length();
        // A plane that cuts nothing off does no harm wherever it is.
        let severity = judge(distance).filter(|_| !faces[index].is_empty())?;
        Some((severity, distance, corner))
    });
    let (severity, distance, at) = beyond.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let message = format!("a plane of the cell tree is {distance:.3} m beyond every polygon");
    Some(Flaw { severity, at, message })
}

/// The direction of a corner so far away that planes must be missing.
fn far_corner(faces: &[Vec<Vec3>], middle: Vec3, size: f32) -> Option<Vec3> {
    if faces.is_empty() {
        return Some(Vec3::Z);
    }
    let mut corners = faces.iter().flatten().map(|corner| *corner - middle);
    corners.find(|corner| corner.length() > size * 0.5).map(Vec3::normalize_or_zero)
}

fn is_usable(plane: &Plane) -> bool {
    plane.normal.is_finite() && plane.d.is_finite() && plane.normal.length() > 0.5
}

fn radius(bounds: Bounds) -> f32 {
    ((bounds.max - bounds.min) * 0.5).length().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(half: f32) -> Vec<Plane> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        axes.into_iter().flat_map(|n| [n, -n]).map(|normal| Plane { normal, d: half }).collect()
    }

    fn corners(half: f32) -> Vec<Vec3> {
        Bounds { min: Vec3::splat(-half), max: Vec3::splat(half) }.corners().to_vec()
    }

    fn larger(planes: &[Plane]) -> Option<(f32, bool)> {
        let judge = |distance: f32| (distance > SAME).then_some(Severity::Note);
        let corners = corners(1.0);
        let bounds = Bounds::from_points(corners.iter().copied()).unwrap();
        let flaw = large(planes, &corners, bounds, &judge)?;
        Some((flaw.at.z, flaw.severity == Severity::Error))
    }

    #[test]
    fn a_plane_beyond_the_room_is_found_only_where_it_bounds_the_cell() {
        assert_eq!(larger(&cube(1.0)), None);
        let mut planes = cube(1.0);
        planes[4].d = 1.3;
        assert_eq!(larger(&planes), Some((-1.0, false)));
        // The plane in its place cuts it off.
        planes.push(Plane { normal: Vec3::Z, d: 1.0 });
        assert_eq!(larger(&planes), None);
    }

    #[test]
    fn a_cell_without_a_plane_is_open_on_that_side() {
        let mut planes = cube(1.0);
        planes.remove(4);
        assert_eq!(larger(&planes), Some((-1.0, true)));
        assert_eq!(larger(&[]), Some((1.0, true)));
        assert_eq!(larger(&[Plane { normal: Vec3::NAN, d: 0.0 }]), None);
    }
}
