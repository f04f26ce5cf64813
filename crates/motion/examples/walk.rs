//! Walks out of a house, down a hill and back, in a made world.
//!
//! `cargo run --package threshold-motion --example walk`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use threshold_forge::{MOVER, samples};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Body, Event, MoveContext, Rules, Stance, SweepScratch};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A house on a hill. Its hall is 0xA9B40100; the door looks south.
    let builder = Builder::new(samples::house_on_a_hill()?);
    let mut world = World::new();
    for piece in builder.pieces() {
        builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
    }
    let walker = BodyId(1);
    let position = Position::new(CellId(0xA9B4_0100), Vec3::new(84.0, 81.0, 60.15));
    let (setup, kind) = (builder.setup(MOVER)?, ObjectKind::Creature);
    let state = State::GRAVITY.with(State::EDGE_SLIDE, true);
    world.insert(BodySpec { body: walker, setup, position, scale: 1.0, state, kind });
    let mut body = Body { stance: Stance::standing(), ..Body::new(walker) };

    let mut scratch = SweepScratch::new();
    for step in 0..300 {
        let offset = Vec3::new(0.0, if step < 150 { -0.4 } else { 0.4 }, 0.0);
        let mut context = MoveContext::new(&mut world, Rules::default(), &mut scratch);
        let (outcome, events) = body.move_by(&mut context, offset)?;
        let at = outcome.position.frame.origin;
        for event in events {
            if let Event::CellChanged { from: Some(from), to: Some(to) } = event {
                println!("step {step:3}: {from} -> {to} at {at:.2}");
            }
        }
        if step == 149 || step == 299 {
            println!("step {step:3}: stands at {at:.2} in {}", outcome.position.cell);
        }
    }
    Ok(())
}
