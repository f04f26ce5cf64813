//! The directory: a B-tree with nodes that are read when a search reaches them.
//!
//! A node is read the first time a look-up passes through it, and kept in the tree of its parent;
//! later look-ups find it without hashing and without a lock. Opening reads only the header.

use std::ops::Range;
use std::sync::OnceLock;

use serde::Serialize;

use super::chain::Blocks;
use super::header::HEADER_END;
use crate::error::{ByteOffset, DatError};
use crate::reader::{Reader, Result};
use crate::record::RecordId;

/// Greatest number of entries of a node.
pub(crate) const NODE_ENTRIES: usize = 61;
/// Bytes of a node.
pub(crate) const NODE_SIZE: usize = 1716;
/// Greatest number of levels; 2^31 bytes of file fill six.
const MAX_DEPTH: u32 = 8;
/// Value of unused child slots in the files of some writers.
const UNUSED: u32 = 0xCDCD_CDCD;

/// The directory entry of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DirectoryEntry {
    /// Its id.
    pub id: RecordId,
    /// Bit 0: compressed.
    pub flags: u16,
    /// 1 for the record of patches, 2 never patched, 3 patched.
    pub version: u16,
    /// Offset of its first block.
    pub offset: u32,
    /// Stored size in bytes.
    pub size: u32,
    /// Unix seconds.
    pub date: u32,
    /// The patch that last wrote it.
    pub iteration: u32,
}

impl DirectoryEntry {
    /// Bytes on disk.
    pub(crate) const SIZE: usize = 24;

    /// Returns whether the payload is compressed.
    pub fn is_compressed(&self) -> bool {
        self.flags & 1 != 0
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            flags: reader.u16()?,
            version: reader.u16()?,
            id: reader.id()?,
            offset: reader.u32()?,
            size: reader.u32()?,
            date: reader.u32()?,
            iteration: reader.u32()?,
        })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.flags.to_le_bytes());
        out.extend(self.version.to_le_bytes());
        for word in [self.id.0, self.offset, self.size, self.date, self.iteration] {
            out.extend(word.to_le_bytes());
        }
    }
}

/// A slot for a node: its offset in the file, and the node once it has been read.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) offset: u32,
    node: OnceLock<Box<Node>>,
}

/// A node that has been read and checked.
#[derive(Debug)]
pub(crate) struct Node {
    /// Ids of the entries in an array of their own: a search touches four cache lines.
    ids: Box<[u32]>,
    pub(crate) entries: Box<[DirectoryEntry]>,
    /// Empty in a leaf.
    pub(crate) children: Box<[Slot]>,
}

/// Ids allowed below a slot. Wider than an id, so that the end can be stored.
pub(crate) type Bounds = Range<u64>;

/// The bounds of the whole directory.
pub(crate) const EVERYTHING: Bounds = 0..1 << 32;

impl Slot {
    pub(crate) fn at(offset: u32) -> Self {
        Self { offset, node: OnceLock::new() }
    }

    /// Returns the node, reading it on first use.
    #[inline]
    pub(crate) fn node(&self, blocks: Blocks<'_>, bounds: &Bounds, depth: u32) -> Result<&Node> {
        if let Some(node) = self.node.get() {
            return Ok(node);
        }
        let node = Node::read(blocks, self.offset, bounds, depth)?;
        Ok(self.node.get_or_init(|| Box::new(node)))
    }

    /// Finds the entry of `id`: its node and its index in the node.
    #[inline]
    pub(crate) fn find(&self, blocks: Blocks<'_>, id: u32) -> Result<Option<EntryLocation<'_>>> {
        let mut slot = self;
        let mut bounds = EVERYTHING;
        for depth in 0.. {
            let node = slot.node(blocks, &bounds, depth)?;
            match node.ids.binary_search(&id) {
                Ok(index) => return Ok(Some(EntryLocation { node, offset: slot.offset, index })),
                Err(child) => match node.children.get(child) {
                    Some(next) => {
                        bounds = node.child_bounds(&bounds, child);
                        slot = next;
                    }
                    None => return Ok(None),
                },
            }
        }
        Ok(None)
    }
}

/// The place of an entry.
pub(crate) struct EntryLocation<'a> {
    node: &'a Node,
    /// Offset of the node.
    pub(crate) offset: u32,
    index: usize,
}

impl EntryLocation<'_> {
    pub(crate) fn entry(&self) -> Option<DirectoryEntry> {
        self.node.entries.get(self.index).copied()
    }

    /// Offset in the node, in bytes.
    pub(crate) fn at(&self) -> usize {
        NODE_SIZE - (NODE_ENTRIES - self.index) * DirectoryEntry::SIZE
    }
}

impl Node {
    /// The ids allowed below child `index`.
    pub(crate) fn child_bounds(&self, own: &Bounds, index: usize) -> Bounds {
        let above = |i: usize| self.ids.get(i).map(|id| u64::from(*id));
        let low = index.checked_sub(1).and_then(above).map_or(own.start, |id| id + 1);
        low..above(index).unwrap_or(own.end)
    }

    fn read(blocks: Blocks<'_>, offset: u32, bounds: &Bounds, depth: u32) -> Result<Self> {
        let here = |error: DatError| error.at(ByteOffset::File(u64::from(offset)));
        if depth >= MAX_DEPTH {
            return Err(here(DatError::value("directory depth", "8 levels or fewer", depth + 1)));
        }
        let mut bytes = Vec::new();
        blocks.gather(offset, NODE_SIZE, &mut bytes).map_err(here)?;
        let mut reader = Reader::new(&bytes);
        let mut offsets = [0; NODE_ENTRIES + 1];
        for offset in &mut offsets {
            *offset = reader.u32()?;
        }
        let count = reader.u32()?;
        let used = usize::try_from(count).ok().filter(|count| *count <= NODE_ENTRIES);
        let used =
            used.ok_or_else(|| here(DatError::value("entries of a node", "0 to 61", count)))?;
        let entries = reader.items(used, DirectoryEntry::read)?;
        check_order(&entries, bounds).map_err(here)?;
        let leaf = matches!(offsets[0], 0 | UNUSED);
        if used == 0 && !(leaf && depth == 0) {
            // Only an empty directory may have an empty node. Otherwise one empty node would fit
            // below every slot.
            return Err(here(DatError::value("entries of a node", "1 to 61", count)));
        }
        let children: Box<[Slot]> = if leaf {
            Box::default()
        } else {
            let used = &offsets[..=used];
            check_children(used, blocks.file.len()).map_err(here)?;
            used.iter().map(|offset| Slot::at(*offset)).collect()
        };
        let ids = entries.iter().map(|entry| entry.id.0).collect();
        Ok(Self { ids, entries: entries.into(), children })
    }
}

/// Checks that ids ascend within the bounds that the parent leaves; a node with two parents cannot
/// satisfy both.
fn check_order(entries: &[DirectoryEntry], bounds: &Bounds) -> Result<()> {
    let mut low = bounds.start;
    for entry in entries {
        let id = u64::from(entry.id.0);
        if !(low..bounds.end).contains(&id) {
            let expected = format!("0x{low:08X} to 0x{:08X}", bounds.end.saturating_sub(1));
            return Err(DatError::value("id in the directory", expected, id));
        }
        low = id + 1;
    }
    Ok(())
}

fn check_children(offsets: &[u32], len: usize) -> Result<()> {
    for offset in offsets {
        let at = *offset as usize;
        if *offset == UNUSED || at < HEADER_END || at >= len {
            let expected = format!("an offset in 0x190..0x{len:X}");
            return Err(DatError::value("child of a node", expected, *offset));
        }
    }
    Ok(())
}

/// All entries sorted by id. A node that cannot be read is one error; its siblings follow.
pub struct DirectoryEntries<'a> {
    blocks: Blocks<'a>,
    stack: Vec<Walk<'a>>,
    /// Nodes still to be read, at most one.
    pending: Option<(&'a Slot, Bounds)>,
    name: &'a std::sync::Arc<str>,
}

struct Walk<'a> {
    node: &'a Node,
    bounds: Bounds,
    /// Twice the index of the next child, plus one if its entry is next.
    next: usize,
}

impl<'a> DirectoryEntries<'a> {
    pub(crate) fn new(
        blocks: Blocks<'a>,
        root: Option<&'a Slot>,
        name: &'a std::sync::Arc<str>,
    ) -> Self {
        Self { blocks, stack: Vec::new(), pending: root.map(|slot| (slot, EVERYTHING)), name }
    }
}

impl Iterator for DirectoryEntries<'_> {
    type Item = Result<DirectoryEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((slot, bounds)) = self.pending.take() {
                let depth = u32::try_from(self.stack.len()).unwrap_or(MAX_DEPTH);
                match slot.node(self.blocks, &bounds, depth) {
                    Ok(node) => self.stack.push(Walk { node, bounds, next: 0 }),
                    Err(error) => return Some(Err(error.in_file(self.name))),
                }
            }
            let walk = self.stack.last_mut()?;
            let index = walk.next / 2;
            let entry_next = walk.next % 2 == 1;
            walk.next += 1;
            if entry_next {
                match walk.node.entries.get(index) {
                    Some(entry) => return Some(Ok(*entry)),
                    None => drop(self.stack.pop()),
                }
            } else if let Some(child) = walk.node.children.get(index) {
                self.pending = Some((child, walk.node.child_bounds(&walk.bounds, index)));
            }
        }
    }
}

impl std::fmt::Debug for DirectoryEntries<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DirectoryEntries").field("file", &self.name).finish_non_exhaustive()
    }
}
