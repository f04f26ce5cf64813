//! Many questions at once.

#[cfg(feature = "rayon")]
use rayon::prelude::*;
use threshold_world::World;

use crate::filter::QueryFilter;
use crate::hit::{ArcFlight, Extent, FirstHit, Hit};
use crate::question::{QueryError, Question};
use crate::scene_query::SceneQuery;
use crate::walk::QueryScratch;

/// Questions that one thread answers in a row: so few that no thread waits long for another.
const MIN_CHUNK: usize = 64;

/// Greatest number of chunks, each with buffers of its own.
const MAX_CHUNKS: usize = 256;

/// How much of the answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Want {
    /// The nearest hit.
    #[default]
    First,
    /// All hits in order. Nearest objects and cones always give all.
    All,
}

/// A question of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchQuestion<'a> {
    /// The question.
    pub question: Question,
    /// What counts for it.
    pub filter: QueryFilter<'a>,
    /// How much of the answer is wanted.
    pub want: Want,
}

impl<'a> BatchQuestion<'a> {
    /// Asks for the nearest hit.
    pub fn first(question: impl Into<Question>, filter: QueryFilter<'a>) -> Self {
        Self { question: question.into(), filter, want: Want::First }
    }

    /// Asks for all hits.
    pub fn all(question: impl Into<Question>, filter: QueryFilter<'a>) -> Self {
        Self { question: question.into(), filter, want: Want::All }
    }
}

/// An answer of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchAnswer<'a> {
    /// What was found, the nearest first.
    pub hits: &'a [Hit],
    /// How far the query came.
    pub extent: Extent,
    /// The flight, for the first hit of an arc.
    pub flight: Option<ArcFlight>,
}

/// Answers many questions: with the feature `rayon` on all threads of the current pool, with the same
/// answers for any number of threads. Keep it from batch to batch: once grown, nothing is allocated.
///
/// ```
/// use threshold_forge::samples;
/// use threshold_land::vector::Vec3;
/// use threshold_land::{CellId, Position};
/// use threshold_query::{Batch, BatchQuestion, QueryFilter, Ray};
/// # use threshold_world::{Builder, World};
/// # let builder = Builder::new(samples::two_rooms()?);
/// # let mut world = World::new();
/// # for piece in builder.pieces() {
/// #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
/// # }
/// let from = Position::new(CellId(0x0102_0100), Vec3::new(1.0, 2.0, 1.0));
/// let rays = (0..8).map(|n| Ray::new(from, [1.0, n as f32 / 8.0, 0.0], 50.0));
/// let questions: Vec<_> =
///     rays.map(|ray| BatchQuestion::first(ray, QueryFilter::default())).collect();
/// let mut batch = Batch::new();
/// batch.ask(&world, &questions);
/// for answer in batch.answers() {
///     println!("{:?}", answer?.hits.first());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Batch {
    chunks: Vec<Chunk>,
    used: usize,
}

/// The answers to a part of the questions.
#[derive(Clone, Debug, Default)]
struct Chunk {
    scratch: QueryScratch,
    one: Vec<Hit>,
    hits: Vec<Hit>,
    answers: Vec<ChunkAnswer>,
}

#[derive(Clone, Debug)]
struct ChunkAnswer {
    /// Where its hits end; they begin where those before end.
    end: usize,
    reached: Result<(Extent, Option<ArcFlight>), QueryError>,
}

impl Batch {
    /// An empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers all questions; [`answers`](Self::answers) has the answers.
    pub fn ask(&mut self, world: &World, questions: &[BatchQuestion<'_>]) {
        // The size depends on nothing but the number of questions.
        let size = questions.len().div_ceil(MAX_CHUNKS).max(MIN_CHUNK);
        self.used = questions.len().div_ceil(size);
        if self.chunks.len() < self.used {
            self.chunks.resize_with(self.used, Chunk::default);
        }
        #[cfg(feature = "rayon")]
        let chunks = self.chunks[..self.used].par_iter_mut().zip(questions.par_chunks(size));
        #[cfg(not(feature = "rayon"))]
        let chunks = self.chunks[..self.used].iter_mut().zip(questions.chunks(size));
        chunks.for_each(|(chunk, questions)| chunk.ask(world, questions));
    }

    /// The answers to the last questions, in their order. A question that makes no sense is refused
    /// alone.
    pub fn answers(&self) -> impl Iterator<Item = Result<BatchAnswer<'_>, QueryError>> {
        self.chunks[..self.used].iter().flat_map(Chunk::answers)
    }
}

impl Chunk {
    fn ask(&mut self, world: &World, questions: &[BatchQuestion<'_>]) {
        self.hits.clear();
        self.answers.clear();
        for question in questions {
            let reached = self.ask_one(SceneQuery::new(world), question);
            if reached.is_ok() {
                self.hits.extend_from_slice(&self.one);
            }
            self.answers.push(ChunkAnswer { end: self.hits.len(), reached });
        }
    }

    /// Answers one question; its hits are then in `one`.
    fn ask_one(
        &mut self,
        scene: SceneQuery<'_>,
        asked: &BatchQuestion<'_>,
    ) -> Result<(Extent, Option<ArcFlight>), QueryError> {
        let Self { scratch, one, .. } = self;
        let (filter, all) = (&asked.filter, asked.want == Want::All);
        one.clear();
        let first = match &asked.question {
            Question::Ray(it) if all => return with(scene.ray_all(scratch, it, filter, one)),
            Question::SphereCast(it) if all => {
                return with(scene.sphere_cast_all(scratch, it, filter, one));
            }
            Question::SphereOverlap(it) if all => {
                return with(scene.sphere_overlaps(scratch, it, filter, one));
            }
            Question::BoxOverlap(it) if all => {
                return with(scene.box_overlaps(scratch, it, filter, one));
            }
            Question::Arc(it) if all => return with(scene.arc_all(scratch, it, filter, one)),
            Question::Nearest(it) => return with(scene.nearest(scratch, it, filter, one)),
            Question::Cone(it) => return with(scene.cone(scratch, it, filter, one)),
            Question::Ray(it) => scene.ray(scratch, it, filter)?,
            Question::SphereCast(it) => scene.sphere_cast(scratch, it, filter)?,
            Question::SphereOverlap(it) => scene.sphere_overlap(scratch, it, filter)?,
            Question::BoxOverlap(it) => scene.box_overlap(scratch, it, filter)?,
            Question::Arc(it) => {
                let flight = scene.arc(scratch, it, filter)?;
                one.extend(flight.hit);
                let extent = Extent { end: flight.end, unknown: flight.unknown };
                return Ok((extent, Some(flight)));
            }
        };
        let FirstHit { hit, extent } = first;
        one.extend(hit);
        Ok((extent, None))
    }

    fn answers(&self) -> impl Iterator<Item = Result<BatchAnswer<'_>, QueryError>> {
        let mut start = 0;
        self.answers.iter().map(move |answer| {
            let hits = &self.hits[start..answer.end];
            start = answer.end;
            answer.reached.map(|(extent, flight)| BatchAnswer { hits, extent, flight })
        })
    }
}

/// An answer without a flight.
fn with(extent: Result<Extent, QueryError>) -> Result<(Extent, Option<ArcFlight>), QueryError> {
    extent.map(|extent| (extent, None))
}
