//! Crowds: the same result for any number of threads, in any order of coming, and for each body what it would do alone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod threads;

use threads::{run, tell};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Rotation, Sphere};
use threshold_motion::{Body, Crowd, Event, Gait, MoveContext, Obstacle, Rules, Search};
use threshold_testkit::{CrowdScene, MOVER, WALKER_STATE, sample_builder};
use threshold_world::{BodyId, BodySpec, ObjectKind, PieceId, State, World};

/// Forty creatures in four rooms, who run into each other and the walls all the time.
fn throng(order: impl Iterator<Item = u32>) -> CrowdScene {
    let mut scene = CrowdScene::rooms();
    let bodies: Vec<Body> = (0..40)
        .map(|number| {
            let (cell, x) = (0x0102_0100 + number % 4, 1.0 + (number % 8) as f32 * 4.0);
            let y = 0.8 + (number / 8) as f32 * 0.6;
            scene.walker(number, cell, [x, y, 0.0], number as f32 * 47.0)
        })
        .collect();
    // They come into the world in this order, where they are: each has another seat then.
    let objects: Vec<_> = bodies.iter().map(|body| scene.world.remove(body.id).unwrap()).collect();
    for number in order {
        let (body, object) = (&bodies[number as usize], &objects[number as usize]);
        let setup = scene.builder.setup(MOVER).unwrap();
        let (position, scale) = (*object.position(), object.scale());
        let (body, state, kind) = (body.id, object.state(), object.kind());
        scene.world.insert(BodySpec { body, setup, position, scale, state, kind });
        scene.join(bodies[number as usize].clone());
    }
    scene
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads_and_every_time() {
    let want = run(throng(0..40), 1, 300);
    // With the feature and without, and on every machine.
    assert_eq!(want.0.to_string(), "b204d306886801f3");
    let bumps = want.1.iter().filter(|(_, event)| {
        matches!(event, Event::Collided(Obstacle::Object(other)) if other.as_body().is_some())
    });
    assert!(bumps.count() > 100, "nobody runs into anybody");
    for threads in [1, 2, 3, 16] {
        assert_eq!(run(throng(0..40), threads, 300), want, "{threads} threads");
    }
}

#[test]
fn it_does_not_matter_in_which_order_bodies_come() {
    assert_eq!(run(throng((0..40).rev()), 2, 60), run(throng(0..40), 2, 60));
}

/// A hitch, a wait, a pause that is not made up for, and time that stands still.
const TIMES: [f64; 8] = [0.033, 0.3, 0.31, 0.95, 0.95, 4.0, 4.033, 5.9];

#[test]
fn who_meets_nobody_moves_as_alone_to_the_bit() {
    let build = || {
        let mut scene = CrowdScene::new(sample_builder("holt"));
        let starts = [[60.0, 96.0, 40.0], [72.5, 120.5, 40.0], [150.0, 1.0, 40.0]];
        let bodies: Vec<Body> = (0..)
            .zip(starts)
            .map(|(number, at)| {
                let cell = threshold_land::adjust_to_outside(CellId(0xA9B4_0001), at.into());
                scene.walker(number, cell.unwrap().0.0, at, 90.0 * number as f32)
            })
            .collect();
        (scene, bodies)
    };
    let (mut together, bodies) = build();
    bodies.into_iter().for_each(|body| together.join(body));
    let (mut apart, mut bodies) = build();
    for now in TIMES {
        let events = together.tick(now);
        for body in &mut bodies {
            let CrowdScene { world, scratch, .. } = &mut apart;
            let updated =
                body.update(&mut MoveContext::new(world, Rules::default(), scratch), now).unwrap();
            let told = events.iter().filter(|(id, _)| *id == body.id).map(|(_, event)| *event);
            assert_eq!(updated.events.to_vec(), told.collect::<Vec<_>>(), "{} at {now}", body.id);
        }
        let mut alone = Crowd::new();
        bodies.iter().for_each(|body| assert!(alone.insert(body.clone()).is_none()));
        assert_eq!(together.hash(), alone.hash(&apart.world), "at {now}");
    }
}

#[test]
fn two_who_meet_within_a_quantum_overlap_until_the_next_and_then_stop() {
    let mut scene = CrowdScene::rooms();
    let east = scene.walker(1, 0x0102_0100, [1.0, 2.0, 0.0], 90.0);
    let west = scene.walker(2, 0x0102_0100, [2.25, 2.0, 0.0], 270.0);
    let (both, apart) = ([1, 2].map(BodyId), |scene: &CrowdScene| {
        let at = |body| scene.world.body(BodyId(body)).unwrap().position().frame.origin;
        at(2).x - at(1).x
    });
    scene.join(east);
    scene.join(west);
    for tick in 1..=60 {
        scene.tick(f64::from(tick) / 30.0);
    }
    // Neither has gone on through the other; the last step of one did not see that of the other.
    let gap = apart(&scene);
    let step = 3.12 / 30.0;
    assert!((0.96 - 2.0 * step..0.96 + 2.0 * step).contains(&gap), "{gap}");
    for body in both {
        assert!(scene.crowd.get(body).unwrap().actual_velocity.length() < 0.2, "{body} goes on");
    }
}

#[test]
fn who_loses_its_cell_is_lost_and_the_others_go_on() {
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
    assert!(scene.tick(3.0 / 30.0).is_empty(), "it is said once");
}

#[test]
fn who_is_not_in_the_world_is_passed_over_until_it_comes() {
    let mut scene = CrowdScene::rooms();
    let first = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    let second = scene.walker(2, 0x0102_0102, [19.0, 2.0, 0.0], 90.0);
    scene.join(first);
    scene.join(second);
    let object = scene.world.remove(BodyId(1)).unwrap();
    assert!(scene.tick(1.0 / 30.0).is_empty());
    assert_eq!(scene.crowd.get(BodyId(1)).unwrap().clock, 0.0);
    // Somebody else takes the seat that it had.
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
fn bodies_come_and_go() {
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
fn a_door_that_waits_is_solid_again_once_nobody_stands_in_it() {
    let mut scene = CrowdScene::rooms();
    let mut ghost = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    ghost.gait = Some(Gait::stand());
    scene.join(ghost);
    let CrowdScene { world, crowd, scratch, .. } = &mut scene;
    let ghost = crowd.get_mut(BodyId(1)).unwrap();
    assert!(
        ghost
            .set_ethereal(&mut MoveContext::new(world, Rules::default(), scratch), true, 0.0)
            .unwrap()
    );
    let walker = scene.walker(2, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    scene.join(walker);
    let CrowdScene { world, crowd, scratch, .. } = &mut scene;
    let ghost = crowd.get_mut(BodyId(1)).unwrap();
    assert!(
        !ghost
            .set_ethereal(&mut MoveContext::new(world, Rules::default(), scratch), false, 0.0)
            .unwrap()
    );
    let solid =
        |scene: &CrowdScene| !scene.world.body(BodyId(1)).unwrap().state().has(State::ETHEREAL);
    let mut when = None;
    for tick in 1..=30 {
        scene.tick(f64::from(tick) / 30.0);
        when = when.or(solid(&scene).then_some(tick));
    }
    assert!(when.is_some_and(|tick| tick > 5), "{when:?}");
}

/// Seven hundred players in three rooms, who pass through one another; the fourth room is not there.
fn players() -> (CrowdScene, Vec<Body>) {
    let mut scene = CrowdScene::rooms();
    assert!(scene.world.drop_piece(PieceId::Room(CellId(0x0102_0103))));
    // Seats of others come first.
    let before: Vec<BodyId> = (1_000..1_010).map(BodyId).collect();
    for id in &before {
        scene.walker(id.0, 0x0102_0100, [1.0 + (id.0 % 10) as f32 * 0.6, 2.0, 0.0], 0.0);
    }
    let mut bodies = Vec::new();
    for number in 0..700 {
        let (cell, x) = (0x0102_0100 + number % 3, 1.5 + (number % 3 * 8 + number % 5) as f32);
        let mut position = Position::new(CellId(cell), Vec3::new(x, 2.0, 0.0));
        position.frame.rotation = Rotation::from_heading(number as f32 * 47.0);
        let spec = BodySpec {
            body: BodyId(number),
            setup: scene.builder.setup(MOVER).unwrap(),
            position,
            scale: 1.0,
            state: WALKER_STATE,
            kind: ObjectKind::Player(threshold_world::PlayerStatus::Peaceful),
        };
        if number == 0 {
            before.iter().for_each(|id| drop(scene.world.remove(*id).unwrap()));
        }
        let turns = Gait { turn: 90.0, ..Gait::stand() };
        let gait = if number % 7 == 0 { turns } else { Gait::walk() };
        let mut body = Body { gait: Some(gait), ..Body::new(BodyId(number)) };
        let CrowdScene { world, scratch, .. } = &mut scene;
        let (placed, _) = body.enter(
            &mut MoveContext::new(world, Rules::default(), scratch),
            spec,
            Search::Here,
            0.0,
        );
        assert!(placed.is_ok(), "{number}: {placed:?}");
        bodies.push(body);
    }
    (scene, bodies)
}

/// Every body is near where it is, by the list of each cell it is in.
#[track_caller]
fn check_lists(world: &World) {
    for object in world.objects().filter(|object| object.id().as_body().is_some()) {
        for cell in object.cells().iter().filter(|registered| registered.resident) {
            let at = Sphere::new(object.position().frame.origin, 0.01);
            let mut nearby = world.objects_near(cell.cell);
            let mut near = std::iter::from_fn(|| nearby.next(|_| true, &at));
            assert!(near.any(|other| other.id() == object.id()), "{} {cell:?}", object.id());
        }
    }
}

#[test]
fn a_crowd_of_players_moves_as_each_of_them_alone_to_the_bit() {
    let (mut together, bodies) = players();
    bodies.into_iter().for_each(|body| together.join(body));
    let (mut apart, mut bodies) = players();
    let (mut lost, mut missed) = (0, 0);
    for tick in 0..45 {
        let (before, now) = (f64::from(tick) / 30.0, f64::from(tick + 1) / 30.0);
        let CrowdScene { world, crowd, .. } = &mut together;
        crowd.resolve(world, Rules::default(), now, |body| tell(body, world, tick, before));
        assert!(!crowd.commit(world));
        lost += crowd.events().iter().filter(|(_, e)| matches!(e, Event::Lost { .. })).count();
        let CrowdScene { world, scratch, .. } = &mut apart;
        let mut alone = Crowd::new();
        for body in &mut bodies {
            tell(body, world, tick, before);
            let _ =
                body.update(&mut MoveContext::new(world, Rules::default(), scratch), now).unwrap();
            assert!(alone.insert(body.clone()).is_none());
        }
        assert_eq!(together.hash(), alone.hash(world), "tick {tick}");
        check_lists(&together.world);
    }
    // What they asked for and was not there comes.
    for world in [&mut together.world, &mut apart.world] {
        let room = PieceId::Room(CellId(0x0102_0103));
        world.adopt(together.builder.build(room).unwrap().unwrap().piece);
    }
    for body in &bodies {
        let [one, other] =
            [&together.world, &apart.world].map(|world| world.body(body.id).unwrap());
        assert_eq!(one.cells(), other.cells(), "{}", body.id);
        missed += usize::from(one.cells().iter().any(|cell| cell.cell.0 == 0x0102_0103));
    }
    assert!(lost > 5 && missed > 0, "{lost} lost, {missed} look into the new room");
}

#[test]
fn a_seat_that_somebody_else_has_taken_is_not_its_own() {
    let mut scene = CrowdScene::rooms();
    for (number, cell, x) in [(1, 0x0102_0100, 3.0), (2, 0x0102_0102, 19.0)] {
        let body = scene.walker(number, cell, [x, 2.0, 0.0], 90.0);
        scene.join(body);
    }
    scene.tick(1.0 / 30.0);
    scene.world.remove(BodyId(1)).unwrap();
    // On its seat, and in no crowd.
    scene.walker(3, 0x0102_0101, [11.0, 2.0, 0.0], 90.0);
    let at = |scene: &CrowdScene, body| *scene.world.body(BodyId(body)).unwrap().position();
    let third = at(&scene, 3);
    scene.tick(2.0 / 30.0);
    assert_eq!(at(&scene, 3), third);
    // It comes back, on another seat.
    let back = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    *scene.crowd.get_mut(BodyId(1)).unwrap() = back;
    let first = at(&scene, 1);
    scene.tick(2.5 / 30.0);
    assert!(at(&scene, 1) != first && at(&scene, 3) == third);
    // Who goes leaves the others theirs.
    scene.crowd.remove(BodyId(1)).unwrap();
    let second = at(&scene, 2);
    scene.tick(4.0 / 30.0);
    assert_ne!(at(&scene, 2), second);
}

#[test]
fn who_goes_between_the_halves_of_an_update_leaves_the_others_alone() {
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
fn everybody_is_told_once_an_update_however_many_quanta_it_has() {
    let mut scene = CrowdScene::rooms();
    let body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    scene.join(body);
    let told = std::sync::atomic::AtomicU32::new(0);
    let CrowdScene { world, crowd, .. } = &mut scene;
    let mut rounds = 0;
    loop {
        crowd.resolve(world, Rules::default(), 0.65, |_| {
            told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        rounds += 1;
        if !crowd.commit(world) {
            break;
        }
    }
    assert_eq!((told.into_inner(), rounds), (1, 4));
}

#[test]
fn who_sleeps_stays_where_it_was_put_in_the_meantime() {
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
fn whatever_changes_of_where_a_body_is_changes_the_number() {
    let mut scene = CrowdScene::rooms();
    let body = scene.walker(1, 0x0102_0100, [7.9, 2.0, 0.1], 90.0);
    scene.join(body);
    let id = BodyId(1);
    let mut seen = vec![scene.hash()];
    let mut check = |scene: &CrowdScene, what: &str| {
        let now = scene.hash();
        assert!(!seen.contains(&now), "{what}");
        seen.push(now);
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
fn a_ghost_that_walks_is_solid_again_once_it_has_walked_out_of_the_others() {
    let mut scene = CrowdScene::rooms();
    let ghost = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    scene.join(ghost);
    let CrowdScene { world, crowd, scratch, .. } = &mut scene;
    let ghost = crowd.get_mut(BodyId(1)).unwrap();
    assert!(
        ghost
            .set_ethereal(&mut MoveContext::new(world, Rules::default(), scratch), true, 0.0)
            .unwrap()
    );
    scene.walker(2, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    let CrowdScene { world, crowd, scratch, .. } = &mut scene;
    let ghost = crowd.get_mut(BodyId(1)).unwrap();
    assert!(
        !ghost
            .set_ethereal(&mut MoveContext::new(world, Rules::default(), scratch), false, 0.0)
            .unwrap()
    );
    for tick in 1..=30 {
        scene.tick(f64::from(tick) / 30.0);
    }
    assert!(!scene.crowd.get(BodyId(1)).unwrap().becoming_solid);
    assert!(!scene.world.body(BodyId(1)).unwrap().state().has(State::ETHEREAL));
}

#[test]
fn who_leaves_the_ground_goes_on_as_it_is_turned_then() {
    let mut scene = CrowdScene::rooms();
    let mut body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    let CrowdScene { world, scratch, .. } = &mut scene;
    let (mover, at) = (body.mover(world).unwrap(), *world.body(BodyId(1)).unwrap().position());
    let sweeper = threshold_motion::Sweeper::new(world);
    let mut outcome = sweeper.sweep(scratch, &mut (), &mover, &at, &at);
    outcome.position.frame.rotation = Rotation::from_heading(180.0);
    // Who is refused is not turned by a commit.
    let mut refused = outcome.clone();
    refused.refused = Some(threshold_motion::Refusal::NothingLeft);
    threshold_motion::commit(world, &mut body, &refused).unwrap();
    assert_eq!(*world.body(BodyId(1)).unwrap().position(), at);
    outcome.stance = threshold_motion::Stance::default();
    let mut faller = body.clone();
    let events = threshold_motion::commit(world, &mut faller, &outcome).unwrap();
    assert_eq!(events[..], [Event::LeftGround]);
    assert!(faller.velocity.y < -3.0 && faller.velocity.x.abs() < 0.01, "{}", faller.velocity);
    // Out of the world as well.
    world.turn(BodyId(1), Rotation::from_heading(90.0)).unwrap();
    body.leave(world).unwrap();
    assert!(body.velocity.x > 3.0, "{}", body.velocity);
}

#[test]
fn no_time_waits_for_who_sleeps() {
    let mut scene = CrowdScene::rooms();
    let mut body = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 90.0);
    body.awake = false;
    let CrowdScene { world, scratch, .. } = &mut scene;
    let _ = body.update(&mut MoveContext::new(world, Rules::default(), scratch), 0.5).unwrap();
    assert_eq!(body.clock, 0.5);
}

#[test]
fn who_comes_between_two_quanta_takes_part_in_the_next_update() {
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
    assert_eq!(crowd.get(BodyId(2)).unwrap().clock, 0.0, "its time has not begun");
    crowd.update(world, Rules::default(), 0.68);
    let clocks = crowd.bodies().map(|body| body.clock).collect::<Vec<_>>();
    assert!(clocks.iter().all(|clock| (clock - 0.68).abs() < 0.034), "{clocks:?}");
    let x = scene.world.body(BodyId(2)).unwrap().position().frame.origin.x;
    assert!((x - 19.0 - 0.68 * 3.12).abs() < 0.11, "{x}");
}

#[test]
fn a_half_that_comes_again_does_nothing() {
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
