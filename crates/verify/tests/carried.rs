//! The carried data is that of the repository, and the pinned hashes are those of this machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use threshold_dat::{DatFolder, FileKind, Source};
use threshold_verify::{Scope, verify};

const RENEW: &str = "run `cargo run --package threshold-verify --example pack`";

fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

fn carried(name: &str) -> Vec<u8> {
    unpacked(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name))
}

fn original(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

#[test]
fn the_carried_scenarios_are_those_of_the_repository() {
    let files = std::fs::read_dir(original("conformance/scenarios")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let lines: Vec<u8> = files.iter().flat_map(|file| unpacked(file)).collect();
    assert!(lines == carried("scenarios.jsonl.gz"), "{RENEW}");
}

#[test]
fn the_carried_worlds_are_those_of_the_repository() {
    for world in ["holt", "dungeon"] {
        let folder = DatFolder::open(&original(world)).unwrap();
        let (mut rest, mut buffer) = (carried(&format!("{world}.records.gz")), Vec::new());
        for (number, file) in (0_u32..).zip(FileKind::ALL) {
            for id in folder.ids(file) {
                let bytes = folder.read(file, id, &mut buffer).unwrap().unwrap();
                let length = u32::try_from(bytes.len()).unwrap();
                let head = [number, id.0, length].map(u32::to_le_bytes).concat();
                let after = rest.split_off(head.len() + bytes.len());
                assert!(rest == [&head, bytes].concat(), "{world}, {id}: {RENEW}");
                rest = after;
            }
        }
        assert!(rest.is_empty(), "{world}: {RENEW}");
    }
}

/// With `THRESHOLD_SOAK` set, the full scope.
#[test]
fn every_hash_is_the_pinned_one_and_progress_reaches_its_end() {
    let soak = std::env::var_os("THRESHOLD_SOAK").is_some();
    let scope = if soak { Scope::Full } else { Scope::Quick };
    let (mut ends, mut last) = (0, 0);
    let report = verify(scope, &mut |progress| {
        assert_eq!(progress.done, last + 1, "{progress:?}");
        let is_end = progress.done == progress.total;
        ends += usize::from(is_end);
        last = if is_end { 0 } else { progress.done };
    })
    .unwrap();
    assert_eq!((ends, last), (4, 0), "scenarios, files, views and the crowd");
    assert_eq!(report.mismatches(), [], "{report}");
}
