//! `CellChanged` is the one signal for streaming, rendering and audio: a listener to it alone always knows the cell of a
//! body.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeMap;
use threshold_testkit::{
    MOVER, Random, WALKER, WALKER_STATE, Walk,
    layouts::{A, B, dungeon, hut, plain, row},
};

use threshold_dat::RecordSet;
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation};
use threshold_motion::{
    Body, Crowd, Event, Gait, MoveContext, Rules, Search, SweepScratch, Sweeper, commit,
};
use threshold_world::{BodyId, BodySpec, Builder, Object, ObjectKind, PieceId, World};

/// What a listener knows of a body after its events, and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Listener {
    cell: Option<CellId>,
    is_lost: bool,
}

impl Listener {
    #[track_caller]
    fn receive<'e>(&mut self, events: impl IntoIterator<Item = &'e Event>) {
        for event in events {
            match *event {
                Event::CellChanged { from, to } => {
                    assert_eq!(from, self.cell, "the listener knows another cell: {event:?}");
                    assert_ne!(from, to);
                    self.cell = to;
                    self.is_lost &= to.is_none();
                }
                Event::Lost { .. } => {
                    assert!(!self.is_lost, "reported twice: {event:?}");
                    assert_eq!(self.cell, None, "reported before the change of cell");
                    self.is_lost = true;
                }
                _ => {}
            }
        }
    }

    #[track_caller]
    fn check(&self, world: &World, body: BodyId) {
        let object = world.body(body);
        let is_lost = object.is_some_and(Object::is_lost);
        assert_eq!(*self, Self { cell: object.and_then(Object::cell), is_lost });
    }
}

/// Two landblocks, a hut of two rooms on one of them that is open to the land, and three rooms in a dungeon.
fn surroundings() -> RecordSet {
    let mut house = Plan::new();
    let hall = house.room(RoomSpec::cuboid([-2.0, -2.0, 0.1], [2.0, 2.0, 3.1]));
    let closet = house.room(RoomSpec::cuboid([-4.0, -2.0, 0.1], [-2.0, 2.0, 3.1]));
    house.exit(hall, Opening::whole(Face::EAST));
    house.join(hall, closet, Opening::whole(Face::WEST));
    let mut deep = Plan::new();
    let rooms = [0.0, 4.0, 8.0]
        .map(|west| deep.room(RoomSpec::cuboid([west, 0.0, 0.0], [west + 4.0, 4.0, 3.0])));
    deep.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    deep.join(rooms[1], rooms[2], Opening::whole(Face::EAST));
    let mut forge: Forge = plain(&[0xA9B3]);
    forge.block(BlockId(0xA9B4)).building(Frame::at(Vec3::new(84.0, 10.0, 0.0)), house);
    forge.block(BlockId(0x0102)).dungeon(Frame::IDENTITY, deep);
    forge.finish().unwrap().into_records()
}

/// Random positions of bodies and changes of the world.
struct Randomizer {
    random: Random,
    builder: Builder,
    pieces: Vec<PieceId>,
}

impl Randomizer {
    fn new(seed: u64) -> Self {
        let builder = Builder::new(surroundings());
        let pieces = builder.pieces();
        Self { random: Random(seed), builder, pieces }
    }

    fn between(&mut self, low: f64, high: f64) -> f32 {
        self.random.between(low, high) as f32
    }

    /// Returns a position on the land around the hut and across the border, in or beside a room, or in a cell that does not
    /// exist.
    fn position(&mut self) -> Position {
        let block = [0xA9B4, 0xA9B4, 0xA9B3, 0x0102, 0x0102, 0xA9B5][self.random.below(6)];
        let low = match block {
            0x0102 => 0x100 + self.random.below(4),
            0xA9B4 if self.random.below(2) == 0 => 0x100 + self.random.below(2),
            _ => 1 + 8 * self.random.below(8),
        };
        let cell = BlockId(block).cell(u16::try_from(low).unwrap());
        let (x, y) = match block {
            0x0102 => (self.between(-2.0, 14.0), self.between(-1.0, 5.0)),
            _ => (self.between(76.0, 92.0), self.between(-3.0, 14.0)),
        };
        let mut position = Position::new(cell, Vec3::new(x, y, self.between(-0.2, 1.5)));
        position.frame.rotation = Rotation::from_heading(self.between(0.0, 360.0));
        position
    }

    fn spec(&mut self, body: BodyId) -> BodySpec {
        BodySpec {
            body,
            setup: self.builder.setup(MOVER).unwrap(),
            position: self.position(),
            scale: 1.0,
            state: WALKER_STATE,
            kind: ObjectKind::Creature,
        }
    }

    fn search(&mut self) -> Search {
        [Search::Here, Search::Around][self.random.below(2)]
    }

    fn drop_piece(&mut self, world: &mut World) {
        let piece = self.pieces[self.random.below(self.pieces.len())];
        world.drop_piece(piece);
    }

    fn adopt_piece(&mut self, world: &mut World) {
        let piece = self.pieces[self.random.below(self.pieces.len())];
        world.adopt(self.builder.build(piece).unwrap().unwrap().piece);
    }

    fn adopt_all(&mut self, world: &mut World) {
        for piece in &self.pieces {
            world.adopt(self.builder.build(*piece).unwrap().unwrap().piece);
        }
    }
}

/// Number of times that each case occurred.
type CaseCounts = BTreeMap<&'static str, u32>;

/// Does one random thing to a body that a program can do, other than updating it. Returns the name of the case.
fn disturb(
    randomizer: &mut Randomizer,
    (world, rules, scratch): (&mut World, Rules, &mut SweepScratch),
    (body, listener): (&mut Body, &mut Listener),
    now: f64,
) -> &'static str {
    let is_there = world.body(body.id).is_some();
    let (case, events) = match randomizer.random.below(6) {
        0 => {
            let (spec, search) = (randomizer.spec(body.id), randomizer.search());
            let (outcome, events) =
                body.enter(&mut MoveContext::new(world, rules, scratch), spec, search, now);
            // A body that enters starts afresh and may be lost again.
            listener.is_lost &= !outcome.is_ok();
            (if outcome.is_ok() { "enters" } else { "is kept out" }, events)
        }
        1 if is_there => {
            let (at, search) = (randomizer.position(), randomizer.search());
            let set =
                body.set_position(&mut MoveContext::new(world, rules, scratch), &at, search, now);
            ("is set", set.unwrap().1)
        }
        2 if is_there => {
            let at = randomizer.position();
            (
                "teleports",
                body.teleport(&mut MoveContext::new(world, rules, scratch), &at, now).unwrap().1,
            )
        }
        3 if is_there => {
            match body.recover(&mut MoveContext::new(world, rules, scratch), now).unwrap() {
                Some((outcome, events)) if outcome.cell.is_some() => ("comes back", events),
                Some((_, events)) => ("fails to come back", events),
                None => ("has nothing to come back to", Default::default()),
            }
        }
        4 if is_there && randomizer.random.below(3) == 0 => {
            listener.is_lost = false;
            ("leaves", body.leave(world).unwrap().1)
        }
        _ if is_there => {
            // A cell may be dropped between a sweep and its commit.
            let (mover, from) =
                (body.mover(world).unwrap(), *world.body(body.id).unwrap().position());
            let mut to = from;
            to.frame.origin +=
                Vec3::new(randomizer.between(-1.0, 1.0), randomizer.between(-1.0, 1.0), 0.0);
            let outcome = Sweeper { world, rules }.sweep(scratch, &mut (), &mover, &from, &to);
            if randomizer.random.below(4) == 0 {
                randomizer.drop_piece(world);
            }
            ("is swept", commit(world, body, &outcome).unwrap())
        }
        _ => ("is nowhere", Default::default()),
    };
    listener.receive(&events);
    case
}

/// Drops or adopts pieces of the world now and then.
fn change_world(randomizer: &mut Randomizer, world: &mut World) {
    match randomizer.random.below(24) {
        0..=3 => randomizer.drop_piece(world),
        4..=9 => randomizer.adopt_piece(world),
        10 => randomizer.adopt_all(world),
        _ => {}
    }
}

fn walk_somewhere(randomizer: &mut Randomizer, body: &mut Body) {
    body.gait = Some(Gait { turn: randomizer.between(-60.0, 60.0), ..Gait::run(1.0) });
}

#[test]
fn a_listener_to_events_alone_always_knows_the_cell_of_a_body() {
    let mut counts = CaseCounts::new();
    for seed in 0..40 {
        let mut randomizer = Randomizer::new(seed);
        let (mut world, rules, mut scratch) = (World::new(), Rules::default(), SweepScratch::new());
        randomizer.adopt_all(&mut world);
        let (mut body, mut listener) = (Body::new(WALKER), Listener::default());
        for second in 0..400 {
            let now = f64::from(second);
            change_world(&mut randomizer, &mut world);
            let with = (&mut world, rules, &mut scratch);
            let case = disturb(&mut randomizer, with, (&mut body, &mut listener), now);
            listener.check(&world, WALKER);
            *counts.entry(case).or_default() += 1;
            walk_somewhere(&mut randomizer, &mut body);
            for part in 1..10 {
                if world.body(WALKER).is_none() {
                    break;
                }
                let later = now + f64::from(part) / 10.0;
                let updated = body
                    .update(&mut MoveContext::new(&mut world, rules, &mut scratch), later)
                    .unwrap();
                let was_lost = listener.is_lost;
                listener.receive(&updated.events);
                listener.check(&world, WALKER);
                if listener.is_lost && !was_lost {
                    *counts.entry("is lost on its way").or_default() += 1;
                }
            }
        }
    }
    for (case, min) in [
        ("enters", 100),
        ("is kept out", 30),
        ("is set", 100),
        ("teleports", 100),
        ("comes back", 30),
        ("fails to come back", 100),
        ("leaves", 100),
        ("is swept", 100),
        ("is lost on its way", 50),
    ] {
        assert!(counts.get(case).is_some_and(|count| *count >= min), "{case}: {counts:?}");
    }
}

#[test]
fn a_listener_to_the_events_of_a_crowd_always_knows_all_their_cells() {
    let (mut lost, mut changes) = (0, 0);
    for seed in 0..12 {
        let mut randomizer = Randomizer::new(1000 + seed);
        let (mut world, rules, mut scratch) = (World::new(), Rules::default(), SweepScratch::new());
        randomizer.adopt_all(&mut world);
        let mut crowd = Crowd::new();
        let mut listeners = BTreeMap::new();
        for number in 0..70 {
            assert!(crowd.insert(Body::new(BodyId(number))).is_none());
            listeners.insert(BodyId(number), Listener::default());
        }
        for second in 0..60 {
            let now = f64::from(second);
            change_world(&mut randomizer, &mut world);
            for (id, listener) in &mut listeners {
                let body = crowd.get_mut(*id).unwrap();
                walk_somewhere(&mut randomizer, body);
                if randomizer.random.below(4) == 0 {
                    let with = (&mut world, rules, &mut scratch);
                    disturb(&mut randomizer, with, (body, listener), now);
                }
            }
            for part in 1..10 {
                let later = now + f64::from(part) / 10.0;
                for (id, event) in crowd.update(&mut world, rules, later) {
                    lost += u32::from(matches!(event, Event::Lost { .. }));
                    changes += u32::from(matches!(event, Event::CellChanged { .. }));
                    listeners.get_mut(id).unwrap().receive([event]);
                }
                listeners.iter().for_each(|(id, listener)| listener.check(&world, *id));
            }
        }
    }
    assert!(lost > 100 && changes > 700, "{lost} lost, {changes} changes");
}

fn changed(from: Option<CellId>, to: Option<CellId>) -> Event {
    Event::CellChanged { from, to }
}

fn place(walk: &mut Walk, cell: CellId, at: [f32; 3]) -> Vec<Event> {
    let at = Position::new(cell, at.into());
    let Walk { world, rules, scratch, body, .. } = walk;
    body.set_position(&mut MoveContext::new(world, *rules, scratch), &at, Search::Here, 0.0)
        .unwrap()
        .1
        .to_vec()
}

#[test]
fn a_body_that_is_lost_and_comes_back_changes_its_cell_twice() {
    let (records, [_, hall, _]) = hut();
    let mut walk = Walk::from_source(records);
    let land = CellId(0xA9B4_001C);
    walk.put_on_ground(land.0, [90.0, 84.0, 0.005]);
    let nowhere = CellId(0x0909_0001);
    let lost = [changed(Some(land), None), Event::Lost { from: land }];
    assert_eq!(place(&mut walk, nowhere, [90.0, 84.0, 0.005]), lost);
    // Another place that is not resident: nothing has changed.
    assert_eq!(place(&mut walk, nowhere, [20.0, 84.0, 0.005]), []);
    let events = place(&mut walk, hall, [84.0, 84.0, 0.3]);
    assert_eq!(events[0], changed(None, Some(hall)), "{events:?}");
    assert!(!events.iter().any(|event| matches!(event, Event::Lost { .. })));
}

/// The body stands beside its room, which is resident: each try ends in no cell again.
#[test]
fn a_loss_is_reported_once_however_often_the_body_fails_to_come_back() {
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[]));
    walk.put_on_ground(A.0, [2.0, 2.0, 0.005]);
    let lost = [changed(Some(A), None), Event::Lost { from: A }];
    assert_eq!(place(&mut walk, A, [-9.0, 2.0, 0.005]), lost);
    for try_number in 0..5 {
        let Walk { world, rules, scratch, body, .. } = &mut walk;
        let (outcome, events) =
            body.recover(&mut MoveContext::new(world, *rules, scratch), 1.0).unwrap().unwrap();
        assert_eq!((outcome.refused, outcome.cell), (None, None));
        assert_eq!(events[..], [], "try {try_number}");
    }
    assert_eq!(place(&mut walk, B, [6.0, 2.0, 0.3])[0], changed(None, Some(B)));
    // Lost again, it is reported again.
    assert_eq!(
        place(&mut walk, A, [-9.0, 2.0, 0.005])[..2],
        [changed(Some(B), None), Event::Lost { from: B }]
    );
}

#[test]
fn a_body_that_comes_back_into_the_cell_it_was_lost_in_reports_that_cell() {
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[]));
    walk.put_on_ground(A.0, [2.0, 2.0, 0.005]);
    assert!(walk.world.drop_piece(PieceId::Room(A)));
    let Walk { world, builder, rules, scratch, body, .. } = &mut walk;
    let events = body.update(&mut MoveContext::new(world, *rules, scratch), 0.1).unwrap().events;
    assert_eq!(events[..], [changed(Some(A), None), Event::Lost { from: A }]);
    assert!(body.recover(&mut MoveContext::new(world, *rules, scratch), 0.2).unwrap().is_none());
    world.adopt(builder.build(PieceId::Room(A)).unwrap().unwrap().piece);
    let (_, events) =
        body.recover(&mut MoveContext::new(world, *rules, scratch), 0.3).unwrap().unwrap();
    assert_eq!(events[0], changed(None, Some(A)));
}

#[test]
fn entering_with_a_used_body_id_reports_the_old_cell() {
    let mut plan = Plan::new();
    plan.room(RoomSpec::cuboid([0.0; 3], [4.0, 4.0, 3.0]));
    let mut walk = Walk::from_source(dungeon(plan));
    for before in [None, Some(A)] {
        let spec = walk.spec(A.0, [2.0, 2.0, 0.3]);
        let Walk { world, rules, scratch, .. } = &mut walk;
        let mut body = Body::new(WALKER);
        let (_, events) =
            body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Here, 0.0);
        let cells = events.iter().filter(|event| matches!(event, Event::CellChanged { .. }));
        let left = before.map(|cell| changed(Some(cell), None));
        let want: Vec<Event> = left.into_iter().chain([changed(None, Some(A))]).collect();
        assert_eq!(cells.copied().collect::<Vec<_>>(), want);
    }
}
