//! Where room is looked for round a place that is taken.

use std::f32::consts::PI;

use threshold_land::glam::Vec3;

/// How far from the middle room is looked for, in metres; for the smallest movers half of it.
const MAX_DISTANCE: f32 = 4.0;

/// Smaller movers look nearer by.
const SMALL_RADIUS: f32 = 0.125;

/// A still smaller one looks as this one does. Retail has no such bound, and looks for ever for one of no size.
const MIN_RADIUS: f32 = 0.02;

/// PlacementRings are not closer together than for a mover of this radius.
const DEFAULT_RADIUS: f32 = 0.48;

/// Offsets from a place, ring after ring, each from north clockwise. Retail: the loops of `find_placement_pos`.
#[derive(Clone, Debug)]
pub(crate) struct PlacementRings {
    rings_left: u32,
    /// From ring to ring, in metres and in half the number of places.
    spacing: f32,
    half_step: f32,
    /// Of this ring.
    distance: f32,
    half: f32,
    count: u32,
    number: u32,
}

impl PlacementRings {
    /// For a mover of this radius; none for one of 4 metres or half_step.
    pub(crate) fn new(radius: f32) -> Self {
        let (radius, reach) = match radius < SMALL_RADIUS {
            true => (radius.max(MIN_RADIUS), MAX_DISTANCE / 2.0),
            false => (radius.max(DEFAULT_RADIUS), MAX_DISTANCE),
        };
        let rings = reach / radius;
        let rings = if rings > 1.0 { rings.ceil() } else { 0.0 };
        let spacing = reach / rings;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, and few"
        )]
        let rings_left = rings as u32;
        Self {
            rings_left,
            spacing,
            half_step: PI * spacing / radius,
            distance: 0.0,
            half: 0.0,
            count: 0,
            number: 0,
        }
    }

    /// Retail adds up from ring to ring, and so does this: the sums are rounded.
    fn next_ring(&mut self) -> Option<()> {
        self.rings_left = self.rings_left.checked_sub(1)?;
        self.distance += self.spacing;
        self.half += self.half_step;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, and few"
        )]
        let count = 2 * self.half.ceil() as u32;
        (self.count, self.number) = (count, 0);
        Some(())
    }
}

impl Iterator for PlacementRings {
    type Item = Vec3;

    fn next(&mut self) -> Option<Vec3> {
        while self.number == self.count {
            self.next_ring()?;
        }
        // Few enough to be exact.
        let heading = self.number as f32 * 360.0 / self.count as f32;
        self.number += 1;
        let (sin, cos) = libm::sincosf(heading.to_radians());
        Some(Vec3::new(sin * self.distance, cos * self.distance, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance of each ring and how many places it has.
    fn rings(radius: f32) -> Vec<(f32, u32)> {
        let mut rings = PlacementRings::new(radius);
        std::iter::from_fn(|| rings.next_ring().map(|()| (rings.distance, rings.count))).collect()
    }

    #[track_caller]
    fn check(radius: f32, spacing: f32, counts: &[u32], tries: usize) {
        let rings = rings(radius);
        assert!(rings.iter().map(|ring| ring.1).take(counts.len()).eq(counts.iter().copied()));
        for (ring, number) in rings.iter().zip(1..) {
            assert!((ring.0 - spacing * number as f32).abs() < 1e-4, "{radius}: {ring:?}");
        }
        assert_eq!(PlacementRings::new(radius).count(), tries, "{radius}");
    }

    #[test]
    fn worked_examples() {
        let nine = [6, 12, 18, 24, 30, 36, 42, 48, 54];
        check(0.3, 4.0 / 9.0, &nine, 270);
        check(0.48, 4.0 / 9.0, &nine, 270);
        check(0.1, 0.1, &[8, 14, 20, 26, 32, 38, 44, 52], 1338);
        assert_eq!((rings(0.1).len(), rings(0.1)[19].1), (20, 126));
        check(1.0, 1.0, &[8, 14, 20, 26], 68);
        assert_eq!(rings(1.0).len(), 4);
        for none in [4.0, 100.0, f32::INFINITY] {
            assert_eq!(PlacementRings::new(none).count(), 0, "{none}");
        }
        assert_eq!(rings(0.0).len(), 100);
    }

    #[test]
    fn a_ring_begins_in_the_north_and_goes_round_clockwise() {
        let first: Vec<Vec3> = PlacementRings::new(0.48).take(6).collect();
        assert!((first[0] - Vec3::Y * 4.0 / 9.0).length() < 1e-6);
        assert!(first[1].x > 0.0 && first[1].y > 0.0 && first[5].x < 0.0);
    }
}
