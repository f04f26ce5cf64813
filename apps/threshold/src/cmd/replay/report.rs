//! The report of a run, as text or JSON.

use std::io::{self, Write};

use serde::Serialize;
use threshold_conformance::agreement::{KindAgreement, Tally};
use threshold_conformance::{Agreement, ComparisonOutcome, Verdict};

use super::versus::RunDifferences;
use crate::formatting::{print_table, thousands};
use crate::run::{RunSummary, counted};

#[derive(Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    pub(super) summary: RunSummary,
    pub(super) results: Vec<Results>,
    pub(super) agreement: Option<Agreement>,
    pub(super) versus: Option<RunDifferences>,
}

/// A written file of results.
#[derive(Serialize)]
pub(super) struct Results {
    pub(super) file: String,
    pub(super) scenarios: usize,
}

impl Report {
    pub(super) fn is_success(&self) -> bool {
        let is_agreed =
            self.agreement.as_ref().is_none_or(|agreement| agreement.failures().next().is_none());
        self.summary.is_success() && is_agreed && !self.compared_nothing()
    }

    /// Returns whether results were expected but none could be compared, which is probably a mistake in the arguments.
    fn compared_nothing(&self) -> bool {
        let compared = |agreement: &Agreement| {
            let compared =
                |kind: &KindAgreement| kind.scenarios.compared + kind.by_properties.compared;
            agreement.kinds.values().any(|kind| compared(kind) > 0)
        };
        self.agreement.as_ref().is_some_and(|agreement| !compared(agreement))
    }

    /// Prints the report. `two` is true with two sets of recorded results.
    pub(super) fn print(&self, out: &mut impl Write, two: bool) -> io::Result<()> {
        self.summary.print(out)?;
        if self.compared_nothing() {
            let world = &self.summary.world;
            writeln!(
                out,
                "error: nothing to compare: no scenario of {world} has a recorded result that counts"
            )?;
        }
        for Results { file, scenarios } in &self.results {
            writeln!(out, "{file}: {}", counted(*scenarios))?;
        }
        self.summary.print_count(out)?;
        if let Some(agreement) = &self.agreement {
            writeln!(out)?;
            print_agreement(out, agreement, two)?;
        }
        if let Some(differences) = &self.versus {
            writeln!(out)?;
            differences.print(out)?;
        }
        Ok(())
    }
}

fn print_agreement(out: &mut impl Write, agreement: &Agreement, two: bool) -> io::Result<()> {
    print_table(out, &table(agreement, two))?;
    for (kind, counts) in agreement.kinds.iter().filter(|(_, counts)| counts.not_compared > 0) {
        let scenarios = counted(counts.not_compared);
        writeln!(
            out,
            "not compared: {kind}: {scenarios} with a recorded camera that hit something"
        )?;
    }
    let judged = |counts: &KindAgreement| counts.by_properties.compared > 0;
    for (kind, counts) in agreement.kinds.iter().filter(|(_, counts)| judged(counts)) {
        let Tally { agreed, compared } = counts.by_properties;
        writeln!(out, "by properties: {kind}: {agreed} of {compared} scenarios")?;
    }
    agreement.remarkable.iter().try_for_each(|verdict| print_verdict(out, verdict))
}

/// Returns the table with a heading, and a row for each kind.
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

fn print_verdict(out: &mut impl Write, verdict: &Verdict) -> io::Result<()> {
    let Verdict { id, kind, dispute, .. } = verdict;
    let side = match dispute {
        Some(dispute) if dispute.as_second => " (disputed, ours is what the second says)",
        Some(_) => " (disputed)",
        None => "",
    };
    match &verdict.outcome {
        ComparisonOutcome::Differs { difference } => {
            writeln!(out, "differs: {kind} {id}: {difference}{side}")
        }
        ComparisonOutcome::Excused { difference, reason } => {
            writeln!(out, "known: {kind} {id}: {difference}{side}; {reason}")
        }
        ComparisonOutcome::NoLongerDiffers { reason } => {
            writeln!(out, "no longer differs: {kind} {id}: remove it from the list ({reason})")
        }
        ComparisonOutcome::Violates { violations } => {
            writeln!(out, "violates: {kind} {id}: {}", violations.join("; "))
        }
        ComparisonOutcome::Agrees
        | ComparisonOutcome::NotRecorded
        | ComparisonOutcome::NotCompared
        | ComparisonOutcome::Satisfies => Ok(()),
    }
}
