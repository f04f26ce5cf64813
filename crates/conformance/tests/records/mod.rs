//! Recorded scenarios and results, and runners for their worlds.

#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};

use threshold_conformance::{
    KnownDifferences, Properties, RecordedResults, Runner, Scenario, file,
};
use threshold_dat::DatFolder;

/// The worlds of the scenarios.
pub(crate) const WORLDS: [&str; 2] = ["holt", "dungeon"];

pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// The files of a folder, by name.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let list = std::fs::read_dir(data("conformance").join(folder)).unwrap();
    let mut files: Vec<PathBuf> = list.map(|item| item.unwrap().path()).collect();
    files.sort();
    files
}

pub(crate) fn scenarios() -> Vec<Scenario> {
    let mut all = Vec::new();
    for path in files("scenarios") {
        let file = file::scenarios(&path).unwrap();
        assert!(file.bad.is_empty(), "{:?}", file.bad);
        all.extend(file.scenarios);
    }
    all
}

pub(crate) fn recorded(side: &str) -> RecordedResults {
    file::recorded(&data("conformance/results").join(side), None).unwrap().recorded
}

pub(crate) fn known() -> KnownDifferences {
    KnownDifferences::read(&data("conformance/known-differences.txt")).unwrap()
}

pub(crate) fn properties() -> Properties {
    Properties::read(&data("conformance/camera-properties.txt")).unwrap()
}

pub(crate) fn runner(world: &str) -> Runner {
    let runner = Runner::new(DatFolder::open(&data(world)).unwrap());
    assert!(runner.faults().is_empty(), "{:?}", runner.faults());
    runner
}
