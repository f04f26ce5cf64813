//! The sliding normal that one update leaves to the next, and moves of which it leaves nothing (rule `sliding_normal`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod threads;

use threads::run_with_rules;
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec, Shape};
use threshold_land::Frame;
use threshold_land::vector::Vec3;
use threshold_motion::{
    Body, Door, Gait, Hinge, MoveContext, Mover, Outcome, Refusal, Rules, Sweeper,
};
use threshold_testkit::{
    CrowdScene, Random, Walk, check_at, clock,
    layouts::{A, B, DEPTHS, row},
};
use threshold_why::{self as why, Value};
use threshold_world::BodyId;

const DOOR: BodyId = BodyId(1);
const CHECKED: &str = "sliding_normal=checked";

/// Two rooms in a row, 4 m long and wide, with a door of one leaf over the whole of the open wall between them.
fn with_door() -> (Walk, Door) {
    let mut forge = Forge::new();
    let leaf = forge.object(ObjectSpec::Solid(Shape::cuboid([-0.05, 0.0, 0.0], [0.05, 4.0, 3.0])));
    let mut plan = Plan::new();
    let rooms = [0.0, 4.0].map(|x| plan.room(RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0])));
    plan.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, plan);
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.add_creature(DOOR.0, leaf.0, (A.0, [4.0, 0.0, 0.0]));
    let door = Door::new(&walk.world, DOOR, &[Hinge { part: 0, swing: 90.0 }], 2.0).unwrap();
    (walk, door)
}

fn open(walk: &mut Walk, door: &mut Door) {
    door.open(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch)).unwrap();
}

/// Walks head-on into the closed door until nothing is left of a move, and tries three more moves.
fn push(walk: &mut Walk) {
    walk.put_on_ground(A.0, [3.0, 2.0, 0.005]);
    for x in [3.2, 3.4, 3.4] {
        assert!(walk.step([0.2, 0.0, 0.0]).is_ok());
        check_at(walk, A.0, [x, 2.0, 0.005]);
    }
    for _ in 0..4 {
        let before = walk.body.stance;
        let outcome = walk.step([0.2, 0.0, 0.0]);
        assert_eq!(outcome.refused, Some(Refusal::NothingLeft));
        assert!(outcome.cells.is_empty() && outcome.hit.is_none() && walk.events.is_empty());
        assert_eq!(walk.body.stance, before);
        check_at(walk, A.0, [3.4, 2.0, 0.005]);
    }
}

/// Both recorded implementations do so. The mover gets on only after a step aside.
#[test]
fn a_head_on_push_stays_refused_after_the_door_has_opened_by_default() {
    let (mut walk, mut door) = with_door();
    push(&mut walk);
    open(&mut walk, &mut door);
    for _ in 0..5 {
        assert_eq!(walk.step([0.2, 0.0, 0.0]).refused, Some(Refusal::NothingLeft));
    }
    assert!(walk.step([0.0, 0.1, 0.0]).is_ok() && walk.step([0.2, 0.0, 0.0]).is_ok());
    check_at(&walk, A.0, [3.6, 2.1, 0.005]);
}

#[test]
fn a_mover_that_pushes_against_a_shut_door_walks_on_once_it_opens() {
    let (mut walk, mut door) = with_door();
    walk = walk.with_rule(CHECKED);
    push(&mut walk);
    open(&mut walk, &mut door);
    for x in [3.6, 3.8, 4.0, 4.2] {
        let outcome = walk.step([0.2, 0.0, 0.0]);
        assert!(outcome.is_ok() && outcome.hit.is_none(), "{outcome:?}");
        check_at(&walk, if x < 4.1 { A.0 } else { B.0 }, [x, 2.0, 0.005]);
    }
    assert!(!walk.body.stance.sliding);
}

/// The same through time, as a game moves a player: alone and as a member of a crowd.
#[test]
fn a_body_that_walks_against_a_shut_door_walks_on_once_it_opens() {
    let run = |rule: Option<&str>| {
        let (mut walk, mut door) = with_door();
        if let Some(rule) = rule {
            walk = walk.with_rule(rule);
        }
        walk.put_on_ground(A.0, [2.5, 2.0, 0.005]);
        clock::face(&mut walk, 90.0);
        walk.body.gait = Some(Gait::walk());
        for tick in 1..=90 {
            if tick == 60 {
                open(&mut walk, &mut door);
            }
            let _ = clock::update(&mut walk, f64::from(tick) / 30.0);
        }
        walk.at().x
    };
    assert!((3.3..3.47).contains(&run(None)), "kept: {}", run(None));
    assert!(run(Some(CHECKED)) > 5.5, "checked: {}", run(Some(CHECKED)));
}

/// Returns a mover in a room of 4 by 4 m, with a level sliding normal.
fn slider(at: [f32; 3], normal: Vec3) -> Walk {
    let mut walk = Walk::from_source(row(&[4.0], &[]));
    walk.put_on_ground(A.0, at);
    walk.body.stance.sliding = normal != Vec3::ZERO;
    walk.body.stance.sliding_normal = normal;
    walk
}

#[test]
fn a_wall_that_is_still_there_stops_the_mover_at_the_same_place() {
    for (at, normal, by) in [
        ([0.5, 2.0, 0.005], Vec3::X, [-0.3, 0.0, 0.0]),
        ([0.5, 2.0, 0.005], Vec3::X, [-3.0, 0.0, 0.0]),
        // In a corner: against each wall, with the normal of that wall.
        ([0.5, 0.5, 0.005], Vec3::X, [-0.3, 0.0, 0.0]),
        ([0.5, 0.5, 0.005], Vec3::Y, [0.0, -0.3, 0.0]),
        // Along the diagonal of the corner: a normal between those of the walls leaves nothing of it.
        ([0.5, 0.5, 0.005], Vec3::new(1.0, 1.0, 0.0).normalize(), [-0.3, -0.3, 0.0]),
    ] {
        let mut walk = slider(at, normal);
        let kept = walk.sweep(&mut (), by);
        let checked = walk.with_rule(CHECKED).sweep(&mut (), by);
        for outcome in [&kept, &checked] {
            assert_eq!(outcome.refused, Some(Refusal::NothingLeft), "{at:?} by {by:?}");
        }
        assert_eq!(kept.position, checked.position);
        assert_eq!(kept.stance, checked.stance);
        assert_eq!((kept.hit, kept.velocity_stopped), (checked.hit, checked.velocity_stopped));
    }
}

/// Random pushes in the corner of a room: the two values differ only where the kept normal refuses a move that can be
/// made in part.
#[test]
fn the_values_differ_only_where_a_refused_move_can_be_made() {
    let mut random = Random(20);
    let mut differed = 0;
    for number in 0..20_000 {
        let mut part = |low: f64, high: f64| random.between(low, high) as f32;
        let at = [part(0.48, 1.2), part(0.48, 1.2), 0.005];
        let angle = part(0.0, std::f64::consts::TAU);
        let normal = Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.0);
        let head_on = -normal * part(0.05, 1.0);
        let aside = Vec3::new(normal.y, -normal.x, 0.0) * part(0.0, 0.2);
        let by = if number % 2 == 0 { head_on } else { head_on + aside };
        let mut walk = slider(at, normal);
        let kept = walk.sweep(&mut (), by.into());
        let mut walk = walk.with_rule(CHECKED);
        let checked = walk.sweep(&mut (), by.into());
        if checked.is_ok() && !kept.is_ok() {
            differed += 1;
            assert_eq!(kept.refused, Some(Refusal::NothingLeft));
            let moved = walk.position().offset_to(&checked.position).length();
            let end = checked.position.frame.origin;
            assert!(moved > 1e-4 && end.min_element() > -0.01, "{at:?} by {by}: {end}");
            assert!(end.x > 0.47 && end.y > 0.47, "{at:?} by {by}: {end}");
        } else {
            let results =
                |o: &Outcome| (o.refused, o.position, o.cell, o.stance, o.hit, o.sub_steps);
            assert_eq!(results(&kept), results(&checked), "{at:?} by {by}");
        }
    }
    assert!(differed > 1000, "{differed}");
}

/// Forty creatures that constantly run into each other.
fn dense_crowd() -> CrowdScene {
    let mut scene = CrowdScene::rooms();
    for number in 0..40 {
        let (cell, x) = (0x0102_0100 + number % 4, 1.0 + (number % 8) as f32 * 4.0);
        let y = 0.8 + (number / 8) as f32 * 0.6;
        let body: Body = scene.walker(number, cell, [x, y, 0.0], (number % 4) as f32 * 90.0);
        scene.join(body);
    }
    scene
}

#[test]
fn a_crowd_with_checked_normals_is_the_same_for_any_number_of_threads() {
    let mut rules = Rules::default();
    rules.set_text(CHECKED).unwrap();
    let want = run_with_rules(dense_crowd(), rules, 1, 200);
    for threads in [2, 3, 16] {
        assert_eq!(run_with_rules(dense_crowd(), rules, threads, 200), want, "{threads} threads");
    }
    assert_ne!(
        run_with_rules(dense_crowd(), Rules::default(), 1, 200).0,
        want.0,
        "the rule made no difference"
    );
}

#[test]
fn why_says_that_a_kept_normal_alone_stops_a_mover() {
    let (mut walk, mut door) = with_door();
    push(&mut walk);
    let explain = |walk: &Walk| {
        let from = walk.position();
        let mut to = from;
        to.frame.origin.x += 0.2;
        let mover: Mover = walk.body.mover(&walk.world).unwrap();
        let sweeper = Sweeper { world: &walk.world, rules: walk.rules };
        why::sweep(&sweeper, &mover, &from, &to).1
    };
    let before = explain(&walk);
    let stopped = before.stopped().unwrap();
    assert!(stopped.text.ends_with("That surface is still in the way."), "{}", stopped.text);
    open(&mut walk, &mut door);
    let after = explain(&walk);
    let stopped = after.stopped().unwrap();
    let cause = "Only the sliding normal kept from that hit stops it: nothing is in the way now.";
    assert!(stopped.text.ends_with(cause), "{}", stopped.text);
    assert!(stopped.text.starts_with("Stopped by the surface hit in an earlier move"));
    assert_eq!(stopped.fact("still_there"), Some(&Value::Truth(false)));
    assert!(
        after
            .rules
            .iter()
            .any(|rule| rule.text.contains("sliding_normal is kept; if it were checked"))
    );
    // With `checked`, the obstacle itself is named while it is there.
    let (walk, _) = with_door();
    let mut walk = walk.with_rule(CHECKED);
    push(&mut walk);
    let explained = explain(&walk);
    let stopped = explained.stopped().unwrap();
    assert!(stopped.text.contains("part 0 of"), "{}", stopped.text);
}
