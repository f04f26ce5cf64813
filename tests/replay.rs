//! `threshold replay`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

#[path = "replay/expect.rs"]
mod expect;
#[path = "replay/versus.rs"]
mod versus;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use serde_json::Value;
use tempfile::TempDir;
use threshold_testkit::data_path;

fn scenarios(name: &str) -> PathBuf {
    data_path("conformance/scenarios").join(name).with_extension("jsonl.gz")
}

fn results(side: &str) -> PathBuf {
    data_path("conformance/results").join(side)
}

/// The text of a compressed file.
fn expanded(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// The result of a run.
struct RunResult {
    code: Option<i32>,
    printed: String,
    errors: String,
}

/// A command line of `threshold replay` with a folder for its files.
struct Replay {
    folder: TempDir,
    command: Command,
}

impl Replay {
    /// Runs in the sample world holt, and writes results to `out`.
    fn new() -> Self {
        Self::in_world("holt")
    }

    fn in_world(world: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        command.args(["replay", "--dats"]).arg(data_path(world));
        command.arg("--out").arg(folder.path().join("out"));
        Self { folder, command }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
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

    /// Adds a file of scenarios with this text.
    fn scenarios(self, text: &str) -> Self {
        let path = self.write("calls.jsonl", text);
        self.with("--scenarios", path)
    }

    #[track_caller]
    fn run(&mut self) -> RunResult {
        let output = self.command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        RunResult {
            code: output.status.code(),
            printed: text(output.stdout),
            errors: text(output.stderr),
        }
    }

    /// Runs with success.
    #[track_caller]
    fn succeed(&mut self) -> String {
        let result = self.run();
        assert_eq!((result.code, result.errors.as_str()), (Some(0), ""), "{}", result.printed);
        result.printed
    }

    /// Runs, with failures in scenarios or results.
    #[track_caller]
    fn fail(&mut self) -> String {
        let result = self.run();
        assert_eq!((result.code, result.errors.as_str()), (Some(1), ""), "{}", result.printed);
        result.printed
    }

    /// Stops with an error before any scenario is run.
    #[track_caller]
    fn refuse(&mut self) -> String {
        let result = self.run();
        assert!(result.code != Some(0) && result.printed.is_empty(), "{}", result.printed);
        assert!(!self.path("out/calls.jsonl").exists());
        result.errors
    }
}

#[track_caller]
fn check_contains(text: &str, wanted: &[&str]) {
    for want in wanted {
        assert!(text.contains(want), "{want:?} is not in:\n{text}");
    }
}

/// A scenario with a coordinate call, which needs nothing of the world.
fn call_line(id: &str, world: &str) -> String {
    format!(r#"{{"id":"{id}","kind":"landdefs","world":"{world}","calls":[["in_bounds",0,0]]}}"#)
}

/// The result of [`call_line`].
fn answer_line(id: &str) -> String {
    format!("{{\"id\":\"{id}\",\"steps\":[{{\"ok\":true}}]}}\n")
}

#[test]
fn compressed_and_plain_scenarios_give_the_recorded_results() {
    let recorded = expanded(&results("a").join("holt-cells.jsonl.gz"));
    let mut replay = Replay::new().with("--scenarios", scenarios("holt-cells"));
    check_contains(&replay.succeed(), &["holt-cells.jsonl: 8 scenarios", "8 scenarios run"]);
    let out = replay.path("out/holt-cells.jsonl");
    assert_eq!(std::fs::read_to_string(out).unwrap(), recorded);

    let mut plain = Replay::new().scenarios(&expanded(&scenarios("holt-cells")));
    plain.succeed();
    assert_eq!(std::fs::read_to_string(plain.path("out/calls.jsonl")).unwrap(), recorded);
}

#[test]
fn results_are_the_same_with_and_without_shortcuts() {
    let results = ["on", "off"].map(|shortcuts| {
        let mut replay =
            Replay::in_world("dungeon").with("--scenarios", scenarios("dungeon-random-sim"));
        replay.command.args(["--shortcuts", shortcuts]);
        replay.succeed();
        std::fs::read(replay.path("out/dungeon-random-sim.jsonl")).unwrap()
    });
    assert!(results[0] == results[1]);
    let mut replay = Replay::new().scenarios(&call_line("a", "holt"));
    replay.command.args(["--shortcuts", "some"]);
    check_contains(&replay.refuse(), &["[possible values: on, off]"]);
}

#[test]
fn several_files_give_several_results_and_other_worlds_are_passed_over() {
    let mut replay = Replay::new()
        .with("--scenarios", scenarios("holt-cells"))
        .with("--scenarios", scenarios("dungeon-cells"));
    replay.command.arg(scenarios("landdefs"));
    let text = replay.succeed();
    check_contains(&text, &["passed over: 5 scenarios of the world dungeon", "10 scenarios run"]);
    let exists = |name: &str| replay.path(name).exists();
    assert!(exists("out/holt-cells.jsonl") && exists("out/landdefs.jsonl"));
    assert!(!exists("out/dungeon-cells.jsonl"), "another world has no results");
}

#[test]
fn a_world_has_the_name_of_its_folder_or_the_given_one() {
    let both = format!("{}\n{}\n", call_line("a", "holt"), call_line("b", "elsewhere"));
    let mut replay = Replay::new().scenarios(&both);
    check_contains(&replay.succeed(), &["1 scenario of the world elsewhere", "in the world holt"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/calls.jsonl")).unwrap(), answer_line("a"));
    let mut replay = replay.with("--world-name", "elsewhere");
    check_contains(&replay.succeed(), &["1 scenario of the world holt", "in the world elsewhere"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/calls.jsonl")).unwrap(), answer_line("b"));

    let mut here = Command::new(env!("CARGO_BIN_EXE_threshold"));
    here.current_dir(data_path("holt")).args(["replay", "--dats", ".", "--out"]);
    here.arg(replay.path("here")).arg("--scenarios").arg(replay.path("calls.jsonl"));
    let text = String::from_utf8(here.output().unwrap().stdout).unwrap();
    check_contains(&text, &["1 scenario run in the world holt"]);
}

#[test]
fn an_unreadable_line_does_not_affect_the_others() {
    let text = format!(
        "{}\n{{\"id\":\n{}\n{}\n",
        call_line("a", "holt"),
        call_line("b", "dungeon").replace("in_bounds", "fly"),
        call_line("c", "holt")
    );
    let mut replay = Replay::new().scenarios(&text);
    let text = replay.fail();
    check_contains(&text, &["error: ", "calls.jsonl:2: column 6: EOF", "2 scenarios run"]);
    check_contains(&text, &["passed over: 1 scenario of the world dungeon"]);
    let written = std::fs::read_to_string(replay.path("out/calls.jsonl")).unwrap();
    assert_eq!(written, answer_line("a") + &answer_line("c"));
}

#[test]
fn a_second_scenario_with_the_same_id_is_refused() {
    let text = format!("{}\n{}\n", call_line("a", "holt"), call_line("a", "holt"));
    let mut replay = Replay::new().scenarios(&text);
    check_contains(&replay.fail(), &["calls.jsonl: a: an earlier scenario has this id"]);
    assert_eq!(std::fs::read_to_string(replay.path("out/calls.jsonl")).unwrap(), answer_line("a"));
}

#[test]
fn a_scenario_without_its_setup_fails_and_the_others_run() {
    let walk = r#"{"id":"ghost","kind":"walk","world":"holt",
        "mover":{"setup":"0x02000999","state":"0x00400408"},
        "start":{"cell":"0xA9B40031","pos":[150,1,40]},"moves":[]}"#;
    let text = format!("{}\n{}\n", walk.replace('\n', ""), call_line("a", "holt"));
    let mut replay = Replay::new().scenarios(&text);
    let text = replay.fail();
    check_contains(
        &text,
        &["error: setup 0x02000999 is not there", "is not there: 1 scenario: ghost"],
    );
    assert_eq!(std::fs::read_to_string(replay.path("out/calls.jsonl")).unwrap(), answer_line("a"));
}

#[test]
fn a_scenario_in_a_missing_cell_fails_and_the_others_run() {
    let common = r#""world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"}"#;
    let nowhere = r#"{"cell":"0xA9B40FFF","pos":[150,1,41]}"#;
    let fall = format!(
        r#"{{"id":"fall","kind":"sim",{common},"start":{nowhere},"velocity":[0,0,1],"dt":0.1,"ticks":1}}"#
    );
    let camera = format!(
        r#"{{"id":"camera","kind":"viewer",{common},"from":{nowhere},"to":[151,1,41],"radius":0.3}}"#
    );
    let mut replay =
        Replay::new().scenarios(&format!("{fall}\n{}\n{camera}\n", call_line("a", "holt")));
    check_contains(
        &replay.fail(),
        &["error: there is no cell 0xA9B40FFF: 2 scenarios: fall, camera"],
    );
    assert_eq!(std::fs::read_to_string(replay.path("out/calls.jsonl")).unwrap(), answer_line("a"));
    replay.command.arg("--json");
    let report: Value = serde_json::from_str(&replay.fail()).unwrap();
    let reason = serde_json::json!([
        { "reason": "there is no cell 0xA9B40FFF", "scenarios": ["fall", "camera"] }
    ]);
    assert_eq!(report["not_run"], reason);
}

#[test]
fn missing_files_and_wrong_arguments_are_reported() {
    let replay = || Replay::new().scenarios(&call_line("a", "holt"));
    let missing = replay().with("--scenarios", "nowhere.jsonl").refuse();
    check_contains(&missing, &["threshold: nowhere.jsonl: No such file"]);
    check_contains(&replay().with("--expect", "nowhere").refuse(), &["nowhere: No such file"]);
    let empty = TempDir::new().unwrap();
    check_contains(&replay().with("--expect", empty.path()).refuse(), &["no results (*.jsonl"]);
    check_contains(&replay().with("--known", "list.txt").refuse(), &["--expect"]);
    let many = replay().with("--expect", results("a")).with("--expect", results("b"));
    check_contains(
        &many.with("--expect", results("a")).refuse(),
        &["at most two folders or files"],
    );
    check_contains(
        &replay().with("--rule", "slope=b").refuse(),
        &["--rule slope=b: there is no rule"],
    );
    check_contains(&replay().with("--rule", "slope").refuse(), &["not of the form name=value"]);
    let truncated = replay();
    let bytes = std::fs::read(scenarios("holt-cells")).unwrap();
    std::fs::write(truncated.path("cut.jsonl.gz"), &bytes[..bytes.len() / 2]).unwrap();
    let path = truncated.path("cut.jsonl.gz");
    check_contains(&truncated.with("--scenarios", path).refuse(), &["cut.jsonl.gz: "]);
}

#[test]
fn results_do_not_overwrite_files_that_are_read() {
    let replay = Replay::new().scenarios(&call_line("a", "holt"));
    let other = replay.write("more/calls.jsonl", &call_line("b", "holt"));
    let text = replay.with("--scenarios", other).refuse();
    check_contains(&text, &["calls.jsonl: the results of both would be calls.jsonl"]);

    let replay = Replay::new();
    let own = replay.write("out/own.jsonl", &call_line("a", "holt"));
    let text = replay.with("--scenarios", &own).refuse();
    check_contains(&text, &["own.jsonl: would be overwritten with results"]);

    let replay = Replay::new().scenarios(&call_line("a", "holt"));
    let expected = replay.write("out/old.jsonl", &answer_line("a"));
    let text = replay.with("--expect", expected.parent().unwrap()).refuse();
    check_contains(&text, &["results would be written among the expected ones"]);
}
