//! `threshold replay`: runs scenarios and compares the results.

mod input;
mod report;
mod versus;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use threshold_conformance::file::{self, RecordFiles};
use threshold_conformance::{
    Agreement, Expectation, KnownDifferences, Properties, Scenario, ScenarioResult,
};
use threshold_motion::Shortcuts;

use self::input::Input;
use self::report::{Report, Results};
use self::versus::Versus;
use crate::output::{OutputFile, cannot_write, create_folder};
use crate::run::{Run, RunArguments, files_of, is_same_place};
use crate::stdout::print_report;

/// Run scenarios and compare the results with recorded ones
///
/// Scenarios and results are JSON lines, plain or compressed (.gz). For each file of scenarios, a file of results with
/// the same name is written to the output folder, with one line per scenario. Scenarios of other worlds are skipped and
/// counted. A trace serves as scenarios and as results.
///
/// With --expect, every result must agree with the recorded one: the same cells and contact, positions within 2 mm. If
/// two recorded sets disagree, the first one counts. A scenario on the list of known differences must differ, so that
/// the list stays current. Recorded cameras that hit something are known to be wrong: they are counted but not
/// compared, unless --properties lists what they must satisfy.
///
/// With --versus, every scenario is also run with a second setting of the rules, and all differences are shown, bit by
/// bit. A difference between settings is not a failure.
///
/// The exit status is 1 if a scenario of this world is invalid (a line cannot be read, or its setup or cell does not
/// exist), if a result differs and is not listed, if a listed one does not differ, or if there was nothing to compare.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold replay --dats tests/data/holt --scenarios tests/data/conformance/scenarios/* --out results
  threshold replay --dats tests/data/holt --scenarios cells.jsonl.gz --out results \\
    --expect tests/data/conformance/results/a --expect tests/data/conformance/results/b \\
    --known tests/data/conformance/known-differences.txt
  threshold replay --dats tests/data/holt --scenarios walks.jsonl --versus steep_ground=stops")]
pub(crate) struct Replay {
    #[command(flatten)]
    asked: RunArguments,
    /// Folder for the results; created if missing
    ///
    /// Optional with --expect and --versus. With --versus, the results are those of the first setting.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["expect", "versus"])]
    out: Option<PathBuf>,
    /// Compare with this folder or file of results, or trace; a second one shows disputed results
    #[arg(long, value_name = "PATH")]
    expect: Vec<PathBuf>,
    /// List of known differences: an id and a reason per line, # starts a comment
    #[arg(long, value_name = "FILE", requires = "expect")]
    known: Option<PathBuf>,
    /// List of properties of cameras: an id and properties per line, # starts a comment
    #[arg(long, value_name = "FILE", requires = "expect")]
    properties: Option<PathBuf>,
    /// Run everything again with this rule, and show the differences
    #[arg(long, value_name = "NAME=VALUE")]
    versus: Vec<String>,
    /// Let sweeps take shortcuts; the results have the same bits either way
    #[arg(long, value_enum, value_name = "WHEN", default_value = "on")]
    shortcuts: ShortcutMode,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Whether sweeps take shortcuts.
#[derive(Clone, Copy, ValueEnum)]
enum ShortcutMode {
    On,
    Off,
}

impl From<ShortcutMode> for Shortcuts {
    fn from(mode: ShortcutMode) -> Self {
        match mode {
            ShortcutMode::On => Self::ALL,
            ShortcutMode::Off => Self::NONE,
        }
    }
}

impl Replay {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rules = self.asked.rules()?;
        let world = self.asked.name()?;
        let mut versus = match self.versus.as_slice() {
            [] => None,
            settings => Some(Versus::new(&self.asked, rules, settings)?),
        };
        let expected = self.expected(&world)?;
        let known = self.known.as_deref();
        let lists = self.known.iter().chain(&self.properties);
        let others = self.expect.iter().chain(lists).flat_map(|path| files_of(path));
        let others: Vec<PathBuf> = others.chain(self.asked.world.files()).collect();
        let inputs = input::read(&self.asked.scenarios, self.out.as_deref(), &others)?;
        let known = known.map(KnownDifferences::read).transpose()?.unwrap_or_default();
        let properties = self.properties.as_deref().map(Properties::read).transpose()?;
        let properties = properties.unwrap_or_default();
        let mut runner = self.asked.load(rules)?;
        runner.set_shortcuts(self.shortcuts.into());
        if let Some(versus) = &mut versus {
            versus.load(&self.asked, &rules, self.shortcuts.into())?;
        }
        if let Some(out) = &self.out {
            create_folder(out)?;
        }
        let total = inputs.iter().map(|input| input.file.scenarios.len()).sum();
        let mut run = Run::new(world, runner, rules, total);
        let expectation = self.expectation(expected, known, properties, &mut run);
        let mut replay = ReplayRun {
            agreement: expectation.as_ref().map(|_| Agreement::default()),
            run,
            expectation,
            versus,
            results: Vec::new(),
        };
        inputs.into_iter().try_for_each(|input| replay.run_file(input))?;
        let report = replay.finish();
        let two = self.expect.len() > 1;
        print_report(self.json, &report, |out| Ok(report.print(out, two)?))?;
        Ok(if report.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Reads the recorded results.
    fn expected(&self, world: &str) -> anyhow::Result<Vec<RecordFiles>> {
        if self.expect.len() > 2 {
            bail!("--expect: at most two folders or files");
        }
        let is_output =
            |path: &&PathBuf| self.out.as_ref().is_some_and(|out| is_same_place(path, out));
        if let Some(folder) = self.expect.iter().find(is_output) {
            bail!(
                "{}: results would be written among the expected ones; choose another --out",
                folder.display()
            );
        }
        let read = |path: &PathBuf| Ok(file::recorded(path, Some(world))?);
        self.expect.iter().map(read).collect()
    }

    /// Returns the expectation that results are judged by, and notes its traces and files.
    fn expectation(
        &self,
        expected: Vec<RecordFiles>,
        known: KnownDifferences,
        properties: Properties,
        run: &mut Run,
    ) -> Option<Expectation> {
        for (path, files) in self.expect.iter().zip(&expected) {
            files.traces.iter().for_each(|trace| run.note_trace(trace));
            run.summary.note_expected(path, files);
        }
        let mut recorded = expected.into_iter().map(|files| files.recorded);
        let first = recorded.next()?;
        Some(Expectation { first, second: recorded.next(), known, properties })
    }
}

/// A run whose results are written, judged, and compared with those of a second setting.
struct ReplayRun {
    run: Run,
    expectation: Option<Expectation>,
    agreement: Option<Agreement>,
    versus: Option<Versus>,
    results: Vec<Results>,
}

impl ReplayRun {
    /// Runs the scenarios of a file and writes their results, if any scenario is of this world.
    fn run_file(&mut self, input: Input) -> anyhow::Result<()> {
        let Input { path, results, file } = input;
        let scenarios = self.run.select(file);
        if scenarios.is_empty() {
            return Ok(());
        }
        let Some(results) = results else {
            scenarios.iter().for_each(|scenario| drop(self.run_scenario(scenario, &path)));
            return Ok(());
        };
        let write_error = |error| cannot_write(&results, &error);
        let mut out = OutputFile::create(&results)?;
        let mut count = 0;
        for scenario in scenarios {
            if let Some(record) = self.run_scenario(&scenario, &path) {
                let line = record.to_line().map_err(write_error)?;
                writeln!(out, "{line}").map_err(write_error)?;
                count += 1;
            }
        }
        out.finish()?;
        self.results.push(Results { file: results.display().to_string(), scenarios: count });
        Ok(())
    }

    /// Runs a scenario, judges its result, and compares it with that of the second setting.
    fn run_scenario(&mut self, scenario: &Scenario, file: &Path) -> Option<ScenarioResult> {
        let record = self.run.run_scenario(scenario, file)?;
        if let (Some(expectation), Some(agreement)) = (&self.expectation, &mut self.agreement) {
            agreement.add(expectation.judge_in(self.run.runner.world(), scenario, &record));
        }
        if let Some(versus) = &mut self.versus
            && let Err(reason) = versus.compare(&mut self.run.runner, scenario, file, &record)
        {
            self.run.summary.add_not_run(&reason, scenario.id.clone());
        }
        Some(record)
    }

    fn finish(self) -> Report {
        let Self { run, agreement, versus, results, .. } = self;
        let versus = versus.map(|versus| versus.differences);
        Report { summary: run.finish(), results, agreement, versus }
    }
}
