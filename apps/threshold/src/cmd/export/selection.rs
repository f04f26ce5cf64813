//! Selects and loads the land and rooms of a place.

use anyhow::{Context, bail};
use threshold_land::{BlockId, CellId, CellKind, Place};
use threshold_map::Pieces;
use threshold_map::extent::{MAX_BLOCKS, blocks_around, is_landscape};
use threshold_world::PieceId;

use super::Export;
use crate::extent::outdoors;
use crate::formatting::thousands;
use crate::progress::Progress;

/// The land and rooms to write, by id.
pub(super) struct Selection {
    pub(super) lands: Vec<BlockId>,
    pub(super) rooms: Vec<CellId>,
    /// The landblock at the origin of the file.
    pub(super) origin: BlockId,
    pub(super) title: String,
}

impl Selection {
    pub(super) fn new(
        export: &Export,
        pieces: &mut Pieces,
        place: Option<&Place>,
    ) -> anyhow::Result<Self> {
        let Some(place) = place else { return Self::whole(export, pieces) };
        let kind = place.cell().and_then(CellId::kind);
        if let (Some(room), Some(CellKind::Env)) = (place.cell(), kind) {
            return Self::joined(export, pieces, room);
        }
        let position = place.position().map(|position| outdoors(&position, place)).transpose()?;
        let block = position.map_or(place.block(), |position| position.cell.block());
        pieces.load(PieceId::Land(block));
        let landscape = pieces.world.land(block).is_some_and(is_landscape);
        if kind != Some(CellKind::Land) && !landscape && export.blocks.is_none() {
            let rooms = pieces.rooms_of(block);
            if !rooms.is_empty() {
                return Self::dungeon(export, pieces, block, rooms);
            }
        }
        if pieces.world.land(block).is_none() && export.blocks.is_none() {
            let usable = if pieces.faults.is_empty() { "" } else { " that can be used" };
            bail!("landblock {block} has neither land nor rooms{usable}");
        }
        let (columns, rows) = export.blocks.unwrap_or((1, 1));
        let (corner, columns, rows) = blocks_around(block, columns, rows);
        let all = (0..columns).flat_map(|x| (0..rows).map(move |y| (x, y)));
        let all = all.map(|(x, y)| BlockId::new(corner.x() + x, corner.y() + y));
        let title = match (columns, rows) {
            (1, 1) => format!("Landblock {block}"),
            _ => format!("{columns} x {rows} landblocks round {block}"),
        };
        Self::landscape(export, pieces, all.collect(), title)
    }

    /// Selects the whole landscape, or the dungeon of a world without one. Fails if the world is too large.
    fn whole(export: &Export, pieces: &mut Pieces) -> anyhow::Result<Self> {
        let all = pieces.all();
        let lands = all.iter().filter_map(|piece| match piece {
            PieceId::Land(block) => Some(*block),
            PieceId::Room(_) => None,
        });
        let mut lands: Vec<BlockId> = lands.collect();
        let most = usize::from(MAX_BLOCKS);
        if lands.len() > most * most {
            bail!(
                "the world has {} landblocks, too many to write; name a place",
                thousands(lands.len())
            );
        }
        lands.retain(|block| {
            pieces.load(PieceId::Land(*block));
            pieces.world.land(*block).is_some_and(is_landscape)
        });
        if !lands.is_empty() {
            return Self::landscape(export, pieces, lands, "The whole landscape".to_owned());
        }
        let block = all.iter().find_map(|piece| match piece {
            PieceId::Room(room) => Some(room.block()),
            PieceId::Land(_) => None,
        });
        let block = block.context("the world has neither land nor rooms")?;
        let rooms = pieces.rooms_of(block);
        Self::dungeon(export, pieces, block, rooms)
    }

    /// Selects landblocks with all their rooms.
    fn landscape(
        export: &Export,
        pieces: &mut Pieces,
        mut lands: Vec<BlockId>,
        title: String,
    ) -> anyhow::Result<Self> {
        lands.sort_unstable();
        let origin = *lands.first().context("there is no land")?;
        lands.retain(|block| pieces.load(PieceId::Land(*block)));
        if lands.is_empty() {
            bail!("{title}: there is no land");
        }
        let mut rooms = Vec::new();
        if !export.no_interiors {
            rooms.extend(lands.iter().flat_map(|block| pieces.rooms_of(*block)));
            load(pieces, &mut rooms);
        }
        Ok(Self { lands, rooms, origin, title })
    }

    /// Selects the rooms connected to a room by portals.
    fn joined(export: &Export, pieces: &mut Pieces, room: CellId) -> anyhow::Result<Self> {
        if export.blocks.is_some() {
            bail!("--blocks: {room} is a room; name a landblock, or remove the option");
        }
        if export.no_interiors {
            bail!("--no-interiors: {room} is a room; name a landblock, or remove the option");
        }
        let rooms = pieces.joined_to(room);
        if rooms.is_empty() {
            let problem =
                if pieces.faults.is_empty() { "does not exist" } else { "cannot be used" };
            bail!("room {room} {problem}");
        }
        let title = format!("The rooms joined to {room}");
        Ok(Self { lands: Vec::new(), rooms, origin: room.block(), title })
    }

    fn dungeon(
        export: &Export,
        pieces: &mut Pieces,
        block: BlockId,
        mut rooms: Vec<CellId>,
    ) -> anyhow::Result<Self> {
        if export.no_interiors {
            bail!("--no-interiors: landblock {block} has only rooms; remove the option");
        }
        load(pieces, &mut rooms);
        let title = format!("The rooms of landblock {block}");
        Ok(Self { lands: Vec::new(), rooms, origin: block, title })
    }
}

/// Loads rooms. Those that cannot be used are removed from the list.
fn load(pieces: &mut Pieces, rooms: &mut Vec<CellId>) {
    let progress = Progress::new("loading", rooms.len() as u64);
    rooms.retain(|room| {
        progress.step();
        pieces.room(*room).is_some()
    });
    progress.finish();
}
