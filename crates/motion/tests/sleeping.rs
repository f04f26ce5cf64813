//! Bodies that do not move: asleep, held, lost, removed, or in front of a wall.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId};
use threshold_motion::{Event, Gait, MoveContext, UpdateReport};
use threshold_testkit::{
    FEET, WALKER, WALKER_STATE, Walk,
    clock::{BLOCK, TICK, check_near, face, level, set_state, tick, update},
    layouts::{A, plain, row},
};
use threshold_world::{BodySpec, PieceId, State, UnknownBody};

const LAND: u32 = 0xA9B4_0001;
/// On the southern edge of its landblock.
const EDGE: u32 = 0xA9B4_0031;

/// Updates the body for two seconds, tick by tick.
fn two_seconds(walk: &mut Walk) -> Vec<Event> {
    let begin = walk.body.clock;
    (1..=60).flat_map(|number| update(walk, begin + f64::from(number) / 30.0).events).collect()
}

#[test]
fn a_resting_body_without_a_gait_sleeps_until_it_is_pushed() {
    let mut walk = level();
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]);
    assert_eq!(update(&mut walk, 0.034).quanta, 1);
    assert!(!walk.body.awake);
    assert_eq!(update(&mut walk, 1.0).quanta, 0);
    walk.body.set_velocity(Vec3::X * 3.0, 1.5);
    assert!(walk.body.awake && walk.body.clock == 1.5, "from then on");
    assert_eq!(update(&mut walk, 1.534).quanta, 1);
    assert!(walk.at().x > 12.08, "{}", walk.at());
    // A body with a gait does not sleep, nor does one in the air.
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]).body.gait = Some(Gait::stand());
    assert_eq!(two_seconds(&mut walk), []);
    assert!(walk.body.awake);
    walk.put_in_air(LAND, [12.0, 12.0, 3.0]);
    set_state(&mut walk, State::default());
    two_seconds(&mut walk);
    assert!(walk.body.awake);
}

#[test]
fn frozen_static_and_hidden_bodies_are_not_moved() {
    for (held, sleeps) in [(State::FROZEN, true), (State::STATIC, true), (State::HIDDEN, false)] {
        let mut walk = level();
        walk.put_in_air(LAND, [12.0, 12.0, 3.0]).body.velocity = Vec3::X * 3.0;
        walk.body.gait = Some(Gait { turn: 90.0, ..Gait::walk() });
        set_state(&mut walk, WALKER_STATE.with(held, true));
        let before = walk.position();
        assert_eq!(two_seconds(&mut walk), []);
        assert_eq!((walk.position(), walk.body.velocity), (before, Vec3::X * 3.0), "{held:?}");
        assert_eq!(walk.body.awake, !sleeps);
        // Then it goes on from now, without making up for the time.
        set_state(&mut walk, WALKER_STATE);
        walk.body.wake(2.0);
        update(&mut walk, 2.034);
        check_near(walk.at(), Vec3::new(12.102, 12.0, 2.994_336), 1e-4, "it goes on");
    }
}

#[test]
fn a_hitch_of_more_than_two_seconds_is_not_made_up_for() {
    for (elapsed, quanta, metres) in [(2.01, 0, 0.0), (2.0, 10, 6.24), (0.65, 4, 2.028)] {
        let mut walk = level();
        walk.put_on_ground(LAND, [12.0, 12.0, FEET]).body.gait = Some(Gait::walk());
        assert_eq!(update(&mut walk, elapsed).quanta, quanta);
        check_near(walk.at(), Vec3::new(12.0, 12.0 + metres, FEET), 1e-4, "moved");
        assert!((walk.body.clock - elapsed).abs() < 1e-9);
    }
    // What is left of a quantum is kept for the next time.
    let mut walk = level();
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]).body.gait = Some(Gait::walk());
    assert_eq!(update(&mut walk, 0.21).quanta, 1);
    assert!((walk.body.clock - 0.2).abs() < 1e-9);
    assert_eq!(update(&mut walk, 0.24).quanta, 1);
    check_near(walk.at(), Vec3::new(12.0, 12.0 + 3.12 * 0.24, FEET), 1e-5, "all of it");
}

/// The landblock in the south is loaded later.
#[test]
fn a_body_that_walks_off_the_resident_cells_sleeps_until_its_cell_is_loaded() {
    let mut walk = Walk::from_source(plain(&[BLOCK.0, 0xA9B3]).finish().unwrap());
    let south = PieceId::Land(BlockId(0xA9B3));
    assert!(walk.world.drop_piece(south));
    walk.put_on_ground(EDGE, [150.0, 0.3, FEET]).body.gait = Some(Gait::walk());
    face(&mut walk, 180.0);
    let events = two_seconds(&mut walk);
    let left = Event::CellChanged { from: Some(CellId(EDGE)), to: None };
    assert_eq!(events, [left, Event::Lost { from: CellId(EDGE) }], "once");
    assert!(!walk.body.awake && walk.world.body(WALKER).unwrap().is_lost());
    let there = walk.position();
    assert_eq!(update(&mut walk, 9.0).quanta, 0);
    let early = walk
        .body
        .recover(
            &mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch),
            walk.body.clock,
        )
        .unwrap();
    assert!(early.is_none() && walk.position() == there, "not yet");
    walk.world.adopt(walk.builder.build(south).unwrap().unwrap().piece);
    let (outcome, events) = walk
        .body
        .recover(
            &mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch),
            walk.body.clock,
        )
        .unwrap()
        .unwrap();
    assert!(outcome.is_ok() && walk.body.awake, "{outcome:?}, {events:?}");
    assert!(!walk.world.body(WALKER).unwrap().is_lost());
    assert!(walk.position().near(&there) && walk.body.stance.on_walkable, "{:?}", walk.body);
    let again = walk
        .body
        .recover(
            &mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch),
            walk.body.clock,
        )
        .unwrap();
    assert!(again.is_none(), "it is not lost any more");
    update(&mut walk, 9.034);
    assert!(walk.at().y < there.frame.origin.y - 0.1, "and it walks on: {}", walk.at());
}

#[test]
fn a_body_whose_land_is_dropped_sleeps_and_recovers_with_it() {
    let mut walk = level();
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]).body.gait = Some(Gait::walk());
    let (piece, there) = (PieceId::Land(BLOCK), walk.position());
    assert!(walk.world.drop_piece(piece));
    assert_eq!(update(&mut walk, 0.1).quanta, 0);
    assert!(!walk.body.awake && walk.position() == there);
    assert_eq!(walk.world.lost_bodies().count(), 1, "it is among the lost");
    walk.world.adopt(walk.builder.build(piece).unwrap().unwrap().piece);
    let back = walk
        .body
        .recover(
            &mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch),
            walk.body.clock,
        )
        .unwrap();
    assert!(back.is_some_and(|(outcome, _)| outcome.is_ok()), "it comes back");
    assert!(walk.body.awake && walk.body.stance.on_walkable);
}

#[test]
fn a_body_outside_the_world_cannot_be_updated() {
    let mut walk = level();
    walk.put_on_ground(LAND, [12.0, 12.0, FEET]);
    walk.world.remove(WALKER).unwrap();
    let (rules, gone) = (walk.rules, Err(UnknownBody(WALKER)));
    assert_eq!(
        walk.body.update(&mut MoveContext::new(&mut walk.world, rules, &mut walk.scratch), 0.1),
        gone
    );
    assert_eq!(
        walk.body.step(&mut MoveContext::new(&mut walk.world, rules, &mut walk.scratch), TICK),
        gone.map(|u: UpdateReport| u.events)
    );
}

#[test]
fn a_blocked_body_still_turns() {
    // At a wall, which leaves nothing of the movement.
    let mut walk = Walk::from_source(row(&[4.0], &[]));
    walk.put_on_ground(A.0, [3.515, 2.0, FEET]).body.gait = Some(Gait::walk());
    face(&mut walk, 90.0);
    (0..3).for_each(|_| drop(tick(&mut walk)));
    walk.body.gait = Some(Gait { turn: 1.0, ..Gait::walk() });
    let (at, before) = (walk.at(), walk.position().frame.heading());
    (0..2).for_each(|_| drop(tick(&mut walk)));
    let turned = walk.position().frame.heading() - before;
    assert!(walk.at() == at && (turned - 2.0 / 30.0).abs() < 1e-3, "{} by {turned}", walk.at());
    assert_eq!(walk.body.actual_velocity, Vec3::ZERO);
    // In the air, where the sweep is refused as too far.
    let mut walk = level();
    walk.put(BodySpec { scale: 0.2, ..walk.spec(LAND, [12.0, 12.0, 30.0]) });
    walk.body.velocity = Vec3::X * 50.0;
    walk.body.spin = Vec3::Z;
    let rules = walk.rules;
    walk.body.step(&mut MoveContext::new(&mut walk.world, rules, &mut walk.scratch), 0.2).unwrap();
    assert_eq!(walk.at(), Vec3::new(12.0, 12.0, 30.0));
    let turned = 360.0 - walk.position().frame.heading();
    assert!((turned - 0.2_f32.to_degrees()).abs() < 1e-2, "{turned}");
}
