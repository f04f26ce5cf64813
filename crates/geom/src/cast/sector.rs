//! A cone with a rounded end.

use threshold_land::Sphere;
use threshold_land::vector::DVec3;

use super::{
    TOUCHING_GAP, have_common_point, height, is_over_polygon, nearest_on_cylinder, sides, widened,
};
use crate::cylinder::Cylinder;
use crate::polygon::Polygon;

/// The points within a distance of an apex and within an angle of an axis: a cone whose end is part
/// of a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sector {
    /// Its tip.
    pub apex: DVec3,
    /// Its axis, of unit length.
    pub axis: DVec3,
    /// Cosine of the angle between axis and side, 0 or more: the angle is at most 90 degrees.
    pub cosine: f64,
    /// Sine of that angle.
    pub sine: f64,
    /// Distance of its end from the apex.
    pub length: f64,
}

impl Sector {
    /// Creates a sector from the cosine of its angle, 0 to 1.
    pub fn new(apex: DVec3, axis: DVec3, cosine: f64, length: f64) -> Self {
        let cosine = cosine.clamp(0.0, 1.0);
        Self { apex, axis, cosine, sine: (1.0 - cosine * cosine).sqrt(), length }
    }

    /// Returns whether a point is inside; the surface counts as inside.
    pub fn contains(&self, p: DVec3) -> bool {
        let off = p - self.apex;
        let distance = off.length();
        distance <= self.length && off.dot(self.axis) >= self.cosine * distance
    }

    /// Returns its point nearest to a point; the point itself if it is inside.
    pub fn nearest(&self, p: DVec3) -> DVec3 {
        let off = p - self.apex;
        let along = off.dot(self.axis);
        let across = off - self.axis * along;
        let aside = across.length();
        if along * self.sine >= aside * self.cosine {
            let distance = off.length();
            let is_inside = distance <= self.length;
            return if is_inside { p } else { self.apex + off * (self.length / distance) };
        }
        let reach = (along * self.cosine + aside * self.sine).clamp(0.0, self.length);
        let side = if aside > 0.0 { across / aside } else { DVec3::ZERO };
        self.apex + self.axis * (reach * self.cosine) + side * (reach * self.sine)
    }

    /// Returns whether it touches a ball.
    pub fn touches_sphere(&self, sphere: &Sphere) -> bool {
        let (centre, radius) = widened(sphere);
        self.nearest(centre).distance_squared(centre) <= radius * radius
    }

    /// Returns whether it touches a solid cylinder, or comes closer than [`TOUCHING_GAP`].
    pub fn touches_cylinder(&self, cylinder: &Cylinder) -> bool {
        let in_cylinder = |p| nearest_on_cylinder(cylinder, p);
        have_common_point(self.apex, in_cylinder, |p| self.nearest(p), TOUCHING_GAP)
    }

    /// Returns whether it touches a polygon, from either side. Linear in the corners.
    pub fn touches_polygon(&self, polygon: &Polygon<'_>) -> bool {
        sides(polygon).any(|(a, b)| self.touches_segment(a, b)) || self.pierces(polygon)
    }

    /// Returns whether the plane of a polygon cuts it inside the outline. If no edge touches it, all
    /// of the cut is inside the outline or none, so one point of the cut decides.
    fn pierces(&self, polygon: &Polygon<'_>) -> bool {
        let above = height(polygon, self.apex);
        let normal = polygon.plane.normal.as_dvec3();
        let down = if above < 0.0 { normal } else { -normal };
        let along = down.dot(self.axis);
        let across = down - self.axis * along;
        // The direction within the angle that leads to the plane fastest.
        let steepest = if along >= self.cosine {
            down
        } else if let Some(side) = across.try_normalize() {
            self.axis * self.cosine + side * self.sine
        } else {
            return false;
        };
        let speed = steepest.dot(down);
        let time = above.abs() / speed;
        speed > 0.0
            && time <= self.length
            && is_over_polygon(polygon, self.apex + steepest * time, 0.0)
    }

    /// Returns whether it touches a segment.
    fn touches_segment(&self, a: DVec3, b: DVec3) -> bool {
        let (off, along) = (a - self.apex, b - a);
        let (o, m) = (off.dot(self.axis), along.dot(self.axis));
        // Inside the ball: q(s) <= 0. Inside the double cone: k(s) >= 0; in the right half: o + m s >= 0.
        let squared = self.cosine * self.cosine;
        let (qa, qb) = (along.length_squared(), off.dot(along));
        let qc = off.length_squared();
        let k = [m * m - squared * qa, o * m - squared * qb, o * o - squared * qc];
        let ball = [qa, qb, qc - self.length * self.length];
        let ([first, second], [enters, leaves]) = (roots(k), roots(ball));
        let turns = if m == 0.0 { -1.0 } else { -o / m };
        let mut kept = [0.0, 1.0, first, second, enters, leaves, turns]
            .map(|part| if (0.0..=1.0).contains(&part) { part } else { 0.0 });
        kept.sort_unstable_by(f64::total_cmp);
        // Between two such parts nothing changes: their middles decide, and they themselves.
        let middles = kept.windows(2).map(|pair| (pair[0] + pair[1]) * 0.5);
        middles.chain(kept).any(|part| self.contains(a + along * part))
    }
}

/// Returns the roots of `a s² + 2 b s + c`; -1 for a missing one.
fn roots([a, b, c]: [f64; 3]) -> [f64; 2] {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return [-1.0; 2];
    }
    let sum = -(b + discriminant.sqrt().copysign(b));
    let root = |over: f64, under: f64| if under == 0.0 { -1.0 } else { over / under };
    [root(sum, a), root(c, sum)]
}

#[cfg(test)]
mod tests;
