#![no_main]

use libfuzzer_sys::fuzz_target;
use threshold_dat::{AnyRecord, DatFile, FileKind, RecordKind};

fuzz_target!(|data: &[u8]| {
    let Ok(file) = DatFile::from_bytes("fuzz", data.to_vec()) else { return };
    let file = file.with_inflate_limit(8 * data.len());
    let kind = file.header().file_kind().unwrap_or(FileKind::Portal);
    let mut buffer = Vec::new();
    for entry in file.entries().filter_map(Result::ok) {
        assert_eq!(file.find(entry.id).expect("what is listed is found"), Some(entry));
        if let Ok(bytes) = file.read(&entry, &mut buffer) {
            let _ = AnyRecord::decode(RecordKind::from_id(kind, entry.id), entry.id, bytes);
        }
    }
    let _ = file.verify();
});
