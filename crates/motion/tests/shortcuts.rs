//! Random sweeps with and without shortcuts: every outcome has the same bits.
//!
//! Some ten thousand sweeps of nine kinds of movers and of cameras through every world; with
//! `THRESHOLD_SOAK` set several million. (Recorded scenarios: `crates/conformance/tests/shortcuts.rs`;
//! crowds that run into each other: `wandering.rs`.)

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod lives;

use lives::{Kind, Life, Place, kinds, places};
use threshold_motion::{Mover, Outcome, Rules, Shortcuts, SweepScratch, Sweeper};
use threshold_testkit::Random;

/// Sweeps of one life; then a mover begins anew elsewhere.
const LIFE: usize = 150;

/// Rules that lead sweeps along other paths than the default.
const RULES: [&str; 5] = [
    "seam=mended",
    "unloaded=blocked",
    "steep_ground=stops",
    "opposed_slide=stops",
    "sliding_normal=checked",
];

/// All shortcuts, and each alone.
fn shortcuts() -> [Shortcuts; 4] {
    let none = Shortcuts::NONE;
    [
        Shortcuts::ALL,
        Shortcuts { cell_lists: true, ..none },
        Shortcuts { free_boxes: true, ..none },
        Shortcuts { failed_steps: true, ..none },
    ]
}

/// Number of lives.
fn lives() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 40_000 } else { 400 }
}

#[track_caller]
fn check_identical([fast, slow]: [&Outcome; 2], case: impl Fn() -> String) {
    assert!(fast.is_identical(slow), "{}:\n{fast:?}\n{slow:?}", case());
}

/// One life. Its number decides everything.
fn run_life((places, kinds): (&[Place], &[Kind]), number: usize) {
    let (place, kind) = (&places[number % places.len()], &kinds[number / places.len() % 9]);
    let mut random = Random(number as u64);
    let mut rules = Rules::default();
    if let Some(rule) = RULES.get(random.below(2 * RULES.len())) {
        rules.set_text(rule).unwrap();
    }
    let mut fast = SweepScratch::with_shortcuts(shortcuts()[random.below(4)]);
    let mut slow = SweepScratch::with_shortcuts(Shortcuts::NONE);
    let mut life = Life::begin((place, rules), &mut slow, kind, &mut random);
    let sweeper = Sweeper { world: &place.world, rules };
    let camera = Mover::viewer(0.3);
    for sweep in 0..LIFE {
        let (from, to) = (life.at, life.next(&mut random));
        let case = || format!("life {number}, sweep {sweep}, {} in {}", kind.name, place.name);
        let outcome = sweeper.sweep(&mut fast, &mut (), &life.mover, &from, &to);
        let plain = sweeper.sweep(&mut slow, &mut (), &life.mover, &from, &to);
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
        life.take(&outcome, &mut random);
    }
}

#[test]
fn random_sweeps_have_the_same_bits_with_and_without_shortcuts() {
    let (places, kinds) = (places(), kinds());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let worlds = (&places[..], &kinds[..]);
            scope.spawn(move || {
                (thread..lives()).step_by(threads).for_each(|number| run_life(worlds, number));
            });
        }
    });
}

#[test]
fn shortcuts_may_be_switched_between_any_two_sweeps() {
    let (places, kinds) = (places(), kinds());
    let (mut random, rules) = (Random(7), Rules::default());
    for place in &places[..2] {
        let sweeper = Sweeper { world: &place.world, rules };
        let [mut switched, mut plain] =
            [Shortcuts::ALL, Shortcuts::NONE].map(SweepScratch::with_shortcuts);
        let mut life = Life::begin((place, rules), &mut plain, &kinds[0], &mut random);
        for sweep in 0..1_000 {
            let (from, to) = (life.at, life.next(&mut random));
            let outcome = sweeper.sweep(&mut switched, &mut (), &life.mover, &from, &to);
            let other = sweeper.sweep(&mut plain, &mut (), &life.mover, &from, &to);
            check_identical([&outcome, &other], || format!("sweep {sweep} in {}", place.name));
            switched.shortcuts = shortcuts()[random.below(4)];
            if random.below(4) == 0 {
                switched.shortcuts = Shortcuts::NONE;
            }
            if outcome.cell.is_none() {
                life = Life::begin((place, rules), &mut plain, &kinds[0], &mut random);
            } else {
                life.take(&outcome, &mut random);
            }
        }
    }
}
