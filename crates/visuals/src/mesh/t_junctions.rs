//! Removal of T-junctions, so that adjacent faces share whole edges.
//!
//! A device draws two triangles without a gap only if they share an edge, bit by bit. Faces of records often do not: a
//! wall above a door has its corners somewhere on the edge of the ceiling, and the same corner is stored twice with
//! slightly different numbers. So corners that nearly coincide are welded, and a corner that lies on an edge of another
//! face is inserted there.

use threshold_land::vector::Vec3;

use super::MeshVertex;

/// Distance in metres up to which corners are welded.
const WELD_DISTANCE: f32 = 2e-4;

/// Distance in metres up to which a corner lies on an edge.
const EDGE_TOLERANCE: f32 = 5e-4;

/// Bounds against damaged models that would take forever: comparisons of corners with edges, corners of a face, and new
/// corners of a model. No valid model comes near.
const MAX_COMPARISONS: usize = 20_000_000;
const MAX_FACE_CORNERS: usize = 128;
const MAX_NEW_CORNERS: usize = 100_000;

/// A face, and whether corners were inserted on its edges.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) corners: Vec<MeshVertex>,
    has_new_corners: bool,
}

impl Face {
    pub(super) fn new(corners: Vec<MeshVertex>) -> Self {
        Self { corners, has_new_corners: false }
    }

    /// Index of its surface in the list of its mesh.
    pub(super) fn surface(&self) -> usize {
        self.corners.first().map_or(usize::MAX, |corner| usize::from(corner.surface))
    }
}

/// Welds corners and inserts missing ones. A degenerate face stays in the list with fewer than three corners.
pub(super) fn remove(faces: &mut [Face]) {
    let points = weld(faces);
    let (mut comparisons, mut added) = (0, 0);
    let mut on_edge = Vec::new();
    for face in faces {
        if comparisons > MAX_COMPARISONS
            || added > MAX_NEW_CORNERS
            || face.corners.len() > MAX_FACE_CORNERS
        {
            continue;
        }
        let mut corners = Vec::with_capacity(face.corners.len());
        for (number, from) in face.corners.iter().enumerate() {
            let to = &face.corners[(number + 1) % face.corners.len()];
            corners.push(*from);
            on_edge.clear();
            comparisons += points_on_edge(&points, from.position, to.position, &mut on_edge);
            corners.extend(on_edge.iter().map(|(part, at)| interpolated(from, to, *part, *at)));
        }
        let new = corners.len() - face.corners.len();
        if new > 0 && corners.len() <= MAX_FACE_CORNERS {
            added += new;
            (face.corners, face.has_new_corners) = (corners, true);
        }
    }
}

/// Moves corners that nearly coincide to one position, drops edges of no length, and returns all positions sorted by x.
fn weld(faces: &mut [Face]) -> Vec<Vec3> {
    let mut all: Vec<(Vec3, usize, usize)> = Vec::new();
    for (face, corners) in faces.iter().enumerate() {
        all.extend(
            corners.corners.iter().enumerate().map(|(place, it)| (it.position, face, place)),
        );
    }
    all.retain(|(at, ..)| at.is_finite());
    all.sort_by(|(a, ..), (b, ..)| a.x.total_cmp(&b.x));
    let mut points: Vec<Vec3> = Vec::with_capacity(all.len());
    for (at, face, place) in all {
        let near = points.iter().rev().take_while(|point| at.x - point.x <= WELD_DISTANCE);
        let known = near
            .take(MAX_WELD_CANDIDATES)
            .find(|point| point.distance_squared(at) <= WELD_DISTANCE * WELD_DISTANCE);
        let known = known.copied().unwrap_or_else(|| {
            points.push(at);
            at
        });
        faces[face].corners[place].position = known;
    }
    for face in faces {
        face.corners.dedup_by(|a, b| a.position == b.position);
        let is_closed = |corners: &[MeshVertex]| match corners {
            [first, .., last] => first.position == last.position,
            _ => false,
        };
        if is_closed(&face.corners) {
            face.corners.pop();
        }
    }
    points
}

/// Corners with a similar x that are compared: a bound for damaged models.
const MAX_WELD_CANDIDATES: usize = 4096;

/// Collects the points on an edge with their fraction along it, in order; returns the number of comparisons.
fn points_on_edge(points: &[Vec3], from: Vec3, to: Vec3, found: &mut Vec<(f32, Vec3)>) -> usize {
    let along = to - from;
    let length = along.length();
    if !(length > 2.0 * EDGE_TOLERANCE && length.is_finite()) {
        return 0;
    }
    let direction = along / length;
    let start = points.partition_point(|point| point.x < from.x.min(to.x) - EDGE_TOLERANCE);
    let end = points.partition_point(|point| point.x <= from.x.max(to.x) + EDGE_TOLERANCE);
    for point in &points[start..end] {
        let distance = (*point - from).dot(direction);
        if distance > EDGE_TOLERANCE
            && distance < length - EDGE_TOLERANCE
            && (*point - from).reject_from_normalized(direction).length() <= EDGE_TOLERANCE
        {
            found.push((distance / length, *point));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    end - start
}

/// Interpolates a corner on an edge.
fn interpolated(from: &MeshVertex, to: &MeshVertex, part: f32, position: Vec3) -> MeshVertex {
    let uv = from.uv.lerp(to.uv, part);
    let normal = from.normal.lerp(to.normal, part).try_normalize().unwrap_or(from.normal);
    MeshVertex { position, normal, uv, ..*from }
}

/// Appends the triangles of a face.
pub(super) fn triangles(face: &Face, out: &mut Vec<MeshVertex>) {
    let corners = &face.corners;
    let [first, rest @ ..] = &corners[..] else { return };
    if face.has_new_corners && clip_ears(corners, out) {
        return;
    }
    for pair in rest.windows(2) {
        out.extend([*first, pair[0], pair[1]]);
    }
}

/// Triangulates a face by ear clipping without degenerate triangles, so that every edge of the face is an edge of a
/// triangle. Returns `false` and appends nothing if that fails.
fn clip_ears(corners: &[MeshVertex], out: &mut Vec<MeshVertex>) -> bool {
    let start = out.len();
    let facing = area(corners);
    let mut left: Vec<MeshVertex> = corners.to_vec();
    while left.len() > 3 {
        // Take the widest ear: slivers leave slivers.
        let candidate = |place: usize| Some((ear_ratio(&left, place, facing)?, place));
        let best = (0..left.len()).filter_map(candidate).max_by(|(a, _), (b, _)| a.total_cmp(b));
        let Some((_, place)) = best else {
            out.truncate(start);
            return false;
        };
        out.extend(ear(&left, place));
        left.remove(place);
    }
    out.extend(left);
    true
}

/// Returns a corner with its neighbours.
fn ear(corners: &[MeshVertex], place: usize) -> [MeshVertex; 3] {
    let count = corners.len();
    [corners[(place + count - 1) % count], corners[place], corners[(place + 1) % count]]
}

/// Returns the height of an ear over its base, divided by the length of the base; `None` if it cannot be clipped.
fn ear_ratio(corners: &[MeshVertex], place: usize, facing: Vec3) -> Option<f32> {
    let [before, at, after] = ear(corners, place).map(|corner| corner.position);
    let across = (at - before).cross(after - before);
    let base = after - before;
    let height = across.dot(facing.normalize_or_zero()) / base.length();
    if height.max(EDGE_TOLERANCE) == EDGE_TOLERANCE {
        return None;
    }
    // No other corner may lie on the base.
    let direction = base.normalize_or_zero();
    let is_on = |point: Vec3| {
        let distance = (point - before).dot(direction);
        distance > EDGE_TOLERANCE
            && distance < base.length() - EDGE_TOLERANCE
            && (point - before - direction * distance).length() <= EDGE_TOLERANCE
    };
    let is_free = !corners.iter().any(|corner| is_on(corner.position));
    is_free.then(|| height / base.length())
}

/// Returns the normal of a face with a length of twice its area.
pub(super) fn area(corners: &[MeshVertex]) -> Vec3 {
    let at = corners.first().map_or(Vec3::ZERO, |corner| corner.position);
    corners.windows(2).map(|pair| (pair[0].position - at).cross(pair[1].position - at)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use threshold_land::vector::Vec2;

    fn face(corners: &[[f32; 3]]) -> Face {
        let corner = |at: &[f32; 3]| MeshVertex {
            position: Vec3::from(*at),
            normal: Vec3::Z,
            uv: Vec2::new(at[0], at[1]),
            surface: 0,
            tiled: true,
            polygon: 0,
        };
        Face::new(corners.iter().map(corner).collect())
    }

    fn without_t_junctions(faces: &[Face]) -> Vec<MeshVertex> {
        let mut faces = faces.to_vec();
        remove(&mut faces);
        let mut out = Vec::new();
        faces.iter().for_each(|face| triangles(face, &mut out));
        out
    }

    /// Counts edges that no other triangle has in the opposite direction.
    fn open_edges(triangles: &[MeshVertex]) -> usize {
        let key = |at: Vec3| at.to_array().map(f32::to_bits);
        let mut edges: BTreeMap<_, i32> = BTreeMap::new();
        for [a, b, c] in triangles.as_chunks::<3>().0 {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((key(from.position), key(to.position))).or_default() += 1;
            }
        }
        edges.iter().filter(|((from, to), n)| edges.get(&(*to, *from)) != Some(n)).count()
    }

    fn size(triangles: &[MeshVertex]) -> f32 {
        let one = |[a, b, c]: &[MeshVertex; 3]| area(&[*a, *b, *c]).length() / 2.0;
        triangles.as_chunks::<3>().0.iter().map(one).sum()
    }

    /// A wide floor, and two narrow ones beside it.
    fn floors() -> [Face; 3] {
        [
            face(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 3.0, 0.0], [0.0, 3.0, 0.0]]),
            face(&[[0.0, 3.0, 0.0], [1.5, 3.0, 0.0], [1.5, 5.0, 0.0], [0.0, 5.0, 0.0]]),
            // Slightly off, as in real records.
            face(&[[1.5001, 3.0, 0.0001], [4.0, 3.0, 0.0], [4.0, 5.0, 0.0], [1.5, 5.0001, 0.0]]),
        ]
    }

    #[test]
    fn a_corner_on_an_edge_is_inserted_there() {
        let triangles = without_t_junctions(&floors());
        // The outline has seven corners; only its edges are open.
        assert_eq!(open_edges(&triangles), 7);
        assert!((size(&triangles) - 20.0).abs() < 2e-3, "{}", size(&triangles));
    }

    #[test]
    fn without_the_removal_the_shared_edge_is_open() {
        let mut out = Vec::new();
        floors().iter().for_each(|face| triangles(face, &mut out));
        assert!(open_edges(&out) > 7);
    }

    #[test]
    fn texture_coordinates_are_interpolated_at_a_new_corner() {
        for corner in without_t_junctions(&floors()) {
            let at = corner.position.truncate();
            assert!(corner.uv.distance(at) < 3e-4, "{} at {at}", corner.uv);
        }
    }

    #[test]
    fn no_triangle_is_degenerate_with_many_corners_on_an_edge() {
        let mut faces = vec![face(&[[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [4.0, 6.0, 0.0]])];
        for number in 0..9_u8 {
            let x = f32::from(number);
            let low = [[x, -1.0, 0.0], [x + 1.0, -1.0, 0.0]];
            faces.push(face(&[low[0], low[1], [x + 1.0, 0.0, 0.0], [x, 0.0, 0.0]]));
        }
        let triangles = without_t_junctions(&faces);
        assert!((size(&triangles) - 36.0).abs() < 1e-3);
        for triangle in triangles.as_chunks::<3>().0 {
            assert!(size(triangle) > 0.01, "{triangle:?}");
        }
        assert_eq!(open_edges(&triangles), 2 + 9 + 2);
    }

    #[test]
    fn degenerate_faces_do_not_change_others() {
        let mut faces = floors().to_vec();
        faces.push(face(&[[f32::NAN, 0.0, 0.0], [1.0, f32::INFINITY, 0.0], [0.0, 1.0, 0.0]]));
        faces.push(face(&[[1.0, 1.0, 0.0]; 4]));
        faces.push(face(&[]));
        let triangles = without_t_junctions(&faces);
        // One of the corners lies on the outline.
        assert_eq!(open_edges(&triangles[..triangles.len() - 3]), 7 + 1);
    }

    #[test]
    fn damaged_models_took_forever() {
        let line: Vec<[f32; 3]> = (0..60_u8).map(|x| [f32::from(x), 0.0, 0.0]).collect();
        let faces: Vec<Face> = (0..2000).map(|_| face(&line)).collect();
        assert!(!without_t_junctions(&faces).is_empty());
        // Many corners on one edge, and that edge many times.
        let mut faces = vec![face(&[[0.0, 0.0, 0.0], [600.0, 0.0, 0.0], [300.0, 90.0, 0.0]]); 3000];
        faces.extend((0..20_000_u16).map(|number| {
            let x = f32::from(number) / 40.0;
            face(&[[x, 0.0, 0.0], [x, -1.0, 0.0], [x + 0.01, -1.0, 0.0]])
        }));
        assert!(without_t_junctions(&faces).len() <= 3 * (faces.len() + 2 * MAX_NEW_CORNERS));
    }
}
