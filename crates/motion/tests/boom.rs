//! The boom of a camera: shortens at once, relaxes smoothly, and stands still where nothing moves.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::{Face, Opening, Plan, RoomSpec};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position};
use threshold_motion::{Boom, Pivot, SweepScratch, Sweeper, VIEWER_RADIUS, View};
use threshold_testkit::{
    layouts::{A, B, plain, row},
    load_all,
};
use threshold_world::{BodyId, Builder, PieceId, World};

const FRAME: f32 = 1.0 / 60.0;
const BACK: Vec3 = Vec3::NEG_X;

/// Two rooms in a row, four metres each, open to each other at x = 4.
fn rooms() -> World {
    load_all(&Builder::new(row(&[4.0, 4.0], &[])))
}

fn at(cell: CellId, x: f32) -> Pivot {
    Pivot::above(Position::new(cell, Vec3::new(x, 2.0, 0.005)), BodyId(1), 1.5)
}

/// A boom in a world of two rooms.
struct BoomRig {
    world: World,
    scratch: SweepScratch,
    boom: Boom,
}

impl BoomRig {
    fn new(length: f32) -> Self {
        Self { world: rooms(), scratch: SweepScratch::new(), boom: Boom::new(length) }
    }

    fn frame(&mut self, pivot: &Pivot, direction: Vec3, wanted: f32) -> View {
        let sweeper = Sweeper::new(&self.world);
        self.boom.follow(&sweeper, &mut self.scratch, pivot, direction, wanted, FRAME)
    }
}

#[test]
fn a_boom_has_the_wanted_length_where_there_is_room() {
    let mut rig = BoomRig::new(3.0);
    let view = rig.frame(&at(B, 6.0), BACK, 3.0);
    assert!((view.distance - 3.0).abs() < 1e-4, "{view:?}");
    assert_eq!((view.eye.cell, view.stopped, view.failed), (A, None, false));
}

#[test]
fn a_boom_shortens_at_once_where_a_wall_is_in_its_way() {
    let mut rig = BoomRig::new(3.0);
    let view = rig.frame(&at(A, 2.0), BACK, 3.0);
    let eye = view.eye.frame.origin;
    assert!((eye.x - VIEWER_RADIUS).abs() < 0.01, "{eye}");
    assert_eq!((view.stopped, rig.boom.length), (Some(Vec3::X), view.distance));
}

#[test]
fn a_boom_relaxes_smoothly_and_never_exceeds_the_wanted_length() {
    let mut rig = BoomRig::new(3.0);
    let short = rig.frame(&at(A, 2.0), BACK, 3.0).distance;
    let lengths: Vec<f32> =
        (0..120).map(|_| rig.frame(&at(A, 2.0), Vec3::X, 3.0).distance).collect();
    let first = lengths[0] - short;
    assert!(first > 0.0 && first < 0.1, "{short} to {}", lengths[0]);
    for pair in lengths.windows(2) {
        let step = pair[1] - pair[0];
        assert!((-1e-4..=first + 1e-4).contains(&step), "{} to {}", pair[0], pair[1]);
    }
    let last = lengths[119];
    assert!(last > 2.99 && last <= 3.0 + 1e-4, "{last}");
}

#[test]
fn a_boom_follows_a_wanted_length_that_grows_or_shrinks() {
    let mut rig = BoomRig::new(1.0);
    let grown = rig.frame(&at(B, 6.0), BACK, 3.0).distance;
    assert!(grown > 1.0 && grown < 1.2, "{grown}");
    let mut rig = BoomRig::new(3.0);
    let shrunk = rig.frame(&at(B, 6.0), BACK, 1.0).distance;
    assert!(shrunk < 3.0 && shrunk > 2.8, "{shrunk}");
    let mut at_once = BoomRig { boom: Boom { length: 3.0, ease: 0.0 }, ..BoomRig::new(3.0) };
    assert!((at_once.frame(&at(B, 6.0), BACK, 1.0).distance - 1.0).abs() < 1e-4);
}

#[test]
fn a_camera_that_has_settled_stands_still_to_the_bit() {
    for direction in [BACK, Vec3::X, Vec3::new(-1.0, 0.3, 0.4), Vec3::new(0.2, 1.0, -0.3)] {
        let mut rig = BoomRig::new(0.5);
        let settled = (0..600).map(|_| rig.frame(&at(A, 2.0), direction, 2.5)).last().unwrap();
        for _ in 0..60 {
            assert_eq!(rig.frame(&at(A, 2.0), direction, 2.5), settled, "{direction}");
        }
    }
}

#[test]
fn the_head_may_be_in_another_room_than_the_feet() {
    let mut rig = BoomRig::new(0.0);
    let mut pivot = at(A, 3.9);
    pivot.head.x = 0.3;
    let view = rig.frame(&pivot, Vec3::ZERO, 2.0);
    assert_eq!((view.eye.cell, view.distance), (B, 0.0));
    assert!((view.eye.frame.origin - Vec3::new(4.2, 2.0, 1.505)).length() < 1e-5);
}

#[test]
fn a_head_outside_every_cell_puts_the_eye_at_the_feet() {
    let mut rig = BoomRig::new(2.0);
    let mut pivot = at(A, 2.0);
    pivot.head.z = 50.0;
    let view = rig.frame(&pivot, BACK, 2.0);
    assert!(view.failed && view.eye == pivot.player);
}

#[test]
fn a_camera_stays_in_resident_cells_by_any_rules() {
    let builder = Builder::new(row(&[4.0, 4.0], &[]));
    let mut world = World::new();
    world.adopt(builder.build(PieceId::Room(A)).unwrap().unwrap().piece);
    let view = Sweeper::new(&world).view(&mut SweepScratch::new(), &at(A, 2.0), Vec3::X * 6.0);
    assert!(!view.failed && view.eye.cell == A && view.eye.frame.origin.x <= 4.0, "{view:?}");
    assert!(view.stopped.is_some());
}

#[test]
fn a_camera_crosses_a_landblock_border() {
    let world = load_all(&Builder::new(plain(&[0xA9B3, 0xA9B4]).finish().unwrap()));
    let player = Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, 1.0, 0.005));
    let pivot = Pivot::above(player, BodyId(1), 1.5);
    let view =
        Sweeper::new(&world).view(&mut SweepScratch::new(), &pivot, Vec3::new(0.0, -4.0, 1.0));
    assert_eq!(view.eye.cell, CellId(0xA9B3_0038));
    assert!((view.eye.frame.origin - Vec3::new(150.0, 189.0, 2.505)).length() < 1e-3, "{view:?}");
    let down =
        Sweeper::new(&world).view(&mut SweepScratch::new(), &pivot, Vec3::new(0.0, -4.0, -4.0));
    assert!((down.eye.frame.origin.z - VIEWER_RADIUS).abs() < 0.01, "{down:?}");
    assert_eq!(down.stopped, Some(Vec3::Z));
}

/// The sill of the door is below the land: the camera stays in the room.
#[test]
fn a_camera_does_not_come_out_below_the_ground() {
    let mut plan = Plan::new();
    let room = plan.room(RoomSpec::cuboid([-3.0, -3.0, 0.0], [3.0, 3.0, 3.0]));
    plan.exit(room, Opening::door(Face::SOUTH));
    let mut forge = plain(&[]);
    let block = forge.block(BlockId(0xA9B4));
    let cells = block.heights(|_, _| 1).building(Frame::at(Vec3::new(84.0, 84.0, 0.0)), plan);
    let world = load_all(&Builder::new(forge.finish().unwrap()));
    let player = Position::new(cells.of(room), Vec3::new(84.0, 83.0, 0.005));
    let sweeper = Sweeper::new(&world);
    for (height, outside) in [(1.0, false), (1.9, false), (2.4, true)] {
        let pivot = Pivot::above(player, BodyId(1), height);
        let view = sweeper.view(&mut SweepScratch::new(), &pivot, Vec3::new(0.0, -4.0, -0.1));
        let eye = view.eye.frame.origin;
        assert!(view.eye.cell.is_indoor() || eye.z > 2.0, "{height}: {view:?}");
        assert!(view.eye.cell.is_outdoor() == outside || eye.y > 80.9, "{height}: {view:?}");
    }
}

#[test]
fn a_head_beside_the_feet_is_in_the_land_cell_below_it() {
    let world = load_all(&Builder::new(plain(&[0xA9B4]).finish().unwrap()));
    let player = Position::new(CellId(0xA9B4_0009), Vec3::new(24.1, 12.0, 0.005));
    let pivot = Pivot { player, body: None, head: Vec3::new(-0.4, 0.0, 1.5) };
    let view = Sweeper::new(&world).view(&mut SweepScratch::new(), &pivot, Vec3::ZERO);
    assert_eq!(view.eye.cell, CellId(0xA9B4_0001));
    assert!(world.cell(view.eye.cell).unwrap().contains(view.eye.frame.origin));
}

#[test]
fn invalid_boom_lengths_still_give_a_view() {
    for (length, wanted) in [(f32::INFINITY, 3.0), (2.0, f32::INFINITY), (-5.0, 3.0), (2.0, -1.0)] {
        let mut rig = BoomRig::new(length);
        let view = rig.frame(&at(B, 6.0), BACK, wanted);
        assert!(
            !view.failed && (0.0..=6.0).contains(&view.distance),
            "{length} {wanted}: {view:?}"
        );
    }
}
