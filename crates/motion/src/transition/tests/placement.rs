//! Putting a mover somewhere.

use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec, Shape as Block};
use threshold_geom::PhysicsTree;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation, Space, Sphere};
use threshold_world::{BodyId, BodySpec, Builder, ObjectId, ObjectKind, State, World};

use super::super::collision_info::{CollisionInfo, ContactPlane};
use super::super::sweep_path::InsertType;
use super::fixture::{
    AIRBORNE, Expected, FEET, FIELD, Fixture, HEAD, ObservedState, TOLERANCE, TestSetup, VOID,
    check_near, flat, land, level, new_void, place, platform,
};
use super::trees::{LEANING, floor_within, t1, t2};
use crate::mover::{Mover, MoverShape};
use crate::outcome::Insert::{self, Adjusted, Collided};
use crate::outcome::{Outcome, Refusal, TouchedObject};
use crate::place::Search;
use crate::sweep::{SweepScratch, Sweeper};

/// One sphere round the origin, so that a place is a centre.
const BALL: &[Sphere] = &[Sphere::new(Vec3::ZERO, 0.48)];

/// A mover that is put into a tree.
#[derive(Debug)]
struct Put {
    tree: PhysicsTree,
    spheres: &'static [Sphere],
    frame: Frame,
    scale: f32,
    /// The tree is the shell of a building, an interior of which is touched.
    building: bool,
    interior: bool,
}

impl Put {
    fn into(tree: PhysicsTree) -> Self {
        let frame = Frame::IDENTITY;
        Self { tree, spheres: BALL, frame, scale: 1.0, building: false, interior: false }
    }

    /// Nothing but the place may change.
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
        let wants = [Expected::Moved(moved)];
        before.check_within(tolerance, (&t, got), (answer, &wants), &format!("{at:?} {self:?}"));
    }
}

const NOT: [f32; 3] = [0.0; 3];

#[test]
fn worked_examples_of_pushing_a_mover_out_of_walls() {
    let two = Put::into(t2());
    two.check([0.0, 0.0, 2.0], Insert::Ok, NOT);
    two.check([0.0, 0.0, 0.3], Adjusted, [0.0, 0.0, 0.18]);
    two.check([0.0, 0.0, -0.3], Adjusted, [0.0, 0.0, 0.78]);
    two.check([2.2, 0.0, 1.0], Adjusted, [-0.68, 0.0, 0.0]);
    two.check([0.0, 0.0, -2.0], Collided, NOT);
    let leaning = Put { spheres: LEANING, ..Put::into(t2()) };
    leaning.check([1.4, 0.0, 0.0], Adjusted, [-0.28, 0.0, 0.0]);
}

#[test]
fn a_mover_that_overlaps_floor_and_wall_is_not_pushed() {
    // Retail oddity a: what the near side has named is not in the way of a centre in the open.
    Put::into(t2()).check([1.8, 0.0, 0.3], Insert::Ok, NOT);
}

#[test]
fn a_centre_in_matter_is_forgotten_where_the_far_side_is_empty() {
    // Retail oddity b: "pushed" by nothing once the search is wide enough to cross the floor.
    Put::into(t1()).check([0.0, 0.0, -2.0], Adjusted, NOT);
}

#[test]
fn a_push_is_tried_twenty_times_each_twice_as_wide() {
    // The twentieth looks 0.48 m times 2 to the 19th far: 251,658 m.
    let put = Put::into(floor_within(1e6));
    put.check([0.0, 0.0, -251_000.0], Adjusted, NOT);
    put.check([0.0, 0.0, -252_000.0], Collided, NOT);
}

#[test]
fn the_first_wall_that_was_found_hides_the_next() {
    // Out of the floor, and then no longer out of the wall (B11).
    Put::into(t2()).check([1.8, 0.0, -0.3], Adjusted, [0.0, 0.0, 0.78]);
}

#[test]
fn the_matter_of_a_shell_does_not_count_where_an_interior_is_touched() {
    let shell = |building, interior| Put { building, interior, ..Put::into(t2()) };
    shell(true, true).check([0.0, 0.0, -3.0], Insert::Ok, NOT);
    shell(true, false).check([0.0, 0.0, -3.0], Collided, NOT);
    shell(false, true).check([0.0, 0.0, -3.0], Collided, NOT);
    // Its walls do, but not from behind (oddity a once more).
    shell(true, true).check([0.0, 0.0, 0.3], Adjusted, [0.0, 0.0, 0.18]);
    shell(true, true).check([0.0, 0.0, -0.3], Insert::Ok, NOT);
}

#[test]
fn a_push_out_of_a_scaled_tree_is_not_scaled() {
    let frame = Frame::at(Vec3::new(10.0, 0.0, 1.0));
    let put = Put { frame, scale: 2.0, ..Put::into(t1()) };
    // Half a radius of 0.24 too deep in the tree's own measure is 0.08 m in the world.
    put.check([10.0, 0.0, 1.4], Adjusted, [0.0, 0.0, 0.04]);
}

#[test]
fn a_push_out_of_a_turned_tree_is_turned_with_it() {
    let root = std::f32::consts::FRAC_1_SQRT_2;
    let rotation = Rotation::new(root, 0.0, 0.0, root);
    let put = Put { frame: Frame { origin: Vec3::ZERO, rotation }, ..Put::into(t2()) };
    put.check([0.0, 2.2, 1.0], Adjusted, [0.0, -0.68, 0.0]);
}

/// Puts a mover of two spheres somewhere, and says who was asked.
fn put(
    world: &World,
    mover: &Mover,
    at: Position,
    search: Search,
) -> (Outcome, Vec<(CellId, Insert)>) {
    let mut asked = Vec::new();
    let outcome =
        Sweeper::new(world).place(&mut SweepScratch::new(), &mut asked, mover, &at, search);
    (outcome, asked)
}

fn mover(spheres: &[Sphere]) -> Mover {
    Mover::new(MoverShape::new(spheres, 0.6, 1.5))
}

const MIDDLE: CellId = VOID;
const EAST: CellId = CellId(0xA9B4_0101);
const WEST: CellId = CellId(0xA9B4_0102);

/// A room 0.85 m long, wholly open to one in the east and one in the west, which are blocked from 5 cm behind
/// their openings.
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
fn a_mover_that_another_room_has_pushed_is_tried_once_more() {
    let child = mover(&[Sphere::new(Vec3::ZERO, 0.4)]);
    let (outcome, asked) = put(&pinch(), &child, place(MIDDLE, [0.6, 2.0, 1.0]), Search::Around);
    assert!(outcome.is_ok());
    let want = [(MIDDLE, Insert::Ok), (EAST, Adjusted), (MIDDLE, Insert::Ok), (EAST, Insert::Ok)];
    assert_eq!(asked[..4], want);
    check_near(outcome.position.frame.origin, [0.5, 2.0, 1.0], "out of the block in the east");
}

#[test]
fn a_mover_that_is_pushed_again_then_is_given_up() {
    let at = place(MIDDLE, [0.45, 2.0, 0.5]);
    let (outcome, asked) = put(&pinch(), &mover(&[FEET, HEAD]), at, Search::Around);
    let first = [(MIDDLE, Insert::Ok), (EAST, Adjusted)];
    let second = [(MIDDLE, Insert::Ok), (EAST, Insert::Ok), (WEST, Adjusted)];
    assert_eq!(asked, [&first[..], &second[..]].concat());
    assert_eq!(outcome.refused, Some(Refusal::NoRoom));
    assert_eq!((outcome.position, outcome.sub_steps), (at, 0), "nor is it looked for elsewhere");
    assert!(outcome.hit_environment && outcome.hit.is_none());
}

#[test]
fn what_has_been_met_is_forgotten_and_what_it_was_like_is_not() {
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
    // D3: values stay, and so do both marks of water and the cell of the last ground.
    assert_eq!((contact.plane.plane, contact.plane.cell), (level(3.0), CellId(0)));
    assert_eq!((contact.last_plane.plane, contact.last_plane.cell), (level(2.0), FIELD));
    assert!(contact.plane.water && contact.last_plane.water);
    assert_eq!((contact.sliding.normal, contact.hit.normal), (Vec3::X, Vec3::Y));
}

const CRATE: BodyId = BodyId(7);

/// The void, and a box of one metre in its middle.
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
fn walls_push_before_objects_are_asked() {
    let world = crate_in_the_void();
    let (outcome, asked) = put(&world, &mover(&[FEET, HEAD]), place(VOID, NOT), Search::Here);
    assert_eq!(asked, [(VOID, Insert::Ok), (VOID, Collided)]);
    assert_eq!(outcome.refused, Some(Refusal::NoRoom));
    let met = TouchedObject { object: ObjectId::body(CRATE), blocking: true };
    assert_eq!((&outcome.objects[..], outcome.hit_environment), (&[met][..], false));
}

#[test]
fn who_may_not_move_aside_has_one_try() {
    let world = crate_in_the_void();
    let sub_steps =
        |search| put(&world, &mover(&[FEET, HEAD]), place(VOID, NOT), search).0.sub_steps;
    assert_eq!(sub_steps(Search::Here), 1);
    // There, six places on the first ring, twelve on the second, and the first on the third.
    assert_eq!(sub_steps(Search::Around), 20);
}

#[test]
fn room_is_found_on_the_nearest_ring_first_in_the_north() {
    let world = crate_in_the_void();
    let (outcome, _) = put(&world, &mover(&[FEET, HEAD]), place(VOID, NOT), Search::Around);
    check_near(outcome.position.frame.origin, [0.0, 4.0 / 3.0, 0.0], "3 times 4/9 m");
    assert!(outcome.objects.is_empty() && outcome.hit.is_none(), "{outcome:?}");
    // Too large for any ring.
    let giant = mover(&[Sphere::new(Vec3::ZERO, 4.0)]);
    let (outcome, _) = put(&world, &giant, place(VOID, NOT), Search::Around);
    assert_eq!((outcome.refused, outcome.sub_steps), (Some(Refusal::NoRoom), 1));
}

#[test]
fn who_looks_around_in_vain_is_told_of_nothing() {
    // Retail oddity: every failed try forgets what it has met.
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
        let (outcome, _) = put(&world, &mover(&[FEET, HEAD]), place(VOID, NOT), search);
        assert_eq!(outcome.refused, Some(Refusal::NoRoom), "{search:?}");
        assert_eq!((outcome.objects.len(), outcome.sub_steps), (objects, sub_steps), "{search:?}");
    }
}

/// Something put `over` ground that rises so much on its first 24 m: whether it stands, and whether it walks.
#[track_caller]
fn check_stands(mover: &Mover, rise: f32, over: f32, want: [bool; 2]) {
    let world = land(|x, _| rise * x.min(1) as f32);
    let ground = rise * 5.0 / 24.0;
    let at = place(FIELD, [5.0, 9.0, ground + over]);
    let (outcome, _) = put(&world, mover, at, Search::Here);
    let input = format!("{over} m over a rise of {rise} m: {outcome:?}");
    assert!(outcome.is_ok(), "{input}");
    assert_eq!([outcome.stance.contact, outcome.stance.on_walkable], want, "{input}");
    let end = if want[0] { ground } else { ground + over };
    let off = (outcome.position.frame.origin - Vec3::new(5.0, 9.0, end)).abs().max_element();
    // Heights are told by planes that are steep.
    assert!(off < 2e-3, "{input}");
}

#[test]
fn who_is_put_over_the_ground_is_stood_on_it() {
    let two = mover(&[FEET, HEAD]);
    check_stands(&two, 0.0, 0.0, [true; 2]);
    check_stands(&two, 0.0, 1.49, [true; 2]);
    check_stands(&two, 0.0, 1.51, [false; 2]);
    // Who has no head looks no further down than half its radius.
    let one = mover(&[FEET]);
    check_stands(&one, 0.0, 0.23, [true; 2]);
    check_stands(&one, 0.0, 0.25, [false; 2]);
}

#[test]
fn what_is_steeper_than_85_degrees_is_no_ground() {
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
fn who_is_put_under_the_ground_is_lifted() {
    let world = flat(&[0xA9B4]);
    for (depth, search) in [(0.1, Search::Here), (3.0, Search::Here), (90.0, Search::Around)] {
        let at = place(FIELD, [12.0, 12.0, -depth]);
        let (outcome, asked) = put(&world, &mover(&[FEET, HEAD]), at, search);
        assert_eq!(asked[..2], [(FIELD, Adjusted), (FIELD, Insert::Ok)], "{depth}");
        check_near(outcome.position.frame.origin, [12.0, 12.0, 0.0], &depth.to_string());
        assert!(outcome.is_ok() && outcome.stance.on_walkable, "{outcome:?}");
        assert_eq!((outcome.hit, outcome.hit_environment), (Some(Vec3::Z), true), "{depth}");
    }
}

#[test]
fn what_a_mover_stood_on_and_slid_along_plays_no_part() {
    let world = flat(&[0xA9B4]);
    let at = place(FIELD, [12.0, 12.0, 5.0]);
    let fresh = mover(&[FEET, HEAD]);
    let mut used = fresh;
    used.stance = crate::mover::Stance::on(level(5.0), FIELD);
    (used.stance.sliding, used.stance.sliding_normal) = (true, Vec3::X);
    used.stance.stationary.stop = true;
    used.velocity = Vec3::new(0.0, 0.0, -9.0);
    let [a, b] = [fresh, used].map(|mover| put(&world, &mover, at, Search::Around).0);
    assert_eq!((a.position, a.stance, a.hit), (b.position, b.stance, b.hit));
    assert_eq!((a.stationary_fall, b.stationary_fall), (0, 0));
    assert!(!b.stance.contact);
}
