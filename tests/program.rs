//! `threshold check` and `threshold inspect`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use threshold_dat::{DatFile, EnvCell, FileKind, LandBlockInfo, Record, RecordId};
use threshold_testkit::{data_path, sample_source, write_changed_world};

/// Runs `threshold COMMAND --dats FOLDER ARGUMENTS`.
fn threshold(command: &str, folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold"))
        .arg(command)
        .arg("--dats")
        .arg(folder)
        .args(arguments)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

/// A copy of a sample world with its cell file changed by `change`.
fn changed(world: &str, change: impl FnOnce(&DatFile, &mut Vec<u8>)) -> TempDir {
    let folder = TempDir::new().unwrap();
    let [cell, portal] = [FileKind::Cell, FileKind::Portal].map(FileKind::file_name);
    let source = data_path(world);
    std::fs::copy(source.join(portal), folder.path().join(portal)).unwrap();
    let mut bytes = std::fs::read(source.join(cell)).unwrap();
    change(&DatFile::open(&source.join(cell)).unwrap(), &mut bytes);
    std::fs::write(folder.path().join(cell), bytes).unwrap();
    folder
}

/// A sample world with each record as `change` returns it. `None` drops the record.
fn rewritten(world: &str, change: impl Fn(RecordId, Vec<u8>) -> Option<Vec<u8>>) -> TempDir {
    let folder = TempDir::new().unwrap();
    write_changed_world(world, folder.path(), change);
    // Some installations have file names in capitals.
    for kind in [FileKind::Cell, FileKind::Portal] {
        let [name, capitals] = [kind.file_name().to_owned(), kind.file_name().to_uppercase()];
        std::fs::rename(folder.path().join(name), folder.path().join(capitals)).unwrap();
    }
    folder
}

/// Returns the offset in the file of byte `at` of a record.
fn place(file: &DatFile, id: u32, at: u64) -> usize {
    let entry = file.find(RecordId(id)).unwrap().unwrap();
    usize::try_from(file.file_offset(&entry, at).unwrap()).unwrap()
}

#[test]
fn the_sample_worlds_have_no_error_and_no_note() {
    for world in ["holt", "dungeon"] {
        let output = threshold("check", &data_path(world), &["--roundtrip", "--json"]);
        assert!(output.status.success(), "{}", text(&output));
        let report = json(&output);
        assert_eq!(report["findings"], Value::Array(vec![]));
        assert!(report["records"].as_u64().unwrap() > 200);
        assert!(text(&threshold("check", &data_path(world), &[])).ends_with("0 errors, 0 notes\n"));
    }
}

#[test]
fn inspect_counts_every_record_of_every_file() {
    let summary = json(&threshold("inspect", &data_path("holt"), &["--json"]));
    let folder = sample_source("holt");
    for (file, (_, dat)) in summary["files"].as_array().unwrap().iter().zip(folder.files()) {
        let kinds = file["kinds"].as_array().unwrap();
        let counted: u64 = kinds.iter().map(|kind| kind["count"].as_u64().unwrap()).sum();
        assert_eq!(counted, dat.entries().count() as u64);
        assert_eq!(file["records"].as_u64(), Some(counted));
    }
    let listing = text(&threshold("inspect", &data_path("holt"), &["--file", "cell"]));
    assert!(listing.contains("EnvCell") && !listing.contains("GfxObj"), "{listing}");
}

#[test]
fn inspect_shows_a_room_with_named_fields() {
    let answer = json(&threshold("inspect", &data_path("holt"), &["0xA9B40164", "--json"]));
    let found = answer["found"].as_array().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["kind"], "EnvCell");
    let cell = &found[0]["record"];
    assert_eq!(cell["flags"]["seen_outside"], true);
    assert_eq!(cell["environment"], "0x0D000002");
    assert_eq!(cell["position"]["origin"], serde_json::json!([115.0, 60.0, 40.2]));
    assert_eq!(cell["portals"][0]["flags"]["leads_outside"], true);
    assert_eq!(cell["portals"][1]["other_cell"], "0xA9B40157");
    assert_eq!(cell["visible_cells"].as_array().unwrap().len(), 8);
    let shown = text(&threshold("inspect", &data_path("holt"), &["A9B40164"]));
    assert!(shown.contains("environment: 0x0D000002"), "{shown}");
}

#[test]
fn inspect_lists_the_records_of_a_landblock_and_of_a_kind() {
    let inspect = |what: &[&str]| json(&threshold("inspect", &data_path("holt"), what));
    let counts = inspect(&["--json"]);
    let mut kinds = std::collections::BTreeMap::new();
    for file in counts["files"].as_array().unwrap() {
        for kind in file["kinds"].as_array().unwrap() {
            let name = kind["kind"].as_str().unwrap().to_owned();
            *kinds.entry(name).or_insert(0) += kind["count"].as_u64().unwrap();
        }
    }
    for (kind, count) in kinds {
        let listed = inspect(&[&kind.to_lowercase(), "--json"]);
        let files = listed["files"].as_array().unwrap().iter();
        let records: Vec<&Value> =
            files.flat_map(|file| file["records"].as_array().unwrap()).collect();
        assert_eq!(records.len() as u64, count, "{kind}");
        assert!(records.iter().all(|record| record["kind"] == kind.as_str()), "{kind}");
    }
    let block = inspect(&["A9B4", "--json"]);
    let records = block["files"][0]["records"].as_array().unwrap();
    assert!(records.iter().all(|record| record["id"].as_str().unwrap().starts_with("0xA9B4")));
    let ids: Vec<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    for id in ["0xA9B40100", "0xA9B4FFFE", "0xA9B4FFFF"] {
        assert!(ids.contains(&id), "{id}");
    }
}

#[test]
fn inspect_shows_a_record_from_every_file_that_has_it() {
    let patches = json(&threshold("inspect", &data_path("holt"), &["0xFFFF0001", "--json"]));
    assert_eq!(patches["found"].as_array().unwrap().len(), 2);
    let patches = json(&threshold(
        "inspect",
        &data_path("holt"),
        &["0xFFFF0001", "--json", "--file", "portal"],
    ));
    assert_eq!(patches["found"].as_array().unwrap().len(), 1);
}

#[test]
fn a_damaged_record_does_not_affect_others() {
    let mut at = 0;
    let folder = changed("holt", |file, bytes| {
        at = place(file, 0xA9B4_0164, 0);
        bytes[at] ^= 0xFF;
    });
    let output = threshold("check", folder.path(), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let findings = json(&output)["findings"].clone();
    let own: Vec<&Value> =
        findings.as_array().unwrap().iter().filter(|f| f["record"] == "0xA9B40164").collect();
    assert_eq!(own.len(), 1, "{findings}");
    assert_eq!(findings.as_array().unwrap().len(), 1, "{findings}");
    assert_eq!(own[0]["offset"], at);
    assert_eq!(own[0]["record_offset"], 0);
    assert_eq!(own[0]["message"], "the record header says 0xA9B4019B");
    let printed = text(&threshold("check", folder.path(), &[]));
    assert!(
        printed.contains(&format!("EnvCell 0xA9B40164 at 0x{at:X} (byte 0x0 of the record)")),
        "{printed}"
    );

    assert_eq!(threshold("inspect", folder.path(), &["0xA9B40164"]).status.code(), Some(1));
    for other in ["0xA9B40157", "0xA9B4FFFF", "0x0D000002"] {
        assert!(threshold("inspect", folder.path(), &[other]).status.success(), "{other}");
    }
}

#[test]
fn every_dangling_reference_is_an_error() {
    // The vestibule's neighbour becomes 0xA9B40FFF, its first surface 0x0800FFFF, its environment 0x0D00FFFF.
    let folder = changed("holt", |file, bytes| {
        let mut put = |at, value: u16| {
            let at = place(file, 0xA9B4_0164, at);
            bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
        };
        put(16, 0xFFFF);
        put(22, 0xFFFF);
        put(54 + 8 + 4, 0x0FFF);
    });
    let output = threshold("check", folder.path(), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    let messages: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["record"] == "0xA9B40164")
        .map(|finding| finding["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        messages,
        [
            "surface 0x0800FFFF does not exist",
            "environment 0x0D00FFFF does not exist",
            "neighbour behind a portal 0xA9B40FFF does not exist",
        ]
    );
}

#[test]
fn references_to_dropped_records_are_errors() {
    // A neighbour, a part, a surface.
    let left_out = [0xA9B4_0157, 0x0100_0001, 0x0800_0105].map(RecordId);
    let folder = rewritten("holt", |id, bytes| (!left_out.contains(&id)).then_some(bytes));
    let output = threshold("check", folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output);
    for line in [
        "EnvCell 0xA9B40164 at ",
        "neighbour behind a portal 0xA9B40157 does not exist",
        "LandBlockInfo 0xA9B4FFFE",
        "part 0x01000001 does not exist",
        "surface 0x08000105 does not exist",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn another_spelling_of_the_same_content_is_a_note() {
    let folder = changed("holt", |file, bytes| bytes[place(file, 0xA9B4_FFFF, 251)] = 0xCD);
    let output = threshold("check", folder.path(), &["--roundtrip"]);
    assert!(output.status.success(), "{}", text(&output));
    let report = text(&output);
    assert!(report.contains("byte 0xFB: another spelling of the same content"), "{report}");
    assert!(report.ends_with("0 errors, 1 notes\n"), "{report}");
}

#[test]
fn bytes_after_the_end_of_a_record_are_one_note() {
    let folder = rewritten("holt", |id, mut bytes| {
        if id == RecordId(0xA9B4_0164) {
            bytes.extend([0xAB; 3]);
        }
        Some(bytes)
    });
    let output = threshold("check", folder.path(), &["--roundtrip", "--json"]);
    assert!(output.status.success(), "{}", text(&output));
    let report = json(&output);
    assert_eq!(report["notes"], 1, "{report}");
    assert_eq!(report["findings"][0]["record_offset"], 86);
    assert_eq!(report["findings"][0]["message"], "3 bytes after the end of the record");
    let shown = text(&threshold("inspect", folder.path(), &["0xA9B40164"]));
    assert!(shown.contains("note: 3 bytes after the end of the record"), "{shown}");
}

#[test]
fn a_broken_chain_is_named_with_its_place() {
    let mut at = 0;
    let folder = changed("holt", |file, bytes| {
        at = file.find(RecordId(0xA9B4_FFFE)).unwrap().unwrap().offset as usize;
        bytes[at..at + 4].copy_from_slice(&0x8000_0400_u32.to_le_bytes());
    });
    let report = text(&threshold("check", folder.path(), &[]));
    let line = format!("LandBlockInfo 0xA9B4FFFE at 0x{at:X}: block link: a block in use expected");
    assert!(report.contains(&line), "{report}");
}

#[test]
fn missing_files_and_unknown_records_are_reported() {
    let error = |output: Output| {
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let folder = TempDir::new().unwrap();
    let empty = threshold("check", folder.path(), &[]);
    assert_eq!(empty.status.code(), Some(1));
    for name in ["client_cell_1.dat", "client_portal.dat"] {
        assert!(
            text(&empty).contains(&format!(
                "error: {}: no {name} (in any letter case)",
                folder.path().display()
            )),
            "{name}"
        );
        let inspected = error(threshold("inspect", folder.path(), &[]));
        assert!(inspected.contains(&format!("no {name}")), "{inspected}");
    }
    let nowhere = error(threshold("check", &folder.path().join("nowhere"), &[]));
    assert_eq!(nowhere.matches("No such file").count(), 1, "{nowhere}");
    let holt = data_path("holt");
    assert!(error(threshold("inspect", &holt, &["0xA9B40999"])).contains("no record 0xA9B40999"));
    assert!(error(threshold("inspect", &holt, &["inn"])).contains("no record of kind \"inn\""));
    let local = error(threshold("inspect", &holt, &["--file", "local"]));
    assert!(local.contains("no client_local_English.dat"), "{local}");
}

#[test]
fn a_file_that_is_missing_or_unusable_does_not_hide_the_others() {
    let folder = TempDir::new().unwrap();
    let cell = folder.path().join("Client_Cell_1.DAT");
    std::fs::copy(data_path("holt").join("client_cell_1.dat"), cell).unwrap();
    let output = threshold("check", folder.path(), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let first = json(&output)["findings"][0]["message"].clone();
    assert_eq!(first, "no client_portal.dat (in any letter case)");
    let output = threshold("inspect", folder.path(), &["0xA9B40164", "--file", "cell"]);
    assert!(output.status.success(), "the cell file is all that was asked for");

    std::fs::write(folder.path().join("client_portal.dat"), b"").unwrap();
    let report = text(&threshold("check", folder.path(), &[]));
    assert!(report.contains("file length: 400 bytes or more expected, 0x0 found"), "{report}");
    let output = threshold("inspect", folder.path(), &["0xA9B40164"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("environment: 0x0D000002"));
}

#[test]
fn records_that_vanish_from_the_directory_are_an_error() {
    // The root becomes empty; the root becomes a leaf; the header loses the root.
    let changes: [fn(&DatFile, &mut Vec<u8>); 3] = [
        |file, bytes| bytes[file.header().root as usize + 252] = 0,
        |file, bytes| {
            let at = file.header().root as usize + 4;
            bytes[at..at + 4].fill(0);
        },
        |_, bytes| bytes[0x160..0x164].fill(0),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let folder = changed("holt", change);
        let output = threshold("check", folder.path(), &[]);
        assert_eq!(output.status.code(), Some(1), "change {index}");
        let report = text(&output);
        let named = report.contains("directory node lost") || report.contains("records are lost");
        assert!(named, "change {index}: {report}");
    }
}

#[test]
fn a_chain_that_runs_in_a_circle_is_one_error() {
    let folder = changed("holt", |file, bytes| {
        let at = file.find(RecordId(0xA9B4_FFFE)).unwrap().unwrap().offset;
        bytes[at as usize..at as usize + 4].copy_from_slice(&at.to_le_bytes());
    });
    let report = json(&threshold("check", folder.path(), &["--json"]));
    let findings = report["findings"].as_array().unwrap();
    let own: Vec<_> = findings.iter().filter(|f| f["record"] == "0xA9B4FFFE").collect();
    assert_eq!(own.len(), 1, "{report}");
    assert_eq!(own[0]["message"], "the chain of record 0xA9B4FFFE is cyclic");
    assert_eq!(own[0]["kind"], "LandBlockInfo");
}

#[test]
fn an_entry_that_points_outside_is_named_where_it_stands() {
    let mut at = 0;
    let folder = changed("holt", |file, bytes| {
        let entry = file.find(RecordId(0xA9B4_0164)).unwrap().unwrap();
        let words = [0x0002_0000, entry.id.0, entry.offset].map(u32::to_le_bytes).concat();
        at = bytes.windows(12).position(|window| window == words).unwrap();
        bytes[at + 8..at + 12].copy_from_slice(&0x7FFF_0000_u32.to_le_bytes());
    });
    let report = json(&threshold("check", folder.path(), &["--json"]));
    assert_eq!(report["findings"][0]["record"], "0xA9B40164", "{report}");
    assert_eq!(report["findings"][0]["offset"], at);
}

#[test]
fn rooms_and_buildings_that_do_not_fit_are_errors() {
    // The vestibule's second portal leads to portal 9 of the main room; the second building's first
    // portal to portal 99 of its room.
    let folder = changed("holt", |file, bytes| {
        bytes[place(file, 0xA9B4_0164, 54 + 8 + 6)] = 9;
        let entry = file.find(RecordId(0xA9B4_FFFE)).unwrap().unwrap();
        let mut buffer = Vec::new();
        let info = file.read(&entry, &mut buffer).unwrap();
        let info = LandBlockInfo::decode(entry.id, info).unwrap();
        let portal = 16 + 32 * info.objects.len() as u64 + 40 + 4;
        bytes[place(file, 0xA9B4_FFFE, portal)] = 99;
    });
    let report = text(&threshold("check", folder.path(), &[]));
    assert!(report.contains("portal 1: 0xA9B40157 has"), "{report}");
    assert!(report.contains("building 0, portal 0: "), "{report}");
    assert!(report.contains("none number 99"), "{report}");
}

#[test]
fn a_room_with_fewer_surfaces_than_its_shape_uses_is_an_error() {
    let folder = rewritten("holt", |id, bytes| {
        if id != RecordId(0xA9B4_0164) {
            return Some(bytes);
        }
        let mut cell = EnvCell::decode_exact(id, &bytes).unwrap();
        cell.surfaces.truncate(1);
        Some(cell.encode().unwrap())
    });
    let report = text(&threshold("check", folder.path(), &[]));
    assert!(report.contains("1 surfaces, its structure uses 3"), "{report}");
}

#[test]
fn a_damaged_count_does_not_flood_the_report() {
    let folder = changed("holt", |file, bytes| {
        let at = place(file, 0xA9B4_FFFE, 4);
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    });
    let report = json(&threshold("check", folder.path(), &["--json"]));
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.len() < 30, "{} findings", findings.len());
    let last = findings.last().unwrap()["message"].as_str().unwrap();
    assert!(last.ends_with("more do not exist"), "{last}");
}
