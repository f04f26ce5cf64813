//! Worlds written as text: they are those that the same calls make, and every mistake is shown where it is.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::text;

const HOUSE: &str = include_str!("worlds/house.txt");
const DUNGEON: &str = include_str!("worlds/dungeon.txt");
const VILLAGE: &str = include_str!("worlds/village.txt");

#[test]
fn the_examples_can_be_read() {
    for (name, example) in [("house", HOUSE), ("dungeon", DUNGEON), ("village", VILLAGE)] {
        if let Err(error) = text::read(example) {
            panic!("{name}: {error}");
        }
    }
}
