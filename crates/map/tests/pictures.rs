//! The library draws the maps in `docs/pictures`, byte for byte.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::path::Path;

use threshold_map::{DrawnMap, MapError, MapOptions, Pieces, draw_place, draw_whole, svg};

fn pieces() -> Pieces {
    Pieces::new(threshold_forge::builtin(threshold_forge::SEED).unwrap())
}

fn draw(place: &str, options: &MapOptions) -> Result<DrawnMap, MapError> {
    draw_place(&mut pieces(), &place.parse().unwrap(), options)
}

#[track_caller]
fn check(map: &DrawnMap, picture: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let want = std::fs::read_to_string(folder.join(picture)).unwrap();
    assert!(svg::to_svg(&map.drawing) == want, "{picture} differs");
}

#[test]
fn the_maps_of_the_pages_are_drawn_byte_for_byte() {
    let options = MapOptions::default();
    check(&draw_whole(&mut pieces(), &options).unwrap(), "map-world.svg");
    check(&draw("A9B4", &options).unwrap(), "map-village.svg");
    check(&draw("0xACB40100", &options).unwrap(), "map-depths.svg");
    let options = MapOptions { ids: true, ..options };
    check(&draw("0xA9B40105", &options).unwrap(), "how-inn.svg");
}

#[test]
fn options_that_do_not_suit_the_map_are_errors() {
    let blocks = MapOptions { blocks: Some((3, 3)), ..MapOptions::default() };
    assert!(matches!(draw("0xA9B40105", &blocks), Err(MapError::BlocksOfRoom(_))));
    let level = MapOptions { level: Some(40.0), ..MapOptions::default() };
    assert!(matches!(draw("A9B4", &level), Err(MapError::LevelOfLandscape(_))));
    let nothing = draw("0000", &MapOptions::default()).unwrap_err();
    assert_eq!(nothing.to_string(), "landblock 0000 has neither land nor rooms");
}

#[cfg(feature = "png")]
#[test]
fn a_png_file_has_two_pixels_per_unit() {
    let map = draw("0xA9B40105", &MapOptions::default()).unwrap();
    let png = threshold_map::raster::to_png(&svg::to_svg(&map.drawing)).unwrap();
    let size = map.drawing.size * 2.0;
    let [width, height] = png.size.map(|side| side as f32);
    assert!((width - size.x).abs() <= 1.0 && (height - size.y).abs() <= 1.0);
    assert!(png.bytes.starts_with(b"\x89PNG"));
}
