//! `threshold why`: the explanation must name the obstacle and its place, and must be true.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

#[path = "why/answers.rs"]
mod answers;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use threshold_conformance::Runner;
use threshold_dat::DatFolder;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn scenarios(name: &str) -> PathBuf {
    data("conformance/scenarios").join(name).with_extension("jsonl.gz")
}

/// Runs `threshold why` in a sample world.
fn run(world: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(["why", "--dats"]).arg(data(world)).args(arguments).output().unwrap()
}

/// A step of a recorded scenario: its file, its id and its number.
#[derive(Clone, Copy, Debug)]
struct Step(&'static str, &'static str, &'static str);

impl Step {
    fn world(self) -> &'static str {
        if self.0.starts_with("dungeon") { "dungeon" } else { "holt" }
    }

    fn run(self, options: &[&str]) -> Output {
        let Self(file, id, step) = self;
        let file = scenarios(file);
        let arguments = ["--scenarios", file.to_str().unwrap(), "--id", id, "--step", step];
        run(self.world(), &[&arguments, options].concat())
    }

    #[track_caller]
    fn text(self, options: &[&str]) -> String {
        success(&self.run(options), &format!("{self:?}"))
    }

    #[track_caller]
    fn json(self) -> Value {
        serde_json::from_str(&self.text(&["--json"])).unwrap()
    }
}

#[track_caller]
fn success(output: &Output, what: &str) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{what}: {errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The words of a text on one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the summary of a step contains these texts.
#[track_caller]
fn check(step: Step, wanted: &[&str]) {
    let text = step.text(&[]);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let short = text.split("Rules that decided").next().unwrap();
    let short = joined(short);
    for want in wanted {
        assert!(short.contains(want), "{step:?}: {want:?} is not in\n{text}");
    }
}

const WALL: Step = Step("holt-walls", "holt-wall-0000", "0");
const SILL: Step = Step("dungeon-sills", "dungeon-sill-0000", "0");
const ROOF: Step = Step("holt-sim", "holt-fall-out-0000", "13");
const CAMERA: Step = Step("holt-viewer", "holt-camera-0001", "0");
const FULL: Step = Step("holt-place", "holt-place-0000", "0");
const QUERY: Step = Step("holt-cells", "holt-cells-0000", "0");
const CALL: Step = Step("landdefs", "holt-landdefs-0000", "3");
const BRIDGE: Step = Step("dungeon-ledges", "dungeon-bridge-edge-0000", "8");
const DOOR: Step = Step("holt-objects", "holt-blocked-door-0000", "4");
const SLOPE: Step = Step("holt-outdoor", "holt-open-0008", "32");

#[test]
fn a_walk_along_a_wall_names_the_wall_the_step_up_and_the_slide() {
    check(
        WALL,
        &[
            "It moves 0.029 m (by 0 -0.029 0) instead of 0.307 m",
            "Turned aside by a wall: polygon 3 of room 0xA9B40170, facing west (normal -1 0 0)",
            "A step up of at most 0.6 m failed: there is nothing flat enough to stand on within that \
             height.",
            "It slid along it by 0 -0.029 0.",
        ],
    );
}

#[test]
fn a_walk_into_an_object_names_its_polygon() {
    check(
        DOOR,
        &[
            "Body 0, 1 and so on are the objects of the scenario.",
            "It stays at 156 10.217 40.155",
            "Stopped by an object: polygon 2 of part 0 of body 0x00000000, facing north (normal 0 1 0)",
            "Too little of the move runs along it for a slide.",
        ],
    );
}

#[test]
fn a_walk_to_the_edge_of_a_bridge_names_the_edge() {
    check(
        BRIDGE,
        &[
            "It stays at",
            "Stopped by an edge of polygon 16 of room 0x01020116",
            "Ground search within 1.5 m below: there is ground, but not under its centre.",
        ],
    );
}

#[test]
fn a_walk_into_a_slope_names_the_slope() {
    check(
        SLOPE,
        &[
            "Held up by the ground of land cell 0xAAB4002B, facing east and up",
            "too steep to walk on",
        ],
    );
}

#[test]
fn a_walk_over_a_sill_explains_the_change_of_room() {
    check(
        SILL,
        &[
            "Nothing was in the way.",
            "It is in room 0x01020101: it is the first cell of the array and still contains the centre.",
            "It entered room 0x01020101 in sub-step 1 of 1, leaving 0x01020102 (outside by \
             0.04 m).",
            "it is behind portal 0 of room 0x01020102, and the lower sphere reaches into it",
        ],
    );
}

#[test]
fn a_fall_names_its_velocity_and_the_floor_it_landed_on() {
    check(
        ROOF,
        &[
            "Gravity acts on it: its velocity becomes -1.101 -5.086 -2.097",
            "Came down on a floor: polygon 7 of the building on land cell 0xA9B40033",
            "It stands on polygon 7 of the building on land cell 0xA9B40033",
            "Its velocity stays -1.101 -5.086 -2.097.",
        ],
    );
}

#[test]
fn a_camera_names_the_wall_that_stopped_it() {
    check(
        CAMERA,
        &[
            "Wanted: move a camera by",
            "Stopped by a wall: polygon 7 of room 0xA9B4014E, facing east (normal 1 0 0)",
            "in sub-step 2 of 10",
        ],
    );
}

#[test]
fn a_placement_without_room_names_the_obstacle() {
    check(
        FULL,
        &[
            "It is not placed: there is no room.",
            "Stopped by a floor: polygon 8 of room 0xA9B40167, facing up (normal 0 0 1)",
            "Tried 270 places around it, in growing rings: none has room.",
        ],
    );
}

#[test]
fn a_cell_query_explains_each_cell_of_the_array() {
    check(
        QUERY,
        &[
            "It touches 0xA9B40115, 0xA9B40116; room 0xA9B40116 contains its centre.",
            "Room 0xA9B40116: it is behind portal 1 of room 0xA9B40115, and the sphere reaches into it",
        ],
    );
}

#[test]
fn a_coordinate_call_is_described() {
    check(CALL, &["Wanted: the land cell under 0 0 0", "0x00000001, at 0 0 0."]);
}

/// A fact of the first summary node of a kind.
fn fact<'a>(report: &'a Value, kind: &str, name: &str) -> &'a Value {
    let summary = report["summary"].as_array().unwrap();
    let node = summary.iter().find(|node| node["kind"] == kind).unwrap();
    &node["facts"][name]
}

fn vector(value: &Value) -> Vec3 {
    let part = |index: usize| value[index].as_f64().unwrap() as f32;
    Vec3::new(part(0), part(1), part(2))
}

fn cell(value: &Value) -> CellId {
    value.as_str().unwrap().parse().unwrap()
}

/// The plane of the polygon that is named, in the landblock's frame, as the world has it.
fn named_plane(step: Step, report: &Value) -> Plane {
    let runner = Runner::new(DatFolder::open(&data(step.world())).unwrap());
    let cell = cell(fact(report, "stopped", "cell"));
    let index = u32::try_from(fact(report, "stopped", "polygon").as_u64().unwrap()).unwrap();
    let world = runner.world();
    if let Some(room) = world.room(cell) {
        return room.space().plane_in(cell, &room.structure().physics.polygon(index).plane);
    }
    let shell = world.land_cell(cell).unwrap().building().unwrap().shell().unwrap();
    shell.space.plane_in(cell, &shell.tree.polygon(index).plane)
}

/// Checks that the move would have entered the named plane, and ended in front of it. `low` is the height of the centre of the lower
/// sphere above the mover's origin.
#[track_caller]
fn check_true(step: Step, low: f32) {
    let report = step.json();
    let plane = named_plane(step, &report);
    let value = |name| fact(&report, "stopped", name);
    let (normal, radius) = (vector(value("normal")), value("radius").as_f64().unwrap() as f32);
    assert!((plane.normal - normal).length() < 1e-5, "{step:?}: {plane:?} is not {normal}");
    let tried = plane.distance(vector(value("centre")));
    let distance = value("distance").as_f64().unwrap() as f32;
    assert!((tried - distance).abs() < 1e-4, "{step:?}: {tried} is not {distance}");
    assert!(tried < radius, "{step:?}: there was nothing to stop at");
    let end = vector(fact(&report, "result", "at")) + Vec3::new(0.0, 0.0, low);
    let end = plane.distance(end);
    assert!(end > radius - 0.001, "{step:?}: it ended {end} from what stopped it");
    assert!(end < radius + 1.0, "{step:?}: it ended {end} from what stopped it");
}

#[test]
fn the_named_polygon_is_the_obstacle() {
    let feet = 0.475;
    check_true(WALL, feet);
    check_true(CAMERA, 0.0);
    check_true(ROOF, feet);
}

#[test]
fn the_named_contact_plane_is_below_the_mover() {
    let report = ROOF.json();
    let value = |name| fact(&report, "stands", name);
    let plane = Plane { normal: vector(value("normal")), d: value("d").as_f64().unwrap() as f32 };
    let centre = vector(fact(&report, "result", "at")) + Vec3::new(0.0, 0.0, 0.475);
    assert!((plane.distance(centre) - 0.48).abs() < 0.001, "{plane:?} {centre}");
}

/// Every sentence of a node and of what is in it, in order.
fn sentences(node: &Value, all: &mut Vec<String>) {
    all.push(node["text"].as_str().unwrap().to_owned());
    node["children"].as_array().into_iter().flatten().for_each(|child| sentences(child, all));
}

#[test]
fn text_and_json_have_the_same_sentences() {
    for step in [WALL, SILL, ROOF, CAMERA, QUERY, CALL, BRIDGE, DOOR, SLOPE] {
        let report = step.json();
        let mut all = vec![report["title"].as_str().unwrap().to_owned()];
        all.extend(
            report["notes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|note| note.as_str().unwrap().to_owned()),
        );
        let headings =
            [("summary", "Summary"), ("rules", "Rules that decided"), ("steps", "Sub-steps")];
        for (name, heading) in headings {
            let nodes = report[name].as_array().unwrap();
            all.extend((!nodes.is_empty()).then(|| heading.to_owned()));
            nodes.iter().for_each(|node| sentences(node, &mut all));
        }
        assert_eq!(joined(&step.text(&["--full"])), joined(&all.join(" ")), "{step:?}");
    }
}

#[test]
fn the_short_report_is_part_of_the_full_one() {
    let (short, full) = (WALL.text(&[]), WALL.text(&["--full"]));
    assert!(short.lines().count() < full.lines().count());
    let whole: Vec<&str> = full.lines().map(str::trim).collect();
    let happened = short.split("Sub-steps\n").nth(1).unwrap();
    for line in happened.lines().map(str::trim).filter(|line| line.starts_with("Sub-step")) {
        assert!(whole.contains(&line), "{line}");
    }
}

#[test]
fn the_example_in_docs_why_is_current() {
    let page = data("../../docs/why.md");
    let page = std::fs::read_to_string(page).unwrap();
    let example = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(example, WALL.text(&[]));
}

#[test]
fn a_custom_move_starts_standing() {
    let to = ["--from", "0xA9B40031:150,1,40", "--to", "150,-2,40"];
    let text = joined(&success(&run("holt", &to), "by point"));
    for want in [
        "The move starts at 150 1 40.005 in land cell 0xA9B40031, standing.",
        "Stopped by an object: cylinder 0 of object 0 of landblock A9B3, which pushes it north \
         (normal 0 1 0), met by the lower sphere",
        "To stand on it, it would have to rise by 1.1 m; a step is at most 0.6 m.",
    ] {
        assert!(text.contains(want), "{want:?} is not in {text}");
    }
    // Inside the shell of a building.
    let within = ["--from", "42.1N, 33.6E", "--to", "0,1,0", "--relative"];
    let text = joined(&success(&run("holt", &within), "without room"));
    let want = "in the air. Stopped by the solid space of the building on land cell 0xA9B40019.";
    assert!(text.contains(want), "{text}");
    // On the border of land cells, and far below the ground.
    for (place, want) in [
        (
            "0xA9B40025:96,100,40.005",
            "The move starts at 96 100 40.005 in land cell 0xA9B4001D, standing.",
        ),
        ("0xA9B40025:96.5,100,30", "standing, 10.005 m above the given point."),
        ("0xA9B40025", "cylinder 0 of object 4 of landblock A9B4, met by the lower sphere"),
    ] {
        let begin = run("holt", &["--from", place, "--to", "0,3,0", "--relative"]);
        let text = joined(&success(&begin, place));
        assert!(text.contains(want) && !text.contains("108 108 40.83"), "{text}");
    }
    let by = ["--from", "0xA9B40031:150,1,40", "--to", "0,-3,0", "--relative"];
    let relative = joined(&success(&run("holt", &by), "by offset"));
    assert!(relative.contains("cylinder 0 of object 0 of landblock A9B3"), "{relative}");
}

#[test]
fn a_start_without_a_height_is_on_the_ground() {
    for place in ["42.1N, 33.6E", "A9B4", "0xA9B40031"] {
        let text =
            success(&run("holt", &["--from", place, "--to", "0,0.3,0", "--relative"]), place);
        assert!(text.contains("Summary"), "{text}");
    }
}

#[test]
fn a_deciding_rule_is_named_and_can_be_set() {
    let step = Step("holt-outdoor", "holt-slope-up-0000", "2");
    let text = joined(&step.text(&[]));
    assert!(text.contains("steep_ground is passes; if it were stops, it would"), "{text}");
    let other = joined(&step.text(&["--rule", "steep_ground=stops"]));
    assert!(other.contains("steep_ground is stops; if it were passes, it would"), "{other}");
}

#[test]
fn without_a_step_the_first_interesting_one_is_explained() {
    let file = scenarios("holt-objects");
    let file = file.to_str().unwrap();
    let output = run("holt", &["--scenarios", file, "--id", "holt-blocked-door-0000"]);
    let text = success(&output, "no step");
    assert!(text.starts_with("Move 4 of holt-blocked-door-0000"), "{text}");
    assert!(text.contains("Without --step: step 4 is the first"), "{text}");
}

#[track_caller]
fn check_refused(arguments: &[&str], want: &str) {
    let output = run("holt", arguments);
    let errors = joined(&String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(errors.contains(want), "{arguments:?}: {errors}");
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let (walls, dungeon) = (scenarios("holt-walls"), scenarios("dungeon-walls"));
    let (walls, dungeon) = (walls.to_str().unwrap(), dungeon.to_str().unwrap());
    let of = |id| ["--scenarios", walls, "--id", id];
    check_refused(
        &of("holt-wal"),
        "no id \"holt-wal\" in 18 scenarios; similar ids: holt-wall-0000,",
    );
    check_refused(
        &[&of("holt-wall-0000")[..], &["--step", "12"]].concat(),
        "holt-wall-0000: there is no step 12: its last is 11",
    );
    check_refused(
        &["--scenarios", dungeon, "--id", "dungeon-wall-0000"],
        "recorded in the world \"dungeon\", not \"holt\"",
    );
    check_refused(&["--scenarios", "nowhere.jsonl", "--id", "x"], "nowhere.jsonl: ");
    check_refused(&["--from", "01D9", "--to", "1,1,1"], "the world has no land cell 0x01D9001C");
    check_refused(
        &["--from", "0xA9B40170", "--to", "1,1,1"],
        "write one in it, as 0xA9B40170:x,y,z",
    );
    check_refused(
        &["--from", "0xA9B4FF00:1,1,1", "--to", "1,1,1"],
        "the world has no room 0xA9B4FF00",
    );
    check_refused(&["--from", "somewhere", "--to", "1,1,1"], "not a place");
    check_refused(&["--from", "A9B4", "--to", "1,1"], "write three numbers: x,y,z");
    check_refused(&["--from", "A9B4"], "--to");
    check_refused(
        &["--from", "A9B4", "--to", "1e30,0,0"],
        "write coordinates from -100000 to 100000 metres",
    );
    let wall = of("holt-wall-0000");
    for other in [["--to", "1,1,1"], ["--setup", "0x02000001"], ["--state", "0"]] {
        check_refused(&[&wall[..], &other].concat(), "cannot be used with");
    }
    for other in [["--id", "x"], ["--step", "1"]] {
        check_refused(
            &[&["--from", "A9B4", "--to", "1,1,1"][..], &other].concat(),
            "cannot be used",
        );
    }
    check_refused(&["--scenarios", walls], "has 18 scenarios; add --id, such as holt-wall-0000,");
    check_refused(&of("zzz"), "no id \"zzz\" in 18 scenarios; similar ids: holt-wall-0000,");
    check_refused(&[], "--scenarios <FILE>|--from <PLACE>");
    check_refused(
        &["--from", "A9B4", "--to", "1,1,1", "--setup", "0x02999999"],
        "0x02999999 is not there",
    );
    check_refused(
        &["--from", "A9B4", "--to", "1,1,1", "--rule", "gravity=off"],
        "there is no rule \"gravity\"",
    );
}
