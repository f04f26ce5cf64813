//! Facts from the world: the cell that contains a requested place, and the models and positions of objects.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::probe::CollisionTarget;
use threshold_motion::{Mover, adjust_position};
use threshold_world::{ObjectId, World};

use super::node::{Node, Rank, Value};
use super::record::SweepRecord;
use super::words::{self, metres, vector};

/// Number of neighbouring cells named in a sentence.
const MAX_NAMED: usize = 3;

/// The cell in which a placement starts, if that is not the requested one or there is none.
pub(super) fn start_cell(world: &World, mover: &Mover, at: &Position) -> Option<Node> {
    let low = mover.shape.spheres().first()?.centre;
    let point = at.frame.to_global(low);
    let found = adjust_position(world, at, low).filter(|found| world.cell(found.cell).is_some());
    let Some(found) = found else { return Some(no_cell(world, at, point)) };
    if found.cell == at.cell {
        return None;
    }
    let text = format!(
        "The centre of its lowest sphere, {}, is not in {} but in {}: the placement starts there.",
        vector(point),
        words::cell(at.cell),
        words::cell(found.cell)
    );
    Some(Node::new("seat", text).with("asked", at.cell).with("cell", found.cell).with("at", point))
}

/// Why no cell contains the place.
fn no_cell(world: &World, at: &Position, point: Vec3) -> Node {
    let (requested, centre) = (words::cell(at.cell), vector(point));
    let node = |text| Node::new("seat", text).with("asked", at.cell).with("at", point);
    if at.cell.is_outdoor() {
        return node(format!("No land is resident at {centre}, or it is off the map."));
    }
    let Some(room) = world.room(at.cell) else {
        return node(format!("{} is not resident.", words::sentence(&requested)));
    };
    let ids =
        std::iter::once(at.cell).chain(room.stabs().iter().copied().filter(|id| *id != at.cell));
    let mut rooms: Vec<(_, f32)> = ids
        .filter_map(|id| {
            let room = world.room(id)?;
            let tree = &room.structure().cell_tree;
            Some((id, -tree.depth(room.to_local(point), f32::NEG_INFINITY)))
        })
        .collect();
    let others = rooms.len() - 1;
    rooms[1..].sort_by(|a, b| a.1.total_cmp(&b.1));
    let outside = match room.seen_outside() {
        true => "; the room sees the outdoors, but no land is resident there",
        false => "; the room does not see the outdoors",
    };
    let near = rooms.iter().take(MAX_NAMED + 1);
    let near: Vec<String> =
        near.map(|(id, distance)| format!("{id} by {}", metres(*distance))).collect();
    let text = format!(
        "Neither {requested} nor any of the {others} rooms of its stab list contains the centre of the \
         lowest sphere, {centre}{outside}. It is outside of {}.",
        near.join(", ")
    );
    let mut node = node(text);
    node.children = rooms
        .iter()
        .map(|(id, distance)| {
            let name = words::sentence(&words::cell(*id));
            let text = format!("{name}: {centre} is {} outside.", metres(*distance));
            Node::new("candidate", text)
                .with("cell", *id)
                .with("outside", *distance)
                .ranked(Rank::Detail)
        })
        .collect();
    node
}

/// Adds the model and the position of each object named in the summary.
pub(super) fn name_objects(world: &World, record: &SweepRecord, summary: &mut [Node]) {
    let incidents = record.sections.iter().flat_map(|section| &section.incidents);
    let mut ids: Vec<ObjectId> = incidents
        .flat_map(|incident| &incident.target)
        .filter_map(|target| match target {
            CollisionTarget::Object(id) => Some(*id),
            _ => None,
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    for object in ids.into_iter().filter_map(|id| world.object(id)) {
        let name = object.id().to_string();
        let is_named = |node: &&mut Node| node.fact("object") == Some(&Value::Text(name.clone()));
        let Some(node) = summary.iter_mut().find(is_named) else { continue };
        let (model, at) = (object.model(), object.position());
        let sentence = format!(" {} is {model} at {}.", words::sentence(&name), words::place(at));
        node.text.push_str(&sentence);
        let named = std::mem::replace(node, Node::new("", ""));
        *node = named.with("model", model.to_string()).with("object_at", at.frame.origin);
    }
}
