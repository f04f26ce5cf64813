//! The bytes of a file: in memory, or on disk with positioned reads.
//!
//! Files are not mapped into memory. If another program cuts a mapped file short, or its disk
//! fails, the next access ends the process with SIGBUS, and no check before the access can exclude
//! that. A positioned read returns an error instead, on every platform.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use crate::error::{ByteOffset, DatError, DatErrorKind};
use crate::reader::Result;

/// Largest file that [`DatFile::open`](super::DatFile::open) reads into memory: 16 MiB.
pub const MEMORY_LIMIT: usize = 16 << 20;

/// The bytes of a whole file.
pub(crate) enum FileBytes {
    Memory(Vec<u8>),
    #[cfg(any(unix, windows))]
    Disk(Disk),
}

/// An open file and its length at that time.
#[cfg(any(unix, windows))]
pub(crate) struct Disk {
    file: File,
    len: usize,
}

impl FileBytes {
    /// Opens a regular file; up to `limit` bytes are read into memory.
    pub(crate) fn open(path: &Path, limit: usize) -> io::Result<Self> {
        let file = open_regular(path)?;
        let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
        let len = usize::try_from(file.metadata()?.len()).map_err(too_large)?;
        #[cfg(any(unix, windows))]
        if len > limit {
            return Ok(Self::Disk(Disk { file, len }));
        }
        #[cfg(not(any(unix, windows)))]
        let _ = limit;
        let mut bytes = Vec::with_capacity(len);
        // A file that grows meanwhile is read up to its former end.
        file.take(len as u64).read_to_end(&mut bytes)?;
        Ok(Self::Memory(bytes))
    }

    /// Length of the file; for one on disk, when it was opened.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            #[cfg(any(unix, windows))]
            Self::Disk(disk) => disk.len,
        }
    }

    /// Returns up to `wanted` bytes from `at` on, fewer at the end of the file, borrowed or read
    /// into `buffer`.
    #[inline]
    pub(crate) fn slice<'b>(
        &'b self,
        at: usize,
        wanted: usize,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8]> {
        let wanted = wanted.min(self.len().saturating_sub(at));
        match self {
            Self::Memory(bytes) => Ok(bytes.get(at..at + wanted).unwrap_or_default()),
            #[cfg(any(unix, windows))]
            Self::Disk(disk) => {
                buffer.clear();
                buffer.resize(wanted, 0);
                disk.fill(at, buffer)?;
                Ok(buffer)
            }
        }
    }

    /// Returns the `N` bytes at `at`, or `None` if the file ends before.
    #[inline]
    pub(crate) fn array<const N: usize>(&self, at: usize) -> Result<Option<[u8; N]>> {
        if self.len().saturating_sub(at) < N {
            return Ok(None);
        }
        match self {
            Self::Memory(bytes) => {
                Ok(bytes.get(at..).and_then(|rest| rest.first_chunk::<N>()).copied())
            }
            #[cfg(any(unix, windows))]
            Self::Disk(disk) => {
                let mut out = [0; N];
                disk.fill(at, &mut out)?;
                Ok(Some(out))
            }
        }
    }
}

#[cfg(any(unix, windows))]
impl Disk {
    /// Reads bytes that existed when the file was opened.
    fn fill(&self, at: usize, out: &mut [u8]) -> Result<()> {
        let mut filled = 0;
        while filled < out.len() {
            let here = (at + filled) as u64;
            match read_at(&self.file, &mut out[filled..], here) {
                Ok(0) => {
                    let kind =
                        DatErrorKind::CutShort { was: self.len as u64, is: self.present_len(here) };
                    return Err(DatError::new(kind).at(ByteOffset::File(at as u64)));
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(DatError::new(DatErrorKind::Io(error)).at(ByteOffset::File(here)));
                }
            }
        }
        Ok(())
    }

    /// Returns the present length of the file, which is at most `here`.
    #[cold]
    fn present_len(&self, here: u64) -> u64 {
        self.file.metadata().map_or(here, |metadata| metadata.len().min(here))
    }
}

#[cfg(unix)]
fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, out, at)
}

/// Moves the cursor of the file, which is not used otherwise.
#[cfg(windows)]
fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, out, at)
}

/// Opens a regular file for reading. Folders, pipes and devices are refused: opening a named pipe waits for a writer,
/// and a device may have no end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    require_regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The path may point to another file by now.
    require_regular(&file.metadata()?)?;
    Ok(file)
}

fn require_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() { "a folder" } else { "a pipe or device" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{what}, not a regular file")))
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
