//! Where a trace goes.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::output::OutputFile;

/// A file, plain or compressed, or standard output.
pub(super) enum Sink {
    Standard(BufWriter<Stdout>),
    Plain(OutputFile),
    Compressed(GzEncoder<OutputFile>),
}

impl Sink {
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Standard(BufWriter::new(io::stdout()))) };
        let file = OutputFile::create(path)?;
        Ok(if path.extension().is_some_and(|extension| extension == "gz") {
            Self::Compressed(GzEncoder::new(file, Compression::best()))
        } else {
            Self::Plain(file)
        })
    }

    /// Ends the trace and puts its file in place; `cannot` says what an error was about.
    pub(super) fn finish(self, cannot: impl Fn(io::Error) -> anyhow::Error) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut out) => out.flush().map_err(cannot),
            Self::Plain(file) => file.finish(),
            Self::Compressed(encoder) => encoder.finish().map_err(cannot)?.finish(),
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
