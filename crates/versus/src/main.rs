//! Compares recorded walks of both sample worlds: Threshold and rapier's character controller
//! on the same triangles. `docs/versus-rapier.md` says what is compared and what is not.
//!
//! `cargo run --release --package threshold-versus [-- --rounds N --meshes whole|pieces --json]`
#![forbid(unsafe_code)]

mod arena;
mod character;
mod compare;
mod course;
mod engine;
mod measure;
mod report;
mod room;
mod scene;
mod surface;
mod trail;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use self::arena::Grain;
use self::compare::compare;
use self::report::Report;

/// Compares recorded walks with Threshold and with rapier's character controller.
#[derive(Parser)]
#[command(name = "versus", version, about, long_about = None)]
struct Arguments {
    /// Number of measured rounds; every engine runs in each round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    rounds: u16,
    /// Colliders made from the meshes
    #[arg(long, default_value = "whole")]
    meshes: Grain,
    /// Machine-readable output
    #[arg(long)]
    json: bool,
}

/// The sample worlds.
const WORLDS: [&str; 2] = ["holt", "dungeon"];

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; the exit code reports the failure, too.
            let _ = writeln!(std::io::stderr(), "versus: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let rounds = usize::from(arguments.rounds);
    // Two kinds of walks in every world.
    let progress = progress_bar((2 * WORLDS.len() * (rounds + 1)) as u64)?;
    let worlds = WORLDS.map(|world| compare(world, rounds, arguments.meshes, &progress));
    let worlds = worlds.into_iter().collect::<anyhow::Result<_>>()?;
    progress.finish_and_clear();
    let report = Report { rounds, meshes: arguments.meshes, worlds };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        report.write(&mut out)?;
    }
    Ok(())
}

/// Returns a progress bar on standard error; it draws nothing when that is not a terminal.
fn progress_bar(steps: u64) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {human_pos}/{human_len} {eta}")?;
    let style = style.progress_chars("=> ");
    Ok(ProgressBar::new(steps).with_style(style).with_message("walking"))
}
