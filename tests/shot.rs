//! `threshold shot`, as it is called.

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

fn shot(folder: &Path, arguments: &str) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
    run.current_dir(folder).arg("shot").args(arguments.split_whitespace());
    run.output().unwrap()
}

/// The pixels of a picture that was taken.
#[track_caller]
fn taken(folder: &Path, arguments: &str) -> Vec<[u8; 3]> {
    let output = shot(folder, &format!("{arguments} --size 160x90 --out shot.png"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {complaint}");
    let picture = image::open(folder.join("shot.png")).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (160, 90));
    picture.pixels().map(|pixel| pixel.0).collect()
}

/// How bright a picture is, 0 to 255.
fn brightness(pixels: &[[u8; 3]]) -> u64 {
    let sum: u64 = pixels.iter().flatten().map(|part| u64::from(*part)).sum();
    sum / (3 * pixels.len() as u64)
}

const TAPROOM: &str = "0xA9B40106:134.5,109,41.9 --look 131,100,41.2";
const SQUARE: &str = "0xA9B40024:84,60,44 --look 120,105,42";

#[test]
fn a_picture_shows_something_and_is_the_same_every_time() {
    let folder = TempDir::new().unwrap();
    for place in [TAPROOM, SQUARE, "0xACB40112", "A9B4", "42.5N,33.6E"] {
        let pixels = taken(folder.path(), place);
        let colours: BTreeSet<[u8; 3]> = pixels.iter().copied().collect();
        assert!(colours.len() > 300, "{place}: {} colours", colours.len());
        assert_eq!(pixels, taken(folder.path(), place), "{place}");
    }
}

#[test]
fn nights_are_darker_than_days_and_rain_is_greyer_than_sun() {
    let folder = TempDir::new().unwrap();
    // On a hill, away from the lamps of the street.
    let at = |rest: &str| taken(folder.path(), &format!("42.5N,33.6E {rest}"));
    let (noon, night) = (at("--weather clear"), at("--weather clear --time 23:30"));
    let (noon_grey, night_grey) = (brightness(&noon), brightness(&night));
    assert!(noon_grey > 3 * night_grey, "{noon_grey} by day, {night_grey} by night");
    let blue = |pixels: &[[u8; 3]]| {
        // The uppermost rows: sky.
        pixels[..160 * 20].iter().map(|[r, _, b]| i64::from(*b) - i64::from(*r)).sum::<i64>()
    };
    assert!(blue(&noon) > 4 * blue(&at("--weather rain")));
}

/// The mean of a part of rows, 0 for the uppermost to 1.
fn brightness_of_rows(pixels: &[[u8; 3]], rows: std::ops::Range<usize>) -> u64 {
    brightness(&pixels[160 * rows.start..160 * rows.end])
}

#[test]
fn the_ground_can_be_made_out_at_dusk_and_by_night() {
    let folder = TempDir::new().unwrap();
    for time in ["05:40", "18:30", "20:00", "22:00", "00:00"] {
        let pixels = taken(folder.path(), &format!("{SQUARE} --weather clear --time {time}"));
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
        let pixels = taken(folder.path(), &format!("{view} --weather {weather} --time {time}"));
        // A row is 0.7 degrees.
        let rows: Vec<u64> =
            (24..54).map(|row| brightness_of_rows(&pixels, row..row + 1)).collect();
        let jump = rows.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max();
        assert!(jump < Some(9), "{weather} {time}: {jump:?} in {rows:?}");
    }
}

#[test]
fn a_room_without_a_lamp_is_dim_and_its_sides_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/dungeon");
    let dats = format!("--dats {} 0x01020100 --look 90,-70,1.7", data.display());
    for place in [dats.as_str(), "0xACB4014E --look 61,170,21.85", "0xACB4013C", "0xACB40138"] {
        let pixels = taken(folder.path(), place);
        let bright = brightness(&pixels);
        assert!((40..=65).contains(&bright), "{place}: {bright}");
    }
    // Of one stone all over: the ceiling, a wall and the floor.
    let crypt = taken(folder.path(), "0xACB4013C");
    let [ceiling, floor] = [0..15, 75..90].map(|rows| brightness_of_rows(&crypt, rows));
    assert!(floor > ceiling + 10, "floor {floor}, ceiling {ceiling}");
}

#[test]
fn whoever_is_put_into_a_room_does_not_stand_in_its_stairs() {
    let folder = TempDir::new().unwrap();
    let view = |place: &str| {
        let output = shot(folder.path(), &format!("{place} --size 16x9 --out a.png"));
        String::from_utf8(output.stdout).unwrap()
    };
    // The flight is hollow, and somebody fits in: not at 39.85, over the lowest floor there is.
    assert!(!view("0xACB40101").contains("from 27 84 39.8"), "{}", view("0xACB40101"));
    // Before the first step, and not in the middle of the flight.
    assert!(!view("0xA9B40109").contains("137.9 108.5 41.8"), "{}", view("0xA9B40109"));
}

#[test]
fn with_ids_every_polygon_has_one_flat_colour() {
    let folder = TempDir::new().unwrap();
    let pixels = taken(folder.path(), &format!("{TAPROOM} --layers ids"));
    let colours: BTreeSet<[u8; 3]> = pixels.iter().copied().collect();
    assert!((20..2_000).contains(&colours.len()), "{}", colours.len());
}

#[test]
fn every_layer_draws_something_on_top() {
    let folder = TempDir::new().unwrap();
    // Downwards, so that the floor is seen that somebody stands on there.
    let view = "0xA9B40106:134.5,109,41.85 --look 133.5,107,39 --fov 100";
    let bare = taken(folder.path(), view);
    for layer in ["cells", "portals", "regions", "candidates", "contact", "physics"] {
        let pixels = taken(folder.path(), &format!("{view} --layers {layer}"));
        let other = pixels.iter().zip(&bare).filter(|(one, other)| one != other).count();
        assert!((5..8_000).contains(&other), "{layer}: {other} pixels");
    }
}

#[test]
fn sample_worlds_can_be_looked_at() {
    let folder = TempDir::new().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    for (world, place) in
        [("holt", "0xA9B40157:108,60,41.7 --look 115,60,41.5"), ("dungeon", "0x01020100")]
    {
        let dats = data.join(world);
        let pixels = taken(folder.path(), &format!("--dats {} {place}", dats.display()));
        assert!(pixels.iter().collect::<BTreeSet<_>>().len() > 100, "{world}");
    }
}

#[test]
fn each_refusal_says_why() {
    let folder = TempDir::new().unwrap();
    for (arguments, why) in [
        ("A9B4 --out a.jpg", "a.jpg: the file must be a .png file"),
        ("Holtburg --out a.png", "\"Holtburg\": not a place"),
        ("0001 --out a.png", "this world has no"),
        ("0xA9B4FFF0 --out a.png", "this world has no room 0xA9B4FFF0"),
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
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{arguments}: {said}");
    }
}
