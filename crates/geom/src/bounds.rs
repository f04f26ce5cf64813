//! Boxes with sides along the axes.

use threshold_land::vector::Vec3;

/// An axis-aligned box. Retail: `BBox`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// Returns the smallest box around all points, or `None` without points. Linear in the points.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(Self { min: first, max: first }, Self::grown))
    }

    /// Returns the corners. Bits 0, 1 and 2 of the index take x, y and z from [`max`](Self::max)
    /// instead of [`min`](Self::min).
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |bit: usize, low: f32, high: f32| if corner & bit == 0 { low } else { high };
            Vec3::new(
                pick(1, self.min.x, self.max.x),
                pick(2, self.min.y, self.max.y),
                pick(4, self.min.z, self.max.z),
            )
        })
    }

    /// Returns the box around the eight corners after `map`, for instance in another frame.
    ///
    /// Retail: `BBox::LocalToGlobal`, `BBox::LocalToLocal`.
    pub fn mapped(&self, mut map: impl FnMut(Vec3) -> Vec3) -> Self {
        let corners = self.corners().map(&mut map);
        corners.into_iter().fold(Self { min: corners[0], max: corners[0] }, Self::grown)
    }

    /// Returns the smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns whether a point is inside; the surface counts as inside.
    pub fn contains(&self, p: Vec3) -> bool {
        p.cmpge(self.min).all() && p.cmple(self.max).all()
    }

    fn grown(self, p: Vec3) -> Self {
        Self { min: self.min.min(p), max: self.max.max(p) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Bounds = Bounds { min: Vec3::new(0.0, 1.0, 2.0), max: Vec3::new(3.0, 4.0, 5.0) };

    #[test]
    fn a_box_from_points_is_tight() {
        assert_eq!(Bounds::from_points([]), None);
        assert_eq!(
            Bounds::from_points([Vec3::ONE]),
            Some(Bounds { min: Vec3::ONE, max: Vec3::ONE })
        );
        assert_eq!(Bounds::from_points(BOX.corners()), Some(BOX));
        assert_eq!(Bounds::from_points([BOX.max, BOX.min]), Some(BOX));
    }

    #[test]
    fn corners_count_in_binary() {
        let corners = BOX.corners();
        assert_eq!(corners[0], BOX.min);
        assert_eq!(corners[1], Vec3::new(3.0, 1.0, 2.0));
        assert_eq!(corners[2], Vec3::new(0.0, 4.0, 2.0));
        assert_eq!(corners[4], Vec3::new(0.0, 1.0, 5.0));
        assert_eq!(corners[7], BOX.max);
    }

    #[test]
    fn a_turned_box_is_boxed_again() {
        let quarter = |v: Vec3| Vec3::new(-v.y, v.x, v.z);
        let want = Bounds { min: Vec3::new(-4.0, 0.0, 2.0), max: Vec3::new(-1.0, 3.0, 5.0) };
        assert_eq!(BOX.mapped(quarter), want);
        // Turned, the box of the corners is larger than the original.
        let slanted = |v: Vec3| Vec3::new(v.x + v.y, v.y, v.z);
        assert_eq!(BOX.mapped(slanted).max.x, 7.0);
    }

    #[test]
    fn the_surface_is_inside() {
        assert!(BOX.contains(BOX.min) && BOX.contains(BOX.max));
        assert!(BOX.contains(Vec3::new(1.0, 2.0, 3.0)));
        for corner in BOX.corners() {
            assert!(!BOX.contains(corner + (corner - Vec3::new(1.5, 2.5, 3.5)) * 0.1));
        }
        let other = Bounds { min: Vec3::NEG_ONE, max: Vec3::ZERO };
        let both = BOX.union(&other);
        assert!(both.contains(other.min) && both.contains(BOX.max));
        assert_eq!(both, Bounds { min: Vec3::NEG_ONE, max: BOX.max });
    }
}
