//! A bar for what takes longer than a second, silent when nobody looks.

use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub(crate) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: Once,
}

impl Progress {
    pub(crate) fn new(what: &'static str, steps: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} [{bar:40}] {human_pos}/{human_len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        bar.set_message(what);
        Self { bar, begun: Instant::now(), shown: Once::new() }
    }

    /// One step is done. Any thread may say so.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
        if self.begun.elapsed() > Duration::from_secs(1) {
            // Draws nothing when standard error is not a terminal.
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Says something else where the bar is, which then goes on below it.
    pub(crate) fn aside<R>(&self, say: impl FnOnce() -> R) -> R {
        self.bar.suspend(say)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
