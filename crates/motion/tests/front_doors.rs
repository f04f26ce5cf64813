//! The front doors of the built-in world: as they stand, and with a second leaf in the same doorway that opens and closes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::DOOR_SWING;
use threshold_land::vector::Vec3;
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
/// Distance before the sill where a walk starts, and behind it where an unblocked walk ends, in metres.
const BEFORE: f32 = 1.1;
const BEHIND: f32 = 0.9;
const STEPS: usize = 20;
const STEP: f32 = (BEFORE + BEHIND) / STEPS as f32;

/// Returns the doorways with a hinged leaf inside them, and the leaf of each.
fn front_doors(walk: &Walk) -> Vec<(Doorway, ObjectId)> {
    let open = doorways(&walk.world).into_iter().filter(|door| !door.is_walled);
    let leaf = |door: Doorway| {
        let mut objects = walk.world.objects_in(door.room);
        let hangs = |object: &&threshold_world::Object| {
            let off = object.position().frame.origin - door.sill;
            let stands_open = |pose: Frame| (pose.heading() - (360.0 + DOOR_SWING)).abs() < 1.0;
            let is_leaf =
                object.setup().parts.len() == 1 && object.part_pose(0).is_some_and(stands_open);
            is_leaf && off.length() < 0.3 && off.dot(door.outward) < 0.0
        };
        objects.find(hangs).map(|object| (door, object.id()))
    };
    open.filter_map(leaf).collect()
}

/// Hangs a closed leaf like the one that stands there. It opens in a second.
fn hang(walk: &mut Walk, leaf: ObjectId) -> Door {
    let stands = walk.world.objects().find(|object| object.id() == leaf).unwrap();
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

/// Walks through a door, out of the house (`side` = 1) or into it (-1). Returns how far behind the sill the walk ends, and
/// its events.
fn pass(walk: &mut Walk, door: &Doorway, side: f32) -> (f32, Vec<Event>) {
    let from = door.sill - door.outward * side * BEFORE + Vec3::Z * 0.2;
    let cell = if side > 0.0 { door.room } else { door.beyond };
    walk.put_in_air(cell.0, from.to_array());
    let mut falls = (0..20).map(|_| walk.step([0.0, 0.0, -0.05]));
    assert!(falls.any(|outcome| outcome.stance.on_walkable), "no mover can stand before {door}");
    let (mut behind, mut events) = (-BEFORE, Vec::new());
    for _ in 0..STEPS {
        let before = walk.position();
        let _ = walk.step((door.outward * side * STEP).to_array());
        behind += before.offset_to(&walk.position()).dot(door.outward * side);
        events.extend(walk.events.iter().copied());
    }
    let cell = walk.cell();
    assert_eq!(
        cell == door.room,
        (behind > 0.0) != (side > 0.0),
        "{door}: {behind} m behind in {cell}"
    );
    walk.world.remove(WALKER).unwrap();
    (behind, events)
}

/// Checks that nothing blocks, and that the cell changes once, from the room to the land cell or back.
#[track_caller]
fn check_free(walk: &mut Walk, door: &Doorway) {
    for side in [1.0, -1.0] {
        let (behind, events) = pass(walk, door, side);
        // A slope shortens the walk, and a step up costs a stride.
        assert!((behind - BEHIND).abs() < 1.5 * STEP, "{door}: {behind} m behind, {events:?}");
        let changes = events.iter().filter_map(|event| match event {
            // Two of the doors are at a landblock border.
            Event::CellChanged { from: Some(from), to: Some(to) }
                if from.is_indoor() || to.is_indoor() =>
            {
                Some([*from, *to])
            }
            _ => None,
        });
        let changes: Vec<_> = changes.collect();
        let [[from, to]] = changes[..] else { panic!("{door}: {changes:?}") };
        let (inside, outside) = if side > 0.0 { (from, to) } else { (to, from) };
        let is_beyond = if door.is_exit() { outside.is_outdoor() } else { outside == door.beyond };
        assert!(inside == door.room && is_beyond, "{door}: {changes:?}");
        assert!(
            !events.iter().any(|event| matches!(event, Event::Collided(_))),
            "{door}: {events:?}"
        );
    }
}

/// Checks that the leaf blocks from either side.
#[track_caller]
fn check_shut(walk: &mut Walk, door: &Doorway) {
    for side in [1.0, -1.0] {
        let (behind, events) = pass(walk, door, side);
        assert!(behind < -0.3, "{door}: {behind} m behind");
        let leaf = Event::Collided(Obstacle::Object(ObjectId::body(LEAF)));
        assert!(events.contains(&leaf), "{door}: {events:?}");
    }
}

fn update(walk: &mut Walk, door: &mut Door, dt: f32) -> DoorState {
    door.update(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), dt).unwrap()
}

/// Hangs a second leaf, opens it, and closes it with and without a mover in the doorway.
#[track_caller]
fn check_swings(walk: &mut Walk, door: &Doorway, stands: ObjectId) {
    let mut leaf = hang(walk, stands);
    check_shut(walk, door);
    leaf.open(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch)).unwrap();
    assert_eq!(update(walk, &mut leaf, 1.0), DoorState::Open);
    let pose = |body: &threshold_world::Object| body.part_pose(0).unwrap();
    let rest = walk.world.objects().find(|object| object.id() == stands).map(pose).unwrap();
    let open = pose(walk.world.body(LEAF).unwrap());
    let turned = (open.heading() - rest.heading()).abs();
    assert!(open.origin == rest.origin && turned < 0.01, "{door}: {open:?}, {rest:?}");
    check_free(walk, door);
    // With a mover in the doorway.
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
