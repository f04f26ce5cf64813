//! Comparison of two settings of the rules.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use threshold_conformance::compare::{
    DifferenceKind, count_different_steps, first_exact_difference,
};
use threshold_conformance::{Kind, NotRun, Runner, Scenario, ScenarioResult};
use threshold_motion::{Rule, Rules, Shortcuts};

use crate::formatting::{print_table, thousands};
use crate::run::{MAX_SHOWN, RunArguments, more};

/// The second setting: the rules of the run with some changes.
pub(super) struct Versus {
    rules: Rules,
    /// A world of its own, if the rules change how the world is built.
    runner: Option<Runner>,
    why: WhyCommand,
    pub(super) differences: RunDifferences,
}

/// The differences between the two settings. Field names are keys of the JSON output.
#[derive(Serialize)]
pub(super) struct RunDifferences {
    /// The different rules with their values in the first setting.
    first: Vec<String>,
    /// The different rules with their values in the second setting.
    second: Vec<String>,
    kinds: BTreeMap<Kind, KindDifferences>,
    /// Scenarios with differences, in the order of the run.
    scenarios: Vec<ScenarioDifference>,
}

#[derive(Default, Serialize)]
struct KindDifferences {
    scenarios: DifferenceCount,
    steps: DifferenceCount,
}

/// Number of differences, and of comparisons.
#[derive(Default, Serialize)]
struct DifferenceCount {
    #[serde(rename = "parted")]
    different: usize,
    compared: usize,
}

/// A scenario whose results differ.
#[derive(Serialize)]
struct ScenarioDifference {
    id: String,
    kind: Kind,
    /// The first step that differs.
    step: usize,
    /// The different fields of that step.
    fields: Vec<DifferentField>,
    /// Number of different steps.
    steps: usize,
    /// Command that explains the second result.
    why: String,
}

#[derive(Serialize)]
struct DifferentField {
    field: &'static str,
    first: String,
    second: String,
    /// For positions, the largest difference of a coordinate, in metres.
    apart: Option<f64>,
}

impl Versus {
    /// Parses the settings, before anything is loaded.
    pub(super) fn new(
        asked: &RunArguments,
        first: Rules,
        settings: &[String],
    ) -> anyhow::Result<Self> {
        let mut rules = first;
        let mut names: Vec<&str> = Vec::new();
        for setting in settings {
            let mut alone = first;
            alone.set_text(setting).with_context(|| format!("--versus {setting}"))?;
            if alone == first {
                bail!("--versus {setting}: the first setting has this value already");
            }
            let name = setting.split('=').next().unwrap_or_default().trim();
            if names.contains(&name) {
                bail!("--versus {setting}: {name} is given twice");
            }
            names.push(name);
            rules.set_text(setting)?;
        }
        let differing = |rules: &Rules, other: &Rules| -> Vec<String> {
            let pairs = rules.values().zip(other.values()).filter(|(a, b)| a != b);
            pairs.map(|((rule, value), _)| format!("{}={value}", rule.name)).collect()
        };
        let differences = RunDifferences {
            first: differing(&first, &rules),
            second: differing(&rules, &first),
            kinds: BTreeMap::new(),
            scenarios: Vec::new(),
        };
        let why = WhyCommand::new(asked, &first, &rules);
        Ok(Self { rules, runner: None, why, differences })
    }

    /// Loads a second world if the rules change how it is built.
    pub(super) fn load(
        &mut self,
        asked: &RunArguments,
        first: &Rules,
        shortcuts: Shortcuts,
    ) -> anyhow::Result<()> {
        if self.rules.cells() != first.cells() {
            let mut runner = asked.load(self.rules)?;
            runner.set_shortcuts(shortcuts);
            self.runner = Some(runner);
        }
        Ok(())
    }

    /// Runs a scenario with the second setting and compares the results.
    pub(super) fn compare(
        &mut self,
        runner: &mut Runner,
        scenario: &Scenario,
        file: &Path,
        first: &ScenarioResult,
    ) -> Result<(), NotRun> {
        let runner = self.runner.as_mut().unwrap_or(runner);
        let second = runner.run_by(self.rules, scenario)?;
        let kind = scenario.kind();
        let steps = count_different_steps(&first.steps, &second.steps);
        let counts = self.differences.kinds.entry(kind).or_default();
        counts.scenarios.add(usize::from(steps > 0), 1);
        counts.steps.add(steps, first.steps.len().max(second.steps.len()));
        if let Some(difference) = first_exact_difference(&first.steps, &second.steps) {
            let (id, step) = (scenario.id.clone(), difference.step);
            let why = self.why.command(file, &id, step);
            let fields = fields(difference.kind);
            self.differences.scenarios.push(ScenarioDifference {
                id,
                kind,
                step,
                fields,
                steps,
                why,
            });
        }
        Ok(())
    }
}

fn fields(kind: DifferenceKind) -> Vec<DifferentField> {
    match kind {
        DifferenceKind::Length { ours, theirs } => {
            let (first, second) = (ours.to_string(), theirs.to_string());
            vec![DifferentField { field: "steps", first, second, apart: None }]
        }
        DifferenceKind::Fields(fields) => {
            let different = fields.into_iter().map(|field| DifferentField {
                field: field.field,
                first: field.ours,
                second: field.theirs,
                apart: field.apart,
            });
            different.collect()
        }
    }
}

impl DifferenceCount {
    fn add(&mut self, different: usize, compared: usize) {
        self.different += different;
        self.compared += compared;
    }

    fn text(&self) -> String {
        format!("{} of {}", thousands(self.different), thousands(self.compared))
    }
}

impl RunDifferences {
    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "first: {}; second: {}", self.first.join(" "), self.second.join(" "))?;
        let heading = ["kind", "scenarios differ", "steps differ"].map(str::to_owned);
        let rows = self
            .kinds
            .iter()
            .map(|(kind, counts)| [kind.to_string(), counts.scenarios.text(), counts.steps.text()]);
        let rows: Vec<_> = std::iter::once(heading).chain(rows).map(Vec::from).collect();
        print_table(out, &rows)?;
        for difference in self.scenarios.iter().take(MAX_SHOWN) {
            writeln!(out)?;
            difference.print(out)?;
        }
        if let Some(more) = more(self.scenarios.len()) {
            writeln!(out, "\n{more}")?;
        }
        if !self.scenarios.is_empty() {
            let first: Vec<_> = self.first.iter().map(|rule| format!("--rule {rule}")).collect();
            writeln!(out, "\nWith {} these commands explain the first setting.", first.join(" "))?;
        }
        Ok(())
    }
}

impl ScenarioDifference {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { id, kind, step, steps, .. } = self;
        let steps = match steps {
            1 => "1 step differs".to_owned(),
            steps => format!("{} steps differ", thousands(*steps)),
        };
        writeln!(out, "differs: {kind} {id}: from step {step} ({steps})")?;
        for DifferentField { field, first, second, apart } in &self.fields {
            write!(out, "  {field}: first {first}, second {second}")?;
            match apart {
                Some(apart) => writeln!(out, " ({apart:.4} m apart)")?,
                None => writeln!(out)?,
            }
        }
        writeln!(out, "  {}", self.why)
    }
}

/// Builds `threshold why` commands for steps of the second setting.
struct WhyCommand {
    before: String,
    after: String,
}

impl WhyCommand {
    fn new(asked: &RunArguments, first: &Rules, second: &Rules) -> Self {
        let world = asked.world.named();
        let world =
            world.map(|(option, path)| format!(" {option} {}", word(&path.to_string_lossy())));
        let before = format!("threshold why{}", world.unwrap_or_default());
        // Rules that are not the default, and those of the second setting.
        let rules = second.values().zip(first.values());
        let is_default = |rule: &Rule, value: &str| {
            rule.choices.first().is_some_and(|choice| choice.value == value)
        };
        let rules = rules
            .filter(|((rule, second), (_, first))| second != first || !is_default(rule, second));
        let rules = rules.map(|((rule, value), _)| format!(" --rule {}={value}", rule.name));
        let name = asked.world_name.as_deref();
        let name = name.map(|name| format!(" --world-name {}", word(name)));
        Self { before, after: rules.chain(name).collect() }
    }

    fn command(&self, file: &Path, id: &str, step: usize) -> String {
        let (file, id) = (word(&file.to_string_lossy()), word(id));
        let Self { before, after } = self;
        format!("{before} --scenarios {file} --id {id} --step {step}{after}")
    }
}

/// Quotes a word for a shell.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_special_characters_are_quoted() {
        let words = ["a/b-c_1.jsonl.gz", "two words", "it's", "", "$HOME"].map(word);
        assert_eq!(words, ["a/b-c_1.jsonl.gz", "'two words'", r"'it'\''s'", "''", "'$HOME'"]);
    }
}
