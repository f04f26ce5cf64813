//! A house made in code, a walk through it, and the cells on the way.

use std::error::Error;

use threshold::forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold::{BlockId, BodyOptions, Event, Frame, Gait, Realm, Spot, Vec3};

fn main() -> Result<(), Box<dyn Error>> {
    let mut house = Plan::new();
    let kitchen = house.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
    let hall = house.room(RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]));
    house.join(kitchen, hall, Opening::door(Face::SOUTH)).exit(hall, Opening::door(Face::SOUTH));
    let mut forge = Forge::new();
    let meadow = forge.block(BlockId::new(0xA9, 0xB4));
    meadow.heights(|_, _| 20); // in steps of two metres
    let cells = meadow.building(Frame::at(Vec3::new(84.0, 84.0, 40.15)), house);

    let mut realm = Realm::whole(forge.finish()?);
    let start = Spot::new(cells.of(kitchen), [84.0, 86.0, 40.15]).facing(180.0);
    let walker = realm.enter(&BodyOptions::player(), start)?;
    println!("in {}", realm.at(walker)?.cell);
    for event in realm.walk(walker, Gait::walk(), 4.0)? {
        if let Some(Event::CellChanged { from: Some(from), to: Some(to) }) = event.of(walker) {
            println!("{from} -> {to}");
        }
    }
    println!("at {}", realm.at(walker)?);
    Ok(())
}
