//! Rays and arcs against the slow reference: 8,000 to 12,000 random questions of each kind, a million with `THRESHOLD_SOAK`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod reference;

use reference::questions::{Arena, arenas, count, direction, filter, number, pick};
use reference::{EXACT, Path, PlainHit, SLACKS, Slack, targets};
use threshold_land::Position;
use threshold_land::vector::DVec3;
use threshold_query::{Hit, HitTarget, Launch, QueryFilter, QueryScratch, Ray, SceneQuery};
use threshold_testkit::Random;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    questions: usize,
    hits: usize,
    undecided: usize,
}

/// Returns how much times may differ: an error of a plane in metres, by how fast it is approached.
fn tolerance(hit: &PlainHit, chords: f64) -> f64 {
    1e-6 + (5e-5 + chords) / hit.approach.max(1e-6)
}

/// Returns the hits of the reference if they do not depend on a millimetre.
fn decided(
    arena: &Arena,
    from: &Position,
    path: &Path,
    filter: &QueryFilter<'_>,
    first: bool,
) -> Option<Vec<PlainHit>> {
    let answer = arena.reference.trace(from.cell, path, filter, EXACT);
    let nearest = |hits: &[PlainHit]| hits.first().map(|hit| hit.target);
    let same = |slack: &Slack| {
        let other = arena.reference.trace(from.cell, path, filter, *slack);
        if first {
            nearest(&other) == nearest(&answer)
        } else {
            targets(&other) == targets(&answer)
        }
    };
    SLACKS.iter().all(same).then_some(answer)
}

#[test]
fn first_hits_of_rays_are_those_of_the_reference() {
    let mut scratch = QueryScratch::new();
    let mut random = Random(11);
    let mut tally = Tally::default();
    let arenas = arenas();
    for arena in &arenas {
        for _ in 0..count(12_000) / arenas.len() {
            let from = arena.position(&mut random);
            let reach = pick(&mut random, &[5.0, 30.0, 120.0]);
            let length = number(&mut random, 0.0, reach);
            let ray = Ray::new(from, direction(&mut random), length);
            let filter = filter(&mut random);
            let got = SceneQuery::new(&arena.world).ray(&mut scratch, &ray, &filter).unwrap();
            let velocity = ray.direction.as_dvec3().normalize();
            let origin = from.frame.origin.as_dvec3();
            let path = Path { origin, velocity, gravity: 0.0, length: f64::from(length) };
            tally.questions += 1;
            let Some(want) = decided(arena, &from, &path, &filter, true) else {
                tally.undecided += 1;
                continue;
            };
            let context = || format!("{}: {ray:?} {filter:?}\n{got:?}\n{want:?}", arena.name);
            let Some(first) = want.first() else {
                assert!(got.hit.is_none() || near_end(&got.hit, length), "{}", context());
                continue;
            };
            let Some(hit) = got.hit else {
                assert!(first.time > f64::from(length) - 1e-3, "{}", context());
                continue;
            };
            tally.hits += 1;
            let allowed = tolerance(first, 0.0);
            let at_once =
                want.iter().take_while(|it| it.time <= first.time + allowed + tolerance(it, 0.0));
            let same = at_once.clone().find(|it| it.target == hit.target);
            assert!(same.is_some(), "{}", context());
            assert!(
                (f64::from(hit.distance) - first.time).abs() <= allowed.max(1e-5 * first.time),
                "{}",
                context()
            );
            check_place(&ray.from, &path, &hit);
        }
    }
    check_tally(tally);
}

fn near_end(hit: &Option<Hit>, length: f32) -> bool {
    hit.is_some_and(|hit| hit.distance > length - 1e-3)
}

/// The point of a hit of a point is on its path, and so is its centre.
#[track_caller]
fn check_place(from: &Position, path: &Path, hit: &Hit) {
    let at = path.at(f64::from(hit.distance)).as_vec3() - from.frame.origin;
    for place in [hit.position, hit.centre] {
        let off = from.offset_to(&place);
        assert!((off - at).length() < 2e-3, "{off} instead of {at}: {hit:?}");
    }
    assert!((hit.normal.length() - 1.0).abs() < 1e-4);
}

#[track_caller]
fn check_tally(tally: Tally) {
    println!("{tally:?}");
    assert!(tally.hits * 4 > tally.questions, "{tally:?}");
    assert!(tally.undecided * 10 < tally.questions, "{tally:?}");
}

#[test]
fn all_hits_of_rays_are_those_of_the_reference_in_order() {
    let mut scratch = QueryScratch::new();
    let (mut random, mut tally, mut hits) = (Random(12), Tally::default(), Vec::new());
    let arenas = arenas();
    for arena in &arenas {
        for _ in 0..count(12_000) / arenas.len() {
            let from = arena.position(&mut random);
            let reach = pick(&mut random, &[5.0, 30.0, 120.0]);
            let length = number(&mut random, 0.0, reach);
            let ray = Ray::new(from, direction(&mut random), length);
            let filter = filter(&mut random);
            let extent =
                SceneQuery::new(&arena.world).ray_all(&mut scratch, &ray, &filter, &mut hits);
            let _ = extent.unwrap();
            let velocity = ray.direction.as_dvec3().normalize();
            let origin = from.frame.origin.as_dvec3();
            let path = Path { origin, velocity, gravity: 0.0, length: f64::from(length) };
            tally.questions += 1;
            let Some(want) = decided(arena, &from, &path, &filter, false) else {
                tally.undecided += 1;
                continue;
            };
            compare_all(arena, &want, &hits, f64::from(length), &format!("{ray:?} {filter:?}"));
            tally.hits += usize::from(!hits.is_empty());
        }
    }
    check_tally(tally);
}

#[track_caller]
fn compare_all(arena: &Arena, want: &[PlainHit], got: &[Hit], length: f64, question: &str) {
    let context = || format!("{}: {question}\n{got:#?}\n{want:#?}", arena.name);
    assert!(got.is_sorted_by(|a, b| a.distance <= b.distance), "{}", context());
    for hit in got {
        let same = want.iter().find(|it| it.target == hit.target);
        let at_end = f64::from(hit.distance) > length - 1e-3;
        let Some(same) = same else {
            assert!(at_end, "{}", context());
            continue;
        };
        let allowed = tolerance(same, 0.0).max(1e-5 * same.time);
        assert!((f64::from(hit.distance) - same.time).abs() <= allowed, "{}", context());
    }
    for it in want {
        let found = got.iter().any(|hit| hit.target == it.target);
        assert!(found || it.time > length - 1e-3, "{}", context());
    }
}

/// Returns whether the first hit dips so little behind its surface that a chord, which may be a millimetre off, need not.
fn grazes(want: &[PlainHit]) -> bool {
    want.first().is_some_and(|hit| hit.approach * hit.approach < 2.0 * 9.8 * 0.003)
}

/// Returns whether both are surfaces of cells that may go over into each other: an arc and its chord are not over the
/// border at the same time.
fn are_joined(a: HitTarget, b: HitTarget) -> bool {
    use HitTarget::{Ground, Room};
    matches!((a, b), (Ground { .. }, Ground { .. }) | (Room { .. }, Room { .. }))
}

/// Returns whether chords, which run a millimetre below the arc, and begin anew in each cell, meet the same.
fn does_not_depend_on_chords(
    arena: &Arena,
    from: &Position,
    path: &Path,
    filter: &QueryFilter<'_>,
    want: &[PlainHit],
) -> bool {
    let lower = Path { origin: path.origin - DVec3::Z * 0.0012, ..*path };
    let lower = decided(arena, from, &lower, filter, true);
    let nearest = |hits: &[PlainHit]| hits.first().map(|hit| hit.target);
    // What is only registered behind a portal is met there, by the next chord.
    lower.is_some_and(|lower| nearest(&lower) == nearest(want))
        && !arena.reference.enters_inside(from.cell, path, filter)
}

#[test]
fn arcs_land_where_the_reference_does() {
    let mut scratch = QueryScratch::new();
    let (mut random, mut tally) = (Random(13), Tally::default());
    let arenas = arenas();
    for arena in &arenas {
        for _ in 0..count(8_000) / arenas.len() {
            let from = arena.position(&mut random);
            let fastest = pick(&mut random, &[8.0, 20.0, 40.0]);
            let speed = number(&mut random, 1.0, fastest);
            let velocity = direction(&mut random) * speed;
            let time = number(&mut random, 0.1, 4.0);
            let launch = Launch { time, ..Launch::new(from, velocity) };
            let filter = filter(&mut random);
            let got = SceneQuery::new(&arena.world).arc(&mut scratch, &launch, &filter).unwrap();
            let (origin, velocity) = (from.frame.origin.as_dvec3(), velocity.as_dvec3());
            let path = Path {
                origin,
                velocity,
                gravity: f64::from(launch.gravity),
                length: f64::from(time),
            };
            tally.questions += 1;
            let want = decided(arena, &from, &path, &filter, true);
            let want =
                want.filter(|want| does_not_depend_on_chords(arena, &from, &path, &filter, want));
            let Some(want) = want.filter(|want| !grazes(want)) else {
                tally.undecided += 1;
                continue;
            };
            let context = || format!("{}: {launch:?} {filter:?}\n{got:?}\n{want:?}", arena.name);
            let first = want.first();
            let (Some(first), Some(hit)) = (first, got.hit) else {
                let ends = first.map_or(f64::from(got.time), |first| first.time);
                let agree = first.is_none() == got.hit.is_none();
                assert!(agree || ends > f64::from(time) - 1e-2, "{}", context());
                continue;
            };
            tally.hits += 1;
            // A millimetre is what the chords may leave the arc by.
            let allowed = tolerance(first, 0.0015);
            let mut at_once = want
                .iter()
                .take_while(|it| it.time <= first.time + allowed + tolerance(it, 0.0015));
            assert!(
                at_once.any(|it| it.target == hit.target || are_joined(it.target, hit.target)),
                "{}",
                context()
            );
            assert!((f64::from(got.time) - first.time).abs() <= allowed + 1e-4, "{}", context());
        }
    }
    check_tally(tally);
}
