//! How fast a crowd lives that fills the dungeon: most rooms hold hundreds of bodies.
//!
//! CPU time of all threads; `RAYON_NUM_THREADS=1` measures one. Prints a hash of the end, which must
//! not change.
//!
//! `cargo bench --package threshold-conformance --bench crowd [-- BODIES]`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

mod measure;

use cpu_time::ProcessTime;
use threshold_forge::MOVER;
use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Body, Crowd, Gait, MoveContext, Rules, Search, SweepScratch};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, PieceId, PlayerStatus, State, World};

use self::measure::{StepMeasurement, records, rounds};

/// Seconds an update.
const TICK: f64 = 1.0 / 30.0;
/// Updates of the crowd.
const TICKS: u32 = 15;

/// Returns places on all level floors of the world, a body's width apart.
fn floor_places(world: &World) -> Vec<Position> {
    let rooms = world.resident().filter_map(|piece| match piece {
        PieceId::Room(room) => world.room(room),
        PieceId::Land(_) => None,
    });
    let mut places = Vec::new();
    for room in rooms {
        for polygon in room.structure().physics.polygons().iter() {
            let corner = |index: usize| polygon.vertices[index % polygon.vertices.len()];
            if polygon.plane.normal.z < 0.99 {
                continue;
            }
            let steps =
                (0..10).flat_map(|x| (0..10).map(move |y| (x as f32 / 10.0, y as f32 / 10.0)));
            for (x, y) in steps.filter(|(x, y)| x + y < 1.0) {
                let [a, b, c] = [0, 1, 2].map(corner);
                let at = a + (b - a) * x + (c - a) * y + Vec3::new(0.0, 0.0, 0.02);
                places.push(Position::new(room.id(), room.to_block(at)));
            }
        }
    }
    places
}

fn main() {
    let wanted = rounds(10_000) as u32;
    let builder = Builder::new(records("dungeon"));
    let (mut world, mut crowd) = (World::new(), Crowd::new());
    for piece in builder.pieces() {
        builder.build(piece).unwrap().into_iter().for_each(|built| world.adopt(built.piece));
    }
    let (places, setup) = (floor_places(&world), builder.setup(MOVER).unwrap());
    let mut scratch = SweepScratch::new();
    for number in 0..wanted {
        // Scattered over all places in turn, so that bodies begin far apart.
        let position = places[number as usize * 7_919 % places.len()];
        // Players pass through each other; one in eight is a creature, which blocks all.
        let creature = number % 8 == 0;
        let kind = if creature {
            ObjectKind::Creature
        } else {
            ObjectKind::Player(PlayerStatus::Peaceful)
        };
        let (body, state) = (BodyId(number), State::GRAVITY.with(State::EDGE_SLIDE, true));
        let spec = BodySpec { body, setup: setup.clone(), position, scale: 1.0, state, kind };
        let mut body = Body::new(body);
        body.gait = Some(Gait { turn: 20.0 * ((number % 9) as f32 - 4.0), ..Gait::walk() });
        let mut context = MoveContext::new(&mut world, Rules::default(), &mut scratch);
        let (outcome, _) = body.enter(&mut context, spec, Search::Here, 0.0);
        if outcome.is_ok() && outcome.cell.is_some() {
            crowd.insert(body);
        }
    }
    let mut measurement = StepMeasurement::default();
    for tick in 1..=TICKS {
        let start = ProcessTime::now();
        crowd.update(&mut world, Rules::default(), f64::from(tick) * TICK);
        measurement.add_step(start.elapsed(), 0);
    }
    println!("{} bodies, end {:?}", crowd.len(), crowd.hash(&world));
    measurement.print("a tick of the crowd", None);
}
