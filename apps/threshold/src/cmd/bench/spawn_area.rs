//! The walkable surfaces of a world, for placing bodies at random.

use threshold_geom::is_valid_walkable;
use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_verify::SplitMix;
use threshold_world::{PieceId, World};

/// Walkable triangles, chosen at random in proportion to their area.
#[derive(Default)]
pub(super) struct SpawnArea {
    triangles: Vec<WalkableTriangle>,
}

struct WalkableTriangle {
    /// First corner, with the cell.
    corner: Position,
    /// Offsets of the other corners from the first.
    edges: [Vec3; 2],
    /// Sum of the areas up to this triangle, in square metres.
    total_area: f64,
}

/// Height above the surface at which bodies are placed, in metres.
const SPAWN_HEIGHT: f32 = 0.02;

impl SpawnArea {
    /// Collects the floors of all rooms.
    pub(super) fn of_rooms(world: &World) -> Self {
        let mut area = Self::default();
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
                    area.add(at, [pair[0] - *first, pair[1] - *first]);
                }
            }
        }
        area
    }

    /// Collects the ground of all landblocks, except flat ones at height 0: those are sea, or cover a dungeon.
    pub(super) fn of_land(world: &World) -> Self {
        let mut area = Self::default();
        for land in world.lands().filter(|land| !land.terrain().is_flat_zero()) {
            for cell in (0..).map_while(|index| land.cell(index)) {
                for half in [0, 1] {
                    let [a, b, c] = land.terrain().triangle(2 * cell.index() + half);
                    area.add(Position::new(cell.id(), a), [b - a, c - a]);
                }
            }
        }
        area
    }

    /// Adds a triangle if it is walkable.
    fn add(&mut self, corner: Position, edges: [Vec3; 2]) {
        let normal = edges[0].cross(edges[1]);
        let twice_area = normal.length();
        if twice_area > 0.0 && is_valid_walkable(normal / twice_area) {
            let total_area = self.total_area() + f64::from(twice_area) / 2.0;
            self.triangles.push(WalkableTriangle { corner, edges, total_area });
        }
    }

    /// Returns the area of all triangles, in square metres.
    fn total_area(&self) -> f64 {
        self.triangles.last().map_or(0.0, |triangle| triangle.total_area)
    }

    /// Returns a random position; `None` if there are no triangles.
    pub(super) fn random_position(&self, random: &mut SplitMix) -> Option<Position> {
        let area = self.total_area() * f64::from(random.fraction());
        let index = self.triangles.partition_point(|triangle| triangle.total_area <= area);
        let triangle = self.triangles.get(index)?;
        let (mut u, mut v) = (random.fraction(), random.fraction());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let [a, b] = triangle.edges;
        let mut position = triangle.corner;
        position.frame.origin += a * u + b * v + Vec3::new(0.0, 0.0, SPAWN_HEIGHT);
        Some(position)
    }
}
