//! Input files are never overwritten, and a closed pipe does not change the exit status.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use threshold_testkit::data_path;

/// A folder with a world, a walk in it, and the trace of the walk.
struct TestFolder(TempDir);

const WALK: &str = r#"{"id":"w","kind":"walk","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[150,3.2,40.005],"contact":true},"moves":[[0,-0.4,0],[0,-0.4,0],[0,-0.4,0]]}"#;

impl TestFolder {
    fn new() -> Self {
        let folder = Self(TempDir::new().unwrap());
        fs::create_dir(folder.at("holt")).unwrap();
        for file in ["client_cell_1.dat", "client_portal.dat"] {
            fs::copy(data_path("holt").join(file), folder.at("holt").join(file)).unwrap();
        }
        fs::write(folder.at("w.jsonl"), format!("{WALK}\n")).unwrap();
        let output = folder.run("trace", &["--out", "trace.jsonl"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, command: &str, rest: &[&str]) -> Command {
        let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
        run.current_dir(self.0.path());
        run.args([command, "--dats", "holt", "--scenarios", "w.jsonl"]).args(rest);
        run
    }

    fn run(&self, command: &str, rest: &[&str]) -> Output {
        self.command(command, rest).output().unwrap()
    }

    /// Replaces text in the trace.
    fn change(&self, old: &str, new: &str) {
        let text = fs::read_to_string(self.at("trace.jsonl")).unwrap();
        assert!(text.contains(old), "{old} is not in {text}");
        fs::write(self.at("trace.jsonl"), text.replacen(old, new, 1)).unwrap();
    }

    #[track_caller]
    fn check_refused(&self, command: &str, rest: &[&str], kept: &str) {
        let before = fs::read(self.at(kept)).unwrap();
        let output = self.run(command, rest);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains("would be overwritten"), "{error}");
        assert_eq!(fs::read(self.at(kept)).unwrap(), before);
    }
}

#[test]
fn input_files_are_not_overwritten_through_a_link() {
    let folder = TestFolder::new();
    fs::hard_link(folder.at("w.jsonl"), folder.at("hard.jsonl")).unwrap();
    folder.check_refused("trace", &["--out", "hard.jsonl"], "w.jsonl");
    fs::hard_link(folder.at("holt/client_cell_1.dat"), folder.at("hard.dat")).unwrap();
    folder.check_refused("trace", &["--out", "hard.dat"], "holt/client_cell_1.dat");
    fs::create_dir(folder.at("out")).unwrap();
    let results = folder.at("out/w.jsonl");
    for kept in ["w.jsonl", "holt/client_portal.dat", "trace.jsonl"] {
        fs::hard_link(folder.at(kept), &results).unwrap();
        folder.check_refused("replay", &["--expect", "trace.jsonl", "--out", "out"], kept);
        fs::remove_file(&results).unwrap();
    }
    // A file in a folder of expected results.
    fs::create_dir(folder.at("expected")).unwrap();
    fs::rename(folder.at("trace.jsonl"), folder.at("expected/t.jsonl")).unwrap();
    fs::hard_link(folder.at("expected/t.jsonl"), &results).unwrap();
    folder.check_refused("replay", &["--expect", "expected", "--out", "out"], "expected/t.jsonl");
}

#[test]
fn a_closed_pipe_does_not_turn_failure_into_success() {
    let folder = TestFolder::new();
    folder.change(r#""contact":true,"walkable""#, r#""contact":false,"walkable""#);
    for rest in [&["--json"][..], &[]] {
        let mut run = folder.command("replay", &["--expect", "trace.jsonl", "--out", "out"]);
        let mut child = run.args(rest).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(1), "{rest:?}");
    }
}

#[test]
fn the_first_different_step_is_reported_even_if_the_lengths_differ() {
    let folder = TestFolder::new();
    folder.change(r#""contact":true,"walkable""#, r#""contact":false,"walkable""#);
    let text = fs::read_to_string(folder.at("trace.jsonl")).unwrap();
    let kept = text.lines().filter(|line| !line.contains("\"step\":2"));
    let kept: Vec<String> = kept.map(|line| line.replace("\"steps\":3", "\"steps\":2")).collect();
    fs::write(folder.at("trace.jsonl"), kept.join("\n")).unwrap();
    let output = folder.run("replay", &["--expect", "trace.jsonl", "--out", "out"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("step 0: contact: ours true, theirs false"), "{text}");
}

#[test]
fn of_a_result_recorded_twice_the_last_complete_one_counts_with_a_note() {
    let folder = TestFolder::new();
    let whole = fs::read_to_string(folder.at("trace.jsonl")).unwrap();
    let (right, other) = (r#""contact":true,"walkable""#, r#""contact":false,"walkable""#);
    let wrong = whole.replacen(right, other, 1);
    assert_ne!(whole, wrong);
    let cut: Vec<&str> = whole.lines().take(3).collect();
    let check = |text: String, agrees: bool| {
        fs::write(folder.at("both.jsonl"), text).unwrap();
        let output = folder.run("replay", &["--expect", "both.jsonl", "--out", "out"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.success(), agrees, "{text}");
        assert!(text.contains("w recorded more than once; the last that is complete"), "{text}");
    };
    check(format!("{wrong}{}\n", cut.join("\n")), false);
    check(format!("{wrong}{whole}"), true);
    check(format!("{whole}{wrong}"), false);
}

#[test]
fn only_files_named_like_results_are_read_from_a_folder() {
    let folder = TestFolder::new();
    fs::create_dir_all(folder.at("expected/folder.jsonl")).unwrap();
    fs::rename(folder.at("trace.jsonl"), folder.at("expected/t.jsonl")).unwrap();
    for stale in ["t.jsonl.orig", ".t.jsonl.swp"] {
        fs::write(folder.at("expected").join(stale), "not a result").unwrap();
    }
    let output = folder.run("replay", &["--expect", "expected", "--out", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_course_counts_even_if_the_lines_after_it_are_wrong() {
    let folder = TestFolder::new();
    let text = fs::read_to_string(folder.at("trace.jsonl")).unwrap();
    let cut: Vec<&str> = text.lines().take(3).collect();
    for bad in [r#"{"trace":2,"world":"holt"}"#, r#"{"begin":"q","kind":"fly"}"#] {
        fs::write(folder.at("w.jsonl"), format!("{}\n{bad}\n", cut.join("\n"))).unwrap();
        let output = folder.run("replay", &["--out", "out"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("1 scenario run") && text.contains("cut off after 1 step"), "{text}");
        assert!(!output.status.success() && text.contains("w.jsonl:4: "), "{text}");
    }
}
