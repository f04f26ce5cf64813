//! A step of a recorded scenario.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use threshold_conformance::file::{self, ScenarioFile};
use threshold_conformance::scenario::Job;
use threshold_conformance::{Kind, NotRun, Scenario};
use threshold_motion::Rules;

use super::Why;
use super::report::Report;

/// Ids that are named where one is not found.
const NAMED: usize = 3;

impl Why {
    /// Runs a scenario up to a step and explains it.
    pub(super) fn recorded(&self, path: &Path, rules: Rules) -> anyhow::Result<Report> {
        let scenario = find(path, self.id.as_deref())?;
        let id = scenario.id.as_str();
        let name = self.world.name(self.world_name.as_deref())?;
        let arithmetic = scenario.kind() == Kind::Landdefs;
        if scenario.world != name && !arithmetic {
            bail!("{id}: it is for the world {:?}, and this one is {name:?}", scenario.world);
        }
        let count = scenario.steps();
        if count == 0 {
            bail!("{id}: it has no steps");
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
            Some(_) => format!("No --step was given: step {step} is the first of interest."),
            None => "No --step was given, and none is of interest: step 0 is taken.".to_owned(),
        }));
        if !objects_of(&scenario.job).is_empty() {
            report.notes.push("Body 0, 1 and so on are the objects of the scenario.".to_owned());
        }
        report.scenario = Some((scenario, step, explained.step));
        Ok(report)
    }
}

fn objects_of(job: &Job) -> &[threshold_conformance::scenario::Object] {
    match job {
        Job::Walk(job) => &job.objects,
        Job::Sim(job) => &job.objects,
        Job::Place(job) => &job.objects,
        Job::Cells(_) | Job::Viewer(_) | Job::Landdefs(_) => &[],
    }
}

fn title(scenario: &Scenario, step: usize) -> String {
    let what = match scenario.kind() {
        Kind::Walk => "Move",
        Kind::Sim => "Tick",
        Kind::Place => "Candidate",
        Kind::Cells => "Query",
        Kind::Viewer => "Camera",
        Kind::Landdefs => "Call",
    };
    let last = scenario.steps() - 1;
    format!("{what} {step} of {}, whose last is {last}, counted from 0.", scenario.id)
}

/// The scenario of that id.
fn find(path: &Path, id: Option<&str>) -> anyhow::Result<Scenario> {
    let ScenarioFile { scenarios, bad, .. } = file::scenarios(path)?;
    let ids: Vec<String> = scenarios.iter().map(|scenario| scenario.id.clone()).collect();
    let Some(id) = id else {
        let some = ids.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        bail!("{}: say which of its {} scenarios with --id: {some} ...", path.display(), ids.len());
    };
    if let Some(scenario) = scenarios.into_iter().find(|scenario| scenario.id == id) {
        return Ok(scenario);
    }
    let near = near(&ids, id);
    let near = match near.is_empty() {
        true => String::new(),
        false if near[0].starts_with(&id.chars().next().unwrap_or_default().to_string()) => {
            format!("; near it are {}", near.join(", "))
        }
        false => format!("; there are {} and so on", near.join(", ")),
    };
    let lost = match bad.first() {
        Some(first) => format!("; {} of its lines cannot be read: {}", bad.len(), first.error),
        None => String::new(),
    };
    Err(anyhow!("{}: none of its {} scenarios is {id:?}{near}{lost}", path.display(), ids.len()))
}

/// The ids that begin most as this one does; where none does, the first ones.
fn near<'a>(ids: &'a [String], id: &str) -> Vec<&'a str> {
    let common = |other: &str| other.bytes().zip(id.bytes()).take_while(|(a, b)| a == b).count();
    let mut all: Vec<(usize, &str)> =
        ids.iter().map(|other| (common(other), other.as_str())).collect();
    // Equals stay in the order of the file.
    all.sort_by_key(|(common, _)| std::cmp::Reverse(*common));
    all.into_iter().map(|(_, other)| other).take(NAMED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_begin_alike_are_near() {
        let ids = ["holt-walk-1", "holt-walk-2", "cave-3", "holt-place-4"].map(str::to_owned);
        assert_eq!(near(&ids, "holt-walk-9"), ["holt-walk-1", "holt-walk-2", "holt-place-4"]);
        assert_eq!(near(&ids, "x"), ["holt-walk-1", "holt-walk-2", "cave-3"]);
    }
}
