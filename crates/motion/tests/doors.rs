//! Doors block movers when closed and let them pass when open, and do not close on a mover.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::{Placement, RecordId, Records, SetupRecord};
use threshold_forge::{Face, ObjectSpec, Opening, Plan, RoomSpec, Shape};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Plane, Position, Rotation, Sphere};
use threshold_motion::{
    Body, Door, DoorState, Event, Hinge, MoveContext, Mover, Obstacle, Stance, SweepScratch,
    Sweeper,
};
use threshold_testkit::{
    MOVER, WALKER, WALKER_STATE, Walk, check_at,
    layouts::{A, B, DEPTHS, plain},
};
use threshold_world::{BodyId, BodySpec, ObjectId, ObjectKind, PoseError, State, UnknownBody};

const DOOR: BodyId = BodyId(1);
const LEAVES: ObjectId = ObjectId::body(DOOR);
const SINGLE: RecordId = RecordId(0x0200_FFF0);
const DOUBLE: RecordId = RecordId(0x0200_FFF1);
/// On the southern edge of its landblock, and across it.
const EDGE: CellId = CellId(0xA9B4_0031);
const ACROSS: CellId = CellId(0xA9B3_0038);

/// Two rooms in a row, 4 m long each, with a doorway of 1.8 m between them, from y = 1.1 to 2.9 at x = 4; a door for
/// it of one leaf that hinges in the south, and one of two leaves.
fn doorway() -> Walk {
    let mut forge = plain(&[0xA9B3, 0xA9B4]);
    let leaf = |width: f32| ObjectSpec::Solid(Shape::cuboid([-0.05, 0.0, 0.0], [0.05, width, 2.3]));
    let (whole, half) = (forge.object(leaf(1.8)), forge.object(leaf(0.9)));
    let mut plan = Plan::new();
    let room = |x: f32| RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]);
    let rooms = [0.0, 4.0].map(|x| plan.room(room(x)));
    plan.join(rooms[0], rooms[1], Opening::door(Face::EAST));
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, plan);
    let mut records = forge.finish().unwrap().into_records();
    // The second leaf hinges in the north and points back.
    let north = Frame { origin: Vec3::Y * 1.8, rotation: Rotation::from_heading(180.0) };
    for (id, parts) in [
        (SINGLE, vec![(whole, Frame::IDENTITY)]),
        (DOUBLE, vec![(half, Frame::IDENTITY), (half, north)]),
    ] {
        let mut setup: SetupRecord = Records::new(&records).get(MOVER).unwrap().unwrap();
        (setup.id, setup.spheres) = (id, Vec::new());
        let (models, frames): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        setup.parts = models;
        setup.placements = vec![Placement { key: 0, frames: frames.into(), hooks: [].into() }];
        records.put(id, &setup).unwrap();
    }
    Walk::from_source(records)
}

/// Hangs a door in the doorway that opens to the east, in two seconds.
fn hang(walk: &mut Walk, setup: RecordId) -> Door {
    let spec = walk.spec(A.0, [4.0, 1.1, 0.0]);
    let (setup, kind) = (walk.builder.setup(setup).unwrap(), ObjectKind::Thing);
    walk.world.insert(BodySpec { body: DOOR, setup, kind, state: State::default(), ..spec });
    let hinges = [Hinge { part: 0, swing: 90.0 }, Hinge { part: 1, swing: -90.0 }];
    let count = walk.world.body(DOOR).unwrap().setup().parts.len();
    Door::new(&walk.world, DOOR, &hinges[..count], 2.0).unwrap()
}

fn with_door() -> (Walk, Door) {
    let mut walk = doorway();
    let door = hang(&mut walk, SINGLE);
    (walk, door)
}

fn open(walk: &mut Walk, door: &mut Door) {
    door.open(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch)).unwrap();
}

fn update(walk: &mut Walk, door: &mut Door, dt: f32) -> DoorState {
    door.update(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), dt).unwrap()
}

fn is_ethereal(walk: &Walk, body: BodyId) -> bool {
    walk.world.body(body).unwrap().state().has(State::ETHEREAL)
}

/// Walks east through the doorway. Returns where the walk ends, and its events.
fn walk_through(walk: &mut Walk) -> (f32, Vec<Event>) {
    walk.put_on_ground(A.0, [2.9, 2.0, 0.005]);
    let mut events = Vec::new();
    for _ in 0..12 {
        let _ = walk.step([0.2, 0.0, 0.0]);
        events.extend(walk.events.iter().copied());
    }
    let x = walk.at().x;
    walk.world.remove(WALKER).unwrap();
    (x, events)
}

#[track_caller]
fn check_shut(walk: &mut Walk) {
    let (x, events) = walk_through(walk);
    // The last step but one that touches nothing.
    assert!((x - 3.3).abs() < 1e-4, "{x}");
    assert!(events.contains(&Event::Collided(Obstacle::Object(LEAVES))), "{events:?}");
}

#[track_caller]
fn check_open(walk: &mut Walk, reported: bool) {
    let (x, events) = walk_through(walk);
    assert!((x - 5.3).abs() < 1e-4, "{x}");
    assert!(events.contains(&Event::CellChanged { from: Some(A), to: Some(B) }), "{events:?}");
    assert_eq!(events.contains(&Event::Passed(LEAVES)), reported, "{events:?}");
    assert!(!events.contains(&Event::Collided(Obstacle::Object(LEAVES))), "{events:?}");
}

/// Returns whether the door is solid at a point.
fn is_solid(walk: &Walk, at: [f32; 3]) -> bool {
    walk.world.body(DOOR).unwrap().solids().any(|solid| {
        let centre = solid.space.to_local_from(A, at.into()) / solid.scale;
        solid.tree.sphere_intersects_solid(&Sphere::new(centre, 0.02), true)
    })
}

/// In the middle of the shut leaf, and of the open one.
const SHUT_MIDDLE: [f32; 3] = [4.0, 2.0, 1.0];
const OPEN_MIDDLE: [f32; 3] = [4.9, 1.1, 1.0];

#[test]
fn a_closed_door_is_in_the_way_and_an_open_one_is_not() {
    let (mut walk, mut door) = with_door();
    assert_eq!((door.state(), door.body(), door.openness()), (DoorState::Closed, DOOR, 0.0));
    check_shut(&mut walk);
    open(&mut walk, &mut door);
    assert_eq!(door.state(), DoorState::Opening);
    // At once, though the leaf has not moved.
    assert!(is_solid(&walk, SHUT_MIDDLE));
    check_open(&mut walk, true);
}

#[test]
fn a_leaf_turns_to_the_right_in_the_time_that_it_takes() {
    let (mut walk, mut door) = with_door();
    open(&mut walk, &mut door);
    for (quarter, state) in [
        (1, DoorState::Opening),
        (2, DoorState::Opening),
        (3, DoorState::Opening),
        (4, DoorState::Open),
        (4, DoorState::Open),
    ] {
        assert_eq!(update(&mut walk, &mut door, 0.5), state, "{quarter}");
        let part = quarter as f32 / 4.0;
        assert!((door.openness() - part).abs() < 1e-6, "{quarter}");
        let pose = walk.world.body(DOOR).unwrap().part_pose(0).unwrap();
        assert!((pose.heading() - 90.0 * part).abs() < 1e-3, "{quarter}: {}", pose.heading());
        assert_eq!(pose.origin, Vec3::ZERO, "about its hinge");
        // A point of the leaf turns with it.
        let (sin, cos) = libm::sincosf((90.0 * part).to_radians());
        assert!(is_solid(&walk, [4.0 + 1.5 * sin, 1.1 + 1.5 * cos, 1.0]), "{quarter}");
    }
    assert!(!is_solid(&walk, SHUT_MIDDLE) && is_solid(&walk, OPEN_MIDDLE));
    // The open leaf is not in the way of a mover in the middle.
    check_open(&mut walk, false);
}

#[test]
fn a_door_that_closes_is_solid_when_it_is_shut_and_not_before() {
    let (mut walk, mut door) = with_door();
    open(&mut walk, &mut door);
    assert_eq!(update(&mut walk, &mut door, 9.0), DoorState::Open);
    door.close();
    assert_eq!(door.state(), DoorState::Closing);
    assert_eq!(update(&mut walk, &mut door, 1.9), DoorState::Closing);
    assert!(is_ethereal(&walk, DOOR));
    assert!(walk_through(&mut walk).0 > 5.0);
    assert_eq!(update(&mut walk, &mut door, 0.2), DoorState::Closed);
    assert!(!is_ethereal(&walk, DOOR));
    assert_eq!(walk.world.body(DOOR).unwrap().part_pose(0), Some(Frame::IDENTITY));
    check_shut(&mut walk);
    // Once more.
    open(&mut walk, &mut door);
    check_open(&mut walk, true);
}

#[test]
fn a_moving_door_can_change_direction() {
    let (mut walk, mut door) = with_door();
    open(&mut walk, &mut door);
    let _ = update(&mut walk, &mut door, 1.0);
    door.close();
    assert_eq!(update(&mut walk, &mut door, 0.5), DoorState::Closing);
    assert!((door.openness() - 0.25).abs() < 1e-6);
    open(&mut walk, &mut door);
    assert_eq!(update(&mut walk, &mut door, 1.5), DoorState::Open);
    door.close();
    assert_eq!(update(&mut walk, &mut door, 2.0), DoorState::Closed);
    // Opened and closed before it has moved: it is solid again with the next update.
    open(&mut walk, &mut door);
    door.close();
    assert_eq!((door.state(), is_ethereal(&walk, DOOR)), (DoorState::Held, true));
    assert_eq!(update(&mut walk, &mut door, 0.0), DoorState::Closed);
    check_shut(&mut walk);
}

#[test]
fn a_door_that_takes_no_time_opens_and_shuts_at_once() {
    let mut walk = doorway();
    let _ = hang(&mut walk, SINGLE);
    for seconds in [0.0, -1.0, f32::NAN] {
        let hinge = Hinge { part: 0, swing: 90.0 };
        let mut door = Door::new(&walk.world, DOOR, &[hinge], seconds).unwrap();
        open(&mut walk, &mut door);
        assert_eq!(update(&mut walk, &mut door, 0.001), DoorState::Open, "{seconds}");
        door.close();
        assert_eq!(update(&mut walk, &mut door, 0.001), DoorState::Closed, "{seconds}");
    }
    // Time does not run backwards.
    let (mut walk, mut door) = with_door();
    open(&mut walk, &mut door);
    for dt in [-1.0, f32::NAN, f32::NEG_INFINITY] {
        assert_eq!(update(&mut walk, &mut door, dt), DoorState::Opening);
        assert_eq!(door.openness(), 0.0);
    }
}

/// Opens the door, puts an object into the doorway, and closes the door.
fn shut_on(walk: &mut Walk, door: &mut Door, spec: BodySpec) -> DoorState {
    open(walk, door);
    walk.world.insert(spec);
    let _ = update(walk, door, 2.0);
    door.close();
    update(walk, door, 2.0)
}

const OTHER: BodyId = BodyId(3);

/// Returns a mover in the doorway, at `x`.
fn mover_at(walk: &Walk, cell: CellId, x: f32) -> BodySpec {
    BodySpec { body: OTHER, ..walk.spec(cell.0, [x, 2.0, 0.005]) }
}

#[test]
fn a_door_does_not_close_on_a_mover() {
    let (mut walk, mut door) = with_door();
    let spec = mover_at(&walk, A, 3.8);
    assert_eq!(shut_on(&mut walk, &mut door, spec), DoorState::Held);
    for _ in 0..5 {
        assert_eq!(update(&mut walk, &mut door, 0.1), DoorState::Held);
    }
    assert!(is_ethereal(&walk, DOOR) && door.openness() == 0.0);
    // Others pass meanwhile.
    walk.world.set_state(OTHER, WALKER_STATE.with(State::ETHEREAL, true)).unwrap();
    assert!(walk_through(&mut walk).0 > 5.0);
    walk.world.set_state(OTHER, WALKER_STATE).unwrap();
    // The mover walks out, through the leaf.
    let ground = Plane { normal: Vec3::Z, d: 0.0 };
    let mut body = Body { stance: Stance::on(ground, A), ..Body::new(OTHER) };
    let mut states = Vec::new();
    for _ in 0..4 {
        let by = Vec3::new(0.2, 0.0, 0.0);
        let (outcome, _) = body
            .move_by(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), by)
            .unwrap();
        states.push((outcome.position.frame.origin.x > 4.53, update(&mut walk, &mut door, 0.0)));
    }
    let (held, closed) = ((false, DoorState::Held), (true, DoorState::Closed));
    assert_eq!(states, [held, held, held, closed]);
    walk.world.remove(OTHER).unwrap();
    check_shut(&mut walk);
}

#[test]
fn a_door_that_is_held_opens_again() {
    let (mut walk, mut door) = with_door();
    let spec = mover_at(&walk, A, 3.8);
    assert_eq!(shut_on(&mut walk, &mut door, spec), DoorState::Held);
    open(&mut walk, &mut door);
    assert_eq!(update(&mut walk, &mut door, 2.0), DoorState::Open);
    walk.world.remove(OTHER).unwrap();
    assert_eq!(
        (update(&mut walk, &mut door, 2.0), is_ethereal(&walk, DOOR)),
        (DoorState::Open, true)
    );
}

#[test]
fn static_and_ethereal_objects_do_not_hold_a_door() {
    for (state, held) in [
        (WALKER_STATE, DoorState::Held),
        (State::default(), DoorState::Held),
        (WALKER_STATE.with(State::STATIC, true), DoorState::Closed),
        (WALKER_STATE.with(State::ETHEREAL, true), DoorState::Closed),
    ] {
        let (mut walk, mut door) = with_door();
        let spec = BodySpec { state, ..mover_at(&walk, A, 3.9) };
        assert_eq!(shut_on(&mut walk, &mut door, spec), held, "{state:?}");
    }
}

#[test]
fn a_door_in_two_rooms_is_held_by_a_mover_in_either() {
    for (cell, x, held) in [
        (A, 3.46, DoorState::Closed),
        (A, 3.48, DoorState::Held),
        // Here it is in the list of the second room alone.
        (B, 4.52, DoorState::Held),
        (B, 4.54, DoorState::Closed),
    ] {
        let (mut walk, mut door) = with_door();
        let door_in: Vec<CellId> =
            walk.world.body(DOOR).unwrap().cells().iter().map(|r| r.cell).collect();
        assert_eq!(door_in, [A, B]);
        let spec = mover_at(&walk, cell, x);
        assert_eq!(shut_on(&mut walk, &mut door, spec), held, "{x}");
    }
}

#[test]
fn a_door_at_a_landblock_border_is_held_by_a_mover_across_it() {
    for (y, held) in
        [(191.4, DoorState::Closed), (191.6, DoorState::Held), (191.9, DoorState::Held)]
    {
        let (mut walk, mut door) = with_door();
        let frame =
            Frame { origin: Vec3::new(150.0, 0.1, 0.0), rotation: Rotation::from_heading(90.0) };
        walk.world.move_body(DOOR, Position { cell: EDGE, frame }).unwrap();
        let spec = BodySpec { body: OTHER, ..walk.spec(ACROSS.0, [151.0, y, 0.005]) };
        assert_eq!(shut_on(&mut walk, &mut door, spec), held, "{y}");
    }
}

#[test]
fn the_leaves_of_a_double_door_turn_in_opposite_directions() {
    let mut walk = doorway();
    let mut door = hang(&mut walk, DOUBLE);
    check_shut(&mut walk);
    let south_and_north = |walk: &Walk, [x, off]: [f32; 2]| {
        [1.1 + off, 2.9 - off].map(|y| is_solid(walk, [x, y, 1.0]))
    };
    assert_eq!(south_and_north(&walk, [4.0, 0.6]), [true; 2]);
    open(&mut walk, &mut door);
    assert_eq!(update(&mut walk, &mut door, 2.0), DoorState::Open);
    assert_eq!(south_and_north(&walk, [4.0, 0.6]), [false; 2]);
    assert_eq!(south_and_north(&walk, [4.6, 0.0]), [true; 2], "both to the east");
    check_open(&mut walk, false);
    // A mover in the second leaf holds both.
    let spec = BodySpec {
        position: Position::new(A, Vec3::new(3.9, 2.6, 0.005)),
        ..mover_at(&walk, A, 0.0)
    };
    assert_eq!(shut_on(&mut walk, &mut door, spec), DoorState::Held);
}

#[test]
fn an_open_door_that_ignores_collisions_is_not_reported() {
    let (mut walk, mut door) = with_door();
    walk.world.set_state(DOOR, State::IGNORE_COLLISIONS).unwrap();
    assert!((walk_through(&mut walk).0 - 3.3).abs() < 1e-4, "closed, it blocks");
    open(&mut walk, &mut door);
    check_open(&mut walk, false);
}

/// An open door is passed, and a closed one blocks.
#[test]
fn worked_example_of_an_ethereal_door() {
    let (mut walk, mut door) = with_door();
    open(&mut walk, &mut door);
    walk.put_on_ground(A.0, [3.4, 2.0, 0.005]);
    let outcome = walk.step([0.3, 0.0, 0.0]);
    check_at(&walk, A.0, [3.7, 2.0, 0.005]);
    let touched = outcome.objects[..].to_vec();
    assert_eq!(touched.len(), 1);
    assert!(touched[0].object == LEAVES && !touched[0].blocking && outcome.hit.is_none());
    walk.world.set_state(DOOR, State::ETHEREAL.with(State::IGNORE_COLLISIONS, true)).unwrap();
    walk.put_on_ground(A.0, [3.4, 2.0, 0.005]);
    assert!(walk.step([0.3, 0.0, 0.0]).objects.is_empty());
    // A step down ignores it: a mover that stood on it lands on the ground below.
    let mut forge = plain(&[0xA9B4]);
    let hatch = forge.object(ObjectSpec::cuboid([4.0, 4.0, 1.0]));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.add_creature(DOOR.0, hatch.0, (0xA9B4_0001, [12.0, 12.0, 0.0]));
    for (state, z) in [(State::default(), 1.005), (State::ETHEREAL, 0.005)] {
        walk.world.set_state(DOOR, state).unwrap();
        walk.put_on_ground(0xA9B4_0001, [12.0, 12.0, 1.005]);
        assert!(walk.step([0.1, 0.0, 0.0]).stance.on_walkable);
        check_at(&walk, 0xA9B4_0001, [12.1, 12.0, z]);
    }
}

#[test]
fn errors_name_the_missing_body_or_part() {
    let (mut walk, mut door) = with_door();
    let hinge = |part| [Hinge { part, swing: 90.0 }];
    let unknown_body = PoseError::UnknownBody(UnknownBody(BodyId(77)));
    assert_eq!(Door::new(&walk.world, BodyId(77), &hinge(0), 1.0).unwrap_err(), unknown_body);
    let no_part = PoseError::NoSuchPart { body: DOOR, part: 1, parts: 1 };
    assert_eq!(Door::new(&walk.world, DOOR, &hinge(1), 1.0).unwrap_err(), no_part);
    open(&mut walk, &mut door);
    walk.world.remove(DOOR).unwrap();
    let gone = UnknownBody(DOOR);
    let Walk { world, rules, scratch, .. } = &mut walk;
    assert_eq!(door.open(&mut MoveContext::new(world, *rules, scratch)), Err(gone));
    assert_eq!(
        door.update(&mut MoveContext::new(world, *rules, scratch), 0.5),
        Err(PoseError::UnknownBody(gone))
    );
}

/// Returns a crate that waits to become solid while a mover stands in it.
fn closing_crate() -> (Walk, Body) {
    let mut forge = plain(&[0xA9B4]);
    let model = forge.object(ObjectSpec::cuboid([1.0, 1.0, 1.0]));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.add_creature(OTHER.0, model.0, (0xA9B4_0001, [12.0, 12.0, 0.0]));
    let mut crate_body = Body::new(OTHER);
    walk.put_on_ground(0xA9B4_0001, [12.3, 12.0, 0.005]);
    let Walk { world, rules, scratch, .. } = &mut walk;
    assert_eq!(
        crate_body.set_ethereal(&mut MoveContext::new(world, *rules, scratch), true, 0.0),
        Ok(true)
    );
    assert_eq!(
        crate_body.set_ethereal(&mut MoveContext::new(world, *rules, scratch), false, 0.0),
        Ok(false)
    );
    assert!(crate_body.becoming_solid && crate_body.awake && is_ethereal(&walk, OTHER));
    (walk, crate_body)
}

#[test]
fn a_body_becomes_solid_in_the_first_quantum_without_an_overlapping_mover() {
    let (mut walk, mut body) = closing_crate();
    let step = |walk: &mut Walk, body: &mut Body| {
        let Walk { world, rules, scratch, .. } = walk;
        body.step(&mut MoveContext::new(world, *rules, scratch), 1.0 / 30.0).unwrap();
        is_ethereal(walk, OTHER)
    };
    assert!(step(&mut walk, &mut body) && step(&mut walk, &mut body) && body.becoming_solid);
    // The mover walks out of the crate.
    let ethereal: Vec<bool> = (0..5)
        .map(|_| {
            let _ = walk.step([0.2, 0.0, 0.0]);
            step(&mut walk, &mut body)
        })
        .collect();
    assert!(walk.at().x > 13.29);
    assert_eq!(ethereal, [true, true, true, false, false]);
    assert!(!body.becoming_solid);
    let outcome = walk.step([-0.4, 0.0, 0.0]);
    assert!(outcome.objects[0].blocking);
}

#[test]
fn a_body_made_ethereal_again_no_longer_waits_to_become_solid() {
    let (mut walk, mut body) = closing_crate();
    let Walk { world, rules, scratch, .. } = &mut walk;
    assert_eq!(
        body.set_ethereal(&mut MoveContext::new(world, *rules, scratch), true, 0.0),
        Ok(true)
    );
    assert!(!body.becoming_solid);
    world.remove(WALKER).unwrap();
    let updated = body.update(&mut MoveContext::new(world, *rules, scratch), 1.0).unwrap();
    assert!(updated.quanta > 0 && is_ethereal(&walk, OTHER));
    let mut absent = Body::new(BodyId(77));
    let Walk { world, rules, scratch, .. } = &mut walk;
    assert_eq!(
        absent.set_ethereal(&mut MoveContext::new(world, *rules, scratch), false, 0.0),
        Err(UnknownBody(BodyId(77)))
    );
    // Without a mover in it, it is solid at once.
    assert_eq!(
        body.set_ethereal(&mut MoveContext::new(world, *rules, scratch), false, 0.0),
        Ok(true)
    );
    assert!(!is_ethereal(&walk, OTHER));
}

#[test]
fn overlap_with_an_object_can_be_queried() {
    let (mut walk, _) = with_door();
    walk.put_on_ground(A.0, [3.0, 2.0, 0.005]);
    let door = walk.world.body(DOOR).unwrap();
    let mover = Mover::from_object(walk.world.body(WALKER).unwrap());
    let sweeper = Sweeper::new(&walk.world);
    let overlaps = |x: f32| {
        let at = Position::new(A, Vec3::new(x, 2.0, 0.005));
        sweeper.overlaps(&mut SweepScratch::new(), &mover, &at, door)
    };
    assert_eq!(
        [3.0, 3.46, 3.48, 4.0, 4.52, 4.54].map(overlaps),
        [false, false, true, true, true, false]
    );
}
