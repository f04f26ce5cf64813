//! Answers on standard output, and what becomes of them.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use serde::Serialize;

/// Says an answer: as JSON, or in words. Who has seen enough of it, as `head` has, changes nothing about what the
/// program says with its exit code.
pub(crate) fn say<A: Serialize>(
    json: bool,
    answer: &A,
    words: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let said = || {
        if json {
            serde_json::to_writer_pretty(&mut out, answer)?;
            writeln!(out)?;
        } else {
            words(&mut out)?;
        }
        Ok(out.flush()?)
    };
    match said() {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        said => said.context("standard output: cannot be written"),
    }
}

/// Whoever reads our output has seen enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json =
            cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json)
    };
    error.chain().find_map(kind) == Some(io::ErrorKind::BrokenPipe)
}

/// A file that cannot be written is a failure, whoever reads it.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{}: cannot be written: {error}", path.display())
}

/// Makes a file, in place of an earlier one.
pub(crate) fn create(path: &Path) -> anyhow::Result<BufWriter<File>> {
    File::create(path).map(BufWriter::new).map_err(|error| cannot_write(path, &error))
}
