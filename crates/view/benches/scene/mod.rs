//! Worlds and viewers.

use std::path::Path;

use threshold_dat::{DatFolder, Source};
use threshold_forge::MadeWorld;
use threshold_geom::Bounds;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BLOCK_LENGTH, BlockId, CellId, adjust_to_outside};
use threshold_view::{Lens, Viewer};
use threshold_world::{Builder, Room, World};

/// Height of the eye of a standing person above the ground, in metres.
const EYE: f32 = 1.6;

/// A world with everything resident, and its viewers.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) viewers: Vec<Viewer>,
    chance: u64,
}

impl Scene {
    pub(crate) fn sample(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name);
        Self::new(DatFolder::open(&folder).unwrap())
    }

    pub(crate) fn of(made: MadeWorld) -> Self {
        Self::new(made)
    }

    fn new(source: impl Source + 'static) -> Self {
        let (builder, mut world) = (Builder::new(source), World::new());
        for piece in builder.pieces() {
            builder.build(piece).unwrap().into_iter().for_each(|built| world.adopt(built.piece));
        }
        Self { world, viewers: Vec::new(), chance: 7 }
    }

    /// Adds a number of eyes in every room of a landblock, each with a number of directions.
    pub(crate) fn in_rooms(mut self, block: BlockId, eyes: usize, directions: usize) -> Self {
        let ids: Vec<CellId> = self.world.rooms(block).map(Room::id).collect();
        for cell in ids {
            for _ in 0..eyes {
                let eye = self.point_in(cell);
                self.look_around(cell, eye, directions);
            }
        }
        self
    }

    /// Adds a number of eyes on the ground of a landblock, outside of rooms, each with a number of directions.
    pub(crate) fn in_streets(mut self, block: BlockId, eyes: usize, directions: usize) -> Self {
        let mut found = 0;
        while found < eyes {
            let at = Vec2::new(self.between(0.0, BLOCK_LENGTH), self.between(0.0, BLOCK_LENGTH));
            let ground = self.world.land(block).unwrap().terrain().height(at).unwrap();
            let eye = at.extend(ground + EYE);
            if self.world.rooms(block).any(|room| room.contains(eye)) {
                continue;
            }
            let (cell, _) = adjust_to_outside(block.cell(1), eye).unwrap();
            self.look_around(cell, eye, directions);
            found += 1;
        }
        self
    }

    fn look_around(&mut self, cell: CellId, eye: Vec3, directions: usize) {
        for _ in 0..directions {
            let angle = self.between(0.0, std::f32::consts::TAU);
            let (sin, cos) = libm::sincosf(angle);
            let ahead = Vec3::new(cos, sin, self.between(-0.5, 0.5));
            self.viewers.push(Viewer::looking_at(cell, eye, eye + ahead, Lens::default()).unwrap());
        }
    }

    /// Returns a point in a room, in the frame of its landblock.
    fn point_in(&mut self, cell: CellId) -> Vec3 {
        let room = self.world.room(cell).unwrap();
        let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices.to_vec());
        let Bounds { min, max } =
            Bounds::from_points(corners.map(|corner| room.to_block(corner))).unwrap();
        loop {
            let at = Vec3::from_array([0, 1, 2].map(|axis| self.between(min[axis], max[axis])));
            if self.world.room(cell).unwrap().contains(at) {
                return at;
            }
        }
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        let next = self.chance.wrapping_mul(6_364_136_223_846_793_005);
        self.chance = next.wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.chance >> 40) as f32 / (1 << 24) as f32)
    }
}
