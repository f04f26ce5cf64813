//! The hashes that every machine must find.

use crate::hash::ResultHash;
use crate::report::{OVERALL, Report, Scope, Section};

/// Lines of scope, name and hash, as a report prints them.
const PINNED: &str = include_str!("../expected.txt");

/// A section whose hash is not the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The section; `None` is the overall hash.
    pub section: Option<Section>,
    /// The expected hash; `None` if there is none.
    pub expected: Option<ResultHash>,
    /// The hash of this run.
    pub found: ResultHash,
}

impl Mismatch {
    /// Returns the name of the section, or "overall".
    pub fn name(&self) -> &'static str {
        self.section.map_or(OVERALL, Section::name)
    }
}

/// Returns the pinned hash of a section, or the overall one; `None` if the file has none.
pub fn expected(scope: Scope, section: Option<Section>) -> Option<ResultHash> {
    find(PINNED, scope, section.map_or(OVERALL, Section::name))
}

fn find(lines: &str, scope: Scope, name: &str) -> Option<ResultHash> {
    let lines = lines.lines().filter(|line| !line.starts_with('#'));
    let mut rows = lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?, words.next()?))
    });
    let row = rows.find(|row| row.0 == scope.name() && row.1 == name);
    row.and_then(|(_, _, hash)| hash.parse().ok())
}

impl Report {
    /// Returns the sections whose hashes are not the pinned ones, the overall hash last.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        self.mismatches_in(PINNED)
    }

    fn mismatches_in(&self, pinned: &str) -> Vec<Mismatch> {
        let sections = self.sections.iter().map(|(section, hash)| (Some(*section), *hash));
        let mismatch = |(section, found): (Option<Section>, ResultHash)| {
            let name = section.map_or(OVERALL, Section::name);
            let expected = find(pinned, self.scope, name);
            (expected != Some(found)).then_some(Mismatch { section, expected, found })
        };
        sections.chain([(None, self.overall())]).filter_map(mismatch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let sections = Section::ALL.into_iter().zip(0..);
        let sections = sections.map(|(section, byte)| (section, ResultHash([byte; 32])));
        Report { scope: Scope::Quick, sections: sections.collect() }
    }

    #[test]
    fn a_report_is_what_it_prints() {
        let report = report();
        assert_eq!(report.mismatches_in(&report.to_string()), []);
    }

    #[test]
    fn one_changed_section_is_named_together_with_the_whole() {
        let (report, mut other) = (report(), report());
        other.sections[9].1.0[31] ^= 1;
        let names: Vec<&str> =
            other.mismatches_in(&report.to_string()).iter().map(Mismatch::name).collect();
        assert_eq!(names, ["views", "overall"]);
    }

    #[test]
    fn a_hash_that_is_not_pinned_differs() {
        let report = report();
        let full = Report { scope: Scope::Full, ..report.clone() };
        let differing = full.mismatches_in(&report.to_string());
        assert_eq!(differing.len(), Section::ALL.len() + 1);
        assert!(differing.iter().all(|mismatch| mismatch.expected.is_none()));
    }

    #[test]
    fn every_section_of_both_scopes_is_pinned() {
        for scope in Scope::ALL {
            let sections = Section::ALL.into_iter().map(Some).chain([None]);
            let missing = sections.filter(|section| expected(scope, *section).is_none());
            assert_eq!(missing.collect::<Vec<_>>(), [], "{scope}");
        }
    }
}
