//! Where the bytes of a file are.

use std::fmt;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a whole file, mapped or owned.
pub(crate) enum FileBytes {
    Owned(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
}

impl FileBytes {
    #[cfg(not(feature = "mmap"))]
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        std::fs::read(path).map(Self::Owned)
    }

    #[cfg(feature = "mmap")]
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        let file = std::fs::File::open(path)?;
        if file.metadata()?.len() == 0 {
            // Nothing can be mapped; the header check says what is wrong.
            return Ok(Self::Owned(Vec::new()));
        }
        #[allow(unsafe_code, reason = "the one place of the project that maps files")]
        // SAFETY: the map is read-only and private to this value. That nobody else cuts the file
        // short meanwhile cannot be checked; whoever does ends the process with a bus error, as
        // with every program that maps files. Data files are not changed while they are played.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self::Mapped(map))
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Self::Mapped(map) => map,
        }
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
