//! Worlds that the forge makes: the built-in one, and random villages and deep dungeons, each with several seeds.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use threshold_forge::{Forge, MadeWorld, ObjectSpec, SEED, builtin, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame};
use threshold_world::{Builder, World};

use crate::worlds::load_all;

/// A made world, with its name for messages.
pub struct ForgedWorld {
    /// Kind and seed.
    pub name: String,
    /// Seeds the random numbers of the test as well: the houses of the built-in world are the same for every seed.
    pub seed: u64,
    /// Its records.
    pub source: Arc<MadeWorld>,
}

impl std::fmt::Debug for ForgedWorld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl ForgedWorld {
    fn new(name: &str, seed: u64, source: MadeWorld) -> Self {
        Self { name: format!("{name} {seed}"), seed, source: Arc::new(source) }
    }

    /// Returns a builder of its pieces.
    pub fn builder(&self) -> Builder {
        Builder::shared(self.source.clone())
    }

    /// Loads all of it, and checks that nothing was left out.
    pub fn world(&self) -> World {
        load_all(&self.builder())
    }
}

/// The seeds of each kind: three, with `THRESHOLD_SOAK` set ten.
fn seeds() -> Range<u64> {
    let count = if std::env::var_os("THRESHOLD_SOAK").is_some() { 10 } else { 3 };
    SEED..SEED + count
}

/// Made once: it takes half a second, and every test of a file needs it.
static BUILTINS: LazyLock<Vec<ForgedWorld>> = LazyLock::new(|| {
    seeds().map(|seed| ForgedWorld::new("built-in", seed, builtin(seed).unwrap())).collect()
});

/// Returns the built-in world with several seeds, its own seed first.
pub fn builtins() -> &'static [ForgedWorld] {
    &BUILTINS
}

/// Makes flat landblocks `00B4` to `xxB4`, in a row to the east, each with four models that no other landblock has.
pub fn landblock_row(last: u8) -> MadeWorld {
    let mut forge = Forge::new();
    for x in 0..=last {
        let sizes = [1.0, 2.0, 3.0, 4.0].map(|size| size + f32::from(x) / 256.0);
        let models = sizes.map(|size| forge.object(ObjectSpec::cuboid([size; 3])));
        let block = forge.block(BlockId::new(x, 0xB4));
        for (model, y) in models.into_iter().zip([20.0, 60.0, 100.0, 140.0]) {
            block.put(model, Frame::at(Vec3::new(100.0, y, 0.0)));
        }
    }
    forge.finish().unwrap()
}

/// Makes villages of forty rooms.
pub fn villages() -> Vec<ForgedWorld> {
    let village = |seed| ForgedWorld::new("village", seed, samples::village(40, seed).unwrap());
    seeds().map(village).collect()
}

/// Makes deep dungeons of sixty rooms.
pub fn deep_dungeons() -> Vec<ForgedWorld> {
    let deep = |seed| ForgedWorld::new("deep", seed, samples::deep(60, seed).unwrap());
    seeds().map(deep).collect()
}
