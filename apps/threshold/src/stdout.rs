//! Reports on standard output.

use std::io::{self, BufWriter, StdoutLock, Write};

use anyhow::Context;
use serde::Serialize;

/// Prints a report as JSON or as text. A reader that closes the pipe early, such as `head`, is no error, so the exit
/// status stays that of the report.
pub(crate) fn print_report<R: Serialize>(
    json: bool,
    report: &R,
    print_text: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let print = || {
        if json {
            serde_json::to_writer_pretty(&mut out, report)?;
            writeln!(out)?;
        } else {
            print_text(&mut out)?;
        }
        Ok(out.flush()?)
    };
    match print() {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        printed => printed.context("standard output: cannot be written"),
    }
}

/// Returns whether the reader of the output has closed the pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json =
            cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json)
    };
    error.chain().find_map(kind) == Some(io::ErrorKind::BrokenPipe)
}
