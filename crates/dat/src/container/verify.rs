//! Checks a whole file: the owner of each block, and the header.

use std::collections::BTreeSet;
use std::fmt;

use super::DatFile;
use super::chain::FREE;
use super::directory::{Bounds, DirectoryEntry, EVERYTHING, NODE_SIZE, Slot};
use super::header::{FIRST_BLOCK, HEADER_END, JOURNAL_AT, JOURNAL_AT_REST};
use crate::record::{ITERATIONS_ID, RecordId};

/// A fault of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerFinding {
    /// Whether records are lost; otherwise the file can be used as it is.
    pub is_error: bool,
    /// The record concerned, if any.
    pub record: Option<RecordId>,
    /// Another record involved, if any.
    pub other: Option<RecordId>,
    /// Offset in the file.
    pub at: u64,
    /// Description.
    pub text: String,
}

/// The result of [`DatFile::verify`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Findings in the order of discovery, the first 1000.
    pub findings: Vec<ContainerFinding>,
    /// Number of errors that are not listed.
    pub more_errors: usize,
    /// Number of notes that are not listed.
    pub more_notes: usize,
    /// Records with cyclic chains or with blocks shared with others: reading them is pointless.
    pub entangled: BTreeSet<RecordId>,
    /// Records in the directory.
    pub records: usize,
    /// Nodes of the directory.
    pub nodes: usize,
    /// Blocks in use.
    pub blocks: usize,
}

/// Greatest number of listed findings; a hostile file could have one for every few bytes.
const MAX_FINDINGS: usize = 1000;

/// The owner of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Directory(u32),
    Record(RecordId),
}

impl Owner {
    fn record(self) -> Option<RecordId> {
        match self {
            Self::Record(id) => Some(id),
            Self::Directory(_) => None,
        }
    }
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
    /// By offset divided by the block size: the block that begins there, and its owner. Two blocks
    /// that begin in the same slot overlap.
    owned: Vec<Option<(u32, Owner)>>,
    /// Something could not be followed to its end, so blocks without an owner are expected.
    incomplete: bool,
    free: usize,
}

impl DatFile {
    /// Walks the whole directory and every chain of blocks, and reports what is wrong with them.
    /// Reads links only, not the records themselves. Each block is visited once.
    pub fn verify(&self) -> Verification {
        // No link leads farther than this, however long a file without content is.
        let places = self.len().min(FREE as usize) / self.header.block_size as usize + 1;
        let mut verifier = Verifier {
            file: self,
            out: Verification::default(),
            owned: vec![None; places],
            incomplete: false,
            free: 0,
        };
        verifier.header();
        if let Some(root) = &self.root {
            verifier.node(root, &EVERYTHING, 0);
        }
        verifier.iterations();
        verifier.free_list();
        verifier.unowned();
        verifier.out
    }
}

impl Verifier<'_> {
    fn find(&mut self, is_error: bool, record: Option<RecordId>, at: u64, text: String) {
        if self.out.findings.len() < MAX_FINDINGS {
            self.out.findings.push(ContainerFinding { is_error, record, other: None, at, text });
        } else if is_error {
            self.out.more_errors += 1;
        } else {
            self.out.more_notes += 1;
        }
    }

    fn header(&mut self) {
        let (says, len) = (self.file.header.file_size as usize, self.file.len());
        if says != len {
            let text = format!("the header says {says} bytes, the file has {len}");
            self.find(false, None, 0x148, text);
        }
        // The header was read when the file was opened, so these bytes are there.
        let [journal] = self.file.bytes.array(JOURNAL_AT).ok().flatten().unwrap_or_default();
        if journal != JOURNAL_AT_REST[0] {
            let text = format!("a change of the file was interrupted (journal type {journal})");
            self.find(false, None, JOURNAL_AT as u64, text);
        }
        let version = self.file.header.game_version;
        if version != 0 {
            let text = format!("game version {version}: the retail client refuses all but 0");
            self.find(false, None, 0x178, text);
        }
    }

    fn node(&mut self, slot: &Slot, bounds: &Bounds, depth: u32) {
        let at = u64::from(slot.offset);
        let node = match slot.node(self.file.blocks(), bounds, depth) {
            Ok(node) => node,
            Err(error) => {
                self.incomplete = true;
                return self.find(true, None, at, format!("directory node lost: {error}"));
            }
        };
        self.out.nodes += 1;
        self.chain(slot.offset, NODE_SIZE, Owner::Directory(slot.offset));
        for entry in &node.entries {
            self.out.records += 1;
            self.entry(entry);
            self.chain(entry.offset, entry.size as usize, Owner::Record(entry.id));
        }
        for (index, child) in node.children.iter().enumerate() {
            self.node(child, &node.child_bounds(bounds, index), depth + 1);
        }
    }

    fn entry(&mut self, entry: &DirectoryEntry) {
        let id = Some(entry.id);
        if entry.version == 0 {
            let place = self.file.entry_place(entry.id);
            let text = "entry version 0: the retail client refuses it".to_owned();
            self.find(false, id, place, text);
        }
        if entry.flags & !1 != 0 {
            let place = self.file.entry_place(entry.id);
            self.find(false, id, place, format!("unknown entry flags 0x{:04X}", entry.flags));
        }
    }

    /// Notes the owner of the blocks of a chain. Blocks that cannot be read are reported when the
    /// record is read.
    fn chain(&mut self, first: u32, size: usize, owner: Owner) {
        let blocks = self.file.blocks();
        if blocks.check_size(size).is_err() {
            self.incomplete = true;
            return;
        }
        let mut at = first;
        for _ in 0..size.div_ceil(blocks.payload).max(1) {
            let Ok(next) = blocks.next(at) else {
                self.incomplete = true;
                return;
            };
            if let Some(other) = self.claim(at, owner) {
                self.incomplete = true;
                self.out.entangled.extend(owner.record());
                let text = if other == owner {
                    format!("the chain of {owner} is cyclic")
                } else {
                    format!("a block belongs to {other} and to {owner}")
                };
                let listed = self.out.findings.len();
                self.find(true, owner.record().or(other.record()), u64::from(at), text);
                if let Some(finding) = self.out.findings.get_mut(listed) {
                    finding.other = other.record().filter(|_| other != owner);
                }
                return;
            }
            if next == 0 {
                return;
            }
            at = next;
        }
        let text = format!("the chain of {owner} continues after its last byte");
        self.find(false, owner.record(), u64::from(first), text);
        // Left over from a longer record, and owned by no other.
        while let Ok(next) = blocks.next(at) {
            if self.claim(at, owner).is_some() || next == 0 {
                return;
            }
            at = next;
        }
    }

    /// Assigns a block to `owner`, unless it overlaps a block with an owner.
    fn claim(&mut self, at: u32, owner: Owner) -> Option<Owner> {
        let size = self.file.header.block_size;
        let place = (at / size) as usize;
        let around = place.saturating_sub(1)..(place + 2).min(self.owned.len());
        let taken =
            self.owned[around].iter().flatten().find(|(other, _)| other.abs_diff(at) < size);
        if let Some((_, other)) = taken {
            return Some(*other);
        }
        self.owned[place] = Some((at, owner));
        self.out.blocks += 1;
        None
    }

    fn iterations(&mut self) {
        if matches!(self.file.find(ITERATIONS_ID), Ok(None)) {
            let text = "no record of patches (0xFFFF0001): the retail client refuses such a file";
            self.find(false, None, 0x160, text.to_owned());
        }
    }

    fn free_list(&mut self) {
        let header = self.file.header;
        let (mut at, mut last, mut count) = (header.free_head, 0, 0_u32);
        // A list with more entries than the file has blocks is cyclic.
        let max_free = u32::try_from(self.owned.len()).unwrap_or(u32::MAX).min(header.free_count);
        while at != 0 && count <= max_free {
            // A link that cannot be read is reported below, as one to no free block.
            let link = self.file.bytes.array(at as usize).ok().flatten();
            let link = link.map(u32::from_le_bytes).filter(|_| at as usize >= HEADER_END);
            let Some(next) = link.filter(|link| link & FREE != 0) else {
                let text = "the free list leads to a block that is not free".to_owned();
                self.incomplete = true;
                return self.find(false, None, u64::from(at), text);
            };
            (last, at, count) = (at, next & !FREE, count + 1);
        }
        self.free = count as usize;
        if (count, last) != (header.free_count, header.free_tail) {
            self.incomplete = true;
            let text = format!(
                "the header says {} free blocks up to 0x{:X}, the free list has {count} up to 0x{last:X}",
                header.free_count, header.free_tail
            );
            self.find(false, None, 0x154, text);
        }
    }

    /// Reports blocks that are neither in use nor free: part of the directory has been lost.
    fn unowned(&mut self) {
        let first = self.owned.iter().flatten().map(|(at, _)| *at).min().unwrap_or(FIRST_BLOCK);
        let room = self.file.len().saturating_sub(first as usize);
        let blocks = room / self.file.header.block_size as usize;
        let known = self.out.blocks + self.free;
        if blocks > known && !self.incomplete {
            let text =
                format!("{} blocks are neither in use nor free: records are lost", blocks - known);
            self.find(true, None, 0x160, text);
        }
    }
}
