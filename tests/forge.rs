//! `threshold forge`. Its worlds must have no errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use threshold_dat::{DatFolder, FileKind, Source};
use threshold_forge::builtin;

fn threshold(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold")).args(arguments).output().unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs `threshold forge FOLDER ARGUMENTS --json`.
#[track_caller]
fn forge(folder: &Path, arguments: &[&str]) -> Value {
    let folder = folder.to_str().unwrap();
    let output = threshold(&[&["forge", folder, "--json"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", error(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn bytes(folder: &Path) -> [Vec<u8>; 2] {
    [FileKind::Cell, FileKind::Portal].map(|kind| fs::read(folder.join(kind.file_name())).unwrap())
}

/// Checks that a world has no errors and no notes, and that every record encodes to its own bytes.
#[track_caller]
fn check(folder: &Path, what: &str) {
    let folder = folder.to_str().unwrap();
    let output = threshold(&["check", "--roundtrip", "--dats", folder, "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success(), "{what}: {:#}", report["findings"]);
    assert_eq!(report["notes"], 0, "{what}: {:#}", report["findings"]);
}

#[test]
fn the_built_in_world_is_written_and_reads_back_equal() {
    let folder = TempDir::new().unwrap();
    for seed in [1, 2] {
        let here = folder.path().join(seed.to_string());
        let report = forge(&here, &["--seed", &seed.to_string()]);
        assert_eq!(report["landblocks"], 31, "{report}");
        check(&here, "the built-in world");
        let (made, read) = (builtin(seed).unwrap(), DatFolder::open(&here).unwrap());
        for file in [FileKind::Cell, FileKind::Portal] {
            // The container adds a record.
            let own = read.ids(file).into_iter().filter(|id| id.0 != 0xFFFF_0001);
            assert_eq!(own.collect::<Vec<_>>(), made.ids(file));
            for id in made.ids(file) {
                let (mut one, mut other) = (Vec::new(), Vec::new());
                let made = made.read(file, id, &mut one).unwrap().unwrap();
                assert!(read.read(file, id, &mut other).unwrap() == Some(made), "{id}");
            }
        }
    }
}

#[test]
fn the_same_arguments_write_the_same_bytes_and_another_seed_does_not() {
    let folder = TempDir::new().unwrap();
    let here = |name: &str| folder.path().join(name);
    for kind in ["builtin", "town", "dungeon"] {
        for (name, seed) in [("one", "7"), ("same", "7"), ("other", "8")] {
            forge(&here(name), &["--kind", kind, "--seed", seed, "--force"]);
        }
        let [one, same, other] = ["one", "same", "other"].map(|name| bytes(&here(name)));
        assert!(one == same && one != other, "{kind}");
    }
}

/// Makes a random world and checks all of it.
#[track_caller]
fn check_random(kind: &str, rooms: u64, seed: u64) {
    let folder = TempDir::new().unwrap();
    let [rooms, seed] = [rooms, seed].map(|number| number.to_string());
    let arguments = ["--kind", kind, "--rooms", &rooms, "--seed", &seed];
    let report = forge(folder.path(), &arguments);
    assert_eq!(report["rooms"].to_string(), rooms, "{report}");
    check(folder.path(), &format!("{arguments:?}"));
}

/// Half of fifty worlds of 10 to 500 rooms.
#[test]
fn random_towns_have_no_errors_for_any_seed_and_size() {
    (0..25).for_each(|seed| check_random("town", 10 + seed * 490 / 24, seed));
}

/// The other half.
#[test]
fn random_dungeons_have_no_errors_for_any_seed_and_size() {
    (0..25).for_each(|seed| check_random("dungeon", 10 + seed * 490 / 24, seed));
}

#[test]
fn the_smallest_worlds_have_no_errors() {
    (1..4).for_each(|rooms| check_random("town", rooms, u64::MAX));
    // A dungeon with one room has a note: no portal leads there.
    (2..4).for_each(|rooms| check_random("dungeon", rooms, u64::MAX));
}

/// Data files may be the only copy of a world.
#[test]
fn existing_files_are_overwritten_only_with_force() {
    let folder = TempDir::new().unwrap();
    let old = folder.path().join("CLIENT_CELL_1.DAT");
    fs::write(&old, "precious").unwrap();
    let here = folder.path().to_str().unwrap();
    let output = threshold(&["forge", here]);
    assert!(!output.status.success());
    let error = error(&output);
    assert!(error.contains("CLIENT_CELL_1.DAT: file exists; use --force"), "{error}");
    assert_eq!(fs::read(&old).unwrap(), b"precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // The file with the other letter case is replaced. With a second file beside it, either could be read.
    forge(folder.path(), &["--force"]);
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder.path()).unwrap().map(|item| item.unwrap().path()).collect();
    names.sort();
    assert_eq!(names, [old, folder.path().join("client_portal.dat")]);
    check(folder.path(), "replaced");
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    let [here, file] = ["here", "file"].map(|name| folder.path().join(name));
    fs::write(&file, "").unwrap();
    let [here_, file_] = [&here, &file].map(|path| path.to_str().unwrap());
    for (arguments, expected) in [
        (&[here_, "--rooms", "10"][..], "--rooms: the built-in world has a fixed number of rooms"),
        (&[here_, "--kind", "town", "--rooms", "0"], "write a whole number from 1 to 60000"),
        (&[here_, "--world", "a.txt", "--seed", "2"], "cannot be used with"),
        (&[here_, "--world", "there-is-none.txt"], "there-is-none.txt: cannot be read"),
        (&[file_], "file: cannot be created: it is a file"),
    ] {
        let output = threshold(&[&["forge"], arguments].concat());
        assert!(!output.status.success(), "{arguments:?}");
        let error = error(&output);
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(!here.exists(), "{arguments:?}");
    }
}
