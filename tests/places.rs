//! Places by their names in the built-in world, in all commands that take a place.

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

/// The loc of a place with a name.
fn loc(name: &str) -> String {
    let place = places(SEED).into_iter().find(|place| place.name == name).unwrap();
    place.position.to_string()
}

/// What a command prints, and the file it writes if it writes one. Its places are FROM and TO among the arguments.
#[track_caller]
fn answer(arguments: &str, [from, to]: [&str; 2]) -> (String, Option<Vec<u8>>) {
    let folder = TempDir::new().unwrap();
    let words = arguments.split(' ').map(|word| match word {
        "FROM" => from,
        "TO" => to,
        word => word,
    });
    let arguments: Vec<&str> = words.collect();
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let mut said = String::from_utf8(output.stdout).unwrap();
    if let Ok(serde_json::Value::Object(mut json)) = serde_json::from_str(&said) {
        // It repeats what was typed.
        json.remove("title");
        said = serde_json::Value::Object(json).to_string();
    }
    let file = arguments.iter().position(|word| *word == "--out").map(|out| arguments[out + 1]);
    (said, file.map(|file| std::fs::read(folder.path().join(file)).unwrap()))
}

/// A command answers the same for what is typed and for the loc of the place with that name.
#[track_caller]
fn check(arguments: &str, typed: &str, name: &str) {
    let (by_name, by_loc) = (answer(arguments, [typed; 2]), answer(arguments, [&loc(name); 2]));
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
fn what_is_seen_from_a_place_is_told_by_its_name() {
    check("see FROM", "vestibule", "inn vestibule");
    check("see FROM --look 132,110,41.5 --json", "taproom", "taproom");
}

#[test]
fn a_picture_is_taken_of_a_place_by_its_name() {
    check("shot FROM --size 96x54 --out shot.png", "INN", "inn door");
}

#[test]
fn a_move_from_a_place_and_to_a_place_is_explained_by_their_names() {
    check("why --json --relative --from FROM --to 0,1,0", "square", "village square");
    let both = "why --json --from FROM --to TO";
    let by_loc = answer(both, [&loc("inn door"), &loc("inn vestibule")]);
    assert_eq!(answer(both, ["inn", "vestibule"]), by_loc);
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
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(said.contains("did you mean \"taproom\"?"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_world_of_ones_own_has_no_names() {
    let folder = TempDir::new().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/holt");
    let data = data.to_str().unwrap();
    let output = run(folder.path(), &["map", "--dats", data, "taproom", "--out", "a.svg"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("not a place; write"), "{said}");
}
