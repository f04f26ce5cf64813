//! A point or a sphere that moves along a straight line.

use threshold_land::Sphere;
use threshold_land::vector::DVec3;

use super::{height, is_over_polygon, nearest_on_polygon, sides, widened, widened_cylinder};
use crate::cylinder::Cylinder;
use crate::polygon::{Polygon, Sides};

/// A sphere that moves along a straight line; a ray if its radius is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingSphere {
    /// Where its centre starts.
    pub origin: DVec3,
    /// What its centre moves by in a unit of time. Times count in multiples of it.
    pub direction: DVec3,
    /// Its radius, 0 or more.
    pub radius: f64,
    /// How far a ray may pass beside a polygon, or start behind it, and still hit it. Too small, and
    /// rays slip between polygons; too large, and they hit what they pass.
    pub margin: f64,
}

/// Where a moving sphere first touches a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastContact {
    /// When, in multiples of the direction; never negative.
    pub time: f64,
    /// The point that is touched.
    pub point: DVec3,
    /// The unit normal of the shape there, towards the sphere.
    pub normal: DVec3,
    /// Whether it touches the shape from the start: it overlaps it, or is inside.
    pub initial: bool,
}

impl MovingSphere {
    /// Returns where its centre is at a time.
    pub fn at(&self, time: f64) -> DVec3 {
        self.origin + self.direction * time
    }

    /// Returns where it first hits a polygon: moving against the normal, from the front. From behind
    /// it passes, unless the polygon or the caller says that both sides count. A sphere that
    /// overlaps the polygon from the start hits it only if it moves towards its nearest point.
    ///
    /// Linear in the corners.
    pub fn hit_polygon(&self, polygon: &Polygon<'_>, both_sides: bool) -> Option<CastContact> {
        let normal = polygon.plane.normal.as_dvec3();
        let (mut normal, mut above) = (normal, height(polygon, self.origin));
        let both = both_sides || polygon.sides != Sides::Single;
        let mut approach = normal.dot(self.direction);
        let at_front = above >= 0.0 || above >= -self.margin && approach < 0.0;
        if both && !at_front {
            (normal, above, approach) = (-normal, -above, -approach);
        }
        if !both && (approach >= 0.0 || above < -self.margin) {
            return None;
        }
        if self.radius > 0.0 {
            return self.sphere_hits_polygon(polygon, normal, above);
        }
        if approach >= 0.0 {
            return None;
        }
        let time = above.max(0.0) / -approach;
        let point = self.at(time);
        let hit = CastContact { time, point, normal, initial: false };
        is_over_polygon(polygon, point, self.margin).then_some(hit)
    }

    /// `normal` faces the start, which is `above` the plane.
    fn sphere_hits_polygon(
        &self,
        polygon: &Polygon<'_>,
        normal: DVec3,
        above: f64,
    ) -> Option<CastContact> {
        if above.abs() <= self.radius {
            let point = nearest_on_polygon(polygon, self.origin);
            if point.distance_squared(self.origin) <= self.radius * self.radius {
                return self.initial(point, normal);
            }
        }
        let approach = normal.dot(self.direction);
        if approach < 0.0 && above >= self.radius {
            let time = (above - self.radius) / -approach;
            let point = self.at(time) - normal * self.radius;
            if is_over_polygon(polygon, point, 0.0) {
                return Some(CastContact { time, point, normal, initial: false });
            }
        }
        let hits = sides(polygon).filter_map(|(a, b)| self.hit_segment(a, b));
        hits.min_by(|a, b| a.time.total_cmp(&b.time))
    }

    /// A contact from the start, if the sphere moves towards the touched point.
    fn initial(&self, point: DVec3, fallback: DVec3) -> Option<CastContact> {
        let normal = (self.origin - point).try_normalize().unwrap_or(fallback);
        let hit = CastContact { time: 0.0, point, normal, initial: true };
        (self.direction.dot(normal) < 0.0).then_some(hit)
    }

    /// Returns where it first touches a segment that it does not touch at the start.
    fn hit_segment(&self, a: DVec3, b: DVec3) -> Option<CastContact> {
        let along = b - a;
        let length = along.length_squared();
        let off = self.origin - a;
        let mut first: Option<(f64, DVec3)> = None;
        let mut add = |time: f64, point: DVec3| {
            if first.is_none_or(|(earlier, _)| time < earlier) {
                first = Some((time, point));
            }
        };
        if length > 0.0 {
            // Perpendicular to the segment.
            let turn = |v: DVec3| v - along * (along.dot(v) / length);
            if let Some(time) = first_time(turn(off), turn(self.direction), self.radius) {
                let part = along.dot(off + self.direction * time) / length;
                if (0.0..=1.0).contains(&part) {
                    add(time, a + along * part);
                }
            }
        }
        for end in [a, b] {
            if let Some(time) = first_time(self.origin - end, self.direction, self.radius) {
                add(time, end);
            }
        }
        let (time, point) = first?;
        let normal = (self.at(time) - point).try_normalize()?;
        Some(CastContact { time, point, normal, initial: false })
    }

    /// Returns where it first hits a ball. Inside from the start, it hits at once; overlapping from
    /// the start, only if it moves towards the centre.
    pub fn hit_sphere(&self, sphere: &Sphere) -> Option<CastContact> {
        let (centre, radius) = widened(sphere);
        let (off, radius) = (self.origin - centre, radius.abs());
        let (length, reach) = (off.length(), radius + self.radius);
        if length <= radius {
            return Some(self.inside(off));
        }
        if length <= reach {
            return self.initial(centre + off * (radius / length), off);
        }
        let time = first_time(off, self.direction, reach)?;
        let normal = (self.at(time) - centre).try_normalize()?;
        Some(CastContact { time, point: centre + normal * radius, normal, initial: false })
    }

    /// A contact of a centre that starts inside a solid.
    fn inside(&self, outwards: DVec3) -> CastContact {
        let back = (-self.direction).try_normalize();
        let normal = back.or_else(|| outwards.try_normalize()).unwrap_or(DVec3::Z);
        CastContact { time: 0.0, point: self.origin, normal, initial: true }
    }

    /// Returns where it first hits a solid cylinder. Spheres meet its rim as movers do: as if both
    /// were cylinders, the sphere as high as it is wide. Inside or overlapping from the start as for
    /// [`hit_sphere`](Self::hit_sphere).
    pub fn hit_cylinder(&self, cylinder: &Cylinder) -> Option<CastContact> {
        let (low, radius, tall) = widened_cylinder(cylinder);
        let (off, radius, tall) = (self.origin - low, radius.abs(), tall.max(0.0));
        let flat = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
        let reach = radius + self.radius;
        let beside = flat(off).length();
        let over = (off.z - tall).max(-off.z);
        if beside <= radius && over <= 0.0 {
            return Some(self.inside(flat(off)));
        }
        let cap = if off.z > tall { DVec3::Z } else { DVec3::NEG_Z };
        if beside <= reach && over <= self.radius {
            // Of side and cap, the one that it overlaps less.
            let side = flat(off).try_normalize().unwrap_or(cap);
            let normal = if over <= 0.0 || beside - radius > over { side } else { cap };
            let point = super::nearest_on_cylinder(cylinder, self.origin);
            let hit = CastContact { time: 0.0, point, normal, initial: true };
            return (self.direction.dot(normal) < 0.0).then_some(hit);
        }
        let mut enter = (0.0, None);
        let mut leave = f64::INFINITY;
        if beside > reach {
            let time = first_time(flat(off), flat(self.direction), reach)?;
            enter = (time, flat(off + self.direction * time).try_normalize());
        }
        leave = leave.min(last_time(flat(off), flat(self.direction), reach));
        let rise = self.direction.z;
        if over > self.radius {
            let time = -(over - self.radius) / (rise * cap.z);
            if rise * cap.z >= 0.0 {
                return None;
            }
            if time > enter.0 {
                enter = (time, Some(cap));
            }
        }
        if rise != 0.0 {
            let end = if rise > 0.0 { tall + self.radius } else { -self.radius };
            leave = leave.min((end - off.z) / rise);
        }
        let (time, Some(normal)) = enter else { return None };
        let point = super::nearest_on_cylinder(cylinder, self.at(time));
        (time <= leave).then_some(CastContact { time, point, normal, initial: false })
    }

    /// Returns the first and the last time at which it touches a polygon, from either side; up to
    /// `until`, and `None` if it does not touch it until then.
    ///
    /// A ray touches at the moment it passes through.
    pub fn touch_times(&self, polygon: &Polygon<'_>, until: f64) -> Option<(f64, f64)> {
        let overlaps = |p: DVec3| {
            let nearest = nearest_on_polygon(polygon, p);
            nearest.distance_squared(p) <= self.radius * self.radius
        };
        let hit = |from: &Self| from.hit_polygon(polygon, true).map(|hit| hit.time);
        let first = if overlaps(self.origin) { 0.0 } else { hit(self)? };
        if first > until {
            return None;
        }
        let end = self.at(until);
        let back = Self { origin: end, direction: -self.direction, ..*self };
        let last = if overlaps(end) { until } else { until - hit(&back).unwrap_or(until - first) };
        Some((first, last.max(first)))
    }
}

/// Returns when a point at `off` that moves by `movement` first comes within `radius` of the origin,
/// from outside.
fn first_time(off: DVec3, movement: DVec3, radius: f64) -> Option<f64> {
    let (a, b) = (movement.length_squared(), off.dot(movement));
    let c = off.length_squared() - radius * radius;
    let discriminant = b * b - a * c;
    if a <= 0.0 || b >= 0.0 || discriminant < 0.0 {
        return None;
    }
    // Without the difference of two nearly equal numbers.
    Some((c / (-b + discriminant.sqrt())).max(0.0))
}

/// Returns when a point last is within `radius` of the origin; infinite if it does not move.
fn last_time(off: DVec3, movement: DVec3, radius: f64) -> f64 {
    let (a, b) = (movement.length_squared(), off.dot(movement));
    let c = off.length_squared() - radius * radius;
    if a <= 0.0 {
        return f64::INFINITY;
    }
    (-b + (b * b - a * c).max(0.0).sqrt()) / a
}

#[cfg(test)]
mod tests;
