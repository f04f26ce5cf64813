//! Rings of positions that a placement tries around an occupied one.

use std::f32::consts::PI;

use threshold_land::vector::Vec3;

/// Maximum distance of a ring from the centre, in metres; half of it for the smallest movers.
const MAX_DISTANCE: f32 = 4.0;

/// Radius in metres below which the maximum distance is halved.
const SMALL_RADIUS: f32 = 0.125;

/// Minimum radius assumed for the spacing. Retail has no such bound and never ends for a mover of
/// radius 0.
const MIN_RADIUS: f32 = 0.02;

/// Minimum radius that the spacing of other movers is computed from.
const DEFAULT_RADIUS: f32 = 0.48;

/// Offsets from a position, ring by ring, each clockwise from north. Retail: the loops of
/// `find_placement_pos`.
#[derive(Clone, Debug)]
pub(crate) struct PlacementRings {
    rings_left: u32,
    /// Increments per ring: of the distance in metres, and of half the number of positions.
    spacing: f32,
    half_step: f32,
    /// Of the current ring.
    distance: f32,
    half: f32,
    count: u32,
    number: u32,
}

impl PlacementRings {
    /// The rings for a mover of this radius; none from a radius of 4 metres.
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
            reason = "a small whole number"
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

    /// Accumulates from ring to ring, as retail does: the rounding must be the same.
    fn next_ring(&mut self) -> Option<()> {
        self.rings_left = self.rings_left.checked_sub(1)?;
        self.distance += self.spacing;
        self.half += self.half_step;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small whole number"
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

    /// Returns the distance of each ring and its number of positions.
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
    fn ring_spacing_and_counts_match_worked_examples() {
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
    fn a_ring_starts_in_the_north_and_runs_clockwise() {
        let first: Vec<Vec3> = PlacementRings::new(0.48).take(6).collect();
        assert!((first[0] - Vec3::Y * 4.0 / 9.0).length() < 1e-6);
        assert!(first[1].x > 0.0 && first[1].y > 0.0 && first[5].x < 0.0);
    }
}
