//! Vectors of f32, f64 and whole numbers, and tests with retail's tolerance.
//!
//! The types are our own so that their bits depend on nothing but this file: no feature of another crate changes how
//! they are computed. Each converts from and into an array, and so into the vectors of any other library.

mod macros;
mod types;

pub use types::{ComponentMask, DVec2, DVec3, DVec4, IVec2, IVec3, Vec2, Vec3, Vec4};

use crate::constants::EPSILON;

/// Returns `v` at unit length, or `None` ("small") when it is shorter than [`EPSILON`].
///
/// Retail: `Vector3::normalize_check_small`.
#[inline]
pub fn normalise(v: Vec3) -> Option<Vec3> {
    let length = v.length();
    // This comparison refuses NaN, too.
    if length >= EPSILON { Some(v * (1.0 / length)) } else { None }
}

/// Whether every component is closer to 0 than [`EPSILON`]. Retail: `Vector3::is_zero`.
#[inline]
pub fn is_zero(v: Vec3) -> bool {
    v.x.abs() < EPSILON && v.y.abs() < EPSILON && v.z.abs() < EPSILON
}

/// Whether every component agrees to within [`EPSILON`]. Retail: `Vector3::operator==`.
#[inline]
pub fn near(a: Vec3, b: Vec3) -> bool {
    is_zero(a - b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        assert!(near(normalise(Vec3::new(3.0, 4.0, 0.0)).unwrap(), Vec3::new(0.6, 0.8, 0.0)));
        assert_eq!(normalise(Vec3::splat(0.0001)), None);
        assert_eq!(normalise(Vec3::new(EPSILON, 0.0, 0.0)), Some(Vec3::X));
        assert_eq!(normalise(Vec3::splat(f32::NAN)), None);
    }

    #[test]
    fn equality_is_strict() {
        assert!(is_zero(Vec3::splat(0.000_19)));
        assert!(!is_zero(Vec3::new(0.0, EPSILON, 0.0)));
    }
}
