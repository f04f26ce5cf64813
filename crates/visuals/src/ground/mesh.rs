//! Terrain of a landblock as triangles.

use threshold_dat::TerrainWord;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CELL_LENGTH};
use threshold_world::{Terrain, World};

use super::layers::{TerrainLayers, TerrainMasks};

/// Distance below its true height at which terrain is drawn, in metres, against z-fighting with floors that lie on it.
/// Retail does the same.
pub const DRAW_OFFSET: f32 = 0.01;

/// Land cells along a side of a landblock.
const SIDE: usize = 8;

/// A vertex of a terrain triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundVertex {
    /// In the frame of the landblock, [`DRAW_OFFSET`] below the true height.
    pub position: Vec3,
    /// Unit normal; the same on both sides of a landblock border where both landblocks are resident.
    pub normal: Vec3,
    /// Position in the land cell, 0 to 1: eastwards, and southwards from the north.
    pub uv: Vec2,
    /// Texture layers of the land cell.
    pub layers: TerrainLayers,
    /// Index of its triangle in the landblock.
    pub triangle: u16,
}

/// Returns the terrain of a landblock as triangles; empty if it is not resident.
pub fn terrain_vertices(world: &World, block: BlockId, masks: &TerrainMasks) -> Vec<GroundVertex> {
    let Some(land) = world.land(block) else { return Vec::new() };
    let terrain = land.terrain();
    let normals = Normals { world, block, terrain };
    let mut vertices = Vec::with_capacity(2 * 3 * SIDE * SIDE);
    for cell in 0..SIDE * SIDE {
        let (x, y) = (cell / SIDE, cell % SIDE);
        let layers = TerrainLayers::of(words(terrain, x, y), masks);
        for number in [2 * cell, 2 * cell + 1] {
            for corner in terrain.triangle(number) {
                let within = corner.truncate() / CELL_LENGTH - Vec2::new(x as f32, y as f32);
                vertices.push(GroundVertex {
                    position: corner - Vec3::Z * DRAW_OFFSET,
                    normal: normals.at(corner.truncate()),
                    uv: Vec2::new(within.x, 1.0 - within.y),
                    layers,
                    triangle: u16::try_from(number).unwrap_or(u16::MAX),
                });
            }
        }
    }
    vertices
}

/// Returns the terrain words of a land cell in the order SW, SE, NE, NW.
fn words(terrain: &Terrain, x: usize, y: usize) -> [TerrainWord; 4] {
    [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dx, dy)| terrain.word(x + dx, y + dy))
}

/// Computes terrain normals from the heights around a corner.
struct Normals<'w> {
    world: &'w World,
    block: BlockId,
    terrain: &'w Terrain,
}

impl Normals<'_> {
    fn at(&self, corner: Vec2) -> Vec3 {
        #[allow(clippy::cast_possible_truncation, reason = "0 to 8")]
        let [x, y] = (corner / CELL_LENGTH).round().to_array().map(|v| v as i32);
        let slope = |before: Option<f32>, here: f32, after: Option<f32>| match (before, after) {
            (Some(before), Some(after)) => (after - before) / (2.0 * CELL_LENGTH),
            (Some(before), None) => (here - before) / CELL_LENGTH,
            (None, Some(after)) => (after - here) / CELL_LENGTH,
            (None, None) => 0.0,
        };
        let here = self.height(x, y).unwrap_or_default();
        let east = slope(self.height(x - 1, y), here, self.height(x + 1, y));
        let north = slope(self.height(x, y - 1), here, self.height(x, y + 1));
        Vec3::new(-east, -north, 1.0).normalize()
    }

    /// Returns the height of a corner, with coordinates relative to this landblock; `None` where no land is resident.
    fn height(&self, x: i32, y: i32) -> Option<f32> {
        let side = 8;
        let inner = |v: i32| usize::try_from(v).ok().filter(|v| *v <= SIDE);
        if let (Some(x), Some(y)) = (inner(x), inner(y)) {
            return Some(self.terrain.vertex(x, y).z);
        }
        let aside = |v: i32| i32::from(v > side) - i32::from(v < 0);
        let there = |own: u8, v: i32| u8::try_from(i32::from(own) + aside(v)).ok();
        let block = BlockId::new(there(self.block.x(), x)?, there(self.block.y(), y)?);
        let terrain = self.world.land(block)?.terrain();
        let within = |v: i32| usize::try_from(v - aside(v) * side).ok();
        Some(terrain.vertex(within(x)?, within(y)?).z)
    }
}
