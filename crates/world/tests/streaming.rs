//! Memory of a world whose pieces are loaded and dropped along a long walk.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use peak_alloc::PeakAlloc;
use threshold_forge::{Forge, ObjectSpec};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Frame};
use threshold_world::{Builder, World};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Landblocks that the walk goes through, one way.
const LENGTH: u8 = 200;
const HOLDER: u32 = 1;

/// A row of landblocks to the east, each with models that no other has.
fn row() -> Builder {
    let mut forge = Forge::new();
    for x in 0..=LENGTH {
        let sizes = [1.0, 2.0, 3.0, 4.0].map(|size| size + f32::from(x) / 256.0);
        let models = sizes.map(|size| forge.object(ObjectSpec::cuboid([size; 3])));
        let block = forge.block(BlockId::new(x, 0xB4));
        for (model, y) in models.into_iter().zip([20.0, 60.0, 100.0, 140.0]) {
            block.put(model, Frame::at(Vec3::new(100.0, y, 0.0)));
        }
    }
    Builder::new(forge.finish().unwrap())
}

/// Moves the holder to a landblock, loads what it wants and drops what it no longer holds.
fn walk_to(x: u8, world: &mut World, builder: &Builder) {
    world.hold(HOLDER, CellId(BlockId::new(x, 0xB4).cell(0x0001).0));
    while let wanted = world.take_wanted()
        && !wanted.is_empty()
    {
        for piece in wanted {
            if let Some(built) = builder.build(piece).unwrap() {
                assert!(built.faults.is_empty(), "{:?}", built.faults);
                world.adopt(built.piece);
            }
        }
    }
    if !world.drop_unheld().is_empty() {
        builder.forget_unused_shapes();
    }
}

/// Pieces, bytes of land and bytes of shapes.
fn resident(world: &World, builder: &Builder) -> (usize, usize, usize) {
    let land = world.lands().map(threshold_world::Land::size).sum();
    (world.piece_count(), land, builder.shapes_size())
}

#[test]
fn memory_returns_to_the_start_after_a_walk_over_200_landblocks_and_back() {
    let builder = row();
    let mut world = World::new();
    world.set_landscape_radius(2);
    walk_to(0, &mut world, &builder);
    let (start, bytes) = (resident(&world, &builder), MEMORY.current_usage());
    assert_eq!(start.0, 3, "landblocks at the edge of the map");
    let mut most = 0;
    for x in (0..=LENGTH).chain((0..LENGTH).rev()) {
        walk_to(x, &mut world, &builder);
        most = most.max(builder.shapes_size());
    }
    assert!(most < 2 * start.2, "{most} bytes of shapes on the way, {} at the start", start.2);
    assert_eq!(resident(&world, &builder), start);
    // Lists keep the capacity that they had at the widest place of the walk.
    let now = MEMORY.current_usage();
    assert!(now < bytes + 16_384, "{now} bytes after the walk, {bytes} before");
}
