//! Random sweeps with and without shortcuts: every outcome has the same bits.
//!
//! Some ten thousand sweeps of nine kinds of movers and of cameras through every world; with
//! `THRESHOLD_SOAK` set more than twenty million. (Recorded scenarios: `crates/conformance/tests/shortcuts.rs`;
//! crowds that run into each other: `wandering.rs`.)

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod random_movers;

use random_movers::{MoverKind, RandomMover, TestWorld, mover_kinds, test_worlds};
use threshold_motion::{Mover, Outcome, Rules, Shortcuts, SweepScratch, Sweeper};
use threshold_testkit::Random;

/// Sweeps of one mover; then a new one starts elsewhere.
const SWEEPS_PER_MOVER: usize = 150;

/// Rules that lead sweeps along other paths than the default.
const RULES: [&str; 5] = [
    "seam=mended",
    "unloaded=blocked",
    "steep_ground=stops",
    "opposed_slide=stops",
    "sliding_normal=checked",
];

/// All shortcuts, and each alone.
fn shortcuts() -> [Shortcuts; 6] {
    let none = Shortcuts::NONE;
    [
        Shortcuts::ALL,
        Shortcuts { cell_lists: true, ..none },
        Shortcuts { free_boxes: true, ..none },
        Shortcuts { failed_steps: true, ..none },
        Shortcuts { near_objects: true, ..none },
        Shortcuts { repeated_sub_steps: true, ..none },
    ]
}

/// Number of movers.
fn movers() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 150_000 } else { 400 }
}

#[track_caller]
fn check_identical([fast, slow]: [&Outcome; 2], case: impl Fn() -> String) {
    assert!(fast.is_identical(slow), "{}:\n{fast:?}\n{slow:?}", case());
}

/// Sweeps one mover. Its number determines all random choices.
fn run_mover((worlds, kinds): (&[TestWorld], &[MoverKind]), number: usize) {
    let (test_world, kind) = (&worlds[number % worlds.len()], &kinds[number / worlds.len() % 9]);
    let mut random = Random(number as u64);
    let mut rules = Rules::default();
    if let Some(rule) = RULES.get(random.below(2 * RULES.len())) {
        rules.set_text(rule).unwrap();
    }
    let mut fast = SweepScratch::with_shortcuts(shortcuts()[random.below(6)]);
    let mut slow = SweepScratch::with_shortcuts(Shortcuts::NONE);
    let mut random_mover = RandomMover::start((test_world, rules), &mut slow, kind, &mut random);
    let sweeper = Sweeper { world: &test_world.world, rules };
    let camera = Mover::viewer(0.3);
    for sweep in 0..SWEEPS_PER_MOVER {
        let (from, to) = (random_mover.at, random_mover.next(&mut random));
        let case =
            || format!("mover {number}, sweep {sweep}, {} in {}", kind.name, test_world.name);
        let outcome = sweeper.sweep(&mut fast, &mut (), &random_mover.mover, &from, &to);
        let plain = sweeper.sweep(&mut slow, &mut (), &random_mover.mover, &from, &to);
        check_identical([&outcome, &plain], case);
        if sweep % 8 == 0 {
            let mut eye = from;
            eye.frame.origin.z += 1.5;
            let [fast, slow] = [&mut fast, &mut slow]
                .map(|scratch| sweeper.sweep_camera(scratch, &mut (), &camera, &eye, &to));
            check_identical([&fast, &slow], || format!("camera, {}", case()));
        }
        if outcome.cell.is_none() {
            return;
        }
        random_mover.apply(&outcome, &mut random);
    }
}

#[test]
fn random_sweeps_have_the_same_bits_with_and_without_shortcuts() {
    let (worlds, kinds) = (test_worlds(), mover_kinds());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let setup = (&worlds[..], &kinds[..]);
            scope.spawn(move || {
                (thread..movers()).step_by(threads).for_each(|number| run_mover(setup, number));
            });
        }
    });
}

#[test]
fn shortcuts_may_be_switched_between_any_two_sweeps() {
    let (worlds, kinds) = (test_worlds(), mover_kinds());
    let (mut random, rules) = (Random(7), Rules::default());
    for test_world in &worlds[..2] {
        let sweeper = Sweeper { world: &test_world.world, rules };
        let [mut switched, mut plain] =
            [Shortcuts::ALL, Shortcuts::NONE].map(SweepScratch::with_shortcuts);
        let mut random_mover =
            RandomMover::start((test_world, rules), &mut plain, &kinds[0], &mut random);
        for sweep in 0..1_000 {
            let (from, to) = (random_mover.at, random_mover.next(&mut random));
            let outcome = sweeper.sweep(&mut switched, &mut (), &random_mover.mover, &from, &to);
            let other = sweeper.sweep(&mut plain, &mut (), &random_mover.mover, &from, &to);
            check_identical([&outcome, &other], || format!("sweep {sweep} in {}", test_world.name));
            switched.shortcuts = shortcuts()[random.below(6)];
            if random.below(4) == 0 {
                switched.shortcuts = Shortcuts::NONE;
            }
            if outcome.cell.is_none() {
                random_mover =
                    RandomMover::start((test_world, rules), &mut plain, &kinds[0], &mut random);
            } else {
                random_mover.apply(&outcome, &mut random);
            }
        }
    }
}
