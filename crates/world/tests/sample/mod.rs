//! The sample worlds, wholly resident.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod forged;
pub(crate) mod random;

use std::path::{Path, PathBuf};

use threshold_dat::{DatFolder, EnvCell, FileKind, Record, RecordId, RecordSet, Records, Source};
use threshold_land::CellId;
use threshold_world::{Builder, World};

pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

pub(crate) fn builder(name: &str) -> Builder {
    Builder::new(DatFolder::open(&data(name)).unwrap())
}

/// A sample world with everything resident and nothing left out.
pub(crate) fn world(name: &str) -> World {
    everything(&builder(name))
}

/// Everything of a set of records, resident.
pub(crate) fn whole(records: RecordSet) -> World {
    everything(&Builder::new(records))
}

/// Everything of a world, resident, with nothing left out.
pub(crate) fn everything(builder: &Builder) -> World {
    let mut world = World::new();
    for piece in builder.pieces() {
        let built = builder.build(piece).unwrap().unwrap();
        assert!(built.faults.is_empty(), "{:?}", built.faults);
        world.adopt(built.piece);
    }
    world
}

/// All records of a sample world, in memory.
pub(crate) fn records(name: &str) -> RecordSet {
    let folder = DatFolder::open(&data(name)).unwrap();
    let mut set = RecordSet::new();
    for file in [FileKind::Cell, FileKind::Portal] {
        for id in folder.ids(file) {
            let bytes = folder.read(file, id, &mut Vec::new()).unwrap().unwrap().to_vec();
            set.put_bytes(file, id, bytes);
        }
    }
    set
}

/// Changes the record of a room.
pub(crate) fn change(records: &mut RecordSet, cell: CellId, change: impl FnOnce(&mut EnvCell)) {
    rewrite(records, cell, change);
}

/// Changes a record.
pub(crate) fn rewrite<R: Record>(
    records: &mut RecordSet,
    id: impl Into<RecordId>,
    change: impl FnOnce(&mut R),
) {
    let id = id.into();
    let mut record: R = Records::new(records).get(id).unwrap().unwrap();
    change(&mut record);
    records.put(id, &record).unwrap();
}
