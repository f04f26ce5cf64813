//! `threshold trace`: runs scenarios and writes a trace of each step.

mod sink;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use threshold_conformance::Scenario;
use threshold_conformance::file::{self, ScenarioFile};
use threshold_conformance::trace::{Head, TraceWriter};

use self::sink::TraceSink;
use crate::formatting::thousands;
use crate::output::cannot_write;
use crate::run::{Run, RunArguments, RunSummary, check_not_overwritten};
use crate::stdout::print_report;

/// Run scenarios and write a trace of each step
///
/// A trace is JSON lines with the input and result of each step; docs/trace.md describes the format. It can be run
/// again (replay --scenarios) and compared with (replay --expect). Without --out, the trace is written to standard
/// output, and the report of the run to standard error.
///
/// The exit status is 1 if a scenario of this world is invalid: a line cannot be read, or its setup or cell does not
/// exist. If nothing can be run, no file is written.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold trace --dats tests/data/holt --scenarios tests/data/conformance/scenarios/holt-walks.jsonl.gz \\
    --id holt-cell-room-0000
  threshold trace --dats tests/data/holt --scenarios walks.jsonl --out walks-trace.jsonl.gz
  threshold replay --dats tests/data/holt --scenarios walks.jsonl --expect walks-trace.jsonl.gz \\
    --rule steep_ground=stops --out results")]
pub(crate) struct Trace {
    #[command(flatten)]
    input: RunArguments,
    /// Run only the scenarios with these ids
    #[arg(long = "id", num_args = 1.., value_name = "ID")]
    ids: Vec<String>,
    /// File to write; .gz compresses it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the report of the run as JSON
    #[arg(long, requires = "out")]
    json: bool,
}

/// The report of a run. Field names are keys of the JSON output.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    summary: RunSummary,
    /// The written file.
    trace: Option<String>,
    steps: usize,
}

impl Trace {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rules = self.input.rules()?;
        let world = self.input.name()?;
        self.check_output()?;
        let files = self.read()?;
        self.require_ids(&world, files.iter().flat_map(|(_, file)| &file.scenarios))?;
        let runner = self.input.load(rules)?;
        let head = Head::new(concat!("threshold ", env!("CARGO_PKG_VERSION")), world.as_str());
        let total = files.iter().map(|(_, file)| file.scenarios.len()).sum();
        let mut traced = TracedRun {
            run: Run::new(world, runner, rules, total),
            writer: TraceWriter::new(
                TraceSink::open(self.out.as_deref())?,
                &head.with_rules(&rules),
            )
            .map_err(|error| self.write_error(error))?,
            steps: 0,
        };
        for (path, file) in files {
            let scenarios = traced.run.select(file);
            let wanted = scenarios.iter().filter(|scenario| self.is_wanted(&scenario.id));
            for scenario in wanted {
                traced.run_scenario(scenario, path).map_err(|error| self.write_error(error))?;
            }
        }
        let TracedRun { run, writer, steps } = traced;
        let summary = run.finish();
        let mut trace = self.out.as_ref().map(|out| out.display().to_string());
        if trace.is_some() && !summary.is_success() && !summary.has_results() {
            // Nothing could be run, so an existing file stays.
            trace = None;
        } else {
            writer.into_inner().finish(|error| self.write_error(error))?;
        }
        let report = Report { summary, trace, steps };
        self.print(&report)?;
        Ok(if report.summary.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Refuses to overwrite scenarios or the world.
    fn check_output(&self) -> anyhow::Result<()> {
        let world = self.input.world.files();
        check_not_overwritten(self.input.scenarios.iter().chain(&world), self.out.as_slice())
    }

    fn read(&self) -> anyhow::Result<Vec<(&Path, ScenarioFile)>> {
        let paths = self.input.scenarios.iter().map(PathBuf::as_path);
        paths.map(|path| Ok((path, file::scenarios(path)?))).collect()
    }

    fn is_wanted(&self, id: &str) -> bool {
        self.ids.is_empty() || self.ids.iter().any(|wanted| wanted == id)
    }

    /// Fails if a scenario given by `--id` does not exist.
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

    fn write_error(&self, error: io::Error) -> anyhow::Error {
        match &self.out {
            Some(out) => cannot_write(out, &error),
            None => anyhow::Error::new(error).context("standard output: cannot be written"),
        }
    }

    fn print(&self, report: &Report) -> anyhow::Result<()> {
        if self.out.is_none() {
            // Standard error may be closed; the exit code reports the failure, too.
            let _ = report.print(&mut io::stderr().lock());
            return Ok(());
        }
        print_report(self.json, report, |out| Ok(report.print(out)?))
    }
}

/// A run and the trace that is written.
struct TracedRun {
    run: Run,
    writer: TraceWriter<TraceSink>,
    steps: usize,
}

impl TracedRun {
    fn run_scenario(&mut self, scenario: &Scenario, file: &Path) -> io::Result<()> {
        if let Some(record) = self.run.run_scenario(scenario, file) {
            self.writer.course(scenario, &record)?;
            self.writer.get_mut().flush()?;
            self.steps += record.steps.len();
        }
        Ok(())
    }
}

impl Report {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        self.summary.print(out)?;
        if let Some(trace) = &self.trace {
            writeln!(out, "{trace}: {} steps", thousands(self.steps))?;
        }
        self.summary.print_count(out)
    }
}
