//! The camera of who walks through the built-in world: never behind a surface, never nowhere, and always in the cell it says.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use threshold_testkit::{
    FEET, WALKER, Walk,
    doorway::{Doorway, doorways},
    forged,
    route::{follow_route, longest_route},
    surfaces::{Face, Owner, Surfaces},
};

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Boom, Pivot, SweepScratch, Sweeper, View};

const FRAME: f32 = 1.0 / 30.0;
/// How high the head is above the feet, and how long the boom would be, in metres.
const HEAD: f32 = 1.5;
const WISH: f32 = 3.5;
/// In how many parts a line of sight is looked at.
const PARTS: usize = 16;

/// A camera that follows a walker from behind, from the right and from above in turn.
struct Ride<'w> {
    surfaces: &'w Surfaces,
    boom: Boom,
    scratch: SweepScratch,
    frames: usize,
    /// How often the boom was shortened.
    short: usize,
    cells: BTreeSet<CellId>,
}

impl Ride<'_> {
    fn frame(&mut self, walk: &Walk) {
        let turn = self.frames as f32 * 0.05;
        let rise = [0.3, 1.0, -0.2][self.frames / 40 % 3];
        let direction = Vec3::new(libm::cosf(turn), libm::sinf(turn), rise).normalize();
        let pivot = Pivot::above(walk.position(), WALKER, HEAD);
        let sweeper = Sweeper::new(&walk.world);
        let view = self.boom.follow(&sweeper, &mut self.scratch, &pivot, direction, WISH, FRAME);
        self.check(walk, &view);
        self.frames += 1;
        self.short += usize::from(view.stopped.is_some());
        self.cells.insert(view.eye.cell);
    }

    fn check(&self, walk: &Walk, view: &View) {
        let context = || format!("{view:?} of {:?}", walk.position());
        assert!(!view.failed, "nowhere: {}", context());
        let cell = walk.world.cell(view.eye.cell).unwrap();
        assert!(cell.contains(view.eye.frame.origin), "not in its cell: {}", context());
        // A straight line of sight from the head, past every surface of where either is.
        let mut head = walk.position();
        head.frame.origin.z += HEAD;
        let [from, to] = [&head, &view.eye].map(|at| self.surfaces.to_common_frame(at));
        for part in 0..PARTS {
            let at = |part: usize| from + (to - from) * (part as f32 / PARTS as f32);
            let (a, b) = (at(part), at(part + 1));
            let faces =
                self.surfaces.faces_near((a + b) / 2.0).filter(|face| counts(face, walk, view));
            for face in faces {
                assert!(!face.is_crossed(a, b), "through {face:?}: {}", context());
            }
        }
    }
}

/// The walls of the rooms that the walker and its camera are in, and objects. The ground and the shells of buildings where both
/// are outdoors: from a room one looks out through a shell's doors.
fn counts(face: &Face, walk: &Walk, view: &View) -> bool {
    match face.owner {
        Owner::Room(room) => room == walk.cell() || room == view.eye.cell,
        Owner::Object => true,
        Owner::Ground | Owner::Shell => walk.cell().is_outdoor() && view.eye.cell.is_outdoor(),
    }
}

/// Rides from before an exit to the farthest room behind it and back.
fn ride<'s>(walk: &mut Walk, surfaces: &'s Surfaces, door: &Doorway) -> Ride<'s> {
    let way = longest_route(&walk.world, door.room);
    let outside = door.sill + door.outward * 1.5;
    let inside = Position::new(door.room, door.sill - door.outward * 0.6);
    walk.put_in_air(door.beyond.0, (outside + Vec3::Z * FEET).to_array());
    for _ in 0..20 {
        let _ = walk.step([0.0, 0.0, -0.05]);
    }
    let places = [&[inside], &way[..]].concat();
    let (boom, scratch) = (Boom::new(WISH), SweepScratch::new());
    let cells = BTreeSet::new();
    let mut ride = Ride { surfaces, boom, scratch, frames: 0, short: 0, cells };
    follow_route(walk, places.iter().chain(places.iter().rev()), |walk, _, _| ride.frame(walk));
    ride
}

#[test]
fn a_camera_rides_through_the_built_in_world_and_never_looks_from_behind_a_wall() {
    for made in forged::builtins() {
        let mut walk = Walk::new(made.builder());
        let surfaces = Surfaces::of(&walk.world, CellId(0xA9B4_0001));
        let (mut frames, mut short, mut cells) = (0, 0, BTreeSet::new());
        for door in doorways(&walk.world).iter().filter(|door| door.is_exit() && !door.is_walled) {
            let ride = ride(&mut walk, &surfaces, door);
            (frames, short) = (frames + ride.frames, short + ride.short);
            cells.extend(ride.cells);
        }
        let rooms = cells.iter().filter(|cell| cell.is_indoor()).count();
        let name = &made.name;
        assert!(frames > 8000 && short > 5000 && rooms > 70, "{name}: {frames}, {short}, {rooms}");
    }
}
