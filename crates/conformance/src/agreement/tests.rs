use std::sync::Arc;

use threshold_land::vector::Vec3;

use super::*;
use crate::scenario::{CellsJob, Job, Scenario};
use crate::trace::Course;

/// A record of steps that are told apart by a letter each.
fn record(id: &str, steps: &str) -> ScenarioResult {
    let step = |letter: char| {
        let cell = threshold_land::CellId(0xA9B4_0000 + u32::from(letter));
        Step { ok: true.into(), cell: cell.into(), ..Step::default() }
    };
    ScenarioResult { id: id.to_owned(), steps: steps.chars().map(step).collect() }
}

/// Answers by id; one that is empty is not recorded.
fn recorded(answers: &[(&str, &str)]) -> RecordedResults {
    let records = answers.iter().filter(|(_, steps)| !steps.is_empty());
    records.map(|(id, steps)| record(id, steps)).collect()
}

#[derive(Debug, PartialEq)]
enum Want {
    Agrees,
    NotRecorded,
    NotCompared,
    Satisfies,
    Violates,
    Differs(usize),
    Excused(usize),
    NoLongerDiffers,
}

fn summary(outcome: &ComparisonOutcome) -> Want {
    match outcome {
        ComparisonOutcome::Agrees => Want::Agrees,
        ComparisonOutcome::NotRecorded => Want::NotRecorded,
        ComparisonOutcome::NotCompared => Want::NotCompared,
        ComparisonOutcome::Satisfies => Want::Satisfies,
        ComparisonOutcome::Violates { .. } => Want::Violates,
        ComparisonOutcome::Differs { difference } => Want::Differs(difference.step),
        ComparisonOutcome::Excused { difference, .. } => Want::Excused(difference.step),
        ComparisonOutcome::NoLongerDiffers { .. } => Want::NoLongerDiffers,
    }
}

/// How ours comes out against one set.
#[track_caller]
fn check_one(ours: &str, theirs: &str, listed: &str, want: Want) -> Verdict {
    let (first, known) = (recorded(&[("x", theirs)]), KnownDifferences::parse(listed).unwrap());
    let expectation = Expectation { first, known, ..Expectation::default() };
    let verdict = expectation.judge(Kind::Walk, &record("x", ours));
    assert_eq!(summary(&verdict.outcome), want, "{ours} against {theirs}, listed: {listed:?}");
    assert_eq!(verdict.dispute, None);
    verdict
}

/// How ours comes out against two sets.
#[track_caller]
fn check_two(ours: &str, (first, second): (&str, &str), want: Want) -> Verdict {
    let (a, b) = (recorded(&[("x", first)]), recorded(&[("x", second)]));
    let expectation = Expectation { first: a, second: Some(b), ..Expectation::default() };
    let verdict = expectation.judge(Kind::Walk, &record("x", ours));
    assert_eq!(summary(&verdict.outcome), want, "{ours} against {first} and {second}");
    verdict
}

const LISTED: &str = "x the weather";

#[test]
fn one_set_decides() {
    check_one("abc", "abc", "", Want::Agrees);
    check_one("abc", "axc", "", Want::Differs(1));
    check_one("abc", "ab", "", Want::Differs(2));
    check_one("abc", "", "", Want::NotRecorded);
}

#[test]
fn a_listed_scenario_may_differ_and_must() {
    let verdict = check_one("abc", "axc", LISTED, Want::Excused(1));
    let ComparisonOutcome::Excused { reason, .. } = &verdict.outcome else { panic!("{verdict:?}") };
    assert_eq!(reason, "the weather");
    assert!(!verdict.outcome.is_failure());
    assert!(check_one("abc", "abc", LISTED, Want::NoLongerDiffers).outcome.is_failure());
    check_one("abc", "", LISTED, Want::NotRecorded);
    check_one("abc", "abc", "y another", Want::Agrees);
}

#[test]
fn the_first_of_two_sets_decides_and_the_second_shows_what_is_disputed() {
    let dispute = |as_first, as_second| Some(Dispute { as_first, as_second });
    assert_eq!(check_two("ab", ("ab", "ab"), Want::Agrees).dispute, None);
    assert_eq!(check_two("ab", ("ax", "ax"), Want::Differs(1)).dispute, None);
    assert_eq!(check_two("ab", ("ab", "xb"), Want::Agrees).dispute, dispute(true, false));
    assert_eq!(check_two("ab", ("xb", "ab"), Want::Differs(0)).dispute, dispute(false, true));
    assert_eq!(check_two("ab", ("xb", "yb"), Want::Differs(0)).dispute, dispute(false, false));
}

#[test]
fn a_set_without_a_record_does_not_judge() {
    let verdict = check_two("ab", ("", "ab"), Want::Agrees);
    assert_eq!(verdict.judged_by, Some(ComparedSide::Second));
    assert_eq!(verdict.not_recorded_by, [ComparedSide::First]);
    let verdict = check_two("ab", ("ab", ""), Want::Agrees);
    assert_eq!((verdict.judged_by, verdict.dispute), (Some(ComparedSide::First), None));
    assert_eq!(verdict.not_recorded_by, [ComparedSide::Second]);
    let verdict = check_two("ab", ("", ""), Want::NotRecorded);
    assert_eq!((verdict.judged_by, verdict.steps), (None, Tally::default()));
    assert_eq!(verdict.not_recorded_by, [ComparedSide::First, ComparedSide::Second]);
    assert_eq!(check_one("ab", "", "", Want::NotRecorded).not_recorded_by, [ComparedSide::First]);
}

#[test]
fn steps_are_counted_beyond_the_first_difference() {
    let steps = |ours, theirs, want| check_one(ours, theirs, "", want).steps;
    let tally = |agreed, compared| Tally { agreed, compared };
    assert_eq!(steps("abcd", "abcd", Want::Agrees), tally(4, 4));
    assert_eq!(steps("abcd", "axcd", Want::Differs(1)), tally(3, 4));
    assert_eq!(steps("abcd", "ab", Want::Differs(2)), tally(2, 4));
    assert_eq!(steps("ab", "abcd", Want::Differs(2)), tally(2, 4));
}

/// A camera that ended somewhere: met something there if that is a capital.
fn camera(end: &str) -> ScenarioResult {
    let mut record = record("x", &end.to_lowercase());
    let met = end.chars().map(|letter| letter.is_uppercase().then_some(Vec3::Z));
    record.steps.iter_mut().zip(met).for_each(|(step, met)| step.hit = met.into());
    record
}

/// How our camera comes out against two sets.
#[track_caller]
fn check_camera(ours: &str, (first, second): (&str, &str), want: Want) -> Verdict {
    let recorded = |end: &str| (!end.is_empty()).then(|| camera(end)).into_iter().collect();
    let (a, b) = (recorded(first), recorded(second));
    let expectation = Expectation { first: a, second: Some(b), ..Expectation::default() };
    let verdict = expectation.judge(Kind::Viewer, &camera(ours));
    assert_eq!(summary(&verdict.outcome), want, "{ours} against {first} and {second}");
    verdict
}

#[test]
fn a_recorded_camera_that_met_something_is_no_judge() {
    check_camera("a", ("a", "a"), Want::Agrees);
    check_camera("b", ("a", "a"), Want::Differs(0));
    // Whatever ours met, and even where it is the same.
    for ours in ["a", "A", "b", "B"] {
        let verdict = check_camera(ours, ("A", "A"), Want::NotCompared);
        assert!(!verdict.outcome.is_failure());
        assert_eq!((verdict.steps, verdict.dispute), (Tally::default(), None));
    }
    // The first decides, also on that; the second only where there is no first.
    check_camera("b", ("A", "b"), Want::NotCompared);
    check_camera("b", ("", "A"), Want::NotCompared);
    check_camera("b", ("", "b"), Want::Agrees);
    let dispute = Some(Dispute { as_first: true, as_second: false });
    assert_eq!(check_camera("a", ("a", "b"), Want::Agrees).dispute, dispute);
    assert_eq!(check_camera("a", ("a", "B"), Want::Agrees).dispute, None);
}

/// A course of a trace with this answer; what was asked plays no part.
fn course(record: ScenarioResult, is_complete: bool) -> Course {
    let job = Job::Cells(CellsJob { queries: Vec::new() });
    let scenario = Scenario { id: record.id.clone(), world: "made".to_owned(), job };
    Course { head: Arc::default(), scenario, record, is_complete }
}

#[test]
fn a_trace_that_is_cut_off_says_nothing_about_the_steps_after() {
    let mut expectation = Expectation {
        known: KnownDifferences::parse("y listed").unwrap(),
        ..Expectation::default()
    };
    let first = &mut expectation.first;
    first.add_course(course(record("x", "ab"), false));
    first.add_course(course(record("y", "ab"), false));
    first.add_course(course(record("z", "ab"), true));
    let judge = |expectation: &Expectation, id, ours| {
        let verdict = expectation.judge(Kind::Walk, &record(id, ours));
        (summary(&verdict.outcome), verdict.steps.agreed, verdict.steps.compared)
    };
    assert_eq!(judge(&expectation, "x", "abcd"), (Want::Agrees, 2, 2));
    assert_eq!(judge(&expectation, "x", "aXcd"), (Want::Differs(1), 1, 2));
    assert_eq!(judge(&expectation, "x", "a"), (Want::Differs(1), 1, 2));
    assert_eq!(judge(&expectation, "y", "abcd"), (Want::Agrees, 2, 2));
    assert_eq!(judge(&expectation, "y", "Xbcd"), (Want::Excused(0), 1, 2));
    assert_eq!(judge(&expectation, "z", "abcd"), (Want::Differs(2), 2, 4));
    // Nor is anything disputed there.
    expectation.second = Some(recorded(&[("x", "abcX")]));
    assert_eq!(expectation.judge(Kind::Walk, &record("x", "abcd")).dispute, None);
}

#[test]
fn a_traced_camera_counts_whatever_it_met() {
    let mut expectation = Expectation::default();
    expectation.first.extend([camera("A")]);
    let judge = |expectation: &Expectation, end| {
        summary(&expectation.judge(Kind::Viewer, &camera(end)).outcome)
    };
    assert_eq!(judge(&expectation, "b"), Want::NotCompared);
    expectation.first.add_course(course(camera("A"), true));
    assert_eq!(judge(&expectation, "b"), Want::Differs(0));
    assert_eq!(judge(&expectation, "A"), Want::Agrees);
}

#[test]
fn what_is_not_compared_is_counted_apart() {
    let first: RecordedResults = [camera("A")].into_iter().collect();
    let known = KnownDifferences::parse(LISTED).unwrap();
    let expectation = Expectation { first, known, ..Expectation::default() };
    let mut agreement = Agreement::default();
    agreement.add(expectation.judge(Kind::Viewer, &camera("b")));
    let want = KindAgreement { not_compared: 1, ..KindAgreement::default() };
    assert_eq!(agreement.kinds, [(Kind::Viewer, want)].into());
    assert!(agreement.remarkable.is_empty());
}

#[test]
fn verdicts_are_counted_by_kind() {
    let first = recorded(&[("same", "ab"), ("off", "ab"), ("known", "ab"), ("stale", "ab")]);
    let second = recorded(&[("same", "ab"), ("off", "xb"), ("known", "ab"), ("new", "ab")]);
    let known = KnownDifferences::parse("known a reason\nstale another\n").unwrap();
    let expectation = Expectation { first, second: Some(second), known, ..Expectation::default() };
    let answers = [
        (Kind::Walk, "same", "ab"),
        (Kind::Walk, "off", "xb"),
        (Kind::Walk, "known", "ay"),
        (Kind::Walk, "stale", "ab"),
        (Kind::Sim, "new", "ab"),
        (Kind::Sim, "unheard", "ab"),
    ];
    let mut agreement = Agreement::default();
    agreement.extend(answers.map(|(kind, id, ours)| expectation.judge(kind, &record(id, ours))));
    let walks = KindAgreement {
        scenarios: Tally { agreed: 2, compared: 4 },
        steps: Tally { agreed: 6, compared: 8 },
        disputed: DisputeCounts { scenarios: 1, as_first: 0, as_second: 1 },
        excused: 1,
        no_longer_differ: 1,
        not_compared: 0,
        by_properties: Tally::default(),
        not_recorded_by_first: 0,
        not_recorded_by_second: 1,
    };
    let sims = KindAgreement {
        scenarios: Tally { agreed: 1, compared: 1 },
        steps: Tally { agreed: 2, compared: 2 },
        not_recorded_by_first: 2,
        not_recorded_by_second: 1,
        ..KindAgreement::default()
    };
    assert_eq!(agreement.kinds, [(Kind::Walk, walks), (Kind::Sim, sims)].into());
    let ids = |verdicts: Vec<&Verdict>| verdicts.iter().map(|v| v.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(agreement.remarkable.iter().collect()), ["off", "known", "stale"]);
    assert_eq!(ids(agreement.failures().collect()), ["off", "stale"]);
}

/// A camera in the first of two rooms that goes west, against a record of it and a list of properties.
#[track_caller]
fn check_properties(end: f64, recorded: Option<&str>, properties: &str, want: Want) {
    let runner = crate::Runner::new(threshold_forge::samples::two_rooms().unwrap());
    let scenario = Scenario::parse(
        br#"{"id":"cam","kind":"viewer","world":"made","mover":{"setup":"0x02000001","state":"0x0"},
        "from":{"cell":"0x01020100","pos":[2,2,1.5]},"to":[-3,2,1.5],"radius":0.3}"#,
    )
    .unwrap();
    let step = |end: f64, hit: &str| {
        let step = format!(r#"{{"ok":true,"cell":"0x01020100","pos":[{end},2,1.5],"hit":{hit}}}"#);
        ScenarioResult::parse(format!(r#"{{"id":"cam","steps":[{step}]}}"#).as_bytes()).unwrap()
    };
    let first = recorded.map(|hit| step(0.3, hit)).into_iter().collect();
    let properties = Properties::parse(properties).unwrap();
    let expectation = Expectation { first, properties, ..Expectation::default() };
    let verdict = expectation.judge_in(runner.world(), &scenario, &step(end, "[1,0,0]"));
    let mut agreement = Agreement::default();
    let by_properties = Tally {
        agreed: usize::from(want == Want::Satisfies),
        compared: usize::from(matches!(want, Want::Satisfies | Want::Violates)),
    };
    assert_eq!(summary(&verdict.outcome), want, "{end}");
    agreement.add(verdict);
    assert_eq!(agreement.kinds[&Kind::Viewer].by_properties, by_properties);
    assert_eq!(
        agreement.failures().count(),
        usize::from(matches!(want, Want::Violates | Want::Differs(_)))
    );
}

#[test]
fn a_camera_that_met_something_is_judged_by_its_properties() {
    let hit = Some("[0,0,1]");
    check_properties(0.3, hit, "", Want::NotCompared);
    check_properties(0.3, hit, "cam touches within 0.01", Want::Satisfies);
    check_properties(0.9, hit, "cam touches within 0.01", Want::Violates);
    check_properties(0.3, None, "", Want::NotRecorded);
    check_properties(0.3, None, "cam touches within 0.01", Want::Satisfies);
    // A record that counts is compared, and the properties are checked besides.
    let free = Some("null");
    check_properties(0.3, free, "cam touches within 0.01", Want::Agrees);
    check_properties(0.3, free, "cam goes the whole way", Want::Violates);
    check_properties(0.9, free, "cam touches within 0.01", Want::Differs(0));
}
