//! Worlds that the forge makes: the built-in one, and villages and deep dungeons by chance, each on several seeds.

use std::sync::{Arc, LazyLock};

use threshold_forge::{MadeWorld, SEED, builtin, samples};
use threshold_world::{Builder, World};

use super::everything;

/// A made world, and what it is called where something is wrong with it.
pub(crate) struct Forged {
    pub(crate) name: String,
    /// Chance in a test goes by it as well: the houses of the built-in world are the same for every seed.
    pub(crate) seed: u64,
    pub(crate) source: Arc<MadeWorld>,
}

impl Forged {
    fn new(name: &str, seed: u64, source: MadeWorld) -> Self {
        Self { name: format!("{name} {seed}"), seed, source: Arc::new(source) }
    }

    pub(crate) fn builder(&self) -> Builder {
        Builder::shared(self.source.clone())
    }

    /// All of it, resident, with nothing left out.
    pub(crate) fn world(&self) -> World {
        everything(&self.builder())
    }
}

/// How many seeds of each: three, with `THRESHOLD_SOAK` set ten.
fn seeds() -> std::ops::Range<u64> {
    let count = if std::env::var_os("THRESHOLD_SOAK").is_some() { 10 } else { 3 };
    SEED..SEED + count
}

/// The built-in world is half a second's work, and every test of a file asks for it.
static BUILTINS: LazyLock<Vec<Forged>> = LazyLock::new(|| {
    seeds().map(|seed| Forged::new("built-in", seed, builtin(seed).unwrap())).collect()
});

/// The built-in world. Its own seed comes first.
pub(crate) fn builtins() -> &'static [Forged] {
    &BUILTINS
}

/// Villages of forty rooms.
pub(crate) fn villages() -> Vec<Forged> {
    seeds().map(|seed| Forged::new("village", seed, samples::village(40, seed).unwrap())).collect()
}

/// Deep dungeons of sixty rooms.
pub(crate) fn deeps() -> Vec<Forged> {
    seeds().map(|seed| Forged::new("deep", seed, samples::deep(60, seed).unwrap())).collect()
}
