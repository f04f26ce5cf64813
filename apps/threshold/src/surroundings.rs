//! The part of a world that is loaded for a view.

use std::sync::Arc;

use anyhow::{bail, ensure};
use threshold_dat::{DatFile, DatFolder, FileKind, RegionDesc, Source};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position};
use threshold_map::Pieces;
use threshold_why::words;
use threshold_world::{PieceId, World};

use crate::faults::print_faults;
use crate::world::is_near;

/// A world of which only the part that may be visible is loaded.
pub(crate) struct Surroundings {
    pieces: Pieces,
    /// All pieces of the world.
    all: Vec<PieceId>,
}

impl Surroundings {
    pub(crate) fn new(folder: DatFolder) -> Self {
        // The list of pieces silently lacks the entries that a damaged directory has lost.
        let entries = folder.file(FileKind::Cell).into_iter().flat_map(DatFile::entries);
        let lost = entries.filter_map(Result::err).map(|error| error.to_string()).collect();
        let mut pieces = Pieces::new(folder);
        pieces.faults = lost;
        Self { all: pieces.all(), pieces }
    }

    pub(crate) fn world(&self) -> &World {
        &self.pieces.world
    }

    /// Returns the number of resident landblocks.
    pub(crate) fn landblocks(&self) -> usize {
        self.world().lands().count()
    }

    pub(crate) fn print_faults(&self) {
        print_faults(&self.pieces);
    }

    /// Loads the rooms of a room's landblock: its portals lead no farther, except outdoors.
    pub(crate) fn load_rooms(&mut self, cell: CellId) -> anyhow::Result<()> {
        self.load(|piece| matches!(piece, PieceId::Room(room) if room.block() == cell.block()));
        self.require(cell)
    }

    /// Loads the landblocks of the eye and of the cell, with their neighbours and all rooms.
    pub(crate) fn load_landscape(&mut self, cell: CellId, eye: Vec3) -> anyhow::Result<()> {
        let below = Position::new(cell, eye).outside_cell().unwrap_or(cell);
        let blocks = [below.block(), cell.block()];
        self.load(|piece| blocks.iter().any(|block| is_near(*block, piece.block())));
        self.require(cell)
    }

    /// Loads the land of a landblock, without its rooms.
    pub(crate) fn load_ground(&mut self, block: BlockId) -> anyhow::Result<()> {
        self.require(block.cell(1))
    }

    /// Loads a landblock and its neighbours, with all rooms.
    pub(crate) fn load_block_and_neighbours(&mut self, block: BlockId) {
        self.load(|piece| is_near(block, piece.block()));
    }

    /// Fails if the world has neither the land of a landblock nor a room of it.
    pub(crate) fn require_block(&self, block: BlockId) -> anyhow::Result<()> {
        let is_there = self.all.iter().any(|piece| piece.block() == block);
        ensure!(is_there, "the world has no landblock {block}");
        Ok(())
    }

    /// Returns whether nothing had to be left out.
    pub(crate) fn is_complete(&self) -> bool {
        self.pieces.faults.is_empty()
    }

    /// Loads land up to `reach` landblocks away, without rooms.
    pub(crate) fn load_distance(&mut self, block: BlockId, reach: u8) {
        let near = |one: u8, other: u8| one.abs_diff(other) <= reach;
        self.load(|piece| match piece {
            PieceId::Land(land) => near(land.x(), block.x()) && near(land.y(), block.y()),
            PieceId::Room(_) => false,
        });
    }

    /// Adds an error to those of [`print_faults`](Self::print_faults), once.
    pub(crate) fn note_fault(&mut self, fault: impl ToString) {
        self.pieces.add_fault(fault);
    }

    /// Returns whether [`print_faults`](Self::print_faults) prints this error.
    pub(crate) fn has_fault(&self, fault: &str) -> bool {
        self.pieces.faults.iter().any(|noted| noted == fault)
    }

    /// Returns the region of the world; `None` if there is none. An error is noted.
    pub(crate) fn region(&mut self) -> Option<RegionDesc> {
        self.pieces.region()
    }

    /// Returns the source of the records.
    pub(crate) fn source(&self) -> Arc<dyn Source> {
        self.pieces.source()
    }

    fn load(&mut self, is_wanted: impl Fn(&PieceId) -> bool) {
        for piece in self.all.iter().filter(|piece| is_wanted(piece)) {
            self.pieces.load(*piece);
        }
    }

    /// Loads the piece of a cell, or fails with the reason why there is none.
    pub(crate) fn require(&mut self, cell: CellId) -> anyhow::Result<()> {
        let piece =
            if cell.is_indoor() { PieceId::Room(cell) } else { PieceId::Land(cell.block()) };
        let (is_listed, before) = (self.all.contains(&piece), self.pieces.faults.len());
        // Loading the piece itself notes a fault if a damaged directory has lost it.
        if self.pieces.load(piece) {
            return Ok(());
        }
        let name = words::cell(cell);
        match is_listed || self.pieces.faults.len() > before {
            true => bail!("{name} cannot be used"),
            false => bail!("the world has no {name}"),
        }
    }
}
