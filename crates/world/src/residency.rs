//! Which pieces are held, wanted and resident.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use threshold_land::{BlockId, CellId, CellKind, MAP_BLOCKS, Position};

use crate::builder::Piece;
use crate::constants::LANDSCAPE_RADIUS;
use crate::land::once_each;
use crate::piece::PieceId;
use crate::room::Room;
use crate::world::World;

/// Holders and the pieces they hold.
#[derive(Debug)]
pub(crate) struct Residency {
    holders: BTreeMap<u32, Holder>,
    /// The number of holders of each held piece.
    held: BTreeMap<PieceId, u32>,
    /// Pieces that became held and were not yet returned by `take_wanted`.
    wanted: Vec<PieceId>,
    radius: u8,
    /// Retail: `CellManager::keep_lscape_loaded`.
    keep_landscape_loaded: bool,
}

/// A place from which the world is seen, and the pieces needed there.
#[derive(Debug)]
struct Holder {
    cell: CellId,
    /// The landblock that the landscape is held around. Retail: the argument of
    /// `LScape::update_loadpoint`.
    load_point: BlockId,
    /// The pieces it holds, in order of priority.
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
    /// Sets how many landblocks the landscape extends around a holder. The default of 5 gives 11 x
    /// 11 landblocks. Too small and the edge of the landscape comes into view; memory grows with
    /// the square.
    pub fn set_landscape_radius(&mut self, radius: u8) {
        self.residency.radius = radius;
        self.refresh_holders();
    }

    /// Sets whether holders in rooms that do not see the outdoors also hold the landscape around
    /// their load point (default: off). On costs the memory of the landscape in dungeons and
    /// cellars. Off releases the landscape on the way down, so that it must be built again on the
    /// way up.
    ///
    /// Retail: `CellManager::keep_lscape_loaded`.
    pub fn set_keep_landscape_loaded(&mut self, keep: bool) {
        self.residency.keep_landscape_loaded = keep;
        self.refresh_holders();
    }

    /// Whether holders in rooms that do not see the outdoors hold the landscape.
    pub fn keep_landscape_loaded(&self) -> bool {
        self.residency.keep_landscape_loaded
    }

    fn refresh_holders(&mut self) {
        let holders: Vec<u32> = self.residency.holders.keys().copied().collect();
        holders.into_iter().for_each(|holder| self.look_round(holder));
    }

    /// Holds the pieces needed at a position: like [`hold`](Self::hold) for its cell, but with the
    /// landscape around the land cell under the position. A room may lie far outside the square of
    /// its own landblock, near other land. Where the position is off the map, the landblock of the
    /// cell is the load point.
    ///
    /// Call it whenever a followed body changes its cell (`Event::CellChanged` of
    /// `threshold-motion`), and [`release`](Self::release) when the body has no cell. Calling it in
    /// every frame costs one map look-up while nothing changes.
    ///
    /// Retail: `CellManager::ChangePosition`. The load point is `Position::get_outside_cell_id`,
    /// set by `LScape::update_loadpoint`; the landscape is released (`LScape::release_all`) when
    /// the cell has no `seen_outside` and [`keep_landscape_loaded`](Self::keep_landscape_loaded) is
    /// off. What retail fetches ahead (`CellManager::PreFetchCells`) is
    /// [`take_wanted`](Self::take_wanted) here. Retail moves the load point only when the cell
    /// changes; here it also follows a holder that crosses landblocks within one room.
    pub fn hold_at(&mut self, holder: u32, at: &Position) {
        let below = if at.cell.is_indoor() { at.outside_cell() } else { None };
        self.move_holder(holder, at.cell, below.unwrap_or(at.cell).block());
    }

    /// Holds the pieces needed at `cell`, in place of those this holder held before. For a room
    /// these are the room, the rooms on its stab list, and the landscape only if the room sees the
    /// outdoors. For a land cell it is the landscape, with the rooms visible through the portals of
    /// its buildings. [`drop_unheld`](Self::drop_unheld) drops pieces without a holder.
    ///
    /// The rooms that a piece brings with it are known once it is adopted; the held pieces then
    /// grow by themselves. Until a newly entered room is resident, the previous pieces stay held.
    /// An id that is not a cell's holds nothing.
    ///
    /// The landscape is centred on the cell's own landblock; [`hold_at`](Self::hold_at) is more
    /// exact where a room lies outside it.
    ///
    /// Retail: `CEnvCell::grab_visible_cells`, `LScape::grab_visible_cells`.
    pub fn hold(&mut self, holder: u32, cell: CellId) {
        self.move_holder(holder, cell, cell.block());
    }

    fn move_holder(&mut self, holder: u32, cell: CellId, load_point: BlockId) {
        match self.residency.holders.get_mut(&holder) {
            Some(known) if (known.cell, known.load_point) == (cell, load_point) => return,
            // All land cells of a landblock need the same pieces.
            Some(known)
                if known.load_point == load_point
                    && known.cell.is_outdoor()
                    && cell.is_outdoor() =>
            {
                known.cell = cell;
                return;
            }
            Some(known) => (known.cell, known.load_point) = (cell, load_point),
            None => {
                let pieces = Vec::new();
                self.residency.holders.insert(holder, Holder { cell, load_point, pieces });
            }
        }
        self.look_round(holder);
    }

    /// Recomputes the pieces of a holder from the cells that are resident.
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

    /// Removes a holder.
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

    /// Returns the pieces that have become held, are not resident, and were not returned before,
    /// nearest first. The caller builds them with a [`Builder`](crate::Builder) on threads of its
    /// own and passes them to [`adopt`](Self::adopt) between two ticks. A piece that cannot be
    /// built is simply not adopted; [`want_again`](Self::want_again) has it returned once more.
    pub fn take_wanted(&mut self) -> Vec<PieceId> {
        let wanted = std::mem::take(&mut self.residency.wanted);
        let held = |piece: &PieceId| self.residency.held.contains_key(piece) && !self.has(*piece);
        once_each(wanted.into_iter().filter(held))
    }

    /// Has [`take_wanted`](Self::take_wanted) return a piece again, if it is held and not resident.
    pub fn want_again(&mut self, piece: PieceId) {
        self.residency.wanted.push(piece);
    }

    /// Returns whether a piece is resident.
    pub fn has(&self, piece: PieceId) -> bool {
        match piece {
            PieceId::Land(block) => self.land(block).is_some(),
            PieceId::Room(cell) => self.room(cell).is_some(),
        }
    }

    /// Makes a piece resident, in place of an earlier one with the same id.
    ///
    /// The state of the world does not depend on the order in which pieces are adopted.
    pub fn adopt(&mut self, piece: Piece) {
        let id = piece.id();
        self.remove_piece(id);
        self.add_piece(piece);
        let affected = |(_, holder): &(&u32, &Holder)| match id {
            PieceId::Land(_) => holder.pieces.contains(&id),
            // Only the room that a holder is in adds further pieces.
            PieceId::Room(cell) => holder.cell == cell,
        };
        let holders = self.residency.holders.iter().filter(affected);
        let holders: Vec<u32> = holders.map(|(number, _)| *number).collect();
        holders.into_iter().for_each(|holder| self.look_round(holder));
    }

    /// Drops a piece with its objects. Returns false if it was not resident. If it is held, it is
    /// wanted again.
    pub fn drop_piece(&mut self, piece: PieceId) -> bool {
        let dropped = self.remove_piece(piece);
        if dropped {
            self.want_again(piece);
        }
        dropped
    }

    /// Drops all pieces without a holder and returns their ids. Call
    /// [`Builder::forget_unused_shapes`](crate::Builder::forget_unused_shapes) afterwards, or the
    /// shapes of dropped pieces stay in memory.
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

    /// Adds landblocks ring by ring, each with the rooms visible through the portals of its
    /// buildings.
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
