//! Ticks of many bodies.

use threshold_motion::Gait;
#[cfg(feature = "rayon")]
use threshold_motion::StateHash;

use super::*;

/// Enters players and creatures at every named place, each with a gait of its own.
fn enter_crowd(realm: &mut Realm, rounds: u16) -> usize {
    let mut number: u16 = 0;
    for _ in 0..rounds {
        for place in threshold_forge::places(SEED) {
            let heading = f32::from(number * 37 % 360);
            let spot = Spot::from(place.position).facing(heading);
            let is_player = number.is_multiple_of(5);
            let options = if is_player { BodyOptions::player() } else { BodyOptions::creature() };
            if let Ok(body) = realm.enter(&options, spot) {
                let turn = f32::from(number % 7) - 3.0;
                realm.set_gait(body, Gait { turn, ..Gait::walk() }).unwrap();
            }
            number += 1;
        }
    }
    realm.bodies().count()
}

#[test]
fn followers_of_events_alone_know_the_cell_of_every_body() {
    let mut realm = built_in();
    let count = enter_crowd(&mut realm, 4);
    assert!(count > 80, "{count}");
    let mut cells = std::collections::BTreeMap::new();
    for tick in 1..=240 {
        for event in realm.tick(f64::from(tick) / 30.0).unwrap() {
            let RealmEvent::Body { body, event } = event else { continue };
            if let threshold_motion::Event::CellChanged { from, to } = event {
                assert_eq!(cells.insert(*body, *to).flatten(), *from, "{body}");
            }
        }
        for body in realm.bodies() {
            assert_eq!(cells[&body.id], realm.object(body.id).unwrap().cell(), "{}", body.id);
        }
    }
}

#[test]
fn an_empty_tick_reports_nothing_again() {
    let mut realm = built_in();
    realm.enter(&BodyOptions::player(), taproom()).unwrap();
    assert!(!realm.tick(1.0).unwrap().is_empty());
    assert!(realm.tick(2.0).unwrap().is_empty());
    let second = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    assert!(realm.events().iter().all(|event| event.of(second).is_some()));
    assert!(!realm.tick(3.0).unwrap().is_empty());
}

#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_gives_the_same_bits_and_the_same_events() {
    fn run() -> (StateHash, Vec<RealmEvent>) {
        let mut realm = Realm::around(builtin(SEED).unwrap());
        realm.set_landscape_radius(1);
        enter_crowd(&mut realm, 12);
        let mut events = Vec::new();
        for tick in 1..=90 {
            events.extend_from_slice(realm.tick(f64::from(tick) / 30.0).unwrap());
        }
        (realm.hash(), events)
    }
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(run)
    };
    let one = with(1);
    assert!(one.1.len() > 300, "{}", one.1.len());
    for threads in [2, 3, 8] {
        assert!(with(threads) == one, "{threads} threads");
    }
}
