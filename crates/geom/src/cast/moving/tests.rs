use threshold_land::vector::Vec3;

use super::*;

const SQUARE: [Vec3; 4] =
    [Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(4.0, 4.0, 0.0), Vec3::new(0.0, 4.0, 0.0)];
const MARGIN: f64 = 0.0002;

fn floor(sides: Sides) -> Polygon<'static> {
    Polygon::new(&SQUARE, sides).unwrap()
}

fn moving(from: [f64; 3], direction: [f64; 3], radius: f64) -> MovingSphere {
    let (origin, direction) = (from.into(), DVec3::from(direction));
    MovingSphere { origin, direction, radius, margin: MARGIN }
}

#[track_caller]
fn check(got: Option<CastContact>, want: Option<(f64, [f64; 3])>) {
    let near = match (&got, want) {
        (None, None) => true,
        (Some(got), Some((time, normal))) => {
            (got.time - time).abs() < 1e-9 && got.normal.distance(normal.into()) < 1e-6
        }
        _ => false,
    };
    assert!(near, "{got:?} instead of {want:?}");
}

#[test]
fn rays_hit_from_the_front_and_at_the_edge() {
    let hit = |from, direction, both| {
        moving(from, direction, 0.0).hit_polygon(&floor(Sides::Single), both)
    };
    let (up, down) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
    check(hit([2.0, 2.0, 5.0], down, false), Some((5.0, up)));
    check(hit([2.0, 2.0, 5.0], [0.0, 0.0, -2.5], false), Some((2.0, up)));
    check(hit([2.0, 2.0, -5.0], up, false), None);
    check(hit([2.0, 2.0, -5.0], up, true), Some((5.0, down)));
    check(hit([4.0, 2.0, 5.0], down, false), Some((5.0, up))); // at the edge
    check(hit([4.0001, 2.0, 5.0], down, false), Some((5.0, up))); // within the margin
    check(hit([4.0003, 2.0, 5.0], down, false), None);
    check(hit([4.0, 4.0, 5.0], down, false), Some((5.0, up))); // at the corner
    check(hit([-1.0, 2.0, 0.0], [1.0, 0.0, 0.0], true), None); // along the plane
    check(hit([2.0, 2.0, 0.0], down, false), Some((0.0, up))); // starts on it
    check(hit([2.0, 2.0, -0.0001], down, false), Some((0.0, up)));
    check(hit([2.0, 2.0, -0.0003], down, false), None);
    check(hit([2.0, 2.0, 5.0], [0.0; 3], true), None); // does not move
}

#[test]
fn a_polygon_with_two_sides_is_hit_from_both() {
    let below = moving([2.0, 2.0, -5.0], [0.0, 0.0, 1.0], 0.0);
    check(below.hit_polygon(&floor(Sides::Double), false), Some((5.0, [0.0, 0.0, -1.0])));
    check(below.hit_polygon(&floor(Sides::TwoSurfaces), false), Some((5.0, [0.0, 0.0, -1.0])));
}

#[test]
fn spheres_hit_faces_edges_and_corners() {
    let hit =
        |from, direction| moving(from, direction, 0.5).hit_polygon(&floor(Sides::Single), false);
    let (up, down) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
    check(hit([2.0, 2.0, 3.0], down), Some((2.5, up)));
    check(hit([4.3, 2.0, 3.0], down), Some((2.6, [0.6, 0.0, 0.8])));
    check(hit([4.6, 2.0, 3.0], down), None);
    let side = 0.09_f64.sqrt();
    check(hit([4.3, 4.0 + 0.0, 3.0], down), Some((3.0 - 0.4, [side / 0.5, 0.0, 0.8])));
    check(hit([2.0, 2.0, 0.5], [1.0, 0.0, 0.0]), None); // rolls along it
    check(hit([2.0, 2.0, 0.2], [1.0, 0.0, 0.0]), None); // overlaps it, moves along
    check(hit([2.0, 2.0, 0.2], [0.0, 0.0, 1.0]), None); // leaves it
    check(hit([2.0, 2.0, 0.2], [1.0, 0.0, -0.1]), Some((0.0, up)));
    check(hit([2.0, 2.0, -3.0], up), None);
}

#[test]
fn balls_and_pillars_are_solid() {
    let ball = Sphere::new(Vec3::new(5.0, 0.0, 0.0), 1.0);
    let east = [1.0, 0.0, 0.0];
    check(moving([0.0; 3], east, 0.0).hit_sphere(&ball), Some((4.0, [-1.0, 0.0, 0.0])));
    check(moving([0.0; 3], east, 0.5).hit_sphere(&ball), Some((3.5, [-1.0, 0.0, 0.0])));
    check(moving([5.5, 0.0, 0.0], east, 0.0).hit_sphere(&ball), Some((0.0, [-1.0, 0.0, 0.0])));
    check(moving([6.2, 0.0, 0.0], east, 0.5).hit_sphere(&ball), None); // leaves it
    check(moving([6.2, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.5).hit_sphere(&ball), Some((0.0, east)));
    check(moving([0.0, 2.0, 0.0], east, 0.5).hit_sphere(&ball), None);
    check(moving([5.0, 0.5, 0.0], [0.0; 3], 0.0).hit_sphere(&ball), Some((0.0, [0.0, 1.0, 0.0])));

    let pillar = Cylinder { low: Vec3::new(5.0, 0.0, 0.0), radius: 1.0, height: 2.0 };
    let (up, down) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
    let hit = |from, direction, radius| moving(from, direction, radius).hit_cylinder(&pillar);
    check(hit([0.0, 0.0, 1.0], east, 0.0), Some((4.0, [-1.0, 0.0, 0.0])));
    check(hit([0.0, 0.0, 1.0], east, 0.5), Some((3.5, [-1.0, 0.0, 0.0])));
    check(hit([0.0, 0.0, 2.4], east, 0.5), Some((3.5, [-1.0, 0.0, 0.0]))); // its rim is a box
    check(hit([0.0, 0.0, 2.6], east, 0.5), None);
    check(hit([5.5, 0.0, 5.0], down, 0.0), Some((3.0, up)));
    check(hit([5.5, 0.0, -5.0], up, 0.5), Some((4.5, down)));
    check(hit([5.5, 0.0, 5.0], up, 0.0), None);
    check(hit([5.5, 0.0, 1.0], up, 0.0), Some((0.0, down))); // starts inside
    check(hit([0.0, 1.2, 1.0], east, 0.0), None);
    check(hit([2.0, 0.0, 5.0], [1.0, 0.0, -1.0], 0.0), Some((3.0, up))); // falls onto the top
    check(hit([1.0, 0.0, 5.0], [1.0, 0.0, -1.0], 0.0), Some((3.0, [-1.0, 0.0, 0.0]))); // at the rim
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn point(&mut self, reach: f64) -> DVec3 {
        DVec3::new(
            self.between(-reach, reach),
            self.between(-reach, reach),
            self.between(-reach, reach),
        )
    }
}

/// Steps of a march.
const STEPS: usize = 400;

/// Returns the first time at which a gap closes, by marching; and whether it comes so near that
/// rounding decides.
fn march(cast: &MovingSphere, until: f64, gap: impl Fn(DVec3) -> f64) -> (Option<f64>, f64) {
    let mut least = f64::INFINITY;
    for step in 0..=STEPS {
        let time = until * step as f64 / STEPS as f64;
        let left = gap(cast.at(time));
        if left <= 0.0 {
            return (Some(time), 0.0);
        }
        least = least.min(left);
    }
    (None, least)
}

#[test]
fn casts_agree_with_a_march_on_random_questions() {
    let mut random = Random(7);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..20_000 {
        let a = random.point(2.0);
        let (u, v) = (random.point(2.0), random.point(2.0));
        let corners = [a, a + u, a + u + v * 0.7, a + v].map(DVec3::as_vec3);
        let Some(polygon) = Polygon::new(&corners, Sides::Double) else { continue };
        let (origin, aim) = (random.point(6.0), random.point(3.0));
        let direction = (aim - origin).normalize_or(DVec3::X);
        let radius = random.between(0.1, 1.0);
        let cast = MovingSphere { origin, direction, radius, margin: MARGIN };
        let ball = Sphere::new(random.point(3.0).as_vec3(), 0.7);
        let gap = |p: DVec3| nearest_on_polygon(&polygon, p).distance(p) - radius;
        let around = |p: DVec3| ball.centre.as_dvec3().distance(p) - 0.7 - radius;
        let polygon_hit = cast.hit_polygon(&polygon, false);
        for (hit, gap) in
            [(polygon_hit, &gap as &dyn Fn(DVec3) -> f64), (cast.hit_sphere(&ball), &around)]
        {
            if gap(origin) < 0.01 {
                continue;
            }
            let (want, least) = march(&cast, 12.0, gap);
            let got = hit.map(|hit| hit.time).filter(|time| *time <= 12.0);
            let step = 12.0 / STEPS as f64;
            match (got, want) {
                (Some(got), Some(want)) => {
                    hits += 1;
                    assert!(got <= want + 1e-6 && gap(cast.at(got)).abs() < 1e-6, "{got} {want}");
                    assert!(want - got <= 2.0 * step || gap(cast.at(got)) < 1e-6);
                }
                (Some(got), None) => assert!(gap(cast.at(got)).abs() < 1e-6 && least < step),
                (None, want) => {
                    misses += 1;
                    assert_eq!(want, None, "{cast:?} {polygon:?}");
                }
            }
        }
    }
    assert!(hits > 3_000 && misses > 3_000, "{hits} {misses}");
}

#[test]
fn a_polygon_is_touched_from_the_first_to_the_last_moment() {
    let cast = moving([2.0, 2.0, 3.0], [0.0, 0.0, -1.0], 0.5);
    let times = |cast: &MovingSphere, until| cast.touch_times(&floor(Sides::Single), until);
    let near = |got: Option<(f64, f64)>, want: (f64, f64)| {
        let (first, last) = got.unwrap();
        assert!((first - want.0).abs() < 1e-9 && (last - want.1).abs() < 1e-9, "{first} {last}");
    };
    near(times(&cast, 9.0), (2.5, 3.5));
    near(times(&cast, 3.0), (2.5, 3.0));
    assert_eq!(times(&cast, 2.0), None);
    near(times(&moving([2.0, 2.0, 0.2], [0.0, 0.0, -1.0], 0.5), 9.0), (0.0, 0.7));
    near(times(&moving([-3.0, 2.0, 0.0], [1.0, 0.0, 0.0], 0.5), 20.0), (2.5, 7.5));
    near(times(&moving([2.0, 2.0, 3.0], [0.0, 0.0, -1.0], 0.0), 9.0), (3.0, 3.0));
}
