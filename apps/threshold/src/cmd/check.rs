//! `threshold check`: finds damaged records and inconsistencies in a world.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

use clap::Args;
use threshold_check::{CheckOptions, CheckProgress, CheckReport, CheckStage, check_opened};

use crate::formatting::thousands;
use crate::progress::Progress;
use crate::stdout::print_report;
use crate::world::World;

/// Find damaged records and inconsistencies in a world
///
/// Reads every record and builds every piece. An error loses something, or misleads a mover or a camera; a note is
/// harmless. Each finding has its cell and position. The exit status is 1 if there is an error.
///
/// Checks of records: they can be read, and the records they refer to exist.
///
/// Checks of the world: rooms are closed (every ray from inside hits a polygon), their walls face inwards and agree with
/// their cell tree; portals match their other side; stab lists have all neighbours; rooms with an exit have the flag
/// seen_outside; every room can be reached; portals of buildings fit; objects are in their cell and not deep in the
/// ground; and landblocks have the same height at their common edges.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold check --roundtrip
  threshold check --world house.txt
  threshold check --dats tests/data/dungeon --json")]
pub(crate) struct Check {
    #[command(flatten)]
    world: World,
    /// Also encode every record again and compare the bytes
    #[arg(long)]
    roundtrip: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let begun = Instant::now();
        let bars = StageBars::default();
        let options = CheckOptions { roundtrip: self.roundtrip };
        let report = check_opened(self.world.open()?, &options, &|progress| bars.update(progress));
        let seconds = begun.elapsed().as_secs_f64();
        print_report(self.json, &report, |out| Ok(print(&report, out, seconds)?))?;
        Ok(if report.errors > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// A progress bar for each stage.
#[derive(Default)]
struct StageBars {
    records: OnceLock<Progress>,
    world: OnceLock<Progress>,
}

impl StageBars {
    fn update(&self, progress: CheckProgress) {
        let (bar, label) = match progress.stage {
            CheckStage::Records => (&self.records, "checking records"),
            CheckStage::World => (&self.world, "checking the world"),
        };
        let bar = bar.get_or_init(|| Progress::new(label, progress.total as u64));
        bar.step();
        if progress.done == progress.total {
            bar.finish();
        }
    }
}

fn print(report: &CheckReport, out: &mut impl Write, seconds: f64) -> io::Result<()> {
    for finding in &report.findings {
        writeln!(out, "{finding}")?;
    }
    for file in &report.files {
        writeln!(
            out,
            "{}: {} records, {} bytes, {} directory nodes, {} blocks",
            file.file,
            thousands(file.records),
            thousands(file.bytes),
            thousands(file.directory_nodes),
            thousands(file.blocks)
        )?;
    }
    writeln!(
        out,
        "{} records checked in {seconds:.2} s: {} errors, {} notes",
        thousands(report.records),
        thousands(report.errors),
        thousands(report.notes)
    )
}
