//! Spheres.

use crate::vector::Vec3;

use crate::constants::EPSILON;

/// A centre and a radius, in metres. Retail: `CSphere`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// The centre.
    pub centre: Vec3,
    /// Distance of the surface from the centre.
    pub radius: f32,
}

impl Sphere {
    /// Makes a sphere.
    pub const fn new(centre: Vec3, radius: f32) -> Self {
        Self { centre, radius }
    }

    /// Whether the two overlap or touch, within [`EPSILON`] of squared distance: the bounding test of every tree walk.
    ///
    /// Retail: `CSphere::intersects`.
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        (self.centre - other.centre).length_squared() - reach * reach < EPSILON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_spheres_intersect() {
        let unit = |x| Sphere::new(Vec3::new(x, 0.0, 0.0), 1.0);
        assert!(unit(0.0).intersects(&unit(2.0)));
        assert!(unit(0.0).intersects(&unit(2.00004)));
        assert!(!unit(0.0).intersects(&unit(2.0001)));
    }
}
