//! The ground of a landblock as triangles under one picture.

use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{BLOCK_CELLS, BLOCK_LENGTH, BlockId, CELL_LENGTH};
use threshold_world::{Land, World};

use super::mesh::{Batch, Corner};

/// How much lower the ground is drawn than it is, in metres, so that floors that lie on it are seen. As the retail client does.
const LOWER: f32 = 0.01;

/// Pixels a land cell: twice as many would make the pictures of a few landblocks larger than anything else.
pub(super) const TILE: u32 = 128;

/// All triangles, the picture over all of them.
pub(super) fn batch(world: &World, land: &Land) -> Batch {
    let mut batch = Batch::default();
    let cells = BLOCK_CELLS.unsigned_abs() as usize;
    for number in 0..2 * cells * cells {
        let triangle = land.terrain().triangle(number);
        for corner in triangle {
            let normal = normal(world, land.block(), corner.truncate());
            let uv = Vec2::new(corner.x, BLOCK_LENGTH - corner.y) / BLOCK_LENGTH;
            let position = corner - Vec3::Z * LOWER;
            batch.add(Corner::new(position, normal, uv, land.terrain().plane(number).normal));
        }
    }
    batch
}

/// The mean of the normals of all triangles round a corner of cells, those of resident neighbours among them: the light must not
/// show where a landblock ends.
fn normal(world: &World, block: BlockId, corner: Vec2) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for (dx, dy) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
        let middle = corner + Vec2::new(dx, dy) * CELL_LENGTH;
        let Some((land, offset)) = land_at(world, block, middle) else { continue };
        let (terrain, corner) = (land.terrain(), corner - offset);
        let Some(cell) = threshold_land::cell_index(middle - offset) else { continue };
        for number in [2 * cell, 2 * cell + 1] {
            if terrain.triangle(number).iter().any(|own| own.truncate() == corner) {
                sum += terrain.plane(number).normal;
            }
        }
    }
    sum.normalize_or(Vec3::Z)
}

/// The resident land under a point of a landblock or its neighbours, and how far away that begins.
fn land_at(world: &World, block: BlockId, at: Vec2) -> Option<(&Land, Vec2)> {
    let side = |at: f32| match at {
        _ if at < 0.0 => -1,
        _ if at > BLOCK_LENGTH => 1,
        _ => 0,
    };
    let (dx, dy) = (side(at.x), side(at.y));
    let (x, y) = (block.x().checked_add_signed(dx)?, block.y().checked_add_signed(dy)?);
    let offset = Vec2::new(f32::from(dx), f32::from(dy)) * BLOCK_LENGTH;
    Some((world.land(BlockId::new(x, y))?, offset))
}
