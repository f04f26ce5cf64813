use glam::dcamera::rh::proj::{directx, opengl};
use glam::dcamera::rh::view::look_at_mat4;
use glam::{DMat4, DVec3 as Reference, DVec4 as ReferencePoint};
use proptest::prelude::*;
use threshold_forge::samples;
use threshold_land::CellId;
use threshold_land::vector::DVec2;
use threshold_world::{Builder, World};

use super::*;
use crate::{Lens, PortalWalk, ViewScratch};

const WEST: CellId = CellId(0x0102_0100);

fn viewer(eye: [f64; 3], look: [f64; 3], near: f64) -> Viewer {
    let lens = Lens { near, ..Lens::default() };
    Viewer::looking_at(WEST, DVec3::from(eye), DVec3::from(look), lens).unwrap()
}

fn matrix(ours: &Matrix) -> DMat4 {
    DMat4::from_cols_array_2d(ours)
}

#[track_caller]
fn near(ours: DMat4, theirs: DMat4) {
    assert!(ours.abs_diff_eq(theirs, 1e-9), "{ours} and {theirs}");
}

#[test]
fn matrices_are_those_of_other_libraries() {
    let (eye, look) = ([95.0, 100.0, 41.0], [110.0, 108.0, 39.0]);
    let viewer = viewer(eye, look, 0.1);
    let theirs = look_at_mat4(Reference::from(eye), Reference::from(look), Reference::Z);
    near(matrix(&viewer.view_matrix()), theirs);

    let (fov, aspect) = (60.0_f64.to_radians(), 16.0 / 9.0);
    let of = |range, is_reversed, far| {
        matrix(&viewer.projection_matrix(&DepthMapping { range, is_reversed, far }))
    };
    use DepthRange::{MinusOneToOne, ZeroToOne};
    near(of(ZeroToOne, false, Some(500.0)), directx::perspective(fov, aspect, 0.1, 500.0));
    near(of(MinusOneToOne, false, Some(500.0)), opengl::perspective(fov, aspect, 0.1, 500.0));
    near(of(ZeroToOne, false, None), directx::perspective_infinite(fov, aspect, 0.1));
    near(of(ZeroToOne, true, None), directx::perspective_infinite_reverse(fov, aspect, 0.1));
    assert_eq!(
        of(ZeroToOne, true, None),
        matrix(&viewer.projection_matrix(&DepthMapping::default()))
    );
}

#[test]
fn depth_runs_from_the_near_to_the_far_plane_in_every_mapping() {
    let viewer = viewer([1.0, 2.0, 3.0], [1.0, 12.0, 3.0], 0.0);
    assert_eq!(viewer.projection_near(), MIN_NEAR);
    for (range, lowest) in [(DepthRange::ZeroToOne, 0.0), (DepthRange::MinusOneToOne, -1.0)] {
        for is_reversed in [false, true] {
            for far in [Some(50.0), None, Some(0.0), Some(f64::NAN)] {
                let mapping = DepthMapping { range, is_reversed, far };
                let projection = matrix(&viewer.projection_matrix(&mapping));
                let depth = |distance: f64| {
                    let clip = projection * ReferencePoint::new(0.0, 0.0, -distance, 1.0);
                    clip.z / clip.w
                };
                let end = far.filter(|far| *far > MIN_NEAR).unwrap_or(1e12);
                let wanted = if is_reversed { [1.0, lowest] } else { [lowest, 1.0] };
                for (distance, want) in [MIN_NEAR, end].into_iter().zip(wanted) {
                    let found = depth(distance);
                    assert!((found - want).abs() < 1e-9, "{mapping:?}: {found} at {distance}");
                }
            }
        }
    }
}

#[test]
fn a_region_shows_what_is_within_its_planes() {
    let builder = Builder::new(samples::two_rooms().unwrap());
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    let viewer = viewer([1.0, 2.0, 1.6], [4.0, 2.2, 1.4], 0.1);
    let mut scratch = ViewScratch::new();
    let visible = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    let mut counts = [0; 2];
    for cell in visible.cells() {
        for region in cell.regions() {
            let planes: Vec<DVec4> = viewer.region_planes(&region).collect();
            assert_eq!(planes.len(), region.planes().len() + 1);
            for step in 0..40 * 40 {
                let at = DVec2::new(f64::from(step % 40), f64::from(step / 40)) / 20.0 - 0.975;
                let point = viewer.eye() + viewer.direction(at) * 3.0;
                let is_within = planes.iter().all(|plane| distance(plane, point) >= -1e-9);
                assert_eq!(is_within, region.contains(at), "{at}");
                counts[usize::from(is_within)] += 1;
                let behind = viewer.eye() - viewer.direction(at) * 3.0;
                assert!(!planes.iter().all(|plane| distance(plane, behind) >= 0.0));
            }
        }
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

proptest! {
    #[test]
    fn a_point_is_in_the_frustum_where_the_matrices_put_it_on_the_screen(
        look in [-9.0..9.0_f64, -9.0..9.0, -9.0..9.0],
        point in [-20.0..20.0_f64, -20.0..20.0, -20.0..20.0],
        radius in 0.0..5.0_f64,
    ) {
        prop_assume!(look.iter().any(|v| v.abs() > 0.1));
        let eye = [1.0, -2.0, 3.0];
        let viewer = viewer(eye, std::array::from_fn(|axis| eye[axis] + look[axis]), 0.5);
        let frustum = viewer.frustum();
        let both = matrix(&viewer.projection_matrix(&DepthMapping::default()))
            * matrix(&viewer.view_matrix());
        let clip = both * Reference::from(point).extend(1.0);
        let edge = [clip.x, clip.y].map(|v| (v.abs() - clip.w).abs()).into_iter().fold(f64::MAX, f64::min);
        prop_assume!(edge > 1e-6 && (clip.w - 0.5).abs() > 1e-6);
        let on_screen = clip.w >= 0.5 && clip.x.abs() <= clip.w && clip.y.abs() <= clip.w;
        let point = DVec3::from(point);
        prop_assert_eq!(frustum.contains(point), on_screen);
        if let Some(at) = viewer.project(point) {
            prop_assert!((at - DVec2::new(clip.x, clip.y) / clip.w).length() < 1e-9);
        }
        // A sphere and a box around the point show if the point does, and contain each other.
        let corner = DVec3::splat(radius);
        let (ball, cube) = (
            frustum.touches_sphere(point, radius),
            frustum.touches_box(point - corner, point + corner),
        );
        prop_assert!(!on_screen || ball && cube);
        prop_assert!(cube || !ball, "the sphere is inside the box");
        prop_assert_eq!(frustum.touches_sphere(point, 0.0), on_screen);
        prop_assert!(radius == 0.0 || !frustum.touches_box(point + corner, point - corner));
    }
}
