//! Which map shows a place, and how it is drawn.

use anyhow::{Context, bail};
use clap::Args;
use threshold_land::{BlockId, CellId, CellKind, Place, Position};
use threshold_world::PieceId;

use super::{Drawn, land, plan};
use crate::extent::{MOST_BLOCKS, blocks, is_landscape, outdoors, round, round_all};
use crate::pieces::Pieces;
use crate::show::thousands;

/// What of a place is drawn, and how.
#[derive(Args, Debug, Default)]
pub(crate) struct Choice {
    /// Of a floor plan, only the level nearest to this height.
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = level)]
    pub(crate) level: Option<f32>,
    /// Of the landscape, so many landblocks: 3 is 3 x 3, 3x4 is 3 wide and 4 tall; 32 at most.
    #[arg(long, value_name = "N", value_parser = blocks, requires = "place")]
    pub(crate) blocks: Option<(u8, u8)>,
    /// Show all ids: of rooms; or, where they have room, of land cells, buildings (the first room
    /// behind their doors) and objects (their number in the landblock).
    #[arg(long)]
    pub(crate) ids: bool,
    /// What stands over the map, if not what it shows.
    #[arg(skip)]
    pub(crate) title: Option<String>,
}

/// Nothing of the map is higher or lower than this, in metres.
const FAR: f32 = 1e5;

fn level(text: &str) -> Result<f32, String> {
    let height = text.parse::<f32>().ok().filter(|height| height.abs() <= FAR);
    height.ok_or_else(|| format!("write a height from -{FAR} to {FAR} metres"))
}

impl Choice {
    /// The map that shows a place.
    pub(crate) fn draw(&self, pieces: &mut Pieces, place: &Place) -> anyhow::Result<Drawn> {
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
    pub(super) fn whole(&self, pieces: &mut Pieces) -> anyhow::Result<Drawn> {
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

    fn titled(&self, own: String) -> String {
        self.title.clone().unwrap_or(own)
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
        let title = self.titled(if rooms.len() == 1 {
            format!("Room {room}")
        } else {
            format!("The rooms joined to {room}")
        });
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
        let (corner, columns, rows) = round(block, columns, rows);
        let title = self.titled(match (columns, rows) {
            (1, 1) => format!("Landblock {block}"),
            _ => format!("{columns} x {rows} landblocks round {block}"),
        });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_height() {
        assert_eq!(level("-7"), Ok(-7.0));
        assert_eq!(level("-1e5"), Ok(-FAR));
        for bad in ["nan", "-1e30", "inf", "-inf", "", "deep"] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }
}
