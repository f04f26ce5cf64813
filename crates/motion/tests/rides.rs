//! The camera of a mover that walks through the built-in world is never behind a surface, and always in the cell it reports.

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
    surfaces::{Owner, SurfaceFace, Surfaces},
};

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Boom, Pivot, SweepScratch, Sweeper, View};

const FRAME: f32 = 1.0 / 30.0;
/// Height of the head above the feet, and wanted length of the boom, in metres.
const HEAD: f32 = 1.5;
const WANTED_LENGTH: f32 = 3.5;
/// Number of parts in which a line of sight is checked.
const PARTS: usize = 16;

/// A camera that follows a mover and turns around it, from three heights in turn.
struct CameraRide<'w> {
    surfaces: &'w Surfaces,
    boom: Boom,
    scratch: SweepScratch,
    frames: usize,
    /// Number of frames with a shortened boom.
    short: usize,
    cells: BTreeSet<CellId>,
}

impl CameraRide<'_> {
    fn frame(&mut self, walk: &Walk) {
        let turn = self.frames as f32 * 0.05;
        let rise = [0.3, 1.0, -0.2][self.frames / 40 % 3];
        let direction = Vec3::new(libm::cosf(turn), libm::sinf(turn), rise).normalize();
        let pivot = Pivot::above(walk.position(), WALKER, HEAD);
        let sweeper = Sweeper::new(&walk.world);
        let view =
            self.boom.follow(&sweeper, &mut self.scratch, &pivot, direction, WANTED_LENGTH, FRAME);
        self.check(walk, &view);
        self.frames += 1;
        self.short += usize::from(view.stopped.is_some());
        self.cells.insert(view.eye.cell);
    }

    fn check(&self, walk: &Walk, view: &View) {
        let context = || format!("{view:?} of {:?}", walk.position());
        assert!(!view.failed, "in no cell: {}", context());
        let cell = walk.world.cell(view.eye.cell).unwrap();
        assert!(cell.contains(view.eye.frame.origin), "not in its cell: {}", context());
        // The straight line from the head must cross no surface near the mover or the camera.
        let mut head = walk.position();
        head.frame.origin.z += HEAD;
        let [from, to] = [&head, &view.eye].map(|at| self.surfaces.to_common_frame(at));
        for part in 0..PARTS {
            let at = |part: usize| from + (to - from) * (part as f32 / PARTS as f32);
            let (a, b) = (at(part), at(part + 1));
            let faces = self
                .surfaces
                .faces_near((a + b) / 2.0)
                .filter(|face| blocks_view(face, walk, view));
            for face in faces {
                assert!(!face.is_crossed(a, b), "through {face:?}: {}", context());
            }
        }
    }
}

/// Returns whether a face blocks the view: objects, the walls of the rooms of mover and camera, and, where both are outdoors,
/// the ground and the shells of buildings. From a room the camera looks out through the doors of a shell.
fn blocks_view(face: &SurfaceFace, walk: &Walk, view: &View) -> bool {
    match face.owner {
        Owner::Room(room) => room == walk.cell() || room == view.eye.cell,
        Owner::Object => true,
        Owner::Ground | Owner::Shell => walk.cell().is_outdoor() && view.eye.cell.is_outdoor(),
    }
}

/// Walks from before an exit to the farthest room behind it and back.
fn ride<'s>(walk: &mut Walk, surfaces: &'s Surfaces, door: &Doorway) -> CameraRide<'s> {
    let route = longest_route(&walk.world, door.room);
    let outside = door.sill + door.outward * 1.5;
    let inside = Position::new(door.room, door.sill - door.outward * 0.6);
    walk.put_in_air(door.beyond.0, (outside + Vec3::Z * FEET).to_array());
    for _ in 0..20 {
        let _ = walk.step([0.0, 0.0, -0.05]);
    }
    let places = [&[inside], &route[..]].concat();
    let (boom, scratch) = (Boom::new(WANTED_LENGTH), SweepScratch::new());
    let cells = BTreeSet::new();
    let mut ride = CameraRide { surfaces, boom, scratch, frames: 0, short: 0, cells };
    follow_route(walk, places.iter().chain(places.iter().rev()), |walk, _, _| ride.frame(walk));
    ride
}

#[test]
fn a_camera_through_the_built_in_world_is_never_behind_a_wall() {
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
