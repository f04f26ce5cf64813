//! Positions of the shapes of an object.

use threshold_geom::Cylinder;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation, Sphere};
use threshold_world::{BodyId, BodySpec, ObjectKind, State, World};

use super::fixture::{
    AIRBORNE, Fixture, TestSetup, ball, check_within, new_void, pillar, place, setup, void,
};
use crate::outcome::Insert::{self, Collided};

const HERE: CellId = CellId(0xA9B4_0039);
const BODY: BodyId = BodyId(7);
const POINT: TestSetup =
    TestSetup { spheres: &[Sphere::new(Vec3::ZERO, 0.48)], placement: true, ..AIRBORNE };

/// The object of the example: in the next landblock to the east, rotated by a quarter turn to the
/// left, at twice its size.
fn world(spheres: &[Sphere], cylinders: &[Cylinder]) -> World {
    let root = std::f32::consts::FRAC_1_SQRT_2;
    let rotation = Rotation::new(root, 0.0, 0.0, root);
    let frame = Frame { origin: Vec3::new(5.0, 10.0, 0.0), rotation };
    let mut world = new_void();
    world.insert(BodySpec {
        body: BODY,
        setup: setup(spheres, cylinders),
        position: Position { cell: CellId(0xAAB4_0001), frame },
        scale: 2.0,
        state: State::default(),
        kind: ObjectKind::None,
    });
    world
}

/// Returns whether a sphere at a position collides with the object.
fn collides(world: &World, at: Vec3) -> bool {
    let mut stage = Fixture::new(world, POINT);
    let at = place(HERE, at.to_array());
    let got = stage.begin(at, at).find_obstacle_collisions(world.body(BODY).unwrap());
    match got {
        Insert::Ok => false,
        Collided => true,
        other => panic!("{other:?} at {at:?}"),
    }
}

/// Returns the distance from a point to the end of the object in a direction, less the radius of
/// the mover.
fn reach(world: &World, from: Vec3, direction: Vec3) -> f32 {
    let (mut inside, mut outside) = (0.0, 10.0);
    assert!(collides(world, from), "{from} is in the object");
    for _ in 0..40 {
        let middle = (inside + outside) / 2.0;
        let touched = collides(world, from + direction * middle);
        *(if touched { &mut inside } else { &mut outside }) = middle;
    }
    inside - 0.48
}

#[test]
fn a_sphere_is_rotated_scaled_and_moved_into_the_next_landblock() {
    let world = world(&[ball([1.0, 0.0, 0.5], 0.3)], &[]);
    let centre = Vec3::new(197.0, 12.0, 1.0);
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let [forward, backward] = [axis, -axis].map(|direction| reach(&world, centre, direction));
        // Slightly less than the shapes reach; near 192 m single precision has steps of 1.5e-5.
        check_within(
            5e-5,
            Vec3::new(forward, backward, 0.0),
            [0.5998, 0.5998, 0.0],
            &axis.to_string(),
        );
    }
}

#[test]
fn a_cylinder_stays_upright_whatever_the_rotation_of_its_object() {
    let world = world(&[], &[pillar([1.0, 0.0, 0.5], 2.0, 0.3)]);
    let low = Vec3::new(197.0, 12.0, 1.0);
    for (direction, want) in [
        (Vec3::X, 0.5998),
        (Vec3::NEG_X, 0.5998),
        (Vec3::Y, 0.5998),
        (Vec3::NEG_Y, 0.5998),
        (Vec3::Z, 3.9998),
        (Vec3::NEG_Z, -0.0002),
    ] {
        let got = reach(&world, low, direction);
        check_within(5e-5, Vec3::splat(got), [want; 3], &direction.to_string());
    }
}

#[test]
fn an_object_uses_cylinders_or_else_spheres_or_else_nothing() {
    let (sphere, cylinder) = (ball([1.0, 0.0, 0.5], 0.3), pillar([-3.0, 0.0, 0.0], 2.0, 0.3));
    let at_sphere = Vec3::new(197.0, 12.0, 1.0);
    let at_cylinder = Vec3::new(197.0, 4.0, 1.0);
    for (spheres, cylinders, want) in [
        (&[sphere][..], &[][..], [true, false]),
        (&[sphere][..], &[cylinder][..], [false, true]),
        (&[][..], &[][..], [false, false]),
    ] {
        let world = world(spheres, cylinders);
        let got = [at_sphere, at_cylinder].map(|at| collides(&world, at));
        assert_eq!(got, want, "{spheres:?}, {cylinders:?}");
    }
    assert!(void().body(BODY).is_none());
}
