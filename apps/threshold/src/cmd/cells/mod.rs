//! `threshold cells`: describes the cells of a landblock, or one cell.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use threshold_dat::RecordId;
use threshold_geom::FLOOR_Z;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Place};
use threshold_play::standing::room_extent;
use threshold_world::{LandCell, Object, Portal, Room, Water, World};

use crate::formatting::write_value;
use crate::stdout::print_report;
use crate::surroundings::Surroundings;
use crate::world;

/// Describe the cells of a landblock, or one cell
///
/// Each cell with its kind, bounds, floors, portals and neighbours, the rooms on its stab list, flags, objects and
/// building. Points are in the frame of the landblock, in metres.
///
/// A landblock or compass point selects all cells of its landblock: land cells, then rooms. A land cell, room, point or
/// name selects that cell. Damaged records are left out and listed, and the exit status is then 1.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold cells A9B4 --json
  threshold cells 0xA9B40105
  threshold cells \"wine cellar\" --json
  threshold cells --dats tests/data/holt 0xA9B40157")]
pub(crate) struct Cells {
    #[command(flatten)]
    world: world::World,
    /// Landblock, land cell, room, point, compass point, or name in the built-in world
    place: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The cells of a landblock. Field names are keys of the JSON output.
#[derive(Serialize)]
struct CellList {
    block: BlockId,
    cells: Vec<CellDescription>,
}

/// A cell.
#[derive(Serialize)]
struct CellDescription {
    cell: CellId,
    kind: CellSort,
    /// Lowest and highest corner.
    bounds: Option<[Vec3; 2]>,
    floors: Vec<Floor>,
    portals: Vec<PortalDescription>,
    /// Rooms on the stab list of a room; rooms seen through the portals of a land cell's building.
    stab_list: Vec<CellId>,
    seen_outside: bool,
    water: Option<&'static str>,
    /// Object that guards the cell.
    restriction: Option<RecordId>,
    objects: Vec<ObjectDescription>,
    /// Model of the building that stands in a land cell.
    building: Option<RecordId>,
}

/// Kind of a cell.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum CellSort {
    Land,
    Room,
}

/// A polygon that movers can stand on.
#[derive(Serialize)]
struct Floor {
    /// Number of the physics polygon of a room, or of the triangle of a landblock.
    polygon: usize,
    low: f32,
    high: f32,
    normal: Vec3,
}

/// A portal of a room, or of a building.
#[derive(Serialize)]
struct PortalDescription {
    /// The room behind it; `null` leads outdoors.
    to: Option<CellId>,
    /// Its number in the list of that room.
    other_portal: Option<u16>,
    /// Its corners; empty for a portal of a building, whose room has them.
    corners: Vec<Vec3>,
}

/// An object that touches a cell.
#[derive(Serialize)]
struct ObjectDescription {
    id: String,
    model: RecordId,
    position: String,
}

impl Cells {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let place = self.world.find_place(&self.place)?;
        let mut around = Surroundings::new(self.world.open_whole()?);
        let list = CellList::of(&place, &mut around)?;
        around.print_faults();
        print_report(self.json, &list, |out| list.print(out))?;
        Ok(if around.is_complete() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

impl CellList {
    fn of(place: &Place, around: &mut Surroundings) -> anyhow::Result<Self> {
        let block = place.block();
        let one = match *place {
            Place::Cell(cell) | Place::Point(cell, _) => Some(cell),
            Place::Loc(position) => Some(position.cell),
            Place::Block(_) | Place::Compass(_) => None,
        };
        match one {
            Some(cell) => around.require(cell)?,
            None => around.require_block(block)?,
        }
        // Objects of neighbours reach into a cell.
        around.load_block_and_neighbours(block);
        let world = around.world();
        let land = world.land(block).into_iter();
        let lands = land.flat_map(|land| (0..64).filter_map(|index| land.cell(index)));
        let lands = lands.map(|cell| CellDescription::of_land(world, cell));
        let rooms = world.rooms(block).map(|room| CellDescription::of_room(world, room));
        let is_wanted = |cell: &CellDescription| one.is_none_or(|one| cell.cell == one);
        Ok(Self { block, cells: lands.chain(rooms).filter(is_wanted).collect() })
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for cell in &self.cells {
            writeln!(out, "{}", cell.cell)?;
            write_value(out, cell, 2)?;
        }
        Ok(())
    }
}

impl CellDescription {
    fn of_room(world: &World, room: &Room) -> Self {
        let physics = &room.structure().physics;
        let outline = |number: usize| {
            let polygon = physics.polygon(u32::try_from(number).unwrap_or(u32::MAX));
            polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect::<Vec<_>>()
        };
        let normal = |number: usize| {
            let polygon = physics.polygon(u32::try_from(number).unwrap_or(u32::MAX));
            room.position().frame.rotation.rotate(polygon.plane.normal)
        };
        let numbers = 0..physics.polygons().len();
        Self {
            cell: room.id(),
            kind: CellSort::Room,
            bounds: room_extent(room),
            floors: numbers.filter_map(|at| Floor::of(at, &outline(at), normal(at))).collect(),
            portals: room.portals().iter().map(|at| PortalDescription::of_room(room, at)).collect(),
            stab_list: room.stabs().to_vec(),
            seen_outside: room.seen_outside(),
            water: None,
            restriction: room.restriction(),
            objects: objects(world, room.id()),
            building: None,
        }
    }

    fn of_land(world: &World, cell: LandCell<'_>) -> Self {
        let terrain = cell.land().terrain();
        let triangles = [0, 1].map(|half| 2 * cell.index() + half);
        let corners: Vec<Vec3> = triangles.iter().flat_map(|at| terrain.triangle(*at)).collect();
        let bounds = corners.iter().map(|at| [*at, *at]);
        let building = cell.building();
        let portals = building.map(|building| &building.portals[..]).unwrap_or_default();
        Self {
            cell: cell.id(),
            kind: CellSort::Land,
            bounds: bounds.reduce(|[low, high], [a, b]| [low.min(a), high.max(b)]),
            floors: triangles
                .into_iter()
                .filter_map(|at| Floor::of(at, &terrain.triangle(at), terrain.plane(at).normal))
                .collect(),
            portals: portals
                .iter()
                .map(|portal| PortalDescription {
                    to: Some(portal.other),
                    other_portal: portal.other_portal,
                    corners: Vec::new(),
                })
                .collect(),
            stab_list: once_each(portals.iter().flat_map(|portal| &portal.stabs)),
            seen_outside: true,
            water: Some(match cell.water() {
                Water::None => "none",
                Water::Partial => "partial",
                Water::Entire => "entire",
            }),
            restriction: cell.restriction(),
            objects: objects(world, cell.id()),
            building: building.map(|building| building.setup.id),
        }
    }
}

impl Floor {
    /// Describes a polygon; `None` if it is too steep to stand on.
    fn of(polygon: usize, corners: &[Vec3], normal: Vec3) -> Option<Self> {
        let heights = || corners.iter().map(|corner| corner.z);
        let (low, high) =
            (heights().fold(f32::INFINITY, f32::min), heights().fold(f32::NEG_INFINITY, f32::max));
        (normal.z >= FLOOR_Z).then_some(Self { polygon, low, high, normal })
    }
}

impl PortalDescription {
    fn of_room(room: &Room, portal: &Portal) -> Self {
        let corners = room.portal_polygon(portal).vertices;
        Self {
            to: portal.other,
            other_portal: portal.other_portal,
            corners: corners.iter().map(|corner| room.to_block(*corner)).collect(),
        }
    }
}

/// Removes duplicates; keeps the first of each.
fn once_each<'a>(cells: impl Iterator<Item = &'a CellId>) -> Vec<CellId> {
    let mut seen = BTreeSet::new();
    cells.copied().filter(|cell| seen.insert(*cell)).collect()
}

/// Describes the objects that touch a cell.
fn objects(world: &World, cell: CellId) -> Vec<ObjectDescription> {
    let describe = |object: &Object| ObjectDescription {
        id: object.id().to_string(),
        model: object.model(),
        position: object.position().to_string(),
    };
    world.objects_in(cell).map(describe).collect()
}
