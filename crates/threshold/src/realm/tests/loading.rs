//! What is loaded around bodies, and how.

use threshold_land::{BlockId, Position};
use threshold_motion::{Event, Gait};
use threshold_testkit::forged::landblock_row;
use threshold_world::{Land, PieceId};

use super::*;

/// Loads what a realm wants, as a caller's threads would.
pub(super) fn load_all_wanted(realm: &mut Realm) -> usize {
    let mut count = 0;
    loop {
        let wanted = realm.take_wanted();
        if wanted.is_empty() {
            return count;
        }
        for piece in wanted {
            let built = realm.builder().build(piece);
            realm.adopt(piece, built);
            count += 1;
        }
    }
}

/// The lake shore.
fn shore() -> Spot {
    Spot::new(CellId(0xA8B4_0033), [147.0, 69.0, 36.0]).facing(90.0)
}

fn is_loaded(event: &RealmEvent) -> bool {
    matches!(event, RealmEvent::Loaded(_))
}

#[test]
fn land_ahead_of_a_walker_is_loaded_and_land_behind_is_dropped() {
    let mut realm = Realm::around(builtin(SEED).unwrap());
    realm.set_landscape_radius(1);
    let walker = realm.enter(&BodyOptions::player(), shore()).unwrap();
    let events = realm.walk(walker, Gait::run(4.0), 45.0).unwrap();
    assert!(!events.iter().any(|event| matches!(event.of(walker), Some(Event::Lost { .. }))));
    let cell = realm.at(walker).unwrap().cell;
    assert_eq!(followed(&events, walker, None), Some(cell));
    assert_ne!(cell.block(), shore().cell.block());
    assert!(realm.is_loaded(cell) && realm.faults().is_empty());
    let far = PieceId::Land(BlockId::new(0xA7, 0xB4));
    assert!(events.contains(&RealmEvent::Dropped(far)), "nothing is near it any more");
    assert!(!realm.world().has(far));
    let loaded = events.iter().filter(|event| is_loaded(event)).count();
    assert!(loaded > 9, "{loaded}");
}

#[test]
fn land_around_two_bodies_is_loaded_until_each_has_left() {
    let mut realm = Realm::around(builtin(SEED).unwrap());
    realm.set_landscape_radius(0);
    let here = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    let there = realm.enter(&BodyOptions::player(), shore()).unwrap();
    let both = [TAPROOM, shore().cell];
    assert!(both.iter().all(|cell| realm.is_loaded(*cell)));
    realm.leave(there).unwrap();
    for second in 1..=10 {
        realm.tick(f64::from(second)).unwrap();
    }
    assert!(realm.is_loaded(TAPROOM) && !realm.is_loaded(shore().cell));
    realm.leave(here).unwrap();
    for second in 11..=20 {
        realm.tick(f64::from(second)).unwrap();
    }
    assert_eq!(realm.world().piece_count(), 0);
}

#[test]
fn a_caller_that_loads_on_its_own_threads_gets_the_same_bits() {
    let run = |mut realm: Realm, load: fn(&mut Realm) -> usize| {
        realm.set_landscape_radius(1);
        let hold = realm.hold(&shore().position()).unwrap();
        load(&mut realm);
        let walker = realm.enter(&BodyOptions::player(), shore()).unwrap();
        realm.release(hold);
        realm.set_gait(walker, Gait::run(3.0)).unwrap();
        for tick in 1..=900 {
            load(&mut realm);
            realm.tick(f64::from(tick) / 30.0).unwrap();
        }
        (realm.at(walker).unwrap(), realm.hash())
    };
    let by_caller = run(Realm::by_caller(builtin(SEED).unwrap()), load_all_wanted);
    assert_eq!(run(Realm::around(builtin(SEED).unwrap()), |_| 0), by_caller);
    assert_ne!(by_caller.0.cell.block(), shore().cell.block());
}

#[test]
fn a_damaged_piece_is_reported_and_costs_only_itself() {
    let cell = BlockId::new(0xA9, 0xB4).cell(0x106);
    let source = threshold_testkit::forged::builtins()[0].source.clone();
    let mut records = threshold_dat::RecordSet::new();
    for file in [threshold_dat::FileKind::Cell, threshold_dat::FileKind::Portal] {
        for id in threshold_dat::Source::ids(&*source, file) {
            let mut buffer = Vec::new();
            let bytes = threshold_dat::Source::read(&*source, file, id, &mut buffer);
            let mut bytes = bytes.unwrap().unwrap().to_vec();
            if id == cell.into() {
                bytes.truncate(bytes.len() / 2);
            }
            records.put_bytes(file, id, bytes);
        }
    }
    let mut realm = Realm::around(records);
    realm.set_landscape_radius(0);
    check_refused(
        realm.enter(&BodyOptions::player(), taproom()),
        "cannot use 0xA9B40106: the world has no such cell, or it cannot be read",
    );
    let square = place("village square");
    let walker = realm.enter(&BodyOptions::player(), square).unwrap();
    assert!(realm.at(walker).is_ok());
    let faults: Vec<String> = realm.faults().iter().map(ToString::to_string).collect();
    assert!(faults.iter().any(|fault| fault.contains("0xA9B40106")), "{faults:?}");
}

#[test]
fn a_body_whose_room_was_dropped_is_lost_and_comes_back() {
    let mut realm = Realm::around(builtin(SEED).unwrap());
    realm.set_landscape_radius(0);
    let keeper = realm.hold(&taproom().position()).unwrap();
    let options = BodyOptions { holds_world: false, ..BodyOptions::creature() };
    let body = realm.enter(&options, taproom()).unwrap();
    let mut cell = followed(realm.events(), body, None);
    realm.release(keeper);
    realm.set_gait(body, Gait::walk()).unwrap();
    for tick in 1..=300 {
        cell = followed(
            realm.tick(f64::from(tick) / 30.0).unwrap(),
            body,
            if tick == 1 { None } else { cell },
        );
    }
    assert_eq!(cell, None, "its room was dropped");
    assert!(realm.object(body).unwrap().is_lost());
    check_refused(realm.sees(body, body), "body 0x00000001 is lost: it is in no loaded cell");
    let item = BodyOptions::item(threshold_forge::MOVER);
    check_refused(realm.drop_near(body, &item), "body 0x00000001 is lost: it is in no loaded cell");
    realm.hold(&taproom().position()).unwrap();
    let events = realm.tick(10.1).unwrap();
    assert!(followed(events, body, None).is_some());
}

#[test]
fn memory_returns_to_the_start_after_a_walk_over_200_landblocks_and_back() {
    const LAST: u8 = 200;
    let at = |x: u8| Position::new(BlockId::new(x, 0xB4).cell(1), Vec3::ONE);
    let mut realm = Realm::around(landblock_row(LAST));
    realm.set_landscape_radius(2);
    let resident = |realm: &Realm| {
        let land: usize = realm.world().lands().map(Land::size).sum();
        (realm.world().piece_count(), land, realm.builder().shapes_size())
    };
    let mut hold = realm.hold(&at(0)).unwrap();
    let start = resident(&realm);
    let mut now = 0.0;
    for x in (1..=LAST).chain((0..LAST).rev()) {
        let next = realm.hold(&at(x)).unwrap();
        realm.release(std::mem::replace(&mut hold, next));
        now += 10.0;
        realm.tick(now).unwrap();
        let (_, _, shapes) = resident(&realm);
        assert!(shapes < 2 * start.2, "{shapes} bytes of shapes at {x}, {} at 0", start.2);
    }
    assert!(start.2 > 0 && resident(&realm) == start, "{:?}, not {start:?}", resident(&realm));
}

#[cfg(feature = "background")]
#[test]
fn a_thread_of_the_realm_loads_what_a_hold_wants() {
    let mut realm = Realm::background(builtin(SEED).unwrap()).unwrap();
    realm.set_landscape_radius(1);
    let spot = taproom();
    assert!(realm.enter(&BodyOptions::player(), spot).is_err(), "nothing is loaded");
    realm.hold(&spot.position()).unwrap();
    let mut ticks = 0.0;
    while !realm.is_loaded(spot.cell) {
        ticks += 1.0;
        realm.tick(ticks / 30.0).unwrap();
        std::thread::yield_now();
    }
    let walker = realm.enter(&BodyOptions::player(), spot).unwrap();
    assert_eq!(realm.at(walker).unwrap().cell, spot.cell);
    assert!(realm.background_faults().is_empty());
}
