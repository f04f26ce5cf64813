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
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::Stance;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What a walk has met.
#[derive(Debug, Default)]
struct Met {
    cells: BTreeSet<CellId>,
    objects: usize,
}

/// Walks towards places one after the other, and back, with a hop now and then.
fn there_and_back(walk: &mut Walk, way: &[Position], met: &mut Met) {
    route::follow_route(walk, way.iter().chain(way.iter().rev()), |walk, tick, outcome| {
        met.objects += outcome.objects.len();
        // A set grows, and that is not what is counted: these are seen in the first rounds.
        met.cells.insert(walk.cell());
        if tick % 30 == 28 {
            walk.body.stance = Stance::default();
            let _ = walk.step([0.0, 0.0, 0.1]);
            let _ = walk.step([0.0, 0.0, -0.3]);
        }
    });
}

/// Walks the same way three times; the third time nothing may be allocated.
#[track_caller]
fn check(walk: &mut Walk, way: &[Position], cells: usize) -> Met {
    let mut met = Met::default();
    there_and_back(walk, way, &mut met);
    there_and_back(walk, way, &mut met);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    there_and_back(walk, way, &mut met);
    assert_eq!((MEMORY.peak_usage(), MEMORY.current_usage()), (before, before));
    assert!(met.cells.len() >= cells, "only {:?}", met.cells);
    met
}

fn at(cell: u32, x: f32, y: f32) -> Position {
    Position::new(CellId(cell), Vec3::new(x, y, 0.0))
}

/// All in one test: what other threads allocate would count.
/// Without the test harness, whose own thread allocates when it likes.
fn main() {
    // One after the other: the count is that of the whole program.
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
    // Among others.
    for (number, x) in (0..).zip([93.0, 97.0, 99.5]) {
        walk.add_creature(number, 0x0200_0002, (0xA9B4_0025, [x, 100.1, 40.005]));
    }
    let square = [at(0xA9B4_0025, 90.0, 100.0), at(0xA9B4_0025, 103.0, 100.0)];
    walk.put_on_ground(0xA9B4_0025, [90.0, 100.0, 40.005]);
    let met = check(&mut walk, &square, 2);
    assert!(met.objects > 20, "{met:?}");
    // A door on the move: it has a physics tree, and finds its own cells.
    let mut spec = walk.spec(0xA9B4_0031, [156.0, 4.0, 40.3]);
    spec.setup = walk.builder.setup(RecordId(0x0200_0021)).unwrap();
    walk.put(spec);
    check(&mut walk, &[at(0xA9B4_0031, 156.0, 4.0), at(0xA9B4_0170, 156.0, 9.0)], 2);

    let mut walk = Walk::sample("dungeon");
    for to in [0x0102_0122, 0x0102_0112, 0x0102_013A, 0x0102_0149] {
        let way = shortest_route(&walk.world, 0x0102_0100, to);
        walk.put_on_ground(0x0102_0100, [64.0, -70.0, 0.005]);
        check(&mut walk, &way, 5);
    }
    check_built_in();
}

/// From every way into a building to the farthest of its rooms: up the stairs of the inn and the tower, down into the depths.
fn check_built_in() {
    let mut walk = Walk::new(forged::builtins()[0].builder());
    let mut cells = 0;
    for door in doorways(&walk.world).iter().filter(|door| door.is_exit() && !door.is_walled) {
        let within = door.sill - door.outward * 0.6 + Vec3::Z * FEET;
        let way = longest_route(&walk.world, door.room);
        if way.is_empty() {
            continue;
        }
        walk.put_on_ground(door.room.0, within.to_array());
        // Furniture and the leaves of doors stand in some of the straight ways.
        cells += check(&mut walk, &way, 1).cells.len();
    }
    assert!(cells > 60, "{cells}");
}

/// Somebody wedged in a corner fails at many steps in one sub-step.
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
    // To put the walker back allocates; what it does there does not.
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
