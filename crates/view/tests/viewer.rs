//! The axes of a viewer, and where points show on its screen.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::vector::{DVec2, DVec3, Vec3};
use threshold_land::{CellId, Frame, Position, Rotation};
use threshold_view::{Lens, Viewer, ViewerError};

const CELL: CellId = CellId(0x0102_0100);
const EYE: Vec3 = Vec3::new(10.0, 20.0, 3.0);

fn looking(to: Vec3, lens: Lens) -> Viewer {
    Viewer::looking_at(CELL, EYE, EYE + to, lens).unwrap()
}

/// A square screen 90 degrees wide: a point as far aside as ahead is on its edge.
fn square() -> Lens {
    Lens { fov: 90.0, aspect: 1.0, ..Lens::default() }
}

/// Checks the directions to the right and up of a viewer.
#[track_caller]
fn check(to: Vec3, right: Vec3, up: Vec3) {
    let viewer = looking(to, square());
    let ahead = to.as_dvec3().normalize();
    for (aside, screen) in [
        (DVec3::ZERO, DVec2::ZERO),
        (right.as_dvec3(), DVec2::X),
        (up.as_dvec3(), DVec2::Y),
        (-right.as_dvec3() * 0.5 - up.as_dvec3(), DVec2::new(-0.5, -1.0)),
    ] {
        let at = viewer.project(viewer.eye() + (ahead + aside) * 7.0).unwrap();
        assert!(at.distance(screen) < 1e-6, "{to}: {at} instead of {screen}");
        let direction = viewer.direction(screen);
        assert!(direction.distance(ahead + aside) < 1e-6, "{to}: {direction}");
    }
    assert_eq!(viewer.project(viewer.eye() - ahead), None, "what is behind is nowhere");
}

#[test]
fn right_is_forward_cross_vertical_and_up_is_right_cross_forward() {
    check(Vec3::Y, Vec3::X, Vec3::Z);
    check(Vec3::X, Vec3::NEG_Y, Vec3::Z);
    check(Vec3::NEG_Y, Vec3::NEG_X, Vec3::Z);
    check(Vec3::new(0.0, 5.0, 5.0), Vec3::X, Vec3::new(0.0, -0.5, 0.5).normalize());
    for to in [Vec3::new(1.0, 2.0, -3.0), Vec3::new(-4.0, 0.1, 0.3), Vec3::new(0.0, 0.125, 1.0)] {
        let right = to.cross(Vec3::Z).normalize();
        check(to, right, right.cross(to.normalize()));
    }
}

#[test]
fn straight_up_and_down_east_is_on_the_right() {
    check(Vec3::Z, Vec3::X, Vec3::NEG_Y);
    check(Vec3::NEG_Z, Vec3::X, Vec3::Y);
}

#[test]
fn the_field_of_view_is_from_bottom_to_top_and_the_aspect_widens_it() {
    let viewer = looking(Vec3::Y, Lens { fov: 60.0, aspect: 2.0, near: 0.1 });
    let half = libm::tan(30.0_f64.to_radians());
    let at = viewer.project(viewer.eye() + DVec3::new(2.0 * half, 1.0, half)).unwrap();
    assert!(at.distance(DVec2::ONE) < 1e-6, "{at}");
    assert_eq!(Lens::default(), Lens { fov: 60.0, aspect: 16.0 / 9.0, near: 0.1 });
}

/// A viewer at a position looks along the local north.
#[test]
fn a_viewer_at_a_position_looks_along_it() {
    for heading in [0.0_f32, 30.0, 90.0, 217.5] {
        let rotation = Rotation::from_heading(heading);
        let position = Position { cell: CELL, frame: Frame { origin: EYE, rotation } };
        let ahead = rotation.rotate(Vec3::Y);
        let (a, b) = (Viewer::at(&position, square()).unwrap(), looking(ahead, square()));
        assert_eq!((a.cell(), a.eye()), (b.cell(), b.eye()));
        for screen in [DVec2::ZERO, DVec2::ONE, DVec2::new(-1.0, 0.3)] {
            assert!(a.direction(screen).distance(b.direction(screen)) < 1e-6, "{heading}");
        }
    }
}

#[test]
fn a_viewer_needs_a_direction_and_a_valid_lens() {
    let at = |eye, look, lens| Viewer::looking_at(CELL, eye, look, lens).unwrap_err();
    let lens = Lens::default();
    assert_eq!(at(EYE, EYE, lens), ViewerError::NoDirection(EYE.as_dvec3()));
    let nowhere = Vec3::new(f32::NAN, 0.0, 0.0);
    assert!(matches!(at(nowhere, EYE, lens), ViewerError::NotAPoint(_)));
    let far = Vec3::new(0.0, f32::INFINITY, 0.0);
    assert_eq!(at(EYE, far, lens), ViewerError::NotAPoint(far.as_dvec3()));
    let look = EYE + Vec3::Y;
    for fov in [0.0, -60.0, 180.0] {
        assert_eq!(at(EYE, look, Lens { fov, ..lens }), ViewerError::Fov(fov));
    }
    for aspect in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(at(EYE, look, Lens { aspect, ..lens }), ViewerError::Aspect(aspect));
    }
    assert_eq!(at(EYE, look, Lens { near: -0.1, ..lens }), ViewerError::Near(-0.1));
    assert!(matches!(at(EYE, look, Lens { fov: f64::NAN, ..lens }), ViewerError::Fov(_)));
}
