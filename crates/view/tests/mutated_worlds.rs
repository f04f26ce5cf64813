//! Worlds with one damaged record: whatever loads of it can be swept, placed, looked about and lived in, and every answer
//! is made of finite numbers or is a refusal.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod hostile;

use hostile::{Hostile, Random, RegionContent, mutate};

/// How many damaged worlds are lived in.
fn variants() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 2_000_000 } else { 60_000 }
}

/// No end is farther from the origin of its landblock, in metres: no record that was taken has a number so large.
const FARTHEST: f32 = 1e5;

/// Says which variant it was, if it fails.
struct Variant(u64, String);

impl Drop for Variant {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("variant {} failed: a damaged {}", self.0, self.1);
        }
    }
}

/// Damages one record after another, so that every kind has the same share.
fn run(seed: u64, count: usize) -> hostile::Tally {
    let mut hostile = Hostile::new();
    let sound = hostile.reference();
    let targets = hostile.targets().len();
    for number in 0..count {
        let target = number % targets;
        let mut random = Random(seed + number as u64);
        let RegionContent { kind, id, .. } = hostile.targets()[target];
        let variant = Variant(seed + number as u64, format!("{kind} {id}"));
        let bytes = mutate(&hostile.targets()[target].bytes, &mut random);
        hostile.try_variant(target, bytes, &mut random);
        drop(variant);
        if number % 5000 == 0 {
            assert_eq!(hostile.reference(), sound, "something of variant {number} is left");
        }
    }
    hostile.tally
}

#[test]
fn every_answer_of_a_damaged_world_is_finite_or_a_refusal() {
    let half = variants() / 2;
    let halves = [0, 1]
        .map(|half_number| std::thread::spawn(move || run(1 + half_number * half as u64, half)));
    let mut moves = 0;
    for tally in halves.map(|half| half.join().expect("a variant failed")) {
        println!("{tally:?}");
        assert!(tally.refused > half / 5 && tally.built > half / 5, "{tally:?}");
        assert!(tally.views > half / 2, "{tally:?}");
        assert!(tally.farthest < FARTHEST, "{tally:?}");
        moves += tally.moves;
    }
    assert!(moves > 3 * half, "{moves}");
}

/// The records that are damaged are of every kind that decides where something is.
#[test]
fn every_kind_of_record_is_damaged() {
    let hostile = Hostile::new();
    let kinds: std::collections::BTreeSet<String> =
        hostile.targets().iter().map(|target| target.kind.to_string()).collect();
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
