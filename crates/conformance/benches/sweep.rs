//! How fast movers move: every recorded walk of both sample worlds, and a made doorway.
//!
//! One thread; a transition is a sweep and its commit.
//!
//! `cargo bench --package threshold-conformance --bench sweep [-- ROUNDS]`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

mod measure;

use std::time::{Duration, Instant};

use threshold_conformance::scenario::{Job, WalkJob};
use threshold_conformance::{Runner, Scenario, ScenarioMover};
use threshold_forge::{Forge, MOVER, Opening, Plan, RoomSpec, samples};
use threshold_land::Frame;
use threshold_land::vector::Vec3;
use threshold_motion::{Outcome, Shortcuts};

use self::measure::{Course, StepMeasurement, jobs, rounds, runner};

impl Course for WalkJob {
    fn begin(&self, runner: &mut Runner) -> ScenarioMover {
        runner.enter(self).unwrap()
    }

    fn steps(&self) -> usize {
        self.moves.len()
    }

    fn step(&self, number: usize, mover: &mut ScenarioMover, runner: &mut Runner) -> u64 {
        let (outcome, _) = mover.advance(runner, self.moves[number]).unwrap();
        u64::from(outcome.sub_steps)
    }
}

/// What is counted besides.
const SUB_STEPS: Option<&str> = Some("sub-steps");

fn walks(world: &str) -> Vec<WalkJob> {
    let walk = |job| if let Job::Walk(walk) = job { Some(walk) } else { None };
    jobs(world).filter_map(walk).collect()
}

/// A doorway two metres deep that is cut into slabs of 16 cm, so that a mover in it touches seven cells.
fn doorway() -> (Runner, WalkJob) {
    let (slab, slabs) = (0.16, 13);
    let room =
        |from: f32, to: f32, half: f32| RoomSpec::cuboid([from, -half, 0.0], [to, half, 3.0]);
    let opening = |x: f32| {
        let corners = [[-0.8, 0.0], [0.8, 0.0], [0.8, 3.0], [-0.8, 3.0]];
        Opening::polygon(corners.map(|[y, z]| [x, y, z]))
    };
    let mut plan = Plan::new();
    let mut last = plan.room(room(-4.0, 0.0, 2.0));
    for number in 0..slabs {
        let from = number as f32 * slab;
        let next = plan.room(room(from, from + slab, 0.8));
        plan.join(last, next, opening(from));
        last = next;
    }
    let end = slabs as f32 * slab;
    let store = plan.room(room(end, end + 4.0, 2.0));
    plan.join(last, store, opening(end));
    let mut forge = Forge::new();
    forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
    let runner = Runner::new(forge.finish().unwrap());
    // About the middle of the slab in the middle, 4 cm to and fro.
    let moves = (0..400).map(|n| Vec3::new(if n % 2 == 0 { 0.04 } else { -0.04 }, 0.0, 0.0));
    let start = slabs as f32 / 2.0 * slab - 0.02;
    let line = format!(
        r#"{{"id":"doorway","kind":"walk","world":"made","mover":{{"setup":"{MOVER}","state":"0x00400408"}},
            "start":{{"cell":"0x{:08X}","pos":[{start},0,0],"contact":true}},"moves":[]}}"#,
        0x0102_0100 + 1 + slabs / 2,
    );
    let Job::Walk(walk) = Scenario::parse(line.as_bytes()).unwrap().job else { unreachable!() };
    (runner, WalkJob { moves: moves.collect(), ..walk })
}

/// All shortcuts, each off in turn, and none.
const SETTINGS: [(&str, Shortcuts); 7] = [
    ("all shortcuts", Shortcuts::ALL),
    ("without cell lists", Shortcuts { cell_lists: false, ..Shortcuts::ALL }),
    ("without free boxes", Shortcuts { free_boxes: false, ..Shortcuts::ALL }),
    ("without failed steps", Shortcuts { failed_steps: false, ..Shortcuts::ALL }),
    ("without near objects", Shortcuts { near_objects: false, ..Shortcuts::ALL }),
    ("without repeated steps", Shortcuts { repeated_sub_steps: false, ..Shortcuts::ALL }),
    ("no shortcuts", Shortcuts::NONE),
];

/// Prints the time of all walks of both worlds with each setting, relative to that with all
/// shortcuts. The settings take turns and the best round of each counts, so that the load of the
/// machine cancels out.
fn print_shortcuts(rounds: usize) {
    let mut times = [Duration::ZERO; SETTINGS.len()];
    for world in ["holt", "dungeon"] {
        let (mut runner, walks) = (runner(world), walks(world));
        let mut best = [Duration::MAX; SETTINGS.len()];
        for _ in 0..rounds.max(2) {
            for ((_, shortcuts), best) in SETTINGS.iter().zip(&mut best) {
                runner.set_shortcuts(*shortcuts);
                *best = StepMeasurement::time_of(&mut runner, &walks).min(*best);
            }
        }
        times.iter_mut().zip(best).for_each(|(time, best)| *time += best);
    }
    for ((name, _), time) in SETTINGS.iter().zip(times) {
        let ratio = time.as_secs_f64() / times[0].as_secs_f64();
        println!("{name:24} {ratio:8.3} x {:9.2} ms", time.as_secs_f64() * 1e3);
    }
}

/// Kinds of moves, by what the move did.
const KINDS: [&str; 6] = [
    "free, 1 step, 1 cell",
    "free, 1 step, more cells",
    "free, more steps",
    "hit, 1 step",
    "hit, more steps",
    "refused",
];

/// Returns the index of a move's kind in [`KINDS`].
fn kind_of(outcome: &Outcome) -> usize {
    match (outcome.refused.is_some(), outcome.hit.is_some(), outcome.sub_steps) {
        (true, ..) => 5,
        (_, false, 0 | 1) => usize::from(outcome.cells.len() > 1),
        (_, false, _) => 2,
        (_, true, 0 | 1) => 3,
        (_, true, _) => 4,
    }
}

/// Measures every move by itself, grouped by kind: the shortest of all rounds counts, so that
/// interruptions by other programs cancel out.
fn print_kinds(rounds: usize) {
    let mut all = StepMeasurement::default();
    let mut kinds = KINDS.map(|_| StepMeasurement::default());
    for world in ["holt", "dungeon"] {
        let (mut runner, walks) = (runner(world), walks(world));
        for walk in &walks {
            let mut moves = vec![(0, Duration::MAX, 0); walk.moves.len()];
            for _ in 0..rounds.max(2) {
                let mut mover = runner.enter(walk).unwrap();
                for (number, (kind, shortest, steps)) in moves.iter_mut().enumerate() {
                    let start = Instant::now();
                    let (outcome, _) = mover.advance(&mut runner, walk.moves[number]).unwrap();
                    *shortest = start.elapsed().min(*shortest);
                    (*kind, *steps) = (kind_of(&outcome), u64::from(outcome.sub_steps));
                }
                mover.leave(&mut runner);
            }
            for (kind, shortest, steps) in moves {
                kinds[kind].add_step(shortest, steps);
                all.add_step(shortest, steps);
            }
        }
    }
    for (name, mut kind) in KINDS.into_iter().zip(kinds) {
        kind.print(name, SUB_STEPS);
    }
    all.print("all moves, shortest", SUB_STEPS);
}

fn main() {
    let rounds = rounds(30);
    let mut all = StepMeasurement::default();
    for world in ["holt", "dungeon"] {
        let mut measurement = StepMeasurement::of(&mut runner(world), &walks(world), rounds);
        measurement.print(&format!("walks in {world}"), SUB_STEPS);
        all.add(measurement);
    }
    all.print("all walks", SUB_STEPS);
    print_kinds(rounds);
    let (mut runner, walk) = doorway();
    let mut mover = runner.enter(&walk).unwrap();
    let (outcome, _) = mover.advance(&mut runner, walk.moves[0]).unwrap();
    assert_eq!(outcome.cells.len(), 7, "{outcome:?}");
    mover.leave(&mut runner);
    let mut measurement = StepMeasurement::of(&mut runner, &[walk], rounds * 10);
    measurement.print("doorway of seven cells", SUB_STEPS);
    print_shortcuts(rounds);
}
