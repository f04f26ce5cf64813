//! The page of documentation about rules is made from the tables.

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
    format!("{head}\n## How it moves\n{motion}\n## What is seen\n{view}")
}

/// Writes the page where `THRESHOLD_WRITE_DOCS` is set.
#[test]
fn the_page_of_documentation_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    if std::env::var_os("THRESHOLD_WRITE_DOCS").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written, page(), "run the tests with THRESHOLD_WRITE_DOCS=1");
}
