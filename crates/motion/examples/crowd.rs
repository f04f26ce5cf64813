//! A hundred bodies around a house, moved on all threads with the same result for any number of
//! threads.
//!
//! `cargo run --package threshold-motion --features rayon --example crowd`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_forge::{MOVER, samples};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Crowd, Event, Gait, MoveContext, Rules, Search, SweepScratch};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, Setup, State, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A house on a hill. Its hall is 0xA9B40100; the door looks south.
    let builder = Builder::new(samples::house_on_a_hill()?);
    let mut world = World::new();
    for piece in builder.pieces() {
        builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
    }

    let mut crowd = enter_bodies(&mut world, &builder.setup(MOVER)?);
    println!("there is room for {} bodies", crowd.len());

    let (mut cell_changes, mut collisions) = (0, 0);
    for tick in 1..=300 {
        let now = f64::from(tick) / 30.0;
        // A body that is blocked turns.
        for body in crowd.bodies_mut() {
            let turn = if body.actual_velocity.length() < 0.5 { 120.0 } else { 0.0 };
            body.gait = Some(Gait { turn, ..Gait::walk() });
        }
        for (_, event) in crowd.update(&mut world, Rules::default(), now) {
            match event {
                Event::CellChanged { .. } => cell_changes += 1,
                Event::Collided(_) => collisions += 1,
                _ => {}
            }
        }
    }
    let mut bodies_by_cell: BTreeMap<CellId, u32> = BTreeMap::new();
    for body in crowd.bodies() {
        let object = world.body(body.id).ok_or("a body is not in the world")?;
        *bodies_by_cell.entry(object.position().cell).or_default() += 1;
    }
    for (cell, count) in bodies_by_cell {
        println!("{count:3} in {cell}");
    }
    println!("{cell_changes} changes of cell, {collisions} collisions");
    println!("state hash, the same on every machine: {}", crowd.hash(&world));
    Ok(())
}

/// Enters a hundred bodies at the middle of the hall, or around it where there is room.
fn enter_bodies(world: &mut World, setup: &Arc<Setup>) -> Crowd {
    let (mut scratch, mut crowd) = (SweepScratch::new(), Crowd::new());
    for number in 0..100 {
        let turned = number as f32 * 137.5;
        let mut position = Position::new(CellId(0xA9B4_0100), Vec3::new(84.0, 84.0, 60.15));
        position.frame.rotation = Rotation::from_heading(turned);
        let mut body = Body { gait: Some(Gait::walk()), ..Body::new(BodyId(number)) };
        let spec = BodySpec {
            body: body.id,
            setup: setup.clone(),
            position,
            scale: 0.5,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::Creature,
        };
        let (placed, _) = body.enter(
            &mut MoveContext::new(world, Rules::default(), &mut scratch),
            spec,
            Search::Around,
            0.0,
        );
        if placed.is_ok() {
            crowd.insert(body);
        }
    }
    crowd
}
