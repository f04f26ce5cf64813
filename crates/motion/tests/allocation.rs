//! A sweep and its commit allocate nothing once scratch and lists have grown: through rooms and doors, up and down
//! stairs, over landblock borders, and among objects.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use threshold_testkit::{
    FEET, Walk,
    doorway::doorways,
    forged, layouts,
    route::{self, longest_route, shortest_route, street_to_stairs},
};

use peak_alloc::PeakAlloc;
use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::Stance;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Cells that a walk entered, and the number of objects it touched.
#[derive(Debug, Default)]
struct WalkStats {
    cells: BTreeSet<CellId>,
    objects: usize,
}

/// Walks along a route and back, with a hop now and then.
fn walk_there_and_back(walk: &mut Walk, route: &[Position], stats: &mut WalkStats) {
    route::follow_route(walk, route.iter().chain(route.iter().rev()), |walk, tick, outcome| {
        stats.objects += outcome.objects.len();
        // The set grows in the first rounds only, before allocations are counted.
        stats.cells.insert(walk.cell());
        if tick % 30 == 28 {
            walk.body.stance = Stance::default();
            let _ = walk.step([0.0, 0.0, 0.1]);
            let _ = walk.step([0.0, 0.0, -0.3]);
        }
    });
}

/// Walks along a route three times. Asserts that the third time allocates nothing.
#[track_caller]
fn check(walk: &mut Walk, route: &[Position], cells: usize) -> WalkStats {
    let mut stats = WalkStats::default();
    walk_there_and_back(walk, route, &mut stats);
    walk_there_and_back(walk, route, &mut stats);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    walk_there_and_back(walk, route, &mut stats);
    assert_eq!((MEMORY.peak_usage(), MEMORY.current_usage()), (before, before));
    assert!(stats.cells.len() >= cells, "only {:?}", stats.cells);
    stats
}

fn at(cell: u32, x: f32, y: f32) -> Position {
    Position::new(CellId(cell), Vec3::new(x, y, 0.0))
}

/// Allocations are counted for the whole process: the checks run one after the other, without the
/// test harness and its threads.
fn main() {
    check_wedged();
    let mut walk = Walk::sample("holt");
    // Through the cottage and down its stairs, and back.
    walk.put_on_ground(0xA9B4_0031, [156.0, 5.0, 40.005]);
    check(&mut walk, &street_to_stairs(), 5);
    // Over the corner of four landblocks, and past a pillar, a barrel and a crate on borders.
    let corner =
        [at(0xA9B4_0001, 3.0, 3.0), at(0xA8B3_0040, 189.0, 190.0), at(0xA8B4_0039, 190.0, 2.0)];
    walk.put_on_ground(0xA9B4_0001, [3.0, 3.0, 40.005]);
    check(&mut walk, &corner, 3);
    let border =
        [at(0xA9B4_0031, 148.0, 2.0), at(0xA9B3_0038, 166.0, 191.0), at(0xA9B4_0031, 147.0, 0.5)];
    walk.put_on_ground(0xA9B4_0031, [148.0, 2.0, 40.005]);
    check(&mut walk, &border, 2);
    // Among creatures.
    for (number, x) in (0..).zip([93.0, 97.0, 99.5]) {
        walk.add_creature(number, 0x0200_0002, (0xA9B4_0025, [x, 100.1, 40.005]));
    }
    let square = [at(0xA9B4_0025, 90.0, 100.0), at(0xA9B4_0025, 103.0, 100.0)];
    walk.put_on_ground(0xA9B4_0025, [90.0, 100.0, 40.005]);
    let stats = check(&mut walk, &square, 2);
    assert!(stats.objects > 20, "{stats:?}");
    // A moving door: it has a physics tree and finds its own cells.
    let mut spec = walk.spec(0xA9B4_0031, [156.0, 4.0, 40.3]);
    spec.setup = walk.builder.setup(RecordId(0x0200_0021)).unwrap();
    walk.put(spec);
    check(&mut walk, &[at(0xA9B4_0031, 156.0, 4.0), at(0xA9B4_0170, 156.0, 9.0)], 2);

    let mut walk = Walk::sample("dungeon");
    for to in [0x0102_0122, 0x0102_0112, 0x0102_013A, 0x0102_0149] {
        let route = shortest_route(&walk.world, 0x0102_0100, to);
        walk.put_on_ground(0x0102_0100, [64.0, -70.0, 0.005]);
        check(&mut walk, &route, 5);
    }
    check_built_in();
}

/// Walks from every entrance of a building to its farthest room: up the stairs of the inn and the tower, down into dungeons.
fn check_built_in() {
    let mut walk = Walk::new(forged::builtins()[0].builder());
    let mut cells = 0;
    for door in doorways(&walk.world).iter().filter(|door| door.is_exit() && !door.is_walled) {
        let within = door.sill - door.outward * 0.6 + Vec3::Z * FEET;
        let route = longest_route(&walk.world, door.room);
        if route.is_empty() {
            continue;
        }
        walk.put_on_ground(door.room.0, within.to_array());
        // Furniture and door leaves block some of the straight routes.
        cells += check(&mut walk, &route, 1).cells.len();
    }
    assert!(cells > 60, "{cells}");
}

/// Checks a mover wedged in a corner, where many steps fail within one sub-step.
fn check_wedged() {
    let mut walk = Walk::from_source(layouts::row(&[4.0, 4.0], &[]));
    let push = |walk: &mut Walk| {
        for (x, y) in [(-0.4, -0.3), (-0.3, -0.4), (-0.4, 0.0), (0.0, -0.4), (-0.02, -0.9)] {
            walk.put_on_ground(layouts::A.0, [0.6, 0.6, 0.005]);
            for _ in 0..20 {
                let _ = walk.step([x, y, 0.0]);
            }
        }
    };
    push(&mut walk);
    // Putting the mover back allocates; moving it must not.
    walk.put_on_ground(layouts::A.0, [0.6, 0.6, 0.005]);
    let _ = walk.step([-0.4, -0.3, 0.0]);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    for (x, y) in [(-0.4, -0.3), (-0.3, -0.4), (-0.4, 0.01), (0.01, -0.4), (-0.02, -0.9)] {
        for _ in 0..20 {
            let _ = walk.step([x, y, 0.0]);
        }
    }
    assert_eq!((MEMORY.peak_usage(), MEMORY.current_usage()), (before, before));
}
