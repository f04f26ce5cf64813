//! Mistakes that are easy to make: each of these tests fails if its mistake is made again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::EnvCell;
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame};
use threshold_motion::Insert;
use threshold_testkit::{
    Random, Trace, Walk, check_at, edit_record,
    layouts::{A, B, C, DEPTHS, plain, ramp, row},
    outcome_cells, sample_builder,
};
use threshold_world::{BodyId, BodySpec, Builder, World};

/// The land cell of most of these tests.
const LAND: CellId = CellId(0xA9B4_0001);

/// Made by not emptying the list where a search begins (`CellSearch::list`).
#[test]
fn the_candidate_list_is_emptied_on_every_rebuild() {
    // A check position near the wall in B touches B and is refused.
    let wall = (1, [4.1, 0.0, 0.0], [4.3, 4.0, 3.0]);
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[wall]));
    walk.put_on_ground(A.0, [3.4, 2.0, 0.005]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [0.45, 0.0, 0.0]);
    assert!(trace.collided_cells().contains(&(B, Insert::Collided)));
    assert_eq!(outcome_cells(&outcome), [A], "where it is, it does not touch B");
    // Three rooms in one sweep: a room is not tested after it was left.
    let mut walk = Walk::from_source(row(&[2.0, 2.0, 4.0], &[]));
    walk.put_on_ground(A.0, [1.0, 2.0, 0.005]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [4.5, 0.0, 0.0]);
    assert_eq!((walk.cell(), outcome_cells(&outcome)), (C, vec![C]));
    assert!(
        trace.cell_arrays().iter().all(|(cells, _)| cells.len() < 3),
        "no position touches all three"
    );
    assert_eq!(trace.collided_cells().last().unwrap().0, C);
}

/// Made by restoring the check position after `cliff_slide` in `edge_slide`.
#[test]
fn a_cliff_slide_starts_from_the_restored_position() {
    let mut forge = plain(&[]);
    forge.block(BlockId(0xA9B4)).heights(|x, _| if x <= 1 { 50 } else { 0 });
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.put_on_ground(0xA9B4_0001, [23.8, 10.0, 100.005]);
    let hits = [10.3, 10.6, 10.9].map(|y| {
        let outcome = walk.step([0.3, 0.3, 0.0]);
        check_at(&walk, 0xA9B4_0001, [23.8, y, 100.005]);
        outcome.hit
    });
    assert_eq!(hits[0], Some(Vec3::NEG_X), "slid along the edge, not stopped");
}

/// Made by restoring the check position after `precipice_slide`, in `edge_slide` or in `slide_along_last_ground`.
#[test]
fn an_edge_slide_starts_from_the_restored_position() {
    let mut forge = plain(&[]);
    let platform = forge.object(ObjectSpec::cuboid([4.0, 4.0, 2.0]));
    forge.block(LAND.block()).put(platform, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    // The step down still finds the edge 0.3 m beyond it; 0.4 m beyond, the ground is that from before.
    for east in [0.2, 0.3] {
        walk.put_on_ground(LAND.0, [14.1, 11.0, 2.005]);
        for y in [11.3, 11.6, 11.9] {
            let _ = walk.step([east, 0.3, 0.0]);
            check_at(&walk, LAND.0, [14.1, y, 2.005]);
        }
    }
}

/// Made by dividing by the squared length twice in `slide_along_crease`, or by testing only the x of what is left.
#[test]
fn sliding_round_a_sphere_divides_once_and_tests_the_whole_length() {
    let mut forge = plain(&[]);
    let boulder = forge.object(ObjectSpec::Ball { radius: 1.0 });
    forge.block(LAND.block()).put(boulder, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    // Due west of the boulder, whose middle is half a metre higher than the feet: the slide is due north, and
    // the squared length of the direction is well below 1.
    walk.put_on_ground(LAND.0, [10.55, 12.0, 0.005]);
    let outcome = walk.step([0.3, 0.2, 0.0]);
    check_at(&walk, LAND.0, [10.55, 12.2, 0.005]);
    let away = Vec3::new(-1.45, 0.0, -0.52).normalize();
    assert!(outcome.hit.unwrap().distance(away) < 1e-4, "{:?}", outcome.hit);
    assert!(1.0 - away.z * away.z < 0.9, "the squared length");
    // The same due south of it.
    walk.put_on_ground(LAND.0, [12.0, 10.55, 0.005]);
    let _ = walk.step([0.2, 0.3, 0.0]);
    check_at(&walk, LAND.0, [12.2, 10.55, 0.005]);
}

/// Made by pruning the cell itself from the list of its own object.
#[test]
fn an_object_is_in_its_own_cell_though_its_cell_does_not_list_itself() {
    let mut forge = Forge::new();
    let pillar = forge.object(ObjectSpec::Cylinder { radius: 0.4, height: 2.5 });
    let mut plan = Plan::new();
    let rooms = [0.0, 4.0].map(|x| plan.room(RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0])));
    plan.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    plan.put(rooms[0], pillar, Frame::at(Vec3::new(2.0, 2.0, 0.0)));
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, plan);
    let mut records = forge.finish().unwrap().into_records();
    for visible in [vec![], vec![B.low()]] {
        edit_record(&mut records, A, |room: &mut EnvCell| room.visible = visible);
        let mut walk = Walk::from_source(records.clone());
        assert!(!walk.world.room(A).unwrap().stabs().contains(&A));
        walk.put_on_ground(A.0, [0.9, 2.0, 0.005]).steps(5, [0.2, 0.0, 0.0]);
        assert_eq!(walk.at().x, 1.1, "stopped before the pillar");
    }
}

/// Made by leaving out land cells of another landblock where cells are added.
#[test]
fn candidates_of_the_neighbouring_landblock_are_not_filtered_out() {
    let mut forge = plain(&[0xA9B3, 0xA9B4]);
    let post = forge.object(ObjectSpec::Cylinder { radius: 0.3, height: 3.0 });
    // Wholly in the southern landblock, 0.3 m from the border.
    forge.block(BlockId(0xA9B3)).put(post, Frame::at(Vec3::new(150.0, 191.4, 0.0)));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    let (north, south) = (CellId(0xA9B4_0031), CellId(0xA9B3_0038));
    let object = walk.world.objects().next().unwrap();
    assert_eq!(object.cells().iter().map(|r| r.cell).collect::<Vec<_>>(), [south]);
    walk.put_on_ground(north.0, [150.0, 0.5, 0.005]);
    let outcome = walk.step([0.0, -0.25, 0.0]);
    assert_eq!(outcome_cells(&outcome), [north, south]);
    let mut trace = Trace::default();
    let outcome = walk.step_with(&mut trace, [0.0, -0.2, 0.0]);
    check_at(&walk, north.0, [150.0, 0.25, 0.005]);
    assert_eq!(outcome.hit, Some(Vec3::Y));
    assert!(trace.collided_cells().contains(&(south, Insert::Collided)));
    // And beside it there is a way into the neighbour.
    walk.put_on_ground(north.0, [153.0, 0.3, 0.005]);
    let _ = walk.step([0.0, -0.4, 0.0]);
    check_at(&walk, south.0, [153.0, 191.9, 0.005]);
}

/// Made by saving the check position of `check_walkable` in the backup of the step that it is part of.
///
/// From a ramp over its end onto a narrower one 0.3 m below, half past its eastern edge: the step down finds the
/// lower ramp, there is no ground under the middle of the mover, and it slides along the edge from where it was
/// before the step. From where the step had ended, the slide would be 9 cm shorter.
#[test]
fn nested_probes_keep_separate_backups_of_the_position() {
    let mut forge = plain(&[]);
    let upper = forge.object(ramp([-2.0, 3.0], -3.0, [2.0, 3.0]));
    let lower = forge.object(ramp([-2.0, 2.0], 0.0, [2.7, 3.7]));
    let block = forge.block(LAND.block());
    for model in [upper, lower] {
        block.put(model, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    }
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.put_on_ground(LAND.0, [14.2, 12.0, 3.1]).steps(2, [0.0, 0.1, 0.0]);
    let before = walk.at();
    assert!((before.y - 12.19).abs() < 1e-3, "on the upper ramp: {before}");
    let outcome = walk.step([0.1, 0.4, 0.0]);
    // Of 0.4 m to the north the slope of one in three leaves 0.36.
    let want = before + Vec3::new(0.0, 0.36, 0.12 - 0.3);
    assert!(walk.at().distance(want) < 1e-3, "{} instead of {want}", walk.at());
    assert_eq!(outcome.hit, Some(Vec3::NEG_X));
}

/// Made by not normalising the direction in `Direction::set`.
#[test]
fn collision_and_sliding_normals_are_stored_at_unit_length() {
    // A small creature, which cannot be stood on: the step onto it fails and hands on a normal as long as the
    // way between the centres.
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap());
    let small = BodySpec { body: BodyId(1), scale: 0.3, ..walk.spec(LAND.0, [12.0, 12.0, 0.0015]) };
    walk.world.insert(small);
    walk.put_on_ground(LAND.0, [11.3, 11.9, 0.005]);
    let outcome = walk.step([0.2, 0.3, 0.0]);
    let away = Vec3::new(-0.7, -0.1, 0.0735).normalize();
    assert!(outcome.hit.unwrap().distance(away) < 1e-3, "{:?}", outcome.hit);
    let sliding = outcome.stance.sliding_normal;
    assert!((sliding.length() - 1.0).abs() < 1e-5 && sliding.z == 0.0, "{sliding}");
    assert_eq!(outcome.objects.len(), 1);
}

/// Made by not normalising the level part of a normal in `Direction::set_level`.
#[test]
fn the_sliding_normal_of_a_leaning_wall_is_level_and_of_unit_length() {
    let mut forge = plain(&[]);
    // The wall rises 3 m over 1 m.
    let wall = forge.object(ramp([-4.0, 4.0], 0.0, [0.01, 9.0]));
    forge.block(LAND.block()).put(wall, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.put_on_ground(LAND.0, [12.0, 11.4, 0.005]);
    let outcome = walk.step([0.2, 0.3, 0.0]);
    let hit = outcome.hit.unwrap();
    assert!((hit.length() - 1.0).abs() < 1e-5 && hit.z > 0.3, "{hit}");
    assert!(outcome.stance.sliding_normal.distance(Vec3::NEG_Y) < 1e-4, "{:?}", outcome.stance);
}

/// Made by appending objects to the lists of cells in the order in which they come.
#[test]
fn which_of_two_objects_is_hit_does_not_depend_on_the_order_of_loading() {
    let mut forge = plain(&[0xA9B3, 0xA9B4]);
    let post = forge.object(ObjectSpec::Cylinder { radius: 0.4, height: 3.0 });
    // Side by side on the border, each of another landblock, both in the cells of both.
    forge.block(BlockId(0xA9B3)).put(post, Frame::at(Vec3::new(150.5, 191.95, 0.0)));
    forge.block(BlockId(0xA9B4)).put(post, Frame::at(Vec3::new(149.5, 0.05, 0.0)));
    let builder = Builder::new(forge.finish().unwrap());
    let mut hits = Vec::new();
    for reversed in [false, true] {
        let mut pieces = builder.pieces();
        if reversed {
            pieces.reverse();
        }
        let mut world = World::new();
        for piece in pieces {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let mut walk = Walk::in_world(world, Builder::shared(builder.source().clone()));
        walk.put_on_ground(0xA9B4_0031, [150.0, 1.05, 0.005]);
        hits.push(walk.step([0.0, -0.45, 0.0]).hit.unwrap());
    }
    assert_eq!(hits[0], hits[1]);
    assert!(hits[0].x < 0.0, "the post of the landblock with the lower number is hit: {}", hits[0]);
}

/// The same with one walk through the whole town.
#[test]
fn a_walk_does_not_depend_on_the_order_of_loading() {
    let mut random = Random(3);
    let ends: Vec<_> = (0..3)
        .map(|_| {
            let builder = sample_builder("holt");
            let mut pieces = builder.pieces();
            random.shuffle(&mut pieces);
            let mut world = World::new();
            for piece in pieces {
                world.adopt(builder.build(piece).unwrap().unwrap().piece);
            }
            let mut walk = Walk::in_world(world, builder);
            let mut steps = Random(11);
            let mut ends = Vec::new();
            for start in [[96.0, 96.0], [150.0, 4.0], [165.0, 1.5], [60.0, 150.0]] {
                walk.put_on_ground(0xA9B4_0001, [start[0], start[1], 40.005]);
                for _ in 0..400 {
                    let mut by = || steps.between(-0.45, 0.5) as f32;
                    let _ = walk.step([by(), by(), 0.0]);
                    let at = walk.at();
                    ends.push((walk.cell(), [at.x, at.y, at.z].map(f32::to_bits)));
                }
            }
            ends
        })
        .collect();
    assert!(ends[0] == ends[1] && ends[0] == ends[2]);
}
