//! Support that the fuzz targets share.

use std::cell::RefCell;

use threshold_dat::{AnyRecord, RecordId, RecordKind};
use threshold_testkit::Random;
use threshold_testkit::damage::{DamagedWorld, mutate, patch};

/// Decodes `data` as a record of one of `kinds`, and checks that it can be encoded and that the encoded bytes decode to
/// the same record.
///
/// The first byte chooses the kind; the next four are the id, so that the id in the head of a record is always its own.
pub fn record(kinds: &[RecordKind], data: &[u8]) {
    let Some((choice, bytes)) = data.split_first() else { return };
    let Some(id) = bytes.first_chunk::<4>() else { return };
    let id = RecordId(u32::from_le_bytes(*id));
    let kind = kinds[usize::from(*choice) % kinds.len()];
    let Ok(record) = AnyRecord::decode(kind, id, bytes) else { return };
    record.references(&mut |_| {});
    record.faults(&mut |_| {});
    let once = record.encode().expect("a decoded record can be encoded");
    let again = AnyRecord::decode_exact(kind, id, &once).expect("an encoded record can be decoded");
    assert_eq!(again.encode().expect("and encoded again"), once);
}

thread_local! {
    /// Made once: each run damages one record and puts the sound one back.
    static WORLD: RefCell<DamagedWorld> = RefCell::new(DamagedWorld::sound());
}

/// Damages one record of a small world at random, as `crates/view/tests/mutated_worlds.rs` does, and moves in it.
///
/// The first byte chooses the record, the next eight are the seed.
pub fn worlds(data: &[u8]) {
    let Some((choice, rest)) = data.split_first() else { return };
    let Some(seed) = rest.first_chunk::<8>() else { return };
    try_variant(*choice, mutate, &mut Random(u64::from_le_bytes(*seed)));
}

/// Writes bytes of the fuzzer into one record of a small world, and moves in it.
///
/// The first byte chooses the record, the next eight seed the moves; every six that follow are an offset and four bytes
/// to write there.
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
