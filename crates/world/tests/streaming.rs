//! Memory of a world with pieces loaded and dropped along a long walk.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use peak_alloc::PeakAlloc;
use threshold_land::{BlockId, CellId};
use threshold_testkit::forged::landblock_row;
use threshold_world::{Builder, World};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Landblocks of the walk, one way.
const LENGTH: u8 = 200;
const HOLDER: u32 = 1;

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
    let builder = Builder::new(landblock_row(LENGTH));
    let mut world = World::new();
    world.set_landscape_radius(2);
    walk_to(0, &mut world, &builder);
    let (start, bytes) = (resident(&world, &builder), MEMORY.current_usage());
    assert_eq!(start.0, 3, "landblocks at the edge of the map");
    let mut max = 0;
    for x in (0..=LENGTH).chain((0..LENGTH).rev()) {
        walk_to(x, &mut world, &builder);
        max = max.max(builder.shapes_size());
    }
    assert!(max < 2 * start.2, "{max} bytes of shapes on the way, {} at the start", start.2);
    assert_eq!(resident(&world, &builder), start);
    // Lists keep the largest capacity of the walk.
    let now = MEMORY.current_usage();
    assert!(now < bytes + 16_384, "{now} bytes after the walk, {bytes} before");
}
