//! Faces, round solids and paths.

use threshold_land::vector::{DVec2, DVec3};

use super::{MARGIN, Shape};

/// Returns how far behind a face a start may be: a little more or less, as corners are rounded.
fn margin(slack: f64) -> f64 {
    MARGIN + 0.01 * slack
}

/// A stretch of a path, in seconds or metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Span {
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let both = Self { from: self.from.max(other.from), to: self.to.min(other.to) };
        (both.from <= both.to).then_some(both)
    }
}

/// A flat convex face.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    pub(crate) corners: Vec<DVec3>,
    pub(crate) normal: DVec3,
    pub(crate) both_sides: bool,
    middle: DVec3,
    pub(crate) radius: f64,
}

impl Face {
    pub(crate) fn new(corners: Vec<DVec3>, both_sides: bool) -> Option<Self> {
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let next = corners.iter().cycle().skip(1);
        let pairs = corners.iter().zip(next);
        let area: DVec3 = pairs.map(|(a, b)| (*a - middle).cross(*b - middle)).sum();
        let normal = area.try_normalize()?;
        let radius = corners.iter().map(|at| at.distance(middle)).fold(0.0, f64::max);
        Some(Self { corners, normal, both_sides, middle, radius })
    }

    pub(crate) fn turn(&mut self) {
        self.corners.reverse();
        self.normal = -self.normal;
    }

    pub(crate) fn middle(&self) -> DVec3 {
        self.middle
    }

    /// Returns whether it is the same polygon from the other side.
    pub(crate) fn is_same(&self, other: &Self, offset: DVec3) -> bool {
        self.corners.len() == other.corners.len()
            && (self.middle + offset).distance(other.middle) < 1e-3
            && self.normal.dot(other.normal) < -0.999
    }

    pub(crate) fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p - self.middle)
    }

    fn edges(&self) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
        self.corners.iter().copied().zip(self.corners.iter().copied().cycle().skip(1))
    }

    /// Returns the distance of a point of the plane from the nearest edge; negative outside.
    fn depth(&self, p: DVec3) -> f64 {
        let edges = self.edges().filter(|(a, b)| a.distance(*b) > 1e-6);
        let depths = edges.map(|(a, b)| self.normal.cross((b - a).normalize()).dot(p - a));
        depths.fold(f64::INFINITY, f64::min)
    }

    /// Returns the nearest point: of its triangles, each by regions.
    pub(crate) fn nearest(&self, p: DVec3) -> DVec3 {
        let first = self.corners[0];
        let pairs = self.corners[1..].windows(2);
        let points = pairs.map(|pair| nearest_on_triangle([first, pair[0], pair[1]], p));
        points.min_by(|a, b| a.distance(p).total_cmp(&b.distance(p))).unwrap()
    }
}

fn nearest_on_triangle([a, b, c]: [DVec3; 3], p: DVec3) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let normal = ab.cross(ac);
    let area = normal.length_squared();
    if area > 1e-18 {
        let v = ap.cross(ac).dot(normal) / area;
        let w = ab.cross(ap).dot(normal) / area;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            return a + ab * v + ac * w;
        }
    }
    let on = |a: DVec3, b: DVec3| {
        let part = (p - a).dot(b - a) / (b - a).length_squared().max(1e-30);
        a + (b - a) * part.clamp(0.0, 1.0)
    };
    let points = [on(a, b), on(b, c), on(c, a)];
    points.into_iter().min_by(|a, b| a.distance(p).total_cmp(&b.distance(p))).unwrap()
}

/// A round solid.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Round {
    Ball { centre: DVec3, radius: f64 },
    Cylinder { low: DVec3, radius: f64, height: f64 },
}

impl Round {
    /// Returns how far a sphere is outside, as movers measure it; negative where they touch.
    pub(crate) fn gap(&self, p: DVec3, radius: f64) -> f64 {
        match self {
            Self::Ball { centre, radius: own } => p.distance(*centre) - own - radius,
            Self::Cylinder { low, radius: own, height } => {
                let off = p - *low;
                let aside = (off.x * off.x + off.y * off.y).sqrt() - own;
                aside.max(off.z - height).max(-off.z) - radius
            }
        }
    }

    /// Returns the nearest point of the solid.
    pub(crate) fn nearest(&self, p: DVec3) -> DVec3 {
        match self {
            Self::Ball { centre, radius } => {
                let off = p - *centre;
                *centre + off * (radius / off.length()).min(1.0)
            }
            Self::Cylinder { low, radius, height } => {
                let off = p - *low;
                let aside = (off.x * off.x + off.y * off.y).sqrt();
                let part = (radius / aside).min(1.0);
                *low + DVec3::new(off.x * part, off.y * part, off.z.clamp(0.0, *height))
            }
        }
    }
}

/// A path of a point: straight, or a parabola.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    pub(crate) origin: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) gravity: f64,
    /// Where it ends, in units of time.
    pub(crate) length: f64,
}

impl Path {
    pub(crate) fn shifted(&self, offset: DVec3) -> Self {
        Self { origin: self.origin - offset, ..*self }
    }

    pub(crate) fn at(&self, time: f64) -> DVec3 {
        self.origin + self.velocity * time - DVec3::Z * (0.5 * self.gravity * time * time)
    }

    pub(crate) fn velocity_at(&self, time: f64) -> DVec3 {
        self.velocity - DVec3::Z * (self.gravity * time)
    }

    /// Returns when it is in a plane.
    fn in_plane(&self, face: &Face) -> [f64; 2] {
        let a = -0.5 * self.gravity * face.normal.z;
        let (b, c) = (face.normal.dot(self.velocity), face.height(self.origin));
        if a.abs() < 1e-12 {
            return [if b == 0.0 { f64::NAN } else { -c / b }, f64::NAN];
        }
        let root = (b * b - 4.0 * a * c).sqrt();
        let [one, two] = [(-b - root) / (2.0 * a), (-b + root) / (2.0 * a)];
        [one.min(two), one.max(two)]
    }

    /// Returns the time in which it moves by the margin.
    pub(crate) fn margin_at(&self, time: f64) -> f64 {
        MARGIN / self.velocity_at(time).length().max(1e-6)
    }

    /// Returns when it passes a face in the direction of its normal (`side` 1) or against it (-1). What is past the face
    /// by less than the margin passes it at once.
    pub(crate) fn passes(&self, face: &Face, side: f64, from: f64, slack: f64) -> Option<f64> {
        let leads = |time: f64| {
            face.normal.dot(self.velocity_at(time)) * side > 0.0
                && face.depth(self.at(time)) >= -slack
        };
        let past = face.height(self.at(from)) * side;
        if (0.0..=margin(slack)).contains(&past) && from <= self.length && leads(from) {
            return Some(from);
        }
        let mut times = self.in_plane(face).into_iter();
        times.find(|time| *time >= from && *time <= self.length && leads(*time))
    }

    /// Returns when it is over a square of 24 m, widened along both axes.
    pub(crate) fn over(&self, corner: DVec2, radius: f64) -> Option<Span> {
        let mut over = Span { from: 0.0, to: self.length };
        for axis in 0..2 {
            let (low, high) = (corner[axis] - radius, corner[axis] + 24.0 + radius);
            let (from, speed) = (self.origin[axis], self.velocity[axis]);
            if speed == 0.0 {
                if from < low || from > high {
                    return None;
                }
                continue;
            }
            let [a, b] = [(low - from) / speed, (high - from) / speed];
            over = over.common(Span { from: a.min(b), to: a.max(b) })?;
        }
        Some(over)
    }

    /// Returns when it first meets a shape while a cell counts, and how fast it approaches.
    pub(crate) fn meets(
        &self,
        shape: &Shape,
        both: bool,
        span: Span,
        slack: f64,
    ) -> Option<(f64, f64)> {
        let in_span = |time: f64| {
            let margin = self.margin_at(time);
            time >= span.from - margin && time <= span.to + margin && time <= self.length
        };
        match shape {
            Shape::Face(face) => {
                let (above, speed) = (face.height(self.origin), face.normal.dot(self.velocity));
                let inside = |time: f64| face.depth(self.at(time)) >= -slack;
                let near = (-margin(slack)..0.0).contains(&above);
                if near && speed < 0.0 && in_span(0.0) && inside(0.0) {
                    return Some((0.0, -speed));
                }
                let mut times = self.in_plane(face).into_iter();
                times.find_map(|time| {
                    let speed = face.normal.dot(self.velocity_at(time.max(0.0)));
                    let counts = speed < 0.0 || both || face.both_sides;
                    let hits = counts && time >= 0.0 && in_span(time) && inside(time);
                    hits.then_some((time, speed.abs()))
                })
            }
            Shape::Round(round) => {
                self.first_inside(round, slack).filter(|(time, _)| in_span(*time))
            }
            Shape::Point(_) => None,
        }
    }

    /// Returns when it first is inside a solid, by steps and bisection.
    fn first_inside(&self, round: &Round, slack: f64) -> Option<(f64, f64)> {
        let gap = |time: f64| round.gap(self.at(time), slack);
        let (centre, reach) = match round {
            Round::Ball { centre, radius } => (*centre, *radius),
            Round::Cylinder { low, radius, height } => {
                (*low + DVec3::Z * (height * 0.5), radius.hypot(height * 0.5))
            }
        };
        if gap(0.0) <= 0.0 {
            return Some((0.0, 1.0));
        }
        // Steps of conservative advancement: nothing is nearer than the gap.
        let longest = if self.gravity == 0.0 { f64::INFINITY } else { 0.05 };
        let (mut time, mut last) = (0.0, 0.0);
        for _ in 0..20_000 {
            let speed = self.velocity_at(time).length() + self.gravity * 0.05 + 1e-9;
            let left = (self.at(time).distance(centre) - reach).max(gap(time));
            let step = (left / speed).clamp(0.0, longest).max(2e-5);
            (last, time) = (time, time + step);
            if time > self.length {
                return None;
            }
            if gap(time) <= 0.0 {
                break;
            }
        }
        let (mut low, mut high) = (last, time);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if gap(middle) <= 0.0 { high = middle } else { low = middle }
        }
        let change = (gap(high + 1e-4) - gap(high - 1e-4)) / 2e-4;
        Some((high, change.abs()))
    }
}
