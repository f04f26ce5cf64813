//! The trace format: what was asked and what was answered, step by step, as it happens.
//!
//! A trace is lines of JSON. The head says who wrote it and of which world; a course begins, has a line for
//! each step, and ends. Whoever writes one can stop anywhere: the steps so far are a trace. So it suits a
//! program that runs, or falls over; and since it has the questions with the answers, it is a file of
//! scenarios and a file of results in one. `docs/trace.md` describes it for those who write it with
//! other tools.
//!
//! ```
//! use threshold_conformance::record::Step;
//! use threshold_conformance::scenario::Ask;
//! use threshold_conformance::trace::{Head, Reader, Writer};
//! use threshold_conformance::Scenario;
//!
//! let scenario = Scenario::parse(
//!     br#"{"id":"edge","kind":"landdefs","world":"made","calls":[["in_bounds",0,-1]]}"#,
//! )?;
//! let mut writer = Writer::new(Vec::new(), &Head::new("an example", "made"))?;
//! writer.begin(&scenario.id, &scenario.job)?;
//! writer.step(scenario.job.ask(0).unwrap_or(Ask::Nothing), &Step { ok: false.into(), ..Step::default() })?;
//! writer.end()?;
//! let trace = String::from_utf8(writer.into_inner())?;
//! assert_eq!(
//!     trace,
//!     r#"{"trace":1,"by":"an example","world":"made"}
//! {"begin":"edge","kind":"landdefs"}
//! {"step":0,"do":["in_bounds",0,-1],"ok":false}
//! {"end":"edge","steps":1}
//! "#
//! );
//!
//! let mut reader = Reader::new();
//! let mut courses = Vec::new();
//! for line in trace.lines() {
//!     courses.extend(reader.line(line.as_bytes())?);
//! }
//! assert_eq!(courses[0].scenario, scenario);
//! assert!(courses[0].is_complete && reader.finish().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From files, [`file::scenarios`](crate::file::scenarios) and [`file::recorded`](crate::file::recorded) read
//! traces as they read everything else.

mod line;
mod read;
mod write;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use threshold_motion::Rules;

pub(crate) use self::line::is_head;
pub use self::read::{Reader, TraceProblem};
pub use self::write::Writer;
use crate::record::Record;
use crate::scenario::Scenario;

/// The version of the format that is written and read.
pub const VERSION: u64 = 1;

/// What a trace says about all its courses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The program that wrote it, for people.
    #[serde(default)]
    pub by: String,
    /// The world of its courses.
    pub world: String,
    /// How disputed questions were answered, by the name of the rule; other programs have rules of their
    /// own, or none.
    #[serde(default, deserialize_with = "line::texts", skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, String>,
}

/// A rule that a trace was not made by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRule {
    /// Its name.
    pub name: &'static str,
    /// Its value in the trace.
    pub there: String,
    /// Its value here.
    pub here: &'static str,
}

impl Head {
    /// A head that says nothing about rules.
    pub fn new(by: impl Into<String>, world: impl Into<String>) -> Self {
        Self { by: by.into(), world: world.into(), rules: BTreeMap::new() }
    }

    /// The same, with the value of every rule.
    #[must_use]
    pub fn with_rules(mut self, rules: &Rules) -> Self {
        let values = rules.values();
        self.rules = values.map(|(rule, value)| (rule.name.to_owned(), value.to_owned())).collect();
        self
    }

    /// Where the trace was made by other rules than these. What it does not say, and what these do not
    /// know, is no difference.
    pub fn other_rules(&self, rules: &Rules) -> Vec<OtherRule> {
        let others = rules.values().filter_map(|(rule, here)| {
            let there = self.rules.get(rule.name).filter(|there| *there != here)?;
            Some(OtherRule { name: rule.name, there: there.clone(), here })
        });
        others.collect()
    }
}

/// A course of a trace: a question and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The head it stands under.
    pub head: Arc<Head>,
    /// What was asked.
    pub scenario: Scenario,
    /// What was answered.
    pub record: Record,
    /// Whether its end was written. Where it was not, these are the steps so far.
    pub is_complete: bool,
}

#[cfg(test)]
mod tests;
