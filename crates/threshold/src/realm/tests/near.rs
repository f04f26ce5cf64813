//! Dropped items and spawns.

use threshold_dat::RecordId;
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec};
use threshold_land::{BlockId, Frame};
use threshold_motion::{Mover, Search, Sight, SweepScratch, Sweeper};

use super::super::size::shape_to_place;
use super::*;

/// A hut of two rooms with a door between them, and models of three sizes.
struct Hut {
    realm: Realm,
    kitchen: CellId,
    hall: CellId,
    models: [RecordId; 3],
}

/// Edges of the three models, in metres.
const SIZES: [[f32; 3]; 3] = [[0.3; 3], [0.9, 0.9, 0.8], [0.4, 0.4, 1.6]];

fn hut() -> Hut {
    let mut plan = Plan::new();
    let kitchen = plan.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
    let hall = plan.room(RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]));
    plan.join(kitchen, hall, Opening::door(Face::SOUTH)).exit(hall, Opening::door(Face::SOUTH));
    let mut forge = Forge::new();
    let models = SIZES.map(|size| forge.object(ObjectSpec::cuboid(size)));
    let block = forge.block(BlockId::new(0xA9, 0xB4));
    block.heights(|_, _| 20);
    let cells = block.building(Frame::at(Vec3::new(84.0, 84.0, 40.15)), plan);
    let (kitchen, hall) = (cells.of(kitchen), cells.of(hall));
    Hut { realm: Realm::whole(forge.finish().unwrap()), kitchen, hall, models }
}

/// Checks that an item lies on the floor within two metres, in the view of its dropper, and neither in a wall nor in a body.
#[track_caller]
fn check_dropped(realm: &mut Realm, dropper: BodyId, item: BodyId, case: &str) {
    let (from, at) = (realm.at(dropper).unwrap(), realm.at(item).unwrap());
    let offset = from.offset_to(&at);
    assert!(offset.truncate().length() <= 2.0, "{case}: {offset} away");
    assert!(offset.z.abs() < 0.1, "{case}: {} over the floor", offset.z);
    assert!(realm.body(item).unwrap().stance.on_walkable, "{case}: rests");
    assert_eq!(realm.sees(dropper, item).unwrap(), Sight::Clear, "{case}: visible at {at}");
    let object = realm.object(item).unwrap();
    let shape = shape_to_place(object.setup(), object.scale());
    let mover = Mover { body: Some(item), ..Mover::new(shape) };
    let sweeper = Sweeper { world: realm.world(), rules: realm.rules() };
    let placed = sweeper.place(&mut SweepScratch::new(), &mut (), &mover, &at, Search::Here);
    assert!(placed.is_ok(), "{case}: no room at {at}: {:?}", placed.refused);
}

/// Dropped without these checks, a third of the items beside a wall were behind it, and as many in the air.
#[test]
fn items_dropped_beside_a_wall_are_visible_and_on_the_ground() {
    let Hut { mut realm, kitchen, models, .. } = hut();
    let mut random = Random(7);
    let mut dropped = [0; 3];
    for number in 0..200 {
        let x = between(&mut random, -3.4, 3.4);
        // Beside the wall between the two rooms, or beside the outer wall.
        let y = if number % 2 == 0 { 0.55 } else { 3.45 };
        let heading = between(&mut random, 0.0, 360.0);
        let spot = Spot::new(kitchen, [84.0 + x, 84.0 + y, 40.15]).facing(heading);
        let dropper = realm.enter(&BodyOptions::player(), spot).unwrap();
        let kind = number % 3;
        let item = realm.drop_near(dropper, &BodyOptions::item(models[kind]));
        let case = format!("drop {number} of a model of {:?} from {spot:?}", SIZES[kind]);
        match item {
            Ok(item) => {
                dropped[kind] += 1;
                check_dropped(&mut realm, dropper, item, &case);
                realm.leave(item).unwrap();
            }
            Err(error) => assert!(matches!(error, RealmError::NoSpot { .. }), "{case}: {error}"),
        }
        realm.leave(dropper).unwrap();
    }
    // Around a dropper at a wall there is room for each size.
    assert!(dropped.iter().all(|count| *count >= 60), "{dropped:?}");
}

#[test]
fn items_dropped_one_after_the_other_do_not_lie_in_one_another_until_there_is_no_room_left() {
    let Hut { mut realm, kitchen, models, .. } = hut();
    let spot = Spot::new(kitchen, [84.0, 86.0, 40.15]);
    let dropper = realm.enter(&BodyOptions::player(), spot).unwrap();
    // Solid, so that the next one is tested against it.
    let solid = BodyOptions { state: Default::default(), ..BodyOptions::item(models[1]) };
    let mut items = Vec::new();
    let error = loop {
        match realm.drop_near(dropper, &solid) {
            Ok(item) => items.push(item),
            Err(error) => break error.to_string(),
        }
        assert!(items.len() < 100, "two metres around a body are full some day");
    };
    assert!(items.len() > 3, "{}", items.len());
    for (number, item) in items.iter().enumerate() {
        for other in &items[..number] {
            let apart = realm.at(*item).unwrap().offset_to(&realm.at(*other).unwrap());
            assert!(apart.truncate().abs().max_element() > 0.89, "{item} and {other}: {apart}");
        }
    }
    assert!(error.starts_with("found no place within 2 m of "), "{error}");
    assert!(error.contains("have no room for its size"), "{error}");
}

#[test]
fn a_crate_without_spheres_is_not_placed_inside_a_wall() {
    let Hut { mut realm, kitchen, models, .. } = hut();
    let crate_ = BodyOptions::item(models[1]);
    // Half of it would be in the southern wall.
    let spot = Spot::new(kitchen, [84.0 + 3.0, 84.0 + 0.1, 40.15]);
    let entered = realm.enter(&crate_, spot);
    if let Ok(item) = entered {
        let at = realm.at(item).unwrap();
        assert!(at.frame.origin.y > 84.6, "{at} is pushed out of the wall");
    }
    let narrow = BodyOptions { scale: 8.0, ..crate_ };
    let refused = realm.enter(&narrow, Spot::new(kitchen, [84.0, 86.0, 40.15]));
    assert!(matches!(refused, Err(RealmError::Refused { .. })), "{refused:?}");
}

#[test]
fn an_item_that_is_too_large_is_refused_with_the_reasons() {
    let Hut { mut realm, kitchen, models, .. } = hut();
    let spot = Spot::new(kitchen, [84.0, 86.0, 40.15]);
    let dropper = realm.enter(&BodyOptions::player(), spot).unwrap();
    let count = realm.world().bodies().count();
    let huge = BodyOptions { scale: 9.0, ..BodyOptions::item(models[0]) };
    let error = realm.drop_near(dropper, &huge).unwrap_err().to_string();
    assert!(error.contains("of ") && error.contains("have no room for its size"), "{error}");
    assert_eq!(realm.world().bodies().count(), count);
}

/// A sweep has a limited number of sub-steps of a radius, so one over the whole height is refused for a small item.
#[test]
fn items_of_any_size_can_be_dropped_on_open_ground() {
    let mut realm = built_in();
    let dropper = realm.enter(&BodyOptions::player(), place("village square")).unwrap();
    for scale in [0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 1.0] {
        let item = BodyOptions { scale, ..BodyOptions::item(threshold_forge::MOVER) };
        let item =
            realm.drop_near(dropper, &item).unwrap_or_else(|error| panic!("{scale}: {error}"));
        check_dropped(&mut realm, dropper, item, &format!("scale {scale}"));
    }
}

#[test]
fn creatures_spawn_around_a_spot_and_never_behind_a_wall() {
    let Hut { mut realm, kitchen, hall, .. } = hut();
    let spot = Spot::new(kitchen, [84.0, 85.0, 40.15]);
    let mut spawned = Vec::new();
    while let Ok(body) = realm.spawn_near(&BodyOptions::creature(), spot, 4.0) {
        spawned.push(body);
        assert!(spawned.len() < 200);
    }
    assert!(spawned.len() >= 8, "{}", spawned.len());
    for body in spawned {
        let at = realm.at(body).unwrap();
        // Through the open doorway the hall is visible as well.
        assert!(at.cell == kitchen || at.cell == hall, "{at}");
        assert!(realm.body(body).unwrap().stance.on_walkable, "{at}");
    }
    let far = realm.spawn_near(&BodyOptions::creature(), spot, 1e9);
    check_refused(far, "cannot use reach 1000000000: not from 0 to 50");
}
