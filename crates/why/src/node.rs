//! Trees of sentences with facts.

use threshold_land::CellId;
use threshold_land::vector::Vec3;

/// A sentence, with its numbers as facts and its details as children.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Kind of statement, in one word. Part of the JSON format.
    pub kind: &'static str,
    /// The sentence, for people.
    pub text: String,
    /// The same for programs, not rounded.
    pub facts: Vec<Fact>,
    /// Details, in order.
    pub children: Vec<Node>,
    /// Whether a short report includes it.
    pub rank: Rank,
}

/// Importance of a node for a short report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The node and its children are included.
    Main,
    /// The node is left out; its children are included.
    Frame,
    /// The node and its children are left out.
    Detail,
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The name, a JSON key.
    pub name: &'static str,
    /// The value.
    pub value: Value,
}

/// A value of a [`Fact`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A length in metres, a time in seconds, or a number without a unit.
    Number(f32),
    /// A count, or an index from 0.
    Count(u64),
    /// A point, an offset, a normal or a velocity.
    Vector(Vec3),
    /// A cell.
    Cell(CellId),
    /// Several cells, in order.
    Cells(Vec<CellId>),
    /// A truth value.
    Truth(bool),
    /// Anything else, such as the name of an object.
    Text(String),
}

macro_rules! value_from {
    ($($from:ty => $variant:ident),+ $(,)?) => {
        $(impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        })+
    };
}

value_from! {
    f32 => Number,
    u64 => Count,
    u32 => Count,
    u8 => Count,
    Vec3 => Vector,
    CellId => Cell,
    Vec<CellId> => Cells,
    bool => Truth,
    String => Text,
    &str => Text,
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Count(value as u64)
    }
}

impl Node {
    /// Creates a node of rank [`Rank::Main`].
    pub fn new(kind: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kind, text, facts: Vec::new(), children: Vec::new(), rank: Rank::Main }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.facts.push(Fact { name, value: value.into() });
        self
    }

    /// Adds a fact if the value is `Some`.
    #[must_use]
    pub fn with_some<T: Into<Value>>(self, name: &'static str, value: Option<T>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Sets the rank.
    #[must_use]
    pub(crate) fn ranked(mut self, rank: Rank) -> Self {
        self.rank = rank;
        self
    }

    /// Returns the value of a fact.
    pub fn fact(&self, name: &str) -> Option<&Value> {
        self.facts.iter().find(|fact| fact.name == name).map(|fact| &fact.value)
    }

    /// Returns the lines of a report, each with its depth; `full` includes frames and details.
    pub fn lines(&self, full: bool) -> Vec<(usize, &str)> {
        let mut lines = Vec::new();
        self.write(0, full, &mut lines);
        lines
    }

    fn write<'a>(&'a self, depth: usize, full: bool, lines: &mut Vec<(usize, &'a str)>) {
        let child_depth = match self.rank {
            Rank::Detail if !full => return,
            Rank::Frame if !full => depth,
            Rank::Main | Rank::Frame | Rank::Detail => {
                lines.push((depth, self.text.as_str()));
                depth + 1
            }
        };
        self.children.iter().for_each(|child| child.write(child_depth, full, lines));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_report_leaves_out_details_and_looks_through_frames() {
        let leaf = |text: &str, rank| Node::new("leaf", text).ranked(rank);
        let mut frame = leaf("the room is tested", Rank::Frame);
        frame.children = vec![leaf("it meets a wall", Rank::Main)];
        let mut detail = leaf("is there room?", Rank::Detail);
        detail.children = vec![leaf("no", Rank::Main)];
        let mut all = Node::new("all", "a sub-step");
        all.children = vec![frame, detail];
        assert_eq!(all.lines(false), [(0, "a sub-step"), (1, "it meets a wall")]);
        assert_eq!(all.lines(true).len(), 5);
        assert_eq!(all.lines(true)[2], (2, "it meets a wall"));
    }

    #[test]
    fn facts_are_found_by_name() {
        let node = Node::new("x", "y").with("radius", 0.48_f32).with_some::<f32>("height", None);
        assert_eq!(node.fact("radius"), Some(&Value::Number(0.48)));
        assert_eq!(node.fact("height"), None);
    }
}
