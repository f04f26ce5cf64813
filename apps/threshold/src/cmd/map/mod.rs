//! `threshold map`: a map to print.

mod land;
mod plan;
mod sheet;
mod style;
mod things;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use threshold_land::{BlockId, CellId, CellKind, Place, Position};
use threshold_world::{Land, PieceId};

use crate::drawing::file::Format;
use crate::drawing::scene::Scene;
use crate::pieces::Pieces;
use crate::show::thousands;
use crate::world::World;

/// Draws a map: the landscape round a place, or the floor plan of a building or dungeon.
///
/// A compass point, a landblock or a land cell gives the landscape of its landblock. A room gives
/// the plan of all rooms joined to it; a landblock without a landscape, the plan of its dungeon. Rooms are
/// drawn by level, each once; stairs are shown again where they arrive. What is damaged is left out
/// and named, and the exit status is then 1.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold map --out world.svg
  threshold map A9B4 --out village.svg
  threshold map 0xACB40100 --out depths.svg
  threshold map --dats tests/data/holt \"42.1N, 33.6E\" --blocks 3x4 --ids --out holt.png
  threshold map --dats tests/data/holt 0xA9B40164 --out inn.svg
  threshold map --dats tests/data/dungeon 0102 --level -7 --out level.png")]
pub(crate) struct Map {
    #[command(flatten)]
    world: World,
    /// A compass point, loc, landblock, cell or point. Without it the whole landscape is drawn, or the dungeon of a
    /// world that has none.
    place: Option<String>,
    /// File to write; its name ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Of a floor plan, only the level nearest to this height.
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = level)]
    level: Option<f32>,
    /// Of the landscape, so many landblocks: 3 is 3 x 3, 3x4 is 3 wide and 4 tall; 32 at most.
    #[arg(long, value_name = "N", value_parser = blocks, requires = "place")]
    blocks: Option<(u8, u8)>,
    /// Show all ids: of rooms; or, where they have room, of land cells, buildings (the first room
    /// behind their doors) and objects (their number in the landblock).
    #[arg(long)]
    ids: bool,
}

/// A map, and what is on it in words.
struct Drawn {
    scene: Scene,
    what: String,
}

/// The most landblocks along a side: more would make a file that nothing opens.
const MOST_BLOCKS: u8 = 32;

/// Heights beyond this, in metres, are nearest to the same level as this is.
const FAR: f32 = 1e5;

fn level(text: &str) -> Result<f32, String> {
    let height = text.parse::<f32>().ok().filter(|height| height.is_finite());
    height
        .map(|height| height.clamp(-FAR, FAR))
        .ok_or_else(|| "write a height in metres".to_owned())
}

fn blocks(text: &str) -> Result<(u8, u8), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (1..=MOST_BLOCKS).contains(n));
    let (columns, rows) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let both = number(columns).zip(number(rows));
    both.ok_or_else(|| format!("write 3 or 3x4, from 1 to {MOST_BLOCKS} landblocks a side"))
}

impl Map {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let format = Format::of(&self.out)?;
        let place: Option<Place> = self.place.as_deref().map(str::parse).transpose()?;
        let mut pieces = Pieces::new(self.world.open_whole()?);
        let drawn = match &place {
            Some(place) => self.draw(&mut pieces, place),
            None => self.whole(&mut pieces),
        };
        pieces.say_faults();
        let drawn = drawn?;
        let written = format.write(&drawn.scene, &self.out)?;
        writeln!(io::stdout(), "{}: {}; {written}", self.out.display(), drawn.what)?;
        Ok(if pieces.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn draw(&self, pieces: &mut Pieces, place: &Place) -> anyhow::Result<Drawn> {
        let kind = place.cell().and_then(CellId::kind);
        if let (Some(room), Some(CellKind::Env)) = (place.cell(), kind) {
            return self.joined(pieces, room, place);
        }
        let position = place.position().map(|position| outdoors(&position, place)).transpose()?;
        let block = position.map_or(place.block(), |position| position.cell.block());
        pieces.load(PieceId::Land(block));
        let landscape = pieces.world.land(block).is_some_and(is_landscape);
        if kind != Some(CellKind::Land) && !landscape && self.blocks.is_none() {
            let rooms = pieces.rooms_of(block);
            if !rooms.is_empty() {
                return self.dungeon(pieces, block, rooms);
            }
        }
        if pieces.world.land(block).is_none() && self.blocks.is_none() {
            let why = if pieces.faults.is_empty() { "" } else { " that can be used" };
            bail!("landblock {block} has neither land nor rooms{why}");
        }
        let cell = place.cell().filter(|_| kind == Some(CellKind::Land) && position.is_none());
        self.landscape(pieces, block, position, cell)
    }

    /// Everything there is, of a world that is not too large for it.
    fn whole(&self, pieces: &mut Pieces) -> anyhow::Result<Drawn> {
        let all = pieces.all();
        let lands = all.iter().filter_map(|piece| match piece {
            PieceId::Land(block) => Some(*block),
            PieceId::Room(_) => None,
        });
        let lands: Vec<BlockId> = lands.collect();
        let most = usize::from(MOST_BLOCKS);
        if lands.len() > most * most {
            bail!("this world has {} landblocks; name a place", thousands(lands.len()));
        }
        for block in &lands {
            pieces.load(PieceId::Land(*block));
        }
        let land = |block: &&BlockId| pieces.world.land(**block).is_some_and(is_landscape);
        let Some((corner, columns, rows)) = round_all(lands.iter().filter(land).copied()) else {
            let first = all.iter().find_map(|piece| match piece {
                PieceId::Room(room) => Some(room.block()),
                PieceId::Land(_) => None,
            });
            let block = first.context("this world has neither land nor rooms")?;
            let rooms = pieces.rooms_of(block);
            return self.dungeon(pieces, block, rooms);
        };
        if columns.max(rows) > MOST_BLOCKS {
            bail!("the land of this world is {columns} x {rows} landblocks large; name a place");
        }
        let title = format!("{columns} x {rows} landblocks from {corner}");
        self.land(
            pieces,
            land::View { corner, columns, rows, mark: None, cell: None, ids: self.ids, title },
        )
    }

    /// The rooms joined to one.
    fn joined(&self, pieces: &mut Pieces, room: CellId, place: &Place) -> anyhow::Result<Drawn> {
        if self.blocks.is_some() {
            bail!("--blocks: {room} is a room, which is drawn as a floor plan");
        }
        let rooms = pieces.joined_to(room);
        if rooms.is_empty() {
            let why = if pieces.faults.is_empty() { "is not there" } else { "cannot be used" };
            bail!("room {room} {why}");
        }
        let at = place.position().map(|position| position.frame.origin.truncate());
        let title = if rooms.len() == 1 {
            format!("Room {room}")
        } else {
            format!("The rooms joined to {room}")
        };
        let mark = Some((room, at));
        plan::draw(pieces, &plan::View { rooms, level: self.level, mark, ids: self.ids, title })
    }

    fn dungeon(
        &self,
        pieces: &mut Pieces,
        block: BlockId,
        rooms: Vec<CellId>,
    ) -> anyhow::Result<Drawn> {
        for room in &rooms {
            pieces.room(*room);
        }
        let title = format!("The rooms of landblock {block}");
        plan::draw(
            pieces,
            &plan::View { rooms, level: self.level, mark: None, ids: self.ids, title },
        )
    }

    fn landscape(
        &self,
        pieces: &mut Pieces,
        block: BlockId,
        mark: Option<Position>,
        cell: Option<CellId>,
    ) -> anyhow::Result<Drawn> {
        let (columns, rows) = self.blocks.unwrap_or((1, 1));
        let (corner, columns, rows) = land::View::round(block, columns, rows);
        let title = match (columns, rows) {
            (1, 1) => format!("Landblock {block}"),
            _ => format!("{columns} x {rows} landblocks round {block}"),
        };
        let ids = self.ids;
        self.land(pieces, land::View { corner, columns, rows, mark, cell, ids, title })
    }

    fn land(&self, pieces: &mut Pieces, view: land::View) -> anyhow::Result<Drawn> {
        if self.level.is_some() {
            bail!("--level: {} is drawn as a landscape, which has no levels", view.title);
        }
        land::draw(pieces, &view)
    }
}

/// The canonical spelling of an outdoor position: in its own landblock.
fn outdoors(position: &Position, place: &Place) -> anyhow::Result<Position> {
    position.normalised().with_context(|| format!("{place}: not a place on the map"))
}

/// The smallest rectangle round landblocks: the one in its south-western corner, columns and rows.
fn round_all(blocks: impl Iterator<Item = BlockId> + Clone) -> Option<(BlockId, u8, u8)> {
    let (x, y) = (blocks.clone().map(BlockId::x), blocks.map(BlockId::y));
    let (low_x, low_y) = (x.clone().min()?, y.clone().min()?);
    let (high_x, high_y) = (x.max()?, y.max()?);
    // The map has 255 of them each way.
    let count = |low: u8, high: u8| (high - low).saturating_add(1);
    Some((BlockId::new(low_x, low_y), count(low_x, high_x), count(low_y, high_y)))
}

/// Whether a landblock has more than the flat ground above a dungeon.
fn is_landscape(land: &Land) -> bool {
    !(land.terrain().is_flat_zero() && land.buildings().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_height() {
        assert_eq!(level("-7"), Ok(-7.0));
        assert_eq!(level("-1e30"), Ok(-FAR), "so that the lowest level is the nearest");
        for bad in ["nan", "inf", "-inf", "", "deep"] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_rectangle_is_drawn_round_all_landblocks() {
        let round = |blocks: &[u16]| round_all(blocks.iter().map(|id| BlockId(*id)));
        assert_eq!(round(&[0xA9B4]), Some((BlockId(0xA9B4), 1, 1)));
        assert_eq!(round(&[0xA9B4, 0xA7B6, 0xA8B5]), Some((BlockId(0xA7B4), 3, 3)));
        assert_eq!(round(&[]), None);
    }

    #[test]
    fn landblocks_a_side_are_one_number_or_two() {
        assert_eq!(blocks("3"), Ok((3, 3)));
        assert_eq!(blocks("3x4"), Ok((3, 4)));
        for bad in ["0", "33", "3x", "x", "", "-1", "3x4x5"] {
            assert!(blocks(bad).is_err(), "{bad}");
        }
    }
}
