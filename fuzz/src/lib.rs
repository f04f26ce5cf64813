//! What the fuzz targets of one record family share.

use threshold_dat::{AnyRecord, RecordId, RecordKind};

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
