//! The other cells that a mover touches: they are tested in order, and the first one that blocks ends the attempt.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::{BspLeaf, BspNode, BspTree, EnvCell, Environment, Polygons};
use threshold_forge::ObjectSpec;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame};
use threshold_motion::{Event, Insert, Obstacle};
use threshold_testkit::{
    FEET, Trace, Walk,
    doorway::doorways,
    edit_record, forged,
    layouts::{A, B, C, plain, row},
    outcome_cells,
};
use threshold_world::{BodyId, Builder, ObjectId, PieceId, State, World};

/// Tested cells in order, each with its result.
type CellAnswers = Vec<(CellId, Insert)>;

/// A room of 0.4 m between two others: a mover in it touches all three.
const THIN: [f32; 3] = [4.0, 0.4, 4.0];

#[test]
fn without_other_cells_only_the_own_cell_is_tested() {
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[]));
    walk.put_in_air(A.0, [2.0, 2.0, 0.5]);
    let mut answers = CellAnswers::new();
    let outcome = walk.step_with(&mut answers, [0.1, 0.0, 0.0]);
    assert_eq!(answers, [(A, Insert::Ok)]);
    assert_eq!((outcome.hit, outcome_cells(&outcome)), (None, vec![A]));
}

#[test]
fn all_cells_ok_is_ok_and_each_is_tested_once_in_order() {
    let mut walk = Walk::from_source(row(&THIN, &[]));
    walk.put_in_air(B.0, [4.15, 2.0, 0.5]);
    let mut answers = CellAnswers::new();
    let outcome = walk.step_with(&mut answers, [0.1, 0.0, 0.0]);
    assert_eq!(answers, [(B, Insert::Ok), (A, Insert::Ok), (C, Insert::Ok)]);
    assert_eq!((outcome.hit, outcome.hit_environment), (None, false));
    assert!((walk.at().x - 4.25).abs() < 1e-5);
}

#[test]
fn the_first_collided_cell_ends_the_test_and_keeps_its_hit() {
    // A beam at the height of the head, in the first of the other cells; a wall in the second.
    let beam = (0, [3.8, 0.0, 1.4], [3.9, 4.0, 2.0]);
    let wall = (2, [4.6, 0.0, 0.0], [4.7, 4.0, 3.0]);
    let mut walk = Walk::from_source(row(&THIN, &[beam, wall]));
    walk.put_in_air(B.0, [4.385, 2.0, 0.02]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [-0.1, 0.0, 0.0]);
    let (listed, _) = &trace.cell_arrays()[0];
    assert_eq!(*listed, [B, A, C]);
    assert_eq!(trace.collided_cells(), [(B, Insert::Ok), (A, Insert::Collided)], "C is not tested");
    assert_eq!(outcome.hit, Some(Vec3::X));
    assert!(outcome.hit_environment, "it was in the air");
    assert_eq!(walk.events[..], [Event::Collided(Obstacle::Environment)]);
    assert_eq!(walk.at().x, 4.385);
}

#[test]
fn objects_found_before_the_blocking_cell_are_kept() {
    // An ethereal creature in A is reported and passed; then C blocks.
    let beam = (2, [4.8, 0.0, 1.4], [4.9, 4.0, 2.0]);
    let mut walk = Walk::from_source(row(&THIN, &[beam]));
    let ghost = walk.add_creature(7, 0x0200_0001, (A.0, [3.5, 2.0, 0.005]));
    walk.world.set_state(ghost, State::ETHEREAL).unwrap();
    walk.put_in_air(B.0, [4.2, 2.0, 0.02]);
    let mut answers = CellAnswers::new();
    let outcome = walk.step_with(&mut answers, [0.15, 0.0, 0.0]);
    assert_eq!(answers, [(B, Insert::Ok), (A, Insert::Ok), (C, Insert::Collided)]);
    let objects: Vec<_> = outcome.objects.iter().map(|t| (t.object, t.blocking)).collect();
    assert_eq!(objects, [(ObjectId::body(ghost), false)]);
    assert_eq!(outcome.hit, Some(Vec3::NEG_X));
}

/// The result "adjusted" ends the test as well, and the attempt is repeated from the adjusted position.
#[test]
fn the_first_adjusted_cell_ends_the_test_and_the_attempt_is_repeated() {
    let step = (0, [3.7, 0.0, 0.0], [3.9, 4.0, 0.6]);
    let mut walk = Walk::from_source(row(&THIN, &[step]));
    walk.put_in_air(B.0, [4.385, 2.0, 0.02]);
    let mut answers = CellAnswers::new();
    let _ = walk.step_with(&mut answers, [-0.1, 0.0, 0.0]);
    assert_eq!(
        answers[..3],
        [(B, Insert::Ok), (A, Insert::Adjusted), (B, Insert::Ok)],
        "{answers:?}"
    );
}

/// Ground that falls away to the north of y = 24, and a post across the 24 m line to the east of the mover.
///
/// ```text
///   falls   2 | A
///       ------+------ y = 24
///           m | o
///   level   1 | 9
///          x = 24
/// ```
fn post_at_a_corner() -> Walk {
    let mut forge = plain(&[]);
    let post = forge.object(ObjectSpec::Cylinder { radius: 0.3, height: 3.0 });
    let block = forge.block(BlockId(0xA9B4));
    block.heights(|_, y| 20 - 6 * (y - 1).clamp(0, 2));
    block.put(post, Frame::at(Vec3::new(24.31, 23.65, 40.0)));
    Walk::from_source(forge.finish().unwrap())
}

#[test]
fn slid_clears_the_contact_plane() {
    let mut walk = post_at_a_corner();
    let land = [0x01, 0x09, 0x0A, 0x02].map(|low| CellId(0xA9B4_0000 | low));
    walk.put_on_ground(land[0].0, [23.3, 23.95, 40.005]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [0.3, 0.0, 0.0]);
    assert_eq!(trace.cell_arrays()[0].0, land);
    let answers = trace.collided_cells();
    assert_eq!(answers[..2], [(land[0], Insert::Ok), (land[1], Insert::Slid)]);
    assert_eq!(
        answers[2].0, land[0],
        "the other two are not tested before the attempt is repeated"
    );
    // It slid from level ground to where the ground falls away. Had it kept the contact plane of the level
    // ground, it would not have looked for other ground and would hang in the air.
    let at = walk.at();
    let ground = walk.world.land(BlockId(0xA9B4)).unwrap().terrain().height(at.truncate()).unwrap();
    assert!(at.y > 24.01 && ground < 39.995, "{at}");
    assert!((at.z - ground - 0.005).abs() < 0.03, "{at} over {ground}");
    assert!(outcome.stance.contact && outcome.stance.plane.normal.y > 0.4, "{:?}", outcome.stance);
}

/// A tree of one leaf without polygons.
fn empty_tree() -> BspTree {
    let mut tree = BspTree::default();
    let leaf = BspLeaf { index: 0, solid: 0, sphere: None, polygons: &[] };
    let root = tree.push(BspNode::Leaf(leaf));
    tree.set_root(root);
    tree
}

#[test]
fn an_empty_tree_is_skipped_and_the_next_cell_is_tested() {
    let beam = (2, [4.8, 0.0, 1.4], [4.9, 4.0, 2.0]);
    let mut records = row(&THIN, &[beam]);
    let mut environment = None;
    edit_record(&mut records, B, |room: &mut EnvCell| environment = Some(room.environment_id()));
    edit_record(&mut records, environment.unwrap(), |shape: &mut Environment| {
        shape.structures[0].physics = Polygons::default();
        shape.structures[0].physics_tree = empty_tree();
    });
    let mut walk = Walk::from_source(records);
    assert!(walk.world.room(B).unwrap().structure().physics.is_empty());
    // As one of the others.
    walk.put_in_air(A.0, [3.92, 2.0, 0.02]);
    let mut answers = CellAnswers::new();
    let outcome = walk.step_with(&mut answers, [0.07, 0.0, 0.0]);
    assert_eq!(answers, [(A, Insert::Ok), (B, Insert::Ok), (C, Insert::Ok)]);
    assert_eq!(outcome.hit, None);
    // As the own cell, with something in the way behind it.
    walk.put_in_air(B.0, [4.2, 2.0, 0.02]);
    answers.clear();
    let outcome = walk.step_with(&mut answers, [0.15, 0.0, 0.0]);
    assert_eq!(answers, [(B, Insert::Ok), (A, Insert::Ok), (C, Insert::Collided)]);
    assert_eq!(outcome.hit, Some(Vec3::NEG_X));
}

#[test]
fn a_cell_that_is_not_resident_is_skipped() {
    let beam = (1, [4.2, 0.0, 0.0], [4.4, 4.0, 3.0]);
    let builder = Builder::new(row(&[4.0, 4.0], &[beam]));
    let mut world = World::new();
    world.adopt(builder.build(PieceId::Room(A)).unwrap().unwrap().piece);
    let mut walk = Walk::in_world(world, builder);
    walk.put_on_ground(A.0, [3.5, 2.0, 0.005]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [0.3, 0.0, 0.0]);
    assert_eq!(trace.cell_arrays()[0], (vec![A, B], Some(A)), "it is named");
    assert!(trace.collided_cells().iter().all(|(cell, _)| *cell == A), "and not tested");
    assert!(outcome.hit.is_none() && !outcome.held_at_edge);
    assert_eq!(outcome.missed[..], [B]);
    assert!((walk.at().x - 3.8).abs() < 1e-4, "its wall is not in the way");
    // Once the room is loaded, its wall blocks.
    let room = walk.builder.build(PieceId::Room(B)).unwrap().unwrap().piece;
    walk.world.adopt(room);
    walk.put_on_ground(A.0, [3.5, 2.0, 0.005]);
    let _ = walk.step([0.3, 0.0, 0.0]);
    assert_eq!(walk.at().x, 3.5);
}

/// End to end: an empty room, and a wall that only its neighbour has.
#[test]
fn a_wall_of_the_neighbour_blocks_while_the_centre_is_in_the_empty_room() {
    let wall = (1, [4.3, 0.0, 0.0], [4.5, 4.0, 3.0]);
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[wall]));
    walk.put_on_ground(A.0, [3.0, 2.0, 0.005]);
    let mut answers = CellAnswers::new();
    let mut hit = None;
    for _ in 0..12 {
        hit = hit.or(walk.step_with(&mut answers, [0.1, 0.0, 0.0]).hit);
    }
    assert_eq!((walk.cell(), hit), (A, Some(Vec3::NEG_X)));
    assert!((3.72..3.821).contains(&walk.at().x), "{}", walk.at());
    assert!(answers.contains(&(B, Insert::Collided)), "{answers:?}");
    assert!(!answers.contains(&(A, Insert::Collided)));
}

/// Walks in a vestibule that has four polygons (floor, ceiling and sides) towards the hall behind it, whose screens close the
/// way: a mover that is stopped in the vestibule is stopped by the hall.
#[track_caller]
fn check_vestibule(walk: &mut Walk, [vestibule, hall]: [CellId; 2], starts: &[Vec3], by: Vec3) {
    let polygons = |cell| walk.world.room(cell).unwrap().structure().physics.polygons().len();
    assert_eq!(polygons(vestibule), 4);
    assert!(polygons(hall) > 23);
    let (mut blocked, mut collided) = (0, 0);
    for start in starts {
        walk.put_on_ground(vestibule.0, start.to_array());
        for _ in 0..16 {
            let (before, was) = (walk.at(), walk.cell());
            let mut answers = CellAnswers::new();
            let outcome = walk.step_with(&mut answers, by.to_array());
            collided += answers.iter().filter(|a| **a == (hall, Insert::Collided)).count();
            let stops = |answer| matches!(answer, Insert::Collided | Insert::Slid);
            let refusals = answers.iter().filter(|(_, answer)| stops(*answer));
            let by_hall = refusals.clone().all(|(cell, _)| *cell == hall);
            if was == vestibule && walk.at() == before && outcome.is_ok() {
                assert!(by_hall && refusals.count() > 0, "{answers:?}");
                assert_eq!(walk.cell(), vestibule);
                blocked += 1;
            }
        }
    }
    assert!(blocked >= 5 && collided > 0, "blocked {blocked} times, {collided} outright");
}

#[test]
fn the_vestibule_wall_that_only_the_neighbour_has_blocks() {
    let cells = [0xA9B4_0164, 0xA9B4_0157].map(CellId);
    let starts = [59.3, 59.4, 60.0, 60.2, 60.45, 60.7].map(|y: f32| Vec3::new(115.2, y, 40.205));
    let by = Vec3::new(-0.12, 0.0, 0.0);
    check_vestibule(&mut Walk::sample("holt"), cells, &starts, by);
}

#[test]
fn the_vestibule_wall_of_the_built_in_inn_blocks() {
    for made in forged::builtins() {
        let mut walk = Walk::new(made.builder());
        let doors = doorways(&walk.world);
        let is_bare = |cell: CellId| {
            let room = walk.world.room(cell).unwrap();
            room.structure().physics.polygons().len() == 4 && room.portals().len() == 2
        };
        let exit = doors.iter().find(|door| door.is_exit() && is_bare(door.room)).unwrap();
        let inner = doors.iter().find(|door| door.room == exit.room && !door.is_exit()).unwrap();
        let aside = exit.outward.cross(Vec3::Z);
        let before = exit.sill - exit.outward * 0.8 + Vec3::Z * FEET;
        let starts = [-0.9, -0.6, -0.4, 0.4, 0.6, 0.9].map(|off| before + aside * off);
        let (cells, by) = ([exit.room, inner.beyond], exit.outward * -0.12);
        check_vestibule(&mut walk, cells, &starts, by);
    }
}

#[test]
fn objects_of_other_cells_are_tested_too() {
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[]));
    let other = walk.add_creature(3, 0x0200_0001, (B.0, [4.7, 2.0, 0.005]));
    walk.put_on_ground(A.0, [3.6, 2.0, 0.005]);
    let outcome = walk.step([0.3, 0.0, 0.0]);
    assert_eq!(outcome.objects[0].object, ObjectId::body(BodyId(other.0)));
    assert_eq!(walk.at().x, 3.6);
}
