//! Runs recorded questions for the cells of a sphere: reads scenarios as JSON lines, writes results as JSON
//! lines. Scenarios of other kinds are passed over.
//!
//! `cargo run --release --package threshold-world --example recorded_cells -- DATS SCENARIOS > RESULTS`

#![allow(clippy::print_stdout, reason = "an example shows what it did")]

use std::path::Path;

use serde_json::{Value, json};
use threshold_dat::DatFolder;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Sphere};
use threshold_world::{Builder, CellArray, CellSearch, World};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [dats, scenarios] = arguments.as_slice() else {
        return Err("usage: recorded_cells DATS SCENARIOS".into());
    };
    let world = load(Path::new(dats))?;
    let mut array = CellArray::new();
    for line in std::fs::read_to_string(scenarios)?.lines() {
        let scenario: Value = serde_json::from_str(line)?;
        if scenario["kind"] == "cells" {
            let queries = scenario["queries"].as_array().ok_or("no queries")?;
            let steps: Result<Vec<Value>, Failure> =
                queries.iter().map(|query| ask(&world, query, &mut array)).collect();
            println!("{}", json!({ "id": scenario["id"], "steps": steps? }));
        }
    }
    Ok(())
}

/// Everything that the files have, resident.
fn load(dats: &Path) -> Result<World, Failure> {
    let builder = Builder::new(DatFolder::open(dats)?);
    let mut world = World::new();
    for piece in builder.pieces() {
        if let Some(built) = builder.build(piece)? {
            built.faults.iter().for_each(|fault| eprintln!("{fault}"));
            world.adopt(built.piece);
        }
    }
    Ok(world)
}

fn ask(world: &World, query: &Value, array: &mut CellArray) -> Result<Value, Failure> {
    #[allow(clippy::cast_possible_truncation, reason = "rounded to single precision")]
    let float = |value: &Value| value.as_f64().map(|v| v as f32).ok_or("no number");
    let at = &query["pos"];
    let at = Vec3::new(float(&at[0])?, float(&at[1])?, float(&at[2])?);
    let cell: CellId = query["cell"].as_str().ok_or("no cell")?.parse()?;
    let sphere = Sphere::new(at, float(&query["radius"])?);
    let found = CellSearch::new(world).spheres(&Position::new(cell, at), &[sphere], array);
    let cells: Vec<String> = array.ids().map(|id| id.to_string()).collect();
    Ok(json!({ "ok": true, "cell": found.cell.map(|id| id.to_string()), "cells": cells }))
}
