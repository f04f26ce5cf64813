//! The doors of the built-in world: as they stand, and with a second leaf hung in the same place that opens and shuts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::DOOR_SWING;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Frame, Rotation};
use threshold_motion::{Door, DoorState, Event, Hinge, MoveContext, Obstacle};
use threshold_testkit::{
    WALKER, Walk,
    doorway::{Doorway, doorways},
    forged,
};
use threshold_world::{BodyId, BodySpec, ObjectId, ObjectKind, State};

const LEAF: BodyId = BodyId(1);
/// The rooms of the inn on either side of its door, which hangs behind the vestibule.
const TAPROOM: CellId = CellId(0xA9B4_0106);
const VESTIBULE: CellId = CellId(0xA9B4_0105);
/// How far one begins before the sill, and how far behind it one gets where nothing is in the way, in metres.
const BEFORE: f32 = 1.1;
const BEHIND: f32 = 0.9;
const STEPS: usize = 20;
const STEP: f32 = (BEFORE + BEHIND) / STEPS as f32;

/// The openings with a leaf on hinges inside them, and where that stands.
fn front_doors(walk: &Walk) -> Vec<(Doorway, ObjectId)> {
    let open = doorways(&walk.world).into_iter().filter(|door| !door.is_walled);
    let leaf = |door: Doorway| {
        let mut things = walk.world.objects_in(door.room);
        let hangs = |thing: &&threshold_world::Object| {
            let off = thing.position().frame.origin - door.sill;
            let stands_open = |pose: Frame| (pose.heading() - (360.0 + DOOR_SWING)).abs() < 1.0;
            let is_leaf =
                thing.setup().parts.len() == 1 && thing.part_pose(0).is_some_and(stands_open);
            is_leaf && off.length() < 0.3 && off.dot(door.outward) < 0.0
        };
        things.find(hangs).map(|thing| (door, thing.id()))
    };
    open.filter_map(leaf).collect()
}

/// Hangs a leaf like the one that stands there, shut. It opens in a second.
fn hang(walk: &mut Walk, leaf: ObjectId) -> Door {
    let stands = walk.world.objects().find(|thing| thing.id() == leaf).unwrap();
    let (setup, position, open) =
        (stands.setup().clone().into(), *stands.position(), stands.part_pose(0).unwrap());
    let spec = walk.spec(0, [0.0; 3]);
    let (kind, state) = (ObjectKind::Thing, State::default());
    walk.world.insert(BodySpec { body: LEAF, setup, position, kind, state, ..spec });
    let shut = Frame { rotation: Rotation::IDENTITY, ..open };
    walk.world.pose_part(LEAF, 0, shut).unwrap();
    let hinge = Hinge { part: 0, swing: DOOR_SWING };
    Door::new(&walk.world, LEAF, &[hinge], 1.0).unwrap()
}

/// Walks through a door, out of it (`way` = 1) or into the house (-1): how far behind the sill it gets, and what happened.
fn pass(walk: &mut Walk, door: &Doorway, way: f32) -> (f32, Vec<Event>) {
    let from = door.sill - door.outward * way * BEFORE + Vec3::Z * 0.2;
    let cell = if way > 0.0 { door.room } else { door.beyond };
    walk.put_in_air(cell.0, from.to_array());
    let mut falls = (0..20).map(|_| walk.step([0.0, 0.0, -0.05]));
    assert!(falls.any(|outcome| outcome.stance.on_walkable), "nobody stands before {door}");
    let (mut behind, mut told) = (-BEFORE, Vec::new());
    for _ in 0..STEPS {
        let before = walk.position();
        let _ = walk.step((door.outward * way * STEP).to_array());
        behind += before.offset_to(&walk.position()).dot(door.outward * way);
        told.extend(walk.events.iter().copied());
    }
    let cell = walk.cell();
    assert_eq!(
        cell == door.room,
        (behind > 0.0) != (way > 0.0),
        "{door}: {behind} m behind in {cell}"
    );
    walk.world.remove(WALKER).unwrap();
    (behind, told)
}

/// Nothing is in the way, and the cell changes once, from the room to the land cell or back.
#[track_caller]
fn check_free(walk: &mut Walk, door: &Doorway) {
    for way in [1.0, -1.0] {
        let (behind, told) = pass(walk, door, way);
        // A slope takes some of it, and a step up takes a stride.
        assert!((behind - BEHIND).abs() < 1.5 * STEP, "{door}: {behind} m behind, {told:?}");
        let changes = told.iter().filter_map(|event| match event {
            // Before two of the doors a landblock ends.
            Event::CellChanged { from: Some(from), to: Some(to) }
                if from.is_indoor() || to.is_indoor() =>
            {
                Some([*from, *to])
            }
            _ => None,
        });
        let changes: Vec<_> = changes.collect();
        let [[from, to]] = changes[..] else { panic!("{door}: {changes:?}") };
        let (inside, outside) = if way > 0.0 { (from, to) } else { (to, from) };
        let is_beyond = if door.is_exit() { outside.is_outdoor() } else { outside == door.beyond };
        assert!(inside == door.room && is_beyond, "{door}: {changes:?}");
        assert!(!told.iter().any(|event| matches!(event, Event::Collided(_))), "{door}: {told:?}");
    }
}

/// The leaf is in the way, from either side.
#[track_caller]
fn check_shut(walk: &mut Walk, door: &Doorway) {
    for way in [1.0, -1.0] {
        let (behind, told) = pass(walk, door, way);
        assert!(behind < -0.3, "{door}: {behind} m behind");
        let leaf = Event::Collided(Obstacle::Object(ObjectId::body(LEAF)));
        assert!(told.contains(&leaf), "{door}: {told:?}");
    }
}

fn update(walk: &mut Walk, door: &mut Door, dt: f32) -> DoorState {
    door.update(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), dt).unwrap()
}

/// Opens a leaf that was hung there and shuts it, on nobody and on somebody.
#[track_caller]
fn check_swings(walk: &mut Walk, door: &Doorway, stands: ObjectId) {
    let mut leaf = hang(walk, stands);
    check_shut(walk, door);
    leaf.open(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch)).unwrap();
    assert_eq!(update(walk, &mut leaf, 1.0), DoorState::Open);
    let pose = |body: &threshold_world::Object| body.part_pose(0).unwrap();
    let rest = walk.world.objects().find(|thing| thing.id() == stands).map(pose).unwrap();
    let open = pose(walk.world.body(LEAF).unwrap());
    let turned = (open.heading() - rest.heading()).abs();
    assert!(open.origin == rest.origin && turned < 0.01, "{door}: {open:?}, {rest:?}");
    check_free(walk, door);
    // Somebody in the doorway.
    walk.put_in_air(door.room.0, (door.sill - door.outward * 0.1 + Vec3::Z * 0.01).to_array());
    leaf.close();
    assert_eq!(update(walk, &mut leaf, 2.0), DoorState::Held, "{door}");
    walk.world.remove(WALKER).unwrap();
    assert_eq!(update(walk, &mut leaf, 0.1), DoorState::Closed, "{door}");
    check_shut(walk, door);
    walk.world.remove(LEAF).unwrap();
}

#[test]
fn the_front_doors_of_the_built_in_world_stand_open_and_swing() {
    for made in forged::builtins() {
        let mut walk = Walk::new(made.builder());
        let doors = front_doors(&walk);
        assert_eq!(doors.len(), 14, "{}", made.name);
        let inner: Vec<[CellId; 2]> = doors
            .iter()
            .filter(|(door, _)| !door.is_exit())
            .map(|(door, _)| [door.room, door.beyond])
            .collect();
        assert_eq!(inner, [[TAPROOM, VESTIBULE]], "{}: the door of the inn", made.name);
        for (door, leaf) in doors {
            check_free(&mut walk, &door);
            check_swings(&mut walk, &door, leaf);
        }
    }
}
