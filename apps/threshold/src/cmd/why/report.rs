//! An explanation as text and as JSON. Both have the same sentences.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use threshold_conformance::{Scenario, Step};
use threshold_why::{Explanation, Fact, Node, Value};

/// Columns that a line should not go beyond.
const WIDTH: usize = 100;

/// The explanation of a move, with its title and notes.
pub(super) struct Report {
    title: String,
    pub(super) notes: Vec<String>,
    /// The scenario, the number of the step, and its recorded result.
    pub(super) scenario: Option<(Scenario, usize, Step)>,
    explanation: Explanation,
}

impl Report {
    pub(super) fn new(title: String, explanation: Explanation) -> Self {
        Self { title, notes: Vec::new(), scenario: None, explanation }
    }

    /// Returns the JSON key, heading and nodes of each part.
    fn parts(&self) -> [(&'static str, &'static str, &[Node]); 3] {
        let Explanation { summary, rules, steps, .. } = &self.explanation;
        [
            ("summary", "Summary", summary),
            ("rules", "Rules that decided", rules),
            ("steps", "Sub-steps", steps),
        ]
    }

    pub(super) fn print(&self, out: &mut impl Write, full: bool) -> io::Result<()> {
        line(out, 0, &self.title)?;
        for note in &self.notes {
            line(out, 0, note)?;
        }
        for (_, heading, nodes) in self.parts().into_iter().filter(|part| !part.2.is_empty()) {
            writeln!(out, "\n{heading}")?;
            for node in nodes {
                let lines = node.lines(full);
                let lines = if full {
                    lines.into_iter().map(owned).collect()
                } else {
                    fold_repeats(&lines)
                };
                for (depth, text) in lines {
                    line(out, 2 * (depth + 1), &text)?;
                }
            }
        }
        if !full {
            writeln!(out, "\n--full shows every event, --json is for programs.")?;
        }
        Ok(())
    }
}

/// Longest block of repeated lines that is folded.
const MAX_BLOCK: usize = 8;

fn owned((depth, text): (usize, &str)) -> (usize, String) {
    (depth, text.to_owned())
}

/// Folds blocks of lines that are repeated in a row into one, with the number of repeats.
fn fold_repeats(lines: &[(usize, &str)]) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let times = |length: usize| {
            let block = &rest[..length];
            rest.chunks_exact(length).take_while(|next| *next == block).count()
        };
        let max_block = MAX_BLOCK.min(rest.len() / 2);
        let repeated =
            (1..=max_block).map(|length| (length, times(length))).find(|(_, times)| *times > 1);
        let (length, times) = repeated.unwrap_or((1, 1));
        out.extend(rest[..length].iter().copied().map(owned));
        match (length, times) {
            (_, 1) => {}
            (1, _) => {
                if let Some((_, text)) = out.last_mut() {
                    text.push_str(&format!(" ({times} times)"));
                }
            }
            _ => out.push((first.0, format!("(These {length} sentences {times} times.)"))),
        }
        rest = &rest[length * times..];
    }
    out
}

/// Writes a sentence, wrapped at [`WIDTH`] columns.
fn line(out: &mut impl Write, indent: usize, text: &str) -> io::Result<()> {
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column == 0 {
            write!(out, "{:indent$}{word}", "")?;
            column = indent + length;
        } else if column + 1 + length > WIDTH {
            // Continued lines are indented by two more columns.
            let hang = indent + 2;
            write!(out, "\n{:hang$}{word}", "")?;
            column = hang + length;
        } else {
            write!(out, " {word}")?;
            column += 1 + length;
        }
    }
    writeln!(out)
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("notes", &self.notes)?;
        if let Some((scenario, step, record)) = &self.scenario {
            map.serialize_entry("id", &scenario.id)?;
            map.serialize_entry("kind", &scenario.kind())?;
            map.serialize_entry("step", step)?;
            map.serialize_entry("steps_in_all", &scenario.steps())?;
            map.serialize_entry("record", record)?;
        }
        for (name, _, nodes) in self.parts() {
            map.serialize_entry(name, &nodes.iter().map(Sentence).collect::<Vec<_>>())?;
        }
        map.end()
    }
}

/// Serialises a node.
struct Sentence<'a>(&'a Node);

impl Serialize for Sentence<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Node { kind, text, facts, children, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("text", text)?;
        if !facts.is_empty() {
            map.serialize_entry("facts", &Facts(facts))?;
        }
        if !children.is_empty() {
            map.serialize_entry("children", &children.iter().map(Sentence).collect::<Vec<_>>())?;
        }
        map.end()
    }
}

/// Serialises facts as a map.
struct Facts<'a>(&'a [Fact]);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|fact| (fact.name, FactValue(&fact.value))))
    }
}

/// Serialises the value of a fact.
struct FactValue<'a>(&'a Value);

impl Serialize for FactValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Number(number) => number.serialize(serializer),
            Value::Count(count) => count.serialize(serializer),
            Value::Vector(vector) => vector.to_array().serialize(serializer),
            Value::Cell(cell) => cell.to_string().serialize(serializer),
            Value::Cells(cells) => serializer.collect_seq(cells.iter().map(ToString::to_string)),
            Value::Truth(truth) => truth.serialize(serializer),
            Value::Text(text) => text.serialize(serializer),
            other => serializer.collect_str(&format_args!("{other:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(indent: usize, text: &str, want: &str) {
        let mut out = Vec::new();
        line(&mut out, indent, text).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), want);
    }

    #[test]
    fn repeated_sentences_are_folded() {
        let lines = |text: &'static str| text.split(' ').map(|word| (1, word)).collect::<Vec<_>>();
        let check = |text, want: &[&str]| {
            let folded: Vec<String> =
                fold_repeats(&lines(text)).into_iter().map(|line| line.1).collect();
            assert_eq!(folded, want, "{text}");
        };
        check("a b c", &["a", "b", "c"]);
        check("a b b b c", &["a", "b (3 times)", "c"]);
        check("a b c b c d", &["a", "b", "c", "(These 2 sentences 2 times.)", "d"]);
    }

    #[test]
    fn continued_lines_are_indented() {
        check(2, "a b", "  a b\n");
        let word = "w".repeat(60);
        check(4, &format!("{word} {word}"), &format!("    {word}\n      {word}\n"));
        check(0, "", "\n");
    }
}
