//! V6: whoever walks out of a house sees the landscape in the doorway in every frame, and no frame has a hole.

#![allow(clippy::duplicate_mod, reason = "the samples of two suites have worlds in common")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

#[path = "../../motion/tests/sample/mod.rs"]
mod motion;
mod studio;

use motion::doorway::{Doorway, doorways};
use motion::{Walk, forged};
use std::sync::Arc;
use studio::compare;
use studio::slow::Slow;
use studio::{CLEAR, Studio, colour, keep, places, sample};
use threshold_dat::{DatFolder, Source};
use threshold_land::glam::{DVec2, Vec3};
use threshold_render::gpu::Style;
use threshold_view::{Lens, Viewer};
use threshold_world::Builder;

/// How far one goes to either side of the sill, and a step, in metres.
const WAY: f32 = 5.0;
const STEP: f32 = 0.05;
/// How high the eye is above the feet, in metres.
const EYES: f32 = 1.6;
const SIZE: [u32; 2] = [160, 90];
/// Pixels of which one is compared with what a ray comes to: as many rows as columns are skipped.
const SPARSE: usize = 171;

/// Stands on the sill and walks inwards as far as there is room; `None` where nobody gets in.
fn go_in(walk: &mut Walk, door: &Doorway) -> Option<f32> {
    let above = door.sill - door.outward * 0.3 + Vec3::Z * 0.1;
    walk.hang(door.room.0, above.to_array());
    let mut falls = (0..20).map(|_| walk.step([0.0, 0.0, -0.05]));
    let _ = falls.find(|outcome| outcome.stance.on_walkable)?;
    let mut inside = 0.3;
    while inside < WAY {
        let before = walk.at();
        let _ = walk.step((door.outward * -STEP).to_array());
        let moved = (before - walk.at()).dot(door.outward);
        if moved < STEP / 2.0 {
            break;
        }
        inside += moved;
    }
    walk.cell().is_indoor().then_some(inside)
}

/// Where a walk out of a doorway ended, in metres from the sill, and how often one came from a room to the landscape or back.
fn go_out(
    walk: &mut Walk,
    door: &Doorway,
    inside: f32,
    mut frame: impl FnMut(&Walk),
) -> (f32, usize) {
    let (mut outside, mut changes) = (-inside, 0);
    while outside < WAY {
        frame(walk);
        let (before, was_in) = (walk.position(), walk.cell().is_indoor());
        let _ = walk.step((door.outward * STEP).to_array());
        let moved = before.offset_to(&walk.position()).dot(door.outward);
        outside += moved;
        changes += usize::from(walk.cell().is_indoor() != was_in);
        if moved < STEP / 4.0 {
            break;
        }
    }
    (outside, changes)
}

/// What the walker sees, who looks where he goes.
fn viewer(walk: &Walk, door: &Doorway) -> Viewer {
    let eye = walk.at() + Vec3::Z * EYES;
    Viewer::looking_at(walk.cell(), eye, eye + door.outward * 4.0, Lens::default()).unwrap()
}

/// One frame: as it looks it has no hole, and in flat colours it is what rays come to; the landscape is among that.
#[track_caller]
fn check_frame(studio: &mut Studio, slow: &Slow, viewer: &Viewer, door: &Doorway) {
    let lit = studio.draw(viewer, Style::Lit, SIZE).picture;
    let hole = places(&lit).find(|place| {
        colour(&lit, *place) == CLEAR && !compare::is_crack(slow, viewer, &lit, *place)
    });
    if let Some(hole) = hole {
        let kept = keep("pictures", "doorway", &lit);
        panic!("{door}: a hole at {hole:?} of {}\n{viewer:?}", kept.display());
    }
    let flat = studio.draw(viewer, Style::Ids, SIZE).picture;
    let mut landscape = 0;
    for place in places(&flat).step_by(SPARSE) {
        let found = slow.cast(viewer, compare::screen(&flat, place, DVec2::ZERO));
        let shown = colour(&flat, place);
        landscape += usize::from(found.is_landscape && found.allows(shown));
        if !found.allows(shown)
            && !compare::is_near(slow, viewer, &flat, place)
            && !compare::is_crack(slow, viewer, &flat, place)
        {
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

/// Walks out of so many exits of a world; with `THRESHOLD_SOAK` set out of all.
#[track_caller]
fn check(source: Arc<dyn Source>, walks: usize) {
    let mut walk = Walk::new(Builder::shared(source.clone()));
    let mut studio = Studio::new(source, 1);
    let slow = Slow::new(&studio.world, &*studio.source);
    let walks = if sample::times() > 1 { usize::MAX } else { walks };
    let (mut walked, mut frames) = (0, 0);
    for door in doorways(&walk.world).into_iter().filter(Doorway::is_exit) {
        if walked == walks {
            break;
        }
        let rehearsal =
            go_in(&mut walk, &door).map(|inside| go_out(&mut walk, &door, inside, |_| {}));
        if rehearsal.is_none_or(|(outside, _)| outside < 0.5) {
            continue;
        }
        let inside = go_in(&mut walk, &door).unwrap();
        let (_, changes) = go_out(&mut walk, &door, inside, |walk| {
            check_frame(&mut studio, &slow, &viewer(walk, &door), &door);
            frames += 1;
        });
        assert_eq!(changes, 1, "{door}");
        walked += 1;
    }
    println!("{walked} doors, {frames} frames");
    assert!(walked > 2 && frames > walked * 80, "{walked} doors, {frames} frames");
}

#[test]
fn no_frame_has_a_hole_or_lacks_the_landscape_as_one_walks_out_of_houses_of_the_town() {
    check(Arc::new(DatFolder::open(&sample::data("holt")).unwrap()), 3);
}

#[test]
fn no_frame_has_a_hole_or_lacks_the_landscape_as_one_walks_out_of_houses_of_the_built_in_world() {
    check(forged::builtins()[0].source.clone(), 3);
}
