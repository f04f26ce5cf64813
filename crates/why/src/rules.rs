//! Finds the rules that decided the outcome, by repeating the sweep under every other value of every rule.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Outcome, RULES, Refusal, Rules};

use super::node::Node;
use super::words::{self, metres};

/// The parts of an outcome that are compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EndState {
    pub(super) refused: Option<Refusal>,
    pub(super) at: Option<Position>,
    pub(super) cell: Option<CellId>,
    pub(super) stands: Option<bool>,
    pub(super) hit: Option<Vec3>,
    pub(super) cells: Vec<CellId>,
}

impl EndState {
    pub(super) fn of(outcome: &Outcome) -> Self {
        let stance = &outcome.stance;
        Self {
            refused: outcome.refused,
            at: Some(outcome.position),
            cell: outcome.cell,
            stands: stance.contact.then_some(stance.on_walkable),
            hit: outcome.hit,
            cells: outcome.cells.iter().map(|entry| entry.cell).collect(),
        }
    }

    /// Describes how this end differs from ours.
    fn difference(&self, ours: &Self) -> String {
        if let Some(refusal) = self.refused.filter(|_| self.refused != ours.refused) {
            return format!("it would not move: {refusal}");
        }
        let apart = self.at.zip(ours.at).map(|(at, ours)| ours.offset_to(&at).length());
        if self.cell != ours.cell || apart.is_some_and(|apart| apart > 0.0) {
            let cell = self.cell.map_or_else(|| "no cell".to_owned(), words::cell);
            return match (self.at, apart) {
                (Some(at), Some(apart)) => {
                    let at = words::vector(at.frame.origin);
                    format!("it would end at {at} in {cell}, {} from where it is", metres(apart))
                }
                _ => format!("it would be in {cell}"),
            };
        }
        if self.stands != ours.stands {
            return match self.stands {
                None => "it would stand on nothing".to_owned(),
                Some(true) => "it would stand on walkable ground".to_owned(),
                Some(false) => "it would stand on ground too steep to walk on".to_owned(),
            };
        }
        if self.hit != ours.hit {
            let name = |hit: Option<Vec3>| match hit {
                Some(hit) => format!("a surface {}", words::normal(hit)),
                None => "nothing".to_owned(),
            };
            let (now, then) = (name(ours.hit), name(self.hit));
            return format!("it would end at the same place, but run into {then} instead of {now}");
        }
        if self.cells == ours.cells {
            let frame = self.at.map_or_else(String::new, |at| words::place(&at));
            return format!("it would end at the same place, written as {frame}");
        }
        let list = |end: &Self| {
            let cells: Vec<String> = end.cells.iter().map(CellId::to_string).collect();
            if cells.is_empty() { "no cell".to_owned() } else { cells.join(", ") }
        };
        let same = if self.at.is_some() { "end at the same place, but " } else { "" };
        format!("it would {same}touch {} instead of {}", list(self), list(ours))
    }
}

/// Returns a node for each rule value that would have changed the end.
pub(super) fn decisive(
    rules: &Rules,
    ours: &EndState,
    mut run: impl FnMut(Rules) -> EndState,
) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut tried = 0_u64;
    for (rule, now) in rules.values() {
        for choice in rule.choices.iter().filter(|choice| choice.value != now) {
            let mut other = *rules;
            // A value of the table cannot be refused.
            if other.set(rule.name, choice.value).is_err() {
                continue;
            }
            tried += 1;
            let end = run(other);
            if end != *ours {
                let difference = end.difference(ours);
                let (name, value) = (rule.name, choice.value);
                let text = format!("{name} is {now}; if it were {value}, {difference}.");
                nodes.push(
                    Node::new("rule", text)
                        .with("rule", name)
                        .with("now", now)
                        .with("other", value)
                        .with("about", rule.about)
                        .with_some("at", end.at.map(|at| at.frame.origin))
                        .with_some("cell", end.cell)
                        .with_some("hit", end.hit)
                        .with("cells", end.cells.clone()),
                );
            }
        }
    }
    if nodes.is_empty() {
        let text = format!(
            "No rule decided: the outcome is the same under each of the {tried} other values of the {} rules.",
            RULES.len()
        );
        nodes.push(Node::new("no-rule", text).with("tried", tried));
    }
    nodes
}
