//! A hundred people about a house: moved together, on as many threads as there are, with one and the same result.
//!
//! `cargo run --package threshold-motion --features rayon --example crowd`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeMap;

use threshold_forge::{MOVER, samples};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Crowd, Event, Gait, MoveContext, Rules, Search, SweepScratch};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A house on a hill. Its hall is 0xA9B40100; the door looks south.
    let builder = Builder::new(samples::house_on_a_hill()?);
    let mut world = World::new();
    for piece in builder.pieces() {
        builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
    }

    // They come in through the middle of the hall, and stand round it where there is room.
    let (rules, mut scratch, mut crowd) = (Rules::default(), SweepScratch::new(), Crowd::new());
    let setup = builder.setup(MOVER)?;
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
            &mut MoveContext::new(&mut world, rules, &mut scratch),
            spec,
            Search::Around,
            0.0,
        );
        if placed.is_ok() {
            crowd.insert(body);
        }
    }
    println!("there is room for {}", crowd.len());

    let (mut doors, mut bumps) = (0, 0);
    for tick in 1..=300 {
        let now = f64::from(tick) / 30.0;
        // Who does not get on turns round.
        for body in crowd.bodies_mut() {
            let turn = if body.actual_velocity.length() < 0.5 { 120.0 } else { 0.0 };
            body.gait = Some(Gait { turn, ..Gait::walk() });
        }
        for (_, event) in crowd.update(&mut world, rules, now) {
            match event {
                Event::CellChanged { .. } => doors += 1,
                Event::Collided(_) => bumps += 1,
                _ => {}
            }
        }
    }
    let mut where_they_are: BTreeMap<CellId, u32> = BTreeMap::new();
    for body in crowd.bodies() {
        let object = world.body(body.id).ok_or("it has gone")?;
        *where_they_are.entry(object.position().cell).or_default() += 1;
    }
    for (cell, people) in where_they_are {
        println!("{people:3} in {cell}");
    }
    println!("actual_velocity from cell to cell {doors} times, ran into something {bumps} times");
    println!("on every machine and any number of threads: {}", crowd.hash(&world));
    Ok(())
}
