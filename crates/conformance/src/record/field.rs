//! A field that may be missing or null.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use threshold_land::Plane;
use threshold_land::vector::Vec3;

/// A field of a step. Null and absent differ: coordinate calls are compared only in the fields that
/// both sides have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Field<T> {
    /// The field is absent.
    #[default]
    Absent,
    /// The field is null.
    Null,
    /// The field has a value.
    Value(T),
}

impl<T> Field<T> {
    /// Returns the value, if any.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Returns whether the field is absent.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}

/// Reads a list of numbers; `null` stands for a number that JSON does not have.
pub(super) fn numbers<'de, D, const N: usize>(deserializer: D) -> Result<Field<[f64; N]>, D::Error>
where
    D: Deserializer<'de>,
    [Option<f64>; N]: Deserialize<'de>,
{
    let read = Option::<[Option<f64>; N]>::deserialize(deserializer)?;
    Ok(read.map(|list| list.map(|number| number.unwrap_or(f64::NAN))).into())
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl From<Vec3> for Field<[f64; 3]> {
    fn from(vector: Vec3) -> Self {
        Self::Value(vector.to_array().map(f64::from))
    }
}

impl From<Option<Vec3>> for Field<[f64; 3]> {
    fn from(vector: Option<Vec3>) -> Self {
        vector.map_or(Self::Null, Self::from)
    }
}

impl From<Plane> for Field<[f64; 4]> {
    fn from(Plane { normal, d }: Plane) -> Self {
        Self::Value([normal.x, normal.y, normal.z, d].map(f64::from))
    }
}

impl From<Option<Plane>> for Field<[f64; 4]> {
    fn from(plane: Option<Plane>) -> Self {
        plane.map_or(Self::Null, Self::from)
    }
}
