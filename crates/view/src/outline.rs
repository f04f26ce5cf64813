//! Convex outlines on the screen, of regions and of portals.
//!
//! A point of the screen is homogeneous: `(x, y, w)` shows at `(x / w, y / w)`. A point in space ahead of the eye, in the eye
//! coordinates (right by the half width, up by the half height, forward), already is such a point. So clipping by a line of
//! the screen and clipping by a plane through the eye are the same.

use threshold_geom::{clip_outline, convex_hull};
use threshold_land::Side;
use threshold_land::vector::{DVec2, DVec3};

use crate::constants::{MAX_SIDES, SAME_POINT};

/// The half-planes of the screen itself, in the order of its sides from the lower left corner.
pub(crate) const SCREEN: [DVec3; 4] = [
    DVec3::new(0.0, 1.0, 1.0),
    DVec3::new(-1.0, 0.0, 1.0),
    DVec3::new(0.0, -1.0, 1.0),
    DVec3::new(1.0, 0.0, 1.0),
];

/// The corners of the screen, counter-clockwise.
pub(crate) const SCREEN_CORNERS: [DVec2; 4] =
    [DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0), DVec2::new(1.0, 1.0), DVec2::new(-1.0, 1.0)];

/// A convex outline, counter-clockwise. Every side keeps its original half-plane however often it is clipped, so nothing
/// drifts, and no plane is computed from two corners that are close together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// Homogeneous.
    pub(crate) corners: Vec<DVec3>,
    /// The half-plane of the side from the corner of the same index to the next.
    pub(crate) planes: Vec<DVec3>,
}

/// Corners and half-planes of an outline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutlineSlice<'a> {
    pub(crate) corners: &'a [DVec3],
    pub(crate) planes: &'a [DVec3],
}

/// What a clip leaves of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClipResult {
    Whole,
    Part,
    Nothing,
}

impl Outline {
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
        self.planes.clear();
    }

    pub(crate) fn push(&mut self, corner: DVec3, plane: DVec3) {
        self.corners.push(corner);
        self.planes.push(plane);
    }

    pub(crate) fn set(&mut self, corners: &[DVec2], planes: &[DVec3]) {
        self.clear();
        self.corners.extend(corners.iter().map(|corner| corner.extend(1.0)));
        self.planes.extend_from_slice(planes);
    }

    pub(crate) fn copy(&mut self, other: OutlineSlice<'_>) {
        self.clear();
        self.corners.extend_from_slice(other.corners);
        self.planes.extend_from_slice(other.planes);
    }

    pub(crate) fn as_slice(&self) -> OutlineSlice<'_> {
        OutlineSlice { corners: &self.corners, planes: &self.planes }
    }

    /// Writes the part on the inner side of a plane to `left`, unless it is all or nothing. The new side gets `plane`.
    pub(crate) fn clip(
        &self,
        plane: DVec3,
        inside: impl Fn(DVec3) -> f64,
        left: &mut Self,
    ) -> ClipResult {
        let within = self.corners.iter().filter(|corner| inside(**corner) >= 0.0).count();
        if within == self.corners.len() {
            return ClipResult::Whole;
        }
        if within == 0 {
            return ClipResult::Nothing;
        }
        left.clear();
        clip_outline(
            &self.corners,
            &inside,
            |distance| if distance >= 0.0 { Side::Positive } else { Side::Negative },
            |[(from, here), (to, there)]| from + (to - from) * (here / (here - there)),
            |corner, side| left.push(corner, side.map_or(plane, |side| self.planes[side])),
        );
        ClipResult::Part
    }

    /// Clips by each of the half-planes in turn; false if nothing is left. `spare` is overwritten.
    pub(crate) fn clip_by(&mut self, planes: &[DVec3], spare: &mut Self) -> bool {
        for plane in planes {
            match self.clip(*plane, |corner| plane.dot(corner), spare) {
                ClipResult::Whole => {}
                ClipResult::Part => std::mem::swap(self, spare),
                ClipResult::Nothing => return false,
            }
        }
        true
    }

    /// Gives each side without a plane the plane through the eye and the side.
    pub(crate) fn add_missing_planes(&mut self) {
        for index in 0..self.corners.len() {
            if self.planes[index] == DVec3::ZERO {
                let next = self.corners[(index + 1) % self.corners.len()];
                self.planes[index] = self.corners[index].cross(next);
            }
        }
    }

    /// Projects the corners; false if one is at the eye.
    pub(crate) fn project(&mut self) -> bool {
        for corner in &mut self.corners {
            let at = *corner / corner.z;
            // After clipping by the screen it is ahead, or at the eye.
            if !(corner.z > 0.0 && at.is_finite()) {
                return false;
            }
            *corner = at;
        }
        true
    }

    /// Removes sides without length, and scales the half-planes so that they measure distances on the screen. Corners must be
    /// projected. False if fewer than three are left.
    pub(crate) fn tidy(&mut self) -> bool {
        let mut index = 0;
        while index < self.corners.len() {
            let next = self.corners[(index + 1) % self.corners.len()];
            let apart = (self.corners[index] - next).abs().max_element();
            if apart < SAME_POINT && self.corners.len() > 1 {
                // The corner goes with the side that begins at it; the side before now ends at the next corner.
                self.corners.remove(index);
                self.planes.remove(index);
            } else {
                index += 1;
            }
        }
        for corner in &mut self.corners {
            // Rounding must not move the sides of the screen.
            *corner = corner.clamp(DVec3::NEG_ONE, DVec3::ONE);
        }
        for plane in &mut self.planes {
            let length = plane.truncate().length();
            *plane = if length > 0.0 { *plane / length } else { DVec3::Z };
        }
        self.corners.len() >= 3
    }

    /// Returns the area; the whole screen is 4. Corners must be projected.
    pub(crate) fn area(&self) -> f64 {
        let Some((first, rest)) = self.corners.split_first() else { return 0.0 };
        let pairs = rest.iter().zip(rest.get(1..).unwrap_or_default());
        pairs.map(|(a, b)| cross(*a - *first, *b - *first)).sum::<f64>() / 2.0
    }

    /// Grows the outline until it has at most [`MAX_SIDES`] sides by removing the side that adds the least area, again and
    /// again. A side stays if its neighbours do not meet in front of it, or, while others can go, if they meet off the screen.
    pub(crate) fn limit(&mut self) {
        while self.corners.len() > MAX_SIDES {
            let count = self.corners.len();
            let added = (0..count).filter_map(|side| {
                let (corner, area) = self.without(side)?;
                Some((side, corner, (corner.abs().max_element() > 1.0, area)))
            });
            let least = added.min_by(|(.., a), (.., b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let Some((side, corner, _)) = least else { return };
            let next = (side + 1) % count;
            self.corners[next] = corner;
            self.corners.remove(side);
            self.planes.remove(side);
        }
    }

    /// Returns where the neighbours of a side meet without it, and the area that its removal adds.
    fn without(&self, side: usize) -> Option<(DVec3, f64)> {
        let count = self.corners.len();
        let (from, to) = (self.corners[side], self.corners[(side + 1) % count]);
        let before = self.planes[(side + count - 1) % count];
        let after = self.planes[(side + 1) % count];
        // The turn from one neighbour to the other must be to the left and less than half a circle.
        let meet = before.cross(after);
        if meet.z < 1e-12 {
            return None;
        }
        let corner = meet / meet.z;
        let area = cross(corner - from, to - from).abs() / 2.0;
        (self.planes[side].dot(corner) <= 0.0 && area.is_finite()).then_some((corner, area))
    }

    /// Takes the corners of the convex hull of the points; [`close`](Self::close) adds its sides.
    pub(crate) fn hull(&mut self, points: &mut Vec<DVec2>) {
        self.clear();
        points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup_by(|a, b| (*a - *b).abs().max_element() < SAME_POINT);
        let points = points.iter().map(|point| point.extend(1.0));
        convex_hull(points, |a, b, c| cross(b - a, c - b) > 0.0, &mut self.corners);
    }

    /// Adds the sides to an outline that has only corners.
    pub(crate) fn close(&mut self) {
        for (index, corner) in self.corners.iter().enumerate() {
            let next = self.corners[(index + 1) % self.corners.len()];
            self.planes.push(corner.cross(next));
        }
    }
}

/// Returns twice the area of the triangle of two vectors of the screen, positive if the second is to the left.
fn cross(a: DVec3, b: DVec3) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Whether all points lie in all half-planes, up to `slack`.
pub(crate) fn is_within(points: &[DVec3], planes: &[DVec3], slack: f64) -> bool {
    planes.iter().all(|plane| points.iter().all(|at| plane.dot(*at) >= -slack))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Convex outlines with at most this number of corners: hulls of points of an ellipse on the screen.
    fn outlines(most: usize) -> impl Strategy<Value = Outline> {
        let middle = (-0.5..0.5, -0.5..0.5);
        let size = (0.001..0.5, 0.001..0.5);
        let turns = proptest::collection::vec(0.0..std::f64::consts::TAU, 3..=most);
        (middle, size, turns).prop_filter_map("no area", |((x, y), (a, b), turns)| {
            let point = |turn: &f64| DVec2::new(x + a * libm::cos(*turn), y + b * libm::sin(*turn));
            let mut outline = Outline::default();
            outline.hull(&mut turns.iter().map(point).collect());
            outline.close();
            (outline.tidy() && outline.area() > 1e-9).then_some(outline)
        })
    }

    fn points() -> impl Strategy<Value = Vec<DVec3>> {
        let point = (-1.0..1.0, -1.0..1.0).prop_map(|(x, y)| DVec3::new(x, y, 1.0));
        proptest::collection::vec(point, 50)
    }

    fn contains(outline: &Outline, at: DVec3) -> bool {
        is_within(&[at], &outline.planes, 0.0)
    }

    /// Checks that each corner lies on its two sides and inside of all others.
    fn check_sound(outline: &Outline) {
        assert_eq!(outline.corners.len(), outline.planes.len());
        let count = outline.corners.len();
        for (index, corner) in outline.corners.iter().enumerate() {
            for side in [index, (index + count - 1) % count] {
                let off = outline.planes[side].dot(*corner).abs();
                assert!(off < 1e-7, "corner {index} is {off} off side {side}: {outline:?}");
            }
        }
        assert!(is_within(&outline.corners, &outline.planes, 1e-7), "{outline:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn an_outline_of_too_many_sides_only_grows(outline in outlines(60), points in points()) {
            let mut limited = outline.clone();
            limited.limit();
            prop_assert!(limited.corners.len() <= MAX_SIDES);
            let is_small = outline.corners.len() <= MAX_SIDES;
            prop_assert!(!is_small || limited.corners == outline.corners);
            check_sound(&limited);
            prop_assert!(is_within(&outline.corners, &limited.planes, 1e-9));
            for at in points {
                prop_assert!(!contains(&outline, at) || contains(&limited, at), "{at}");
            }
            prop_assert!(limited.area() >= outline.area() - 1e-12);
        }

        #[test]
        fn an_outline_that_sticks_out_of_the_screen_does_not_grow_over_its_edge(
            outline in outlines(60), over in 0.0..0.01,
        ) {
            let right = outline.corners.iter().map(|at| at.x).fold(-1.0, f64::max);
            let by = DVec2::new(1.0 + over - right, 0.0);
            let mut moved: Vec<DVec2> =
                outline.corners.iter().map(|at| at.truncate() + by).collect();
            let (mut clipped, mut spare) = (Outline::default(), Outline::default());
            clipped.hull(&mut moved);
            clipped.close();
            if clipped.clip_by(&SCREEN, &mut spare) && clipped.tidy() {
                clipped.limit();
                prop_assert!(clipped.corners.len() <= MAX_SIDES);
                prop_assert!(is_within(&clipped.corners, &SCREEN, 1e-12), "{clipped:?}");
            }
        }

        #[test]
        fn a_hull_contains_both_parts_and_adds_no_corners(
            a in outlines(20), b in outlines(20), points in points(),
        ) {
            let mut all: Vec<DVec2> =
                a.corners.iter().chain(&b.corners).map(|corner| corner.truncate()).collect();
            let mut hull = Outline::default();
            hull.hull(&mut all);
            hull.close();
            prop_assert!(hull.tidy());
            check_sound(&hull);
            for part in [&a, &b] {
                prop_assert!(is_within(&part.corners, &hull.planes, 1e-9));
                for at in &points {
                    prop_assert!(!is_within(&[*at], &part.planes, -1e-9) || contains(&hull, *at));
                }
            }
            // Every corner of the hull is a corner of a part.
            let near = |at: &DVec3, of: &DVec3| at.distance(*of) < 2.0 * SAME_POINT;
            let is_of_a_part =
                |at: &DVec3| a.corners.iter().chain(&b.corners).any(|of| near(at, of));
            prop_assert!(hull.corners.iter().all(is_of_a_part));
        }

        #[test]
        fn a_clip_leaves_the_points_inside_both(a in outlines(20), b in outlines(20), points in points()) {
            let (mut clipped, mut spare) = (a.clone(), Outline::default());
            if !clipped.clip_by(&b.planes, &mut spare) {
                for at in &points {
                    let is_deep = is_within(&[*at], &a.planes, -1e-9)
                        && is_within(&[*at], &b.planes, -1e-9);
                    prop_assert!(!is_deep, "{at}");
                }
                return Ok(());
            }
            if clipped.tidy() {
                check_sound(&clipped);
            }
            prop_assert!(clipped.area() <= a.area().min(b.area()) + 1e-12);
            for at in points {
                let (in_both, in_clipped) = (contains(&a, at) && contains(&b, at), contains(&clipped, at));
                let is_clear = |o: &Outline| {
                    o.planes.iter().all(|plane| plane.dot(at).abs() > 1e-9)
                };
                prop_assert!(in_both == in_clipped || !is_clear(&a) || !is_clear(&b), "{at}");
            }
        }
    }

    #[test]
    fn a_side_whose_neighbours_do_not_meet_in_front_of_it_stays() {
        // The neighbours of a side of a triangle meet behind the side.
        let mut triangle = Outline::default();
        let corners = [DVec2::ZERO, DVec2::X, DVec2::Y];
        triangle.hull(&mut corners.to_vec());
        triangle.close();
        assert!((0..3).all(|side| triangle.without(side).is_none()));
        // Those of a square are parallel.
        let mut square = Outline::default();
        square.set(&SCREEN_CORNERS, &SCREEN);
        assert!((0..4).all(|side| square.without(side).is_none()));
    }

    /// The smallest corner clipped off a square is the first to be restored.
    #[test]
    fn the_side_that_adds_the_least_area_is_removed_first() {
        let mut outline = Outline::default();
        outline.set(&SCREEN_CORNERS, &SCREEN);
        let mut left = Outline::default();
        for (sign, off) in [(DVec2::ONE, 1.9), (DVec2::NEG_ONE, 1.7), (DVec2::new(1.0, -1.0), 1.5)]
        {
            let plane = (-sign).extend(off);
            assert_eq!(outline.clip(plane, |at| plane.dot(at), &mut left), ClipResult::Part);
            std::mem::swap(&mut outline, &mut left);
        }
        let added = |side| outline.without(side).map(|(_, area)| area);
        let least = (0..outline.corners.len()).filter_map(|side| Some((side, added(side)?)));
        let (side, area) = least.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        assert_eq!(outline.planes[side], DVec3::new(-1.0, -1.0, 1.9));
        assert!((area - 0.005).abs() < 1e-12, "{area}");
    }

    #[test]
    fn an_outline_with_a_corner_at_the_eye_cannot_be_projected() {
        let mut outline = Outline::default();
        for corner in [DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 1.0, 1.0)] {
            outline.push(corner, DVec3::Z);
        }
        assert!(!outline.project());
    }
}
