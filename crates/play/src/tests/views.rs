//! Cameras in first person, third person and flight.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Pivot, SweepScratch, Sweeper, ViewRoot};
use threshold_view::{Lens, PortalWalk, Viewer};

use super::{AHEAD, Play, heading_of};
use crate::CameraMode;
use crate::Intent;
use crate::player::{EYE_HEIGHT, PLAYER};

/// Sweeps an eye by an offset.
fn sweep(play: &Play, from: Position, offset: Vec3) -> Position {
    let sweeper = Sweeper { world: &play.session.world, rules: play.session.rules };
    let player = Position {
        frame: threshold_land::Frame { rotation: Rotation::IDENTITY, ..from.frame },
        ..from
    };
    let pivot = Pivot { player, body: Some(PLAYER), head: Vec3::ZERO };
    let view = sweeper.view(&mut SweepScratch::new(), &pivot, offset);
    assert!(!view.failed, "{from}");
    view.eye
}

/// Walks into the inn and back out. Returns the number of cells that the camera was in.
fn walk_through_the_inn(mode: CameraMode) -> usize {
    let mut play = Play::at("inn door", 60.0);
    play.session.camera.mode = mode;
    let start = play.session.position().unwrap().frame.origin;
    let mut roots = std::collections::BTreeSet::new();
    let mut check_eye = |play: &mut Play| {
        let intent = Intent { heading: play.session.camera.heading, ..AHEAD };
        let eye = play.session.update_camera(&intent, 0.0).unwrap().eye;
        // The expected sweep: from the body up into the head, to where the head is drawn, and straight to the eye.
        let body = play.session.world.body(PLAYER).unwrap();
        let (at, centre) = (*body.position(), body.setup().spheres[0].centre);
        let mut middle = at;
        middle.frame.origin += centre;
        let head = sweep(play, middle, Vec3::Z * EYE_HEIGHT - centre);
        let head = sweep(play, head, at.offset_to(&play.session.shown_position()));
        let expected = sweep(play, head, head.offset_to(&eye));
        assert_eq!(eye.cell, expected.cell, "{mode:?} from {at}");
        assert!(expected.offset_to(&eye).length() < 0.02, "{mode:?} from {at}");
        let cell = play.session.world.cell(eye.cell).unwrap();
        assert!(cell.contains(eye.frame.origin), "{eye:?}");
        roots.insert(eye.cell);
    };
    for _ in 0..170 {
        play.frame(&AHEAD);
        check_eye(&mut play);
    }
    assert!(play.cell().is_indoor());
    // Back out again.
    play.session.camera.turn(180.0, 0.0);
    for _ in 0..240 {
        let at = play.session.position().unwrap().frame.origin;
        let offset = (start - at).with_z(0.0);
        if offset.length() > 0.2 {
            play.session.camera.heading = heading_of(offset);
        }
        play.frame(&AHEAD);
        check_eye(&mut play);
    }
    roots.len()
}

#[test]
fn in_every_frame_the_camera_is_in_the_cell_where_a_sweep_from_the_body_ends() {
    for mode in [CameraMode::First, CameraMode::Third] {
        let roots = walk_through_the_inn(mode);
        assert!(roots >= 3, "{mode:?}: {roots} cells");
    }
}

/// Returns the root cell of the portal walk.
fn root_cell(play: &mut Play, root: ViewRoot) -> CellId {
    play.session.camera.root = root;
    let viewpoint = play.session.update_camera(&Intent::default(), 0.0).unwrap();
    let eye = play.session.root_eye(&viewpoint);
    assert!(eye.offset_to(&viewpoint.eye).length() < 1e-3, "{root:?} moves the eye");
    let at = eye.frame.origin.as_dvec3();
    let ahead = at + viewpoint.ahead.as_dvec3();
    let viewer = Viewer::looking_at(eye.cell, at, ahead, Lens::default()).unwrap();
    let mut scratch = threshold_view::ViewScratch::new();
    let seen = PortalWalk::new(&play.session.world).run(&mut scratch, &mut (), &viewer);
    if root == ViewRoot::Camera {
        assert_eq!(seen.root(), viewpoint.eye.cell);
    }
    seen.root()
}

#[test]
fn the_portal_walk_starts_in_the_cell_of_the_camera_or_of_the_player() {
    let mut play = Play::at("inn door", 60.0);
    assert_eq!(play.session.camera.root, ViewRoot::Camera, "the default");
    let mut differ = 0;
    for _ in 0..170 {
        play.frame(&AHEAD);
        let camera = root_cell(&mut play, ViewRoot::Camera);
        let player = root_cell(&mut play, ViewRoot::Player);
        assert_eq!(player, play.cell());
        differ += usize::from(camera != player);
    }
    assert!(play.cell().is_indoor() && differ > 10, "{differ}");
    // In flight the player may be anywhere, so the root is always the cell of the camera.
    play.session.camera.toggle_flight();
    let camera = root_cell(&mut play, ViewRoot::Camera);
    assert_eq!(root_cell(&mut play, ViewRoot::Player), camera);
}

#[test]
fn a_flight_ends_in_the_previous_mode() {
    for mode in [CameraMode::First, CameraMode::Third] {
        let mut play = Play::at("village square", 60.0);
        play.session.camera.mode = mode;
        play.frames(&Intent::default(), 0.1);
        play.session.camera.toggle_flight();
        play.frames(&AHEAD, 0.5);
        assert_eq!(play.session.camera.mode, CameraMode::Flight);
        assert_eq!(play.session.camera.walking_mode(), mode, "the mode that settings keep");
        play.session.camera.toggle_flight();
        assert_eq!(play.session.camera.mode, mode);
    }
}

#[test]
fn zooming_changes_the_distance_in_third_person_only() {
    let mut play = Play::at("village square", 60.0);
    let camera = &mut play.session.camera;
    let distance = camera.distance;
    for mode in [CameraMode::First, CameraMode::Flight] {
        camera.mode = mode;
        camera.zoom(5.0);
        assert!((camera.distance - distance).abs() < 1e-6, "{mode:?}");
    }
    camera.mode = CameraMode::Third;
    camera.zoom(5.0);
    assert!(camera.distance < distance);
}

/// Flies up over the village square, and a bit ahead.
fn fly_over_the_square() -> Play {
    let mut play = Play::at("village square", 60.0);
    play.session.camera.mode = CameraMode::First;
    play.frames(&Intent::default(), 0.2);
    play.session.camera.toggle_flight();
    play.frames(&Intent { up: 1.0, ..Intent::default() }, 2.0);
    play.frames(&AHEAD, 1.0);
    play
}

#[test]
fn landing_puts_the_player_on_the_ground_below_the_camera() {
    let mut play = fly_over_the_square();
    let before = play.session.position().unwrap();
    let eye = play.session.camera.flight_position().unwrap();
    assert!(before.offset_to(&eye).z > 8.0);
    play.session.request_landing();
    play.frames(&Intent::default(), 0.5);
    let at = play.session.position().unwrap();
    let off = at.offset_to(&eye);
    assert!(off.truncate().length() < 0.5 && off.z > 5.0, "{off}");
    assert!(play.session.player.body.stance.on_walkable);
    assert_eq!(play.session.camera.mode, CameraMode::First, "the mode before the flight");
    assert!(play.session.take_messages().is_empty());
    // Landing is a journey.
    play.session.go_back();
    play.settle();
    assert!(play.session.position().unwrap().offset_to(&before).length() < 0.5);
}

/// Landing runs before recovery in the same frame.
#[test]
fn a_lost_player_lands_below_the_camera() {
    let mut play = fly_over_the_square();
    let eye = play.session.camera.flight_position().unwrap();
    let mut below = play.session.position().unwrap();
    below.frame.origin -= Vec3::Z * 500.0;
    play.session.world.lose(PLAYER, below).unwrap();
    play.session.request_landing();
    play.frames(&Intent::default(), 0.5);
    assert!(play.session.take_messages().is_empty());
    let at = play.session.position().unwrap();
    assert!(at.offset_to(&eye).truncate().length() < 0.5, "{at}");
    assert!(
        play.session.player.body.stance.on_walkable
            && play.session.camera.mode == CameraMode::First
    );
}

#[test]
fn landing_without_ground_is_refused_with_a_message() {
    let mut play = Play::at("village square", 60.0);
    play.session.request_landing();
    play.frame(&Intent::default());
    assert!(play.session.take_messages()[0].contains("F flies"));
    let mut play = fly_over_the_square();
    let before = play.session.position().unwrap();
    // The land below is dropped.
    let block = play.session.camera.flight_position().unwrap().cell.block();
    play.session.world.drop_piece(threshold_world::PieceId::Land(block));
    play.session.request_landing();
    play.session.advance(play.now, &Intent::default());
    let messages = play.session.take_messages();
    assert!(messages.iter().any(|text| text.starts_with("cannot land here")), "{messages:?}");
    assert_eq!(play.session.camera.mode, CameraMode::Flight);
    assert_eq!(play.session.position().unwrap().frame.origin, before.frame.origin);
}

#[test]
fn landing_indoors_puts_the_player_into_the_room() {
    let mut play = Play::at("taproom", 60.0);
    let room = play.cell();
    play.session.camera.toggle_flight();
    play.frames(&Intent { ahead: 0.3, ..Intent::default() }, 0.2);
    play.session.request_landing();
    play.frames(&Intent::default(), 0.3);
    assert_eq!(play.cell(), room);
    assert!(play.session.player.body.stance.on_walkable);
    assert_eq!(play.session.camera.mode, CameraMode::Third);
}

#[test]
fn landing_beside_a_wall_moves_the_player_away_from_it() {
    for (place, aside) in
        [("great hall", -1.0), ("great hall", 1.0), ("taproom", -1.0), ("cottage cellar", 1.0)]
    {
        let mut play = Play::at(place, 60.0);
        play.session.camera.toggle_flight();
        play.frames(&Intent { aside, ..Intent::default() }, 2.0);
        let eye = play.session.camera.flight_position().unwrap();
        play.session.request_landing();
        play.frames(&Intent::default(), 0.5);
        assert_eq!(play.session.take_messages(), [""; 0], "{place}");
        let at = play.session.position().unwrap();
        let off = at.offset_to(&eye).truncate().length();
        assert!(off < 1.3, "{place}: {off} m away");
        assert!(play.session.player.body.stance.on_walkable, "{place}");
    }
}
