//! V6: on a walk out of a house the landscape shows in the doorway in every frame, and no frame has a hole.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use std::sync::Arc;
use studio::compare;
use studio::slow::Slow;
use studio::{CLEAR, Studio, colour, keep, places};
use threshold_dat::Source;
use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{Position, adjust_to_outside};
use threshold_render::Style;
use threshold_testkit::doorway::{Doorway, doorways, walk_in, walk_out};
use threshold_testkit::{Walk, forged, sample_source, soak_factor};
use threshold_view::{Lens, Viewer};
use threshold_visuals::images::Image;
use threshold_world::{Builder, World};

/// Distance walked to either side of the sill, and length of a step, in metres.
const REACH: f32 = 5.0;
const STEP: f32 = 0.05;
/// Height of the eye above the feet, in metres.
const EYES: f32 = 1.6;
const SIZE: [u32; 2] = [160, 90];
/// One pixel of this number is compared with its ray.
const SPARSE: usize = 171;

/// Viewer at the walking body that looks out of the door.
fn viewer(walk: &Walk, door: &Doorway) -> Viewer {
    let eye = walk.at() + Vec3::Z * EYES;
    Viewer::looking_at(walk.cell(), eye, eye + door.outward * 4.0, Lens::default()).unwrap()
}

/// Whether a pixel is empty and one beside it is not.
fn is_rim(image: &Image, place: [u32; 2]) -> bool {
    let [x, y] = place;
    let beside = [[x.saturating_sub(1), y], [x + 1, y], [x, y.saturating_sub(1)], [x, y + 1]];
    let is_clear = |[x, y]: [u32; 2]| colour(image, [x, y]) == CLEAR;
    is_clear(place) && !beside.into_iter().all(is_clear)
}

/// Checks one frame. The lit image has no hole. The image in flat colours shows what rays reach, the landscape included. It
/// has no sky: every rim of an empty area is checked, so that every hole is found.
#[track_caller]
fn check_frame(studio: &mut Studio, slow: &Slow, viewer: &Viewer, door: &Doorway) {
    let lit = studio.draw(viewer, Style::Lit, SIZE).image;
    if let Some(hole) = places(&lit).find(|place| colour(&lit, *place) == CLEAR) {
        let kept = keep("pictures", "doorway", &lit);
        panic!("{door}: a hole at {hole:?} of {}\n{viewer:?}", kept.display());
    }
    let flat = studio.draw(viewer, Style::Ids, SIZE).image;
    let mut landscape = 0;
    for (number, place) in places(&flat).enumerate() {
        // The middle is in the portal, however small that is.
        let is_ahead = place == SIZE.map(|side| side / 2);
        if number % SPARSE != 0 && !is_ahead && !is_rim(&flat, place) {
            continue;
        }
        let found = slow.cast(viewer, compare::screen(&flat, place, DVec2::ZERO));
        let shown = colour(&flat, place);
        landscape += usize::from(found.is_landscape && found.allows(shown));
        let is_sliver =
            || shown != CLEAR && compare::is_lagging(slow, viewer, &flat, place, compare::SLIVER);
        if !found.allows(shown) && !compare::is_near(slow, viewer, &flat, place) && !is_sliver() {
            let kept = keep("pictures", "doorway", &flat);
            let [shown, want] = [shown, found.colours[0]].map(|it| slow.geometry.name(it));
            panic!(
                "{door}: {shown} instead of {want} at {place:?} of {}\n{viewer:?}",
                kept.display()
            );
        }
    }
    assert!(landscape > 0, "{door}: no landscape from {viewer:?}");
}

/// Distance from the sill, in metres, within which every step is checked. Beyond it one of [`FEW`], unless `THRESHOLD_SOAK`
/// is set.
const CLOSE: f32 = 0.6;
const FEW: usize = 6;

/// Walks out of all exits of a world.
#[track_caller]
fn check(source: Arc<dyn Source>) {
    let mut walk = Walk::new(Builder::shared(source.clone()));
    let mut studio = Studio::new(source, 1);
    let slow = Slow::new(&studio.world, &*studio.source);
    let (mut walked, mut steps, mut frames) = (0, 0, 0);
    let every = if soak_factor() > 1 { 1 } else { FEW };
    for door in doorways(&walk.world).into_iter().filter(Doorway::is_exit) {
        let rehearsal = walk_in(&mut walk, &door, REACH, STEP)
            .map(|inside| walk_out(&mut walk, &door, inside, REACH, STEP, |_| {}));
        if rehearsal.is_none_or(|out| out.outside < 0.5) {
            continue;
        }
        let inside = walk_in(&mut walk, &door, REACH, STEP).unwrap();
        let out = walk_out(&mut walk, &door, inside, REACH, STEP, |walk| {
            steps += 1;
            let sill = Position::new(door.room, door.sill);
            let far = sill.offset_to(&walk.position()).truncate().length();
            if far < CLOSE || steps % every == 0 {
                check_frame(&mut studio, &slow, &viewer(walk, &door), &door);
                frames += 1;
            }
        });
        assert_eq!(out.changes, 1, "{door}");
        walked += 1;
    }
    println!("{walked} doors, {frames} frames of {steps}");
    assert!(walked > 20 && frames > walked * 30, "{walked} doors, {frames} frames");
}

#[test]
fn no_frame_has_a_hole_or_lacks_the_landscape_on_walks_out_of_houses_of_the_town() {
    check(Arc::new(sample_source("holt")));
}

#[test]
fn no_frame_has_a_hole_or_lacks_the_landscape_on_walks_out_of_houses_of_the_built_in_world() {
    check(forged::builtins()[0].source.clone());
}

/// Returns viewers on a straight line out of a window: in the room as long as it contains the eye, then outdoors.
fn flight(world: &World, window: &Doorway) -> Vec<Viewer> {
    let room = world.room(window.room).unwrap();
    let portal = &room.portals()[usize::from(window.number)];
    let corners = room.portal_polygon(portal).vertices;
    let middle = room.to_block(corners.iter().sum::<Vec3>() / corners.len() as f32);
    let eyes = (-20..40_i8).map(|step| middle + window.outward * (f32::from(step) + 0.4) * STEP);
    let within = |eye: Vec3| match (eye - middle).dot(window.outward) < 0.0 {
        true => room.contains(eye).then_some((window.room, eye)),
        false => adjust_to_outside(window.room, eye),
    };
    let look = |(cell, eye)| Viewer::looking_at(cell, eye, eye + window.outward, Lens::default());
    eyes.filter_map(|eye| within(eye).map(look)).map(Result::unwrap).collect()
}

/// Checks lines out of windows, through which no body can walk: one window of `step`, unless `THRESHOLD_SOAK` is set.
#[track_caller]
fn check_flights(mut studio: Studio, step: usize) {
    let slow = Slow::new(&studio.world, &*studio.source);
    let windows = doorways(&studio.world);
    let windows = windows.into_iter().filter(|it| it.is_walled && it.beyond.is_outdoor());
    let step = (step / soak_factor()).max(1);
    let (mut flown, mut frames) = (0, 0);
    for window in windows.step_by(step) {
        for viewer in flight(&studio.world, &window) {
            check_frame(&mut studio, &slow, &viewer, &window);
            frames += 1;
        }
        flown += 1;
    }
    println!("{flown} windows, {frames} frames");
    assert!(flown > 2 && frames > flown * 30, "{flown} windows, {frames} frames");
}

#[test]
fn no_frame_has_a_hole_or_lacks_the_landscape_on_flights_out_of_windows() {
    check_flights(Studio::fixture("holt"), 10);
    check_flights(Studio::builtin(1), 10);
}
