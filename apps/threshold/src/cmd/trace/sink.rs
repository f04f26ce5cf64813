//! The output of a trace: a file or standard output.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::output::OutputFile;

/// A file, plain or compressed, or standard output.
pub(super) enum TraceSink {
    Standard(BufWriter<Stdout>),
    Plain(OutputFile),
    Compressed(GzEncoder<OutputFile>),
}

impl TraceSink {
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Standard(BufWriter::new(io::stdout()))) };
        let file = OutputFile::create(path)?;
        Ok(if path.extension().is_some_and(|extension| extension == "gz") {
            Self::Compressed(GzEncoder::new(file, Compression::best()))
        } else {
            Self::Plain(file)
        })
    }

    /// Ends the trace and puts its file in place. `error_of` adds the file to an error.
    pub(super) fn finish(
        self,
        error_of: impl Fn(io::Error) -> anyhow::Error,
    ) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut out) => out.flush().map_err(error_of),
            Self::Plain(file) => file.finish(),
            Self::Compressed(encoder) => encoder.finish().map_err(error_of)?.finish(),
        }
    }
}

impl Write for TraceSink {
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
            // A flush makes compression worse, and an interrupted trace can be made again.
            Self::Compressed(_) => Ok(()),
        }
    }
}
