//! The container: a file of blocks with a directory.

mod bytes;
mod chain;
mod directory;
mod header;
mod verify;
mod write;

pub use bytes::{MEMORY_LIMIT, open_regular};
pub use directory::{DirectoryEntries, DirectoryEntry};
pub use header::Header;
pub use verify::{Finding, Verification};
pub use write::{ContainerWriter, NewRecord, WriteError};

use std::path::Path;
use std::sync::Arc;

use bytes::FileBytes;
use chain::Blocks;
use directory::Slot;

use crate::error::{ByteOffset, DatError, DatErrorKind};
use crate::reader::Result;
use crate::record::RecordId;

/// Bytes that a compressed record may inflate to, unless told otherwise: 64 MiB.
pub const INFLATE_LIMIT: usize = 64 << 20;

/// An open data file. Cheap to share between threads: `&DatFile` is all that reading needs.
///
/// A file of up to [`MEMORY_LIMIT`] bytes is read into memory when it is opened, and what becomes of it on disk
/// afterwards changes nothing. Of a larger one, opening reads the header and nothing else, and records are read
/// from disk when they are asked for. If another program cuts it short meanwhile, or its disk fails, reading a
/// record that is gone is an error ([`DatErrorKind::CutShort`], [`DatErrorKind::Io`]) that names the file. A file that is
/// written over in place gives whatever bytes are there, which decoding treats like those of any damaged file; one
/// that is replaced by renaming another over it stays readable as it was.
///
/// A look-up walks the directory from its root and keeps the nodes it passes, so the first costs a few blocks and
/// later ones a few comparisons, whatever the size of the file.
#[derive(Debug)]
pub struct DatFile {
    name: Arc<str>,
    bytes: FileBytes,
    header: Header,
    root: Option<Slot>,
    inflate_limit: usize,
}

impl DatFile {
    /// Opens a regular file; one of up to [`MEMORY_LIMIT`] bytes is read into memory.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with_memory_limit(path, MEMORY_LIMIT)
    }

    /// Opens a regular file; one of up to `limit` bytes is read into memory. Too small a limit costs a call of the
    /// operating system for each record of a small world; too large a one reads bytes at the start that may never
    /// be asked for, and keeps them.
    pub fn open_with_memory_limit(path: &Path, limit: usize) -> Result<Self> {
        let name: Arc<str> = path.display().to_string().into();
        let bytes = FileBytes::open(path, limit);
        let bytes = bytes.map_err(|error| DatError::new(DatErrorKind::Io(error)).in_file(&name))?;
        Self::new(name, bytes)
    }

    /// The file in `bytes`; errors will call it `name`.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Self::new(name.into(), FileBytes::Memory(bytes))
    }

    fn new(name: Arc<str>, bytes: FileBytes) -> Result<Self> {
        let in_file = |error: DatError| error.in_file(&name);
        let mut head = Vec::new();
        let head = bytes.slice(0, header::HEADER_END, &mut head).map_err(in_file)?;
        let header = Header::read(head).map_err(in_file)?;
        let root = match header.root {
            0 => None,
            at if (header::HEADER_END..bytes.len()).contains(&(at as usize)) => Some(Slot::at(at)),
            at => {
                let cut = header.file_size as usize > bytes.len();
                let hint = format!("; the header says {} bytes, the file is cut", header.file_size);
                let hint = if cut { hint.as_str() } else { "" };
                let expected = format!("0, or an offset in 0x190..0x{:X}{hint},", bytes.len());
                return Err(in_file(
                    DatError::value("directory root", expected, at).at(ByteOffset::File(0x160)),
                ));
            }
        };
        Ok(Self { name, bytes, header, root, inflate_limit: INFLATE_LIMIT })
    }

    /// With another limit for what a compressed record may inflate to.
    #[must_use]
    pub fn with_inflate_limit(mut self, bytes: usize) -> Self {
        self.inflate_limit = bytes;
        self
    }

    /// What errors call it: the path it was opened by.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Its head.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the whole file, when it was opened.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the file has no byte, which an open one never is.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    fn blocks(&self) -> Blocks<'_> {
        Blocks { file: &self.bytes, payload: self.header.payload() }
    }

    /// What the directory says of `id`; `None` when it is not there.
    pub fn find(&self, id: RecordId) -> Result<Option<DirectoryEntry>> {
        let Some(root) = &self.root else {
            return Ok(None);
        };
        let found = root.find(self.blocks(), id.0).map_err(|error| error.in_file(&self.name))?;
        Ok(found.and_then(|found| found.entry()))
    }

    /// Where the directory's entry of a record lies in the file, for errors about what it says.
    fn entry_place(&self, id: RecordId) -> u64 {
        let found =
            self.root.as_ref().and_then(|root| root.find(self.blocks(), id.0).ok().flatten());
        let place = found.and_then(|found| self.place_in_chain(found.offset, found.at()));
        place.unwrap_or(u64::from(self.header.root))
    }

    /// Where byte `at` of a payload lies that begins in the block at `first`.
    fn place_in_chain(&self, first: u32, at: usize) -> Option<u64> {
        let (full, rest) = (at / self.header.payload(), at % self.header.payload());
        let mut offset = first;
        for _ in 0..full {
            offset = self.blocks().next(offset).ok().filter(|next| *next != 0)?;
        }
        Some(u64::from(offset) + 4 + rest as u64)
    }

    /// All entries in the order of their ids. A damaged node costs the entries below it and is
    /// one error; the others follow.
    pub fn entries(&self) -> DirectoryEntries<'_> {
        DirectoryEntries::new(self.blocks(), self.root.as_ref(), &self.name)
    }

    /// The bytes of a record: borrowed from a file in memory when they lie in one block, otherwise
    /// gathered into `buffer`.
    pub fn read<'a>(&'a self, entry: &DirectoryEntry, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        self.read_inner(entry, buffer)
            .map_err(|error| error.in_record(entry.id).in_file(&self.name))
    }

    fn read_inner<'a>(
        &'a self,
        entry: &DirectoryEntry,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8]> {
        if entry.is_compressed() {
            let mut gathered = Vec::new();
            let stored = self.stored(entry, &mut gathered)?;
            let inflated = inflate(stored, self.inflate_limit, buffer);
            inflated.map_err(|error| error.at(ByteOffset::File(u64::from(entry.offset))))?;
            return Ok(buffer);
        }
        self.stored(entry, buffer)
    }

    /// The bytes as they are in the file, compressed or not.
    fn stored<'a>(&'a self, entry: &DirectoryEntry, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let size = entry.size as usize;
        if size == 0 {
            return Ok(&[]);
        }
        // What has no place of its own is something that the directory says.
        let by_directory = |error: DatError| match error.place() {
            Some(_) => error,
            None => error.at(ByteOffset::File(self.entry_place(entry.id))),
        };
        if size <= self.header.payload() {
            let block = self.blocks().block(entry.offset, size, buffer);
            return block.map(|link| link.bytes).map_err(by_directory);
        }
        self.blocks().gather(entry.offset, size, buffer).map_err(by_directory)?;
        Ok(buffer)
    }

    /// Looks `id` up and reads it; `None` when it is not there.
    pub fn get<'a>(&'a self, id: RecordId, buffer: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>> {
        let Some(entry) = self.find(id)? else {
            return Ok(None);
        };
        self.read(&entry, buffer).map(Some)
    }

    /// Where byte `at` of a record lies in the file; the byte after its last one lies behind that in
    /// the same block. `None` for a compressed record, and where the chain of blocks does not reach so
    /// far.
    pub fn file_offset(&self, entry: &DirectoryEntry, at: u64) -> Option<u64> {
        if entry.is_compressed() || at > u64::from(entry.size) {
            return None;
        }
        let at = usize::try_from(at).ok()?;
        // Behind the last byte there may be no block any more.
        let behind = usize::from(at > 0 && at == entry.size as usize);
        let place = self.place_in_chain(entry.offset, at - behind)?;
        Some(place + behind as u64)
    }
}

/// Bytes a compressed record takes at the least.
const MIN_COMPRESSED: usize = 16;
/// A zlib stream grows by no more than this.
const MAX_GROWTH: usize = 1032;

fn inflate(stored: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
    use miniz_oxide::inflate::TINFLStatus;
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

    let error = |text: String| DatError::new(DatErrorKind::Inflate(text.into()));
    let head = stored.split_first_chunk::<4>().filter(|_| stored.len() >= MIN_COMPRESSED);
    let (head, stream) =
        head.ok_or_else(|| error(format!("{} bytes stored, 16 or more expected", stored.len())))?;
    let size = u32::from_le_bytes(*head) as usize;
    let limit = limit.min(stored.len().saturating_mul(MAX_GROWTH));
    if size > limit {
        return Err(error(format!(
            "{size} bytes announced by {} stored, limit {limit}",
            stored.len()
        )));
    }
    out.clear();
    out.reserve_exact(size);
    out.resize(size, 0);
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, _, filled) = decompress(&mut DecompressorOxide::new(), stream, out, 0, flags);
    match status {
        TINFLStatus::Done if filled == size => Ok(()),
        TINFLStatus::Done => Err(error(format!("{filled} bytes inside, {size} announced"))),
        TINFLStatus::HasMoreOutput => Err(error(format!("more than the {size} bytes announced"))),
        TINFLStatus::Adler32Mismatch => Err(error("the stream's checksum is wrong".to_owned())),
        TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => {
            Err(error(format!("the stream ends after {filled} of {size} bytes")))
        }
        _ => Err(error("not a zlib stream".to_owned())),
    }
}
