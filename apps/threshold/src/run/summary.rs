//! The summary of a run, as text or JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use threshold_conformance::file::{BadLine, RecordFiles, TraceNotes};
use threshold_conformance::trace::OtherRule;
use threshold_conformance::{NotRun, Runner};
use threshold_motion::Rules;

use crate::formatting::{printable, thousands};

/// Most items of a list that are shown; the others are counted.
pub(crate) const MAX_SHOWN: usize = 8;

/// Counts and messages of a run. Field names are keys of the JSON output.
#[derive(Serialize)]
pub(crate) struct RunSummary {
    pub(crate) world: String,
    /// Number of scenarios with a result.
    run: usize,
    /// Number of scenarios passed over, by their world.
    other_worlds: BTreeMap<String, usize>,
    /// Errors of scenarios that cannot be read.
    bad_lines: Vec<String>,
    not_run: Vec<NotRunScenarios>,
    /// Faults of the world.
    left_out: Vec<String>,
    /// Notes about traces.
    notes: Vec<String>,
}

/// Scenarios that could not be run, with their common reason.
#[derive(Serialize)]
struct NotRunScenarios {
    reason: String,
    scenarios: Vec<String>,
}

impl RunSummary {
    pub(super) fn new(world: String, runner: &Runner) -> Self {
        Self {
            world,
            run: 0,
            other_worlds: BTreeMap::new(),
            bad_lines: Vec::new(),
            not_run: Vec::new(),
            left_out: runner.faults().iter().map(ToString::to_string).collect(),
            notes: Vec::new(),
        }
    }

    /// Adds a line that cannot be read. A line for another world is only counted.
    pub(super) fn add_bad_line(&mut self, bad: BadLine) {
        match bad.world {
            Some(world) if world != self.world => self.count_other(world),
            _ => self.bad_lines.push(bad.error.to_string()),
        }
    }

    /// Adds the error of a scenario with the id of an earlier one.
    pub(super) fn add_duplicate(&mut self, file: &Path, id: &str) {
        let file = file.display();
        self.bad_lines.push(format!("{file}: {id}: an earlier scenario has this id"));
    }

    /// Counts a scenario of another world.
    pub(super) fn count_other(&mut self, world: String) {
        *self.other_worlds.entry(world).or_default() += 1;
    }

    /// Counts a scenario with a result.
    pub(super) fn count_run(&mut self) {
        self.run += 1;
    }

    pub(crate) fn add_not_run(&mut self, reason: &NotRun, id: String) {
        let reason = reason.to_string();
        match self.not_run.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.scenarios.push(id),
            None => self.not_run.push(NotRunScenarios { reason, scenarios: vec![id] }),
        }
    }

    /// Notes where a trace is cut off, and in which rules it differs from this run. A trace that serves as scenarios and
    /// as expected results is noted once.
    pub(super) fn note_trace(&mut self, trace: &TraceNotes, rules: &Rules) {
        let path = trace.path.display();
        let cuts = trace.cuts.iter().map(|cut| format!("{path}: {cut}"));
        let own = trace.heads.iter().filter(|head| head.world == self.world);
        let others = own.flat_map(|head| head.other_rules(rules));
        let others = others.map(|OtherRule { name, there, here }| {
            format!("{path}: made with {name}={there}; this run has {name}={here}")
        });
        for note in cuts.chain(others).collect::<Vec<_>>() {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Notes results that are recorded twice or belong to other worlds.
    pub(crate) fn note_expected(&mut self, path: &Path, files: &RecordFiles) {
        let path = path.display();
        if let Some(id) = files.again.first() {
            let others = files.again.len() - 1;
            let others = if others > 0 {
                format!(" and {} others", thousands(others))
            } else {
                String::new()
            };
            self.notes.push(format!(
                "{path}: {id}{others} recorded more than once; the last that is complete counts"
            ));
        }
        for (world, count) in &files.other_worlds {
            let courses = if *count == 1 { "course" } else { "courses" };
            let count = thousands(*count);
            self.notes.push(format!("{path}: passed over: {count} {courses} of the world {world}"));
        }
    }

    /// Returns whether all scenarios of this world were run.
    pub(crate) fn is_success(&self) -> bool {
        self.bad_lines.is_empty() && self.not_run.is_empty()
    }

    /// Returns whether any scenario was run.
    pub(crate) fn has_results(&self) -> bool {
        self.run > 0
    }

    /// Prints everything but the number of scenarios that were run.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for fault in self.left_out.iter().take(MAX_SHOWN) {
            writeln!(out, "left out: {fault}")?;
        }
        if let Some(more) = more(self.left_out.len()) {
            writeln!(out, "left out: {more}")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
        for bad in self.bad_lines.iter().take(MAX_SHOWN) {
            writeln!(out, "error: {}", printable(bad))?;
        }
        if let Some(more) = more(self.bad_lines.len()) {
            writeln!(out, "error: {more}")?;
        }
        self.not_run.iter().try_for_each(|reason| reason.print(out))?;
        for (world, count) in &self.other_worlds {
            writeln!(out, "passed over: {} of the world {world}", counted(*count))?;
        }
        Ok(())
    }

    /// Prints the number of scenarios that were run.
    pub(crate) fn print_count(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{} run in the world {}", counted(self.run), self.world)
    }
}

impl NotRunScenarios {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { reason, scenarios } = self;
        let names = scenarios.iter().take(MAX_SHOWN).cloned().chain(more(scenarios.len()));
        let names = names.collect::<Vec<_>>().join(", ");
        let error = format!("{reason}: {}: {names}", counted(scenarios.len()));
        writeln!(out, "error: {}", printable(&error))
    }
}

/// Returns the line that counts the items of a list that are not shown; `None` if all are shown.
pub(crate) fn more(count: usize) -> Option<String> {
    let rest = count.checked_sub(MAX_SHOWN).filter(|rest| *rest > 0)?;
    Some(format!("... and {} more (--json shows all)", thousands(rest)))
}

/// Returns a number of scenarios with its noun.
pub(crate) fn counted(scenarios: usize) -> String {
    format!("{} scenario{}", thousands(scenarios), if scenarios == 1 { "" } else { "s" })
}
