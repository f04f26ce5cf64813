//! Spread of light from cell to cell, through all portals within the reach of its source.
//!
//! Retail lights surfaces by distance alone, even through walls. Here a cell is lit only if portals within the reach of
//! the light connect it with the light's own cell. At the first portal out of reach the light has faded to nothing, so
//! no edge shows between a lit and an unlit cell. Walls inside a lit cell cast no shadows.

use std::collections::BTreeMap;

use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, block_offset_between};
use threshold_world::{PieceId, Portal, Room, World};

use crate::drawn::neighbours;

/// Largest number of cells that one light reaches. Too few leave edges of light in mazes of tiny rooms; each one costs
/// time on every change of the world.
const MAX_CELLS: usize = 64;

/// A place that light reaches: a room, or outdoors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LitPlace {
    Outdoors,
    Room(CellId),
}

/// A light source: a point in the frame of a landblock, and its reach in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct LightSource {
    pub(super) block: BlockId,
    pub(super) at: Vec3,
    pub(super) reach: f32,
}

/// Finds the cells that a light reaches.
pub(super) struct Spread<'a> {
    world: &'a World,
    /// Exit portals of each landblock.
    exits: BTreeMap<BlockId, Vec<(&'a Room, &'a Portal)>>,
}

impl<'a> Spread<'a> {
    pub(super) fn new(world: &'a World) -> Self {
        let mut exits: BTreeMap<BlockId, Vec<_>> = BTreeMap::new();
        for room in rooms(world) {
            let own = room.portals().iter().filter(|portal| portal.other.is_none());
            let own = own.map(|portal| (room, portal));
            exits.entry(room.id().block()).or_default().extend(own);
        }
        Self { world, exits }
    }

    /// Returns the places that light from a source in `start` reaches, in breadth-first order. Light enters only rooms that
    /// `admits` accepts.
    pub(super) fn places(
        &self,
        source: LightSource,
        start: LitPlace,
        admits: impl Fn(&Room) -> bool,
    ) -> Vec<LitPlace> {
        let mut found = vec![start];
        let mut next = 0;
        while next < found.len() {
            match found[next] {
                LitPlace::Room(cell) => {
                    let Some(room) = self.world.room(cell) else { break };
                    let near = room.portals().iter();
                    for portal in near.filter(|portal| source.reaches(room, portal)) {
                        self.add(&mut found, portal.other, &admits);
                    }
                }
                LitPlace::Outdoors => {
                    let blocks = neighbours(source.block).chain([source.block]);
                    for (room, portal) in blocks.filter_map(|it| self.exits.get(&it)).flatten() {
                        if source.reaches(room, portal) {
                            self.add(&mut found, Some(room.id()), &admits);
                        }
                    }
                }
            }
            next += 1;
        }
        found
    }

    fn add(&self, found: &mut Vec<LitPlace>, to: Option<CellId>, admits: &impl Fn(&Room) -> bool) {
        let place = to.map_or(LitPlace::Outdoors, LitPlace::Room);
        let is_open = match to {
            Some(cell) => self.world.room(cell).is_some_and(admits),
            None => true,
        };
        if is_open && found.len() < MAX_CELLS && !found.contains(&place) {
            found.push(place);
        }
    }
}

impl LightSource {
    /// Returns whether its light reaches a portal.
    fn reaches(&self, room: &Room, portal: &Portal) -> bool {
        let at = room.to_local(self.at - block_offset_between(self.block.as_cell(), room.id()));
        room.portal_polygon(portal).nearest_point(at).distance(at) < self.reach
    }
}

/// Returns all resident rooms, sorted by id.
pub(super) fn rooms(world: &World) -> impl Iterator<Item = &Room> {
    world.resident().filter_map(|piece| match piece {
        PieceId::Room(cell) => world.room(cell),
        PieceId::Land(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_forge::samples;
    use threshold_world::Builder;

    #[test]
    fn light_passes_portals_within_its_reach_only() {
        // Two rooms side by side, with a portal between them at x = 4.
        let builder = Builder::new(samples::two_rooms().unwrap());
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let [west, east] = [0x0102_0100, 0x0102_0101].map(|id| LitPlace::Room(CellId(id)));
        let spread = Spread::new(&world);
        let source = |reach| LightSource {
            block: BlockId::new(0x01, 0x02),
            at: Vec3::new(1.0, 2.0, 1.6),
            reach,
        };
        assert_eq!(spread.places(source(2.9), west, |_| true), [west]);
        assert_eq!(spread.places(source(3.1), west, |_| true), [west, east]);
        assert_eq!(spread.places(source(3.1), east, |_| true), [east, west]);
        assert_eq!(spread.places(source(9.0), west, |_| false), [west]);
        assert_eq!(spread.places(source(9.0), LitPlace::Outdoors, |_| true), [LitPlace::Outdoors]);
    }

    #[test]
    fn light_in_a_maze_reaches_a_bounded_number_of_cells() {
        let builder = Builder::new(samples::deep(400, 1).unwrap());
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let first = rooms(&world).next().unwrap().id();
        let source = LightSource { block: first.block(), at: Vec3::ZERO, reach: 1e6 };
        let places = Spread::new(&world).places(source, LitPlace::Room(first), |_| true);
        assert_eq!(places.len(), MAX_CELLS);
    }
}
