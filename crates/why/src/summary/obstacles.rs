//! Obstacles: the one that decided the outcome, then the others.

use threshold_motion::probe::{OffsetLimit, Stage};
use threshold_motion::{Outcome, Refusal};

use super::{Request, Summary};
use crate::node::Node;
use crate::obstacle::{
    ObstacleContext, consequences, ground_search_before, push_out_failure, verb,
};
use crate::record::{IncidentKind, Section, is_same};
use crate::stages::step_failure;
use crate::words::{self, metres, vector};

const EARLIER_HIT: &str = "the surface hit in an earlier move, ";

impl Summary<'_> {
    pub(super) fn stopped(&self) -> Vec<Node> {
        let swept = self.record.sections.first().is_some_and(|section| section.moved);
        if self.outcome.refused == Some(Refusal::NothingLeft) && !swept {
            return vec![self.nothing_left()];
        }
        let decisive = self.record.stopper(self.outcome.hit);
        let mut nodes = match decisive {
            Some((section, index)) => vec![self.obstacle(section, index, "stopped")],
            None => Vec::new(),
        };
        let earlier = self.earlier_hit(if nodes.is_empty() { "stopped" } else { "also" });
        // The ground that the mover came down on did not turn it aside.
        let is_footing = |(section, index): (&Section, usize)| {
            !section.is_obstacle(index) && !section.is_brushed(index)
        };
        let footing = decisive.is_some_and(is_footing);
        match earlier {
            Some(earlier) if footing => {
                nodes.insert(0, Node { kind: "stopped", ..earlier });
                nodes[1].kind = "also";
            }
            earlier => nodes.extend(earlier),
        }
        if nodes.is_empty() {
            nodes.push(self.unstopped());
        }
        if !self.request.is_placement() {
            nodes.extend(self.other_obstacles(decisive));
        }
        nodes
    }

    /// Obstacles other than the decisive one, each surface once.
    fn other_obstacles(&self, decisive: Option<(&Section, usize)>) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut described: Vec<_> =
            decisive.iter().map(|(section, index)| &section.incidents[*index]).collect();
        let brushed = self.record.all(Section::is_brushed);
        for (section, index) in self.record.obstacles().chain(brushed) {
            let incident = &section.incidents[index];
            if !described.iter().any(|other| is_same(other, incident)) {
                described.push(incident);
                nodes.push(self.obstacle(section, index, "also"));
            }
        }
        nodes
    }

    /// The surface of an earlier move that turns the mover aside through the sliding normal.
    fn earlier_hit(&self, kind: &'static str) -> Option<Node> {
        let (remaining, limit) = self.record.sections.first()?.remaining?;
        let (OffsetLimit::Wall(wall) | OffsetLimit::Crease { wall, .. }) = limit else {
            return None;
        };
        let verb = if kind == "also" { "Also turned" } else { "Turned" };
        let text = format!(
            "{verb} aside by {EARLIER_HIT}{}: {} of the move is left.",
            words::normal(wall),
            vector(remaining)
        );
        let node = Node::new(kind, text).with("normal", wall).with("left", remaining);
        Some(node.with("earlier", true).with("sub_step", 1_u32))
    }

    /// Places tried around the requested one.
    pub(super) fn rings(&self) -> Option<Node> {
        let is_around =
            |section: &&Section| matches!(section.stage, Stage::PlacementTry { number: 1.., .. });
        let count = self.record.sections.iter().filter(is_around).count();
        let places = match count {
            1 => "1 place".to_owned(),
            _ => format!("{count} places"),
        };
        let result = match self.outcome.is_ok() {
            true => "the last has room",
            false => "none has room",
        };
        let text = format!("Tried {places} around it, in growing rings: {result}.");
        (count > 0).then(|| Node::new("rings", text).with("count", count))
    }

    fn unstopped(&self) -> Node {
        let text = match self.outcome.refused {
            Some(Refusal::NoCell) if self.mover.lost => {
                "It was lost before: a mover in no cell collides with nothing."
            }
            Some(Refusal::EndNotFinite) => {
                "The obstacle is too large, too small or too far away: the resulting position is not finite."
            }
            Some(_) => "There was no sweep, so nothing was hit.",
            None if self.request.is_placement() && self.outcome.cell.is_none() => {
                "Nothing was tried: without a cell there is nothing to hit."
            }
            None if self.request.is_placement() || self.arrived() => "Nothing was in the way.",
            None => "Nothing was in the way; following the ground makes the difference.",
        };
        Node::new("unstopped", text)
    }

    /// A move of which the contact plane or the sliding normal leaves nothing.
    fn nothing_left(&self) -> Node {
        let remaining = self.record.sections.first().and_then(|section| section.remaining);
        let (normal, surface) = match remaining.map(|(_, limit)| limit) {
            Some(OffsetLimit::Ground(ground) | OffsetLimit::Slope(ground)) => {
                (ground, "the ground it stands on, ")
            }
            Some(OffsetLimit::Wall(wall) | OffsetLimit::Crease { wall, .. }) => (wall, EARLIER_HIT),
            _ => (self.mover.stance.sliding_normal, EARLIER_HIT),
        };
        let creased = matches!(remaining, Some((_, OffsetLimit::Crease { .. })));
        let direction = if creased { "along both it and the ground" } else { "along it" };
        let facing = words::normal(normal);
        let mut text =
            format!("Stopped by {surface}{facing}: no part of the move runs {direction}.");
        let earlier = surface == EARLIER_HIT;
        let outcome = self.without_normal.filter(|_| earlier);
        if let Some(outcome) = outcome {
            text.push(' ');
            text.push_str(&self.still_in_the_way(outcome));
        }
        Node::new("stopped", text)
            .with("normal", normal)
            .with("earlier", earlier)
            .with_some("still_there", outcome.map(|outcome| !outcome.is_ok()))
            .with("sub_step", 1_u32)
    }

    /// Obstacles that remain when the sliding normal is ignored.
    fn still_in_the_way(&self, outcome: &Outcome) -> String {
        let only = "Only the sliding normal kept from that hit stops it";
        match (outcome.is_ok(), outcome.hit) {
            (false, _) => "That surface is still in the way.".to_owned(),
            (true, None) => format!("{only}: nothing is in the way now."),
            (true, Some(hit)) => {
                let (start, _) = self.request.start_and_offset();
                let distance = metres(start.offset_to(&outcome.position).length());
                let facing = words::normal(hit);
                format!("{only}: it could now move {distance}, up to a surface {facing}.")
            }
        }
    }

    fn obstacle(&self, section: &Section, index: usize, kind: &'static str) -> Node {
        let felt = self.record.is_felt(section, index);
        let verb = match felt {
            true if self.record.ends_stopped() => "Stopped by",
            true => "Turned aside by",
            false => verb(section, index, kind == "also"),
        };
        // A mover that continues after a sub-step that was taken back was not stopped for good.
        let continues = section.is_stopped() && !self.record.ends_stopped();
        let held = verb == "Stopped by" && continues && !self.request.is_placement();
        let verb = if held { "Held up by" } else { verb };
        let spheres = self.mover.shape.spheres().len();
        let mut node = ObstacleContext { kind, verb, spheres }.describe(section, index);
        node.text = format!("{}{}.", node.text, self.place_in(section));
        for sentence in explain(section, index, felt) {
            node.text.push(' ');
            node.text.push_str(&sentence);
        }
        let failed_step = section.after(index).find_map(|incident| match incident {
            IncidentKind::StepUp(step) if !step.stepped => Some(step),
            _ => None,
        });
        node = node
            .with_some("step_height", failed_step.map(|step| step.height))
            .with_some("step_failed", failed_step.map(|step| step_failure(step.search.as_ref())))
            .with_some("hit", section.hit)
            .with_some("slid", section.slide(index).map(|slide| slide.remaining))
            .with_some("left_at", section.end.map(|at| at.frame.origin))
            .with("taken_back", section.is_stopped());
        match section.stage {
            Stage::SubStep { number, .. } => {
                let count = self.record.division.map(|division| division.count);
                node.with("sub_step", number + 1).with_some("sub_steps", count)
            }
            _ => node,
        }
    }

    /// The sub-step of a section, and the position of the mover at its end.
    fn place_in(&self, section: &Section) -> String {
        let count = self.record.sub_steps();
        let noun = match self.request {
            Request::Camera { .. } => "the camera",
            _ => "the mover",
        };
        let end = section.end.map(|at| format!(", leaving {noun} at {}", vector(at.frame.origin)));
        let end = end.unwrap_or_default();
        match section.stage {
            Stage::SubStep { number, .. } if count > 1 => {
                format!(", in sub-step {} of {count}{end}", number + 1)
            }
            Stage::SubStep { .. } => end,
            Stage::PlacementTry { number: 0, .. } => ", at the requested place".to_owned(),
            _ => String::new(),
        }
    }
}

/// Sentences on the causes and consequences of an incident.
fn explain(section: &Section, index: usize, felt: bool) -> impl Iterator<Item = String> {
    let pushes = section.stage == Stage::PushOut;
    let felt = felt.then(|| "It turns the next sub-step aside.".to_owned());
    ground_search_before(section, index)
        .into_iter()
        .chain(push_out_failure(section).filter(|_| pushes))
        .chain(consequences(section, index))
        .chain(felt)
}
