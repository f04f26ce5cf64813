//! Searches and tree walks allocate nothing once their buffers have grown.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use peak_alloc::PeakAlloc;
use threshold_geom::{FLOOR_Z, PolygonHit, SolidPoly, WalkableQuery};
use threshold_land::vector::Vec3;
use threshold_land::{Position, Sphere};
use threshold_testkit::sample_world;
use threshold_world::{CellArray, CellSearch, World};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs every walk over the physics tree of the room that a sphere is in.
fn walk_trees(world: &World, place: &Position, sphere: &Sphere) {
    let Some(room) = world.room(place.cell) else { return };
    let tree = &room.structure().physics;
    let mut local = Sphere::new(room.to_local(sphere.centre), sphere.radius);
    let (movement, up) = (Vec3::new(0.1, 0.0, -0.2), Vec3::Z);
    tree.sphere_intersects_poly(&local, movement, &mut PolygonHit::default());
    tree.sphere_intersects_solid(&local, true);
    tree.sphere_intersects_solid_poly(&local, 0.48, true, &mut SolidPoly::default());
    tree.hits_walkable(&local, up, FLOOR_Z);
    tree.point_intersects_solid(local.centre);
    tree.find_walkable(&mut local, &WalkableQuery { movement, up, allowance: FLOOR_Z }, &mut 1.0);
}

#[test]
fn searches_and_walks_allocate_nothing_after_warm_up() {
    let world = sample_world("holt");
    let search = CellSearch::new(&world);
    let mut array = CellArray::new();
    let places: Vec<Position> = world
        .rooms(threshold_land::BlockId(0xA9B4))
        .flat_map(|room| room.portals().iter().map(move |portal| (room, portal)))
        .map(|(room, portal)| {
            let corner = room.portal_polygon(portal).vertices[0];
            Position::new(room.id(), room.to_block(corner) + Vec3::Z * 0.5)
        })
        .collect();
    assert!(places.len() > 100);
    let mut candidates = 0;
    let mut round = || {
        for place in &places {
            let at = place.frame.origin;
            let spheres = [Sphere::new(at, 0.48), Sphere::new(at + Vec3::Z * 0.9, 0.48)];
            let _ = search.spheres(place, &spheres, &mut array);
            candidates += array.len();
            walk_trees(&world, place, &spheres[0]);
        }
    };
    round();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    round();
    assert_eq!(MEMORY.peak_usage(), before);
    assert!(candidates > 2 * places.len());
}
