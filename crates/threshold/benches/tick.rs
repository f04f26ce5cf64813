//! What a realm adds to the time of its crowd: the same 550 bodies in the built-in world, as a bare crowd and in realms.
//!
//! `cargo bench --package threshold-engine --bench tick [-- ROUNDS]`
//!
//! One thread, CPU time. The three take turns tick by tick, and the best of the rounds counts.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

use std::time::Duration;

use cpu_time::ThreadTime;
use threshold::forge::{SEED, builtin, places};
use threshold::motion::rules::SlidingNormal;
use threshold::motion::{Crowd, Rules};
use threshold::world::World;
use threshold::{BodyOptions, Gait, Position, Realm, Spot};
use threshold_testkit::CrowdScene;

/// Bodies of each crowd.
const BODIES: u16 = 550;
/// Ticks of a round, thirty a second: twenty seconds.
const TICKS: u32 = 600;
const DEFAULT_ROUNDS: u32 = 7;

/// Returns the spot and the gait of a body: around the named places of the village, each with a heading of its own.
fn body_plan(number: u16, places: &[Position]) -> (Position, Gait) {
    let at = places[usize::from(number) % places.len()];
    let spot = Spot::from(at).facing(f32::from(number * 37 % 360));
    let gait = Gait { turn: f32::from(number % 7) - 3.0, ..Gait::walk() };
    (spot.position(), gait)
}

fn enter_all(mut realm: Realm, places: &[Position]) -> Realm {
    let mut number = 0;
    while realm.bodies().count() < usize::from(BODIES) {
        let (at, gait) = body_plan(number, places);
        number += 1;
        let Ok(body) = realm.enter(&BodyOptions::creature(), at) else { continue };
        realm.set_gait(body, gait).unwrap();
        if !realm.body(body).unwrap().stance.on_walkable {
            realm.leave(body).unwrap();
        }
    }
    realm
}

/// A crowd at the places of the bodies of a realm, with its doors as static objects.
fn bare_crowd(realm: &Realm) -> (World, Crowd) {
    let mut scene = CrowdScene::new(threshold::world::Builder::new(builtin(SEED).unwrap()));
    for body in realm.bodies() {
        let entered = scene.enter(body.id.0, realm.at(body.id).unwrap()).unwrap();
        scene.join(threshold::motion::Body { gait: body.gait, ..entered });
    }
    (scene.world, scene.crowd)
}

fn measured(count_events: impl FnOnce() -> usize) -> Duration {
    let start = ThreadTime::now();
    std::hint::black_box(count_events());
    start.elapsed()
}

/// Returns the times of a round: bare, in a realm with everything loaded, in a realm that loads around bodies.
fn round(places: &[Position]) -> [Duration; 3] {
    let mut whole = enter_all(Realm::whole(builtin(SEED).unwrap()), places);
    let mut around = enter_all(Realm::around(builtin(SEED).unwrap()), places);
    let (mut world, mut crowd) = bare_crowd(&whole);
    let mut rules = Rules::default();
    rules.sliding_normal = SlidingNormal::Checked;
    let mut times = [Duration::ZERO; 3];
    for tick in 1..=TICKS {
        let now = f64::from(tick) / 30.0;
        times[0] += measured(|| crowd.update(&mut world, rules, now).len());
        times[1] += measured(|| whole.tick(now).unwrap().len());
        times[2] += measured(|| around.tick(now).unwrap().len());
    }
    times
}

fn main() {
    let rounds = std::env::args().filter_map(|arg| arg.parse().ok()).next();
    let places: Vec<Position> = places(SEED).iter().map(|place| place.position).collect();
    let times: Vec<_> = (0..rounds.unwrap_or(DEFAULT_ROUNDS)).map(|_| round(&places)).collect();
    let best = |kind: usize| times.iter().map(|times| times[kind]).min().unwrap() / TICKS;
    println!("{BODIES} bodies, CPU time of a tick, best of {} rounds:", times.len());
    for (kind, name) in ["bare crowd", "realm, whole", "realm, around"].into_iter().enumerate() {
        let ratio = best(kind).as_secs_f64() / best(0).as_secs_f64();
        println!("{name:<14} {:>8.1} us  {ratio:.3}", best(kind).as_secs_f64() * 1e6);
    }
}
