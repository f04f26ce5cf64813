//! Progress is reported once for each step.

#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::path::Path;
use std::sync::{Arc, Mutex};

use threshold_check::{CheckOptions, CheckProgress, CheckStage, check_folder};
use threshold_dat::DatFolder;

#[test]
fn every_step_is_counted_once() {
    let world = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/dungeon");
    let folder = Arc::new(DatFolder::open(&world).unwrap());
    let seen = Mutex::new(Vec::new());
    let report = check_folder(&folder, &CheckOptions::default(), &|progress: CheckProgress| {
        seen.lock().unwrap().push(progress);
    });
    let seen = seen.into_inner().unwrap();
    for stage in [CheckStage::Records, CheckStage::World] {
        let mut done: Vec<usize> =
            seen.iter().filter(|step| step.stage == stage).map(|step| step.done).collect();
        done.sort_unstable();
        let total = seen.iter().find(|step| step.stage == stage).unwrap().total;
        assert_eq!(done, (1..=total).collect::<Vec<_>>());
    }
    let records = seen.iter().filter(|step| step.stage == CheckStage::Records).count();
    assert_eq!(records, report.records);
}
