//! A village whose records can be damaged after its world was built.

use threshold_dat::{FileKind, RecordId, RecordKind, RecordSet};
use threshold_land::BlockId;
use threshold_world::{Builder, PieceId, World};

/// Landblock of the village.
pub const VILLAGE: BlockId = BlockId(0xA9B4);

/// The village of the built-in world, and its records.
#[derive(Debug)]
pub struct Village {
    /// Its records, undamaged.
    pub records: RecordSet,
    /// The landblock of the village with all its rooms.
    pub world: World,
}

impl Default for Village {
    fn default() -> Self {
        Self::new()
    }
}

impl Village {
    /// Builds the village.
    pub fn new() -> Self {
        let made = threshold_forge::builtin(threshold_forge::SEED).unwrap();
        let records = made.into_records();
        let builder = Builder::new(records.clone());
        let mut world = World::new();
        let in_block = |piece: &PieceId| piece.block() == VILLAGE;
        for piece in builder.pieces().into_iter().filter(in_block) {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        Self { records, world }
    }

    /// Returns a room, and the setup and a model of an object with lights.
    pub fn ids(&self) -> [(FileKind, RecordId); 3] {
        let room = self.world.rooms(VILLAGE).next().unwrap().id().into();
        let is_setup = |id| RecordKind::from_id(FileKind::Portal, id) == RecordKind::Setup;
        let mut setups = self.world.objects().map(|object| object.setup());
        let setup = setups.find(|setup| is_setup(setup.id) && !setup.parts.is_empty()).unwrap();
        let model = setup.parts[0].model.id;
        [(FileKind::Cell, room), (FileKind::Portal, setup.id), (FileKind::Portal, model)]
    }

    /// Returns the records with one that cannot be read.
    pub fn with_damaged(&self, file: FileKind, id: RecordId) -> RecordSet {
        let mut records = self.records.clone();
        records.put_bytes(file, id, vec![1, 2, 3]);
        records
    }

    /// Returns the records without one of them.
    pub fn without(&self, file: FileKind, id: RecordId) -> RecordSet {
        let mut records = RecordSet::new();
        for kind in [FileKind::Cell, FileKind::Portal] {
            let kept = self.records.records(kind).filter(|(other, _)| (kind, *other) != (file, id));
            kept.for_each(|(id, bytes)| records.put_bytes(kind, id, bytes.to_vec()));
        }
        records
    }
}
