//! `threshold replay` as a person runs it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use serde_json::Value;
use tempfile::TempDir;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn scenarios(name: &str) -> PathBuf {
    data("conformance/scenarios").join(name).with_extension("jsonl.gz")
}

fn results(side: &str) -> PathBuf {
    data("conformance/results").join(side)
}

/// The text of a compressed file.
fn expanded(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// What a run left behind.
struct Ran {
    code: Option<i32>,
    said: String,
    errors: String,
}

/// A folder to work in, and the arguments of a run so far.
struct Replay {
    folder: TempDir,
    command: Command,
}

impl Replay {
    /// In the sample world holt, with results in `out` of the folder.
    fn new() -> Self {
        Self::of("holt")
    }

    fn of(world: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        command.args(["replay", "--dats"]).arg(data(world));
        command.arg("--out").arg(folder.path().join("out"));
        Self { folder, command }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file to use.
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn with(mut self, option: &str, value: impl AsRef<Path>) -> Self {
        self.command.arg(option).arg(value.as_ref());
        self
    }

    /// With a file of scenarios that has this text.
    fn asked(self, text: &str) -> Self {
        let path = self.write("asked.jsonl", text);
        self.with("--scenarios", path)
    }

    #[track_caller]
    fn run(&mut self) -> Ran {
        let output = self.command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), said: text(output.stdout), errors: text(output.stderr) }
    }

    /// Runs, and must succeed.
    #[track_caller]
    fn succeed(&mut self) -> String {
        let ran = self.run();
        assert_eq!((ran.code, ran.errors.as_str()), (Some(0), ""), "{}", ran.said);
        ran.said
    }

    /// Runs, and must find something in the scenarios or answers.
    #[track_caller]
    fn fail(&mut self) -> String {
        let ran = self.run();
        assert_eq!((ran.code, ran.errors.as_str()), (Some(1), ""), "{}", ran.said);
        ran.said
    }

    /// Runs, and must stop with an error before anything is run.
    #[track_caller]
    fn refuse(&mut self) -> String {
        let ran = self.run();
        assert!(ran.code != Some(0) && ran.said.is_empty(), "{}", ran.said);
        assert!(!self.path("out/asked.jsonl").exists());
        ran.errors
    }
}

#[track_caller]
fn check_says(said: &str, wanted: &[&str]) {
    for want in wanted {
        assert!(said.contains(want), "{want:?} is not in:\n{said}");
    }
}

/// A scenario of coordinate calls, which needs nothing of the world.
fn asked(id: &str, world: &str) -> String {
    format!(r#"{{"id":"{id}","kind":"landdefs","world":"{world}","calls":[["in_bounds",0,0]]}}"#)
}

/// What the answer to [`asked`] is.
fn answered(id: &str) -> String {
    format!("{{\"id\":\"{id}\",\"steps\":[{{\"ok\":true}}]}}\n")
}

#[test]
fn compressed_and_plain_scenarios_give_the_recorded_answers() {
    let recorded = expanded(&results("a").join("holt-cells.jsonl.gz"));
    let mut replay = Replay::new().with("--scenarios", scenarios("holt-cells"));
    check_says(&replay.succeed(), &["holt-cells.jsonl: 8 scenarios", "8 scenarios run"]);
    let out = replay.path("out/holt-cells.jsonl");
    assert_eq!(std::fs::read_to_string(out).unwrap(), recorded);

    let mut plain = Replay::new().asked(&expanded(&scenarios("holt-cells")));
    plain.succeed();
    assert_eq!(std::fs::read_to_string(plain.path("out/asked.jsonl")).unwrap(), recorded);
}

#[test]
fn results_are_the_same_with_and_without_shortcuts() {
    let results = ["on", "off"].map(|shortcuts| {
        let mut replay = Replay::of("dungeon").with("--scenarios", scenarios("dungeon-random-sim"));
        replay.command.args(["--shortcuts", shortcuts]);
        replay.succeed();
        std::fs::read(replay.path("out/dungeon-random-sim.jsonl")).unwrap()
    });
    assert!(results[0] == results[1]);
    let mut replay = Replay::new().asked(&asked("a", "holt"));
    replay.command.args(["--shortcuts", "some"]);
    check_says(&replay.refuse(), &["[possible values: on, off]"]);
}

#[test]
fn several_files_give_several_results_and_other_worlds_are_passed_over() {
    let mut replay = Replay::new()
        .with("--scenarios", scenarios("holt-cells"))
        .with("--scenarios", scenarios("dungeon-cells"));
    replay.command.arg(scenarios("landdefs"));
    let said = replay.succeed();
    check_says(&said, &["passed over: 5 scenarios of the world dungeon", "10 scenarios run"]);
    let exists = |name: &str| replay.path(name).exists();
    assert!(exists("out/holt-cells.jsonl") && exists("out/landdefs.jsonl"));
    assert!(!exists("out/dungeon-cells.jsonl"), "there is nothing to say about another world");
}

#[test]
fn a_world_is_called_by_its_folder_or_as_one_says() {
    let both = format!("{}\n{}\n", asked("a", "holt"), asked("b", "elsewhere"));
    let mut replay = Replay::new().asked(&both);
    check_says(&replay.succeed(), &["1 scenario of the world elsewhere", "in the world holt"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/asked.jsonl")).unwrap(), answered("a"));
    let mut replay = replay.with("--world-name", "elsewhere");
    check_says(&replay.succeed(), &["1 scenario of the world holt", "in the world elsewhere"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/asked.jsonl")).unwrap(), answered("b"));

    let mut here = Command::new(env!("CARGO_BIN_EXE_threshold"));
    here.current_dir(data("holt")).args(["replay", "--dats", ".", "--out"]);
    here.arg(replay.path("here")).arg("--scenarios").arg(replay.path("asked.jsonl"));
    let said = String::from_utf8(here.output().unwrap().stdout).unwrap();
    check_says(&said, &["1 scenario run in the world holt"]);
}

#[test]
fn the_answers_are_what_both_records_say() {
    let mut replay = Replay::of("dungeon")
        .with("--scenarios", scenarios("dungeon-cells"))
        .with("--expect", results("a"));
    check_says(&replay.succeed(), &["cells           5 of 5  1,000 of 1,000"]);
    let mut replay = Replay::new()
        .with("--scenarios", scenarios("holt-cells"))
        .with("--scenarios", scenarios("landdefs"))
        .with("--expect", results("a"))
        .with("--expect", results("b"))
        .with("--known", data("conformance/known-differences.txt"));
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

/// The files of a world that end so, against both records.
fn recorded_files(world: &str, ends: &[&str]) -> Replay {
    let files = ends.iter().map(|end| scenarios(&format!("{world}-{end}")));
    let replay = Replay::of(world).with("--expect", results("a")).with("--expect", results("b"));
    files.fold(replay, |replay, file| replay.with("--scenarios", file))
}

#[test]
fn falls_and_placements_end_where_the_records_say() {
    let ends = ["sim", "random-sim", "place", "random-place"];
    let said = recorded_files("holt", &ends).succeed();
    check_says(
        &said,
        &["sim         114 of 114  6,300 of 6,300", "place         62 of 62      636 of 636"],
    );
    let said = recorded_files("dungeon", &ends).succeed();
    check_says(
        &said,
        &["sim           68 of 68  3,724 of 3,724", "place         38 of 38      390 of 390"],
    );
}

#[test]
fn a_recorded_camera_that_met_something_is_not_compared_and_that_is_said() {
    let mut replay = recorded_files("holt", &["viewer"]);
    let said = replay.succeed();
    let row = "viewer           1 of 1       1 of 1      0            16";
    check_says(&said, &["17 scenarios run", "  not compared  ", row]);
    let why = "not compared: viewer: 16 scenarios whose recorded sweep met something";
    check_says(&said, &[why]);
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.succeed()).unwrap();
    let viewer = &report["agreement"]["kinds"]["viewer"];
    assert_eq!(viewer["scenarios"], serde_json::json!({ "agreed": 1, "compared": 1 }));
    assert_eq!(viewer["not_compared"], 16);
    assert_eq!(report["agreement"]["remarkable"], Value::Array(Vec::new()));
}

#[test]
fn recorded_cameras_that_met_something_are_judged_by_their_properties() {
    let list = data("conformance/camera-properties.txt");
    let mut replay = recorded_files("holt", &["viewer"]).with("--properties", &list);
    let said = replay.succeed();
    check_says(&said, &["by properties: viewer: 16 of 16 scenarios"]);
    assert!(!said.contains("not compared:"), "{said}");
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.succeed()).unwrap();
    let viewer = &report["agreement"]["kinds"]["viewer"];
    assert_eq!(viewer["by_properties"], serde_json::json!({ "agreed": 16, "compared": 16 }));
    assert_eq!(viewer["not_compared"], 0);
    // One that is not so fails, and is named.
    let replay = recorded_files("holt", &["viewer"]);
    let wrong = replay.write("wrong.txt", "holt-camera-0000 goes the whole way\n");
    let said = replay.with("--properties", wrong).fail();
    check_says(
        &said,
        &["violates: viewer holt-camera-0000: not so: goes the whole way (3.4743 m off)"],
    );
    let replay = recorded_files("holt", &["viewer"]);
    let broken = replay.write("broken.txt", "holt-camera-0000 sings\n");
    let said = replay.with("--properties", broken).refuse();
    check_says(&said, &["broken.txt:1: \"sings\" is no property"]);
}

#[test]
fn cameras_that_all_met_something_leave_nothing_to_compare() {
    let all = expanded(&scenarios("holt-viewer"));
    let one = |id: &str| all.lines().find(|line| line.contains(id)).unwrap();
    let replay = |id| Replay::new().asked(one(id)).with("--expect", results("a"));
    replay("holt-camera-0008").succeed();
    let said = replay("holt-camera-0000").fail();
    let want = "error: nothing to compare: no scenario of holt has a recorded result that counts";
    check_says(&said, &[want, "viewer           0 of 0       0 of 0      0             1"]);
}

#[test]
fn where_two_records_dispute_the_first_decides() {
    let replay = |first, second| {
        let replay = Replay::new().with("--scenarios", scenarios("landdefs"));
        replay.with("--expect", results(first)).with("--expect", results(second))
    };
    replay("a", "b").succeed();
    let said = replay("b", "a").fail();
    let want = "differs: landdefs holt-landdefs-0000: step 161: ok: ours true, theirs false \
        (disputed, ours is what the second says)";
    check_says(&said, &[want, "1 of 2"]);
}

/// Runs `a` and `b` against a record that has another answer to `b`.
fn off(known: &str) -> Replay {
    let replay = Replay::new().asked(&format!("{}\n{}\n", asked("a", "holt"), asked("b", "holt")));
    let other = answered("b").replace("true", "false");
    let folder = replay.write("expected/asked.jsonl", &(answered("a") + &other));
    let known = replay.write("known.txt", known);
    replay.with("--expect", folder.parent().unwrap()).with("--known", known)
}

#[test]
fn a_difference_is_named_with_scenario_and_step() {
    let said = off("").fail();
    check_says(&said, &["differs: landdefs b: step 0: ok: ours true, theirs false", "1 of 2"]);
    let mut replay = off("");
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.fail()).unwrap();
    let verdict = &report["agreement"]["remarkable"][0];
    assert_eq!((&verdict["id"], &verdict["outcome"]), (&"b".into(), &"differs".into()));
    assert_eq!(verdict["difference"]["step"], 0);
}

#[test]
fn a_listed_difference_is_excused_until_it_is_gone() {
    check_says(&off("# why\nb the study says so\n").succeed(), &["known: landdefs b: step 0"]);
    let said = off("a a slope\nb the study says so\n").fail();
    check_says(&said, &["no longer differs: landdefs a: remove it from the list (a slope)"]);
    let said = off("b\n").refuse();
    check_says(&said, &["known.txt:1: b has no reason"]);
    check_says(&off("b one\nb two\n").refuse(), &["known.txt:2: b is listed on line 1 already"]);
}

#[test]
fn what_is_not_recorded_is_counted_and_not_judged() {
    let replay =
        Replay::new().asked(&format!("{}\n{}\n", asked("a", "holt"), asked("new", "holt")));
    let folder = replay.write("expected/asked.jsonl", &answered("a"));
    let said = replay.with("--expect", folder.parent().unwrap()).succeed();
    check_says(
        &said,
        &["landdefs           1 of 1       1 of 1      0             0             1"],
    );
}

#[test]
fn expecting_what_nobody_recorded_is_an_error() {
    let replay = Replay::new().asked(&asked("new", "holt"));
    let said = replay.with("--expect", results("a")).fail();
    check_says(&said, &["error: nothing to compare: no scenario of holt has a recorded result"]);
}

#[test]
fn a_line_that_cannot_be_read_loses_only_itself() {
    let text = format!(
        "{}\n{{\"id\":\n{}\n{}\n",
        asked("a", "holt"),
        asked("b", "dungeon").replace("in_bounds", "fly"),
        asked("c", "holt")
    );
    let mut replay = Replay::new().asked(&text);
    let said = replay.fail();
    check_says(&said, &["error: ", "asked.jsonl:2: column 6: EOF", "2 scenarios run"]);
    check_says(&said, &["passed over: 1 scenario of the world dungeon"]);
    let written = std::fs::read_to_string(replay.path("out/asked.jsonl")).unwrap();
    assert_eq!(written, answered("a") + &answered("c"));
}

#[test]
fn an_id_is_given_once() {
    let text = format!("{}\n{}\n", asked("a", "holt"), asked("a", "holt"));
    let mut replay = Replay::new().asked(&text);
    check_says(&replay.fail(), &["asked.jsonl: a: an earlier scenario has this id"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/asked.jsonl")).unwrap(), answered("a"));
}

#[test]
fn a_scenario_without_its_setup_is_broken_and_the_rest_goes_on() {
    let walk = r#"{"id":"ghost","kind":"walk","world":"holt",
        "mover":{"setup":"0x02000999","state":"0x00400408"},
        "start":{"cell":"0xA9B40031","pos":[150,1,40]},"moves":[]}"#;
    let text = format!("{}\n{}\n", walk.replace('\n', ""), asked("a", "holt"));
    let mut replay = Replay::new().asked(&text);
    let said = replay.fail();
    check_says(&said, &["error: setup 0x02000999 is not there", "is not there: 1 scenario: ghost"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/asked.jsonl")).unwrap(), answered("a"));
}

#[test]
fn a_scenario_in_a_cell_that_is_not_there_is_broken_and_the_rest_goes_on() {
    let common = r#""world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"}"#;
    let nowhere = r#"{"cell":"0xA9B40FFF","pos":[150,1,41]}"#;
    let fall = format!(
        r#"{{"id":"fall","kind":"sim",{common},"start":{nowhere},"velocity":[0,0,1],"dt":0.1,"ticks":1}}"#
    );
    let camera = format!(
        r#"{{"id":"camera","kind":"viewer",{common},"from":{nowhere},"to":[151,1,41],"radius":0.3}}"#
    );
    let mut replay = Replay::new().asked(&format!("{fall}\n{}\n{camera}\n", asked("a", "holt")));
    check_says(&replay.fail(), &["error: there is no cell 0xA9B40FFF: 2 scenarios: fall, camera"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/asked.jsonl")).unwrap(), answered("a"));
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.fail()).unwrap();
    let reason = serde_json::json!([
        { "reason": "there is no cell 0xA9B40FFF", "scenarios": ["fall", "camera"] }
    ]);
    assert_eq!(report["not_run"], reason);
}

/// A run by two settings, without results.
fn versus(files: &[&str], settings: &[&str]) -> Replay {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(["replay", "--dats"]).arg(data("holt"));
    let replay = Replay { folder, command };
    let replay =
        files.iter().fold(replay, |replay, file| replay.with("--scenarios", scenarios(file)));
    settings.iter().fold(replay, |replay, setting| replay.with("--versus", setting))
}

#[test]
fn where_two_settings_part_is_shown_with_the_step_and_all_that_differs() {
    let said = versus(&["holt-outdoor", "holt-sim"], &["steep_ground=stops"]).succeed();
    check_says(
        &said,
        &[
            "first: steep_ground=passes; second: steep_ground=stops",
            "kind  scenarios part  steps differ",
            "walk         5 of 30   91 of 1,016",
            "sim          0 of 30    0 of 1,260",
            "parts: walk holt-open-0008: at step 32 (3 steps differ)",
            "  pos: first [144.161957,67.5817566,12.031992], second [144.161957,67.5368347,12.031992] (0.0449 m apart)",
            "  hit: first [1,0,0], second [0,0,1]",
            "holt-outdoor.jsonl.gz --id holt-open-0008 --step 32 --rule steep_ground=stops\n",
            "With --rule steep_ground=passes the same commands show the first.",
        ],
    );
    let mut replay =
        versus(&["holt-outdoor"], &["steep_ground=passes"]).with("--rule", "steep_ground=stops");
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.succeed()).unwrap();
    let partings = &report["versus"];
    assert_eq!(partings["first"], serde_json::json!(["steep_ground=stops"]));
    assert_eq!(partings["kinds"]["walk"]["scenarios"]["parted"], 5);
    let parting = &partings["scenarios"][0];
    assert_eq!((&parting["id"], &parting["step"]), (&"holt-open-0008".into(), &32.into()));
    let fields: Vec<_> =
        parting["fields"].as_array().unwrap().iter().map(|f| &f["field"]).collect();
    assert_eq!(fields, ["pos", "slide", "hit"]);
    assert_eq!(parting["fields"][2]["first"], "[0,0,1]");
}

#[test]
fn two_settings_that_decide_alike_give_the_same_bits() {
    let said = versus(&["holt-walks", "holt-cells"], &["step_cap=none", "seam=mended"]).succeed();
    check_says(
        &said,
        &[
            "first: step_cap=30 seam=literal",
            "walk          0 of 30      0 of 715",
            "cells          0 of 8    0 of 1,600",
        ],
    );
    assert!(!said.contains("parts:") && !said.contains("threshold why"), "{said}");
}

#[test]
fn a_setting_that_makes_another_world_has_one_of_its_own() {
    let query = r#"{"cell":"0xA9B30038","pos":[160.18429,224.37964,41.16996],"radius":2.0}"#;
    let line = format!(r#"{{"id":"border","kind":"cells","world":"holt","queries":[{query}]}}"#);
    let replay = versus(&[], &["room_offset=missing"]).asked(&line);
    let said = replay.with("--world-name", "holt").succeed();
    check_says(
        &said,
        &[
            "parts: cells border: at step 0 (1 step differs)",
            "cell: first \"0xA9B4011D\", second \"0xA9B40032\"",
            "--rule room_offset=missing --world-name holt",
        ],
    );
}

#[test]
fn two_settings_can_be_judged_and_written_too() {
    let replay = versus(&["holt-outdoor"], &["steep_ground=stops"]).with("--expect", results("a"));
    let out = replay.path("out");
    let mut replay = replay.with("--out", &out);
    check_says(&replay.succeed(), &["parts: walk holt-open-0008", "scenarios agree"]);
    let mut alone = Replay::new().with("--scenarios", scenarios("holt-outdoor"));
    alone.succeed();
    let text = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    let name = "out/holt-outdoor.jsonl";
    assert_eq!(text(replay.path(name)), text(alone.path(name)), "the first setting is written");
}

#[test]
fn a_second_setting_must_be_another_one() {
    let refuse = |settings: &[&str]| versus(&["holt-cells"], settings).refuse();
    let said = refuse(&["steep_ground=passes"]);
    check_says(&said, &["--versus steep_ground=passes: the run has this value already"]);
    check_says(&refuse(&["slope=b"]), &["--versus slope=b: there is no rule"]);
    let said = refuse(&["interior_exit=outdoors", "interior_exit=blocked"]);
    check_says(&said, &["--versus interior_exit=blocked: interior_exit is given twice"]);
    check_says(&versus(&["holt-cells"], &[]).refuse(), &["--out <DIR>"]);
}

#[test]
fn what_cannot_be_run_by_two_settings_is_a_failure() {
    let line = r#"{"id":"ghost","kind":"walk","world":"holt","mover":{"setup":"0x02000999","state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[150,1,40]},"moves":[]}"#;
    let said = versus(&[], &["seam=mended"]).asked(line).fail();
    check_says(&said, &["error: setup 0x02000999 is not there", "1 scenario: ghost"]);
}

#[test]
fn what_is_missing_or_mistyped_is_said_plainly() {
    let replay = || Replay::new().asked(&asked("a", "holt"));
    let missing = replay().with("--scenarios", "nowhere.jsonl").refuse();
    check_says(&missing, &["threshold: nowhere.jsonl: No such file"]);
    check_says(&replay().with("--expect", "nowhere").refuse(), &["nowhere: No such file"]);
    let empty = TempDir::new().unwrap();
    check_says(&replay().with("--expect", empty.path()).refuse(), &["no results (*.jsonl"]);
    check_says(&replay().with("--known", "list.txt").refuse(), &["--expect"]);
    let many = replay().with("--expect", results("a")).with("--expect", results("b"));
    check_says(&many.with("--expect", results("a")).refuse(), &["two folders or files at most"]);
    check_says(&replay().with("--rule", "slope=b").refuse(), &["--rule slope=b: there is no rule"]);
    check_says(&replay().with("--rule", "slope").refuse(), &["not of the form name=value"]);
    let truncated = replay();
    let bytes = std::fs::read(scenarios("holt-cells")).unwrap();
    std::fs::write(truncated.path("cut.jsonl.gz"), &bytes[..bytes.len() / 2]).unwrap();
    let path = truncated.path("cut.jsonl.gz");
    check_says(&truncated.with("--scenarios", path).refuse(), &["cut.jsonl.gz: "]);
}

#[test]
fn nothing_is_overwritten_that_was_not_written_by_a_run() {
    let replay = Replay::new().asked(&asked("a", "holt"));
    let other = replay.write("more/asked.jsonl", &asked("b", "holt"));
    let said = replay.with("--scenarios", other).refuse();
    check_says(&said, &["asked.jsonl: the results of both would be asked.jsonl"]);

    let replay = Replay::new();
    let own = replay.write("out/own.jsonl", &asked("a", "holt"));
    let said = replay.with("--scenarios", &own).refuse();
    check_says(&said, &["own.jsonl: would be overwritten with results"]);

    let replay = Replay::new().asked(&asked("a", "holt"));
    let expected = replay.write("out/old.jsonl", &answered("a"));
    let said = replay.with("--expect", expected.parent().unwrap()).refuse();
    check_says(&said, &["results would be written among those expected"]);
}
