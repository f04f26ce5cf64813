//! Recorded scenarios with other rules than the default, where the studies and the records differ.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod records;

use threshold_conformance::compare::first_difference;
use threshold_conformance::{Kind, Scenario, ScenarioResult, Step};
use threshold_land::CellId;
use threshold_motion::Rules;

use self::records::{recorded, runner, scenarios};

fn scenario(id: &str) -> Scenario {
    scenarios().into_iter().find(|scenario| scenario.id == id).unwrap()
}

fn run(id: &str, rule: &str) -> ScenarioResult {
    let mut rules = Rules::default();
    rules.set_text(rule).unwrap();
    runner("holt").run_by(rules, &scenario(id)).unwrap()
}

/// A mover of a fifth of the usual size squeezes through a gap of a hair between the cell trees of two cellars. Both
/// recorded implementations lose it there for good, and that is the default; the studies have the land take it over.
#[test]
fn a_mover_that_no_room_contains_is_taken_over_by_the_land_cell_with_reseat() {
    let (id, lost_at) = ("holt-random-walk-0147", 26);
    let ours = run(id, "interior_exit=reseat").steps;
    for side in ["a", "b"] {
        let recorded = recorded(side);
        let theirs = recorded.get(id).unwrap();
        assert_eq!(first_difference(Kind::Walk, &ours[..lost_at], &theirs[..lost_at]), None);
        assert!(theirs[lost_at + 1..].iter().all(|step| !step.is_ok()), "{side} goes on");
    }
    let cell = |step: &Step| *step.cell.value().unwrap();
    let before = cell(&ours[lost_at - 1]);
    assert!(before.is_indoor());
    let land: CellId = cell(&ours[lost_at]);
    assert!(ours[lost_at].is_ok() && land.is_outdoor(), "{:?}", ours[lost_at]);
    assert_eq!(land.block(), before.block());
    // It is at the position where both lose it, but in a cell; the ground is above it, so the next steps lift it.
    let lost = recorded("a");
    let lost = &lost.get(id).unwrap()[lost_at];
    assert_eq!(
        first_difference(Kind::Walk, &[at_same_place(lost, land)], &ours[lost_at..=lost_at]),
        None
    );
    assert!(ours[lost_at..].iter().all(Step::is_ok));
    assert!(ours[lost_at..].iter().all(|step| cell(step) == land));
    let last = ours.last().unwrap();
    let [_, _, z] = *last.pos.value().unwrap();
    assert!(last.walkable.value() == Some(&true) && (39.9..40.2).contains(&z), "{last:?}");
}

/// A recorded step in another cell.
fn at_same_place(step: &Step, cell: CellId) -> Step {
    Step { cell: cell.into(), ..step.clone() }
}

/// The two recorded sets dispute whether the head of a missile meets walls. The default follows the first, which does not
/// test it; the studies and the second set do.
#[test]
fn a_missile_whose_head_is_tested_ends_as_in_the_second_recorded_set() {
    for id in ["holt-random-sim-0014", "holt-random-sim-0040"] {
        for (rule, side) in [("missile_head=passes", "a"), ("missile_head=stops", "b")] {
            let (ours, recorded) = (run(id, rule), recorded(side));
            let difference = first_difference(Kind::Sim, &ours.steps, recorded.get(id).unwrap());
            assert_eq!(difference, None, "{id} by {rule}");
        }
    }
}
