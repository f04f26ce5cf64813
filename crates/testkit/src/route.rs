//! Routes through rooms.

use std::collections::BTreeMap;

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::Outcome;
use threshold_world::{Portal, Room, World};

use crate::walk::Walk;

/// Returns the middles of the portals on the shortest route between two rooms.
pub fn shortest_route(world: &World, from: u32, to: u32) -> Vec<Position> {
    shortest_routes(world, CellId(from), |_, _| true).remove(&CellId(to)).unwrap()
}

/// Returns the longest of the shortest routes from a room, through upright portals alone.
pub fn longest_route(world: &World, from: CellId) -> Vec<Position> {
    let is_upright = |room: &Room, portal: &Portal| {
        room.space().rows.to_global(portal.plane.normal).z.abs() < 0.1
    };
    let routes = shortest_routes(world, from, is_upright).into_values();
    routes.max_by_key(Vec::len).unwrap()
}

/// The shortest routes from a room to all others, through portals that pass `is_open`.
fn shortest_routes(
    world: &World,
    from: CellId,
    is_open: impl Fn(&Room, &Portal) -> bool,
) -> BTreeMap<CellId, Vec<Position>> {
    let mut reached = BTreeMap::from([(from, Vec::new())]);
    let mut next = vec![from];
    while !next.is_empty() {
        let mut found = Vec::new();
        for id in std::mem::take(&mut next) {
            let room = world.room(id).unwrap();
            for portal in room.portals().iter().filter(|portal| is_open(room, portal)) {
                let Some(other) = portal.other.filter(|other| !reached.contains_key(other)) else {
                    continue;
                };
                let corners = room.portal_polygon(portal).vertices;
                let middle = room.to_block(corners.iter().sum::<Vec3>() / corners.len() as f32);
                let mut route: Vec<Position> = reached[&id].clone();
                route.push(Position::new(other, middle));
                reached.insert(other, route);
                found.push(other);
            }
        }
        next = found;
    }
    reached
}

/// Walks level towards one position after the other, and calls `after_step` with the outcome of every step.
pub fn follow_route<'w>(
    walk: &mut Walk,
    route: impl Iterator<Item = &'w Position>,
    mut after_step: impl FnMut(&mut Walk, usize, &Outcome),
) {
    for place in route {
        for tick in 0..120 {
            let left = walk.position().offset_to(place).with_z(0.0);
            if left.length() < 0.1 {
                break;
            }
            let by = left.clamp_length_max([0.1, 0.25, 0.9][tick % 3]);
            let outcome = walk.step(by.to_array());
            after_step(walk, tick, &outcome);
        }
    }
}

/// Returns a route of `holt`, from the street through the cottage and down its stairs.
pub fn street_to_stairs() -> Vec<Position> {
    let at = |cell: u32, x: f32, y: f32| Position::new(CellId(cell), Vec3::new(x, y, 40.0));
    vec![
        at(0xA9B4_0031, 156.0, 5.0),
        at(0xA9B4_0170, 156.0, 8.7),
        at(0xA9B4_0171, 156.0, 11.0),
        at(0xA9B4_0171, 153.25, 13.5),
        at(0xA9B4_0172, 153.25, 15.5),
        at(0xA9B4_0172, 151.7, 18.0),
        at(0xA9B4_0175, 151.7, 19.65),
        at(0xA9B4_0175, 155.0, 19.65),
    ]
}
