//! What came of a run, for a reader or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use threshold_conformance::agreement::{KindAgreement, Tally};
use threshold_conformance::file::BadLine;
use threshold_conformance::{Agreement, NotRun, Outcome, Runner, Verdict};

use crate::show::thousands;

/// Items of a list that are shown; the others are counted.
const SHOWN: usize = 8;

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) world: String,
    /// Scenarios with a result.
    run: usize,
    results: Vec<Results>,
    /// Scenarios that were passed over, by their world.
    other_worlds: BTreeMap<String, usize>,
    /// Scenarios that cannot be read.
    bad_lines: Vec<String>,
    not_run: Vec<Reason>,
    /// What is wrong with the world.
    left_out: Vec<String>,
    agreement: Option<Agreement>,
}

/// A file that was written.
#[derive(Serialize)]
struct Results {
    file: String,
    scenarios: usize,
}

/// Why some scenarios could not be run.
#[derive(Serialize)]
struct Reason {
    reason: String,
    scenarios: Vec<String>,
}

impl Report {
    pub(super) fn new(world: String, runner: &Runner, is_judged: bool) -> Self {
        Self {
            world,
            run: 0,
            results: Vec::new(),
            other_worlds: BTreeMap::new(),
            bad_lines: Vec::new(),
            not_run: Vec::new(),
            left_out: runner.faults().iter().map(ToString::to_string).collect(),
            agreement: is_judged.then(Agreement::default),
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

    pub(super) fn not_run(&mut self, why: &NotRun, id: String) {
        let reason = why.to_string();
        match self.not_run.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.scenarios.push(id),
            None => self.not_run.push(Reason { reason, scenarios: vec![id] }),
        }
    }

    pub(super) fn judged(&mut self, verdict: Verdict) {
        self.agreement.get_or_insert_default().add(verdict);
    }

    pub(super) fn written(&mut self, file: String, scenarios: usize) {
        self.run += scenarios;
        self.results.push(Results { file, scenarios });
    }

    pub(super) fn is_success(&self) -> bool {
        let is_agreed =
            self.agreement.as_ref().is_none_or(|agreement| agreement.failures().next().is_none());
        self.bad_lines.is_empty()
            && self.not_run.is_empty()
            && is_agreed
            && !self.compared_nothing()
    }

    /// Whether results were expected and there was nothing to compare with them: a slip of the pen, most likely.
    fn compared_nothing(&self) -> bool {
        let compared = |agreement: &Agreement| {
            agreement.kinds.values().any(|kind| kind.scenarios.compared > 0)
        };
        self.agreement.as_ref().is_some_and(|agreement| !compared(agreement))
    }

    /// `two`: there are two sets of recorded results.
    pub(super) fn print(&self, out: &mut impl Write, two: bool) -> io::Result<()> {
        for fault in self.left_out.iter().take(SHOWN) {
            writeln!(out, "left out: {fault}")?;
        }
        if let Some(more) = more(self.left_out.len()) {
            writeln!(out, "left out: {more}")?;
        }
        self.bad_lines.iter().try_for_each(|bad| writeln!(out, "error: {bad}"))?;
        if self.compared_nothing() {
            let world = &self.world;
            writeln!(
                out,
                "error: nothing to compare: no scenario of {world} has a recorded result that counts"
            )?;
        }
        self.not_run.iter().try_for_each(|reason| reason.print(out))?;
        for (world, count) in &self.other_worlds {
            writeln!(out, "passed over: {} of the world {world}", counted(*count))?;
        }
        for Results { file, scenarios } in &self.results {
            writeln!(out, "{file}: {}", counted(*scenarios))?;
        }
        writeln!(out, "{} run in the world {}", counted(self.run), self.world)?;
        let Some(agreement) = &self.agreement else { return Ok(()) };
        writeln!(out)?;
        print_table(out, &table(agreement, two))?;
        for (kind, counts) in agreement.kinds.iter().filter(|(_, counts)| counts.not_compared > 0) {
            let scenarios = counted(counts.not_compared);
            writeln!(out, "not compared: {kind}: {scenarios} whose recorded sweep met something")?;
        }
        agreement.remarkable.iter().try_for_each(|verdict| print_verdict(out, verdict))
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
fn more(count: usize) -> Option<String> {
    let rest = count.checked_sub(SHOWN).filter(|rest| *rest > 0)?;
    Some(format!("... and {} more (--json shows all)", thousands(rest)))
}

fn counted(scenarios: usize) -> String {
    format!("{} scenario{}", thousands(scenarios), if scenarios == 1 { "" } else { "s" })
}

/// A heading, and a row a kind.
fn table(agreement: &Agreement, two: bool) -> Vec<Vec<String>> {
    let mut heading = vec!["kind", "scenarios agree", "steps agree", "known", "not compared"];
    heading.extend(if two {
        ["not in first", "not in second", "disputed", "as first", "as second"].as_slice()
    } else {
        &["not recorded"]
    });
    let heading = heading.into_iter().map(str::to_owned).collect();
    let rows = agreement.kinds.iter().map(|(kind, counts)| {
        let mut row = vec![kind.to_string()];
        row.extend(columns(counts, two));
        row
    });
    std::iter::once(heading).chain(rows).collect()
}

fn columns(counts: &KindAgreement, two: bool) -> Vec<String> {
    let of = |Tally { agreed, compared }: Tally| {
        format!("{} of {}", thousands(agreed), thousands(compared))
    };
    let mut columns = vec![of(counts.scenarios), of(counts.steps)];
    let rest = [counts.excused, counts.not_compared, counts.not_recorded_by_first];
    columns.extend(rest.map(thousands));
    if two {
        let disputed = counts.disputed;
        let counts = [counts.not_recorded_by_second, disputed.scenarios];
        columns.extend(counts.map(thousands));
        columns.extend([disputed.as_first, disputed.as_second].map(thousands));
    }
    columns
}

/// Columns of equal width, numbers to the right.
fn print_table(out: &mut impl Write, rows: &[Vec<String>]) -> io::Result<()> {
    let count = rows.first().map_or(0, Vec::len);
    let width = |column| rows.iter().filter_map(|row| row.get(column)).map(String::len).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if index == 0 {
                write!(out, "{cell:width$}")?;
            } else {
                write!(out, "  {cell:>width$}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn print_verdict(out: &mut impl Write, verdict: &Verdict) -> io::Result<()> {
    let Verdict { id, kind, dispute, .. } = verdict;
    let side = match dispute {
        Some(dispute) if dispute.as_second => " (disputed, ours is what the second says)",
        Some(_) => " (disputed)",
        None => "",
    };
    match &verdict.outcome {
        Outcome::Differs { difference } => {
            writeln!(out, "differs: {kind} {id}: {difference}{side}")
        }
        Outcome::Excused { difference, reason } => {
            writeln!(out, "known: {kind} {id}: {difference}{side}; {reason}")
        }
        Outcome::NoLongerDiffers { reason } => {
            writeln!(out, "no longer differs: {kind} {id}: remove it from the list ({reason})")
        }
        Outcome::Agrees | Outcome::NotRecorded | Outcome::NotCompared => Ok(()),
    }
}
