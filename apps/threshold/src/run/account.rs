//! What became of scenarios, for a reader or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use threshold_conformance::file::{BadLine, RecordFiles, Traced};
use threshold_conformance::trace::OtherRule;
use threshold_conformance::{NotRun, Runner};
use threshold_motion::Rules;

use crate::show::thousands;

/// Items of a list that are shown; the others are counted.
pub(crate) const SHOWN: usize = 8;

#[derive(Serialize)]
pub(crate) struct Account {
    pub(crate) world: String,
    /// Scenarios with a result.
    run: usize,
    /// Scenarios that were passed over, by their world.
    other_worlds: BTreeMap<String, usize>,
    /// Scenarios that cannot be read.
    bad_lines: Vec<String>,
    not_run: Vec<Reason>,
    /// What is wrong with the world.
    left_out: Vec<String>,
    /// What a reader should know about traces.
    notes: Vec<String>,
}

/// Why some scenarios could not be run.
#[derive(Serialize)]
struct Reason {
    reason: String,
    scenarios: Vec<String>,
}

impl Account {
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

    /// A line that is known to be for another world is none of ours.
    pub(super) fn bad_line(&mut self, bad: BadLine) {
        match bad.world {
            Some(world) if world != self.world => self.skip(world),
            _ => self.bad_lines.push(bad.error.to_string()),
        }
    }

    pub(super) fn second(&mut self, file: &Path, id: &str) {
        let file = file.display();
        self.bad_lines.push(format!("{file}: {id}: an earlier scenario has this id"));
    }

    pub(super) fn skip(&mut self, world: String) {
        *self.other_worlds.entry(world).or_default() += 1;
    }

    pub(super) fn ran(&mut self) {
        self.run += 1;
    }

    pub(crate) fn not_run(&mut self, why: &NotRun, id: String) {
        let reason = why.to_string();
        match self.not_run.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.scenarios.push(id),
            None => self.not_run.push(Reason { reason, scenarios: vec![id] }),
        }
    }

    /// Where a trace is cut off, and by which other rules it was made. A trace may be asked and expected; it is
    /// said once.
    pub(super) fn note(&mut self, trace: &Traced, rules: &Rules) {
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

    /// What is expected of other worlds is passed over; of what is expected twice, the last counts.
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

    /// Whether all that could be asked was answered.
    pub(crate) fn is_success(&self) -> bool {
        self.bad_lines.is_empty() && self.not_run.is_empty()
    }

    /// All but the number of scenarios that were run.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for fault in self.left_out.iter().take(SHOWN) {
            writeln!(out, "left out: {fault}")?;
        }
        if let Some(more) = more(self.left_out.len()) {
            writeln!(out, "left out: {more}")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
        self.bad_lines.iter().take(SHOWN).try_for_each(|bad| writeln!(out, "error: {bad}"))?;
        if let Some(more) = more(self.bad_lines.len()) {
            writeln!(out, "error: {more}")?;
        }
        self.not_run.iter().try_for_each(|reason| reason.print(out))?;
        for (world, count) in &self.other_worlds {
            writeln!(out, "passed over: {} of the world {world}", counted(*count))?;
        }
        Ok(())
    }

    /// The number of scenarios that were run.
    pub(crate) fn print_count(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{} run in the world {}", counted(self.run), self.world)
    }
}

impl Reason {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { reason, scenarios } = self;
        let names = scenarios.iter().take(SHOWN).cloned().chain(more(scenarios.len()));
        let names = names.collect::<Vec<_>>().join(", ");
        writeln!(out, "error: {reason}: {}: {names}", counted(scenarios.len()))
    }
}

/// What is said about the items of a list that are not shown.
pub(crate) fn more(count: usize) -> Option<String> {
    let rest = count.checked_sub(SHOWN).filter(|rest| *rest > 0)?;
    Some(format!("... and {} more (--json shows all)", thousands(rest)))
}

pub(crate) fn counted(scenarios: usize) -> String {
    format!("{} scenario{}", thousands(scenarios), if scenarios == 1 { "" } else { "s" })
}
