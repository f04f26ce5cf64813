//! What all vector types share: construction, arithmetic by component, lengths, conversions.

/// Defines a vector type with named components.
///
/// Every operation is written out in f32 or f64 scalars, in the order of the components, so its bits are the same
/// on every target.
macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $scalar:ident, $count:literal, [$($c:ident),+], [$($i:literal),+]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq)]
        #[repr(C)]
        pub struct $name {
            $(
                #[doc = concat!("The ", stringify!($c), " component.")]
                pub $c: $scalar,
            )+
        }

        impl $name {
            /// All components 0.
            pub const ZERO: Self = Self::splat(0 as $scalar);
            /// All components 1.
            pub const ONE: Self = Self::splat(1 as $scalar);

            /// Makes a vector of its components.
            #[inline]
            pub const fn new($($c: $scalar),+) -> Self {
                Self { $($c),+ }
            }

            /// Makes a vector whose components are all `value`.
            #[inline]
            pub const fn splat(value: $scalar) -> Self {
                Self { $($c: value),+ }
            }

            /// Makes a vector of an array.
            #[inline]
            pub const fn from_array(components: [$scalar; $count]) -> Self {
                Self { $($c: components[$i]),+ }
            }

            /// Returns the components as an array.
            #[inline]
            pub const fn to_array(self) -> [$scalar; $count] {
                [$(self.$c),+]
            }

            /// Returns the vector with `f` applied to each component.
            #[inline]
            #[must_use]
            pub fn map(self, mut f: impl FnMut($scalar) -> $scalar) -> Self {
                Self { $($c: f(self.$c)),+ }
            }

            /// Returns the lesser of each two components; the one of `other` where one is NaN.
            #[inline]
            #[must_use]
            pub fn min(self, other: Self) -> Self {
                Self { $($c: if self.$c < other.$c { self.$c } else { other.$c }),+ }
            }

            /// Returns the greater of each two components; the one of `other` where one is NaN.
            #[inline]
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                Self { $($c: if self.$c > other.$c { self.$c } else { other.$c }),+ }
            }

            /// Returns each component moved between those of two vectors.
            #[inline]
            #[must_use]
            pub fn clamp(self, low: Self, high: Self) -> Self {
                self.max(low).min(high)
            }

            /// Returns the sum of the products of the components.
            #[inline]
            pub fn dot(self, other: Self) -> $scalar {
                vector!(@sum $(self.$c * other.$c),+)
            }
        }

        vector!(@operators $name, $scalar, [$($c),+]; Add add AddAssign add_assign +; Sub sub SubAssign sub_assign -;
            Mul mul MulAssign mul_assign *; Div div DivAssign div_assign /);

        impl std::ops::Neg for $name {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self { $($c: -self.$c),+ }
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(vectors: I) -> Self {
                vectors.fold(Self::ZERO, |sum, vector| sum + vector)
            }
        }

        impl<'a> std::iter::Sum<&'a Self> for $name {
            fn sum<I: Iterator<Item = &'a Self>>(vectors: I) -> Self {
                vectors.copied().sum()
            }
        }

        impl std::ops::Index<usize> for $name {
            type Output = $scalar;
            #[inline]
            fn index(&self, index: usize) -> &$scalar {
                [$(&self.$c),+][index]
            }
        }

        impl std::ops::IndexMut<usize> for $name {
            #[inline]
            fn index_mut(&mut self, index: usize) -> &mut $scalar {
                match index {
                    $($i => &mut self.$c,)+
                    _ => panic!(concat!("index {} of a vector of ", $count), index),
                }
            }
        }

        impl From<[$scalar; $count]> for $name {
            #[inline]
            fn from(components: [$scalar; $count]) -> Self {
                Self::from_array(components)
            }
        }

        impl From<$name> for [$scalar; $count] {
            #[inline]
            fn from(vector: $name) -> Self {
                vector.to_array()
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($name))$(.field(&self.$c))+.finish()
            }
        }

        /// Writes the components in brackets, with the precision of the format.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                for (index, component) in self.to_array().iter().enumerate() {
                    f.write_str(if index == 0 { "[" } else { ", " })?;
                    std::fmt::Display::fmt(component, f)?;
                }
                f.write_str("]")
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_array().serialize(serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <[$scalar; $count]>::deserialize(deserializer).map(Self::from_array)
            }
        }
    };
    (@sum $first:expr $(, $rest:expr)+) => { $first $(+ $rest)+ };
    (@operators $name:ident, $scalar:ident, $components:tt; $($op:ident $call:ident $assign:ident $set:ident $sign:tt);+) => {
        $(vector!(@operator $name, $scalar, $components, $op, $call, $assign, $set, $sign);)+
    };
    (@operator $name:ident, $scalar:ident, [$($c:ident),+], $op:ident, $call:ident, $assign:ident, $set:ident, $sign:tt) => {
        impl std::ops::$op for $name {
            type Output = Self;
            #[inline]
            fn $call(self, other: Self) -> Self {
                Self { $($c: self.$c $sign other.$c),+ }
            }
        }

        impl std::ops::$op<&Self> for $name {
            type Output = Self;
            #[inline]
            fn $call(self, other: &Self) -> Self {
                self $sign *other
            }
        }

        impl std::ops::$op<$scalar> for $name {
            type Output = Self;
            #[inline]
            fn $call(self, other: $scalar) -> Self {
                Self { $($c: self.$c $sign other),+ }
            }
        }

        impl std::ops::$op<$name> for $scalar {
            type Output = $name;
            #[inline]
            fn $call(self, other: $name) -> $name {
                $name { $($c: self $sign other.$c),+ }
            }
        }

        impl std::ops::$assign for $name {
            #[inline]
            fn $set(&mut self, other: Self) {
                *self = *self $sign other;
            }
        }

        impl std::ops::$assign<$scalar> for $name {
            #[inline]
            fn $set(&mut self, other: $scalar) {
                *self = *self $sign other;
            }
        }
    };
}

/// Adds what only vectors of real numbers have.
macro_rules! real_vector {
    ($name:ident, $scalar:ident, [$($c:ident),+]) => {
        impl $name {
            /// All components -1.
            pub const NEG_ONE: Self = Self::splat(-1.0);
            /// All components NaN.
            pub const NAN: Self = Self::splat($scalar::NAN);
            /// All components infinite.
            pub const INFINITY: Self = Self::splat($scalar::INFINITY);
            /// All components negative and infinite.
            pub const NEG_INFINITY: Self = Self::splat($scalar::NEG_INFINITY);

            /// Returns the length.
            #[inline]
            pub fn length(self) -> $scalar {
                self.dot(self).sqrt()
            }

            /// Returns the square of the length.
            #[inline]
            pub fn length_squared(self) -> $scalar {
                self.dot(self)
            }

            /// Returns the distance between two points.
            #[inline]
            pub fn distance(self, other: Self) -> $scalar {
                (self - other).length()
            }

            /// Returns the square of the distance between two points.
            #[inline]
            pub fn distance_squared(self, other: Self) -> $scalar {
                (self - other).length_squared()
            }

            /// Returns the vector at unit length: multiplied by the reciprocal of its length. Not finite for a zero
            /// vector.
            #[inline]
            #[must_use]
            pub fn normalize(self) -> Self {
                self * (1.0 / self.length())
            }

            /// Returns the vector at unit length, or `None` if it has no direction.
            #[inline]
            pub fn try_normalize(self) -> Option<Self> {
                let reciprocal = 1.0 / self.length();
                (reciprocal.is_finite() && reciprocal > 0.0).then(|| self * reciprocal)
            }

            /// Returns the vector at unit length, or `fallback` if it has no direction.
            #[inline]
            #[must_use]
            pub fn normalize_or(self, fallback: Self) -> Self {
                self.try_normalize().unwrap_or(fallback)
            }

            /// Returns the vector at unit length, or zero if it has no direction.
            #[inline]
            #[must_use]
            pub fn normalize_or_zero(self) -> Self {
                self.normalize_or(Self::ZERO)
            }

            /// Returns whether the square of the length is 1 to within 0.0002.
            #[inline]
            pub fn is_normalized(self) -> bool {
                (self.length_squared() - 1.0).abs() <= 2e-4
            }

            /// Returns the point at `part` of the way to another, 0 to 1.
            #[inline]
            #[must_use]
            pub fn lerp(self, other: Self, part: $scalar) -> Self {
                self * (1.0 - part) + other * part
            }

            /// Returns the vector shortened to at most a length.
            #[inline]
            #[must_use]
            pub fn clamp_length_max(self, max: $scalar) -> Self {
                let squared = self.length_squared();
                if squared > max * max { max * (self / squared.sqrt()) } else { self }
            }

            /// Returns the part of the vector at right angles to a unit vector.
            #[inline]
            #[must_use]
            pub fn reject_from_normalized(self, unit: Self) -> Self {
                self - unit * self.dot(unit)
            }

            /// Returns the absolute values.
            #[inline]
            #[must_use]
            pub fn abs(self) -> Self {
                self.map($scalar::abs)
            }

            /// Returns the components rounded to the nearest whole numbers, halves away from 0.
            #[inline]
            #[must_use]
            pub fn round(self) -> Self {
                self.map($scalar::round)
            }

            /// Returns the components rounded down.
            #[inline]
            #[must_use]
            pub fn floor(self) -> Self {
                self.map($scalar::floor)
            }

            /// Returns the components rounded up.
            #[inline]
            #[must_use]
            pub fn ceil(self) -> Self {
                self.map($scalar::ceil)
            }

            /// Returns 1 or -1 by the sign of each component.
            #[inline]
            #[must_use]
            pub fn signum(self) -> Self {
                self.map($scalar::signum)
            }

            /// Returns whether every component is finite.
            #[inline]
            pub fn is_finite(self) -> bool {
                $(self.$c.is_finite())&&+
            }

            /// Returns whether a component is NaN.
            #[inline]
            pub fn is_nan(self) -> bool {
                $(self.$c.is_nan())||+
            }

            /// Returns whether every component differs from its counterpart by at most `tolerance`.
            #[inline]
            pub fn abs_diff_eq(self, other: Self, tolerance: $scalar) -> bool {
                $((self.$c - other.$c).abs() <= tolerance)&&+
            }

            /// Returns the sum of the components.
            #[inline]
            pub fn element_sum(self) -> $scalar {
                vector!(@sum $(self.$c),+)
            }

            /// Returns the least component.
            #[inline]
            pub fn min_element(self) -> $scalar {
                real_vector!(@fold <, $(self.$c),+)
            }

            /// Returns the greatest component.
            #[inline]
            pub fn max_element(self) -> $scalar {
                real_vector!(@fold >, $(self.$c),+)
            }
        }
    };
    // From the last component to the first; a component that is NaN gives way to those after it.
    (@fold $sign:tt, $last:expr) => { $last };
    (@fold $sign:tt, $first:expr, $($rest:expr),+) => {{
        let (first, rest) = ($first, real_vector!(@fold $sign, $($rest),+));
        if first $sign rest { first } else { rest }
    }};
}

pub(super) use {real_vector, vector};
