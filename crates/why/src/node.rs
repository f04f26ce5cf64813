//! Sentences with facts, in a tree.

use threshold_land::CellId;
use threshold_land::glam::Vec3;

/// Something that is said, with the numbers in it and what there is to say about it in detail.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What sort of thing it is, in a word.
    pub kind: &'static str,
    /// A sentence for a person.
    pub text: String,
    /// The same for a program, and more exactly.
    pub facts: Vec<Fact>,
    /// What happened within, in order.
    pub children: Vec<Node>,
    /// Whether it is said where little is said.
    pub rank: Rank,
}

/// How much something matters to who reads a short account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// It is said.
    Main,
    /// It is not said, but what matters within it is.
    Frame,
    /// Neither it nor what is within it is said.
    Detail,
}

/// A value under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is.
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
    /// Yes or no.
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
    /// A sentence that matters.
    pub fn new(kind: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kind, text, facts: Vec::new(), children: Vec::new(), rank: Rank::Main }
    }

    /// With a fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.facts.push(Fact { name, value: value.into() });
        self
    }

    /// With a fact, where there is one.
    #[must_use]
    pub fn with_some<T: Into<Value>>(self, name: &'static str, value: Option<T>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// With this rank.
    #[must_use]
    pub fn ranked(mut self, rank: Rank) -> Self {
        self.rank = rank;
        self
    }

    /// The value of a fact.
    pub fn fact(&self, name: &str) -> Option<&Value> {
        self.facts.iter().find(|fact| fact.name == name).map(|fact| &fact.value)
    }

    /// The lines of an account, each with how deep it lies: everything, or what matters.
    pub fn lines(&self, full: bool) -> Vec<(usize, &str)> {
        let mut lines = Vec::new();
        self.write(0, full, &mut lines);
        lines
    }

    fn write<'a>(&'a self, depth: usize, full: bool, lines: &mut Vec<(usize, &'a str)>) {
        let within = match self.rank {
            Rank::Detail if !full => return,
            Rank::Frame if !full => depth,
            Rank::Main | Rank::Frame | Rank::Detail => {
                lines.push((depth, self.text.as_str()));
                depth + 1
            }
        };
        self.children.iter().for_each(|child| child.write(within, full, lines));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_account_leaves_out_details_and_looks_through_frames() {
        let leaf = |text: &str, rank| Node::new("leaf", text).ranked(rank);
        let mut frame = leaf("the room is asked", Rank::Frame);
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
