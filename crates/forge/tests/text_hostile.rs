//! Arbitrary texts: the reader makes a world or reports a mistake located within the text.
//!
//! `THRESHOLD_SOAK=1` runs twenty times as many cases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use proptest::prelude::*;
use threshold_forge::text::{self, TextError};

const EXAMPLES: [&str; 3] = [
    include_str!("worlds/house.txt"),
    include_str!("worlds/dungeon.txt"),
    include_str!("worlds/village.txt"),
];

/// Words of the format, and numbers of all kinds.
const WORDS: &str = "world plain dressed land size height roll length seed hill radius raise level slope lake road paint \
    above below grow everywhere disc rectangle path width landblock heights terrain roads scenes row put plan room block \
    stairs ramp join exit window outside solid gable lists sight reach box prism regular faces around from to at up heading \
    tilt turn of walls floor ceiling roof under buried times step door pane whole polygon along sill south east north west \
    wall ridge define thing scene plant share spread scale steepest cylinder ball creature mover steps card lamp colour touch \
    itself nothing building dungeon barrel brick plank rock grass water a b A9B4 A9B5 0102 FFFF 0 1 -1 2 3 8 0.5 64 1000 1e30 \
    -1e6 1e-30 0,0 1,1 4,4 24,24 0,0,0 1,1,1 4,4,3 8,4,3 -1,-1,-1 1e6,1e6,1e6 0,0,0,0 1,0,0,0 / \\ # \" \"a";

/// Reads a text, and checks that a mistake is located within it.
fn try_it(text: &str) {
    let Err(TextError { line, column, message }) = text::read(text) else { return };
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    assert!((1..=lines.len().max(1)).contains(&line), "line {line}: {message}");
    let length = lines.get(line - 1).map_or(0, |line| line.chars().count());
    assert!((1..=length + 1).contains(&column), "column {column} of {length}: {message}");
    assert!(!message.is_empty());
}

fn cases(count: u32) -> ProptestConfig {
    let times = if std::env::var_os("THRESHOLD_SOAK").is_some() { 20 } else { 1 };
    ProptestConfig { cases: count * times, failure_persistence: None, ..ProptestConfig::default() }
}

/// A word of the format, or sometimes anything.
fn word() -> impl Strategy<Value = String> {
    let words: Vec<String> =
        WORDS.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let number = any::<f32>().prop_map(|number| number.to_string());
    let point = prop::collection::vec(-20_i8..20, 1..5)
        .prop_map(|numbers| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
    prop_oneof![12 => prop::sample::select(words), 1 => number, 4 => point, 1 => "\\PC{0,6}"]
}

/// A change of a text: the index of the word, the kind of change, and the new word.
fn change() -> impl Strategy<Value = (prop::sample::Index, u8, String)> {
    (any::<prop::sample::Index>(), 0_u8..5, word())
}

/// A text with one word or line changed.
fn changed(text: &str, (index, how, word): &(prop::sample::Index, u8, String)) -> String {
    let mut lines: Vec<Vec<String>> =
        text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    let line = index.index(lines.len());
    let words = lines[line].len();
    let at = index.index(words.max(1) * 7) % words.max(1);
    match how {
        0 => lines[line][at].clone_from(word),
        1 => lines[line].insert(at, word.clone()),
        2 => drop(lines[line].remove(at)),
        3 => drop(lines.remove(line)),
        _ => {
            let copy = lines[line].clone();
            lines.insert(line, copy);
        }
    }
    lines.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_characters_are_read_or_refused(text in "\\PC{0,200}|[ -~\n\r\t]{0,300}") {
        try_it(&text);
    }

    #[test]
    fn any_bytes_that_are_text_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        try_it(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_are_read_or_refused(lines in prop::collection::vec(prop::collection::vec(word(), 0..9), 0..30)) {
        let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        try_it(&lines.join("\n"));
    }

    #[test]
    fn examples_with_mistakes_are_read_or_refused(
        example in prop::sample::select(EXAMPLES.to_vec()),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let text = changes.iter().fold(example.to_owned(), |text, change| changed(&text, change));
        try_it(&text);
    }
}
