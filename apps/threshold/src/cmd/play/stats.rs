//! Frame times.

use std::collections::VecDeque;

use threshold_render::DrawStats;
use threshold_view::VisibleSet;

/// Number of frames with kept times.
pub(super) const MAX_FRAMES: u16 = 240;

/// Times of the parts of a frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameTimes {
    /// From the start of the frame before to the start of this one.
    pub(super) whole: f32,
    /// Moving, and adopting pieces.
    pub(super) world: f32,
    /// Camera and portal walk.
    pub(super) view: f32,
    /// Recording commands for the device, and waiting for it.
    pub(super) draw: f32,
}

/// Times of the last frames, and counts of the current one.
#[derive(Debug, Default)]
pub(super) struct Stats {
    frames: VecDeque<FrameTimes>,
    pub(super) drawn: DrawStats,
    /// Visible rooms, and whether the landscape is visible.
    pub(super) cells: usize,
    pub(super) sees_outside: bool,
    /// Frames since the start.
    pub(super) count: u64,
}

impl Stats {
    pub(super) fn add(&mut self, times: FrameTimes) {
        self.count += 1;
        self.frames.push_back(times);
        if self.frames.len() > usize::from(MAX_FRAMES) {
            self.frames.pop_front();
        }
    }

    /// Counts the visible cells of the current frame.
    pub(super) fn count_visible(&mut self, seen: &VisibleSet) {
        self.cells = seen.cells().len();
        self.sees_outside = seen.landscape().len() > 0;
    }

    /// Returns the medians of the last frames.
    pub(super) fn medians(&self) -> FrameTimes {
        let median = |time: fn(&FrameTimes) -> f32| {
            let mut all: Vec<f32> = self.frames.iter().map(time).collect();
            all.sort_by(f32::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or_default()
        };
        FrameTimes {
            whole: median(|times| times.whole),
            world: median(|times| times.world),
            view: median(|times| times.view),
            draw: median(|times| times.draw),
        }
    }

    /// Returns the longest time of the last frames, in milliseconds.
    pub(super) fn longest(&self) -> f32 {
        self.frame_times().fold(0.0, f32::max)
    }

    /// Returns the times of the last frames, in milliseconds, from old to new.
    pub(super) fn frame_times(&self) -> impl Iterator<Item = f32> {
        self.frames.iter().map(|times| times.whole)
    }
}
