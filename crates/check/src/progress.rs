//! Progress of a check.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A part of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStage {
    /// Records are read, one step for each.
    Records,
    /// The world is built, one step for each landblock.
    World,
}

/// One more step of a check is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckProgress {
    /// The part that is running.
    pub stage: CheckStage,
    /// Number of steps done, each number from 1 to `total` once; threads may deliver them out of order.
    pub done: usize,
    /// Number of steps in this part.
    pub total: usize,
}

/// Receives progress, on any thread.
pub type OnProgress<'a> = &'a (dyn Fn(CheckProgress) + Sync);

/// Counts the steps of a stage.
pub(crate) struct Steps<'a> {
    stage: CheckStage,
    done: AtomicUsize,
    total: usize,
    on_progress: OnProgress<'a>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(stage: CheckStage, total: usize, on_progress: OnProgress<'a>) -> Self {
        Self { stage, done: AtomicUsize::new(0), total, on_progress }
    }

    pub(crate) fn advance(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.on_progress)(CheckProgress { stage: self.stage, done, total: self.total });
    }
}
