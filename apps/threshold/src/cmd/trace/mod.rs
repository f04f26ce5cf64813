//! `threshold trace`: what is asked and what is answered, step by step.

mod sink;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use threshold_conformance::Scenario;
use threshold_conformance::file::{self, ScenarioFile};
use threshold_conformance::trace::{Head, Writer};

use self::sink::Sink;
use crate::output::cannot_write;
use crate::run::{Account, Asked, Run, keep};
use crate::say::say;
use crate::show::thousands;

/// Runs scenarios in a world and writes a trace: what was asked and what came of it, step by step.
///
/// The format is JSON lines and open to other programs; docs/trace.md describes it. A trace can be run again
/// (replay --scenarios) and its answers can be expected (replay --expect). Without --out it goes to
/// standard output, and what there is to say about the run to standard error.
///
/// Exits with 1 if a scenario of this world is broken (a line that cannot be read, a setup or a cell that
/// is not there).
#[derive(Args)]
#[command(after_help = "Examples:
  threshold trace --dats tests/data/holt --scenarios tests/data/conformance/scenarios/holt-walks.jsonl.gz \\
    --id holt-cell-room-0000
  threshold trace --dats tests/data/holt --scenarios walks.jsonl --out walks-trace.jsonl.gz
  threshold replay --dats tests/data/holt --scenarios walks.jsonl --expect walks-trace.jsonl.gz \\
    --rule steep_ground=stops --out results")]
pub(crate) struct Trace {
    #[command(flatten)]
    asked: Asked,
    /// Only the scenarios with these ids.
    #[arg(long = "id", num_args = 1.., value_name = "ID")]
    ids: Vec<String>,
    /// File for the trace; .gz compresses it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print what there is to say about the run as JSON.
    #[arg(long, requires = "out")]
    json: bool,
}

/// What came of it.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    account: Account,
    trace: Option<String>,
    steps: usize,
}

impl Trace {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rules = self.asked.rules()?;
        let world = self.asked.name()?;
        self.keep()?;
        let files = self.read()?;
        self.require_ids(&world, files.iter().flat_map(|(_, file)| &file.scenarios))?;
        let runner = self.asked.load(rules)?;
        let head = Head::new(concat!("threshold ", env!("CARGO_PKG_VERSION")), world.as_str());
        let total = files.iter().map(|(_, file)| file.scenarios.len()).sum();
        let mut tracing = Tracing {
            run: Run::new(world, runner, rules, total),
            writer: Writer::new(Sink::open(self.out.as_deref())?, &head.with_rules(&rules))
                .map_err(|error| self.cannot(error))?,
            steps: 0,
        };
        for (path, file) in files {
            let own = tracing.run.own(file);
            let wanted = own.iter().filter(|scenario| self.is_wanted(&scenario.id));
            for scenario in wanted {
                tracing.scenario(scenario, path).map_err(|error| self.cannot(error))?;
            }
        }
        let trace = self.out.as_ref().map(|out| out.display().to_string());
        let Tracing { run, writer, steps } = tracing;
        writer.into_inner().finish(|error| self.cannot(error))?;
        let report = Report { account: run.finish(), trace, steps };
        self.print(&report)?;
        Ok(if report.account.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Refuses to write over scenarios or the world.
    fn keep(&self) -> anyhow::Result<()> {
        let world = self.asked.world.files();
        keep(self.asked.scenarios.iter().chain(&world), self.out.as_slice())
    }

    fn read(&self) -> anyhow::Result<Vec<(&Path, ScenarioFile)>> {
        let paths = self.asked.scenarios.iter().map(PathBuf::as_path);
        paths.map(|path| Ok((path, file::scenarios(path)?))).collect()
    }

    fn is_wanted(&self, id: &str) -> bool {
        self.ids.is_empty() || self.ids.iter().any(|wanted| wanted == id)
    }

    /// Whether every id that was asked for is there.
    fn require_ids<'a>(
        &self,
        world: &str,
        scenarios: impl Iterator<Item = &'a Scenario>,
    ) -> anyhow::Result<()> {
        let own: Vec<&str> = scenarios
            .filter(|scenario| scenario.world == world)
            .map(|scenario| scenario.id.as_str())
            .collect();
        match self.ids.iter().find(|id| !own.contains(&id.as_str())) {
            Some(id) => bail!("--id {id}: no scenario of the world {world} has this id"),
            None => Ok(()),
        }
    }

    fn cannot(&self, error: io::Error) -> anyhow::Error {
        match &self.out {
            Some(out) => cannot_write(out, &error),
            None => anyhow::Error::new(error).context("standard output: cannot be written"),
        }
    }

    fn print(&self, report: &Report) -> anyhow::Result<()> {
        if self.out.is_none() {
            // Standard error may be closed; the exit code says it too.
            let _ = report.print(&mut io::stderr().lock());
            return Ok(());
        }
        say(self.json, report, |out| Ok(report.print(out)?))
    }
}

/// A run that is written down.
struct Tracing {
    run: Run,
    writer: Writer<Sink>,
    steps: usize,
}

impl Tracing {
    fn scenario(&mut self, scenario: &Scenario, file: &Path) -> io::Result<()> {
        if let Some(record) = self.run.answer(scenario, file) {
            self.writer.course(scenario, &record)?;
            self.writer.get_mut().flush()?;
            self.steps += record.steps.len();
        }
        Ok(())
    }
}

impl Report {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        self.account.print(out)?;
        if let Some(trace) = &self.trace {
            writeln!(out, "{trace}: {} steps", thousands(self.steps))?;
        }
        self.account.print_count(out)
    }
}
