//! Checks of data files and of the world they describe.
//!
//! Of the files: blocks and directories, records that cannot be read, and references to records that do not exist.
//! Of the world: rooms that are not closed, walls that face away from their room, cell trees that differ from the
//! walls; portals that do not match their other side; stab lists without a neighbour; rooms that lead outdoors and do
//! not see outside; rooms that nothing leads to; building portals that lead nowhere or do not fit; objects outside
//! their room or deep in the ground; ground that differs between neighbouring landblocks.
//!
//! | call | checks |
//! |---|---|
//! | [`check_opened`] | a folder as it was opened, with files that are missing or cannot be used |
//! | [`check_folder`] | files, records and world |
//! | [`check_records`] | files and records |
//! | [`check_world`] | the world |
//!
//! ```
//! use std::sync::Arc;
//! use threshold_check::{CheckOptions, check_folder};
//! use threshold_dat::{DatFile, DatFolder, FileKind};
//!
//! let made = threshold_forge::builtin(threshold_forge::SEED)?;
//! let mut files = Vec::new();
//! for kind in [FileKind::Cell, FileKind::Portal] {
//!     let bytes = made.records().to_dat(kind)?;
//!     files.push((kind, DatFile::from_bytes(kind.file_name(), bytes)?));
//! }
//! let folder = Arc::new(DatFolder::from_files(files));
//! let report = check_folder(&folder, &CheckOptions::default(), &|_| ());
//! assert_eq!((report.errors, report.notes), (0, 0), "{:?}", report.findings);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A check cannot fail: a record that cannot be read is a finding. Findings come in the order of files, records and
//! landblocks, for any number of threads. The feature `rayon` uses its pool; without it everything runs on the
//! caller's thread. Nothing is printed; a closure receives the [progress](CheckProgress).
//!
//! Cost: one pass over all records, then one over all landblocks, of which only a few are in memory at a time.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod container;
mod finding;
mod parallel;
mod progress;
mod record;
mod report;
mod world;

use std::sync::Arc;

use threshold_dat::{DatFolder, FileKind, OpenedFolder};

use self::progress::Steps;
use self::record::{RecordCheck, Shapes};
use self::world::WorldCheck;

pub use finding::{Finding, Severity};
pub use progress::{CheckProgress, CheckStage, OnProgress};
pub use report::{CheckReport, FileSummary};

/// Options of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// Encodes every record again and compares the bytes. About doubles the time of the record check.
    pub roundtrip: bool,
}

/// Checks a folder with files that may be missing or unusable, which are findings, too.
pub fn check_opened(
    opened: OpenedFolder,
    options: &CheckOptions,
    on_progress: OnProgress<'_>,
) -> CheckReport {
    let mut report = CheckReport::default();
    for kind in &opened.missing {
        let message = format!("no {} (in any letter case)", kind.file_name());
        report.add(Finding { message, ..Finding::new(&opened.name) });
    }
    opened.unusable.iter().for_each(|(_, error)| report.add(Finding::of_file(error)));
    add_folder(&mut report, &Arc::new(opened.folder), options, on_progress);
    report
}

/// Checks the files, the records and the world of a folder.
pub fn check_folder(
    folder: &Arc<DatFolder>,
    options: &CheckOptions,
    on_progress: OnProgress<'_>,
) -> CheckReport {
    let mut report = CheckReport::default();
    add_folder(&mut report, folder, options, on_progress);
    report
}

/// Checks the files and the records of a folder.
pub fn check_records(
    folder: &DatFolder,
    options: &CheckOptions,
    on_progress: OnProgress<'_>,
) -> CheckReport {
    let mut report = CheckReport::default();
    add_records(&mut report, folder, &Shapes::read(folder), options, on_progress);
    report
}

/// Checks the world that the records of a folder describe.
///
/// Faults of single records, which [`check_records`] finds, are left out.
pub fn check_world(folder: &Arc<DatFolder>, on_progress: OnProgress<'_>) -> Vec<Finding> {
    // Without a cell file there is no world to check.
    let entries = folder.file(FileKind::Cell).map(container::readable_entries).unwrap_or_default();
    WorldCheck::new(folder, &Shapes::read(folder)).run(&entries, on_progress)
}

fn add_folder(
    report: &mut CheckReport,
    folder: &Arc<DatFolder>,
    options: &CheckOptions,
    on_progress: OnProgress<'_>,
) {
    let shapes = Shapes::read(folder);
    let files = add_records(report, folder, &shapes, options, on_progress);
    let cells = files.into_iter().find(|file| file.kind == FileKind::Cell);
    let entries = cells.map(|file| file.entries).unwrap_or_default();
    let findings = WorldCheck::new(folder, &shapes).run(&entries, on_progress);
    findings.into_iter().for_each(|finding| report.add(finding));
}

/// Adds the findings of files and records; returns the files with their readable entries.
fn add_records<'a>(
    report: &mut CheckReport,
    folder: &'a DatFolder,
    shapes: &Shapes,
    options: &CheckOptions,
    on_progress: OnProgress<'_>,
) -> Vec<container::ListedFile<'a>> {
    let files: Vec<_> =
        folder.files().map(|(kind, file)| container::check(report, kind, file)).collect();
    container::check_region(report, &files);
    let total = files.iter().map(|file| file.entries.len()).sum();
    let steps = Steps::new(CheckStage::Records, total, on_progress);
    for listed in &files {
        let check = RecordCheck { folder, shapes, listed, roundtrip: options.roundtrip };
        // The read buffer is reused.
        let findings = parallel::map_init(&listed.entries, Vec::new, |buffer, entry| {
            let findings = check.run(entry, buffer);
            steps.advance();
            findings
        });
        findings.into_iter().flatten().for_each(|finding| report.add(finding));
    }
    files
}
