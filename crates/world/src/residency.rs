//! What is wanted, what is there, and who holds it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use threshold_land::{BlockId, CellId, CellKind, MAP_BLOCKS, Position};

use crate::builder::Piece;
use crate::constants::LANDSCAPE_RADIUS;
use crate::land::once_each;
use crate::piece::PieceId;
use crate::room::Room;
use crate::world::World;

/// Who holds what.
#[derive(Debug)]
pub(crate) struct Residency {
    holders: BTreeMap<u32, Holder>,
    /// How many hold a piece.
    held: BTreeMap<PieceId, u32>,
    /// What came to be held and was not asked for yet.
    wanted: Vec<PieceId>,
    radius: u8,
    /// Retail: `CellManager::keep_lscape_loaded`.
    keep_landscape_loaded: bool,
}

/// A place from which the world is looked at.
#[derive(Debug)]
struct Holder {
    cell: CellId,
    /// The landblock the landscape is held around. Retail: the argument of `LScape::update_loadpoint`.
    load_point: BlockId,
    /// What it holds, in the order in which it wants it.
    pieces: Vec<PieceId>,
}

impl Default for Residency {
    fn default() -> Self {
        Self {
            holders: BTreeMap::new(),
            held: BTreeMap::new(),
            wanted: Vec::new(),
            radius: LANDSCAPE_RADIUS,
            keep_landscape_loaded: false,
        }
    }
}

impl World {
    /// How many landblocks the landscape reaches round a holder; 5, and so 11 x 11 landblocks, unless
    /// changed.
    pub fn set_landscape_radius(&mut self, radius: u8) {
        self.residency.radius = radius;
        self.refresh_holders();
    }

    /// Whether holders in rooms that do not see outside hold the landscape around their load point as well; off unless
    /// set. On costs the memory of the landscape in dungeons and cellars. Off releases it on the way down, so that it
    /// must be built again on the way up.
    ///
    /// Retail: `CellManager::keep_lscape_loaded`.
    pub fn set_keep_landscape_loaded(&mut self, keep: bool) {
        self.residency.keep_landscape_loaded = keep;
        self.refresh_holders();
    }

    /// Whether holders in rooms that do not see outside hold the landscape.
    pub fn keep_landscape_loaded(&self) -> bool {
        self.residency.keep_landscape_loaded
    }

    fn refresh_holders(&mut self) {
        let holders: Vec<u32> = self.residency.holders.keys().copied().collect();
        holders.into_iter().for_each(|holder| self.look_round(holder));
    }

    /// Holds what can be needed from a position: the same as [`hold`](Self::hold) of its cell, with the landscape around
    /// the land cell under the position. A room may lie far outside the square of its own landblock, and then other
    /// land is near it. Off the map, the landblock of the cell is the load point.
    ///
    /// To be called wherever a followed body changes its cell (`Event::CellChanged` of `threshold-motion`), and with
    /// [`release`](Self::release) where it is in none. Calling it in every frame costs a map lookup where nothing changed.
    ///
    /// Retail: `CellManager::ChangePosition`: the load point is `Position::get_outside_cell_id`, set by
    /// `LScape::update_loadpoint`; the landscape is released (`LScape::release_all`) where the cell has not `seen_outside`
    /// and [`keep_landscape_loaded`](Self::keep_landscape_loaded) is off. What retail fetches ahead
    /// (`CellManager::PreFetchCells`) is [`take_wanted`](Self::take_wanted) here. Retail moves the load point only when the
    /// cell changes; here it also follows a holder that crosses landblocks within one room.
    pub fn hold_at(&mut self, holder: u32, at: &Position) {
        let below = if at.cell.is_indoor() { at.outside_cell() } else { None };
        self.move_holder(holder, at.cell, below.unwrap_or(at.cell).block());
    }

    /// Somebody is at `cell` and wants what can be needed from there: a room, the rooms it can see, and
    /// the landscape only if it sees that; outdoors the landscape, with the rooms that can be seen
    /// through the openings of its buildings. What nobody holds any more is for
    /// [`drop_unheld`](Self::drop_unheld).
    ///
    /// What a piece brings with it is known when it has come; the wish then grows by itself. Until the room one
    /// enters has come, what one held before is held on to. An id that is not a cell's holds nothing.
    ///
    /// The landscape is that around the cell's own landblock; [`hold_at`](Self::hold_at) knows better where a room is.
    ///
    /// Retail: `CEnvCell::grab_visible_cells`, `LScape::grab_visible_cells`.
    pub fn hold(&mut self, holder: u32, cell: CellId) {
        self.move_holder(holder, cell, cell.block());
    }

    fn move_holder(&mut self, holder: u32, cell: CellId, load_point: BlockId) {
        match self.residency.holders.get_mut(&holder) {
            Some(known) if (known.cell, known.load_point) == (cell, load_point) => return,
            Some(known) => (known.cell, known.load_point) = (cell, load_point),
            None => {
                let pieces = Vec::new();
                self.residency.holders.insert(holder, Holder { cell, load_point, pieces });
            }
        }
        self.look_round(holder);
    }

    /// Holds what is to be held from where a holder is, as far as that is known.
    fn look_round(&mut self, holder: u32) {
        let Some(known) = self.residency.holders.get(&holder) else { return };
        let mut pieces = self.pieces_from(known.cell, known.load_point);
        let entered = PieceId::Room(known.cell);
        if known.cell.is_indoor() && !self.has(entered) {
            pieces.extend(known.pieces.iter().copied().filter(|piece| *piece != entered));
        }
        for piece in &pieces {
            let holders = self.residency.held.entry(*piece).or_insert(0);
            *holders += 1;
            if *holders == 1 {
                self.residency.wanted.push(*piece);
            }
        }
        if let Some(known) = self.residency.holders.get_mut(&holder) {
            let old = std::mem::replace(&mut known.pieces, pieces);
            self.let_go(old);
        }
    }

    /// Somebody is gone.
    pub fn release(&mut self, holder: u32) {
        if let Some(old) = self.residency.holders.remove(&holder) {
            self.let_go(old.pieces);
        }
    }

    fn let_go(&mut self, pieces: Vec<PieceId>) {
        for piece in pieces {
            if let Entry::Occupied(mut holders) = self.residency.held.entry(piece) {
                *holders.get_mut() -= 1;
                if *holders.get() == 0 {
                    holders.remove();
                }
            }
        }
    }

    /// What has come to be held, is not resident, and was not asked for yet, nearest first. Whoever owns threads
    /// and a [`Builder`](crate::Builder) builds it and gives it to [`adopt`](Self::adopt) between two ticks. A
    /// piece that cannot be built is simply never adopted; [`want_again`](Self::want_again) has it asked for
    /// once more.
    pub fn take_wanted(&mut self) -> Vec<PieceId> {
        let wanted = std::mem::take(&mut self.residency.wanted);
        let held = |piece: &PieceId| self.residency.held.contains_key(piece) && !self.has(*piece);
        once_each(wanted.into_iter().filter(held))
    }

    /// Has a piece asked for again, if it is held and not resident.
    pub fn want_again(&mut self, piece: PieceId) {
        self.residency.wanted.push(piece);
    }

    /// Whether a piece is resident.
    pub fn has(&self, piece: PieceId) -> bool {
        match piece {
            PieceId::Land(block) => self.land(block).is_some(),
            PieceId::Room(cell) => self.room(cell).is_some(),
        }
    }

    /// Makes a piece part of the world, in place of an earlier one of that id.
    ///
    /// What the world then says does not depend on the order in which pieces came.
    pub fn adopt(&mut self, piece: Piece) {
        let id = piece.id();
        self.remove_piece(id);
        self.place_piece(piece);
        let affected = |(_, holder): &(&u32, &Holder)| match id {
            PieceId::Land(_) => holder.pieces.contains(&id),
            // Only the room one stands in brings others.
            PieceId::Room(cell) => holder.cell == cell,
        };
        let holders = self.residency.holders.iter().filter(affected);
        let holders: Vec<u32> = holders.map(|(number, _)| *number).collect();
        holders.into_iter().for_each(|holder| self.look_round(holder));
    }

    /// Takes a piece away, with its objects. False where it was not resident. If somebody holds it, it is wanted
    /// again.
    pub fn drop_piece(&mut self, piece: PieceId) -> bool {
        let dropped = self.remove_piece(piece);
        if dropped {
            self.want_again(piece);
        }
        dropped
    }

    /// Takes away what nobody holds, and says what that was.
    pub fn drop_unheld(&mut self) -> Vec<PieceId> {
        let held = |piece: &PieceId| self.residency.held.contains_key(piece);
        let unheld: Vec<PieceId> = self.resident().filter(|piece| !held(piece)).collect();
        unheld.iter().for_each(|piece| {
            self.remove_piece(*piece);
        });
        unheld
    }

    fn pieces_from(&self, cell: CellId, load_point: BlockId) -> Vec<PieceId> {
        let mut pieces = Vec::new();
        if !matches!(cell.kind(), Some(CellKind::Land | CellKind::Env)) || !cell.is_valid() {
            return pieces;
        }
        if cell.is_outdoor() {
            self.add_landscape(load_point, &mut pieces);
            return once_each(pieces.into_iter());
        }
        pieces.push(PieceId::Room(cell));
        let room = self.room(cell);
        pieces.extend(room.into_iter().flat_map(Room::stabs).map(|stab| PieceId::Room(*stab)));
        if self.residency.keep_landscape_loaded || room.is_some_and(Room::seen_outside) {
            self.add_landscape(load_point, &mut pieces);
        }
        once_each(pieces.into_iter())
    }

    /// Landblocks ring by ring, each with the rooms that are seen through its buildings' openings.
    fn add_landscape(&self, middle: BlockId, pieces: &mut Vec<PieceId>) {
        let radius = i32::from(self.residency.radius);
        let (x, y) = (i32::from(middle.x()), i32::from(middle.y()));
        let mut blocks: Vec<(i32, BlockId)> = Vec::new();
        for dx in -radius..=radius {
            for dy in -radius..=radius {
                if let (Some(x), Some(y)) = (on_map(x + dx), on_map(y + dy)) {
                    blocks.push((dx.abs().max(dy.abs()), BlockId::new(x, y)));
                }
            }
        }
        blocks.sort_unstable();
        for (_, block) in blocks {
            pieces.push(PieceId::Land(block));
            let rooms = self.land(block).map_or(&[][..], |land| land.visible_rooms());
            pieces.extend(rooms.iter().copied().map(PieceId::Room));
        }
    }
}

fn on_map(block: i32) -> Option<u8> {
    u8::try_from(block).ok().filter(|block| i32::from(*block) < MAP_BLOCKS)
}
