//! Hits of earlier steps that still affect a mover.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Mover, Outcome, Sweeper};
use threshold_why::{self as why, Explanation, Node, Value};

/// The last step that hit something, and its move, if that can be repeated.
#[derive(Debug, Default)]
pub(super) struct EarlierHit {
    step: Option<usize>,
    made: Option<(Mover, Position, Position)>,
}

impl EarlierHit {
    /// Notes the end of a step.
    pub(super) fn note(
        &mut self,
        step: usize,
        outcome: Option<&Outcome>,
        made: Option<(Mover, Position, Position)>,
    ) {
        if outcome.is_some_and(|outcome| outcome.is_ok() && outcome.hit.is_some()) {
            (self.step, self.made) = (Some(step), made);
        }
    }

    /// Names the obstacle of an earlier move in an explanation.
    pub(super) fn name(&self, what: &str, sweeper: &Sweeper<'_>, explanation: &mut Explanation) {
        let Some(step) = self.step else { return };
        let is_earlier = |node: &&mut Node| node.fact("earlier") == Some(&Value::Truth(true));
        for node in explanation.summary.iter_mut().filter(is_earlier) {
            let Some(Value::Vector(normal)) = node.fact("normal") else { continue };
            let normal = *normal;
            let name = self.made.as_ref().and_then(|(mover, from, to)| {
                let (_, earlier) = why::sweep(sweeper, mover, from, to);
                earlier.summary.iter().find_map(|node| surface(node, normal))
            });
            node.text.push_str(&match &name {
                Some(name) => format!(" It ran into that in {what} {step}: {name}."),
                None => format!(" It ran into that in {what} {step}."),
            });
            let named = std::mem::replace(node, Node::new("", ""));
            *node = named.with("earlier_step", step).with_some("who", name);
        }
    }
}

/// Returns the name of the obstacle that pushed a mover in a horizontal direction, if the node has one.
fn surface(node: &Node, normal: Vec3) -> Option<String> {
    let fact = |name| match node.fact(name) {
        Some(Value::Vector(vector)) => Some(*vector),
        _ => None,
    };
    if !matches!(node.kind, "stopped" | "also") || fact("hit").is_none() {
        return None;
    }
    let push = fact("push").or_else(|| fact("away")).or_else(|| fact("normal"))?;
    let level = Vec3::new(push.x, push.y, 0.0).try_normalize()?;
    let Some(Value::Text(who)) = node.fact("who") else { return None };
    let name = match node.fact("polygon") {
        Some(Value::Count(polygon)) if !who.starts_with("polygon") => {
            format!("polygon {polygon} of {who}")
        }
        _ if node.text.contains(" an edge of ") => format!("an edge of {who}"),
        _ => who.clone(),
    };
    (level.dot(normal) > 0.99).then_some(name)
}
