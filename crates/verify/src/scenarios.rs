//! The recorded scenarios.

use threshold_conformance::{Runner, Scenario};

use crate::carried::{WORLDS, records, scenarios};
use crate::hash::ResultHasher;
use crate::{Progress, Scope, Section, VerifyError};

/// Of the scenarios of a kind, a quick run takes each of this number.
const QUICK_INTERVAL: usize = 16;

/// Runs the scenarios of all worlds, and hashes their results by kind.
pub(crate) fn run(
    scope: Scope,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<(Section, ResultHasher)>, VerifyError> {
    let chosen = chosen(scope, scenarios()?);
    let mut hashers = Section::SCENARIOS.map(|section| (section, ResultHasher::default()));
    let mut done = 0;
    for (world, packed) in WORLDS {
        let mut runner = Runner::new(records(packed)?);
        for scenario in chosen.iter().filter(|scenario| scenario.world == world) {
            let section = Section::of_kind(scenario.kind());
            for (_, hasher) in hashers.iter_mut().filter(|(own, _)| *own == section) {
                add(&mut runner, scenario, hasher)?;
            }
            done += 1;
            progress(Progress { section, done, total: chosen.len() });
        }
    }
    Ok(hashers.into())
}

fn chosen(scope: Scope, scenarios: Vec<Scenario>) -> Vec<Scenario> {
    let interval = match scope {
        Scope::Quick => QUICK_INTERVAL,
        Scope::Full => 1,
    };
    let mut chosen = Vec::new();
    for section in Section::SCENARIOS {
        let own = scenarios.iter().filter(|it| Section::of_kind(it.kind()) == section);
        chosen.extend(own.step_by(interval).cloned());
    }
    chosen
}

/// Adds the outcome of every sweep and all steps of the result.
fn add(
    runner: &mut Runner,
    scenario: &Scenario,
    hasher: &mut ResultHasher,
) -> Result<(), VerifyError> {
    hasher.bytes(scenario.id.as_bytes());
    let result = runner.run_observed(scenario, &mut |outcome| hasher.outcome(outcome));
    let result = result.map_err(|reason| VerifyError::Scenario(scenario.id.clone(), reason))?;
    hasher.count(result.steps.len());
    result.steps.iter().for_each(|step| hasher.step(step));
    Ok(())
}
