//! Recorded fields that the comparison leaves out: planes, normals, velocities, cell arrays.
//!
//! Results are compared by end position and contact. Ours follow the first set, so wherever they agree with it, the other
//! fields agree, too, except for listed differences.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod records;

use std::collections::BTreeMap;

use threshold_conformance::compare::first_difference;
use threshold_conformance::record::Field;
use threshold_conformance::{Kind, Step};

use self::records::{WORLDS, data, recorded, runner, scenarios};

/// Tolerance of each number of planes, normals and velocities.
const TOLERANCE: f64 = 1e-3;

/// Kinds with fields that are recorded and not compared. (Recorded cameras are unreliable.)
const KINDS: [Kind; 3] = [Kind::Walk, Kind::Sim, Kind::Place];

fn near<const N: usize>(ours: &Field<[f64; N]>, theirs: &Field<[f64; N]>) -> bool {
    match (ours.value(), theirs.value()) {
        (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE),
        (ours, theirs) => ours == theirs,
    }
}

/// Returns the fields in which two steps differ, of all fields.
fn differing(ours: &Step, theirs: &Step) -> impl Iterator<Item = &'static str> {
    let same = [
        ("ok", ours.ok == theirs.ok),
        ("cell", ours.cell == theirs.cell),
        ("pos", near(&ours.pos, &theirs.pos)),
        ("contact", ours.contact == theirs.contact),
        ("walkable", ours.walkable == theirs.walkable),
        ("plane", near(&ours.plane, &theirs.plane)),
        ("plane_cell", ours.plane_cell == theirs.plane_cell),
        ("slide", near(&ours.slide, &theirs.slide)),
        ("hit", near(&ours.hit, &theirs.hit)),
        ("env", ours.env == theirs.env),
        ("vel", near(&ours.vel, &theirs.vel)),
        ("cells", ours.cells == theirs.cells),
        ("lcoord", ours.lcoord == theirs.lcoord),
    ];
    same.into_iter().filter(|(_, same)| !same).map(|(field, _)| field)
}

/// Differences from the first set in scenarios whose results agree.
#[derive(Default)]
struct Details {
    /// Number of steps compared, by kind.
    steps: BTreeMap<Kind, usize>,
    /// Number of differing steps, by scenario and field.
    differ: BTreeMap<(String, String), usize>,
}

impl Details {
    fn look(&mut self, (id, kind): (&str, Kind), ours: &[Step], theirs: &[Step]) {
        *self.steps.entry(kind).or_default() += ours.len();
        for (ours, theirs) in ours.iter().zip(theirs) {
            for field in differing(ours, theirs) {
                *self.differ.entry((id.to_owned(), field.to_owned())).or_default() += 1;
            }
        }
    }
}

fn details() -> Details {
    let (first, scenarios) = (recorded("a"), scenarios());
    let mut details = Details::default();
    for world in WORLDS {
        let mut runner = runner(world);
        let own = scenarios.iter().filter(|scenario| scenario.world == world);
        for scenario in own.filter(|scenario| KINDS.contains(&scenario.kind())) {
            let (id, kind) = (scenario.id.as_str(), scenario.kind());
            let (ours, theirs) = (runner.run(scenario).unwrap(), first.get(id).unwrap());
            if first_difference(kind, &ours.steps, theirs).is_none() {
                details.look((id, kind), &ours.steps, theirs);
            }
        }
    }
    details
}

/// `id field steps -> reason` lines: the number of steps by scenario and field.
fn listed() -> BTreeMap<(String, String), usize> {
    let path = data("conformance/details-known-differences.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let (case, reason) = line.split_once(" -> ").expect("a reason after ' -> '");
        assert!(!reason.trim().is_empty(), "an entry without a reason: {line}");
        let [id, field, steps] = case.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not a scenario, a field and a number: {line}")
        };
        ((id.to_owned(), field.to_owned()), steps.parse().unwrap())
    };
    lines.map(entry).collect()
}

#[test]
fn what_the_first_set_says_beside_its_answers_is_ours_but_for_what_is_listed() {
    let details = details();
    let steps = [(Kind::Walk, 32_145), (Kind::Sim, 10_489), (Kind::Place, 1026)];
    assert_eq!(details.steps, steps.into());
    assert_eq!(details.differ, listed());
}
