//! Floors directly above ceilings.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails on unexpected values")]

mod built;

use built::leaf_at;
use threshold_forge::{Face, Opening, Plan, RoomSpec};
use threshold_land::Sphere;
use threshold_land::vector::Vec3;

/// A hall with a door and steps up to a hatch, and directly above it a room that extends beyond the hall. Regression: a mover there was
/// in the solid space behind the hall's ceiling, and behind its walls where their planes continue upwards.
#[test]
fn a_mover_above_a_room_with_a_hatch_is_not_in_its_solid_space() {
    let mut plan = Plan::new();
    let hall = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [6.0, 6.0, 3.0]));
    let kitchen = plan.room(RoomSpec::cuboid([6.0, 0.0, 0.0], [9.0, 6.0, 3.0]));
    let attic = plan.room(RoomSpec::cuboid([0.0, 0.0, 3.0], [9.0, 6.0, 6.0]));
    plan.join(hall, kitchen, Opening::door(Face::EAST));
    plan.join(hall, attic, Opening::rectangle(Face::Ceiling, [1.0, 1.0], [2.0, 2.0]));
    let cells = built::cells(&built::finish(plan));
    let hall = &cells[0].physics;
    for (x, y) in (0..17).flat_map(|x| (0..11).map(move |y| (x, y))) {
        let (x, y) = (0.6 + x as f32 / 2.0, 0.6 + y as f32 / 2.0);
        for radius in [0.12, 0.24, 0.48, 0.72] {
            let feet = Sphere::new(Vec3::new(x, y, 3.0 + radius), radius);
            assert!(!hall.sphere_intersects_solid(&feet, true), "{feet:?}");
        }
        if x > 6.0 {
            continue;
        }
        let (solid, polygons) = leaf_at(&cells[0].structure.physics_tree, Vec3::new(x, y, 3.01));
        let is_hatch = (1.0..3.0).contains(&x) && (1.0..3.0).contains(&y);
        assert!(is_hatch || (solid && polygons > 0), "the ceiling stays closed at {x}, {y}");
    }
}
