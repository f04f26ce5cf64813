//! Files changed by other programs while open: lost records are errors with the name of the file,
//! and the process continues.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails on unexpected values")]

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use threshold_dat::{
    ContainerWriter, DatErrorKind, DatFile, DatFolder, DirectoryEntry, FileKind, MEMORY_LIMIT,
    NewRecord, RecordId,
};

/// Both files of a world.
const BOTH: [FileKind; 2] = [FileKind::Cell, FileKind::Portal];

/// A folder with both files, each with records of many lengths, `bytes` or more in all.
fn world(bytes: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    for kind in BOTH {
        let mut writer = ContainerWriter::new(kind);
        let (mut made, mut id) = (0, 0x0100_0000_u32);
        while made < bytes {
            id += 1;
            let length = [1, 30, 252, 253, 1020, 1021, 5_000, 70_000, 300_000][id as usize % 9];
            let record: Vec<u8> = (0..length).map(|at| mixed(id, at)).collect();
            writer.add(NewRecord::new(RecordId(id), record));
            made += length;
        }
        std::fs::write(folder.path().join(kind.file_name()), writer.to_bytes().unwrap()).unwrap();
    }
    folder
}

fn mixed(id: u32, at: usize) -> u8 {
    (id as usize).wrapping_mul(31).wrapping_add(at.wrapping_mul(7)).to_le_bytes()[at % 2]
}

fn entries(file: &DatFile) -> Vec<DirectoryEntry> {
    file.entries().map(Result::unwrap).collect()
}

fn cut(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

fn path(folder: &TempDir, kind: FileKind) -> PathBuf {
    folder.path().join(kind.file_name())
}

#[test]
fn a_small_file_that_is_cut_while_open_is_still_read_whole() {
    let folder = world(100_000);
    let opened = DatFolder::open(folder.path()).unwrap();
    let before = DatFolder::open(folder.path()).unwrap();
    for kind in BOTH {
        cut(&path(&folder, kind), 0);
    }
    for (kind, file) in opened.files() {
        assert!(file.len() <= MEMORY_LIMIT && file.verify().findings.is_empty());
        for entry in entries(before.file(kind).unwrap()) {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let want = before.file(kind).unwrap().read(&entry, &mut one).unwrap();
            assert_eq!(file.read(&entry, &mut other).unwrap(), want, "{}", entry.id);
        }
    }
}

#[test]
fn a_large_file_cut_while_open_loses_records_with_errors_that_name_the_file() {
    let folder = world(MEMORY_LIMIT + 1_000_000);
    let opened = DatFolder::open(folder.path()).unwrap();
    for (kind, file) in opened.files() {
        let path = path(&folder, kind);
        let whole = DatFile::from_bytes("whole", std::fs::read(&path).unwrap()).unwrap();
        assert!(file.len() > MEMORY_LIMIT);
        let entries = entries(file);
        let length = (file.len() / 2) as u64;
        let fresh = DatFile::open(&path).unwrap();
        cut(&path, length);
        let (mut kept, mut lost) = (0, 0);
        for entry in &entries {
            let mut buffer = Vec::new();
            let blocks = u64::from(entry.size).div_ceil(file.header().payload() as u64);
            let is_there = u64::from(entry.offset) + u64::from(entry.size) + 4 * blocks <= length;
            match file.read(entry, &mut buffer) {
                Ok(bytes) => {
                    assert!(is_there, "{}", entry.id);
                    assert_eq!(bytes, whole.read(entry, &mut Vec::new()).unwrap(), "{}", entry.id);
                    kept += 1;
                }
                Err(error) => {
                    let said = error.to_string();
                    assert!(said.starts_with(&path.display().to_string()), "{said}");
                    assert!(said.contains("another program cut it short"), "{said}");
                    let DatErrorKind::CutShort { was, is } = error.kind() else { panic!("{said}") };
                    assert_eq!((*was, *is), (file.len() as u64, length), "{said}");
                    assert_eq!(error.record(), Some(entry.id), "{said}");
                    assert!(!is_there, "{said}");
                    lost += 1;
                }
            }
        }
        assert!(kept > 10 && lost > 10, "{kept} kept, {lost} lost");
        // Nodes that were read stay; links beyond the cut cannot be followed.
        assert_eq!(file.find(entries[0].id).unwrap(), Some(entries[0]));
        let _ = file.verify();
        // A file with a directory that was not read yet reports the same.
        let said = fresh.find(entries[0].id).unwrap_err().to_string();
        assert!(said.starts_with(&path.display().to_string()), "{said}");
        assert!(fresh.entries().all(|entry| entry.is_err()));
    }
}

#[test]
fn reading_continues_while_another_program_cuts_and_restores_the_file() {
    let folder = world(200_000);
    let path = path(&folder, FileKind::Cell);
    let whole = std::fs::read(&path).unwrap();
    let known = DatFile::from_bytes("known", whole.clone()).unwrap();
    let entries = entries(&known);
    let file = DatFile::open_with_memory_limit(&path, 0).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 0..200 {
                cut(&path, (whole.len() * (round % 7) / 9) as u64);
                std::fs::write(&path, &whole).unwrap();
            }
        });
        let mut buffer = Vec::new();
        while !writer.is_finished() {
            for entry in &entries {
                // The results do not matter, only that both threads end.
                let _ = file.read(entry, &mut buffer);
                let _ = file.find(entry.id);
            }
        }
    });
    for entry in &entries {
        let want = known.read(entry, &mut Vec::new()).unwrap().to_vec();
        assert_eq!(file.get(entry.id, &mut Vec::new()).unwrap(), Some(want.as_slice()));
    }
}

/// Moves every second block of each chain to the end of the file, so that no two are adjacent.
fn scattered(mut bytes: Vec<u8>) -> Vec<u8> {
    let file = DatFile::from_bytes("whole", bytes.clone()).unwrap();
    let size = file.header().block_size as usize;
    let word = |bytes: &[u8], at: usize| {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    };
    for entry in entries(&file) {
        let mut at = entry.offset as usize;
        for turn in 0.. {
            let next = word(&bytes, at);
            if next == 0 {
                break;
            }
            at = if turn % 2 == 0 {
                let moved = bytes.len();
                bytes.extend_from_within(next..next + size);
                bytes[at..at + 4].copy_from_slice(&u32::try_from(moved).unwrap().to_le_bytes());
                moved
            } else {
                next
            };
        }
    }
    bytes
}

/// The results of reading a whole file, errors included; they name the same file.
fn everything(file: &DatFile) -> Vec<String> {
    let mut said = vec![format!("{:?}", file.verify())];
    for entry in file.entries() {
        said.push(match entry {
            Ok(entry) => {
                let sum = |bytes: &[u8]| (bytes.len(), Sha256::digest(bytes));
                format!("{entry:?}: {:?}", file.read(&entry, &mut Vec::new()).map(sum))
            }
            Err(error) => error.to_string(),
        });
    }
    said
}

#[test]
fn records_read_from_disk_equal_those_from_memory_for_scattered_and_damaged_chains() {
    let folder = world(400_000);
    for kind in BOTH {
        let path = path(&folder, kind);
        let whole = std::fs::read(&path).unwrap();
        let scattered = scattered(whole.clone());
        assert!(scattered.len() > whole.len() + 100_000);
        let mut variants = vec![whole.clone(), scattered];
        // One byte changed, or the end cut off, at places spread over the file.
        for turn in 1..60_usize {
            let at = 0x140 + turn * 104_729 % (whole.len() - 0x140);
            let mut changed = whole.clone();
            changed[at] ^= 1 << (turn % 8);
            changed[at & !3] ^= 0xFF;
            variants.push(changed);
            variants.push(whole[..at].to_vec());
        }
        for variant in variants {
            std::fs::write(&path, &variant).unwrap();
            let name = path.display().to_string();
            let disk = DatFile::open_with_memory_limit(&path, 0);
            match (DatFile::from_bytes(&name, variant), disk) {
                (Ok(memory), Ok(disk)) => assert!(everything(&memory) == everything(&disk)),
                (memory, disk) => assert_eq!(
                    memory.err().map(|error| error.to_string()),
                    disk.err().map(|error| error.to_string())
                ),
            }
        }
    }
}

#[test]
fn folders_and_pipes_are_refused_without_blocking() {
    let folder = TempDir::new().unwrap();
    let said = DatFile::open(folder.path()).unwrap_err().to_string();
    assert!(said.ends_with(": a folder, not a regular file"), "{said}");
    std::fs::create_dir(path(&folder, FileKind::Cell)).unwrap();
    File::create(path(&folder, FileKind::Portal)).unwrap();
    let said = DatFolder::open(folder.path()).unwrap_err().to_string();
    assert!(said.ends_with("client_cell_1.dat: a folder, not a regular file"), "{said}");
    #[cfg(unix)]
    {
        std::fs::remove_dir(path(&folder, FileKind::Cell)).unwrap();
        let pipe = path(&folder, FileKind::Cell);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let said = DatFolder::open(folder.path()).unwrap_err().to_string();
        assert!(
            said.ends_with("client_cell_1.dat: a pipe or device, not a regular file"),
            "{said}"
        );
    }
}
