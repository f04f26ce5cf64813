//! Convex outlines in space: walls, openings and faces of solids.

use std::collections::BTreeSet;

use threshold_land::Plane;
use threshold_land::vector::Vec3;

/// Points closer to a plane than this, in metres, count as on it. More than the rounding of single precision a
/// few hundred metres from the origin, and too small to affect a mover.
pub(crate) const ON: f32 = 1e-4;

/// Corners closer than this are one corner, in metres.
const SAME_CORNER: f32 = 2e-5;

/// Corners of a convex polygon, counter-clockwise seen from its front.
pub(crate) type Outline = Vec<Vec3>;

/// Position of an outline relative to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutlineSide {
    Front,
    Back,
    In,
    Across,
}

/// The parts of an outline on either side of a plane; both empty if it lies in the plane.
pub(crate) struct Halves {
    pub(crate) front: Option<Outline>,
    pub(crate) back: Option<Outline>,
}

/// Returns the smallest and largest signed distance of the points from a plane.
pub(crate) fn reach(points: &[Vec3], plane: &Plane) -> (f32, f32) {
    points
        .iter()
        .map(|point| plane.distance(*point))
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), distance| {
            (low.min(distance), high.max(distance))
        })
}

pub(crate) fn classify(outline: &[Vec3], plane: &Plane) -> OutlineSide {
    let (low, high) = reach(outline, plane);
    match (low < -ON, high > ON) {
        (false, false) => OutlineSide::In,
        (false, true) => OutlineSide::Front,
        (true, false) => OutlineSide::Back,
        (true, true) => OutlineSide::Across,
    }
}

/// A bounding sphere of an outline, for a quick result of [`classify`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) centre: Vec3,
    pub(crate) radius: f32,
}

impl Ball {
    pub(crate) fn around(outline: &[Vec3]) -> Self {
        let centre = middle(outline);
        let radius = outline.iter().map(|corner| corner.distance(centre)).fold(0.0, f32::max);
        Self { centre, radius }
    }

    /// Same as [`classify`] for its outline.
    pub(crate) fn classify(&self, outline: &[Vec3], plane: &Plane) -> OutlineSide {
        let distance = plane.distance(self.centre);
        // Ten times the tolerance: rounding cannot change the result.
        if distance.abs() > self.radius + 10.0 * ON {
            return if distance > 0.0 { OutlineSide::Front } else { OutlineSide::Back };
        }
        classify(outline, plane)
    }
}

/// Maximum number of planes tried for a cut of space. If there are more, the tried ones are spread evenly: the cut is slightly
/// worse, and thousands of faces at odd angles still take at most seconds.
const MAX_TRIED: usize = 96;

/// Returns the index of the first outline of each plane, at most [`MAX_TRIED`].
pub(crate) fn first_of_planes<'a>(planes: impl Iterator<Item = &'a Plane>) -> Vec<usize> {
    let mut known = BTreeSet::new();
    let first = planes.enumerate().filter(|(_, plane)| known.insert(bits(plane)));
    let first: Vec<usize> = first.map(|(index, _)| index).collect();
    let tried = first.len().min(MAX_TRIED);
    (0..tried).map(|number| first[number * first.len() / tried]).collect()
}

/// Cuts an outline in two.
pub(crate) fn split(outline: &[Vec3], plane: &Plane) -> Halves {
    match classify(outline, plane) {
        OutlineSide::In => Halves { front: None, back: None },
        OutlineSide::Front => Halves { front: Some(outline.to_vec()), back: None },
        OutlineSide::Back => Halves { front: None, back: Some(outline.to_vec()) },
        OutlineSide::Across => {
            Halves { front: clip(outline, plane, ON), back: clip(outline, &opposite(plane), ON) }
        }
    }
}

/// Returns the part of an outline in front of a plane; corners up to `slack` behind it stay as they are.
/// `None` if no area is left.
pub(crate) fn clip(outline: &[Vec3], plane: &Plane, slack: f32) -> Option<Outline> {
    tidied(threshold_geom::clip(outline, plane, slack))
}

/// Merges coincident corners; `None` if no area is left.
fn tidied(mut outline: Outline) -> Option<Outline> {
    outline.dedup_by(|a, b| a.distance_squared(*b) < SAME_CORNER * SAME_CORNER);
    while outline.len() > 1 {
        let (first, last) = (outline[0], outline[outline.len() - 1]);
        if first.distance_squared(last) >= SAME_CORNER * SAME_CORNER {
            break;
        }
        outline.pop();
    }
    // A sliver: as thin as the tolerance over its whole length.
    let longest = outline.iter().map(|corner| corner.distance(outline[0])).fold(0.0, f32::max);
    (outline.len() >= 3 && area(&outline) > 0.5 * ON * longest).then_some(outline)
}

/// Returns the area in square metres.
pub(crate) fn area(outline: &[Vec3]) -> f32 {
    0.5 * doubled_area(outline).length()
}

fn doubled_area(outline: &[Vec3]) -> Vec3 {
    let Some((&first, rest)) = outline.split_first() else { return Vec3::ZERO };
    rest.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum()
}

/// Returns the mean of the corners: inside a convex outline.
pub(crate) fn middle(points: &[Vec3]) -> Vec3 {
    // Far below 2^24 corners: the count is exact.
    #[allow(clippy::cast_precision_loss, reason = "few corners")]
    let count = points.len().max(1) as f32;
    points.iter().copied().sum::<Vec3>() / count
}

/// Returns the same polygon seen from its back.
pub(crate) fn reversed(outline: &[Vec3]) -> Outline {
    outline.iter().rev().copied().collect()
}

/// Returns the same plane seen from its back.
pub(crate) fn opposite(plane: &Plane) -> Plane {
    Plane { normal: -plane.normal, d: -plane.d }
}

/// Distinguishes planes that are equal but for rounding.
pub(crate) fn bits(plane: &Plane) -> [u32; 4] {
    plane.normal.extend(plane.d).to_array().map(f32::to_bits)
}

/// Returns whether two planes are the same and face the same way, at least near `at`.
pub(crate) fn same_plane(a: &Plane, b: &Plane, at: &[Vec3]) -> bool {
    a.normal.dot(b.normal) > 0.0 && classify(at, b) == OutlineSide::In
}

/// Returns the planes through the edges, perpendicular to the outline and facing away from it.
pub(crate) fn edge_planes(
    outline: &[Vec3],
    normal: Vec3,
) -> impl DoubleEndedIterator<Item = Plane> + ExactSizeIterator {
    (0..outline.len()).map(move |index| {
        let (from, to) = (outline[index], outline[(index + 1) % outline.len()]);
        Plane::through((to - from).cross(normal).normalize_or_zero(), from)
    })
}

/// Returns whether the outline is flat and turns the same way at every corner.
pub(crate) fn is_convex(outline: &[Vec3], plane: &Plane, slack: f32) -> bool {
    let flat = outline.iter().all(|corner| plane.distance(*corner).abs() <= slack);
    let inside = |edge: Plane| outline.iter().all(|corner| edge.distance(*corner) <= slack);
    flat && edge_planes(outline, plane.normal).all(inside)
}

/// Returns the overlap of two convex outlines of one plane, in metres; 0 or less if there is none.
pub(crate) fn overlap(a: &[Vec3], b: &[Vec3], normal: Vec3) -> f32 {
    let apart = |outline: &[Vec3], other: &[Vec3]| {
        let gaps = edge_planes(outline, normal).map(|edge| reach(other, &edge).0);
        gaps.fold(f32::NEG_INFINITY, f32::max)
    };
    -apart(a, b).max(apart(b, a))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Outline {
        vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]
    }

    #[test]
    fn halves_add_up() {
        let plane = Plane::through(Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.5, 0.4, 0.0));
        let Halves { front, back } = split(&square(), &plane);
        let (front, back) = (front.unwrap(), back.unwrap());
        assert!((area(&front) + area(&back) - 1.0).abs() < 1e-5);
        assert!(reach(&front, &plane).0 > -ON && reach(&back, &plane).1 < ON);
    }

    #[test]
    fn a_ball_says_of_every_plane_what_its_outline_says() {
        let ball = Ball::around(&square());
        for step in -40_i8..=40 {
            for normal in [Vec3::X, Vec3::Z, Vec3::new(0.6, 0.0, 0.8)] {
                let at = Vec3::splat(0.5) + normal * (0.05 * f32::from(step));
                let plane = Plane::through(normal, at);
                assert_eq!(
                    ball.classify(&square(), &plane),
                    classify(&square(), &plane),
                    "{plane:?}"
                );
            }
        }
    }

    #[test]
    fn planes_that_are_tried_are_spread_over_all() {
        let plane = |d: u16| Plane { normal: Vec3::X, d: f32::from(d) };
        let tried = |planes: &[Plane]| first_of_planes(planes.iter());
        assert_eq!(tried(&[plane(1), plane(1), plane(2), plane(1)]), [0, 2]);
        let many: Vec<Plane> = (0..960).map(plane).collect();
        assert_eq!(tried(&many), (0..MAX_TRIED).map(|number| number * 10).collect::<Vec<_>>());
    }

    #[test]
    fn what_lies_in_the_plane_is_on_neither_side() {
        let ground = Plane { normal: Vec3::Z, d: 0.0 };
        let Halves { front, back } = split(&square(), &ground);
        assert!(front.is_none() && back.is_none());
    }

    #[test]
    fn a_sliver_is_nothing() {
        let plane = Plane::through(Vec3::X, Vec3::new(1.0 - 0.5 * ON, 0.0, 0.0));
        assert!(split(&square(), &plane).front.is_none());
        assert_eq!(split(&square(), &plane).back.unwrap().len(), 4);
    }

    #[test]
    fn touching_outlines_do_not_overlap() {
        let moved = |x: f32| square().into_iter().map(|p| p + Vec3::X * x).collect::<Outline>();
        assert!(overlap(&square(), &moved(1.0), Vec3::Z).abs() < 1e-6);
        assert!((overlap(&square(), &moved(0.9), Vec3::Z) - 0.1).abs() < 1e-5);
        assert!(overlap(&square(), &moved(1.5), Vec3::Z) < -0.4);
    }
}
