//! `threshold see` as a person or a program runs it: what it says must be what the library sees, where the formulas of the
//! screen put it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

#[path = "see/damage.rs"]
mod damage;
#[path = "see/picture.rs"]
mod picture;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use threshold_conformance::Runner;
use threshold_dat::{ContainerWriter, DatFolder, EnvCell, NewRecord, Record, RecordId};
use threshold_land::glam::{DVec2, DVec3};
use threshold_land::{BlockId, CellId};
use threshold_motion::Rules;
use threshold_view::{Lens, PortalLog, PortalWalk, Region, ViewScratch, Viewer, VisibleSet};
use threshold_world::{PieceId, World};

/// A view: the world, the cell, the eye, the point looked at, and options.
#[derive(Clone, Copy, Debug)]
struct View(&'static str, u32, [f64; 3], [f64; 3], &'static [&'static str]);

const INN: View = View("holt", 0xA9B4_0157, [108.0, 60.0, 41.7], [115.0, 60.0, 41.5], &[]);
const SQUARE: View = View("holt", 0xA9B4_001C, [90.0, 84.0, 41.7], [110.0, 100.0, 42.0], &[]);
const HALL: View = View("dungeon", 0x0102_0100, [66.0, -70.0, 1.7], [71.0, -62.0, 1.7], &[]);

/// Looks from everywhere: rooms, the way out of a house, the street, other screens, and an eye that is not in its cell.
const VIEWS: [View; 9] = [
    INN,
    SQUARE,
    HALL,
    View("holt", 0xA9B4_0164, [115.0, 60.0, 41.7], [125.0, 61.0, 41.5], &["--fov", "100"]),
    View("holt", 0xA9B4_0031, [156.0, 2.0, 41.5], [156.0, 9.0, 41.5], &["--aspect", "1.25"]),
    View("holt", 0xA9B3_0038, [156.0, 191.9, 41.5], [156.0, 185.0, 41.5], &["--near", "0.5"]),
    View("holt", 0xA9B4_0167, [132.0, 156.0, 46.0], [134.0, 153.0, 40.0], &["--fov", "120"]),
    View("dungeon", 0x0102_0116, [0.0, 0.0, 0.0], [1.0, 2.0, -5.0], &["--aspect", "9:16"]),
    View("dungeon", 0x0102_0100, [70.0, -70.0, 1.7], [70.0, -70.0, -5.0], &["--fov", "170"]),
];

fn data(world: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(world)
}

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
        self.text_in(&data(self.0), more)
    }

    #[track_caller]
    fn json_in(&self, folder: &Path, more: &[&str]) -> Value {
        serde_json::from_str(&self.text_in(folder, &[&["--json"], more].concat())).unwrap()
    }

    #[track_caller]
    fn json(&self, more: &[&str]) -> Value {
        self.json_in(&data(self.0), more)
    }

    /// How wide it sees, as its options say.
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

    /// The same eye, looked through with the library.
    fn look(&self) -> (ViewScratch, PortalLog) {
        let world = resident(self.0, CellId(self.1).block());
        let (mut scratch, mut reasons) = (ViewScratch::new(), PortalLog::default());
        PortalWalk::new(&world).run(&mut scratch, &mut reasons, &self.viewer());
        (scratch, reasons)
    }
}

/// A landblock and the eight round it, with everything.
fn resident(world: &str, block: BlockId) -> World {
    let mut runner = Runner::empty(DatFolder::open(&data(world)).unwrap(), Rules::default());
    let near = |piece: &PieceId| {
        let other = piece.block();
        other.x().abs_diff(block.x()) <= 1 && other.y().abs_diff(block.y()) <= 1
    };
    runner.pieces().into_iter().filter(near).for_each(|piece| runner.load(piece));
    runner.into_world()
}

/// All regions of an answer: of rooms, then of the landscape.
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

fn planes(region: &Value) -> Vec<DVec3> {
    region["planes"].as_array().unwrap().iter().map(|plane| numbers(plane).into()).collect()
}

/// The region that the library has must stand in the answer; whoever reads numbers from text may be off in the last bit.
#[track_caller]
fn check_region(json: &Value, region: &Region<'_>, seen: &VisibleSet) {
    let (planes, corners) = (planes(json), polygon(json));
    let count = region.corners().len();
    assert_eq!((planes.len(), corners.len()), (count, count));
    assert!(planes.iter().zip(region.planes()).all(|(a, b)| a.abs_diff_eq(*b, 1e-15)));
    assert!(corners.iter().zip(region.corners()).all(|(a, b)| a.abs_diff_eq(*b, 1e-15)));
    let Some(via) = region.entry() else {
        return assert_eq!(json["via"], Value::Null);
    };
    assert_eq!(json["via"]["cell"], via.cell.to_string());
    assert_eq!(json["via"]["portal"], via.portal);
    assert_eq!(json["via"]["region"], via.region);
    let near = match via.outdoors {
        true => seen.landscape().len(),
        false => seen.cell(via.cell).unwrap().regions().len(),
    };
    assert!(via.region < near, "{via:?}");
}

#[track_caller]
fn check(view: View) {
    let (json, (scratch, _)) = (view.json(&[]), view.look());
    let seen = scratch.visible();
    assert_eq!(json["root"], seen.root().to_string());
    let cells = json["cells"].as_array().unwrap();
    assert_eq!(cells.len(), seen.cells().len(), "{view:?}");
    for (json, cell) in cells.iter().zip(seen.cells()) {
        assert_eq!(json["id"], cell.id().to_string(), "{view:?}");
        assert_eq!(json["regions"].as_array().unwrap().len(), cell.regions().len());
        for (json, region) in json["regions"].as_array().unwrap().iter().zip(cell.regions()) {
            check_region(json, &region, seen);
        }
    }
    let outside = json["outside"].as_array().unwrap();
    assert_eq!(outside.len(), seen.landscape().len(), "{view:?}");
    outside
        .iter()
        .zip(seen.landscape())
        .for_each(|(json, region)| check_region(json, &region, seen));
    assert_eq!(json["budget_hit"], seen.budget_hit());
    assert_eq!(json["refused"].as_array().unwrap().len(), seen.unlisted().len());
    let stats = seen.stats();
    let want = serde_json::json!({
        "walks": stats.walks,
        "eligible": stats.eligible,
        "visits": stats.visits,
        "openings": stats.portals,
        "doors": stats.building_portals,
        "doors_missing": stats.unusable_building_portals,
        "near": stats.whole_portals,
        "merged": stats.merges,
        "landblocks": json["stats"]["landblocks"],
    });
    assert_eq!(json["stats"], want, "{view:?}");
}

#[test]
fn json_is_what_the_library_sees() {
    VIEWS.into_iter().for_each(check);
}

#[test]
fn json_has_the_keys_that_are_promised_in_their_order() {
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let json = INN.json(&[]);
    let promised = ["root", "cells", "outside", "missing", "refused", "budget_hit", "stats"];
    assert_eq!(keys(&json), promised);
    assert_eq!(keys(&json["cells"][0]), ["id", "regions"]);
    assert_eq!(keys(&json["outside"][0]), ["planes", "polygon", "via"]);
    assert_eq!(keys(&json["outside"][0]["via"]), ["cell", "portal", "region"]);
    assert_eq!(json["cells"][0]["regions"][0]["via"], Value::Null);
    assert_eq!(keys(&INN.json(&["--why"]))[7..], ["why", "given_up"]);
}

#[test]
fn polygons_and_planes_say_the_same() {
    let mut count = 0;
    for view in VIEWS {
        let json = view.json(&[]);
        for region in regions(&json) {
            let (corners, planes) = (polygon(region), planes(region));
            assert!(corners.len() >= 3, "{view:?} {region}");
            assert_eq!(corners.len(), planes.len(), "{view:?} {region}");
            for (index, corner) in corners.iter().enumerate() {
                assert!(corner.abs().max_element() <= 1.0 + 1e-9, "{view:?} {corner}");
                let depth = |plane: &DVec3| plane.dot(corner.extend(1.0));
                assert!(planes.iter().all(|plane| depth(plane) >= -1e-9), "{view:?} {region}");
                // A side ends where the next begins.
                let next = (index + 1) % corners.len();
                assert!(depth(&planes[index]).abs() < 1e-9, "{view:?} {region}");
                assert!(planes[index].dot(corners[next].extend(1.0)).abs() < 1e-9, "{region}");
            }
            count += 1;
        }
    }
    assert!(count > 30, "{count} regions");
}

/// The formulas of the screen, written down a second time. `tangent`: of half the field of view.
fn project(view: View, tangent: f64, aspect: f64, at: [f64; 3]) -> DVec2 {
    let [eye, look] = [view.2, view.3].map(DVec3::from);
    let forward = (look - eye).normalize();
    let right = forward.cross(DVec3::new(0.0, 0.0, 1.0)).normalize();
    let (up, from) = (right.cross(forward), DVec3::from(at) - eye);
    let ahead = from.dot(forward) * tangent;
    DVec2::new(from.dot(right) / (ahead * aspect), from.dot(up) / ahead)
}

/// The opening of the inn's hall to its vestibule, as the description of the world has it.
const OPENING: [[f64; 3]; 4] =
    [[114.0, 58.8, 40.2], [114.0, 58.8, 42.8], [114.0, 61.2, 42.8], [114.0, 61.2, 40.2]];

#[test]
fn an_opening_shows_where_the_formulas_put_it() {
    let (eye, look) = ([108.5, 61.0, 41.2], [115.0, 58.0, 42.4]);
    let views: [(&[&str], f64, f64); 3] = [
        (&[], 1.0 / 3.0_f64.sqrt(), 16.0 / 9.0),
        (&["--fov", "90", "--aspect", "4:3"], 1.0, 4.0 / 3.0),
        (&["--fov", "120", "--aspect", "0.75"], 3.0_f64.sqrt(), 0.75),
    ];
    for (options, tangent, aspect) in views {
        let view = View("holt", 0xA9B4_0157, eye, look, options);
        let json = view.json(&[]);
        let seen = json["cells"].as_array().unwrap();
        let room = seen.iter().find(|cell| cell["id"] == "0xA9B40164").unwrap();
        let shown = polygon(&room["regions"][0]);
        let wanted = OPENING.map(|corner| project(view, tangent, aspect, corner));
        assert!(wanted.iter().all(|at| at.abs().max_element() < 1.0), "{wanted:?}");
        // The world has its rooms turned, in single precision.
        let near = |at: &DVec2, all: &[DVec2]| all.iter().any(|other| at.distance(*other) < 1e-4);
        assert!(wanted.iter().all(|at| near(at, &shown)), "{wanted:?} {shown:?}");
        assert!(shown.iter().all(|at| near(at, &wanted)), "{wanted:?} {shown:?}");
        // To the left and below what is looked at: x grows to the right and y up.
        let middle = shown.iter().sum::<DVec2>() / 4.0;
        assert!(middle.x < 0.0 && middle.y < 0.0, "{middle}");
        assert_eq!(room["regions"][0]["via"]["cell"], "0xA9B40157");
        assert_eq!(room["regions"][0]["via"]["portal"], 0);
    }
}

#[test]
fn from_a_land_cell_the_landscape_is_the_whole_screen() {
    let json = SQUARE.json(&[]);
    assert_eq!(json["root"], "0xA9B4001C");
    let screen = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(DVec2::from);
    assert_eq!(polygon(&json["outside"][0]), screen);
    assert_eq!(json["outside"][0]["via"], Value::Null);
    let cells = json["cells"].as_array().unwrap();
    assert!(cells.len() >= 5 && cells.iter().all(|cell| cell["id"] != json["root"]));
    for cell in cells {
        // Looked into from outdoors: the room's own opening, in a region of the landscape.
        let via = &cell["regions"][0]["via"];
        assert!(via["cell"] != cell["id"] || via["region"] == 0, "{cell}");
    }
    assert_eq!(json["stats"]["landblocks"], 9);
}

/// A sample world written anew; what is made of the bytes of each record, or `None` where it is dropped.
fn remade(world: &str, make: impl Fn(RecordId, Vec<u8>) -> Option<Vec<u8>>) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (kind, file) in DatFolder::open(&data(world)).unwrap().files() {
        let mut writer = ContainerWriter::new(kind);
        for entry in file.entries().map(Result::unwrap) {
            let bytes = file.read(&entry, &mut Vec::new()).unwrap().to_vec();
            if let Some(bytes) = make(entry.id, bytes) {
                writer.add(NewRecord::new(entry.id, bytes));
            }
        }
        std::fs::write(folder.path().join(kind.file_name()), writer.to_bytes().unwrap()).unwrap();
    }
    folder
}

/// Damages a record: whoever asks for it has to say so.
fn damaged(world: &str, id: u32) -> TempDir {
    remade(world, |record, bytes| {
        let length = if record == RecordId(id) { bytes.len() / 2 } else { bytes.len() };
        Some(bytes[..length].to_vec())
    })
}

#[test]
fn in_a_dungeon_nobody_asks_for_terrain() {
    let folder = damaged("dungeon", 0x0102_FFFF);
    let soak = std::env::var_os("THRESHOLD_SOAK").is_some();
    let text = std::fs::read(data("dungeon").join("world.json")).unwrap();
    let described: Value = serde_json::from_slice(&text).unwrap();
    for cell in described["cells"].as_array().unwrap().iter().step_by(if soak { 1 } else { 9 }) {
        let [low, high] = ["min", "max"].map(|end| DVec3::from(numbers(&cell["bounds"][end])));
        let id = u32::from_str_radix(&cell["id"].as_str().unwrap()[2..], 16).unwrap();
        let eye = (low + high) / 2.0;
        let view = View("dungeon", id, eye.into(), (eye + DVec3::X).into(), &["--fov", "120"]);
        let output = view.run_in(folder.path(), &["--json"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{view:?} {output:?}");
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["outside"], Value::Array(Vec::new()), "{view:?}");
        assert_eq!(json["stats"]["landblocks"], 0, "{view:?}");
    }
    // Where the landscape is seen, that record is missed.
    let folder = damaged("holt", 0xA9B4_FFFF);
    let output = INN.run_in(folder.path(), &[]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.contains("left out: landblock A9B4: "), "{errors}");
}

#[test]
fn a_room_that_looks_at_its_own_wall_loads_no_terrain_either() {
    let away = View("holt", 0xA9B4_0157, [113.0, 56.0, 41.7], [113.0, 53.0, 41.7], &[]);
    let json = away.json(&[]);
    assert_eq!(json["cells"].as_array().unwrap().len(), 1);
    assert_eq!(json["stats"]["landblocks"], 0);
}

#[test]
fn what_no_list_names_is_refused_and_entered_without_the_rule() {
    let folder = remade("dungeon", |id, bytes| {
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
            .contains("Refused, because no stab list names it: 0x01020108.")
    );
    let why = HALL.text_in(folder.path(), &["--why"]);
    assert!(
        why.contains(
            "portal 1 of 0x01020100 leads to what the list of visible cells does not name"
        ),
        "{why}"
    );
    let free = HALL.json_in(folder.path(), &["--rule", "stab_list=off"]);
    assert_eq!(free["cells"], HALL.json(&[])["cells"]);
    assert_eq!(free["refused"], Value::Array(Vec::new()));
}

/// The hall of the inn sees the street through its vestibule, `0xA9B40164`.
#[test]
fn a_room_without_the_flag_shows_no_landscape_and_see_says_why() {
    for (changed, reason) in [
        (0xA9B4_0157, "leads outdoors, but the viewer's room has not the flag seen_outside"),
        (0xA9B4_0164, "leads outdoors, but its room has not the flag seen_outside"),
    ] {
        let folder = remade("holt", |id, bytes| {
            if id != RecordId(changed) {
                return Some(bytes);
            }
            let mut room = EnvCell::decode(id, &bytes).unwrap();
            room.flags.0 &= !1;
            Some(room.encode().unwrap())
        });
        let json = INN.json_in(folder.path(), &[]);
        assert_eq!(json["outside"], Value::Array(Vec::new()));
        assert_eq!(json["stats"]["landblocks"], 0, "what is not shown is not loaded");
        let want = serde_json::json!(
            [{"cell": "0xA9B40164", "portal": 0, "outdoors": false, "reason": reason}]
        );
        assert_eq!(json["landscape_left_out"], want);
        let text = INN.text_in(folder.path(), &[]);
        let line = format!(
            "Landscape left out: portal 0 of 0xA9B40164 {reason}. --rule seen_outside=portals shows it."
        );
        assert!(text.contains(&line), "{text}");
        // By the openings alone it shows, as in the sound world.
        let free = INN.json_in(folder.path(), &["--rule", "seen_outside=portals"]);
        assert_eq!(free["outside"], INN.json(&[])["outside"]);
        assert_eq!(free["landscape_left_out"], Value::Null);
    }
    let off = INN.text(&["--rule", "draw_landscape=off"]);
    assert!(off.contains("The landscape is not visible."), "{off}");
    assert!(off.contains("the landscape is switched off. --rule draw_landscape=on"), "{off}");
}

#[test]
fn a_room_that_is_not_there_is_said_and_drawn() {
    let folder = remade("dungeon", |id, bytes| (id != RecordId(0x0102_0108)).then_some(bytes));
    let json = HALL.json_in(folder.path(), &[]);
    assert_eq!(json["missing"], serde_json::json!(["0x01020108"]));
    let file = folder.path().join("screen.svg");
    let text = HALL.text_in(folder.path(), &["--svg", file.to_str().unwrap()]);
    assert!(text.contains("Missing, although a portal leads there: 0x01020108."), "{text}");
    let drawn = std::fs::read_to_string(file).unwrap();
    assert!(drawn.contains("id=\"missing-01020108-0\"") && drawn.contains(">0108?</text>"));
    assert!(drawn.contains(">not there</text>"));
}

#[test]
fn every_reason_is_one_that_the_library_gives() {
    for view in [INN, SQUARE, HALL] {
        let (json, (scratch, reasons)) = (view.json(&["--why"]), view.look());
        let unseen = reasons.unseen_rooms(scratch.visible());
        let why = json["why"].as_array().unwrap();
        assert_eq!(why.len(), unseen.len());
        for (json, (cell, trials)) in why.iter().zip(unseen) {
            assert_eq!(json["id"], cell.to_string());
            let openings = json["openings"].as_array().unwrap();
            assert_eq!(openings.len(), trials.len());
            for (json, trial) in openings.iter().zip(trials) {
                assert_eq!(json["cell"], trial.cell.to_string());
                assert_eq!(json["portal"], trial.portal);
                assert_eq!(json["outdoors"], trial.outdoors);
                assert_eq!(json["reason"], trial.outcome.text());
            }
        }
    }
    let text = INN.text(&["--why"]);
    assert!(
        text.contains("  0xA9B40158\n    portal 1 of 0xA9B40157 is not on the screen\n"),
        "{text}"
    );
    assert!(!INN.text(&[]).contains("Not seen"));
}

#[test]
fn the_table_has_everything_near_to_far() {
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
    assert!(!text.contains("The eye is not in this cell"));
    let outside = View("holt", 0xA9B4_0157, [118.0, 60.0, 41.7], [110.0, 60.0, 41.7], &[]);
    assert!(outside.text(&[]).contains("The eye is not in this cell. The cell counts"));
    assert!(HALL.text(&[]).contains("The landscape is not visible."));
}

#[test]
fn the_page_of_documentation_shows_what_is_said() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/see.md");
    let text = INN.text(&[]);
    assert!(std::fs::read_to_string(page).unwrap().contains(&text), "{text}");
}

#[track_caller]
fn refused(world: &str, arguments: &[&str], code: i32, reason: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    let output = command.args(["see", "--dats"]).arg(data(world)).args(arguments).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(error.contains(reason), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn each_refusal_says_why() {
    let with = |cell: &'static str, more: &[&'static str], reason: &str| {
        let eye = ["--cell", cell, "--eye", "108,60,41.7", "--look", "115,60,41.5"];
        refused("holt", &[&eye, more].concat(), 1, reason);
    };
    with("0xA9B4FFF0", &[], "this world has no room 0xA9B4FFF0");
    with("0x12340001", &[], "this world has no land cell 0x12340001");
    with("0xA9B4FFFF", &[], "--cell 0xA9B4FFFF: a landblock, and not a cell of it");
    with("0xA9B4FFFE", &[], "--cell 0xA9B4FFFE: neither a room nor a land cell");
    with("0xFFB40001", &[], "--cell 0xFFB40001: not on the map");
    with("0xA9B40157", &["--fov", "180"], "field of view is 180 degrees; 0.1 to 179 is valid");
    with("0xA9B40157", &["--fov", "-5"], "field of view is -5 degrees; 0.1 to 179 is valid");
    with("0xA9B40157", &["--aspect", "16:0"], "aspect ratio is");
    with("0xA9B40157", &["--aspect", "-16:9"], "aspect ratio is");
    with("0xA9B40157", &["--near", "-1"], "near plane is at -1 m; 0 to 1000 is valid");
    with("0xA9B40157", &["--rule", "stab_list=maybe"], "\"maybe\" is none of on, off");
    with(
        "0xA9B40157",
        &["--rule", "seam=literal"],
        "there is no rule \"seam\"; there are stab_list",
    );
    with("0xA9B40157", &["--svg", "screen.pdf"], "an .svg or a .png file");
    let same = ["--cell", "0xA9B40157", "--eye", "108,60,41", "--look", "108,60,41"];
    refused("holt", &same, 1, "the eye is where it looks at");
    let wrong = ["--cell", "inn", "--eye", "108,60,41", "--look", "108,60,42"];
    refused("holt", &wrong, 2, "write hexadecimal digits, such as 0xA9B40157");
    let wrong = ["--cell", "-1", "--eye", "108,60,41", "--look", "108,60,42"];
    refused("holt", &wrong, 2, "'-1' for '--cell <ID>'");
    let wrong = ["--cell", "0xA9B40157", "--eye", "108,60", "--look", "108,60,42"];
    refused("holt", &wrong, 2, "write three numbers: x,y,z");
    let folder = damaged("holt", 0xA9B4_0157);
    let output = INN.run_in(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("room 0xA9B40157 cannot be used"));
}
