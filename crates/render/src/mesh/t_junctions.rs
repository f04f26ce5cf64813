//! Faces that meet, made to meet exactly.
//!
//! A device draws two triangles without a gap where they have a whole edge in common, to the bit. Faces of records often do not:
//! a wall above a door has its corners somewhere on the edge of the ceiling, and corners that are meant to be one are written
//! down twice. So corners that lie together become one, and a corner that lies on somebody's edge becomes a corner of it.

use threshold_land::glam::Vec3;

use super::MeshVertex;

/// Corners so near to each other are one, in metres.
const ONE: f32 = 2e-4;

/// Corners so near to an edge are on it, in metres.
const ON: f32 = 5e-4;

/// How often corners are held against edges at the most, and how many corners a face and all of them may get: damaged models must not
/// take forever. No real one comes near.
const TRIALS: usize = 20_000_000;
const MOST_FOR_A_FACE: usize = 128;
const MOST_NEW: usize = 100_000;

/// A face, and whether it has got corners that it did not have: those lie on its edges.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) corners: Vec<MeshVertex>,
    is_mended: bool,
}

impl Face {
    pub(super) fn new(corners: Vec<MeshVertex>) -> Self {
        Self { corners, is_mended: false }
    }

    /// What it shows, by its place in the list of its mesh.
    pub(super) fn surface(&self) -> usize {
        self.corners.first().map_or(usize::MAX, |corner| usize::from(corner.surface))
    }
}

/// Makes faces meet. Those of which nothing is left stay, with less than three corners.
pub(super) fn mend(faces: &mut [Face]) {
    let points = weld(faces);
    let (mut trials, mut added) = (0, 0);
    let mut on_edge = Vec::new();
    for face in faces {
        if trials > TRIALS || added > MOST_NEW || face.corners.len() > MOST_FOR_A_FACE {
            continue;
        }
        let mut mended = Vec::with_capacity(face.corners.len());
        for (number, from) in face.corners.iter().enumerate() {
            let to = &face.corners[(number + 1) % face.corners.len()];
            mended.push(*from);
            on_edge.clear();
            trials += between(&points, from.position, to.position, &mut on_edge);
            mended.extend(on_edge.iter().map(|(part, at)| on(from, to, *part, *at)));
        }
        let new = mended.len() - face.corners.len();
        if new > 0 && mended.len() <= MOST_FOR_A_FACE {
            added += new;
            (face.corners, face.is_mended) = (mended, true);
        }
    }
}

/// Gives corners that lie together one position, drops edges without a length, and returns all positions by their x.
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
        let near = points.iter().rev().take_while(|point| at.x - point.x <= ONE);
        let known = near.take(MOST_ALIKE).find(|point| point.distance_squared(at) <= ONE * ONE);
        let known = known.copied().unwrap_or_else(|| {
            points.push(at);
            at
        });
        faces[face].corners[place].position = known;
    }
    for face in faces {
        face.corners.dedup_by(|a, b| a.position == b.position);
        let ends_where_it_begins = |corners: &[MeshVertex]| match corners {
            [first, .., last] => first.position == last.position,
            _ => false,
        };
        if ends_where_it_begins(&face.corners) {
            face.corners.pop();
        }
    }
    points
}

/// So many corners in one plane are looked at for one that is the same: a bound for damaged models.
const MOST_ALIKE: usize = 4096;

/// The points on an edge with how far along it they are, from its start; returns how many were tried.
fn between(points: &[Vec3], from: Vec3, to: Vec3, found: &mut Vec<(f32, Vec3)>) -> usize {
    let along = to - from;
    let length = along.length();
    if !(length > 2.0 * ON && length.is_finite()) {
        return 0;
    }
    let way = along / length;
    let start = points.partition_point(|point| point.x < from.x.min(to.x) - ON);
    let end = points.partition_point(|point| point.x <= from.x.max(to.x) + ON);
    for point in &points[start..end] {
        let far = (*point - from).dot(way);
        if far > ON
            && far < length - ON
            && (*point - from).reject_from_normalized(way).length() <= ON
        {
            found.push((far / length, *point));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    end - start
}

/// A corner on an edge.
fn on(from: &MeshVertex, to: &MeshVertex, part: f32, position: Vec3) -> MeshVertex {
    let uv = from.uv.lerp(to.uv, part);
    let normal = from.normal.lerp(to.normal, part).try_normalize().unwrap_or(from.normal);
    MeshVertex { position, normal, uv, ..*from }
}

/// Puts the triangles of a face into a list.
pub(super) fn triangles(face: &Face, out: &mut Vec<MeshVertex>) {
    let corners = &face.corners;
    let [first, rest @ ..] = &corners[..] else { return };
    if face.is_mended && cut_ears(corners, out) {
        return;
    }
    for pair in rest.windows(2) {
        out.extend([*first, pair[0], pair[1]]);
    }
}

/// Cuts one triangle after the other off a face; none of them is flat, so that every edge of the face is an edge of one. Whether
/// that went to the end; if not, nothing is done.
fn cut_ears(corners: &[MeshVertex], out: &mut Vec<MeshVertex>) -> bool {
    let start = out.len();
    let facing = area(corners);
    let mut left: Vec<MeshVertex> = corners.to_vec();
    while left.len() > 3 {
        // The fattest: thin ones leave thin ones.
        let fat = |place: usize| Some((fatness(&left, place, facing)?, place));
        let best = (0..left.len()).filter_map(fat).max_by(|(a, _), (b, _)| a.total_cmp(b));
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

/// A corner with the one before and the one after it.
fn ear(corners: &[MeshVertex], place: usize) -> [MeshVertex; 3] {
    let count = corners.len();
    [corners[(place + count - 1) % count], corners[place], corners[(place + 1) % count]]
}

/// How far a corner stands out beyond the line from the one before to the one after, in lengths of that line; `None` where
/// it cannot be cut off.
fn fatness(corners: &[MeshVertex], place: usize, facing: Vec3) -> Option<f32> {
    let [before, at, after] = ear(corners, place).map(|corner| corner.position);
    let across = (at - before).cross(after - before);
    let base = after - before;
    let height = across.dot(facing.normalize_or_zero()) / base.length();
    if height.max(ON) == ON {
        return None;
    }
    // Nobody else may lie on the line that would be cut along.
    let way = base.normalize_or_zero();
    let is_on = |point: Vec3| {
        let far = (point - before).dot(way);
        far > ON && far < base.length() - ON && (point - before - way * far).length() <= ON
    };
    let is_free = !corners.iter().any(|corner| is_on(corner.position));
    is_free.then(|| height / base.length())
}

/// The vector across a face, twice as long as the face is large.
pub(super) fn area(corners: &[MeshVertex]) -> Vec3 {
    let at = corners.first().map_or(Vec3::ZERO, |corner| corner.position);
    corners.windows(2).map(|pair| (pair[0].position - at).cross(pair[1].position - at)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use threshold_land::glam::Vec2;

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

    fn mended(faces: &[Face]) -> Vec<MeshVertex> {
        let mut faces = faces.to_vec();
        mend(&mut faces);
        let mut out = Vec::new();
        faces.iter().for_each(|face| triangles(face, &mut out));
        out
    }

    /// Edges of triangles that no other triangle has the other way round.
    fn loose(triangles: &[MeshVertex]) -> usize {
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
            // Off by a little, as numbers of other people are.
            face(&[[1.5001, 3.0, 0.0001], [4.0, 3.0, 0.0], [4.0, 5.0, 0.0], [1.5, 5.0001, 0.0]]),
        ]
    }

    #[test]
    fn a_corner_on_an_edge_becomes_a_corner_of_it() {
        let triangles = mended(&floors());
        // The outline has seven corners, and nothing else is loose.
        assert_eq!(loose(&triangles), 7);
        assert!((size(&triangles) - 20.0).abs() < 2e-3, "{}", size(&triangles));
    }

    #[test]
    fn without_mending_the_same_edge_is_loose() {
        let mut out = Vec::new();
        floors().iter().for_each(|face| triangles(face, &mut out));
        assert!(loose(&out) > 7);
    }

    #[test]
    fn a_picture_runs_on_over_a_new_corner() {
        for corner in mended(&floors()) {
            let at = corner.position.truncate();
            assert!(corner.uv.distance(at) < 3e-4, "{} at {at}", corner.uv);
        }
    }

    #[test]
    fn no_triangle_is_flat_however_many_corners_lie_on_an_edge() {
        let mut faces = vec![face(&[[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [4.0, 6.0, 0.0]])];
        for number in 0..9_u8 {
            let x = f32::from(number);
            let low = [[x, -1.0, 0.0], [x + 1.0, -1.0, 0.0]];
            faces.push(face(&[low[0], low[1], [x + 1.0, 0.0, 0.0], [x, 0.0, 0.0]]));
        }
        let triangles = mended(&faces);
        assert!((size(&triangles) - 36.0).abs() < 1e-3);
        for triangle in triangles.as_chunks::<3>().0 {
            assert!(size(triangle) > 0.01, "{triangle:?}");
        }
        assert_eq!(loose(&triangles), 2 + 9 + 2);
    }

    #[test]
    fn what_is_no_number_or_has_no_size_harms_nobody() {
        let mut faces = floors().to_vec();
        faces.push(face(&[[f32::NAN, 0.0, 0.0], [1.0, f32::INFINITY, 0.0], [0.0, 1.0, 0.0]]));
        faces.push(face(&[[1.0, 1.0, 0.0]; 4]));
        faces.push(face(&[]));
        let triangles = mended(&faces);
        // One of the corners lies on the outline.
        assert_eq!(loose(&triangles[..triangles.len() - 3]), 7 + 1);
    }

    #[test]
    fn damaged_models_end() {
        let line: Vec<[f32; 3]> = (0..60_u8).map(|x| [f32::from(x), 0.0, 0.0]).collect();
        let faces: Vec<Face> = (0..2000).map(|_| face(&line)).collect();
        assert!(!mended(&faces).is_empty());
        // Many corners on one edge, and many edges on all those corners.
        let mut faces = vec![face(&[[0.0, 0.0, 0.0], [600.0, 0.0, 0.0], [300.0, 90.0, 0.0]]); 3000];
        faces.extend((0..20_000_u16).map(|number| {
            let x = f32::from(number) / 40.0;
            face(&[[x, 0.0, 0.0], [x, -1.0, 0.0], [x + 0.01, -1.0, 0.0]])
        }));
        assert!(mended(&faces).len() <= 3 * (faces.len() + 2 * MOST_NEW));
    }
}
