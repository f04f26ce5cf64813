//! Dropped bodies come to rest exactly on the surface below and stay there.
//!
//! They stand for a million ticks; with `THRESHOLD_SOAK` set, for ten million.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::sync::Arc;
use threshold_testkit::{
    Walk,
    clock::{BLOCK, TICK, slope, update},
    layouts::{A, dungeon, plain, ramp},
};

use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec, Shape};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Plane, outside_lcoord};
use threshold_motion::{Event, Gait, UpdateReport};
use threshold_world::{BodySpec, Setup};

/// Height of a drop, in metres.
const DROP_HEIGHT: f32 = 50.0;
/// Greatest distance of a resting body from its surface, in metres.
const TOLERANCE: f32 = 0.001;

/// Spheres of a dropped body.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SphereCount {
    /// The usual mover.
    Two,
    /// The usual mover without its head.
    One,
}

/// Returns a body of one or two spheres at a position.
fn spec(walk: &Walk, spheres: SphereCount, cell: u32, at: [f32; 3]) -> BodySpec {
    let usual = walk.spec(cell, at);
    if spheres == SphereCount::Two {
        return usual;
    }
    let feet = [usual.setup.spheres[0]].into();
    BodySpec { setup: Arc::new(Setup { spheres: feet, ..(*usual.setup).clone() }), ..usual }
}

fn tick(walk: &mut Walk) -> UpdateReport {
    let now = walk.body.clock + f64::from(TICK);
    update(walk, now)
}

/// Updates the body until it sleeps. Returns whether it has landed.
#[track_caller]
fn settle(walk: &mut Walk) -> bool {
    let mut landed = false;
    for _ in 0..3000 {
        let updated = tick(walk);
        landed |= updated.events.iter().any(|event| matches!(event, Event::Landed { .. }));
        if !walk.body.awake {
            return landed;
        }
    }
    panic!("still awake at {:?}: {:?}", walk.position(), walk.body);
}

/// Returns the land cell of the landblock at a point.
fn cell_at(x: f32, y: f32) -> u32 {
    outside_lcoord(BLOCK.as_cell(), [x, y].into()).unwrap().cell().0
}

/// Returns the lowest point of the feet.
fn low_point(walk: &Walk) -> Vec3 {
    walk.centre() - Vec3::Z * walk.world.body(walk.body.id).unwrap().setup().spheres[0].radius
}

/// Returns the distance of the feet from a plane.
fn gap(walk: &Walk, plane: Plane) -> f32 {
    plane.distance(walk.centre()) - 0.48
}

/// Drops a body of each shape onto a point. `off` measures its distance from the surface.
#[track_caller]
fn check(walk: &mut Walk, cell: u32, onto: [f32; 3], off: impl Fn(&Walk) -> f32) {
    for spheres in [SphereCount::Two, SphereCount::One] {
        let [x, y, z] = onto;
        walk.put(spec(walk, spheres, cell, [x, y, z + DROP_HEIGHT]));
        let landed = settle(walk);
        let (stance, off) = (walk.body.stance, off(walk));
        let rests = stance.contact && stance.on_walkable && walk.body.velocity == Vec3::ZERO;
        assert!(
            landed && rests && off.abs() <= TOLERANCE,
            "{spheres:?} onto {onto:?}: {off} m off at {:?}: {:?}",
            walk.position(),
            walk.body
        );
    }
}

/// Checks landings on terrain at points, each in the frame of the landblock of its cell.
#[track_caller]
fn check_terrain(mut forge: Forge, points: &[(u32, [f32; 2])]) {
    let mut walk = Walk::from_source(forge.clone().finish().unwrap());
    for (cell, [x, y]) in points {
        let height = forge.block(CellId(*cell).block()).ground([*x, *y]).unwrap();
        let off = |walk: &Walk| {
            let (low, block) = (low_point(walk), walk.cell().block());
            low.z - forge.clone().block(block).ground(low.truncate()).unwrap()
        };
        check(&mut walk, *cell, [*x, *y, height], off);
    }
}

#[test]
fn bodies_land_on_level_ground() {
    check_terrain(plain(&[BLOCK.0]), &[(0xA9B4_0001, [12.0, 12.0]), (0xA9B4_0025, [96.1, 108.9])]);
}

/// Slopes of 5 to 45 degrees.
#[test]
fn bodies_land_on_slopes() {
    for rise in [1, 3, 6, 9, 12] {
        check_terrain(slope(rise), &[(0xA9B4_0019, [84.0, 12.0]), (0xA9B4_002C, [130.3, 77.7])]);
    }
}

/// Above the cuts and corners of land cells, on hills and in hollows.
#[test]
fn bodies_land_on_the_seams_of_the_terrain() {
    let mut forge = plain(&[]);
    forge.block(BLOCK).heights(|x, y| 20 + 3 * ((x + 2 * y) % 3) + (x * y) % 4);
    let cells: Vec<(u32, [f32; 2])> = (1..7)
        .flat_map(|x: u8| (1..7).map(move |y: u8| (x, y)))
        .flat_map(|(x, y)| {
            let cell = 0xA9B4_0001 + 8 * u32::from(x) + u32::from(y);
            let at =
                |dx: f32, dy: f32| (cell, [24.0 * (f32::from(x) + dx), 24.0 * (f32::from(y) + dy)]);
            [at(0.5, 0.5), at(0.25, 0.25), at(0.25, 0.75), at(0.0, 0.0), at(0.5, 0.0)]
        })
        .collect();
    check_terrain(forge, &cells);
}

#[test]
fn bodies_land_on_the_borders_of_landblocks() {
    let mut forge = plain(&[]);
    let blocks = [(0xA8, 0xB3), (0xA9, 0xB3), (0xA8, 0xB4), (0xA9, 0xB4)];
    for (block_x, block_y) in blocks {
        let height = move |x: i32, y: i32| {
            let (east, north) = (8 * (block_x - 0xA8) + x, 8 * (block_y - 0xB3) + y);
            40 - (east - 8).abs() + 2 * (north - 8)
        };
        let id = (block_x << 8) | block_y;
        forge.block(BlockId(u16::try_from(id).unwrap())).heights(height);
    }
    let points = [
        (0xA9B4_0001, [0.0, 0.0]),
        (0xA9B4_0001, [0.01, 7.0]),
        (0xA9B4_0001, [13.0, 0.0]),
        (0xA8B3_0040, [191.99, 191.99]),
        (0xA8B3_0040, [191.7, 170.0]),
        (0xA9B3_0010, [40.0, 191.95]),
        (0xA8B4_0039, [191.6, 0.3]),
    ];
    check_terrain(forge, &points);
}

/// Feet sink as deep as the water is at their point.
#[test]
fn bodies_land_in_shallow_water() {
    let mut forge = plain(&[]);
    // A pond of two cells by two, all of whose corners are water, and a shore round it.
    let wet = |v: i32| (3..=5).contains(&v);
    forge.block(BLOCK).terrain(|x, y| if wet(x) && wet(y) { 17 } else { 1 });
    let mut walk = Walk::from_source(forge.finish().unwrap());
    for (x, y, depth) in [
        (84.0, 84.0, 0.9),
        (70.0, 84.0, 0.45),
        (52.0, 84.0, 0.1),
        (140.0, 140.0, 0.1),
        (9.0, 9.0, 0.0),
    ] {
        check(&mut walk, cell_at(x, y), [x, y, 0.0], |walk| low_point(walk).z + depth);
        assert_eq!(walk.body.stance.water, depth > 0.0, "at {x}, {y}");
    }
}

/// A hall 60 m high, and a chamber under a shaft of that depth.
#[test]
fn bodies_land_on_the_floors_of_rooms() {
    let mut plan = Plan::new();
    plan.room(RoomSpec::cuboid([0.0, 0.0, 2.0], [6.0, 6.0, 62.0]));
    let chamber = plan.room(RoomSpec::cuboid([10.0, 0.0, -3.0], [20.0, 10.0, 0.5]));
    let shaft = plan.room(RoomSpec::cuboid([14.0, 4.0, 0.5], [16.0, 6.0, 60.0]));
    plan.join(shaft, chamber, Opening::whole(Face::Floor));
    let mut walk = Walk::from_source(dungeon(plan));
    check(&mut walk, A.0, [3.0, 3.0, 2.0], |walk| low_point(walk).z - 2.0);
    // At the wall, too.
    check(&mut walk, A.0, [0.5, 5.5, 2.0], |walk| low_point(walk).z - 2.0);
    let (shaft, chamber) = (A.0 + 2, CellId(A.0 + 1));
    for (x, y) in [(15.0, 5.0), (14.49, 5.0), (15.4, 4.6)] {
        check(&mut walk, shaft, [x, y, -3.0], |walk| low_point(walk).z + 3.0);
        assert_eq!(walk.cell(), chamber);
    }
}

/// Stairs in a hall: depth and height of a step, in metres.
#[derive(Clone, Copy, Debug)]
struct Stairs {
    deep: f32,
    high: f32,
}

impl Stairs {
    const STEPS: u8 = 8;

    fn walk(self) -> Walk {
        let mut room = RoomSpec::cuboid([0.0, 0.0, 0.0], [14.0, 4.0, 70.0]);
        for (low, high) in self.blocks() {
            room = room.block(Shape::cuboid(low, high));
        }
        let mut plan = Plan::new();
        plan.room(room);
        Walk::from_source(dungeon(plan))
    }

    /// Returns opposite corners of the blocks of the stairs.
    fn blocks(self) -> impl Iterator<Item = (Vec3, Vec3)> {
        (0..Self::STEPS).map(move |step| {
            let low = Vec3::new(2.0 + self.deep * f32::from(step), 2.0, 0.0);
            (low, Vec3::new(14.0, 4.0, self.high * f32::from(step + 1)))
        })
    }

    /// Returns the point on a tread after a number of steps, which may be fractional.
    fn tread(self, along: f32) -> [f32; 3] {
        [2.0 + self.deep * along, 3.0, self.high * (along.floor() + 1.0)]
    }

    /// Returns the distance of the feet from a tread or the floor. They may stick out over the edge.
    fn off(self, walk: &Walk) -> f32 {
        let low = low_point(walk);
        let below = self.blocks().filter(|(corner, _)| low.x > corner.x - 0.48);
        let treads = below.map(|(_, corner)| low.z - corner.z);
        treads.fold(low.z, |min, off| if off.abs() < min.abs() { off } else { min })
    }

    /// Returns the distance of the feet from the stairs.
    fn apart(self, walk: &Walk) -> f32 {
        let centre = walk.centre();
        let apart = self.blocks().map(|(low, high)| centre.distance(centre.clamp(low, high)));
        apart.fold(f32::INFINITY, f32::min) - 0.48
    }
}

#[test]
fn bodies_land_on_stairs() {
    for (deep, high) in [(1.2, 0.4), (0.4, 0.28), (0.4, 0.4), (0.6, 0.3)] {
        let stairs = Stairs { deep, high };
        let mut walk = stairs.walk();
        for along in [0.5, 1.5, 4.5, 6.5] {
            check(&mut walk, A.0, stairs.tread(along), |walk| stairs.off(walk));
        }
    }
    // Narrow stairs, at every part of a step.
    let stairs = Stairs { deep: 0.3, high: 0.25 };
    let mut walk = stairs.walk();
    for number in 0_u8..70 {
        let onto = stairs.tread(f32::from(number) / 10.0);
        check(&mut walk, A.0, onto, |walk| stairs.off(walk));
    }
}

/// A body that meets the edge of a step beside its middle can land neither on it nor on the step below. It is held in
/// place: on a level plane through its lowest point, as far from the edge as a body falls in its first tick at
/// most.
///
/// Retail: `frames_stationary_fall`, O26.
#[test]
fn a_fall_onto_the_edge_of_a_step_ends_there() {
    let stairs = Stairs { deep: 0.9, high: 0.4 };
    let mut walk = stairs.walk();
    let mut held = 0;
    for number in 0_u8..70 {
        let [x, y, z] = stairs.tread(f32::from(number) / 10.0);
        walk.put_in_air(A.0, [x, y, z + 2.0]);
        settle(&mut walk);
        let (low, stance) = (low_point(&walk), walk.body.stance);
        assert!(stance.on_walkable && stance.plane.normal == Vec3::Z, "{x}: {stance:?}");
        assert!(stance.plane.distance(low).abs() < TOLERANCE, "{x}: {stance:?}");
        if stairs.off(&walk).abs() > TOLERANCE {
            let apart = stairs.apart(&walk);
            assert!((-TOLERANCE..0.0055).contains(&apart), "{x}: {apart} m from any edge");
            held += 1;
        }
    }
    assert!((1..15).contains(&held), "{held} of 70 hang");
}

/// Onto cylinders, solids and balls that stand on level ground.
#[test]
fn bodies_land_on_objects() {
    let mut forge = plain(&[]);
    let at = |x: f32| Frame::at(Vec3::new(x, 12.0, 0.0));
    let objects = [
        (6.0, ObjectSpec::Cylinder { radius: 1.0, height: 1.5 }, 1.5),
        (12.0, ObjectSpec::Cylinder { radius: 0.3, height: 0.8 }, 0.8),
        (18.0, ObjectSpec::cuboid([2.0, 2.0, 3.0]), 3.0),
        (30.0, ObjectSpec::cuboid([0.6, 0.6, 1.0]), 1.0),
        (42.0, ObjectSpec::Ball { radius: 1.0 }, 2.0),
    ];
    for (x, object, _) in &objects {
        let id = forge.object(object.clone());
        forge.block(BLOCK).put(id, at(*x));
    }
    let mut walk = Walk::from_source(forge.finish().unwrap());
    for (x, object, top) in objects {
        check(&mut walk, cell_at(x, 12.0), [x, 12.0, top], |walk| low_point(walk).z - top);
        let moved = walk.at().truncate() - Vec3::new(x, 12.0, 0.0).truncate();
        assert!(moved.length() < 1e-4, "{object:?}: it fell straight and stays: {moved}");
    }
}

/// A ramp of about 27 degrees: a body that lands on it slides down, and stops on it or leaves it at its foot.
#[test]
fn bodies_land_on_ramps() {
    let mut forge = plain(&[]);
    let id = forge.object(ramp([-3.0, 3.0], 0.0, [0.5, 2.0]));
    forge.block(BLOCK).put(id, Frame::at(Vec3::new(60.0, 60.0, 0.0)));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    let normal = Vec3::new(0.0, -1.5, 3.0).normalize();
    let top = Plane::through(normal, Vec3::new(60.0, 60.0, 0.5));
    let off = |walk: &Walk| {
        // A body of one sphere finds no ground that far below the edge, and stays at it.
        let [ground, ramp] = [low_point(walk).z, gap(walk, top)];
        if walk.at().y < 60.0 - 0.48 { ground } else { ramp }
    };
    check(&mut walk, 0xA9B4_0013, [60.0, 62.5, 1.75], off);
    // From a lower height it stays on the ramp.
    walk.put_in_air(0xA9B4_0013, [60.0, 62.0, 1.6]);
    assert!(settle(&mut walk));
    assert!(walk.at().y > 60.0 && gap(&walk, top).abs() < TOLERANCE, "{}", walk.at());
}

/// Returns the plane of the highest upward-facing solid surface at a point of the landblock.
fn surface(walk: &Walk, at: Vec3) -> Option<Plane> {
    let land = walk.world.land(BLOCK).unwrap();
    let shells = land.buildings().iter().filter_map(|building| building.shell());
    let objects: Vec<_> = walk.world.objects().filter(|o| o.id().as_body().is_none()).collect();
    let solids = shells.chain(objects.iter().flat_map(|object| object.solids()));
    let planes = solids.flat_map(|solid| {
        let polygons = solid.tree.polygons().iter();
        let over = polygons.filter_map(move |polygon| {
            let to_block = |v: &Vec3| solid.space.to_block_of(BLOCK.as_cell(), *v * solid.scale);
            let corners: Vec<Vec3> = polygon.vertices.iter().map(to_block).collect();
            plane_over(&corners, at)
        });
        over.collect::<Vec<_>>()
    });
    let height =
        |plane: &Plane| -(plane.normal.x * at.x + plane.normal.y * at.y + plane.d) / plane.normal.z;
    planes.max_by(|a, b| height(a).total_cmp(&height(b)))
}

/// Returns the plane of an upward-facing polygon whose outline contains a point.
fn plane_over(corners: &[Vec3], at: Vec3) -> Option<Plane> {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    let next = corners.iter().cycle().skip(1);
    let mut edges = corners.iter().zip(next);
    let within = edges.all(|(a, b)| (*b - *a).truncate().perp_dot((at - *a).truncate()) >= 0.0);
    (normal.z > 0.1 && within).then(|| Plane::through(normal, corners[0]))
}

/// Roofs, a bridge, crates, steps, barrels and pillars.
#[test]
fn bodies_land_on_roofs_and_objects_of_the_town() {
    let mut walk = Walk::sample("holt");
    let solids = [
        [60.0, 12.0], // a cottage
        [106.0, 60.0],
        [132.0, 156.0], // the tower
        [112.0, 98.0],  // the bridge
        [105.0, 96.0],  // a crate
        [105.0, 99.0],  // a turned crate
        [93.0, 102.0],
        [99.0, 102.0],
    ];
    for [x, y] in solids {
        let over = Vec3::new(x, y, 0.0);
        let plane = surface(&walk, over).unwrap();
        let top = plane.height(x, y).unwrap();
        assert!(top > 40.3, "nothing at {over}");
        let off = |walk: &Walk| {
            let low = low_point(walk);
            surface(walk, low).map_or(low.z - 40.0, |plane| gap(walk, plane))
        };
        check(&mut walk, cell_at(x, y), [x, y, top], off);
        assert!(walk.at().z > 40.3, "it fell off at {over}: {:?}", walk.position());
    }
    let cylinders = [[90.0, 90.0], [99.0, 88.0], [96.0, 92.0]];
    for [x, y] in cylinders {
        let there = |o: &&threshold_world::Object| {
            o.position().cell.block() == BLOCK
                && o.position().frame.origin.truncate() == [x, y].into()
        };
        let object = walk.world.objects().find(there).unwrap();
        let top = 40.0 + object.setup().cylinders[0].height;
        check(&mut walk, cell_at(x, y), [x, y, top], |walk| low_point(walk).z - top);
    }
}

/// Checks that a standing body, asleep or awake, does not move by a bit for a long time.
#[track_caller]
fn check_standing(walk: &mut Walk, cell: u32, onto: [f32; 3]) {
    let [x, y, z] = onto;
    walk.put_in_air(cell, [x, y, z + 2.0]);
    assert!(settle(walk));
    let ticks = if std::env::var_os("THRESHOLD_SOAK").is_some() { 10_000_000 } else { 1_000_000 };
    let (position, stance) = (walk.position(), walk.body.stance);
    for gait in [None, Some(Gait::stand())] {
        walk.body.gait = gait;
        if gait.is_some() {
            walk.body.wake(walk.body.clock);
        }
        for _ in 0..ticks {
            let updated = tick(walk);
            assert!(updated.events.is_empty(), "{updated:?}");
        }
        assert_eq!(walk.body.awake, gait.is_some());
        assert_eq!((walk.position(), walk.body.stance), (position, stance));
        assert_eq!(walk.body.velocity, Vec3::ZERO);
    }
}

#[test]
fn a_standing_body_stays_where_it_is() {
    let mut forge = slope(12);
    let post = forge.object(ObjectSpec::Cylinder { radius: 1.0, height: 1.5 });
    forge.block(BLOCK).put(post, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let mut walk = Walk::from_source(forge.finish().unwrap());
    check_standing(&mut walk, 0xA9B4_0001, [12.0, 12.0, 1.5]);
    check_standing(&mut walk, 0xA9B4_0002, [12.0, 36.0, 0.0]);
    check_standing(&mut walk, 0xA9B4_0019, [84.0, 12.0, 60.0]);
    let stairs = Stairs { deep: 0.3, high: 0.25 };
    check_standing(&mut stairs.walk(), A.0, stairs.tread(2.5));
}
