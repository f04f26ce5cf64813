//! `threshold cells`: describes the cells of a landblock, or one cell.

mod block;
mod description;

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use threshold_land::{BlockId, Place};

use self::block::BlockList;
use self::description::CellDescription;
use crate::formatting::write_value;
use crate::stdout::print_report;
use crate::surroundings::Surroundings;
use crate::world;

/// Describe the cells of a landblock, or one cell, or list all landblocks
///
/// Each cell with its kind, bounds, floors, portals and neighbours, the rooms on its stab list, flags, objects and
/// building. Points are in the frame of the landblock, in metres.
///
/// A landblock or compass point selects all cells of its landblock: land cells, then rooms. A land cell, room, point or
/// name selects that cell. Damaged records are left out and listed, and the exit status is then 1.
///
/// Without a place, lists the landblocks that have a record, with the number of their rooms, buildings and objects. A
/// landblock with rooms but no building is a dungeon.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold cells
  threshold cells A9B4 --json
  threshold cells 0xA9B40105
  threshold cells \"wine cellar\" --json
  threshold cells --dats tests/data/holt 0xA9B40157")]
pub(crate) struct Cells {
    #[command(flatten)]
    world: world::World,
    /// Landblock, land cell, room, point, compass point, or name in the built-in world
    place: Option<String>,
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

impl Cells {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let Some(place) = &self.place else { return self.list_blocks() };
        let place = self.world.find_place(place)?;
        let mut around = Surroundings::new(self.world.open_whole()?);
        let list = CellList::of(&place, &mut around)?;
        around.print_faults();
        print_report(self.json, &list, |out| list.print(out))?;
        Ok(if around.is_complete() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn list_blocks(&self) -> anyhow::Result<ExitCode> {
        let list = BlockList::of(&self.world.open_whole()?);
        list.print_faults();
        print_report(self.json, &list, |out| Ok(list.print(out)?))?;
        Ok(if list.is_complete() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
