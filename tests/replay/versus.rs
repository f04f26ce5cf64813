//! Comparison of two settings of the rules with `--versus`.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use threshold_testkit::data_path;

use super::{Replay, check_contains, results, scenarios};

/// A run with two settings, without results.
fn versus(files: &[&str], settings: &[&str]) -> Replay {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(["replay", "--dats"]).arg(data_path("holt"));
    let replay = Replay { folder, command };
    let replay =
        files.iter().fold(replay, |replay, file| replay.with("--scenarios", scenarios(file)));
    settings.iter().fold(replay, |replay, setting| replay.with("--versus", setting))
}

#[test]
fn the_first_difference_of_two_settings_is_shown_with_its_step_and_fields() {
    let text = versus(&["holt-outdoor", "holt-sim"], &["steep_ground=stops"]).succeed();
    check_contains(
        &text,
        &[
            "first: steep_ground=passes; second: steep_ground=stops",
            "kind  scenarios differ  steps differ",
            "walk           5 of 30   91 of 1,016",
            "sim            0 of 30    0 of 1,260",
            "differs: walk holt-open-0008: from step 32 (3 steps differ)",
            "  pos: first [144.161957,67.5817566,12.031992], second [144.161957,67.5368347,12.031992] (0.0449 m apart)",
            "  hit: first [1,0,0], second [0,0,1]",
            "holt-outdoor.jsonl.gz --id holt-open-0008 --step 32 --rule steep_ground=stops\n",
            "With --rule steep_ground=passes these commands explain the first setting.",
        ],
    );
    let mut replay =
        versus(&["holt-outdoor"], &["steep_ground=passes"]).with("--rule", "steep_ground=stops");
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.succeed()).unwrap();
    let differences = &report["versus"];
    assert_eq!(differences["first"], serde_json::json!(["steep_ground=stops"]));
    assert_eq!(differences["kinds"]["walk"]["scenarios"]["parted"], 5);
    let difference = &differences["scenarios"][0];
    assert_eq!((&difference["id"], &difference["step"]), (&"holt-open-0008".into(), &32.into()));
    let fields: Vec<_> =
        difference["fields"].as_array().unwrap().iter().map(|f| &f["field"]).collect();
    assert_eq!(fields, ["pos", "slide", "hit"]);
    assert_eq!(difference["fields"][2]["first"], "[0,0,1]");
}

#[test]
fn two_settings_without_a_difference_give_the_same_bits() {
    let text = versus(&["holt-walks", "holt-cells"], &["step_cap=none", "seam=mended"]).succeed();
    check_contains(
        &text,
        &[
            "first: step_cap=30 seam=literal",
            "walk            0 of 30      0 of 715",
            "cells            0 of 8    0 of 1,600",
        ],
    );
    assert!(!text.contains("differs:") && !text.contains("threshold why"), "{text}");
}

#[test]
fn a_setting_that_changes_the_world_gets_a_world_of_its_own() {
    let query = r#"{"cell":"0xA9B30038","pos":[160.18429,224.37964,41.16996],"radius":2.0}"#;
    let line = format!(r#"{{"id":"border","kind":"cells","world":"holt","queries":[{query}]}}"#);
    let replay = versus(&[], &["room_offset=missing"]).scenarios(&line);
    let text = replay.with("--world-name", "holt").succeed();
    check_contains(
        &text,
        &[
            "differs: cells border: from step 0 (1 step differs)",
            "cell: first \"0xA9B4011D\", second \"0xA9B40032\"",
            "--rule room_offset=missing --world-name holt",
        ],
    );
}

#[test]
fn a_comparison_of_settings_can_also_compare_and_write_results() {
    let replay = versus(&["holt-outdoor"], &["steep_ground=stops"]).with("--expect", results("a"));
    let out = replay.path("out");
    let mut replay = replay.with("--out", &out);
    check_contains(&replay.succeed(), &["differs: walk holt-open-0008", "scenarios agree"]);
    let mut alone = Replay::new().with("--scenarios", scenarios("holt-outdoor"));
    alone.succeed();
    let text = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    let name = "out/holt-outdoor.jsonl";
    assert_eq!(text(replay.path(name)), text(alone.path(name)), "the first setting is written");
}

#[test]
fn the_second_setting_must_differ_from_the_first() {
    let refuse = |settings: &[&str]| versus(&["holt-cells"], settings).refuse();
    let text = refuse(&["steep_ground=passes"]);
    check_contains(
        &text,
        &["--versus steep_ground=passes: the first setting has this value already"],
    );
    check_contains(&refuse(&["slope=b"]), &["--versus slope=b: there is no rule"]);
    let text = refuse(&["interior_exit=outdoors", "interior_exit=blocked"]);
    check_contains(&text, &["--versus interior_exit=blocked: interior_exit is given twice"]);
    check_contains(&versus(&["holt-cells"], &[]).refuse(), &["--out <DIR>"]);
}

#[test]
fn a_scenario_that_cannot_be_run_with_two_settings_is_a_failure() {
    let line = r#"{"id":"ghost","kind":"walk","world":"holt","mover":{"setup":"0x02000999","state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[150,1,40]},"moves":[]}"#;
    let text = versus(&[], &["seam=mended"]).scenarios(line).fail();
    check_contains(&text, &["error: setup 0x02000999 is not there", "1 scenario: ghost"]);
}
