//! Shapes of things: hulls, bars and rounds.

use threshold_land::Rotation;
use threshold_land::vector::{Vec2, Vec3};

use crate::tool::shape::{Boards, Shape};

/// Points closer to a face than this count as on it, in metres: far less than makes a face bent.
const FLAT: f32 = 2e-5;

/// A level ring of a round form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    /// Its middle.
    pub(crate) at: Vec3,
    /// Half the width to the east, and to the north.
    pub(crate) half: Vec2,
}

/// Creates a ring over the origin from its height and its half widths to the east and to the north.
pub(crate) fn ring(height: f32, half: [f32; 2]) -> Ring {
    Ring { at: Vec3::Z * height, half: half.into() }
}

impl Ring {
    /// Moves the ring.
    pub(crate) fn off(self, east: f32, north: f32) -> Self {
        Self { at: self.at + Vec3::new(east, north, 0.0), ..self }
    }

    fn corners(self, count: usize) -> impl Iterator<Item = Vec3> {
        spokes(count).map(move |spoke| self.at + (spoke * self.half).extend(0.0))
    }
}

/// Evenly spaced directions in a circle; none points along an axis if the count is a multiple of four.
pub(crate) fn spokes(count: usize) -> impl Iterator<Item = Vec2> {
    #[allow(clippy::cast_precision_loss, reason = "few corners")]
    (0..count).map(move |index| {
        let angle = (index as f32 + 0.5) / count as f32 * std::f32::consts::TAU;
        Vec2::new(libm::sinf(angle), -libm::cosf(angle))
    })
}

/// Returns the convex hull of points: each is a corner or lies inside. They must not all lie in a plane.
pub(crate) fn hull(points: &[Vec3]) -> Shape {
    let mut faces: Vec<Vec<usize>> = Vec::new();
    let count = points.len();
    for first in 0..count {
        for second in first + 1..count {
            for third in second + 1..count {
                // Each plane once, where it is found first.
                let face = face(points, [first, second, third]);
                faces.extend(face.filter(|face| !faces.contains(face)));
            }
        }
    }
    let outline = |face: Vec<usize>| face.into_iter().map(|corner| points[corner]).collect();
    Shape::from_faces(faces.into_iter().map(outline).collect())
}

/// Returns the corners of the face through three points, in order; `None` if there are points on both sides.
fn face(points: &[Vec3], [a, b, c]: [usize; 3]) -> Option<Vec<usize>> {
    let normal = (points[b] - points[a]).cross(points[c] - points[a]);
    // Three points in a line have no plane.
    let normal = Some(normal).filter(|normal| normal.length_squared() > 1e-12)?.normalize();
    let mut distances = points.iter().map(|point| (*point - points[a]).dot(normal));
    let (below, above) = distances
        .by_ref()
        .fold((0.0_f32, 0.0_f32), |(low, high), distance| (low.min(distance), high.max(distance)));
    if below < -FLAT && above > FLAT {
        return None;
    }
    // Outwards, so that a face has one order of corners.
    let normal = if above > FLAT { -normal } else { normal };
    let on = |index: &usize| (points[*index] - points[a]).dot(normal).abs() <= FLAT;
    let flat: Vec<usize> = (0..points.len()).filter(on).collect();
    Some(around(points, flat, normal))
}

/// Returns the corners among points of a plane, in order from the first one.
fn around(points: &[Vec3], flat: Vec<usize>, normal: Vec3) -> Vec<usize> {
    let Some(start) = flat.iter().copied().reduce(|best, next| {
        let (best_at, next_at) = (points[best], points[next]);
        if next_at.to_array() < best_at.to_array() { next } else { best }
    }) else {
        return flat;
    };
    let mut corners = vec![start];
    let mut last = start;
    loop {
        // The next corner leaves all others on the same side; of corners in a line, the farthest.
        let mut best = None;
        for next in flat.iter().copied().filter(|next| *next != last) {
            let direction = points[next] - points[last];
            let better = best.is_none_or(|known: usize| {
                let known = points[known] - points[last];
                let side = known.cross(direction).dot(normal);
                let flat = FLAT * direction.length().max(known.length());
                side < -flat || side <= flat && direction.length_squared() > known.length_squared()
            });
            if better {
                best = Some(next);
            }
        }
        match best {
            Some(next) if next != start && corners.len() < flat.len() => corners.push(next),
            _ => break,
        }
        last = corners[corners.len() - 1];
    }
    corners
}

/// Returns the hull of level rings with this number of corners.
pub(crate) fn loft(corners: usize, rings: &[Ring]) -> Shape {
    let points: Vec<Vec3> = rings.iter().flat_map(|ring| ring.corners(corners)).collect();
    hull(&points)
}

/// A round that narrows upwards or downwards, over the origin, from its number of corners and its radii and heights below and above.
pub(crate) fn round(corners: usize, [low, high]: [f32; 2], [bottom, top]: [f32; 2]) -> Shape {
    loft(corners, &[ring(bottom, [low; 2]), ring(top, [high; 2])])
}

/// A cone over the origin.
pub(crate) fn cone(corners: usize, radius: f32, [bottom, top]: [f32; 2]) -> Shape {
    let mut points: Vec<Vec3> = ring(bottom, [radius; 2]).corners(corners).collect();
    points.push(Vec3::Z * top);
    hull(&points)
}

/// A bar with a square section of a width, from one point to another.
pub(crate) fn bar(from: impl Into<Vec3>, to: impl Into<Vec3>, width: f32) -> Shape {
    let (from, to): (Vec3, Vec3) = (from.into(), to.into());
    let along = (to - from).normalize_or(Vec3::Z);
    let side = along.cross(if along.z.abs() > 0.9 { Vec3::Y } else { Vec3::Z }).normalize_or_zero();
    let up = side.cross(along);
    let half = width / 2.0;
    let ends = [from, to].into_iter().flat_map(|end| {
        [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]
            .map(|(a, b): (f32, f32)| end + (side * a + up * b) * half)
    });
    hull(&ends.collect::<Vec<_>>())
}

/// A box from the centre of its bottom, and its size.
pub(crate) fn block(foot: impl Into<Vec3>, size: impl Into<Vec3>) -> Shape {
    let (foot, size): (Vec3, Vec3) = (foot.into(), size.into());
    let half = Vec3::new(size.x / 2.0, size.y / 2.0, 0.0);
    Shape::cuboid(foot - half, foot + half + Vec3::Z * size.z)
}

/// A round that lies from west to east, from its number of corners, centre, radius and length.
pub(crate) fn roll(corners: usize, middle: impl Into<Vec3>, radius: f32, length: f32) -> Shape {
    let middle: Vec3 = middle.into();
    let rim = |east: f32| {
        spokes(corners)
            .map(move |spoke| middle + Vec3::new(east, spoke.x * radius, spoke.y * radius))
    };
    hull(&rim(-length / 2.0).chain(rim(length / 2.0)).collect::<Vec<_>>())
}

/// Returns the shape turned about the origin by a vector, in radians, and then moved.
pub(crate) fn placed(shape: &Shape, turn: impl Into<Vec3>, by: impl Into<Vec3>) -> Shape {
    let by: Vec3 = by.into();
    let rows = Rotation::from_scaled_axis(turn.into()).unwrap_or(Rotation::IDENTITY).rows();
    let place = |corner: &Vec3| rows.to_global(*corner) + by;
    let faces = shape.faces().iter().map(|face| face.iter().map(place).collect());
    let moved = Shape::from_faces(faces.collect());
    match shape.boards() {
        Some(Boards { from, along }) => moved.boarded([from, from + along].map(|at| place(&at))),
        None => moved,
    }
}

/// The board layout of a solid: explicit, or along its longest side.
pub(crate) fn boards(shape: &Shape) -> Boards {
    shape.boards().unwrap_or_else(|| Boards { from: Vec3::ZERO, along: longest(shape) })
}

/// Returns the shape moved.
pub(crate) fn moved(shape: &Shape, by: impl Into<Vec3>) -> Shape {
    placed(shape, Vec3::ZERO, by)
}

/// Returns the direction along which a shape is longest, of length 1: the sum of its edges, dominated by long ones.
fn longest(shape: &Shape) -> Vec3 {
    let edges = |face: &Vec<Vec3>| {
        let ends = face.iter().zip(face.iter().cycle().skip(1));
        ends.map(|(from, to)| *to - *from).collect::<Vec<_>>()
    };
    let edges: Vec<Vec3> = shape.faces().iter().flat_map(edges).collect();
    let longer = |a: Vec3, b: Vec3| if b.length_squared() > a.length_squared() { b } else { a };
    let first = edges.iter().copied().reduce(longer).unwrap_or(Vec3::Z);
    // Each step leans further towards the sum of the edges; slanted edges on either side cancel out.
    let lean = |direction: Vec3| edges.iter().map(|edge| *edge * edge.dot(direction)).sum::<Vec3>();
    (0..16).fold(first.normalize_or(Vec3::Z), |direction, _| lean(direction).normalize_or(Vec3::Z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::solid::Convex;

    #[track_caller]
    fn check(shape: &Shape, faces: usize) {
        assert_eq!(shape.faces().len(), faces, "{shape:?}");
        Convex::of(shape).unwrap();
    }

    #[test]
    fn forms_are_closed_and_convex() {
        check(&hull(Shape::cuboid([0.0; 3], [1.0; 3]).faces().concat().as_slice()), 6);
        check(&round(8, [1.0, 0.5], [0.0, 2.0]), 10);
        check(&cone(7, 1.0, [0.0, 2.0]), 8);
        check(&bar([0.0; 3], [1.0, 2.0, 3.0], 0.1), 6);
        check(&roll(10, [0.0; 3], 0.5, 0.1), 12);
        check(&placed(&block([0.0; 3], [1.0; 3]), [0.3, 0.2, 0.1], [5.0; 3]), 6);
        // Rings that differ are joined by triangles.
        check(&loft(4, &[ring(0.0, [1.0, 0.5]), ring(1.0, [0.5, 1.0])]), 6);
        // Points inside are left out.
        let mut points = Shape::cuboid([0.0; 3], [1.0; 3]).faces().concat();
        points.push(Vec3::splat(0.5));
        check(&hull(&points), 6);
    }

    #[test]
    fn the_long_way_of_a_board_a_bar_and_a_barrel() {
        let barrel = loft(8, &[ring(0.0, [0.28; 2]), ring(0.47, [0.36; 2]), ring(0.94, [0.28; 2])]);
        let ways = [
            (block([5.0, 5.0, 5.0], [1.6, 0.85, 0.06]), Vec3::X),
            (bar([0.0; 3], [0.0, 3.0, 4.0], 0.1), Vec3::new(0.0, 0.6, 0.8)),
            (barrel, Vec3::Z),
        ];
        for (shape, want) in ways {
            let direction = longest(&shape);
            assert!(direction.cross(want).length() < 1e-3, "{direction} instead of {want}");
        }
    }
}
