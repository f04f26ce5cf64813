//! `threshold see`: text, JSON and drawings must agree with the visible set of the library.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

#[path = "see/damage.rs"]
mod damage;
#[path = "see/drawing.rs"]
mod drawing;
#[path = "see/json.rs"]
mod json;
#[path = "see/landscape.rs"]
mod landscape;
#[path = "see/refusals.rs"]
mod refusals;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use threshold_dat::{EnvCell, Record, RecordId};
use threshold_land::CellId;
use threshold_land::vector::{DVec2, DVec3};
use threshold_testkit::{data_path, write_changed_world, write_damaged_world};
use threshold_view::{Lens, Viewer};

/// Arguments of a view: world, cell, eye, point looked at, and options.
#[derive(Clone, Copy, Debug)]
struct View(&'static str, u32, [f64; 3], [f64; 3], &'static [&'static str]);

const INN: View = View("holt", 0xA9B4_0157, [108.0, 60.0, 41.7], [115.0, 60.0, 41.5], &[]);
const SQUARE: View = View("holt", 0xA9B4_001C, [90.0, 84.0, 41.7], [110.0, 100.0, 42.0], &[]);
const HALL: View = View("dungeon", 0x0102_0100, [66.0, -70.0, 1.7], [71.0, -62.0, 1.7], &[]);

fn point(at: [f64; 3]) -> String {
    at.map(|v| v.to_string()).join(",")
}

impl View {
    fn run_in(&self, folder: &Path, more: &[&str]) -> Output {
        let Self(_, cell, eye, look, options) = self;
        Command::new(env!("CARGO_BIN_EXE_threshold"))
            .args(["see", "--dats"])
            .arg(folder)
            .args(["--cell", &format!("{cell:#010X}"), "--eye", &point(*eye)])
            .args(["--look", &point(*look)])
            .args(*options)
            .args(more)
            .output()
            .unwrap()
    }

    #[track_caller]
    fn text_in(&self, folder: &Path, more: &[&str]) -> String {
        let output = self.run_in(folder, more);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{self:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn text(&self, more: &[&str]) -> String {
        self.text_in(&data_path(self.0), more)
    }

    #[track_caller]
    fn json_in(&self, folder: &Path, more: &[&str]) -> Value {
        serde_json::from_str(&self.text_in(folder, &[&["--json"], more].concat())).unwrap()
    }

    #[track_caller]
    fn json(&self, more: &[&str]) -> Value {
        self.json_in(&data_path(self.0), more)
    }

    /// The lens that the options describe.
    fn lens(&self) -> Lens {
        let value = |name: &str| {
            let place = self.4.iter().position(|option| *option == name)?;
            let (width, height) =
                self.4[place + 1].split_once(':').unwrap_or((self.4[place + 1], "1"));
            Some(width.parse::<f64>().unwrap() / height.parse::<f64>().unwrap())
        };
        let Lens { fov, aspect, near } = Lens::default();
        let or = |name, default| value(name).unwrap_or(default);
        Lens { fov: or("--fov", fov), aspect: or("--aspect", aspect), near: or("--near", near) }
    }

    fn viewer(&self) -> Viewer {
        let Self(_, cell, eye, look, _) = *self;
        Viewer::looking_at(CellId(cell), DVec3::from(eye), DVec3::from(look), self.lens()).unwrap()
    }
}

/// All regions of a JSON report: of rooms, then of the landscape.
fn regions(json: &Value) -> Vec<&Value> {
    let cells = json["cells"].as_array().unwrap().iter();
    let of_cells = cells.flat_map(|cell| cell["regions"].as_array().unwrap());
    of_cells.chain(json["outside"].as_array().unwrap()).collect()
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let all: Vec<f64> = value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    all.try_into().unwrap()
}

fn polygon(region: &Value) -> Vec<DVec2> {
    region["polygon"].as_array().unwrap().iter().map(|at| numbers(at).into()).collect()
}

/// A sample world with each record as `change` returns it. `None` drops the record.
fn changed_world(world: &str, change: impl Fn(RecordId, Vec<u8>) -> Option<Vec<u8>>) -> TempDir {
    let folder = TempDir::new().unwrap();
    write_changed_world(world, folder.path(), change);
    folder
}

/// A sample world with one record cut in half.
fn damaged_world(world: &str, id: u32) -> TempDir {
    let folder = TempDir::new().unwrap();
    write_damaged_world(world, folder.path(), id);
    folder
}

#[test]
fn a_room_on_no_stab_list_is_refused_and_entered_without_the_rule() {
    let folder = changed_world("dungeon", |id, bytes| {
        if id != RecordId(HALL.1) {
            return Some(bytes);
        }
        let mut room = EnvCell::decode(id, &bytes).unwrap();
        room.visible.retain(|low| *low != 0x0108);
        Some(room.encode().unwrap())
    });
    let json = HALL.json_in(folder.path(), &[]);
    assert_eq!(json["refused"], serde_json::json!(["0x01020108"]));
    assert!(json["cells"].as_array().unwrap().iter().all(|cell| cell["id"] != "0x01020108"));
    assert!(
        HALL.text_in(folder.path(), &[])
            .contains("Not entered, as no stab list names it: 0x01020108.")
    );
    let why = HALL.text_in(folder.path(), &["--why"]);
    assert!(
        why.contains("portal 1 of 0x01020100 leads to a room that is not on the stab list"),
        "{why}"
    );
    let free = HALL.json_in(folder.path(), &["--rule", "stab_list=off"]);
    assert_eq!(free["cells"], HALL.json(&[])["cells"]);
    assert_eq!(free["refused"], Value::Array(Vec::new()));
}

#[test]
fn a_missing_room_is_reported_and_drawn() {
    let folder =
        changed_world("dungeon", |id, bytes| (id != RecordId(0x0102_0108)).then_some(bytes));
    let json = HALL.json_in(folder.path(), &[]);
    assert_eq!(json["missing"], serde_json::json!(["0x01020108"]));
    let file = folder.path().join("screen.svg");
    let text = HALL.text_in(folder.path(), &["--svg", file.to_str().unwrap()]);
    assert!(text.contains("Not resident, although a portal leads there: 0x01020108."), "{text}");
    let drawn = std::fs::read_to_string(file).unwrap();
    assert!(drawn.contains("id=\"missing-01020108-0\"") && drawn.contains(">0108?</text>"));
    assert!(drawn.contains(">not resident</text>"));
}

#[test]
fn the_table_lists_cells_from_near_to_far() {
    let text = INN.text(&[]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let ids: Vec<&str> = rows.iter().filter_map(|row| row.first().copied()).collect();
    let json = INN.json(&[]);
    let cells = json["cells"].as_array().unwrap().iter().map(|cell| cell["id"].as_str().unwrap());
    let start = ids.iter().position(|id| *id == "0xA9B40157").unwrap();
    assert!(ids[start..].iter().copied().zip(cells).all(|(row, cell)| row == cell), "{text}");
    assert!(text.contains("0xA9B40164        1         7.30 %    6.00 m"), "{text}");
    assert!(text.contains("landscape "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    assert!(!text.contains("The eye is outside this cell"));
    let outside = View("holt", 0xA9B4_0157, [118.0, 60.0, 41.7], [110.0, 60.0, 41.7], &[]);
    let want = "The eye is outside this cell. The portal walk starts in the cell all the same.";
    assert!(outside.text(&[]).contains(want));
    assert!(HALL.text(&[]).contains("The landscape is not visible."));
}

#[test]
fn docs_see_shows_the_current_output() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/see.md");
    let text = INN.text(&[]);
    assert!(std::fs::read_to_string(page).unwrap().contains(&text), "{text}");
}
