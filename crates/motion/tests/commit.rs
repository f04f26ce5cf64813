//! What a commit does with the outcome of a sweep, and the events that it returns.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::RecordId;
use threshold_forge::ObjectSpec;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Plane, Position, Rotation, adjust_to_outside};
use threshold_motion::{Body, Event, Obstacle, Refusal, Stance, commit};
use threshold_testkit::{
    WALKER, Walk, check_at,
    clock::level,
    layouts::{A, B, plain, row},
    outcome_cells,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectId, PieceId, State, UnknownBody, World};

const LAND: CellId = CellId(0xA9B4_0001);
/// On the southern edge of its landblock.
const EDGE: CellId = CellId(0xA9B4_0031);

/// Returns the bodies in the object list of a cell.
fn bodies(walk: &Walk, cell: CellId) -> Vec<BodyId> {
    walk.world.objects_in(cell).filter_map(|object| object.id().as_body()).collect()
}

#[test]
fn a_change_of_cell_is_reported_and_moves_the_body_between_lists() {
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[]));
    walk.put_on_ground(A.0, [3.2, 2.0, 0.005]);
    let mut events = Vec::new();
    for _ in 0..8 {
        let _ = walk.step([0.2, 0.0, 0.0]);
        events.extend(walk.events.iter().copied());
        let own = walk.cell();
        assert!(bodies(&walk, own).contains(&WALKER));
    }
    assert_eq!(events, [Event::CellChanged { from: Some(A), to: Some(B) }]);
    assert_eq!((bodies(&walk, A), bodies(&walk, B)), (vec![], vec![WALKER]));
}

#[test]
fn the_body_is_in_the_lists_of_all_cells_that_the_sweep_found() {
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[]));
    walk.put_on_ground(A.0, [3.7, 2.0, 0.005]);
    let outcome = walk.step([0.1, 0.0, 0.0]);
    let listed: Vec<CellId> =
        walk.world.body(WALKER).unwrap().cells().iter().map(|r| r.cell).collect();
    assert_eq!((listed, outcome_cells(&outcome)), (vec![A, B], vec![A, B]));
    assert_eq!((bodies(&walk, A), bodies(&walk, B)), (vec![WALKER], vec![WALKER]));
}

/// Also where the cells of the body stay the same, and across a landblock border.
#[test]
fn a_body_is_in_the_way_where_it_is_and_not_where_it_was() {
    let mut walk = Walk::from_source(plain(&[0xA9B4, 0xA9B3]).finish().unwrap());
    let other = BodyId(5);
    let start = walk.spec(EDGE.0, [150.0, 6.0, 0.005]);
    walk.put(BodySpec { body: other, ..start.clone() });
    walk.body.stance = Stance::on(Plane { normal: Vec3::Z, d: 0.0 }, EDGE);
    let mut obstacle = walk.body.clone();
    for tick in 0..80 {
        walk.body = obstacle;
        let _ = walk.step([0.0, -0.15, 0.0]);
        obstacle = walk.body.clone();
        // One mover comes from the east, another one from behind.
        let there = *walk.world.body(other).unwrap().position();
        for (from, by) in [([1.2, 0.0], [-0.4, 0.0]), ([0.0, 1.2], [0.0, -0.4])] {
            let beside = there.frame.origin + Vec3::new(from[0], from[1], 0.0);
            let (cell, at) = adjust_to_outside(there.cell, beside).unwrap();
            walk.put_on_ground(cell.0, at.to_array());
            let outcome = walk.sweep(&mut (), [by[0], by[1], 0.0]);
            let met = outcome.objects.iter().any(|t| t.object == ObjectId::body(other));
            assert!(met, "tick {tick}: not met from {cell} {at} at {there:?}");
        }
        walk.world.remove(WALKER).unwrap();
    }
    assert_eq!(walk.world.body(other).unwrap().position().cell, CellId(0xA9B3_0038));
    walk.put_on_ground(EDGE.0, [151.2, 6.0, 0.005]);
    assert!(walk.step([-0.4, 0.0, 0.0]).objects.is_empty(), "no body is where it began");
}

#[test]
fn a_body_that_comes_to_stand_has_landed() {
    let mut walk = level();
    walk.put_in_air(LAND.0, [12.0, 12.0, 0.3]).body.velocity = Vec3::new(0.0, 0.0, -5.0);
    let _ = walk.step([0.0, 0.0, -0.2]);
    assert!(walk.events.is_empty() && !walk.body.stance.contact);
    let _ = walk.step([0.0, 0.0, -0.2]);
    let ground = Event::Collided(Obstacle::Environment);
    assert_eq!(walk.events[..], [Event::Landed { speed: 5.0 }, ground]);
    check_at(&walk, LAND.0, [12.0, 12.0, 0.005]);
    assert!(
        walk.body.velocity.distance(Vec3::new(0.0, 0.0, 0.25)) < 1e-5,
        "a twentieth comes back"
    );
    // Standing and walking are not landing again.
    walk.body.velocity = Vec3::ZERO;
    let _ = walk.step([0.1, 0.0, 0.0]);
    assert!(walk.events.is_empty());
}

#[test]
fn a_body_does_not_land_on_steep_ground() {
    let mut forge = plain(&[]);
    // A face of 60 degrees.
    forge.block(LAND.block()).heights(|x, _| 21 * x.min(1));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.put_in_air(LAND.0, [12.0, 12.0, 22.0]);
    let mut events = Vec::new();
    for _ in 0..4 {
        let _ = walk.step([0.0, 0.0, -0.4]);
        events.extend(walk.events.iter().copied());
    }
    assert!(walk.body.stance.contact && !walk.body.stance.on_walkable);
    assert_eq!(events, [Event::Collided(Obstacle::Environment)], "and reported once");
}

#[test]
fn a_body_that_walks_over_an_edge_has_left_the_ground() {
    let mut forge = plain(&[]);
    let platform = forge.object(ObjectSpec::cuboid([4.0, 4.0, 2.0]));
    forge.block(LAND.block()).put(platform, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.put_on_ground(LAND.0, [14.2, 12.0, 2.005]);
    let state = walk.world.body(WALKER).unwrap().state().with(State::EDGE_SLIDE, false);
    walk.world.set_state(WALKER, state).unwrap();
    let events: Vec<Event> = (0..3)
        .flat_map(|_| {
            let _ = walk.step([0.3, 0.0, 0.0]);
            walk.events.clone()
        })
        .collect();
    assert_eq!(events, [Event::LeftGround], "once");
}

#[test]
fn running_into_another_body_is_reported() {
    let mut walk = level();
    let other = walk.add_creature(3, 0x0200_0001, (LAND.0, [13.2, 12.0, 0.005]));
    walk.put_on_ground(LAND.0, [12.0, 12.0, 0.005]);
    let _ = walk.step([0.3, 0.0, 0.0]);
    assert_eq!(walk.events[..], [Event::Collided(Obstacle::Object(ObjectId::body(other)))]);
    // An object that is passed through is reported as well.
    walk.world.set_state(other, State::ETHEREAL).unwrap();
    walk.put_on_ground(LAND.0, [12.0, 12.0, 0.005]);
    let outcome = walk.step([0.3, 0.0, 0.0]);
    assert_eq!(walk.events[..], [Event::Passed(ObjectId::body(other))]);
    assert!(!outcome.objects[0].blocking && walk.at().x > 12.29);
}

#[test]
fn an_object_can_be_reported_as_environment() {
    let mut walk = level();
    let other = walk.add_creature(3, 0x0200_0001, (LAND.0, [13.2, 12.0, 0.005]));
    walk.world.set_state(other, State::REPORT_AS_ENVIRONMENT).unwrap();
    walk.put_on_ground(LAND.0, [12.0, 12.0, 0.005]);
    let _ = walk.step([0.3, 0.0, 0.0]);
    assert_eq!(walk.events[..], [Event::Collided(Obstacle::Environment)]);
}

#[test]
fn a_body_bounces_off_a_wall_in_flight_and_not_on_foot() {
    let mut walk = Walk::from_source(row(&[4.0], &[]));
    let velocity = Vec3::new(3.0, 2.0, 0.0);
    walk.put_on_ground(A.0, [3.4, 2.0, 0.005]).body.velocity = velocity;
    let outcome = walk.step([0.3, 0.2, 0.0]);
    assert_eq!((outcome.hit, walk.body.velocity), (Some(Vec3::NEG_X), velocity));
    walk.put_in_air(A.0, [3.4, 2.0, 1.0]).body.velocity = velocity;
    let outcome = walk.step([0.3, 0.2, 0.0]);
    assert_eq!(outcome.hit, Some(Vec3::NEG_X));
    assert!(walk.body.velocity.distance(Vec3::new(-0.15, 2.0, 0.0)) < 1e-5, "a twentieth");
}

#[test]
fn running_into_walls_in_the_air_is_reported_once_until_it_ends() {
    let mut walk = Walk::from_source(row(&[4.0], &[]));
    walk.put_in_air(A.0, [3.4, 2.0, 1.0]);
    let wall = [Event::Collided(Obstacle::Environment)];
    let mut events = Vec::new();
    for by in [0.3, 0.3, -0.3, 0.6] {
        let _ = walk.step([by, 0.0, 0.0]);
        events.push(walk.events.to_vec());
    }
    assert_eq!(events, [wall.to_vec(), vec![], vec![], wall.to_vec()]);
}

#[test]
fn a_body_that_walks_off_the_resident_world_is_lost() {
    let mut walk = level();
    walk.put_on_ground(EDGE.0, [150.0, 0.3, 0.005]).body.velocity = Vec3::new(0.0, -3.0, 0.0);
    let before = walk.body.clone();
    let outcome = walk.step([0.0, -0.4, 0.0]);
    assert_eq!((outcome.cell, outcome.held_at_edge), (None, false));
    assert_eq!(
        walk.events[..],
        [Event::CellChanged { from: Some(EDGE), to: None }, Event::Lost { from: EDGE }]
    );
    // Its position is the swept one, in the landblock it has walked into.
    check_at(&walk, 0xA9B3_0038, [150.0, 191.9, 0.005]);
    let object = walk.world.body(WALKER).unwrap();
    assert!(object.is_lost() && object.cells().is_empty());
    assert_eq!(bodies(&walk, EDGE), []);
    assert_eq!(walk.world.lost_bodies().count(), 1);
    // Stance and velocity stay as they were.
    assert_eq!((walk.body.stance, walk.body.velocity), (before.stance, before.velocity));
    // It cannot move until it is placed.
    assert_eq!(walk.step([0.0, 1.0, 0.0]).refused, Some(Refusal::NoCell));
    let back = Position::new(EDGE, Vec3::new(150.0, 2.0, 0.005));
    walk.world.move_body(WALKER, back).unwrap();
    assert_eq!(walk.step([0.0, 0.3, 0.0]).cell, Some(EDGE));
    assert_eq!(bodies(&walk, EDGE), [WALKER]);
}

/// The rest of the sweep goes on without a cell, even across another border.
#[test]
fn a_lost_body_is_in_the_landblock_where_its_sweep_ended() {
    let mut walk = level();
    walk.put_on_ground(LAND.0, [0.5, 0.1, 0.005]);
    let outcome = walk.step([-0.9, -0.9, 0.0]);
    assert_eq!((outcome.cell, outcome.sub_steps), (None, 3));
    check_at(&walk, 0xA8B3_0040, [191.6, 191.2, 0.005]);
}

#[test]
fn a_body_is_held_where_the_resident_world_ends_if_the_rules_say_so() {
    let mut walk = level().with_rule("unloaded=blocked");
    walk.put_on_ground(EDGE.0, [150.0, 0.3, 0.005]);
    let outcome = walk.step([0.0, -0.4, 0.0]);
    assert!(outcome.held_at_edge && outcome.refused.is_none());
    check_at(&walk, EDGE.0, [150.0, 0.3, 0.005]);
    assert_eq!(bodies(&walk, EDGE), [WALKER]);
    assert!(!walk.events.iter().any(|event| matches!(event, Event::Lost { .. })));
    // Where every cell is resident, it is not held.
    let outcome = walk.step([0.2, 0.3, 0.0]);
    assert!(!outcome.held_at_edge && outcome.hit.is_none());
    // In rooms as on land.
    let builder = Builder::new(row(&[4.0, 4.0], &[]));
    let mut world = World::new();
    world.adopt(builder.build(PieceId::Room(A)).unwrap().unwrap().piece);
    let mut walk = Walk::in_world(world, builder).with_rule("unloaded=blocked");
    walk.put_on_ground(A.0, [3.8, 2.0, 0.005]);
    assert!(walk.step([0.3, 0.0, 0.0]).held_at_edge);
    check_at(&walk, A.0, [3.8, 2.0, 0.005]);
}

/// D11: it is lost in its room; with `interior_exit=outdoors`, in the land cell under it.
#[test]
fn a_body_that_leaves_its_room_for_no_cell_is_lost() {
    let lost_in = |rule: &str| {
        let builder = Builder::new(row(&[4.0, 4.0], &[]));
        let mut world = World::new();
        world.adopt(builder.build(PieceId::Room(A)).unwrap().unwrap().piece);
        let mut walk = Walk::in_world(world, builder).with_rule(rule);
        walk.put_on_ground(A.0, [3.8, 2.0, 0.005]);
        let _ = walk.step([0.3, 0.0, 0.0]);
        assert_eq!(
            walk.events[..],
            [Event::CellChanged { from: Some(A), to: None }, Event::Lost { from: A }]
        );
        walk.cell()
    };
    assert_eq!(lost_in("interior_exit=stays"), A);
    assert_eq!(lost_in("interior_exit=outdoors"), CellId(0x0102_0001));
    // It may be in the next room, which is not resident: it stays lost until that room is loaded.
    assert_eq!(lost_in("interior_exit=reseat"), A);
}

#[test]
fn a_refused_sweep_changes_nothing() {
    let mut walk = level();
    let refusals = [
        ([20.0, 0.0, 0.0], Refusal::TooFar),
        ([f32::NAN, 0.0, 0.0], Refusal::NotFinite),
        ([0.0, f32::INFINITY, 0.0], Refusal::NotFinite),
        ([0.0, 0.0, -0.1], Refusal::NothingLeft),
    ];
    for (by, refusal) in refusals {
        walk.put_on_ground(LAND.0, [12.0, 12.0, 0.005]);
        walk.body.velocity = Vec3::new(1.0, 2.0, 0.0);
        walk.body.stance.stationary.stop = true;
        walk.body.colliding_with_environment = true;
        let (body, position) = (walk.body.clone(), walk.position());
        let cells = walk.world.body(WALKER).unwrap().cells().to_vec();
        let outcome = walk.step(by);
        assert_eq!(outcome.refused, Some(refusal));
        assert!(!outcome.is_ok() && outcome.hit.is_none() && outcome.cells.is_empty());
        assert_eq!((outcome.position, walk.position()), (position, position));
        assert_eq!((walk.body.stance, walk.body.velocity), (body.stance, body.velocity));
        assert!(walk.body.colliding_with_environment);
        assert_eq!(walk.world.body(WALKER).unwrap().cells(), cells);
        assert!(walk.events.is_empty());
    }
    // From a cell that is not resident.
    walk.put_on_ground(0xA9B5_0001, [12.0, 12.0, 0.005]);
    let outcome = walk.step([0.1, 0.0, 0.0]);
    assert_eq!((outcome.refused, outcome.cell), (Some(Refusal::NoCell), None));
    assert!(walk.events.is_empty());
}

#[test]
fn a_body_outside_the_world_cannot_be_moved() {
    let mut walk = level();
    walk.put_on_ground(LAND.0, [12.0, 12.0, 0.005]);
    let outcome = walk.sweep(&mut (), [0.1, 0.0, 0.0]);
    let mut absent = Body::new(BodyId(77));
    assert!(absent.mover(&walk.world).is_none());
    assert_eq!(commit(&mut walk.world, &mut absent, &outcome), Err(UnknownBody(BodyId(77))));
}

const IN_FLIGHT: State = State(0x340);

/// A missile at a height of 1 m.
fn shoot(walk: &mut Walk, cell: u32, at: [f32; 3]) {
    let mut spec = walk.spec(cell, at);
    spec.state = spec.state.with(IN_FLIGHT, true);
    walk.put(spec);
}

#[test]
fn a_missile_that_hits_something_is_no_longer_a_missile() {
    let state = |walk: &Walk| walk.world.body(WALKER).unwrap().state();
    let mut walk = Walk::from_source(row(&[4.0], &[]));
    shoot(&mut walk, A.0, [2.0, 2.0, 1.0]);
    let _ = walk.step([0.4, 0.0, 0.0]);
    assert!(state(&walk).has(IN_FLIGHT) && walk.events.is_empty(), "in flight");
    let _ = walk.step([1.6, 0.0, 0.0]);
    assert_eq!(walk.events[..], [Event::Collided(Obstacle::Environment)]);
    assert_eq!(state(&walk).0 & IN_FLIGHT.0, 0);
    assert!(state(&walk).has(State::GRAVITY), "and nothing else");
    // Another object.
    let mut walk = level();
    let target = walk.add_creature(3, 0x0200_0001, (LAND.0, [13.5, 12.0, 0.005]));
    shoot(&mut walk, LAND.0, [12.0, 12.0, 0.3]);
    let _ = walk.step([0.9, 0.0, 0.0]);
    assert_eq!(walk.events[..], [Event::Collided(Obstacle::Object(ObjectId::body(target)))]);
    assert_eq!(state(&walk).0 & IN_FLIGHT.0, 0);
    // A target that reports no collisions.
    walk.world.set_state(target, State::IGNORE_COLLISIONS).unwrap();
    shoot(&mut walk, LAND.0, [12.0, 12.0, 0.3]);
    let _ = walk.step([0.9, 0.0, 0.0]);
    assert!(state(&walk).has(IN_FLIGHT));
}

/// A door leaf, 1.7 m wide, across the sill of the cottage at y = 8.
fn leaf(walk: &Walk, y: f32) -> BodySpec {
    let mut spec = walk.spec(0xA9B4_0031, [156.0, y, 40.3]);
    spec.setup = walk.builder.setup(RecordId(0x0200_0021)).unwrap();
    spec.position.frame.rotation = Rotation::from_heading(90.0);
    spec
}

fn own_cells(walk: &Walk) -> Vec<CellId> {
    walk.world.body(WALKER).unwrap().cells().iter().map(|registered| registered.cell).collect()
}

#[test]
fn a_body_with_a_physics_tree_finds_its_own_cells() {
    let mut walk = Walk::sample("holt");
    walk.put(leaf(&walk, 6.0));
    let outside = CellId(0xA9B4_0031);
    assert!(walk.world.body(WALKER).unwrap().state().has(State::HAS_PHYSICS_TREE));
    assert_eq!(own_cells(&walk), [outside]);
    // It sweeps with a small sphere, which touches nothing indoors.
    let outcome = walk.step([0.0, 1.6, 0.0]);
    assert_eq!(outcome_cells(&outcome), [outside]);
    assert_eq!(own_cells(&walk), [outside, CellId(0xA9B4_0170)]);
    let committed = own_cells(&walk);
    walk.put(leaf(&walk, walk.at().y));
    assert_eq!(own_cells(&walk), committed, "as if it had been put there");
}
