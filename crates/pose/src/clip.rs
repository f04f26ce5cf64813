//! Playback of consecutive animation segments.

use std::sync::Arc;

use threshold_dat::{Animation, AnimationSpan, RecordId};
use threshold_land::Frame;

/// Frames `low` to `high` of a loaded animation; both exist.
#[derive(Clone, Debug)]
struct Segment {
    animation: Arc<Animation>,
    low: u32,
    high: u32,
    /// Frames per second; negative plays backwards.
    framerate: f32,
}

/// The loaded animations of a motion, with at least one segment.
#[derive(Clone, Debug)]
pub(super) struct Clip {
    segments: Box<[Segment]>,
}

/// A clip and its speed; a negative speed plays it backwards.
#[derive(Clone, Debug)]
pub(super) struct PlayedClip {
    pub(super) clip: Arc<Clip>,
    pub(super) speed: f32,
}

/// Two frames of all parts, and the fraction of the way between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct FramePair<'a> {
    pub(super) frames: &'a [Frame],
    pub(super) next: &'a [Frame],
    /// 0 to 1.
    pub(super) part: f32,
}

impl Clip {
    /// Loads the animations of a motion; missing ones are left out. `None` if all are missing.
    pub(super) fn new(
        spans: &[AnimationSpan],
        mut find: impl FnMut(RecordId) -> Option<Arc<Animation>>,
    ) -> Option<Self> {
        let segments: Box<[Segment]> =
            spans.iter().filter_map(|span| Segment::new(span, find(span.animation)?)).collect();
        (!segments.is_empty()).then_some(Self { segments })
    }
}

impl Segment {
    /// Clamps the span to the frames that exist.
    fn new(span: &AnimationSpan, animation: Arc<Animation>) -> Option<Self> {
        let last = animation.frames.checked_sub(1)?;
        let low = u32::try_from(span.low).unwrap_or(0).min(last);
        // A negative number means the last frame.
        let high = u32::try_from(span.high).unwrap_or(last).clamp(low, last);
        let framerate = if span.framerate.is_finite() { span.framerate } else { 0.0 };
        Some(Self { animation, low, high, framerate })
    }

    fn count(&self) -> u32 {
        self.high - self.low + 1
    }

    /// Returns the frame after `steps` others, at most the last one.
    fn frame(&self, steps: u32, rate: f64) -> &[Frame] {
        let steps = steps.min(self.high - self.low);
        let index = if rate < 0.0 { self.high - steps } else { self.low + steps };
        self.animation.frame(index).unwrap_or_default()
    }
}

/// Returns the segments of some clips in order, with their frame rates.
fn segments(clips: &[PlayedClip]) -> impl Iterator<Item = (&Segment, f64)> {
    clips.iter().flat_map(|played| {
        played.clip.segments.iter().map(|segment| {
            let rate = f64::from(segment.framerate) * f64::from(played.speed);
            (segment, if rate.is_finite() { rate } else { 0.0 })
        })
    })
}

/// Returns the duration of some clips in seconds. A segment at rate 0 takes no time.
pub(super) fn length(clips: &[PlayedClip]) -> f64 {
    segments(clips).map(|(segment, rate)| duration(segment, rate)).sum()
}

fn duration(segment: &Segment, rate: f64) -> f64 {
    if rate == 0.0 { 0.0 } else { f64::from(segment.count()) / rate.abs() }
}

/// Returns the frames that show `seconds` after the first clip began. The last segment repeats for ever. `None` if the
/// list is empty.
///
/// Retail: `CSequence::update_internal`.
pub(super) fn at(clips: &[PlayedClip], seconds: f64) -> Option<FramePair<'_>> {
    let mut left = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
    let mut all = segments(clips).peekable();
    while let Some((segment, rate)) = all.next() {
        let count = f64::from(segment.count());
        let Some((following, next_rate)) = all.peek() else {
            let shown = (left * rate.abs()).rem_euclid(count);
            return Some(frame_pair(segment, rate, shown, segment.frame(0, rate)));
        };
        let length = duration(segment, rate);
        if left < length {
            let next = following.frame(0, *next_rate);
            return Some(frame_pair(segment, rate, left * rate.abs(), next));
        }
        left -= length;
    }
    None
}

/// Returns the frames at `shown` frames into a segment; `next` follows its last frame.
fn frame_pair<'a>(segment: &'a Segment, rate: f64, shown: f64, next: &'a [Frame]) -> FramePair<'a> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the count of frames"
    )]
    let (index, part) = (shown.floor() as u32, shown.fract() as f32);
    let index = index.min(segment.high - segment.low);
    let is_last = index + 1 >= segment.count();
    let next = if is_last { next } else { segment.frame(index + 1, rate) };
    FramePair { frames: segment.frame(index, rate), next, part }
}
