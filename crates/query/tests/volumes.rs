//! Overlaps, cones and nearest objects against the slow reference: thousands of random questions of each kind, a million with
//! `THRESHOLD_SOAK`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod reference;

use std::collections::{BTreeMap, BTreeSet};

use reference::questions::{Arena, arenas, count, direction, filter, number, pick};
use reference::volumes::{Plain, distance, take_unsure};
use threshold_land::vector::Vec3;
use threshold_land::{Position, Rotation};
use threshold_query::{
    BoxOverlap, Cone, Hit, HitTarget, NearestObjects, ObjectKinds, QueryFilter, QueryScratch,
    SceneQuery, SphereOverlap,
};
use threshold_testkit::Random;
use threshold_world::ObjectId;

type Targets = BTreeSet<HitTarget>;

fn touched(arena: &Arena, at: &Position, plain: &Plain, filter: &QueryFilter<'_>) -> Targets {
    use reference::reach::Solid as _;
    let shapes = arena.reference.shapes_near(at.cell, plain, filter);
    let touched =
        shapes.iter().filter(|(_, shape, offset)| plain.shifted(*offset).touches_shape(shape));
    touched.map(|(target, ..)| *target).collect()
}

/// Returns what the reference finds, if `slack` metres more or less do not change it.
fn decided(
    arena: &Arena,
    at: &Position,
    plain: &Plain,
    filter: &QueryFilter<'_>,
    slack: f64,
) -> Option<Targets> {
    let _ = take_unsure();
    let less = touched(arena, at, &plain.grown(-slack), filter);
    let same = touched(arena, at, &plain.grown(slack), filter) == less;
    (same && !take_unsure()).then_some(less)
}

/// Counts of a test.
#[derive(Debug, Default)]
struct Tally {
    questions: usize,
    undecided: usize,
    hits: usize,
}

impl Tally {
    #[track_caller]
    fn check(&self, one_of: usize) {
        println!("{self:?}");
        let enough = self.hits * one_of > self.questions;
        assert!(enough && self.undecided * 5 < self.questions, "{self:?}");
    }
}

/// Hits of shapes without collision belong to nearest objects and cones only.
fn surfaces_only(found: Targets) -> Targets {
    let is_shape = |target: &HitTarget| {
        !matches!(target, HitTarget::Object { shape: threshold_query::ObjectShape::Origin, .. })
    };
    found.into_iter().filter(is_shape).collect()
}

#[test]
fn spheres_overlap_what_the_reference_says() {
    let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    let (mut random, mut tally) = (Random(31), Tally::default());
    let arenas = arenas();
    for arena in &arenas {
        for _ in 0..count(6_000) / arenas.len() {
            let widest = pick(&mut random, &[0.5, 2.0, 8.0]);
            let (at, radius) = (arena.position(&mut random), number(&mut random, 0.0, widest));
            let filter = filter(&mut random);
            let scene = SceneQuery::new(&arena.world);
            let overlap = SphereOverlap { at, radius };
            let _ = scene.sphere_overlaps(&mut scratch, &overlap, &filter, &mut hits).unwrap();
            let first = scene.sphere_overlap(&mut scratch, &overlap, &filter).unwrap();
            assert_eq!(first.hit.map(|hit| hit.target), hits.first().map(|hit| hit.target));
            tally.questions += 1;
            let plain = Plain::ball(&at, radius.into());
            let Some(want) = decided(arena, &at, &plain, &filter, 1e-3) else {
                tally.undecided += 1;
                continue;
            };
            compare(&hits, surfaces_only(want), &format!("{}: {overlap:?} {filter:?}", arena.name));
            tally.hits += usize::from(!hits.is_empty());
        }
    }
    tally.check(3);
}

#[track_caller]
fn compare(got: &[Hit], want: Targets, question: &str) {
    let names: Targets = got.iter().map(|hit| hit.target).collect();
    assert_eq!(names, want, "{question}");
    assert_eq!(names.len(), got.len(), "each once: {question}");
    assert!(got.is_sorted_by(|a, b| a.distance <= b.distance), "{question}");
}

#[test]
fn boxes_overlap_what_the_reference_says() {
    let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    let (mut random, mut tally) = (Random(32), Tally::default());
    let arenas = arenas();
    for arena in &arenas {
        for _ in 0..count(6_000) / arenas.len() {
            let mut at = arena.position(&mut random);
            let axis = direction(&mut random) * number(&mut random, 0.1, 3.0);
            at.frame.rotation = Rotation::from_scaled_axis(axis).unwrap();
            let widest = pick(&mut random, &[0.5, 2.0, 6.0]);
            let half = Vec3::ZERO.map(|_| number(&mut random, 0.01, widest));
            let (shape, filter) = (BoxOverlap { at, half }, filter(&mut random));
            let scene = SceneQuery::new(&arena.world);
            let _ = scene.box_overlaps(&mut scratch, &shape, &filter, &mut hits).unwrap();
            tally.questions += 1;
            let plain = Plain::oriented_box(&at, half.as_dvec3());
            let Some(want) = decided(arena, &at, &plain, &filter, 5e-3) else {
                tally.undecided += 1;
                continue;
            };
            compare(&hits, surfaces_only(want), &format!("{}: {shape:?} {filter:?}", arena.name));
            tally.hits += usize::from(!hits.is_empty());
        }
    }
    tally.check(3);
}

#[test]
fn cones_hold_the_objects_that_the_reference_says() {
    let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    let (mut random, mut tally) = (Random(33), Tally::default());
    let arenas = arenas();
    for arena in &arenas {
        for _ in 0..count(4_000) / arenas.len() {
            let longest = pick(&mut random, &[5.0, 15.0, 40.0]);
            let cone = Cone {
                from: arena.position(&mut random),
                direction: direction(&mut random),
                length: number(&mut random, 0.1, longest),
                half_angle: number(&mut random, 1.0, 89.0),
            };
            let filter =
                QueryFilter { ground: false, rooms: false, shells: false, ..filter(&mut random) };
            let scene = SceneQuery::new(&arena.world);
            let _ = scene.cone(&mut scratch, &cone, &filter, &mut hits).unwrap();
            tally.questions += 1;
            let plain = Plain::Cone {
                apex: cone.from.frame.origin.as_dvec3(),
                axis: cone.direction.as_dvec3().normalize(),
                angle: f64::from(cone.half_angle).to_radians(),
                length: cone.length.into(),
            };
            let Some(want) = decided(arena, &cone.from, &plain, &filter, 5e-3) else {
                tally.undecided += 1;
                continue;
            };
            let want: BTreeSet<ObjectId> = want.iter().filter_map(HitTarget::object).collect();
            let got: BTreeSet<ObjectId> =
                hits.iter().filter_map(|hit| hit.target.object()).collect();
            assert_eq!(got, want, "{}: {cone:?} {filter:?}", arena.name);
            assert_eq!(got.len(), hits.len(), "each once");
            tally.hits += usize::from(!hits.is_empty());
        }
    }
    tally.check(8);
}

#[test]
fn the_nearest_objects_are_those_of_the_reference() {
    let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    let (mut random, mut tally) = (Random(34), Tally::default());
    let arenas = arenas();
    for arena in &arenas {
        for _ in 0..count(6_000) / arenas.len() {
            let widest = pick(&mut random, &[3.0, 10.0, 30.0]);
            let (at, radius) = (arena.position(&mut random), number(&mut random, 0.1, widest));
            let count = 1 + random.below(6);
            let filter = QueryFilter { kinds: ObjectKinds::ALL, ..filter(&mut random) };
            let nearest = NearestObjects { at, radius, count };
            let scene = SceneQuery::new(&arena.world);
            let _ = scene.nearest(&mut scratch, &nearest, &filter, &mut hits).unwrap();
            tally.questions += 1;
            let inner = distances(arena, &at, f64::from(radius) - 1e-3, &filter);
            let outer = distances(arena, &at, f64::from(radius) + 1e-3, &filter);
            if inner.len() != outer.len() {
                tally.undecided += 1;
                continue;
            }
            let question = format!("{}: {nearest:?} {filter:?}\n{hits:?}\n{inner:?}", arena.name);
            assert_eq!(hits.len(), inner.len().min(count), "{question}");
            for (hit, (want, id)) in hits.iter().zip(&inner) {
                assert!((f64::from(hit.distance) - want).abs() < 1e-3, "{question}");
                let tie = inner.iter().filter(|(other, _)| (other - want).abs() < 2e-3).count() > 1;
                assert!(tie || hit.target.object() == Some(*id), "{question}");
            }
            tally.hits += usize::from(!hits.is_empty());
        }
    }
    tally.check(3);
}

/// Returns the distances of all objects within a radius, the nearest first.
fn distances(
    arena: &Arena,
    at: &Position,
    radius: f64,
    filter: &QueryFilter<'_>,
) -> Vec<(f64, ObjectId)> {
    let ball = Plain::ball(at, radius);
    let mut nearest: BTreeMap<ObjectId, f64> = BTreeMap::new();
    for (target, shape, offset) in arena.reference.shapes_near(at.cell, &ball, filter) {
        let Some(id) = target.object() else { continue };
        let distance = distance(&shape, at.frame.origin.as_dvec3() - offset);
        let known = nearest.entry(id).or_insert(f64::INFINITY);
        *known = known.min(distance);
    }
    let within = nearest.into_iter().filter(|(_, distance)| *distance <= radius);
    let mut sorted: Vec<(f64, ObjectId)> = within.map(|(id, distance)| (distance, id)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    sorted
}
