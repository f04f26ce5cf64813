//! Chains of blocks.

use crate::error::{ByteOffset, DatError, DatErrorKind};
use crate::reader::Result;

use super::bytes::FileBytes;
use super::header::HEADER_END;

/// Marks the link of a free block.
pub(crate) const FREE: u32 = 0x8000_0000;
/// Bytes of a link.
const LINK: usize = 4;

/// The blocks of a file, for reading chains.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub(crate) file: &'a FileBytes,
    /// Bytes of a block without its link.
    pub(crate) payload: usize,
}

/// One block of a chain: its bytes and the offset of the next block.
pub(crate) struct Link<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) next: u32,
}

impl<'a> Blocks<'a> {
    /// Returns the offset of the block after the one at `offset`; 0 after the last one.
    pub(crate) fn next(self, offset: u32) -> Result<u32> {
        let at = self.start(offset)?;
        match self.file.array::<4>(at)? {
            Some(link) => in_use(u32::from_le_bytes(link), at),
            None => Err(outside(offset, self.file.len())),
        }
    }

    /// Returns the first `wanted` bytes of the block at `offset`, borrowed from the file or read
    /// into `buffer`.
    #[inline]
    pub(crate) fn block<'b>(
        self,
        offset: u32,
        wanted: usize,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Link<'b>>
    where
        'a: 'b,
    {
        let at = self.start(offset)?;
        let bytes = self.file.slice(at, wanted.saturating_add(LINK), buffer)?;
        self.parse_block(offset, bytes, wanted)
    }

    /// Returns where the block at `offset` begins, if that is a valid offset.
    #[inline]
    fn start(self, offset: u32) -> Result<usize> {
        let at = offset as usize;
        if at < HEADER_END || offset & FREE != 0 {
            return Err(outside(offset, self.file.len()));
        }
        Ok(at)
    }

    /// Splits `bytes` into the link and the first `wanted` bytes of a block.
    #[inline]
    fn parse_block<'b>(self, offset: u32, bytes: &'b [u8], wanted: usize) -> Result<Link<'b>> {
        let Some((link, rest)) = bytes.split_first_chunk::<LINK>() else {
            return Err(outside(offset, self.file.len()));
        };
        let next = in_use(u32::from_le_bytes(*link), offset as usize)?;
        let Some(bytes) = rest.get(..wanted) else {
            let kind = DatErrorKind::Truncated { wanted, left: rest.len() };
            return Err(DatError::new(kind).at(ByteOffset::File(u64::from(offset) + 4)));
        };
        Ok(Link { bytes, next })
    }

    /// Gathers a payload of `size` bytes that starts in the block at `first` into `out`. An error
    /// about `first` or `size` has no place; the caller knows where they were read.
    pub(crate) fn gather(self, first: u32, size: usize, out: &mut Vec<u8>) -> Result<()> {
        let here = |at: u32| move |error: DatError| error.at(ByteOffset::File(u64::from(at)));
        self.check_size(size)?;
        out.clear();
        out.reserve_exact(size);
        let mut at = first;
        let mut before = None;
        let mut watch = CycleDetector::default();
        let mut ahead = ReadAhead::default();
        loop {
            let link = ahead.block(self, at, size - out.len()).map_err(|error| match before {
                Some(before) => here(before)(error),
                None => error,
            })?;
            out.extend_from_slice(link.bytes);
            if out.len() == size {
                return Ok(());
            }
            if link.next == 0 {
                let kind = DatErrorKind::Truncated { wanted: size - out.len(), left: 0 };
                return Err(here(at)(DatError::new(kind)));
            }
            if watch.has_seen(link.next) {
                let error =
                    DatError::value("block link", "a block not yet in the chain", link.next);
                return Err(here(at)(error));
            }
            (before, at) = (Some(at), link.next);
        }
    }

    /// Checks that a payload of `size` bytes fits into the file with its links.
    pub(crate) fn check_size(self, size: usize) -> Result<()> {
        let blocks = size.div_ceil(self.payload);
        if blocks.checked_mul(self.payload + 4).is_some_and(|bytes| bytes <= self.file.len()) {
            return Ok(());
        }
        let expected = format!("no more than fits into the {} bytes of the file", self.file.len());
        Err(DatError::value("stored size", expected, size as u64))
    }
}

/// Greatest number of bytes read at once: most records are shorter.
const MAX_READ_AHEAD: usize = 64 << 10;

/// Reads several blocks of a chain at once if they are adjacent, as most are. A chain with jumps
/// costs at most twice the reading: the window shrinks to one block and doubles from there.
#[derive(Default)]
struct ReadAhead {
    bytes: Vec<u8>,
    /// Offset of `bytes` in the file.
    start: usize,
    /// Number of blocks of the next read; 0 before the first.
    blocks: usize,
}

impl ReadAhead {
    /// Returns the block at `offset`, of a chain with `left` bytes of payload from there on.
    #[inline]
    fn block<'b>(&'b mut self, blocks: Blocks<'b>, offset: u32, left: usize) -> Result<Link<'b>> {
        let wanted = left.min(blocks.payload);
        if let FileBytes::Memory(_) = blocks.file {
            return blocks.block(offset, wanted, &mut self.bytes);
        }
        let at = blocks.start(offset)?;
        let end = at + LINK + wanted;
        if at < self.start || end > self.start + self.bytes.len() {
            let size = blocks.payload + LINK;
            let follows = at == self.start + self.bytes.len();
            let max_blocks = MAX_READ_AHEAD.div_ceil(size);
            self.blocks = match self.blocks {
                0 => max_blocks,
                before if follows => (before * 2).min(max_blocks),
                _ => 1,
            };
            let rest = left.div_ceil(blocks.payload).min(self.blocks);
            // The last block of a file may be shorter than the others.
            let length = (rest * size).min(left + rest * LINK);
            let mut bytes = std::mem::take(&mut self.bytes);
            blocks.file.slice(at, length, &mut bytes)?;
            (self.bytes, self.start) = (bytes, at);
        }
        let bytes = self.bytes.get(at - self.start..).unwrap_or_default();
        let bytes = bytes.get(..LINK + wanted).unwrap_or(bytes);
        blocks.parse_block(offset, bytes, wanted)
    }
}

/// Detects a cyclic chain after at most three times its length.
#[derive(Default)]
struct CycleDetector {
    seen: u32,
    steps: u32,
    renew_at: u32,
}

impl CycleDetector {
    /// Returns whether `offset` is the remembered block; remembers another one at each power of
    /// two.
    fn has_seen(&mut self, offset: u32) -> bool {
        if self.steps == self.renew_at {
            self.renew_at = (self.renew_at * 2).max(1);
            self.steps = 0;
            self.seen = offset;
            return false;
        }
        self.steps += 1;
        self.seen == offset
    }
}

/// Checks that the link at `at` belongs to a block in use.
#[inline]
fn in_use(link: u32, at: usize) -> Result<u32> {
    if link & FREE == 0 {
        return Ok(link);
    }
    let error = DatError::value("block link", "a block in use", link);
    Err(error.at(ByteOffset::File(at as u64)))
}

#[cold]
fn outside(offset: u32, len: usize) -> DatError {
    let expected = format!("an offset in 0x190..0x{len:X}");
    DatError::value("block offset", expected, offset)
}
