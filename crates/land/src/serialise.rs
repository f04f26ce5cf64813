//! Serde forms that are not the derived ones: ids as text, rotations scalar first.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{BlockId, CellId, Rotation};

macro_rules! as_text {
    ($($id:ty),*) => {$(
        impl Serialize for $id {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $id {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(BlockId, CellId);

impl Serialize for Rotation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_array().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[f32; 4]>::deserialize(deserializer).map(|[w, x, y, z]| Self::new(w, x, y, z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::vector::Vec3;

    #[test]
    fn ids_are_text_and_rotations_scalar_first() {
        let position = Position::new(CellId(0xA9B4_0031), Vec3::new(1.0, 2.0, 3.5));
        let json = serde_json::to_string(&position).unwrap();
        let want = r#"{"cell":"0xA9B40031","frame":{"origin":[1.0,2.0,3.5],"rotation":[1.0,0.0,0.0,0.0]}}"#;
        assert_eq!(json, want);
        assert_eq!(serde_json::from_str::<CellId>("\"0xA9B40031\"").unwrap(), position.cell);
        assert!(serde_json::from_str::<CellId>("\"A9B4\"").is_err());
    }
}
