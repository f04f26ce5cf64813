//! What is read stays as it is, whatever links lead to it; and who stops reading changes nothing about a verdict.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// A folder with a world, a walk in it, and what came of the walk.
struct Desk(TempDir);

const WALK: &str = r#"{"id":"w","kind":"walk","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[150,3.2,40.005],"contact":true},"moves":[[0,-0.4,0],[0,-0.4,0],[0,-0.4,0]]}"#;

impl Desk {
    fn new() -> Self {
        let desk = Self(TempDir::new().unwrap());
        fs::create_dir(desk.at("holt")).unwrap();
        for file in ["client_cell_1.dat", "client_portal.dat"] {
            fs::copy(data("holt").join(file), desk.at("holt").join(file)).unwrap();
        }
        fs::write(desk.at("w.jsonl"), format!("{WALK}\n")).unwrap();
        let output = desk.run("trace", &["--out", "trace.jsonl"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        desk
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

    /// Changes the trace, as text.
    fn change(&self, old: &str, new: &str) {
        let text = fs::read_to_string(self.at("trace.jsonl")).unwrap();
        assert!(text.contains(old), "{old} is not in {text}");
        fs::write(self.at("trace.jsonl"), text.replacen(old, new, 1)).unwrap();
    }

    #[track_caller]
    fn check_refused(&self, command: &str, rest: &[&str], kept: &str) {
        let before = fs::read(self.at(kept)).unwrap();
        let output = self.run(command, rest);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("would be overwritten"), "{said}");
        assert_eq!(fs::read(self.at(kept)).unwrap(), before);
    }
}

#[test]
fn nothing_that_is_read_is_overwritten_through_a_link() {
    let desk = Desk::new();
    fs::hard_link(desk.at("w.jsonl"), desk.at("hard.jsonl")).unwrap();
    desk.check_refused("trace", &["--out", "hard.jsonl"], "w.jsonl");
    fs::hard_link(desk.at("holt/client_cell_1.dat"), desk.at("hard.dat")).unwrap();
    desk.check_refused("trace", &["--out", "hard.dat"], "holt/client_cell_1.dat");
    fs::create_dir(desk.at("out")).unwrap();
    let results = desk.at("out/w.jsonl");
    for kept in ["w.jsonl", "holt/client_portal.dat", "trace.jsonl"] {
        fs::hard_link(desk.at(kept), &results).unwrap();
        desk.check_refused("replay", &["--expect", "trace.jsonl", "--out", "out"], kept);
        fs::remove_file(&results).unwrap();
    }
    // In a folder of what is expected.
    fs::create_dir(desk.at("expected")).unwrap();
    fs::rename(desk.at("trace.jsonl"), desk.at("expected/t.jsonl")).unwrap();
    fs::hard_link(desk.at("expected/t.jsonl"), &results).unwrap();
    desk.check_refused("replay", &["--expect", "expected", "--out", "out"], "expected/t.jsonl");
}

#[test]
fn a_closed_pipe_does_not_turn_a_failure_into_a_success() {
    let desk = Desk::new();
    desk.change(r#""contact":true,"walkable""#, r#""contact":false,"walkable""#);
    for rest in [&["--json"][..], &[]] {
        let mut run = desk.command("replay", &["--expect", "trace.jsonl", "--out", "out"]);
        let mut child = run.args(rest).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(1), "{rest:?}");
    }
}

#[test]
fn the_first_step_that_differs_is_named_where_the_lengths_differ_too() {
    let desk = Desk::new();
    desk.change(r#""contact":true,"walkable""#, r#""contact":false,"walkable""#);
    let text = fs::read_to_string(desk.at("trace.jsonl")).unwrap();
    let kept = text.lines().filter(|line| !line.contains("\"step\":2"));
    let kept: Vec<String> = kept.map(|line| line.replace("\"steps\":3", "\"steps\":2")).collect();
    fs::write(desk.at("trace.jsonl"), kept.join("\n")).unwrap();
    let output = desk.run("replay", &["--expect", "trace.jsonl", "--out", "out"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("step 0: contact: ours true, theirs false"), "{said}");
}

#[test]
fn of_an_answer_that_is_expected_twice_the_last_whole_one_counts_and_that_is_said() {
    let desk = Desk::new();
    let whole = fs::read_to_string(desk.at("trace.jsonl")).unwrap();
    let (right, other) = (r#""contact":true,"walkable""#, r#""contact":false,"walkable""#);
    let wrong = whole.replacen(right, other, 1);
    assert_ne!(whole, wrong);
    let cut: Vec<&str> = whole.lines().take(3).collect();
    let check = |text: String, agrees: bool| {
        fs::write(desk.at("both.jsonl"), text).unwrap();
        let output = desk.run("replay", &["--expect", "both.jsonl", "--out", "out"]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.success(), agrees, "{said}");
        assert!(said.contains("w recorded more than once; the last that is complete"), "{said}");
    };
    check(format!("{wrong}{}\n", cut.join("\n")), false);
    check(format!("{wrong}{whole}"), true);
    check(format!("{whole}{wrong}"), false);
}

#[test]
fn of_a_folder_only_what_is_named_as_results_is_expected() {
    let desk = Desk::new();
    fs::create_dir_all(desk.at("expected/folder.jsonl")).unwrap();
    fs::rename(desk.at("trace.jsonl"), desk.at("expected/t.jsonl")).unwrap();
    for stale in ["t.jsonl.orig", ".t.jsonl.swp"] {
        fs::write(desk.at("expected").join(stale), "not a result").unwrap();
    }
    let output = desk.run("replay", &["--expect", "expected", "--out", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_course_counts_though_what_comes_after_it_is_wrong() {
    let desk = Desk::new();
    let text = fs::read_to_string(desk.at("trace.jsonl")).unwrap();
    let cut: Vec<&str> = text.lines().take(3).collect();
    for bad in [r#"{"trace":2,"world":"holt"}"#, r#"{"begin":"q","kind":"fly"}"#] {
        fs::write(desk.at("w.jsonl"), format!("{}\n{bad}\n", cut.join("\n"))).unwrap();
        let output = desk.run("replay", &["--out", "out"]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("1 scenario run") && said.contains("cut off after 1 step"), "{said}");
        assert!(!output.status.success() && said.contains("w.jsonl:4: "), "{said}");
    }
}
