//! A batch gives the answers of single questions, in order, with any number of threads.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod reference;

use reference::questions::{Arena, direction, filter, number};
use threshold_land::vector::Vec3;
use threshold_query::{
    Batch, BatchQuestion, BoxOverlap, Cone, Launch, NearestObjects, QueryError, QueryScratch,
    Question, Ray, SceneQuery, SphereOverlap,
};
use threshold_testkit::{Random, sample_builder};

/// Number of questions: enough for several chunks for each thread.
const COUNT: usize = 20_000;

fn questions(arena: &Arena) -> Vec<BatchQuestion<'static>> {
    let mut random = Random(17);
    let ask = |number_of: usize, random: &mut Random| {
        let at = arena.position(random);
        let ray = Ray::new(at, direction(random), number(random, 0.0, 40.0));
        let radius = number(random, 0.1, 2.0);
        let half = Vec3::splat(radius);
        let question: Question = match number_of % 8 {
            0 => ray.into(),
            1 => ray.with_radius(radius).into(),
            2 => SphereOverlap { at, radius }.into(),
            3 => BoxOverlap { at, half }.into(),
            4 => NearestObjects { at, radius: 5.0, count: 2 }.into(),
            5 => Cone { from: at, direction: ray.direction, length: 9.0, half_angle: 30.0 }.into(),
            6 => Launch { time: 1.0, ..Launch::new(at, ray.direction * 12.0) }.into(),
            _ => Ray { length: f32::NAN, ..ray }.into(),
        };
        let filter = filter(random);
        if number_of.is_multiple_of(3) {
            BatchQuestion::all(question, filter)
        } else {
            BatchQuestion::first(question, filter)
        }
    };
    (0..COUNT).map(|number| ask(number, &mut random)).collect()
}

/// All answers as text, which shows every bit that is compared.
fn answers(arena: &Arena, questions: &[BatchQuestion<'_>], batch: &mut Batch) -> Vec<String> {
    batch.ask(&arena.world, questions);
    batch.answers().map(|answer| format!("{answer:?}")).collect()
}

#[test]
fn answers_are_the_same_for_any_number_of_threads() {
    let arena = Arena::new("holt", &sample_builder("holt"), 4);
    let questions = questions(&arena);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| answers(&arena, &questions, &mut Batch::new()))
    };
    let one = with_threads(1);
    assert_eq!(one.len(), COUNT);
    for threads in [2, 3, 7] {
        assert!(with_threads(threads) == one, "{threads} threads");
    }
    // A batch that was used before, and for fewer questions.
    let mut batch = Batch::new();
    assert!(answers(&arena, &questions, &mut batch) == one);
    assert_eq!(answers(&arena, &questions[..100], &mut batch), one[..100]);
    assert!(answers(&arena, &[], &mut batch).is_empty());
}

#[test]
fn a_batch_answers_as_single_questions_do() {
    let arena = Arena::new("holt", &sample_builder("holt"), 4);
    let questions = questions(&arena);
    let mut batch = Batch::new();
    batch.ask(&arena.world, &questions[..2_000]);
    let (scene, mut scratch, mut refused) = (SceneQuery::new(&arena.world), QueryScratch::new(), 0);
    for (asked, answer) in questions.iter().zip(batch.answers()) {
        match (&asked.question, asked.want == threshold_query::Want::First) {
            (Question::Ray(ray), true) => {
                let single = scene.ray(&mut scratch, ray, &asked.filter);
                assert_eq!(single.map(|it| it.hit), answer.map(|it| it.hits.first().copied()));
                refused += usize::from(single == Err(QueryError::NotFinite("length")));
            }
            (Question::Arc(launch), true) => {
                let single = scene.arc(&mut scratch, launch, &asked.filter).unwrap();
                assert_eq!(Some(single), answer.unwrap().flight);
            }
            _ => {}
        }
    }
    assert!(refused > 100);
}
