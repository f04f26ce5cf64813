//! Why the steps of all recorded scenarios ended as they did.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod records;

use std::collections::BTreeMap;

use threshold_conformance::{Kind, Record, Runner, Scenario, Step};
use threshold_motion::why::{Explanation, Node, Value};

use self::records::{WORLDS, runner, scenarios};

/// Of a scenario that many steps are explained, spread evenly; and those that met something, up to as many.
const SAMPLE: usize = 10;

fn chosen(record: &Record) -> Vec<usize> {
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
fn each(mut each: impl FnMut(&Scenario, usize, &Step, &Explanation)) {
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
                each(scenario, number, &explained.step, &explained.explanation);
            }
        }
    }
}

/// Every sentence of a tree.
fn texts(nodes: &[Node]) -> Vec<&str> {
    nodes.iter().flat_map(|node| node.lines(true)).map(|(_, text)| text).collect()
}

/// Whether a fact is a direction, or its opposite.
fn is_along(node: &Node, name: &str, direction: &[f64; 3]) -> bool {
    let Some(Value::Vector(vector)) = node.fact(name) else { return false };
    let dot: f64 = vector.to_array().iter().zip(direction).map(|(a, b)| f64::from(*a) * b).sum();
    dot.abs() > 0.99
}

#[test]
fn a_step_ends_the_same_whether_it_is_watched_or_not_and_who_met_something_is_told_what() {
    let (mut steps, mut hits, mut named) = (0, 0, 0);
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    each(|scenario, number, step, explanation| {
        let place = format!("{} {number}", scenario.id);
        let all = [&explanation.summary, &explanation.rules, &explanation.steps];
        for text in all.into_iter().flat_map(|nodes| texts(nodes)) {
            assert!(text.len() > 1 && text.ends_with('.'), "{place}: {text:?}");
        }
        for rule in explanation.rules.iter().filter_map(|node| node.fact("rule")) {
            *rules.entry(format!("{rule:?}")).or_default() += 1;
        }
        steps += 1;
        let Some(hit) = step.hit.value() else { return };
        // What is put somewhere may touch the ground where it ends.
        if scenario.kind() == Kind::Place && step.is_ok() {
            return;
        }
        let stopped = explanation.stopped();
        let stopped =
            stopped.unwrap_or_else(|| panic!("{place}: {:?}", texts(&explanation.summary)));
        hits += 1;
        let also = explanation.summary.iter().filter(|node| node.kind == "also");
        let is_met = |node: &Node| ["normal", "away"].iter().any(|name| is_along(node, name, hit));
        named += usize::from(also.chain([stopped]).any(is_met));
    });
    assert!(steps > 10_000 && hits > 4_000, "{steps} {hits}");
    // Of the others most are said to have hit something below them, for want of anything else.
    assert!(named * 100 > hits * 85, "{named} of {hits}");
    assert!(rules.len() > 4, "only these rules ever decided: {rules:?}");
}
