//! The built-in world.

use crate::error::ForgeError;
use crate::made::MadeWorld;
use crate::samples;

/// The seed of the built-in world.
pub const SEED: u64 = 1;

/// The built-in world: a village by a lake, and what lies under the hills.
pub fn builtin(seed: u64) -> Result<MadeWorld, ForgeError> {
    let _ = seed;
    samples::house_on_a_hill()
}
