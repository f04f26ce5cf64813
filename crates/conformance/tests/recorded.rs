//! The recorded answers of two independent implementations to all recorded scenarios.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use threshold_conformance::agreement::{Disputed, KindAgreement, Tally};
use threshold_conformance::compare::{first_difference, step_differences};
use threshold_conformance::scenario::{Call, Job};
use threshold_conformance::{
    Agreement, Expectation, Kind, Known, Record, Recorded, Runner, Scenario, file,
};
use threshold_dat::DatFolder;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let list = std::fs::read_dir(data("conformance").join(folder)).unwrap();
    list.map(|item| item.unwrap().path()).collect()
}

fn scenarios() -> Vec<Scenario> {
    let mut all = Vec::new();
    for path in files("scenarios") {
        let file = file::scenarios(&path).unwrap();
        assert!(file.bad.is_empty(), "{:?}", file.bad);
        all.extend(file.scenarios);
    }
    all
}

fn recorded(side: &str) -> Recorded {
    file::recorded(&data("conformance/results").join(side)).unwrap()
}

fn known() -> Known {
    Known::read(&data("conformance/known-differences.txt")).unwrap()
}

fn runner(world: &str) -> Runner {
    let runner = Runner::new(DatFolder::open(&data(world)).unwrap());
    assert!(runner.faults().is_empty(), "{:?}", runner.faults());
    runner
}

/// Runs everything and judges it; counts what cannot be run yet.
fn judged(scenarios: &[Scenario]) -> (Agreement, BTreeMap<Kind, usize>) {
    let known = known();
    let expectation = Expectation { first: recorded("a"), second: Some(recorded("b")), known };
    let (mut agreement, mut not_run) = (Agreement::default(), BTreeMap::new());
    for world in ["holt", "dungeon"] {
        let mut runner = runner(world);
        for scenario in scenarios.iter().filter(|scenario| scenario.world == world) {
            match runner.run(scenario) {
                Ok(ours) => agreement.add(expectation.judge(scenario.kind(), &ours)),
                Err(reason) => {
                    assert!(!reason.is_broken(), "{}: {reason}", scenario.id);
                    *not_run.entry(scenario.kind()).or_default() += 1;
                }
            }
        }
    }
    (agreement, not_run)
}

#[test]
fn ours_is_what_both_say_and_what_the_first_says_where_they_dispute() {
    let (agreement, not_run) = judged(&scenarios());
    let failures: Vec<_> = agreement.failures().collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let tally = |count| Tally { agreed: count, compared: count };
    let cells =
        KindAgreement { scenarios: tally(13), steps: tally(2600), ..KindAgreement::default() };
    let landdefs = KindAgreement {
        scenarios: tally(2),
        steps: tally(909),
        disputed: Disputed { scenarios: 1, as_first: 1, as_second: 0 },
        ..KindAgreement::default()
    };
    let walks = &agreement.kinds[&Kind::Walk];
    assert_eq!(walks.scenarios, Tally { agreed: 916, compared: 917 });
    assert_eq!(walks.disputed, Disputed { scenarios: 28, as_first: 27, as_second: 1 });
    assert_eq!(agreement.kinds[&Kind::Cells], cells);
    assert_eq!(agreement.kinds[&Kind::Landdefs], landdefs);
    assert_eq!(not_run, [(Kind::Sim, 7)].into());
}

#[test]
fn every_known_difference_is_one_of_a_scenario() {
    let scenarios = scenarios();
    let ids: BTreeSet<&str> = scenarios.iter().map(|scenario| scenario.id.as_str()).collect();
    assert_eq!(ids.len(), scenarios.len(), "ids are given once");
    let known = known();
    let unheard: Vec<&str> = known.ids().filter(|id| !ids.contains(id)).collect();
    assert!(unheard.is_empty(), "{unheard:?}");
}

#[test]
fn the_two_recorded_sets_agree_as_far_as_is_known() {
    let (a, b) = (recorded("a"), recorded("b"));
    let mut same: BTreeMap<Kind, Tally> = BTreeMap::new();
    for scenario in scenarios() {
        let (id, kind) = (&scenario.id, scenario.kind());
        let difference = first_difference(kind, a.get(id).unwrap(), b.get(id).unwrap());
        let tally = same.entry(kind).or_default();
        tally.agreed += usize::from(difference.is_none());
        tally.compared += 1;
    }
    let tally = |agreed, compared| Tally { agreed, compared };
    let want = [
        (Kind::Walk, tally(889, 917)),
        (Kind::Sim, tally(7, 7)),
        (Kind::Cells, tally(13, 13)),
        (Kind::Landdefs, tally(1, 2)),
    ];
    assert_eq!(same, want.into());
}

#[test]
fn every_record_is_written_as_it_was_read() {
    for path in ["a", "b"].into_iter().flat_map(|side| files(&format!("results/{side}"))) {
        let mut text = String::new();
        GzDecoder::new(std::fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
        for line in text.lines() {
            let written = Record::parse(line.as_bytes()).unwrap().to_line().unwrap();
            assert!(written == line, "{}: {written}\n{line}", path.display());
        }
    }
}

/// `side call -> reason` lines: calls by side.
fn known_calls() -> BTreeMap<String, Vec<Call>> {
    let path = data("conformance/landdefs-known-differences.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut calls: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (case, reason) = line.split_once(" -> ").expect("a reason after ' -> '");
        assert!(!reason.trim().is_empty(), "an entry without a reason: {line}");
        let (side, call) = case.split_once(' ').expect("a side and a call");
        calls.entry(side.to_owned()).or_default().push(serde_json::from_str(call).unwrap());
    }
    calls
}

/// Where the two dispute a scenario of many calls, that the first is followed says nothing about which
/// calls the second answers otherwise.
#[test]
fn coordinate_calls_differ_from_the_second_set_in_the_listed_ones_alone() {
    let mut runner = runner("holt");
    let mut different: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    for scenario in scenarios() {
        let Job::Landdefs(job) = &scenario.job else { continue };
        let ours = runner.run(&scenario).unwrap();
        for side in ["a", "b"] {
            let theirs = recorded(side).get(&scenario.id).unwrap().to_vec();
            assert_eq!((ours.steps.len(), theirs.len()), (job.calls.len(), job.calls.len()));
            let steps = ours.steps.iter().zip(&theirs).zip(&job.calls);
            let differing = steps.filter(|((ours, theirs), _)| {
                !step_differences(Kind::Landdefs, ours, theirs).is_empty()
            });
            let calls = differing.map(|(_, call)| *call);
            different.entry(side.to_owned()).or_default().extend(calls);
        }
    }
    different.retain(|_, calls| !calls.is_empty());
    assert_eq!(different, known_calls());
    assert_eq!(different["b"].len(), 10);
}
