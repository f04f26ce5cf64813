//! The sample worlds of `tests/data`, and worlds from records, with everything resident.

use std::path::{Path, PathBuf};

use threshold_dat::{DatFolder, EnvCell, FileKind, Record, RecordId, RecordSet, Records, Source};
use threshold_land::CellId;
use threshold_world::{Builder, World};

/// Returns the path of a file or folder of `tests/data`.
pub fn data_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// Opens the dat files of a sample world, `holt` or `dungeon`.
pub fn sample_source(name: &str) -> DatFolder {
    DatFolder::open(&data_path(name)).unwrap()
}

/// Returns a builder of the pieces of a sample world.
pub fn sample_builder(name: &str) -> Builder {
    Builder::new(sample_source(name))
}

/// Loads all of a sample world, and checks that nothing was left out.
pub fn sample_world(name: &str) -> World {
    load_all(&sample_builder(name))
}

/// Reads all records of a sample world into memory.
pub fn sample_records(name: &str) -> RecordSet {
    let folder = sample_source(name);
    let mut set = RecordSet::new();
    for file in [FileKind::Cell, FileKind::Portal] {
        for id in folder.ids(file) {
            let bytes = folder.read(file, id, &mut Vec::new()).unwrap().unwrap().to_vec();
            set.put_bytes(file, id, bytes);
        }
    }
    set
}

/// Loads all of a world from its records, and checks that nothing was left out.
pub fn world_from(source: impl Source + 'static) -> World {
    load_all(&Builder::new(source))
}

/// Loads all pieces, and checks that nothing was left out.
pub fn load_all(builder: &Builder) -> World {
    let mut world = World::new();
    for piece in builder.pieces() {
        let built = builder.build(piece).unwrap().unwrap();
        assert!(built.faults.is_empty(), "{:?}", built.faults);
        world.adopt(built.piece);
    }
    world
}

/// Changes the record of a room.
pub fn edit_room(records: &mut RecordSet, cell: CellId, change: impl FnOnce(&mut EnvCell)) {
    edit_record(records, cell, change);
}

/// Changes a record.
pub fn edit_record<R: Record>(
    records: &mut RecordSet,
    id: impl Into<RecordId>,
    change: impl FnOnce(&mut R),
) {
    let id = id.into();
    let mut record: R = Records::new(records).get(id).unwrap().unwrap();
    change(&mut record);
    records.put(id, &record).unwrap();
}
