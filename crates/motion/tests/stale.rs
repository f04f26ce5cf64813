//! Worlds that change between a sweep and its commit, and turning or invalid movers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation, Sphere};
use threshold_motion::{
    Event, Flags, Mover, MoverShape, Refusal, Rules, Stance, SweepScratch, Sweeper, commit,
};
use threshold_testkit::{
    FEET, WALKER, Walk, doorway::doorways, forged, layouts::plain, outcome_cells,
};
use threshold_world::{ObjectId, PieceId, State, World};

/// On the southern edge of its landblock, and across it.
const NORTH: CellId = CellId(0xA9B4_0031);
const SOUTH: CellId = CellId(0xA9B3_0038);

fn lists_walker(world: &World, cell: CellId) -> bool {
    world.objects_in(cell).any(|object| object.id() == ObjectId::body(WALKER))
}

/// Sweeps a body on the border of two landblocks, drops one of them, commits, and loads it again.
fn commit_without(dropped: BlockId) -> (Walk, Vec<Event>) {
    let mut walk = Walk::from_source(plain(&[0xA9B4, 0xA9B3]).finish().unwrap());
    walk.put_on_ground(NORTH.0, [150.0, 0.3, 0.005]);
    let outcome = walk.sweep(&mut (), [0.2, 0.0, 0.0]);
    assert_eq!(outcome_cells(&outcome), [NORTH, SOUTH]);
    assert!(walk.world.drop_piece(PieceId::Land(dropped)));
    let events = commit(&mut walk.world, &mut walk.body, &outcome).unwrap().to_vec();
    let built = walk.builder.build(PieceId::Land(dropped)).unwrap().unwrap();
    walk.world.adopt(built.piece);
    (walk, events)
}

#[test]
fn a_neighbour_that_has_gone_lists_the_body_when_it_comes_back() {
    let (walk, events) = commit_without(SOUTH.block());
    assert!(events.is_empty(), "{events:?}");
    assert!(lists_walker(&walk.world, NORTH) && lists_walker(&walk.world, SOUTH));
    assert!(walk.world.body(WALKER).unwrap().cells().iter().all(|cell| cell.resident));
}

#[test]
fn a_body_whose_own_cell_has_gone_is_lost() {
    let (walk, events) = commit_without(NORTH.block());
    assert_eq!(
        events,
        [Event::CellChanged { from: Some(NORTH), to: None }, Event::Lost { from: NORTH }]
    );
    assert!(walk.world.body(WALKER).unwrap().is_lost());
    assert!(!lists_walker(&walk.world, NORTH) && !lists_walker(&walk.world, SOUTH));
}

/// Sweeps a body in every doorway between two rooms, drops one of them, commits, and loads it again: the room lists the body
/// again, or the body is lost if it was in that room. Returns the number of commits.
fn commit_in_doorways(mut walk: Walk) -> usize {
    let mut count = 0;
    let doors = doorways(&walk.world).into_iter();
    for door in doors.filter(|door| !door.lies_flat && !door.is_exit()) {
        let at = door.sill - door.outward * 0.1 + Vec3::Z * FEET;
        for dropped in [door.beyond, door.room] {
            walk.put_on_ground(door.room.0, at.to_array());
            let outcome = walk.sweep(&mut (), (door.outward * -0.02).to_array());
            if outcome.cell != Some(door.room) || !outcome_cells(&outcome).contains(&door.beyond) {
                continue;
            }
            assert!(walk.world.drop_piece(PieceId::Room(dropped)));
            let events = commit(&mut walk.world, &mut walk.body, &outcome).unwrap();
            let is_lost = events.contains(&Event::Lost { from: door.room });
            assert_eq!(is_lost, dropped == door.room, "{door}: {events:?}");
            let piece = walk.builder.build(PieceId::Room(dropped)).unwrap().unwrap().piece;
            walk.world.adopt(piece);
            for cell in outcome_cells(&outcome) {
                assert_eq!(lists_walker(&walk.world, cell), !is_lost, "{door}: {cell}");
            }
            count += 1;
        }
        walk.world.remove(WALKER).unwrap();
    }
    count
}

#[test]
fn a_reloaded_room_lists_bodies_in_its_doorways_in_made_worlds() {
    let (villages, deeps) = (forged::villages(), forged::deep_dungeons());
    for made in forged::builtins().iter().chain(&villages).chain(&deeps) {
        let count = commit_in_doorways(Walk::new(made.builder()));
        assert!(count > 20, "{}: {count}", made.name);
    }
}

/// Trees are tested with the turned spheres, cylinders and balls with the unturned ones: an obstacle out of reach of
/// the latter may be in reach of the former.
#[test]
fn a_mover_that_turns_meets_what_its_turned_spheres_touch() {
    let walk = Walk::sample("holt");
    let feet = Sphere::new(Vec3::new(1.328_74, 0.231_207_65, -0.157_082_21), 0.756_059_94);
    let head = Sphere::new(Vec3::new(1.333_861, 0.080_841_19, 0.652_760_2), 1.381_279_7);
    let shape = MoverShape::new(&[feet, head], 0.886_937_5, 0.574_152_77);
    let (state, stance) = (State(0x0997_2B20), Stance::standing());
    let mover = Mover { state, stance, ..Mover::new(shape) };
    let place = |origin: Vec3, rotation| Position {
        cell: CellId(0xA9B4_0146),
        frame: Frame { origin, rotation },
    };
    let from = place(
        Vec3::from_array([0x4269_1591, 0x42DD_0CEF, 0x4217_B222].map(f32::from_bits)),
        Rotation::new(0.320_340_13, 0.0, 0.0, 0.947_302_6),
    );
    let to = place(Vec3::new(58.2788, 110.525_32, 37.931_83), Rotation::IDENTITY);
    let sweeper = Sweeper::new(&walk.world);
    let outcome = sweeper.sweep(&mut SweepScratch::new(), &mut (), &mover, &from, &to);
    assert_eq!(outcome.hit, Some(Vec3::new(-0.939_692_7, -0.342_020_15, 0.0)));
}

#[track_caller]
fn check_refused(shape: MoverShape, by: Vec3, flags: Flags, want: Refusal) {
    let walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap());
    let from = Position::new(NORTH, Vec3::new(150.0, 12.0, 1.0));
    let mut to = from;
    to.frame.origin += by;
    let mover = Mover { flags, ..Mover::new(shape) };
    let mut rules = Rules::default();
    rules.set_text("step_cap=none").unwrap();
    let sweeper = Sweeper { world: &walk.world, rules };
    let outcome = sweeper.sweep(&mut SweepScratch::new(), &mut (), &mover, &from, &to);
    assert_eq!(outcome.refused, Some(want), "{shape:?} {by}");
    assert_eq!(outcome.position, from);
}

#[test]
fn an_invalid_shape_or_movement_is_refused() {
    let ball = |radius: f32| MoverShape::new(&[Sphere::new(Vec3::ZERO, radius)], 0.6, 1.5);
    let far = Vec3::new(-3000.0, 0.0, 0.0);
    check_refused(ball(-0.48), far, Flags::NONE, Refusal::NotFinite);
    check_refused(ball(f32::NAN), far, Flags::NONE, Refusal::NotFinite);
    check_refused(ball(0.48), Vec3::new(f32::NAN, 0.0, 0.0), Flags::NONE, Refusal::NotFinite);
    check_refused(ball(0.0), far, Flags::NONE, Refusal::TooFar);
    check_refused(ball(0.48), far, Flags::NONE, Refusal::TooFar);
    check_refused(ball(0.48), Vec3::splat(1e30), Flags::NONE, Refusal::TooFar);
    check_refused(ball(0.3), far, Flags::VIEWER, Refusal::TooFar);
}
