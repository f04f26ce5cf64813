//! A search allocates nothing once its scratch has grown.

#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod sample;

use peak_alloc::PeakAlloc;
use threshold_land::glam::Vec3;
use threshold_land::{Position, Sphere};
use threshold_world::{CellArray, CellSearch};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[test]
fn a_search_allocates_nothing_after_warm_up() {
    let world = sample::world("holt");
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
        }
    };
    round();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    round();
    assert_eq!(MEMORY.peak_usage(), before);
    assert!(candidates > 2 * places.len());
}
