//! Crowds: the same result for any number of threads and any order of insertion, and for each body the result it
//! would have alone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod threads;

use threads::{instruct, run};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation, Sphere};
use threshold_motion::{Body, Crowd, Event, Gait, MoveContext, Obstacle, Rules, Search, Shortcuts};
use threshold_testkit::{CrowdScene, MOVER, WALKER_STATE, sample_builder};
use threshold_world::{BodyId, BodySpec, ObjectKind, PieceId, World};

/// Forty creatures in four rooms, which constantly run into each other and the walls.
fn dense_crowd(order: impl Iterator<Item = u32>) -> CrowdScene {
    let mut scene = CrowdScene::rooms();
    let bodies: Vec<Body> = (0..40)
        .map(|number| {
            let (cell, x) = (0x0102_0100 + number % 4, 1.0 + (number % 8) as f32 * 4.0);
            let y = 0.8 + (number / 8) as f32 * 0.6;
            scene.walker(number, cell, [x, y, 0.0], number as f32 * 47.0)
        })
        .collect();
    // Inserted again in the given order, each gets another slot.
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
    let want = run(dense_crowd(0..40), 1, 300);
    // The same with and without the feature `rayon`, and on every machine.
    assert_eq!(want.0.to_string(), "b204d306886801f3");
    let bumps = want.1.iter().filter(|(_, event)| {
        matches!(event, Event::Collided(Obstacle::Object(other)) if other.as_body().is_some())
    });
    assert!(bumps.count() > 100, "bodies run into each other");
    for threads in [1, 2, 3, 16] {
        assert_eq!(run(dense_crowd(0..40), threads, 300), want, "{threads} threads");
    }
}

#[test]
fn a_crowd_has_the_same_result_without_shortcuts() {
    let mut plain = dense_crowd(0..40);
    plain.crowd.set_shortcuts(Shortcuts::NONE);
    assert_eq!(run(plain, 2, 60), run(dense_crowd(0..40), 2, 60));
}

#[test]
fn the_order_of_insertion_changes_nothing() {
    assert_eq!(run(dense_crowd((0..40).rev()), 2, 60), run(dense_crowd(0..40), 2, 60));
}

/// Times of updates: a hitch, a wait, a pause too long to be made up for, and a repeated time.
const UPDATE_TIMES: [f64; 8] = [0.033, 0.3, 0.31, 0.95, 0.95, 4.0, 4.033, 5.9];

#[test]
fn a_body_that_meets_no_other_moves_as_alone_to_the_bit() {
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
    for now in UPDATE_TIMES {
        let events = together.tick(now);
        for body in &mut bodies {
            let CrowdScene { world, scratch, .. } = &mut apart;
            let updated =
                body.update(&mut MoveContext::new(world, Rules::default(), scratch), now).unwrap();
            let reported = events.iter().filter(|(id, _)| *id == body.id).map(|(_, event)| *event);
            assert_eq!(
                updated.events.to_vec(),
                reported.collect::<Vec<_>>(),
                "{} at {now}",
                body.id
            );
        }
        let mut alone = Crowd::new();
        bodies.iter().for_each(|body| assert!(alone.insert(body.clone()).is_none()));
        assert_eq!(together.hash(), alone.hash(&apart.world), "at {now}");
    }
}

#[test]
fn two_bodies_that_meet_within_a_quantum_overlap_until_the_next_and_then_stop() {
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
    // Neither passes through the other; the last step of one did not see that of the other.
    let gap = apart(&scene);
    let step = 3.12 / 30.0;
    assert!((0.96 - 2.0 * step..0.96 + 2.0 * step).contains(&gap), "{gap}");
    for body in both {
        assert!(scene.crowd.get(body).unwrap().actual_velocity.length() < 0.2, "{body} goes on");
    }
}

/// Seven hundred players in three rooms, which pass through one another; the fourth room is not resident.
fn players() -> (CrowdScene, Vec<Body>) {
    let mut scene = CrowdScene::rooms();
    assert!(scene.world.drop_piece(PieceId::Room(CellId(0x0102_0103))));
    // Other bodies take the first slots.
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

/// Checks that every body is found at its position in each of its cells.
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
        crowd.resolve(world, Rules::default(), now, |body| instruct(body, world, tick, before));
        assert!(!crowd.commit(world));
        lost += crowd.events().iter().filter(|(_, e)| matches!(e, Event::Lost { .. })).count();
        let CrowdScene { world, scratch, .. } = &mut apart;
        let mut alone = Crowd::new();
        for body in &mut bodies {
            instruct(body, world, tick, before);
            let _ =
                body.update(&mut MoveContext::new(world, Rules::default(), scratch), now).unwrap();
            assert!(alone.insert(body.clone()).is_none());
        }
        assert_eq!(together.hash(), alone.hash(world), "tick {tick}");
        check_lists(&together.world);
    }
    // Loads the room that was not resident.
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
    assert!(lost > 5 && missed > 0, "{lost} lost, {missed} in the new room");
}
