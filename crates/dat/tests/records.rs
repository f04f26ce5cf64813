//! Every kind of record with every optional part can be read and written; every prefix and every
//! damaged byte is an error with a place or another valid record, never a panic.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

mod every_kind;

use threshold_dat::{AnyRecord, Record};
use threshold_dat::{
    ByteOffset, DatErrorKind, DatFile, FileKind, RecordId, RecordKind, RecordSet, SetupRecord,
};

#[test]
fn every_kind_is_read_as_written() {
    for (file, id, record) in every_kind::records() {
        let bytes = record.encode().unwrap();
        let kind = RecordKind::from_id(file, id);
        let back = AnyRecord::decode_exact(kind, id, &bytes).unwrap();
        assert_eq!(back.encode().unwrap(), bytes, "{id}");
        // Trees may be numbered differently after reading; everything else is equal.
        if !matches!(record, AnyRecord::GfxObj(_) | AnyRecord::Environment(_)) {
            assert_eq!(back, record, "{id}");
        }
        assert_eq!(
            AnyRecord::decode_exact(kind, id, &back.encode().unwrap()).unwrap(),
            back,
            "{id}"
        );
        let mut faults = Vec::new();
        back.faults(&mut |fault| faults.push(fault));
        assert_eq!(faults, [""; 0], "{id}");
    }
}

#[test]
fn every_prefix_of_a_record_is_an_error_at_a_byte_within_it() {
    for (file, id, record) in every_kind::records() {
        let kind = RecordKind::from_id(file, id);
        if !kind.is_decoded() {
            continue;
        }
        let bytes = record.encode().unwrap();
        for len in 0..bytes.len() {
            let error = AnyRecord::decode(kind, id, &bytes[..len]).unwrap_err();
            assert_eq!(error.record(), Some(id));
            match error.place() {
                Some(ByteOffset::Record(at)) => assert!(at <= len as u64, "{error}"),
                place => panic!("{error}: {place:?}"),
            }
        }
    }
}

#[test]
fn bytes_after_the_end_are_reported_and_ignored() {
    for (file, id, record) in every_kind::records() {
        let kind = RecordKind::from_id(file, id);
        if !kind.is_decoded() {
            continue;
        }
        let mut bytes = record.encode().unwrap();
        let len = bytes.len();
        bytes.extend([0xAB; 3]);
        let error = AnyRecord::decode_exact(kind, id, &bytes).unwrap_err();
        assert!(matches!(error.kind(), DatErrorKind::Trailing(3)), "{error}");
        assert_eq!(error.place(), Some(ByteOffset::Record(len as u64)));
        assert_eq!(AnyRecord::decode(kind, id, &bytes).unwrap().encode().unwrap(), bytes[..len]);
    }
}

#[test]
fn every_damaged_byte_is_an_error_or_another_record() {
    for (file, id, record) in every_kind::records() {
        let kind = RecordKind::from_id(file, id);
        let bytes = record.encode().unwrap();
        for at in 0..bytes.len() {
            for value in [0x00, 0x01, 0x7F, 0x80, 0xFF, bytes[at] ^ 0x10] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                if let Ok(record) = AnyRecord::decode(kind, id, &damaged) {
                    // A record that was read can be written, and its references and faults can be
                    // listed.
                    record.encode().unwrap();
                    record.references(&mut |_| {});
                    record.faults(&mut |_| {});
                }
            }
        }
    }
}

#[test]
fn a_minimal_setup_takes_104_bytes() {
    let mut bytes = 0x0200_0001_u32.to_le_bytes().to_vec();
    bytes.resize(104, 0);
    let setup = SetupRecord::decode_exact(RecordId(0x0200_0001), &bytes).unwrap();
    assert_eq!(setup.encode().unwrap(), bytes);
}

#[test]
fn a_degrade_info_of_one_level_takes_28_bytes() {
    let records = every_kind::records();
    let degrade = records.iter().find(|(_, id, _)| id.0 == 0x1100_0001).unwrap();
    assert_eq!(degrade.2.encode().unwrap().len(), 28);
}

#[test]
fn references_name_every_record_of_the_set() {
    let records = every_kind::records();
    let mut named = Vec::new();
    records
        .iter()
        .for_each(|(_, _, record)| record.references(&mut |reference| named.push(reference)));
    for id in [
        0x0100_0001,
        0x0200_0001,
        0x0300_0001,
        0x0400_0001,
        0x0500_0001,
        0x0800_0001,
        0x0900_0001,
        0x0D00_0001,
        0x1100_0001,
        0x1200_0001,
        0xA9B4_FFFE,
        0xA9B4_0101,
        0x0A00_0001,
        0x2000_0001,
        0x3300_0001,
    ] {
        assert!(named.iter().any(|reference| reference.id == RecordId(id)), "{}", RecordId(id));
    }
    assert!(named.iter().all(|reference| reference.id != RecordId::NONE));
}

#[test]
fn a_set_of_records_becomes_data_files() {
    let mut set = RecordSet::new();
    for (file, id, record) in every_kind::records() {
        set.put_bytes(file, id, record.encode().unwrap());
    }
    for file in [FileKind::Cell, FileKind::Portal] {
        let dat = DatFile::from_bytes(file.file_name(), set.to_dat(file).unwrap()).unwrap();
        assert_eq!(dat.header().file_kind(), Some(file));
        for (id, bytes) in set.records(file) {
            assert_eq!(dat.get(id, &mut Vec::new()).unwrap(), Some(bytes));
        }
    }
}
