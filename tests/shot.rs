//! `threshold shot`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use threshold_testkit::{data_path, write_damaged_world};

fn shot(folder: &Path, arguments: &str) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
    run.current_dir(folder).arg("shot").args(arguments.split_whitespace());
    run.output().unwrap()
}

/// Draws a picture and returns its pixels.
#[track_caller]
fn draw(folder: &Path, arguments: &str) -> Vec<[u8; 3]> {
    let output = shot(folder, &format!("{arguments} --size 160x90 --out shot.png"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {error}");
    let picture = image::open(folder.join("shot.png")).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (160, 90));
    picture.pixels().map(|pixel| pixel.0).collect()
}

/// Returns the mean brightness of pixels, 0 to 255.
fn brightness(pixels: &[[u8; 3]]) -> u64 {
    let sum: u64 = pixels.iter().flatten().map(|part| u64::from(*part)).sum();
    sum / (3 * pixels.len() as u64)
}

const TAPROOM: &str = "0xA9B40106:134.5,109,41.9 --look 131,100,41.2";
const SQUARE: &str = "0xA9B40024:84,60,44 --look 120,105,42";

#[test]
fn a_picture_has_many_colours_and_is_always_the_same() {
    let folder = TempDir::new().unwrap();
    for place in [TAPROOM, SQUARE, "0xACB40112", "A9B4", "42.5N,33.6E"] {
        let pixels = draw(folder.path(), place);
        let colours: BTreeSet<[u8; 3]> = pixels.iter().copied().collect();
        assert!(colours.len() > 300, "{place}: {} colours", colours.len());
        assert_eq!(pixels, draw(folder.path(), place), "{place}");
    }
}

#[test]
fn nights_are_darker_than_days_and_rainy_skies_are_greyer() {
    let folder = TempDir::new().unwrap();
    // On a hill, away from the lamps of the street.
    let at = |rest: &str| draw(folder.path(), &format!("42.5N,33.6E {rest}"));
    let (noon, night) = (at("--weather clear"), at("--weather clear --time 23:30"));
    let (noon_grey, night_grey) = (brightness(&noon), brightness(&night));
    assert!(noon_grey > 3 * night_grey, "{noon_grey} by day, {night_grey} by night");
    let blue = |pixels: &[[u8; 3]]| {
        // The top rows show the sky.
        pixels[..160 * 20].iter().map(|[r, _, b]| i64::from(*b) - i64::from(*r)).sum::<i64>()
    };
    assert!(blue(&noon) > 4 * blue(&at("--weather rain")));
}

/// Returns the mean brightness of some rows, counted from the top.
fn brightness_of_rows(pixels: &[[u8; 3]], rows: std::ops::Range<usize>) -> u64 {
    brightness(&pixels[160 * rows.start..160 * rows.end])
}

#[test]
fn the_ground_is_visible_at_dusk_and_at_night() {
    let folder = TempDir::new().unwrap();
    for time in ["05:40", "18:30", "20:00", "22:00", "00:00"] {
        let pixels = draw(folder.path(), &format!("{SQUARE} --weather clear --time {time}"));
        let ground = brightness_of_rows(&pixels, 60..90);
        assert!(ground >= 40, "{time}: {ground}");
    }
}

#[test]
fn the_sky_meets_the_horizon_without_a_line() {
    let folder = TempDir::new().unwrap();
    // From a mountain over the edge of the world.
    let view = "44.4083N,35.6083E --look 196,196,153.7";
    let clear = ["06:00", "12:00", "18:30", "20:00", "22:00"].map(|time| ("clear", time));
    let others = ["fair", "overcast", "rain"];
    let others = others.iter().flat_map(|kind| ["12:00", "18:30"].map(|time| (*kind, time)));
    for (weather, time) in clear.into_iter().chain(others) {
        let pixels = draw(folder.path(), &format!("{view} --weather {weather} --time {time}"));
        // A row is 0.7 degrees.
        let rows: Vec<u64> =
            (24..54).map(|row| brightness_of_rows(&pixels, row..row + 1)).collect();
        let jump = rows.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max();
        assert!(jump < Some(9), "{weather} {time}: {jump:?} in {rows:?}");
    }
}

#[test]
fn a_room_without_a_lamp_is_dim_and_its_sides_differ_in_brightness() {
    let folder = TempDir::new().unwrap();
    let data = data_path("dungeon");
    let dats = format!("--dats {} 0x01020100 --look 90,-70,1.7", data.display());
    for place in [dats.as_str(), "0xACB4014E --look 61,170,21.85", "0xACB4013C", "0xACB40138"] {
        let pixels = draw(folder.path(), place);
        let bright = brightness(&pixels);
        assert!((40..=65).contains(&bright), "{place}: {bright}");
    }
    // The ceiling, walls and floor of this room are of the same stone.
    let crypt = draw(folder.path(), "0xACB4013C");
    let [ceiling, floor] = [0..15, 75..90].map(|rows| brightness_of_rows(&crypt, rows));
    assert!(floor > ceiling + 10, "floor {floor}, ceiling {ceiling}");
}

#[test]
fn the_eye_in_a_room_is_not_inside_its_stairs() {
    let folder = TempDir::new().unwrap();
    let view = |place: &str| {
        let output = shot(folder.path(), &format!("{place} --size 16x9 --out a.png"));
        String::from_utf8(output.stdout).unwrap()
    };
    // The flight of stairs is hollow and has room for a person: the eye must not be inside, at height 39.85.
    assert!(!view("0xACB40101").contains("from 27 84 39.8"), "{}", view("0xACB40101"));
    // The eye is in front of the first step, not in the middle of the flight.
    assert!(!view("0xA9B40109").contains("137.9 108.5 41.8"), "{}", view("0xA9B40109"));
}

#[test]
fn with_ids_every_polygon_has_one_flat_colour() {
    let folder = TempDir::new().unwrap();
    let pixels = draw(folder.path(), &format!("{TAPROOM} --layers ids"));
    let colours: BTreeSet<[u8; 3]> = pixels.iter().copied().collect();
    assert!((20..2_000).contains(&colours.len()), "{}", colours.len());
}

#[test]
fn every_layer_draws_something_on_top() {
    let folder = TempDir::new().unwrap();
    // The view looks down, so that the floor is visible.
    let view = "0xA9B40106:134.5,109,41.85 --look 133.5,107,39 --fov 100";
    let bare = draw(folder.path(), view);
    for layer in ["cells", "portals", "regions", "candidates", "contact", "physics"] {
        let pixels = draw(folder.path(), &format!("{view} --layers {layer}"));
        let other = pixels.iter().zip(&bare).filter(|(one, other)| one != other).count();
        assert!((5..8_000).contains(&other), "{layer}: {other} pixels");
    }
}

#[test]
fn sample_worlds_are_drawn() {
    let folder = TempDir::new().unwrap();
    for (world, place) in
        [("holt", "0xA9B40157:108,60,41.7 --look 115,60,41.5"), ("dungeon", "0x01020100")]
    {
        let dats = data_path(world);
        let pixels = draw(folder.path(), &format!("--dats {} {place}", dats.display()));
        assert!(pixels.iter().collect::<BTreeSet<_>>().len() > 100, "{world}");
    }
}

/// Draws a picture in a damaged world, and checks that the record is reported once.
#[track_caller]
fn check_reported_once(world: &str, record: u32, arguments: &str) {
    let folder = TempDir::new().unwrap();
    write_damaged_world(world, folder.path(), record);
    let output = shot(folder.path(), &format!("--dats . {arguments} --size 16x9 --out a.png"));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    let id = format!("0x{record:08X}");
    let lines: Vec<&str> = error.lines().filter(|line| line.contains(&id)).collect();
    assert_eq!(lines.len(), 1, "{error}");
    assert!(lines[0].starts_with("threshold: left out: "), "{error}");
    assert!(lines[0].contains("client_portal.dat"), "{error}");
}

#[test]
fn damaged_records_of_the_human_mover_and_the_region_are_reported_once() {
    let view = "0xA9B40170 --look 156,5,41 --layers contact";
    check_reported_once("holt", 0x0200_0001, view);
    // No land is loaded for this room, so only the light needs the region.
    check_reported_once("dungeon", 0x1300_0000, "0x01020100 --look 90,-70,1.7");
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    for (arguments, reason) in [
        ("A9B4 --out a.jpg", "a.jpg: the file must be a .png file"),
        ("Holtburg --out a.png", "\"Holtburg\": not a place"),
        ("0001 --out a.png", "the world has no"),
        ("0xA9B4FFF0 --out a.png", "the world has no room 0xA9B4FFF0"),
        (
            "0xA9B40105:132,101.2,41.9 --look 132,95,42 --out a.png",
            "0xA9B40105: the point 132,101.2,41.9 is not in that room",
        ),
        ("A9B4 --time 25:00 --out a.png", "write a time of day"),
        (
            "A9B4 --weather frogs --out a.png",
            "--weather frogs: no such kind of day; write one of Clear, Overcast, Fair, Rain",
        ),
        ("A9B4 --size 0x3 --out a.png", "write WIDTHxHEIGHT"),
        ("A9B4 --out no/such/folder/a.png", "a.png: cannot be written"),
    ] {
        let output = shot(folder.path(), arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(reason), "{arguments}: {error}");
    }
}
