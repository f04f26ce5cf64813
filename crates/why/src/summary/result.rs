//! The request and its result.

use threshold_land::vector::Vec3;
use threshold_motion::{MAX_SUB_STEPS, Outcome, Refusal, Search};

use super::{Request, Summary};
use crate::node::Node;
use crate::words::{self, metres, vector};

/// Distance in metres below which the target counts as reached.
const ARRIVED: f32 = 0.005;

impl Summary<'_> {
    pub(super) fn wanted(&self) -> Node {
        match self.request {
            Request::Move { from, to } | Request::Camera { from, to } => {
                let mover = match self.request {
                    Request::Camera { .. } => "a camera",
                    _ => &format!("the mover, which {},", words::stance(&self.mover.stance)),
                };
                let offset = from.offset_to(to);
                let (length, offset_text) = (metres(offset.length()), vector(offset));
                let text = format!(
                    "Wanted: move {mover} by {offset_text} ({length}) from {}.",
                    words::place(from)
                );
                Node::new("wanted", text)
                    .with("from", from.frame.origin)
                    .with("cell", from.cell)
                    .with("by", offset)
            }
            Request::Place { at, search } => {
                let near = match search {
                    Search::Here => "and nowhere else",
                    Search::Around => "or at the nearest place with room",
                };
                let text = format!("Wanted: place the mover at {}, {near}.", words::place(at));
                Node::new("wanted", text).with("at", at.frame.origin).with("cell", at.cell)
            }
        }
    }

    /// Returns whether the mover reached the target; for a walking mover the height is ignored.
    pub(super) fn arrived(&self) -> bool {
        let (start, offset) = self.request.start_and_offset();
        let level = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        let walks = self.outcome.stance.contact && level(offset) != Vec3::ZERO;
        let (missing, tolerance) = match self.request {
            Request::Place { at, .. } => (level(self.outcome.position.offset_to(at)), ARRIVED),
            Request::Move { to, .. } | Request::Camera { to, .. } => {
                let missing = self.outcome.position.offset_to(to);
                let missing = if walks { level(missing) } else { missing };
                (missing, ARRIVED.min(offset.length() * 0.05))
            }
        };
        let stayed = offset != Vec3::ZERO && start.offset_to(&self.outcome.position) == Vec3::ZERO;
        let held = stayed || self.record.ends_stopped() && !self.request.is_placement();
        self.outcome.is_ok() && !held && missing.length() <= tolerance
    }

    pub(super) fn result(&self) -> Node {
        let Outcome { position, refused, cell, .. } = self.outcome;
        let placement = self.request.is_placement();
        let node = |text: String| {
            let placed = cell.is_some() || !placement;
            Node::new("result", text)
                .with("ok", refused.is_none() && placed)
                .with("at", position.frame.origin)
                .with_some("cell", *cell)
        };
        if let Some(refusal) = refused {
            let result = if placement { "It is not placed" } else { "It does not move" };
            let limit = self.distance_limit().unwrap_or_default();
            return node(format!("{result}: {refusal}{limit}."))
                .with("refused", refusal.to_string());
        }
        let (start, offset) = self.request.start_and_offset();
        let moved = start.offset_to(position);
        let text = if placement { self.placed(moved) } else { self.moved(moved) };
        node(text)
            .with("moved", moved)
            .with("wished", offset.length())
            .with("arrived", self.arrived())
    }

    fn end(&self) -> String {
        let position = &self.outcome.position;
        match self.outcome.cell {
            Some(_) => words::place(position),
            None => format!("{}, in no resident cell: it is lost", vector(position.frame.origin)),
        }
    }

    fn placed(&self, moved: Vec3) -> String {
        let end = self.end();
        if self.outcome.cell.is_none() {
            return "It is not placed: it would be in no cell, and lost.".to_owned();
        }
        let height = placed_height(moved.z);
        if self.arrived() {
            return format!("It is placed there, at {end}{height}.");
        }
        let distance = metres(Vec3::new(moved.x, moved.y, 0.0).length());
        format!("It is placed {distance} away, at {end}{height}.")
    }

    fn moved(&self, moved: Vec3) -> String {
        let (_, offset) = self.request.start_and_offset();
        let end = self.end();
        if offset == Vec3::ZERO {
            return format!("The move has no length; it stays at {end}.");
        }
        if self.arrived() {
            return format!(
                "It moves all the way, to {end}{}.",
                height_difference((moved - offset).z)
            );
        }
        if moved.length() < 1e-6 {
            return format!("It stays at {end}.");
        }
        format!(
            "It moves {} (by {}) instead of {}, to {end}.",
            metres(moved.length()),
            vector(moved),
            metres(offset.length())
        )
    }

    /// The limit that a move was refused for, if it is too far.
    fn distance_limit(&self) -> Option<String> {
        if self.outcome.refused != Some(Refusal::TooFar) {
            return None;
        }
        let (_, offset) = self.request.start_and_offset();
        let radius = self.mover.shape.spheres().first()?.radius;
        let needed = (offset.length() / radius).ceil();
        Some(format!(
            ". It needs {} sub-steps of {}; at most {MAX_SUB_STEPS} are allowed, which is {}",
            words::number(needed),
            metres(radius),
            metres(radius * MAX_SUB_STEPS as f32)
        ))
    }
}

/// How much lower or higher a move ends than requested, if that is more than 0.05 m.
fn height_difference(z: f32) -> String {
    match z {
        z if z < -0.05 => format!(", {} lower than requested", metres(-z)),
        z if z > 0.05 => format!(", {} higher than requested", metres(z)),
        _ => String::new(),
    }
}

/// How much lower or higher a mover is placed than requested.
fn placed_height(z: f32) -> String {
    match z {
        z if z < -0.01 => format!(", {} lower, on the ground below", metres(-z)),
        z if z > 0.01 => format!(", {} higher", metres(z)),
        _ => String::new(),
    }
}
