//! Progress bars and spinners on standard error. They appear after a second, and only on a terminal.

use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::formatting::thousands;

/// Time after which a bar or spinner appears.
const DELAY: Duration = Duration::from_secs(1);

/// A bar for work with a known number of steps.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: Once,
}

impl Progress {
    pub(crate) fn new(message: &'static str, steps: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} [{bar:40}] {human_pos}/{human_len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        bar.set_message(message);
        Self { bar, start: Instant::now(), shown: Once::new() }
    }

    /// Counts a finished step. Any thread may call it.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
        if self.start.elapsed() > DELAY {
            // Draws nothing when standard error is not a terminal.
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Hides the bar while `print` prints.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Progress through an input: a bar if its length is known, otherwise a spinner. Both count rows.
pub(crate) struct InputProgress {
    bar: ProgressBar,
    start: Instant,
    shown: Once,
}

impl InputProgress {
    /// Takes the length of the input in bytes, if it is known.
    pub(crate) fn new(message: &'static str, length: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        let style = match length {
            Some(_) => "{msg} [{bar:40}] {percent}%, {prefix} rows, {eta} left",
            None => "{msg} {spinner} {prefix} rows in {elapsed}",
        };
        let style = ProgressStyle::with_template(style);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        bar.set_message(message);
        Self { bar, start: Instant::now(), shown: Once::new() }
    }

    /// Sets the number of bytes and rows that are done.
    pub(crate) fn set(&self, bytes: u64, rows: u64) {
        self.bar.set_prefix(thousands(rows));
        self.bar.set_position(bytes);
        if self.start.elapsed() > DELAY {
            // Draws nothing when standard error is not a terminal.
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Hides the bar while `print` prints.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A spinner for work of unknown length.
pub(crate) struct Spinner(ProgressBar);

impl Spinner {
    pub(crate) fn new(message: &'static str) -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{msg} {spinner} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(message);
        // The first tick draws it.
        bar.enable_steady_tick(DELAY);
        Self(bar)
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
