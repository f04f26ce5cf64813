//! Sample worlds with something changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use threshold_dat::{ContainerWriter, DatFolder, NewRecord, Record, RecordId, Records};

pub(super) fn data(world: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(world)
}

pub(super) fn run(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    let output = command.args(["check", "--dats"]).arg(folder).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A sample world with some records changed. Their bytes are decoded, changed and encoded.
pub(super) struct Broken {
    world: &'static str,
    pub(super) records: Vec<(RecordId, Vec<u8>)>,
    gone: Vec<RecordId>,
}

impl Broken {
    pub(super) fn new(world: &'static str) -> Self {
        Self { world, records: Vec::new(), gone: Vec::new() }
    }

    pub(super) fn change<R: Record>(mut self, id: u32, change: impl FnOnce(&mut R)) -> Self {
        let (id, folder) = (RecordId(id), DatFolder::open(&data(self.world)).unwrap());
        let mut record = Records::new(&folder).get::<R>(id).unwrap().unwrap();
        change(&mut record);
        self.records.push((id, record.encode().unwrap()));
        self
    }

    pub(super) fn without(mut self, id: u32) -> Self {
        self.gone.push(RecordId(id));
        self
    }

    pub(super) fn write(&self) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (kind, file) in DatFolder::open(&data(self.world)).unwrap().files() {
            let mut writer = ContainerWriter::new(kind);
            for entry in file.entries().map(Result::unwrap) {
                let new = self.records.iter().find(|(id, _)| *id == entry.id);
                let bytes = match new {
                    Some((_, bytes)) => bytes.clone(),
                    None => file.read(&entry, &mut Vec::new()).unwrap().to_vec(),
                };
                if !self.gone.contains(&entry.id) {
                    writer.add(NewRecord::new(entry.id, bytes));
                }
            }
            std::fs::write(folder.path().join(kind.file_name()), writer.to_bytes().unwrap())
                .unwrap();
        }
        folder
    }

    /// The findings, each as `error 0xA9B40164:1,2,3 message`, with the place to a decimetre.
    pub(super) fn findings(&self) -> Vec<String> {
        let text = run(self.write().path(), &["--json"]);
        let report: Value = serde_json::from_str(&text).unwrap();
        let line = |finding: &Value| {
            let place = finding["position"].as_array().map(|at| {
                let decimetre = |v: &Value| format!("{:.1}", v.as_f64().unwrap());
                at.iter().map(decimetre).collect::<Vec<_>>().join(",")
            });
            format!(
                "{} {}:{} {}",
                finding["severity"].as_str().unwrap(),
                finding["cell"].as_str().unwrap_or("nowhere"),
                place.unwrap_or_default(),
                finding["message"].as_str().unwrap()
            )
        };
        report["findings"].as_array().unwrap().iter().map(line).collect()
    }

    /// Exactly these findings; each begins as given.
    #[track_caller]
    pub(super) fn finds(self, want: &[&str]) {
        let found = self.findings();
        let matched = found.len() == want.len()
            && want.iter().all(|want| found.iter().any(|line| line.starts_with(want)));
        assert!(matched, "wanted\n  {}\nfound\n  {}", want.join("\n  "), found.join("\n  "));
    }
}
