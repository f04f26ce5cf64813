//! Convex outlines: clipping and hulls.

use threshold_land::vector::Vec3;
use threshold_land::{Plane, Side};

/// Clips a convex outline. Calls `keep` with each remaining corner, in order, and with the index of
/// the old side that starts there, or `None` for the new side along the cut.
///
/// `distance` is signed, `side` classifies it, `crossing` interpolates between the two ends of a
/// side. The caller supplies them because their rounding decides the bits of the result. Linear in
/// the corners; does not allocate.
pub fn clip_outline<P: Copy, D: Copy>(
    corners: &[P],
    distance: impl Fn(P) -> D,
    side: impl Fn(D) -> Side,
    crossing: impl Fn([(P, D); 2]) -> P,
    mut keep: impl FnMut(P, Option<usize>),
) {
    let measure = |corner: P| (corner, distance(corner));
    let Some(first) = corners.first().copied().map(measure) else { return };
    let mut from = first;
    for index in 0..corners.len() {
        let to = corners.get(index + 1).copied().map_or(first, measure);
        match (side(from.1), side(to.1)) {
            (Side::Positive, Side::Negative) => {
                keep(from.0, Some(index));
                keep(crossing([from, to]), None);
            }
            (Side::Negative, Side::Positive) => keep(crossing([from, to]), Some(index)),
            (Side::InPlane, Side::Negative) => keep(from.0, None),
            (Side::Negative, _) => {}
            _ => keep(from.0, Some(index)),
        }
        from = to;
    }
}

/// Returns the part of a convex outline in front of a plane. Corners up to `slack` behind the plane
/// stay as they are. Returns fewer than three corners if nothing is left.
///
/// Linear in the corners; allocates.
pub fn clip(outline: &[Vec3], plane: &Plane, slack: f32) -> Vec<Vec3> {
    let side = |distance: f32| {
        if distance > slack {
            Side::Positive
        } else if distance >= -slack {
            Side::InPlane
        } else {
            Side::Negative
        }
    };
    // From the front end, so that both neighbours of a side compute the same corner.
    let crossing = |[(from, start), (to, end)]: [(Vec3, f32); 2]| {
        let (front, ahead, back, behind) =
            if start > end { (from, start, to, end) } else { (to, end, from, start) };
        front + (back - front) * (ahead / (ahead - behind))
    };
    let mut kept = Vec::with_capacity(outline.len() + 1);
    clip_outline(
        outline,
        |corner| plane.distance(corner),
        side,
        crossing,
        |corner, _| {
            kept.push(corner);
        },
    );
    kept
}

/// Appends the corners of the convex hull to `hull`, counter-clockwise from the first point. Nothing is appended for fewer
/// than two points.
///
/// The points must be sorted by x and then y, without duplicates. `turns_left(a, b, c)` returns
/// whether the path from `a` over `b` to `c` turns left; for a straight path it returns false. The
/// caller supplies it because its rounding decides which corners are kept.
pub fn convex_hull<P: Copy>(
    points: impl DoubleEndedIterator<Item = P> + Clone,
    turns_left: impl Fn(P, P, P) -> bool,
    hull: &mut Vec<P>,
) {
    append_half_hull(points.clone(), &turns_left, hull);
    append_half_hull(points.rev(), &turns_left, hull);
}

/// Appends the lower half of a hull without its last point, which starts the other half.
fn append_half_hull<P: Copy>(
    points: impl Iterator<Item = P>,
    turns_left: impl Fn(P, P, P) -> bool,
    hull: &mut Vec<P>,
) {
    let start = hull.len();
    for point in points {
        while let [.., a, b] = hull[start..]
            && !turns_left(a, b, point)
        {
            hull.pop();
        }
        hull.push(point);
    }
    if hull.len() > start {
        hull.pop();
    }
}

/// Returns a square in the plane, `reach` to each side of the point nearest to `near`, counter-clockwise seen
/// from the front. The normal must be of unit length.
pub fn square_on_plane(plane: &Plane, near: Vec3, reach: f32) -> Vec<Vec3> {
    let centre = near - plane.normal * plane.distance(near);
    let (across, along) = plane.normal.any_orthonormal_pair();
    let corner = |x: f32, y: f32| centre + across * (x * reach) + along * (y * reach);
    let mut square =
        vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    if (square[1] - square[0]).cross(square[2] - square[0]).dot(plane.normal) <= 0.0 {
        square.reverse();
    }
    square
}

#[cfg(test)]
mod tests {
    use threshold_land::vector::Vec2;

    use super::*;
    use crate::plane_of;

    #[test]
    fn a_square_lies_in_its_plane_and_faces_the_same_way() {
        for normal in [Vec3::Z, -Vec3::X, Vec3::new(0.6, 0.0, -0.8), Vec3::new(0.0, 0.6, 0.8)] {
            let plane = Plane { normal, d: 3.0 };
            let square = square_on_plane(&plane, Vec3::new(1.0, 2.0, 3.0), 5.0);
            assert!(square.iter().all(|corner| plane.distance(*corner).abs() < 1e-4));
            assert!(plane_of(&square).unwrap().normal.distance(normal) < 1e-5);
        }
    }

    #[test]
    fn the_front_part_is_kept_and_slack_moves_no_corner() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        let cut = |d: f32, slack| clip(&square, &Plane { normal: Vec3::X, d }, slack);
        assert_eq!(cut(0.0, 0.0), square);
        assert_eq!(cut(-0.01, 0.02), square, "corners a little behind stay as they are");
        let half = cut(-0.5, 0.0);
        assert_eq!(half.len(), 4);
        assert!(half.iter().all(|corner| corner.x >= 0.5));
        assert!(cut(-2.0, 0.0).is_empty());
        assert!(clip(&[], &Plane { normal: Vec3::X, d: 0.0 }, 0.0).is_empty());
    }

    #[test]
    fn clipping_names_the_old_side_that_starts_at_each_corner() {
        let sides_left = |corners: &[f32]| {
            let mut left = Vec::new();
            let side = |d: f32| match d.total_cmp(&0.0) {
                std::cmp::Ordering::Greater => Side::Positive,
                std::cmp::Ordering::Equal => Side::InPlane,
                std::cmp::Ordering::Less => Side::Negative,
            };
            clip_outline(corners, |d| d, side, |_| 0.5, |corner, side| left.push((corner, side)));
            left
        };
        let all = [(1.0, Some(0)), (2.0, Some(1)), (3.0, Some(2))];
        assert_eq!(sides_left(&[1.0, 2.0, 3.0]), all);
        let across = [(1.0, Some(0)), (0.5, None), (0.5, Some(2)), (3.0, Some(3))];
        assert_eq!(sides_left(&[1.0, -1.0, -2.0, 3.0]), across);
        let touching = [(1.0, Some(0)), (0.0, None), (0.0, Some(3))];
        assert_eq!(sides_left(&[1.0, 0.0, -2.0, 0.0]), touching);
        assert!(sides_left(&[-1.0, -2.0, -3.0]).is_empty());
        assert!(sides_left(&[]).is_empty());
    }

    #[test]
    fn a_hull_runs_counter_clockwise_and_skips_inner_points() {
        let turns_left = |a: Vec2, b: Vec2, c: Vec2| (b - a).perp_dot(c - b) > 0.0;
        let hull_of = |points: &[(f32, f32)]| {
            let mut hull = Vec::new();
            convex_hull(points.iter().map(|p| Vec2::from(*p)), turns_left, &mut hull);
            hull.into_iter().map(<(f32, f32)>::from).collect::<Vec<_>>()
        };
        let points = [(0.0, 0.0), (0.0, 2.0), (1.0, 0.0), (1.0, 1.0), (2.0, 0.0), (2.0, 2.0)];
        assert_eq!(hull_of(&points), [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]);
        assert_eq!(hull_of(&[(0.0, 0.0), (1.0, 0.0)]), [(0.0, 0.0), (1.0, 0.0)]);
        assert!(hull_of(&[(1.0, 1.0)]).is_empty() && hull_of(&[]).is_empty());
    }
}
