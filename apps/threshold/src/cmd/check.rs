//! `threshold check`: reports everything that is wrong with a world.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

use clap::Args;
use threshold_check::{CheckOptions, CheckProgress, CheckReport, CheckStage, check_opened};

use crate::progress::Progress;
use crate::say::say;
use crate::show::thousands;
use crate::world::World;

/// Reads everything and lists what is damaged or leads nowhere.
///
/// An error loses something, or leads a mover or a camera astray. A note is worth knowing and harms
/// nothing. Exits with 1 if there is an error.
///
/// Of the records: those that cannot be read; neighbours, environments, surfaces and parts that do
/// not exist.
///
/// Of the world: rooms that are not closed (a ray from inside meets no polygon), whose walls face away
/// from them, or whose cell tree is another space than their walls; portals that do not match their
/// other side; stab lists without a neighbour, rooms with a way out that do not see outside; rooms that
/// nothing leads to; buildings whose portals lead nowhere or do not fit; objects that are not in their
/// cell, or deep in the ground; ground that neighbouring landblocks disagree about. Each with its cell
/// and place.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold check --roundtrip
  threshold check --world house.txt
  threshold check --dats tests/data/dungeon --json")]
pub(crate) struct Check {
    #[command(flatten)]
    world: World,
    /// Also encode every record again and compare the bytes.
    #[arg(long)]
    roundtrip: bool,
    /// Print JSON.
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
        say(self.json, &report, |out| Ok(print(&report, out, seconds)?))?;
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
