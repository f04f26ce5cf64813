//! docs/rules.md is generated from the tables of rules.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_world::rule::section;

fn page() -> String {
    let head = "# Rules\n\n\
        A rule is a switch for a question that the studies of the retail client leave open, or that its\n\
        reconstructions answer differently. The first value of each rule is the default. The rulings that\n\
        decided it are explained in [rulings.md](rulings.md).\n\n\
        On the command line a rule is set with `--rule name=value`, in code through\n\
        `threshold_motion::Rules` or `threshold_view::ViewRules`.\n\n\
        This page is made from the tables `RULES` of the two crates.\n";
    let motion = section(threshold_motion::RULES);
    let view = section(threshold_view::RULES);
    wrapped(&format!("{head}\n## How it moves\n{motion}\n## What is visible\n{view}"))
}

/// Breaks lines of prose at 100 columns; rows of tables stay whole.
fn wrapped(page: &str) -> String {
    let mut out = String::new();
    for line in page.lines() {
        let mut columns = 0;
        for word in line.split(' ') {
            let length = word.chars().count();
            if columns > 0 && columns + 1 + length > 100 && !line.starts_with('|') {
                out.push('\n');
                columns = 0;
            } else if columns > 0 {
                out.push(' ');
                columns += 1;
            }
            out.push_str(word);
            columns += length;
        }
        out.push('\n');
    }
    out
}

/// Writes the page if `THRESHOLD_WRITE_DOCS` is set.
#[test]
fn docs_rules_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    if std::env::var_os("THRESHOLD_WRITE_DOCS").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written, page(), "run the tests with THRESHOLD_WRITE_DOCS=1");
}
