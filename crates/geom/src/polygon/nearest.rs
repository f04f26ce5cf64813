//! The nearest point of a polygon.

use threshold_land::vector::Vec3;

use super::{Edge, Polygon};

impl Polygon<'_> {
    /// Returns the point of the polygon nearest to a point: the foot on its plane if that is
    /// inside, otherwise a point of the outline. Linear in the corners.
    pub fn nearest_point(&self, p: Vec3) -> Vec3 {
        let foot = p - self.plane.normal * self.plane.distance(p);
        if self.contains(foot) {
            return foot;
        }
        let ends = self.edges().map(|edge| on_edge(&edge, p));
        let apart = |end: &Vec3| (*end - p).length_squared();
        ends.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(foot)
    }
}

fn on_edge(edge: &Edge, p: Vec3) -> Vec3 {
    let length = edge.along.length_squared();
    let part = if length > 0.0 { edge.along.dot(p - edge.from) / length } else { 0.0 };
    edge.from + edge.along * part.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::Sides;

    const CORNERS: [Vec3; 4] = [
        Vec3::new(0.0, 0.0, 0.0),
        Vec3::new(2.0, 0.0, 0.0),
        Vec3::new(2.0, 2.0, 0.0),
        Vec3::new(0.0, 2.0, 0.0),
    ];

    #[track_caller]
    fn check(from: [f32; 3], want: [f32; 3]) {
        let polygon = Polygon::new(&CORNERS, Sides::Single).unwrap();
        assert_eq!(polygon.nearest_point(from.into()), Vec3::from(want), "{from:?}");
    }

    #[test]
    fn the_nearest_point_is_the_foot_or_on_the_outline() {
        check([1.0, 0.5, 3.0], [1.0, 0.5, 0.0]);
        check([1.0, 0.5, -3.0], [1.0, 0.5, 0.0]);
        check([3.0, 1.0, 1.0], [2.0, 1.0, 0.0]);
        check([-1.0, -1.0, 1.0], [0.0, 0.0, 0.0]);
        check([1.0, 2.5, 0.0], [1.0, 2.0, 0.0]);
    }
}
