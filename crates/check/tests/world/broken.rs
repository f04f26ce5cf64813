//! Sample worlds with some records changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use threshold_check::{CheckOptions, CheckReport, Finding, check_folder};
use threshold_dat::{
    ContainerWriter, DatFile, DatFolder, FileKind, NewRecord, Record, RecordId, Records,
};

pub(super) fn data(world: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(world)
}

/// A sample world with some records changed. Their bytes are decoded, changed and encoded.
pub(super) struct BrokenWorld {
    world: &'static str,
    pub(super) records: Vec<(RecordId, Vec<u8>)>,
    removed: Vec<RecordId>,
}

impl BrokenWorld {
    pub(super) fn new(world: &'static str) -> Self {
        Self { world, records: Vec::new(), removed: Vec::new() }
    }

    pub(super) fn change<R: Record>(mut self, id: u32, change: impl FnOnce(&mut R)) -> Self {
        let (id, folder) = (RecordId(id), DatFolder::open(&data(self.world)).unwrap());
        let mut record = Records::new(&folder).get::<R>(id).unwrap().unwrap();
        change(&mut record);
        self.records.push((id, record.encode().unwrap()));
        self
    }

    pub(super) fn without(mut self, id: u32) -> Self {
        self.removed.push(RecordId(id));
        self
    }

    fn folder(&self) -> DatFolder {
        let mut files = Vec::new();
        for (kind, file) in DatFolder::open(&data(self.world)).unwrap().files() {
            files.push((kind, self.rewritten(kind, file)));
        }
        DatFolder::from_files(files)
    }

    fn rewritten(&self, kind: FileKind, file: &DatFile) -> DatFile {
        let mut writer = ContainerWriter::new(kind);
        for entry in file.entries().map(Result::unwrap) {
            let new = self.records.iter().find(|(id, _)| *id == entry.id);
            let bytes = match new {
                Some((_, bytes)) => bytes.clone(),
                None => file.read(&entry, &mut Vec::new()).unwrap().to_vec(),
            };
            if !self.removed.contains(&entry.id) {
                writer.add(NewRecord::new(entry.id, bytes));
            }
        }
        DatFile::from_bytes(kind.file_name(), writer.to_bytes().unwrap()).unwrap()
    }

    pub(super) fn report(&self) -> CheckReport {
        check_folder(&Arc::new(self.folder()), &CheckOptions::default(), &|_| ())
    }

    /// The findings, each as `error 0xA9B40164:1,2,3 message`, with the position to a decimetre.
    pub(super) fn findings(&self) -> Vec<String> {
        let line = |finding: &Finding| {
            let position = finding.position.map(|at| at.map(|v| format!("{v:.1}")).join(","));
            let cell = finding.cell.map_or("nowhere".to_owned(), |cell| cell.to_string());
            format!(
                "{} {cell}:{} {}",
                finding.severity,
                position.unwrap_or_default(),
                finding.message
            )
        };
        self.report().findings.iter().map(line).collect()
    }

    /// Asserts exactly these findings; each begins as given.
    #[track_caller]
    pub(super) fn finds(self, want: &[&str]) {
        let found = self.findings();
        let matched = found.len() == want.len()
            && want.iter().all(|want| found.iter().any(|line| line.starts_with(want)));
        assert!(matched, "wanted\n  {}\nfound\n  {}", want.join("\n  "), found.join("\n  "));
    }
}
