//! `threshold bench crowd`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::process::{Command, Output};

use serde_json::Value;
use threshold_testkit::data_path;

fn crowd(world: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(["bench", "crowd", "--dats"]).arg(data_path(world)).args(arguments);
    command.output().unwrap()
}

/// Returns the JSON report.
#[track_caller]
fn report(world: &str, bodies: &str, ticks: &str, threads: &str) -> Value {
    let arguments = ["--bodies", bodies, "--ticks", ticks, "--threads", threads, "--json"];
    let output = crowd(world, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The final state must be the same for any number of threads, in repeated runs and on every machine. With
/// `THRESHOLD_SOAK` set, 10,000 bodies move for 1,000 ticks, as in `docs/crowds.md`.
#[track_caller]
fn check_threads(world: &str, [hash, soak_hash]: [&str; 2]) {
    let soak = std::env::var_os("THRESHOLD_SOAK").is_some();
    let (bodies, ticks) = if soak { ("10000", "1000") } else { ("1500", "60") };
    let first = report(world, bodies, ticks, "1");
    assert_eq!(first["hash"], if soak { soak_hash } else { hash }, "{first}");
    let counted = |name: &str| first[name].as_u64().unwrap();
    assert_eq!(counted("bodies"), bodies.parse::<u64>().unwrap());
    assert!(counted("creatures") > 100, "{first}");
    assert!(counted("cell_changes") > 100 && counted("collisions") > 100, "{first}");
    assert_eq!(counted("lost"), 0, "{first}");
    for threads in ["1", "2", "3", "16"] {
        let again = report(world, bodies, ticks, threads);
        assert_eq!(again["hash"], first["hash"], "{world} on {threads} threads");
        assert_eq!(again["threads"].to_string(), threads);
    }
}

#[test]
fn a_crowd_in_the_town_is_the_same_on_any_number_of_threads() {
    check_threads("holt", ["07e8448ab8d7b447", "54eab42c5aae0c39"]);
}

#[test]
fn a_crowd_in_the_dungeon_is_the_same_on_any_number_of_threads() {
    check_threads("dungeon", ["33b92b4a51192565", "b4edcb634c4d2794"]);
}

#[test]
fn another_seed_makes_another_crowd() {
    let of = |seed: &str| {
        let output =
            crowd("dungeon", &["--bodies", "50", "--ticks", "10", "--seed", seed, "--json"]);
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["hash"].clone()
    };
    assert_eq!(of("7"), of("7"));
    assert_ne!(of("7"), of("8"));
}

#[test]
fn the_report_has_bodies_ticks_and_hash() {
    let output = crowd("dungeon", &["--bodies", "40", "--ticks", "30", "--kind", "creatures"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for want in ["40 bodies (40 creatures)", "30 ticks in ", "ticks per second", "hash "] {
        assert!(text.contains(want), "{want}: {text}");
    }
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let check = |arguments: &[&str], want: &str| {
        let output = crowd("dungeon", arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(want), "{arguments:?}: {error}");
    };
    check(&["--threads", "0"], "write a whole number from 1 to 1024");
    check(&["--threads", "many"], "write a whole number from 1 to 1024");
    check(&["--setup", "human"], "write an id such as 0x02000001");
    check(&["--setup", "0x02009999"], "setup 0x02009999 is not there");
    check(&["--bodies=-1"], "write a whole number from 0 to 10000000");
    check(&["--kind", "creatures", "--bodies", "20000"], "there is room for ");
    let empty = crowd("dungeon", &["--bodies", "0", "--ticks", "3", "--json"]);
    assert!(empty.status.success(), "an empty crowd is allowed");
}

/// The progress bar is drawn by another thread than the one that prints: they must not wait for each other. `script` is
/// installed on every Debian, and gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_progress_bar_in_a_terminal_does_not_cause_a_deadlock() {
    let dats = data_path("holt");
    let (program, dats) = (env!("CARGO_BIN_EXE_threshold"), dats.display());
    let run = format!("'{program}' bench crowd --dats '{dats}' --bodies 4000 --ticks 300");
    // About 1.2 million updates take longer than the second after which the bar appears, on any machine.
    let output =
        Command::new("timeout").args(["120", "script", "-qec", &run, "/dev/null"]).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("hash "), "{text}");
}
