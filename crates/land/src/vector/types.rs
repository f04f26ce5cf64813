//! The vectors of this workspace.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "conversions round or cut, as their names say"
)]

use super::macros::{real_vector, vector};

vector!(
    /// Two f32: a point of a plane, or texture coordinates.
    Vec2, f32, 2, [x, y], [0, 1]
);
vector!(
    /// Three f32: a point in metres or a direction. East, north, up.
    Vec3, f32, 3, [x, y, z], [0, 1, 2]
);
vector!(
    /// Four f32: a colour with opacity.
    Vec4, f32, 4, [x, y, z, w], [0, 1, 2, 3]
);
vector!(
    /// Two f64: a point of the screen.
    DVec2, f64, 2, [x, y], [0, 1]
);
vector!(
    /// Three f64: a point or a direction where f32 would lose too much.
    DVec3, f64, 3, [x, y, z], [0, 1, 2]
);
vector!(
    /// Four f64: a point of clip space, or a clip plane.
    DVec4, f64, 4, [x, y, z, w], [0, 1, 2, 3]
);
vector!(
    /// Two whole numbers: a place in a grid.
    IVec2, i32, 2, [x, y], [0, 1]
);
vector!(
    /// Three whole numbers: a place in a grid.
    IVec3, i32, 3, [x, y, z], [0, 1, 2]
);

real_vector!(Vec2, f32, [x, y]);
real_vector!(Vec3, f32, [x, y, z]);
real_vector!(Vec4, f32, [x, y, z, w]);
real_vector!(DVec2, f64, [x, y]);
real_vector!(DVec3, f64, [x, y, z]);
real_vector!(DVec4, f64, [x, y, z, w]);

/// The answers of a comparison, component by component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentMask<const N: usize>([bool; N]);

impl<const N: usize> ComponentMask<N> {
    /// Returns whether every component is true.
    #[inline]
    pub fn all(self) -> bool {
        self.0.iter().all(|&set| set)
    }

    /// Returns whether a component is true.
    #[inline]
    pub fn any(self) -> bool {
        self.0.iter().any(|&set| set)
    }
}

macro_rules! comparisons {
    ($($name:ident $count:literal [$($c:ident),+];)+) => {$(
        impl $name {
            /// Compares component by component: less.
            #[inline]
            pub fn cmplt(self, other: Self) -> ComponentMask<$count> {
                ComponentMask([$(self.$c < other.$c),+])
            }

            /// Compares component by component: less or equal.
            #[inline]
            pub fn cmple(self, other: Self) -> ComponentMask<$count> {
                ComponentMask([$(self.$c <= other.$c),+])
            }

            /// Compares component by component: greater.
            #[inline]
            pub fn cmpgt(self, other: Self) -> ComponentMask<$count> {
                other.cmplt(self)
            }

            /// Compares component by component: greater or equal.
            #[inline]
            pub fn cmpge(self, other: Self) -> ComponentMask<$count> {
                other.cmple(self)
            }
        }
    )+};
}

comparisons!(Vec2 2 [x, y]; Vec3 3 [x, y, z]; DVec2 2 [x, y]; DVec3 3 [x, y, z];);

/// Adds the axes, and what belongs to a plane.
macro_rules! plane_vector {
    ($($name:ident $scalar:ident $in_space:ident;)+) => {$(
        impl $name {
            /// The unit vector along x.
            pub const X: Self = Self::new(1 as $scalar, 0 as $scalar);
            /// The unit vector along y.
            pub const Y: Self = Self::new(0 as $scalar, 1 as $scalar);
            /// The unit vector against x.
            pub const NEG_X: Self = Self::new(-1 as $scalar, 0 as $scalar);
            /// The unit vector against y.
            pub const NEG_Y: Self = Self::new(0 as $scalar, -1 as $scalar);

            /// Returns the vector turned left by a quarter.
            #[inline]
            #[must_use]
            pub fn perp(self) -> Self {
                Self::new(-self.y, self.x)
            }

            /// Returns twice the area of the triangle of two vectors; positive where `other` is to the left.
            #[inline]
            pub fn perp_dot(self, other: Self) -> $scalar {
                (self.x * other.y) - (self.y * other.x)
            }

            /// Returns the vector with a third component.
            #[inline]
            pub const fn extend(self, z: $scalar) -> $in_space {
                $in_space::new(self.x, self.y, z)
            }
        }
    )+};
}

plane_vector!(Vec2 f32 Vec3; DVec2 f64 DVec3; IVec2 i32 IVec3;);

/// Adds the axes, and what belongs to space.
macro_rules! space_vector {
    ($($name:ident $scalar:ident $in_plane:ident;)+) => {$(
        impl $name {
            /// The unit vector along x, east.
            pub const X: Self = Self::new(1 as $scalar, 0 as $scalar, 0 as $scalar);
            /// The unit vector along y, north.
            pub const Y: Self = Self::new(0 as $scalar, 1 as $scalar, 0 as $scalar);
            /// The unit vector along z, up.
            pub const Z: Self = Self::new(0 as $scalar, 0 as $scalar, 1 as $scalar);
            /// The unit vector against x, west.
            pub const NEG_X: Self = Self::new(-1 as $scalar, 0 as $scalar, 0 as $scalar);
            /// The unit vector against y, south.
            pub const NEG_Y: Self = Self::new(0 as $scalar, -1 as $scalar, 0 as $scalar);
            /// The unit vector against z, down.
            pub const NEG_Z: Self = Self::new(0 as $scalar, 0 as $scalar, -1 as $scalar);

            /// Returns the vector at right angles to two others, by the right hand.
            #[inline]
            #[must_use]
            pub fn cross(self, other: Self) -> Self {
                Self::new(
                    self.y * other.z - other.y * self.z,
                    self.z * other.x - other.z * self.x,
                    self.x * other.y - other.x * self.y,
                )
            }

            /// Returns the vector without its third component.
            #[inline]
            pub const fn truncate(self) -> $in_plane {
                $in_plane::new(self.x, self.y)
            }

            /// Returns the vector with another first component.
            #[inline]
            #[must_use]
            pub const fn with_x(self, x: $scalar) -> Self {
                Self::new(x, self.y, self.z)
            }

            /// Returns the vector with another third component.
            #[inline]
            #[must_use]
            pub const fn with_z(self, z: $scalar) -> Self {
                Self::new(self.x, self.y, z)
            }
        }
    )+};
}

space_vector!(Vec3 f32 Vec2; DVec3 f64 DVec2; IVec3 i32 IVec2;);

/// Adds two directions that complete a frame.
macro_rules! frame_vector {
    ($($name:ident;)+) => {$(
        impl $name {
            /// Returns a unit vector at right angles to this one, which has unit length.
            ///
            /// The construction of Duff and others, "Building an Orthonormal Basis, Revisited".
            #[must_use]
            pub fn any_orthonormal_vector(self) -> Self {
                let sign = self.z.signum();
                let a = -1.0 / (sign + self.z);
                let b = self.x * self.y * a;
                Self::new(b, sign + self.y * self.y * a, -self.y)
            }

            /// Returns two unit vectors at right angles to this one, which has unit length, and to each other.
            pub fn any_orthonormal_pair(self) -> (Self, Self) {
                let sign = self.z.signum();
                let a = -1.0 / (sign + self.z);
                let b = self.x * self.y * a;
                (
                    Self::new(1.0 + sign * self.x * self.x * a, sign * b, -sign * self.x),
                    Self::new(b, sign + self.y * self.y * a, -self.y),
                )
            }
        }
    )+};
}

frame_vector!(Vec3; DVec3;);

impl DVec4 {
    /// The unit vector along w.
    pub const W: Self = Self::new(0.0, 0.0, 0.0, 1.0);

    /// Returns the vector without its fourth component.
    #[inline]
    pub const fn truncate(self) -> DVec3 {
        DVec3::new(self.x, self.y, self.z)
    }

    /// Returns the vector rounded to f32.
    #[inline]
    pub const fn as_vec4(self) -> Vec4 {
        Vec4::new(self.x as f32, self.y as f32, self.z as f32, self.w as f32)
    }
}

impl From<Vec3> for DVec3 {
    #[inline]
    fn from(vector: Vec3) -> Self {
        vector.as_dvec3()
    }
}

impl Vec3 {
    /// Returns the vector with a fourth component.
    #[inline]
    pub const fn extend(self, w: f32) -> Vec4 {
        Vec4::new(self.x, self.y, self.z, w)
    }

    /// Returns the vector in f64.
    #[inline]
    pub fn as_dvec3(self) -> DVec3 {
        DVec3::new(self.x.into(), self.y.into(), self.z.into())
    }
}

impl DVec3 {
    /// Returns the vector with a fourth component.
    #[inline]
    pub const fn extend(self, w: f64) -> DVec4 {
        DVec4::new(self.x, self.y, self.z, w)
    }

    /// Returns the vector rounded to f32.
    #[inline]
    pub const fn as_vec3(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }
}

impl Vec4 {
    /// Returns the vector without its fourth component.
    #[inline]
    pub const fn truncate(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }
}

impl Vec2 {
    /// Returns the remainders of the components after division by those of another vector, none negative.
    #[inline]
    #[must_use]
    pub fn rem_euclid(self, divisor: Self) -> Self {
        Self::new(self.x.rem_euclid(divisor.x), self.y.rem_euclid(divisor.y))
    }

    /// Returns the vector in f64.
    #[inline]
    pub fn as_dvec2(self) -> DVec2 {
        DVec2::new(self.x.into(), self.y.into())
    }

    /// Returns the whole parts of the components, limited to the range of i32.
    #[inline]
    pub const fn as_ivec2(self) -> IVec2 {
        IVec2::new(self.x as i32, self.y as i32)
    }
}

impl DVec2 {
    /// Returns the vector rounded to f32.
    #[inline]
    pub const fn as_vec2(self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32)
    }
}

impl IVec2 {
    /// Returns the sums of the components, wrapped where they overflow.
    #[must_use]
    pub const fn wrapping_add(self, other: Self) -> Self {
        Self::new(self.x.wrapping_add(other.x), self.y.wrapping_add(other.y))
    }

    /// Returns the absolute values.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs())
    }

    /// Returns the greater component.
    pub fn max_element(self) -> i32 {
        self.x.max(self.y)
    }

    /// Returns the vector in f32.
    pub const fn as_vec2(self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32)
    }
}

impl IVec3 {
    /// Returns the vector in f32.
    pub const fn as_vec3(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }
}

impl From<(f32, f32)> for Vec2 {
    fn from((x, y): (f32, f32)) -> Self {
        Self::new(x, y)
    }
}

impl From<Vec2> for (f32, f32) {
    fn from(vector: Vec2) -> Self {
        (vector.x, vector.y)
    }
}
