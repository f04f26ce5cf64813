//! `threshold trace`, and replays of traces.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use threshold_testkit::data_path;

fn scenarios(name: &str) -> PathBuf {
    data_path("conformance/scenarios").join(name).with_extension("jsonl.gz")
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

/// Runs the program on the sample world holt.
fn threshold(command: &str, rest: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
    run.arg(command).arg("--dats").arg(data_path("holt"));
    run.args(rest).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Checks the exit code of a run, and returns everything it printed.
#[track_caller]
fn printed(output: &Output, code: i32) -> String {
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{errors}");
    out + &errors
}

#[track_caller]
fn check_contains(text: &str, wanted: &[&str]) {
    for want in wanted {
        assert!(text.contains(want), "{want:?} is not in:\n{text}");
    }
}

/// A trace of one scenario of each kind, on standard output.
fn sample() -> String {
    let files =
        ["walks", "sim", "place", "viewer", "cells"].map(|end| scenarios(&format!("holt-{end}")));
    let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
    run.arg("trace").arg("--dats").arg(data_path("holt")).arg("--scenarios").args(files);
    run.arg(scenarios("landdefs")).arg("--id");
    run.args(["holt-cell-room-0000", "holt-fall-out-0000", "holt-place-0000", "holt-camera-0000"]);
    run.args(["holt-cells-0000", "holt-goldens-0000"]);
    let output = run.output().unwrap();
    assert_eq!(text(&output.stderr), "6 scenarios run in the world holt\n");
    assert!(output.status.success());
    text(&output.stdout)
}

/// Replays a trace and compares it with itself.
fn replay(trace: &Path, rest: &[&str]) -> Output {
    let out = folder();
    let out = out.path().join("out");
    let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> =
        vec![&"--scenarios", &trace, &"--expect", &trace, &"--out", &out];
    rest.iter().for_each(|argument| all.push(argument));
    threshold("replay", &all)
}

#[test]
fn a_trace_has_a_head_and_a_line_for_each_step() {
    let trace = sample();
    let lines: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let head = &lines[0];
    assert_eq!((&head["trace"], &head["world"]), (&1.into(), &"holt".into()));
    assert_eq!(head["rules"]["steep_ground"], "passes");
    assert!(head["by"].as_str().unwrap().starts_with("threshold "));
    let count = |mark| lines.iter().filter(|line| line.get(mark).is_some()).count();
    assert_eq!((count("begin"), count("end")), (6, 6));
    let steps: u64 =
        lines.iter().filter_map(|line| line.get("steps")).map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(u64::try_from(count("step")).unwrap(), steps);
    let begin = lines.iter().find(|line| line["begin"] == "holt-cell-room-0000").unwrap();
    assert_eq!((&begin["kind"], &begin["start"]["cell"]), (&"walk".into(), &"0xA9B40160".into()));
    assert!(begin.get("moves").is_none(), "each step has its own move");
    assert_eq!(lines[2]["cell"], "0xA9B40160");
}

#[test]
fn a_replayed_trace_agrees_in_every_kind() {
    let folder = folder();
    let path = folder.path().join("sample.jsonl");
    std::fs::write(&path, sample()).unwrap();
    let report = printed(&replay(&path, &[]), 0);
    let rows = ["walk               1 of 1     16 of 16", "sim                1 of 1     42 of 42"];
    check_contains(&report, &rows);
    let rows = ["place              1 of 1     12 of 12", "cells              1 of 1   200 of 200"];
    check_contains(&report, &rows);
    // Cameras that hit something are compared with a trace.
    let rows = ["viewer             1 of 1       1 of 1", "landdefs           1 of 1     10 of 10"];
    check_contains(&report, &rows);
    assert!(!report.contains("note:") && !report.contains("not compared: "), "{report}");
}

#[test]
fn whole_scenario_files_agree_with_their_trace_and_with_recorded_results() {
    let folder = folder();
    let (trace, out) = (folder.path().join("all.jsonl.gz"), folder.path().join("out"));
    let (walks, random) = (scenarios("holt-walks"), scenarios("holt-random-walk"));
    let traced = threshold("trace", &[&"--scenarios", &walks, &random, &"--out", &trace]);
    check_contains(
        &printed(&traced, 0),
        &["all.jsonl.gz: ", " steps", "scenarios run in the world holt"],
    );
    let recorded = data_path("conformance/results/a");
    let replayed = threshold(
        "replay",
        &[&"--scenarios", &trace, &"--out", &out, &"--expect", &trace, &"--expect", &recorded],
    );
    check_contains(&printed(&replayed, 0), &["walk       303 of 303  11,635 of 11,635"]);
    // A replay of the trace has the same results as a run of the scenarios.
    printed(&threshold("replay", &[&"--scenarios", &walks, &random, &"--out", &out]), 0);
    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(text("all.jsonl"), text("holt-walks.jsonl") + &text("holt-random-walk.jsonl"));
}

#[test]
fn the_example_in_docs_trace_is_a_trace_that_agrees() {
    let page = std::fs::read_to_string(data_path("../../docs/trace.md")).unwrap();
    let example = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = folder();
    let path = folder.path().join("example.jsonl");
    std::fs::write(&path, example).unwrap();
    check_contains(&printed(&replay(&path, &[]), 0), &["walk           1 of 1       2 of 2"]);
}

/// Replays the sample trace with one text replaced, and returns everything that is printed.
#[track_caller]
fn replay_changed(old: &str, new: &str, rest: &[&str], code: i32) -> String {
    let (folder, text) = (folder(), sample());
    assert!(text.contains(old), "{old}");
    let path = folder.path().join("changed.jsonl");
    std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
    printed(&replay(&path, rest), code)
}

#[test]
fn a_changed_number_is_reported_with_its_step_and_field() {
    let report = replay_changed("[177.068634,", "[177.268634,", &[], 1);
    check_contains(&report, &["differs: walk holt-cell-room-0000: step 1: pos: ours [177.068634,"]);
    check_contains(&report, &["theirs [177.268634,", "(0.2000 m apart)"]);
    let report = replay_changed("\"lcoord\":[1352,1440]", "\"lcoord\":[1352,1441]", &[], 1);
    check_contains(
        &report,
        &["differs: landdefs holt-goldens-0000: step 0: lcoord: ours [1352,1440]"],
    );
}

#[test]
fn a_changed_move_is_replayed_as_changed() {
    let report = replay_changed("\"do\":[-0.152799994,", "\"do\":[0.152799994,", &[], 1);
    check_contains(&report, &["differs: walk holt-cell-room-0000: step 0: pos: ours [177.5563"]);
}

#[test]
fn a_trace_with_other_rules_or_of_another_world_is_noted() {
    let report = replay_changed("", "", &["--rule", "step_cap=none"], 0);
    check_contains(
        &report,
        &["note: ", "changed.jsonl: made with step_cap=30; this run has step_cap=none"],
    );
    let report = replay_changed("\"world\":\"holt\"", "\"world\":\"elsewhere\"", &[], 1);
    check_contains(&report, &["passed over: 6 scenarios of the world elsewhere"]);
    check_contains(&report, &["changed.jsonl: passed over: 6 courses of the world elsewhere"]);
    check_contains(&report, &["error: nothing to compare"]);
}

#[test]
fn a_truncated_trace_is_used_up_to_its_end() {
    let (folder, text) = (folder(), sample());
    let path = folder.path().join("cut.jsonl");
    let end = text.find("{\"step\":7,").unwrap();
    std::fs::write(&path, &text[..end + 20]).unwrap();
    let report = printed(&replay(&path, &[]), 0);
    check_contains(&report, &["note: ", "cut.jsonl: holt-cell-room-0000 is cut off after 7 steps"]);
    check_contains(&report, &["walk           1 of 1       7 of 7"]);
    // The same with the complete scenario as input.
    let (walks, out) = (scenarios("holt-walks"), folder.path().join("out"));
    let rest: [&dyn AsRef<std::ffi::OsStr>; 6] =
        [&"--scenarios", &walks, &"--expect", &path, &"--out", &out];
    check_contains(&self::printed(&threshold("replay", &rest), 0), &["1 of 1       7 of 7"]);
}

#[test]
fn a_wrong_line_is_reported() {
    let (folder, text) = (folder(), sample());
    let path = folder.path().join("bad.jsonl");
    std::fs::write(&path, text.replacen("{\"step\":3,", "{\"step\":4,", 1)).unwrap();
    let out = folder.path().join("out");
    let asked = threshold("replay", &[&"--scenarios", &path, &"--out", &out]);
    let report = printed(&asked, 1);
    check_contains(&report, &["bad.jsonl:6: step 4 found, step 3 expected", "5 scenarios run"]);
    check_contains(&printed(&replay(&path, &[]), 1), &["threshold: ", "bad.jsonl:6: step 4 found"]);
    std::fs::write(&path, text.replacen("{\"trace\":1,", "{\"trace\":9,", 1)).unwrap();
    check_contains(
        &printed(&replay(&path, &[]), 1),
        &["bad.jsonl:1: trace version 9; only version 1 can be read"],
    );
}

#[test]
fn input_files_are_not_overwritten() {
    let folder = folder();
    let path = folder.path().join("sample.jsonl");
    std::fs::write(&path, sample()).unwrap();
    let refused = threshold("trace", &[&"--scenarios", &path, &"--out", &path]);
    check_contains(&printed(&refused, 1), &["sample.jsonl: would be overwritten"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), sample());
    let dat = std::fs::read_dir(data_path("holt")).unwrap().next().unwrap().unwrap().path();
    let before = std::fs::metadata(&dat).unwrap().len();
    let refused = threshold("trace", &[&"--scenarios", &path, &"--out", &dat]);
    check_contains(&printed(&refused, 1), &["would be overwritten"]);
    assert_eq!(std::fs::metadata(&dat).unwrap().len(), before);
}

#[test]
fn invalid_scenarios_are_reported_and_the_others_are_traced() {
    let folder = folder();
    let (path, out) = (folder.path().join("asked.jsonl"), folder.path().join("trace.jsonl"));
    let call = r#"{"id":"a","kind":"landdefs","world":"holt","calls":[["in_bounds",0,0]]}"#;
    let other = call.replace("holt", "dungeon");
    std::fs::write(&path, format!("{call}\n{{\n{other}\n{call}\n")).unwrap();
    let run = threshold("trace", &[&"--scenarios", &path, &"--out", &out, &"--json"]);
    assert_eq!(run.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&report["run"], &report["steps"]), (&1.into(), &1.into()));
    assert_eq!(report["other_worlds"]["dungeon"], 1);
    assert_eq!(report["bad_lines"].as_array().unwrap().len(), 2);
    let trace = std::fs::read_to_string(&out).unwrap();
    let rest: Vec<&str> = trace.lines().skip(1).collect();
    let want = [
        r#"{"begin":"a","kind":"landdefs"}"#,
        r#"{"step":0,"do":["in_bounds",0,0],"ok":true}"#,
        r#"{"end":"a","steps":1}"#,
    ];
    assert_eq!(rest, want);
}

#[test]
fn if_nothing_can_be_run_no_file_is_written_and_an_existing_one_stays() {
    let folder = folder();
    let path = folder.path().join("bad.jsonl");
    std::fs::write(&path, "{\n").unwrap();
    for name in ["trace.jsonl", "trace.jsonl.gz"] {
        let out = folder.path().join(name);
        let run = || threshold("trace", &[&"--scenarios", &path, &"--out", &out]);
        let report = printed(&run(), 1);
        assert!(report.contains("error: ") && !report.contains(" steps"), "{report}");
        assert!(!out.exists(), "{name}");
        std::fs::write(&out, "the old one").unwrap();
        printed(&run(), 1);
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "the old one");
    }
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 3, "a temporary file stays behind");
}

#[test]
fn missing_files_and_wrong_arguments_are_reported() {
    let walks = scenarios("holt-walks");
    let refuse = |rest: &[&dyn AsRef<std::ffi::OsStr>]| {
        let output = threshold("trace", rest);
        assert!(!output.status.success() && output.stdout.is_empty());
        text(&output.stderr)
    };
    let report = refuse(&[&"--scenarios", &walks, &"--id", &"no-such-id"]);
    check_contains(&report, &["--id no-such-id: no scenario of the world holt has this id"]);
    check_contains(&refuse(&[&"--scenarios", &"nowhere.jsonl"]), &["nowhere.jsonl: No such file"]);
    check_contains(&refuse(&[&"--scenarios", &walks, &"--json"]), &["--out <FILE>"]);
    let report = refuse(&[&"--scenarios", &walks, &"--rule", &"slope=b"]);
    check_contains(&report, &["--rule slope=b: there is no rule"]);
    let report = refuse(&[&"--scenarios", &walks, &"--out", &"no/such/folder/x.jsonl"]);
    check_contains(&report, &["x.jsonl: cannot be written: "]);
}
