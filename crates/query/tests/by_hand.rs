//! Exact cases: doorways, borders, overlapping rooms, walls, edges, margins, starts inside.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::{FileKind, RecordSet, Source};
use threshold_forge::{
    Face, Forge, MOVER, MadeWorld, ObjectSpec, Opening, Plan, RoomSpec, samples,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation};
use threshold_query::{
    BoxOverlap, Cone, FirstHit, Hit, HitTarget, Launch, NearestObjects, ObjectKinds, ObjectShape,
    QueryError, QueryFilter, QueryScratch, Ray, SceneQuery, SphereOverlap,
};
use threshold_testkit::layouts::{self, A, B, C};
use threshold_testkit::{load_all, world_from};
use threshold_world::{BodyId, BodySpec, Builder, ObjectId, ObjectKind, PieceId, State, World};

fn at(cell: CellId, origin: [f32; 3]) -> Position {
    Position::new(cell, origin.into())
}

fn cast(world: &World, ray: &Ray, radius: f32, filter: &QueryFilter<'_>) -> FirstHit {
    let (scene, mut scratch) = (SceneQuery::new(world), QueryScratch::new());
    let first = scene.sphere_cast(&mut scratch, &ray.with_radius(radius), filter).unwrap();
    let mut all = Vec::new();
    let _ =
        scene.sphere_cast_all(&mut scratch, &ray.with_radius(radius), filter, &mut all).unwrap();
    assert_eq!(first.hit, all.first().copied());
    first
}

fn ray(world: &World, from: Position, direction: [f32; 3], length: f32) -> FirstHit {
    cast(world, &Ray::new(from, direction, length), 0.0, &QueryFilter::default())
}

#[track_caller]
fn check(hit: Option<Hit>, cell: CellId, distance: f32, normal: [f32; 3]) -> Hit {
    let hit = hit.expect("a hit");
    assert_eq!(hit.position.cell, cell, "{hit:?}");
    assert!((hit.distance - distance).abs() < 1e-3, "{hit:?}");
    assert!((hit.normal - Vec3::from(normal)).length() < 1e-3, "{hit:?}");
    hit
}

/// Three rooms in a row to the east, open to each other: 4 m, 4 m and 6 m long, 4 m wide, 3 m high.
fn row() -> World {
    world_from(layouts::row(&[4.0, 4.0, 6.0], &[]))
}

#[test]
fn a_ray_passes_doorways_and_hits_the_wall_of_the_third_room() {
    let got = ray(&row(), at(A, [1.0, 2.0, 1.0]), [1.0, 0.0, 0.0], 50.0);
    let hit = check(got.hit, C, 13.0, [-1.0, 0.0, 0.0]);
    assert!(matches!(hit.target, HitTarget::Room { cell: C, .. }));
    assert_eq!(hit.centre.cell, C);
    assert!(got.is_certain());
    let short = ray(&row(), at(A, [1.0, 2.0, 1.0]), [1.0, 0.0, 0.0], 5.0);
    assert_eq!((short.hit, short.extent.end.cell), (None, B));
    assert_eq!(short.extent.end.frame.origin, Vec3::new(6.0, 2.0, 1.0));
}

#[test]
fn the_polygon_that_is_named_is_the_one_that_was_hit() {
    let world = row();
    for direction in [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.1, 0.2]] {
        let hit = ray(&world, at(A, [1.0, 2.0, 1.0]), direction, 50.0).hit.unwrap();
        let HitTarget::Room { cell, polygon } = hit.target else { panic!("{hit:?}") };
        let room = world.room(cell).unwrap();
        let polygon = room.structure().physics.polygon(polygon);
        let local = room.to_local(hit.position.frame.origin);
        assert!(polygon.plane.distance(local).abs() < 1e-4 && polygon.contains(local));
        assert!((room.space().rows.to_global(polygon.plane.normal) - hit.normal).length() < 1e-4);
    }
}

#[test]
fn walls_without_a_portal_are_not_passed() {
    let world = row();
    let (scene, mut scratch, mut all) = (SceneQuery::new(&world), QueryScratch::new(), Vec::new());
    let across = Ray::new(at(B, [6.0, 2.0, 1.0]), [0.0, 1.0, 0.0], 50.0);
    let extent = scene.ray_all(&mut scratch, &across, &QueryFilter::default(), &mut all).unwrap();
    assert_eq!(all.len(), 1, "behind the wall is nothing: {all:?}");
    assert_eq!((extent.end.cell, extent.unknown), (B, None));
}

#[test]
fn rays_along_a_wall_and_without_length_hit_nothing() {
    let world = row();
    // In the plane of the north wall, and a little before it.
    for y in [4.0, 3.9999] {
        let got = ray(&world, at(A, [1.0, y, 1.0]), [1.0, 0.0, 0.0], 12.9);
        assert_eq!(got.hit, None);
    }
    let still = ray(&world, at(A, [1.0, 2.0, 1.0]), [0.0; 3], 0.0);
    assert_eq!((still.hit, still.extent.end.cell), (None, A));
    // On the wall, without length: into it and away from it.
    check(ray(&world, at(A, [1.0, 4.0, 1.0]), [0.0, 1.0, 0.0], 0.0).hit, A, 0.0, [0.0, -1.0, 0.0]);
    assert_eq!(ray(&world, at(A, [1.0, 4.0, 1.0]), [0.0, -1.0, 0.0], 0.0).hit, None);
}

#[test]
fn a_ray_into_the_corner_of_walls_hits_at_their_edge() {
    let hit = ray(&row(), at(A, [1.0, 1.0, 1.0]), [-1.0, -1.0, 0.0], 50.0).hit.unwrap();
    assert!((hit.distance - 2.0_f32.sqrt()).abs() < 1e-5, "{hit:?}");
    // Into the corner of three, and along the edge of the portal.
    let hit = ray(&row(), at(A, [1.0, 1.0, 1.0]), [-1.0, -1.0, -1.0], 50.0).hit.unwrap();
    assert!((hit.distance - 3.0_f32.sqrt()).abs() < 1e-5, "{hit:?}");
    let along = ray(&row(), at(A, [1.0, 1.0, 1.0]), [3.0, -1.0, 0.0], 50.0).hit.unwrap();
    assert!((along.distance - 10.0_f32.sqrt()).abs() < 1e-4, "{along:?}");
}

#[test]
fn walls_are_passed_from_behind_unless_both_sides_count() {
    let (world, outside) = (row(), at(A, [-2.0, 2.0, 1.0]));
    let both = QueryFilter { both_sides: true, ..QueryFilter::default() };
    let east = Ray::new(outside, [1.0, 0.0, 0.0], 3.0);
    assert_eq!(cast(&world, &east, 0.0, &QueryFilter::default()).hit, None);
    check(cast(&world, &east, 0.0, &both).hit, A, 2.0, [-1.0, 0.0, 0.0]);
    check(cast(&world, &east, 0.5, &both).hit, A, 1.5, [-1.0, 0.0, 0.0]);
}

#[test]
fn a_sphere_stops_a_radius_before_the_wall_and_rolls_along_the_floor() {
    let world = row();
    let filter = QueryFilter::default();
    let path = Ray::new(at(A, [1.0, 2.0, 0.5]), [1.0, 0.0, 0.0], 50.0);
    let hit = check(cast(&world, &path, 0.5, &filter).hit, C, 12.5, [-1.0, 0.0, 0.0]);
    assert_eq!(hit.position.frame.origin, Vec3::new(14.0, 2.0, 0.5));
    assert_eq!(hit.centre.frame.origin, Vec3::new(13.5, 2.0, 0.5));
    // Sunk into the floor it still rolls, but does not go deeper.
    let sunk = Ray { from: at(A, [1.0, 2.0, 0.3]), ..path };
    check(cast(&world, &sunk, 0.5, &filter).hit, C, 12.5, [-1.0, 0.0, 0.0]);
    let down = Ray { direction: Vec3::NEG_Z, ..sunk };
    assert!(check(cast(&world, &down, 0.5, &filter).hit, A, 0.0, [0.0, 0.0, 1.0]).initial);
}

/// A room contains points up to 0.2 mm behind its portals. At a flat angle the line of a cast that starts there meets the
/// portal much more than 0.2 mm before the start: such a cast stayed in the room, outside of all its walls.
#[test]
fn a_start_a_hair_behind_a_portal_passes_it_at_any_angle() {
    let world = row();
    let from = at(A, [4.0001, 1.0, 1.0]);
    assert!(world.room(A).unwrap().contains(from.frame.origin));
    for slope in [0.0001, 0.05, 1.0] {
        let aside = 1.0_f32.hypot(slope);
        let hit = ray(&world, from, [slope, 1.0, 0.0], 50.0).hit;
        assert_eq!(check(hit, B, 3.0 * aside, [0.0, -1.0, 0.0]).centre.cell, B);
        let launch = Launch::new(from, [slope * 10.0, 10.0, 0.0]);
        let (scene, filter) = (SceneQuery::new(&world), QueryFilter::default());
        let flight = scene.arc(&mut QueryScratch::new(), &launch, &filter).unwrap();
        assert!(matches!(flight.hit.unwrap().target, HitTarget::Room { cell: B, .. }));
        assert!((flight.time - 0.3).abs() < 1e-3, "{flight:?}");
    }
    // Back into the room, and from farther behind: it stays.
    let back = ray(&world, from, [-0.05, 1.0, 0.0], 50.0);
    check(back.hit, A, 3.0 * 1.0_f32.hypot(0.05), [0.0, -1.0, 0.0]);
    let farther = ray(&world, at(A, [4.0003, 1.0, 1.0]), [0.05, 1.0, 0.0], 50.0);
    assert_eq!((farther.hit, farther.extent.end.cell), (None, A));
    // Out of the door of a building, and in.
    let (records, [land, hall, _]) = layouts::hut();
    let hut = world_from(records);
    let out = ray(&hut, at(hall, [86.0001, 84.0, 1.5]), [0.05, 1.0, 0.0], 5.0);
    assert_eq!((out.hit, out.extent.end.cell), (None, land));
    let into = ray(&hut, at(land, [85.9999, 84.0, 1.5]), [-0.05, 1.0, 0.0], 5.0);
    check(into.hit, hall, 2.0 * 1.0_f32.hypot(0.05), [0.0, -1.0, 0.0]);
}

/// A hall with a porch in the east, open to each other.
fn hall_and_porch() -> MadeWorld {
    let mut plan = Plan::new();
    let hall = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [8.0, 4.0, 3.0]));
    let porch = plan.room(RoomSpec::cuboid([8.0, 0.0, 0.0], [12.0, 4.0, 3.0]));
    plan.join(hall, porch, Opening::whole(Face::EAST));
    let mut forge = Forge::new();
    forge.block(layouts::DEPTHS).dungeon(Frame::IDENTITY, plan);
    forge.finish().unwrap()
}

#[test]
fn a_room_that_overlaps_without_a_portal_is_not_hit() {
    // The porch is moved onto the hall, and its portal away: two rooms at one place.
    let mut records: RecordSet = hall_and_porch().into_records();
    threshold_testkit::edit_room(&mut records, A, |room| room.portals.clear());
    threshold_testkit::edit_room(&mut records, B, |room| {
        room.portals.clear();
        room.position.origin.x -= 6.0;
    });
    let world = world_from(records);
    assert!(world.room(B).unwrap().contains(Vec3::new(4.0, 2.0, 1.0)));
    let east = [1.0, 0.0, 0.0];
    // The hall has lost its east wall with the portal: nothing stops the ray.
    assert_eq!(ray(&world, at(A, [4.0, 2.0, 1.0]), east, 50.0).hit, None);
    check(ray(&world, at(B, [4.0, 2.0, 1.0]), east, 50.0).hit, B, 2.0, [-1.0, 0.0, 0.0]);
    let (scene, mut scratch, mut hits) = (SceneQuery::new(&world), QueryScratch::new(), Vec::new());
    let ball = SphereOverlap { at: at(A, [4.0, 2.0, 1.0]), radius: 2.5 };
    let _ = scene.sphere_overlaps(&mut scratch, &ball, &QueryFilter::default(), &mut hits).unwrap();
    assert!(!hits.is_empty() && hits.iter().all(|hit| hit.position.cell == A), "{hits:?}");
}

#[test]
fn a_ray_leaves_the_hut_and_crosses_the_border_of_the_landblock() {
    let (mut records, [land, hall, closet]) = layouts::hut();
    let east = layouts::plain(&[0xAAB4]).finish().unwrap().into_records();
    let (file, id) = (FileKind::Cell, BlockId(0xAAB4).as_cell().into());
    records.put_bytes(file, id, east.read(file, id, &mut Vec::new()).unwrap().unwrap().to_vec());
    let world = world_from(records);
    // From the closet through the hall, out of its open east wall, down onto the ground.
    let slope = [110.0, 0.0, -1.5];
    let got = ray(&world, at(closet, [81.0, 84.0, 1.5]), slope, 500.0);
    let hit = got.hit.unwrap();
    let border = CellId(0xA9B4_003C);
    assert_eq!(hit.position.cell, border, "{hit:?}");
    assert!(matches!(hit.target, HitTarget::Ground { cell, .. } if cell == border));
    assert!((hit.position.frame.origin - Vec3::new(191.0, 84.0, 0.0)).length() < 0.01);
    let far = ray(&world, at(closet, [81.0, 84.0, 1.5]), [130.0, 0.0, -1.5], 500.0).hit.unwrap();
    assert_eq!(far.position.cell, CellId(0xAAB4_0004), "{far:?}");
    assert!((far.position.frame.origin - Vec3::new(19.0, 84.0, 0.0)).length() < 0.01, "{far:?}");
    // And back in: through the open wall into the hall, over the floor of the closet.
    let back = ray(&world, at(CellId(0xA9B4_0031), [150.0, 84.0, 1.5]), [-1.0, 0.0, 0.0], 500.0);
    let hit = check(back.hit, closet, 70.0, [1.0, 0.0, 0.0]);
    assert!(matches!(hit.target, HitTarget::Room { .. }));
    // Beside the opening the shell stops it.
    let beside = ray(&world, at(land, [84.0, 90.0, 1.5]), [0.0, -1.0, 0.0], 50.0).hit.unwrap();
    assert!(matches!(beside.target, HitTarget::Shell { .. }), "{beside:?}");
    let _ = hall;
}

/// The hut without one of its pieces.
fn without(piece: PieceId) -> (World, [CellId; 3]) {
    let (records, cells) = layouts::hut();
    let builder = Builder::new(records);
    let mut world = World::new();
    for other in builder.pieces().into_iter().filter(|other| *other != piece) {
        world.adopt(builder.build(other).unwrap().unwrap().piece);
    }
    (world, cells)
}

#[test]
fn cells_that_are_not_resident_are_unknown_and_no_error() {
    let (_, [_, hall, closet]) = layouts::hut();
    let (world, _) = without(PieceId::Room(closet));
    let got = ray(&world, at(hall, [84.0, 84.0, 1.5]), [-1.0, 0.0, 0.0], 50.0);
    let unknown = got.extent.unknown.unwrap();
    assert_eq!((unknown.cell, got.hit), (closet, None));
    assert!((unknown.distance - 2.0).abs() < 1e-3 && !got.is_certain());
    let (world, _) = without(PieceId::Land(BlockId(0xA9B4)));
    let got = ray(&world, at(hall, [84.0, 84.0, 1.5]), [1.0, 0.0, 0.0], 50.0);
    assert_eq!(got.extent.unknown.map(|it| it.cell), Some(CellId(0xA9B4_001C)));
    let (world, _) = without(PieceId::Room(hall));
    // From outdoors the place of the door is unknown; a ray past the hut is certain all the same.
    let street = at(CellId(0xA9B4_0024), [100.0, 84.0, 1.5]);
    assert!(!ray(&world, street, [-1.0, 0.0, 0.0], 50.0).is_certain());
    assert!(ray(&world, street, [0.0, 1.0, 0.0], 20.0).is_certain());
    let nowhere = ray(&World::new(), street, [1.0, 0.0, 0.0], 5.0);
    assert_eq!(nowhere.extent.unknown.map(|it| it.distance), Some(0.0));
}

/// Level ground with a crate, and a creature with two spheres, of 0.48 m radius.
fn with_creature(state: State) -> World {
    let mut forge = layouts::plain(&[0xA9B4]);
    let cuboid = forge.object(ObjectSpec::cuboid([2.0; 3]));
    forge.block(BlockId(0xA9B4)).put(cuboid, Frame::at(Vec3::new(110.0, 84.0, 0.0)));
    let builder = Builder::new(forge.finish().unwrap());
    let mut world = load_all(&builder);
    let setup = builder.setup(MOVER).unwrap();
    let position = at(CellId(0xA9B4_0024), [100.0, 84.0, 0.0]);
    let (body, kind) = (BodyId(5), ObjectKind::Creature);
    world.insert(BodySpec { body, setup, position, scale: 1.0, state, kind });
    world
}

const CREATURE: ObjectId = ObjectId::body(BodyId(5));

#[test]
fn objects_are_filtered_by_kind_state_and_id() {
    let world = with_creature(State::GRAVITY);
    let path = Ray::new(at(CellId(0xA9B4_0024), [97.0, 84.0, 0.5]), [1.0, 0.0, 0.0], 50.0);
    let hit = |filter: QueryFilter<'_>| {
        cast(&world, &path, 0.0, &filter).hit.and_then(|hit| hit.target.object())
    };
    let all = QueryFilter::default();
    let the_crate = hit(QueryFilter { except: &[CREATURE], ..all }).unwrap();
    assert_ne!(the_crate, CREATURE);
    assert_eq!(hit(all), Some(CREATURE));
    assert_eq!(hit(QueryFilter::objects(ObjectKinds::CREATURES)), Some(CREATURE));
    assert_eq!(hit(QueryFilter::objects(ObjectKinds::PLAYERS)), None);
    assert_eq!(hit(QueryFilter::objects(ObjectKinds::STATIC)), Some(the_crate));
    assert_eq!(hit(QueryFilter { only: Some(&[the_crate]), ..all }), Some(the_crate));
    assert_eq!(hit(QueryFilter { required: State::GRAVITY, ..all }), Some(CREATURE));
    assert_eq!(hit(QueryFilter { forbidden: State::GRAVITY, ..all }), Some(the_crate));
    assert_eq!(hit(QueryFilter::surfaces()), None);
}

#[test]
fn ethereal_objects_count_only_if_asked_for() {
    let world = with_creature(State::ETHEREAL);
    let path = Ray::new(at(CellId(0xA9B4_0024), [97.0, 84.0, 0.5]), [1.0, 0.0, 0.0], 5.0);
    assert_eq!(cast(&world, &path, 0.0, &QueryFilter::default()).hit, None);
    let ghosts = QueryFilter { forbidden: State(0), ..QueryFilter::default() };
    assert!(cast(&world, &path, 0.0, &ghosts).hit.is_some());
}

#[test]
fn casts_that_start_inside_an_object_hit_it_at_once() {
    let world = with_creature(State(0));
    let inside = at(CellId(0xA9B4_0024), [100.1, 84.0, 0.5]);
    for direction in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] {
        let hit = ray(&world, inside, direction, 5.0).hit.unwrap();
        assert!(hit.initial && hit.distance == 0.0 && hit.target.object() == Some(CREATURE));
        assert!(matches!(hit.target, HitTarget::Object { shape: ObjectShape::Sphere(0), .. }));
    }
    // A sphere that overlaps it from outside may leave it, but not come nearer.
    let beside = at(CellId(0xA9B4_0024), [100.8, 84.0, 0.5]);
    let sphere = |direction: [f32; 3]| {
        cast(&world, &Ray::new(beside, direction, 5.0), 0.4, &QueryFilter::default()).hit
    };
    assert_eq!(sphere([1.0, 0.0, 0.0]), None);
    assert!(sphere([-1.0, 0.0, 0.0]).unwrap().initial);
    // Inside the crate, a hollow of polygons, it meets no face from the front.
    assert_eq!(
        ray(&world, at(CellId(0xA9B4_0024), [110.0, 84.0, 1.0]), [1.0, 0.0, 0.0], 5.0).hit,
        None
    );
}

#[test]
fn the_rim_of_a_cylinder_is_met_outside_of_its_bounding_sphere() {
    let mut forge = layouts::plain(&[0xA9B4]);
    let pillar = forge.object(ObjectSpec::Cylinder { radius: 1.0, height: 1.0 });
    forge.block(BlockId(0xA9B4)).put(pillar, Frame::at(Vec3::new(110.0, 84.0, 0.0)));
    let world = world_from(forge.finish().unwrap());
    // A sphere of two metres whose centre passes the corner at 3 m beside and 3 m above the middle of the bottom.
    let from = at(CellId(0xA9B4_0024), [107.05, 70.0, 2.95]);
    let path = Ray::new(from, [0.0, 1.0, 0.0], 30.0);
    let objects = QueryFilter::objects(ObjectKinds::ALL);
    let hit = cast(&world, &path, 2.0, &objects).hit.unwrap();
    assert!(matches!(hit.target, HitTarget::Object { shape: ObjectShape::Cylinder(0), .. }));
}

#[test]
fn cones_nearest_objects_and_boxes_name_what_they_hold() {
    let world = with_creature(State(0));
    let (scene, mut scratch, mut hits) = (SceneQuery::new(&world), QueryScratch::new(), Vec::new());
    let from = at(CellId(0xA9B4_0024), [104.0, 84.0, 0.5]);
    let filter = QueryFilter::default();
    let nearest = NearestObjects { at: from, radius: 20.0, count: 9 };
    let _ = scene.nearest(&mut scratch, &nearest, &filter, &mut hits).unwrap();
    let objects: Vec<_> = hits.iter().map(|hit| hit.target.object().unwrap()).collect();
    assert_eq!((objects.len(), objects[0]), (2, CREATURE));
    assert!(
        (hits[0].distance - 3.52).abs() < 1e-2 && (hits[1].distance - 5.0).abs() < 1e-3,
        "{hits:?}"
    );
    let _ = scene
        .nearest(&mut scratch, &NearestObjects { count: 1, ..nearest }, &filter, &mut hits)
        .unwrap();
    assert_eq!(hits.len(), 1);
    let mut cone = Cone { from, direction: Vec3::X, length: 10.0, half_angle: 20.0 };
    let mut held = |cone: &Cone| {
        let _ = scene.cone(&mut scratch, cone, &filter, &mut hits).unwrap();
        hits.iter().filter_map(|hit| hit.target.object()).collect::<Vec<_>>()
    };
    assert_eq!(held(&cone), [objects[1]]);
    cone.direction = Vec3::NEG_X;
    assert_eq!(held(&cone), [CREATURE]);
    cone.direction = Vec3::Y;
    assert_eq!(held(&cone), []);
    cone.length = 5.5;
    cone.half_angle = 90.0;
    cone.direction = Vec3::X;
    assert_eq!(held(&cone), [objects[1]]);
    let mut place = at(CellId(0xA9B4_0024), [102.0, 84.0, 1.0]);
    place.frame.rotation = Rotation::from_heading(45.0);
    let mut shape = BoxOverlap { at: place, half: Vec3::splat(0.9) };
    let first = |shape: &BoxOverlap| {
        scene
            .box_overlap(&mut QueryScratch::new(), shape, &QueryFilter::objects(ObjectKinds::ALL))
            .unwrap()
    };
    assert_eq!(first(&shape).hit, None);
    shape.half = Vec3::splat(1.2); // its corner reaches 1.7 m to the west
    assert_eq!(first(&shape).hit.and_then(|hit| hit.target.object()), Some(CREATURE));
}

#[test]
fn a_missile_falls_by_retails_gravity() {
    assert_eq!(threshold_query::GRAVITY, -threshold_motion::GRAVITY);
    let world = with_creature(State(0));
    let (scene, mut scratch) = (SceneQuery::new(&world), QueryScratch::new());
    let from = at(CellId(0xA9B4_0024), [100.0, 60.0, 1.0]);
    let launch = Launch::new(from, [0.0, -10.0, 10.0]);
    let flight = scene.arc(&mut scratch, &launch, &QueryFilter::default()).unwrap();
    let time = (10.0 + (100.0_f32 + 2.0 * 9.8).sqrt()) / 9.8;
    assert!((flight.time - time).abs() < 1e-3, "{flight:?}");
    let hit = flight.hit.unwrap();
    // Over the southern border of the land cell and of the next.
    let y = 60.0 - 10.0 * time;
    assert!((hit.position.frame.origin - Vec3::new(100.0, y, 0.0)).length() < 0.01, "{hit:?}");
    assert!(matches!(hit.target, HitTarget::Ground { cell, .. } if cell == hit.position.cell));
    assert!((flight.velocity - Vec3::new(0.0, -10.0, 10.0 - 9.8 * time)).length() < 0.01);
    // At the creature, over its head, and with the head of a spear in it.
    let aimed = Launch::new(at(CellId(0xA9B4_0024), [98.0, 84.0, 1.0]), [20.0, 0.0, 1.0]);
    let struck = |launch: &Launch| {
        let flight = scene.arc(&mut QueryScratch::new(), launch, &QueryFilter::default()).unwrap();
        flight.hit.and_then(|hit| hit.target.object())
    };
    assert_eq!(struck(&aimed), Some(CREATURE));
    let over = Launch { velocity: Vec3::new(10.0, 0.0, 9.0), ..aimed };
    assert_ne!(struck(&over), Some(CREATURE));
    let thick = Launch { radius: 0.3, from: at(CellId(0xA9B4_0024), [98.0, 84.7, 1.0]), ..aimed };
    assert_eq!(struck(&thick), Some(CREATURE));
    assert_ne!(struck(&Launch { radius: 0.0, ..thick }), Some(CREATURE));
    let mut all = Vec::new();
    let _ = scene.arc_all(&mut scratch, &aimed, &QueryFilter::default(), &mut all).unwrap();
    let names: Vec<_> = all.iter().map(|hit| hit.target).collect();
    assert!(names.len() >= 2 && all.is_sorted_by(|a, b| a.distance <= b.distance), "{all:?}");
    let straight = Launch { gravity: 0.0, time: 1.0, ..aimed };
    let flight = scene.arc(&mut scratch, &straight, &QueryFilter::surfaces()).unwrap();
    assert_eq!((flight.hit, flight.time), (None, 1.0));
    assert!((flight.end.frame.origin - Vec3::new(118.0, 84.0, 2.0)).length() < 1e-4);
}

#[test]
fn an_arc_goes_through_a_doorway_and_lands_in_the_next_room() {
    let world = row();
    let launch = Launch::new(at(A, [1.0, 2.0, 1.0]), [6.0, 0.0, 2.0]);
    let flight = SceneQuery::new(&world)
        .arc(&mut QueryScratch::new(), &launch, &QueryFilter::default())
        .unwrap();
    let hit = flight.hit.unwrap();
    let time = (2.0 + (4.0_f32 + 19.6).sqrt()) / 9.8;
    check(Some(hit), B, hit.distance, [0.0, 0.0, 1.0]);
    assert!((flight.time - time).abs() < 1e-3 && flight.end.cell == B, "{flight:?}");
}

#[test]
fn what_makes_no_sense_is_refused_with_its_reason() {
    let world = World::new();
    let (scene, mut scratch) = (SceneQuery::new(&world), QueryScratch::new());
    let filter = QueryFilter::default();
    let good = Ray::new(at(A, [1.0, 2.0, 1.0]), [1.0, 0.0, 0.0], 1.0);
    let mut refuse = |ray: Ray, text: &str| {
        let error = scene.ray(&mut scratch, &ray, &filter).unwrap_err();
        assert_eq!(error.to_string(), text);
    };
    refuse(Ray { direction: Vec3::NAN, ..good }, "the direction is not finite");
    refuse(Ray { direction: Vec3::ZERO, ..good }, "the direction is zero");
    refuse(Ray { length: f32::INFINITY, ..good }, "the length is not finite");
    refuse(Ray { length: -1.0, ..good }, "the length is -1, and must be from 0 to 100000");
    refuse(Ray { from: at(A, [f32::NAN, 0.0, 0.0]), ..good }, "the position is not finite");
    refuse(Ray { from: at(CellId(0xA9B4_0050), [0.0; 3]), ..good }, "0xA9B40050 is not a cell");
    refuse(Ray { from: at(CellId(0xA9B4_FFFF), [0.0; 3]), ..good }, "0xA9B4FFFF is not a cell");
    let off = at(CellId(0x0001_0001), [-1.0, 0.0, 0.0]);
    refuse(Ray { from: off, ..good }, "the position in 0x00010001 is not on the map");
    let cone = Cone { from: good.from, direction: Vec3::X, length: 1.0, half_angle: 91.0 };
    let error = scene.cone(&mut scratch, &cone, &filter, &mut Vec::new()).unwrap_err();
    assert_eq!(error, QueryError::OutOfRange { what: "half angle", value: 91.0, max: 90.0 });
    let mut turned = good.from;
    turned.frame.rotation = Rotation::new(0.0, 0.0, 0.0, 0.0);
    let shape = BoxOverlap { at: turned, half: Vec3::ONE };
    assert_eq!(scene.box_overlap(&mut scratch, &shape, &filter), Err(QueryError::InvalidRotation));
}

#[test]
fn houses_on_the_border_of_a_landblock_are_entered_from_the_other_side() {
    let world = world_from(samples::border_houses().unwrap());
    let mut entered = 0;
    for door in threshold_testkit::doorway::doorways(&world)
        .iter()
        .filter(|door| door.is_exit() && !door.is_walled)
    {
        let outside = door.sill + door.outward * 1.5 + Vec3::Z;
        let Some((cell, origin)) = threshold_land::adjust_to_outside(door.room, outside) else {
            continue;
        };
        let inwards = Ray::new(Position::new(cell, origin), -door.outward, 2.0);
        let got = cast(&world, &inwards, 0.0, &QueryFilter::surfaces());
        assert_eq!(got.extent.end.cell, door.room, "{door}: {got:?}");
        entered += usize::from(cell.block() != door.room.block());
    }
    assert!(entered > 0, "no door opens into another landblock");
}
