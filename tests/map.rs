//! `threshold map`.

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
use threshold_land::vector::Vec2;
use threshold_testkit::{data_path, write_damaged_world};

/// Runs `threshold map --dats FOLDER ARGUMENTS --out FILE`.
fn map_to(file: &Path, folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["map", "--dats"])
        .arg(folder)
        .args(arguments)
        .arg("--out")
        .arg(file)
        .output()
        .unwrap()
}

/// The bytes of the map, and the printed text.
#[track_caller]
fn map(world: &str, arguments: &[&str], extension: &str) -> (Vec<u8>, String) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("map").with_extension(extension);
    let output = map_to(&file, &data_path(world), arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    (std::fs::read(file).unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[track_caller]
fn svg(world: &str, arguments: &[&str]) -> String {
    String::from_utf8(map(world, arguments, "svg").0).unwrap()
}

/// The values of all attributes with a name.
fn attributes<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    text.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Low words of the rooms that are drawn, in order.
fn rooms(svg: &str) -> Vec<u32> {
    let names = attributes(svg, "id");
    let rooms = names.iter().filter_map(|name| name.strip_prefix("room-"));
    let mut rooms: Vec<u32> = rooms.map(|low| u32::from_str_radix(low, 16).unwrap()).collect();
    rooms.sort_unstable();
    rooms
}

/// The text of the group `id`, up to its end.
fn group<'a>(svg: &'a str, id: &str) -> &'a str {
    let start = svg.find(&format!("<g id=\"{id}\"")).unwrap_or_else(|| panic!("no group {id}"));
    svg[start..].split("</g>").next().unwrap()
}

#[test]
fn both_worlds_are_drawn_as_svg_and_as_png_always_the_same() {
    for (world, place, what) in [
        ("holt", "A9B4", "1 landblock, 30 buildings, 18 objects"),
        ("holt", "42.1N, 33.6E", "1 landblock"),
        ("holt", "0xA9B40164", "9 rooms on 2 levels"),
        ("dungeon", "0102", "82 rooms on 4 levels"),
    ] {
        let (text, printed) = map(world, &[place], "svg");
        assert!(printed.contains(what), "{printed}");
        assert_eq!(text, map(world, &[place], "svg").0, "{place}");
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{place}");
        assert_eq!(text.matches("<g").count(), text.matches("</g>").count(), "{place}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{place}");
        let (picture, printed) = map(world, &[place], "png");
        assert!(printed.contains(" pixels, "), "{printed}");
        assert!(picture.starts_with(b"\x89PNG\r\n\x1A\n"), "{place}");
        assert_eq!(picture, map(world, &[place], "png").0, "{place}");
    }
}

#[test]
fn every_room_of_the_dungeon_is_drawn_once() {
    let all: Vec<u32> = (0x0100..=0x0151).collect();
    assert_eq!(rooms(&svg("dungeon", &["0102"])), all);
    // All rooms are connected, so each of them selects all.
    assert_eq!(rooms(&svg("dungeon", &["0x01020149"])), all);
    let levels = [("0", 0x0100), ("-3", 0x011F), ("-7", 0x0128), ("-10", 0x0137)];
    let mut seen = Vec::new();
    for (height, room) in levels {
        let own = rooms(&svg("dungeon", &["0102", "--level", height]));
        assert!(own.contains(&room), "{height}: {own:X?}");
        seen.extend(own);
    }
    seen.sort_unstable();
    assert_eq!(seen, all);
}

#[test]
fn stairs_are_drawn_again_on_the_level_where_they_arrive() {
    let text = svg("dungeon", &["0102", "--level", "0"]);
    assert!(text.contains("id=\"arriving-011D\"") && !text.contains("id=\"room-011D\""));
    let text = svg("dungeon", &["0102", "--level", "-3"]);
    assert!(text.contains("id=\"room-011D\"") && !text.contains("id=\"arriving-011D\""));
}

#[test]
fn a_house_is_drawn_with_its_own_rooms_only() {
    let check = |place: &str, want: &[u32]| assert_eq!(rooms(&svg("holt", &[place])), want);
    check("0xA9B40170", &[0x0170, 0x0171, 0x0172, 0x0173, 0x0174, 0x0175]);
    check("0xA9B40165", &(0x0165..=0x016F).collect::<Vec<_>>());
    let inn: Vec<u32> = (0x0157..=0x015E).chain([0x0164]).collect();
    check("0xA9B40164", &inn);
    check("0xA9B4015A:104,56,43.5", &inn);
}

#[test]
fn ids_are_drawn_with_the_option() {
    let id = |low: u32| format!(">{low:04X}</text>");
    let text = svg("dungeon", &["0102", "--ids"]);
    assert!((0x0100..=0x0151).all(|low| text.contains(&id(low))));
    // The room is too small for a label.
    assert!(!svg("dungeon", &["0102"]).contains(&id(0x0109)));
    let text = svg("holt", &["A9B4", "--ids"]);
    assert!((0x0001..=0x0040).all(|low| text.contains(&id(low))), "land cells");
    assert!([0x0170, 0x0164, 0x0165].iter().all(|low| text.contains(&id(*low))), "buildings");
    assert!((0..18).all(|number| text.contains(&format!(">#{number}</text>"))), "objects");
    assert!(!svg("holt", &["A9B4"]).contains(">#0</text>"));
    let text = svg("holt", &["A9B4", "--blocks", "3x4", "--ids"]);
    assert_eq!(text.matches(&id(0x0001)).count(), 12, "land cells of all landblocks");
}

/// Parses the attribute value `x y`.
fn pair(text: &str) -> Vec2 {
    let (x, y) = text.split_once(' ').unwrap();
    Vec2::new(x.parse().unwrap(), y.parse().unwrap())
}

/// The outline of each room of a map, in metres of the landblock.
fn outlines(svg: &str) -> Vec<(u32, Vec<Vec2>)> {
    let mut out = Vec::new();
    for level in svg.split("<g id=\"level-").skip(1) {
        let head = level.split('>').next().unwrap();
        let scale: f32 = attributes(head, "data-scale")[0].parse().unwrap();
        let [origin, corner] = ["data-origin", "data-corner"].map(|n| pair(attributes(head, n)[0]));
        for line in level.lines().filter(|line| line.contains(" id=\"room-")) {
            let id = attributes(line, "id")[0].strip_prefix("room-").unwrap();
            let path = attributes(line, "d")[0].trim_end_matches('z');
            let back = |point: &str| {
                let paper = (pair(point) - corner) / scale;
                origin + Vec2::new(paper.x, -paper.y)
            };
            let outline = path.split(['M', 'L']).filter(|point| !point.is_empty()).map(back);
            out.push((u32::from_str_radix(id, 16).unwrap(), outline.collect()));
        }
    }
    out
}

/// The distance of a point from an outline.
fn distance(outline: &[Vec2], point: Vec2) -> f32 {
    let next = outline.iter().cycle().skip(1);
    let side = |(a, b): (&Vec2, &Vec2)| {
        let along = *b - *a;
        let part = ((point - *a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        point.distance(*a + along * part)
    };
    outline.iter().zip(next).map(side).fold(f32::INFINITY, f32::min)
}

#[test]
fn the_plan_of_every_room_is_accurate_to_two_centimetres() {
    let places = [("dungeon", "0102", 82), ("holt", "0xA9B40164", 9), ("holt", "0xA9B50100", 5)];
    for (world, place, count) in places {
        let text = std::fs::read(data_path(world).join("world.json")).unwrap();
        let described: Value = serde_json::from_slice(&text).unwrap();
        let drawn = outlines(&svg(world, &[place]));
        assert_eq!(drawn.len(), count);
        let block = if world == "holt" { &place[2..6] } else { place };
        for (low, outline) in drawn {
            let id = format!("0x{block}{low:04X}");
            let cells = described["cells"].as_array().unwrap();
            let cell = cells.iter().find(|cell| cell["id"] == id.as_str()).unwrap();
            let number = |value: &Value| value.to_string().parse::<f32>().unwrap();
            let corners = cell["floor"].as_array().unwrap();
            let floor: Vec<Vec2> =
                corners.iter().map(|at| Vec2::new(number(&at[0]), number(&at[1]))).collect();
            let far = |points: &[Vec2], from: &[Vec2]| {
                points.iter().map(|point| distance(from, *point)).fold(0.0, f32::max)
            };
            let worst = far(&floor, &outline).max(far(&outline, &floor));
            assert!(worst < 0.02, "{id}: {worst} m, {outline:?} instead of {floor:?}");
        }
    }
}

#[test]
fn the_landscape_has_all_its_triangles() {
    let one = svg("holt", &["A9B4"]);
    assert_eq!(group(&one, "ground").matches('M').count(), 128);
    assert!(!one.contains("id=\"water\"") && one.contains("id=\"roads\""));
    let all = svg("holt", &["A9B4", "--blocks", "3x4"]);
    assert_eq!(group(&all, "ground").matches('M').count(), 12 * 128);
    assert!(all.contains("id=\"water\""));
    for block in ["A8B2", "A9B4", "AAB5"] {
        assert!(all.contains(&format!(">{block}</text>")), "{block}");
    }
    assert!(all.contains(">42.0N</text>") && all.contains(">33.6E</text>"));
    // The western column and the northern row do not exist.
    let wide = svg("holt", &["A8B5", "--blocks", "3"]);
    assert!(wide.contains(">no land</text>"));
}

#[test]
fn the_given_place_is_marked() {
    let marked =
        |world: &str, place: &str| svg(world, &[place]).contains(">the place asked for</text>");
    assert!(marked("holt", "42.1N, 33.6E"));
    assert!(marked("holt", "0xA9B40164"));
    assert!(marked("dungeon", "0x01020100:62,-70,0"));
    assert!(!marked("holt", "A9B4"));
    assert!(!marked("dungeon", "0102"));
    assert!(svg("holt", &["0xA9B40031"]).contains(">the land cell asked for</text>"));
    // The place is south of its landblock, so the map shows the next one.
    let loc = "0xA9B40031 [150 -1 40] 1 0 0 0";
    assert!(svg("holt", &[loc]).contains("<title>Landblock A9B3</title>"));
}

#[track_caller]
fn check_refused(folder: &Path, arguments: &[&str], file: &Path, reason: &str) {
    let output = map_to(file, folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert!(error.contains(reason), "{error}");
    assert!(!file.exists());
}

#[test]
fn without_a_place_the_whole_world_is_drawn() {
    let (_, printed) = map("holt", &[], "svg");
    assert!(printed.contains("12 landblocks"), "{printed}");
    let (_, printed) = map("dungeon", &[], "svg");
    assert!(printed.contains("82 rooms"), "{printed}");
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    let good = folder.path().join("map.svg");
    let holt = data_path("holt");
    check_refused(&holt, &["Holtburg"], &good, "\"Holtburg\": not a place");
    check_refused(&holt, &["FFFF"], &good, "lies off the map");
    check_refused(&holt, &["0000"], &good, "landblock 0000 has neither land nor rooms");
    check_refused(&holt, &["0000", "--blocks", "3"], &good, "there is no land");
    check_refused(&holt, &["0xA9B4FFF0"], &good, "room 0xA9B4FFF0 is not there");
    check_refused(&holt, &["A9B4", "--level", "40"], &good, "which has no levels");
    check_refused(&holt, &["0xA9B40164", "--blocks", "3"], &good, "drawn as a floor plan");
    check_refused(&holt, &["--level", "40"], &good, "which has no levels");
    check_refused(&holt, &["A9B4"], &folder.path().join("map.pdf"), "an .svg or a .png file");
    check_refused(&holt, &["A9B4"], &folder.path().join("map"), "an .svg or a .png file");
    let nowhere = folder.path().join("no/such/folder/map.png");
    check_refused(&holt, &["A9B4"], &nowhere, "map.png: cannot be written");
    check_refused(folder.path(), &["A9B4"], &good, "cannot open the data files");
}

#[test]
fn damaged_records_are_left_out_and_listed() {
    let folder = TempDir::new().unwrap();
    write_damaged_world("dungeon", folder.path(), 0x0102_0101);
    let file = folder.path().join("map.svg");
    let output = map_to(&file, folder.path(), &["0102"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.starts_with("threshold: left out: room 0x01020101: "), "{errors}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(rooms(&text).len(), 81);
    assert!(text.contains(">to a room left out</text>"));
    let file = folder.path().join("second.svg");
    let output = map_to(&file, folder.path(), &["0x01020101"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("room 0x01020101 cannot be used"));

    // A model that occurs often in the landblock: the ground is still drawn.
    let folder = TempDir::new().unwrap();
    write_damaged_world("holt", folder.path(), 0x0200_0010);
    let file = folder.path().join("map.svg");
    let output = map_to(&file, folder.path(), &["A9B4"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("left out: landblock A9B4: "));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(group(&text, "ground").matches('M').count(), 128);
}

#[cfg(unix)]
#[test]
fn a_full_standard_output_is_an_error_and_no_panic() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("map.svg");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["map", "--dats"])
        .arg(data_path("dungeon"))
        .args(["0102", "--out"])
        .arg(&file)
        .stdout(full)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.starts_with("threshold: ") && !errors.contains("panicked"), "{errors}");
    assert!(file.exists(), "the map was written before");
}
