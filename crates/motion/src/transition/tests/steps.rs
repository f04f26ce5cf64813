//! Division of a move into sub-steps, and the offset of a sub-step.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane};

use super::fixture::{
    AIRBORNE, Fixture, STANDING, TOLERANCE, TestSetup, VOID, check_near, level, place, void,
};
use crate::flags::Flags;
use crate::outcome::Refusal;

const CAMERA: TestSetup = TestSetup {
    spheres: &[threshold_land::Sphere::new(Vec3::ZERO, 0.3)],
    flags: Flags::VIEWER,
    ..AIRBORNE
};

/// `want`: the number of sub-steps, their length, and the length of the last.
#[track_caller]
fn check_division(test: TestSetup, distance: f32, want: Result<(u32, f32, f32), Refusal>) {
    let mut stage = Fixture::new(void(), test);
    let (from, to) = (place(VOID, [0.0; 3]), place(VOID, [0.0, distance, 0.0]));
    let t = stage.begin(from, to);
    let got = t.plan_sub_steps().map(|plan| {
        let last = plan.count.checked_sub(1).map_or(0.0, |last| t.sub_step(&plan, last).length());
        (plan.count, plan.step.length(), last)
    });
    let same = match (got, want) {
        (Ok(got), Ok(want)) => {
            let near = |a: f32, b: f32| (a - b).abs() <= TOLERANCE;
            got.0 == want.0 && near(got.1, want.1) && near(got.2, want.2)
        }
        (got, want) => got == want,
    };
    assert!(same, "{distance} m: {got:?} instead of {want:?}");
}

#[test]
fn a_move_is_divided_into_sub_steps_no_longer_than_the_radius() {
    for (distance, count, each) in [
        (0.0, 0, 0.0),
        (0.3, 1, 0.3),
        (0.48, 1, 0.48),
        (1.0, 3, 0.333_333),
        (10.0, 21, 0.476_19),
        (14.3, 30, 0.476_667),
    ] {
        check_division(AIRBORNE, distance, Ok((count, each, each)));
    }
    check_division(AIRBORNE, 14.5, Err(Refusal::TooFar));
    check_division(AIRBORNE, f32::INFINITY, Err(Refusal::NotFinite));
}

#[test]
fn a_camera_moves_in_steps_of_its_radius_and_a_shorter_last_one() {
    check_division(CAMERA, 2.5, Ok((9, 0.3, 0.1)));
    check_division(CAMERA, 0.1, Ok((1, 0.3, 0.1)));
    // A whole number of steps leaves a last one of length 0.
    check_division(CAMERA, 0.6, Ok((3, 0.3, 0.0)));
    check_division(CAMERA, 0.0002, Ok((0, 0.0, 0.0)));
    check_division(CAMERA, 0.0003, Ok((1, 0.3, 0.0003)));
    // More than thirty, the limit that cameras do not have.
    check_division(CAMERA, 14.5, Ok((49, 0.3, 0.1)));
}

/// Contact plane and sliding normal at the start of a sub-step.
#[derive(Clone, Copy, Debug)]
struct Ground {
    plane: Option<Plane>,
    sliding: Option<[f32; 3]>,
}

const SLOPE: Plane = Plane { normal: Vec3::new(-0.5, 0.0, 0.866_025_4), d: 0.0 };

/// `slides`: whether the sliding normal is still valid afterwards.
#[track_caller]
fn check_offset(ground: Ground, offset: [f32; 3], want: [f32; 3], slides: bool) {
    let test = TestSetup { ground: ground.plane, ..AIRBORNE };
    let (mut stage, at) = (Fixture::new(void(), test), place(VOID, [0.0; 3]));
    let mut t = stage.begin(at, at);
    if let Some(normal) = ground.sliding {
        t.contact.sliding.set(normal.into());
    }
    let got = t.adjust_offset(offset.into());
    check_near(got, want, &format!("{offset:?} on {ground:?}"));
    assert_eq!(t.contact.sliding.valid, slides, "{offset:?} on {ground:?}");
    assert_eq!(t.path.check.position, at, "a plane without a cell does not push");
}

#[test]
fn adjusted_offsets_match_worked_examples() {
    let on = |plane| Ground { plane: Some(plane), sliding: None };
    let air = |sliding| Ground { plane: None, sliding: Some(sliding) };
    let both = |sliding| Ground { plane: Some(SLOPE), sliding: Some(sliding) };
    check_offset(on(level(0.0)), [0.3, 0.1, -0.2], [0.3, 0.1, 0.0], false); // a
    check_offset(on(SLOPE), [0.3, 0.1, 0.0], [0.225, 0.1, 0.129_904], false); // b
    check_offset(on(SLOPE), [-0.3, 0.1, 0.0], [-0.3, 0.1, -0.173_205], false); // c, longer than it was
    check_offset(air([-1.0, 0.0, 0.0]), [0.3, 0.1, 0.0], [0.0, 0.1, 0.0], true); // d
    check_offset(both([0.0, -1.0, 0.0]), [0.3, 0.1, 0.0], [0.225, 0.0, 0.129_904], true); // e
    check_offset(air([0.0; 3]), [0.3, 0.1, 0.0], [0.3, 0.1, 0.0], false); // f
    // Away from the wall: the sliding normal is dropped.
    check_offset(air([-1.0, 0.0, 0.0]), [-0.3, 0.1, 0.0], [-0.3, 0.1, 0.0], false);
    // The zero plane of an unknown stance leaves the move unchanged.
    let nothing = Plane { normal: Vec3::ZERO, d: 0.0 };
    check_offset(on(nothing), [0.3, 0.1, -0.2], [0.3, 0.1, -0.2], false);
}

/// A mover whose feet are at `z`, on level ground at 0 with this cell and water flag.
#[track_caller]
fn check_push(z: f32, cell: CellId, water: bool, want: f32) {
    let (mut stage, at) = (Fixture::new(void(), STANDING), place(VOID, [0.0, 0.0, z]));
    let mut t = stage.begin(at, at);
    (t.contact.plane.cell, t.contact.plane.water) = (cell, water);
    let _ = t.adjust_offset(Vec3::X);
    let input = format!("feet at {z}, ground of {cell}, water {water}");
    check_near(t.path.check.position.frame.origin, [0.0, 0.0, want], &input);
    check_near(t.path.spheres[1].centre, [0.0, 0.0, want + 1.35], &input);
}

#[test]
fn a_mover_that_has_sunk_into_its_contact_plane_is_pushed_up() {
    check_push(-0.1, VOID, false, 0.0);
    check_push(-0.0001, VOID, false, -0.0001); // less than the tolerance
    check_push(0.1, VOID, false, 0.1);
    check_push(-0.5, VOID, false, -0.5); // more than its radius
    check_push(-0.1, VOID, true, -0.1); // the top of a sphere does not push
    check_push(-0.1, CellId(0), false, -0.1);
}
