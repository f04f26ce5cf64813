//! Comparison with recorded results with `--expect`.

use serde_json::Value;
use threshold_testkit::data_path;

use super::{Replay, answer_line, call_line, check_contains, expanded, results, scenarios};

#[test]
fn the_results_agree_with_both_recorded_sets() {
    let mut replay = Replay::in_world("dungeon")
        .with("--scenarios", scenarios("dungeon-cells"))
        .with("--expect", results("a"));
    check_contains(&replay.succeed(), &["cells           5 of 5  1,000 of 1,000"]);
    let mut replay = Replay::new()
        .with("--scenarios", scenarios("holt-cells"))
        .with("--scenarios", scenarios("landdefs"))
        .with("--expect", results("a"))
        .with("--expect", results("b"))
        .with("--known", data_path("conformance/known-differences.txt"));
    replay.succeed();
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.succeed()).unwrap();
    let landdefs = &report["agreement"]["kinds"]["landdefs"];
    assert_eq!(landdefs["steps"], serde_json::json!({ "agreed": 909, "compared": 909 }));
    let disputed = serde_json::json!({ "scenarios": 1, "as_first": 1, "as_second": 0 });
    assert_eq!(landdefs["disputed"], disputed);
    assert_eq!(report["agreement"]["remarkable"], Value::Array(Vec::new()));
    assert_eq!((&report["world"], &report["run"]), (&"holt".into(), &10.into()));
}

/// Scenario files of a world, by the ends of their names, compared with both recorded sets.
fn recorded_files(world: &str, ends: &[&str]) -> Replay {
    let files = ends.iter().map(|end| scenarios(&format!("{world}-{end}")));
    let replay =
        Replay::in_world(world).with("--expect", results("a")).with("--expect", results("b"));
    files.fold(replay, |replay, file| replay.with("--scenarios", file))
}

#[test]
fn falls_and_placements_end_as_recorded() {
    let ends = ["sim", "random-sim", "place", "random-place"];
    let text = recorded_files("holt", &ends).succeed();
    check_contains(
        &text,
        &["sim         114 of 114  6,300 of 6,300", "place         62 of 62      636 of 636"],
    );
    let text = recorded_files("dungeon", &ends).succeed();
    check_contains(
        &text,
        &["sim           68 of 68  3,724 of 3,724", "place         38 of 38      390 of 390"],
    );
}

#[test]
fn recorded_cameras_that_hit_something_are_not_compared_but_counted() {
    let mut replay = recorded_files("holt", &["viewer"]);
    let text = replay.succeed();
    let row = "viewer           1 of 1       1 of 1      0            16";
    check_contains(&text, &["17 scenarios run", "  not compared  ", row]);
    let why = "not compared: viewer: 16 scenarios with a recorded camera that hit something";
    check_contains(&text, &[why]);
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.succeed()).unwrap();
    let viewer = &report["agreement"]["kinds"]["viewer"];
    assert_eq!(viewer["scenarios"], serde_json::json!({ "agreed": 1, "compared": 1 }));
    assert_eq!(viewer["not_compared"], 16);
    assert_eq!(report["agreement"]["remarkable"], Value::Array(Vec::new()));
}

#[test]
fn recorded_cameras_that_hit_something_are_judged_by_their_properties() {
    let list = data_path("conformance/camera-properties.txt");
    let mut replay = recorded_files("holt", &["viewer"]).with("--properties", &list);
    let text = replay.succeed();
    check_contains(&text, &["by properties: viewer: 16 of 16 scenarios"]);
    assert!(!text.contains("not compared:"), "{text}");
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.succeed()).unwrap();
    let viewer = &report["agreement"]["kinds"]["viewer"];
    assert_eq!(viewer["by_properties"], serde_json::json!({ "agreed": 16, "compared": 16 }));
    assert_eq!(viewer["not_compared"], 0);
    // A violated property fails, and is named.
    let replay = recorded_files("holt", &["viewer"]);
    let wrong = replay.write("wrong.txt", "holt-camera-0000 goes the whole way\n");
    let text = replay.with("--properties", wrong).fail();
    check_contains(
        &text,
        &["violates: viewer holt-camera-0000: goes the whole way (3.4743 m off)"],
    );
    let replay = recorded_files("holt", &["viewer"]);
    let broken = replay.write("broken.txt", "holt-camera-0000 sings\n");
    let text = replay.with("--properties", broken).refuse();
    check_contains(&text, &["broken.txt:1: unknown property \"sings\""]);
}

#[test]
fn cameras_that_all_hit_something_leave_nothing_to_compare() {
    let all = expanded(&scenarios("holt-viewer"));
    let one = |id: &str| all.lines().find(|line| line.contains(id)).unwrap();
    let replay = |id| Replay::new().scenarios(one(id)).with("--expect", results("a"));
    replay("holt-camera-0008").succeed();
    let text = replay("holt-camera-0000").fail();
    let want = "error: nothing to compare: no scenario of holt has a recorded result that counts";
    check_contains(&text, &[want, "viewer           0 of 0       0 of 0      0             1"]);
}

#[test]
fn where_two_recorded_sets_differ_the_first_decides() {
    let replay = |first, second| {
        let replay = Replay::new().with("--scenarios", scenarios("landdefs"));
        replay.with("--expect", results(first)).with("--expect", results(second))
    };
    replay("a", "b").succeed();
    let text = replay("b", "a").fail();
    let want = "differs: landdefs holt-landdefs-0000: step 161: ok: ours true, theirs false \
        (disputed, ours is what the second says)";
    check_contains(&text, &[want, "1 of 2"]);
}

/// Runs `a` and `b` with an expected result for `b` that differs.
fn with_a_difference(known: &str) -> Replay {
    let replay = Replay::new().scenarios(&format!(
        "{}\n{}\n",
        call_line("a", "holt"),
        call_line("b", "holt")
    ));
    let other = answer_line("b").replace("true", "false");
    let folder = replay.write("expected/calls.jsonl", &(answer_line("a") + &other));
    let known = replay.write("known.txt", known);
    replay.with("--expect", folder.parent().unwrap()).with("--known", known)
}

#[test]
fn a_difference_is_reported_with_scenario_and_step() {
    let text = with_a_difference("").fail();
    check_contains(&text, &["differs: landdefs b: step 0: ok: ours true, theirs false", "1 of 2"]);
    let mut replay = with_a_difference("");
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.fail()).unwrap();
    let verdict = &report["agreement"]["remarkable"][0];
    assert_eq!((&verdict["id"], &verdict["outcome"]), (&"b".into(), &"differs".into()));
    assert_eq!(verdict["difference"]["step"], 0);
}

#[test]
fn a_known_difference_is_excused_until_it_disappears() {
    check_contains(
        &with_a_difference("# why\nb the study says so\n").succeed(),
        &["known: landdefs b: step 0"],
    );
    let text = with_a_difference("a a slope\nb the study says so\n").fail();
    check_contains(&text, &["no longer differs: landdefs a: remove it from the list (a slope)"]);
    let text = with_a_difference("b\n").refuse();
    check_contains(&text, &["known.txt:1: b has no reason"]);
    check_contains(
        &with_a_difference("b one\nb two\n").refuse(),
        &["known.txt:2: b is listed on line 1 already"],
    );
}

#[test]
fn unrecorded_scenarios_are_counted_and_not_judged() {
    let replay = Replay::new().scenarios(&format!(
        "{}\n{}\n",
        call_line("a", "holt"),
        call_line("new", "holt")
    ));
    let folder = replay.write("expected/calls.jsonl", &answer_line("a"));
    let text = replay.with("--expect", folder.parent().unwrap()).succeed();
    check_contains(
        &text,
        &["landdefs           1 of 1       1 of 1      0             0             1"],
    );
}

#[test]
fn nothing_to_compare_is_an_error() {
    let replay = Replay::new().scenarios(&call_line("new", "holt"));
    let text = replay.with("--expect", results("a")).fail();
    check_contains(
        &text,
        &["error: nothing to compare: no scenario of holt has a recorded result"],
    );
}
