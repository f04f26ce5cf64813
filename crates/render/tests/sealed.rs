//! V4: indoors there are no holes, and the landscape shows in exit portals and nowhere else.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use std::collections::BTreeSet;
use std::sync::Arc;
use threshold_testkit::{Random, random_viewer_in, room_ids, soak_factor};

use studio::slow::Slow;
use studio::{CLEAR, Studio, boxes, colour, compare, keep, places};
use threshold_forge::samples;
use threshold_land::CellId;
use threshold_land::vector::DVec2;
use threshold_render::Style;
use threshold_view::{Viewer, VisibleSet};

const SIZE: [u32; 2] = [96, 64];

/// Numbers of images and pixels.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    images: usize,
    pixels: usize,
    /// Pixels where the near plane cuts something, behind a portal at the eye.
    cut: usize,
    /// Pixels in exit portals.
    outside: usize,
}

/// Whether a pixel, or one beside it, lies in a region of the landscape.
fn is_outside(seen: &VisibleSet, middle: DVec2, pixel: DVec2) -> bool {
    let around = [-1.0, 0.0, 1.0];
    let mut asides = around.into_iter().flat_map(|x| around.map(|y| DVec2::new(x, y)));
    asides.any(|aside| seen.landscape().any(|region| region.contains(middle + aside * pixel)))
}

/// Checks one image in flat colours and one lit image.
#[track_caller]
fn check_picture(
    studio: &mut Studio,
    (slow, lands): (&Slow, &BTreeSet<[u8; 3]>),
    viewer: &Viewer,
    tally: &mut Tally,
) {
    let pixel = DVec2::new(2.0 / f64::from(SIZE[0]), 2.0 / f64::from(SIZE[1]));
    let shot = studio.draw(viewer, Style::Ids, SIZE);
    tally.images += 1;
    for place in places(&shot.image) {
        tally.pixels += 1;
        let shown = colour(&shot.image, place);
        let is_hole = shown == CLEAR;
        if !is_hole && !lands.contains(&shown) {
            continue;
        }
        let middle = compare::screen(&shot.image, place, DVec2::ZERO);
        let found = slow.cast(viewer, middle);
        if is_outside(shot.seen, middle, pixel) {
            tally.outside += 1;
        } else if is_hole && found.is_unknown {
            tally.cut += 1;
        } else {
            let kept = keep("pictures", &format!("sealed {}", viewer.cell()), &shot.image);
            let what = slow.geometry.name(shown);
            panic!(
                "{what} at {place:?} of {}, where rays find {found:?}\n{viewer:?}",
                kept.display()
            );
        }
    }
    let lit = studio.draw(viewer, Style::Lit, SIZE).image;
    let hole = places(&lit).find(|place| colour(&lit, *place) == CLEAR);
    assert_eq!(hole, None, "{viewer:?}");
}

/// Checks a random viewer in each room, at points with room for a head.
#[track_caller]
fn check(studio: &mut Studio, cells: &[CellId]) -> Tally {
    let slow = Slow::new(&studio.world, &*studio.source);
    let lands = slow.geometry.land_colours();
    let (mut random, mut tally) = (Random(6), Tally::default());
    for cell in cells {
        let mut tries = (0..200).map(|_| random_viewer_in(&studio.world, *cell, &mut random));
        // A crawl space has no room for a head.
        let Some(viewer) = tries.find(|viewer| slow.is_free(viewer)) else { continue };
        check_picture(studio, (&slow, &lands), &viewer, &mut tally);
    }
    println!("{tally:?} in {} cells", cells.len());
    assert!(tally.images * 10 > cells.len() * 9, "{tally:?} in {} cells", cells.len());
    assert!(tally.cut * 50 < tally.pixels, "{tally:?}");
    tally
}

/// Returns every `step`th room; with `THRESHOLD_SOAK` set, ten times as many.
fn every(studio: &Studio, step: usize) -> Vec<CellId> {
    let step = (step / soak_factor()).max(1);
    room_ids(&studio.world).into_iter().step_by(step).collect()
}

#[test]
fn no_hole_shows_in_the_dungeon() {
    let mut studio = Studio::fixture("dungeon");
    let cells = every(&studio, 1);
    let tally = check(&mut studio, &cells);
    assert_eq!(tally.outside, 0, "{tally:?}");
}

#[test]
fn no_hole_shows_in_overlapping_rooms() {
    let boxes = boxes::larger_inside();
    let mut studio = Studio::new(Arc::new(boxes.records()), 1);
    let tally = check(&mut studio, &boxes.cells().repeat(5));
    assert_eq!(tally.outside, 0, "{tally:?}");
}

#[test]
fn no_hole_shows_in_a_random_deep_dungeon() {
    let mut studio = Studio::new(Arc::new(samples::deep(60, 1).unwrap()), 1);
    let cells = every(&studio, 2);
    check(&mut studio, &cells);
}

#[test]
fn from_rooms_of_the_town_the_landscape_shows_only_in_exits() {
    let mut studio = Studio::fixture("holt");
    let cells = every(&studio, 2);
    let tally = check(&mut studio, &cells);
    assert!(tally.outside > 1000, "{tally:?}");
}

#[test]
fn from_rooms_of_the_built_in_world_the_landscape_shows_only_in_exits() {
    let mut studio = Studio::builtin(1);
    let cells = every(&studio, 3);
    let tally = check(&mut studio, &cells);
    assert!(tally.outside > 1000, "{tally:?}");
}
