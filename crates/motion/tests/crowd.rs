//! Crowds: the same result for any number of threads, in any order of coming, and for each body what it would do alone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod sample;

use sample::random::Random;
use sample::{MOVER, WALKER, everything, made};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{
    Body, Crowd, Event, Gait, Jump, Obstacle, Rules, Scratch, Search, StateHash,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, PieceId, State, World};

/// A world with a crowd in it.
struct Scene {
    builder: Builder,
    world: World,
    crowd: Crowd,
    scratch: Scratch,
}

impl Scene {
    fn new(builder: Builder) -> Self {
        let world = everything(&builder);
        Self { builder, world, crowd: Crowd::new(), scratch: Scratch::new() }
    }

    /// Four rooms in a row, open to each other, 8 m long and 4 m wide.
    fn rooms() -> Self {
        Self::new(Builder::new(made::row(&[8.0; 4], &[])))
    }

    /// Puts a creature where it stands, and lets it walk.
    fn walker(&mut self, number: u32, cell: u32, at: [f32; 3], heading: f32) -> Body {
        let mut position = Position::new(CellId(cell), at.into());
        position.frame.rotation = Rotation::from_heading(heading);
        let spec = BodySpec {
            body: BodyId(number),
            setup: self.builder.setup(MOVER).unwrap(),
            position,
            scale: 1.0,
            state: WALKER,
            kind: ObjectKind::Creature,
        };
        let mut body = Body { gait: Some(Gait::walk()), ..Body::new(BodyId(number)) };
        let (rules, search) = (Rules::default(), Search::Around);
        let (placed, _) = body.enter(&mut self.world, rules, &mut self.scratch, spec, search, 0.0);
        assert!(placed.is_ok() && body.stance.on_walkable, "{number}: {placed:?}");
        body
    }

    fn join(&mut self, body: Body) {
        assert!(self.crowd.insert(body).is_none());
    }

    fn tick(&mut self, now: f64) -> Vec<(BodyId, Event)> {
        self.crowd.update(&mut self.world, Rules::default(), now).to_vec()
    }

    fn hash(&self) -> StateHash {
        self.crowd.hash(&self.world)
    }
}

/// Forty creatures in four rooms, who run into each other and the walls all the time.
fn throng(order: impl Iterator<Item = u32>) -> Scene {
    let mut scene = Scene::rooms();
    let bodies: Vec<Body> = (0..40)
        .map(|number| {
            let (cell, x) = (0x0102_0100 + number % 4, 1.0 + (number % 8) as f32 * 4.0);
            let y = 0.8 + (number / 8) as f32 * 0.6;
            scene.walker(number, cell, [x, y, 0.0], number as f32 * 47.0)
        })
        .collect();
    for number in order {
        scene.join(bodies[number as usize].clone());
    }
    scene
}

/// What a body does at a tick: by its number and the tick alone.
fn tell(body: &mut Body, world: &World, tick: u32, now: f64) {
    let mut random = Random(u64::from(body.id.0) << 32 | u64::from(tick));
    if random.below(12) == 0 {
        let turn = random.between(-180.0, 180.0) as f32;
        body.gait = Some(Gait { turn, ..Gait::run(random.between(0.5, 2.5) as f32) });
    }
    if random.below(40) == 0 {
        // Who is in the air does not.
        let _ = body.jump(world, &Jump::default(), now);
    }
}

/// Lets a crowd run about on so many threads; the state at the end, and everything that happened.
fn run(mut scene: Scene, threads: usize, ticks: u32) -> (StateHash, Vec<(BodyId, Event)>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut events = Vec::new();
    for tick in 0..ticks {
        let (before, now) = (f64::from(tick) / 30.0, f64::from(tick + 1) / 30.0);
        let Scene { world, crowd, .. } = &mut scene;
        let more = pool.install(|| {
            crowd.resolve(world, Rules::default(), now, |body| tell(body, world, tick, before));
            crowd.commit(world)
        });
        assert!(!more, "a tick of a thirtieth is one quantum");
        events.extend(scene.crowd.events());
    }
    (scene.hash(), events)
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads_and_every_time() {
    let want = run(throng(0..40), 1, 300);
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
        let mut scene = Scene::new(sample::builder("holt"));
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
            let Scene { world, scratch, .. } = &mut apart;
            let updated = body.update(world, Rules::default(), scratch, now).unwrap();
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
    let mut scene = Scene::rooms();
    let east = scene.walker(1, 0x0102_0100, [1.0, 2.0, 0.0], 90.0);
    let west = scene.walker(2, 0x0102_0100, [2.25, 2.0, 0.0], 270.0);
    let (both, apart) = ([1, 2].map(BodyId), |scene: &Scene| {
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
        assert!(scene.crowd.get(body).unwrap().went.length() < 0.2, "{body} goes on");
    }
}

#[test]
fn who_loses_its_cell_is_lost_and_the_others_go_on() {
    let mut scene = Scene::rooms();
    for (number, x) in [(1, 3.0), (2, 27.0)] {
        let cell = if number == 1 { 0x0102_0100 } else { 0x0102_0103 };
        let body = scene.walker(number, cell, [x, 2.0, 0.0], 0.0);
        scene.join(body);
    }
    scene.tick(1.0 / 30.0);
    assert!(scene.world.drop_piece(PieceId::Room(CellId(0x0102_0103))));
    let events = scene.tick(2.0 / 30.0);
    let lost = (BodyId(2), Event::Lost { from: CellId(0x0102_0103) });
    assert_eq!(events, [lost]);
    assert!(scene.world.body(BodyId(2)).unwrap().is_lost());
    assert!(scene.crowd.get(BodyId(1)).unwrap().went.length() > 3.0);
    assert!(scene.tick(3.0 / 30.0).is_empty(), "it is said once");
}

#[test]
fn who_is_not_in_the_world_is_passed_over_until_it_comes() {
    let mut scene = Scene::rooms();
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
        assert!((body.went.length() - 3.12).abs() < 0.01, "{number}: {}", body.went);
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
    let mut scene = Scene::rooms();
    let mut ghost = scene.walker(1, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    ghost.gait = Some(Gait::stand());
    scene.join(ghost);
    let Scene { world, crowd, scratch, .. } = &mut scene;
    let ghost = crowd.get_mut(BodyId(1)).unwrap();
    assert!(ghost.set_ethereal(world, Rules::default(), scratch, true, 0.0).unwrap());
    let walker = scene.walker(2, 0x0102_0100, [3.0, 2.0, 0.0], 0.0);
    scene.join(walker);
    let Scene { world, crowd, scratch, .. } = &mut scene;
    let ghost = crowd.get_mut(BodyId(1)).unwrap();
    assert!(!ghost.set_ethereal(world, Rules::default(), scratch, false, 0.0).unwrap());
    let solid = |scene: &Scene| !scene.world.body(BodyId(1)).unwrap().state().has(State::ETHEREAL);
    let mut when = None;
    for tick in 1..=30 {
        scene.tick(f64::from(tick) / 30.0);
        when = when.or(solid(&scene).then_some(tick));
    }
    assert!(when.is_some_and(|tick| tick > 5), "{when:?}");
}
