//! Geometry in the plane: hulls, outlines and segments. Outlines run counter-clockwise unless noted.

use threshold_geom::{clip_outline, convex_hull};
use threshold_land::Side;
use threshold_land::vector::Vec2;

/// Two ends of a straight line.
pub type Segment = [Vec2; 2];

/// Distance in metres below which two corners are one.
const SAME: f32 = 0.002;

/// Returns the convex hull of points without nearly straight corners; empty if they enclose no area.
pub fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.retain(|point| point.is_finite());
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup_by(|a, b| a.distance(*b) < SAME);
    let mut out = Vec::new();
    convex_hull(points.iter().copied(), |a, b, c| (b - a).perp_dot(c - a) > 0.0, &mut out);
    without_straight_corners(out)
}

/// Removes corners that lie on the line between their neighbours.
fn without_straight_corners(mut outline: Vec<Vec2>) -> Vec<Vec2> {
    let mut index = 0;
    while outline.len() >= 3 && index < outline.len() {
        let count = outline.len();
        let (a, b) = (outline[(index + count - 1) % count], outline[(index + 1) % count]);
        if distance_from_line(a, b, outline[index]) < SAME {
            outline.remove(index);
        } else {
            index += 1;
        }
    }
    if outline.len() < 3 { Vec::new() } else { outline }
}

/// Returns the distance of a point from the line through two others.
fn distance_from_line(a: Vec2, b: Vec2, point: Vec2) -> f32 {
    let along = b - a;
    let length = along.length();
    if length < SAME { a.distance(point) } else { (along.perp_dot(point - a) / length).abs() }
}

/// Returns the area, negative for a clockwise outline.
pub fn area(outline: &[Vec2]) -> f32 {
    let Some((first, rest)) = outline.split_first() else { return 0.0 };
    rest.windows(2).map(|pair| (pair[0] - *first).perp_dot(pair[1] - *first)).sum::<f32>() / 2.0
}

/// Returns the centre of area; the mean of the corners if there is no area.
pub(crate) fn centroid(outline: &[Vec2]) -> Vec2 {
    let Some((first, rest)) = outline.split_first() else { return Vec2::ZERO };
    let (mut sum, mut total) = (Vec2::ZERO, 0.0);
    for pair in rest.windows(2) {
        let part = (pair[0] - *first).perp_dot(pair[1] - *first);
        sum += (*first + pair[0] + pair[1]) / 3.0 * part;
        total += part;
    }
    if total.abs() > 1e-6 {
        sum / total
    } else {
        outline.iter().sum::<Vec2>() / outline.len() as f32
    }
}

/// Returns the part of an outline where `keep · p + d` is not negative.
fn clipped(outline: &[Vec2], keep: Vec2, d: f32) -> Vec<Vec2> {
    let mut out = Vec::with_capacity(outline.len() + 1);
    clip_outline(
        outline,
        |corner| keep.dot(corner) + d,
        |distance| if distance >= 0.0 { Side::Positive } else { Side::Negative },
        |[(from, here), (to, there)]| from + (to - from) * (here / (here - there)),
        |corner, _| out.push(corner),
    );
    out
}

/// Returns the sides of an outline.
pub fn sides(outline: &[Vec2]) -> impl Iterator<Item = Segment> + '_ {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| [*a, *b])
}

/// Returns the area that two convex outlines share.
pub(crate) fn shared_area(one: &[Vec2], other: &[Vec2]) -> f32 {
    let mut common = one.to_vec();
    for [a, b] in sides(other) {
        let inward = (b - a).perp();
        common = clipped(&common, inward, -inward.dot(a));
    }
    area(&common)
}

/// Returns the distance of a point from the nearest side of a convex outline, negative outside.
pub fn depth(outline: &[Vec2], point: Vec2) -> f32 {
    let inside = |[a, b]: Segment| (b - a).normalize_or_zero().perp_dot(point - a);
    sides(outline).map(inside).fold(f32::INFINITY, f32::min)
}

/// Returns the part of the line through `at` along `direction` inside a convex outline.
pub fn chord(outline: &[Vec2], at: Vec2, direction: Vec2) -> Option<Segment> {
    let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
    for [a, b] in sides(outline) {
        let inward = (b - a).perp();
        let (height, speed) = (inward.dot(at - a), inward.dot(direction));
        if speed.abs() < 1e-6 {
            if height < 0.0 {
                return None;
            }
        } else if speed > 0.0 {
            low = low.max(-height / speed);
        } else {
            high = high.min(-height / speed);
        }
    }
    let found = low.is_finite() && high.is_finite() && low < high;
    found.then(|| [at + direction * low, at + direction * high])
}

/// Removes from a segment the parts that run along any of the `gaps`.
pub(crate) fn subtract_gaps(segment: Segment, gaps: &[Segment]) -> Vec<Segment> {
    /// Greatest distance in metres between a wall and a gap in it.
    const MAX_OFFSET: f32 = 0.03;
    let [start, end] = segment;
    let length = start.distance(end);
    if length < SAME {
        return Vec::new();
    }
    let along = (end - start) / length;
    let mut cuts: Vec<[f32; 2]> = gaps
        .iter()
        .filter(|gap| gap.iter().all(|point| distance_from_line(start, end, *point) < MAX_OFFSET))
        .map(|gap| gap.map(|point| along.dot(point - start)))
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    cuts.sort_by(|a, b| a[0].total_cmp(&b[0]));
    cuts.push([length, length]);
    let (mut out, mut from) = (Vec::new(), 0.0_f32);
    for [low, high] in cuts {
        let to = low.min(length);
        if to - from > SAME {
            out.push([start + along * from, start + along * to]);
        }
        from = from.max(high);
    }
    out
}

/// Returns the direction in which samples `(point, height, weight)` rise, not normalised; `None` if they are level.
pub fn gradient(samples: &[(Vec2, f32, f32)]) -> Option<Vec2> {
    let weight: f32 = samples.iter().map(|sample| sample.2).sum();
    if weight <= 0.0 {
        return None;
    }
    let at = samples.iter().map(|(at, _, w)| *at * *w).sum::<Vec2>() / weight;
    let height = samples.iter().map(|(_, height, w)| height * w).sum::<f32>() / weight;
    let (mut xx, mut xy, mut yy, mut rise) = (0.0, 0.0, 0.0, Vec2::ZERO);
    for (point, z, w) in samples {
        let from = *point - at;
        xx += w * from.x * from.x;
        xy += w * from.x * from.y;
        yy += w * from.y * from.y;
        rise += from * (w * (z - height));
    }
    // For samples on one line; keeps the system solvable.
    let regularization = 1e-3 * (xx + yy) + 1e-6;
    let (xx, yy) = (xx + regularization, yy + regularization);
    let determinant = xx * yy - xy * xy;
    let slope = Vec2::new(yy * rise.x - xy * rise.y, xx * rise.y - xy * rise.x) / determinant;
    (slope.length() > 0.02).then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f32) -> Vec<Vec2> {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| Vec2::new(x, y) * side)
            .to_vec()
    }

    #[test]
    fn a_hull_has_only_corners() {
        let mut points = square(4.0);
        points.extend([Vec2::new(2.0, 0.001), Vec2::new(2.0, 2.0), Vec2::new(4.0, 4.0)]);
        assert_eq!(hull(points), square(4.0));
        assert!(hull(vec![Vec2::ZERO, Vec2::X, Vec2::X * 2.0]).is_empty());
        assert!(hull(vec![]).is_empty());
    }

    #[test]
    fn areas_and_centroids() {
        assert_eq!(area(&square(3.0)), 9.0);
        assert_eq!(centroid(&square(3.0)), Vec2::splat(1.5));
        let moved: Vec<Vec2> = square(2.0).iter().map(|p| *p + Vec2::splat(1.0)).collect();
        assert_eq!(shared_area(&square(2.0), &moved), 1.0);
        assert_eq!(shared_area(&moved, &square(1.0)), 0.0);
        assert_eq!(depth(&square(2.0), Vec2::new(0.5, 1.0)), 0.5);
        assert!(depth(&square(2.0), Vec2::new(-0.5, 1.0)) < 0.0);
    }

    #[test]
    fn a_door_is_cut_out_of_its_wall_and_out_of_no_other() {
        let wall = [Vec2::ZERO, Vec2::new(10.0, 0.0)];
        let door = [Vec2::new(6.0, 0.0), Vec2::new(4.0, 0.0)];
        let beside = [Vec2::new(6.0, 1.0), Vec2::new(4.0, 1.0)];
        let end = [Vec2::new(9.0, 0.0), Vec2::new(12.0, 0.0)];
        let left = subtract_gaps(wall, &[end, beside, door]);
        assert_eq!(left, [[0.0, 4.0], [6.0, 9.0]].map(|s| s.map(|x| Vec2::new(x, 0.0))));
        assert_eq!(subtract_gaps(wall, &[]), [wall]);
        assert!(subtract_gaps(wall, &[wall]).is_empty());
    }

    #[test]
    fn steps_in_a_row_rise_along_it() {
        let steps: Vec<_> =
            (0..5).map(|i| i as f32).map(|i| (Vec2::new(0.0, -i), i * 0.25, 1.0)).collect();
        let up = gradient(&steps).unwrap().normalize();
        assert!((up - Vec2::NEG_Y).length() < 1e-3, "{up}");
        assert_eq!(gradient(&[(Vec2::ZERO, 1.0, 1.0), (Vec2::X, 1.0, 1.0)]), None);
        assert_eq!(gradient(&[]), None);
    }

    #[test]
    fn a_chord_ends_at_the_outline() {
        let found = chord(&square(2.0), Vec2::ONE, Vec2::X).unwrap();
        assert_eq!(found, [Vec2::new(0.0, 1.0), Vec2::new(2.0, 1.0)]);
        assert_eq!(chord(&square(2.0), Vec2::splat(3.0), Vec2::X), None);
    }
}
