//! `threshold verify`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::process::{Command, Output};

use serde_json::Value;

fn verify(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.arg("verify").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Here the crowd is moved on all cores; the pinned hash is that of one thread.
#[test]
fn every_hash_of_a_quick_run_is_the_expected_one() {
    let text = text(&verify(&["--quick"]));
    let rows = text.lines().filter(|line| line.ends_with(" same"));
    assert_eq!(rows.count(), 12, "{text}");
    assert!(text.ends_with("quick: every hash is the expected one\n"), "{text}");
}

#[test]
fn json_has_every_hash_beside_the_expected_one() {
    let soak = std::env::var_os("THRESHOLD_SOAK").is_some();
    let (arguments, scope) =
        if soak { (&["--json"][..], "full") } else { (&["--quick", "--json"][..], "quick") };
    let report: Value = serde_json::from_str(&text(&verify(arguments))).unwrap();
    assert_eq!((&report["scope"], &report["equal"]), (&scope.into(), &true.into()));
    let sections = report["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 11);
    for row in sections.iter().chain([&report["overall"]]) {
        assert_eq!(row["hash"], row["expected"], "{row}");
        assert_eq!(row["hash"].as_str().unwrap().len(), 64, "{row}");
    }
    assert_eq!(report["overall"]["name"], "overall");
}
