//! Scenarios that are run in a world: what commands that do so have in common.

mod account;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use threshold_conformance::file::{ScenarioFile, Traced};
use threshold_conformance::{Record, Runner, Scenario};
use threshold_motion::Rules;

pub(crate) use self::account::{Account, SHOWN, counted, more};
use crate::arguments::parse_rules;
use crate::progress::Progress;
use crate::world::World;

/// What is run, where, and by which rules.
#[derive(Args)]
pub(crate) struct Asked {
    #[command(flatten)]
    pub(crate) world: World,
    /// Files of scenarios, or traces, .jsonl or .jsonl.gz.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) scenarios: Vec<PathBuf>,
    /// Follow another rule than the default where it is disputed what the retail client did; docs/rules.md
    /// lists them.
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    pub(crate) rules: Vec<String>,
    /// What scenarios call this world; the name of the folder or text if not given, `builtin` for the built-in one.
    #[arg(long, value_name = "NAME")]
    pub(crate) world_name: Option<String>,
}

impl Asked {
    /// The default rules with the settings that were given.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        parse_rules(&self.rules, Rules::set_text)
    }

    /// What scenarios call this world.
    pub(crate) fn name(&self) -> anyhow::Result<String> {
        self.world.name(self.world_name.as_deref())
    }

    /// The world with everything in it.
    pub(crate) fn load(&self, rules: Rules) -> anyhow::Result<Runner> {
        self.world.load(rules, |_| true)
    }
}

/// A run over all files.
pub(crate) struct Run {
    pub(crate) runner: Runner,
    pub(crate) account: Account,
    rules: Rules,
    /// Of the scenarios so far.
    ids: BTreeSet<String>,
    progress: Progress,
}

impl Run {
    /// `total`: how many scenarios there are.
    pub(crate) fn new(world: String, runner: Runner, rules: Rules, total: usize) -> Self {
        Self {
            account: Account::new(world, &runner),
            runner,
            rules,
            ids: BTreeSet::new(),
            progress: Progress::new("running", total as u64),
        }
    }

    /// The scenarios of this world; the others are counted.
    pub(crate) fn own(&mut self, file: ScenarioFile) -> Vec<Scenario> {
        file.trace.iter().for_each(|trace| self.note(trace));
        file.bad.into_iter().for_each(|bad| self.account.bad_line(bad));
        let is_own = |scenario: &Scenario| scenario.world == self.account.world;
        let (own, others): (Vec<_>, Vec<_>) = file.scenarios.into_iter().partition(is_own);
        for scenario in others {
            self.account.skip(scenario.world);
            self.progress.step();
        }
        own
    }

    /// Says what a reader should know about a trace.
    pub(crate) fn note(&mut self, trace: &Traced) {
        self.account.note(trace, &self.rules);
    }

    /// Runs a scenario of a file.
    pub(crate) fn answer(&mut self, scenario: &Scenario, file: &Path) -> Option<Record> {
        self.progress.step();
        if !self.ids.insert(scenario.id.clone()) {
            self.account.second(file, &scenario.id);
            return None;
        }
        match self.runner.run(scenario) {
            Ok(record) => {
                self.account.ran();
                Some(record)
            }
            Err(reason) => {
                self.account.not_run(&reason, scenario.id.clone());
                None
            }
        }
    }

    /// What came of it.
    pub(crate) fn finish(self) -> Account {
        self.progress.finish();
        self.account
    }
}

/// Refuses to write where something is read from.
pub(crate) fn keep<'a>(
    mut read: impl Iterator<Item = &'a PathBuf>,
    written: &[PathBuf],
) -> anyhow::Result<()> {
    match read.find(|path| written.iter().any(|result| is_same_place(path, result))) {
        Some(path) => bail!("{}: would be overwritten with results", path.display()),
        None => Ok(()),
    }
}

/// A file, or the files of a folder.
pub(crate) fn files_of(path: &Path) -> Vec<PathBuf> {
    match std::fs::read_dir(path) {
        Ok(items) => items.flatten().map(|item| item.path()).collect(),
        Err(_) => vec![path.to_owned()],
    }
}

/// Whether two paths lead to one file or folder that is there, by whatever links.
pub(crate) fn is_same_place(one: &Path, other: &Path) -> bool {
    // Comparing opens both, and opening a pipe waits for its other end.
    let opens = |path: &Path| path.metadata().is_ok_and(|it| it.is_file() || it.is_dir());
    opens(one) && opens(other) && same_file::is_same_file(one, other).unwrap_or(false)
}
