//! The sample worlds: every record is read to its last byte, encodes to the same bytes, and
//! survives rewriting the container.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails on unexpected values"
)]

use std::path::{Path, PathBuf};

use threshold_dat::{
    AnyRecord, ContainerWriter, DatFile, DatFolder, EnvCell, Environment, FileKind, LandBlock,
    NewRecord, RecordId, RecordKind, Records, SetupRecord, Source,
};

fn folder(world: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(world)
}

fn open(world: &str) -> DatFolder {
    DatFolder::open(&folder(world)).unwrap()
}

#[test]
fn every_record_encodes_to_the_bytes_it_was_read_from() {
    for world in ["holt", "dungeon"] {
        let folder = open(world);
        for (kind, file) in folder.files() {
            let mut buffer = Vec::new();
            for entry in file.entries() {
                let entry = entry.unwrap();
                let bytes = file.read(&entry, &mut buffer).unwrap();
                let record =
                    AnyRecord::decode_exact(RecordKind::from_id(kind, entry.id), entry.id, bytes);
                let record = record.unwrap_or_else(|error| panic!("{world}: {error}"));
                assert!(record.encode().unwrap() == bytes, "{world}: {}", entry.id);
                record.faults(&mut |fault| panic!("{world}: {}: {fault}", entry.id));
            }
            assert_eq!(file.verify().findings, [], "{world}");
        }
    }
}

#[test]
fn a_world_written_anew_reads_back_equal() {
    for world in ["holt", "dungeon"] {
        let folder = open(world);
        for (kind, file) in folder.files() {
            let mut writer = ContainerWriter::new(kind);
            let mut records = Vec::new();
            for entry in file.entries() {
                let entry = entry.unwrap();
                let mut buffer = Vec::new();
                let bytes = file.read(&entry, &mut buffer).unwrap().to_vec();
                records.push((entry, bytes.clone()));
                writer.add(NewRecord {
                    version: entry.version,
                    iteration: entry.iteration,
                    date: entry.date,
                    ..NewRecord::new(entry.id, bytes)
                });
            }
            let anew = DatFile::from_bytes("anew", writer.to_bytes().unwrap()).unwrap();
            assert_eq!(anew.verify().findings, []);
            assert_eq!(anew.entries().count(), records.len());
            for (entry, bytes) in records {
                let found = anew.find(entry.id).unwrap().unwrap();
                assert_eq!(
                    (found.size, found.version, found.iteration),
                    (entry.size, entry.version, entry.iteration)
                );
                assert_eq!(anew.get(entry.id, &mut Vec::new()).unwrap(), Some(&bytes[..]));
            }
        }
    }
}

#[test]
fn typed_records_come_from_any_source() {
    let folder = open("holt");
    let mut records = Records::new(&folder);
    let cell: EnvCell = records.get(RecordId(0xA9B4_0164)).unwrap().unwrap();
    assert_eq!(cell.id.to_string(), "0xA9B40164");
    assert_eq!(
        cell.portals.len(),
        2,
        "the inn's vestibule: a door to the street and one to the main room"
    );
    let shape: Environment = records.get(cell.environment_id()).unwrap().unwrap();
    let structure = shape.structure(cell.structure.into()).unwrap();
    assert_eq!(structure.physics.len(), 4);
    let mover: SetupRecord = records.get(RecordId(0x0200_0001)).unwrap().unwrap();
    assert_eq!((mover.height, mover.spheres.len(), mover.step_up), (1.835, 2, 0.6));
    assert_eq!(records.get::<LandBlock>(RecordId(0x0000_FFFF)).unwrap(), None);
    assert!(records.contains(RecordKind::EnvCell, RecordId(0xA9B4_0164)).unwrap());
    assert!(!records.contains(RecordKind::GfxObj, RecordId(0xA9B4_0164)).unwrap());
    assert_eq!(folder.ids(FileKind::Local), []);
}

#[test]
fn a_damaged_record_affects_only_itself() {
    let path = folder("holt").join("client_cell_1.dat");
    let clean = DatFile::open(&path).unwrap();
    let victim = clean.find(RecordId(0xA9B4_0164)).unwrap().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let at = usize::try_from(clean.file_offset(&victim, 0).unwrap()).unwrap();
    bytes[at] ^= 0xFF;
    let damaged = DatFile::from_bytes("damaged.dat", bytes).unwrap();
    let mut lost = Vec::new();
    for entry in damaged.entries() {
        let entry = entry.unwrap();
        let mut buffer = Vec::new();
        let bytes = damaged.read(&entry, &mut buffer).unwrap();
        let kind = RecordKind::from_id(FileKind::Cell, entry.id);
        lost.extend(AnyRecord::decode_exact(kind, entry.id, bytes).err());
    }
    let lost: Vec<_> = lost.iter().map(ToString::to_string).collect();
    assert_eq!(
        lost,
        ["record 0xA9B40164: byte 0x0 of the record: the record header says 0xA9B4019B"]
    );
}

#[test]
fn the_error_of_a_folder_lists_missing_files() {
    let error = DatFolder::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "no client_cell_1.dat and no client_portal.dat in this folder (in any letter case)"
        ),
        "{error}"
    );
    let error = DatFolder::open(Path::new("/nowhere/at/all")).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/at/all: "), "{error}");
}
