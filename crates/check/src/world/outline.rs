//! Distance and overlap of polygon outlines.

use threshold_geom::{Polygon, Sides};
use threshold_land::vector::Vec3;

/// Returns the greatest distance in metres of a corner of one outline from the other outline.
///
/// Extra corners on an edge and the direction of winding make no difference. Infinite for NaN and empty outlines.
pub(super) fn outline_distance(one: &[Vec3], other: &[Vec3]) -> f32 {
    let directed = |from: &[Vec3], to: &[Vec3]| {
        from.iter().map(|corner| point_distance(*corner, to)).fold(0.0, max_distance)
    };
    max_distance(directed(one, other), directed(other, one))
}

/// Returns whether two polygons lie in one plane and overlap, to within `tolerance` metres.
pub(super) fn overlap(one: &[Vec3], other: &[Vec3], tolerance: f32) -> bool {
    let reaches = |from: &[Vec3], to: &[Vec3]| {
        let Some(polygon) = Polygon::new(to, Sides::Double) else { return false };
        let is_coplanar =
            from.iter().all(|corner| polygon.plane.distance(*corner).abs() <= tolerance);
        let near = |p: Vec3| polygon.contains(p) || point_distance(p, to) <= tolerance;
        !from.is_empty() && is_coplanar && from.iter().copied().chain([centre(from)]).any(near)
    };
    reaches(one, other) || reaches(other, one)
}

/// Returns the mean of the corners; zero without any.
pub(super) fn centre(corners: &[Vec3]) -> Vec3 {
    // An outline has at most 255 corners: the count is exact.
    corners.iter().sum::<Vec3>() / corners.len().max(1) as f32
}

/// Returns the greater distance. NaN counts as infinite, since `f32::max` would drop it.
fn max_distance(one: f32, other: f32) -> f32 {
    if one.is_nan() || other.is_nan() { f32::INFINITY } else { one.max(other) }
}

/// Returns the distance of a point from the nearest edge.
fn point_distance(point: Vec3, outline: &[Vec3]) -> f32 {
    let Some(mut from) = outline.last().copied() else { return f32::INFINITY };
    let mut nearest = f32::INFINITY;
    for to in outline {
        let along = *to - from;
        let length = along.length_squared();
        let part = if length > 0.0 { (point - from).dot(along) / length } else { 0.0 };
        nearest = nearest.min(point.distance(from + along * part.clamp(0.0, 1.0)));
        from = *to;
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f32; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    fn outline(corners: &[[f32; 2]]) -> Vec<Vec3> {
        corners.iter().map(|[x, y]| Vec3::new(*x, *y, 1.0)).collect()
    }

    #[test]
    fn neither_the_way_round_nor_a_corner_in_an_edge_makes_a_difference() {
        let square = outline(&SQUARE);
        let reversed: Vec<Vec3> = square.iter().rev().copied().collect();
        assert_eq!(outline_distance(&square, &reversed), 0.0);
        let cut = outline(&[[0.0, 0.0], [1.3, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]);
        assert_eq!(outline_distance(&square, &cut), 0.0);
        let shifted: Vec<Vec3> = square.iter().map(|p| *p + Vec3::X * 0.25).collect();
        assert_eq!(outline_distance(&square, &shifted), 0.25);
        let half = outline(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]);
        assert_eq!(outline_distance(&square, &half), 1.0);
        assert!(outline_distance(&square, &[Vec3::NAN; 3]).is_infinite());
        assert!(outline_distance(&square, &[]).is_infinite());
    }

    #[test]
    fn polygons_overlap_in_one_plane_only() {
        let square = outline(&SQUARE);
        let moved = |offset: Vec3| square.iter().map(|p| *p + offset).collect::<Vec<_>>();
        assert!(overlap(&square, &moved(Vec3::new(1.0, 1.0, 0.01)), 0.02));
        assert!(!overlap(&square, &moved(Vec3::new(1.0, 1.0, 0.1)), 0.02));
        assert!(!overlap(&square, &moved(Vec3::new(3.0, 0.0, 0.0)), 0.02));
        let inside = outline(&[[0.5, 0.5], [1.5, 0.5], [1.0, 1.5]]);
        assert!(overlap(&square, &inside, 0.02) && overlap(&inside, &square, 0.02));
        assert!(!overlap(&square, &[], 0.02));
    }
}
