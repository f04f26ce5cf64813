//! Upright cylinders.

use threshold_land::EPSILON;
use threshold_land::vector::Vec3;

/// An upright cylinder: its axis is always +Z. In metres.
///
/// Retail: `CCylSphere`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Centre of its bottom.
    pub low: Vec3,
    /// Radius.
    pub radius: f32,
    /// Height.
    pub height: f32,
}

/// The normal of a collision between a sphere and a cylinder.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderNormal {
    /// Horizontal and *not* of unit length for the side; up or down for a cap.
    pub normal: Vec3,
    /// Whether it is certain which of side and cap was hit first. If not, the normal is that of the
    /// side.
    pub definite: bool,
}

impl Cylinder {
    /// Returns whether a sphere with its centre at `displacement` from [`low`](Self::low) collides.
    ///
    /// `radius_sum` is the cylinder's radius minus [`EPSILON`] plus the radius of the mover's first
    /// sphere, whichever sphere is tested. Retail: `CCylSphere::collides_with_sphere`.
    pub fn collides_with_sphere(
        &self,
        sphere_radius: f32,
        displacement: Vec3,
        radius_sum: f32,
    ) -> bool {
        flat_length_squared(displacement) <= radius_sum * radius_sum
            && self.reaches_height(sphere_radius, displacement.z)
    }

    /// Returns the normal of the collision of a sphere that was at `current` before its move and is
    /// at `displacement` from [`low`](Self::low) after it.
    ///
    /// A sphere beside the cylinder gets the normal of the side, one above or below it that of the
    /// cap it moves towards.
    ///
    /// Retail: `CCylSphere::normal_of_collision`.
    pub fn collision_normal(
        &self,
        sphere_radius: f32,
        displacement: Vec3,
        radius_sum: f32,
        current: Vec3,
    ) -> CylinderNormal {
        let before = current - self.low;
        if radius_sum * radius_sum < flat_length_squared(before) {
            let definite = self.reaches_height(sphere_radius, before.z)
                || (before.z - displacement.z).abs() <= EPSILON;
            return CylinderNormal { normal: Vec3::new(before.x, before.y, 0.0), definite };
        }
        let normal = if displacement.z - before.z <= 0.0 { Vec3::Z } else { Vec3::NEG_Z };
        CylinderNormal { normal, definite: true }
    }

    fn reaches_height(&self, sphere_radius: f32, z: f32) -> bool {
        let half = self.height / 2.0;
        (sphere_radius - EPSILON) + half >= (half - z).abs()
    }
}

fn flat_length_squared(v: Vec3) -> f32 {
    v.x * v.x + v.y * v.y
}

#[cfg(test)]
mod tests {
    use super::*;

    const PILLAR: Cylinder = Cylinder { low: Vec3::ZERO, radius: 0.5, height: 2.0 };
    const RADIUS: f32 = 0.48;
    const RADIUS_SUM: f32 = PILLAR.radius - EPSILON + RADIUS;

    #[track_caller]
    fn check_hit(centre: [f32; 3], want: bool) {
        let displacement = Vec3::from(centre) - PILLAR.low;
        let got = PILLAR.collides_with_sphere(RADIUS, displacement, RADIUS_SUM);
        assert_eq!(got, want, "{centre:?}");
    }

    #[test]
    fn spheres_beside_above_and_below() {
        check_hit([0.97, 0.0, 1.0], true);
        check_hit([0.98, 0.0, 1.0], false);
        check_hit([0.0, 0.0, 2.4], true);
        check_hit([0.0, 0.0, 2.48], false);
        check_hit([0.0, 0.0, -0.4], true);
        check_hit([0.0, 0.0, -0.5], false);
    }

    #[test]
    fn ties_are_hits() {
        check_hit([RADIUS_SUM, 0.0, 1.0], true);
        check_hit([RADIUS_SUM.next_up(), 0.0, 1.0], false);
        let top = (RADIUS - EPSILON) + 1.0;
        let hit = |z| PILLAR.collides_with_sphere(RADIUS, Vec3::new(0.0, 0.0, z), RADIUS_SUM);
        assert!(hit(1.0 - top));
        assert!(!hit(1.0 - top - 1e-6));
    }

    /// A mover with its sphere on its origin moves from one origin to the other.
    #[track_caller]
    fn check_normal(from: [f32; 3], to: [f32; 3], definite: bool, normal: [f32; 3]) {
        let centre = |origin: [f32; 3]| Vec3::from(origin) + Vec3::new(0.0, 0.0, RADIUS);
        let displacement = centre(to) - PILLAR.low;
        let got = PILLAR.collision_normal(RADIUS, displacement, RADIUS_SUM, centre(from));
        let want = CylinderNormal { normal: normal.into(), definite };
        assert_eq!(got, want, "{from:?} -> {to:?}");
    }

    #[test]
    fn a_sphere_from_beside_hits_the_side_and_any_other_the_cap_ahead() {
        check_normal([1.6, 0.2, 0.5], [0.9, 0.0, 0.5], true, [1.6, 0.2, 0.0]);
        check_normal([1.6, 0.0, 2.6], [0.9, 0.0, 1.2], false, [1.6, 0.0, 0.0]);
        check_normal([0.3, 0.0, 2.3], [0.2, 0.0, 1.8], true, [0.0, 0.0, 1.0]);
        check_normal([0.3, 0.0, -0.9], [0.2, 0.0, -0.4], true, [0.0, 0.0, -1.0]);
        check_normal([0.3, 0.0, 1.0], [0.2, 0.0, 1.0], true, [0.0, 0.0, 1.0]); // level is down
        check_normal([1.6, 0.0, 2.6], [0.9, 0.0, 2.6], true, [1.6, 0.0, 0.0]); // level is definite
    }

    #[test]
    fn the_position_of_a_cylinder_counts() {
        let moved = Cylinder { low: Vec3::new(10.0, -4.0, 3.0), ..PILLAR };
        let (from, displacement) = (Vec3::new(1.5, 0.25, 0.5), Vec3::new(0.9, 0.0, 0.5));
        let at = |pillar: Cylinder| {
            pillar.collision_normal(RADIUS, displacement, RADIUS_SUM, from + pillar.low)
        };
        assert_eq!(at(moved), at(PILLAR));
    }
}
