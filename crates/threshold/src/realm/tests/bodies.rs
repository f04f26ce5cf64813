//! Entering, moving and leaving; what is refused.

use threshold_forge::{MOVER, samples};
use threshold_land::{BlockId, Position};
use threshold_motion::{Gait, Jump};
use threshold_world::{ObjectId, State};

use super::*;

#[test]
fn each_body_has_an_id_of_its_own_and_replaces_no_other() {
    let mut realm = built_in();
    let spot = taproom();
    let ids: Vec<BodyId> = (0..6)
        .map(|number| {
            let options =
                if number % 2 == 0 { BodyOptions::player() } else { BodyOptions::creature() };
            realm.enter(&options, spot).unwrap()
        })
        .collect();
    let entered: Vec<BodyId> = realm.bodies().map(|body| body.id).collect();
    assert_eq!(entered, ids);
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    let doors: Vec<BodyId> = realm.doors().map(|(door, _)| door).collect();
    assert!(!doors.is_empty() && doors.iter().all(|door| !ids.contains(door)));
    realm.leave(ids[2]).unwrap();
    let next = realm.enter(&BodyOptions::player(), spot).unwrap();
    assert!(!ids.contains(&next), "the id of a body that left is not given out again");
}

#[test]
fn entering_is_refused_with_the_reason_and_changes_nothing() {
    let mut realm = Realm::whole(samples::two_rooms().unwrap());
    let room = CellId(0x0102_0100);
    let (unknown, player) = (CellId(0x0909_0100), BodyOptions::player());
    let refusals = [
        (
            room,
            [500.0, 0.0, 0.0],
            "cannot place a body at [500, 0, 0]: the point is not in room 0x01020100",
        ),
        (
            room,
            [2.0, 2.0, 40.0],
            "cannot place a body at [2, 2, 40]: the point is not in room 0x01020100",
        ),
        (
            unknown,
            [0.0; 3],
            "cannot use 0x09090100: the world has no such cell, or it cannot be read",
        ),
        (
            unknown.block().cell(1),
            [0.0; 3],
            "cannot use 0x09090001: the world has no such cell, or it cannot be read",
        ),
    ];
    for (cell, at, message) in refusals {
        check_refused(realm.enter(&player, Spot::new(cell, at)), message);
    }
    let nan = realm.enter(&player, Spot::new(room, [f32::NAN, 2.0, 0.0]));
    check_refused(nan, "cannot use point [NaN, 2, 0]: not a finite number");
    let heading = Spot::new(room, [2.0, 2.0, 0.0]).facing(f32::INFINITY);
    assert!(matches!(realm.enter(&player, heading), Err(RealmError::NotFinite { .. })));
    for scale in [0.0, -1.0, f32::NAN] {
        let odd = BodyOptions { scale, ..BodyOptions::player() };
        let refused = realm.enter(&odd, Spot::new(room, [2.0, 2.0, 0.0]));
        assert!(matches!(refused, Err(RealmError::Scale(_))));
    }
    let events = realm.events().len();
    let strange =
        BodyOptions { setup: threshold_dat::RecordId(0x0200_FFFF), ..BodyOptions::player() };
    let refused = realm.enter(&strange, Spot::new(room, [2.0, 2.0, 0.0])).unwrap_err().to_string();
    assert!(refused.starts_with("cannot load setup 0x0200FFFF: "), "{refused}");
    assert_eq!(realm.bodies().count(), 0);
    assert_eq!(realm.events().len(), events, "only those of the pieces");
}

#[test]
fn nothing_enters_a_world_without_cells() {
    let mut realm = Realm::whole(threshold_forge::Forge::new().finish().unwrap());
    let spot = Spot::new(CellId(0xA9B4_0001), [10.0, 10.0, 0.0]);
    check_refused(
        realm.enter(&BodyOptions::player(), spot),
        "cannot use 0xA9B40001: the world has no such cell, or it cannot be read",
    );
    assert_eq!(realm.bodies().count(), 0);
}

#[test]
fn nothing_enters_a_landblock_that_is_all_sea() {
    let sea = BlockId::new(0xA7, 0xB4).cell(1);
    let mut realm = Realm::around(builtin(SEED).unwrap());
    check_refused(
        realm.enter(&BodyOptions::player(), Spot::new(sea, [50.0, 50.0, 0.0])),
        "cannot place a body in landblock A7B4: the whole landblock is sea",
    );
    assert_eq!(realm.bodies().count(), 0);
}

#[test]
fn a_refused_teleport_leaves_the_body_where_it_was() {
    let mut realm = Realm::by_caller(builtin(SEED).unwrap());
    realm.set_landscape_radius(0);
    let spot = taproom();
    realm.hold(&spot.position()).unwrap();
    super::loading::load_all_wanted(&mut realm);
    let walker = realm.enter(&BodyOptions::player(), spot).unwrap();
    let (before, hash) = (realm.at(walker).unwrap(), realm.hash());
    let far = Spot::new(CellId(0xACB4_0100), [10.0, 10.0, 0.0]);
    check_refused(realm.teleport(walker, far), "cannot use 0xACB40100: the cell is not loaded");
    let above = Spot::new(TAPROOM, [132.0, 106.0, 90.0]);
    let refused = realm.teleport(walker, above);
    assert!(matches!(refused, Err(RealmError::OutsideRoom { .. })), "{refused:?}");
    let nan = Spot::new(TAPROOM, [f32::NAN; 3]);
    assert!(matches!(realm.teleport(walker, nan), Err(RealmError::NotFinite { .. })));
    assert_eq!((realm.at(walker).unwrap(), realm.hash()), (before, hash));
    let stranger = BodyId(77);
    check_refused(realm.teleport(stranger, spot), "there is no body 0x0000004D in the realm");
}

#[test]
fn a_teleport_reports_the_change_of_cell() {
    let mut realm = built_in();
    let walker = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    let cell = followed(realm.events(), walker, None);
    assert_eq!(cell, Some(TAPROOM));
    let at = realm.teleport(walker, place("great hall below")).unwrap();
    assert_eq!(at, realm.at(walker).unwrap());
    assert_eq!(followed(realm.events(), walker, None), Some(at.cell));
    let (body, object) = realm.leave(walker).unwrap();
    assert_eq!((body.id, object.id()), (walker, ObjectId::body(walker)));
    assert_eq!(followed(realm.events(), walker, None), None);
    check_refused(realm.leave(walker), "there is no body 0x00000001 in the realm");
    check_refused(realm.set_gait(walker, Gait::walk()), "there is no body 0x00000001 in the realm");
}

#[test]
fn time_that_goes_back_or_is_not_a_number_is_refused() {
    let mut realm = built_in();
    let walker = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    realm.tick(10.0).unwrap();
    check_refused(
        realm.tick(9.0),
        "cannot go back in time: the last tick was at 10 s, this one is at 9 s",
    );
    check_refused(realm.tick(f64::NAN), "cannot use time NaN: not a finite number");
    check_refused(
        realm.walk(walker, Gait::walk(), -1.0),
        "cannot use duration -1: not from 0 to 86400",
    );
    assert!(realm.walk(walker, Gait::walk(), f64::INFINITY).is_err());
    let late = realm.tick(1e300).unwrap_err();
    assert!(matches!(late, RealmError::OutOfRange { what: "time", .. }), "{late}");
    assert_eq!(realm.now(), 10.0);
}

#[test]
fn numbers_that_are_not_finite_are_refused_by_every_call() {
    let mut realm = built_in();
    let walker = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    let hash = realm.hash();
    let nan = f32::NAN;
    let at = Position::new(TAPROOM, Vec3::splat(nan));
    let refused = [
        realm.set_gait(walker, Gait { forward: nan, ..Gait::walk() }).unwrap_err(),
        realm.face(walker, nan).unwrap_err(),
        realm.face_towards(walker, &at).unwrap_err(),
        realm.sweep(walker, &at).unwrap_err(),
        realm.impulse(walker, Vec3::splat(f32::INFINITY)).unwrap_err(),
        realm.jump(walker, &Jump { extent: nan, ..Jump::default() }).unwrap_err(),
        realm.hold(&at).unwrap_err(),
        realm.line_of_sight(&at, &at).unwrap_err(),
        realm.cells_at(TAPROOM, at.frame.origin, 1.0).unwrap_err(),
        realm.why(walker, nan).unwrap_err(),
        realm.can_stand(&BodyOptions::player(), at).unwrap_err(),
    ];
    for error in refused {
        assert!(matches!(error, RealmError::NotFinite { .. }), "{error}");
    }
    assert_eq!(realm.hash(), hash);
}

#[test]
fn a_walker_turns_jumps_and_says_what_stops_it() {
    let mut realm = Realm::whole(samples::two_rooms().unwrap());
    let spot = Spot::new(CellId(0x0102_0100), [2.0, 2.0, 0.3]).facing(90.0);
    let walker = realm.enter(&BodyOptions::player(), spot).unwrap();
    realm.jump(walker, &Jump::default()).unwrap();
    let again = realm.jump(walker, &Jump::default()).unwrap_err().to_string();
    assert!(again.starts_with("cannot jump: "), "{again}");
    assert!(!realm.walk(walker, Gait::stand(), 3.0).unwrap().is_empty(), "it lands");
    realm.face(walker, 90.0).unwrap();
    realm.walk(walker, Gait::walk(), 10.0).unwrap();
    let why = realm.why(walker, 0.5).unwrap().join(" ");
    assert!(why.contains("Stopped by a wall") && why.contains("0x01020101"), "{why}");
    assert_eq!(realm.at(walker).unwrap().cell, CellId(0x0102_0101), "the far wall stops it");
}

#[test]
fn a_sweep_answers_for_a_body_that_moves_by_itself_and_changes_nothing() {
    let mut realm = built_in();
    let walker = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    let (before, hash) = (realm.at(walker).unwrap(), realm.hash());
    let to = |x: f32, y: f32| Position::new(TAPROOM, Vec3::new(x, y, 40.2));
    let free = realm.sweep(walker, &to(132.0, 107.0)).unwrap();
    assert_eq!(free.cell, Some(TAPROOM));
    assert!(free.position.offset_to(&to(132.0, 107.0)).truncate().length() < 0.01);
    let wall = realm.sweep(walker, &to(120.0, 106.0)).unwrap();
    assert!(wall.position.offset_to(&to(120.0, 106.0)).length() > 4.0);
    let far = realm.sweep(walker, &to(-500.0, 106.0)).unwrap();
    assert_eq!(far.refused, Some(threshold_motion::Refusal::TooFar), "in one move");
    assert_eq!((realm.at(walker).unwrap(), realm.hash()), (before, hash));
    realm.face_towards(walker, &to(140.0, 106.0)).unwrap();
    assert!((realm.at(walker).unwrap().frame.heading() - 90.0).abs() < 0.01, "east");
    realm.face_towards(walker, &before).unwrap();
    assert!((realm.at(walker).unwrap().frame.heading() - 90.0).abs() < 0.01, "as before");
}

#[test]
fn an_impulse_throws_a_body_that_lands_again() {
    let mut realm = built_in();
    let thrown = realm.enter(&BodyOptions::player(), place("village square")).unwrap();
    let before = realm.at(thrown).unwrap();
    realm.impulse(thrown, Vec3::new(0.0, 3.0, 6.0)).unwrap();
    let mut top = f32::MIN;
    for tick in 1..=90 {
        realm.tick(f64::from(tick) / 30.0).unwrap();
        top = top.max(realm.at(thrown).unwrap().frame.origin.z);
    }
    let moved = before.offset_to(&realm.at(thrown).unwrap());
    assert!(top > before.frame.origin.z + 1.0, "{top}");
    assert!(moved.truncate().length() > 1.0, "{moved}");
    assert!(realm.body(thrown).unwrap().stance.on_walkable);
}

#[test]
fn numbers_beyond_what_a_body_can_do_are_refused() {
    let mut realm = built_in();
    let walker = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    check_refused(
        realm.set_gait(walker, Gait { run_rate: 110.0, ..Gait::walk() }),
        "cannot use run rate 110: not from -15 to 15",
    );
    assert!(realm.set_gait(walker, Gait::run(1e30)).is_err());
    realm.set_gait(walker, Gait::run(15.0)).unwrap();
    check_refused(
        realm.impulse(walker, Vec3::new(0.0, 0.0, 2000.0)),
        "cannot use impulse 2000: not from -1000 to 1000",
    );
    assert!(realm.cells_at(TAPROOM, taproom().at, -1.0).is_err());
    // The fastest gait still moves a body.
    realm.teleport(walker, place("village square")).unwrap();
    let before = realm.at(walker).unwrap();
    realm.tick(0.1).unwrap();
    assert!(before.offset_to(&realm.at(walker).unwrap()).length() > 4.0);
}

/// The search for room goes ring by ring, and once put bodies behind closed doors and out of houses.
#[test]
fn bodies_that_enter_a_full_room_stay_in_sight_of_the_spot() {
    let mut realm = built_in();
    let doors: Vec<BodyId> = realm.doors().map(|(door, _)| door).collect();
    doors.iter().for_each(|door| realm.close_door(*door).unwrap());
    for tick in 1..=120 {
        realm.tick(f64::from(tick) / 30.0).unwrap();
    }
    let spot = taproom();
    let mut entered = 0;
    let refused = loop {
        match realm.enter(&BodyOptions::creature(), spot) {
            Ok(body) => {
                entered += 1;
                let at = realm.at(body).unwrap();
                assert_eq!(at.cell, TAPROOM, "the {entered}th is at {at}");
                assert!(spot.position().offset_to(&at).length() <= 4.0);
            }
            Err(refused) => break refused,
        }
        assert!(entered < 200);
    };
    assert!(matches!(refused, RealmError::Refused { .. }), "{refused}");
    assert!(entered > 5, "{entered}");
    let huge = BodyOptions { scale: 20.0, ..BodyOptions::creature() };
    assert!(matches!(realm.enter(&huge, spot), Err(RealmError::Refused { .. })));
}

#[test]
fn a_spot_deep_below_the_ground_is_refused() {
    let mut realm = built_in();
    let square = place("village square");
    let deep = Spot { at: square.at - Vec3::Z * 100.0, ..square };
    let refused = realm.enter(&BodyOptions::player(), deep).unwrap_err().to_string();
    assert!(refused.contains("below the ground") && refused.contains("name the room"), "{refused}");
    let rough = Spot { at: square.at - Vec3::Z, ..square };
    let walker = realm.enter(&BodyOptions::player(), rough).unwrap();
    assert!((realm.at(walker).unwrap().frame.origin.z - square.at.z).abs() < 0.1);
    check_refused(
        realm.enter(&BodyOptions::player(), Spot::new(CellId(0xA9B4_FFFF), square.at)),
        "cannot use 0xA9B4FFFF: the world has no such cell, or it cannot be read",
    );
}

#[test]
fn bodies_near_a_body_are_listed_from_near_to_far() {
    let mut realm = built_in();
    let here = realm.enter(&BodyOptions::player(), taproom()).unwrap();
    let far = realm.enter(&BodyOptions::player(), place("lake shore")).unwrap();
    let near = realm.spawn_near(&BodyOptions::creature(), taproom(), 4.0).unwrap();
    let within = realm.bodies_within(here, 30.0).unwrap();
    assert_eq!(within, [(realm.distance(here, near).unwrap(), near)]);
    let all = realm.bodies_within(here, 1e6).unwrap();
    assert_eq!(all.iter().map(|it| it.1).collect::<Vec<_>>(), [near, far]);
}

#[test]
fn a_creature_can_be_ethereal_or_of_another_size() {
    let mut realm = built_in();
    let ghost = BodyOptions::creature();
    let ghost = BodyOptions { state: ghost.state.with(State::ETHEREAL, true), scale: 1.2, ..ghost };
    assert_eq!(ghost.setup, MOVER);
    let [first, second] = [(); 2].map(|()| realm.enter(&ghost, taproom()).unwrap());
    assert_eq!(realm.at(first).unwrap(), realm.at(second).unwrap(), "ghosts share a place");
    let solid = realm.enter(&BodyOptions::creature(), taproom()).unwrap();
    let other = realm.enter(&BodyOptions::creature(), taproom()).unwrap();
    let apart = realm.at(solid).unwrap().offset_to(&realm.at(other).unwrap()).length();
    assert!(apart > 0.9, "{apart}");
}
