//! What the small changes leave as it was.

use threshold_geom::LANDING_Z;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane, Position, Rotation};

use super::fixture::{
    AIRBORNE, FIELD, Fixture, STANDING, VOID, check_near, flat, level, place, void,
};
use crate::flags::Flags;
use crate::mover::{Mover, MoverShape, Stance};

const SOUTH: CellId = CellId(0xA9B3_0008);

#[test]
fn a_normal_is_stored_at_unit_length_and_zero_holds_as_zero() {
    for (given, hit, sliding) in [
        ([0.0, 3.0, 4.0], [0.0, 0.6, 0.8], [0.0, 1.0, 0.0]),
        ([0.3, 0.4, 0.0], [0.6, 0.8, 0.0], [0.6, 0.8, 0.0]),
        ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0; 3]),
        ([0.0, 0.0, 0.0001], [0.0; 3], [0.0; 3]),
        ([0.0; 3], [0.0; 3], [0.0; 3]),
    ] {
        let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
        let mut t = stage.begin(at, at);
        t.contact.hit.set(given.into());
        t.contact.sliding.set_horizontal(given.into());
        assert!(t.contact.hit.valid && t.contact.sliding.valid, "{given:?}");
        check_near(t.contact.hit.normal, hit, &format!("{given:?}"));
        check_near(t.contact.sliding.normal, sliding, &format!("{given:?}, level"));
    }
}

#[test]
fn ground_that_no_longer_holds_keeps_its_plane_and_its_cell() {
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    let mut t = stage.begin(at, at);
    t.contact.set_contact_plane(level(3.0), FIELD, true);
    t.contact.plane.clear();
    let floor = t.contact.plane;
    assert!(!floor.valid && !floor.water);
    assert_eq!((floor.plane, floor.cell), (level(3.0), FIELD));
}

#[test]
fn who_meets_something_in_the_air_looks_for_a_landing_from_there() {
    let mut stage = Fixture::new(void(), AIRBORNE);
    let mut t = stage.begin(place(VOID, [0.0; 3]), place(VOID, [1.0, 2.0, 3.0]));
    t.path.step.interpolation = 0.25;
    t.path.seek_landing(Vec3::Y, LANDING_Z);
    let step = t.path.step;
    assert!(step.seeking_landing);
    assert_eq!((step.up_normal, step.interpolation, step.allowance), (Vec3::Y, 1.0, LANDING_Z));
    t.path.add_offset(Vec3::X);
    t.path.restore();
    check_near(t.path.check.position.frame.origin, [1.0, 2.0, 3.0], "the backup");
    check_near(t.path.spheres[1].centre, [1.0, 2.0, 4.35], "its spheres");
}

#[test]
fn an_offset_moves_the_place_its_spheres_and_its_lowest_point() {
    let mut stage = Fixture::new(void(), AIRBORNE);
    let mut t = stage.begin(place(VOID, [0.0; 3]), place(VOID, [1.0, 2.0, 3.0]));
    t.path.add_offset(Vec3::new(0.5, 0.0, -0.5));
    check_near(t.path.check.position.frame.origin, [1.5, 2.0, 2.5], "place");
    check_near(t.path.spheres[0].centre, [1.5, 2.0, 2.98], "feet");
    check_near(t.path.spheres[1].centre, [1.5, 2.0, 3.85], "head");
    check_near(t.path.low_point, [1.5, 2.0, 2.5], "lowest point");
    check_near(t.path.curr_centres[0], [0.0, 0.0, 0.48], "where it was");
    check_near(t.path.movement(0), [1.5, 2.0, 2.5], "its way");
}

#[test]
fn a_place_that_enters_another_landblock_is_told_in_its_frame() {
    let world = flat(&[0xA9B3, 0xA9B4]);
    let mut stage = Fixture::new(&world, AIRBORNE);
    let mut t = stage.begin(place(FIELD, [10.0, 0.5, 0.0]), place(FIELD, [10.0, -0.5, 0.0]));
    t.path.enter(world.cell(SOUTH).unwrap());
    assert_eq!(t.path.check.position.cell, SOUTH);
    check_near(t.path.check.position.frame.origin, [10.0, 191.5, 0.0], "place");
    check_near(t.path.spheres[1].centre, [10.0, 191.5, 1.35], "head");
    check_near(t.path.low_point, [10.0, 191.5, 0.0], "lowest point");
    check_near(t.path.movement(0), [0.0, -1.0, 0.0], "its way");
    // Within a landblock only the id changes.
    t.path.enter(world.cell(CellId(0xA9B3_0007)).unwrap());
    check_near(t.path.check.position.frame.origin, [10.0, 191.5, 0.0], "place");
}

#[test]
fn a_turn_moves_the_spheres_only_when_the_place_is_set_anew() {
    let leaning = super::fixture::ball([0.0, 1.0, 0.5], 0.5);
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    stage.mover = Mover::new(MoverShape::new(&[leaning], 0.6, 1.5));
    let mut t = stage.begin(at, at);
    t.path.turn_check(Rotation::from_heading(90.0));
    check_near(t.path.spheres[0].centre, [0.0, 1.0, 0.5], "turned");
    t.path.set_check(t.path.check);
    check_near(t.path.spheres[0].centre, [1.0, 0.0, 0.5], "set anew");
    check_near(t.path.low_point, [1.0, 0.0, 0.0], "its lowest point");
}

/// A mover that stands on a slope and has a velocity.
#[track_caller]
fn check_start(velocity: [f32; 3], flags: Flags, cells: [u32; 2]) {
    let plane = Plane { normal: Vec3::new(0.0, -0.6, 0.8), d: 2.0 };
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    stage.mover.stance = Stance::on(plane, FIELD);
    stage.mover.velocity = velocity.into();
    let t = stage.begin(at, at);
    let stands = flags.has(Flags::CONTACT);
    assert_eq!(t.flags, flags | Flags::EDGE_SLIDE, "{velocity:?}");
    assert_eq!((t.contact.plane.valid, t.contact.last_plane.valid), (stands, true), "{velocity:?}");
    assert_eq!(t.contact.last_plane.plane, plane, "{velocity:?}");
    assert_eq!([t.contact.plane.cell.0, t.contact.last_plane.cell.0], cells, "{velocity:?}");
}

#[test]
fn who_rises_from_its_ground_only_remembers_it() {
    let standing = Flags::CONTACT | Flags::ON_WALKABLE;
    check_start([0.0; 3], standing, [FIELD.0; 2]);
    check_start([0.0, 0.8, 0.6], standing, [FIELD.0; 2]); // along the slope
    check_start([0.0, 0.0, -1.0], standing, [FIELD.0; 2]);
    // Retail oddity: the cell goes to the ground that does not hold (D7).
    check_start([0.0, 0.0, 1.0], Flags::NONE, [FIELD.0, 0]);
}

#[test]
fn the_zero_plane_of_one_that_is_merely_marked_as_standing_holds() {
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    stage.mover.stance = Stance::standing();
    let t = stage.begin(at, at);
    assert!(t.contact.plane.valid && t.flags.has(Flags::CONTACT | Flags::ON_WALKABLE));
    assert_eq!((t.contact.plane.plane.normal, t.contact.plane.cell), (Vec3::ZERO, CellId(0)));
}

#[test]
fn a_sweep_starts_where_it_was_and_only_counts_ground_that_it_was_told_of() {
    let from = Position::new(VOID, Vec3::new(1.0, 2.0, 3.0));
    let mut stage = Fixture::new(void(), STANDING);
    let t = stage.begin(from, place(VOID, [4.0, 2.0, 3.0]));
    assert_eq!((t.path.begin, t.path.curr.position), (from, from));
    check_near(t.path.curr_centres[1], [1.0, 2.0, 4.35], "head");
    assert_eq!((t.contact.stationary, t.contact.objects.len()), (0, 0));
    assert!(!t.contact.hit.valid && !t.contact.sliding.valid && !t.contact.hit_environment);
}
