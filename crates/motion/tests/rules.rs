//! A scene for every rule in which its values differ.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::EnvCell;
use threshold_forge::{Forge, ObjectSpec, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Plane, Position};
use threshold_motion::{Mover, Outcome, RULES, Stance, SweepScratch, Sweeper};
use threshold_testkit::{
    Walk, edit_record,
    layouts::{A, plain, row},
    load_all, outcome_cells,
};
use threshold_world::{Builder, ObjectId, State};

/// Cells on either side of the border of two landblocks.
const NORTH: u32 = 0xA9B4_0031;
const SOUTH: u32 = 0xA9B3_0038;

/// Plays the scene of a rule and describes its result.
fn play(name: &str, value: &str) -> String {
    let rule = &format!("{name}={value}");
    match name {
        "unloaded" => unloaded(rule),
        "interior_exit" => interior_exit(rule),
        "steep_ground" => steep_ground(rule),
        "step_cap" => step_cap(rule),
        "sliding_normal" => sliding_normal(rule),
        "opposed_slide" => opposed_slide(rule),
        "missile_head" => missile_head(rule),
        "seam" => seam(rule),
        "viewer_seam" => viewer_seam(rule),
        "viewer_ground" => viewer_ground(rule),
        "room_offset" => room_offset(rule),
        "object_order" => object_order(rule),
        "prune" => prune(rule),
        _ => panic!("there is no scene for rule {name}"),
    }
}

#[test]
fn the_values_of_every_rule_differ_in_some_scene() {
    for rule in RULES {
        let results: Vec<String> = rule.choices.iter().map(|c| play(rule.name, c.value)).collect();
        for (index, result) in results.iter().enumerate() {
            assert!(!results[..index].contains(result), "{}: {results:#?}", rule.name);
        }
    }
}

#[track_caller]
fn check(name: &str, value: &str, want: &str) {
    assert_eq!(play(name, value), want, "{name}={value}");
}

/// Describes where a sweep ended, and against what.
fn describe(outcome: &Outcome) -> String {
    let at = outcome.position.frame.origin;
    let place = match (outcome.refused, outcome.cell) {
        (Some(refusal), _) => return format!("refused: {refusal:?}"),
        (None, Some(cell)) => cell.to_string(),
        (None, None) => format!("lost in {}", outcome.position.cell),
    };
    let hit = outcome.hit.map_or(String::new(), |normal| format!(" against {}", text(normal)));
    let held = if outcome.held_at_edge { " held at the edge" } else { "" };
    format!("{place} {}{hit}{held}", text(at))
}

fn text(v: Vec3) -> String {
    // Adding zero takes the sign from a zero.
    format!("({:.2} {:.2} {:.2})", v.x + 0.0, v.y + 0.0, v.z + 0.0)
}

fn unloaded(rule: &str) -> String {
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap()).with_rule(rule);
    walk.put_on_ground(NORTH, [150.0, 0.5, 0.005]);
    describe(&walk.step([0.0, -1.0, 0.0]))
}

#[test]
fn a_mover_that_leaves_the_resident_cells_is_lost_or_held() {
    check("unloaded", "lost", "lost in 0xA9B30038 (150.00 191.50 0.00)");
    let held = "0xA9B40031 (150.00 0.17 0.00) against (0.00 0.00 1.00) held at the edge";
    check("unloaded", "blocked", held);
}

/// A room whose east side is open and leads nowhere, a step above the land: its portal was removed from its record.
fn interior_exit(rule: &str) -> String {
    let mut records = row(&[4.0, 4.0], &[]);
    edit_record::<EnvCell>(&mut records, A, |room| {
        room.portals = Vec::new();
        room.position.origin.z += 0.5;
    });
    let mut walk = Walk::from_source(records).with_rule(rule);
    walk.put_on_ground(A.0, [3.8, 2.0, 0.505]);
    describe(&walk.step([0.4, 0.0, 0.0]))
}

#[test]
fn a_mover_that_leaves_its_room_for_no_cell_is_lost_or_held_or_moved_to_the_land() {
    check("interior_exit", "stays", "lost in 0x01020100 (4.20 2.00 0.50)");
    check("interior_exit", "outdoors", "lost in 0x01020001 (4.20 2.00 0.50)");
    let held = "0x01020100 (3.80 2.00 0.50) against (0.00 0.00 1.00) held at the edge";
    check("interior_exit", "blocked", held);
    check("interior_exit", "reseat", "0x01020001 (4.20 2.00 0.00)");
}

/// A mover that was stopped head-on by an obstacle that has gone since.
fn sliding_normal(rule: &str) -> String {
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap()).with_rule(rule);
    walk.put_on_ground(NORTH, [150.0, 5.0, 0.005]);
    walk.body.stance.sliding = true;
    walk.body.stance.sliding_normal = -Vec3::X;
    describe(&walk.step([0.3, 0.0, 0.0]))
}

#[test]
fn a_head_on_move_is_refused_for_a_kept_normal_or_swept_without_it() {
    check("sliding_normal", "kept", "refused: NothingLeft");
    check("sliding_normal", "checked", "0xA9B40031 (150.30 5.00 0.00)");
}

/// A missile of the size of a creature that flies under a beam.
fn missile_head(rule: &str) -> String {
    let mut forge = plain(&[0xA9B4]);
    let beam = forge.object(ObjectSpec::cuboid([1.0, 4.0, 1.0]));
    let mut walk = Walk::from_source(forge.finish().unwrap()).with_rule(rule);
    walk.add_creature(1, beam.0, (0xA9B4_0001, [13.5, 12.0, 3.2]));
    walk.put_in_air(0xA9B4_0001, [12.0, 12.0, 2.0]);
    let flying = walk.world.body(walk.body.id).unwrap().state().with(State::MISSILE, true);
    walk.world.set_state(walk.body.id, flying).unwrap();
    describe(&walk.step([2.0, 0.0, 0.0]))
}

#[test]
fn the_head_of_a_missile_passes_what_its_feet_pass_or_ends_the_flight() {
    check("missile_head", "passes", "0xA9B40001 (14.00 12.00 2.00)");
    check("missile_head", "stops", "0xA9B40001 (12.40 12.00 2.00) against (-1.00 0.00 0.00)");
}

fn steep_ground(rule: &str) -> String {
    let mut forge = Forge::new();
    // Sixty metres a cell from the second column on.
    forge.block(BlockId(0xA9B4)).heights(|x, _| 30 * (x - 1).max(0));
    let mut walk = Walk::from_source(forge.finish().unwrap()).with_rule(rule);
    walk.put_on_ground(0xA9B4_0001, [23.7, 10.0, 0.005]);
    let _ = walk.step([0.3, 0.3, 0.0]);
    let second = describe(&walk.step([0.3, 0.3, 0.0]));
    format!("{second}, then {}", describe(&walk.step([0.3, 0.3, 0.0])))
}

#[test]
fn a_mover_slides_along_a_steep_slope_or_is_stopped_by_it() {
    let slides = "0xA9B40001 (24.00 10.30 0.00) against (-1.00 0.00 0.00), \
                  then 0xA9B40001 (24.00 10.60 0.00)";
    check("steep_ground", "passes", slides);
    let stops = "0xA9B40001 (24.00 10.30 0.00) against (0.00 0.00 1.00), \
                 then 0xA9B40001 (24.00 10.30 0.00) against (0.00 0.00 1.00)";
    check("steep_ground", "stops", stops);
}

fn step_cap(rule: &str) -> String {
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap()).with_rule(rule);
    walk.put_on_ground(0xA9B4_0031, [150.0, 1.0, 0.005]);
    describe(&walk.step([0.0, 15.0, 0.0]))
}

#[test]
fn a_move_of_more_than_thirty_sub_steps_is_refused_or_made() {
    check("step_cap", "30", "refused: TooFar");
    check("step_cap", "none", "0xA9B40031 (150.00 16.00 0.00)");
}

/// A ball right on the head of the mover.
fn opposed_slide(rule: &str) -> String {
    let mut forge = plain(&[0xA9B4]);
    let ball = forge.object(ObjectSpec::Ball { radius: 0.3 });
    let mut walk = Walk::from_source(forge.finish().unwrap()).with_rule(rule);
    walk.add_creature(1, ball.0, (0xA9B4_0001, [12.0, 12.0, 1.75]));
    walk.put_on_ground(0xA9B4_0001, [12.0, 12.0, 0.005]);
    describe(&walk.step([0.2, 0.0, 0.0]))
}

#[test]
fn a_mover_under_a_low_ceiling_walks_on_or_is_stopped() {
    let passes = "0xA9B40001 (12.20 12.00 0.00) against (-1.00 0.00 0.00)";
    check("opposed_slide", "passes", passes);
    let stops = "0xA9B40001 (12.00 12.00 0.00) against (-1.00 0.00 0.00)";
    check("opposed_slide", "stops", stops);
}

/// Ground that rises to the north across a border. The mover came from the north, still has the contact plane of
/// that side, and runs into a post.
fn seam(rule: &str) -> String {
    let mut forge = Forge::new();
    forge.block(BlockId(0xA9B3)).heights(|_, y| y);
    forge.block(BlockId(0xA9B4)).heights(|_, y| 8 + y);
    let post = forge.object(ObjectSpec::Cylinder { radius: 0.3, height: 3.0 });
    let mut walk = Walk::from_source(forge.finish().unwrap()).with_rule(rule);
    walk.add_creature(1, post.0, (SOUTH, [150.0, 190.9, 15.5]));
    let height = 191.9 * 2.0 / 24.0;
    walk.put_in_air(SOUTH, [150.0, 191.9, height + 0.005]);
    let slope = Vec3::new(0.0, -2.0, 24.0).normalize();
    let ground = Plane::through(slope, Vec3::new(150.0, -0.1, height));
    walk.body.stance = Stance::on(ground, CellId(NORTH));
    let outcome = walk.step([0.0, -0.3, 0.0]);
    format!("{}, contact {}", describe(&outcome), outcome.stance.contact)
}

#[test]
fn a_mover_blocked_at_a_border_loses_or_keeps_its_contact_plane() {
    let blocked = "0xA9B30038 (150.00 191.90 16.00) against (0.00 1.00 0.00), contact";
    check("seam", "literal", &format!("{blocked} false"));
    check("seam", "mended", &format!("{blocked} true"));
}

/// Sweeps a camera over level ground.
fn sweep_camera(rule: &str, from: [f32; 3], to: [f32; 3]) -> String {
    let world = load_all(&Builder::new(plain(&[0xA9B3, 0xA9B4]).finish().unwrap()));
    let mut sweeper = Sweeper::new(&world);
    sweeper.rules.set_text(rule).unwrap();
    let camera = Mover::viewer(0.3);
    let [from, to] = [from, to].map(|at| Position::new(CellId(NORTH), at.into()));
    describe(&sweeper.sweep(&mut SweepScratch::new(), &mut (), &camera, &from, &to))
}

/// A camera that meets the ground across a border. By `literal`, as in retail, it is thrown back as if its path were 192 m long.
fn viewer_seam(rule: &str) -> String {
    sweep_camera(rule, [150.0, 0.1, 0.4], [150.0, -0.1, 0.25])
}

#[test]
fn a_camera_that_meets_the_ground_across_a_border_stays_near_or_is_thrown_far() {
    check("viewer_seam", "mended", "0xA9B30038 (150.00 191.97 0.30) against (0.00 0.00 1.00)");
    check("viewer_seam", "literal", "0xA9B30036 (150.00 127.97 0.30) against (0.00 0.00 1.00)");
}

fn viewer_ground(rule: &str) -> String {
    sweep_camera(rule, [150.0, 2.0, 3.0], [150.0, 2.2, 2.9])
}

#[test]
fn a_camera_in_the_air_is_free_or_reported_to_hit_the_ground() {
    check("viewer_ground", "free", "0xA9B40031 (150.00 2.20 2.90)");
    // It is moved to where its path meets the plane, too far for an attempt to succeed.
    let hit = "0xA9B40031 (150.00 2.00 3.00) against (0.00 0.00 1.00)";
    check("viewer_ground", "indoors", hit);
}

/// A house that opens to the north, right before a border, entered from across it.
fn room_offset(rule: &str) -> String {
    let mut walk = Walk::from_source(samples::border_houses().unwrap()).with_rule(rule);
    walk.put_on_ground(NORTH, [156.0, 1.5, 40.005]);
    walk.steps(8, [0.0, -0.3, 0.0]);
    format!("{} {}", walk.cell(), text(walk.at()))
}

#[test]
fn a_door_on_a_border_is_entered_from_across_it_or_is_shut() {
    check("room_offset", "applied", "0xA9B30100 (156.00 191.10 40.16)");
    check("room_offset", "missing", "0xA9B40031 (156.00 0.30 40.01)");
}

/// Two posts side by side.
fn object_order(rule: &str) -> String {
    let mut forge = plain(&[0xA9B4]);
    let post = forge.object(ObjectSpec::Cylinder { radius: 0.3, height: 2.0 });
    let mut walk = Walk::from_source(forge.finish().unwrap()).with_rule(rule);
    let left = walk.add_creature(1, post.0, (0xA9B4_0001, [12.8, 12.3, 0.0]));
    let right = walk.add_creature(2, post.0, (0xA9B4_0001, [12.8, 11.7, 0.0]));
    walk.put_on_ground(0xA9B4_0001, [12.0, 12.0, 0.005]);
    let outcome = walk.step([0.3, 0.0, 0.0]);
    let name = |object: ObjectId| match object.as_body() {
        Some(body) if body == left => "left",
        Some(body) if body == right => "right",
        _ => panic!("{object}"),
    };
    let touched: Vec<&str> = outcome.objects.iter().map(|touched| name(touched.object)).collect();
    format!("{}, by {}", describe(&outcome), touched.join(" and "))
}

#[test]
fn the_objects_of_a_cell_are_tested_first_to_last_or_last_to_first() {
    let forward = "0xA9B40001 (12.04 11.90 0.00) against (-0.94 -0.35 0.00), by left";
    check("object_order", "forward", forward);
    let backward = "0xA9B40001 (12.04 12.10 0.00) against (-0.94 0.35 0.00), by right";
    check("object_order", "backward", backward);
}

/// Two rooms that are open to each other; the stab list of the first one is empty.
fn prune(rule: &str) -> String {
    let mut records = row(&[4.0, 4.0], &[]);
    edit_record::<EnvCell>(&mut records, A, |room| room.visible.clear());
    let mut walk = Walk::from_source(records).with_rule(rule);
    walk.put_on_ground(A.0, [3.4, 2.0, 0.005]);
    let outcome = walk.step([0.3, 0.0, 0.0]);
    let cells: Vec<String> = outcome_cells(&outcome).iter().map(CellId::to_string).collect();
    format!("{} touches {}", describe(&outcome), cells.join(" "))
}

#[test]
fn a_room_that_is_not_seen_is_touched_or_pruned() {
    let all = "0x01020100 (3.70 2.00 0.00) touches 0x01020100 0x01020101";
    check("prune", "off", all);
    check("prune", "on", "0x01020100 (3.70 2.00 0.00) touches 0x01020100");
}
