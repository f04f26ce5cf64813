//! Looks out of a shop, across the street, into the house on the other side and out of its back door, in a world made in code.
//!
//! `cargo run -p threshold-view --example look` lists what is visible, and through which portals;
//! `cargo run -p threshold-view --example look -- --svg > look.svg` draws the screen.

#![allow(clippy::print_stdout, reason = "an example shows what it did")]

use std::error::Error;

use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec, samples};
use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{CellId, Frame, Rotation};
use threshold_view::{
    Lens, PortalLog, PortalWalk, Region, RegionContent, ViewScratch, Viewer, VisibleSet,
};
use threshold_world::{Builder, World};

/// Size of the drawing in pixels.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 540.0;
const FLOOR: f32 = 40.15;

/// Rooms by name.
struct Street {
    world: World,
    names: Vec<(CellId, &'static str)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let street = street()?;
    let (eye, look) = (Vec3::new(84.9, 102.3, 41.8), Vec3::new(83.2, 88.0, 41.3));
    let lens = Lens { fov: 42.0, ..Lens::default() };
    let viewer = Viewer::looking_at(street.id("shop"), eye, look, lens)?;
    let (mut scratch, mut log) = (ViewScratch::new(), PortalLog::default());
    let visible = PortalWalk::new(&street.world).run(&mut scratch, &mut log, &viewer);
    match std::env::args().any(|argument| argument == "--svg") {
        true => street.draw(visible),
        false => street.print(visible, &log),
    }
    Ok(())
}

/// Two buildings whose doors face each other: 3.5 m of street between them.
fn street() -> Result<Street, Box<dyn Error>> {
    let mut near = Plan::new();
    let shop = near.room(RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.2]));
    let office = near.room(RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.2]));
    near.exit(shop, Opening::door(Face::SOUTH).size(4.4, 2.7));
    near.join(shop, office, Opening::door(Face::NORTH));

    let mut far = Plan::new();
    let hall = far.room(RoomSpec::cuboid([-5.0, -6.0, 0.0], [5.0, 0.0, 3.2]));
    let kitchen = far.room(RoomSpec::cuboid([-5.0, 0.0, 0.0], [5.0, 5.0, 3.2]));
    let pantry = far.room(RoomSpec::cuboid([-8.0, 0.0, 0.0], [-5.0, 5.0, 3.2]));
    far.exit(hall, Opening::door(Face::SOUTH).size(2.2, 2.4));
    far.window(hall, Opening::pane(Face::SOUTH).along(1.2).size(1.6, 1.2));
    far.window(hall, Opening::pane(Face::SOUTH).along(7.2).size(1.6, 1.2));
    far.join(hall, kitchen, Opening::door(Face::NORTH).size(2.6, 2.3));
    far.join(kitchen, pantry, Opening::door(Face::WEST).along(1.0));
    far.exit(kitchen, Opening::door(Face::NORTH).size(1.6, 2.1));

    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    block.heights(|_, _| 20);
    let at = |y: f32, heading: f32| Frame {
        origin: Vec3::new(84.0, y, FLOOR),
        rotation: Rotation::from_heading(heading),
    };
    let near = block.building(at(103.5, 0.0), near);
    let far = block.building(at(88.0, 180.0), far);
    let names = vec![
        (near.of(shop), "shop"),
        (near.of(office), "office"),
        (far.of(hall), "hall"),
        (far.of(kitchen), "kitchen"),
        (far.of(pantry), "pantry"),
    ];
    let (builder, mut world) = (Builder::new(forge.finish()?), World::new());
    for piece in builder.pieces() {
        builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
    }
    Ok(Street { world, names })
}

impl Street {
    fn id(&self, name: &str) -> CellId {
        self.names.iter().find(|(_, other)| *other == name).map_or(CellId(0), |(id, _)| *id)
    }

    fn name(&self, target: RegionContent) -> &'static str {
        match target {
            RegionContent::Landscape => "landscape",
            RegionContent::NotResident(_) => "not resident",
            RegionContent::Room(id) => {
                self.names.iter().find(|(other, _)| *other == id).map_or("a room", |(_, name)| name)
            }
        }
    }

    /// Returns the entry portal of a region, in words.
    fn through(&self, region: &Region<'_>) -> String {
        let Some(via) = region.entry() else { return "the viewer is there".to_owned() };
        let name = self.name(RegionContent::Room(via.cell));
        match via.outdoors {
            true => format!("portal {} of the {name}, from landscape {}", via.portal, via.region),
            false => format!("portal {} of the {name} {}", via.portal, via.region),
        }
    }

    fn print(&self, visible: &VisibleSet, log: &PortalLog) {
        println!("{:12} {:>7}  through", "visible", "screen");
        let rooms = visible.cells().flat_map(|cell| cell.regions().enumerate().collect::<Vec<_>>());
        for (number, region) in rooms.chain(visible.landscape().enumerate()) {
            let name = format!("{} {number}", self.name(region.content()));
            println!("{name:12} {:6.2} %  {}", 100.0 * region.coverage(), self.through(&region));
        }
        println!("\nnot visible");
        for (cell, tests) in log.unseen_rooms(visible) {
            for test in tests {
                let (name, of) = (
                    self.name(RegionContent::Room(cell)),
                    self.name(RegionContent::Room(test.cell)),
                );
                let (portal, outcome) = (test.portal, test.outcome.text());
                println!("{name:12} portal {portal} of the {of} {outcome}");
            }
        }
        let stats = visible.stats();
        println!(
            "\n{} walks, {} visits, {} portals tested",
            stats.walks, stats.visits, stats.portals
        );
    }

    /// Draws every region in the order of the visible set: the far side of a portal over its near side.
    fn draw(&self, visible: &VisibleSet) {
        println!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="monospace" text-anchor="middle">"##
        );
        visible.regions().for_each(|region| self.draw_region(&region));
        println!("</svg>");
    }

    fn draw_region(&self, region: &Region<'_>) {
        let corners: Vec<DVec2> =
            region.corners().iter().map(|corner| to_pixels(*corner)).collect();
        let points: Vec<String> =
            corners.iter().map(|at| format!("{:.1},{:.1}", at.x, at.y)).collect();
        let name = self.name(region.content());
        let fill = match name {
            "landscape" => "#c4ddb0",
            "shop" => "#efe7d6",
            "hall" => "#e0bf9a",
            "kitchen" => "#cf9b76",
            _ => "#a9b9cf",
        };
        println!(
            r##"<polygon points="{}" fill="{fill}" stroke="#5b4636" stroke-width="1.5"/>"##,
            points.join(" ")
        );
        // The name is above the lower edge, as what is behind the region is mostly in its middle.
        let low = corners.iter().fold(f64::INFINITY, |low, at| low.min(at.x));
        let high = corners.iter().fold(f64::NEG_INFINITY, |high, at| high.max(at.x));
        let size = ((high - low) / 6.0).clamp(7.0, 15.0);
        let (x, y) = ((low + high) / 2.0, lower_edge(&corners, (low + high) / 2.0) - 0.5 * size);
        println!(
            r##"<text x="{x:.1}" y="{y:.1}" font-size="{size:.1}" fill="#3a2d22">{name}</text>"##
        );
    }
}

/// Returns the lowest point of an outline straight above or below a point.
fn lower_edge(corners: &[DVec2], x: f64) -> f64 {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let across = sides.filter(|(a, b)| (a.x <= x) != (b.x <= x));
    across.map(|(a, b)| a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)).fold(0.0, f64::max)
}

/// Converts a point of the screen to pixels from the upper left corner.
fn to_pixels(at: DVec2) -> DVec2 {
    DVec2::new((at.x + 1.0) / 2.0 * WIDTH, (1.0 - at.y) / 2.0 * HEIGHT)
}
