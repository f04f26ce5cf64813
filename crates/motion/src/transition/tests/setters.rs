//! State changes and the values they leave unchanged.

use threshold_geom::LANDING_Z;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position, Rotation};

use super::fixture::{
    AIRBORNE, FIELD, Fixture, STANDING, VOID, check_near, flat, level, place, void,
};
use crate::flags::Flags;
use crate::mover::{Mover, MoverShape, Stance};

const SOUTH: CellId = CellId(0xA9B3_0008);

#[test]
fn a_normal_is_stored_normalised_and_zero_stays_zero() {
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
        check_near(t.contact.sliding.normal, sliding, &format!("{given:?}, horizontal"));
    }
}

#[test]
fn a_cleared_contact_plane_keeps_plane_and_cell() {
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    let mut t = stage.begin(at, at);
    t.contact.set_contact_plane(level(3.0), FIELD, true);
    t.contact.plane.clear();
    let contact_plane = t.contact.plane;
    assert!(!contact_plane.valid && !contact_plane.water);
    assert_eq!((contact_plane.plane, contact_plane.cell), (level(3.0), FIELD));
}

#[test]
fn a_hit_in_the_air_seeks_a_landing_from_the_check_position() {
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
fn an_offset_moves_check_position_spheres_and_low_point() {
    let mut stage = Fixture::new(void(), AIRBORNE);
    let mut t = stage.begin(place(VOID, [0.0; 3]), place(VOID, [1.0, 2.0, 3.0]));
    t.path.add_offset(Vec3::new(0.5, 0.0, -0.5));
    check_near(t.path.check.position.frame.origin, [1.5, 2.0, 2.5], "place");
    check_near(t.path.spheres[0].centre, [1.5, 2.0, 2.98], "feet");
    check_near(t.path.spheres[1].centre, [1.5, 2.0, 3.85], "head");
    check_near(t.path.low_point, [1.5, 2.0, 2.5], "lowest point");
    check_near(t.path.curr_centres[0], [0.0, 0.0, 0.48], "where it was");
    check_near(t.path.movement(0), [1.5, 2.0, 2.5], "movement");
}

#[test]
fn a_check_position_that_enters_another_landblock_uses_its_frame() {
    let world = flat(&[0xA9B3, 0xA9B4]);
    let mut stage = Fixture::new(&world, AIRBORNE);
    let mut t = stage.begin(place(FIELD, [10.0, 0.5, 0.0]), place(FIELD, [10.0, -0.5, 0.0]));
    t.path.enter(world.cell(SOUTH).unwrap());
    assert_eq!(t.path.check.position.cell, SOUTH);
    check_near(t.path.check.position.frame.origin, [10.0, 191.5, 0.0], "place");
    check_near(t.path.spheres[1].centre, [10.0, 191.5, 1.35], "head");
    check_near(t.path.low_point, [10.0, 191.5, 0.0], "lowest point");
    check_near(t.path.movement(0), [0.0, -1.0, 0.0], "movement");
    // Within a landblock only the id changes.
    t.path.enter(world.cell(CellId(0xA9B3_0007)).unwrap());
    check_near(t.path.check.position.frame.origin, [10.0, 191.5, 0.0], "place");
}

#[test]
fn a_turn_moves_the_spheres_only_when_the_position_is_set_again() {
    let leaning = super::fixture::ball([0.0, 1.0, 0.5], 0.5);
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    stage.mover = Mover::new(MoverShape::new(&[leaning], 0.6, 1.5));
    let mut t = stage.begin(at, at);
    t.path.turn_check(Rotation::from_heading(90.0));
    check_near(t.path.spheres[0].centre, [0.0, 1.0, 0.5], "rotated");
    t.path.set_check(t.path.check);
    check_near(t.path.spheres[0].centre, [1.0, 0.0, 0.5], "set again");
    check_near(t.path.low_point, [1.0, 0.0, 0.0], "its lowest point");
}

/// A mover on a slope with a velocity.
#[track_caller]
fn check_start(velocity: [f32; 3], flags: Flags, cells: [u32; 2]) {
    let plane = Plane { normal: Vec3::new(0.0, -0.6, 0.8), d: 2.0 };
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    stage.mover.stance = Stance::on(plane, FIELD);
    stage.mover.velocity = velocity.into();
    let t = stage.begin(at, at);
    let has_contact = flags.has(Flags::CONTACT);
    assert_eq!(t.flags, flags | Flags::EDGE_SLIDE, "{velocity:?}");
    assert_eq!(
        (t.contact.plane.valid, t.contact.last_plane.valid),
        (has_contact, true),
        "{velocity:?}"
    );
    assert_eq!(t.contact.last_plane.plane, plane, "{velocity:?}");
    assert_eq!([t.contact.plane.cell.0, t.contact.last_plane.cell.0], cells, "{velocity:?}");
}

#[test]
fn a_rising_mover_keeps_its_plane_only_as_the_last_one() {
    let standing = Flags::CONTACT | Flags::ON_WALKABLE;
    check_start([0.0; 3], standing, [FIELD.0; 2]);
    check_start([0.0, 0.8, 0.6], standing, [FIELD.0; 2]); // along the slope
    check_start([0.0, 0.0, -1.0], standing, [FIELD.0; 2]);
    // Retail oddity: the cell goes to the plane that is not valid (D7).
    check_start([0.0, 0.0, 1.0], Flags::NONE, [FIELD.0, 0]);
}

#[test]
fn the_zero_plane_of_an_unknown_stance_is_valid() {
    let (mut stage, at) = (Fixture::new(void(), AIRBORNE), place(VOID, [0.0; 3]));
    stage.mover.stance = Stance::standing();
    let t = stage.begin(at, at);
    assert!(t.contact.plane.valid && t.flags.has(Flags::CONTACT | Flags::ON_WALKABLE));
    assert_eq!((t.contact.plane.plane.normal, t.contact.plane.cell), (Vec3::ZERO, CellId(0)));
}

#[test]
fn a_sweep_starts_at_its_position_without_collisions() {
    let from = Position::new(VOID, Vec3::new(1.0, 2.0, 3.0));
    let mut stage = Fixture::new(void(), STANDING);
    let t = stage.begin(from, place(VOID, [4.0, 2.0, 3.0]));
    assert_eq!((t.path.begin, t.path.curr.position), (from, from));
    check_near(t.path.curr_centres[1], [1.0, 2.0, 4.35], "head");
    assert_eq!((t.contact.stationary, t.contact.objects.len()), (0, 0));
    assert!(!t.contact.hit.valid && !t.contact.sliding.valid && !t.contact.hit_environment);
}
