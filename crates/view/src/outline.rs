//! Convex outlines on the screen: what regions and openings are made of.
//!
//! A point of the screen is homogeneous: `(x, y, w)` shows at `(x / w, y / w)`. What lies ahead of the eye, in the
//! coordinates (right by the half width, up by the half height, forward), is such a point as it is, so that cutting by a
//! line of the screen and cutting by a plane through the eye are the same.

use threshold_land::glam::{DVec2, DVec3};

use crate::constants::{MOST_SIDES, SAME_POINT};

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

/// A convex outline, counter-clockwise. Every side keeps the half-plane it was made of, however often it is cut: nothing
/// drifts, and nothing is worked out from two corners that are close together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// Homogeneous.
    pub(crate) corners: Vec<DVec3>,
    /// The half-plane of the side from the corner of that number to the next.
    pub(crate) planes: Vec<DVec3>,
}

/// What a cut leaves of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    All,
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

    pub(crate) fn copy(&mut self, (corners, planes): (&[DVec3], &[DVec3])) {
        self.clear();
        self.corners.extend_from_slice(corners);
        self.planes.extend_from_slice(planes);
    }

    /// Writes the part on the inner side of a plane to `left`, unless it is all or nothing. The new side gets `plane`.
    pub(crate) fn cut(&self, plane: DVec3, inside: impl Fn(DVec3) -> f64, left: &mut Self) -> Cut {
        let within = self.corners.iter().filter(|corner| inside(**corner) >= 0.0).count();
        if within == self.corners.len() {
            return Cut::All;
        }
        if within == 0 {
            return Cut::Nothing;
        }
        left.clear();
        let count = self.corners.len();
        let mut at = self.corners[0];
        let mut here = inside(at);
        for index in 0..count {
            let to = self.corners[if index + 1 == count { 0 } else { index + 1 }];
            let there = inside(to);
            let crossing = || at + (to - at) * (here / (here - there));
            match (here >= 0.0, there >= 0.0) {
                (true, true) => left.push(at, self.planes[index]),
                (true, false) => {
                    left.push(at, self.planes[index]);
                    left.push(crossing(), plane);
                }
                (false, true) => left.push(crossing(), self.planes[index]),
                (false, false) => {}
            }
            (at, here) = (to, there);
        }
        Cut::Part
    }

    /// Cuts by each of the half-planes in turn; false where nothing is left. `spare` is overwritten.
    pub(crate) fn cut_by(&mut self, planes: &[DVec3], spare: &mut Self) -> bool {
        for plane in planes {
            match self.cut(*plane, |corner| plane.dot(corner), spare) {
                Cut::All => {}
                Cut::Part => std::mem::swap(self, spare),
                Cut::Nothing => return false,
            }
        }
        true
    }

    /// Gives a side that has none the plane through the eye and itself.
    pub(crate) fn mend_planes(&mut self) {
        for index in 0..self.corners.len() {
            if self.planes[index] == DVec3::ZERO {
                let next = self.corners[(index + 1) % self.corners.len()];
                self.planes[index] = self.corners[index].cross(next);
            }
        }
    }

    /// Puts the corners where they show; false where one is at the eye itself.
    pub(crate) fn project(&mut self) -> bool {
        for corner in &mut self.corners {
            let at = *corner / corner.z;
            // Cut by the screen, it is ahead, or at the eye.
            if !(corner.z > 0.0 && at.is_finite()) {
                return false;
            }
            *corner = at;
        }
        true
    }

    /// Takes out sides without a length and scales the half-planes, so that they tell distances on the screen. Corners must
    /// be where they show. False where fewer than three are left.
    pub(crate) fn tidy(&mut self) -> bool {
        let mut index = 0;
        while index < self.corners.len() {
            let next = self.corners[(index + 1) % self.corners.len()];
            let apart = (self.corners[index] - next).abs().max_element();
            if apart < SAME_POINT && self.corners.len() > 1 {
                // The corner goes with the side that begins in it; the side before it ends in the next one.
                self.corners.remove(index);
                self.planes.remove(index);
            } else {
                index += 1;
            }
        }
        for corner in &mut self.corners {
            // The sides of the screen are where they are, whatever rounding says.
            *corner = corner.clamp(DVec3::NEG_ONE, DVec3::ONE);
        }
        for plane in &mut self.planes {
            let length = plane.truncate().length();
            *plane = if length > 0.0 { *plane / length } else { DVec3::Z };
        }
        self.corners.len() >= 3
    }

    /// How much of the screen it covers, of 4. Corners must be where they show.
    pub(crate) fn area(&self) -> f64 {
        let Some((first, rest)) = self.corners.split_first() else { return 0.0 };
        let pairs = rest.iter().zip(rest.get(1..).unwrap_or_default());
        pairs.map(|(a, b)| cross(*a - *first, *b - *first)).sum::<f64>() / 2.0
    }

    /// Lets the outline grow until it has no more than [`MOST_SIDES`] sides: again and again the side goes whose removal
    /// adds least. A side whose neighbours no longer meet in front of it stays, and so does one whose neighbours meet off the
    /// screen, if others can go.
    pub(crate) fn limit(&mut self) {
        while self.corners.len() > MOST_SIDES {
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

    /// Where the neighbours of a side meet when it is gone, and the area that adds.
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

    /// Takes the corners of the smallest convex outline round all points; [`close`](Self::close) gives it sides.
    pub(crate) fn hull(&mut self, points: &mut Vec<DVec2>) {
        self.clear();
        points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup_by(|a, b| (*a - *b).abs().max_element() < SAME_POINT);
        for forward in [true, false] {
            let start = self.corners.len();
            let mut add = |point: DVec2| {
                let point = point.extend(1.0);
                while let [.., a, b] = self.corners[start..]
                    && cross(b - a, point - b) <= 0.0
                {
                    self.corners.pop();
                }
                self.corners.push(point);
            };
            match forward {
                true => points.iter().for_each(|point| add(*point)),
                false => points.iter().rev().for_each(|point| add(*point)),
            }
            // It begins the other half.
            self.corners.pop();
        }
    }

    /// Gives an outline that has only corners the sides between them.
    pub(crate) fn close(&mut self) {
        for (index, corner) in self.corners.iter().enumerate() {
            let next = self.corners[(index + 1) % self.corners.len()];
            self.planes.push(corner.cross(next));
        }
    }
}

/// Twice the area of the triangle of two vectors of the screen, positive where the second is to the left.
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

    /// A convex outline with that many corners at most: points of an ellipse somewhere on the screen, made into a hull.
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

    /// Corners lie on their two sides and on the inner side of all others.
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
            prop_assert!(limited.corners.len() <= MOST_SIDES);
            let is_small = outline.corners.len() <= MOST_SIDES;
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
            let (mut cut, mut spare) = (Outline::default(), Outline::default());
            cut.hull(&mut moved);
            cut.close();
            if cut.cut_by(&SCREEN, &mut spare) && cut.tidy() {
                cut.limit();
                prop_assert!(cut.corners.len() <= MOST_SIDES);
                prop_assert!(is_within(&cut.corners, &SCREEN, 1e-12), "{cut:?}");
            }
        }

        #[test]
        fn a_hull_holds_both_parts_and_no_more_than_it_must(
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
            // Every corner of it is one of theirs.
            let near = |at: &DVec3, of: &DVec3| at.distance(*of) < 2.0 * SAME_POINT;
            let is_theirs =
                |at: &DVec3| a.corners.iter().chain(&b.corners).any(|of| near(at, of));
            prop_assert!(hull.corners.iter().all(is_theirs));
        }

        #[test]
        fn a_cut_leaves_what_lies_in_both(a in outlines(20), b in outlines(20), points in points()) {
            let (mut cut, mut spare) = (a.clone(), Outline::default());
            if !cut.cut_by(&b.planes, &mut spare) {
                for at in &points {
                    let is_deep = is_within(&[*at], &a.planes, -1e-9)
                        && is_within(&[*at], &b.planes, -1e-9);
                    prop_assert!(!is_deep, "{at}");
                }
                return Ok(());
            }
            if cut.tidy() {
                check_sound(&cut);
            }
            prop_assert!(cut.area() <= a.area().min(b.area()) + 1e-12);
            for at in points {
                let (in_both, in_cut) = (contains(&a, at) && contains(&b, at), contains(&cut, at));
                let is_clear = |o: &Outline| {
                    o.planes.iter().all(|plane| plane.dot(at).abs() > 1e-9)
                };
                prop_assert!(in_both == in_cut || !is_clear(&a) || !is_clear(&b), "{at}");
            }
        }
    }

    #[test]
    fn a_side_whose_neighbours_never_meet_before_it_stays() {
        // A triangle has no side that can go: its neighbours meet on the other side of it.
        let mut triangle = Outline::default();
        let corners = [DVec2::ZERO, DVec2::X, DVec2::Y];
        triangle.hull(&mut corners.to_vec());
        triangle.close();
        assert!((0..3).all(|side| triangle.without(side).is_none()));
        // Nor has a square: they are parallel.
        let mut square = Outline::default();
        square.set(&SCREEN_CORNERS, &SCREEN);
        assert!((0..4).all(|side| square.without(side).is_none()));
    }

    /// The smallest corner cut off a square is the first to come back.
    #[test]
    fn the_side_goes_that_adds_least() {
        let mut outline = Outline::default();
        outline.set(&SCREEN_CORNERS, &SCREEN);
        let mut left = Outline::default();
        for (sign, off) in [(DVec2::ONE, 1.9), (DVec2::NEG_ONE, 1.7), (DVec2::new(1.0, -1.0), 1.5)]
        {
            let plane = (-sign).extend(off);
            assert_eq!(outline.cut(plane, |at| plane.dot(at), &mut left), Cut::Part);
            std::mem::swap(&mut outline, &mut left);
        }
        let added = |side| outline.without(side).map(|(_, area)| area);
        let least = (0..outline.corners.len()).filter_map(|side| Some((side, added(side)?)));
        let (side, area) = least.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        assert_eq!(outline.planes[side], DVec3::new(-1.0, -1.0, 1.9));
        assert!((area - 0.005).abs() < 1e-12, "{area}");
    }

    #[test]
    fn a_corner_at_the_eye_shows_nowhere() {
        let mut outline = Outline::default();
        for corner in [DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 1.0, 1.0)] {
            outline.push(corner, DVec3::Z);
        }
        assert!(!outline.project());
    }
}
