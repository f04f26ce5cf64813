//! All recorded scenarios, compared with the results of two independent implementations.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use flate2::read::GzDecoder;
use threshold_conformance::agreement::{DisputeCounts, KindAgreement, Tally};
use threshold_conformance::compare::{first_difference, step_differences};
use threshold_conformance::scenario::{Call, Job};
use threshold_conformance::{Agreement, Expectation, Kind, Scenario, ScenarioResult, file};

use self::records::{WORLDS, data, files, known, properties, recorded, runner, scenarios};

/// Runs and judges all scenarios.
fn judged(scenarios: &[Scenario]) -> Agreement {
    let (known, properties) = (known(), properties());
    let (first, second) = (recorded("a"), Some(recorded("b")));
    let expectation = Expectation { first, second, known, properties };
    let mut agreement = Agreement::default();
    for world in WORLDS {
        let mut runner = runner(world);
        for scenario in scenarios.iter().filter(|scenario| scenario.world == world) {
            let ours = runner.run(scenario);
            let ours = ours.unwrap_or_else(|reason| panic!("{}: {reason}", scenario.id));
            agreement.add(expectation.judge_in(runner.world(), scenario, &ours));
        }
    }
    agreement
}

#[test]
fn ours_is_what_both_say_and_what_the_first_says_where_they_dispute() {
    let agreement = judged(&scenarios());
    let failures: Vec<_> = agreement.failures().collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let all = |scenarios, steps, disputed| KindAgreement {
        scenarios: Tally { agreed: scenarios, compared: scenarios },
        steps: Tally { agreed: steps, compared: steps },
        disputed: DisputeCounts { scenarios: disputed, as_first: disputed, as_second: 0 },
        ..KindAgreement::default()
    };
    // One differs, and is listed.
    let walks = KindAgreement {
        scenarios: Tally { agreed: 916, compared: 917 },
        steps: Tally { agreed: 32_160, compared: 32_185 },
        disputed: DisputeCounts { scenarios: 28, as_first: 27, as_second: 1 },
        excused: 1,
        ..KindAgreement::default()
    };
    let want = [
        (Kind::Walk, walks),
        (Kind::Sim, all(189, 10_489, 10)),
        (Kind::Place, all(100, 1026, 50)),
        (Kind::Cells, all(13, 2600, 0)),
        // Most recorded cameras met something: these are judged by their properties.
        (
            Kind::Viewer,
            KindAgreement { by_properties: Tally { agreed: 26, compared: 26 }, ..all(2, 2, 0) },
        ),
        (Kind::Landdefs, all(2, 909, 1)),
    ];
    assert_eq!(agreement.kinds, want.into());
}

/// Checks the data: every scenario has its world and both records, and every record its scenario.
#[test]
fn every_scenario_is_recorded_twice() {
    let scenarios = scenarios();
    for side in ["a", "b"] {
        let recorded = recorded(side);
        let missing: Vec<&str> = scenarios
            .iter()
            .map(|scenario| scenario.id.as_str())
            .filter(|id| recorded.get(id).is_none())
            .collect();
        assert!(missing.is_empty(), "{side}: {missing:?}");
        assert_eq!(recorded.len(), scenarios.len(), "{side}");
        let stems = |folder: &str| -> Vec<String> {
            files(folder).iter().map(|path| file::stem(path).unwrap().to_owned()).collect()
        };
        assert_eq!(stems("scenarios"), stems(&format!("results/{side}")));
    }
    let worlds: BTreeSet<&str> = scenarios.iter().map(|scenario| scenario.world.as_str()).collect();
    assert_eq!(worlds, WORLDS.into());
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

/// A scenario whose record does not count is checked by nothing unless it has properties.
#[test]
fn every_scenario_has_a_record_that_counts_or_properties() {
    let (a, properties) = (recorded("a"), properties());
    let scenarios = scenarios();
    let unchecked = |scenario: &&Scenario| {
        !a.is_evidence(scenario.kind(), &scenario.id) && properties.get(&scenario.id).is_none()
    };
    let unchecked: Vec<&str> =
        scenarios.iter().filter(unchecked).map(|scenario| scenario.id.as_str()).collect();
    assert!(unchecked.is_empty(), "{unchecked:?}");
    let cameras: BTreeSet<&str> = scenarios
        .iter()
        .filter(|scenario| scenario.kind() == Kind::Viewer)
        .map(|scenario| scenario.id.as_str())
        .collect();
    assert_eq!(properties.ids().collect::<BTreeSet<_>>(), cameras);
}

/// The properties tell right from wrong: of the recorded ends that are held to be wrong only one has them all, as ours is the
/// same there.
#[test]
fn the_recorded_cameras_that_met_something_lack_properties() {
    let (a, properties) = (recorded("a"), properties());
    let mut satisfied = Vec::new();
    for world in WORLDS {
        let runner = runner(world);
        let scenarios = scenarios().into_iter().filter(|scenario| scenario.world == world);
        for scenario in scenarios.filter(|scenario| !a.is_evidence(scenario.kind(), &scenario.id)) {
            let steps = a.get(&scenario.id).unwrap();
            let violations = properties.violations(runner.world(), &scenario, steps).unwrap();
            satisfied.extend(violations.is_empty().then_some(scenario.id));
        }
    }
    assert_eq!(satisfied, ["holt-camera-0004"]);
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
        (Kind::Sim, tally(179, 189)),
        (Kind::Place, tally(50, 100)),
        (Kind::Cells, tally(13, 13)),
        (Kind::Viewer, tally(28, 28)),
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
            let written = ScenarioResult::parse(line.as_bytes()).unwrap().to_line().unwrap();
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
