//! The sample worlds of `tests/data`, and worlds from records, with everything resident.

use std::path::{Path, PathBuf};

use threshold_dat::{
    ContainerWriter, DatFolder, EnvCell, FileKind, NewRecord, Record, RecordId, RecordSet, Records,
    Source,
};
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

/// Writes the dat files of a sample world to a folder, each record as `change` returns it. `None` drops the record.
pub fn write_changed_world(
    name: &str,
    folder: &Path,
    change: impl Fn(RecordId, Vec<u8>) -> Option<Vec<u8>>,
) {
    for (kind, file) in sample_source(name).files() {
        let mut writer = ContainerWriter::new(kind);
        for entry in file.entries().map(Result::unwrap) {
            let bytes = file.read(&entry, &mut Vec::new()).unwrap().to_vec();
            if let Some(bytes) = change(entry.id, bytes) {
                writer.add(NewRecord::new(entry.id, bytes));
            }
        }
        std::fs::write(folder.join(kind.file_name()), writer.to_bytes().unwrap()).unwrap();
    }
}

/// Writes the dat files of a sample world to a folder, with one record cut in half.
pub fn write_damaged_world(name: &str, folder: &Path, id: u32) {
    write_changed_world(name, folder, |record, mut bytes| {
        if record == RecordId(id) {
            bytes.truncate(bytes.len() / 2);
        }
        Some(bytes)
    });
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
