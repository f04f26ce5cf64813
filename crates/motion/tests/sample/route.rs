//! Ways through rooms.

use std::collections::BTreeMap;

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_world::World;

/// The middles of the portals on the shortest way between two rooms.
pub(crate) fn sills(world: &World, from: u32, to: u32) -> Vec<Position> {
    let (from, to) = (CellId(from), CellId(to));
    let mut reached = BTreeMap::from([(from, Vec::new())]);
    let mut next = vec![from];
    while !reached.contains_key(&to) {
        let mut found = Vec::new();
        for id in std::mem::take(&mut next) {
            let room = world.room(id).unwrap();
            for portal in room.portals() {
                let Some(other) = portal.other.filter(|other| !reached.contains_key(other)) else {
                    continue;
                };
                let corners = room.portal_polygon(portal).vertices;
                let middle = room.to_block(corners.iter().sum::<Vec3>() / corners.len() as f32);
                let mut way: Vec<Position> = reached[&id].clone();
                way.push(Position::new(other, middle));
                reached.insert(other, way);
                found.push(other);
            }
        }
        next = found;
    }
    reached.remove(&to).unwrap()
}

/// In holt, from the street through the cottage and down its stairs.
pub(crate) fn street_to_stairs() -> Vec<Position> {
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
