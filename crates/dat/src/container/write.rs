//! Writes a container from scratch; the same records give the same bytes.

use std::borrow::Cow;
use std::io::{self, Write};

use super::chain::FREE;
use super::directory::{DirectoryEntry, NODE_ENTRIES, NODE_SIZE};
use super::header::{
    FIRST_BLOCK, HEADER_AT, HEADER_END, Header, JOURNAL_AT, JOURNAL_AT_REST, block_size_is_valid,
};
use crate::error::EncodeError;
use crate::record::{FileKind, ITERATIONS_ID, Iterations, Record, RecordId};

/// Collects records and writes them as a data file.
///
/// ```
/// use threshold_dat::{ContainerWriter, DatFile, FileKind, LandBlock, NewRecord, Record, RecordId};
/// use threshold_land::BlockId;
///
/// let mut writer = ContainerWriter::new(FileKind::Cell);
/// let ground = LandBlock::flat(BlockId(0xA9B4));
/// writer.add(NewRecord::new(RecordId(0xA9B4_FFFF), ground.encode()?));
/// let file = DatFile::from_bytes("made", writer.to_bytes()?)?;
/// assert!(file.find(RecordId(0xA9B4_FFFF))?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContainerWriter<'a> {
    /// The header of the file; writing sets sizes and offsets.
    pub header: Header,
    /// Free blocks to leave at the end.
    pub free_blocks: u32,
    /// The last patch in the record of patches that is added if none was given. At least 3: some
    /// readers accept only the encoding of longer runs.
    pub iteration: u32,
    records: Vec<NewRecord<'a>>,
}

/// A record to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRecord<'a> {
    /// Its id.
    pub id: RecordId,
    /// Its bytes, not compressed.
    pub bytes: Cow<'a, [u8]>,
    /// 1 for the record of patches, 2 never patched, 3 patched.
    pub version: u16,
    /// The patch that last wrote it.
    pub iteration: u32,
    /// Unix seconds; 0 for reproducible output.
    pub date: u32,
}

impl<'a> NewRecord<'a> {
    /// Creates a record that was never patched.
    pub fn new(id: RecordId, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let version = if id == ITERATIONS_ID { 1 } else { 2 };
        Self { id, bytes: bytes.into(), version, iteration: 1, date: 0 }
    }
}

/// Why a container could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format cannot represent it.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<'a> ContainerWriter<'a> {
    /// Creates a writer for a file of this kind, with three patches and no free blocks.
    pub fn new(kind: FileKind) -> Self {
        Self { header: Header::fresh(kind), free_blocks: 0, iteration: 3, records: Vec::new() }
    }

    /// Adds a record; the order does not matter.
    pub fn add(&mut self, record: NewRecord<'a>) {
        self.records.push(record);
    }

    /// Writes the whole file to memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        let plan = self.plan()?;
        let mut out = Vec::with_capacity(plan.header.file_size as usize);
        match plan.write(&mut out) {
            Ok(()) => Ok(out),
            // Writing to memory cannot fail.
            Err(WriteError::Io(_)) => Err(EncodeError::FileSize(u64::from(plan.header.file_size))),
            Err(WriteError::Encode(error)) => Err(error),
        }
    }

    /// Writes the whole file from its first byte to its last.
    pub fn write(&self, out: &mut impl Write) -> Result<(), WriteError> {
        self.plan()?.write(out)
    }

    /// Assigns all offsets.
    fn plan(&self) -> Result<Plan<'_>, EncodeError> {
        if !block_size_is_valid(self.header.block_size) {
            return Err(EncodeError::BlockSize(self.header.block_size));
        }
        let mut records: Vec<Cow<'_, NewRecord<'_>>> =
            self.records.iter().map(Cow::Borrowed).collect();
        if !self.records.iter().any(|record| record.id == ITERATIONS_ID) {
            let mut record =
                NewRecord::new(ITERATIONS_ID, Iterations::up_to(self.iteration).encode()?);
            record.iteration = self.iteration;
            records.push(Cow::Owned(record));
        }
        records.sort_by_key(|record| record.id);
        let twice = records.windows(2).find(|pair| pair[0].id == pair[1].id).map(|pair| pair[0].id);
        let null = records.iter().map(|record| record.id).find(|id| *id == RecordId::NONE);
        if let Some(id) = twice.or(null) {
            return Err(EncodeError::Id(id));
        }
        if let Some(record) = records.iter().find(|record| record.version == 0) {
            return Err(EncodeError::Version(record.id));
        }
        Plan::new(self, records)
    }
}

/// Every offset of a file, determined before its first byte is written.
struct Plan<'a> {
    header: Header,
    records: Vec<Cow<'a, NewRecord<'a>>>,
    entries: Vec<DirectoryEntry>,
    nodes: Vec<PlannedNode>,
}

/// A node with its entries and children.
struct PlannedNode {
    entries: Vec<usize>,
    /// Offsets; empty in a leaf.
    children: Vec<u32>,
    offset: u32,
}

/// Assigns blocks from the first one up, and refuses to exceed the range of a link.
struct Allocator {
    next: u64,
    block_size: u64,
}

impl Allocator {
    fn take(&mut self, blocks: u64) -> Result<u32, EncodeError> {
        let first = self.next;
        self.next = first.saturating_add(blocks.saturating_mul(self.block_size));
        if self.next > u64::from(FREE) - 1 {
            return Err(EncodeError::FileSize(self.next));
        }
        u32::try_from(first).map_err(|_| EncodeError::FileSize(first))
    }
}

impl<'a> Plan<'a> {
    fn new(
        writer: &ContainerWriter<'a>,
        records: Vec<Cow<'a, NewRecord<'a>>>,
    ) -> Result<Self, EncodeError> {
        let mut header = writer.header;
        let payload = header.payload();
        let blocks = |bytes: usize| bytes.div_ceil(payload).max(1) as u64;
        let mut space =
            Allocator { next: u64::from(FIRST_BLOCK), block_size: u64::from(header.block_size) };
        let mut entries = Vec::with_capacity(records.len());
        for record in &records {
            let size = record.bytes.len();
            entries.push(DirectoryEntry {
                id: record.id,
                flags: 0,
                version: record.version,
                offset: space.take(blocks(size))?,
                size: u32::try_from(size).map_err(|_| EncodeError::FileSize(size as u64))?,
                date: record.date,
                iteration: record.iteration,
            });
        }
        let mut nodes = Vec::new();
        let height = height_for(entries.len());
        let mut allocate = || space.take(blocks(NODE_SIZE));
        header.root = build(0..entries.len(), height, &mut nodes, &mut allocate)?;

        let free = u64::from(writer.free_blocks);
        header.free_count = writer.free_blocks;
        header.free_head = 0;
        header.free_tail = 0;
        if free > 0 {
            header.free_head = space.take(free)?;
            header.free_tail = header.free_head + (writer.free_blocks - 1) * header.block_size;
        }
        header.file_size =
            u32::try_from(space.next).map_err(|_| EncodeError::FileSize(space.next))?;
        Ok(Self { header, records, entries, nodes })
    }

    fn write(&self, out: &mut impl Write) -> Result<(), WriteError> {
        let mut head = [0; FIRST_BLOCK as usize];
        head[JOURNAL_AT..JOURNAL_AT + JOURNAL_AT_REST.len()].copy_from_slice(&JOURNAL_AT_REST);
        head[HEADER_AT..HEADER_END].copy_from_slice(&self.header.write());
        out.write_all(&head)?;
        for (record, entry) in self.records.iter().zip(&self.entries) {
            self.chain(out, entry.offset, &record.bytes)?;
        }
        for node in &self.nodes {
            self.chain(out, node.offset, &self.node_bytes(node))?;
        }
        let empty = vec![0; self.header.payload()];
        for index in 0..self.header.free_count {
            let next = self.header.free_head + (index + 1) * self.header.block_size;
            let next = if index + 1 == self.header.free_count { 0 } else { next };
            out.write_all(&(next | FREE).to_le_bytes())?;
            out.write_all(&empty)?;
        }
        Ok(())
    }

    /// Writes a payload to consecutive blocks, the last one padded with zeros.
    fn chain(&self, out: &mut impl Write, first: u32, bytes: &[u8]) -> io::Result<()> {
        let payload = self.header.payload();
        let mut offset = first;
        let mut chunks = bytes.chunks(payload).peekable();
        loop {
            let chunk = chunks.next().unwrap_or_default();
            offset += self.header.block_size;
            let next = if chunks.peek().is_some() { offset } else { 0 };
            out.write_all(&next.to_le_bytes())?;
            out.write_all(chunk)?;
            if next == 0 {
                return out.write_all(&vec![0; payload - chunk.len()]);
            }
        }
    }

    fn node_bytes(&self, node: &PlannedNode) -> Vec<u8> {
        let mut out = Vec::with_capacity(NODE_SIZE);
        node.children.iter().for_each(|child| out.extend(child.to_le_bytes()));
        out.resize((NODE_ENTRIES + 1) * 4, 0);
        // At most 61 entries, as assigned by `build`.
        out.extend(u32::try_from(node.entries.len()).unwrap_or(0).to_le_bytes());
        node.entries.iter().for_each(|index| self.entries[*index].write(&mut out));
        out.resize(NODE_SIZE, 0);
        out
    }
}

/// Greatest number of children of a node.
const ORDER: usize = NODE_ENTRIES + 1;

/// Levels below the root that `entries` need.
fn height_for(entries: usize) -> u32 {
    (0..8).find(|height| ORDER.pow(height + 1) > entries).unwrap_or(8)
}

/// Distributes the entries evenly, children before their parent; returns the offset of the node.
fn build(
    entries: std::ops::Range<usize>,
    height: u32,
    nodes: &mut Vec<PlannedNode>,
    allocate: &mut impl FnMut() -> Result<u32, EncodeError>,
) -> Result<u32, EncodeError> {
    let (mut own, mut children) = (Vec::new(), Vec::new());
    if height == 0 {
        own.extend(entries);
    } else {
        let count = (entries.len() + 1).div_ceil(ORDER.pow(height)).max(2);
        let (share, rest) =
            ((entries.len() + 1 - count) / count, (entries.len() + 1 - count) % count);
        let mut at = entries.start;
        for child in 0..count {
            let size = share + usize::from(child < rest);
            children.push(build(at..at + size, height - 1, nodes, allocate)?);
            at += size;
            if child + 1 < count {
                own.push(at);
                at += 1;
            }
        }
    }
    let offset = allocate()?;
    nodes.push(PlannedNode { entries: own, children, offset });
    Ok(offset)
}

const _: () = assert!(NODE_SIZE == ORDER * 4 + 4 + NODE_ENTRIES * DirectoryEntry::SIZE);

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of each node and the height, built with a dummy allocator.
    fn shape(entries: usize) -> (usize, Vec<usize>) {
        let mut nodes = Vec::new();
        let mut next = 0;
        let mut allocate = || {
            next += 1;
            Ok(next)
        };
        build(0..entries, height_for(entries), &mut nodes, &mut allocate).unwrap();
        (
            nodes.iter().map(|node| node.entries.len()).sum(),
            nodes.iter().map(|node| node.entries.len()).collect(),
        )
    }

    #[test]
    fn every_node_but_the_root_holds_30_to_61_entries() {
        let retail = [79_694, 805_348, 118, 2_295];
        for entries in (0..5_000).chain((5_000..300_000).step_by(997)).chain(retail) {
            let (sum, nodes) = shape(entries);
            assert_eq!(sum, entries);
            let (root, others) = nodes.split_last().unwrap();
            assert!(*root <= 61);
            assert!(others.iter().all(|n| (30..=61).contains(n)), "{entries}: {others:?}");
        }
    }
}
