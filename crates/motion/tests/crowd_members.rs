//! Members of a crowd: inserted, removed, asleep, ethereal or outside the world, between updates and within them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Crowd, Event, Gait, MoveContext, Rules};
use threshold_testkit::CrowdScene;
use threshold_world::{BodyId, PieceId, State};

/// Makes body 1 ethereal or solid. Returns whether that took effect at once.
fn set_ethereal(scene: &mut CrowdScene, ethereal: bool) -> bool {
    let CrowdScene { world, crowd, scratch, .. } = scene;
    let mut context = MoveContext::new(world, Rules::default(), scratch);
    crowd.get_mut(BodyId(1)).unwrap().set_ethereal(&mut context, ethereal, 0.0).unwrap()
}

#[test]
fn a_body_whose_cell_is_dropped_is_lost_and_the_others_go_on() {
    let mut scene = CrowdScene::rooms();
    for (number, x) in [(1, 3.0), (2, 27.0)] {
        let cell = if number == 1 { 0x0102_0100 } else { 0x0102_0103 };
        let body = scene.walker(number, cell, [x, 2.0, 0.0], 0.0);
        scene.join(body);
    }
    scene.tick(1.0 / 30.0);
    assert!(scene.world.drop_piece(PieceId::Room(CellId(0x0102_0103))));
    let events = scene.tick(2.0 / 30.0);
    let room = CellId(0x0102_0103);
    let events: Vec<Event> = events
        .iter()
        .map(|(body, event)| {
            assert_eq!(*body, BodyId(2));
            *event
        })
        .collect();
    assert_eq!(
        events,
        [Event::CellChanged { from: Some(room), to: None }, Event::Lost { from: room }]
    );
    assert!(scene.world.body(BodyId(2)).unwrap().is_lost());
    assert!(scene.crowd.get(BodyId(1)).unwrap().actual_velocity.length() > 3.0);
    assert!(scene.tick(3.0 / 30.0).is_empty(), "reported once");
}

#[test]
fn a_body_outside_the_world_is_skipped_until_it_enters() {
    let mut scene = CrowdScene::rooms();
    let first = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    let second = scene.walker(2, 0x0102_0102, [19.0, 2.0, 0.0], 90.0);
    scene.join(first);
    scene.join(second);
    let object = scene.world.remove(BodyId(1)).unwrap();
    assert!(scene.tick(1.0 / 30.0).is_empty());
    assert_eq!(scene.crowd.get(BodyId(1)).unwrap().clock, 0.0);
    // Another body takes its slot.
    let third = scene.walker(3, 0x0102_0101, [11.0, 2.0, 0.0], 90.0);
    scene.join(third);
    let back = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    let old = scene.crowd.insert(back).unwrap();
    assert_eq!(old.clock, 0.0);
    for tick in 2..=10 {
        scene.tick(f64::from(tick) / 30.0);
    }
    for number in 1..=3 {
        let body = scene.crowd.get(BodyId(number)).unwrap();
        assert!(
            (body.actual_velocity.length() - 3.12).abs() < 0.01,
            "{number}: {}",
            body.actual_velocity
        );
    }
    assert_eq!(object.position().cell, CellId(0x0102_0100));
}

#[test]
fn bodies_are_inserted_and_removed_by_number() {
    let mut crowd = Crowd::new();
    assert!(crowd.is_empty());
    for number in [5, 1, 3] {
        assert!(crowd.insert(Body::new(BodyId(number))).is_none());
    }
    let numbers = |crowd: &Crowd| crowd.bodies().map(|body| body.id.0).collect::<Vec<_>>();
    assert_eq!((crowd.len(), numbers(&crowd)), (3, vec![1, 3, 5]));
    crowd.get_mut(BodyId(3)).unwrap().velocity = Vec3::X;
    crowd.bodies_mut().for_each(|body| body.awake = false);
    let gone = crowd.remove(BodyId(3)).unwrap();
    assert!(gone.velocity == Vec3::X && !gone.awake);
    assert!(crowd.remove(BodyId(3)).is_none() && crowd.get(BodyId(3)).is_none());
    assert_eq!(numbers(&crowd), [1, 5]);
}

#[test]
fn an_ethereal_body_becomes_solid_once_no_mover_overlaps_it() {
    let mut scene = CrowdScene::rooms();
    let mut ghost = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    ghost.gait = Some(Gait::stand());
    scene.join(ghost);
    assert!(set_ethereal(&mut scene, true));
    let walker = scene.walker(2, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    scene.join(walker);
    assert!(!set_ethereal(&mut scene, false), "another body overlaps it");
    let solid =
        |scene: &CrowdScene| !scene.world.body(BodyId(1)).unwrap().state().has(State::ETHEREAL);
    let mut when = None;
    for tick in 1..=30 {
        scene.tick(f64::from(tick) / 30.0);
        when = when.or(solid(&scene).then_some(tick));
    }
    assert!(when.is_some_and(|tick| tick > 5), "{when:?}");
}

#[test]
fn a_reused_slot_belongs_to_the_new_body() {
    let mut scene = CrowdScene::rooms();
    for (number, cell, x) in [(1, 0x0102_0100, 3.0), (2, 0x0102_0102, 19.0)] {
        let body = scene.walker(number, cell, [x, 2.0, 0.0], 90.0);
        scene.join(body);
    }
    scene.tick(1.0 / 30.0);
    scene.world.remove(BodyId(1)).unwrap();
    // Takes its slot, and is in no crowd.
    scene.walker(3, 0x0102_0101, [11.0, 2.0, 0.0], 90.0);
    let at = |scene: &CrowdScene, body| *scene.world.body(BodyId(body)).unwrap().position();
    let third = at(&scene, 3);
    scene.tick(2.0 / 30.0);
    assert_eq!(at(&scene, 3), third);
    // It returns, in another slot.
    let back = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    *scene.crowd.get_mut(BodyId(1)).unwrap() = back;
    let first = at(&scene, 1);
    scene.tick(2.5 / 30.0);
    assert!(at(&scene, 1) != first && at(&scene, 3) == third);
    // A removed body leaves the slots of others alone.
    scene.crowd.remove(BodyId(1)).unwrap();
    let second = at(&scene, 2);
    scene.tick(4.0 / 30.0);
    assert_ne!(at(&scene, 2), second);
}

#[test]
fn a_body_removed_between_resolve_and_commit_changes_no_other() {
    let mut scene = CrowdScene::rooms();
    let first = scene.walker(1, 0x0102_0100, [7.9, 2.0, 0.1], 90.0);
    scene.join(first);
    scene.tick(1.0 / 30.0);
    let CrowdScene { world, crowd, .. } = &mut scene;
    crowd.resolve(world, Rules::default(), 0.2, |_| ());
    world.remove(BodyId(1)).unwrap();
    scene.walker(3, 0x0102_0102, [19.0, 2.0, 0.0], 90.0);
    let before = scene.world.body(BodyId(3)).unwrap().clone();
    assert!(!scene.crowd.commit(&mut scene.world));
    let after = scene.world.body(BodyId(3)).unwrap();
    assert_eq!((before.position(), before.cells()), (after.position(), after.cells()));
}

#[test]
fn each_body_is_instructed_once_per_update_whatever_its_quanta() {
    let mut scene = CrowdScene::rooms();
    let body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    scene.join(body);
    let calls = std::sync::atomic::AtomicU32::new(0);
    let CrowdScene { world, crowd, .. } = &mut scene;
    let mut rounds = 0;
    loop {
        crowd.resolve(world, Rules::default(), 0.65, |_| {
            calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        rounds += 1;
        if !crowd.commit(world) {
            break;
        }
    }
    assert_eq!((calls.into_inner(), rounds), (1, 4));
}

#[test]
fn a_sleeping_body_stays_where_it_was_moved() {
    let mut scene = CrowdScene::rooms();
    let body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    scene.join(body);
    scene.tick(1.0 / 30.0);
    scene.crowd.get_mut(BodyId(1)).unwrap().awake = false;
    let there = Position::new(CellId(0x0102_0102), Vec3::new(19.0, 2.0, 0.0));
    scene.world.move_body(BodyId(1), there).unwrap();
    scene.tick(2.0 / 30.0);
    assert_eq!(*scene.world.body(BodyId(1)).unwrap().position(), there);
}

#[test]
fn any_change_of_position_or_cells_changes_the_hash() {
    let mut scene = CrowdScene::rooms();
    let body = scene.walker(1, 0x0102_0100, [7.9, 2.0, 0.1], 90.0);
    scene.join(body);
    let id = BodyId(1);
    let mut hashes = vec![scene.hash()];
    let mut check = |scene: &CrowdScene, change: &str| {
        let now = scene.hash();
        assert!(!hashes.contains(&now), "{change}");
        hashes.push(now);
    };
    scene.world.turn(id, Rotation::from_heading(10.0)).unwrap();
    check(&scene, "turned");
    scene.world.set_state(id, State::GRAVITY).unwrap();
    check(&scene, "state");
    assert!(scene.world.drop_piece(PieceId::Room(CellId(0x0102_0101))));
    check(&scene, "a cell is not resident");
    let object = scene.world.body(id).unwrap();
    let (at, empty) = (*object.position(), object.cells().is_empty());
    assert!(!empty);
    scene.world.lose(id, at).unwrap();
    check(&scene, "lost");
}

#[test]
fn an_ethereal_body_that_walks_becomes_solid_once_it_overlaps_no_other() {
    let mut scene = CrowdScene::rooms();
    let ghost = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    scene.join(ghost);
    assert!(set_ethereal(&mut scene, true));
    scene.walker(2, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    assert!(!set_ethereal(&mut scene, false), "another body overlaps it");
    for tick in 1..=30 {
        scene.tick(f64::from(tick) / 30.0);
    }
    assert!(!scene.crowd.get(BodyId(1)).unwrap().becoming_solid);
    assert!(!scene.world.body(BodyId(1)).unwrap().state().has(State::ETHEREAL));
}

#[test]
fn a_body_that_leaves_the_ground_keeps_going_in_its_new_direction() {
    let mut scene = CrowdScene::rooms();
    let mut body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    let CrowdScene { world, scratch, .. } = &mut scene;
    let (mover, at) = (body.mover(world).unwrap(), *world.body(BodyId(1)).unwrap().position());
    let sweeper = threshold_motion::Sweeper::new(world);
    let mut outcome = sweeper.sweep(scratch, &mut (), &mover, &at, &at);
    outcome.position.frame.rotation = Rotation::from_heading(180.0);
    // A refused body is not turned by a commit.
    let mut refused = outcome.clone();
    refused.refused = Some(threshold_motion::Refusal::NothingLeft);
    threshold_motion::commit(world, &mut body, &refused).unwrap();
    assert_eq!(*world.body(BodyId(1)).unwrap().position(), at);
    outcome.stance = threshold_motion::Stance::default();
    let mut faller = body.clone();
    let events = threshold_motion::commit(world, &mut faller, &outcome).unwrap();
    assert_eq!(events[..], [Event::LeftGround]);
    assert!(faller.velocity.y < -3.0 && faller.velocity.x.abs() < 0.01, "{}", faller.velocity);
    // The same when it leaves the world.
    world.turn(BodyId(1), Rotation::from_heading(90.0)).unwrap();
    body.leave(world).unwrap();
    assert!(body.velocity.x > 3.0, "{}", body.velocity);
}

#[test]
fn the_clock_of_a_sleeping_body_advances() {
    let mut scene = CrowdScene::rooms();
    let mut body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    body.awake = false;
    let CrowdScene { world, scratch, .. } = &mut scene;
    let _ = body.update(&mut MoveContext::new(world, Rules::default(), scratch), 0.5).unwrap();
    assert_eq!(body.clock, 0.5);
}

#[test]
fn a_body_inserted_between_two_quanta_joins_the_next_update() {
    let mut scene = CrowdScene::rooms();
    let first = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    let second = scene.walker(2, 0x0102_0102, [19.0, 2.0, 0.0], 90.0);
    scene.join(first);
    let CrowdScene { world, crowd, .. } = &mut scene;
    crowd.resolve(world, Rules::default(), 0.65, |_| ());
    assert!(crowd.commit(world), "there are three more");
    assert!(crowd.insert(second).is_none());
    loop {
        crowd.resolve(world, Rules::default(), 0.65, |_| ());
        if !crowd.commit(world) {
            break;
        }
    }
    assert_eq!(crowd.get(BodyId(2)).unwrap().clock, 0.0, "its clock has not started");
    crowd.update(world, Rules::default(), 0.68);
    let clocks = crowd.bodies().map(|body| body.clock).collect::<Vec<_>>();
    assert!(clocks.iter().all(|clock| (clock - 0.68).abs() < 0.034), "{clocks:?}");
    let x = scene.world.body(BodyId(2)).unwrap().position().frame.origin.x;
    assert!((x - 19.0 - 0.68 * 3.12).abs() < 0.11, "{x}");
}

#[test]
fn a_repeated_resolve_or_commit_does_nothing() {
    let mut scene = CrowdScene::rooms();
    let body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    scene.join(body);
    let CrowdScene { world, crowd, .. } = &mut scene;
    assert!(!crowd.commit(world));
    crowd.resolve(world, Rules::default(), 0.03, |_| ());
    let clock = crowd.get(BodyId(1)).unwrap().clock;
    crowd.resolve(world, Rules::default(), 0.06, |_| ());
    assert_eq!(crowd.get(BodyId(1)).unwrap().clock, clock);
    assert!(!crowd.commit(world));
    let elsewhere = Position::new(CellId(0x0102_0102), Vec3::new(19.0, 2.0, 0.0));
    world.move_body(BodyId(1), elsewhere).unwrap();
    assert!(!crowd.commit(world));
    assert_eq!(*world.body(BodyId(1)).unwrap().position(), elsewhere);
}
