//! Every recorded scenario with and without the shortcuts of a sweep: all results have the same bits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod records;

use threshold_conformance::compare::first_exact_difference;
use threshold_conformance::{Runner, Scenario, ScenarioResult};
use threshold_motion::{Outcome, Shortcuts};

use self::records::{WORLDS, runner, scenarios};

/// Runs a scenario with some shortcuts; returns its record and the outcomes of all its sweeps.
fn run(
    runner: &mut Runner,
    scenario: &Scenario,
    shortcuts: Shortcuts,
) -> (ScenarioResult, Vec<Outcome>) {
    let mut outcomes = Vec::new();
    runner.set_shortcuts(shortcuts);
    let record = runner.run_observed(scenario, &mut |outcome| outcomes.push(outcome.clone()));
    (record.unwrap(), outcomes)
}

#[test]
fn recorded_scenarios_have_the_same_bits_with_and_without_shortcuts() {
    let scenarios = scenarios();
    let mut sweeps = 0;
    for world in WORLDS {
        // Each keeps its caches from scenario to scenario.
        let [mut fast, mut slow] = [runner(world), runner(world)];
        for scenario in scenarios.iter().filter(|scenario| scenario.world == world) {
            let (record, outcomes) = run(&mut fast, scenario, Shortcuts::ALL);
            let (plain, plain_outcomes) = run(&mut slow, scenario, Shortcuts::NONE);
            assert_eq!(
                first_exact_difference(&record.steps, &plain.steps),
                None,
                "{}",
                scenario.id
            );
            assert_eq!(outcomes.len(), plain_outcomes.len(), "{}", scenario.id);
            for (step, (a, b)) in outcomes.iter().zip(&plain_outcomes).enumerate() {
                assert!(a.is_identical(b), "{}, sweep {step}: {a:?} and {b:?}", scenario.id);
            }
            sweeps += outcomes.len();
        }
    }
    assert!(sweeps > 35_000, "{sweeps}");
}
