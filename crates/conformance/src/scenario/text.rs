//! Ids and states as text.

/// Ids of records: `"0x02000001"`.
pub(crate) mod id {
    use std::borrow::Cow;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};
    use threshold_dat::RecordId;

    pub(crate) fn serialize<S: Serializer>(
        id: &RecordId,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(id)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<RecordId, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// States: `"0x00400408"`.
pub(crate) mod state {
    use std::borrow::Cow;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};
    use threshold_world::State;

    pub(crate) fn serialize<S: Serializer>(
        state: &State,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("0x{:08X}", state.0))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<State, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x");
        // The standard library would take a sign, too.
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let bits = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        bits.map(State).ok_or_else(|| {
            D::Error::custom(format_args!(
                "{text:?} is not a physics state; write hexadecimal digits, such as \"0x00000408\""
            ))
        })
    }
}
