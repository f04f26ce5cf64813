//! Where a trace goes.

use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::say::create;

/// A file, plain or compressed, or standard output.
pub(super) enum Sink {
    Standard(BufWriter<Stdout>),
    Plain(BufWriter<File>),
    Compressed(GzEncoder<BufWriter<File>>),
}

impl Sink {
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Standard(BufWriter::new(io::stdout()))) };
        let file = create(path)?;
        Ok(if path.extension().is_some_and(|extension| extension == "gz") {
            Self::Compressed(GzEncoder::new(file, Compression::best()))
        } else {
            Self::Plain(file)
        })
    }

    /// All is written.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Standard(mut out) => out.flush(),
            Self::Plain(mut file) => file.flush(),
            Self::Compressed(encoder) => encoder.finish()?.flush(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Plain(file) => file.write(bytes),
            Self::Compressed(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Plain(file) => file.flush(),
            // Every flush costs some of what compression gains; what is here can be made again.
            Self::Compressed(_) => Ok(()),
        }
    }
}
