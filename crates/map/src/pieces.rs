//! Pieces of a world, loaded one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use threshold_dat::{LandBlockInfo, RecordKind, Records, RegionDesc, Source};
use threshold_land::{BlockId, CellId};
use threshold_world::{Builder, PieceId, REGION, Room, World};

/// A world, loaded piece by piece, and the faults met on the way.
#[derive(Debug)]
pub struct Pieces {
    builder: Builder,
    /// The loaded pieces.
    pub world: World,
    /// Descriptions of everything that was left out, each once.
    pub faults: Vec<String>,
}

impl Pieces {
    /// Starts with an empty world.
    pub fn new(source: impl Source + 'static) -> Self {
        Self::with_builder(Builder::new(source))
    }

    /// Starts with an empty world and a source that is shared.
    pub fn shared(source: Arc<dyn Source>) -> Self {
        Self::with_builder(Builder::shared(source))
    }

    fn with_builder(builder: Builder) -> Self {
        Self { builder, world: World::new(), faults: Vec::new() }
    }

    /// Returns all pieces that the source has.
    pub fn all(&self) -> Vec<PieceId> {
        self.builder.pieces()
    }

    /// Adds a fault, unless it is known.
    pub fn add_fault(&mut self, fault: impl ToString) {
        let fault = fault.to_string();
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Loads a piece; returns whether it exists and is usable.
    pub fn load(&mut self, id: PieceId) -> bool {
        if self.world.has(id) {
            return true;
        }
        match self.builder.build(id) {
            Ok(Some(built)) => {
                built.faults.into_iter().for_each(|fault| self.add_fault(fault));
                self.world.adopt(built.piece);
                true
            }
            Ok(None) => false,
            Err(fault) => {
                self.add_fault(fault);
                false
            }
        }
    }

    /// Loads a room that a portal leads to. A room that does not exist is a fault.
    pub fn room(&mut self, id: CellId) -> Option<&Room> {
        let before = self.faults.len();
        if !self.load(PieceId::Room(id)) && self.faults.len() == before {
            self.add_fault(format!("room {id} is not there"));
        }
        self.world.room(id)
    }

    /// Returns the source of the pieces.
    pub fn source(&self) -> Arc<dyn Source> {
        Arc::clone(self.builder.source())
    }

    /// Reads the region, if there is one. A region that cannot be read is a fault.
    pub fn region(&mut self) -> Option<RegionDesc> {
        let region = Records::new(&**self.builder.source()).get(REGION);
        region.unwrap_or_else(|error| {
            self.add_fault(error);
            None
        })
    }

    /// Returns the ids of all rooms that a landblock should have.
    pub fn rooms_of(&mut self, block: BlockId) -> Vec<CellId> {
        let mut records = Records::new(&**self.builder.source());
        match records.get::<LandBlockInfo>(block.cell(0xFFFE).into()) {
            Ok(Some(info)) => info.cell_ids().collect(),
            Ok(None) => self.consecutive_rooms(block),
            Err(error) => {
                self.add_fault(error);
                self.consecutive_rooms(block)
            }
        }
    }

    /// Searches rooms from the first on, for a landblock without a count. Their numbers have no gaps. A
    /// directory that cannot be read is a fault and ends the search.
    fn consecutive_rooms(&mut self, block: BlockId) -> Vec<CellId> {
        let source = self.source();
        let records = Records::new(&*source);
        let mut rooms = Vec::new();
        for id in (0x0100..=0xFFFD).map(|low| block.cell(low)) {
            match records.contains(RecordKind::EnvCell, id.into()) {
                Ok(true) => rooms.push(id),
                Ok(false) => break,
                Err(error) => {
                    self.add_fault(error);
                    break;
                }
            }
        }
        rooms
    }

    /// Loads a room and all rooms that are joined to it by portals; returns their ids in ascending order.
    ///
    /// Empty if the room itself is unusable. The search does not continue through other unusable rooms.
    pub fn joined_to(&mut self, start: CellId) -> Vec<CellId> {
        if !self.load(PieceId::Room(start)) {
            return Vec::new();
        }
        let (mut found, mut queue) = (BTreeSet::new(), vec![start]);
        let mut visited = BTreeSet::from([start]);
        while let Some(id) = queue.pop() {
            let Some(room) = self.room(id) else { continue };
            let neighbours: Vec<CellId> =
                room.portals().iter().filter_map(|portal| portal.other).collect();
            found.insert(id);
            queue.extend(neighbours.into_iter().filter(|id| visited.insert(*id)));
        }
        found.into_iter().collect()
    }
}
