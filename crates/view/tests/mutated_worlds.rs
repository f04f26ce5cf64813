//! Worlds with one damaged record: sweeps, placements, cameras and portal walks in the pieces that still load give finite
//! numbers or a refusal.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_testkit::Random;
use threshold_testkit::damage::{DamageTarget, DamagedWorld, VariantCounts, mutate};

/// Number of damaged worlds.
fn variants() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 2_000_000 } else { 60_000 }
}

/// Bound on the coordinates of an end position, in metres; no accepted record has a larger number.
const MAX_COORDINATE: f32 = 1e5;

/// Prints which variant failed, when a test panics.
struct Variant(u64, String);

impl Drop for Variant {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("variant {} failed: a damaged {}", self.0, self.1);
        }
    }
}

/// Damages one record after another, so that every record has the same share.
fn run(seed: u64, count: usize) -> VariantCounts {
    let mut damaged = DamagedWorld::sound();
    let sound = damaged.reference();
    let targets = damaged.targets().len();
    for number in 0..count {
        let target = number % targets;
        let mut random = Random(seed + number as u64);
        let DamageTarget { kind, id, .. } = damaged.targets()[target];
        let variant = Variant(seed + number as u64, format!("{kind} {id}"));
        let bytes = mutate(&damaged.targets()[target].bytes, &mut random);
        damaged.try_variant(target, bytes, &mut random);
        drop(variant);
        if number % 5000 == 0 {
            assert_eq!(damaged.reference(), sound, "something of variant {number} is left");
        }
    }
    damaged.counts
}

#[test]
fn every_answer_of_a_damaged_world_is_finite_or_a_refusal() {
    let half = variants() / 2;
    let halves = [0, 1]
        .map(|half_number| std::thread::spawn(move || run(1 + half_number * half as u64, half)));
    let mut moves = 0;
    for counts in halves.map(|half| half.join().expect("a variant failed")) {
        println!("{counts:?}");
        assert!(counts.refused > half / 5 && counts.built > half / 5, "{counts:?}");
        assert!(counts.views > half / 2, "{counts:?}");
        assert!(counts.farthest < MAX_COORDINATE, "{counts:?}");
        moves += counts.moves;
    }
    assert!(moves > 3 * half, "{moves}");
}

#[test]
fn records_of_every_kind_that_decides_a_place_are_damaged() {
    let damaged = DamagedWorld::sound();
    let kinds: std::collections::BTreeSet<String> =
        damaged.targets().iter().map(|target| target.kind.to_string()).collect();
    let want = [
        "EnvCell",
        "Environment",
        "GfxObj",
        "LandBlock",
        "LandBlockInfo",
        "Region",
        "Scene",
        "Setup",
    ];
    assert!(want.iter().all(|kind| kinds.contains(*kind)), "{kinds:?}");
}
