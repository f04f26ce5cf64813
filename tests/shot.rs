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
    let at = |rest: &str| taken(folder.path(), &format!("{SQUARE} {rest}"));
    let (noon, night) = (at("--weather clear"), at("--weather clear --time 23:30"));
    assert!(brightness(&noon) > 3 * brightness(&night));
    let blue = |pixels: &[[u8; 3]]| {
        // The uppermost rows: sky.
        pixels[..160 * 20].iter().map(|[r, _, b]| i64::from(*b) - i64::from(*r)).sum::<i64>()
    };
    assert!(blue(&noon) > 4 * blue(&at("--weather rain")));
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
        ("A9B4 --out a.jpg", "a.jpg: a picture is a .png file"),
        ("Holtburg --out a.png", "\"Holtburg\": not a place"),
        ("0001 --out a.png", "this world has no"),
        ("0xA9B4FFF0 --out a.png", "this world has no room 0xA9B4FFF0"),
        ("A9B4 --time 25:00 --out a.png", "write a time of day"),
        ("A9B4 --weather frogs --out a.png", "--weather frogs: no such day in the region"),
        ("A9B4 --size 0x3 --out a.png", "write 1280x720"),
        ("A9B4 --out no/such/folder/a.png", "a.png: cannot be written"),
    ] {
        let output = shot(folder.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{arguments}: {said}");
    }
}
