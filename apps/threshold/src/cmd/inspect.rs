//! `threshold inspect`: lists the records of data files, or shows one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use threshold_dat::{
    AnyRecord, DatError, DatFile, DatFolder, DirectoryEntry, FileKind, Header, RecordId,
    RecordIdError, RecordKind,
};
use threshold_land::BlockId;

use crate::formatting::{thousands, write_value};
use crate::stderr::print_message;
use crate::stdout::print_report;
use crate::world::{FileArgument, World};

/// Count the records in data files, list some, or show one
///
/// Without WHAT, lists the kinds of records in each file, with their number and size. With the id of a record, shows it
/// from every file that has it. With a landblock or a kind, lists the ids of its records.
///
/// The exit status is 1 if a file or record is missing or damaged.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold inspect
  threshold inspect 0xA9B40100
  threshold inspect A9B4
  threshold inspect EnvCell --json
  threshold inspect --dats tests/data/holt 0x02000001 --file portal --json")]
pub(crate) struct Inspect {
    #[command(flatten)]
    world: World,
    /// Id of a record (eight hexadecimal digits), landblock (four), or kind of record
    #[arg(value_parser = selection)]
    what: Option<Selection>,
    /// Read only this file
    #[arg(long)]
    file: Option<FileArgument>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is shown.
#[derive(Clone, Debug)]
enum Selection {
    Record(RecordId),
    Block(BlockId),
    Kind(String),
}

fn selection(text: &str) -> Result<Selection, String> {
    let is_hexadecimal = |text: &str| text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let is_id = digits.len() < text.len() || (is_hexadecimal(digits) && digits.len() != 4);
    if let Ok(block) = text.parse() {
        Ok(Selection::Block(block))
    } else if is_id || !digits.starts_with(|first: char| first.is_alphabetic()) {
        text.parse().map(Selection::Record).map_err(|error: RecordIdError| error.to_string())
    } else {
        Ok(Selection::Kind(text.to_owned()))
    }
}

impl Selection {
    /// Returns whether a record is listed.
    fn lists(&self, file: FileKind, kind: RecordKind, id: RecordId) -> bool {
        match self {
            Self::Record(wanted) => id == *wanted,
            Self::Block(block) => file == FileKind::Cell && id.0 >> 16 == u32::from(block.0),
            Self::Kind(name) => kind.to_string().eq_ignore_ascii_case(name),
        }
    }
}

impl Inspect {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let opened = self.world.open()?;
        let wanted = |kind| self.file.is_none_or(|file| FileKind::from(file) == kind);
        let mut is_complete = true;
        for kind in opened.missing.iter().copied().filter(|kind| wanted(*kind)) {
            print_message(format_args!("{}: no {}", opened.name, kind.file_name()));
            is_complete = false;
        }
        for (_, error) in opened.unusable.iter().filter(|(kind, _)| wanted(*kind)) {
            print_message(error);
            is_complete = false;
        }
        let code = match &self.what {
            Some(Selection::Record(id)) => self.record(&opened.folder, *id)?,
            Some(what) => self.list(&opened.folder, what)?,
            None => self.summary(&opened.folder)?,
        };
        Ok(if is_complete { code } else { ExitCode::FAILURE })
    }

    fn files<'a>(&self, folder: &'a DatFolder) -> anyhow::Result<Vec<(FileKind, &'a DatFile)>> {
        let only = self.file.map(FileKind::from);
        let files: Vec<_> =
            folder.files().filter(|(kind, _)| only.is_none_or(|o| o == *kind)).collect();
        match only {
            Some(kind) if files.is_empty() => {
                bail!("{}: no {}", self.world.place(), kind.file_name())
            }
            _ => Ok(files),
        }
    }

    fn summary(&self, folder: &DatFolder) -> anyhow::Result<ExitCode> {
        let files: Vec<_> = self
            .files(folder)?
            .into_iter()
            .map(|(kind, file)| FileSummary::of(kind, file))
            .collect();
        let damaged = files.iter().any(|file| !file.errors.is_empty());
        print_report(self.json, &serde_json::json!({ "files": files }), |out| {
            Ok(files.iter().try_for_each(|file| file.print(out))?)
        })?;
        Ok(if damaged { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Lists the records of a landblock or a kind.
    fn list(&self, folder: &DatFolder, what: &Selection) -> anyhow::Result<ExitCode> {
        let files = self.files(folder)?;
        let lists: Vec<_> =
            files.iter().map(|(kind, file)| RecordList::of(*kind, file, what)).collect();
        if lists.iter().all(|list| list.records.is_empty()) {
            let place = self.world.place();
            match what {
                Selection::Kind(name) => {
                    let kinds: BTreeSet<String> = files.iter().flat_map(kinds_of).collect();
                    let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
                    bail!("no record of kind {name:?} in {place}; kinds are {kinds}")
                }
                Selection::Block(block) => bail!("no record of landblock {block} in {place}"),
                Selection::Record(id) => bail!("no record {id} in {place}"),
            }
        }
        let damaged = lists.iter().any(|list| !list.errors.is_empty());
        print_report(self.json, &serde_json::json!({ "files": lists }), |out| {
            Ok(lists.iter().try_for_each(|list| list.print(out))?)
        })?;
        Ok(if damaged { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn record(&self, folder: &DatFolder, id: RecordId) -> anyhow::Result<ExitCode> {
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for (kind, file) in self.files(folder)? {
            match file.find(id) {
                Ok(Some(entry)) => found.push(FoundRecord::read(kind, file, entry)),
                Ok(None) => {}
                // A damaged directory of one file does not hide the record in another.
                Err(error) => errors.push(error),
            }
        }
        for error in &errors {
            print_message(error);
        }
        if found.is_empty() {
            let place = self.world.place();
            let place = match self.file {
                Some(file) => format!("{} of {place}", FileKind::from(file).file_name()),
                None => place,
            };
            if errors.is_empty() {
                bail!("no record {id} in {place}");
            }
            bail!("no record {id} in the readable part of {place}");
        }
        #[derive(Serialize)]
        struct FoundRecords<'a> {
            id: RecordId,
            found: &'a [FoundRecord],
        }
        print_report(self.json, &FoundRecords { id, found: &found }, |out| {
            found.iter().try_for_each(|record| record.print(out))
        })?;
        let damaged = !errors.is_empty() || found.iter().any(|record| record.error.is_some());
        Ok(if damaged { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Returns the names of the kinds of records in a file.
fn kinds_of((kind, file): &(FileKind, &DatFile)) -> BTreeSet<String> {
    let entries = file.entries().flatten();
    entries.map(|entry| RecordKind::from_id(*kind, entry.id).to_string()).collect()
}

/// The listed records of a file. Field names are keys of the JSON output.
#[derive(Serialize)]
struct RecordList {
    file: String,
    records: Vec<ListedRecord>,
    /// Damaged parts of the directory.
    errors: Vec<String>,
}

/// A record in a list.
#[derive(Serialize)]
struct ListedRecord {
    id: RecordId,
    kind: RecordKind,
    bytes: u32,
}

impl RecordList {
    fn of(file_kind: FileKind, file: &DatFile, what: &Selection) -> Self {
        let (mut records, mut errors) = (Vec::new(), Vec::new());
        for entry in file.entries() {
            match entry {
                Ok(entry) => {
                    let kind = RecordKind::from_id(file_kind, entry.id);
                    let record = ListedRecord { id: entry.id, kind, bytes: entry.size };
                    records.extend(Some(record).filter(|_| what.lists(file_kind, kind, entry.id)));
                }
                Err(error) => errors.push(error.to_string()),
            }
        }
        Self { file: file.name().to_string(), records, errors }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        if self.records.is_empty() && self.errors.is_empty() {
            return Ok(());
        }
        writeln!(out, "{}: {} listed", self.file, thousands(self.records.len()))?;
        for ListedRecord { id, kind, bytes } in &self.records {
            writeln!(out, "  {id}  {kind:20}{:>10} bytes", thousands(*bytes))?;
        }
        self.errors.iter().try_for_each(|error| writeln!(out, "  damaged: {error}"))
    }
}

/// The records of a file. Field names are keys of the JSON output.
#[derive(Serialize)]
struct FileSummary {
    file: String,
    bytes: usize,
    header: Header,
    records: usize,
    kinds: Vec<KindSummary>,
    /// Damaged parts of the directory.
    errors: Vec<String>,
}

/// The records of one kind.
#[derive(Serialize)]
struct KindSummary {
    kind: RecordKind,
    count: usize,
    bytes: u64,
    smallest: u32,
    largest: u32,
    /// Id of the first record of the largest size.
    largest_id: RecordId,
}

impl FileSummary {
    fn of(kind: FileKind, file: &DatFile) -> Self {
        let mut kinds: BTreeMap<RecordKind, KindSummary> = BTreeMap::new();
        let (mut records, mut errors) = (0, Vec::new());
        for entry in file.entries() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    errors.push(error.to_string());
                    continue;
                }
            };
            records += 1;
            let kind = RecordKind::from_id(kind, entry.id);
            let summary = kinds.entry(kind).or_insert_with(|| KindSummary::new(kind, &entry));
            summary.add(&entry);
        }
        Self {
            file: file.name().to_string(),
            bytes: file.len(),
            header: *file.header(),
            records,
            kinds: kinds.into_values().collect(),
            errors,
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{}: {} bytes in blocks of {}, {} records",
            self.file,
            thousands(self.bytes),
            self.header.block_size,
            thousands(self.records)
        )?;
        let head = ["kind", "records", "bytes", "smallest", "largest"];
        writeln!(
            out,
            "  {:20}{:>10}{:>14}{:>10}{:>10}",
            head[0], head[1], head[2], head[3], head[4]
        )?;
        for kind in &self.kinds {
            writeln!(
                out,
                "  {:20}{:>10}{:>14}{:>10}{:>10}  {}",
                kind.kind,
                thousands(kind.count),
                thousands(kind.bytes),
                thousands(kind.smallest),
                thousands(kind.largest),
                kind.largest_id
            )?;
        }
        self.errors.iter().try_for_each(|error| writeln!(out, "  damaged: {error}"))?;
        writeln!(out)
    }
}

impl KindSummary {
    fn new(kind: RecordKind, entry: &DirectoryEntry) -> Self {
        Self { kind, count: 0, bytes: 0, smallest: entry.size, largest: 0, largest_id: entry.id }
    }

    fn add(&mut self, entry: &DirectoryEntry) {
        self.count += 1;
        self.bytes += u64::from(entry.size);
        self.smallest = self.smallest.min(entry.size);
        if entry.size > self.largest {
            self.largest = entry.size;
            self.largest_id = entry.id;
        }
    }
}

/// A record in one file.
#[derive(Serialize)]
struct FoundRecord {
    file: String,
    kind: RecordKind,
    entry: DirectoryEntry,
    /// Why the record cannot be decoded.
    error: Option<String>,
    /// Bytes after the end of the record.
    trailing_bytes: usize,
    record: Option<AnyRecord>,
}

impl FoundRecord {
    fn read(file_kind: FileKind, file: &DatFile, entry: DirectoryEntry) -> Self {
        let kind = RecordKind::from_id(file_kind, entry.id);
        let mut buffer = Vec::new();
        let decoded = file
            .read(&entry, &mut buffer)
            .and_then(|bytes| AnyRecord::decode_prefix(kind, entry.id, bytes));
        let (record, trailing_bytes, error) = match decoded {
            Ok((record, trailing)) => (Some(record), trailing, None),
            Err(error) => (None, 0, Some(error)),
        };
        let error = error.map(|error: DatError| error.in_file(file.name()).to_string());
        Self { file: file.name().to_string(), kind, entry, error, trailing_bytes, record }
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let entry = &self.entry;
        writeln!(
            out,
            "{} {} in {}: {} bytes at 0x{:X}, version {}, iteration {}{}",
            self.kind,
            entry.id,
            self.file,
            thousands(entry.size),
            entry.offset,
            entry.version,
            entry.iteration,
            if entry.is_compressed() { ", compressed" } else { "" }
        )?;
        if self.trailing_bytes > 0 {
            writeln!(out, "  note: {} bytes after the end of the record", self.trailing_bytes)?;
        }
        if let Some(error) = &self.error {
            writeln!(out, "  damaged: {error}")?;
        }
        if let Some(record) = &self.record {
            write_value(out, record, 2)?;
        }
        writeln!(out)?;
        Ok(())
    }
}
