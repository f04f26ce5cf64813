//! Where bodies can be put: all that can be stood on, by area.

use threshold_geom::is_valid_walkable;
use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_world::{PieceId, World};

use super::wander::Chance;

/// Triangles that can be stood on; a large one is drawn more often than a small one.
#[derive(Default)]
pub(super) struct Floor {
    tiles: Vec<Tile>,
}

struct Tile {
    /// The cell, and a corner of the triangle.
    at: Position,
    /// The other corners, as seen from there.
    edges: [Vec3; 2],
    /// Of all triangles so far, in square metres.
    area: f64,
}

/// So high above the floor bodies are put, in metres.
const ABOVE: f32 = 0.02;

impl Floor {
    /// The floors of rooms.
    pub(super) fn of_rooms(world: &World) -> Self {
        let mut floor = Self::default();
        let rooms = world.resident().filter_map(|piece| match piece {
            PieceId::Room(room) => world.room(room),
            PieceId::Land(_) => None,
        });
        for room in rooms {
            for polygon in room.structure().physics.polygons().iter() {
                let corners: Vec<Vec3> =
                    polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect();
                let Some((first, rest)) = corners.split_first() else { continue };
                for pair in rest.windows(2) {
                    let at = Position::new(room.id(), *first);
                    floor.add(at, [pair[0] - *first, pair[1] - *first]);
                }
            }
        }
        floor
    }

    /// The ground, except where there is nothing but sea, or a dungeon below nothing.
    pub(super) fn of_land(world: &World) -> Self {
        let mut floor = Self::default();
        for land in world.lands().filter(|land| !land.terrain().is_flat_zero()) {
            for cell in (0..).map_while(|index| land.cell(index)) {
                for half in [0, 1] {
                    let [a, b, c] = land.terrain().triangle(2 * cell.index() + half);
                    floor.add(Position::new(cell.id(), a), [b - a, c - a]);
                }
            }
        }
        floor
    }

    /// Adds a triangle if it can be stood on.
    fn add(&mut self, at: Position, edges: [Vec3; 2]) {
        let across = edges[0].cross(edges[1]);
        let twice = across.length();
        if twice > 0.0 && is_valid_walkable(across / twice) {
            let before = self.area();
            self.tiles.push(Tile { at, edges, area: before + f64::from(twice) / 2.0 });
        }
    }

    /// In square metres.
    pub(super) fn area(&self) -> f64 {
        self.tiles.last().map_or(0.0, |tile| tile.area)
    }

    /// A place on it, by chance; `None` where there is none.
    pub(super) fn draw(&self, chance: &mut Chance) -> Option<Position> {
        let area = self.area() * f64::from(chance.part());
        let tile = self.tiles.get(self.tiles.partition_point(|tile| tile.area <= area))?;
        let (mut u, mut v) = (chance.part(), chance.part());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let mut at = tile.at;
        at.frame.origin += tile.edges[0] * u + tile.edges[1] * v + Vec3::new(0.0, 0.0, ABOVE);
        Some(at)
    }
}
