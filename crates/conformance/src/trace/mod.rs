//! The trace format: scenarios and results, step by step.
//!
//! A trace is lines of JSON. The head names the writing program and the world; a course has a beginning,
//! a line for each step, and an end. A trace may stop anywhere and is valid up to there, which suits a
//! program that may crash. Since it holds scenarios with their results, it serves as a file of either.
//! `docs/trace.md` describes the format for other programs.
//!
//! ```
//! use threshold_conformance::record::Step;
//! use threshold_conformance::scenario::StepInput;
//! use threshold_conformance::trace::{Head, TraceReader, TraceWriter};
//! use threshold_conformance::Scenario;
//!
//! let scenario = Scenario::parse(
//!     br#"{"id":"edge","kind":"landdefs","world":"made","calls":[["in_bounds",0,-1]]}"#,
//! )?;
//! let mut writer = TraceWriter::new(Vec::new(), &Head::new("an example", "made"))?;
//! writer.begin(&scenario.id, &scenario.job)?;
//! writer.step(scenario.job.input(0).unwrap_or(StepInput::Nothing), &Step { ok: false.into(), ..Step::default() })?;
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
//! let mut reader = TraceReader::new();
//! let mut courses = Vec::new();
//! for line in trace.lines() {
//!     courses.extend(reader.line(line.as_bytes())?);
//! }
//! assert_eq!(courses[0].scenario, scenario);
//! assert!(courses[0].is_complete && reader.finish().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`file::scenarios`](crate::file::scenarios) and [`file::recorded`](crate::file::recorded) read traces
//! from files.

mod line;
mod read;
mod write;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use threshold_motion::Rules;

pub(crate) use self::line::is_head;
pub use self::read::{TraceProblem, TraceReader};
pub use self::write::TraceWriter;
use crate::record::ScenarioResult;
use crate::scenario::Scenario;

/// Version of the format.
pub const VERSION: u64 = 1;

/// The head of a trace, valid for all its courses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The writing program, for readers.
    #[serde(default)]
    pub by: String,
    /// The world of its courses.
    pub world: String,
    /// Values of the rules, by name; other programs have their own rules or none.
    #[serde(default, deserialize_with = "line::texts", skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, String>,
}

/// A rule with another value in a trace.
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
    /// Makes a head without rules.
    pub fn new(by: impl Into<String>, world: impl Into<String>) -> Self {
        Self { by: by.into(), world: world.into(), rules: BTreeMap::new() }
    }

    /// Adds the value of every rule.
    #[must_use]
    pub fn with_rules(mut self, rules: &Rules) -> Self {
        let values = rules.values();
        self.rules = values.map(|(rule, value)| (rule.name.to_owned(), value.to_owned())).collect();
        self
    }

    /// Returns the rules with other values in the trace. Rules that either side lacks are skipped.
    pub fn other_rules(&self, rules: &Rules) -> Vec<OtherRule> {
        let others = rules.values().filter_map(|(rule, here)| {
            let there = self.rules.get(rule.name).filter(|there| *there != here)?;
            Some(OtherRule { name: rule.name, there: there.clone(), here })
        });
        others.collect()
    }
}

/// A course of a trace: a scenario and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The head before it.
    pub head: Arc<Head>,
    /// The scenario.
    pub scenario: Scenario,
    /// The result.
    pub record: ScenarioResult,
    /// Whether its end was written; if not, later steps are missing.
    pub is_complete: bool,
}

#[cfg(test)]
mod tests;
