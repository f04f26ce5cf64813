//! Volumes at rest in the reference: balls by distance, boxes by clipping, cones by alternating projections.

use std::cell::Cell;
use threshold_land::Position;

use threshold_land::vector::{DVec2, DVec3};

use super::reach::Solid;
use super::{Face, Round, Shape, Span};

/// A volume at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plain {
    Ball { centre: DVec3, radius: f64 },
    Box { centre: DVec3, axes: [DVec3; 3], half: DVec3 },
    Cone { apex: DVec3, axis: DVec3, angle: f64, length: f64 },
}

const NOW: Span = Span { from: 0.0, to: 0.0 };

/// Rounds of alternating projections.
const ROUNDS: usize = 5000;
/// A gap that may still close if they go on.
const UNSURE: f64 = 0.05;

thread_local! {
    /// Whether a gap was neither closed nor certain to stay open.
    static IS_UNSURE: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether an answer since the last call was unsure.
pub(crate) fn take_unsure() -> bool {
    IS_UNSURE.replace(false)
}
/// A gap that they close to where two shapes overlap.
const CLOSED: f64 = 1e-5;

impl Plain {
    pub(crate) fn ball(at: &Position, radius: f64) -> Self {
        Self::Ball { centre: at.frame.origin.as_dvec3(), radius }
    }

    pub(crate) fn oriented_box(at: &Position, half: DVec3) -> Self {
        let axes = at.frame.rotation.rows().0.map(|row| row.as_dvec3().normalize());
        Self::Box { centre: at.frame.origin.as_dvec3(), axes, half }
    }

    /// Returns it with all surfaces moved outwards; a cone becomes a little wider, too.
    pub(crate) fn grown(self, more: f64) -> Self {
        match self {
            Self::Ball { centre, radius } => {
                Self::Ball { centre, radius: (radius + more).max(0.0) }
            }
            Self::Box { centre, axes, half } => {
                let half = (half + DVec3::splat(more)).max(DVec3::ZERO);
                Self::Box { centre, axes, half }
            }
            Self::Cone { apex, axis, angle, length } => {
                let angle = (angle + more).clamp(0.0, std::f64::consts::FRAC_PI_2);
                Self::Cone {
                    apex: apex - axis * more,
                    axis,
                    angle,
                    length: (length + 2.0 * more).max(0.0),
                }
            }
        }
    }

    fn middle(&self) -> DVec3 {
        match self {
            Self::Ball { centre, .. } | Self::Box { centre, .. } => *centre,
            Self::Cone { apex, .. } => *apex,
        }
    }

    fn reach(&self) -> f64 {
        match self {
            Self::Ball { radius, .. } => *radius,
            Self::Box { half, .. } => half.length(),
            Self::Cone { length, .. } => *length,
        }
    }

    /// Returns its point nearest to a point.
    fn nearest(&self, p: DVec3) -> DVec3 {
        match self {
            Self::Ball { centre, radius } => {
                let off = p - *centre;
                *centre + off * (radius / off.length().max(1e-30)).min(1.0)
            }
            Self::Box { centre, axes, half } => {
                let off = p - *centre;
                (0..3)
                    .fold(*centre, |at, i| at + axes[i] * axes[i].dot(off).clamp(-half[i], half[i]))
            }
            Self::Cone { apex, axis, angle, length } => {
                let off = p - *apex;
                let along = off.dot(*axis);
                let aside = off - *axis * along;
                let own = libm::atan2(aside.length(), along);
                let turned = own.min(*angle);
                let side = aside.normalize_or_zero();
                let ray = *axis * libm::cos(turned) + side * libm::sin(turned);
                *apex + ray * off.dot(ray).clamp(0.0, *length)
            }
        }
    }

    fn meets(&self, other: impl Fn(DVec3) -> DVec3) -> bool {
        let mut at = self.middle();
        if other(at).distance(at) > self.reach() {
            return false;
        }
        let (mut gap, mut before) = (f64::INFINITY, f64::INFINITY);
        for round in 1..=ROUNDS {
            let there = other(at);
            at = self.nearest(there);
            gap = at.distance(there);
            if gap < CLOSED {
                return true;
            }
            if round % 100 == 0 {
                if before - gap < 1e-3 * gap && gap > UNSURE {
                    return false;
                }
                before = gap;
            }
        }
        if gap < UNSURE {
            IS_UNSURE.set(true);
        }
        false
    }

    pub(crate) fn touches_face(&self, face: &Face) -> bool {
        if face.middle().distance(self.middle()) > face.radius + self.reach() {
            return false;
        }
        match self {
            Self::Ball { centre, radius } => face.nearest(*centre).distance(*centre) <= *radius,
            Self::Box { centre, axes, half } => {
                let mut left = face.corners.clone();
                for axis in 0..3 {
                    for sign in [1.0, -1.0] {
                        let inside = |p: DVec3| half[axis] - (p - *centre).dot(axes[axis]) * sign;
                        left = clipped(&left, inside);
                    }
                }
                !left.is_empty()
            }
            Self::Cone { .. } => self.meets(|p| face.nearest(p)),
        }
    }

    pub(crate) fn touches_shape(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Face(face) => self.touches_face(face),
            Shape::Round(round @ Round::Ball { .. }) => {
                let Round::Ball { centre, radius } = round else { return false };
                self.nearest(*centre).distance(*centre) <= *radius
            }
            Shape::Round(round) => match self {
                Self::Ball { centre, radius } => {
                    round.nearest(*centre).distance(*centre) <= *radius
                }
                _ => self.meets(|p| round.nearest(p)),
            },
            Shape::Point(point) => self.nearest(*point).distance(*point) <= 1e-9,
        }
    }
}

/// Returns the distance of a point from a shape.
pub(crate) fn distance(shape: &Shape, p: DVec3) -> f64 {
    match shape {
        Shape::Face(face) => face.nearest(p).distance(p),
        Shape::Round(round) if round.gap(p, 0.0) <= 0.0 => 0.0,
        Shape::Round(round) => round.nearest(p).distance(p),
        Shape::Point(point) => point.distance(p),
    }
}

/// Returns the part of an outline where a height is not negative.
fn clipped(outline: &[DVec3], height: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut left = Vec::new();
    for (from, to) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let (here, there) = (height(*from), height(*to));
        if here >= 0.0 {
            left.push(*from);
        }
        if (here >= 0.0) != (there >= 0.0) {
            left.push(*from + (*to - *from) * (here / (here - there)));
        }
    }
    left
}

impl Solid for Plain {
    fn shifted(&self, offset: DVec3) -> Self {
        match *self {
            Self::Ball { centre, radius } => Self::Ball { centre: centre - offset, radius },
            Self::Box { centre, axes, half } => Self::Box { centre: centre - offset, axes, half },
            Self::Cone { apex, axis, angle, length } => {
                Self::Cone { apex: apex - offset, axis, angle, length }
            }
        }
    }

    fn touches(&self, face: &Face) -> Option<Span> {
        self.touches_face(face).then_some(NOW)
    }

    fn over(&self, corner: DVec2) -> Option<Span> {
        let (centre, mut reach) = (self.middle(), DVec2::splat(self.reach()));
        if let Self::Box { axes, half, .. } = self {
            let along = |pick: fn(&DVec3) -> f64| {
                (0..3).map(|i| pick(&axes[i]).abs() * half[i]).sum::<f64>()
            };
            reach = DVec2::new(along(|axis| axis.x), along(|axis| axis.y));
        }
        let apart = (0..2)
            .any(|i| centre[i] + reach[i] < corner[i] || centre[i] - reach[i] > corner[i] + 24.0);
        (!apart).then_some(NOW)
    }
}
