//! An update of a body allocates nothing once scratch and lists have grown: walking, jumping, falling, sliding along
//! walls and standing, alone and in a crowd; nor do cameras, lines of sight and placements.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use peak_alloc::PeakAlloc;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{
    Body, Boom, Crowd, Event, Gait, Jump, MoveContext, Mover, Pivot, Search, SightExclusions,
    StandResult, Sweeper, UpdateReport,
};
use threshold_testkit::{
    FEET, WALKER, Walk, layouts,
    route::{shortest_route, street_to_stairs},
};
use threshold_world::{BodyId, BodySpec};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const STREET: u32 = 0xA9B4_0031;

/// Counts of what happened, to assert that each case occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct UpdateStats {
    quanta: u32,
    cells: u32,
    collisions: u32,
    landings: u32,
    /// Clear lines of sight and successful placements.
    clear: u32,
    /// Stopped cameras and positions where the body cannot stand.
    stopped: u32,
}

impl UpdateStats {
    fn note(&mut self, updated: &UpdateReport) {
        self.quanta += updated.quanta;
        for event in &updated.events {
            match event {
                Event::CellChanged { .. } => self.cells += 1,
                Event::Collided(_) => self.collisions += 1,
                Event::Landed { .. } => self.landings += 1,
                _ => {}
            }
        }
    }
}

fn tick(walk: &mut Walk, stats: &mut UpdateStats) {
    let now = walk.body.clock + 1.0 / 30.0;
    let updated = walk
        .body
        .update(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), now)
        .unwrap();
    stats.note(&updated);
}

/// Teleports the body to a position, at rest.
fn teleport(walk: &mut Walk, to: &Position) {
    walk.body.set_velocity(Vec3::ZERO, walk.body.clock);
    let (outcome, _) = walk
        .body
        .teleport(
            &mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch),
            to,
            walk.body.clock,
        )
        .unwrap();
    assert!(outcome.is_ok(), "{outcome:?}");
}

/// Runs along a route and back, jumping now and then.
fn run_along(walk: &mut Walk, route: &[Position], stats: &mut UpdateStats) {
    walk.body.gait = Some(Gait::run(1.5));
    for place in route.iter().chain(route.iter().rev()) {
        for number in 0..60 {
            let left = walk.position().offset_to(place).with_z(0.0);
            if left.length() < 0.3 {
                break;
            }
            walk.world.turn(WALKER, Rotation::facing(left).unwrap()).unwrap();
            if number % 12 == 6 {
                // Refused while the body is in the air.
                let _ = walk.body.jump(&walk.world, &Jump::default(), walk.body.clock);
            }
            tick(walk, stats);
        }
    }
}

/// Falls, lands, bounces, and stands.
fn fall(walk: &mut Walk, from: &Position, stats: &mut UpdateStats) {
    teleport(walk, from);
    for gait in [None, Some(Gait::stand())] {
        walk.body.gait = gait;
        walk.body.wake(walk.body.clock);
        (0..90).for_each(|_| tick(walk, stats));
    }
}

/// Pushes obliquely against a wall, then along it, then into the corner.
fn push(walk: &mut Walk, headings: &[f32], stats: &mut UpdateStats) {
    walk.body.gait = Some(Gait { sideways: 0.3, ..Gait::run(1.2) });
    for heading in headings {
        walk.world.turn(WALKER, Rotation::from_heading(*heading)).unwrap();
        (0..40).for_each(|_| tick(walk, stats));
    }
}

/// Runs cameras, lines of sight, stand checks and placements around the body.
fn query_surroundings(walk: &mut Walk, stats: &mut UpdateStats) {
    let (player, scratch) = (walk.position(), &mut walk.scratch);
    let sweeper = Sweeper { world: &walk.world, rules: walk.rules };
    let pivot = Pivot::above(player, WALKER, 1.5);
    let mover = Mover::from_object(walk.world.body(WALKER).unwrap());
    let mut boom = Boom::new(3.0);
    for number in 0_u8..24 {
        let angle = f32::from(number) * 0.7;
        let offset =
            Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.3) * (f32::from(number % 6) + 1.0);
        let free = sweeper.view(scratch, &pivot, offset);
        let view = boom.follow(&sweeper, scratch, &pivot, offset, 6.0, 0.03);
        stats.stopped += u32::from(free.stopped.is_some()) + u32::from(view.stopped.is_some());
        let mut there = player;
        there.frame.origin += offset.with_z(0.0);
        let (mut eye, mut goal) = (player, there);
        eye.frame.origin.z += 1.5;
        goal.frame.origin.z += 1.5;
        let sight = sweeper.line_of_sight(scratch, &eye, &goal, SightExclusions::default());
        let stands = sweeper.can_stand(scratch, &mover, &there);
        let around = sweeper.place(scratch, &mut (), &mover, &there, Search::Around);
        stats.clear += u32::from(sight.is_clear()) + u32::from(around.is_ok());
        stats.stopped += u32::from(!matches!(stands, StandResult::Stands { .. }));
    }
}

/// Runs an action three times. Asserts that the third run allocates nothing, and returns its counts.
#[track_caller]
fn check(walk: &mut Walk, mut act: impl FnMut(&mut Walk, &mut UpdateStats)) -> UpdateStats {
    let mut stats = [UpdateStats::default(); 3];
    act(walk, &mut stats[0]);
    act(walk, &mut stats[1]);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    act(walk, &mut stats[2]);
    assert_eq!((MEMORY.peak_usage(), MEMORY.current_usage()), (before, before));
    stats[2]
}

fn at(cell: u32, x: f32, y: f32, z: f32) -> Position {
    Position::new(CellId(cell), Vec3::new(x, y, z))
}

/// Allocations are counted for the whole process: the checks run one after the other, without the
/// test harness and its threads.
fn main() {
    let mut walk = Walk::sample("holt");
    for (number, x) in (0..).zip([150.0, 153.0, 152.4]) {
        walk.add_creature(number, 0x0200_0002, (STREET, [x, 3.2, 40.0 + FEET]));
    }
    let street = at(STREET, 156.0, 5.0, 40.0 + FEET);
    walk.put_on_ground(STREET, [156.0, 5.0, 40.0 + FEET]);

    let route = street_to_stairs();
    let stats = check(&mut walk, |walk, stats| {
        teleport(walk, &street);
        run_along(walk, &route, stats);
    });
    assert!(stats.cells >= 6 && stats.landings >= 2 && stats.quanta > 200, "{stats:?}");
    // Over the corner of four landblocks.
    let corner = [at(0xA8B3_0040, 189.0, 190.0, 40.0), at(0xA8B4_0039, 190.0, 2.0, 40.0)];
    let begin = at(0xA9B4_0001, 3.0, 3.0, 40.0 + FEET);
    let stats = check(&mut walk, |walk, stats| {
        teleport(walk, &begin);
        run_along(walk, &corner, stats);
    });
    assert!(stats.cells >= 3, "{stats:?}");
    // Down onto a roof, and onto the square.
    for over in [at(0xA9B4_0011, 60.0, 12.0, 70.0), at(0xA9B4_0025, 96.5, 100.0, 60.0)] {
        let stats = check(&mut walk, |walk, stats| fall(walk, &over, stats));
        assert!(stats.landings >= 1 && stats.quanta > 90, "{stats:?}");
    }
    // Along the wall of the cottage, among the creatures in the street.
    let beside = at(STREET, 152.8, 5.0, 40.0 + FEET);
    let stats = check(&mut walk, |walk, stats| {
        teleport(walk, &beside);
        push(walk, &[180.0, 200.0, 20.0, 300.0, 120.0, 95.0], stats);
        query_surroundings(walk, stats);
    });
    assert!(stats.collisions >= 1 && stats.clear > 10 && stats.stopped > 3, "{stats:?}");
    check_dungeon();
    check_crowd();
}

/// Updates a crowd of sixteen, each walking in a circle through several land cells, on a pool of this thread alone.
fn check_crowd() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().unwrap();
    let mut walk = Walk::from_source(layouts::plain(&[0xA9B4]).finish().unwrap().into_records());
    let mut crowd = Crowd::new();
    for number in 0..16 {
        let (x, y) = (20.0 + (number % 4) as f32 * 12.0, 20.0 + (number / 4) as f32 * 12.0);
        let cell = threshold_land::adjust_to_outside(CellId(0xA9B4_0001), Vec3::new(x, y, 0.0));
        let spec = BodySpec { body: BodyId(number), ..walk.spec(cell.unwrap().0.0, [x, y, 0.0]) };
        let gait = Some(Gait { turn: 45.0, ..Gait::walk() });
        let mut body = Body { gait, ..Body::new(BodyId(number)) };
        let Walk { world, rules, scratch, .. } = &mut walk;
        let (placed, _) =
            body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Here, 0.0);
        assert!(placed.is_ok() && crowd.insert(body).is_none());
    }
    let mut now = 0.0;
    let stats = check(&mut walk, |walk, stats| {
        pool.install(|| {
            for _ in 0..240 {
                now += 1.0 / 30.0;
                let events = crowd.update(&mut walk.world, walk.rules, now);
                let crossed = |event: &Event| matches!(event, Event::CellChanged { .. });
                stats.cells += events.iter().filter(|(_, event)| crossed(event)).count() as u32;
            }
        });
    });
    assert!(stats.cells >= 16, "{stats:?}");
}

fn check_dungeon() {
    let mut walk = Walk::sample("dungeon");
    let hall = at(0x0102_0100, 64.0, -70.0, FEET);
    walk.put_on_ground(0x0102_0100, [64.0, -70.0, FEET]);
    for to in [0x0102_0122, 0x0102_013A] {
        let route = shortest_route(&walk.world, 0x0102_0100, to);
        let stats = check(&mut walk, |walk, stats| {
            teleport(walk, &hall);
            run_along(walk, &route, stats);
            query_surroundings(walk, stats);
        });
        assert!(stats.cells >= 8 && stats.clear > 10, "{stats:?}");
    }
    let stats = check(&mut walk, |walk, stats| {
        teleport(walk, &hall);
        push(walk, &[265.0, 350.0, 225.0], stats);
        query_surroundings(walk, stats);
    });
    assert!(stats.quanta == 120 && stats.stopped > 3, "{stats:?}");
}
