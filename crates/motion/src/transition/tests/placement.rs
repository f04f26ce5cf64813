//! Placement of movers.

use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec, Shape as Block};
use threshold_geom::PhysicsTree;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation, Space, Sphere};
use threshold_world::{BodyId, BodySpec, Builder, ObjectId, ObjectKind, State, World};

use super::super::collision_info::{CollisionInfo, ContactPlane};
use super::super::sweep_path::InsertType;
use super::fixture::{
    AIRBORNE, ExpectedChange, FEET, FIELD, Fixture, HEAD, ObservedState, TOLERANCE, TestSetup,
    VOID, check_near, flat, land, level, new_void, place, platform,
};
use super::trees::{LEANING, floor_within, t1, t2};
use crate::mover::{Mover, MoverShape};
use crate::outcome::Insert::{self, Adjusted, Collided};
use crate::outcome::{Outcome, Refusal, TouchedObject};
use crate::place::Search;
use crate::sweep::{SweepScratch, Sweeper};

/// One sphere around the origin, so that a position is its centre.
const BALL: &[Sphere] = &[Sphere::new(Vec3::ZERO, 0.48)];

/// A mover that is placed in a tree.
#[derive(Debug)]
struct TreePlacement {
    tree: PhysicsTree,
    spheres: &'static [Sphere],
    frame: Frame,
    scale: f32,
    /// The tree is the shell of a building; the mover also touches an interior cell.
    building: bool,
    interior: bool,
}

impl TreePlacement {
    fn into(tree: PhysicsTree) -> Self {
        let frame = Frame::IDENTITY;
        Self { tree, spheres: BALL, frame, scale: 1.0, building: false, interior: false }
    }

    /// Only the position may change.
    #[track_caller]
    fn check(&self, at: [f32; 3], answer: Insert, moved: [f32; 3]) {
        let space = Space::new(&Position { cell: VOID, frame: self.frame });
        let world = new_void();
        let mut stage = Fixture::new(&world, TestSetup { spheres: self.spheres, ..AIRBORNE });
        let at = place(VOID, at);
        let mut t = stage.begin(at, at);
        t.path.insert = InsertType::InitialPlacement;
        (t.path.building, t.path.hits_interior) = (self.building, self.interior);
        let before = ObservedState::new(&t, Insert::Ok);
        let got = t.find_tree_collisions(&self.tree, &space, self.scale);
        let tolerance = TOLERANCE.max(at.frame.origin.abs().max_element() * 1e-6);
        let wants = [ExpectedChange::Moved(moved)];
        before.check_within(tolerance, (&t, got), (answer, &wants), &format!("{at:?} {self:?}"));
    }
}

const ZERO: [f32; 3] = [0.0; 3];

#[test]
fn pushes_out_of_walls_match_worked_examples() {
    let two = TreePlacement::into(t2());
    two.check([0.0, 0.0, 2.0], Insert::Ok, ZERO);
    two.check([0.0, 0.0, 0.3], Adjusted, [0.0, 0.0, 0.18]);
    two.check([0.0, 0.0, -0.3], Adjusted, [0.0, 0.0, 0.78]);
    two.check([2.2, 0.0, 1.0], Adjusted, [-0.68, 0.0, 0.0]);
    two.check([0.0, 0.0, -2.0], Collided, ZERO);
    let leaning = TreePlacement { spheres: LEANING, ..TreePlacement::into(t2()) };
    leaning.check([1.4, 0.0, 0.0], Adjusted, [-0.28, 0.0, 0.0]);
}

#[test]
fn a_mover_that_overlaps_floor_and_wall_is_not_pushed() {
    // Retail oddity a: a polygon found on the near side does not block a centre in free space.
    TreePlacement::into(t2()).check([1.8, 0.0, 0.3], Insert::Ok, ZERO);
}

#[test]
fn a_centre_in_solid_space_is_forgotten_where_the_far_side_is_empty() {
    // Retail oddity b: "pushed" by zero once the search radius is large enough to cross the floor.
    TreePlacement::into(t1()).check([0.0, 0.0, -2.0], Adjusted, ZERO);
}

#[test]
fn a_push_has_twenty_attempts_each_with_twice_the_radius() {
    // The twentieth attempt searches 0.48 m times 2 to the 19th: 251,658 m.
    let put = TreePlacement::into(floor_within(1e6));
    put.check([0.0, 0.0, -251_000.0], Adjusted, ZERO);
    put.check([0.0, 0.0, -252_000.0], Collided, ZERO);
}

#[test]
fn the_first_polygon_found_hides_the_next() {
    // Pushed out of the floor, and not out of the wall (B11).
    TreePlacement::into(t2()).check([1.8, 0.0, -0.3], Adjusted, [0.0, 0.0, 0.78]);
}

#[test]
fn the_inside_of_a_shell_does_not_count_while_an_interior_cell_is_touched() {
    let shell =
        |building, interior| TreePlacement { building, interior, ..TreePlacement::into(t2()) };
    shell(true, true).check([0.0, 0.0, -3.0], Insert::Ok, ZERO);
    shell(true, false).check([0.0, 0.0, -3.0], Collided, ZERO);
    shell(false, true).check([0.0, 0.0, -3.0], Collided, ZERO);
    // Its walls count, but not from behind (oddity a again).
    shell(true, true).check([0.0, 0.0, 0.3], Adjusted, [0.0, 0.0, 0.18]);
    shell(true, true).check([0.0, 0.0, -0.3], Insert::Ok, ZERO);
}

#[test]
fn a_push_out_of_a_scaled_tree_is_not_scaled() {
    let frame = Frame::at(Vec3::new(10.0, 0.0, 1.0));
    let put = TreePlacement { frame, scale: 2.0, ..TreePlacement::into(t1()) };
    // Half a radius of 0.24 too deep in tree space is 0.08 m in the world.
    put.check([10.0, 0.0, 1.4], Adjusted, [0.0, 0.0, 0.04]);
}

#[test]
fn a_push_out_of_a_rotated_tree_is_rotated() {
    let root = std::f32::consts::FRAC_1_SQRT_2;
    let rotation = Rotation::new(root, 0.0, 0.0, root);
    let put = TreePlacement {
        frame: Frame { origin: Vec3::ZERO, rotation },
        ..TreePlacement::into(t2())
    };
    put.check([0.0, 2.2, 1.0], Adjusted, [0.0, -0.68, 0.0]);
}

/// Places a mover, and returns the outcome and the tested cells.
fn place_mover(
    world: &World,
    mover: &Mover,
    at: Position,
    search: Search,
) -> (Outcome, Vec<(CellId, Insert)>) {
    let mut tested = Vec::new();
    let outcome =
        Sweeper::new(world).place(&mut SweepScratch::new(), &mut tested, mover, &at, search);
    (outcome, tested)
}

fn mover(spheres: &[Sphere]) -> Mover {
    Mover::new(MoverShape::new(spheres, 0.6, 1.5))
}

const MIDDLE: CellId = VOID;
const EAST: CellId = CellId(0xA9B4_0101);
const WEST: CellId = CellId(0xA9B4_0102);

/// A room 0.85 m long, open on its whole sides to a room in the east and one in the west, each
/// blocked from 5 cm behind its portal.
fn pinch() -> World {
    let room = |x: [f32; 2]| RoomSpec::cuboid([x[0], 0.0, 0.0], [x[1], 4.0, 3.0]);
    let block = |x: [f32; 2]| Block::cuboid([x[0], 0.0, 0.0], [x[1], 4.0, 3.0]);
    let mut plan = Plan::new();
    let middle = plan.room(room([0.0, 0.85]));
    let east = plan.room(room([0.85, 4.0]).block(block([0.9, 3.0])));
    let west = plan.room(room([-4.0, 0.0]).block(block([-3.0, -0.05])));
    plan.join(middle, east, Opening::whole(Face::EAST));
    plan.join(middle, west, Opening::whole(Face::WEST));
    let mut forge = Forge::new();
    forge.block(VOID.block()).dungeon(Frame::IDENTITY, plan);
    let builder = Builder::new(forge.finish().unwrap());
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    world
}

#[test]
fn a_mover_pushed_by_another_room_is_tried_once_more() {
    let child = mover(&[Sphere::new(Vec3::ZERO, 0.4)]);
    let (outcome, tested) =
        place_mover(&pinch(), &child, place(MIDDLE, [0.6, 2.0, 1.0]), Search::Around);
    assert!(outcome.is_ok());
    let want = [(MIDDLE, Insert::Ok), (EAST, Adjusted), (MIDDLE, Insert::Ok), (EAST, Insert::Ok)];
    assert_eq!(tested[..4], want);
    check_near(outcome.position.frame.origin, [0.5, 2.0, 1.0], "out of the block in the east");
}

#[test]
fn a_mover_that_is_pushed_twice_is_refused() {
    let at = place(MIDDLE, [0.45, 2.0, 0.5]);
    let (outcome, tested) = place_mover(&pinch(), &mover(&[FEET, HEAD]), at, Search::Around);
    let first = [(MIDDLE, Insert::Ok), (EAST, Adjusted)];
    let second = [(MIDDLE, Insert::Ok), (EAST, Insert::Ok), (WEST, Adjusted)];
    assert_eq!(tested, [&first[..], &second[..]].concat());
    assert_eq!(outcome.refused, Some(Refusal::NoRoom));
    assert_eq!((outcome.position, outcome.sub_steps), (at, 0), "no ring is tried");
    assert!(outcome.hit_environment && outcome.hit.is_none());
}

#[test]
fn a_reset_clears_flags_and_keeps_values() {
    let mut contact = CollisionInfo::none();
    contact.set_contact_plane(level(3.0), FIELD, true);
    contact.last_plane = ContactPlane { plane: level(2.0), ..contact.plane };
    contact.sliding.set(Vec3::X);
    contact.hit.set(Vec3::Y);
    contact.add_object(ObjectId::body(BodyId(7)), true);
    (contact.hit_environment, contact.stationary) = (true, 2);
    contact.reset();
    assert!(!contact.plane.valid && !contact.last_plane.valid, "{contact:?}");
    assert!(
        !contact.sliding.valid && !contact.hit.valid && !contact.hit_environment,
        "{contact:?}"
    );
    assert!(contact.objects.is_empty() && contact.stationary == 0, "{contact:?}");
    // D3: the values stay, and so do both water flags and the cell of the last contact plane.
    assert_eq!((contact.plane.plane, contact.plane.cell), (level(3.0), CellId(0)));
    assert_eq!((contact.last_plane.plane, contact.last_plane.cell), (level(2.0), FIELD));
    assert!(contact.plane.water && contact.last_plane.water);
    assert_eq!((contact.sliding.normal, contact.hit.normal), (Vec3::X, Vec3::Y));
}

const CRATE: BodyId = BodyId(7);

/// The void with a box of one metre in its middle.
fn crate_in_the_void() -> World {
    let mut world = new_void();
    world.insert(BodySpec {
        body: CRATE,
        setup: platform([1.0; 3]),
        position: place(VOID, [0.0; 3]),
        scale: 1.0,
        state: State::default(),
        kind: ObjectKind::Thing,
    });
    world
}

#[test]
fn walls_push_before_objects_are_tested() {
    let world = crate_in_the_void();
    let (outcome, tested) =
        place_mover(&world, &mover(&[FEET, HEAD]), place(VOID, ZERO), Search::Here);
    assert_eq!(tested, [(VOID, Insert::Ok), (VOID, Collided)]);
    assert_eq!(outcome.refused, Some(Refusal::NoRoom));
    let touched = TouchedObject { object: ObjectId::body(CRATE), blocking: true };
    assert_eq!((&outcome.objects[..], outcome.hit_environment), (&[touched][..], false));
}

#[test]
fn without_rings_a_placement_has_one_try() {
    let world = crate_in_the_void();
    let sub_steps =
        |search| place_mover(&world, &mover(&[FEET, HEAD]), place(VOID, ZERO), search).0.sub_steps;
    assert_eq!(sub_steps(Search::Here), 1);
    // The position itself, six on the first ring, twelve on the second, and the first on the third.
    assert_eq!(sub_steps(Search::Around), 20);
}

#[test]
fn room_is_searched_on_the_nearest_ring_first_from_the_north() {
    let world = crate_in_the_void();
    let (outcome, _) =
        place_mover(&world, &mover(&[FEET, HEAD]), place(VOID, ZERO), Search::Around);
    check_near(outcome.position.frame.origin, [0.0, 4.0 / 3.0, 0.0], "3 times 4/9 m");
    assert!(outcome.objects.is_empty() && outcome.hit.is_none(), "{outcome:?}");
    // Too large for any ring.
    let giant = mover(&[Sphere::new(Vec3::ZERO, 4.0)]);
    let (outcome, _) = place_mover(&world, &giant, place(VOID, ZERO), Search::Around);
    assert_eq!((outcome.refused, outcome.sub_steps), (Some(Refusal::NoRoom), 1));
}

#[test]
fn a_failed_ring_search_reports_no_obstacles() {
    // Retail oddity: every failed try forgets its collisions.
    let mut world = new_void();
    world.insert(BodySpec {
        body: CRATE,
        setup: platform([12.0; 3]),
        position: place(VOID, [0.0, 0.0, -6.0]),
        scale: 1.0,
        state: State::default(),
        kind: ObjectKind::Thing,
    });
    for (search, objects, sub_steps) in [(Search::Here, 1, 1), (Search::Around, 0, 271)] {
        let (outcome, _) = place_mover(&world, &mover(&[FEET, HEAD]), place(VOID, ZERO), search);
        assert_eq!(outcome.refused, Some(Refusal::NoRoom), "{search:?}");
        assert_eq!((outcome.objects.len(), outcome.sub_steps), (objects, sub_steps), "{search:?}");
    }
}

/// Places a mover `over` ground that rises by `rise` on its first 24 m; `want` is whether it has a
/// contact plane, and a walkable one.
#[track_caller]
fn check_stands(mover: &Mover, rise: f32, over: f32, want: [bool; 2]) {
    let world = land(|x, _| rise * x.min(1) as f32);
    let ground = rise * 5.0 / 24.0;
    let at = place(FIELD, [5.0, 9.0, ground + over]);
    let (outcome, _) = place_mover(&world, mover, at, Search::Here);
    let input = format!("{over} m over a rise of {rise} m: {outcome:?}");
    assert!(outcome.is_ok(), "{input}");
    assert_eq!([outcome.stance.contact, outcome.stance.on_walkable], want, "{input}");
    let end = if want[0] { ground } else { ground + over };
    let error = (outcome.position.frame.origin - Vec3::new(5.0, 9.0, end)).abs().max_element();
    // Heights come from steep planes, so the tolerance is larger.
    assert!(error < 2e-3, "{input}");
}

#[test]
fn a_placement_above_ground_ends_on_it() {
    let two = mover(&[FEET, HEAD]);
    check_stands(&two, 0.0, 0.0, [true; 2]);
    check_stands(&two, 0.0, 1.49, [true; 2]);
    check_stands(&two, 0.0, 1.51, [false; 2]);
    // A mover of one sphere searches no deeper than half its radius.
    let one = mover(&[FEET]);
    check_stands(&one, 0.0, 0.23, [true; 2]);
    check_stands(&one, 0.0, 0.25, [false; 2]);
}

#[test]
fn a_slope_steeper_than_85_degrees_is_not_ground() {
    let two = mover(&[FEET, HEAD]);
    check_stands(&two, 24.0, 0.5, [true; 2]);
    check_stands(&two, 40.0, 0.5, [true, false]); // 59 degrees
    check_stands(&two, 200.0, 0.5, [true, false]); // 83.2
    check_stands(&two, 300.0, 0.5, [false; 2]); // 85.4
}

#[test]
fn a_missile_stays_in_the_air() {
    let missile = Mover { state: State::MISSILE, ..mover(&[FEET, HEAD]) };
    check_stands(&missile, 0.0, 0.5, [false; 2]);
}

#[test]
fn a_placement_below_ground_is_lifted() {
    let world = flat(&[0xA9B4]);
    for (depth, search) in [(0.1, Search::Here), (3.0, Search::Here), (90.0, Search::Around)] {
        let at = place(FIELD, [12.0, 12.0, -depth]);
        let (outcome, tested) = place_mover(&world, &mover(&[FEET, HEAD]), at, search);
        assert_eq!(tested[..2], [(FIELD, Adjusted), (FIELD, Insert::Ok)], "{depth}");
        check_near(outcome.position.frame.origin, [12.0, 12.0, 0.0], &depth.to_string());
        assert!(outcome.is_ok() && outcome.stance.on_walkable, "{outcome:?}");
        assert_eq!((outcome.hit, outcome.hit_environment), (Some(Vec3::Z), true), "{depth}");
    }
}

#[test]
fn a_placement_ignores_stance_and_velocity() {
    let world = flat(&[0xA9B4]);
    let at = place(FIELD, [12.0, 12.0, 5.0]);
    let fresh = mover(&[FEET, HEAD]);
    let mut used = fresh;
    used.stance = crate::mover::Stance::on(level(5.0), FIELD);
    (used.stance.sliding, used.stance.sliding_normal) = (true, Vec3::X);
    used.stance.stationary.stop = true;
    used.velocity = Vec3::new(0.0, 0.0, -9.0);
    let [a, b] = [fresh, used].map(|mover| place_mover(&world, &mover, at, Search::Around).0);
    assert_eq!((a.position, a.stance, a.hit), (b.position, b.stance, b.hit));
    assert_eq!((a.stationary_fall, b.stationary_fall), (0, 0));
    assert!(!b.stance.contact);
}
