//! Terrain of a landblock as one textured mesh.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BLOCK_CELLS, BLOCK_LENGTH, BlockId, CELL_LENGTH};
use threshold_world::{Land, World};

use super::mesh::{Batch, Corner};
use crate::ground::DRAW_OFFSET;

/// Side of a land cell in pixels; twice as many would make the images of a few landblocks the largest part of a file.
pub(super) const TILE: u32 = 128;

/// Returns all triangles of a landblock, with one image over the whole of it.
pub(super) fn batch(world: &World, land: &Land) -> Batch {
    let mut batch = Batch::default();
    let cells = BLOCK_CELLS.unsigned_abs() as usize;
    for number in 0..2 * cells * cells {
        let triangle = land.terrain().triangle(number);
        for corner in triangle {
            let normal = normal(world, land.block(), corner.truncate());
            let uv = Vec2::new(corner.x, BLOCK_LENGTH - corner.y) / BLOCK_LENGTH;
            let position = corner - Vec3::Z * DRAW_OFFSET;
            batch.add(Corner::new(position, normal, uv, land.terrain().plane(number).normal));
        }
    }
    batch
}

/// Returns the average normal of all triangles around a corner of cells, including those of resident neighbours, so that
/// shading has no seam at the border of a landblock.
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

/// Returns the resident land under a point of a landblock or its neighbours, and its offset.
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
