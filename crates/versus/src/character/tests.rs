use threshold_land::{CellId, Position, Sphere};

use super::*;
use crate::arena::Grain;
use crate::course::Course;

/// Tolerance for rapier's gap, in metres.
const NEAR: f32 = 0.03;

fn player() -> MoverShape {
    let sphere = |height: f32| Sphere::new(Vec3::Z * height, 0.48);
    MoverShape::new(&[sphere(0.475), sphere(1.35)], 0.6, 1.5)
}

/// Moves a player several times from a point of a landblock and returns its displacement: with all
/// meshes in one collider, and with one for each.
fn displacement(world: &'static str, at: (u32, [f32; 3]), by: [f32; 3], times: usize) -> [Vec3; 2] {
    let course = Course::open(world).unwrap();
    let start = course.origin.place(&Position::new(CellId(at.0), at.1.into()));
    [Grain::Whole, Grain::Pieces].map(|grain| {
        let arena = Arena::new(&course.scene, grain).unwrap();
        let mut character = Character::new(&player(), start, Autostep::On);
        (0..times).for_each(|_| character.advance(&arena, by.into()));
        character.feet() - start
    })
}

#[track_caller]
fn check(world: &'static str, at: (u32, [f32; 3]), by: [f32; 3], times: usize, want: [f32; 3]) {
    let gone = displacement(world, at, by, times);
    let near = |gone: &Vec3| gone.distance(want.into()) < NEAR;
    assert!(gone.iter().all(near), "{at:?}: by {gone:?}, not {want:?}");
}

const MEADOW: (u32, [f32; 3]) = (0xA9B4_003B, [170.5, 67.4, 40.005]);
const HALL: (u32, [f32; 3]) = (0x0102_0100, [78.4, -75.6, 0.005]);

#[test]
fn a_character_lowered_onto_the_land_stands_on_it() {
    let above = (MEADOW.0, [170.5, 67.4, 41.005]);
    check("holt", above, [0.0, 0.0, -0.3], 10, [0.0, 0.0, -1.0]);
}

#[test]
fn on_level_land_a_character_moves_as_far_as_requested() {
    check("holt", MEADOW, [0.1, -0.1, 0.0], 10, [1.0, -1.0, 0.0]);
}

#[test]
fn a_wall_stops_a_character_and_lets_it_slide() {
    // The wall is at x = 80, and the player 0.48 m wide to either side, with a gap of 2 cm.
    check("dungeon", HALL, [0.5, 0.0, 0.0], 10, [1.10, 0.0, 0.0]);
    check("dungeon", HALL, [0.5, 0.1, 0.0], 10, [1.10, 1.0, 0.0]);
}

#[test]
fn a_floor_is_not_fallen_through() {
    // It slides aside on the walk down, but not below.
    let fallen = displacement("dungeon", HALL, [0.0, 0.0, -20.0], 1);
    assert!(fallen.iter().all(|gone| gone.z.abs() < NEAR), "{fallen:?}");
}

#[test]
fn stairs_are_walked_up() {
    let foot = (0x0102_011A, [38.118, -53.701, -8.745]);
    let up = displacement("dungeon", foot, [-0.32, 0.1165, 0.0], 10);
    assert!(up.iter().all(|gone| gone.z > 1.0 && gone.x < -2.0), "{up:?}");
}

#[test]
fn a_mover_with_one_sphere_is_a_ball() {
    let ball = MoverShape::new(&[Sphere::new(Vec3::Z * 0.3, 0.3)], 0.2, 0.2);
    let feet = Vec3::new(1.0, 2.0, 3.0);
    let mut character = Character::new(&ball, feet, Autostep::Off);
    assert!(character.shape.as_ball().is_some_and(|ball| ball.radius == 0.3));
    assert!(character.feet().distance(feet) < 1e-5, "{}", character.feet());
    character.put(Vec3::ZERO);
    assert!(character.feet().length() < 1e-5, "{}", character.feet());
}
