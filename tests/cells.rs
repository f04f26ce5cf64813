//! `threshold cells`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use threshold_dat::{EnvCell, LandBlockInfo, Records};
use threshold_land::BlockId;
use threshold_testkit::{data_path, sample_source, write_damaged_world};

fn run(folder: Option<&Path>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.arg("cells").args(arguments);
    folder.into_iter().for_each(|folder| {
        command.arg("--dats").arg(folder);
    });
    command.output().unwrap()
}

/// The described cells by their ids.
#[track_caller]
fn cells(folder: Option<&Path>, place: &str) -> BTreeMap<String, Value> {
    let output = run(folder, &[place, "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let described: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cells = described["cells"].as_array().unwrap().iter();
    cells.map(|cell| (cell["cell"].as_str().unwrap().to_owned(), cell.clone())).collect()
}

#[test]
fn a_landblock_lists_its_land_cells_and_rooms_with_their_records() {
    let source = sample_source("holt");
    let mut records = Records::new(&source);
    let cells = cells(Some(&data_path("holt")), "A9B4");
    let (rooms, lands): (Vec<_>, Vec<_>) =
        cells.iter().partition(|(_, cell)| cell["kind"] == "room");
    assert_eq!(lands.len(), 64);
    assert!(rooms.len() > 50, "{}", rooms.len());
    for (id, cell) in rooms {
        let record: EnvCell = records.get(id.parse().unwrap()).unwrap().unwrap();
        assert_eq!(cell["seen_outside"], record.flags.seen_outside(), "{id}");
        let listed = cell["stab_list"].as_array().unwrap();
        assert_eq!(listed.len(), record.visible_cells().len(), "{id}");
        let portals = cell["portals"].as_array().unwrap();
        assert_eq!(portals.len(), record.portals.len(), "{id}");
        for (number, portal) in portals.iter().enumerate() {
            assert!(portal["corners"].as_array().unwrap().len() >= 3, "{id}");
            let Some(other) = portal["to"].as_str() else { continue };
            let back = usize::try_from(portal["other_portal"].as_u64().unwrap()).unwrap();
            assert_eq!(cells[other]["portals"][back]["to"], id.as_str(), "{id} to {other}");
            assert_eq!(cells[other]["portals"][back]["other_portal"], number, "{id} to {other}");
        }
        let [low, high] = [0, 1].map(|at| cell["bounds"][at][2].as_f64().unwrap());
        for floor in cell["floors"].as_array().unwrap() {
            assert!(floor["normal"][2].as_f64().unwrap() > 0.66, "{id}");
            let [from, to] = ["low", "high"].map(|key| floor[key].as_f64().unwrap());
            assert!(low - 0.01 <= from && from <= to && to <= high + 0.01, "{id}: {floor}");
        }
    }
    for (id, cell) in lands {
        for portal in cell["portals"].as_array().unwrap() {
            assert!(!cell["building"].is_null(), "{id}");
            assert_eq!(cells[portal["to"].as_str().unwrap()]["kind"], "room", "{id}");
        }
    }
}

#[test]
fn one_cell_is_described_alone_and_in_text() {
    let taproom = cells(None, "taproom");
    assert_eq!(taproom.keys().collect::<Vec<_>>(), ["0xA9B40106"]);
    assert_eq!(cells(None, "0xA9B40106:132,106,40.2"), taproom);
    assert!(!taproom["0xA9B40106"]["objects"].as_array().unwrap().is_empty(), "tables and chairs");
    let shore = cells(None, "0xA8B40033");
    assert_eq!(shore["0xA8B40033"]["kind"], "land");
    let text = String::from_utf8(run(None, &["taproom"]).stdout).unwrap();
    assert!(text.contains("kind: room") && text.contains("seen_outside: true"), "{text}");
}

#[test]
fn neighbours_floors_and_buildings_are_those_of_the_world() {
    let cells = cells(None, "A9B4");
    let list = |cell: &Value, key: &str| -> Vec<String> {
        let items = cell[key].as_array().unwrap().iter();
        items.map(|item| item.as_str().unwrap().to_owned()).collect()
    };
    let (mut portals, mut owned) = (0, 0);
    for (id, cell) in &cells {
        let neighbours = list(cell, "neighbours");
        let behind = cell["portals"].as_array().unwrap();
        for to in behind.iter().filter_map(|portal| portal["to"].as_str()) {
            assert!(neighbours.iter().any(|other| other == to), "{id} to {to}");
        }
        // Neighbours in this landblock know each other, except land cells those behind a door.
        for other in neighbours.iter().filter_map(|other| cells.get(other)) {
            let is_same_kind = other["kind"] == cell["kind"];
            assert!(!is_same_kind || list(other, "neighbours").contains(id), "{id}");
        }
        for portal in behind {
            assert!(["front", "behind"].contains(&portal["side"].as_str().unwrap()), "{id}");
            assert_eq!(portal["exact_match"].is_null(), cell["kind"] == "land", "{id}");
        }
        for floor in cell["floors"].as_array().unwrap() {
            let heights = floor["corners"].as_array().unwrap().iter();
            let heights: Vec<f64> = heights.map(|corner| corner[2].as_f64().unwrap()).collect();
            let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(heights.len() >= 3 && floor["low"] == lowest, "{id}: {floor}");
        }
        portals += behind.len();
        owned += u32::from(cell["kind"] == "room" && cell["building"].is_string());
    }
    // A land cell in the middle of its landblock has eight others around it.
    assert!(list(&cells["0xA9B40013"], "neighbours").len() >= 8);
    assert!(list(&cells["0xA9B40001"], "neighbours").contains(&"0xA8B30040".to_owned()));
    let inn = cells["0xA9B40106"]["building"].as_str().unwrap();
    assert!(cells.values().any(|cell| cell["kind"] == "land" && cell["building"] == inn));
    assert!(portals > 50 && owned > 30, "{portals} portals, {owned} rooms of buildings");
}

#[test]
fn without_a_place_all_landblocks_are_listed() {
    let source = sample_source("holt");
    let mut records = Records::new(&source);
    let list = |folder: &Path, arguments: &[&str]| {
        let output = run(Some(folder), arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let json = |folder: &Path| -> Vec<Value> {
        let list: Value = serde_json::from_slice(&list(folder, &["--json"])).unwrap();
        list["landblocks"].as_array().unwrap().clone()
    };
    let blocks = json(&data_path("holt"));
    assert!(blocks.len() > 5);
    for block in &blocks {
        let id: BlockId = block["block"].as_str().unwrap().parse().unwrap();
        let info: Option<LandBlockInfo> = records.get(id.cell(0xFFFE).into()).unwrap();
        let (cells, buildings) = info.map_or((0, 0), |it| (it.cells, it.buildings.len()));
        assert_eq!((&block["rooms"], &block["buildings"]), (&cells.into(), &buildings.into()));
        assert_eq!((&block["land"], &block["dungeon"]), (&true.into(), &false.into()), "{block}");
    }
    let dungeons: Vec<Value> =
        json(&data_path("dungeon")).into_iter().filter(|block| block["dungeon"] == true).collect();
    assert_eq!(dungeons.len(), 1, "{dungeons:?}");
    assert_eq!(dungeons[0]["block"], "0102");
    let text = String::from_utf8(list(&data_path("dungeon"), &[])).unwrap();
    assert!(text.starts_with("block  land  dungeon") && text.contains("\n0102   "), "{text}");
    let folder = tempfile::tempdir().unwrap();
    write_damaged_world("holt", folder.path(), 0xA9B4_0157);
    let output = run(Some(folder.path()), &["--json"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("left out: ") && message.contains("0xA9B40157"), "{message}");
}

#[test]
fn what_is_missing_or_damaged_is_reported() {
    let refused = |place: &str, words: &str| {
        let output = run(None, &[place]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains(words), "{text}");
        assert!(output.stdout.is_empty());
    };
    refused("0102", "the world has no landblock 0102");
    refused("0xA9B40FFF", "the world has no room 0xA9B40FFF");
    refused("nowhere at all", "no such place");
    let folder = tempfile::tempdir().unwrap();
    write_damaged_world("holt", folder.path(), 0xA9B4_0157);
    let output = run(Some(folder.path()), &["A9B4", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stderr.is_empty());
    let described: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(described["cells"].as_array().unwrap().len() > 64);
}
