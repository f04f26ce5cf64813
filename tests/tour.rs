//! `threshold tour`: every station is reached, always through the same cells.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The stations of the tour, in order.
const STATIONS: [&str; 16] = [
    "lake shore",
    "village square",
    "inn door",
    "inn vestibule",
    "taproom",
    "inn stairs",
    "upper room window",
    "cottage",
    "cottage cellar",
    "shop on the border",
    "gatehouse",
    "cave",
    "pool cave",
    "great hall below",
    "tower door",
    "tower top",
];

/// The cells of the walk to the great hall below.
#[rustfmt::skip]
const ON_FOOT: [u32; 78] = [
    0xA8B4_0033, 0xA8B4_0034, 0xA8B4_003C, 0xA9B4_0004, 0xA9B4_000C, 0xA9B4_0014, 0xA9B4_001C,
    0xA9B4_0024, 0xA9B4_002C, 0xA9B4_002D, 0xA9B4_0105, 0xA9B4_0106, 0xA9B4_0109, 0xA9B4_010A,
    0xA9B4_010C, 0xA9B4_010A, 0xA9B4_0109, 0xA9B4_0106, 0xA9B4_0105, 0xA9B4_002D, 0xA9B4_002C,
    0xA9B4_0024, 0xA9B4_001C, 0xA9B4_001B, 0xA9B4_0013, 0xA9B4_0012, 0xA9B4_000A, 0xA9B4_0100,
    0xA9B4_0102, 0xA9B4_0103, 0xA9B4_0104, 0xA9B4_0103, 0xA9B4_0102, 0xA9B4_0100, 0xA9B4_000A,
    0xA9B4_0009, 0xA9B4_0011, 0xA9B4_0019, 0xA9B4_0021, 0xA9B4_0029, 0xA9B4_0031, 0xA9B3_0038,
    0xA9B3_0100, 0xA9B4_0031, 0xA9B4_0039, 0xA9B4_003A, 0xA9B4_003B, 0xA9B4_003C, 0xAAB4_0004,
    0xAAB4_000C, 0xAAB4_0014, 0xAAB4_001C, 0xAAB4_0024, 0xAAB4_002C, 0xAAB4_0034, 0xAAB4_003C,
    0xABB4_0004, 0xABB4_000C, 0xABB4_0014, 0xABB4_001C, 0xABB4_0024, 0xABB4_002C, 0xABB4_0034,
    0xABB4_003C, 0xACB4_0004, 0xACB4_0100, 0xACB4_0101, 0xACB4_0102, 0xACB4_0103, 0xACB4_0105,
    0xACB4_0106, 0xACB4_0107, 0xACB4_0106, 0xACB4_0105, 0xACB4_0104, 0xACB4_0108, 0xACB4_0111,
    0xACB4_0112,
];
/// The cells of the walk up the tower.
#[rustfmt::skip]
const UP_THE_TOWER: [u32; 19] = [
    0xA9B6_002A, 0xA9B6_0100, 0xA9B6_0101, 0xA9B6_0102, 0xA9B6_0103, 0xA9B6_0104, 0xA9B6_0105,
    0xA9B6_0106, 0xA9B6_0107, 0xA9B6_0108, 0xA9B6_0109, 0xA9B6_010A, 0xA9B6_010B, 0xA9B6_010C,
    0xA9B6_010D, 0xA9B6_010E, 0xA9B6_010F, 0xA9B6_0110, 0xA9B6_0111,
];

/// Returning to a cell within this time counts as flicker, in seconds.
const MAX_FLICKER_TIME: f64 = 0.5;

fn tour(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.arg("tour").args(arguments).arg("--out").arg(folder).output().unwrap()
}

/// Runs the tour with maps, and returns its JSON events.
#[track_caller]
fn events_of(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = tour(folder, &[&["--json", "--maps"], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

/// Returns the cells of each part of the tour that is walked without a cut.
fn cells(events: &[Value]) -> Vec<Vec<u32>> {
    let id = |cell: &Value| {
        u32::from_str_radix(cell.as_str().unwrap().strip_prefix("0x").unwrap(), 16).unwrap()
    };
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for event in events {
        match event["event"].as_str().unwrap() {
            "begun" => parts.push(vec![id(&event["cell"])]),
            "transit" => {
                let part = parts.last_mut().unwrap();
                assert_eq!(part.last(), Some(&id(&event["from"])), "{event}");
                part.push(id(&event["to"]));
            }
            _ => {}
        }
    }
    parts
}

#[track_caller]
fn check_stations(events: &[Value]) {
    let stations: Vec<&str> =
        of_kind(events, "station").iter().map(|event| event["place"].as_str().unwrap()).collect();
    assert_eq!(stations, STATIONS);
    assert_eq!(events.last().unwrap()["event"], "end");
}

#[track_caller]
fn check_steady(events: &[Value]) {
    for pair in of_kind(events, "transit").windows(2) {
        let [there, back] = pair else { continue };
        let seconds = back["time"].as_f64().unwrap() - there["time"].as_f64().unwrap();
        assert!(there["from"] != back["to"] || seconds > MAX_FLICKER_TIME, "{there} and {back}");
    }
}

#[test]
fn every_station_is_reached_through_the_same_cells_without_flicker() {
    let folder = TempDir::new().unwrap();
    let events = events_of(folder.path(), &[]);
    check_stations(&events);
    check_steady(&events);
    assert_eq!(cells(&events), [&ON_FOOT[..], &UP_THE_TOWER[..]]);
    assert_eq!(events, events_of(folder.path(), &[]), "the second run is the same");
    let minutes = events.last().unwrap()["time"].as_f64().unwrap() / 60.0;
    assert!((2.0..5.0).contains(&minutes), "it takes {minutes} min");
}

#[test]
fn a_map_is_drawn_at_each_station() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("not there yet");
    let events = events_of(&out, &[]);
    for event in of_kind(&events, "station") {
        let text = std::fs::read_to_string(event["picture"].as_str().unwrap()).unwrap();
        let name = event["place"].as_str().unwrap();
        assert!(text.to_lowercase().contains(&format!("<title>{name}</title>")), "{name}");
        assert!(text.contains("the place asked for"), "{name} is not marked");
    }
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), STATIONS.len());
}

#[test]
fn the_tour_is_walked_with_other_seeds() {
    let folder = TempDir::new().unwrap();
    for seed in ["0", "2", "7", "18446744073709551615"] {
        let events = events_of(folder.path(), &["--seed", seed]);
        check_stations(&events);
        check_steady(&events);
    }
}

#[test]
fn the_text_report_has_stations_and_cell_changes() {
    let folder = TempDir::new().unwrap();
    let output = tour(folder.path(), &["--maps"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        " 0:00.0  The walk starts at the lake shore in 0xA8B40033: ",
        "0xA9B4002D -> 0xA9B40105  inn, vestibule\n",
        "0xA9B40105 -> 0xA9B40106  inn, taproom\n",
        "] cottage cellar: nothing of the world outside is seen from here (",
        "0xA9B30100 -> 0xA9B40031  land near the shop on the border\n",
        "The walk continues at the tower door in 0xA9B6002A: ",
        "  All 16 stations reached, 1,201 m on foot\n",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn a_folder_that_cannot_be_created_is_reported() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let output = tour(&file.join("tour"), &[]);
    assert!(!output.status.success() && output.stdout.is_empty());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("file") && errors.contains("cannot be created"), "{errors}");
}

/// Every picture must have many colours.
#[test]
fn every_station_has_a_picture() {
    let folder = TempDir::new().unwrap();
    let output = tour(folder.path(), &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (number, station) in (1..).zip(STATIONS) {
        let file = format!("{number:02}-{}.png", station.replace(' ', "-"));
        let picture = image::open(folder.path().join(&file)).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (1280, 720), "{file}");
        let colours: std::collections::BTreeSet<_> =
            picture.pixels().map(|pixel| pixel.0).collect();
        assert!(colours.len() > 1_000, "{file}: {} colours", colours.len());
    }
}
