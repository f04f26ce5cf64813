//! Tens of thousands of damaged files: no panic, no endless loop, and at most eight times the
//! file's size in memory.
//!
//! `THRESHOLD_SOAK=1` runs ten times as many.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

mod every_kind;

use std::path::Path;

use peak_alloc::PeakAlloc;
use threshold_dat::{
    AnyRecord, ContainerWriter, DatFile, FileKind, NewRecord, RecordId, RecordKind,
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Variants of each sample.
const VARIANTS: u64 = 50_000;
/// Greatest memory for reading, in sizes of the file.
const BOUND: usize = 8;
/// A file cut to less counts as this long: the length of the header that every file has.
const MIN_LENGTH: usize = 0x400;

/// SplitMix64: the same variants on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.roll() % end.max(1) as u64) as usize
    }
}

struct Sample {
    kind: FileKind,
    block: usize,
    bytes: Vec<u8>,
    /// Offsets of the blocks in which records begin.
    starts: Vec<u32>,
    /// Offsets of the directory's nodes, the root first.
    nodes: Vec<u32>,
    /// Offsets of the directory's entries that lie whole in one block.
    entries: Vec<usize>,
}

impl Sample {
    fn new(kind: FileKind, bytes: Vec<u8>) -> Self {
        assert!(bytes.len() <= 64 << 10, "{} bytes", bytes.len());
        let file = DatFile::from_bytes("sample", bytes.clone()).unwrap();
        let starts: Vec<u32> = file.entries().map(|entry| entry.unwrap().offset).collect();
        let nodes = nodes(&bytes, file.header().root);
        assert!(nodes.len() > 2, "a directory of more than one level");
        let mut entries = Vec::new();
        for entry in file.entries().map(Result::unwrap) {
            let head = [entry.id.0.to_le_bytes(), entry.offset.to_le_bytes()].concat();
            entries.extend(bytes.windows(8).position(|window| window == head).map(|at| at - 4));
        }
        assert!(entries.len() > starts.len() / 2, "{} of {}", entries.len(), starts.len());
        Self { kind, block: file.header().block_size as usize, bytes, starts, nodes, entries }
    }

    fn damaged(&self, dice: &mut Dice) -> Vec<u8> {
        let mut file = self.bytes.clone();
        for _ in 0..=dice.below(3) {
            match dice.below(9) {
                0 => flip_bits(&mut file, dice),
                1 => file.truncate(dice.below(self.bytes.len())),
                2 => self.swap_blocks(&mut file, dice),
                3 => self.bend_a_link(&mut file, dice),
                4 => self.bend_a_child(&mut file, dice),
                5 => absurd_number(&mut file, dice),
                6 => self.damage_an_entry(&mut file, dice),
                7 => self.compress_a_record(&mut file, dice),
                _ => self.damage_a_record(&mut file, dice),
            }
        }
        file.shrink_to_fit();
        file
    }

    fn start(&self, dice: &mut Dice) -> usize {
        self.starts[dice.below(self.starts.len())] as usize
    }

    fn node(&self, dice: &mut Dice) -> u32 {
        self.nodes[dice.below(self.nodes.len())]
    }

    fn swap_blocks(&self, file: &mut [u8], dice: &mut Dice) {
        let blocks = (file.len().saturating_sub(0x400)) / self.block;
        let (one, other) = (dice.below(blocks), dice.below(blocks));
        if one != other && one < blocks && other < blocks {
            let (low, high) = (one.min(other), one.max(other));
            let (head, tail) = file.split_at_mut(0x400 + high * self.block);
            head[0x400 + low * self.block..][..self.block].swap_with_slice(&mut tail[..self.block]);
        }
    }

    /// Makes a block's link lead to itself, to another record, to a free block or nowhere.
    fn bend_a_link(&self, file: &mut [u8], dice: &mut Dice) {
        let at = if dice.below(4) == 0 { self.node(dice) as usize } else { self.start(dice) };
        let to = match dice.below(4) {
            0 => at as u32,
            1 => self.start(dice) as u32,
            2 => 0x8000_0000 | self.start(dice) as u32,
            _ => dice.roll() as u32,
        };
        put(file, at, to);
    }

    /// Gives a node other children (itself, its parent, its neighbours, records, garbage) or
    /// another count of entries.
    fn bend_a_child(&self, file: &mut [u8], dice: &mut Dice) {
        let node = self.node(dice) as usize;
        for _ in 0..=dice.below(5) {
            let child = match dice.below(4) {
                0 => self.start(dice) as u32,
                1 => absurd(dice),
                _ => self.node(dice),
            };
            put(file, node + 4 + dice.below(8) * 4, child);
        }
        if dice.below(3) == 0 {
            put(file, node + 4 + 248, dice.below(64) as u32);
        }
    }

    fn damage_an_entry(&self, file: &mut [u8], dice: &mut Dice) {
        let at = self.entries[dice.below(self.entries.len())] + dice.below(6) * 4;
        let value = absurd(dice);
        put(file, at, value);
    }

    fn damage_a_record(&self, file: &mut [u8], dice: &mut Dice) {
        let at = self.start(dice) + 4 + dice.below(self.block - 8);
        let value = absurd(dice);
        if dice.below(2) == 0 {
            put(file, at, value);
        } else if let Some(byte) = file.get_mut(at) {
            *byte = value as u8;
        }
    }

    /// Marks a record as compressed, with a stream that inflates a hundredfold or with the bytes
    /// that it had.
    fn compress_a_record(&self, file: &mut [u8], dice: &mut Dice) {
        let at = self.entries[dice.below(self.entries.len())];
        let Some(flags) = file.get_mut(at) else {
            return;
        };
        *flags |= 1;
        let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 20_000], 9);
        let offset =
            file.get(at + 8..at + 12).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let Some(offset) = offset.map(|offset| offset as usize) else {
            return;
        };
        let announced = [20_000, 19_999, 0, u32::MAX, 60_000_000, 300_000][dice.below(6)];
        if dice.below(3) > 0 && offset + 8 + bomb.len() < file.len() && bomb.len() + 8 < self.block
        {
            put(file, offset + 4, announced);
            file[offset + 8..offset + 8 + bomb.len()].copy_from_slice(&bomb);
            put(file, at + 12, bomb.len() as u32 + 4);
        }
    }
}

/// The root, and the children in its first block.
fn nodes(bytes: &[u8], root: u32) -> Vec<u32> {
    let words = bytes[root as usize + 4..root as usize + 252].chunks_exact(4);
    let children = words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    std::iter::once(root).chain(children.take_while(|child| *child != 0)).collect()
}

fn put(file: &mut [u8], at: usize, value: u32) {
    if let Some(slot) = file.get_mut(at..at + 4) {
        slot.copy_from_slice(&value.to_le_bytes());
    }
}

fn flip_bits(file: &mut [u8], dice: &mut Dice) {
    for _ in 0..=dice.below(8) {
        let (at, bit) = (dice.below(file.len()), dice.below(8));
        if let Some(byte) = file.get_mut(at) {
            *byte ^= 1 << bit;
        }
    }
}

fn absurd(dice: &mut Dice) -> u32 {
    let plain = [
        0,
        1,
        2,
        0x7F,
        0xFF,
        0x100,
        0xFFFF,
        0x0001_0000,
        0x7FFF_FFFF,
        0x8000_0000,
        u32::MAX,
        0x1000_0000,
    ];
    match dice.below(3) {
        0 => dice.roll() as u32,
        _ => plain[dice.below(plain.len())],
    }
}

fn absurd_number(file: &mut [u8], dice: &mut Dice) {
    let at = dice.below(file.len());
    let value = absurd(dice);
    put(file, at, value);
}

/// The result of reading a file: the number of valid records, and the errors.
#[derive(Default)]
struct Outcome {
    records: usize,
    errors: usize,
}

fn read_everything(kind: FileKind, bytes: Vec<u8>, limit: usize) -> Outcome {
    let mut out = Outcome::default();
    let Ok(file) = DatFile::from_bytes("variant", bytes) else {
        out.errors += 1;
        return out;
    };
    let file = file.with_inflate_limit(limit);
    let mut buffer = Vec::new();
    for entry in file.entries() {
        let Ok(entry) = entry else {
            out.errors += 1;
            continue;
        };
        assert_eq!(file.find(entry.id).unwrap(), Some(entry), "listed entries are found");
        let record = file.read(&entry, &mut buffer).and_then(|bytes| {
            AnyRecord::decode(RecordKind::from_id(kind, entry.id), entry.id, bytes)
        });
        match record {
            Ok(_) => out.records += 1,
            Err(_) => out.errors += 1,
        }
    }
    out.errors += file.verify().findings.len();
    out
}

fn cell_sample() -> Sample {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/holt/client_cell_1.dat");
    Sample::new(FileKind::Cell, std::fs::read(path).unwrap())
}

fn portal_sample() -> Sample {
    let mut writer = ContainerWriter::new(FileKind::Portal);
    for (file, id, record) in every_kind::records() {
        if file == FileKind::Portal {
            writer.add(NewRecord::new(id, record.encode().unwrap()));
        }
    }
    // Enough small records for a directory of two levels.
    for index in 0x100..0x130 {
        writer.add(NewRecord::new(RecordId(0x0A00_0000 | index), vec![9; 4]));
    }
    writer.header.block_size = 256;
    writer.free_blocks = 2;
    Sample::new(FileKind::Portal, writer.to_bytes().unwrap())
}

// A single test, so that nothing else allocates meanwhile.
#[test]
fn damaged_files_give_errors_and_take_little_memory() {
    let times = if std::env::var_os("THRESHOLD_SOAK").is_some() { 10 } else { 1 };
    for sample in [cell_sample(), portal_sample()] {
        let mut total = Outcome::default();
        let mut worst = 0.0_f64;
        for seed in 0..VARIANTS * times {
            let variant = sample.damaged(&mut Dice(seed));
            let size = variant.len().max(MIN_LENGTH);
            let before = MEMORY.current_usage() - variant.capacity();
            MEMORY.reset_peak_usage();
            let outcome = read_everything(sample.kind, variant, BOUND * size);
            let used = MEMORY.peak_usage() - before;
            assert!(used <= BOUND * size, "variant {seed} of {size} bytes took {used}");
            worst = worst.max(used as f64 / size as f64);
            total.records += outcome.records;
            total.errors += outcome.errors;
        }
        println!(
            "{}: {} records read, {} errors, at most {worst:.2} times the file's size",
            sample.kind.file_name(),
            total.records,
            total.errors
        );
        // The damage must show, but must not be everything.
        assert!(total.errors as u64 > VARIANTS && total.records as u64 > VARIANTS);
    }
}
