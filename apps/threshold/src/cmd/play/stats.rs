//! How long frames take.

use std::collections::VecDeque;

use threshold_render::gpu::DrawStats;
use threshold_view::VisibleSet;

/// Frames that are remembered.
const KEPT: usize = 240;

/// How long the parts of a frame took, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts {
    /// From the frame before to this one.
    pub(super) whole: f32,
    /// Moving, and taking in what has come.
    pub(super) world: f32,
    /// What is seen.
    pub(super) view: f32,
    /// Telling the device, and waiting for it.
    pub(super) draw: f32,
}

/// The last frames.
#[derive(Debug, Default)]
pub(super) struct Stats {
    frames: VecDeque<Parts>,
    pub(super) drawn: DrawStats,
    /// Rooms that are seen, and whether the landscape is.
    pub(super) cells: usize,
    pub(super) sees_outside: bool,
    /// How many frames there were.
    pub(super) count: u64,
}

impl Stats {
    pub(super) fn note(&mut self, parts: Parts) {
        self.count += 1;
        self.frames.push_back(parts);
        if self.frames.len() > KEPT {
            self.frames.pop_front();
        }
    }

    /// What the present frame shows.
    pub(super) fn note_seen(&mut self, seen: &VisibleSet) {
        self.cells = seen.cells().len();
        self.sees_outside = seen.landscape().len() > 0;
    }

    /// The medians of the last frames.
    pub(super) fn medians(&self) -> Parts {
        let median = |part: fn(&Parts) -> f32| {
            let mut all: Vec<f32> = self.frames.iter().map(part).collect();
            all.sort_by(f32::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or_default()
        };
        Parts {
            whole: median(|parts| parts.whole),
            world: median(|parts| parts.world),
            view: median(|parts| parts.view),
            draw: median(|parts| parts.draw),
        }
    }

    /// The longest of the last frames, in milliseconds.
    pub(super) fn longest(&self) -> f32 {
        self.frames.iter().map(|parts| parts.whole).fold(0.0, f32::max)
    }

    /// How long each of the last frames took, in milliseconds, from old to new.
    pub(super) fn all(&self) -> impl Iterator<Item = f32> {
        self.frames.iter().map(|parts| parts.whole)
    }
}
