//! `threshold bench crowd`, as it is called.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn crowd(world: &str, arguments: &[&str]) -> Output {
    let dats = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(world);
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(["bench", "crowd", "--dats"]).arg(dats).args(arguments);
    command.output().unwrap()
}

/// What it says as JSON.
#[track_caller]
fn report(world: &str, bodies: &str, ticks: &str, threads: &str) -> Value {
    let arguments = ["--bodies", bodies, "--ticks", ticks, "--threads", threads, "--json"];
    let output = crowd(world, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The same state in the end for any number of threads, on repeated runs and on every machine; with `THRESHOLD_SOAK` set,
/// that of 10,000 bodies after 1,000 ticks, which `docs/crowds.md` has.
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
fn another_seed_is_another_crowd() {
    let of = |seed: &str| {
        let output =
            crowd("dungeon", &["--bodies", "50", "--ticks", "10", "--seed", seed, "--json"]);
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["hash"].clone()
    };
    assert_eq!(of("7"), of("7"));
    assert_ne!(of("7"), of("8"));
}

#[test]
fn a_reader_is_told_how_fast_it_is() {
    let output = crowd("dungeon", &["--bodies", "40", "--ticks", "30", "--kind", "creatures"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for want in ["40 bodies (40 of them creatures)", "30 ticks in ", "ticks a second", "hash "] {
        assert!(text.contains(want), "{want}: {text}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let check = |arguments: &[&str], want: &str| {
        let output = crowd("dungeon", arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(want), "{arguments:?}: {said}");
    };
    check(&["--threads", "0"], "write a whole number from 1 to 1024");
    check(&["--threads", "many"], "write a whole number from 1 to 1024");
    check(&["--setup", "human"], "write an id such as 0x02000001");
    check(&["--setup", "0x02009999"], "setup 0x02009999 is not there");
    check(&["--bodies=-1"], "write a whole number from 0 to 10000000");
    check(&["--kind", "creatures", "--bodies", "20000"], "there is room for ");
    let nobody = crowd("dungeon", &["--bodies", "0", "--ticks", "3", "--json"]);
    assert!(nobody.status.success(), "nobody is a crowd, too");
}

/// The bar is drawn by another thread than the one that prints: they must not wait for each other. `script` is on every
/// Debian, and is a terminal to what it runs.
#[cfg(target_os = "linux")]
#[test]
fn a_bar_that_appears_in_a_terminal_does_not_stop_the_crowd() {
    let dats = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/holt");
    let (program, dats) = (env!("CARGO_BIN_EXE_threshold"), dats.display());
    let run = format!("'{program}' bench crowd --dats '{dats}' --bodies 4000 --ticks 300");
    // Longer than the second after which bars appear, on any machine: about 1.2 million updates.
    let output =
        Command::new("timeout").args(["120", "script", "-qec", &run, "/dev/null"]).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("hash "), "{said}");
}
