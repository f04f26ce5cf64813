//! Why the steps of all recorded scenarios ended as they did.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod records;
mod whys;

use std::collections::BTreeMap;

use threshold_conformance::{Kind, Runner, Scenario, ScenarioResult, Step};
use threshold_land::vector::Vec3;
use threshold_why::{Explanation, Node};

use self::records::{WORLDS, runner, scenarios};
use self::whys::{Checks, texts, vector};

/// Of a scenario that many steps are explained, spread evenly; and those that met something, up to as many.
const SAMPLE: usize = 10;

fn chosen(record: &ScenarioResult) -> Vec<usize> {
    let count = record.steps.len();
    let even = (0..count).step_by(count.div_ceil(SAMPLE).max(1));
    let met = (0..count).filter(|number| is_met(&record.steps[*number])).take(SAMPLE);
    let mut chosen: Vec<usize> = even.chain(met).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

fn is_met(step: &Step) -> bool {
    !step.is_ok() || step.hit.value().is_some()
}

/// Calls `each` with every chosen step of every scenario, as it was run and as it was explained.
fn each(mut each: impl FnMut(&Runner, &Scenario, usize, &Step, &Explanation)) {
    let scenarios = scenarios();
    for world in WORLDS {
        let mut runner: Runner = runner(world);
        for scenario in scenarios.iter().filter(|scenario| scenario.world == world) {
            let record = runner.run(scenario).unwrap();
            for number in chosen(&record) {
                let explained = runner.explain(scenario, number).unwrap();
                assert_eq!(
                    explained.step, record.steps[number],
                    "{} {number}: watched, it ends otherwise",
                    scenario.id
                );
                each(&runner, scenario, number, &explained.step, &explained.explanation);
            }
        }
    }
}

/// Whether a node says that the mover was pushed into a direction.
fn pushes(node: &Node, hit: Vec3) -> bool {
    let push = ["push", "away", "normal"].into_iter().find_map(|name| vector(node, name));
    push.and_then(Vec3::try_normalize).is_some_and(|push| push.dot(hit) > 0.99)
}

#[test]
fn a_step_ends_the_same_whether_it_is_watched_or_not_and_what_is_said_of_it_is_true() {
    let (mut steps, mut hits, mut named, mut ups) = (0, 0, 0, 0);
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    let mut checks = Checks::default();
    each(|runner, scenario, number, step, explanation| {
        let place = format!("{} {number}", scenario.id);
        checks.check(runner, (scenario, step, explanation), &place);
        for rule in explanation.rules.iter().filter_map(|node| node.fact("rule")) {
            *rules.entry(format!("{rule:?}")).or_default() += 1;
        }
        steps += 1;
        let Some(hit) = step.hit.value() else { return };
        // What is put somewhere may touch the ground where it ends.
        if scenario.kind() == Kind::Place && step.is_ok() {
            return;
        }
        let mut said =
            explanation.summary.iter().filter(|node| matches!(node.kind, "stopped" | "also"));
        let first = said.clone().next();
        let first = first.unwrap_or_else(|| panic!("{place}: {:?}", texts(&explanation.summary)));
        #[allow(clippy::cast_possible_truncation, reason = "they were single once")]
        let hit = Vec3::from(hit.map(|v| v as f32));
        hits += 1;
        if said.any(|node| pushes(node, hit)) {
            named += 1;
        } else if hit == Vec3::Z {
            ups += 1;
        } else {
            println!("{place}: hit {hit}, and said {}", first.text);
        }
    });
    assert!(steps > 10_000 && hits > 4_000, "{steps} {hits}");
    // A mover taken back without a collision is recorded with an upward hit; every other hit is that of
    // an obstacle in the explanation.
    assert!(ups * 100 < hits * 8, "{ups} of {hits}");
    assert!(named + ups + 8 >= hits, "{named} of {hits}, and {ups} upwards");
    assert!(rules.len() > 4, "only these rules ever decided: {rules:?}");
    checks.are_many();
}
