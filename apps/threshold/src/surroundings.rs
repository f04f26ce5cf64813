//! What is resident for a view, and no more.

use std::sync::Arc;

use anyhow::bail;
use threshold_dat::{DatFile, DatFolder, FileKind, RegionDesc, Source};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Position};
use threshold_map::Pieces;
use threshold_why::words;
use threshold_world::{PieceId, World};

use crate::pieces::say_faults;
use crate::world::is_near;

/// The part of a world that a viewer may see.
pub(crate) struct Surroundings {
    pieces: Pieces,
    /// All that the world has.
    all: Vec<PieceId>,
}

impl Surroundings {
    pub(crate) fn new(folder: DatFolder) -> Self {
        // The list of pieces lacks without a word what a damaged directory has lost.
        let entries = folder.file(FileKind::Cell).into_iter().flat_map(DatFile::entries);
        let lost = entries.filter_map(Result::err).map(|error| error.to_string()).collect();
        let mut pieces = Pieces::new(folder);
        pieces.faults = lost;
        Self { all: pieces.all(), pieces }
    }

    pub(crate) fn world(&self) -> &World {
        &self.pieces.world
    }

    /// How many landblocks of the landscape are resident.
    pub(crate) fn landblocks(&self) -> usize {
        self.world().lands().count()
    }

    pub(crate) fn say_faults(&self) {
        say_faults(&self.pieces);
    }

    /// The rooms of a room's landblock: openings lead no farther, except outdoors.
    pub(crate) fn load_rooms(&mut self, cell: CellId) -> anyhow::Result<()> {
        self.load(|piece| matches!(piece, PieceId::Room(room) if room.block() == cell.block()));
        self.require(cell)
    }

    /// The landblocks round the eye and round the cell, with their rooms.
    pub(crate) fn load_landscape(&mut self, cell: CellId, eye: Vec3) -> anyhow::Result<()> {
        let below = Position::new(cell, eye).outside_cell().unwrap_or(cell);
        let blocks = [below.block(), cell.block()];
        self.load(|piece| blocks.iter().any(|block| is_near(*block, piece.block())));
        self.require(cell)
    }

    /// The ground of a landblock, without its rooms.
    pub(crate) fn load_ground(&mut self, block: BlockId) -> anyhow::Result<()> {
        self.require(block.cell(1))
    }

    /// Land that is so many landblocks away at the most: hills behind hills.
    pub(crate) fn load_distance(&mut self, block: BlockId, reach: u8) {
        let near = |one: u8, other: u8| one.abs_diff(other) <= reach;
        self.load(|piece| match piece {
            PieceId::Land(land) => near(land.x(), block.x()) && near(land.y(), block.y()),
            PieceId::Room(_) => false,
        });
    }

    pub(crate) fn region(&self) -> Option<RegionDesc> {
        self.pieces.region()
    }

    /// Where its records come from.
    pub(crate) fn source(&self) -> Arc<dyn Source> {
        self.pieces.source()
    }

    fn load(&mut self, is_wanted: impl Fn(&PieceId) -> bool) {
        for piece in self.all.iter().filter(|piece| is_wanted(piece)) {
            self.pieces.load(*piece);
        }
    }

    fn require(&mut self, cell: CellId) -> anyhow::Result<()> {
        let piece =
            if cell.is_indoor() { PieceId::Room(cell) } else { PieceId::Land(cell.block()) };
        let (is_listed, before) = (self.all.contains(&piece), self.pieces.faults.len());
        // Asked for by itself: a place that a damaged directory has lost says so.
        if self.pieces.load(piece) {
            return Ok(());
        }
        let what = words::cell(cell);
        match is_listed || self.pieces.faults.len() > before {
            true => bail!("{what} cannot be used"),
            false => bail!("this world has no {what}"),
        }
    }
}
