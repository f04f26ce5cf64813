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
pub use verify::{ContainerFinding, Verification};
pub use write::{ContainerWriter, NewRecord, WriteError};

use std::path::Path;
use std::sync::Arc;

use bytes::FileBytes;
use chain::Blocks;
use directory::Slot;

use crate::error::{ByteOffset, DatError, DatErrorKind};
use crate::reader::Result;
use crate::record::RecordId;

/// Default limit for the size of an inflated record: 64 MiB.
pub const INFLATE_LIMIT: usize = 64 << 20;

/// An open data file. Cheap to share between threads: reading needs only `&DatFile`.
///
/// A file of up to [`MEMORY_LIMIT`] bytes is read into memory when it is opened; later changes on
/// disk have no effect. Of a larger file only the header is read, and records are read from disk
/// when needed. If another program cuts it short meanwhile, or its disk fails, reading a lost
/// record is an error ([`DatErrorKind::CutShort`], [`DatErrorKind::Io`]) that names the file. A
/// file that is overwritten in place gives the bytes that are there now, which are decoded like those
/// of any damaged file. A file that is replaced by renaming another over it stays readable as it
/// was.
///
/// A look-up walks the directory from its root and keeps the nodes it passes: the first costs a few
/// blocks, later ones a few comparisons, for files of any size.
#[derive(Debug)]
pub struct DatFile {
    name: Arc<str>,
    bytes: FileBytes,
    header: Header,
    root: Option<Slot>,
    inflate_limit: usize,
}

impl DatFile {
    /// Opens a regular file; up to [`MEMORY_LIMIT`] bytes are read into memory.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with_memory_limit(path, MEMORY_LIMIT)
    }

    /// Opens a regular file; up to `limit` bytes are read into memory. With too small a limit each
    /// record of a small world costs a system call; with too large a limit, opening reads and keeps
    /// bytes that may never be needed.
    pub fn open_with_memory_limit(path: &Path, limit: usize) -> Result<Self> {
        let name: Arc<str> = path.display().to_string().into();
        let bytes = FileBytes::open(path, limit);
        let bytes = bytes.map_err(|error| DatError::new(DatErrorKind::Io(error)).in_file(&name))?;
        Self::new(name, bytes)
    }

    /// Opens a file in memory; errors call it `name`.
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

    /// Sets the limit for the size of an inflated record.
    #[must_use]
    pub fn with_inflate_limit(mut self, bytes: usize) -> Self {
        self.inflate_limit = bytes;
        self
    }

    /// Its name in errors: the path it was opened by.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Length of the file when it was opened.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether the file is empty, which an open file never is.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    fn blocks(&self) -> Blocks<'_> {
        Blocks { file: &self.bytes, payload: self.header.payload() }
    }

    /// Returns the directory entry of `id`, or `None` if there is none.
    pub fn find(&self, id: RecordId) -> Result<Option<DirectoryEntry>> {
        let Some(root) = &self.root else {
            return Ok(None);
        };
        let found = root.find(self.blocks(), id.0).map_err(|error| error.in_file(&self.name))?;
        Ok(found.and_then(|found| found.entry()))
    }

    /// Returns the offset of a directory entry in the file, for errors about its content; that of the root if
    /// the entry cannot be found again, as in a file that is being overwritten.
    fn entry_place(&self, id: RecordId) -> u64 {
        let found =
            self.root.as_ref().and_then(|root| root.find(self.blocks(), id.0).ok().flatten());
        let place = found.and_then(|found| self.place_in_chain(found.offset, found.at()));
        place.unwrap_or(u64::from(self.header.root))
    }

    /// Returns the offset in the file of byte `at` of a payload that begins in the block at
    /// `first`.
    fn place_in_chain(&self, first: u32, at: usize) -> Option<u64> {
        let (full, rest) = (at / self.header.payload(), at % self.header.payload());
        let mut offset = first;
        for _ in 0..full {
            offset = self.blocks().next(offset).ok().filter(|next| *next != 0)?;
        }
        Some(u64::from(offset) + 4 + rest as u64)
    }

    /// All entries sorted by id. A damaged node loses the entries below it and is reported as one
    /// error; the others follow.
    pub fn entries(&self) -> DirectoryEntries<'_> {
        DirectoryEntries::new(self.blocks(), self.root.as_ref(), &self.name)
    }

    /// Returns the bytes of a record: borrowed from a file in memory if they lie in one block,
    /// otherwise gathered into `buffer`.
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

    /// Returns the bytes as stored, compressed or not.
    fn stored<'a>(&'a self, entry: &DirectoryEntry, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let size = entry.size as usize;
        if size == 0 {
            return Ok(&[]);
        }
        // An error without a place is about the directory entry.
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

    /// Looks up and reads a record, or returns `None` if there is none.
    pub fn get<'a>(&'a self, id: RecordId, buffer: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>> {
        let Some(entry) = self.find(id)? else {
            return Ok(None);
        };
        self.read(&entry, buffer).map(Some)
    }

    /// Returns the offset in the file of byte `at` of a record; the end of the record follows its
    /// last byte in the same block. Returns `None` for a compressed record, or if the chain of
    /// blocks ends before.
    pub fn file_offset(&self, entry: &DirectoryEntry, at: u64) -> Option<u64> {
        if entry.is_compressed() || at > u64::from(entry.size) {
            return None;
        }
        let at = usize::try_from(at).ok()?;
        // After the last byte there may be no further block.
        let behind = usize::from(at > 0 && at == entry.size as usize);
        let place = self.place_in_chain(entry.offset, at - behind)?;
        Some(place + behind as u64)
    }
}

/// Least size of a compressed record, in bytes.
const MIN_COMPRESSED: usize = 16;
/// Greatest growth of a zlib stream.
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
