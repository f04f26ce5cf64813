//! Do we agree? Runs scenarios in a world and compares the answers with recorded ones.
//!
//! Two other implementations of the cell world of Asheron's Call answered many questions: where does
//! this mover walk or fall to, is there room for it here, how far back can a camera go, which cells does
//! this sphere touch, which land cell is under this point? Questions and answers are lines of JSON. This
//! crate reads them, answers the questions with this engine, and says where the answers differ, step by
//! step. Whoever writes an engine of their own can use the formats and the comparison without the rest.
//!
//! # Ask and compare
//!
//! A [`Scenario`] is a question for a world, a [`Record`] is the answer: one [`Step`] for each move, tick,
//! candidate, query, sweep or call. A [`Runner`] has everything of a world resident and turns one into the
//! other; an [`Expectation`] judges the answer.
//!
//! ```
//! use threshold_conformance::{Agreement, Expectation, Record, Runner, Scenario};
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
//! // Somebody else has the cells in another order.
//! let theirs = line.replace(r#"["0x01020100","0x01020101"]"#, r#"["0x01020101","0x01020100"]"#);
//! let first = [Record::parse(theirs.as_bytes())?].into_iter().collect();
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
//! [`mod@file`] reads scenarios and results from JSON lines, plain or compressed, and folders of results. A bad
//! line names its file and number; of scenarios it loses only that line.
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
//! let said = read.bad[0].error.to_string();
//! assert!(said.contains("made-cells.jsonl:2: column 22: unknown variant `fly`"), "{said}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # As it happens
//!
//! A [`mod@trace`] has questions and answers together, a line a step, so that it can be written while something runs and
//! is of use wherever it stops. The functions of [`mod@file`] take traces as scenarios and as results.
//!
//! # What counts as the same
//!
//! [`compare`] has the rule for each [`Kind`]: the same cell and contact, positions within 2 mm, lists of
//! cells in the same order. The first step that differs is named with both values. Of recorded cameras
//! only those count that met nothing; the others are judged by what a list says that they must satisfy ([`properties`]),
//! and without an entry there they are not compared, and counted. Two answers of this engine, as by two rules, are compared
//! to the last bit ([`compare::first_parting`]).
//!
//! # Whom to believe
//!
//! With two sets of records, ours must be what both say, and what the first says where they dispute; see
//! [`agreement`]. What differs for a good reason stands in a list ([`known`]). An entry that no longer
//! differs is a failure, so the list cannot outlive its reasons.
//!
//! # Why
//!
//! [`Runner::explain`] says why a step of a scenario ended as it did: what stopped the mover and where, and everything that
//! happened, sub-step by sub-step.
//!
//! # What it does not do
//!
//! It starts no thread and prints nothing; the program's `threshold replay` is the command around it.
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

pub use agreement::{Agreement, Expectation, Outcome, Verdict};
pub use compare::Difference;
pub use kind::Kind;
pub use known::Known;
pub use parse::ParseError;
pub use properties::Properties;
pub use record::{Record, Recorded, Step};
pub use run::{Explained, NotRun, Runner, Walker};
pub use scenario::Scenario;
