use threshold_forge::{Forge, Opening, Plan, RoomSpec, Shape as Block, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Plane, Position, Sphere};
use threshold_motion::{MoverShape, Stance};
use threshold_world::{Builder, PieceId, World};

use super::*;

const WEST: CellId = CellId(0x0102_0100);

fn load_all(source: impl threshold_dat::Source + 'static) -> World {
    let builder = Builder::new(source);
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    world
}

/// A mover that stands on a level floor.
fn walker(height: f32) -> Mover {
    let spheres = [0.48, 1.35].map(|z| Sphere::new(Vec3::new(0.0, 0.0, z), 0.48));
    let footing = Plane { normal: Vec3::Z, d: -height };
    Mover { stance: Stance::on(footing, WEST), ..Mover::new(MoverShape::new(&spheres, 0.6, 1.5)) }
}

fn move_by(
    world: &World,
    mover: &Mover,
    from: [f32; 3],
    offset: [f32; 3],
) -> (Outcome, Explanation) {
    let from = Position::new(WEST, from.into());
    let mut to = from;
    to.frame.origin += Vec3::from(offset);
    sweep(&Sweeper::new(world), mover, &from, &to)
}

/// The sentences of the summary of one kind.
fn sentences(explanation: &Explanation, kind: &str) -> String {
    let nodes = explanation.summary.iter().filter(|node| node.kind == kind);
    nodes.map(|node| node.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(text: &str, wanted: &[&str]) {
    for want in wanted {
        assert!(text.contains(want), "{want:?} is not in {text:?}");
    }
}

#[test]
fn a_wall_is_named_and_the_next_move_against_it_has_nothing_left() {
    let world = load_all(samples::two_rooms().unwrap());
    let mover = walker(0.0);
    let (outcome, why) = move_by(&world, &mover, [1.0, 2.0, 0.0], [-1.0, 0.0, 0.0]);
    check(
        &sentences(&why, "stopped"),
        &["Stopped by a wall: polygon ", " of room 0x01020100, facing east", "in sub-step 2 of 3"],
    );
    let stance = outcome.stance;
    let at = outcome.position.frame.origin.to_array();
    let (outcome, why) = move_by(&world, &Mover { stance, ..mover }, at, [-1.0, 0.0, 0.0]);
    assert!(!outcome.is_ok());
    check(&sentences(&why, "result"), &["It does not move: nothing is left of the move"]);
    check(
        &sentences(&why, "stopped"),
        &["Stopped by the surface hit in an earlier move", "facing east"],
    );
}

#[test]
fn a_free_move_reports_that_nothing_was_in_the_way() {
    let world = load_all(samples::two_rooms().unwrap());
    let (_, why) = move_by(&world, &walker(0.0), [1.5, 2.0, 0.0], [0.5, 0.0, 0.0]);
    check(&sentences(&why, "unstopped"), &["Nothing was in the way."]);
    check(&sentences(&why, "result"), &["It moves all the way, to 2 2 0"]);
    check(&sentences(&why, "stands"), &["It stands on polygon", "walkable."]);
    let far = Mover { lost: true, ..walker(0.0) };
    let (_, why) = move_by(&world, &far, [1.5, 2.0, 0.0], [0.5, 0.0, 0.0]);
    check(&sentences(&why, "unstopped"), &["It was lost before"]);
}

/// A room with a block of this height in its eastern half.
fn hurdle(height: f32) -> World {
    let block = Block::cuboid([2.0, 0.0, 0.0], [4.0, 4.0, height]);
    let mut plan = Plan::new();
    let room = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 4.0]).block(block));
    let other = plan.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [0.0, 4.0, 4.0]));
    plan.join(room, other, Opening::whole(threshold_forge::Face::WEST));
    let mut forge = Forge::new();
    forge.block(WEST.block()).dungeon(Frame::IDENTITY, plan);
    load_all(forge.finish().unwrap())
}

#[test]
fn a_low_block_is_stepped_onto_and_a_high_one_is_not() {
    let (outcome, why) = move_by(&hurdle(0.4), &walker(0.0), [1.3, 2.0, 0.0], [0.4, 0.0, 0.0]);
    assert!(outcome.position.frame.origin.z > 0.3);
    check(
        &sentences(&why, "stopped"),
        &["Stepped up by 0.4 m onto polygon", "after running into a wall: polygon"],
    );
    let (outcome, why) = move_by(&hurdle(1.0), &walker(0.0), [1.3, 2.0, 0.0], [0.4, 0.0, 0.0]);
    assert!(outcome.position.frame.origin.z < 0.01);
    check(&sentences(&why, "stopped"), &["Stopped by a wall", "A step up of at most 0.6 m failed"]);
}

#[test]
fn a_step_higher_than_the_step_height_says_why() {
    let builder = Builder::new(threshold_forge::builtin(threshold_forge::SEED).unwrap());
    let block = BlockId::new(0xA8, 0xB4);
    let mut world = World::new();
    world.adopt(builder.build(PieceId::Land(block)).unwrap().unwrap().piece);
    // The boat by the lake.
    let from = Position::new(CellId(0xA8B4_002B), Vec3::new(140.278, 68.944, 35.905));
    let mut to = from;
    to.frame.origin += Vec3::new(-0.645, -0.023, 0.0);
    let footing = Plane { normal: Vec3::Z, d: -from.frame.origin.z };
    let mover = Mover { stance: Stance::on(footing, from.cell), ..walker(0.0) };
    let (outcome, why) = sweep(&Sweeper::new(&world), &mover, &from, &to);
    assert!(outcome.position.frame.origin.z - from.frame.origin.z > 0.7);
    let lines: Vec<_> = why.steps.iter().flat_map(|step| step.lines(true)).collect();
    let text: Vec<&str> = lines.iter().map(|(_, text)| text.as_ref()).collect();
    check(
        &text.join(" "),
        &["A step up of at most 0.6 m: it rises by 0.803 m", "lifted off the edge"],
    );
}

#[test]
fn events_become_a_tree_of_whole_sentences_in_order() {
    let world = load_all(samples::two_rooms().unwrap());
    let (outcome, why) = move_by(&world, &walker(0.0), [1.0, 2.0, 0.0], [-1.0, 0.3, 0.0]);
    let steps: Vec<&Node> = why.steps.iter().filter(|node| node.kind == "sub-step").collect();
    assert_eq!(u32::try_from(steps.len()).unwrap(), outcome.sub_steps);
    for (number, step) in (1_u64..).zip(&steps) {
        assert_eq!(step.fact("number"), Some(&Value::Count(number)));
        assert_eq!(step.children.last().map(|node| node.kind), Some("ended"), "{step:#?}");
        let lines = step.lines(true);
        assert!(lines.iter().all(|(_, text)| text.ends_with('.')), "{lines:#?}");
        assert!(lines.iter().any(|(depth, _)| *depth > 2), "nested lines lie deeper");
    }
    let last = steps.last().and_then(|step| step.children.last()).unwrap();
    assert_eq!(last.fact("at"), Some(&Value::Vector(outcome.position.frame.origin)));
}

#[test]
fn a_rule_that_changes_the_end_is_named() {
    let world = load_all(samples::two_rooms().unwrap());
    // More than thirty sub-steps.
    let (outcome, why) = move_by(&world, &walker(0.0), [2.0, 2.0, 0.0], [0.0, 20.0, 0.0]);
    assert!(!outcome.is_ok());
    let rules: Vec<&str> = why.rules.iter().map(|node| node.text.as_str()).collect();
    check(&rules.join(" "), &["step_cap is 30; if it were none, it would"]);
}

#[test]
fn a_cell_array_has_reasons() {
    let world = load_all(samples::two_rooms().unwrap());
    let at = Vec3::new(4.1, 2.0, 1.0);
    let sphere = Sphere::new(at, 0.48);
    let (found, listed, why) = cells(&Sweeper::new(&world), &Position::new(WEST, at), &[sphere]);
    assert_eq!(found.cell, Some(CellId(0x0102_0101)));
    assert_eq!(listed.len(), 2);
    check(&sentences(&why, "cell"), &["Passed over: 0x01020100 (outside by 0.1 m)."]);
    let candidates: Vec<&str> =
        why.summary[2].children.iter().map(|node| node.text.as_str()).collect();
    check(candidates[1], &["behind portal 0 of room 0x01020100, and the sphere reaches into it"]);
}
