//! Names of places in the built-in world, in all commands that take a place.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use threshold_forge::{SEED, places};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_threshold");
    Command::new(program).args(arguments).current_dir(folder).output().unwrap()
}

/// The loc of a named place.
fn loc(name: &str) -> String {
    let place = places(SEED).into_iter().find(|place| place.name == name).unwrap();
    place.position.to_string()
}

/// Runs a command with places for FROM and TO. Returns the printed text, and the file it writes, if any.
#[track_caller]
fn run_at(arguments: &str, [from, to]: [&str; 2]) -> (String, Option<Vec<u8>>) {
    let folder = TempDir::new().unwrap();
    let words = arguments.split(' ').map(|word| match word {
        "FROM" => from,
        "TO" => to,
        word => word,
    });
    let arguments: Vec<&str> = words.collect();
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let mut text = String::from_utf8(output.stdout).unwrap();
    if let Ok(serde_json::Value::Object(mut json)) = serde_json::from_str(&text) {
        // The title repeats the typed place.
        json.remove("title");
        text = serde_json::Value::Object(json).to_string();
    }
    let file = arguments.iter().position(|word| *word == "--out").map(|out| arguments[out + 1]);
    (text, file.map(|file| std::fs::read(folder.path().join(file)).unwrap()))
}

/// The output must be the same for a typed name and for the loc of the place.
#[track_caller]
fn check(arguments: &str, typed: &str, name: &str) {
    let (by_name, by_loc) = (run_at(arguments, [typed; 2]), run_at(arguments, [&loc(name); 2]));
    assert!(by_name == by_loc, "{arguments}: {typed}\n{}\n{}", by_name.0, by_loc.0);
    assert!(by_name.0.len() > 20, "{}", by_name.0);
}

#[test]
fn a_map_is_drawn_of_a_place_by_its_name() {
    check("map FROM --out map.svg", "Cellar Cottage", "cottage cellar");
    check("map FROM --out map.svg", "bridge", "bridge");
}

#[test]
fn a_place_is_exported_by_its_name() {
    check("export FROM --out place.glb", "smith", "smithy");
}

#[test]
fn a_view_is_reported_from_a_place_by_its_name() {
    check("see FROM", "vestibule", "inn vestibule");
    check("see FROM --look 132,110,41.5 --json", "taproom", "taproom");
}

#[test]
fn a_picture_is_drawn_of_a_place_by_its_name() {
    check("shot FROM --size 96x54 --out shot.png", "INN", "inn door");
}

#[test]
fn a_move_between_two_places_is_explained_by_their_names() {
    check("why --json --relative --from FROM --to 0,1,0", "square", "village square");
    let both = "why --json --from FROM --to TO";
    let by_loc = run_at(both, [&loc("inn door"), &loc("inn vestibule")]);
    assert_eq!(run_at(both, ["inn", "vestibule"]), by_loc);
}

#[test]
fn an_unknown_name_lists_the_nearest_names_in_every_command() {
    let folder = TempDir::new().unwrap();
    for arguments in [
        &["shot", "taprrom", "--out", "a.png"][..],
        &["map", "taprrom", "--out", "a.svg"],
        &["export", "taprrom", "--out", "a.glb"],
        &["see", "taprrom"],
        &["why", "--from", "taprrom", "--to", "0,0,0"],
        &["why", "--from", "inn", "--to", "taprrom"],
    ] {
        let output = run(folder.path(), arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(error.contains("did you mean \"taproom\"?"), "{arguments:?}: {error}");
    }
}

#[test]
fn other_worlds_have_no_place_names() {
    let folder = TempDir::new().unwrap();
    let data = threshold_testkit::data_path("holt");
    let data = data.to_str().unwrap();
    let output = run(folder.path(), &["map", "--dats", data, "taproom", "--out", "a.svg"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("not a place; write"), "{error}");
}
