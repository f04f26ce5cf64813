//! The program: every job is a subcommand, one file each under `cmd/`.
#![forbid(unsafe_code)]

mod arguments;
mod cmd;
mod drawing;
mod extent;
mod picture;
mod pieces;
mod progress;
mod run;
mod say;
mod show;
mod surroundings;
mod tour;
mod waiting;
mod world;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

/// Looks into the cell world of Asheron's Call.
///
/// Commands work on a built-in world, made by code, unless --dats names a folder of data files or --world a world
/// written as text.
#[derive(Parser)]
#[command(name = "threshold", version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: cmd::Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(code) => code,
        Err(error) if say::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; the exit code says it too.
            let _ = writeln!(std::io::stderr(), "threshold: {error:#}");
            ExitCode::FAILURE
        }
    }
}
