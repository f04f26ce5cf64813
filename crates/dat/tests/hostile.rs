//! Files built to do harm: memory and time stay bounded.
//!
//! A single test, so that nothing else allocates meanwhile.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use peak_alloc::PeakAlloc;
use threshold_dat::{
    AnyRecord, BspTag, ContainerWriter, DatFile, FileKind, NewRecord, RecordId, RecordKind,
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn put(file: &mut [u8], at: usize, values: &[u32]) {
    file[at..at + values.len() * 4].copy_from_slice(&words(values));
}

/// Runs `job` on a file and checks that it takes at most `bound` times the file's size in memory.
#[track_caller]
fn within(bound: f64, name: &str, file: Vec<u8>, job: impl FnOnce(&DatFile)) {
    let size = file.len();
    let before = MEMORY.current_usage() - file.capacity();
    MEMORY.reset_peak_usage();
    job(&DatFile::from_bytes("hostile", file).unwrap());
    let used = (MEMORY.peak_usage() - before) as f64 / size as f64;
    println!("{name}: {size} bytes, {used:.2} times");
    assert!(used <= bound, "{name}: {used:.2} times the {size} bytes of the file");
}

/// A record of the smallest possible parts, in a file of its own.
#[track_caller]
fn smallest_parts(bound: f64, name: &str, kind: RecordKind, bytes: &[u8]) {
    let id = RecordId(u32::from_le_bytes(*bytes.first_chunk().unwrap()));
    let mut writer = ContainerWriter::new(FileKind::Portal);
    writer.add(NewRecord::new(id, bytes));
    let file = writer.to_bytes().unwrap();
    within(bound, name, file, |file| {
        let mut buffer = Vec::new();
        let bytes = file.get(id, &mut buffer).unwrap().unwrap();
        AnyRecord::decode_exact(kind, id, bytes).unwrap();
    });
}

/// Size of a block that holds a whole node, so that entries are not split.
const WHOLE_NODE: u32 = 1720;

/// Records that each claim the size of the whole file, through a block that links to itself.
fn every_record_claims_the_whole_file(entries: u32) -> Vec<u8> {
    let mut writer = ContainerWriter::new(FileKind::Cell);
    writer.header.block_size = WHOLE_NODE;
    let id = |index: u32| index << 16 | 0x100;
    for index in 1..=entries {
        writer.add(NewRecord::new(RecordId(id(index)), vec![1; 8]));
    }
    let mut file = writer.to_bytes().unwrap();
    let all = (file.len() as u32 - 0x400) / WHOLE_NODE * (WHOLE_NODE - 4);
    for index in 1..=entries {
        let entry = words(&[2 << 16, id(index)]);
        let at = file.windows(8).rposition(|window| window == entry).unwrap();
        let offset = u32::from_le_bytes(*file[at + 8..].first_chunk().unwrap());
        put(&mut file, at + 12, &[all]);
        put(&mut file, offset as usize, &[offset]);
    }
    file
}

/// Nodes that all have the same child: `target` of the offsets of the nodes.
fn nodes_that_share(count: u32, entries: u32, target: impl Fn(&[u32]) -> u32) -> Vec<u8> {
    let offsets: Vec<u32> = (0..count).map(|index| 0x400 + index * 7 * 256).collect();
    let mut file = vec![0; 0x400 + count as usize * 7 * 256];
    let len = file.len() as u32;
    put(&mut file, 0x140, &[0x5442, 256, len, 2, 1, 0, 0, 0, 0x400]);
    for (index, offset) in offsets.iter().enumerate() {
        for block in 0..6 {
            put(&mut file, *offset as usize + block * 256, &[offset + (block as u32 + 1) * 256]);
        }
        let at = *offset as usize + 4;
        for slot in 0..62 {
            // The root refers to every node once, the others all to the same one.
            let child = if index == 0 { offsets.get(slot + 1) } else { None };
            put(&mut file, at + slot * 4, &[child.copied().unwrap_or(target(&offsets))]);
        }
        put(&mut file, at + 248, &[if index == 0 { 61 } else { entries }]);
        for entry in 0..61_u32 {
            let block = *offset as usize + (252 + entry as usize * 24) / 252 * 256;
            let inside = 4 + (252 + entry as usize * 24) % 252;
            let id = if index == 0 { (entry + 1) << 16 } else { (index as u32) << 16 | entry };
            put(&mut file, block + inside + 4, &[id]);
        }
    }
    file
}

#[test]
fn hostile_files_take_little_memory() {
    check_containers();
    check_lists();
    check_trees();
    check_texts();
}

fn check_containers() {
    for entries in [60, 600] {
        within(
            8.0,
            "every record claims the whole file",
            every_record_claims_the_whole_file(entries),
            |file| {
                let verified = file.verify();
                assert_eq!(verified.entangled.len(), entries as usize);
                for entry in file.entries().take(entries as usize) {
                    assert!(file.read(&entry.unwrap(), &mut Vec::new()).is_err());
                }
            },
        );
    }
    within(8.0, "empty nodes everywhere", nodes_that_share(62, 0, |nodes| nodes[1]), |file| {
        assert!(file.entries().count() > 0);
        file.verify();
    });
    within(8.0, "the root below every node", nodes_that_share(62, 1, |nodes| nodes[0]), |file| {
        assert!(file.entries().count() > 0);
        file.verify();
    });
}

fn check_lists() {
    let count = 7_000;
    let small = |head: &[u32], tail: usize| {
        let mut bytes = words(head);
        bytes.extend((0..count).flat_map(|i| words(&[i, 0])));
        bytes.extend(words(&vec![0; tail]));
        bytes
    };
    let motions = small(&[0x0900_0001, 0, 0, count], 2);
    smallest_parts(8.0, "motions", RecordKind::MotionTable, &motions);
    let links = small(&[0x0900_0001, 0, 0, 0, 0, count], 0);
    smallest_parts(8.0, "links", RecordKind::MotionTable, &links);
    let placements = small(&[0x0200_0001, 0, 0, 0, 0, count], 20);
    smallest_parts(8.0, "placements", RecordKind::Setup, &placements);
    let mut hooks = words(&[0x0300_0001, 0, 0, 1, count]);
    hooks.extend(vec![0; count as usize * 8]);
    smallest_parts(8.0, "hooks", RecordKind::Animation, &hooks);
}

fn check_trees() {
    let leaf = [BspTag::LEAF.0, 0];
    let physics_leaf = [BspTag::LEAF.0, 0, 0, 0, 0, 0, 0, 0];
    let mut chain = words(&[0x0D00_0001, 1, 0, 0, 0, 0, 1, 0]);
    for _ in 0..3_000 {
        chain.extend(words(&[BspTag::split(true, false, false).0, 0, 0, 0, 0]));
    }
    chain.extend(words(&leaf));
    chain.extend(words(&physics_leaf));
    chain.extend(words(&[0]));
    smallest_parts(8.0, "a tree as deep as it is long", RecordKind::Environment, &chain);

    // The worst case: 68 bytes in the file become a structure with two trees.
    let structures = 900;
    let mut shapes = words(&[0x0D00_0001, structures]);
    for id in 0..structures {
        shapes.extend(words(&[id, 0, 0, 0, 1, 0]));
        shapes.extend(words(&leaf));
        shapes.extend(words(&physics_leaf));
        shapes.extend(words(&[0]));
    }
    smallest_parts(8.0, "shapes of nothing", RecordKind::Environment, &shapes);
}

fn check_texts() {
    let days = 14_000;
    let mut texts = words(&[0x1300_0000, 1, 3, 0]);
    texts.extend(words(&[0; 8 + 256 + 2 + 4 + 1]));
    texts.extend(words(&[days]));
    texts.extend(b"\x02\x00AA".repeat(days as usize));
    texts.extend(words(&[0; 2 + 2 + 5]));
    smallest_parts(8.0, "days of the week", RecordKind::Region, &texts);
}
