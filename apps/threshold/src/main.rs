//! The program: every job is a subcommand, one file each under `cmd/`.
#![forbid(unsafe_code)]

mod cmd;
mod progress;
mod run;
mod show;
mod world;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

/// Looks into the cell world of Asheron's Call.
#[derive(Parser)]
#[command(name = "threshold", version, about, long_about = None, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: cmd::Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; the exit code says it too.
            let _ = writeln!(std::io::stderr(), "threshold: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whoever reads our output has seen enough, as `head` has.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json =
            cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json)
    };
    error.chain().find_map(kind) == Some(std::io::ErrorKind::BrokenPipe)
}
