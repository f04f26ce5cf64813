//! Ids and states as text.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use threshold_dat::RecordId;
use threshold_world::State;

pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RecordId, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

pub(super) fn state<'de, D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    let bits = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    bits.map(State).ok_or_else(|| {
        D::Error::custom(format_args!("{text:?} is not a state, such as \"0x00000408\""))
    })
}
