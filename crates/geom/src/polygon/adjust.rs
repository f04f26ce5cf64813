//! Moves spheres so that they are tangent to a polygon's plane.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Sphere};

use super::Polygon;
use crate::constants::POLYGON_INTERPOLATION_FLOOR;

impl Polygon<'_> {
    /// Backs a sphere out along a movement against the normal until it is tangent to the plane, if
    /// that is farther back than the `interpolation` of an earlier polygon.
    ///
    /// `interpolation` is the remaining part of the movement: 1 at first, smaller with every
    /// success, never below [`POLYGON_INTERPOLATION_FLOOR`]. If the result is `false`, nothing has
    /// changed. The outline is ignored.
    ///
    /// Retail: `CPolygon::adjust_sphere_to_plane`, `SPHEREPATH::walk_interp`.
    pub fn adjust_sphere_to_plane(
        &self,
        sphere: &mut Sphere,
        movement: Vec3,
        interpolation: &mut f32,
    ) -> bool {
        let distance = self.plane.distance(sphere.centre);
        let speed = movement.dot(self.plane.normal);
        let excess = if speed > EPSILON {
            // Retail oddity: the sign is inverted, so that a sphere behind the plane is moved away
            // from it by the same distance again. A sphere that overlaps is never moved, and walks
            // pass no other.
            -sphere.radius - distance
        } else if speed < -EPSILON {
            distance - sphere.radius
        } else {
            return false;
        };
        let back = excess / speed;
        let left = (1.0 - back) * *interpolation;
        if left >= *interpolation || left < POLYGON_INTERPOLATION_FLOOR {
            return false;
        }
        sphere.centre -= movement * back;
        *interpolation = left;
        true
    }

    /// Returns when a sphere of that radius, moving from `current`, first is tangent to the plane,
    /// as a part of the movement: not clamped, exactly 1 if it touches the plane from the start,
    /// exactly 0 if it moves along it. The outline is ignored.
    ///
    /// Retail: `CPolygon::adjust_sphere_to_poly`.
    pub fn adjust_sphere_to_poly(&self, radius: f32, current: Vec3, movement: Vec3) -> f64 {
        let distance = self.plane.distance(current);
        if distance.abs() < radius {
            return 1.0;
        }
        let speed = movement.dot(self.plane.normal);
        if speed.abs() < EPSILON {
            return 0.0;
        }
        let tangent = if distance <= 0.0 { -radius } else { radius };
        // The bisection that continues from here brackets in double precision.
        f64::from(tangent - distance) / f64::from(speed)
    }

    /// Moves two spheres of one mover along the normal until the one that hit is tangent: on its
    /// own side, or across the plane if its centre is in solid space. Without `solid_check` always
    /// to the front.
    ///
    /// Retail: `CPolygon::adjust_to_placement_poly`.
    pub fn adjust_to_placement_poly(
        &self,
        struck: &mut Sphere,
        other: &mut Sphere,
        radius: f32,
        centre_solid: bool,
        solid_check: bool,
    ) {
        let distance = self.plane.distance(struck.centre);
        let behind = distance <= 0.0;
        // Both inversions cancel: behind the plane and in solid space comes out in front.
        let flipped = solid_check && (centre_solid != behind);
        let tangent = if flipped { -radius } else { radius };
        let push = self.plane.normal * (tangent - distance);
        struck.centre += push;
        other.centre += push;
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{close, ramp, square};
    use super::*;

    /// `want` is the resulting centre and interpolation.
    #[track_caller]
    fn check_plane(
        polygon: Polygon<'_>,
        centre: [f32; 3],
        movement: [f32; 3],
        interpolation: f32,
        want: Option<([f32; 3], f32)>,
    ) {
        let before = Sphere::new(centre.into(), 0.5);
        let (mut sphere, mut left) = (before, interpolation);
        let moved = polygon.adjust_sphere_to_plane(&mut sphere, movement.into(), &mut left);
        assert_eq!(moved, want.is_some(), "{centre:?} {movement:?}");
        match want {
            Some((centre, interpolation)) => {
                close(sphere.centre, centre);
                assert!((left - interpolation).abs() < 1e-5, "{left}");
            }
            None => assert_eq!((sphere, left), (before, interpolation)),
        }
    }

    #[test]
    fn a_sphere_is_backed_out_of_the_plane_if_that_is_farther_than_before() {
        let (sq, down) = (square(), [0.0, 0.0, -1.0]);
        check_plane(sq, [2.0, 2.0, 0.3], down, 1.0, Some(([2.0, 2.0, 0.5], 0.8)));
        let slanted = [0.3, 0.0, -0.4];
        check_plane(sq, [2.0, 2.0, 0.3], slanted, 0.8, Some(([1.85, 2.0, 0.5], 0.4)));
        check_plane(sq, [2.0, 2.0, 0.7], down, 1.0, None);
        check_plane(sq, [2.0, 2.0, 0.3], [1.0, 0.0, 0.0], 1.0, None);
        check_plane(sq, [2.0, 2.0, 0.3], [0.0, 0.0, 1.0], 1.0, None);
        let fall = [0.0, 0.0, -0.6];
        check_plane(ramp(), [2.0, 2.0, 2.5], fall, 1.0, Some(([2.0, 2.0, 2.707_107], 0.654_822)));
    }

    #[test]
    fn half_a_step_before_the_start_is_the_last_that_is_allowed() {
        let down = [0.0, 0.0, -0.5];
        check_plane(square(), [2.0, 2.0, -0.25], down, 1.0, Some(([2.0, 2.0, 0.5], -0.5)));
        check_plane(square(), [2.0, 2.0, -0.4], down, 1.0, None);
    }

    #[test]
    fn a_sphere_that_rises_to_the_plane_from_below_is_moved_away_from_it() {
        let up = [0.0, 0.0, 0.5];
        check_plane(square(), [2.0, 2.0, -0.75], up, 1.0, Some(([2.0, 2.0, -1.0], 0.5)));
        // Overlapping, between the two tangent positions, it stays where it is.
        for z in [-0.5, -0.25, 0.0, 0.25, 0.5] {
            check_plane(square(), [2.0, 2.0, z], up, 1.0, None);
        }
    }

    #[test]
    fn an_equal_lift_is_no_improvement() {
        // Already tangent: the interpolation would stay the same.
        check_plane(square(), [2.0, 2.0, 0.5], [0.0, 0.0, -1.0], 1.0, None);
    }

    #[test]
    fn the_time_of_first_touch_is_not_clamped() {
        for (z, movement, want) in [
            (0.3, [0.0, 0.0, -1.0], 1.0),
            (2.0, [0.0, 0.0, -2.0], 0.75),
            (2.0, [0.0, 0.0, -0.4], 3.75),
            (-2.0, [0.0, 0.0, 2.0], 0.75),
            (2.0, [1.0, 0.0, 0.0], 0.0),
        ] {
            let current = Vec3::new(2.0, 2.0, z);
            let got = square().adjust_sphere_to_poly(0.5, current, movement.into());
            assert!((got - want).abs() < 1e-5, "{z} {movement:?}: {got} instead of {want}");
        }
        // Callers compare with 1 and 0, so these are exact; a tie counts as on the way.
        let exact = |z, movement| {
            square().adjust_sphere_to_poly(0.5, Vec3::new(2.0, 2.0, z), movement).to_bits()
        };
        assert_eq!(exact(0.3, Vec3::NEG_Z), 1.0_f64.to_bits());
        assert_eq!(exact(2.0, Vec3::X), 0.0_f64.to_bits());
        assert_eq!(exact(0.5, Vec3::NEG_Z).cast_signed() << 1, 0);
    }

    #[track_caller]
    fn check_placement(solid_check: bool, centre_solid: bool, z: f32, want: f32) {
        let mut struck = Sphere::new(Vec3::new(2.0, 2.0, z), 0.48);
        let mut other = Sphere::new(Vec3::new(2.0, 2.0, z + 1.0), 0.48);
        square().adjust_to_placement_poly(&mut struck, &mut other, 0.5, centre_solid, solid_check);
        close(struck.centre, [2.0, 2.0, want]);
        close(other.centre, [2.0, 2.0, want + 1.0]);
    }

    #[test]
    fn placement_stays_on_the_empty_side_and_leaves_solid_space() {
        check_placement(true, false, 0.3, 0.5);
        check_placement(true, false, -0.3, -0.5);
        check_placement(true, true, -0.3, 0.5);
        check_placement(true, true, 0.3, -0.5);
        check_placement(true, false, 0.0, -0.5); // in the plane is behind it
        for centre_solid in [false, true] {
            check_placement(false, centre_solid, -0.3, 0.5);
        }
    }
}
