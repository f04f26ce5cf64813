//! A step of a recorded scenario.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use threshold_conformance::file::{self, BadLine, ScenarioFile};
use threshold_conformance::scenario::Job;
use threshold_conformance::{Kind, NotRun, Scenario};
use threshold_motion::Rules;

use super::Why;
use super::report::Report;
use crate::formatting::thousands;
use crate::run::{MAX_SHOWN, counted};

/// Most ids that an error lists.
const MAX_LISTED: usize = 3;

impl Why {
    /// Runs a scenario up to a step and explains it.
    pub(super) fn explain_recorded(&self, path: &Path, rules: Rules) -> anyhow::Result<Report> {
        let scenario = find(path, self.id.as_deref())?;
        let id = scenario.id.as_str();
        let name = self.world.name(self.world_name.as_deref())?;
        let arithmetic = scenario.kind() == Kind::Landdefs;
        if scenario.world != name && !arithmetic {
            bail!(
                "{id}: recorded in the world {:?}, not {name:?}; check --dats or --world",
                scenario.world
            );
        }
        let count = scenario.steps();
        if count == 0 {
            bail!("{id}: the scenario has no steps");
        }
        if let Some(step) = self.step.filter(|step| *step >= count) {
            return Err(NotRun::NoSuchStep { step, count }).context(id.to_owned());
        }
        let mut runner = self.world.load(rules, |_| !arithmetic)?;
        let first = match self.step {
            Some(_) => None,
            None => runner.first_of_interest(&scenario).with_context(|| id.to_owned())?,
        };
        let step = self.step.or(first).unwrap_or(0);
        let explained = runner.explain(&scenario, step).with_context(|| id.to_owned())?;
        let mut report = Report::new(title(&scenario, step), explained.explanation);
        report.notes.extend(self.step.is_none().then(|| match first {
            Some(_) => format!(
                "Without --step: step {step} is the first that fails, hits something or touches several cells."
            ),
            None => "Without --step: no step hits anything, so step 0 is explained.".to_owned(),
        }));
        if !objects_of(&scenario.job).is_empty() {
            report.notes.push("Body 0, 1 and so on are the objects of the scenario.".to_owned());
        }
        report.scenario = Some((scenario, step, explained.step));
        Ok(report)
    }
}

fn objects_of(job: &Job) -> &[threshold_conformance::scenario::ScenarioObject] {
    match job {
        Job::Walk(job) => &job.objects,
        Job::Sim(job) => &job.objects,
        Job::Place(job) => &job.objects,
        Job::Cells(_) | Job::Viewer(_) | Job::Landdefs(_) => &[],
    }
}

fn title(scenario: &Scenario, step: usize) -> String {
    let noun = match scenario.kind() {
        Kind::Walk => "Move",
        Kind::Sim => "Tick",
        Kind::Place => "Candidate",
        Kind::Cells => "Query",
        Kind::Viewer => "Camera",
        Kind::Landdefs => "Call",
    };
    let last = scenario.steps() - 1;
    format!("{noun} {step} of {}; the last is {last}.", scenario.id)
}

/// Finds the scenario with an id, or the only one.
fn find(path: &Path, id: Option<&str>) -> anyhow::Result<Scenario> {
    let ScenarioFile { mut scenarios, bad, .. } = file::scenarios(path)?;
    let unreadable = list_unreadable(&bad);
    let ids: Vec<String> = scenarios.iter().map(|scenario| scenario.id.clone()).collect();
    if ids.is_empty() {
        bail!("{}: there is no scenario{unreadable}", path.display());
    }
    let Some(id) = id else {
        if let (1, true) = (ids.len(), bad.is_empty())
            && let Some(only) = scenarios.pop()
        {
            return Ok(only);
        }
        let some = ids.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
        let count = counted(ids.len());
        bail!("{}: has {count}; add --id, such as {some}{unreadable}", path.display());
    };
    if let Some(scenario) = scenarios.into_iter().find(|scenario| scenario.id == id) {
        return Ok(scenario);
    }
    let similar = match similar_ids(&ids, id).join(", ") {
        similar if similar.is_empty() => similar,
        similar => format!("; similar ids: {similar}"),
    };
    let count = counted(ids.len());
    Err(anyhow!("{}: no id {id:?} in {count}{similar}{unreadable}", path.display()))
}

/// Lists lines that cannot be read, each on a line of its own.
fn list_unreadable(bad: &[BadLine]) -> String {
    let shown = bad.iter().take(MAX_SHOWN).map(|bad| format!("\nerror: {}", bad.error));
    let rest = bad.len().saturating_sub(MAX_SHOWN);
    let rest = (rest > 0).then(|| format!("\nerror: ... and {} more", thousands(rest)));
    shown.chain(rest).collect()
}

/// Returns the ids most similar to an unknown one. Numbered ids differ in their last digits, so a common beginning counts most.
fn similar_ids<'a>(ids: &'a [String], id: &str) -> Vec<&'a str> {
    let mut rated: Vec<(f64, &str)> =
        ids.iter().map(|other| (strsim::jaro_winkler(other, id), other.as_str())).collect();
    // The sort is stable: equally similar ids stay in the order of the file.
    rated.sort_by(|a, b| b.0.total_cmp(&a.0));
    rated.into_iter().map(|(_, other)| other).take(MAX_LISTED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_with_the_same_beginning_are_the_most_similar() {
        let ids = ["cave-3", "holt-walk-1", "holt-walk-2", "holt-place-4"].map(str::to_owned);
        assert_eq!(similar_ids(&ids, "holt-walk-9")[..2], ["holt-walk-1", "holt-walk-2"]);
        assert_eq!(similar_ids(&ids, "x"), ["cave-3", "holt-walk-1", "holt-walk-2"]);
    }
}
