use threshold_forge::samples;

use super::*;
use crate::{Runner, ScenarioResult};

#[track_caller]
fn check_error(text: &str, want: &str) {
    assert_eq!(Properties::parse(text).unwrap_err().to_string(), want, "{text:?}");
}

#[test]
fn a_property_is_written_as_it_is_read() {
    for text in [
        "moves",
        "goes the whole way",
        "stays on its line",
        "touches within 0.01",
        "passes no surface",
        "ends in 0xA9B40031",
    ] {
        assert_eq!(Property::parse(text).unwrap().to_string(), text);
    }
    let list =
        Properties::parse("\n# cameras\n b-1  moves ,ends in 0x01020100\r\na-1\tmoves\n").unwrap();
    assert_eq!(list.ids().collect::<Vec<_>>(), ["a-1", "b-1"]);
    assert_eq!(list.get("b-1").unwrap(), [Property::Moves, Property::EndsIn(CellId(0x0102_0100))]);
    assert_eq!(list.get("c-1"), None);
}

#[test]
fn a_bad_line_of_the_list_is_named() {
    check_error("# one\ncam-1\n", "line 2: cam-1 has no properties");
    check_error("cam-1 moves\n\ncam-1 moves\n", "line 3: cam-1 is listed on line 1 already");
    check_error("cam-1 moves, dances", "line 1: unknown property \"dances\"");
    check_error("cam-1 moves,", "line 1: unknown property \"\"");
    let shown = format!("line 1: unknown property \"{} ...\"", "x".repeat(80));
    check_error(&format!("cam-1 {}", "x".repeat(3_000_000)), &shown);
    check_error("cam-1 touches within NaN", "line 1: unknown property \"touches within NaN\"");
    check_error("cam-1 touches within -1", "line 1: unknown property \"touches within -1\"");
    check_error("cam-1 ends in here", "line 1: unknown property \"ends in here\"");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cameras.txt");
    std::fs::write(&path, "a moves\nb\n").unwrap();
    let error = Properties::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("cameras.txt:2: b has no properties"), "{error}");
}

/// Two rooms of 4 m in a row to the east, 3 m high; the camera begins in the middle of the first and goes west.
fn violations(properties: &str, to: [f32; 3], end: (&str, [f32; 3])) -> Vec<String> {
    let runner = Runner::new(samples::two_rooms().unwrap());
    let [x, y, z] = to;
    let line = format!(
        r#"{{"id":"cam","kind":"viewer","world":"made","mover":{{"setup":"0x02000001","state":"0x0"}},
        "from":{{"cell":"0x01020100","pos":[2,2,1.5]}},"to":[{x},{y},{z}],"radius":0.3}}"#
    );
    let scenario = Scenario::parse(line.as_bytes()).unwrap();
    let (cell, [x, y, z]) = end;
    let line =
        format!(r#"{{"id":"cam","steps":[{{"ok":true,"cell":"{cell}","pos":[{x},{y},{z}]}}]}}"#);
    let record = ScenarioResult::parse(line.as_bytes()).unwrap();
    let list = Properties::parse(&format!("cam {properties}")).unwrap();
    list.violations(runner.world(), &scenario, &record.steps).unwrap()
}

#[track_caller]
fn check(property: &str, to: [f32; 3], end: (&str, [f32; 3]), want: Option<&str>) {
    let found = violations(property, to, end);
    let want: Vec<String> = want.map(|why| format!("{property} ({why})")).into_iter().collect();
    assert_eq!(found, want, "{end:?}");
}

#[test]
fn each_property_holds_where_it_should_and_nowhere_else() {
    const ROOM: &str = "0x01020100";
    const NEXT: &str = "0x01020101";
    let west = [-3.0, 2.0, 1.5];
    check("moves", west, (ROOM, [0.3, 2.0, 1.5]), None);
    check("moves", west, (ROOM, [1.99, 2.0, 1.5]), Some("it moved 0.0100 m, 0.05 m expected"));
    check("goes the whole way", [1.0, 2.0, 1.5], (ROOM, [1.0, 2.0, 1.501]), None);
    check("goes the whole way", [1.0, 2.0, 1.5], (ROOM, [1.5, 2.0, 1.5]), Some("0.5000 m off"));
    check("stays on its line", west, (ROOM, [0.3, 2.001, 1.5]), None);
    check("stays on its line", west, (ROOM, [0.3, 2.1, 1.5]), Some("0.1000 m off"));
    check("stays on its line", west, (ROOM, [2.1, 2.0, 1.5]), Some("0.1000 m off"));
    check("touches within 0.01", west, (ROOM, [0.305, 2.0, 1.5]), None);
    check("touches within 0.01", west, (ROOM, [0.5, 2.0, 1.5]), Some("0.2000 m off"));
    check("touches within 0.01", west, (ROOM, [0.1, 2.0, 1.5]), Some("-0.2000 m off"));
    // The wall at its side is not what stops it.
    check("touches within 0.01", west, (ROOM, [1.0, 0.3, 1.5]), Some("0.7000 m off"));
    check("passes no surface", west, (ROOM, [0.3, 2.0, 1.5]), None);
    check(
        "passes no surface",
        west,
        (ROOM, [-0.5, 2.0, 1.5]),
        Some("it crosses a surface at [0, 2, 1.5]"),
    );
    // The wall between the rooms is open.
    check("passes no surface", [7.0, 2.0, 1.5], (NEXT, [7.0, 2.0, 1.5]), None);
    check(&format!("ends in {NEXT}"), west, (NEXT, [5.0, 2.0, 1.5]), None);
    let there = "it ends at [0.3, 2, 1.5] in 0x01020100";
    check(&format!("ends in {NEXT}"), west, (ROOM, [0.3, 2.0, 1.5]), Some(there));
    let wrong = "it ends at [0.3, 2, 1.5] in 0x01020101";
    check(&format!("ends in {NEXT}"), west, (NEXT, [0.3, 2.0, 1.5]), Some(wrong));
}

#[test]
fn several_violations_are_all_named() {
    let found = violations(
        "moves, passes no surface, goes the whole way",
        [-3.0, 2.0, 1.5],
        ("0x01020100", [-1.0, 2.0, 1.5]),
    );
    assert_eq!(found.len(), 2, "{found:?}");
}
