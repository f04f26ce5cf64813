//! `threshold verify`: compares hashes of results with those of other machines.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use threshold_verify::{Report, Scope, Section, expected, verify};

use crate::progress::Progress;
use crate::stdout::print_report;

/// Show that this machine computes the same bits as others
///
/// Runs the recorded scenarios, makes the built-in world and its data files, looks out of each of its rooms, and moves
/// 1,500 bodies through it. Each section has a SHA-256 of all bits of its results. The exit status is 1 if one is not the
/// expected hash, which is part of the program.
///
/// docs/determinism.md says what is promised and what is not.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold verify
  threshold verify --quick --json")]
pub(crate) struct Verify {
    /// Run a part only, in about a second; it has hashes of its own
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The hashes of a run, with the expected ones.
#[derive(Serialize)]
struct Verification {
    scope: &'static str,
    equal: bool,
    sections: Vec<SectionRow>,
    overall: SectionRow,
}

/// A hash of a run.
#[derive(Serialize)]
struct SectionRow {
    name: &'static str,
    hash: String,
    expected: Option<String>,
}

impl Verify {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let scope = if self.quick { Scope::Quick } else { Scope::Full };
        let mut bar = StageBar::default();
        let report = verify(scope, &mut |progress| bar.update(progress))?;
        let verification = Verification::new(&report);
        print_report(self.json, &verification, |out| Ok(verification.print(out)?))?;
        Ok(if verification.equal { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The progress bar of the stage that is running.
#[derive(Default)]
struct StageBar(Option<Progress>);

impl StageBar {
    fn update(&mut self, progress: threshold_verify::Progress) {
        let label = match progress.section {
            Section::Records | Section::CellFile | Section::PortalFile => "forging",
            Section::Views => "looking",
            Section::Crowd => "wandering",
            _ => "running scenarios",
        };
        let bar = self.0.get_or_insert_with(|| Progress::new(label, progress.total as u64));
        bar.step();
        if progress.done == progress.total {
            bar.finish();
            self.0 = None;
        }
    }
}

impl Verification {
    fn new(report: &Report) -> Self {
        let row = |section: Option<Section>, hash: threshold_verify::ResultHash| SectionRow {
            name: section.map_or("overall", Section::name),
            hash: hash.to_string(),
            expected: expected(report.scope, section).map(|hash| hash.to_string()),
        };
        let sections = report.sections.iter().map(|(section, hash)| row(Some(*section), *hash));
        Self {
            scope: report.scope.name(),
            equal: report.mismatches().is_empty(),
            sections: sections.collect(),
            overall: row(None, report.overall()),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let rows = || self.sections.iter().chain([&self.overall]);
        for row in rows() {
            let mark = if row.is_equal() { "same" } else { "DIFFERS" };
            writeln!(out, "{:11} {} {mark}", row.name, row.hash)?;
        }
        let differing: Vec<&str> =
            rows().filter(|row| !row.is_equal()).map(|row| row.name).collect();
        match differing[..] {
            [] => writeln!(out, "{}: every hash is the expected one", self.scope),
            _ => writeln!(out, "{}: not the expected hash: {}", self.scope, differing.join(", ")),
        }
    }
}

impl SectionRow {
    fn is_equal(&self) -> bool {
        self.expected.as_ref() == Some(&self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(verification: &Verification) -> String {
        let mut out = Vec::new();
        verification.print(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_hash_that_differs_is_marked_and_named_in_the_last_line() {
        let pinned = |section| Some((section, expected(Scope::Quick, Some(section))?));
        let sections = Section::ALL.into_iter().filter_map(pinned).collect();
        let mut report = Report { scope: Scope::Quick, sections };
        let text = printed(&Verification::new(&report));
        assert!(text.ends_with("quick: every hash is the expected one\n"), "{text}");

        let (_, hash) = report.sections.iter_mut().find(|row| row.0 == Section::Views).unwrap();
        hash.0[0] ^= 1;
        let verification = Verification::new(&report);
        let text = printed(&verification);
        assert!(!verification.equal);
        assert_eq!(text.matches(" DIFFERS\n").count(), 2, "{text}");
        assert!(text.ends_with("quick: not the expected hash: views, overall\n"), "{text}");
    }
}
