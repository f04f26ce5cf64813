//! V6, without images: on a walk out of a house the landscape shows in the doorway in every frame, and a look back shows
//! the room.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{CellId, adjust_to_outside, block_offset_between};
use threshold_testkit::{
    Walk,
    doorway::{Doorway, doorways, walk_in, walk_out},
    forged,
};
use threshold_view::{Lens, PortalWalk, Region, ViewScratch, Viewer, VisibleSet};

/// Distance walked to either side of the sill, and length of a step, in metres.
const REACH: f32 = 5.0;
const STEP: f32 = 0.01;
/// Height of the eye above the feet, in metres: below every lintel.
const EYES: f32 = 1.5;

/// Viewer at the walking body, turned by `turn` degrees from the direction out of the door.
fn viewer(walk: &Walk, door: &Doorway, turn: f64) -> Viewer {
    let eye = walk.at() + Vec3::Z * EYES;
    let (sine, cosine) = (libm::sin(turn.to_radians()) as f32, libm::cos(turn.to_radians()) as f32);
    let aside = door.outward.cross(Vec3::Z);
    let look = door.outward * cosine + aside * sine;
    Viewer::looking_at(walk.cell(), eye, eye + look * 4.0, Lens::default()).unwrap()
}

/// Returns the point of the screen where the doorway shows at the height of the eye. `None` if that is off the screen.
fn on_screen(door: &Doorway, viewer: &Viewer) -> Option<DVec2> {
    let shift = block_offset_between(viewer.cell(), door.room).as_dvec3();
    let at = (door.sill.as_dvec3() + shift).with_z(viewer.eye().z);
    viewer.project(at).filter(|at| at.abs().max_element() <= 1.0)
}

fn any_contains<'a>(mut regions: impl Iterator<Item = Region<'a>>, at: DVec2) -> bool {
    regions.any(|region| region.contains(at))
}

fn room_regions<'a>(seen: &'a VisibleSet, room: CellId) -> impl Iterator<Item = Region<'a>> {
    seen.cell(room).into_iter().flat_map(|cell| cell.regions())
}

/// Checks one frame: a look out of the doorway and a look back into it.
#[track_caller]
fn check_frame(walk: &Walk, door: &Doorway, scratch: &mut ViewScratch) {
    let portal_walk = PortalWalk::new(&walk.world);
    let is_in = walk.cell().is_indoor();
    for turn in [0.0, 40.0, -40.0, 180.0, 140.0, 220.0] {
        let viewer = viewer(walk, door, turn);
        let seen = portal_walk.run(scratch, &mut (), &viewer);
        let context = || format!("{door} from {:?}, turned {turn}", walk.position());
        let looks_out = turn.abs() < 90.0;
        let at = on_screen(door, &viewer);
        // From within the plane of the doorway, the other side has the whole screen.
        let at = at.or((turn == 0.0 || turn == 180.0).then_some(DVec2::ZERO));
        match (is_in, looks_out, at) {
            (true, true, Some(at)) => {
                assert!(any_contains(seen.landscape(), at), "no landscape at {at}: {}", context());
            }
            (false, false, Some(at)) => {
                let regions = room_regions(seen, door.room);
                assert!(any_contains(regions, at), "no room at {at}: {}", context());
            }
            _ => {}
        }
        // The cell of the viewer has the whole screen.
        let own = match is_in {
            true => room_regions(seen, walk.cell()).next(),
            false => seen.landscape().next(),
        };
        let is_whole = |own: Region<'_>| own.coverage() == 1.0 && own.entry().is_none();
        assert!(own.is_some_and(is_whole), "{}", context());
    }
}

/// Numbers of exits by outcome.
#[derive(Debug, Default, PartialEq)]
struct Count {
    walked: usize,
    /// Windows and the like, which block walking bodies.
    closed: usize,
    frames: usize,
}

/// Walks out of every exit of a world and checks one frame of `every`.
fn walk_out_of_exits(mut walk: Walk, every: usize) -> Count {
    let (mut scratch, mut count) = (ViewScratch::new(), Count::default());
    let mut frames = 0..;
    for door in doorways(&walk.world).into_iter().filter(Doorway::is_exit) {
        let rehearsal = walk_in(&mut walk, &door, REACH, STEP)
            .map(|inside| walk_out(&mut walk, &door, inside, REACH, STEP, |_| {}));
        if rehearsal.is_none_or(|way| way.outside < 0.5) {
            count.closed += 1;
            continue;
        }
        let inside = walk_in(&mut walk, &door, REACH, STEP).unwrap();
        let way = walk_out(&mut walk, &door, inside, REACH, STEP, |walk| {
            if frames.next().is_some_and(|frame: usize| frame.is_multiple_of(every)) {
                check_frame(walk, &door, &mut scratch);
            }
        });
        let end = adjust_to_outside(door.room, door.sill + door.outward * REACH);
        let goes_on = end.is_some_and(|(cell, _)| walk.world.is_resident(cell));
        assert!(way.changes == 1 && (way.outside >= REACH || !goes_on), "{door}: {way:?}");
        count.frames += way.frames;
        count.walked += 1;
    }
    count
}

/// 32 windows are closed.
#[test]
fn no_frame_lacks_the_landscape_in_a_doorway_that_is_walked_through() {
    let count = walk_out_of_exits(Walk::sample("holt"), 1);
    assert_eq!((count.walked, count.closed), (34, 32));
    assert!(count.frames > 33_000, "{count:?}");
}

/// In made worlds one frame of five is checked; with `THRESHOLD_SOAK` set, each.
fn often() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 1 } else { 5 }
}

/// Only the windows are closed.
#[test]
fn no_frame_lacks_the_landscape_in_a_doorway_of_the_built_in_world() {
    for made in forged::builtins() {
        let count = walk_out_of_exits(Walk::new(made.builder()), often());
        assert_eq!((count.walked, count.closed), (23, 84), "{}", made.name);
        assert!(count.frames > 21_000, "{}: {count:?}", made.name);
    }
}

#[test]
fn no_frame_lacks_the_landscape_in_a_doorway_of_a_random_village() {
    for made in forged::villages() {
        let walk = Walk::new(made.builder());
        let exits = doorways(&walk.world).into_iter().filter(Doorway::is_exit);
        let windows = exits.filter(|exit| exit.is_walled).count();
        let count = walk_out_of_exits(walk, often());
        assert!(count.closed == windows && count.walked > 10, "{}: {count:?}", made.name);
    }
}
