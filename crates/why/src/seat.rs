//! What the world knows of a place and of objects: which cell something is put into, and where objects stand.

use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_motion::probe::CollisionTarget;
use threshold_motion::{Mover, adjust_position};
use threshold_world::{ObjectId, World};

use super::account::Account;
use super::node::{Node, Rank, Value};
use super::words::{self, metres, vector};

/// So many cells are named.
const NAMED: usize = 3;

/// What there is to say where the cell is another than the one that was named, or there is none.
pub(super) fn node(world: &World, mover: &Mover, at: &Position) -> Option<Node> {
    let low = mover.shape.spheres().first()?.centre;
    let point = at.frame.to_global(low);
    let found = adjust_position(world, at, low).filter(|found| world.cell(found.cell).is_some());
    let (asked, middle) = (words::cell(at.cell), vector(point));
    let Some(found) = found else { return Some(nowhere(world, at, point)) };
    if found.cell == at.cell {
        return None;
    }
    let text = format!(
        "The middle of its lowest sphere, {middle}, is not in {asked} but in {}: there it begins.",
        words::cell(found.cell)
    );
    Some(Node::new("seat", text).with("asked", at.cell).with("cell", found.cell).with("at", point))
}

/// Why there is no cell.
fn nowhere(world: &World, at: &Position, point: Vec3) -> Node {
    let (asked, middle) = (words::cell(at.cell), vector(point));
    let node = |text| Node::new("seat", text).with("asked", at.cell).with("at", point);
    if at.cell.is_outdoor() {
        return node(format!("No land is resident at {middle}, or the map ends before."));
    }
    let Some(room) = world.room(at.cell) else {
        return node(format!("{} is not resident.", words::sentence(&asked)));
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
        true => "; it sees the outside, but no land is resident there",
        false => "; it does not see the outside",
    };
    let near = rooms.iter().take(NAMED + 1);
    let near: Vec<String> = near.map(|(id, off)| format!("{id} by {}", metres(*off))).collect();
    let text = format!(
        "Neither {asked} nor any of the {others} rooms that it sees contains the middle of the lowest \
         sphere, {middle}{outside}. It is outside of {}.",
        near.join(", ")
    );
    let mut node = node(text);
    node.children = rooms
        .iter()
        .map(|(id, off)| {
            let name = words::sentence(&words::cell(*id));
            let text = format!("{name}: {middle} is {} outside.", metres(*off));
            Node::new("candidate", text)
                .with("cell", *id)
                .with("outside", *off)
                .ranked(Rank::Detail)
        })
        .collect();
    node
}

/// Says of every object that is named what it is made from and where it stands.
pub(super) fn name_objects(world: &World, account: &Account, summary: &mut [Node]) {
    let all = account.chapters.iter().flat_map(|chapter| &chapter.happenings);
    let mut ids: Vec<ObjectId> = all
        .flat_map(|happening| &happening.who)
        .filter_map(|who| if let CollisionTarget::Object(id) = who { Some(*id) } else { None })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    for object in ids.into_iter().filter_map(|id| world.object(id)) {
        let name = object.id().to_string();
        let named = |node: &&mut Node| node.fact("object") == Some(&Value::Text(name.clone()));
        let Some(node) = summary.iter_mut().find(named) else { continue };
        let (model, at) = (object.model(), object.position());
        let said = format!(" {} is {model} at {}.", words::sentence(&name), words::place(at));
        node.text.push_str(&said);
        let told = std::mem::replace(node, Node::new("", ""));
        *node = told.with("model", model.to_string()).with("object_at", at.frame.origin);
    }
}
