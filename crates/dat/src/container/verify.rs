//! Looks at a whole file: who owns which block, and what the header promises.

use std::fmt;

use super::DatFile;
use super::chain::FREE;
use super::directory::{Bounds, EVERYTHING, NODE_SIZE, Slot};
use super::header::{JOURNAL_AT, JOURNAL_AT_REST};
use crate::record::{ITERATIONS_ID, RecordId};

/// Something about a file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether records are lost by it; otherwise the file can be used as it is.
    pub is_error: bool,
    /// The record it is about, if any.
    pub record: Option<RecordId>,
    /// Offset in the file.
    pub at: u64,
    /// What it is.
    pub text: String,
}

/// What [`DatFile::verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// In the order they were found.
    pub findings: Vec<Finding>,
    /// Records in the directory.
    pub records: usize,
    /// Nodes of the directory.
    pub nodes: usize,
    /// Blocks in use.
    pub blocks: usize,
}

/// Who a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Directory(u32),
    Record(RecordId),
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(at) => write!(f, "the directory node at 0x{at:X}"),
            Self::Record(id) => write!(f, "record {id}"),
        }
    }
}

struct Verifier<'a> {
    file: &'a DatFile,
    out: Verification,
    owned: Vec<(u32, Owner)>,
}

impl DatFile {
    /// Walks the whole directory and every chain of blocks, and says what is wrong with them.
    /// Reads links only; the records themselves are not taken apart.
    pub fn verify(&self) -> Verification {
        let mut verifier = Verifier { file: self, out: Verification::default(), owned: Vec::new() };
        verifier.header();
        if let Some(root) = &self.root {
            verifier.node(root, &EVERYTHING, 0);
        }
        verifier.iterations();
        verifier.free_list();
        verifier.overlaps();
        verifier.out.blocks = verifier.owned.len();
        verifier.out
    }
}

impl Verifier<'_> {
    fn find(&mut self, is_error: bool, record: Option<RecordId>, at: u64, text: String) {
        self.out.findings.push(Finding { is_error, record, at, text });
    }

    fn header(&mut self) {
        let (says, len) = (self.file.header.file_size as usize, self.file.len());
        if says != len {
            self.find(
                false,
                None,
                0x148,
                format!("the header says {says} bytes, the file has {len}"),
            );
        }
        let journal = self.file.bytes.get(JOURNAL_AT).copied().unwrap_or_default();
        if journal != JOURNAL_AT_REST[0] {
            let text =
                format!("the file was left in the middle of a change (journal type {journal})");
            self.find(false, None, JOURNAL_AT as u64, text);
        }
    }

    fn node(&mut self, slot: &Slot, bounds: &Bounds, depth: u32) {
        let at = u64::from(slot.offset);
        let node = match slot.node(self.file.blocks(), bounds, depth) {
            Ok(node) => node,
            Err(error) => {
                return self.find(true, None, at, format!("directory node lost: {error}"));
            }
        };
        self.out.nodes += 1;
        self.chain(slot.offset, NODE_SIZE, Owner::Directory(slot.offset));
        for entry in &node.entries {
            self.out.records += 1;
            self.chain(entry.offset, entry.size as usize, Owner::Record(entry.id));
        }
        for (index, child) in node.children.iter().enumerate() {
            self.node(child, &node.child_bounds(bounds, index), depth + 1);
        }
    }

    /// Notes who owns the blocks of a chain. What cannot be read is reported by whoever reads it.
    fn chain(&mut self, first: u32, size: usize, owner: Owner) {
        let blocks = self.file.blocks();
        if blocks.check_size(size).is_err() {
            return;
        }
        let mut at = first;
        for _ in 0..size.div_ceil(blocks.payload).max(1) {
            let Ok(link) = blocks.block(at, 0) else {
                return;
            };
            self.owned.push((at, owner));
            if link.next == 0 {
                return;
            }
            at = link.next;
        }
        let record = if let Owner::Record(id) = owner { Some(id) } else { None };
        self.find(
            false,
            record,
            u64::from(first),
            format!("the chain of {owner} goes on after its last byte"),
        );
    }

    fn iterations(&mut self) {
        if matches!(self.file.find(ITERATIONS_ID), Ok(None)) {
            let text = "no record of patches (0xFFFF0001): the retail client refuses such a file";
            self.find(false, None, 0x160, text.to_owned());
        }
    }

    fn free_list(&mut self) {
        let header = self.file.header;
        let (mut at, mut last, mut count) = (header.free_head, 0, 0);
        while at != 0 && count <= header.free_count {
            let link = self.file.bytes.get(at as usize..).and_then(|rest| rest.first_chunk::<4>());
            let link = link.map(|bytes| u32::from_le_bytes(*bytes));
            let Some(next) = link.filter(|link| link & FREE != 0) else {
                let text = "the free list leads to a block that is not free".to_owned();
                return self.find(false, None, u64::from(at), text);
            };
            (last, at, count) = (at, next & !FREE, count + 1);
        }
        if (count, last) != (header.free_count, header.free_tail) {
            let text = format!(
                "the header promises {} free blocks up to 0x{:X}, the free list has {count} up to 0x{last:X}",
                header.free_count, header.free_tail
            );
            self.find(false, None, 0x154, text);
        }
    }

    fn overlaps(&mut self) {
        self.owned.sort_unstable();
        let size = self.file.header.block_size;
        let shared: Vec<_> = self
            .owned
            .windows(2)
            .filter_map(|pair| match pair {
                [(at, one), (next, other)] if next - at < size => Some((*next, *one, *other)),
                _ => None,
            })
            .collect();
        for (at, one, other) in shared {
            let text = format!("a block belongs to {one} and to {other}");
            let record = [one, other].into_iter().find_map(|owner| match owner {
                Owner::Record(id) => Some(id),
                Owner::Directory(_) => None,
            });
            self.find(true, record, u64::from(at), text);
        }
    }
}
