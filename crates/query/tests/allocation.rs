//! Queries allocate nothing once scratch and lists have grown: rays, casts, volumes, arcs and batches, in rooms and streets.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod reference;

use peak_alloc::PeakAlloc;
use reference::questions::{Arena, direction, filter, number};
use threshold_land::vector::Vec3;
use threshold_query::{
    Batch, BatchQuestion, BoxOverlap, Cone, Launch, NearestObjects, QueryScratch, Question, Ray,
    SceneQuery, SphereOverlap, Want,
};
use threshold_testkit::{Random, forged, sample_builder};
use threshold_world::Builder;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Questions of each kind.
const QUESTIONS: usize = 200;

/// Allocations are counted for the whole process: the checks run one after the other, without the test harness.
fn main() {
    for (name, builder) in
        [("holt", sample_builder("holt")), ("built-in", forged::builtins()[0].builder())]
    {
        check(name, &builder);
    }
}

fn questions(arena: &Arena) -> Vec<BatchQuestion<'static>> {
    let mut random = Random(5);
    let mut questions = Vec::new();
    for _ in 0..QUESTIONS {
        let at = arena.position(&mut random);
        let ray = Ray::new(at, direction(&mut random), number(&mut random, 0.0, 60.0));
        let half = Vec3::ONE * number(&mut random, 0.1, 3.0);
        let kinds: [Question; 7] = [
            ray.into(),
            ray.with_radius(number(&mut random, 0.1, 1.0)).into(),
            SphereOverlap { at, radius: half.x }.into(),
            BoxOverlap { at, half }.into(),
            NearestObjects { at, radius: 3.0 * half.x, count: 3 }.into(),
            Cone { from: at, direction: ray.direction, length: 15.0, half_angle: 30.0 }.into(),
            Launch { time: 2.0, ..Launch::new(at, ray.direction * 15.0) }.into(),
        ];
        for question in kinds {
            let filter = filter(&mut random);
            questions.push(BatchQuestion { question, filter, want: Want::First });
            questions.push(BatchQuestion { question, filter, want: Want::All });
        }
    }
    questions
}

/// Asserts that the third time allocates nothing.
fn check(name: &str, builder: &Builder) {
    let arena = Arena::new(name, builder, 9);
    let questions = questions(&arena);
    let (mut batch, mut scratch, mut hits) = (Batch::new(), QueryScratch::new(), Vec::new());
    let mut ask = || {
        batch.ask(&arena.world, &questions);
        let scene = SceneQuery::new(&arena.world);
        for asked in &questions {
            if let Question::Ray(ray) = &asked.question {
                let _ = scene.ray_all(&mut scratch, ray, &asked.filter, &mut hits).unwrap();
            }
        }
        batch.answers().map(|answer| answer.unwrap().hits.len()).sum::<usize>()
    };
    let found = [ask(), ask()];
    // Threads of the pool may grow their own stacks of work; with one thread every allocation is a query's.
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let again = ask();
    assert_eq!((MEMORY.peak_usage(), MEMORY.current_usage()), (before, before), "{name}");
    assert!(found == [again; 2] && again > questions.len() / 2, "{name}: {found:?} {again}");
    println!("{name}: {} questions, {again} hits, no allocation", questions.len());
}
