//! `threshold check`: everything that is wrong with a world.

mod place;
mod record;
mod shape;
mod world;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use threshold_dat::{
    ByteOffset, DatError, DatFile, DatFolder, DirectoryEntry, FileKind, OpenedFolder, RecordId,
    RecordKind, Verification,
};

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Place};
use threshold_world::REGION;

use self::record::{RecordCheck, Shapes};
use self::world::WorldCheck;
use crate::progress::Progress;
use crate::say::say;
use crate::show::thousands;
use crate::world::World;

/// Reads everything and lists what is damaged or leads nowhere.
///
/// An error loses something, or leads a mover or an eye astray. A note is worth knowing and harms
/// nothing. Exits with 1 if there is an error.
///
/// Of the records: those that cannot be read; neighbours, environments, surfaces and parts that are not
/// there.
///
/// Of the world: rooms that are not closed (a ray from inside meets no polygon), whose walls face away
/// from them, or whose cell tree is another space than their walls; portals that do not match their
/// other side; stab lists without a neighbour, rooms with a way out that do not see outside; rooms that
/// nothing leads to; buildings whose portals lead nowhere or do not fit; objects that are not in their
/// cell, or deep in the ground; ground that neighbouring landblocks disagree about. Each with its cell
/// and place.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold check --roundtrip
  threshold check --world house.txt
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
    /// Another record that has to do with it.
    other_record: Option<RecordId>,
    kind: Option<RecordKind>,
    /// Byte of the file.
    offset: Option<u64>,
    /// Byte of the record.
    record_offset: Option<u64>,
    /// Where in the world.
    cell: Option<CellId>,
    /// In the frame of the cell's landblock.
    position: Option<[f32; 3]>,
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

#[derive(Default, Serialize)]
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
        let report = self.check(self.world.open()?);
        let seconds = begun.elapsed().as_secs_f64();
        say(self.json, &report, |out| Ok(report.print(out, seconds)?))?;
        Ok(if report.errors > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn check(&self, opened: OpenedFolder) -> Report {
        let folder = &Arc::new(opened.folder);
        let mut report = Report::default();
        for kind in &opened.missing {
            let message = format!("no {} (in any letter case)", kind.file_name());
            report.add(Finding { message, ..Finding::about(&opened.name) });
        }
        opened.unusable.iter().for_each(|(_, error)| report.add(Finding::of_file(error)));
        let mut listed = Vec::new();
        for (kind, file) in folder.files() {
            listed.push((kind, file, report.container(kind, file)));
        }
        report.region(&listed);
        let shapes = Shapes::of(folder);
        let total: usize = listed.iter().map(|(_, _, entries)| entries.len()).sum();
        let progress = Progress::new("checking records", total as u64);
        let mut cells = Vec::new();
        for (kind, file, entries) in listed {
            for finding in self.records(folder, &shapes, (kind, file), &entries, &progress) {
                report.add(finding);
            }
            if kind == FileKind::Cell {
                cells = entries;
            }
        }
        progress.finish();
        let found = WorldCheck::new(folder, &shapes).run(&cells);
        found.into_iter().for_each(|finding| report.add(finding));
        report
    }

    /// In parallel, and in the order of the records whatever the number of threads.
    fn records(
        &self,
        folder: &DatFolder,
        shapes: &Shapes,
        (kind, file): (FileKind, &DatFile),
        entries: &[DirectoryEntry],
        progress: &Progress,
    ) -> Vec<Finding> {
        let check = RecordCheck { folder, shapes, kind, file, roundtrip: self.roundtrip };
        let each = |buffer: &mut Vec<u8>, entry: &DirectoryEntry| {
            let findings = check.run(entry, buffer);
            progress.step();
            findings
        };
        entries.par_iter().map_init(Vec::new, each).flatten_iter().collect()
    }
}

impl Report {
    fn add(&mut self, finding: Finding) {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Note => self.notes += 1,
        }
        self.findings.push(finding);
    }

    /// Looks at a file as a container; returns the records that are worth reading.
    fn container(&mut self, kind: FileKind, file: &DatFile) -> Vec<DirectoryEntry> {
        let name = file.name().to_string();
        let note = |offset: u64, message: String| Finding {
            severity: Severity::Note,
            offset: Some(offset),
            message,
            ..Finding::about(&name)
        };
        if file.header().file_kind() != Some(kind) {
            let (set, subset) = (file.header().data_set, file.header().data_subset);
            let kind = kind.file_name();
            self.add(note(
                0x14C,
                format!("data set {set}, subset {subset} is not that of a {kind}"),
            ));
        }
        let verified = file.verify();
        self.verified(kind, &name, &verified);
        // Nodes that cannot be read are among the findings already.
        let entries: Vec<DirectoryEntry> = file.entries().filter_map(Result::ok).collect();
        self.records += entries.len();
        self.files.push(FileReport {
            file: name,
            records: entries.len(),
            bytes: entries.iter().map(|entry| u64::from(entry.size)).sum(),
            directory_nodes: verified.nodes,
            blocks: verified.blocks,
        });
        // What claims the blocks of others has had its error, and could claim the whole file.
        entries.into_iter().filter(|entry| !verified.entangled.contains(&entry.id)).collect()
    }

    /// What is wrong with the blocks of a file.
    fn verified(&mut self, kind: FileKind, name: &str, verified: &Verification) {
        for finding in &verified.findings {
            self.add(Finding {
                severity: if finding.is_error { Severity::Error } else { Severity::Note },
                record: finding.record,
                other_record: finding.other,
                kind: finding.record.map(|id| RecordKind::from_id(kind, id)),
                offset: Some(finding.at),
                message: finding.text.clone(),
                ..Finding::about(name)
            });
        }
        self.errors += verified.more_errors;
        self.notes += verified.more_notes;
        let more = verified.more_errors + verified.more_notes;
        if more > 0 {
            let message = format!("{more} more findings about its blocks are counted, not listed");
            self.findings.push(Finding { message, ..Finding::about(name) });
        }
    }

    /// Without a region no ground can be built, which only matters where there is some.
    fn region(&mut self, listed: &[(FileKind, &DatFile, Vec<DirectoryEntry>)]) {
        let portal = listed.iter().find(|(kind, ..)| *kind == FileKind::Portal);
        let Some((_, file, _)) = portal else { return };
        if !matches!(file.find(REGION), Ok(None)) {
            return;
        }
        let is_ground = |entry: &DirectoryEntry| {
            RecordKind::from_id(FileKind::Cell, entry.id) == RecordKind::LandBlock
        };
        let mut cells = listed.iter().filter(|(kind, ..)| *kind == FileKind::Cell);
        let (severity, harm) = if cells.any(|(_, _, entries)| entries.iter().any(is_ground)) {
            (Severity::Error, "no landblock can be built")
        } else {
            (Severity::Note, "no table of heights")
        };
        let message = format!("no region ({REGION}): {harm}");
        // It would hang on the root of the directory.
        let offset = Some(0x160);
        let name = file.name().to_string();
        self.add(Finding { severity, offset, message, ..Finding::about(&name) });
    }

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
    /// An error about a file, to be filled in.
    fn about(file: &str) -> Self {
        Self {
            severity: Severity::Error,
            file: file.to_owned(),
            record: None,
            other_record: None,
            kind: None,
            offset: None,
            record_offset: None,
            cell: None,
            position: None,
            message: String::new(),
        }
    }

    /// At a place of the world.
    fn at(mut self, cell: CellId, point: impl Into<Option<Vec3>>) -> Self {
        self.cell = Some(cell);
        self.position = point.into().filter(|at| at.is_finite()).map(|at| at.to_array());
        self
    }

    /// A whole file that cannot be used.
    fn of_file(error: &DatError) -> Self {
        let offset = match error.place() {
            Some(ByteOffset::File(at)) => Some(at),
            _ => None,
        };
        let message = error.kind().to_string();
        Self { offset, message, ..Self::about(error.file().unwrap_or_default()) }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Note => "note",
        };
        write!(out, "{word}: {}", self.file)?;
        // The address begins with a colon, wherever it begins.
        let mut before = ": ";
        if let Some(kind) = self.kind {
            write!(out, "{before}{kind}")?;
            before = " ";
        }
        if let Some(record) = self.record {
            write!(out, "{before}{record}")?;
            before = " ";
        }
        if let Some(offset) = self.offset {
            write!(out, "{before}at 0x{offset:X}")?;
        }
        if let Some(offset) = self.record_offset {
            write!(out, " (byte 0x{offset:X} of the record)")?;
        }
        match (self.cell, self.position) {
            (Some(cell), Some(at)) => {
                // A millimetre is near enough for a reader.
                let round = |v: f32| (v * 1000.0).round() / 1000.0;
                write!(out, ": {}", Place::Point(cell, Vec3::from(at).map(round)))?;
            }
            (Some(cell), None) => write!(out, ": {cell}")?,
            (None, _) => {}
        }
        writeln!(out, ": {}", self.message)
    }
}
