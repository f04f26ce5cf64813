//! Rules of movement that no recorded scenario covers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::EnvCell;
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Plane, Position, Sphere};
use threshold_motion::{Flags, Insert, Mover, MoverShape, Refusal, Stance, Sweeper};
use threshold_testkit::{
    Trace, Walk, check_at, edit_record,
    layouts::{A, B, DEPTHS, plain, ramp, row},
};
use threshold_world::State;

const LAND: CellId = CellId(0xA9B4_0001);

/// Level ground with an object on it.
fn with_object(object: ObjectSpec, at: [f32; 3]) -> Walk {
    let mut forge = plain(&[]);
    let model = forge.object(object);
    forge.block(LAND.block()).put(model, Frame::at(at.into()));
    Walk::from_source(forge.finish().unwrap())
}

/// A ball right above the feet, touched before and after the move: its normal is vertical, and as the feet are below
/// it the slide is refused. Fails if the refusal is left out (the result is "slid" without a movement), or if the
/// normal is tested as for walls (the mover passes through).
#[test]
fn the_slide_around_an_object_above_the_feet_is_refused() {
    let mut walk = with_object(ObjectSpec::Ball { radius: 0.5 }, [12.0, 12.0, 0.88]);
    let mut spec = walk.spec(LAND.0, [12.0, 12.0, 0.005]);
    let mut setup = (*spec.setup).clone();
    setup.spheres = setup.spheres[..1].into();
    spec.setup = setup.into();
    walk.put(spec).body.stance = Stance::on(Plane { normal: Vec3::Z, d: 0.0 }, LAND);
    let mut answers = Vec::new();
    let outcome = walk.step_with(&mut answers, [0.1, 0.0, 0.0]);
    assert_eq!(answers, [(LAND, Insert::Collided)]);
    assert_eq!(outcome.hit, Some(Vec3::NEG_Z));
    check_at(&walk, LAND.0, [12.0, 12.0, 0.005]);
}

/// Worked example 1 of the sweep, for a radius of 0.48 m. Fails with another cap, or with a cap for cameras.
#[test]
fn a_move_of_more_than_thirty_sub_steps_is_refused() {
    let sub_steps = |walk: &mut Walk, by: f32| {
        walk.put_on_ground(LAND.0, [2.0, 12.0, 0.005]);
        let outcome = walk.step([by, 0.0, 0.0]);
        (outcome.refused, outcome.sub_steps, walk.at().x)
    };
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap());
    for (by, count) in [(0.3, 1), (0.4799, 1), (1.0, 3), (10.0, 21), (14.3, 30)] {
        let (refused, taken, x) = sub_steps(&mut walk, by);
        assert_eq!((refused, taken), (None, count), "{by}");
        assert!((x - 2.0 - by).abs() < 1e-3, "{x}");
    }
    assert_eq!(sub_steps(&mut walk, 14.5), (Some(Refusal::TooFar), 0, 2.0));
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap()).with_rule("step_cap=none");
    assert_eq!(sub_steps(&mut walk, 14.5).1, 31);
    let camera = camera();
    for (by, count) in [(2.5, 9), (0.1, 1), (0.0001, 0), (20.0, 67)] {
        let from = Position::new(LAND, Vec3::new(2.0, 12.0, 5.0));
        let to = Position::new(LAND, Vec3::new(2.0 + by, 12.0, 5.0));
        let sweeper = Sweeper::new(&walk.world);
        let outcome = sweeper.sweep(&mut walk.scratch, &mut (), &camera, &from, &to);
        assert_eq!((outcome.refused, outcome.sub_steps), (None, count), "{by}");
    }
}

fn camera() -> Mover {
    let flags = Flags::VIEWER | Flags::PATH_CLIPPED | Flags::FREE_ROTATE | Flags::PERFECT_CLIP;
    Mover { flags, ..Mover::new(MoverShape::new(&[Sphere::new(Vec3::ZERO, 0.3)], 0.0, 0.0)) }
}

/// D7. Fails if the last contact plane gets its cell back, or if the current one has none.
#[test]
fn a_rising_mover_keeps_the_cell_of_its_last_contact_plane() {
    // A beam at the height of the head.
    let beam = (0, [2.6, 0.0, 1.4], [2.8, 4.0, 2.0]);
    let mut walk = Walk::from_source(row(&[4.0, 4.0], &[beam]));
    walk.put_on_ground(A.0, [2.1, 2.0, 0.005]).body.velocity = Vec3::Z * 2.0;
    let outcome = walk.step([0.1, 0.0, 0.0]);
    assert_eq!((outcome.hit, outcome.velocity_stopped), (Some(Vec3::NEG_X), true));
    assert!(outcome.stance.contact, "blocked, it gets its last contact plane back");
    assert_eq!(outcome.stance.plane_cell, CellId(0), "without the cell of the plane");
    walk.put_on_ground(A.0, [1.1, 2.0, 0.005]).body.velocity = Vec3::Z * 2.0;
    let outcome = walk.step([0.1, 0.0, 0.0]);
    assert_eq!((outcome.stance.contact, outcome.stance.plane_cell), (false, A));
}

/// A slope of 1 in 12 over the border, and a post.
fn slope_over_a_border(rule: &str) -> Walk {
    slope_with_post(rule, 55.0)
}

fn slope_with_post(rule: &str, low: f32) -> Walk {
    let mut forge = plain(&[]);
    let post = forge.object(ObjectSpec::Cylinder { radius: 0.4, height: 3.0 });
    let south = forge.block(BlockId(0xA9B3));
    south.heights(|_, y| 20 + y).put(post, Frame::at(Vec3::new(151.2, 191.9, low)));
    forge.block(BlockId(0xA9B4)).heights(|_, y| 28 + y);
    Walk::from_source(forge.finish().unwrap()).with_rule(rule)
}

/// D17. Right on the border a mover of one landblock stands on the ground of the other. Fails if the offset between
/// the landblocks is applied by default, or is not applied by `mended`.
#[test]
fn a_block_at_a_seam_loses_the_ground_unless_that_is_mended() {
    for (rule, kept) in [("seam=literal", false), ("seam=mended", true)] {
        let mut walk = slope_over_a_border(rule);
        walk.put_on_ground(0xA9B3_0038, [150.0, 192.0, 56.005]).steps(3, [0.1, 0.0, 0.0]);
        assert_eq!(walk.cell(), CellId(0xA9B3_0038));
        assert_eq!(walk.body.stance.plane_cell, CellId(0xA9B4_0031));
        assert!(walk.body.stance.on_walkable);
        let outcome = walk.step([0.1, 0.0, 0.0]);
        assert!(outcome.hit.is_some_and(|hit| hit.x < -0.9), "{:?}", outcome.hit);
        assert_eq!((outcome.stance.contact, outcome.velocity_stopped), (kept, true), "{rule}");
        // The contact plane is lost for one sub-step only.
        let outcome = walk.step([0.1, 0.0, 0.0]);
        assert!(outcome.stance.contact, "{rule}");
    }
}

/// D7 and D17 together: the contact plane of a rising mover has no cell, and is in the landblock of the mover.
#[test]
fn a_block_while_rising_keeps_the_ground_whether_seams_are_mended_or_not() {
    for rule in ["seam=literal", "seam=mended"] {
        // The post is at the height of the head.
        let mut walk = slope_with_post(rule, 57.1);
        let height = 40.0 + 191.9 / 12.0 + 0.007;
        walk.put_on_ground(0xA9B3_0038, [150.0, 191.9, height]).steps(3, [0.1, 0.0, 0.0]);
        assert_eq!(walk.body.stance.plane_cell, CellId(0xA9B3_0038));
        walk.body.velocity = Vec3::Z * 2.0;
        let outcome = walk.step([0.1, 0.0, 0.0]);
        assert!(outcome.velocity_stopped, "{rule}: {:?}", outcome.hit);
        let ground = (outcome.stance.contact, outcome.stance.plane_cell);
        assert_eq!(ground, (true, CellId(0)), "{rule}");
    }
}

/// D17, for cameras: a movement down across the border is taken to be a landblock long.
#[test]
fn a_camera_that_meets_the_ground_across_a_seam_is_thrown_unless_that_is_mended() {
    let ends = |rule| {
        let mut walk =
            Walk::from_source(plain(&[0xA9B3, 0xA9B4]).finish().unwrap()).with_rule(rule);
        let from = Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, 0.1, 0.5));
        let to = Position::new(from.cell, Vec3::new(150.0, -0.1, 0.1));
        let sweeper = Sweeper { world: &walk.world, rules: walk.rules };
        let outcome = sweeper.sweep(&mut walk.scratch, &mut (), &camera(), &from, &to);
        from.offset_to(&outcome.position)
    };
    let mended = ends("viewer_seam=mended");
    assert!(mended.distance(Vec3::new(0.0, -0.1, -0.2)) < 1e-3, "touches the ground: {mended}");
    assert!(ends("viewer_seam=literal").length() > 10.0);
}

/// A pillar in room A reaches 0.3 m into B. If A does not see B, the pillar is not in the list of B, and a mover that
/// comes from there walks into it. Fails without the pruning, or if rooms that A sees are pruned.
#[test]
fn a_static_object_is_not_listed_in_a_room_that_its_own_room_does_not_see() {
    let stops_at = |visible: Vec<u16>| {
        let mut records = with_pillar(3.8, 0.5);
        edit_record(&mut records, A, |room: &mut EnvCell| room.visible = visible);
        let mut walk = Walk::from_source(records);
        walk.put_on_ground(B.0, [6.0, 2.0, 0.005]).steps(30, [-0.05, 0.0, 0.0]);
        walk.at().x
    };
    let (seen, unseen) = (stops_at(vec![B.low()]), stops_at(vec![]));
    assert!((4.78..4.84).contains(&seen), "{seen}");
    assert!((4.48..4.55).contains(&unseen), "until A is touched: {unseen}");
}

/// Fails with a tolerance other than a centimetre, or without one.
#[test]
fn a_static_object_is_listed_in_a_room_a_centimetre_away() {
    let listed = |edge: f32| {
        let walk = Walk::from_source(with_pillar(edge - 0.5, 0.5));
        let object = walk.world.objects().next().unwrap();
        object.cells().iter().map(|registered| registered.cell).collect::<Vec<_>>()
    };
    assert_eq!(listed(3.989), [A]);
    assert_eq!(listed(3.991), [A, B]);
}

fn with_pillar(x: f32, radius: f32) -> threshold_dat::RecordSet {
    let mut forge = Forge::new();
    let pillar = forge.object(ObjectSpec::Cylinder { radius, height: 2.5 });
    let mut plan = Plan::new();
    let rooms = [0.0, 4.0].map(|x| plan.room(RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0])));
    plan.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    plan.put(rooms[0], pillar, Frame::at(Vec3::new(x, 2.0, 0.0)));
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, plan);
    forge.finish().unwrap().into_records()
}

/// C7. Fails if a sphere is compared with a room of the next landblock without the offset between landblocks.
#[test]
fn a_body_walks_in_through_a_door_from_the_other_landblock() {
    // The doors are 0.3 m, 0.2 m and 0.2 m behind a border.
    let doors = [
        (0xA9B4_0031, [156.0, 1.0], [0.0, -0.1], 0xA9B3_0100),
        (0xAAB3_0005, [1.0, 108.0], [-0.1, 0.0], 0xA9B3_0103),
        (0xA9B3_0018, [60.0, 191.0], [0.0, 0.1], 0xA9B4_0100),
    ];
    for (from, [x, y], [dx, dy], room) in doors {
        let enter = |rule: &str| {
            let mut walk = Walk::from_source(samples::border_houses().unwrap()).with_rule(rule);
            walk.put_on_ground(from, [x, y, 40.005]).steps(25, [dx, dy, 0.0]);
            walk.cell()
        };
        assert_eq!(enter("room_offset=applied"), CellId(room));
        assert_eq!(enter("room_offset=missing"), CellId(from), "the shell is in the way");
    }
}

/// The same at the hut of holt, whose door is 0.8 m behind the border: one sub-step crosses the border and
/// reaches into the room.
#[test]
fn a_room_of_the_next_landblock_is_touched_in_the_sub_step_that_crosses_the_border() {
    let (land, room) = (CellId(0xA9B3_003D), CellId(0xA9B3_0104));
    for (rule, touched) in [("room_offset=applied", true), ("room_offset=missing", false)] {
        let mut walk = Walk::sample("holt").with_rule(rule);
        walk.put_on_ground(0xAAB3_0005, [0.01, 108.0, 40.005]);
        let mut trace = Trace::default();
        let _ = walk.step_with(&mut trace, [-0.475, 0.0, 0.0]);
        assert_eq!(walk.cell(), land);
        let (listed, picked) = &trace.cell_arrays()[0];
        assert_eq!((listed.contains(&room), *picked), (touched, Some(land)), "{listed:?}");
    }
}

/// Only a mover that already stands on walkable ground needs ground under its middle; a falling mover lands on an
/// edge. Fails if every mover needs it.
#[test]
fn a_mover_that_falls_on_an_edge_lands_on_it() {
    let mut walk = with_object(ObjectSpec::cuboid([4.0, 4.0, 2.0]), [12.0, 12.0, 0.0]);
    walk.put_in_air(LAND.0, [14.3, 12.0, 2.05]);
    let outcome = walk.step([0.0, 0.0, -0.2]);
    assert!(outcome.stance.contact && outcome.stance.on_walkable);
    check_at(&walk, LAND.0, [14.3, 12.0, 2.005]);
    // A walking mover does not get that far.
    walk.put_on_ground(LAND.0, [14.1, 12.0, 2.005]).steps(2, [0.2, 0.0, 0.0]);
    check_at(&walk, LAND.0, [14.1, 12.0, 2.005]);
}

/// Movers land on surfaces too steep to walk on, up to 85 degrees. Fails if movers land on walkable ground only, or on
/// any surface.
#[test]
fn movers_land_on_surfaces_less_steep_than_85_degrees() {
    for (rise, lands) in [(1.0, true), (5.2, true), (30.0, true), (45.0, false)] {
        let slope = rise / 3.0;
        let mut walk = with_object(ramp([-2.0, 2.0], 0.0, [0.1, 0.1 + rise]), [12.0, 12.0, 0.0]);
        // The foot sphere is 5 cm above the slope, a metre up.
        let over = 0.1 + slope + 0.48 * (1.0 + slope * slope).sqrt() - 0.475;
        walk.put_in_air(LAND.0, [12.0, 13.0, over + 0.05]);
        let outcome = walk.step([0.0, 0.0, -0.1]);
        assert_eq!(outcome.stance.contact, lands, "{rise}");
        assert_eq!(outcome.stance.on_walkable, rise < 2.0, "{rise}");
    }
}

/// Fails if the cell or the plane is cleared where the ground ends.
#[test]
fn a_cleared_contact_plane_keeps_its_cell() {
    let mut walk = with_object(ObjectSpec::cuboid([4.0, 4.0, 2.0]), [12.0, 12.0, 0.0]);
    let mut spec = walk.spec(LAND.0, [14.2, 12.0, 2.005]);
    spec.state = spec.state.with(State::EDGE_SLIDE, false);
    let ground = Plane { normal: Vec3::Z, d: -2.0 };
    walk.put(spec).body.stance = Stance::on(ground, LAND);
    let outcome = walk.step([0.3, 0.0, 0.0]);
    let Stance { contact, on_walkable, plane, plane_cell, .. } = outcome.stance;
    assert!(!contact && !on_walkable, "over the edge");
    assert_eq!((plane, plane_cell), (ground, LAND));
}

/// By step and by fall, onto both kinds of top. Fails if the tops are not marked as water.
#[test]
fn the_tops_of_posts_and_balls_count_as_water() {
    let post = (ObjectSpec::Cylinder { radius: 0.6, height: 0.5 }, 0.0, 0.7, 11.1);
    let ball = (ObjectSpec::Ball { radius: 0.6 }, -0.8, 0.6, 11.3);
    for (object, z, fall, step) in [post, ball] {
        let mut walk = with_object(object, [12.0, 12.0, z]);
        walk.put_on_ground(LAND.0, [step - 0.2, 12.0, 0.005]);
        assert!(!walk.step([0.0, 0.01, 0.0]).stance.water, "level ground is none");
        let outcome = walk.step([0.2, -0.01, 0.0]);
        assert!(walk.at().z > 0.1 && outcome.stance.contact, "stepped up to {}", walk.at());
        assert!(outcome.stance.water && outcome.stance.plane_cell == LAND);
        walk.put_in_air(LAND.0, [12.1, 12.0, fall]);
        let outcome = walk.step([0.0, 0.0, -0.2]);
        assert!(walk.at().z > 0.3 && outcome.stance.on_walkable, "fell to {}", walk.at());
        assert!(outcome.stance.water && outcome.stance.plane_cell == LAND);
    }
}

/// Fails if a mover is pushed out of every plane that it has sunk into.
#[test]
fn a_top_that_counts_as_water_never_pushes_up() {
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap());
    for (water, z) in [(true, 0.005), (false, 0.105)] {
        // A missile does not look for other ground below.
        let mut spec = walk.spec(LAND.0, [12.0, 12.0, 0.005]);
        spec.state = spec.state.with(State::MISSILE, true);
        let higher = Stance::on(Plane { normal: Vec3::Z, d: -0.1 }, LAND);
        walk.put(spec).body.stance = Stance { water, ..higher };
        let _ = walk.step([0.3, 0.0, 0.0]);
        check_at(&walk, LAND.0, [12.3, 12.0, z]);
    }
}
