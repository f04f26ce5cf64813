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

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The same for what cannot be counted.
pub(crate) struct Waiting(ProgressBar);

impl Waiting {
    pub(crate) fn new(what: &'static str) -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{msg} {spinner} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(what);
        // The first time that it is drawn.
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
