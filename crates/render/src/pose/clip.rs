//! Stretches of animations, one after the other.

use std::sync::Arc;

use threshold_dat::{Animation, AnimationSpan, RecordId};
use threshold_land::Frame;

/// A stretch of an animation that is there: `low` and `high` are frames of it.
#[derive(Clone, Debug)]
struct Stretch {
    animation: Arc<Animation>,
    low: u32,
    high: u32,
    /// Frames a second, backwards below 0.
    framerate: f32,
}

/// A motion whose animations are there. It has at least one stretch.
#[derive(Clone, Debug)]
pub(super) struct Clip {
    stretches: Box<[Stretch]>,
}

/// A motion at a speed, backwards below 0.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) clip: Arc<Clip>,
    pub(super) speed: f32,
}

/// Two frames, and how far it is from one to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between<'a> {
    pub(super) frames: &'a [Frame],
    pub(super) next: &'a [Frame],
    /// 0 to 1.
    pub(super) part: f32,
}

impl Clip {
    /// What is not there is left out; `None` if nothing is.
    pub(super) fn new(
        spans: &[AnimationSpan],
        mut find: impl FnMut(RecordId) -> Option<Arc<Animation>>,
    ) -> Option<Self> {
        let stretches: Box<[Stretch]> =
            spans.iter().filter_map(|span| Stretch::new(span, find(span.animation)?)).collect();
        (!stretches.is_empty()).then_some(Self { stretches })
    }
}

impl Stretch {
    /// Frames that the animation does not have are the nearest it has.
    fn new(span: &AnimationSpan, animation: Arc<Animation>) -> Option<Self> {
        let last = animation.frames.checked_sub(1)?;
        let low = u32::try_from(span.low).unwrap_or(0).min(last);
        // Below 0 is the last one.
        let high = u32::try_from(span.high).unwrap_or(last).clamp(low, last);
        let framerate = if span.framerate.is_finite() { span.framerate } else { 0.0 };
        Some(Self { animation, low, high, framerate })
    }

    fn count(&self) -> u32 {
        self.high - self.low + 1
    }

    /// The frame that is shown after so many others, at most the last one.
    fn frame(&self, steps: u32, rate: f64) -> &[Frame] {
        let steps = steps.min(self.high - self.low);
        let index = if rate < 0.0 { self.high - steps } else { self.low + steps };
        self.animation.frame(index).unwrap_or_default()
    }
}

/// The stretches of some motions, one after the other, and how many frames a second each shows.
fn stretches(steps: &[Step]) -> impl Iterator<Item = (&Stretch, f64)> {
    steps.iter().flat_map(|step| {
        step.clip.stretches.iter().map(|stretch| {
            let rate = f64::from(stretch.framerate) * f64::from(step.speed);
            (stretch, if rate.is_finite() { rate } else { 0.0 })
        })
    })
}

/// Seconds that it takes to play some motions once. What stands still takes none.
pub(super) fn length(steps: &[Step]) -> f64 {
    stretches(steps).map(|(stretch, rate)| duration(stretch, rate)).sum()
}

fn duration(stretch: &Stretch, rate: f64) -> f64 {
    if rate == 0.0 { 0.0 } else { f64::from(stretch.count()) / rate.abs() }
}

/// What motions show after so many seconds, played one after the other; the last stretch goes on for ever. `None` if there are
/// none.
///
/// Retail: `CSequence::update_internal`.
pub(super) fn at(steps: &[Step], seconds: f64) -> Option<Between<'_>> {
    let mut left = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
    let mut all = stretches(steps).peekable();
    while let Some((stretch, rate)) = all.next() {
        let count = f64::from(stretch.count());
        let Some((following, their_rate)) = all.peek() else {
            let shown = (left * rate.abs()).rem_euclid(count);
            return Some(between(stretch, rate, shown, stretch.frame(0, rate)));
        };
        let length = duration(stretch, rate);
        if left < length {
            let next = following.frame(0, *their_rate);
            return Some(between(stretch, rate, left * rate.abs(), next));
        }
        left -= length;
    }
    None
}

/// `shown` frames into a stretch; after its last frame comes `next`.
fn between<'a>(stretch: &'a Stretch, rate: f64, shown: f64, next: &'a [Frame]) -> Between<'a> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the count of frames"
    )]
    let (index, part) = (shown.floor() as u32, shown.fract() as f32);
    let index = index.min(stretch.high - stretch.low);
    let is_last = index + 1 >= stretch.count();
    let next = if is_last { next } else { stretch.frame(index + 1, rate) };
    Between { frames: stretch.frame(index, rate), next, part }
}
