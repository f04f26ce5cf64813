//! The golden container of the format description, and the error for each kind of damage to it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use sha2::{Digest, Sha256};
use threshold_dat::{
    ContainerWriter, DatFile, FileKind, Iterations, LandBlock, NewRecord, Record, RecordId,
};
use threshold_land::BlockId;

const GROUND: RecordId = RecordId(0xA9B4_FFFF);
const PATCHES: RecordId = RecordId(0xFFFF_0001);

fn put(file: &mut [u8], at: usize, words: &[u32]) {
    for (index, word) in words.iter().enumerate() {
        file[at + index * 4..at + index * 4 + 4].copy_from_slice(&word.to_le_bytes());
    }
}

/// The file of the description, byte by byte.
fn golden() -> Vec<u8> {
    let mut file = vec![0; 4096];
    file[0x100..0x105].copy_from_slice(&[0, 0x50, 0x4C, 0, 0]);
    let header = [0x5442, 0x100, 0x1000, 2, 1, 0xD00, 0xF00, 3, 0x600, 0, 0, 0, 0, 0x16, 0];
    put(&mut file, 0x140, &header);
    put(&mut file, 0x404, &[GROUND.0]);
    put(&mut file, 0x504, &[3, 0xFFFF_FFFD, 1]);
    for block in 6..12 {
        put(&mut file, block * 0x100, &[(block as u32 + 1) * 0x100]);
    }
    put(&mut file, 0x6FC, &[2]);
    put(&mut file, 0x704, &[2 << 16, GROUND.0, 0x400, 0xFC, 0, 3]);
    put(&mut file, 0x71C, &[1 << 16, PATCHES.0, 0x500, 0xC, 0, 3]);
    put(&mut file, 0xD00, &[0x8000_0E00]);
    put(&mut file, 0xE00, &[0x8000_0F00]);
    put(&mut file, 0xF00, &[0x8000_0000]);
    file
}

fn open(bytes: Vec<u8>) -> DatFile {
    DatFile::from_bytes("golden.dat", bytes).unwrap()
}

#[test]
fn the_golden_file_has_its_digest() {
    let digest: String =
        Sha256::digest(golden()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "898accbce90a41e04f9102ed8a79376913775c12bb11091956207ccfeb0041ba");
    let step = |crc: u32, _| crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
    let crc = golden().iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step));
    assert_eq!(!crc, 0xE595_6CDB_u32);
}

#[test]
fn the_writer_writes_the_golden_file() {
    let mut writer = ContainerWriter::new(FileKind::Cell);
    writer.free_blocks = 3;
    writer.iteration = 3;
    let ground = LandBlock::flat(BlockId(0xA9B4)).encode().unwrap();
    writer.add(NewRecord { iteration: 3, ..NewRecord::new(GROUND, ground) });
    assert!(writer.to_bytes().unwrap() == golden());
    let mut streamed = Vec::new();
    writer.write(&mut streamed).unwrap();
    assert!(streamed == golden());
}

#[test]
fn the_golden_file_reads_as_described() {
    let file = open(golden());
    let mut buffer = Vec::new();
    assert_eq!(file.get(GROUND, &mut buffer).unwrap().map(<[u8]>::len), Some(252));
    assert!(buffer.is_empty(), "a record in one block is borrowed");
    assert_eq!(file.find(RecordId(0xA9B4_FFFE)).unwrap(), None);
    let ids: Vec<_> = file.entries().map(|entry| entry.unwrap().id).collect();
    assert_eq!(ids, [GROUND, PATCHES]);
    let patches = file.get(PATCHES, &mut buffer).unwrap().unwrap();
    assert_eq!(Iterations::decode_exact(PATCHES, patches).unwrap(), Iterations::up_to(3));
    let verified = file.verify();
    assert_eq!(verified.findings, []);
    assert_eq!((verified.records, verified.nodes, verified.blocks), (2, 1, 9));
}

/// Checks the error of reading everything in a damaged file.
#[track_caller]
fn damaged(change: impl FnOnce(&mut Vec<u8>), want: &str) {
    let mut bytes = golden();
    change(&mut bytes);
    let mut errors = Vec::new();
    match DatFile::from_bytes("golden.dat", bytes) {
        Err(error) => errors.push(error.to_string()),
        Ok(file) => {
            let mut buffer = Vec::new();
            for entry in file.entries() {
                match entry {
                    Err(error) => errors.push(error.to_string()),
                    Ok(entry) => {
                        errors.extend(file.read(&entry, &mut buffer).err().map(|e| e.to_string()))
                    }
                }
            }
            // A look-up meets the same damage or finds what remains; it never panics.
            let _ = (file.find(GROUND), file.find(PATCHES), file.verify());
        }
    }
    assert_eq!(errors, [want.to_owned()]);
}

#[test]
fn every_damage_is_reported_with_its_place() {
    damaged(
        |file| put(file, 0x6FC, &[62]),
        "golden.dat: byte 0x600 of the file: entries of a node: 0 to 61 expected, 0x3E found",
    );
    damaged(
        |file| {
            put(file, 0x708, &[PATCHES.0]);
            put(file, 0x720, &[GROUND.0]);
        },
        "golden.dat: byte 0x600 of the file: id in the directory: 0xFFFF0002 to 0xFFFFFFFF expected, 0xA9B4FFFF found",
    );
    damaged(
        |file| put(file, 0x604, &[0x600]),
        "golden.dat: byte 0x600 of the file: child of a node: an offset in 0x190..0x1000 expected, 0x0 found",
    );
    damaged(
        |file| {
            put(file, 0x400, &[0x8000_0D00]);
            put(file, 0x710, &[253]);
        },
        "golden.dat: record 0xA9B4FFFF: byte 0x400 of the file: block link: a block in use expected, 0x80000D00 found",
    );
    damaged(
        |file| put(file, 0x710, &[0x7FFF_FFFF]),
        "golden.dat: record 0xA9B4FFFF: byte 0x704 of the file: stored size: no more than fits into the 4096 bytes of the file expected, 0x7FFFFFFF found",
    );
    damaged(
        |file| file.truncate(0x6FF),
        "golden.dat: byte 0x600 of the file: stored size: no more than fits into the 1791 bytes of the file expected, 0x6B4 found",
    );
    damaged(
        |file| put(file, 0x140, &[0]),
        "golden.dat: byte 0x140 of the file: magic number: 0x5442 expected, 0x0 found",
    );
    damaged(
        |file| put(file, 0x144, &[0]),
        "golden.dat: byte 0x144 of the file: block size: a multiple of 4 in 64..=65536 expected, 0x0 found",
    );
    damaged(
        |file| put(file, 0x160, &[0x2000]),
        "golden.dat: byte 0x160 of the file: directory root: 0, or an offset in 0x190..0x1000, expected, 0x2000 found",
    );
    damaged(
        |file| put(file, 0x70C, &[0x18F]),
        "golden.dat: record 0xA9B4FFFF: byte 0x704 of the file: block offset: an offset in 0x190..0x1000 expected, 0x18F found",
    );
    damaged(
        |file| put(file, 0x710, &[300]),
        "golden.dat: record 0xA9B4FFFF: byte 0x400 of the file: 48 bytes expected, 0 left",
    );
    damaged(
        |file| file.truncate(100),
        "golden.dat: byte 0x64 of the file: file length: 400 bytes or more expected, 0x64 found",
    );
}

#[test]
fn a_cyclic_directory_is_an_error() {
    // The root is its own only child and has no entries.
    damaged(
        |file| {
            put(file, 0x604, &[0x600]);
            put(file, 0x6FC, &[0]);
        },
        "golden.dat: byte 0x600 of the file: entries of a node: 1 to 61 expected, 0x0 found",
    );
}

#[test]
fn a_cyclic_chain_is_an_error() {
    damaged(
        |file| {
            put(file, 0x400, &[0x400]);
            put(file, 0x710, &[1000]);
        },
        "golden.dat: record 0xA9B4FFFF: byte 0x400 of the file: block link: a block not yet in the chain expected, 0x400 found",
    );
    damaged(
        |file| {
            put(file, 0x400, &[0x5000]);
            put(file, 0x710, &[1000]);
        },
        "golden.dat: record 0xA9B4FFFF: byte 0x400 of the file: block offset: an offset in 0x190..0x1000 expected, 0x5000 found",
    );
}

/// A file of two levels: 200 records below a root with a few.
fn two_levels() -> (Vec<u8>, u32, Vec<u32>) {
    let mut writer = ContainerWriter::new(FileKind::Cell);
    for index in 1..=200 {
        writer.add(NewRecord::new(RecordId(index << 16 | 0xFFFF), vec![index as u8; 8]));
    }
    let bytes = writer.to_bytes().unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let root = word(0x160);
    let count = word(root as usize + 252);
    let children = (0..=count as usize).map(|index| word(root as usize + 4 + index * 4)).collect();
    (bytes, root, children)
}

/// Checks the remaining records and the errors when the root's second child slot is changed.
#[track_caller]
fn second_child(value: impl FnOnce(u32, &[u32]) -> u32, want: &str) {
    let (mut bytes, root, children) = two_levels();
    assert!(children.len() > 3);
    put(&mut bytes, root as usize + 8, &[value(root, &children)]);
    let file = open(bytes);
    let (records, errors): (Vec<_>, Vec<_>) = file.entries().partition(Result::is_ok);
    assert_eq!(errors.len(), 1);
    let error = errors[0].as_ref().unwrap_err().to_string();
    assert!(error.contains(want), "{error}");
    assert!(records.len() > 100 || want.contains("child"), "the others are still there");
    let _ = file.verify();
}

#[test]
fn a_node_with_two_parents_is_an_error_and_loses_the_entries_below_it() {
    second_child(|_, children| children[2], "id in the directory");
    second_child(|_, children| children[0], "id in the directory");
    second_child(|root, _| root, "id in the directory");
    second_child(|_, _| 0x400, "");
}

#[test]
fn a_child_with_an_invalid_offset_is_an_error() {
    second_child(|_, _| 0, "child of a node");
    second_child(|_, _| 0xCDCD_CDCD, "child of a node");
    second_child(|_, _| 0x7FFF_FF00, "child of a node");
}

#[test]
fn two_entries_with_one_id_are_an_error() {
    damaged(
        |file| put(file, 0x720, &[GROUND.0]),
        "golden.dat: byte 0x600 of the file: id in the directory: 0xA9B50000 to 0xFFFFFFFF expected, 0xA9B4FFFF found",
    );
}

#[test]
fn the_place_of_every_byte_of_a_record_is_known() {
    let mut writer = ContainerWriter::new(FileKind::Cell);
    let payload: Vec<u8> = (0..504_u32).map(|i| i as u8).collect();
    writer.add(NewRecord::new(GROUND, &payload[..]));
    let bytes = writer.to_bytes().unwrap();
    let file = open(bytes.clone());
    let entry = file.find(GROUND).unwrap().unwrap();
    for (at, byte) in payload.iter().enumerate() {
        let place = file.file_offset(&entry, at as u64).unwrap();
        assert_eq!(bytes[place as usize], *byte, "byte {at}");
    }
    // Directly after the last byte, where a record that ends too early fails.
    assert_eq!(file.file_offset(&entry, 504), Some(0x400 + 2 * 256));
    assert_eq!(file.file_offset(&entry, 505), None);
}

#[test]
fn a_file_from_before_2005_is_refused_with_the_reason() {
    let mut bytes = golden();
    put(&mut bytes, 0x140, &[0]);
    put(&mut bytes, 0x12C, &[0x5442]);
    let error = DatFile::from_bytes("old.dat", bytes).unwrap_err().to_string();
    assert!(error.contains("before 2005"), "{error}");
}

/// Checks the findings of `verify` for a changed golden file.
#[track_caller]
fn verified(change: impl FnOnce(&mut Vec<u8>), want: &[(bool, u64, &str)]) {
    let mut bytes = golden();
    change(&mut bytes);
    let found = open(bytes).verify().findings;
    let found: Vec<_> = found.iter().map(|f| (f.is_error, f.at, f.text.as_str())).collect();
    assert_eq!(found, want);
}

#[test]
fn verify_reports_shared_blocks_and_wrong_headers() {
    verified(
        |file| {
            put(file, 0x724, &[0x400]); // the record of patches in the ground's block
            put(file, 0x148, &[0x1004]);
            file[0x100] = 6;
            put(file, 0x15C, &[4]);
        },
        &[
            (false, 0x148, "the header says 4100 bytes, the file has 4096"),
            (false, 0x100, "a change of the file was interrupted (journal type 6)"),
            (true, 0x400, "a block belongs to record 0xA9B4FFFF and to record 0xFFFF0001"),
            (
                false,
                0x154,
                "the header says 4 free blocks up to 0xF00, the free list has 3 up to 0xF00",
            ),
        ],
    );
    verified(
        |file| {
            put(file, 0x178, &[7]);
            put(file, 0x704, &[0x0000_0002]);
        },
        &[
            (false, 0x178, "game version 7: the retail client refuses all but 0"),
            (false, 0x704, "entry version 0: the retail client refuses it"),
            (false, 0x704, "unknown entry flags 0x0002"),
        ],
    );
    verified(
        |file| put(file, 0x400, &[0xD00]),
        &[(false, 0x400, "the chain of record 0xA9B4FFFF continues after its last byte")],
    );
    verified(
        |file| put(file, 0x6FC, &[1]),
        &[
            (
                false,
                0x160,
                "no record of patches (0xFFFF0001): the retail client refuses such a file",
            ),
            (true, 0x160, "1 blocks are neither in use nor free: records are lost"),
        ],
    );
}

#[test]
fn a_broken_free_list_is_not_reported_as_lost_records() {
    verified(
        |file| put(file, 0xE00, &[0]),
        &[(false, 0xE00, "the free list leads to a block that is not free")],
    );
    verified(
        |file| put(file, 0x15C, &[1]),
        &[(
            false,
            0x154,
            "the header says 1 free blocks up to 0xF00, the free list has 2 up to 0xE00",
        )],
    );
}

#[test]
fn a_cyclic_free_list_ends() {
    verified(
        |file| {
            put(file, 0xD00, &[0x8000_0D00]);
            put(file, 0x15C, &[u32::MAX]);
        },
        &[(
            false,
            0x154,
            "the header says 4294967295 free blocks up to 0xF00, the free list has 18 up to 0xD00",
        )],
    );
}

#[test]
fn leaves_written_by_others_are_leaves() {
    // Some writers fill unused child slots, even the first of a leaf.
    let mut bytes = golden();
    put(&mut bytes, 0x604, &[0xCDCD_CDCD; 62]);
    assert_eq!(open(bytes).entries().filter(Result::is_ok).count(), 2);
}

#[test]
fn compressed_records_inflate_within_the_limit() {
    let ground = LandBlock::flat(BlockId(0xA9B4)).encode().unwrap();
    let pack = |size: u32| {
        let mut bytes = golden();
        let mut stored = size.to_le_bytes().to_vec();
        stored.extend(miniz_oxide::deflate::compress_to_vec_zlib(&ground, 6));
        bytes[0x404..0x404 + stored.len()].copy_from_slice(&stored);
        put(&mut bytes, 0x704, &[2 << 16 | 1, GROUND.0, 0x400, stored.len() as u32]);
        open(bytes)
    };
    let mut buffer = Vec::new();
    assert_eq!(pack(252).get(GROUND, &mut buffer).unwrap(), Some(&ground[..]));
    let error = |file: DatFile| file.get(GROUND, &mut Vec::new()).unwrap_err().to_string();
    assert!(error(pack(251)).contains("more than the 251 bytes announced"));
    assert!(error(pack(253)).contains("252 bytes inside, 253 announced"));
    assert!(error(pack(252).with_inflate_limit(100)).contains("limit 100"));
    assert!(error(pack(u32::MAX)).contains("4294967295 bytes announced"));
}

#[test]
fn the_writer_refuses_invalid_headers_and_ids() {
    let mut writer = ContainerWriter::new(FileKind::Cell);
    writer.add(NewRecord::new(GROUND, vec![1]));
    writer.add(NewRecord::new(GROUND, vec![2]));
    assert!(writer.to_bytes().unwrap_err().to_string().contains("0xA9B4FFFF"));
    let mut writer = ContainerWriter::new(FileKind::Cell);
    writer.add(NewRecord::new(RecordId(0), vec![1]));
    assert!(writer.to_bytes().is_err());
    let mut writer = ContainerWriter::new(FileKind::Cell);
    writer.free_blocks = u32::MAX;
    assert!(writer.to_bytes().is_err());
    writer.header.block_size = 50;
    assert!(writer.to_bytes().is_err());
}
