//! What the fuzz targets of one record family share.

use std::cell::RefCell;

use hostile::{Hostile, Random, mutate, patch};
use threshold_dat::{AnyRecord, RecordId, RecordKind};

#[path = "../../crates/view/tests/hostile/mod.rs"]
mod hostile;

/// Takes `data` apart as one of `kinds`, and holds the crate to its promise: what was read can be
/// written, and what was written reads back as the same bytes.
///
/// The first byte chooses the kind; the next four are the id, so that the id in a record's head is
/// always its own.
pub fn record(kinds: &[RecordKind], data: &[u8]) {
    let Some((choice, bytes)) = data.split_first() else { return };
    let Some(id) = bytes.first_chunk::<4>() else { return };
    let id = RecordId(u32::from_le_bytes(*id));
    let kind = kinds[usize::from(*choice) % kinds.len()];
    let Ok(record) = AnyRecord::decode(kind, id, bytes) else { return };
    record.references(&mut |_| {});
    record.faults(&mut |_| {});
    let once = record.encode().expect("what was read can be written");
    let again = AnyRecord::decode_exact(kind, id, &once).expect("what was written reads back");
    assert_eq!(again.encode().expect("and can be written again"), once);
}

thread_local! {
    /// Made once: a run damages one record of it and puts the sound one back.
    static WORLD: RefCell<Hostile> = RefCell::new(Hostile::new());
}

/// Damages one record of a small world by chance, as `crates/view/tests/mutated_worlds.rs` does, and lives in it. The
/// first byte chooses the record, the next eight are the seed.
pub fn worlds(data: &[u8]) {
    let Some((choice, rest)) = data.split_first() else { return };
    let Some(seed) = rest.first_chunk::<8>() else { return };
    try_variant(*choice, mutate, &mut Random(u64::from_le_bytes(*seed)));
}

/// Writes what the fuzzer wants into one record of a small world, and lives in it. The first byte chooses the record, the
/// next eight what is done in the world; every six that follow are an address and four bytes for it.
pub fn patches(data: &[u8]) {
    let Some((choice, rest)) = data.split_first() else { return };
    let Some((seed, instructions)) = rest.split_first_chunk::<8>() else { return };
    let patch = |sound: &[u8], _: &mut Random| patch(sound, instructions);
    try_variant(*choice, patch, &mut Random(u64::from_le_bytes(*seed)));
}

fn try_variant(
    choice: u8,
    damage: impl FnOnce(&[u8], &mut Random) -> Vec<u8>,
    random: &mut Random,
) {
    WORLD.with_borrow_mut(|world| {
        let target = usize::from(choice) % world.targets().len();
        let bytes = damage(&world.targets()[target].bytes, random);
        world.try_variant(target, bytes, random);
    });
}
