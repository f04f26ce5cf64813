//! `threshold trace` as a person runs it, and traces as `threshold replay` takes them.

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

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn scenarios(name: &str) -> PathBuf {
    data("conformance/scenarios").join(name).with_extension("jsonl.gz")
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

/// Runs the program on the sample world holt.
fn threshold(command: &str, rest: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
    run.arg(command).arg("--dats").arg(data("holt"));
    run.args(rest).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What was said by a run that ended so.
#[track_caller]
fn said(output: &Output, code: i32) -> String {
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{errors}");
    out + &errors
}

#[track_caller]
fn check_says(said: &str, wanted: &[&str]) {
    for want in wanted {
        assert!(said.contains(want), "{want:?} is not in:\n{said}");
    }
}

/// A trace of one scenario of each kind, on standard output.
fn sample() -> String {
    let files =
        ["walks", "sim", "place", "viewer", "cells"].map(|end| scenarios(&format!("holt-{end}")));
    let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
    run.arg("trace").arg("--dats").arg(data("holt")).arg("--scenarios").args(files);
    run.arg(scenarios("landdefs")).arg("--id");
    run.args(["holt-cell-room-0000", "holt-fall-out-0000", "holt-place-0000", "holt-camera-0000"]);
    run.args(["holt-cells-0000", "holt-goldens-0000"]);
    let output = run.output().unwrap();
    assert_eq!(text(&output.stderr), "6 scenarios run in the world holt\n");
    assert!(output.status.success());
    text(&output.stdout)
}

/// Replays a trace by itself: it is asked, and it is expected.
fn replay(trace: &Path, rest: &[&str]) -> Output {
    let out = folder();
    let out = out.path().join("out");
    let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> =
        vec![&"--scenarios", &trace, &"--expect", &trace, &"--out", &out];
    rest.iter().for_each(|argument| all.push(argument));
    threshold("replay", &all)
}

#[test]
fn a_trace_has_a_head_and_a_line_a_step() {
    let trace = sample();
    let lines: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let head = &lines[0];
    assert_eq!((&head["trace"], &head["world"]), (&1.into(), &"holt".into()));
    assert_eq!(head["rules"]["steep_ground"], "passes");
    assert!(head["by"].as_str().unwrap().starts_with("threshold "));
    let count = |mark| lines.iter().filter(|line| line.get(mark).is_some()).count();
    assert_eq!((count("begin"), count("end")), (6, 6));
    let said: u64 =
        lines.iter().filter_map(|line| line.get("steps")).map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(u64::try_from(count("step")).unwrap(), said);
    let begin = lines.iter().find(|line| line["begin"] == "holt-cell-room-0000").unwrap();
    assert_eq!((&begin["kind"], &begin["start"]["cell"]), (&"walk".into(), &"0xA9B40160".into()));
    assert!(begin.get("moves").is_none(), "each step has its own");
    assert_eq!(lines[2]["cell"], "0xA9B40160");
}

#[test]
fn a_trace_is_run_again_and_agrees_in_every_kind() {
    let folder = folder();
    let path = folder.path().join("sample.jsonl");
    std::fs::write(&path, sample()).unwrap();
    let said = said(&replay(&path, &[]), 0);
    let rows = ["walk               1 of 1     16 of 16", "sim                1 of 1     42 of 42"];
    check_says(&said, &rows);
    let rows = ["place              1 of 1     12 of 12", "cells              1 of 1   200 of 200"];
    check_says(&said, &rows);
    // A camera that met something counts here.
    let rows = ["viewer             1 of 1       1 of 1", "landdefs           1 of 1     10 of 10"];
    check_says(&said, &rows);
    assert!(!said.contains("note:") && !said.contains("not compared: "), "{said}");
}

#[test]
fn whole_files_of_scenarios_agree_with_their_trace_and_with_what_is_recorded() {
    let folder = folder();
    let (trace, out) = (folder.path().join("all.jsonl.gz"), folder.path().join("out"));
    let (walks, random) = (scenarios("holt-walks"), scenarios("holt-random-walk"));
    let traced = threshold("trace", &[&"--scenarios", &walks, &random, &"--out", &trace]);
    check_says(&said(&traced, 0), &["all.jsonl.gz: ", " steps", "scenarios run in the world holt"]);
    let recorded = data("conformance/results/a");
    let replayed = threshold(
        "replay",
        &[&"--scenarios", &trace, &"--out", &out, &"--expect", &trace, &"--expect", &recorded],
    );
    check_says(&said(&replayed, 0), &["walk       303 of 303  11,635 of 11,635"]);
    // What is run from the trace is run from the same numbers.
    said(&threshold("replay", &[&"--scenarios", &walks, &random, &"--out", &out]), 0);
    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(text("all.jsonl"), text("holt-walks.jsonl") + &text("holt-random-walk.jsonl"));
}

#[test]
fn the_example_of_the_documentation_is_a_trace_and_agrees() {
    let page = std::fs::read_to_string(data("../../docs/trace.md")).unwrap();
    let example = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = folder();
    let path = folder.path().join("example.jsonl");
    std::fs::write(&path, example).unwrap();
    check_says(&said(&replay(&path, &[]), 0), &["walk           1 of 1       2 of 2"]);
}

/// What replay says about the sample with one text in place of another.
#[track_caller]
fn changed(old: &str, new: &str, rest: &[&str], code: i32) -> String {
    let (folder, text) = (folder(), sample());
    assert!(text.contains(old), "{old}");
    let path = folder.path().join("changed.jsonl");
    std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
    said(&replay(&path, rest), code)
}

#[test]
fn a_changed_number_is_found_with_its_step_and_field() {
    let said = changed("[177.068634,", "[177.268634,", &[], 1);
    check_says(&said, &["differs: walk holt-cell-room-0000: step 1: pos: ours [177.068634,"]);
    check_says(&said, &["theirs [177.268634,", "(0.2000 m apart)"]);
    let said = changed("\"lcoord\":[1352,1440]", "\"lcoord\":[1352,1441]", &[], 1);
    check_says(&said, &["differs: landdefs holt-goldens-0000: step 0: lcoord: ours [1352,1440]"]);
}

#[test]
fn a_changed_move_is_run_as_it_says() {
    let said = changed("\"do\":[-0.152799994,", "\"do\":[0.152799994,", &[], 1);
    check_says(&said, &["differs: walk holt-cell-room-0000: step 0: pos: ours [177.5563"]);
}

#[test]
fn a_trace_of_other_rules_or_another_world_is_noted() {
    let said = changed("", "", &["--rule", "step_cap=none"], 0);
    check_says(
        &said,
        &["note: ", "changed.jsonl: made with step_cap=30; this run has step_cap=none"],
    );
    let said = changed("\"world\":\"holt\"", "\"world\":\"elsewhere\"", &[], 1);
    check_says(&said, &["passed over: 6 scenarios of the world elsewhere"]);
    check_says(&said, &["changed.jsonl: passed over: 6 courses of the world elsewhere"]);
    check_says(&said, &["error: nothing to compare"]);
}

#[test]
fn a_trace_that_is_cut_off_is_used_as_far_as_it_goes() {
    let (folder, text) = (folder(), sample());
    let path = folder.path().join("cut.jsonl");
    let end = text.find("{\"step\":7,").unwrap();
    std::fs::write(&path, &text[..end + 20]).unwrap();
    let said = said(&replay(&path, &[]), 0);
    check_says(&said, &["note: ", "cut.jsonl: holt-cell-room-0000 is cut off after 7 steps"]);
    check_says(&said, &["walk           1 of 1       7 of 7"]);
    // Also where the whole scenario is asked.
    let (walks, out) = (scenarios("holt-walks"), folder.path().join("out"));
    let rest: [&dyn AsRef<std::ffi::OsStr>; 6] =
        [&"--scenarios", &walks, &"--expect", &path, &"--out", &out];
    check_says(&self::said(&threshold("replay", &rest), 0), &["1 of 1       7 of 7"]);
}

#[test]
fn a_line_that_does_not_fit_is_named() {
    let (folder, text) = (folder(), sample());
    let path = folder.path().join("bad.jsonl");
    std::fs::write(&path, text.replacen("{\"step\":3,", "{\"step\":4,", 1)).unwrap();
    let out = folder.path().join("out");
    let asked = threshold("replay", &[&"--scenarios", &path, &"--out", &out]);
    let told = said(&asked, 1);
    check_says(&told, &["bad.jsonl:6: step 4, where step 3 should be", "5 scenarios run"]);
    check_says(&said(&replay(&path, &[]), 1), &["threshold: ", "bad.jsonl:6: step 4, where"]);
    std::fs::write(&path, text.replacen("{\"trace\":1,", "{\"trace\":9,", 1)).unwrap();
    check_says(
        &said(&replay(&path, &[]), 1),
        &["bad.jsonl:1: a trace of version 9; this program reads version 1"],
    );
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let folder = folder();
    let path = folder.path().join("sample.jsonl");
    std::fs::write(&path, sample()).unwrap();
    let refused = threshold("trace", &[&"--scenarios", &path, &"--out", &path]);
    check_says(&said(&refused, 1), &["sample.jsonl: would be overwritten"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), sample());
    let dat = std::fs::read_dir(data("holt")).unwrap().next().unwrap().unwrap().path();
    let before = std::fs::metadata(&dat).unwrap().len();
    let refused = threshold("trace", &[&"--scenarios", &path, &"--out", &dat]);
    check_says(&said(&refused, 1), &["would be overwritten"]);
    assert_eq!(std::fs::metadata(&dat).unwrap().len(), before);
}

#[test]
fn what_cannot_be_traced_is_said_and_the_rest_is_traced() {
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
fn what_is_missing_or_mistyped_is_said_plainly() {
    let walks = scenarios("holt-walks");
    let refuse = |rest: &[&dyn AsRef<std::ffi::OsStr>]| {
        let output = threshold("trace", rest);
        assert!(!output.status.success() && output.stdout.is_empty());
        text(&output.stderr)
    };
    let told = refuse(&[&"--scenarios", &walks, &"--id", &"nobody"]);
    check_says(&told, &["--id nobody: no scenario of the world holt has this id"]);
    check_says(&refuse(&[&"--scenarios", &"nowhere.jsonl"]), &["nowhere.jsonl: No such file"]);
    check_says(&refuse(&[&"--scenarios", &walks, &"--json"]), &["--out <FILE>"]);
    let told = refuse(&[&"--scenarios", &walks, &"--rule", &"slope=b"]);
    check_says(&told, &["--rule slope=b: there is no rule"]);
    let told = refuse(&[&"--scenarios", &walks, &"--out", &"no/such/folder/x.jsonl"]);
    check_says(&told, &["x.jsonl: cannot be written: "]);
}
