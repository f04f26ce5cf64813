//! The pieces of a world that a command asks for, one by one.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use threshold_dat::{DatFolder, LandBlockInfo, RecordId, RecordKind, Records, RegionDesc, Source};
use threshold_land::{BlockId, CellId};
use threshold_world::{Builder, PieceId, REGION, Room, World};

/// What has been loaded, and what could not be.
pub(crate) struct Pieces {
    builder: Builder,
    pub(crate) world: World,
    /// What is left out, each thing once.
    pub(crate) faults: Vec<String>,
}

impl Pieces {
    pub(crate) fn new(folder: DatFolder) -> Self {
        Self::of(Builder::new(folder))
    }

    /// Of a source that others read, too.
    pub(crate) fn shared(source: Arc<dyn Source>) -> Self {
        Self::of(Builder::shared(source))
    }

    fn of(builder: Builder) -> Self {
        Self { builder, world: World::new(), faults: Vec::new() }
    }

    /// All pieces that the source has.
    pub(crate) fn all(&self) -> Vec<PieceId> {
        self.builder.pieces()
    }

    /// Names what is left out on standard error.
    pub(crate) fn say_faults(&self) {
        for fault in &self.faults {
            // Whoever does not listen does not stop the work.
            let _ = writeln!(io::stderr(), "threshold: left out: {fault}");
        }
    }

    /// Notes what is left out.
    pub(crate) fn left_out(&mut self, fault: impl ToString) {
        let fault = fault.to_string();
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Whether the piece is there and can be used.
    pub(crate) fn load(&mut self, id: PieceId) -> bool {
        if self.world.has(id) {
            return true;
        }
        match self.builder.build(id) {
            Ok(Some(built)) => {
                built.faults.into_iter().for_each(|fault| self.left_out(fault));
                self.world.adopt(built.piece);
                true
            }
            Ok(None) => false,
            Err(fault) => {
                self.left_out(fault);
                false
            }
        }
    }

    /// A room that something leads to, loaded; one that is not there is a fault.
    pub(crate) fn room(&mut self, id: CellId) -> Option<&Room> {
        let before = self.faults.len();
        if !self.load(PieceId::Room(id)) && self.faults.len() == before {
            self.left_out(format!("room {id}: it is not there"));
        }
        self.world.room(id)
    }

    /// Where the pieces come from.
    pub(crate) fn source(&self) -> Arc<dyn Source> {
        Arc::clone(self.builder.source())
    }

    pub(crate) fn region(&self) -> Option<RegionDesc> {
        Records::new(&**self.builder.source()).get(REGION).ok().flatten()
    }

    /// The ids of all rooms that a landblock should have.
    pub(crate) fn rooms_of(&mut self, block: BlockId) -> Vec<CellId> {
        let mut records = Records::new(&**self.builder.source());
        match records.get::<LandBlockInfo>(block.cell(0xFFFE).into()) {
            Ok(Some(info)) => info.cell_ids().collect(),
            Ok(None) => self.rooms_in_a_row(block),
            Err(error) => {
                self.left_out(error);
                self.rooms_in_a_row(block)
            }
        }
    }

    /// Without a count, rooms are looked for from the first on: their numbers have no gaps.
    fn rooms_in_a_row(&self, block: BlockId) -> Vec<CellId> {
        let records = Records::new(&**self.builder.source());
        let there = |id: &CellId| {
            records.contains(RecordKind::EnvCell, RecordId::from(*id)).unwrap_or(false)
        };
        (0x0100..=0xFFFD).map(|low| block.cell(low)).take_while(there).collect()
    }

    /// A room and all that are joined to it by openings, loaded, by id; none if the room itself
    /// cannot be used. Others that cannot be used end the way there.
    pub(crate) fn joined_to(&mut self, start: CellId) -> Vec<CellId> {
        if !self.load(PieceId::Room(start)) {
            return Vec::new();
        }
        let (mut found, mut open) = (BTreeSet::new(), vec![start]);
        let mut asked = BTreeSet::from([start]);
        while let Some(id) = open.pop() {
            let Some(room) = self.room(id) else { continue };
            let neighbours: Vec<CellId> =
                room.portals().iter().filter_map(|portal| portal.other).collect();
            found.insert(id);
            open.extend(neighbours.into_iter().filter(|id| asked.insert(*id)));
        }
        found.into_iter().collect()
    }
}
