//! `threshold replay`: recorded scenarios, run again.

mod input;
mod report;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use threshold_conformance::file::{self, ScenarioFile};
use threshold_conformance::{Expectation, Known, Record, Runner, Scenario};
use threshold_dat::DatFolder;
use threshold_motion::Rules;

use self::input::{Input, is_same_place};
use self::report::Report;
use crate::progress::Progress;
use crate::world::World;

/// Runs scenarios in a world, writes the answers, and compares them with recorded ones.
///
/// Scenarios and results are JSON lines, plain or compressed (.gz). Each file of scenarios gives a file of
/// results of the same name in the output folder, a line a scenario in the same order. Scenarios of
/// other worlds are passed over and counted.
///
/// With --expect, every answer must be the recorded one: the same cells and contact, positions within
/// 2 mm. With two folders of records, where these dispute, it must be what the first says. A scenario on
/// the list of known differences may differ, and must: an entry that no longer differs has to go. A
/// recorded camera that met something is known to stop in the wrong place: it is not compared, and counted.
///
/// Exits with 1 if a scenario of this world is broken (a line that cannot be read, a setup or a cell that
/// is not there), if an answer differs and is not listed, if one is listed and does not differ, or if there
/// was nothing to compare.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold replay --dats tests/data/holt --scenarios tests/data/conformance/scenarios/* --out results
  threshold replay --dats tests/data/holt --scenarios cells.jsonl.gz --out results \\
    --expect tests/data/conformance/results/a --expect tests/data/conformance/results/b \\
    --known tests/data/conformance/known-differences.txt")]
pub(crate) struct Replay {
    #[command(flatten)]
    world: World,
    /// Files of scenarios, .jsonl or .jsonl.gz.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    scenarios: Vec<PathBuf>,
    /// Folder for the results; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Follow another rule than the default where it is disputed what the retail client did; docs/rules.md
    /// lists them.
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Folder of recorded results that ours must be; a second one shows what is disputed.
    #[arg(long, value_name = "DIR")]
    expect: Vec<PathBuf>,
    /// List of known differences: an id and a reason a line, # begins a comment.
    #[arg(long, value_name = "FILE", requires = "expect")]
    known: Option<PathBuf>,
    /// What scenarios call this world; the name of the folder if not given.
    #[arg(long, value_name = "NAME")]
    world_name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The default rules with these settings.
fn rules(settings: &[String]) -> anyhow::Result<Rules> {
    let mut rules = Rules::default();
    for setting in settings {
        rules.set_text(setting).with_context(|| format!("--rule {setting}"))?;
    }
    Ok(rules)
}

impl Replay {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rules = rules(&self.rules)?;
        let name = self.name()?;
        let expectation = self.expectation()?;
        let inputs = input::read(&self.scenarios, &self.out, self.known.as_deref())?;
        let folder = self.world.open()?.complete().context("cannot open the data files")?;
        let out = self.out.display();
        fs::create_dir_all(&self.out).with_context(|| format!("{out}: cannot be made"))?;
        let runner = load(folder, rules);
        let total = inputs.iter().map(|input| input.file.scenarios.len()).sum::<usize>();
        let mut run = Run {
            report: Report::new(name, &runner, expectation.is_some()),
            runner,
            expectation,
            ids: BTreeSet::new(),
            progress: Progress::new("running", total as u64),
        };
        inputs.into_iter().try_for_each(|input| run.file(input))?;
        run.progress.finish();
        self.print(&run.report)?;
        Ok(if run.report.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// What scenarios call this world.
    fn name(&self) -> anyhow::Result<String> {
        if let Some(name) = &self.world_name {
            return Ok(name.clone());
        }
        let dats = &self.world.dats;
        // A path such as `.` has no name of its own.
        let whole = || dats.canonicalize().ok()?.file_name().map(ToOwned::to_owned);
        let name = dats.file_name().map(ToOwned::to_owned).or_else(whole);
        let name = name.and_then(|name| name.into_string().ok());
        name.with_context(|| format!("{}: give the world a --world-name", dats.display()))
    }

    fn expectation(&self) -> anyhow::Result<Option<Expectation>> {
        if let Some(folder) = self.expect.iter().find(|folder| is_same_place(folder, &self.out)) {
            bail!("{}: results would be written among those expected", folder.display());
        }
        let known = self.known.as_deref().map(Known::read).transpose()?.unwrap_or_default();
        let (first, second) = match self.expect.as_slice() {
            [] => return Ok(None),
            [first] => (file::recorded(first, None)?.recorded, None),
            [first, second] => {
                let second = file::recorded(second, None)?.recorded;
                (file::recorded(first, None)?.recorded, Some(second))
            }
            _ => bail!("--expect takes two folders at most"),
        };
        Ok(Some(Expectation { first, second, known }))
    }

    fn print(&self, report: &Report) -> anyhow::Result<()> {
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            serde_json::to_writer_pretty(&mut out, report)?;
            writeln!(out)?;
        } else {
            report.print(&mut out, self.expect.len() > 1)?;
        }
        Ok(out.flush()?)
    }
}

fn load(folder: DatFolder, rules: Rules) -> Runner {
    let mut runner = Runner::empty(folder, rules);
    let pieces = runner.pieces();
    let progress = Progress::new("loading", pieces.len() as u64);
    for piece in pieces {
        runner.load(piece);
        progress.step();
    }
    progress.finish();
    runner
}

/// A run over all files.
struct Run {
    runner: Runner,
    expectation: Option<Expectation>,
    /// Of the scenarios so far.
    ids: BTreeSet<String>,
    report: Report,
    progress: Progress,
}

impl Run {
    /// Runs the scenarios of a file and writes their results, if any is of this world.
    fn file(&mut self, input: Input) -> anyhow::Result<()> {
        let Input { path, results, file } = input;
        let scenarios = self.own(file);
        if scenarios.is_empty() {
            return Ok(());
        }
        let name = results.display().to_string();
        let cannot = || format!("{name}: cannot be written");
        let mut out = BufWriter::new(File::create(&results).with_context(cannot)?);
        let mut count = 0;
        for scenario in scenarios {
            if let Some(record) = self.scenario(scenario, &path) {
                writeln!(out, "{}", record.to_line()?).with_context(cannot)?;
                count += 1;
            }
            self.progress.step();
        }
        out.flush().with_context(cannot)?;
        self.report.written(name, count);
        Ok(())
    }

    /// The scenarios of this world; the others are counted.
    fn own(&mut self, file: ScenarioFile) -> Vec<Scenario> {
        file.bad.into_iter().for_each(|bad| self.report.bad_line(bad));
        let is_own = |scenario: &Scenario| scenario.world == self.report.world;
        let (own, others): (Vec<_>, Vec<_>) = file.scenarios.into_iter().partition(is_own);
        for scenario in others {
            self.report.skip(scenario.world);
            self.progress.step();
        }
        own
    }

    /// Runs a scenario and judges the answer.
    fn scenario(&mut self, scenario: Scenario, file: &Path) -> Option<Record> {
        if !self.ids.insert(scenario.id.clone()) {
            self.report.second(file, &scenario.id);
            return None;
        }
        let record = match self.runner.run(&scenario) {
            Ok(record) => record,
            Err(reason) => {
                self.report.not_run(&reason, scenario.id);
                return None;
            }
        };
        if let Some(expectation) = &self.expectation {
            self.report.judged(expectation.judge(scenario.kind(), &record));
        }
        Some(record)
    }
}
