use threshold_land::vector::Vec3;

use super::*;
use crate::polygon::Sides;

/// Ten metres to the east, 30 degrees to each side.
fn cone() -> Sector {
    Sector::new(DVec3::ZERO, DVec3::X, 0.75_f64.sqrt(), 10.0)
}

#[track_caller]
fn check(p: [f64; 3], want: [f64; 3]) {
    let got = cone().nearest(p.into());
    assert!(got.distance(want.into()) < 1e-9, "{got} instead of {want:?}");
    assert_eq!(cone().contains(p.into()), p == want);
}

#[test]
fn nearest_points_are_inside_on_the_side_the_end_or_the_tip() {
    check([5.0, 1.0, 0.0], [5.0, 1.0, 0.0]);
    check([12.0, 0.0, 0.0], [10.0, 0.0, 0.0]);
    check([-3.0, 0.5, 0.0], [0.0, 0.0, 0.0]);
    check([0.0, 4.0, 0.0], [3.0_f64.sqrt(), 1.0, 0.0]);
    let end = [10.0 * 0.75_f64.sqrt(), 5.0, 0.0];
    check([9.0, 9.0, 0.0], end);
}

#[test]
fn shapes_beside_the_cone_are_not_touched() {
    let ball = |y: f32| Sphere::new(Vec3::new(0.0, y, 0.0), 1.0);
    assert!(cone().touches_sphere(&ball(1.15)) && !cone().touches_sphere(&ball(1.16)));
    let pillar = |y: f32| Cylinder { low: Vec3::new(5.0, y, -1.0), radius: 0.5, height: 2.0 };
    assert!(cone().touches_cylinder(&pillar(3.4)) && !cone().touches_cylinder(&pillar(3.6)));
}

#[track_caller]
fn check_polygon(corners: [[f32; 3]; 3], want: bool) {
    let corners = corners.map(Vec3::from);
    let polygon = Polygon::new(&corners, Sides::Single).unwrap();
    assert_eq!(cone().touches_polygon(&polygon), want, "{corners:?}");
}

#[test]
fn polygons_around_across_and_beside_the_cone() {
    check_polygon([[5.0, -50.0, -50.0], [5.0, 50.0, -50.0], [5.0, 0.0, 90.0]], true); // pierced
    check_polygon([[11.0, -50.0, -50.0], [11.0, 50.0, -50.0], [11.0, 0.0, 90.0]], false);
    check_polygon([[5.0, 0.1, 0.1], [5.0, 0.2, 0.1], [5.0, 0.1, 0.2]], true); // inside
    check_polygon([[5.0, -9.0, 0.0], [5.0, 9.0, 0.0], [5.0, 0.0, 0.1]], true); // an edge crosses
    check_polygon([[-5.0, -9.0, 0.0], [-5.0, 9.0, 0.0], [-5.0, 0.0, 0.1]], false); // behind
    // Above the side of the cone, which the axis never meets.
    check_polygon([[5.0, -9.0, 2.8], [5.0, 9.0, 2.8], [9.0, 0.0, 2.8]], true);
    check_polygon([[0.0, -9.0, 6.0], [0.0, 9.0, 6.0], [9.0, 0.0, 6.0]], false);
    // A roof over all of it, level: only the upper side of the cone reaches it.
    check_polygon([[-90.0, -90.0, 4.9], [90.0, -90.0, 4.9], [0.0, 90.0, 4.9]], true);
    check_polygon([[-90.0, -90.0, 5.1], [90.0, -90.0, 5.1], [0.0, 90.0, 5.1]], false);
}

#[test]
fn random_triangles_are_touched_where_a_point_of_them_is_inside() {
    let mut state = 3_u64;
    let mut next = |reach: f32| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1_u32 << 24) as f32 * 2.0 - 1.0) * reach
    };
    let (mut touched, mut free) = (0, 0);
    for _ in 0..4_000 {
        let middle = Vec3::new(next(12.0), next(8.0), next(8.0));
        let corners = [0, 1, 2].map(|_| middle + Vec3::new(next(4.0), next(4.0), next(4.0)));
        let Some(polygon) = Polygon::new(&corners, Sides::Single) else { continue };
        let got = cone().touches_polygon(&polygon);
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let steps = (0..=24).flat_map(|i| (0..=24 - i).map(move |j| (i, j)));
        let points = steps
            .map(|(i, j)| a + (b - a) * (f64::from(i) / 24.0) + (c - a) * (f64::from(j) / 24.0));
        let nearest = points.map(|p| cone().nearest(p).distance(p)).fold(f64::INFINITY, f64::min);
        if nearest == 0.0 {
            touched += 1;
            assert!(got, "{corners:?}");
        } else if nearest > 0.5 {
            // Farther than from any point of the grid to the next.
            free += 1;
            assert!(!got, "{corners:?}");
        }
    }
    assert!(touched > 300 && free > 300, "{touched} {free}");
}
