//! Moves a ball through the door of a made house on a hill, and prints the cells it touches and the
//! one it is in.
//!
//! `cargo run --package threshold-world --example doorway`

#![allow(clippy::print_stdout, reason = "examples print their results")]

use threshold_forge::samples;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Sphere};
use threshold_world::{Builder, CellArray, CellSearch, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let builder = Builder::new(samples::house_on_a_hill()?);
    let mut world = World::new();
    // Hold a cell in front of the house, and load what the world wants until it has everything.
    let mut cell = CellId(0xA9B4_001C);
    world.hold(0, cell);
    while let wanted = world.take_wanted()
        && !wanted.is_empty()
    {
        for piece in wanted {
            if let Some(built) = builder.build(piece)? {
                world.adopt(built.piece);
            }
        }
    }
    let pieces = world.resident().map(|piece| piece.to_string()).collect::<Vec<_>>();
    println!("resident: {}\n", pieces.join(", "));

    let search = CellSearch::new(&world);
    let mut cells = CellArray::new();
    println!("{:>6}  {:12} touches", "north", "in");
    for step in 0..=24 {
        let north = 76.0 + 0.25 * step as f32;
        let at = Vec3::new(84.0, north, 61.0);
        let found = search.spheres(&Position::new(cell, at), &[Sphere::new(at, 0.48)], &mut cells);
        // The next search starts from the cell that this one found.
        cell = found.cell.ok_or("the ball has left the world")?;
        let touched: Vec<String> = cells.ids().map(|id| id.to_string()).collect();
        println!("{north:6.2}  {:12} {}", cell.to_string(), touched.join(" "));
    }
    let counters = cells.counters;
    println!(
        "\n{} searches, {} rooms tested, {} cells not resident",
        counters.searches, counters.sphere_tests, counters.not_resident
    );
    Ok(())
}
