//! `threshold check`: everything that is wrong with a world.

mod record;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use threshold_dat::{DatFile, DatFolder, Entry, FileKind, RecordId, RecordKind};

use self::record::{RecordCheck, Shapes};
use crate::progress::Progress;
use crate::show::thousands;
use crate::world::World;

/// Reads everything and lists what is damaged or leads nowhere.
///
/// An error loses something: a record that cannot be read, a neighbour, environment, surface or part
/// that is not there. A note is worth knowing and harms nothing. Exits with 1 if there is an error.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold check --dats tests/data/holt --roundtrip
  threshold check --dats tests/data/dungeon --json")]
pub(crate) struct Check {
    #[command(flatten)]
    world: World,
    /// Also encode every record again and compare the bytes.
    #[arg(long)]
    roundtrip: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Something that was found.
#[derive(Serialize)]
struct Finding {
    severity: Severity,
    file: String,
    record: Option<RecordId>,
    kind: Option<RecordKind>,
    /// Byte of the file.
    offset: Option<u64>,
    /// Byte of the record.
    record_offset: Option<u64>,
    message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Severity {
    Error,
    Note,
}

/// What was looked at.
#[derive(Default, Serialize)]
struct FileReport {
    file: String,
    records: usize,
    bytes: u64,
    directory_nodes: usize,
    blocks: usize,
}

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
    records: usize,
    errors: usize,
    notes: usize,
    findings: Vec<Finding>,
}

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let begun = Instant::now();
        let folder = self.world.open()?;
        let report = self.check(&folder);
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        } else {
            report.print(&mut out, begun.elapsed().as_secs_f64())?;
        }
        Ok(if report.errors > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn check(&self, folder: &DatFolder) -> Report {
        let mut files = Vec::new();
        let mut findings = Vec::new();
        let mut listed = Vec::new();
        for (kind, file) in folder.files() {
            let (report, entries) = container(kind, file, &mut findings);
            files.push(report);
            listed.push((kind, file, entries));
        }
        let shapes = Shapes::of(folder);
        let total: usize = listed.iter().map(|(_, _, entries)| entries.len()).sum();
        let progress = Progress::new("checking records", total as u64);
        for (kind, file, entries) in listed {
            findings.extend(self.records(folder, &shapes, (kind, file), &entries, &progress));
        }
        progress.finish();
        let count =
            |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        Report {
            records: files.iter().map(|file| file.records).sum(),
            files,
            errors: count(Severity::Error),
            notes: count(Severity::Note),
            findings,
        }
    }

    /// In parallel, and in the order of the records whatever the number of threads.
    fn records(
        &self,
        folder: &DatFolder,
        shapes: &Shapes,
        (kind, file): (FileKind, &DatFile),
        entries: &[Entry],
        progress: &Progress,
    ) -> Vec<Finding> {
        let check = RecordCheck { folder, shapes, kind, file, roundtrip: self.roundtrip };
        let each = |buffer: &mut Vec<u8>, entry: &Entry| {
            let findings = check.run(entry, buffer);
            progress.step();
            findings
        };
        entries.par_iter().map_init(Vec::new, each).flatten_iter().collect()
    }
}

/// The file as a container, and the entries that can be listed.
fn container(
    kind: FileKind,
    file: &DatFile,
    findings: &mut Vec<Finding>,
) -> (FileReport, Vec<Entry>) {
    let mut find = |severity, record, offset, message| {
        let file = file.name().to_string();
        findings.push(Finding {
            severity,
            file,
            record,
            kind: None,
            offset: Some(offset),
            record_offset: None,
            message,
        });
    };
    if file.header().file_kind() != Some(kind) {
        let (set, subset) = (file.header().data_set, file.header().data_subset);
        let message =
            format!("data set {set}, subset {subset} is not that of a {}", kind.file_name());
        find(Severity::Note, None, 0x14C, message);
    }
    let verified = file.verify();
    for finding in verified.findings {
        let severity = if finding.is_error { Severity::Error } else { Severity::Note };
        find(severity, finding.record, finding.at, finding.text);
    }
    // Nodes that cannot be read are among the findings already.
    let entries: Vec<Entry> = file.entries().filter_map(Result::ok).collect();
    let report = FileReport {
        file: file.name().to_string(),
        records: entries.len(),
        bytes: entries.iter().map(|entry| u64::from(entry.size)).sum(),
        directory_nodes: verified.nodes,
        blocks: verified.blocks,
    };
    (report, entries)
}

impl Report {
    fn print(&self, out: &mut impl Write, seconds: f64) -> io::Result<()> {
        for finding in &self.findings {
            finding.print(out)?;
        }
        for file in &self.files {
            writeln!(
                out,
                "{}: {} records, {} bytes, {} directory nodes, {} blocks",
                file.file,
                thousands(file.records),
                thousands(file.bytes),
                thousands(file.directory_nodes),
                thousands(file.blocks)
            )?;
        }
        writeln!(
            out,
            "{} records checked in {seconds:.2} s: {} errors, {} notes",
            thousands(self.records),
            thousands(self.errors),
            thousands(self.notes)
        )
    }
}

impl Finding {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Note => "note",
        };
        write!(out, "{word}: {}:", self.file)?;
        if let Some(kind) = self.kind {
            write!(out, " {kind}")?;
        }
        if let Some(record) = self.record {
            write!(out, " {record}")?;
        }
        if let Some(offset) = self.offset {
            write!(out, " at 0x{offset:X}")?;
        }
        if let Some(offset) = self.record_offset {
            write!(out, " (byte 0x{offset:X} of the record)")?;
        }
        writeln!(out, ": {}", self.message)
    }
}
