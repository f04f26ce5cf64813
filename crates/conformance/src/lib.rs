//! Runs movement scenarios and compares the results with recorded ones.
//!
//! Two other implementations of the cell world of Asheron's Call recorded results for many
//! scenarios: where a mover walks or falls to, whether there is room for it, how far back a camera
//! can go, which cells a sphere touches, which land cell is under a point. Scenarios and results are
//! lines of JSON. This crate reads them, runs the scenarios with this engine, and reports where the
//! results differ, step by step. Another engine can use the formats and the comparison without the
//! rest.
//!
//! # Run and compare
//!
//! A [`Scenario`] describes what to run in a world, a [`ScenarioResult`] holds the result: one [`Step`] for
//! each move, tick, candidate, query, sweep or call. A [`Runner`] holds a world with everything
//! resident and turns scenarios into records; an [`Expectation`] judges a record.
//!
//! ```
//! use threshold_conformance::{Agreement, Expectation, ScenarioResult, Runner, Scenario};
//! use threshold_forge::samples;
//!
//! // Two rooms, and a sphere at the open wall between them.
//! let mut runner = Runner::new(samples::two_rooms()?);
//! let scenario = Scenario::parse(
//!     br#"{"id":"door","kind":"cells","world":"made","queries":
//!         [{"cell":"0x01020100","pos":[3.9,2,1],"radius":0.48}]}"#,
//! )?;
//! let ours = runner.run(&scenario)?;
//! let line = r#"{"id":"door","steps":[{"ok":true,"cell":"0x01020100","cells":["0x01020100","0x01020101"]}]}"#;
//! assert_eq!(ours.to_line()?, line);
//!
//! // Another implementation lists the cells in another order.
//! let theirs = line.replace(r#"["0x01020100","0x01020101"]"#, r#"["0x01020101","0x01020100"]"#);
//! let first = [ScenarioResult::parse(theirs.as_bytes())?].into_iter().collect();
//! let expectation = Expectation { first, ..Expectation::default() };
//! let mut agreement = Agreement::default();
//! agreement.add(expectation.judge(scenario.kind(), &ours));
//! let failure = agreement.failures().next().expect("order is part of the answer");
//! assert_eq!(failure.id, "door");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From files
//!
//! [`mod@file`] reads scenarios and results from JSON lines, plain or compressed, and from folders of
//! results. An error names file and line; a bad scenario costs only its line.
//!
//! ```
//! use threshold_conformance::file;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("made-cells.jsonl");
//! let good = r#"{"id":"a","kind":"cells","world":"made","queries":[]}"#;
//! std::fs::write(&path, format!("{good}\n{}\n", good.replace("cells", "fly")))?;
//! let read = file::scenarios(&path)?;
//! assert_eq!(read.scenarios.len(), 1);
//! let message = read.bad[0].error.to_string();
//! assert!(message.contains("made-cells.jsonl:2: column 22: unknown variant `fly`"), "{message}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Traces
//!
//! A [`mod@trace`] holds scenarios and results together, one line for each step, so that it can be
//! written during a run and is usable wherever it ends. The functions of [`mod@file`] read traces as
//! scenarios and as results.
//!
//! # When results are the same
//!
//! [`compare`] has the rule for each [`Kind`]: the same cell and contact, positions within 2 mm, cells
//! in the same order. The first step that differs is reported with both values. Recorded cameras count
//! only if they hit nothing; the others must satisfy a list of [`properties`], and without an entry
//! there they are counted as not compared. Two results of this engine, such as with two rules, are
//! compared to the last bit ([`compare::first_exact_difference`]).
//!
//! # Two sets of records
//!
//! With two sets of records, our result must be that of both, and that of the first where they differ;
//! see [`agreement`]. Differences with a good reason are on a list ([`known`]). An entry that no longer
//! differs is a failure, so the list cannot outlive its reasons.
//!
//! # Explanations
//!
//! [`Runner::explain`] explains why a step of a scenario ended as it did: what stopped the mover and
//! where, and every event, sub-step by sub-step.
//!
//! The crate starts no thread and prints nothing; the command around it is `threshold replay`.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agreement;
pub mod compare;
pub mod file;
mod kind;
pub mod known;
mod list;
mod parse;
pub mod properties;
pub mod record;
mod run;
pub mod scenario;
pub mod trace;

pub use agreement::{Agreement, ComparisonOutcome, Expectation, Verdict};
pub use compare::Difference;
pub use kind::Kind;
pub use known::KnownDifferences;
pub use parse::ParseError;
pub use properties::Properties;
pub use record::{RecordedResults, ScenarioResult, Step};
pub use run::{ExplainedStep, NotRun, Runner, ScenarioMover};
pub use scenario::Scenario;
