//! Answers on standard output, and what becomes of them.

use std::io::{self, BufWriter, StdoutLock, Write};

use anyhow::Context;
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
