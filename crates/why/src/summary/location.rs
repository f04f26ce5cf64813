//! What the mover stands on, and the cell it is in.

use threshold_land::BLOCK_LENGTH;
use threshold_land::vector::Vec3;

use super::Summary;
use crate::cell_arrays;
use crate::node::Node;
use crate::obstacle::footing_name;
use crate::record::{CellArrayRecord, StandingSurface};
use crate::words::{self, vector};

impl Summary<'_> {
    pub(super) fn stands(&self) -> Node {
        let stance = &self.outcome.stance;
        if !stance.contact {
            return Node::new("stands", "It stands on nothing: it is in the air.")
                .with("contact", false);
        }
        let normal = stance.plane.normal;
        let node = |text: String| {
            Node::new("stands", text).with("contact", true).with("walkable", stance.on_walkable)
        };
        if normal == Vec3::ZERO {
            return node(
                "It stands on the ground it was placed on; the plane is not known yet.".into(),
            );
        }
        let footing = self.footing();
        let surface = match footing {
            Some(footing) => footing_name(footing),
            None if self.record.stationary == 3 => {
                "assumed ground, after three falls without movement".to_owned()
            }
            None if self.mover.stance.plane == stance.plane => {
                "the same ground as before".to_owned()
            }
            None => "ground".to_owned(),
        };
        let walkable = match stance.on_walkable {
            true => "walkable",
            false => "too steep to walk on",
        };
        let facing = words::normal(normal);
        node(format!("It stands on {surface}, {facing}, {walkable}."))
            .with("normal", normal)
            .with("d", stance.plane.d)
            .with("cell", stance.plane_cell)
            .with("who", surface)
            .with_some("polygon", footing.and_then(|footing| footing.polygon))
    }

    /// The footing of the final contact plane, if this move found it.
    fn footing(&self) -> Option<&StandingSurface> {
        let plane = self.outcome.stance.plane;
        self.record.footings.iter().rev().find(|footing| footing.plane == plane)
    }

    /// The centre of the first sphere at the end.
    fn centre(&self) -> Vec3 {
        let sphere = self.mover.shape.spheres().first().map_or(Vec3::ZERO, |sphere| sphere.centre);
        self.outcome.position.frame.to_global(sphere)
    }

    /// The cell array at the end.
    fn last_cell_array(&self) -> Option<&CellArrayRecord> {
        let centre = self.centre();
        let arrays = &self.record.cell_arrays;
        let picks_cell = |array: &&CellArrayRecord| array.picked == self.outcome.cell;
        let is_at_end =
            |array: &&CellArrayRecord| picks_cell(array) && is_near(array.centre, centre);
        arrays.iter().rev().find(is_at_end).or_else(|| arrays.iter().rev().find(picks_cell))
    }

    pub(super) fn cell(&self) -> Option<Node> {
        if let Some(array) = self.last_cell_array() {
            let node = cell_arrays::why_picked(array);
            if is_near(array.centre, self.centre()) {
                return Some(node);
            }
            let when = match array.sub_step {
                0 => String::new(),
                number => format!(" This was found in sub-step {number}, with the centre at "),
            };
            let text = format!("{}{when}{}.", node.text, vector(array.centre));
            return Some(Node { text, ..node });
        }
        let cell = self.outcome.cell?;
        let name = words::cell(cell);
        let (start, _) = self.request.start_and_offset();
        let still = start.offset_to(&self.outcome.position) == Vec3::ZERO;
        let reason = match self.record.cell_arrays.last() {
            Some(last) if self.record.ends_stopped() => {
                let found = last.picked.map_or_else(|| "no cell".to_owned(), words::cell);
                format!(
                    "a mover that is taken back keeps its cell, although {found} contains the centre"
                )
            }
            _ if still => "it did not move".to_owned(),
            _ => "no cell array was built".to_owned(),
        };
        let text = format!("It is in {name}, as before: {reason}.");
        Some(Node::new("cell", text).with("cell", cell))
    }

    /// Where the mover entered its cell, unless the cell array at the end already shows that.
    pub(super) fn crossing(&self) -> Option<Node> {
        let array = self.record.crossing.as_ref()?;
        let count = self.record.division?.count;
        let (start, _) = self.request.start_and_offset();
        let entered = array.picked == self.outcome.cell && start.cell != array.picked?;
        let shown = self.last_cell_array().is_some_and(|shown| shown.cells == array.cells);
        if entered && !shown { cell_arrays::crossing(array, count) } else { None }
    }
}

/// Returns whether two points are the same, also when they are in the frames of two landblocks.
fn is_near(a: Vec3, b: Vec3) -> bool {
    let difference = a - b;
    let wrap = |v: f32| v - BLOCK_LENGTH * (v / BLOCK_LENGTH).round();
    Vec3::new(wrap(difference.x), wrap(difference.y), difference.z).length() < 1e-3
}
