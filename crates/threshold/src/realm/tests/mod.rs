//! Tests of the realm, by what they are about.

mod bodies;
mod doors;
mod loading;
mod near;
mod ticks;

use threshold_forge::{SEED, builtin};
use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_testkit::Random;
use threshold_world::BodyId;

use super::{BodyOptions, Realm, RealmError, RealmEvent, Spot};

/// The taproom of the inn of the built-in world.
const TAPROOM: CellId = CellId(0xA9B4_0106);

/// Returns the built-in world, all of it loaded.
fn built_in() -> Realm {
    Realm::whole(builtin(SEED).unwrap())
}

/// A spot in the taproom that faces south.
fn taproom() -> Spot {
    Spot::new(TAPROOM, Vec3::new(132.0, 106.0, 40.2)).facing(180.0)
}

/// Returns a named place of the built-in world.
fn place(name: &str) -> Spot {
    let places = threshold_forge::places(SEED);
    places.iter().find(|place| place.name == name).unwrap().position.into()
}

/// Returns a random number between two bounds.
#[allow(clippy::cast_possible_truncation, reason = "a few metres or degrees")]
fn between(random: &mut Random, low: f64, high: f64) -> f32 {
    random.between(low, high) as f32
}

/// Checks that a call is refused with this message.
#[track_caller]
fn check_refused<T: std::fmt::Debug>(result: Result<T, RealmError>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

/// Follows the events of a body, and returns its last cell.
fn followed(events: &[RealmEvent], body: BodyId, start: Option<CellId>) -> Option<CellId> {
    events.iter().filter_map(|event| event.of(body)).fold(start, |cell, event| match event {
        threshold_motion::Event::CellChanged { from, to } => {
            assert_eq!(*from, cell, "{event:?}");
            *to
        }
        _ => cell,
    })
}
