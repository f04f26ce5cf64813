//! Sphere casts against the slow reference: 4,000 random questions, a million with `THRESHOLD_SOAK`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod reference;

use reference::questions::{Arena, arenas, count, direction, filter, number, pick};
use reference::reach::Sweep;
use reference::{Path, PlainHit, Slack, targets};
use threshold_query::{
    Hit, HitTarget, ObjectShape, QueryFilter, QueryScratch, Ray, SceneQuery, SphereCast,
};
use threshold_testkit::Random;

/// Times of first touches may differ by an error of the shapes, by how fast they are approached.
fn tolerance(hit: &PlainHit) -> f64 {
    1e-5 + 1e-4 / hit.approach.abs().max(1e-3)
}

/// Returns what the reference finds, if a millimetre of radius does not change it.
fn decided(arena: &Arena, cast: &SphereCast, filter: &QueryFilter<'_>) -> Option<Vec<PlainHit>> {
    let origin = cast.path.from.frame.origin.as_dvec3();
    let velocity = cast.path.direction.as_dvec3().normalize();
    let path = Path { origin, velocity, gravity: 0.0, length: f64::from(cast.path.length) };
    let cell = cast.path.from.cell;
    let sweep = |more: f64| {
        let radius = f64::from(cast.radius) + more;
        let slack = Slack { polygons: 0.0, portals: 2.0 * more };
        arena.reference.sweep(cell, &Sweep { path, radius }, filter, slack)
    };
    let answer = sweep(0.0);
    let names = targets(&answer);
    [-0.001, 0.001].into_iter().all(|more| targets(&sweep(more)) == names).then_some(answer)
}

/// A cylinder that is overlapped from the start may be left by side or by cap: not compared.
fn is_cylinder_at_start(hit: &PlainHit) -> bool {
    let shape = ObjectShape::Cylinder(0);
    let is_cylinder = matches!(hit.target, HitTarget::Object { shape: it, .. } if it == shape);
    is_cylinder && hit.time <= 0.0
}

#[test]
fn sphere_casts_touch_what_the_reference_touches_and_when() {
    let (mut scratch, mut all) = (QueryScratch::new(), Vec::new());
    let mut random = Random(21);
    let (mut questions, mut undecided, mut found, mut initial) = (0, 0, 0, 0);
    let arenas = arenas();
    for arena in &arenas {
        let scene = SceneQuery::new(&arena.world);
        for _ in 0..count(4_000) / arenas.len() {
            let reach = pick(&mut random, &[3.0, 10.0, 40.0]);
            let ray = Ray::new(
                arena.position(&mut random),
                direction(&mut random),
                number(&mut random, 0.01, reach),
            );
            let widest = pick(&mut random, &[0.1, 0.5, 2.0]);
            let cast = ray.with_radius(number(&mut random, 0.02, widest));
            let filter = filter(&mut random);
            let first = scene.sphere_cast(&mut scratch, &cast, &filter).unwrap();
            let _ = scene.sphere_cast_all(&mut scratch, &cast, &filter, &mut all).unwrap();
            assert_eq!(
                first.hit.map(|hit| hit.distance),
                all.first().map(|hit| hit.distance),
                "{cast:?}"
            );
            questions += 1;
            let Some(want) = decided(arena, &cast, &filter)
                .filter(|want| !want.iter().any(is_cylinder_at_start))
            else {
                undecided += 1;
                continue;
            };
            found += usize::from(!all.is_empty());
            initial += all.iter().filter(|hit| hit.initial).count();
            compare(&all, &want, &cast, &format!("{}: {cast:?} {filter:?}", arena.name));
        }
    }
    println!("{questions} questions, {undecided} undecided, {found} hit, {initial} from the start");
    assert!(found * 3 > questions && undecided * 5 < questions && initial > 50);
}

#[track_caller]
fn compare(got: &[Hit], want: &[PlainHit], cast: &SphereCast, question: &str) {
    let length = f64::from(cast.path.length);
    let context = || format!("{question}\n{got:?}\n{want:?}");
    for hit in got {
        let Some(same) = want.iter().find(|it| it.target == hit.target) else {
            assert!(f64::from(hit.distance) > length - 2e-3, "{}", context());
            continue;
        };
        let off = (f64::from(hit.distance) - same.time).abs();
        assert!(off <= tolerance(same), "{off} of {same:?}: {}", context());
    }
    for it in want {
        let found = got.iter().any(|hit| hit.target == it.target);
        assert!(found || it.time > length - 2e-3, "{it:?}: {}", context());
    }
}
