//! Trees in the way.

use threshold_geom::{LANDING_Z, PhysicsTree};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation, Space, Sphere};
use threshold_world::{Solid, World};

use super::fixture::{
    AIRBORNE, Expected, FEET, FIELD, Fixture, ObservedState, STANDING, TestSetup, VOID, check_near,
    land, place, void,
};
use super::trees::{LEANING, t1, t2};
use crate::flags::Flags;
use crate::outcome::Insert::{self, Adjusted, Collided, Slid};

const UP: [f32; 3] = [0.0, 0.0, 1.0];
const WEST: [f32; 3] = [-1.0, 0.0, 0.0];
const CLIP: Flags = Flags::PERFECT_CLIP.with(Flags::PATH_CLIPPED, true);
/// Where the tree stands, and in what.
#[derive(Debug)]
struct Scene<'w> {
    world: &'w World,
    cell: CellId,
    tree: PhysicsTree,
    frame: Frame,
    scale: f32,
}

impl Scene<'_> {
    fn of(tree: PhysicsTree) -> Self {
        Self { world: void(), cell: VOID, tree, frame: Frame::IDENTITY, scale: 1.0 }
    }

    #[track_caller]
    fn check(&self, how: TestSetup, [from, to]: [[f32; 3]; 2], answer: Insert, wants: &[Expected]) {
        let space = Space::new(&Position { cell: self.cell, frame: self.frame });
        let mut stage = Fixture::new(self.world, how);
        let mut t = stage.begin(place(self.cell, from), place(self.cell, to));
        let before = ObservedState::new(&t, Insert::Ok);
        let solid = Solid { tree: &self.tree, space: &space, scale: self.scale };
        let got = t.find_tree_collisions(solid.tree, solid.space, solid.scale);
        let input = format!("{how:?}\n{from:?} to {to:?}");
        before.check((&t, got), (answer, wants), &input);
        // What is stood on in a tree is a polygon of it.
        if let Some(Expected::Stands(..)) =
            wants.iter().find(|want| matches!(want, Expected::Stands(..)))
            && got == Adjusted
        {
            let walkable = t.path.walkable.unwrap();
            assert_eq!(walkable.polygon.plane.normal, Vec3::Z, "{input}");
            assert_eq!(t.contact.plane.cell, self.cell, "{input}");
        }
    }
}

#[track_caller]
fn check(how: TestSetup, way: [[f32; 3]; 2], answer: Insert, wants: &[Expected]) {
    Scene::of(t2()).check(how, way, answer, wants);
}

#[test]
fn who_stands_is_asked_to_step_up_onto_a_wall() {
    let how = TestSetup { flags: Flags::CONTACT | Flags::ON_WALKABLE, ..STANDING };
    // Ground right under the feet: the step succeeds without moving anything.
    let world = land(|_, _| 0.02);
    let scene = Scene { world: &world, cell: FIELD, ..Scene::of(t2()) };
    let wants = [Expected::StepUp(WEST), Expected::Stands(UP, -0.02)];
    scene.check(how, [[1.1, 0.0, 0.0], [1.6, 0.0, 0.02]], Insert::Ok, &wants);
}

#[test]
fn who_cannot_step_up_slides_along_the_wall() {
    let how = TestSetup { flags: Flags::CONTACT | Flags::ON_WALKABLE, ..STANDING };
    let wants = [
        Expected::StepUp(WEST),
        Expected::Moved([-0.5, 0.0, -0.02]),
        Expected::Hit(WEST),
        Expected::NoGround,
    ];
    check(how, [[1.1, -0.2, 0.0], [1.6, 0.1, 0.02]], Slid, &wants);
}

#[test]
fn what_is_touched_while_leaving_it_is_remembered_by_who_has_a_head() {
    let leaving = [[1.9, 0.0, 0.02], [1.6, 0.0, 0.02]];
    check(STANDING, leaving, Insert::Ok, &[Expected::DeferredHit(false, [1.0, 0.0, 0.0])]);
    check(TestSetup { spheres: &[FEET], ..STANDING }, leaving, Insert::Ok, &[]);
    // The head is free of it: it is the feet's.
    const STOOPING: &[Sphere] = &[FEET, Sphere::new(Vec3::new(-1.0, 0.0, 1.35), 0.48)];
    let how = TestSetup { spheres: STOOPING, ..STANDING };
    check(how, leaving, Insert::Ok, &[Expected::DeferredHit(true, [1.0, 0.0, 0.0])]);
}

#[test]
fn the_feet_slide_along_what_the_head_runs_into() {
    let how = TestSetup { spheres: LEANING, ..STANDING };
    let wants = [Expected::Moved([-0.3, 0.0, 0.0]), Expected::Hit(WEST)];
    check(how, [[0.9, 0.0, 0.02], [1.2, 0.3, 0.02]], Slid, &wants);
    check(how, [[0.9, 0.0, 0.02], [1.2, 0.0, 0.02]], Collided, &[Expected::Hit(WEST)]);
}

#[test]
fn who_falls_on_a_floor_lands_on_it() {
    let way = [[0.0, 0.0, 0.3], [0.0, 0.0, -0.1]];
    check(AIRBORNE, way, Adjusted, &[Expected::Lands(UP)]);
    let wants = [Expected::Moved([0.0, 0.0, 0.1]), Expected::Stands(UP, 0.0), Expected::Left(0.75)];
    check(TestSetup { seeking_landing: true, ..AIRBORNE }, way, Adjusted, &wants);
}

#[test]
fn the_head_of_one_who_falls_is_stopped() {
    let how = TestSetup { spheres: LEANING, ..AIRBORNE };
    check(how, [[0.9, 0.0, 0.5], [1.2, 0.0, 0.5]], Collided, &[Expected::Hit(WEST)]);
}

#[test]
fn a_clipped_path_ends_before_the_wall_and_a_perfect_one_at_it() {
    let clipped = TestSetup { spheres: &[FEET], flags: Flags::PATH_CLIPPED, ..AIRBORNE };
    check(clipped, [[1.1, 0.0, 0.5], [1.6, 0.0, 0.5]], Collided, &[Expected::Hit(WEST)]);
    let perfect = TestSetup { flags: CLIP, ..clipped };
    let wants = [Expected::Moved([-0.28, 0.0, 0.0]), Expected::Hit(WEST)];
    check(perfect, [[1.1, 0.0, 0.5], [1.8, 0.0, 0.5]], Adjusted, &wants);
}

#[test]
fn who_looks_for_ground_is_lifted_onto_the_floor() {
    let sunk = [[0.0, 0.0, -0.2]; 2];
    let wants = [Expected::Moved([0.0, 0.0, 0.2]), Expected::Stands(UP, 0.0), Expected::Left(0.5)];
    check(TestSetup { down: Some(0.4), ..AIRBORNE }, sunk, Adjusted, &wants);
    check(TestSetup { checking_walkable: true, ..AIRBORNE }, sunk, Collided, &[]);
}

#[test]
fn who_is_placed_must_be_free_of_matter() {
    let placed = TestSetup { placement: true, ..AIRBORNE };
    check(placed, [[0.0, 0.0, 0.02]; 2], Insert::Ok, &[]);
    check(placed, [[0.0, 0.0, -0.02]; 2], Collided, &[]);
    check(placed, [[0.0, 0.0, -3.0]; 2], Collided, &[]);
}

#[test]
fn the_matter_of_a_shell_does_not_count_where_an_interior_is_touched() {
    let (tree, space) = (t2(), Space::new(&place(VOID, [0.0; 3])));
    for (building, interior, answer) in
        [(true, true, Insert::Ok), (true, false, Collided), (false, true, Collided)]
    {
        let mut stage = Fixture::new(void(), TestSetup { placement: true, ..AIRBORNE });
        let deep = place(VOID, [0.0, 0.0, -3.0]);
        let mut t = stage.begin(deep, deep);
        (t.path.building, t.path.hits_interior) = (building, interior);
        let got = t.find_tree_collisions(&tree, &space, 1.0);
        assert_eq!(got, answer, "building {building}, interior {interior}");
    }
}

#[test]
fn a_scaled_tree_hands_out_a_plane_that_is_scaled_once_too_often() {
    let frame = Frame::at(Vec3::new(10.0, 0.0, 1.0));
    let scene = Scene { frame, scale: 2.0, ..Scene::of(t1()) };
    let how = TestSetup { spheres: &[FEET], down: Some(0.4), ..AIRBORNE };
    // The plane through z = 1 has d = -1.
    let wants =
        [Expected::Moved([0.0, 0.0, 0.08]), Expected::Stands(UP, -2.0), Expected::Left(0.8)];
    scene.check(how, [[10.0, 0.0, 0.92]; 2], Adjusted, &wants);
}

#[test]
fn the_normals_of_a_turned_tree_are_turned_with_it() {
    let root = std::f32::consts::FRAC_1_SQRT_2;
    let rotation = Rotation::new(root, 0.0, 0.0, root);
    let scene = Scene { frame: Frame { origin: Vec3::ZERO, rotation }, ..Scene::of(t2()) };
    let clipped = TestSetup { spheres: &[FEET], flags: Flags::PATH_CLIPPED, ..AIRBORNE };
    let hit = Expected::Hit([0.0, -1.0, 0.0]);
    scene.check(clipped, [[0.0, 1.1, 0.5], [0.0, 1.6, 0.5]], Collided, &[hit]);
}

#[test]
fn up_is_another_direction_in_a_tilted_tree() {
    // Thirty degrees about the x axis.
    let rotation = Rotation::new(0.965_925_8, 0.258_819_04, 0.0, 0.0);
    let (tree, frame) = (t1(), Frame { origin: Vec3::ZERO, rotation });
    let space = Space::new(&Position { cell: VOID, frame });
    let mut stage = Fixture::new(void(), TestSetup { down: Some(0.4), ..AIRBORNE });
    let at = place(VOID, [0.0, 0.0, -0.1]);
    let mut t = stage.begin(at, at);
    assert_eq!(t.find_tree_collisions(&tree, &space, 1.0), Adjusted);
    check_near(t.path.walkable.unwrap().up, [0.0, 0.5, 0.866_025], "up");
    check_near(t.contact.plane.plane.normal, [0.0, -0.5, 0.866_025], "the ground");
}

/// A perfect clip of a sphere of half a metre that is its own origin.
#[track_caller]
fn check_clip(tree: PhysicsTree, [from, to]: [[f32; 3]; 2], free: [f32; 3], hit: [f32; 3]) {
    const BALL: &[Sphere] = &[Sphere::new(Vec3::ZERO, 0.5)];
    let moved = (Vec3::from(free) - Vec3::from(to)).to_array();
    let how = TestSetup { spheres: BALL, flags: CLIP, ..AIRBORNE };
    Scene::of(tree).check(how, [from, to], Adjusted, &[Expected::Moved(moved), Expected::Hit(hit)]);
}

/// The first way of the document goes on to z = -1, where the sphere no longer touches the floor and a sweep does
/// not ask; here it ends where it still does, which changes the time and not the place.
#[test]
fn worked_examples_of_a_perfect_clip() {
    check_clip(t1(), [[0.0, 0.0, 1.0], [0.0, 0.0, -0.4]], [0.0, 0.0, 0.5], UP);
    // At the floor from the beginning: nothing is gained.
    check_clip(t1(), [[0.0, 0.0, 0.4], [0.0, 0.0, -0.4]], [0.0, 0.0, 0.4], UP);
    check_clip(t2(), [[0.8, 0.0, 1.2], [1.8, 0.0, 0.9]], [1.5, 0.0, 0.99], WEST);
}

#[test]
fn one_who_stands_on_what_is_too_steep_to_walk_climbs_and_looks_by_other_measures() {
    let wants = [
        Expected::StepUp(WEST),
        Expected::Moved([-0.5, 0.0, 0.0]),
        Expected::Hit(WEST),
        Expected::NoGround,
        Expected::Allowance(LANDING_Z),
    ];
    check(STANDING, [[1.1, -0.2, 0.02], [1.6, 0.1, 0.02]], Slid, &wants);
}

/// A mover whose middle is `beyond` the edge of the floor that it has found.
#[track_caller]
fn check_rim(beyond: f32, want: bool) {
    let (tree, space) = (t1(), Space::new(&place(VOID, [0.0; 3])));
    let how = TestSetup { flags: Flags::CONTACT | Flags::ON_WALKABLE, down: Some(0.4), ..STANDING };
    let mut stage = Fixture::new(void(), how);
    let at = place(VOID, [4.0 + beyond, 0.0, -0.2]);
    let mut t = stage.begin(at, at);
    assert_eq!(t.find_tree_collisions(&tree, &space, 1.0), Adjusted);
    t.path.step.down = false;
    assert_eq!(t.check_walkable(threshold_geom::FLOOR_Z), want, "{beyond}");
    // Retail oddity: it stays halved.
    assert_eq!(t.path.walkable.unwrap().sphere.radius, 0.24, "{beyond}");
}

#[test]
fn ground_under_the_rim_of_a_foot_is_none() {
    check_rim(0.2, true);
    check_rim(0.3, false);
}
