//! The check that the cell tree of a structure is the space that its polygons enclose.

use std::collections::BTreeSet;

use threshold_geom::{Bounds, CellTree};
use threshold_land::Plane;
use threshold_land::vector::Vec3;
use threshold_world::Structure;

use super::Severity;
use super::closed::{Flaw, Triangles, clearance_of};
use super::outline::centre;

/// Distance in metres between planes and polygons up to which they count as the same.
pub(super) const SAME: f32 = 0.02;
/// Distance in metres beyond which movers and cameras are led astray.
const HARMFUL: f32 = 0.05;
/// Greatest number of outlying corners that are examined; a damaged structure can have thousands.
const MAX_CORNERS: usize = 256;
/// Greatest number of planes of a cell tree that is examined; the cost grows with the square.
const MAX_PLANES: usize = 1024;
/// Size of the box that a cell tree is cut from, in radii of its polygons.
const FAR: f32 = 8.0;

/// Returns the flaws of a cell tree that contains `points`.
pub(super) fn flaws(
    structure: &Structure,
    triangles: &Triangles,
    portals: &BTreeSet<u32>,
    points: &[Vec3],
) -> Vec<Flaw> {
    let corners = || structure.drawing.iter().flat_map(|polygon| polygon.vertices).copied();
    let corners: Vec<Vec3> = corners().filter(|corner| corner.is_finite()).collect();
    let (Some(bounds), false) = (Bounds::from_points(corners.iter().copied()), points.is_empty())
    else {
        return Vec::new();
    };
    // Distances far from the origin of the structure are no more exact than the coordinates.
    let rounding = 8.0 * f32::EPSILON * bounds.min.abs().max(bounds.max.abs()).max_element();
    let severity = |distance: f32| match distance - rounding {
        d if d > HARMFUL => Some(Severity::Error),
        d if d > SAME => Some(Severity::Note),
        _ => None,
    };
    let too_small = too_small(structure, triangles, portals, points, &severity);
    let too_large = too_large(structure.cell_tree.planes(), &corners, bounds, &severity);
    too_small.into_iter().chain(too_large).collect()
}

/// A corner of a polygon outside the cell tree.
struct OutlyingCorner {
    corner: Vec3,
    depth: f32,
    /// The centre of its polygon.
    centre: Vec3,
    is_portal: bool,
}

/// Reports a cell tree that omits a part of the room: a mover there is in no cell.
fn too_small(
    structure: &Structure,
    triangles: &Triangles,
    portals: &BTreeSet<u32>,
    points: &[Vec3],
    severity: &dyn Fn(f32) -> Option<Severity>,
) -> Option<Flaw> {
    let mut outside = Vec::new();
    for (index, polygon) in (0_u32..).zip(structure.drawing.iter()) {
        let (centre, is_portal) = (centre(polygon.vertices), portals.contains(&index));
        for corner in polygon.vertices.iter().copied().filter(|corner| corner.is_finite()) {
            let depth = -clearance_of(&structure.cell_tree, corner);
            if severity(depth).is_some() {
                outside.push(OutlyingCorner { corner, depth, centre, is_portal });
            }
        }
    }
    // A portal tells more than the walls that share its corner.
    outside.sort_by(|a, b| b.depth.total_cmp(&a.depth).then(b.is_portal.cmp(&a.is_portal)));
    let counts = |it: &&OutlyingCorner| {
        it.is_portal || (blocks_movers(structure, it.corner) && is_visible(triangles, points, it))
    };
    let OutlyingCorner { corner, depth, is_portal, .. } =
        outside.iter().take(MAX_CORNERS).find(counts)?;
    let what = if *is_portal { "a portal" } else { "a wall" };
    Some(Flaw {
        severity: severity(*depth)?,
        at: *corner,
        message: format!("a corner of {what} is {depth:.3} m outside the cell tree"),
    })
}

/// Returns whether a corner is in the physics polygons. Polygons that are only drawn may stick out of the cell.
fn blocks_movers(structure: &Structure, corner: Vec3) -> bool {
    let mut corners = structure.physics.polygons().iter().flat_map(|polygon| polygon.vertices);
    corners.any(|other| other.distance(corner) <= SAME)
}

/// Returns whether a corner is visible from an inner point. Furniture may reach into the walls.
fn is_visible(triangles: &Triangles, points: &[Vec3], corner: &OutlyingCorner) -> bool {
    let target = corner.corner.lerp(corner.centre, 0.01);
    points.iter().any(|from| {
        let distance = from.distance(target);
        let Some(direction) = (target - *from).try_normalize() else { return true };
        !triangles.hits(*from, direction).any(|(time, _)| time < distance - SAME)
    })
}

/// Reports a cell tree that contains more than the room: a mover that has left is still in it.
fn too_large(
    planes: &[Plane],
    corners: &[Vec3],
    bounds: Bounds,
    severity: &dyn Fn(f32) -> Option<Severity>,
) -> Option<Flaw> {
    if planes.len() > MAX_PLANES || !planes.iter().all(is_usable) {
        return None;
    }
    let (centre, size) = ((bounds.min + bounds.max) * 0.5, radius(bounds) * FAR);
    let faces = CellTree::new(planes).faces(centre, size);
    if let Some(far) = far_corner(&faces, centre, size) {
        let along = |corner: &Vec3| (*corner - centre).dot(far);
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
        // A plane that cuts nothing off is harmless.
        let severity = severity(distance).filter(|_| !faces[index].is_empty())?;
        Some((severity, distance, corner))
    });
    let (severity, distance, at) = beyond.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let message = format!("a plane of the cell tree is {distance:.3} m beyond every polygon");
    Some(Flaw { severity, at, message })
}

/// Returns the direction of a corner at which a plane must be missing, because it is too far away.
fn far_corner(faces: &[Vec<Vec3>], centre: Vec3, size: f32) -> Option<Vec3> {
    if faces.is_empty() {
        return Some(Vec3::Z);
    }
    let mut corners = faces.iter().flatten().map(|corner| *corner - centre);
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

    fn excess(planes: &[Plane]) -> Option<(f32, bool)> {
        let severity = |distance: f32| (distance > SAME).then_some(Severity::Note);
        let corners = corners(1.0);
        let bounds = Bounds::from_points(corners.iter().copied()).unwrap();
        let flaw = too_large(planes, &corners, bounds, &severity)?;
        Some((flaw.at.z, flaw.severity == Severity::Error))
    }

    #[test]
    fn a_plane_beyond_the_room_is_found_only_where_it_bounds_the_cell() {
        assert_eq!(excess(&cube(1.0)), None);
        let mut planes = cube(1.0);
        planes[4].d = 1.3;
        assert_eq!(excess(&planes), Some((-1.0, false)));
        // The plane in its place cuts it off.
        planes.push(Plane { normal: Vec3::Z, d: 1.0 });
        assert_eq!(excess(&planes), None);
    }

    #[test]
    fn a_cell_without_a_plane_is_open_on_that_side() {
        let mut planes = cube(1.0);
        planes.remove(4);
        assert_eq!(excess(&planes), Some((-1.0, true)));
        assert_eq!(excess(&[]), Some((1.0, true)));
        assert_eq!(excess(&[Plane { normal: Vec3::NAN, d: 0.0 }]), None);
    }
}
