//! Runs out of a house and jumps off its hill, followed by a camera: bodies in time, in a made
//! world.
//!
//! `cargo run --package threshold-motion --example jump`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use threshold_forge::{MOVER, samples};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{
    Body, Boom, Gait, Jump, MoveContext, Pivot, Rules, Search, StandResult, SweepScratch, Sweeper,
    jump_speed,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A house on a hill. Its hall is 0xA9B40100; the door looks south.
    let builder = Builder::new(samples::house_on_a_hill()?);
    let mut world = World::new();
    for piece in builder.pieces() {
        builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
    }
    let mut position = Position::new(CellId(0xA9B4_0100), Vec3::new(84.0, 81.0, 60.15));
    position.frame.rotation = Rotation::from_heading(180.0);
    let state = State::GRAVITY.with(State::EDGE_SLIDE, true);
    let (setup, kind) = (builder.setup(MOVER)?, ObjectKind::Creature);
    let runner = BodySpec { body: BodyId(1), setup, position, scale: 1.0, state, kind };

    let (rules, mut scratch) = (Rules::default(), SweepScratch::new());
    let mut body = Body { gait: Some(Gait::run(1.5)), ..Body::new(BodyId(1)) };
    let (placed, _) = body.enter(
        &mut MoveContext::new(&mut world, rules, &mut scratch),
        runner,
        Search::Around,
        0.0,
    );
    println!("enters at {:.2} in {}", placed.position.frame.origin, placed.position.cell);

    let jump = Jump { skill: 200.0, ..Jump::default() };
    println!("can jump {:.2} m high, at {:.2} m/s", jump.height(), jump_speed(jump.height()));
    let mut boom = Boom::new(0.5);
    for tick in 1..=90 {
        let now = f64::from(tick) / 30.0;
        if tick == 40 {
            body.jump(&world, &jump, now)?;
        }
        let updated = body.update(&mut MoveContext::new(&mut world, rules, &mut scratch), now)?;
        let at = *world.body(body.id).ok_or("the body is not in the world")?.position();
        for event in &updated.events {
            println!("tick {tick:2}: {event:?} at {:.2}", at.frame.origin);
        }
        let pivot = Pivot::above(at, body.id, 1.5);
        let back = -at.frame.rotation.rotate(Vec3::Y) + Vec3::Z * 0.3;
        let sweeper = Sweeper { world: &world, rules };
        let view = boom.follow(&sweeper, &mut scratch, &pivot, back, 3.0, 1.0 / 30.0);
        if tick % 15 == 0 {
            println!(
                "tick {tick:2}: the camera is {:.2} m behind, in {}",
                view.distance, view.eye.cell
            );
        }
    }
    let mover = body.mover(&world).ok_or("the body is not in the world")?;
    let at = *world.body(body.id).ok_or("the body is not in the world")?.position();
    match (Sweeper { world: &world, rules }).can_stand(&mut scratch, &mover, &at) {
        StandResult::Stands { at, .. } => println!("it could stand at {:.2}", at.frame.origin),
        other => println!("it could not stand there: {other}"),
    }
    Ok(())
}
