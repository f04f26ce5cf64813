//! Running scenarios in a world: options, counts and messages that several commands share.

mod summary;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use threshold_conformance::file::{ScenarioFile, TraceNotes};
use threshold_conformance::{Runner, Scenario, ScenarioResult};
use threshold_motion::Rules;

pub(crate) use self::summary::{MAX_SHOWN, RunSummary, counted, more};
use crate::arguments::parse_rules;
use crate::progress::Progress;
use crate::world::World;

/// Options that select scenarios, world and rules.
#[derive(Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) world: World,
    /// Files of scenarios or traces, .jsonl or .jsonl.gz
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) scenarios: Vec<PathBuf>,
    /// Set a rule for a disputed question; docs/rules.md lists them
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    pub(crate) rules: Vec<String>,
    /// Name of the world in scenarios (default: of the folder or text; `builtin` for the built-in world)
    #[arg(long, value_name = "NAME")]
    pub(crate) world_name: Option<String>,
}

impl RunArguments {
    /// Returns the default rules with the given settings.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        parse_rules(&self.rules, Rules::set_text)
    }

    /// Returns the name of the world in scenarios.
    pub(crate) fn name(&self) -> anyhow::Result<String> {
        self.world.name(self.world_name.as_deref())
    }

    /// Loads the whole world.
    pub(crate) fn load(&self, rules: Rules) -> anyhow::Result<Runner> {
        self.world.load(rules, |_| true)
    }
}

/// A run of all scenarios.
pub(crate) struct Run {
    pub(crate) runner: Runner,
    pub(crate) summary: RunSummary,
    rules: Rules,
    /// Ids of the scenarios so far.
    ids: BTreeSet<String>,
    progress: Progress,
}

impl Run {
    /// Prepares a run of `total` scenarios.
    pub(crate) fn new(world: String, runner: Runner, rules: Rules, total: usize) -> Self {
        Self {
            summary: RunSummary::new(world, &runner),
            runner,
            rules,
            ids: BTreeSet::new(),
            progress: Progress::new("running", total as u64),
        }
    }

    /// Returns the scenarios of this world, and counts the others.
    pub(crate) fn select(&mut self, file: ScenarioFile) -> Vec<Scenario> {
        file.trace.iter().for_each(|trace| self.note_trace(trace));
        file.bad.into_iter().for_each(|bad| self.summary.add_bad_line(bad));
        let is_own = |scenario: &Scenario| scenario.world == self.summary.world;
        let (own, others): (Vec<_>, Vec<_>) = file.scenarios.into_iter().partition(is_own);
        for scenario in others {
            self.summary.count_other(scenario.world);
            self.progress.step();
        }
        own
    }

    /// Notes cuts and other rules of a trace.
    pub(crate) fn note_trace(&mut self, trace: &TraceNotes) {
        self.summary.note_trace(trace, &self.rules);
    }

    /// Runs a scenario of a file. Returns `None` if that is impossible, and notes the reason.
    pub(crate) fn run_scenario(
        &mut self,
        scenario: &Scenario,
        file: &Path,
    ) -> Option<ScenarioResult> {
        self.progress.step();
        if !self.ids.insert(scenario.id.clone()) {
            self.summary.add_duplicate(file, &scenario.id);
            return None;
        }
        match self.runner.run(scenario) {
            Ok(record) => {
                self.summary.count_run();
                Some(record)
            }
            Err(reason) => {
                self.summary.add_not_run(&reason, scenario.id.clone());
                None
            }
        }
    }

    /// Ends the run and returns its summary.
    pub(crate) fn finish(self) -> RunSummary {
        self.progress.finish();
        self.summary
    }
}

/// Fails if a file to be written is one that is read.
pub(crate) fn check_not_overwritten<'a>(
    mut read: impl Iterator<Item = &'a PathBuf>,
    written: &[PathBuf],
) -> anyhow::Result<()> {
    match read.find(|path| written.iter().any(|result| is_same_place(path, result))) {
        Some(path) => bail!("{}: would be overwritten with results", path.display()),
        None => Ok(()),
    }
}

/// Returns the path of a file, or those of the files in a folder. Items that cannot be listed are left out: they
/// cannot be read or written either.
pub(crate) fn files_of(path: &Path) -> Vec<PathBuf> {
    match std::fs::read_dir(path) {
        Ok(items) => items.flatten().map(|item| item.path()).collect(),
        Err(_) => vec![path.to_owned()],
    }
}

/// Returns whether two paths lead to the same existing file or folder, through any links.
pub(crate) fn is_same_place(one: &Path, other: &Path) -> bool {
    // The comparison opens both, and opening a pipe would wait for its other end.
    let opens = |path: &Path| path.metadata().is_ok_and(|it| it.is_file() || it.is_dir());
    opens(one) && opens(other) && same_file::is_same_file(one, other).unwrap_or(false)
}
