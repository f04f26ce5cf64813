//! A village whose records can be damaged after its world was built.

use threshold_dat::{FileKind, RecordId, RecordKind, RecordSet};
use threshold_land::BlockId;
use threshold_world::{Builder, PieceId, World};

/// Landblock of the village.
pub(crate) const BLOCK: BlockId = BlockId(0xA9B4);

pub(crate) struct Village {
    pub(crate) records: RecordSet,
    pub(crate) world: World,
}

impl Village {
    pub(crate) fn new() -> Self {
        let made = threshold_forge::builtin(threshold_forge::SEED).unwrap();
        let records = made.into_records();
        let builder = Builder::new(records.clone());
        let mut world = World::new();
        let in_block = |piece: &PieceId| piece.block() == BLOCK;
        for piece in builder.pieces().into_iter().filter(in_block) {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        Self { records, world }
    }

    /// Returns a room, and the setup and a model of an object with lights.
    pub(crate) fn ids(&self) -> [(FileKind, RecordId); 3] {
        let room = self.world.rooms(BLOCK).next().unwrap().id().into();
        let is_setup = |id| RecordKind::from_id(FileKind::Portal, id) == RecordKind::Setup;
        let mut setups = self.world.objects().map(|object| object.setup());
        let setup = setups.find(|setup| is_setup(setup.id) && !setup.parts.is_empty()).unwrap();
        let model = setup.parts[0].model.id;
        [(FileKind::Cell, room), (FileKind::Portal, setup.id), (FileKind::Portal, model)]
    }

    /// Returns the records with one that cannot be read.
    pub(crate) fn with_damaged(&self, file: FileKind, id: RecordId) -> RecordSet {
        let mut records = self.records.clone();
        records.put_bytes(file, id, vec![1, 2, 3]);
        records
    }

    /// Returns the records without one of them.
    pub(crate) fn without(&self, file: FileKind, id: RecordId) -> RecordSet {
        let mut records = RecordSet::new();
        for kind in [FileKind::Cell, FileKind::Portal] {
            let kept = self.records.records(kind).filter(|(other, _)| (kind, *other) != (file, id));
            kept.for_each(|(id, bytes)| records.put_bytes(kind, id, bytes.to_vec()));
        }
        records
    }
}
