//! Checks of a file as a container of records.

use threshold_dat::{DatFile, DirectoryEntry, FileKind, RecordKind, Verification};
use threshold_world::REGION;

use crate::{CheckReport, FileSummary, Finding, Severity};

/// Offset of the data set number in the header.
const DATA_SET_OFFSET: u64 = 0x14C;
/// Offset of the root of the directory in the header.
const ROOT_OFFSET: u64 = 0x160;

/// A file with the directory entries that are worth reading.
pub(crate) struct ListedFile<'a> {
    pub(crate) kind: FileKind,
    pub(crate) file: &'a DatFile,
    pub(crate) entries: Vec<DirectoryEntry>,
}

/// Checks header, directory and blocks.
pub(crate) fn check<'a>(
    report: &mut CheckReport,
    kind: FileKind,
    file: &'a DatFile,
) -> ListedFile<'a> {
    let name = file.name().to_string();
    if file.header().file_kind() != Some(kind) {
        let (set, subset) = (file.header().data_set, file.header().data_subset);
        report.add(Finding {
            severity: Severity::Note,
            offset: Some(DATA_SET_OFFSET),
            message: format!(
                "data set {set}, subset {subset} is not that of a {}",
                kind.file_name()
            ),
            ..Finding::new(&name)
        });
    }
    let verified = file.verify();
    add_verification(report, kind, &name, &verified);
    // Nodes that cannot be read are among the findings already.
    let entries: Vec<DirectoryEntry> = file.entries().filter_map(Result::ok).collect();
    report.records += entries.len();
    report.files.push(FileSummary {
        file: name,
        records: entries.len(),
        bytes: entries.iter().map(|entry| u64::from(entry.size)).sum(),
        directory_nodes: verified.nodes,
        blocks: verified.blocks,
    });
    ListedFile { kind, file, entries: untangled(entries, &verified) }
}

/// Returns the entries of a file that are worth reading. Directory nodes that cannot be read are reported by
/// [`check`].
pub(crate) fn readable_entries(file: &DatFile) -> Vec<DirectoryEntry> {
    untangled(file.entries().filter_map(Result::ok).collect(), &file.verify())
}

/// Drops entries that claim the blocks of others: each could claim the whole file, and is an error already.
fn untangled(mut entries: Vec<DirectoryEntry>, verified: &Verification) -> Vec<DirectoryEntry> {
    entries.retain(|entry| !verified.entangled.contains(&entry.id));
    entries
}

fn add_verification(report: &mut CheckReport, kind: FileKind, name: &str, verified: &Verification) {
    for finding in &verified.findings {
        report.add(Finding {
            severity: if finding.is_error { Severity::Error } else { Severity::Note },
            record: finding.record,
            other_record: finding.other,
            kind: finding.record.map(|id| RecordKind::from_id(kind, id)),
            offset: Some(finding.at),
            message: finding.text.clone(),
            ..Finding::new(name)
        });
    }
    report.errors += verified.more_errors;
    report.notes += verified.more_notes;
    let more = verified.more_errors + verified.more_notes;
    if more > 0 {
        let message = format!("{more} more findings about its blocks are counted, not listed");
        report.findings.push(Finding { message, ..Finding::new(name) });
    }
}

/// Reports a missing region: without its table of heights no ground can be built.
pub(crate) fn check_region(report: &mut CheckReport, files: &[ListedFile<'_>]) {
    let Some(portal) = files.iter().find(|listed| listed.kind == FileKind::Portal) else { return };
    if !matches!(portal.file.find(REGION), Ok(None)) {
        return;
    }
    let is_ground = |entry: &DirectoryEntry| {
        RecordKind::from_id(FileKind::Cell, entry.id) == RecordKind::LandBlock
    };
    let mut cells = files.iter().filter(|listed| listed.kind == FileKind::Cell);
    let (severity, harm) = if cells.any(|listed| listed.entries.iter().any(is_ground)) {
        (Severity::Error, "no landblock can be built")
    } else {
        (Severity::Note, "no table of heights")
    };
    let message = format!("no region ({REGION}): {harm}");
    let offset = Some(ROOT_OFFSET);
    report.add(Finding { severity, offset, message, ..Finding::new(portal.file.name()) });
}
