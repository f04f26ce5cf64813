//! Looks around in the taproom of the built-in world: what is ahead, what is near, and where a thrown mug lands.
//!
//! `cargo run -p threshold-query --example scene`

use threshold_forge::{SEED, builtin};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_query::{
    Cone, Hit, Launch, NearestObjects, ObjectKinds, QueryFilter, QueryScratch, Ray, SceneQuery,
    SphereOverlap,
};
use threshold_world::{Builder, World};

fn print_hit(what: &str, hit: Option<&Hit>) {
    match hit {
        Some(hit) => println!(
            "{what}: {:?} in {}, {:.2} m away",
            hit.target, hit.position.cell, hit.distance
        ),
        None => println!("{what}: nothing"),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let builder = Builder::new(builtin(SEED)?);
    let mut world = World::new();
    for piece in builder.pieces() {
        builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
    }
    let (scene, mut scratch, mut hits) = (SceneQuery::new(&world), QueryScratch::new(), Vec::new());
    let filter = QueryFilter::default();
    // In the taproom of the inn, at the height of the eyes.
    let eye = Position::new(CellId(0xA9B4_0106), Vec3::new(132.0, 106.0, 41.7));

    for (name, direction) in
        [("north", [0.0, 1.0, 0.0]), ("east", [1.0, 0.0, 0.0]), ("south", [0.0, -1.0, 0.0])]
    {
        let found = scene.ray(&mut scratch, &Ray::new(eye, direction, 200.0), &filter)?;
        print_hit(name, found.hit.as_ref());
    }
    let cast = Ray::new(eye, [0.0, -1.0, 0.0], 200.0).with_radius(0.48);
    print_hit(
        "a body that walks south",
        scene.sphere_cast(&mut scratch, &cast, &filter)?.hit.as_ref(),
    );

    let extent = scene.sphere_overlaps(
        &mut scratch,
        &SphereOverlap { at: eye, radius: 2.0 },
        &filter,
        &mut hits,
    )?;
    println!(
        "within two metres: {} polygons and shapes, unknown: {:?}",
        hits.len(),
        extent.unknown
    );

    let objects = QueryFilter::objects(ObjectKinds::ALL);
    let nearest = NearestObjects { at: eye, radius: 8.0, count: 3 };
    let _ = scene.nearest(&mut scratch, &nearest, &objects, &mut hits)?;
    for hit in &hits {
        print_hit("near", Some(hit));
    }
    let cone = Cone { from: eye, direction: Vec3::Y, length: 10.0, half_angle: 30.0 };
    let _ = scene.cone(&mut scratch, &cone, &objects, &mut hits)?;
    println!("in front, to the north: {} objects", hits.len());

    let flight = scene.arc(&mut scratch, &Launch::new(eye, [2.0, 4.0, 3.0]), &filter)?;
    print_hit("the mug", flight.hit.as_ref());
    println!("after {:.2} s, at {:.1} m/s", flight.time, flight.velocity.length());
    Ok(())
}
