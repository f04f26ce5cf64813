//! The choice of the map that shows a place.

use threshold_land::{BlockId, CellId, CellKind, Place, Position};
use threshold_world::PieceId;

use crate::drawing::Drawing;
use crate::extent::{MAX_BLOCKS, blocks_around, bounding_blocks, is_landscape};
use crate::{MapError, Pieces, landscape, plan};

/// The part of a place that is drawn, and its labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapOptions {
    /// Draws only the level of a floor plan that is nearest to this height, in metres.
    pub level: Option<f32>,
    /// Columns and rows of a landscape, in landblocks; 1 x 1 by default.
    pub blocks: Option<(u8, u8)>,
    /// Shows all ids: of rooms; or, where there is space, of land cells, buildings and objects. Without it, rooms have
    /// ids where they fit.
    pub ids: bool,
    /// Title of the map; by default a description of the place.
    pub title: Option<String>,
}

/// A map.
#[derive(Clone, Debug)]
pub struct DrawnMap {
    /// The map.
    pub drawing: Drawing,
    /// The contents in words, such as `10 rooms on 2 levels`.
    pub summary: String,
}

/// Draws the map of a place.
///
/// A room gives the floor plan of all rooms joined to it, a landblock without a landscape the plan of its dungeon,
/// anything else the landscape around it. Loads the pieces that it needs.
///
/// # Errors
///
/// If the place has nothing to draw, or an option does not suit its kind of map.
pub fn draw_place(
    pieces: &mut Pieces,
    place: &Place,
    options: &MapOptions,
) -> Result<DrawnMap, MapError> {
    let kind = place.cell().and_then(CellId::kind);
    if let (Some(room), Some(CellKind::Env)) = (place.cell(), kind) {
        return options.draw_joined(pieces, room, place);
    }
    let on_map = |position: Position| position.normalised().ok_or(MapError::OffMap(*place));
    let position = place.position().map(on_map).transpose()?;
    let block = position.map_or(place.block(), |position| position.cell.block());
    pieces.load(PieceId::Land(block));
    let has_landscape = pieces.world.land(block).is_some_and(is_landscape);
    if kind != Some(CellKind::Land) && !has_landscape && options.blocks.is_none() {
        let rooms = pieces.rooms_of(block);
        if !rooms.is_empty() {
            return options.draw_dungeon(pieces, block, rooms);
        }
    }
    if pieces.world.land(block).is_none() && options.blocks.is_none() {
        return Err(MapError::EmptyBlock { block, damaged: !pieces.faults.is_empty() });
    }
    let cell = place.cell().filter(|_| kind == Some(CellKind::Land) && position.is_none());
    options.draw_around(pieces, block, position, cell)
}

/// Draws the whole landscape of a world, or its first dungeon if it has no landscape.
///
/// # Errors
///
/// If the world is empty, or larger than [`MAX_BLOCKS`] landblocks a side.
pub fn draw_whole(pieces: &mut Pieces, options: &MapOptions) -> Result<DrawnMap, MapError> {
    let all = pieces.all();
    let lands = all.iter().filter_map(|piece| match piece {
        PieceId::Land(block) => Some(*block),
        PieceId::Room(_) => None,
    });
    let lands: Vec<BlockId> = lands.collect();
    let max_side = usize::from(MAX_BLOCKS);
    if lands.len() > max_side * max_side {
        return Err(MapError::TooManyBlocks(lands.len()));
    }
    for block in &lands {
        pieces.load(PieceId::Land(*block));
    }
    let has_landscape = |block: &&BlockId| pieces.world.land(**block).is_some_and(is_landscape);
    let Some((corner, columns, rows)) =
        bounding_blocks(lands.iter().filter(has_landscape).copied())
    else {
        let first = all.iter().find_map(|piece| match piece {
            PieceId::Room(room) => Some(room.block()),
            PieceId::Land(_) => None,
        });
        let block = first.ok_or(MapError::EmptyWorld)?;
        let rooms = pieces.rooms_of(block);
        return options.draw_dungeon(pieces, block, rooms);
    };
    if columns.max(rows) > MAX_BLOCKS {
        return Err(MapError::TooLarge { columns, rows });
    }
    let title = format!("{columns} x {rows} landblocks from {corner}");
    let ids = options.ids;
    let view =
        landscape::LandscapeView { corner, columns, rows, mark: None, cell: None, ids, title };
    options.draw_landscape(pieces, view)
}

impl MapOptions {
    fn title_or(&self, title: String) -> String {
        self.title.clone().unwrap_or(title)
    }

    /// Draws the rooms joined to one.
    fn draw_joined(
        &self,
        pieces: &mut Pieces,
        room: CellId,
        place: &Place,
    ) -> Result<DrawnMap, MapError> {
        if self.blocks.is_some() {
            return Err(MapError::BlocksOfRoom(room));
        }
        let rooms = pieces.joined_to(room);
        if rooms.is_empty() {
            return Err(MapError::NoRoom { room, damaged: !pieces.faults.is_empty() });
        }
        let at = place.position().map(|position| position.frame.origin.truncate());
        let title = self.title_or(if rooms.len() == 1 {
            format!("Room {room}")
        } else {
            format!("The rooms joined to {room}")
        });
        let mark = Some((room, at));
        let view = plan::PlanView { rooms, level: self.level, mark, ids: self.ids, title };
        plan::draw(pieces, &view)
    }

    fn draw_dungeon(
        &self,
        pieces: &mut Pieces,
        block: BlockId,
        rooms: Vec<CellId>,
    ) -> Result<DrawnMap, MapError> {
        for room in &rooms {
            pieces.room(*room);
        }
        let title = format!("The rooms of landblock {block}");
        let view = plan::PlanView { rooms, level: self.level, mark: None, ids: self.ids, title };
        plan::draw(pieces, &view)
    }

    fn draw_around(
        &self,
        pieces: &mut Pieces,
        block: BlockId,
        mark: Option<Position>,
        cell: Option<CellId>,
    ) -> Result<DrawnMap, MapError> {
        let (columns, rows) = self.blocks.unwrap_or((1, 1));
        let (corner, columns, rows) = blocks_around(block, columns, rows);
        let title = self.title_or(match (columns, rows) {
            (1, 1) => format!("Landblock {block}"),
            _ => format!("{columns} x {rows} landblocks round {block}"),
        });
        let ids = self.ids;
        let view = landscape::LandscapeView { corner, columns, rows, mark, cell, ids, title };
        self.draw_landscape(pieces, view)
    }

    fn draw_landscape(
        &self,
        pieces: &mut Pieces,
        view: landscape::LandscapeView,
    ) -> Result<DrawnMap, MapError> {
        if self.level.is_some() {
            return Err(MapError::LevelOfLandscape(view.title));
        }
        landscape::draw(pieces, &view)
    }
}
