//! Makes a house on a hill and shows its cells, their portals and what can be seen from each.
//!
//! `cargo run -p threshold-forge --example house`

use threshold_dat::{EnvCell, LandBlockInfo, Records};
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut house = Plan::new();
    let hall = house.room(RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]));
    let kitchen = house.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
    house.exit(hall, Opening::door(Face::SOUTH));
    house.join(hall, kitchen, Opening::door(Face::NORTH));
    house.window(kitchen, Opening::pane(Face::EAST));
    let mut forge = Forge::new();
    let hill = forge.block(BlockId::new(0xA9, 0xB4));
    hill.heights(|x, y| 30 - (x - 4).abs().max((y - 4).abs()).max(1));
    let cells = hill.building(Frame::at(Vec3::new(84.0, 84.0, 58.15)), house);
    let world = forge.finish()?;

    let mut records = Records::new(&world);
    for (name, room) in [("hall", hall), ("kitchen", kitchen)] {
        let cell = records.get::<EnvCell>(cells.of(room).into())?.ok_or("no such cell")?;
        let outdoors = if cell.flags.seen_outside() { ", and the landscape" } else { "" };
        let visible: Vec<_> = cell.visible_cells().map(|id| id.to_string()).collect();
        println!("{} {name}: sees {}{outdoors}", cell.id, visible.join(" "));
        for (index, portal) in cell.portals.iter().enumerate() {
            match cell.neighbour(portal) {
                Some(other) => println!("  portal {index} to {other}"),
                None => println!("  portal {index} to the outdoors"),
            }
        }
    }
    let info = hill_info(&mut records)?;
    for building in &info.buildings {
        println!("building {} at {}", building.model, building.frame.origin);
        for portal in &building.portals {
            let visible: Vec<_> = portal.visible.iter().map(|low| format!("{low:04X}")).collect();
            let (cell, index) = (portal.other_cell, portal.other_portal);
            println!("  portal {index} of {cell:04X} shows {}", visible.join(" "));
        }
    }
    Ok(())
}

fn hill_info(records: &mut Records<'_>) -> Result<LandBlockInfo, Box<dyn std::error::Error>> {
    let id = BlockId::new(0xA9, 0xB4).cell(0xFFFE).into();
    records.get(id)?.ok_or_else(|| "no such landblock".into())
}
