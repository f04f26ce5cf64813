//! Chains of blocks.

use crate::error::{At, DatError, ErrorKind};
use crate::reader::Read;

use super::header::HEADER_END;

/// Marks a free block's link.
pub(crate) const FREE: u32 = 0x8000_0000;

/// The blocks of a file, as far as reading a chain needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub(crate) file: &'a [u8],
    /// Bytes of a block besides its link.
    pub(crate) payload: usize,
}

/// One block of a chain: its bytes and where the next one is.
pub(crate) struct Link<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) next: u32,
}

impl<'a> Blocks<'a> {
    /// The first `wanted` bytes of the block at `offset`.
    #[inline]
    pub(crate) fn block(self, offset: u32, wanted: usize) -> Read<Link<'a>> {
        let at = offset as usize;
        if at < HEADER_END || offset & FREE != 0 {
            return Err(outside(offset, self.file.len()));
        }
        let block = self.file.get(at..).and_then(|rest| rest.split_first_chunk::<4>());
        let Some((link, rest)) = block else {
            return Err(outside(offset, self.file.len()));
        };
        let next = u32::from_le_bytes(*link);
        if next & FREE != 0 {
            let error = DatError::value("block link", "a block in use", next);
            return Err(error.at(At::File(at as u64)));
        }
        let Some(bytes) = rest.get(..wanted) else {
            let kind = ErrorKind::Truncated { wanted, left: rest.len() };
            return Err(DatError::new(kind).at(At::File(at as u64 + 4)));
        };
        Ok(Link { bytes, next })
    }

    /// Gathers a payload of `size` bytes that starts in the block at `first` into `out`. An error
    /// about `first` or `size` themselves has no place: the caller knows where they are from.
    pub(crate) fn gather(self, first: u32, size: usize, out: &mut Vec<u8>) -> Read<()> {
        let here = |at: u32| move |error: DatError| error.at(At::File(u64::from(at)));
        self.check_size(size)?;
        out.clear();
        out.reserve_exact(size);
        let mut at = first;
        let mut before = None;
        let mut watch = Watch::default();
        loop {
            let wanted = (size - out.len()).min(self.payload);
            let link = self.block(at, wanted).map_err(|error| match before {
                Some(before) => here(before)(error),
                None => error,
            })?;
            out.extend_from_slice(link.bytes);
            if out.len() == size {
                return Ok(());
            }
            if link.next == 0 {
                let kind = ErrorKind::Truncated { wanted: size - out.len(), left: 0 };
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

    /// A payload of so many bytes must fit into the file, with its links.
    pub(crate) fn check_size(self, size: usize) -> Read<()> {
        let blocks = size.div_ceil(self.payload);
        if blocks.checked_mul(self.payload + 4).is_some_and(|bytes| bytes <= self.file.len()) {
            return Ok(());
        }
        let expected = format!("no more than fits into the {} bytes of the file", self.file.len());
        Err(DatError::value("stored size", expected, size as u64))
    }
}

/// Notices a chain that runs in a circle, after no more steps than three times its length.
#[derive(Default)]
struct Watch {
    seen: u32,
    steps: u32,
    renew_at: u32,
}

impl Watch {
    /// Whether `offset` is the block remembered; remembers another one at each power of two.
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

#[cold]
fn outside(offset: u32, len: usize) -> DatError {
    let expected = format!("an offset in 0x190..0x{len:X}");
    DatError::value("block offset", expected, offset)
}
